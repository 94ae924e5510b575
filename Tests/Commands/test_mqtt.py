# SPDX-License-Identifier: MIT
"""`roundel mqtt` with a real broker: the states for Home Assistant, and its commands."""

import hmac
import json
import math
import os
import pathlib
import queue
import re
import signal
import socket
import subprocess
import sys
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import ROUNDEL, Lines, LiveKiosk  # noqa: E402
from unit import Unit  # noqa: E402

mqtt = pytest.importorskip("paho.mqtt.client")

BRIDGE = pathlib.Path(ROUNDEL).with_name("roundel-mqtt")
pytestmark = pytest.mark.skipif(not BRIDGE.exists(), reason="roundel-mqtt is not built")

KIOSK = """
kiosk: lobby
values:
  temperature: 21.5
  cups: {value: 1, min: 1, max: 8, step: 1}
  guest: ""
  night: false
  mode: {value: eco, options: [eco, boost]}
  room: {value: 20, unit: °C}
pages:
  - page: first
    controls:
      - pinwheel: wheel
        at: [200, 250]
        radius: 180
        wedges: [{id: a, label: A, color: red}, {id: b, label: B, color: blue}]
      - dial: minutes
        at: [600, 250]
        radius: 180
        labels: 12
      - ring: heat
        at: [1000, 250]
        radius: 120
        min: 5
        max: 30
      - toggle: lamp
        at: [1000, 600]
        size: [120, 90]
      - keypad: code
        at: [300, 620]
        size: [300, 330]
        layout: pin
      - button: ok
        at: [700, 650]
        size: [120, 120]
        text: OK
        on: {selected: [{set: {cups: "{cups + 1}"}}, {emit: {name: order, cups: "{cups}"}}]}
  - page: second
    controls:
      - picker: time
        at: [400, 360]
        size: [300, 300]
        rows: 3
        wheels: [{id: hours, items: ["0", "1", "2"]}]
      - slots: reels
        at: [900, 300]
        size: [400, 200]
        duration: 0.2
        reels: [{id: left, items: [one, two]}]
"""

# The required and optional keys of each platform, from Home Assistant's documentation of MQTT.
COMMON = {"p", "unique_id", "name", "state_topic", "json_attributes_topic", "value_template",
          "entity_category", "enabled_by_default", "default_entity_id"}
PLATFORMS = {
    "select": ({"command_topic", "options"}, set()),
    "number": ({"command_topic"}, {"min", "max", "step", "mode", "unit_of_measurement"}),
    "text": ({"command_topic"}, set()),
    "button": ({"command_topic"}, {"device_class"}),
    "binary_sensor": ({"state_topic"}, {
        "device_class", "expire_after", "availability_topic", "availability_template"}),
    "switch": ({"command_topic"}, set()),
    "sensor": ({"state_topic"}, {"unit_of_measurement", "state_class"}),
    "event": ({"state_topic", "event_types"}, {"device_class"}),
    "update": ({"state_topic", "command_topic"}, {"payload_install"}),
    "image": ({"image_topic"}, {"content_type"}),
    "notify": ({"command_topic"}, set()),
    "climate": ({"modes", "min_temp", "max_temp", "temp_step", "temperature_unit", "precision",
                 "current_temperature_topic", "current_temperature_template", "mode_state_topic",
                 "mode_state_template"},
                {f"temperature{number}_{part}" for number in ("", "_low", "_high")
                 for part in ("command_topic", "state_topic", "state_template")}),
    "light": ({"command_topic", "schema"},
              {"brightness", "brightness_scale", "supported_color_modes"}),
}


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def until(holds, timeout=10):
    """Waits until `holds` returns a true value, and returns it."""
    end = time.monotonic() + timeout
    while True:
        result = holds()
        if result:
            return result
        assert time.monotonic() < end, "it did not come to hold"
        time.sleep(0.01)


class Broker:
    """A separate mosquitto."""

    def __init__(self, folder, *lines):
        self.port = free_port()
        self.file = folder / "broker.conf"
        self.file.write_text("\n".join(
            # As root, mosquitto must keep its user to read files in root's folders.
            ["user root", f"listener {self.port} 127.0.0.1",
             *(lines or ["allow_anonymous true"])]) + "\n")
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            ["mosquitto", "-c", self.file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={"PATH": f"{os.environ['PATH']}:/usr/sbin"})

        def listens():
            assert self.process.poll() is None
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.port)) == 0
        until(listens)

    def stop(self):
        self.process.kill()
        self.process.wait()


