# SPDX-License-Identifier: MIT
"""Other kinds of touchscreens, whose reports the kernel's HID drivers read."""

import time

import pytest
from conftest import KIOSK, PANELS, Desk
from Rig.touchscreen import NAMES

FINGERS = {"resistive": 1, "egalax": 2, "ten-finger": 10}


@pytest.fixture(scope="module")
def booted(binary, machines, tmp_path_factory):
    return Desk(machines.show(KIOSK, "virtio", PANELS["virtio"]), binary, tmp_path_factory.mktemp("touchscreens"))


@pytest.fixture(params=list(FINGERS))
def kind(request, desk):
    """Replaces the desk's touchscreen with one of this kind."""
    usual = desk.panel.state["touch"]
    desk.panel.unplug_touchscreen()
    desk.panel.plug_touchscreen(request.param)
    try:
        desk.panel.wait_for_touchscreen()
        yield request.param
        for finger in list(desk.panel.state["fingers"]):
            desk.up(finger)
    finally:
        desk.panel.unplug_touchscreen()
        desk.panel.plug_touchscreen(usual)


@pytest.mark.drivers
def test_a_finger_lights_a_wedge_and_selects_it(desk, kind):
    assert NAMES[kind] in desk.panel.ssh("roundel status --json").stdout
    for wedge in desk.wheel.enabled[:2]:
        journal = desk.journal()
        desk.down(wedge)
        desk.shows_what_was_done(f"wedge held on {kind}")
        desk.up()
        journal.wait_for(("pressed", wedge), ("selected", wedge))
        desk.shows_what_was_done("after the blink")


@pytest.mark.drivers
def test_a_finger_that_leaves_its_wedge_selects_nothing(desk, kind):
    wedge, other = desk.wheel.enabled[:2]
    journal = desk.journal()
    desk.down(wedge)
    desk.move(other)
    desk.shows_what_was_done(f"finger on another wedge on {kind}")
    desk.up()
    journal.wait_for(("pressed", wedge), ("left", wedge), ("cancelled", wedge))


def test_each_supported_finger_holds_its_own_wedge(desk, kind):
    wedges = desk.wheel.enabled[:FINGERS[kind]]
    journal = desk.journal()
    for finger, wedge in enumerate(wedges):
        desk.down(wedge, finger)
    desk.shows_what_was_done(f"{len(wedges)} wedges held on {kind}")
    for finger in range(len(wedges)):
        desk.up(finger)
    journal.wait_for(*[(told, wedge) for told in ("pressed", "selected") for wedge in wedges])
    desk.shows_what_was_done("after all blinks")


@pytest.mark.drivers
def test_unplugging_cancels_the_touch_and_the_touchscreen_works_again(desk, kind):
    wedge = desk.wheel.enabled[1]
    journal = desk.journal()
    desk.down(wedge)
    desk.shows_what_was_done(f"wedge held on {kind}")
    desk.unplug_touchscreen()
    if kind == "resistive":
        # Without finger numbers, the kernel reports a release before it reports the unplugging; a reader between
        # the two sees a tap.
        deadline = time.monotonic() + 15
        while len(told := [event for event in journal.told() if event[0] != "confirmed"]) < 2:
            assert time.monotonic() < deadline, told
            time.sleep(0.2)
        assert told in ([("pressed", wedge), (end, wedge)] for end in ("cancelled", "selected"))
        if told[1][0] == "selected":
            desk.recording[-1] = {"t": desk.recording[-1]["t"], "up": {"finger": 0}}
    else:
        journal.wait_for(("pressed", wedge), ("cancelled", wedge))
    desk.panel.plug_touchscreen()
    desk.panel.wait_for_touchscreen()
    journal = desk.journal()
    desk.down(wedge)
    desk.up()
    journal.wait_for(("pressed", wedge), ("selected", wedge))
