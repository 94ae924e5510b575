# SPDX-License-Identifier: MIT
"""Values from and to topics of MQTT, with a real broker."""

import json
import pathlib
import re
import signal
import subprocess
import time

import pytest

from test_mqtt import (  # noqa: F401 (fixtures)
    Bridge, Broker, Listener, broker, check_discovery, home, mqtt, pytestmark, start, until)
from live import ROUNDEL, LiveKiosk

KIOSK = """
kiosk: lobby
values:
  room: {value: 0, unit: °C, from: {mqtt: zigbee2mqtt/living, path: temperature}, stale: STALE}
  twice: {value: "{room * 2}", to: {mqtt: out/twice}}
  target: {value: 20, min: 5, max: 30, step: 0.5, from: {mqtt: boiler/state}, to: {mqtt: cmnd/boiler, payload: "{\\"target\\": {value}}"}}
  mode: {value: eco, options: [eco, boost], from: {mqtt: boiler/mode}}
  lamp: {value: false, from: {mqtt: lamp/state}, to: {mqtt: lamp/set}}
  cups: {value: 1, to: {mqtt: panel/cups, retain: true}}
  hourly: {value: [], from: {mqtt: weather, path: list}}
  temp: {value: 0, from: {mqtt: weather, path: list.1.temp}}
pages:
  - page: first
    controls:
      - {label: shown, at: [640, 60], text: "{room:.1f} °C"}
      - {list: hours, at: [300, 400], size: [500, 600], row_height: 80, items: "{hourly}"}
      - {dial: heat, at: [900, 400], radius: 200, min: 5, max: 30, step: 0.5, value: "{target}", label_every: 5}
      - button: test
        at: [1200, 740]
        size: [120, 80]
        text: Test
        "on": {pressed: [{set: {lamp: true}}], cancelled: [{set: {lamp: false}}]}
"""


@pytest.fixture
def kiosk(start, tmp_path):
    file = tmp_path / "lobby.yaml"
    file.write_text(KIOSK.replace("STALE", "60"))
    return start(LiveKiosk, tmp_path, file=file)


@pytest.fixture
def bridge(start, kiosk, broker, home):
    bridge = start(Bridge, kiosk, broker.port)
    # Published after all topics are subscribed to.
    home.wait("panel/cups")
    return bridge


def failures(kiosk, count):
    """Returns the messages of the next failures."""
    found = []
    while len(found) < count:
        event = json.loads(kiosk.events.next())
        if event["event"] == "failed":
            found.append(event["message"])
    return found


def test_retained_and_new_messages_set_values(start, home, kiosk, broker):
    home.publish("zigbee2mqtt/living", '{"battery": 90, "temperature": 21.46}', retain=True)
    home.publish("weather", json.dumps({"list": [
        {"id": "mo", "label": "Monday"}, {"id": "tu", "label": "Tuesday"}]}), retain=True)
    assert kiosk.get("shown.text") == "– °C"
    start(Bridge, kiosk, broker.port)
    until(lambda: kiosk.get("shown.text") == "21.5 °C")
    until(lambda: len(kiosk.get("hours.items")) == 2)
    message, = failures(kiosk, 1)
    assert message.startswith("temp: weather: ") and message.endswith(' has no "list.1.temp"')
    home.publish("lamp/state", "ON")
    home.publish("boiler/mode", "boost")
    home.publish("boiler/state", "19.3")
    until(lambda: [kiosk.get(name) for name in ("lamp", "mode", "target")] == [True, "boost", 19.5])
    # A list from a message equals a list in a file.
    assert kiosk.get("hourly") == [
        {"id": "mo", "label": "Monday"}, {"id": "tu", "label": "Tuesday"}]
    kiosk.run("tap", "hours/tu")
    kiosk.told_until("hours.selected(tu)")


