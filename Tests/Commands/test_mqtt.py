# SPDX-License-Identifier: MIT
"""`roundel mqtt` with a real broker: what Home Assistant is told, and what it may set."""

import json
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

mqtt = pytest.importorskip("paho.mqtt.client")

BRIDGE = pathlib.Path(ROUNDEL).with_name("roundel-mqtt")
pytestmark = pytest.mark.skipif(not BRIDGE.exists(), reason="roundel-mqtt is not built")

KIOSK = """
kiosk: lobby
values:
  temperature: 21.5
  cups: {value: 1, min: 1, max: 8, step: 1}
  guest: ""
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

# What Home Assistant's pages on MQTT say of each platform: what must be there, and what else may.
COMMON = {"p", "unique_id", "name", "state_topic", "json_attributes_topic", "value_template",
          "entity_category", "enabled_by_default"}
PLATFORMS = {
    "select": ({"command_topic", "options"}, set()),
    "number": ({"command_topic"}, {"min", "max", "step", "unit_of_measurement"}),
    "switch": ({"command_topic"}, set()),
    "sensor": ({"state_topic"}, {"unit_of_measurement", "state_class"}),
    "event": ({"state_topic", "event_types"}, {"device_class"}),
    "light": ({"command_topic", "schema"},
              {"brightness", "brightness_scale", "supported_color_modes"}),
}


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def until(holds, timeout=10):
    """Waits until it holds; what it gave."""
    end = time.monotonic() + timeout
    while True:
        result = holds()
        if result:
            return result
        assert time.monotonic() < end, "it did not come to hold"
        time.sleep(0.01)


class Broker:
    """A mosquitto of its own."""

    def __init__(self, folder, *lines):
        self.port = free_port()
        self.file = folder / "broker.conf"
        self.file.write_text("\n".join(
            [f"listener {self.port} 127.0.0.1", *(lines or ["allow_anonymous true"])]) + "\n")
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
    """Somebody who is told everything, and what was said last of each topic."""

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
        """The last message of a topic, once it suits."""
        def suits():
            self.take()
            return topic in self.said and holds(self.said[topic])
        until(suits, timeout)
        return self.said[topic]

    def state(self, name, kiosk="lobby", **wanted):
        """A state, once its members are as they should be."""
        def holds(payload):
            state = json.loads(payload)
            return all(state.get(key) == value for key, value in wanted.items())
        return json.loads(self.wait(f"roundel/{kiosk}/{name}/state", holds))

    def event(self, entity, /, **wanted):
        """An event of an entity, whatever has come after it."""
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
    def __init__(self, kiosk, port, *options, **more):
        self.process = subprocess.Popen(
            [ROUNDEL, "mqtt", "--broker", f"127.0.0.1:{port}", "--socket", kiosk.socket,
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
    """Starts things that end with the test."""
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
        elif thing.process.poll() is None:
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
    """What Home Assistant's schema asks of the message, as its pages say it."""
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
        for topic in ("state_topic", "command_topic", "json_attributes_topic"):
            assert not set("+#") & set(component.get(topic, ""))
        if component["p"] == "number":
            assert component["min"] < component["max"] and component["step"] >= 0.001
        if component["p"] == "select":
            options = component["options"]
            assert options and len(set(options)) == len(options)


def test_home_assistant_finds_everything_in_one_retained_message(bridge, broker, home, start):
    message = json.loads(home.wait(DISCOVERY))
    check_discovery(message)
    assert {key: component["p"] for key, component in message["cmps"].items()} == {
        "page": "select", "panel": "light", "emit": "event", "wheel": "select",
        "minutes": "number", "heat": "number", "lamp": "switch", "code": "event", "ok": "event",
        "time": "select", "reels": "event", "temperature": "sensor", "cups": "number",
        "guest": "sensor"}
    assert message["cmps"]["cups"]["max"] == 8
    home.wait(message["availability_topic"], lambda said: said == b"online")
    home.state("heat", value=5)
    late = start(Listener, broker)
    check_discovery(json.loads(late.wait(DISCOVERY)))
    late.state("page", value="first")
    assert all(message.retain for message in late.all)


