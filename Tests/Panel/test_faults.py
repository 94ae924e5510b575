# SPDX-License-Identifier: MIT
"""Repeats faults that can happen to a panel over years: Tests/Rig/faults. After each fault the panel shows the
right picture and takes touches."""

import itertools
import json
import os
import random
import re
import string
import subprocess
import threading
import time

import pytest
from conftest import FAULTS, KIOSK, TOP, Desk
from Rig.machine import Panel
from Rig.qmp import QMP

pytestmark = pytest.mark.skipif(not FAULTS, reason="takes long; Tests/Rig/faults runs it")
SOCKET = "--socket /run/roundel/control.sock"
DROP_IN = "/run/systemd/system/{unit}.d"
# Becomes master of the card until it is killed: DRM_IOCTL_SET_MASTER.
MASTER = "open(F, \"+<\", \"/dev/dri/card0\") or die; ioctl(F, 0x641e, 0) or die $!; $| = 1; print 1; sleep"


@pytest.fixture
def wall(desk):
    """A panel that must show the right picture and take touches after the test, too."""
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
    """Returns the kiosk's memory in kB and its number of open files."""
    pid = desk.main_pid()
    memory, files = desk.panel.ssh(
        f"awk '/^VmRSS/ {{ print $2 }}' /proc/{pid}/status; ls /proc/{pid}/fd | wc -l").stdout.split()
    return int(memory), int(files)


