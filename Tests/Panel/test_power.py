# SPDX-License-Identifier: MIT
"""The state that survives a power cut during a write, and restarts of a panel."""

import itertools
import json
import os
import random
import shutil
import subprocess
import time

import pytest
from conftest import FAULTS
from filesystem import TOOLS, FileSystem
from Rig.machine import Panel
from Rig.qmp import QMP

pytestmark = pytest.mark.skipif(not FAULTS, reason="takes minutes; Tests/Rig/faults 1 -k power runs it")

# How often to kill and boot QEMU, which takes half a minute each, and how often to inspect a snapshot of its disk.
CUTS = int(os.environ.get("ROUNDEL_POWER_CUTS", "1"))
FREEZES = 10
RATE = 20  # changes a second
# The acceptable loss: the last second plus writes in progress.
LOSS_SECONDS = 1.5
# Both counters change together; the text makes the file longer than a disk block.
COUNTER = f"""
kiosk: counter
screen: {{size: [320, 240]}}
values:
  count: {{value: 0, keep: true}}
  twin: {{value: 0, keep: true}}
  long: {{value: "{'long ' * 4000}", keep: true}}
pages:
  - page: only
    controls:
      - {{label: shown, at: [160, 120], text: "{{count}}"}}
      - timer: tick
        every: {1 / RATE}
        on: {{due: [{{set: {{count: "{{count + 1}}"}}}}, {{set: {{twin: "{{twin + 1}}"}}}}]}}
"""
STATE = "/var/lib/roundel"
FILE = "/etc/roundel/counter.yaml"
# The possible contents of the kiosk file, and the commands that produce them from the initial file.
CHANGES = {COUNTER: f"cat {FILE}", COUNTER + "# more\n" * 5000: f"cat {FILE}; yes '# more' | head -n 5000"}
# The kiosk copies a file that it has shown for this many seconds.
PROVING = 10


@pytest.fixture(scope="module")
def kiosk(tmp_path_factory):
    file = tmp_path_factory.mktemp("counter") / "counter.yaml"
    file.write_text(COUNTER)
    return file


@pytest.fixture
def disk(tmp_path):
    file = tmp_path / "state.ext4"
    subprocess.run(["mke2fs", "-q", "-t", "ext4", file, "32M"], check=True, env=TOOLS)
    return file


@pytest.fixture(scope="module")
def panel(no_leftovers):
    panel = Panel(f"test-power-{os.getpid()}")
    yield panel
    panel.stop()


def kept(panel):
    """Mounts the disk after a boot and returns its values; the kiosk continues from them."""
    panel.wait_for_ssh()
    told = panel.ssh(f"""set -e
        systemctl stop roundel@counter
        mkdir -p {STATE}
        mount /dev/vdc {STATE}
        ls {STATE} >&2
        cat {STATE}/counter.json || true
        systemctl start roundel@counter
        systemd-run -q --collect --unit=recorder roundel record -o {STATE}/taps.jsonl""")
    assert "bad" not in told.stderr
    return json.loads(told.stdout)["values"] if told.stdout else None


def change(panel, command):
    """Replaces the kiosk file with the output of a command, and taps the panel."""
    panel.ssh(f"({command}) > {FILE}.new && mv {FILE}.new {FILE} && roundel reload")
    panel.tap((10, 10))


def count(panel):
    return json.loads(panel.ssh("roundel get count --json").stdout)


class State(FileSystem):
    """The kiosk's state on a disk."""

    @property
    def values(self):
        return json.loads(self.read("counter.json"))["values"]

    @property
    def kiosk(self):
        """The saved copy of the kiosk file."""
        return self.read(f"last/counter.yaml{FILE}")

    @property
    def recorded(self):
        """The complete lines of the recording."""
        return [json.loads(line) for line in self.read("taps.jsonl").split("\n")[:-1]]


def frozen(panel, disk, copy):
    """The state on the disk if the power were cut now."""
    panel.qmp("stop")
    shutil.copyfile(disk, copy)
    panel.qmp("cont")
    return State(copy)


def check(values, earliest, latest):
    assert values["count"] == values["twin"]
    assert len(values["long"]) == 20_000
    assert earliest - LOSS_SECONDS * RATE <= values["count"] <= latest


def test_a_power_cut_loses_no_more_than_the_last_second(panel, binary, kiosk, disk, tmp_path):
    chance = random.Random(1)
    copy = tmp_path / "copy.ext4"
    panel.boot(binary, kiosk, size=(320, 240), disk=disk)
    assert kept(panel) is None
    copies, recorded = set(), []

    def look(found):
        nonlocal recorded
        copies.add(found.kiosk)
        assert found.recorded[:len(recorded)] == recorded, "the recording has lost lines"
        recorded = found.recorded

    deadline = time.monotonic() + 60
    while not frozen(panel, disk, copy).kiosk:
        assert time.monotonic() < deadline, "no copy of the kiosk's file is written"
        time.sleep(1)
    for _ in range(FREEZES):
        asked, before = time.monotonic(), count(panel)
        time.sleep(chance.random())
        found = frozen(panel, disk, copy)
        check(found.values, before, before + (time.monotonic() - asked + 0.5) * RATE)
        look(found)
    for _, command in zip(range(CUTS), itertools.cycle(reversed(CHANGES.values()))):
        change(panel, command)
        # While the kiosk writes the copy.
        time.sleep(PROVING - 0.5 + chance.random())
        asked, before = time.monotonic(), count(panel)
        time.sleep(chance.random() * 0.2)
        panel.cut_power()
        after = before + (time.monotonic() - asked + 0.5) * RATE
        look(State(shutil.copyfile(disk, copy)))
        recorded = []
        panel.boot(binary, kiosk, size=(320, 240), disk=disk)
        values = kept(panel)
        check(values, before, after)
        assert count(panel) >= values["count"]
    assert copies <= set(CHANGES), "a copy of the kiosk's file is not whole"


def test_a_machine_shows_its_kiosk_after_a_reboot_and_ends_on_a_panic(panel, binary, kiosk):
    if not panel.is_running:
        panel.boot(binary, kiosk, size=(320, 240))
    panel.wait_for_kiosk()
    panel.ssh("touch /root/before")
    with QMP(panel.folder / "qmp.sock") as machine:
        panel.ssh("reboot", check=False)
        machine.wait_for_event("RESET", timeout=120)
    panel.wait_for_kiosk()
    assert panel.ssh("[ -e /root/before ]", check=False).returncode == 1
    panel.ssh("echo c > /proc/sysrq-trigger", check=False)
    deadline = time.monotonic() + 30
    while panel.is_running and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not panel.is_running
    assert "Kernel panic" in panel.serial_log()
