# SPDX-License-Identifier: MIT
"""The path from a touch to the picture on a booted machine: QEMU's touch controller in, its scanout out."""

import json
import os
import subprocess
import time

import pytest

# How often to kill the kiosk in a row.
STARTS = int(os.environ.get("ROUNDEL_STARTS", 5))


def test_the_panel_boots_to_the_picture_without_a_login(desk):
    desk.shows(desk.rendered(), "after boot")
    logins = desk.panel.ssh("systemctl is-active getty@tty1.service", check=False).stdout.strip()
    assert logins == "inactive"
    assert desk.panel.ssh(f"ps -o user= -p {desk.main_pid()}").stdout.strip() == "roundel"


def test_a_finger_on_a_wedge_lights_it_and_its_release_selects_it(desk):
    wedge = desk.wheel.enabled[0]
    before = desk.expected()
    journal = desk.journal()
    desk.down(wedge)
    assert desk.expected() != before
    desk.shows_what_was_done("wedge held")
    journal.wait_for(("pressed", wedge))

    desk.up()
    journal.wait_for(("pressed", wedge), ("selected", wedge))
    desk.shows_what_was_done("after the blink")


@pytest.mark.one_card
def test_a_selected_wedge_blinks(desk):
    desk.down(desk.wheel.enabled[-1])
    desk.shows_what_was_done("wedge held")
    desk.up()
    lit = desk.expected(after=0.1)
    assert lit != desk.expected()
    # The panel finished its blink during the replay, so blink again.
    desk.down(desk.wheel.enabled[-1])
    desk.up()
    desk.shows(lit, "first or second blink", timeout=3)
    desk.shows_what_was_done("after the blink")


@pytest.mark.one_card
def test_two_fingers_at_once_press_two_wedges(desk):
    one, other = desk.wheel.enabled[0], desk.wheel.enabled[2]
    journal = desk.journal()
    desk.down(one, finger=0)
    desk.down(other, finger=1)
    desk.shows_what_was_done("two wedges held")
    desk.up(finger=1)
    desk.up(finger=0)
    journal.wait_for(("pressed", one), ("pressed", other), ("selected", one), ("selected", other))
    desk.shows_what_was_done("after both blinks")


@pytest.mark.one_card
def test_a_finger_that_leaves_its_wedge_selects_nothing(desk):
    wedge, other = desk.wheel.enabled[:2]
    journal = desk.journal()
    desk.down(wedge)
    desk.shows_what_was_done("wedge held")
    desk.move(other)
    desk.shows_what_was_done("finger on another wedge")
    desk.up()
    journal.wait_for(("pressed", wedge), ("left", wedge), ("cancelled", wedge))
    desk.shows_what_was_done("after the release outside")


@pytest.mark.one_card
def test_a_tap_on_a_disabled_wedge_does_nothing(desk):
    before = desk.screen()
    journal = desk.journal()
    desk.down(desk.wheel.disabled[0])
    time.sleep(0.3)
    assert desk.screen() == before
    desk.up()
    time.sleep(0.3)
    assert desk.screen() == before
    wedge = desk.wheel.enabled[0]  # what comes after shows that the tap before was delivered
    desk.down(wedge)
    desk.up()
    journal.wait_for(("pressed", wedge), ("selected", wedge))
    desk.shows_what_was_done("after the blink")


@pytest.mark.one_card
def test_a_touchscreen_unplugged_under_a_finger_cancels_the_touch_and_works_again(desk):
    wedge = desk.wheel.enabled[1]
    journal = desk.journal()
    desk.down(wedge)
    desk.shows_what_was_done("wedge held")
    desk.unplug_touchscreen()
    journal.wait_for(("pressed", wedge), ("cancelled", wedge))
    desk.shows_what_was_done("after the unplugging")

    desk.panel.plug_touchscreen()
    desk.panel.wait_for_touchscreen()
    journal = desk.journal()
    desk.down(wedge)
    desk.shows_what_was_done("wedge held again")
    desk.up()
    journal.wait_for(("pressed", wedge), ("selected", wedge))


