# SPDX-License-Identifier: MIT
"""A rotary encoder with a push button, from kernel events to the dial."""

import subprocess
import time
from pathlib import Path

import pytest
from conftest import Journal

KIOSK = """\
kiosk: encoder
pages:
  - page: dials
    controls:
      - dial: volume
        at: [640, 400]
        radius: 300
        labels: 24
"""
ENCODER = Path(__file__).with_name("guest-encoder")


class Encoder:
    """An encoder in the guest, plugged in while the kiosk runs."""

    def __init__(self, panel):
        self._panel = panel
        subprocess.run(panel.ssh_command("cat > /run/guest-encoder; modprobe uinput"),
                       input=ENCODER.read_bytes(), check=True)
        self._process = subprocess.Popen(panel.ssh_command("perl /run/guest-encoder"),
                                         stdin=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 30
        while not self._is_open:
            assert time.monotonic() < deadline, "the kiosk does not use the encoder"
            time.sleep(0.1)

    @property
    def _is_open(self):
        return self._panel.ssh(
            "node=$(sed -n '/Guest Encoder/,/^$/s/.*\\(event[0-9]*\\).*/\\1/p' /proc/bus/input/devices); "
            "ls -l /proc/$(systemctl show -P MainPID roundel@encoder.service)/fd | grep -q \"/$node$\"",
            check=False).returncode == 0

    def play(self, *lines):
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()

    def unplug(self):
        self._process.stdin.close()
        self._process.wait(30)


@pytest.fixture(scope="module")
def panel(machines, tmp_path_factory):
    kiosk = tmp_path_factory.mktemp("kiosk") / "encoder.yaml"
    kiosk.write_text(KIOSK)
    return machines.show(kiosk)


def test_an_encoder_turns_a_dial_and_still_turns_it_after_it_is_plugged_in_again(panel):
    journal = Journal(panel)
    for count in 1, 2:
        encoder = Encoder(panel)
        try:
            # In the first round, one more press shows the focus mark.
            encoder.play(*["press"] * (3 - count), "turn 3", "press")
            deadline = time.monotonic() + 30
            while [name for name, _ in journal.told()].count("settled") < count:
                assert time.monotonic() < deadline, f"told: {journal.told()}"
                time.sleep(0.1)
        finally:
            encoder.unplug()
    assert [name for name, _ in journal.told()].count("passing") == 6