def test_states_follow_fingers_commands_and_actions_and_say_whose_they_are(bridge, home, kiosk):
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


def test_messages_set_the_kiosk_and_come_back_as_states(bridge, home, kiosk):
    home.state("panel", state="ON", brightness=255)
    for name, payload, value in [
            ("wheel", "b", "b"), ("minutes", "7", 7), ("heat", "21.5", 21.5), ("lamp", "ON", "ON"),
            ("time", "2", "2"), ("cups", "5", 5), ("temperature", "-3.5", -3.5),
            ("guest", "Zoë", "Zoë"), ("page", "second", "second")]:
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


def test_wrong_messages_are_a_line_in_the_log_and_nothing_else(bridge, home, kiosk):
    home.state("cups", value=1)
    for name, payload, words in [
            ("cups", "many", "a number"), ("cups", "99", "1.0 … 8.0"), ("wheel", "c", "one of a, b"),
            ("page", "none", "one of first, second"), ("lamp", "perhaps", "ON or OFF"),
            ("panel", "bright", "is not {"), ("guest", b"\xff\xfe\x00", "no UTF-8"),
            ("none", "1", "the kiosk has no"), ("guest", b"x" * 10_000_000, "too many"),
            ("reels", "x", "not set")]:
        home.publish(f"roundel/lobby/{name}/set", payload)
        line = bridge.until(words)[-1]
        assert len(line) < 300
    home.publish("roundel/lobby/cups/set", "3", retain=True)
    home.state("cups", value=3)  # It was published while the bridge listened.
    home.publish("roundel/lobby/lamp/set", "ON")
    home.state("lamp", value="ON")
    assert kiosk.json("status")["kiosk"] == "lobby"


def test_a_thousand_changes_a_second_are_coalesced_and_cost_no_frame(bridge, home, kiosk):
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


def test_a_broker_that_was_away_is_told_how_everything_is_now(bridge, home, kiosk, broker, start):
    home.state("cups", value=1)
    home.close()
    broker.stop()
    bridge.until("no connection to the broker")
    kiosk.run("set", "cups=6")
    kiosk.run("tap", "wheel/a")
    # A mosquitto without persistence knows nothing any more.
    broker.start()
    bridge.until("connected to the broker")
    later = start(Listener, broker)
    check_discovery(json.loads(later.wait(DISCOVERY)))
    later.wait("roundel/lobby/availability", lambda said: said == b"online")
    later.state("cups", value=6, by="command")
    later.state("wheel", value="a", by="finger")


def test_a_kiosk_that_was_away_is_offline_and_comes_back(bridge, home, kiosk):
    home.wait("roundel/lobby/availability", lambda said: said == b"online")
    kiosk.close()
    home.wait("roundel/lobby/availability", lambda said: said == b"offline")
    bridge.until("the kiosk is away")
    kiosk.start()
    home.wait("roundel/lobby/availability", lambda said: said == b"online")
    kiosk.run("set", "cups=4")
    home.state("cups", value=4)


def test_a_bridge_that_is_killed_leaves_its_will_and_one_that_is_stopped_says_good_bye(
        bridge, home, kiosk, broker, start):
    home.wait("roundel/lobby/availability", lambda said: said == b"online")
    bridge.process.kill()
    home.wait("roundel/lobby/availability", lambda said: said == b"offline")
    second = start(Bridge, kiosk, broker.port)
    home.wait("roundel/lobby/availability", lambda said: said == b"online")
    assert second.end() == 0
    home.wait("roundel/lobby/availability", lambda said: said == b"offline")