@pytest.mark.one_card
def test_a_killed_kiosk_comes_back_to_the_same_picture(desk):
    before = desk.main_pid()
    desk.panel.ssh(f"kill -9 {before}; until systemctl is-active -q {desk.unit} && "
                   f"[ $(systemctl show -P MainPID {desk.unit}) != {before} ]; do sleep 0.1; done")
    desk.started_again()
    desk.down(desk.wheel.enabled[0])
    desk.shows_what_was_done("wedge held after kill -9")


@pytest.mark.one_card
@pytest.mark.parametrize("end", ["kill -9 $(systemctl show -P MainPID {unit})",
                                 "systemctl restart {unit}"])
def test_the_panel_keeps_its_picture_until_the_next_start_shows_one(desk, end):
    before = desk.main_pid()
    desk.down(desk.wheel.enabled[0])
    desk.shows_what_was_done("wedge held")
    held, first = desk.expected(), desk.rendered()
    ending = subprocess.Popen(desk.panel.ssh_command(end.format(unit=desk.unit)))
    seen, deadline = held, time.monotonic() + 60
    while seen != first and time.monotonic() < deadline:
        seen = desk.screen()
        if seen not in (held, first):
            desk.shows(held, f"{end.split()[0]} of the kiosk", timeout=0)
    assert ending.wait() == 0
    assert seen == first, "the kiosk has not come back"
    assert desk.main_pid() != before
    desk.up()
    desk.started_again()


@pytest.mark.one_card
def test_a_stopped_kiosk_releases_the_display(desk):
    desk.panel.ssh(f"systemctl stop {desk.unit}")
    assert desk.screen() != desk.rendered()
    assert desk.framebuffers() == 0
    desk.panel.ssh(f"systemctl start {desk.unit}")
    desk.started_again()


@pytest.mark.one_card
def test_many_starts_leave_no_buffers_on_the_card(desk):
    before = desk.shared_memory()
    desk.panel.ssh(f"""
for start in $(seq {STARTS}); do
  old=$(systemctl show -P MainPID {desk.unit})
  kill -9 $old
  until systemctl is-active -q {desk.unit} && pid=$(systemctl show -P MainPID {desk.unit}) &&
    [ $pid != 0 ] && [ $pid != $old ]
  do sleep 0.05; done
done""")
    desk.started_again()
    assert desk.framebuffers() == 2
    # virtio-gpu allocates its buffers in shared memory, 4 MB each; bochs has little room for leaks.
    assert desk.shared_memory() - before < 8_000_000


@pytest.mark.one_card
def test_the_watchdog_restarts_a_hung_kiosk(desk):
    before = desk.main_pid()
    desk.panel.ssh(f"kill -STOP {before}; for i in $(seq 400); do "
                   f"[ $(systemctl show -P MainPID {desk.unit}) = {before} ] || break; sleep 0.1; "
                   f"done; until systemctl is-active -q {desk.unit}; do sleep 0.1; done")
    assert desk.main_pid() != before
    desk.started_again()


@pytest.mark.one_card
def test_an_idle_kiosk_keeps_running(desk):
    before = desk.main_pid()
    # Wait for two pings to the watchdog.
    desk.panel.ssh(f"""
        ping() {{ systemctl show -P WatchdogTimestampMonotonic {desk.unit}; }}
        for round in 1 2; do
          last=$(ping); for try in $(seq 150); do [ $(ping) = $last ] || break; sleep 0.1; done
          [ $(ping) != $last ] || exit 1
        done""")
    assert desk.main_pid() == before
    desk.shows_what_was_done("after idling")


