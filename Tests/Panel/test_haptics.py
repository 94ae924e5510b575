# SPDX-License-Identifier: MIT
"""Haptics from touch to motor: QEMU's touch controller in, effects of a vibration motor out."""

import json
import math
import re
import subprocess
import time
from pathlib import Path

import pytest
from conftest import Journal

KIOSK = """\
kiosk: haptics
pages:
  - page: dials
    controls:
      - dial: coarse
        at: [330, 400]
        radius: 300
        labels: 24
      - dial: fine
        at: [950, 400]
        radius: 150             # small, so that an emulated machine can turn it fast
        labels: 90
        label_offset: 100
        inertia: fast
        text_color: "#00000000"
      - button: turn
        at: [640, 700]
        size: [120, 120]
        text: Turn
        on: {selected: [{set: {coarse.value: 12}}]}
"""
COARSE, FINE, TURN = (330, 400), (950, 400), (640, 700)
MOTOR = Path(__file__).with_name("guest-haptics")
FF_RUMBLE = 0x50
INTERVAL = 0.015


class Motor:
    """A vibration motor in the guest that can be plugged in and unplugged."""

    def __init__(self, panel):
        self._panel = panel
        subprocess.run(panel.ssh_command("cat > /run/guest-haptics; modprobe uinput"),
                       input=MOTOR.read_bytes(), check=True)

    def plug(self):
        """Plugs in the motor and waits until the kiosk has uploaded its effect."""
        self._start()
        wait_until(lambda: self.lines("upload"), "the kiosk gave the motor no effect")

    def plug_silent(self):
        """Plugs in a motor that never answers and waits until the kiosk has opened it."""
        self._start("silent")
        wait_until(lambda: self.is_open, "the kiosk has not opened the motor")

    def _start(self, *words):
        self._panel.ssh("systemd-run -q --collect --unit=guest-haptics sh -c "
                        f"'exec perl /run/guest-haptics {' '.join(words)} > /run/haptics 2>&1'")

    @property
    def is_open(self):
        """Whether the kiosk has opened the motor."""
        entry = self._panel.ssh("cat /proc/bus/input/devices").stdout.partition("Guest Motor")[2]
        node = re.search(r"event\d+", entry.partition("\n\n")[0])
        return bool(node) and self._is_held(f"/{node[0]}$")

    def _is_held(self, pattern):
        """Whether the kiosk has a file open whose path matches the pattern."""
        return self._panel.ssh("ls -l /proc/$(systemctl show -P MainPID roundel@haptics.service)/fd"
                               f" | grep -q '{pattern}'", check=False).returncode == 0

    def unplug(self):
        """Unplugs the motor and waits until the kiosk has closed it."""
        self._panel.ssh("systemctl stop guest-haptics; rm -f /run/haptics", check=False)
        wait_until(lambda: not self._is_held("/event[0-9]* (deleted)$"),
                   "the kiosk holds on to a motor that has gone")

    def lines(self, kind):
        shown = self._panel.ssh("cat /run/haptics", check=False).stdout
        return [line.split()[1:] for line in shown.splitlines() if line.startswith(kind)]

    def plays(self):
        """The times in seconds of all plays since the motor was plugged in."""
        return [float(moment) for moment, in self.lines("play")]


def wait_until(condition, otherwise, timeout=15):
    deadline = time.monotonic() + timeout
    while not (found := condition()):
        if time.monotonic() > deadline:
            pytest.fail(otherwise)
        time.sleep(0.05)
    return found


def rim(centre, degrees, reach=200):
    angle = math.radians(degrees)
    return (centre[0] + reach * math.sin(angle), centre[1] - reach * math.cos(angle))


@pytest.fixture(scope="module")
def panel(machines, tmp_path_factory):
    kiosk = tmp_path_factory.mktemp("kiosk") / "haptics.yaml"
    kiosk.write_text(KIOSK)
    return machines.show(kiosk)


@pytest.fixture
def motor(panel):
    """A motor plugged in after the start of the kiosk."""
    motor = Motor(panel)
    motor.plug()
    yield motor
    motor.unplug()


