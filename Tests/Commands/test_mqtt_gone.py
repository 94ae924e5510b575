# SPDX-License-Identifier: MIT
"""`gone` releases a machine when its kiosk fails, with a real broker."""

import json
import signal
import socket
import subprocess
import threading
import time

import pytest

from test_mqtt import (  # noqa: F401 (fixtures)
    BRIDGE, Bridge, Broker, Listener, broker, home, mqtt, pytestmark, start, until)
from live import ROUNDEL, LiveKiosk

KIOSK = """
kiosk: lobby
values:
  jog: {value: false, to: {mqtt: axis/jog}, gone: stop}
  speed: {value: 5, to: {mqtt: axis/speed, retain: true, payload: "{\\"speed\\": {value}}"}, gone: "{\\"speed\\": 0}"}
  lamp: {value: false, from: {mqtt: lamp/state}, to: {mqtt: lamp/set}, gone: "OFF"}
  cups: {value: 1, to: {mqtt: panel/cups}}
  rows: {value: [], from: {mqtt: rows}}
pages:
  - page: first
    controls:
      - button: move
        at: [400, 400]
        size: [200, 100]
        text: Move
        on:
          pressed: [{set: {jog: true}}]
          cancelled: [{set: {jog: false}}]
          selected: [{set: {jog: false}}]
"""


@pytest.fixture
def kiosk(start, tmp_path):
    file = tmp_path / "lobby.yaml"
    file.write_text(KIOSK)
    return start(LiveKiosk, tmp_path, file=file)


class Machine(Listener):
    """Collects the messages to a machine."""

    def told(self, topic="axis/jog"):
        self.take()
        return [message.payload.decode() for message in self.all if message.topic == topic]

    def until(self, *expected, topic="axis/jog", timeout=10):
        """Waits for these messages, and fails on others."""
        until(lambda: len(self.told(topic)) >= len(expected), timeout)
        assert self.told(topic) == list(expected)


@pytest.fixture
def machine(start, broker):
    return start(Machine, broker)


@pytest.fixture
def bridge(start, kiosk, broker, machine):
    bridge = start(Bridge, kiosk, broker.port)
    # The bridge also publishes the first value, because the machine may have been released.
    machine.until("false")
    machine.until('{"speed": 5}', topic="axis/speed")
    return bridge


@pytest.fixture
def running(bridge, kiosk, machine):
    """A moving machine."""
    kiosk.run("set", "jog=true")
    machine.until("false", "true")
    return machine


def settle(kiosk, machine):
    """Waits until all earlier messages have arrived."""
    count = int(kiosk.get("cups")) + 1
    kiosk.run("set", f"cups={count}")
    machine.wait("panel/cups", lambda said: said == str(count).encode())


def test_a_killed_kiosk_releases_the_machine_once(running, kiosk, broker, start, bridge):
    kiosk.close()
    running.until("false", "true", "stop", timeout=1)
    running.until('{"speed": 5}', '{"speed": 0}', topic="axis/speed")
    # The broker retains gone instead of the value.
    late = start(Machine, broker)
    late.until('{"speed": 0}', topic="axis/speed")
    kiosk.start()
    # The new kiosk publishes its values.
    running.until("false", "true", "stop", "false")
    running.until('{"speed": 5}', '{"speed": 0}', '{"speed": 5}', topic="axis/speed")
    settle(kiosk, running)
    assert running.told() == ["false", "true", "stop", "false"]


@pytest.mark.parametrize("end", ["stop", signal.SIGTERM])
def test_a_stopped_kiosk_releases_the_machine(running, kiosk, end):
    if end == "stop":
        kiosk.run("stop")
    else:
        kiosk.process.send_signal(end)
    assert kiosk.process.wait(10) == 0
    until(lambda: running.told()[-1] == "stop")


def test_a_hung_kiosk_releases_the_machine_within_five_seconds_and_continues(running, kiosk):
    kiosk.process.send_signal(signal.SIGSTOP)
    try:
        running.until("false", "true", "stop", timeout=6)
    finally:
        kiosk.process.send_signal(signal.SIGCONT)
    # The kiosk's state has survived, and the machine follows it again.
    running.until("false", "true", "stop", "true")
    kiosk.run("set", "jog=false")
    running.until("false", "true", "stop", "true", "false")