class Listener:
    """A client that receives everything, with the last message of each topic."""

    def __init__(self, broker, topic="#", **options):
        self.messages = queue.Queue()
        self.all = []
        self.said = {}
        self.client = mqtt.Client()
        if "user" in options:
            self.client.username_pw_set(options["user"], options["password"])
        if "ca" in options:
            self.client.tls_set(ca_certs=str(options["ca"]))
        self.client.on_message = lambda _, __, message: self.messages.put(message)
        self.client.on_connect = lambda client, *_: client.subscribe(topic)
        self.client.connect("localhost" if "ca" in options else "127.0.0.1", broker.port)
        self.client.loop_start()

    def publish(self, topic, payload, **options):
        self.client.publish(topic, payload, **options)

    def take(self):
        while not self.messages.empty():
            message = self.messages.get()
            self.all.append(message)
            self.said[message.topic] = message.payload

    def wait(self, topic, holds=lambda _: True, timeout=10):
        """Waits for a matching message of a topic and returns it."""
        def suits():
            self.take()
            return topic in self.said and holds(self.said[topic])
        until(suits, timeout)
        return self.said[topic]

    def state(self, name, kiosk="lobby", **wanted):
        """Waits until a state has the given members."""
        def holds(payload):
            state = json.loads(payload)
            return all(state.get(key) == value for key, value in wanted.items())
        return json.loads(self.wait(f"roundel/{kiosk}/{name}/state", holds))

    def problem(self, value, node="lobby"):
        """Waits until the problem has the given value."""
        return json.loads(self.wait(
            f"roundel/{node}/$node/problem", lambda said: json.loads(said)["value"] == value, 30))

    def event(self, entity, /, **wanted):
        """Waits for an event of an entity, regardless of later messages."""
        def find():
            self.take()
            events = [json.loads(m.payload) for m in self.all
                      if m.topic == f"roundel/lobby/{entity}/state"]
            return [event for event in events if wanted.items() <= event.items()]
        return until(find)[0]

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()


class Bridge:
    """A bridge called `name`. If `name` is empty, the machine or `--topics` determines it."""

    def __init__(self, kiosk, port, *options, name="lobby", machine=(), **more):
        naming = ["--name", name] if name else []
        self.process = subprocess.Popen(
            [*machine, BRIDGE, "--broker", f"127.0.0.1:{port}", "--socket", kiosk.socket, *naming,
             *map(str, options)], stderr=subprocess.PIPE, text=True,
            env={**os.environ, **more})
        self.log = Lines(self.process.stderr)

    def until(self, words):
        return self.log.until(words)

    def end(self):
        self.process.terminate()
        return self.process.wait(10)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("mqtt")


@pytest.fixture
def start():
    """Starts objects that end with the test."""
    started = []

    def begin(kind, *arguments, **options):
        started.append(kind(*arguments, **options))
        return started[-1]

    yield begin
    for thing in reversed(started):
        if isinstance(thing, (Listener, LiveKiosk)):
            thing.close()
        elif isinstance(thing, Broker):
            thing.stop()
        elif thing.process and thing.process.poll() is None:
            thing.process.kill()
            thing.process.wait()


@pytest.fixture
def kiosk(start, tmp_path):
    file = tmp_path / "lobby.yaml"
    file.write_text(KIOSK)
    return start(LiveKiosk, tmp_path, file=file)


@pytest.fixture
def broker(start, tmp_path):
    return start(Broker, tmp_path)


@pytest.fixture
def bridge(start, kiosk, broker):
    bridge = start(Bridge, kiosk, broker.port)
    bridge.until("connected to the broker")
    return bridge


@pytest.fixture
def home(start, broker):
    return start(Listener, broker)


DISCOVERY = "homeassistant/device/roundel_lobby/config"


def check_discovery(message):
    """Checks a message against Home Assistant's documented schema."""
    assert set(message) <= {"dev", "o", "cmps", "availability_topic"}
    assert message["dev"]["ids"] and message["dev"]["name"]
    assert message["o"]["name"]
    ids = [component["unique_id"] for component in message["cmps"].values()]
    assert len(set(ids)) == len(ids)
    for key, component in message["cmps"].items():
        assert re.fullmatch("[a-zA-Z0-9_-]+", key)
        required, optional = PLATFORMS[component["p"]]
        assert required | {"p", "unique_id", "name"} <= set(component)
        assert set(component) <= COMMON | required | optional, component
        for topic in (key for key in component if key.endswith("_topic")):
            assert not set("+#") & set(component[topic])
        if component["p"] == "number":
            assert component["min"] < component["max"] and component["step"] >= 0.001
        if component["p"] == "select":
            options = component["options"]
            assert options and len(set(options)) == len(options)