def test_a_reload_changes_what_home_assistant_has(bridge, home, kiosk):
    home.state("guest", value="")
    text = kiosk.file.read_text()
    kiosk.file.write_text(text.replace('  guest: ""\n', "  visitors: 3\n"))
    kiosk.run("reload")
    home.state("visitors", value=3)
    home.wait("roundel/lobby/guest/state", lambda said: said == b"")
    messages = [json.loads(m.payload) for m in home.all if m.topic == DISCOVERY]
    removals = [message["cmps"]["guest"] for message in messages if "guest" in message["cmps"]]
    assert removals[-1] == {"p": "sensor"}
    assert "guest" not in json.loads(home.wait(DISCOVERY))["cmps"]
    kiosk.file.write_text(text.replace("kiosk: lobby", "kiosk: hall"))
    kiosk.run("reload")
    home.state("guest", kiosk="hall", value="")
    home.wait(DISCOVERY, lambda said: said == b"")
    home.wait("roundel/lobby/cups/state", lambda said: said == b"")


def test_it_speaks_tls_with_a_password(kiosk, start, tmp_path):
    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=tmp_path, check=True, capture_output=True)

    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", "key.pem", "-out", "cert.pem", "-days", "2", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1")
    subprocess.run(["mosquitto_passwd", "-b", "-c", tmp_path / "passwords", "kiosk", "secret word"],
                   check=True, capture_output=True)
    for name in ("key.pem", "passwords"):
        (tmp_path / name).chmod(0o644)
    tmp_path.chmod(0o755)
    broker = start(
        Broker, tmp_path, f"cafile {tmp_path}/cert.pem", f"certfile {tmp_path}/cert.pem",
        f"keyfile {tmp_path}/key.pem", "user root", "allow_anonymous false",
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
    # Whom it does not know it does not tell the password.
    stranger = start(Bridge, kiosk, broker.port, "--tls", "--user", "kiosk",
                     ROUNDEL_MQTT_PASSWORD="secret word")
    assert "certificate verify failed" in stranger.until("no connection")[-1]
    stranger.end()
    wrong = start(Bridge, kiosk, broker.port, "--insecure", "--user", "kiosk",
                  ROUNDEL_MQTT_PASSWORD="wrong")
    assert "refuse" in wrong.until("no connection")[-1]
    assert kiosk.json("status")["page"] == "first"


def test_a_broker_that_is_none_is_told_once_and_tried_again(kiosk, start):
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
        bridge.until("no connection to the broker")
    assert bridge.process.poll() is None
    assert bridge.end() == 0


def test_it_is_small_and_sleeps(bridge, home):
    home.state("cups", value=1)

    def number(file, name):
        text = pathlib.Path(f"/proc/{bridge.process.pid}/{file}").read_text()
        return int(re.search(rf"^{name}:\s*(\d+)", text, re.MULTILINE).group(1))

    # Its own time: three seconds after the last change it gives back what that has needed.
    until(lambda: number("smaps_rollup", "Rss") <= MAXIMUM_KILOBYTES)
    time.sleep(0.2)
    switches = number("status", "voluntary_ctxt_switches")
    time.sleep(1)
    assert number("status", "voluntary_ctxt_switches") == switches
    assert number("smaps_rollup", "Rss") <= MAXIMUM_KILOBYTES


MAXIMUM_KILOBYTES = 6 << 10


@pytest.mark.parametrize("words, code", [
    ([], 64), (["--broker", "a b"], 64), (["--broker", "h", "--prefix", "a/#"], 64),
    (["--broker", "h", "--cert", "x"], 64), (["--broker", "h", "--ca", "/no/such"], 64),
    (["--broker", "h", "--user", "u", "--password-file", "/no/such"], 64)])
def test_wrong_options_end_it(words, code):
    assert subprocess.run([ROUNDEL, "mqtt", *words], capture_output=True).returncode == code


def test_without_its_program_the_command_names_the_package(tmp_path):
    alone = tmp_path / "alone"
    subprocess.run(["cp", ROUNDEL, alone], check=True)
    ended = subprocess.run([alone, "mqtt", "--broker", "h"], capture_output=True, text=True,
                           env={"PATH": str(tmp_path)})
    assert ended.returncode == 69 and "roundel-mqtt" in ended.stderr


def test_its_version_and_commit_are_those_of_the_kiosks_program():
    said = [subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
            for program in (ROUNDEL, BRIDGE)]
    assert said[1] == said[0].replace("roundel", "roundel-mqtt", 1)
