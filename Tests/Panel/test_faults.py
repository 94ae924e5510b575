# SPDX-License-Identifier: MIT
"""What befalls a panel in years on a wall, many times in a row: deploy/faults. Each fault ends with the
right picture and with a finger that is felt."""

import json
import random
import subprocess
import time

import pytest
from conftest import FAULTS

pytestmark = pytest.mark.skipif(not FAULTS, reason="takes long; deploy/faults runs it")
SOCKET = "--socket /run/roundel/control.sock"
DROP_IN = "/run/systemd/system/{unit}.d"
# Becomes the master of the card, and stays so until it is killed: DRM_IOCTL_SET_MASTER.
MASTER = "open(F, \"+<\", \"/dev/dri/card0\") or die; ioctl(F, 0x641e, 0) or die $!; $| = 1; print 1; sleep"


@pytest.fixture
def wall(desk):
    """A panel whose kiosk is the right one after the test, too, and can be touched."""
    yield desk
    desk.recording = []
    desk.shows_what_was_done("after the faults")
    desk.panel.wait_for_touchscreen()
    desk.down(desk.wheel.enabled[0])
    desk.shows_what_was_done("wedge held after the faults")
    desk.up()
    desk.shows_what_was_done("after the faults' blink")
    desk.panel.ssh(f"systemctl restart {desk.unit}")
    desk.started_again()


def status(desk):
    return json.loads(desk.panel.ssh(f"roundel status {SOCKET} --json").stdout)


def until(condition, what, timeout=60):
    deadline = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.1)


def resources(desk):
    """The kiosk's memory in kB, and how many files it has open."""
    pid = desk.main_pid()
    memory, files = desk.panel.ssh(
        f"awk '/^VmRSS/ {{ print $2 }}' /proc/{pid}/status; ls /proc/{pid}/fd | wc -l").stdout.split()
    return int(memory), int(files)