def test_an_invalid_message_is_one_failure_and_the_value_stays(bridge, home, kiosk):
    home.publish("boiler/state", "22")
    until(lambda: kiosk.get("target") == 22)
    for topic, payload, words in [
            ("boiler/state", "warm", 'target: boiler/state: "warm" is not a number'),
            ("boiler/state", b"\xff", "target: boiler/state: the message is not UTF-8"),
            ("boiler/mode", "off", 'mode: boiler/mode: "off" is not one of eco, boost'),
            ("lamp/state", "2", 'lamp: lamp/state: "2" is not a flag'),
            ("boiler/state", b"1" * ((1 << 20) + (64 << 10) + 1),
             "target: boiler/state: the message is too long (expected at most 1114112 bytes)"),
            ("boiler/state", b"1" * (5 << 20),
             "target: boiler/state: the message is too long (expected at most 1114112 bytes)"),
            ("zigbee2mqtt/living", "{", None)]:
        home.publish(topic, payload)
        message, = failures(kiosk, 1)
        assert words is None or message == words
    assert [kiosk.get(name) for name in ("target", "mode", "lamp")] == [22, "eco", False]
    home.publish("boiler/state", "23")
    until(lambda: kiosk.get("target") == 23)
    # The kiosk reports items that are invalid for the control that shows them.
    home.publish("weather", json.dumps({"list": [{"lable": "x"}, {"temp": 4}]}))
    assert "hours.items" in failures(kiosk, 1)[0]
    until(lambda: kiosk.get("temp") == 4)


def test_a_topic_sets_the_longest_list_and_a_longer_one_is_a_failure(bridge, home, kiosk):
    def rows(count):
        return [f"{index}" for index in range(count)]

    def of_bytes(count):
        rows = [{"id": f"r{index}", "label": f"Row {index}", "detail": "Grüße"} for index in range(19_000)]
        rows[-1]["detail"] += "x" * (count - len(payload(rows)))
        return rows

    def payload(value):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()

    for longest, longer, limit in [
            (rows(100_000), rows(100_001), "a list of at most 100000 rows, not 100001"),
            (of_bytes(1 << 20), of_bytes((1 << 20) + 1), "a list of at most 1048576 bytes as JSON, not 1048577")]:
        home.publish("weather", payload({"list": longest}))
        until(lambda: kiosk.get("hourly") == longest)
        assert kiosk.get("hours.items") == longest
        home.publish("weather", payload({"list": longer}))
        while not (message := failures(kiosk, 1)[0]).startswith("hourly"):
            pass  # the rows have no temperature
        assert message.endswith(limit)
        assert kiosk.get("hourly") == longest


def test_changes_are_published_unless_they_came_from_the_topic(bridge, home, kiosk):
    home.wait("panel/cups", lambda said: said == b"1")
    kiosk.run("set", "target=21")
    home.wait("cmnd/boiler", lambda said: json.loads(said) == {"target": 21})
    # The boiler confirms, and is later turned by hand.
    for state in ("21", "25"):
        home.publish("boiler/state", state)
        until(lambda: kiosk.get("target") == float(state))
    home.publish("lamp/state", "ON")
    until(lambda: kiosk.get("lamp") is True)
    kiosk.run("wait", "--still")
    kiosk.run("tap", "heat/20")
    home.wait("cmnd/boiler", lambda said: json.loads(said) == {"target": 20})
    kiosk.run("set", "lamp=false")
    home.wait("lamp/set", lambda said: said == b"false")
    # A computed value is published whatever its cause.
    home.publish("zigbee2mqtt/living", '{"temperature": 4}')
    home.wait("out/twice", lambda said: said == b"8")
    home.take()
    orders = [m.payload for m in home.all if m.topic == "cmnd/boiler"]
    # Values from the boiler weren't sent to it; the dial passed 21 once more.
    assert b'{"target": 25}' not in orders
    assert orders[0] == b'{"target": 21}' and orders.count(b'{"target": 21}') <= 2
    assert [m.payload for m in home.all if m.topic == "lamp/set"] == [b"false"]
    assert not [m for m in home.all if m.topic == "cmnd/boiler" and m.retain]


def test_a_restarted_broker_receives_and_sends_values_again(bridge, home, kiosk, broker, start):
    home.publish("boiler/state", "25")
    until(lambda: kiosk.get("target") == 25)
    home.close()
    broker.stop()
    bridge.until("not connected to the broker")
    kiosk.run("set", "target=11", "cups=6", "lamp=true")
    broker.start()
    later = start(Listener, broker)
    later.wait("cmnd/boiler", lambda said: json.loads(said) == {"target": 11})
    later.wait("panel/cups", lambda said: said == b"6")
    later.wait("lamp/set", lambda said: said == b"true")
    bridge.until("connected to the broker")
    later.publish("boiler/state", "13")
    until(lambda: kiosk.get("target") == 13)


