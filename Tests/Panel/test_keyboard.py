# SPDX-License-Identifier: MIT
"""Keyboards and scanners, from kernel events to the kiosk's."""

import subprocess
import time
from pathlib import Path

import pytest
from conftest import Journal

KIOSK = """\
kiosk: keyboard
screen:
  scanner: [{device: "Guest Scan*"}]
keys: {F1: [{emit: help}]}
pages:
  - page: home
    controls:
      - {button: jog, at: [300, 400], size: [200, 200]}
      - {keypad: code, at: [900, 400], size: [400, 600], layout: digits}
"""
KEYBOARD = Path(__file__).with_name("guest-keyboard")
ENTER, RIGHT, F1 = 28, 106, 59


class Keyboard:
    """A keyboard in the guest, plugged in while the kiosk runs."""

    def __init__(self, panel, name):
        self._panel, self._name = panel, name
        subprocess.run(panel.ssh_command("cat > /run/guest-keyboard; modprobe uinput"),
                       input=KEYBOARD.read_bytes(), check=True)
        self._process = subprocess.Popen(panel.ssh_command(f"perl /run/guest-keyboard '{name}'"),
                                         stdin=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 30
        while not self._is_open:
            assert time.monotonic() < deadline, f"the kiosk does not use {name}"
            time.sleep(0.1)

    @property
    def _is_open(self):
        return self._panel.ssh(
            f"node=$(sed -n '/{self._name}/,/^$/s/.*\\(event[0-9]*\\).*/\\1/p' /proc/bus/input/devices); "
            "ls -l /proc/$(systemctl show -P MainPID roundel@keyboard.service)/fd | grep -q \"/$node$\"",
            check=False).returncode == 0

    def play(self, *lines):
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()

    def tap(self, *codes):
        for code in codes:
            self.play(f"down {code}", f"up {code}")

    def unplug(self):
        self._process.stdin.close()
        self._process.wait(30)


@pytest.fixture(scope="module")
def panel(machines, tmp_path_factory):
    kiosk = tmp_path_factory.mktemp("kiosk") / "keyboard.yaml"
    kiosk.write_text(KIOSK)
    return machines.show(kiosk)


@pytest.mark.one_card
def test_a_held_key_presses_until_it_is_released_or_its_keyboard_is_unplugged(panel):
    journal = Journal(panel)
    keyboard = Keyboard(panel, "Guest Keyboard")
    try:
        keyboard.tap(F1, RIGHT)
        keyboard.play(f"down {ENTER}")
        journal.wait_for(("emit", None), ("pressed", None))
        keyboard.play(f"up {ENTER}")
        journal.wait_for(("emit", None), ("pressed", None), ("selected", None))
        journal = Journal(panel)
        keyboard.play(f"down {ENTER}")
        journal.wait_for(("pressed", None))
    finally:
        keyboard.unplug()
    # The kernel releases the keys of an unplugged keyboard. Its release may come before the unplugging.
    deadline = time.monotonic() + 15
    while len(told := [event for event in journal.told() if event[0] != "confirmed"]) < 2:
        assert time.monotonic() < deadline, told
        time.sleep(0.2)
    assert told in ([("pressed", None), (end, None)] for end in ("cancelled", "selected"))


@pytest.mark.one_card
def test_a_scanner_types_lines_and_presses_nothing(panel):
    journal = Journal(panel)
    scanner = Keyboard(panel, "Guest Scanner")
    codes = [f"{number:013}" for number in range(50)]
    try:
        scanner.play(*(f"type {code}" for code in codes))
        deadline = time.monotonic() + 30
        while len(journal.events()) < len(codes):
            assert time.monotonic() < deadline, f"told: {journal.told()}"
            time.sleep(0.2)
        scanner.play("type 4711")
        time.sleep(1)
    finally:
        scanner.unplug()
    events = journal.events()
    assert [(event["event"], event["text"]) for event in events] == [
        ("scanned", code) for code in [*codes, "4711"]]