def test_home_assistant_finds_everything_in_one_retained_message(bridge, broker, home, start):
    message = json.loads(home.wait(DISCOVERY))
    check_discovery(message)
    assert {key: component["p"] for key, component in message["cmps"].items()} == {
        "page": "select", "panel": "light", "notify": "notify", "emit": "event", "wheel": "select",
        "minutes": "number", "heat": "number", "lamp": "switch", "code": "event", "ok": "event",
        "time": "select", "reels": "event", "reels-2espin": "button", "temperature": "number",
        "cups": "number", "guest": "text", "night": "switch", "mode": "select", "room": "number",
        "-24node-2fproblem": "binary_sensor", "-24node-2freset": "button",
        "-24node-2frestart": "button", "-24node-2fupdate": "update", "-24node-2fscreenshot": "button",
        "-24node-2fpicture": "image"}
    assert message["cmps"]["cups"]["max"] == 8
    assert message["cmps"]["room"]["unit_of_measurement"] == "°C"
    assert message["cmps"]["mode"]["options"] == ["eco", "boost"]
    home.wait(message["availability_topic"], lambda said: said == b"online")
    home.state("heat", value=5)
    late = start(Listener, broker)
    check_discovery(json.loads(late.wait(DISCOVERY)))
    late.state("page", value="first")
    assert all(message.retain for message in late.all)


def test_states_follow_fingers_commands_and_actions_and_name_the_cause(bridge, home, kiosk):
    home.state("cups", value=1)
    kiosk.run("tap", "wheel/b")
    assert home.state("wheel", value="b", by="finger")["label"] == "B"
    kiosk.run("set", "temperature=18")
    home.state("temperature", value=18, by="command")
    kiosk.run("tap", "ok")
    home.state("cups", value=2, by="action")
    home.event("ok", event_type="selected", by="finger")
    home.event("emit", event_type="emit", name="order", cups=2)
    kiosk.run("tap", "lamp")
    home.state("lamp", value="ON", by="finger")
    kiosk.run("go", "second")
    home.state("page", value="second", by="command")
    kiosk.run("spin", "reels")
    assert home.event("reels", event_type="settled")["values"]["left"]["label"] in ("one", "two")
    kiosk.run("blank")
    home.state("panel", state="OFF", by="command")


def test_messages_set_the_kiosk_and_return_as_states(bridge, home, kiosk):
    home.state("panel", state="ON", brightness=255)
    for name, payload, value in [
            ("wheel", "b", "b"), ("minutes", "7", 7), ("heat", "21.5", 21.5), ("lamp", "ON", "ON"),
            ("time", "2", "2"), ("cups", "5", 5), ("temperature", "-3.5", -3.5),
            ("guest", "Zoë", "Zoë"), ("night", "ON", "ON"), ("mode", "boost", "boost"),
            ("room", "-1234.5", -1234.5), ("page", "second", "second")]:
        home.publish(f"roundel/lobby/{name}/set", payload)
        home.state(name, value=value, by="command")
    assert kiosk.get("heat.value") == 21.5
    home.publish("roundel/lobby/panel/set", '{"state": "ON", "brightness": 51}')
    home.state("panel", state="ON", brightness=51, by="command")
    home.publish("roundel/lobby/panel/set", '{"state": "OFF"}')
    home.state("panel", state="OFF", by="command")
    assert kiosk.json("status")["blank"]


def test_a_pin_is_never_published(bridge, home, kiosk):
    for key in "2904":
        kiosk.run("tap", f"code/{key}")
    kiosk.run("tap", "code/enter")
    assert home.event("code", event_type="entered")["by"] == "finger"
    home.take()
    assert not [message for message in home.all if b"2904" in message.payload]


def test_invalid_messages_are_only_logged(bridge, home, kiosk):
    home.state("cups", value=1)
    for name, payload, words in [
            ("cups", "many", "not a number from 1 to 8"),
            ("cups", "99", ": 99 is out of range; expected a number from 1 to 8"), ("wheel", "c", "one of a, b"),
            ("page", "none", "one of first, second"), ("lamp", "perhaps", "ON or OFF"),
            ("panel", "bright", "is not {"), ("guest", b"\xff\xfe\x00", "not UTF-8"),
            ("none", "1", "the kiosk has no"), ("guest", b"x" * 10_000_000, "too long"),
            ("reels", "x", "not set"), ("reels.spin", "now", "is not PRESS"),
            ("mode", "turbo", "one of eco, boost")]:
        home.publish(f"roundel/lobby/{name}/set", payload)
        line = bridge.until(words)[-1]
        assert len(line) < 300
    home.publish("roundel/lobby/cups/set", "3", retain=True)
    home.state("cups", value=3)  # It was published while the bridge listened.
    home.publish("roundel/lobby/lamp/set", "ON")
    home.state("lamp", value="ON")
    assert kiosk.json("status")["kiosk"] == "lobby"