def test_the_kiosk_reports_an_unplugged_cable_and_shows_the_picture_when_it_returns(desk):
    before = desk.main_pid()
    connector = "/sys/class/drm/card0-Virtual-1"
    told = "udevadm trigger --action=change /sys/class/drm/card0"
    log = f"journalctl -q -o cat -u {desk.unit} _PID={before}"
    desk.panel.ssh(f"""
        echo off > {connector}/status; {told}
        for try in $(seq 100); do
          {log} | grep -q 'Virtual-1 is not connected' && exit 0; sleep 0.1
        done
        echo 'the pulled cable was not reported' >&2; exit 1""")
    desk.panel.ssh(f"echo detect > {connector}/status; {told}")
    desk.shows_what_was_done("after plugging")
    desk.down(desk.wheel.enabled[0])
    desk.shows_what_was_done("wedge held after plugging")
    assert desk.main_pid() == before


def test_the_kiosk_lights_a_display_controller_that_appears_late(desk):
    module = {"virtio": "virtio_gpu", "bochs": "bochs"}[desk.panel.state["gpu"]]
    desk.panel.ssh(f"""set -e
        systemctl stop {desk.unit}
        for console in /sys/class/vtconsole/*; do
          if grep -q 'frame buffer' $console/name; then echo 0 > $console/bind; fi
        done
        modprobe -r {module}
        if ls /dev/dri/card*; then exit 1; fi
        systemctl start {desk.unit}""")
    waiting = desk.main_pid()
    status = json.loads(desk.panel.ssh("roundel status --json").stdout)
    assert status["display"]["state"] == "waiting"
    assert "no DRM device found" in status["display"]["obstacle"]
    desk.panel.ssh(f"modprobe {module}")
    desk.started_again()
    assert desk.main_pid() == waiting


@pytest.mark.one_card
def test_keys_typed_at_the_panel_reach_only_the_kiosk(desk):
    before = desk.main_pid()
    for keys in (["ctrl", "c"], ["ctrl", "z"], ["ctrl", "backslash"], ["alt", "f2"], ["q"]):
        desk.panel.qmp("send-key", keys=[{"type": "qcode", "data": key} for key in keys])
    time.sleep(1)
    assert desk.main_pid() == before
    desk.shows_what_was_done("after typing")
    journal = desk.journal()
    desk.key("right", "right")
    desk.shows_what_was_done("the mark of the focus")
    for key, code in (("enter", "ret"), ("right", "right"), ("enter", "ret")):
        desk.key(key, code)
        time.sleep(0.3)
    desk.shows_what_was_done("a wedge chosen by keys")
    told = [event for event in journal.told() if event[0] != "confirmed"]
    chosen = told[0][1]
    assert told == [("pressed", chosen), ("selected", chosen)] and chosen in desk.wheel.enabled
    assert desk.main_pid() == before
    desk.down(desk.wheel.enabled[0])
    desk.shows_what_was_done("wedge held after typing")


@pytest.mark.one_card
def test_mirrored_outputs_come_and_go_one_by_one(desk):
    def plug(output, status):
        desk.panel.ssh(f"echo {status} > /sys/class/drm/card0-{output}/status; "
                       "udevadm trigger --action=change /sys/class/drm/card0")

    def shown(*outputs):
        names = ", ".join(outputs)
        desk.panel.ssh("for try in $(seq 100); do roundel status --json | "
                       f"grep -qF '\"output\":\"{names}\"' && exit; sleep 0.1; done; exit 1")

    def down(wedge):
        place = desk.wheel.middle(wedge)
        on_panel = desk.wheel.on_panel(place, desk.size)
        # Touch coordinates refer to the panel's first mode.
        desk.panel.touch("down", 0, [x * first / now for x, first, now in zip(on_panel, size, desk.size)])
        desk._did("down", 0, place)

    def is_on_both(what):
        desk.shows_what_was_done(what)
        assert desk.screen(head=1) == desk.screen()

    # A mode that both outputs support.
    size, mode = desk.size, (1024, 768)
    folder = f"/run/systemd/system/{desk.unit}.d"
    try:
        desk.restart(f"mkdir -p {folder}",
                     "printf '[Service]\\nEnvironment=\"ROUNDEL_ARGUMENTS=--events --output Virtual-1,Virtual-2 --mode 1024x768\"\\n' "
                     f"> {folder}/outputs.conf")
        desk.size = mode
        desk.started_again()
        status = desk.panel.ssh("roundel status --json").stdout
        assert "Virtual-2 is not connected" in status
        down(desk.wheel.enabled[0])
        desk.shows_what_was_done("wedge held on one output")
        plug("Virtual-2", "on")
        shown("Virtual-1", "Virtual-2")
        is_on_both("wedge held on both outputs")
        desk.up()
        down(desk.wheel.enabled[1])
        is_on_both("another wedge held on both outputs")
        plug("Virtual-1", "off")
        shown("Virtual-2")
        desk.up()
        down(desk.wheel.enabled[2])
        expected = desk.expected()
        deadline = time.monotonic() + 10
        while desk.screen(head=1) != expected and time.monotonic() < deadline:
            time.sleep(0.1)
        assert desk.screen(head=1) == expected
        plug("Virtual-1", "detect")
        shown("Virtual-1", "Virtual-2")
        is_on_both("both outputs again")
        plug("Virtual-2", "off")
        shown("Virtual-1")
        desk.up()
        desk.shows_what_was_done("one output again")
    finally:
        desk.size = size
        desk.panel.ssh("echo detect > /sys/class/drm/card0-Virtual-1/status; "
                       "echo off > /sys/class/drm/card0-Virtual-2/status", check=False)
        desk.restart(f"rm -r {folder}")
        desk.started_again()