class Told:
    """Counts events of the kiosk from now on."""

    def __init__(self, panel):
        self._journal = Journal(panel)

    def count(self, name):
        return [event for event, _ in self._journal.told()].count(name)

    def wait_for(self, name, count=1):
        wait_until(lambda: self.count(name) >= count, f"no {name} was told")


def turn(panel, told, steps, ticks=lambda count: None):
    """Turns the coarse dial one detent at a time, waiting for each event."""
    panel.touch("down", 0, rim(COARSE, 0))
    try:
        for step in range(1, steps + 1):
            panel.touch("move", 0, rim(COARSE, 15 * step))
            told.wait_for("passing", step)
            ticks(step)
    finally:
        panel.touch("up")
    told.wait_for("settled")
    assert told.count("passing") == steps


def test_the_kiosk_gives_the_motor_one_short_effect(motor):
    (kind, milliseconds, strong, weak), = motor.lines("upload")
    assert int(kind) == FF_RUMBLE
    assert 10 <= int(milliseconds) <= 20
    assert int(strong) > 0 and int(weak) > 0


def test_the_motor_ticks_once_for_each_detent_that_a_finger_passes(panel, motor):
    def felt(count):
        wait_until(lambda: len(motor.plays()) >= count, f"detent {count} was not felt")

    turn(panel, Told(panel), 8, felt)
    assert len(motor.plays()) == 8


def test_a_fling_ticks_at_a_limited_rate_until_it_ends(panel, motor):
    told = Told(panel)
    panel.touch("down", 0, rim(FINE, 0, 100))
    for step in range(1, 7):
        panel.touch("move", 0, rim(FINE, 18 * step, 100))
        time.sleep(0.01)
    panel.touch("up")
    told.wait_for("settled")
    passings, plays = told.count("passing"), motor.plays()
    # Several detents in one frame are one tick, and an emulated machine may show few frames.
    assert 2 < len(plays) < passings
    # Each timestamp is slightly late, so only the total is reliable.
    assert (len(plays) - 1) * INTERVAL <= plays[-1] - plays[0] + INTERVAL
    time.sleep(1)
    assert motor.plays() == plays


def test_a_dial_that_a_command_turns_does_not_tick(panel, motor):
    told = Told(panel)
    panel.tap(TURN)
    told.wait_for("settled")
    time.sleep(0.5)
    assert told.count("passing") == 0
    assert motor.plays() == []


def test_a_motor_ticks_again_after_it_is_unplugged_and_plugged_in(panel, motor):
    turn(panel, Told(panel), 2)
    wait_until(lambda: len(motor.plays()) == 2, "it did not tick")
    motor.unplug()
    turn(panel, Told(panel), 2)
    motor.plug()
    turn(panel, Told(panel), 2)
    wait_until(lambda: len(motor.plays()) == 2, "it did not tick again")


def test_a_motor_that_does_not_answer_blocks_nothing(panel):
    motor = Motor(panel)
    try:
        motor.plug_silent()
        # If a second device makes the kiosk open all devices, that waits for the silent motor, too.
        panel.ssh("systemd-run -q --collect --unit=other-motor perl /run/guest-haptics")
        time.sleep(2)
        turn(panel, Told(panel), 2)
        assert motor.is_open, "the kiosk has given up waiting, so nothing is shown"
    finally:
        panel.ssh("systemctl stop other-motor", check=False)
        motor.unplug()


def test_a_motor_at_rest_causes_no_wakeups(panel, motor):
    pid = panel.ssh("systemctl show -P MainPID roundel@haptics.service").stdout.strip()
    time.sleep(2)  # what its coming brought about is over

    def switches():
        shown = panel.ssh(f"cat /proc/{pid}/task/*/status | grep ^voluntary").stdout
        return sum(int(line.split()[1]) for line in shown.splitlines())

    before = switches()
    time.sleep(5)
    # The kiosk pings the service manager every 7.5 s.
    assert switches() - before <= 2


def test_the_doctor_lists_the_motor(panel, motor):
    told = json.loads(panel.ssh("runuser -u roundel -- roundel doctor --json", check=False).stdout)
    (found,) = told["input"]["haptics"]
    assert found["name"] == "Guest Motor"
    assert found["path"].startswith("/dev/input/event")