def test_a_thousand_changes_per_second_are_coalesced_and_cost_no_frame(bridge, home, kiosk):
    home.state("temperature", value=21.5)
    before = kiosk.json("status")
    changer = socket.socket(socket.AF_UNIX)
    changer.connect(str(kiosk.socket))
    began = time.monotonic()
    for number in range(1000):
        changer.sendall(json.dumps(
            {"jsonrpc": "2.0", "id": number, "method": "set",
             "params": {"property": "temperature", "value": number}}).encode() + b"\n")
        if number % 100 == 99:
            time.sleep(max(0, began + (number + 1) / 1000 - time.monotonic()))
    home.state("temperature", value=999)
    took = time.monotonic() - began
    home.take()
    sent = [m for m in home.all if m.topic == "roundel/lobby/temperature/state"]
    assert len(sent) <= 3 + 10 * took
    after = kiosk.json("status")
    assert after["frames"]["late"] == before["frames"]["late"]
    changer.close()


def test_a_restarted_broker_receives_the_current_states(bridge, home, kiosk, broker, start):
    home.state("cups", value=1)
    home.close()
    broker.stop()
    bridge.until("not connected to the broker")
    kiosk.run("set", "cups=6")
    kiosk.run("tap", "wheel/a")
    # Mosquitto without persistence has lost everything.
    broker.start()
    bridge.until("connected to the broker")
    later = start(Listener, broker)
    check_discovery(json.loads(later.wait(DISCOVERY)))
    later.wait("roundel/lobby/availability", lambda said: said == b"online")
    later.state("cups", value=6, by="command")
    later.state("wheel", value="a", by="finger")


def test_a_disconnected_kiosk_is_offline_and_returns(bridge, home, kiosk):
    home.wait("roundel/lobby/availability", lambda said: said == b"online")
    kiosk.close()
    home.wait("roundel/lobby/availability", lambda said: said == b"offline")
    bridge.until("not connected to the kiosk")
    kiosk.start()
    home.wait("roundel/lobby/availability", lambda said: said == b"online")
    kiosk.run("set", "cups=4")
    home.state("cups", value=4)


def test_a_killed_bridge_leaves_its_will_and_a_stopped_one_says_goodbye(
        bridge, home, kiosk, broker, start):
    home.wait("roundel/lobby/availability", lambda said: said == b"online")
    bridge.process.kill()
    home.wait("roundel/lobby/availability", lambda said: said == b"offline")
    second = start(Bridge, kiosk, broker.port)
    home.wait("roundel/lobby/availability", lambda said: said == b"online")
    assert second.end() == 0
    home.wait("roundel/lobby/availability", lambda said: said == b"offline")


def test_a_reload_updates_the_entities_of_home_assistant(bridge, home, kiosk):
    home.state("guest", value="")
    text = kiosk.file.read_text()
    kiosk.file.write_text(text.replace('  guest: ""\n', "  visitors: 3\n"))
    kiosk.run("reload")
    home.state("visitors", value=3)
    home.wait("roundel/lobby/guest/state", lambda said: said == b"")
    messages = [json.loads(m.payload) for m in home.all if m.topic == DISCOVERY]
    removals = [message["cmps"]["guest"] for message in messages if "guest" in message["cmps"]]
    assert removals[-1] == {"p": "text"}
    assert "guest" not in json.loads(home.wait(DISCOVERY))["cmps"]


def test_a_kiosk_with_another_name_is_the_same_panel_unless_topics_contain_its_name(
        bridge, home, kiosk, start, broker):
    bridge.end()
    bridge = start(Bridge, kiosk, broker.port, "--topics", "kiosk", name=None)
    bridge.until("connected to the broker")
    # A message of the previous bridge, not of the new one.
    home.publish("roundel/lobby/ok/state", "{}", retain=True)
    home.wait("roundel/lobby/ok/state")
    text = kiosk.file.read_text()
    kiosk.file.write_text(text.replace("kiosk: lobby", "kiosk: hall"))
    kiosk.run("reload")
    home.state("guest", kiosk="hall", value="")
    for topic in DISCOVERY, "roundel/lobby/cups/state", "roundel/lobby/ok/state":
        home.wait(topic, lambda said: said == b"")