@pytest.mark.one_card
def test_visitors_can_switch_to_another_console_and_back_if_the_kiosk_permits_it(desk):
    def press(key):
        desk.panel.qmp("send-key", keys=[{"type": "qcode", "data": key} for key in ("ctrl", "alt", key)])
        desk.panel.ssh("for try in $(seq 100); do "
                       f"[ $(cat /sys/class/tty/tty0/active) = tty{key[1:]} ] && exit; sleep 0.1; done; exit 1")

    folder = f"/run/systemd/system/{desk.unit}.d"
    try:
        desk.restart(f"mkdir -p {folder}", "echo another console >/dev/tty2",
                     "printf '[Service]\\nEnvironment=\"ROUNDEL_ARGUMENTS=--events --vt-switching\"\\n' "
                     f"> {folder}/switching.conf")
        desk.started_again()
        for _ in range(3):
            desk.down(desk.wheel.enabled[0])
            desk.shows_what_was_done("wedge held before the console is left")
            press("f2")
            # The switch cancels the touch, and the kiosk ignores touches on other consoles.
            desk._did("cancel", 0)
            desk.panel.touch("up", 0)
            display = json.loads(desk.panel.ssh("roundel status --json").stdout)["display"]
            assert display["state"] == "waiting" and "another console" in display["obstacle"]
            assert desk.screen() != desk.expected()
            press("f1")
            desk.shows_what_was_done("after the return")
            desk.panel.wait_for_touchscreen()
        desk.down(desk.wheel.enabled[1])
        desk.shows_what_was_done("wedge held after the return")
        desk.up()
    finally:
        desk.restart(f"rm -r {folder}")
        desk.started_again()


def test_without_atomic_modesetting_the_picture_is_the_same(desk):
    folder = f"/run/systemd/system/{desk.unit}.d"
    try:
        desk.restart(f"mkdir -p {folder}",
                     "printf '[Service]\\nEnvironment=\"ROUNDEL_ARGUMENTS=--events --legacy-kms\"\\n' "
                     f"> {folder}/legacy.conf")
        line = desk.panel.ssh(f"tr '\\0' ' ' < /proc/{desk.main_pid()}/cmdline").stdout
        assert "--legacy-kms" in line
        desk.started_again()
        desk.down(desk.wheel.enabled[0])
        desk.shows_what_was_done("legacy wedge held")
        desk.up()
        desk.shows_what_was_done("legacy after the blink")
    finally:
        desk.restart(f"rm -r {folder}")
        desk.started_again()