def test_a_restarted_kiosk_receives_the_retained_values(bridge, home, kiosk):
    home.publish("zigbee2mqtt/living", '{"temperature": 30}', retain=True)
    until(lambda: kiosk.get("shown.text") == "30.0 °C")
    kiosk.run("reset")
    assert kiosk.get("shown.text") == "30.0 °C"
    kiosk.run("restart")
    until(lambda: kiosk.get("shown.text") == "30.0 °C")
    kiosk.close()
    bridge.until("not connected to the kiosk")
    kiosk.start()
    until(lambda: kiosk.get("shown.text") == "30.0 °C")
    # A reload keeps the values and subscribes to other topics.
    kiosk.file.write_text(kiosk.file.read_text().replace("zigbee2mqtt/living", "zigbee2mqtt/hall"))
    kiosk.events.until("reloaded")
    home.publish("zigbee2mqtt/hall", '{"temperature": 5}', retain=True)
    until(lambda: kiosk.get("shown.text") == "5.0 °C")


def test_a_restart_switches_no_device(bridge, home, kiosk):
    home.publish("lamp/state", "ON", retain=True)
    home.publish("boiler/state", "25", retain=True)
    until(lambda: (kiosk.get("lamp"), kiosk.get("target")) == (True, 25))
    kiosk.run("restart")
    until(lambda: (kiosk.get("lamp"), kiosk.get("target")) == (True, 25))
    # Everything sent earlier has arrived with it.
    kiosk.run("set", "lamp=false")
    home.wait("lamp/set", lambda said: said == b"false")
    sent = [(message.topic, message.payload) for message in home.all
            if message.topic in ("lamp/set", "cmnd/boiler")]
    assert sent == [("lamp/set", b"false")]


def test_a_restart_releases_a_device_that_a_held_button_has_switched_on(bridge, home, kiosk):
    with kiosk.begin("touch", stdin=subprocess.PIPE) as finger:
        finger.stdin.write('{"t":0,"down":{"finger":3,"x":1200,"y":740}}\n')
        finger.stdin.flush()
        home.wait("lamp/set", lambda said: said == b"true")
        kiosk.run("restart")
        home.wait("lamp/set", lambda said: said == b"false")
        finger.kill()


def test_a_restart_switches_no_device_even_if_the_bridge_is_slow(bridge, home, kiosk):
    home.publish("boiler/state", "25", retain=True)
    until(lambda: kiosk.get("target") == 25)
    bridge.process.send_signal(signal.SIGSTOP)
    # A value without a control changes without an event: the bridge finds it first.
    kiosk.run("set", "cups=3")
    kiosk.run("restart")
    bridge.process.send_signal(signal.SIGCONT)
    until(lambda: kiosk.get("target") == 25)
    kiosk.run("set", "target=11")
    home.wait("cmnd/boiler", lambda said: json.loads(said) == {"target": 11})
    assert [message.payload for message in home.all if message.topic == "cmnd/boiler"] == [
        b'{"target": 11}']


def test_no_event_is_lost_behind_large_values(start, broker, home, tmp_path):
    file = tmp_path / "lobby.yaml"
    names = [f"text{number}" for number in range(64)]
    values = "".join(f"  {name}: {{value: \"\", from: {{mqtt: {name}}}}}\n" for name in names)
    file.write_text(
        f"kiosk: lobby\nvalues:\n{values}pages:\n  - page: first\n    controls:\n"
        "      - {button: ok, at: [400, 400], size: [200, 100], text: OK}\n")
    kiosk = start(LiveKiosk, tmp_path, file=file)
    bridge = start(Bridge, kiosk, broker.port)
    home.state(names[-1], value="")
    bridge.process.send_signal(signal.SIGSTOP)
    for name in names:
        kiosk.run("set", f"{name}={'x' * 16_000}")
    kiosk.run("tap", "ok")
    bridge.process.send_signal(signal.SIGCONT)
    assert home.event("ok", event_type="selected")
    assert home.event("ok", event_type="pressed")


def test_a_stale_value_is_unknown(start, broker, home, tmp_path):
    file = tmp_path / "lobby.yaml"
    file.write_text(KIOSK.replace("STALE", "0.5"))
    kiosk = start(LiveKiosk, tmp_path, file=file)
    start(Bridge, kiosk, broker.port)
    assert home.state("room", value=None)["value"] is None
    home.publish("zigbee2mqtt/living", '{"temperature": 30}')
    home.state("room", value=30)
    assert failures(kiosk, 1) == ["room: not set for 0.5 seconds"]
    assert kiosk.get("shown.text") == "– °C"
    home.state("room", value=None)
    home.state("twice", value=None)