def test_the_bridge_uses_tls_with_a_password(kiosk, start, tmp_path):
    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=tmp_path, check=True, capture_output=True)

    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", "key.pem", "-out", "cert.pem", "-days", "2", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1")
    subprocess.run(["mosquitto_passwd", "-b", "-c", tmp_path / "passwords", "kiosk", "secret word"],
                   check=True, capture_output=True)
    broker = start(
        Broker, tmp_path, f"cafile {tmp_path}/cert.pem", f"certfile {tmp_path}/cert.pem",
        f"keyfile {tmp_path}/key.pem", "allow_anonymous false",
        f"password_file {tmp_path}/passwords")
    password = tmp_path / "password"
    password.write_text("secret word\n")
    home = start(Listener, broker, user="kiosk", password="secret word", ca=tmp_path / "cert.pem")
    bridge = start(
        Bridge, kiosk, broker.port, "--user", "kiosk", "--password-file", password,
        "--ca", tmp_path / "cert.pem")
    bridge.until("connected")
    home.state("cups", value=1)
    assert "secret" not in pathlib.Path(f"/proc/{bridge.process.pid}/cmdline").read_text()
    bridge.end()
    # The bridge doesn't send the password to an unknown broker.
    stranger = start(Bridge, kiosk, broker.port, "--tls", "--user", "kiosk",
                     ROUNDEL_MQTT_PASSWORD="secret word")
    assert "certificate verify failed" in stranger.until("not connected to the broker")[-1]
    stranger.end()
    wrong = start(Bridge, kiosk, broker.port, "--insecure", "--user", "kiosk",
                  ROUNDEL_MQTT_PASSWORD="wrong")
    assert "refuse" in wrong.until("not connected to the broker")[-1]
    assert kiosk.json("status")["page"] == "first"


def test_a_server_that_is_not_a_broker_is_reported_once_and_retried(kiosk, start):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        bridge = start(Bridge, kiosk, listener.getsockname()[1])
        for answer in (b"HTTP/1.1 400 Bad Request\r\n\r\n" * 100, os.urandom(100_000), b""):
            connection, _ = listener.accept()
            connection.recv(1)
            try:
                connection.sendall(answer)
            except OSError:
                pass
            connection.close()
        bridge.until("not connected to the broker")
    assert bridge.process.poll() is None
    assert bridge.end() == 0


def test_the_bridge_is_small_and_sleeps(bridge, home):
    home.state("cups", value=1)

    def number(file, name):
        text = pathlib.Path(f"/proc/{bridge.process.pid}/{file}").read_text()
        return int(re.search(rf"^{name}:\s*(\d+)", text, re.MULTILINE).group(1))

    # The bridge frees memory three seconds after the last change.
    until(lambda: number("smaps_rollup", "Rss") <= MAXIMUM_KILOBYTES)
    time.sleep(0.2)
    switches = number("status", "voluntary_ctxt_switches")
    time.sleep(1)
    # The bridge checks the kiosk every ten seconds.
    assert number("status", "voluntary_ctxt_switches") <= switches + 3
    assert number("smaps_rollup", "Rss") <= MAXIMUM_KILOBYTES


MAXIMUM_KILOBYTES = 6 << 10


@pytest.mark.parametrize("words, code", [
    ([], 64), (["--broker", "a b"], 64), (["--broker", "h", "--prefix", "a/#"], 64),
    (["--broker", "h", "--cert", "x"], 64), (["--broker", "h", "--ca", "/no/such"], 64),
    (["--broker", "h", "--user", "u", "--password-file", "/no/such"], 64)])
def test_invalid_options_end_the_bridge(words, code):
    assert subprocess.run([ROUNDEL, "mqtt", *words], capture_output=True).returncode == code


def test_without_its_program_the_command_names_the_package(tmp_path):
    alone = tmp_path / "alone"
    subprocess.run(["cp", ROUNDEL, alone], check=True)
    ended = subprocess.run([alone, "mqtt", "--broker", "h"], capture_output=True, text=True,
                           env={"PATH": str(tmp_path)})
    assert ended.returncode == 69 and "roundel-mqtt" in ended.stderr


def test_the_bridge_has_the_version_and_commit_of_the_kiosk_program():
    said = [subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
            for program in (ROUNDEL, BRIDGE)]
    assert said[1] == said[0].replace("roundel", "roundel-mqtt", 1)


def machine(folder, number):
    """Runs a program as if on another machine with its own name and identity."""
    identity = folder / f"machine-id-{number}"
    identity.write_text(f"{number:032x}\n")
    words = ["unshare", "-mu", *(["-r"] if os.geteuid() else []), "sh", "-c",
             f'hostname panel && mount --bind "{identity}" /etc/machine-id && exec "$0" "$@"']
    if subprocess.run([*words, "true"], capture_output=True).returncode:
        pytest.skip("this machine lets nobody pretend to be another")
    digits = hmac.digest(bytes.fromhex(identity.read_text()), APPLICATION, "sha256").hex()[:6]
    return words, f"panel-{digits}"


APPLICATION = bytes.fromhex("5b0c2e917d434f1a9e66d8273ab4c570")