def test_a_hung_kiosk_that_stops_reading_releases_the_machine_just_as_soon(running, kiosk):
    kiosk.process.send_signal(signal.SIGSTOP)
    try:
        # Much more than a socket holds.
        running.publish("rows", json.dumps(["x" * 1000] * 900))
        running.until("false", "true", "stop", timeout=6)
    finally:
        kiosk.process.send_signal(signal.SIGCONT)
    running.until("false", "true", "stop", "true")
    until(lambda: len(kiosk.get("rows")) == 900)


def test_a_short_hang_releases_nothing(running, kiosk):
    kiosk.process.send_signal(signal.SIGSTOP)
    time.sleep(1.5)
    kiosk.process.send_signal(signal.SIGCONT)
    settle(kiosk, running)
    assert running.told() == ["false", "true"]


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_the_end_of_the_bridge_releases_the_machine_until_the_next_start(
        running, kiosk, bridge, broker, start, end):
    bridge.process.send_signal(end)
    running.until("false", "true", "stop", timeout=3)
    start(Bridge, kiosk, broker.port)
    running.until("false", "true", "stop", "true")


def test_the_broker_releases_the_machine_of_a_hung_bridge(running, bridge):
    bridge.process.send_signal(signal.SIGSTOP)
    try:
        # The broker waits for 15 s, and checks every 5 s.
        running.until("false", "true", "stop", timeout=25)
    finally:
        bridge.process.send_signal(signal.SIGCONT)
    running.until("false", "true", "stop", "true")


def test_a_restart_publishes_an_ordinary_change(running, kiosk):
    kiosk.run("restart")
    running.until("false", "true", "false")
    settle(kiosk, running)
    assert running.told() == ["false", "true", "false"]


def test_only_a_reload_that_removes_the_topic_releases_the_machine(running, kiosk):
    text = kiosk.file.read_text()
    kiosk.file.write_text(text.replace("value: 5,", "value: 6,"))
    kiosk.run("reload")
    settle(kiosk, running)
    assert running.told() == ["false", "true"]
    kiosk.file.write_text(text.replace("axis/jog", "other/jog"))
    kiosk.run("reload")
    running.until("false", "true", "stop")
    running.until("true", topic="other/jog")


def test_a_restarted_broker_gets_the_value_or_gone(
        running, kiosk, broker, bridge, start):
    running.close()
    broker.stop()
    bridge.until("not connected to the broker")
    broker.start()
    later = start(Machine, broker)
    later.until("true")
    later.close()
    broker.stop()
    # The dead broker may not have published gone, so the bridge does.
    kiosk.close()
    bridge.until("not connected to the kiosk")
    broker.start()
    latest = start(Machine, broker)
    latest.until("stop")


def test_a_value_with_a_source_follows_its_device_after_gone(bridge, kiosk, machine):
    kiosk.run("set", "lamp=true")
    machine.until("true", topic="lamp/set")
    kiosk.close()
    machine.until("true", "OFF", topic="lamp/set")
    machine.publish("lamp/state", "OFF", retain=True)
    kiosk.start()
    machine.until("false", "stop", "false")
    settle(kiosk, machine)
    assert machine.told("lamp/set") == ["true", "OFF"]
    assert kiosk.get("lamp") is False


class Cable:
    """Forwards a connection to the kiosk, and can be cut."""

    def __init__(self, kiosk, path):
        self.socket = path
        self.target = kiosk.socket
        self.ends = []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                one = self.listener.accept()[0]
            except OSError:
                return
            other = socket.socket(socket.AF_UNIX)
            other.connect(str(self.target))
            self.ends += [one, other]
            for pair in (one, other), (other, one):
                threading.Thread(target=self.copy, args=pair, daemon=True).start()

    def copy(self, source, target):
        try:
            while piece := source.recv(65536):
                target.sendall(piece)
        except OSError:
            pass

    def cut(self):
        ends, self.ends = self.ends, []
        for end in ends:
            end.shutdown(socket.SHUT_RDWR)


