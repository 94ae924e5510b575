# SPDX-License-Identifier: MIT
"""Visitors and blocked logs must not stop a kiosk on a booted machine."""

import json
import time

import pytest

pytestmark = pytest.mark.one_card
SIZE = (1280, 800)
SLOTS, BACK = (640, 300), (640, 650)
PLAY = """
kiosk: play
pages:
  - page: play
    controls:
      - slots: reels
        at: [640, 300]
        size: [600, 300]
        duration: 4
        reels: [{id: left, items: [one, two, three]}, {id: right, items: [red, green, blue]}]
        on: {settled: [{go: result}]}
      - button: back
        at: [640, 650]
        size: [240, 100]
        text: Back
        on: {selected: [{go: home}]}
  - page: home
    controls: [{label: welcome, at: [640, 400], text: Home}]
  - page: result
    controls: [{label: won, at: [640, 400], text: Result}]
"""


def page(desk):
    return json.loads(desk.panel.ssh("roundel status --json").stdout)["page"]


def tap(desk, point):
    scale = min(panel / design for panel, design in zip(desk.size, SIZE))
    desk.panel.tap(tuple((panel - design * scale) / 2 + at * scale
                         for at, design, panel in zip(point, SIZE, desk.size)))


@pytest.fixture
def play(desk):
    """The panel with the kiosk PLAY."""
    file = f"/etc/roundel/{desk.panel.state['kiosk']}.yaml"
    try:
        desk.restart(f"cp {file} /run/kept.yaml", f"cat > {file} <<'END'\n{PLAY}\nEND")
        desk.panel.wait_for_touchscreen()
        yield desk
    finally:
        desk.restart(f"cat /run/kept.yaml > {file}")
        desk.started_again()


def test_a_visitor_can_leave_a_page_with_spinning_reels(play):
    before = play.main_pid()
    assert page(play) == "play"
    tap(play, SLOTS)
    play.panel.ssh("roundel wait reels.spinning=true --timeout 10")
    tap(play, BACK)
    play.panel.ssh("roundel wait --still --timeout 10")
    assert page(play) == "home"
    time.sleep(5)  # longer than the reels spin
    assert page(play) == "home"
    assert play.main_pid() == before


@pytest.fixture
def unread(desk):
    """A panel whose kiosk logs to a full pipe without a reader."""
    folder = f"/run/systemd/system/{desk.unit}.d"
    try:
        desk.restart(
            "mkfifo /run/unread",
            "setsid sleep infinity <> /run/unread > /dev/null 2>&1 & echo $! > /run/holder",
            "dd if=/dev/zero of=/run/unread bs=4096 count=16 status=none",
            f"mkdir -p {folder}",
            f"printf '[Service]\\nStandardError=file:/run/unread\\n' > {folder}/unread.conf")
        yield desk
    finally:
        desk.restart(f"rm -r {folder} /run/unread", "kill $(cat /run/holder)")
        desk.started_again()


def test_an_unread_log_stops_neither_touches_nor_shutdown(unread):
    desk = unread
    desk.started_again()
    assert desk.panel.ssh(f"readlink /proc/{desk.main_pid()}/fd/2").stdout.strip() == "/run/unread"
    desk.panel.ssh(f"systemctl reload {desk.unit} 2> /dev/null || kill -HUP {desk.main_pid()}")
    # This command waits for the reload, which would otherwise cancel the press below.
    desk.panel.ssh("roundel reload")
    desk.down(desk.wheel.enabled[0])
    desk.shows_what_was_done("wedge held with an unread log")
    desk.up()
    desk.shows_what_was_done("after the blink with an unread log")
    desk.panel.ssh(f"systemctl stop {desk.unit}")
    result = desk.panel.ssh(f"systemctl show -P Result -P ExecMainStatus {desk.unit}").stdout.split()
    assert result == ["success", "0"]


def test_a_hung_journal_stops_neither_touches_nor_shutdown(desk):
    wedge = desk.wheel.middle(desk.wheel.enabled[0])
    taps = "".join(json.dumps({"t": 0, kind: {"finger": 0, "x": wedge[0], "y": wedge[1]}}) + "\n"
                   for _ in range(500) for kind in ("down", "up"))
    journal = "$(systemctl show -P MainPID systemd-journald)"
    try:
        # More events than the journal's socket holds.
        desk.panel.ssh(f"kill -STOP {journal}\nroundel touch <<'END'\n{taps}END")
        desk.panel.ssh("roundel restart")
        desk.recording = []
        desk.down(desk.wheel.enabled[0])
        desk.shows_what_was_done("wedge held with a journal that hangs")
        desk.up()
        desk.shows_what_was_done("after the blink with a journal that hangs")
        desk.panel.ssh(f"systemctl stop {desk.unit}")
    finally:
        desk.panel.ssh(f"kill -CONT {journal}")
        desk.restart()
        desk.started_again()