def kills(desk, signal, count, pause):
    """Sends a signal again and again, each time once the kiosk is back."""
    return subprocess.Popen(desk.panel.ssh_command(f"""
        for kill in $(seq {count}); do
          old=$(systemctl show -P MainPID {desk.unit})
          kill -{signal} $old
          until systemctl is-active -q {desk.unit} && pid=$(systemctl show -P MainPID {desk.unit}) &&
            [ $pid != 0 ] && [ $pid != $old ]
          do sleep 0.1; done
          sleep {pause}
        done"""), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


# A hang counts on the ladder to the page, unless the start before it has lasted.
@pytest.mark.parametrize("signal, share, pause", [("KILL", 1, 0.3), ("STOP", 10, 15)])
def test_a_kiosk_that_is_killed_or_hangs_is_never_seen_black(wall, signal, share, pause, capsys):
    first = wall.rendered()
    count = max(1, FAULTS // share)
    ending = kills(wall, signal, count, pause)
    shots = 0
    while ending.poll() is None:
        shots += 1
        wall.shows(first, f"{signal} of the kiosk", timeout=0)
        time.sleep(0.05)
    assert ending.returncode == 0
    with capsys.disabled():
        print(f"\n{wall.panel.state['gpu']}: {count} x SIG{signal}, {shots} screendumps of one picture")
    assert wall.framebuffers() == 2


def test_cable_and_touchscreen_are_pulled_and_back_in_every_order(wall, capsys):
    before, chance = wall.main_pid(), random.Random(1)
    connector = "/sys/class/drm/card0-Virtual-1/status"
    report = "udevadm trigger --action=change /sys/class/drm/card0"
    faults = {
        "cable": (lambda: wall.panel.ssh(f"echo off > {connector}; {report}"),
                  lambda: wall.panel.ssh(f"echo detect > {connector}; {report}")),
        "touch": (wall.panel.unplug_touchscreen, wall.panel.plug_touchscreen),
    }
    for _ in range(FAULTS):
        for way in (0, 1):
            for name in chance.sample(list(faults), len(faults)):
                faults[name][way]()
                if chance.random() < 0.5:
                    time.sleep(chance.random())
    wall.recording = []
    wall.shows_what_was_done("after the last plugging")
    assert wall.main_pid() == before
    with capsys.disabled():
        print(f"\n{wall.panel.state['gpu']}: {FAULTS} x cable and touchscreen pulled and back")


def test_a_card_that_is_taken_away_and_comes_back_is_lit(wall, capsys):
    before = wall.main_pid()
    device = wall.panel.ssh("readlink -f /sys/class/drm/card0/device").stdout.strip()
    # virtio's card hangs on a device of the virtio bus.
    unbind = f"cd $(readlink -f {device}/driver); echo {device.rpartition('/')[2]}"
    for _ in range(FAULTS):
        wall.panel.ssh(f"""set -e
            for console in /sys/class/vtconsole/*; do
              if grep -q 'frame buffer' $console/name; then echo 0 > $console/bind; fi
            done
            {unbind} > unbind
            for try in $(seq 100); do [ ! -e /dev/dri/card0 ] && break; sleep 0.1; done
            [ ! -e /dev/dri/card0 ]
            {unbind.replace(f'{device}/driver', '$PWD')} > bind""")
        wall.recording = []
        wall.shows_what_was_done("after the card has come back")
    assert wall.main_pid() == before
    with capsys.disabled():
        print(f"\n{wall.panel.state['gpu']}: {FAULTS} x card taken away and back")


def test_another_master_of_the_card_is_waited_for(wall):
    wall.panel.ssh(f"""systemctl stop {wall.unit}
        systemd-run -q --unit=master --collect perl -e '{MASTER}'
        for try in $(seq 100); do
          ls -l /proc/$(systemctl show -P MainPID master)/fd | grep -q card0 && break; sleep 0.1
        done
        systemctl start {wall.unit}""")
    waiting = wall.main_pid()
    until(lambda: status(wall)["display"]["state"] == "waiting", "it says that it waits")
    assert "another" in status(wall)["display"]["obstacle"]
    wall.panel.ssh("systemctl stop master")
    wall.started_again()
    assert wall.main_pid() == waiting


@pytest.mark.parametrize("disk", ["full", "read-only"])
def test_a_state_folder_that_takes_nothing_costs_no_picture(wall, disk):
    full = "dd if=/dev/zero of=/var/lib/roundel/rest bs=4k status=none; true"
    try:
        wall.panel.ssh(f"""systemctl stop {wall.unit}
            owner=uid=$(id -u roundel),gid=$(id -g roundel)
            mount -t tmpfs -o size=64k,mode=750,$owner tmpfs /var/lib/roundel
            {full if disk == 'full' else 'mount -o remount,ro /var/lib/roundel'}
            systemctl start {wall.unit}""", check=False)
        wall.started_again()
        log = f"journalctl -q -o cat -n 20 -u {wall.unit}"
        until(lambda: "no copy" in wall.panel.ssh(log).stdout, "the log says that nothing is kept")
    finally:
        wall.panel.ssh(f"systemctl stop {wall.unit}; umount /var/lib/roundel; systemctl start {wall.unit}")
    wall.started_again()


def test_a_read_only_root_costs_no_picture(wall):
    try:
        wall.panel.ssh(f"systemctl stop {wall.unit}; mount -o remount,ro / && systemctl start {wall.unit}")
        wall.started_again()
    finally:
        wall.panel.ssh("mount -o remount,rw /")


def test_a_clock_that_jumps_a_day_both_ways_changes_nothing(wall):
    before = wall.main_pid()
    for jump in ["+1 day", "-2 days", "+1 day"] * FAULTS:
        wall.panel.ssh(f"date -s '{jump}' > /dev/null; roundel status {SOCKET} > /dev/null")
    wall.recording = []
    wall.shows_what_was_done("after the clock's jumps")
    assert wall.main_pid() == before


def test_a_kiosk_without_memory_is_shown_again_once_there_is_some(wall):
    folder = DROP_IN.format(unit=wall.unit)
    try:
        wall.restart(f"mkdir -p {folder}",
                     f"printf '[Service]\\nMemoryMax=6M\\nMemorySwapMax=0\\n' > {folder}/memory.conf")
        log = f"journalctl -q -o cat -n 20 -u {wall.unit}"
        # The kernel ends it, or the card has no memory for it, and it waits.
        until(lambda: any(said in wall.panel.ssh(log).stdout for said in ("oom-kill", "no memory for")),
              "it is in want of memory")
    finally:
        # A stop, unlike a restart, begins at the first rung again.
        wall.restart(f"systemctl stop {wall.unit}", f"rm -r {folder}")
    wall.started_again()


def test_a_soak_leaves_memory_and_descriptors_as_they_were(wall, capsys):
    wedge = wall.wheel.middle(wall.wheel.enabled[0])
    place = {"finger": 0, "x": wedge[0], "y": wedge[1]}
    taps = "".join(json.dumps({"t": index / 20 + later, kind: place}) + "\n"
                   for index in range(200) for later, kind in ((0, "down"), (0.02, "up")))

    def round():
        wall.panel.ssh(f"roundel touch {SOCKET} <<'END'\n{taps}END")
        wall.panel.ssh(f"roundel reload {SOCKET}; roundel restart {SOCKET}; "
                       f"roundel blank {SOCKET}; roundel unblank {SOCKET}; roundel wait --still {SOCKET}")

    for _ in range(3):
        round()
    before, pid = resources(wall), wall.main_pid()
    for _ in range(FAULTS):
        round()
    after = resources(wall)
    with capsys.disabled():
        print(f"\n{wall.panel.state['gpu']}: {FAULTS * 200} touches, {FAULTS} reloads: "
              f"memory {before[0]} → {after[0]} kB, descriptors {before[1]} → {after[1]}")
    assert wall.main_pid() == pid
    assert after[0] < before[0] + 2_000
    assert after[1] == before[1]