def panels(start, folder, count):
    """Starts several kiosks with one file."""
    file = folder / "one.yaml"
    file.write_text(KIOSK)
    kiosks = []
    for number in range(count):
        (folder / f"kiosk-{number}").mkdir()
        kiosks.append(start(LiveKiosk, folder / f"kiosk-{number}", file=file))
    return kiosks


def connections(log):
    """Returns the number of connections to a broker by client name."""
    names = re.findall(r" as (\S+) \(p\d", log.read_text())
    return {name: names.count(name) for name in names if name.startswith("roundel")}


@pytest.mark.parametrize("count", [2, 3])
def test_panels_with_one_file_have_separate_names_and_topics(start, tmp_path, count):
    log = tmp_path / "broker.log"
    broker = start(Broker, tmp_path, "allow_anonymous true", f"log_dest file {log}")
    home = start(Listener, broker)
    machines = [machine(tmp_path, number + 1) for number in range(count)]
    kiosks = panels(start, tmp_path, count)
    bridges = [start(Bridge, kiosk, broker.port, name=None, machine=words)
               for kiosk, (words, _) in zip(kiosks, machines)]
    nodes = [node for _, node in machines]
    assert len(set(nodes)) == count
    for node in nodes:
        home.wait(f"roundel/{node}/availability", lambda said: said == b"online")
    for number, node in enumerate(nodes):
        home.publish(f"roundel/{node}/guest/set", f"guest {number}")
    for number, (node, kiosk) in enumerate(zip(nodes, kiosks)):
        home.state("guest", kiosk=node, value=f"guest {number}")
        assert kiosk.get("guest") == f"guest {number}"
        device = json.loads(
            home.wait(f"homeassistant/device/roundel_{node}/config"))["dev"]
        assert device["ids"] == [f"roundel_{node}"] and device["name"] == "panel"
    assert all(bridge.process.poll() is None for bridge in bridges)
    # Two clients that disconnect each other would do so every second.
    time.sleep(3)
    assert connections(log) == {f"roundel_{node}": 1 for node in nodes}


def test_fifty_panels_with_one_file_have_separate_names(start, tmp_path):
    log = tmp_path / "broker.log"
    broker = start(Broker, tmp_path, "allow_anonymous true", f"log_dest file {log}")
    home = start(Listener, broker)
    # Bridges are cheap, kiosks aren't.
    kiosks = panels(start, tmp_path, 5)
    machines = [machine(tmp_path, number + 1) for number in range(50)]
    for number, (words, _) in enumerate(machines):
        start(Bridge, kiosks[number % 5], broker.port, name=None, machine=words)
    nodes = [node for _, node in machines]
    for node in nodes:
        home.wait(f"roundel/{node}/availability", lambda said: said == b"online", 60)
    for number, node in enumerate(nodes):
        home.publish(f"roundel/{node}/guest/set", f"guest {number}")
        home.state("guest", kiosk=node, value=f"guest {number}")
        assert kiosks[number % 5].get("guest") == f"guest {number}"
    time.sleep(2)
    assert connections(log) == {f"roundel_{node}": 1 for node in nodes}


def test_two_bridges_with_one_name_are_both_reported(start, kiosk, broker, bridge):
    second = start(Bridge, kiosk, broker.port)
    for each in (bridge, second):
        line = each.until("another client")[-1]
        assert "is named roundel_lobby" in line and "--name" in line


def test_a_machine_without_an_id_reports_that_and_uses_its_host_name(start, kiosk, broker, home, tmp_path):
    words, node = machine(tmp_path, 0)
    (tmp_path / "machine-id-0").write_text("uninitialized\n")
    bridge = start(Bridge, kiosk, broker.port, name=None, machine=words)
    assert "--name" in bridge.until("/etc/machine-id")[-1]
    home.wait("roundel/panel/availability", lambda said: said == b"online")