def test_home_assistant_knows_the_entities_before_their_values(bridge, home):
    message = json.loads(home.wait("homeassistant/device/roundel_lobby/config"))
    check_discovery(message)
    assert {key: message["cmps"][key]["p"] for key in (
        "room", "twice", "target", "mode", "lamp", "hourly")} == {
            "room": "number", "twice": "sensor", "target": "number", "mode": "select",
            "lamp": "switch", "hourly": "sensor"}
    assert message["cmps"]["room"]["unit_of_measurement"] == "°C"
    assert message["cmps"]["twice"]["state_class"] == "measurement"
    assert home.state("hourly", value=0)["items"] == []
    home.publish("roundel/lobby/hourly/set", '["a", "b"]')
    assert home.state("hourly", value=2)["items"] == ["a", "b"]


@pytest.mark.parametrize("topic", ["a/#", "a/+/b", '""', "t" * 65536])
def test_wildcards_and_invalid_topics_are_errors_in_the_file(topic, tmp_path):
    file = tmp_path / "k.yaml"
    file.write_text(KIOSK.replace("STALE", "60").replace("boiler/mode", topic))
    done = subprocess.run([ROUNDEL, "check", file], capture_output=True, text=True)
    assert done.returncode == 1
    assert re.search(r":7:58: error: (a|an empty) topic", done.stdout + done.stderr)


TOPICS = 200


def test_five_thousand_messages_per_second_cost_no_frame(start, broker, home, tmp_path):
    """The newest message of each value counts. `-s` prints the measurements for the manual."""
    file = tmp_path / "lobby.yaml"
    values = "".join(
        f"  v{n}: {{value: 0, from: {{mqtt: s/{n}, path: v}}}}\n" for n in range(TOPICS))
    labels = "".join(
        f"      - {{label: l{n}, at: [{40 + n % 20 * 60}, {30 + n // 20 * 70}], text: '{{v{n}}}'}}\n"
        for n in range(TOPICS))
    file.write_text(f"kiosk: lobby\nvalues:\n{values}pages:\n  - page: p\n    controls:\n{labels}")
    kiosk = start(LiveKiosk, tmp_path, file=file)
    start(Bridge, kiosk, broker.port)
    home.publish("s/0", '{"v": -1}', retain=True)
    until(lambda: kiosk.get("v0") == -1)
    before = kiosk.json("status")
    sender = mqtt.Client()
    sender.connect("127.0.0.1", broker.port)
    sender.loop_start()
    seconds, rate, batch = 4, 5000, 50
    began = time.monotonic()
    for number in range(seconds * rate):
        sender.publish(f"s/{number % TOPICS}", json.dumps({"v": number}))
        if number % batch == batch - 1:
            time.sleep(max(0, began + (number + 1) / rate - time.monotonic()))
    took = time.monotonic() - began
    last = seconds * rate - 1
    until(lambda: [kiosk.get(f"v{n}") for n in (0, 99, 199)] == [last - 199, last - 100, last], 60)
    behind = time.monotonic() - began - took
    after = kiosk.json("status")
    sender.loop_stop()
    frames = after["frames"]["shown"] - before["frames"]["shown"]
    late = after["frames"]["late"] - before["frames"]["late"]
    print(f"{seconds * rate / took:.0f} messages a second, {frames} frames, {late} late, "
          f"the last known {behind * 1000:.0f} ms after it was sent")
    assert late == 0
    assert frames > seconds * 5


def test_a_message_is_visible_in_the_next_frame(bridge, home, kiosk):
    """Measures from publication to the change of the displayed text, with a watching client."""
    watching = kiosk.connect()
    watching.ask("watch", expressions=["shown.text"])
    times = []
    for number in range(40):
        sent = time.monotonic()
        home.publish("zigbee2mqtt/living", json.dumps({"temperature": number}))
        while watching.read().get("params", {}).get("value") != f"{number}.0 °C":
            pass
        times.append((time.monotonic() - sent) * 1000)
    times.sort()
    print(f"from a message to what is shown: median {times[20]:.1f} ms, worst {times[-1]:.1f} ms")
    watching.close()
    assert times[20] < 16.7