def test_a_broken_connection_to_a_living_kiosk_releases_nothing(
        kiosk, broker, machine, start, tmp_path):
    cable = Cable(kiosk, tmp_path / "cable")
    bridge = start(Bridge, cable, broker.port)
    kiosk.run("set", "jog=true")
    until(lambda: machine.told()[-1:] == ["true"])
    before = machine.told()
    # The bridge replaces a connection immediately only if it lasted a second.
    time.sleep(1.1)
    cable.cut()
    bridge.until("connected to the kiosk again")
    kiosk.run("set", "speed=7")
    until(lambda: machine.told("axis/speed")[-1] == '{"speed": 7}')
    settle(kiosk, machine)
    assert machine.told() == before
    assert b"offline" not in machine.said["roundel/lobby/availability"]
    # The kiosk still accepts messages.
    machine.publish("roundel/lobby/cups/set", "7")
    until(lambda: kiosk.get("cups") == 7)


def test_a_message_for_a_value_survives_a_broken_connection(kiosk, broker, machine, start, tmp_path):
    cable = Cable(kiosk, tmp_path / "cable")
    bridge = start(Bridge, cable, broker.port)
    machine.until("false")
    time.sleep(1.1)
    kiosk.process.send_signal(signal.SIGSTOP)
    machine.publish("lamp/state", "ON")
    machine.publish("roundel/lobby/cups/set", "3")
    time.sleep(0.3)
    cable.cut()
    bridge.until("connected to the kiosk again")
    kiosk.process.send_signal(signal.SIGCONT)
    until(lambda: kiosk.get("lamp") is True)
    # The other message failed with the connection. The next one succeeds.
    machine.publish("roundel/lobby/cups/set", "4")
    until(lambda: kiosk.get("cups") == 4)
    assert machine.told() == ["false"]


def test_no_value_is_published_without_a_last_will(kiosk, start, tmp_path):
    """The broker accepts too few connections."""
    broker = start(Broker, tmp_path, "allow_anonymous true", "max_connections 2")
    machine = start(Machine, broker)
    bridge = start(Bridge, kiosk, broker.port)
    machine.wait("roundel/lobby/availability", lambda said: said == b"online")
    line = bridge.until('no connection for its last will "gone"')[-1]
    name = line.split("cannot publish ")[1].split(":")[0]
    value, topic = {"jog": ("true", "axis/jog"), "speed": ("9", "axis/speed"),
                    "lamp": ("true", "lamp/set")}[name]
    kiosk.run("set", f"{name}={value}")
    settle(kiosk, machine)
    assert machine.told(topic) == []
    # The bridge reports it once and keeps trying.
    time.sleep(4)
    bridge.end()
    lines = []
    while line := bridge.log.next():
        lines.append(line)
    assert not [line for line in lines if f"cannot publish {name}:" in line]


def test_the_end_of_the_kiosk_releases_sixteen_machines(kiosk, start, tmp_path, broker, machine):
    lines = "".join(
        f"  v{n}: {{value: 1, to: {{mqtt: m/{n}}}, gone: \"0\"}}\n" for n in range(16))
    kiosk.file.write_text(
        f"kiosk: lobby\nvalues:\n{lines}pages: [{{page: p, controls: "
        "[{label: l, at: [9, 9], text: l}]}]\n")
    kiosk.run("reload")
    start(Bridge, kiosk, broker.port)
    for number in range(16):
        machine.until("1", topic=f"m/{number}")
    kiosk.close()
    for number in range(16):
        machine.until("1", "0", topic=f"m/{number}")


def test_check_rejects_a_seventeenth_gone(tmp_path):
    lines = "".join(
        f"  v{n}: {{value: 1, to: {{mqtt: m/{n}}}, gone: \"0\"}}\n" for n in range(17))
    file = tmp_path / "k.yaml"
    file.write_text(
        f"kiosk: lobby\nvalues:\n{lines}pages: [{{page: p, controls: "
        "[{label: l, at: [9, 9], text: l}]}]\n")
    done = subprocess.run([ROUNDEL, "check", file], capture_output=True, text=True)
    assert done.returncode == 1
    assert ':19:43: error: 17 values with "gone" (expected at most 16' in done.stdout + done.stderr