def test_a_kiosk_that_cannot_be_shown_is_the_same_device_with_a_problem(start, broker, home, tmp_path):
    folder = tmp_path / "wall"
    folder.mkdir()
    unit = Unit(folder)
    unit.file.write_text(KIOSK)
    start(Started, unit)
    unit.start()
    bridge = start(Bridge, unit, broker.port)
    before = json.loads(home.wait(DISCOVERY))
    home.wait("roundel/lobby/availability", lambda said: said == b"online")
    assert home.problem("OFF")["bridge"] == "online"
    # The service manager records early ends like this.
    unit.stop(signal.SIGKILL)
    (folder / "run/wall.ends").write_text("core-dump SEGV\n" * 7)
    unit.start()
    home.wait("roundel/lobby/availability", lambda said: said == b"offline")
    assert "the last 7 starts failed" in home.problem("ON")["reason"]
    home.publish("roundel/lobby/lamp/set", "ON")
    bridge.until("not connected to the kiosk")
    home.take()
    assert {m.topic for m in home.all if m.topic.startswith("homeassistant/")} == {DISCOVERY}
    assert all(json.loads(m.payload) == before for m in home.all if m.topic == DISCOVERY)
    # A newly started bridge knows its device from the broker.
    bridge.end()
    home.wait("roundel/lobby/$node/problem", lambda said: b'"offline"' in said)
    bridge = start(Bridge, unit, broker.port)
    home.wait("roundel/lobby/$node/problem", lambda said: b'"online"' in said)
    late = start(Listener, broker)
    assert json.loads(late.wait(DISCOVERY)) == before
    assert "fault" in json.loads(late.wait("roundel/lobby/$node/status"))
    unit.stop(signal.SIGKILL)
    (folder / "run/wall.ends").unlink()
    unit.start()
    home.problem("OFF")
    home.wait("roundel/lobby/availability", lambda said: said == b"online")
    assert json.loads(home.wait(DISCOVERY)) == before


class Started:
    """A unit that ends with the test."""

    def __init__(self, unit):
        self.unit = unit

    @property
    def process(self):
        return self.unit.process


def test_a_panel_without_a_kiosk_so_far_has_a_problem(start, broker, home, tmp_path):
    folder = tmp_path / "wall"
    folder.mkdir()
    unit = Unit(folder)
    unit.file.write_text("kiosk: [\n")
    start(Started, unit)
    unit.start()
    start(Bridge, unit, broker.port)
    message = json.loads(home.wait(DISCOVERY))
    check_discovery(message)
    assert "-24node-2fproblem" in message["cmps"] and "page" not in message["cmps"]
    assert "wall.yaml" in home.problem("ON")["reason"]


def test_a_hung_kiosk_is_soon_offline_and_a_problem_until_it_continues(bridge, home, kiosk):
    home.wait("roundel/lobby/availability", lambda said: said == b"online")
    kiosk.process.send_signal(signal.SIGSTOP)
    try:
        home.wait("roundel/lobby/availability", lambda said: said == b"offline", 20)
        assert "does not answer" in home.problem("ON")["reason"]
    finally:
        kiosk.process.send_signal(signal.SIGCONT)
    home.wait("roundel/lobby/availability", lambda said: said == b"online")
    home.problem("OFF")
    kiosk.run("set", "cups=7")
    home.state("cups", value=7)


def test_a_button_that_a_dead_kiosk_did_not_answer_works_again(bridge, home, kiosk):
    home.wait("roundel/lobby/availability", lambda said: said == b"online")
    kiosk.process.send_signal(signal.SIGSTOP)
    home.wait("roundel/lobby/availability", lambda said: said == b"offline", 20)
    # The panel's own buttons work even without its kiosk.
    home.publish("roundel/lobby/$node/restart/set", "PRESS")
    # The log contains the next message, so the button's has arrived, too.
    home.publish("roundel/lobby/lamp/set", "ON")
    bridge.until("not connected to the kiosk")
    kiosk.close()
    kiosk.start()
    home.wait("roundel/lobby/availability", lambda said: said == b"online")
    kiosk.run("set", "cups=5")
    home.state("cups", value=5)
    home.publish("roundel/lobby/$node/restart/set", "PRESS")
    home.state("cups", value=1)
    assert "not connected to the kiosk" in bridge.until("$node/restart: ")[-1]


def test_buttons_spin_reset_and_restart(bridge, home, kiosk):
    home.state("cups", value=1)
    home.publish("roundel/lobby/reels.spin/set", "PRESS")
    assert home.event("reels", event_type="settled")["values"]["left"]["label"] in ("one", "two")
    for button in ("reset", "restart"):
        home.publish("roundel/lobby/cups/set", "5")
        home.state("cups", value=5)
        home.publish(f"roundel/lobby/$node/{button}/set", "PRESS")
        home.state("cups", value=1)


TURNED = """
kiosk: lobby
values: {target: {value: 20, min: 5, max: 30}, wanted: 1}
screen: {brightness: "{wanted / 2}"}
pages:
  - page: first
    controls:
      - {ring: heat, at: [640, 400], radius: 300, min: 5, max: 30, step: 1, value: "{target}"}
      - {dial: number, at: [200, 700], radius: 90, labels: 12}
      - {ring: twice, at: [1100, 100], radius: 80, min: 0, max: 60, value: "{target * 2}"}
      - {label: words, at: [640, 400], text: "{heat.value:.0f}"}
"""


