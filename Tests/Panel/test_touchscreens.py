# SPDX-License-Identifier: MIT
"""Touchscreens of other kinds than QEMU's, as the kernel's HID drivers read their reports."""

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
    """The kind of touchscreen that the desk has, alone."""
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
    journal.wait_for(("pressed", wedge), ("cancelled", wedge))


def test_as_many_fingers_as_it_knows_hold_as_many_wedges(desk, kind):
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
def test_it_lets_go_when_it_is_unplugged_and_works_again(desk, kind):
    wedge = desk.wheel.enabled[1]
    journal = desk.journal()
    desk.down(wedge)
    desk.shows_what_was_done(f"wedge held on {kind}")
    desk.unplug_touchscreen()
    if kind == "resistive":
        # Of a finger without a number the kernel says that it has been lifted, and then that the touchscreen is gone:
        # who reads in between has seen a tap.
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