def kills(desk, signal, count, pause):
    """Sends a signal `count` times and waits for the kiosk after each."""
    return subprocess.Popen(desk.panel.ssh_command(f"""
        for kill in $(seq {count}); do
          old=$(systemctl show -P MainPID {desk.unit})
          kill -{signal} $old
          until systemctl is-active -q {desk.unit} && pid=$(systemctl show -P MainPID {desk.unit}) &&
            [ $pid != 0 ] && [ $pid != $old ]
          do sleep 0.1; done
          sleep {pause}
        done"""), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


# The pause lets each start prove itself; otherwise repeated hangs would lead to the error page.
@pytest.mark.parametrize("signal, share, pause", [("KILL", 1, 0.3), ("STOP", 10, 15)])
def test_a_killed_or_hung_kiosk_never_turns_the_screen_black(wall, signal, share, pause, capsys):
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


class Plugs:
    """Unplugs and plugs parts of a panel: the cable, the touchscreen, the card."""

    def __init__(self, panel):
        self.panel = panel
        device = panel.ssh("readlink -f /sys/class/drm/card0/device").stdout.strip()
        # virtio's card belongs to a device of the virtio bus.
        self.card = device.rpartition("/")[2]
        self.driver = panel.ssh(f"readlink -f {device}/driver").stdout.strip()

    def pull(self, name):
        if name == "touch":
            self.panel.unplug_touchscreen()
        elif name == "cable":
            self._cable("off")
        else:
            self.panel.ssh(f"""set -e
                for console in /sys/class/vtconsole/*; do
                  if grep -q 'frame buffer' $console/name; then echo 0 > $console/bind; fi
                done
                echo {self.card} > {self.driver}/unbind
                for try in $(seq 100); do [ ! -e /dev/dri/card0 ] && break; sleep 0.1; done
                [ ! -e /dev/dri/card0 ]""")

    def put(self, name):
        if name == "touch":
            self.panel.plug_touchscreen()
        elif name == "cable":
            self._cable("detect")
        else:
            self.panel.ssh(f"echo {self.card} > {self.driver}/bind")

    def _cable(self, status):
        # Without a card there is no connector; a returning card has its cable plugged in.
        self.panel.ssh(f"""echo {status} > /sys/class/drm/card0-Virtual-1/status
            udevadm trigger --action=change /sys/class/drm/card0""", check=False)


ORDERS = list(itertools.permutations(["cable", "touch", "card"]))


def in_turn(change, order, chance):
    for name in order:
        change(name)
        if chance.random() < 0.3:
            time.sleep(chance.random())


def at_once(change, order):
    failures = []

    def one(name):
        try:
            change(name)
        except Exception as failure:
            failures.append(failure)

    threads = [threading.Thread(target=one, args=[name]) for name in order]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures


@pytest.mark.parametrize("what", [["cable"], ["touch"], ["card"], ["cable", "touch", "card"]], ids="+".join)
def test_the_kiosk_uses_unplugged_hardware_again_when_it_returns(wall, what, capsys):
    before, chance, plugs = wall.main_pid(), random.Random(1), Plugs(wall.panel)
    for round in range(FAULTS):
        if len(what) == 1:
            plugs.pull(what[0])
            plugs.put(what[0])
        elif round % 3 == 2:
            at_once(plugs.pull, what)
            at_once(plugs.put, what)
        else:
            in_turn(plugs.pull, ORDERS[round % len(ORDERS)], chance)
            in_turn(plugs.put, chance.choice(ORDERS), chance)
            # Earlier, the cable may have been plugged in before its card existed.
            plugs.put("cable")
        wall.recording = []
        wall.shows_what_was_done(f"after the plugging of {' and '.join(what)}")
    assert wall.main_pid() == before
    with capsys.disabled():
        print(f"\n{wall.panel.state['gpu']}: {FAULTS} x {', '.join(what)} pulled and back")


# Valid and invalid udev properties of a touchscreen.
def properties(chance):
    def number():
        return chance.choice(["0", "-0", "1", "-1", "1e9", "nan", "inf", "9" * 300, "0." + "0" * 200 + "1", "x", ""])

    yield "LIBINPUT_CALIBRATION_MATRIX", " ".join(number() for _ in range(chance.choice([0, 5, 6, 6, 6, 7])))
    yield "ID_SEAT", chance.choice(["seat0", "seat0", "seat7", "", "x" * 200])
    yield "WL_OUTPUT", chance.choice(["Virtual-1", "HDMI-A-9", ""])
    yield "ID_INPUT_TOUCHSCREEN", chance.choice(["1", "1", "0", ""])
    yield "ID_INPUT_WIDTH_MM", number()
    yield "ID_INPUT_HEIGHT_MM", number()
    yield "LIBINPUT_DEVICE_GROUP", chance.choice(["", "a/b/c", "%n"])


@pytest.mark.one_card
def test_wild_udev_properties_do_not_stop_the_kiosk_or_the_next_touchscreen(wall, capsys):
    before, chance, plugs = wall.main_pid(), random.Random(2), Plugs(wall.panel)
    rule = "/run/udev/rules.d/99-wild.rules"
    for _ in range(FAULTS):
        said = ", ".join(f'ENV{{{name}}}="{text}"' for name, text in properties(chance))
        wall.panel.ssh(f"""mkdir -p $(dirname {rule})
            echo 'SUBSYSTEM=="input", KERNEL=="event*", {said}' > {rule}; udevadm control --reload""")
        plugs.pull("touch")
        plugs.put("touch")
        wall.panel.ssh("udevadm settle")
        for _ in range(3):
            wall.panel.tap((chance.randrange(wall.size[0]), chance.randrange(wall.size[1])))
    wall.panel.ssh(f"rm {rule}; udevadm control --reload")
    plugs.pull("touch")
    plugs.put("touch")
    assert wall.main_pid() == before
    # Restart to undo the random touches.
    wall.panel.ssh(f"roundel restart {SOCKET}")
    with capsys.disabled():
        print(f"\n{wall.panel.state['gpu']}: {FAULTS} x touchscreen with wild properties of udev")


@pytest.mark.one_card
def test_random_keys_typed_at_the_panel_reach_only_the_kiosk(wall, capsys):
    """The keys reach no shell, no console and no shortcut of the kernel."""
    chance, before = random.Random(3), wall.main_pid()
    boot = "cat /proc/sys/kernel/random/boot_id"
    booted = wall.panel.ssh(boot).stdout
    plain = [*string.ascii_lowercase, *string.digits, "ret", "spc", "tab", "esc", "pause", "print", "delete",
             *(f"f{number}" for number in range(1, 13))]
    modifiers = ["ctrl", "alt", "shift", "meta_l"]

    def press(*keys):
        wall.panel.qmp("send-key", keys=[{"type": "qcode", "data": key} for key in keys])

    for keys in (["ctrl", "alt", "delete"], ["alt", "sysrq", "b"], ["alt", "sysrq", "k"], ["ctrl", "alt", "f2"],
                 ["alt", "f2"], ["ctrl", "c"], ["ctrl", "z"], ["ctrl", "d"]):
        press(*keys)
    for letter in "touch spc slash typed ret".split():
        for key in [letter] if letter in ("spc", "slash", "ret") else letter:
            press(key)
    count = FAULTS * 20
    for _ in range(count):
        press(*chance.sample(modifiers, chance.choice([0, 0, 1, 2])), chance.choice(plain))
    time.sleep(1)
    assert wall.panel.ssh(boot).stdout == booted
    assert wall.panel.ssh("cat /sys/class/tty/tty0/active; ls /typed 2>/dev/null", check=False).stdout == "tty1\n"
    # The text console under the picture.
    assert "typed" not in wall.panel.ssh("tr '\\0' ' ' < /dev/vcs1").stdout
    assert wall.main_pid() == before
    wall.panel.ssh(f"roundel restart {SOCKET}")
    with capsys.disabled():
        print(f"\n{wall.panel.state['gpu']}: {count} keys and chords typed")


def arguments_of(desk, text):
    """Restarts the kiosk with these options, or with the usual ones if `text` is empty."""
    folder = DROP_IN.format(unit=desk.unit)
    if text:
        desk.restart(f"mkdir -p {folder}",
                     f"printf '[Service]\\nEnvironment=\"ROUNDEL_ARGUMENTS=--events {text}\"\\n' > {folder}/faults.conf")
    else:
        desk.restart(f"rm {folder}/faults.conf")
    desk.started_again()


def test_a_killed_kiosk_on_a_frame_buffer_never_turns_the_screen_black(wall, capsys):
    try:
        arguments_of(wall, "--display fbdev")
        first, shots = wall.rendered(), 0
        ending = kills(wall, "KILL", FAULTS, 0.3)
        while ending.poll() is None:
            shots += 1
            wall.shows(first, "KILL of the kiosk on a frame buffer", timeout=0)
            time.sleep(0.05)
        assert ending.returncode == 0
    finally:
        arguments_of(wall, "")
    with capsys.disabled():
        print(f"\n{wall.panel.state['gpu']}, fbdev: {FAULTS} x SIGKILL, {shots} screendumps of one picture")


def test_kills_on_a_card_with_vertical_blanks_leave_the_last_picture_and_two_buffers(
        machines, binary, tmp_path, capsys):
    """Screendumps cannot read vkms, so this asks the kernel for the state of the card."""
    panel = machines.show(KIOSK, "vkms", (1280, 800))
    desk = Desk(panel, binary, tmp_path)
    desk.framebuffers()  # mounts what is read below
    ending = kills(desk, "KILL", FAULTS, 0.3)
    dark = looks = 0
    while ending.poll() is None:
        state = panel.ssh("cat /sys/kernel/debug/dri/0/state").stdout
        looks += 1
        dark += "active=1" not in state or not re.search(r"^\tfb=[1-9]", state, re.M)
    assert ending.returncode == 0
    assert dark == 0
    until(lambda: status(desk)["display"]["state"] == "showing", "it shows")
    assert desk.framebuffers() == 2
    with capsys.disabled():
        print(f"\nvkms: {FAULTS} x SIGKILL, {looks} looks at the card's state, always lit")


def test_a_machine_reboots_as_a_last_resort_if_configured(binary, no_leftovers, tmp_path, capsys):
    """With the settings from the manual."""
    manual = (TOP / "deploy/manual/operating.md").read_text()
    lines = next(block for block in re.findall(r"```ini\n(.*?)```", manual, re.S) if "StartLimitAction" in block)
    count = int(re.search(r"StartLimitBurst=(\d+)", lines)[1])
    panel = Panel(f"test-resort-{os.getpid()}")
    panel.boot(binary, KIOSK)
    try:
        panel.wait_for_kiosk()
        desk = Desk(panel, binary, tmp_path)
        panel.ssh(f"""mkdir -p /run/systemd/system/{desk.unit}.d
            cat > /run/systemd/system/{desk.unit}.d/resort.conf <<'END'\n{lines}END
            systemctl daemon-reload""")
        with QMP(panel.folder / "qmp.sock") as machine:
            endings = kills(desk, "SEGV", count + 1, 0)
            try:
                machine.wait_for_event("RESET", timeout=600)
            finally:
                endings.kill()
        subprocess.run(["ssh", "-F", str(panel.ssh_config), "-O", "exit", "-o",
                        f"ControlPath={panel.folder}/ssh.sock", panel.name], capture_output=True)
        panel.wait_for_kiosk()
        desk.started_again()
    finally:
        panel.stop()
    with capsys.disabled():
        print(f"\nafter {count} crashes the machine has started again, and shows the kiosk")


def test_the_kiosk_waits_for_another_master_of_the_card(wall, capsys):
    count = max(1, FAULTS // 5)
    for _ in range(count):
        give_way_to_another_master(wall)
    with capsys.disabled():
        print(f"\n{wall.panel.state['gpu']}: {count} x another master")


def give_way_to_another_master(wall):
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
def test_a_full_or_read_only_state_folder_does_not_stop_the_display(wall, disk):
    for _ in range(max(1, FAULTS // 25)):
        take_nothing(wall, disk)


def take_nothing(wall, disk):
    full = "dd if=/dev/zero of=/var/lib/roundel/rest bs=4k status=none; true"
    try:
        wall.panel.ssh(f"""systemctl stop {wall.unit}
            owner=uid=$(id -u roundel),gid=$(id -g roundel)
            mount -t tmpfs -o size=64k,mode=750,$owner tmpfs /var/lib/roundel
            {full if disk == 'full' else 'mount -o remount,ro /var/lib/roundel'}
            systemctl start {wall.unit}""", check=False)
        wall.started_again()
        log = f"journalctl -q -o cat -n 20 -u {wall.unit}"
        until(lambda: "cannot save a working copy" in wall.panel.ssh(log).stdout, "the log says that nothing is kept")
    finally:
        wall.panel.ssh(f"systemctl stop {wall.unit}; umount /var/lib/roundel; systemctl start {wall.unit}")
    wall.started_again()


def test_a_read_only_root_does_not_stop_the_display(wall):
    try:
        wall.panel.ssh(f"systemctl stop {wall.unit}; mount -o remount,ro / && systemctl start {wall.unit}")
        wall.started_again()
    finally:
        wall.panel.ssh("mount -o remount,rw /")


def test_a_clock_that_jumps_by_a_day_changes_nothing(wall):
    before = wall.main_pid()
    for jump in ["+1 day", "-2 days", "+1 day"] * FAULTS:
        wall.panel.ssh(f"date -s '{jump}' > /dev/null; roundel status {SOCKET} > /dev/null")
    wall.recording = []
    wall.shows_what_was_done("after the clock's jumps")
    assert wall.main_pid() == before


def test_a_kiosk_that_runs_out_of_memory_comes_back_when_memory_is_free(wall):
    folder = DROP_IN.format(unit=wall.unit)
    try:
        wall.restart(f"mkdir -p {folder}",
                     f"printf '[Service]\\nMemoryMax=6M\\nMemorySwapMax=0\\n' > {folder}/memory.conf")
        log = f"journalctl -q -o cat -n 20 -u {wall.unit}"
        # Either the kernel kills the kiosk, or the card has no memory for it and it waits.
        until(lambda: any(said in wall.panel.ssh(log).stdout for said in ("oom-kill", "cannot allocate")),
              "it is in want of memory")
    finally:
        # A stop deletes the recorded failures; a restart keeps them.
        wall.restart(f"systemctl stop {wall.unit}", f"rm -r {folder}")
    wall.started_again()


def test_a_soak_leaves_memory_and_descriptors_unchanged(wall, capsys):
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