THERMOSTATS = """
kiosk: lobby
values: {target: {value: 20, min: 5, max: 30, step: 0.5}, room: 18.5}
pages:
  - page: first
    controls:
      - {ring: heat, at: [300, 400], radius: 200, min: 5, max: 30, step: 0.5, value: "{target}", marker: "{room}",
         home: climate}
      - {ring: both, at: [700, 400], radius: 150, min: 5, max: 30, step: 1, low: 18, high: 24, home: climate}
      - {dial: cellar, at: [1000, 400], radius: 150, min: 5, max: 30, step: 1, home: climate}
"""


def test_rings_and_dials_are_thermostats_and_messages_are_shown(start, broker, home, tmp_path):
    file = tmp_path / "thermostats.yaml"
    file.write_text(THERMOSTATS)
    kiosk = start(LiveKiosk, tmp_path, file=file)
    start(Bridge, kiosk, broker.port)
    message = json.loads(home.wait(DISCOVERY))
    check_discovery(message)
    found = {key: component for key, component in message["cmps"].items() if component["p"] == "climate"}
    assert set(found) == {"heat-2eclimate", "both-2eclimate", "cellar-2eclimate"}
    heat = found["heat-2eclimate"]
    assert json.loads(home.wait(heat["current_temperature_topic"]))["value"] == 18.5
    home.publish(heat["temperature_command_topic"], "21.5")
    home.state("target", value=21.5)
    kiosk.run("set", "room=19")
    home.wait(heat["current_temperature_topic"], lambda said: json.loads(said)["value"] == 19)
    # A dial without a marker has no actual temperature.
    assert json.loads(home.wait(found["cellar-2eclimate"]["current_temperature_topic"]))["value"] is None
    home.publish(found["both-2eclimate"]["temperature_high_command_topic"], "22")
    home.state("both.high", value=22)
    home.publish(message["cmps"]["notify"]["command_topic"], "The door is open")
    until(lambda: kiosk.get("message.text") == "The door is open")
    home.publish(message["cmps"]["notify"]["command_topic"], '{"text": "Fire", "level": "alarm"}')
    until(lambda: kiosk.get("message.text") == "Fire")


def test_values_passed_by_a_finger_are_not_published(start, broker, home, tmp_path):
    file = tmp_path / "turned.yaml"
    file.write_text(TURNED)
    kiosk = start(LiveKiosk, tmp_path, file=file)
    start(Bridge, kiosk, broker.port)
    home.state("heat", value=20)
    home.state("target", value=20)
    message = json.loads(home.wait(DISCOVERY))
    assert message["cmps"]["twice"]["p"] == "sensor"
    assert message["cmps"]["panel"]["supported_color_modes"] == ["onoff"]
    # From twelve o'clock to the right end by hand, in two seconds.
    arc = [(step / 60 * 2, math.radians(step / 60 * 130 - 30)) for step in range(61)]
    lines = [{"t": t, "move" if t else "down": {
        "finger": 0, "x": 640 + 285 * math.sin(angle), "y": 400 - 285 * math.cos(angle)}}
        for t, angle in arc] + [{"t": 3, "up": {"finger": 0}}, {"t": 3.5, "end": True}]
    kiosk.run("touch", input="".join(json.dumps(line) + "\n" for line in lines))
    last = kiosk.get("target")
    assert last > 25
    for name in ("heat", "target"):
        home.state(name, value=last, by="finger")

    def said(name):
        return [json.loads(m.payload)["value"] for m in home.all
                if m.topic == f"roundel/lobby/{name}/state"]
    assert said("heat") == said("target") == [20, last]
    # Values that only follow it: twice per second.
    assert len(said("words")) <= 2 + 2 * 3.5
    # A commanded turn is also published once.
    home.publish("roundel/lobby/number/set", "5")
    home.state("number", value=5, by="command")
    assert said("number") == [0, 5]


def test_home_assistants_own_schemas_accept_each_entity(start, broker, home, tmp_path):
    """Requires a Python with Home Assistant's package, like the one of `deploy/test`."""
    python = pathlib.Path(__file__).resolve().parents[2] / ".build/home-assistant/bin/python"
    if not python.exists():
        pytest.skip("Home Assistant's package is not installed")
    for number, text in enumerate([KIOSK, TURNED, THERMOSTATS]):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        file = folder / "file.yaml"
        file.write_text(text)
        start(Bridge, start(LiveKiosk, folder, file=file), broker.port, name=f"n{number}")
        message = home.wait(f"homeassistant/device/roundel_n{number}/config")
        done = subprocess.run(
            [python, pathlib.Path(__file__).with_name("home_assistant.py")], input=message,
            capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
        assert int(done.stdout) == len(json.loads(message)["cmps"])