SLOW = """
kiosk: slow
values:
  level: {value: 50, min: 0, max: 100, step: 1, from: {mqtt: lamp/state}, to: {mqtt: lamp/set, every: 0.2}, echo: 2}
  mode: {value: 0, min: 0, max: 100, step: 1, to: {mqtt: mode/set, when: settled}}
  battery: {value: 7, from: {mqtt: sensor, path: battery, optional: true}}
  cover: {value: "", kind: image, from: {mqtt: player/cover}}
pages:
  - page: first
    controls:
      - {ring: knob, at: [320, 400], radius: 250, step: 1, value: "{level}"}
      - {ring: other, at: [960, 400], radius: 250, step: 1, value: "{mode}"}
      - button: bell
        at: [640, 740]
        size: [200, 80]
        text: Ring
        "on": {selected: [{publish: {mqtt: door/bell, payload: "at {level}", qos: 1}}]}
"""


@pytest.fixture
def slow(start, tmp_path, broker, home):
    file = tmp_path / "slow.yaml"
    file.write_text(SLOW)
    kiosk = start(LiveKiosk, tmp_path, file=file)
    start(Bridge, kiosk, broker.port, RUNTIME_DIRECTORY=str(tmp_path / "run"))
    until(lambda: kiosk.json("status")["bridge"])
    home.wait("roundel/lobby/level/state")
    return kiosk


def drag(kiosk, x):
    """Turns a knob with the centre [x, 400] for 1.5 seconds."""
    kiosk.run("drag", "--at", f"{x},165", "--to", f"{x + 235},400", "--duration", "1.5")
    kiosk.run("wait", "--still")


def received(home, topic):
    home.take()
    return [message.payload for message in home.all if message.topic == topic]


def test_a_drag_sends_few_messages_and_the_lamp_does_not_pull_the_knob_back(slow, home):
    drag(slow, 320)
    last = slow.get("level")
    assert last > 55
    home.wait("lamp/set", lambda said: float(said) == last)
    assert 3 <= len(received(home, "lamp/set")) <= 9
    # The lamp still reports its former value, then the new one.
    home.publish("lamp/state", "50")
    home.publish("lamp/state", "51")
    assert slow.get("level") == last
    home.publish("lamp/state", str(last))
    time.sleep(3)  # the echo's seconds, during which nothing may happen
    assert slow.get("level") == last
    home.publish("lamp/state", "20")
    until(lambda: slow.get("level") == 20)


def test_settled_sends_one_message_after_the_finger_is_lifted(slow, home):
    drag(slow, 960)
    home.wait("mode/set")
    assert [float(payload) for payload in received(home, "mode/set")] == [slow.get("mode")]


def test_a_message_without_an_optional_member_is_silent(slow, home):
    home.publish("sensor", '{"linkquality": 3}')
    home.publish("sensor", '{"battery": 80}')
    until(lambda: slow.get("battery") == 80)
    home.publish("sensor", "{")
    message, = failures(slow, 1)
    assert message.startswith("battery: sensor: ")


def test_publish_sends_a_message_at_once_and_fails_without_a_broker(slow, broker, home):
    slow.run("tap", "bell")
    home.wait("door/bell", lambda said: said == b"at 50")
    broker.stop()
    until(lambda: not slow.json("status")["bridge"])
    slow.run("tap", "bell")
    message, = failures(slow, 1)
    assert message == "cannot publish door/bell: not connected; roundel mqtt connects"
    broker.start()
    until(lambda: slow.json("status")["bridge"], 30)
    assert received(home, "door/bell") == [b"at 50"]


def test_an_image_is_kept_in_a_file_that_the_kiosk_reads(slow, home, tmp_path):
    png = (pathlib.Path(__file__).parents[2] / "deploy/manual/pictures/dial.png").read_bytes()
    home.publish("player/cover", png, retain=True)
    first = until(lambda: slow.get("cover"))
    assert first.startswith(str(tmp_path / "run/images/cover-"))
    assert pathlib.Path(first).read_bytes() == png
    home.publish("player/cover", b"GIF89a")
    message, = failures(slow, 1)
    assert message == "cover: player/cover: the message is not a PNG or JPEG file"
    home.publish("player/cover", b"\xff\xd8\xff" + bytes(8 << 20))
    message, = failures(slow, 1)
    assert message == (
        "cover: player/cover: the message is too long (expected at most 8388608 bytes)")
    assert slow.get("cover") == first
    home.publish("player/cover", b"", retain=True)
    until(lambda: slow.get("cover") == "")
    assert list((tmp_path / "run/images").iterdir()) == []