@pytest.mark.one_card
def test_on_a_frame_buffer_the_picture_is_the_same(desk):
    folder = f"/run/systemd/system/{desk.unit}.d"
    try:
        desk.restart(f"mkdir -p {folder}",
                     "printf '[Service]\\nEnvironment=\"ROUNDEL_ARGUMENTS=--events --display fbdev\"\\n' "
                     f"> {folder}/fbdev.conf")
        desk.started_again()
        socket = "--socket /run/roundel/control.sock"
        status = json.loads(desk.panel.ssh(f"roundel status {socket} --json").stdout)
        assert status["display"]["card"] == "/dev/fb0"
        assert "/dev/fb0: " in desk.panel.ssh("roundel doctor", check=False).stdout
        desk.down(desk.wheel.enabled[0])
        desk.shows_what_was_done("wedge held on a frame buffer")
        desk.up()
        desk.shows_what_was_done("frame buffer after the blink")
        # A driver that cannot switch its panel off shows black.
        desk.panel.ssh(f"roundel blank {socket}")
        desk.panel.ssh(f"roundel wake {socket}")
        desk.shows_what_was_done("frame buffer after a sleep")
    finally:
        desk.restart(f"rm -r {folder}")
        desk.started_again()


# Tests the counting in ExecStopPost; Tests/Commands/test_fallbacks.py tests all fallback stages.
@pytest.mark.one_card
def test_the_kiosk_shows_the_last_good_copy_of_a_broken_file_and_later_the_repaired_file(desk):
    file = f"/etc/roundel/{desk.panel.state['kiosk']}.yaml"
    copy = f"/var/lib/roundel/last/{desk.panel.state['kiosk']}.yaml"
    text = "kiosk: broken\npages: [{page: only, controls: [{label: {}}]}]"
    try:
        # The copy is made ten seconds after the start.
        desk.panel.ssh(f"for try in $(seq 900); do [ -e {copy}{file} ] && break; sleep 0.1; done")
        desk.restart(f"cp {file} /run/kept.yaml", f"echo '{text}' > {file}")
        desk.started_again()
        status = json.loads(desk.panel.ssh("roundel status --json").stdout)
        assert "the panel shows the last working copy" in status["fault"]
        assert f"{file}:2:" in desk.panel.ssh(f"journalctl -q -o cat -u {desk.unit}").stdout
        desk.down(desk.wheel.enabled[0])
        desk.shows_what_was_done("wedge of the copy held")
        desk.up()

        desk.restart(f"rm -r {copy}")
        shown = desk.panel.ssh("roundel get reasons.text").stdout
        assert f"{file}:2:" in shown
        assert desk.panel.ssh("hostname").stdout.strip() in desk.panel.ssh("roundel get help.text").stdout
        assert len(set(desk.screen().pixels)) > 1, "the panel is blank"
    finally:
        desk.panel.ssh(f"cat /run/kept.yaml > {file}")
    desk.started_again()
    assert "fault" not in json.loads(desk.panel.ssh("roundel status --json").stdout)


@pytest.mark.one_card
def test_the_unit_counts_crashes_in_a_row_and_not_a_killed_kiosk(desk):
    ends = f"/run/roundel/{desk.panel.state['kiosk']}.ends"
    for signal in ("KILL", "ILL", "SEGV"):
        old = desk.main_pid()
        desk.panel.ssh(f"kill -{signal} {old}; until pid=$(systemctl show -P MainPID {desk.unit}); "
                       f"[ $pid != 0 ] && [ $pid != {old} ] && systemctl is-active -q {desk.unit}; do sleep 0.1; done")
    assert [line.split()[1] for line in desk.panel.ssh(f"cat {ends}").stdout.splitlines()] == ["ILL", "SEGV"]
    desk.panel.ssh(f"systemctl restart {desk.unit}; [ ! -e {ends} ]")
    desk.started_again()


@pytest.mark.one_card
def test_the_installed_unit_is_well_formed_and_well_sandboxed(desk):
    verified = desk.panel.ssh(f"systemd-analyze verify {desk.unit}", check=False)
    assert (verified.returncode, verified.stderr) == (0, "")
    desk.panel.ssh(f"systemd-analyze security --no-pager --threshold=15 {desk.unit}")
