# SPDX-License-Identifier: MIT
"""A USB display: the data it receives, and how the kiosk handles an unplugged or faulty display."""

import json
import os
import random
import time

import pytest
from conftest import KIOSK, Desk
from Rig import gud

SIZE = (800, 480)
# How often to unplug; Tests/Rig/drivers uses 50.
PLUGS = int(os.environ.get("ROUNDEL_PLUGS", 3))


@pytest.fixture(scope="module")
def booted(binary, machines, tmp_path_factory):
    return Desk(machines.show(KIOSK, "gud", SIZE), binary, tmp_path_factory.mktemp("gud"))


def resources(desk):
    """Returns the kiosk's memory in kB and its number of open files."""
    pid = desk.main_pid()
    memory, files = desk.panel.ssh(
        f"awk '/^VmRSS/ {{ print $2 }}' /proc/{pid}/status; ls /proc/{pid}/fd | wc -l").stdout.split()
    return int(memory), int(files)


def display(desk):
    return json.loads(desk.panel.ssh("roundel status --json").stdout)["display"]


def until(holds, what, timeout=20):
    deadline = time.monotonic() + timeout
    while not holds():
        assert time.monotonic() < deadline, f"not within {timeout} s: {what}"
        time.sleep(0.1)


def unplug(desk):
    desk.panel.usb_display("unplug")
    until(lambda: display(desk)["state"] == "waiting", "the kiosk waits for a display")


def test_a_touch_sends_its_wedge_and_not_the_whole_frame(desk, capsys):
    whole = SIZE[0] * SIZE[1] * 2
    wedge, other = desk.wheel.enabled[:2]
    # The first frame after a mode change is a whole one.
    desk.down(other)
    desk.up()
    desk.shows_what_was_done("after another wedge's blink")
    before = desk.panel.usb_display("count")
    desk.down(wedge)
    desk.shows_what_was_done("wedge held")
    after = desk.panel.usb_display("count")
    sent, updates = after["bytes"] - before["bytes"], after["updates"] - before["updates"]
    with capsys.disabled():
        print(f"\na touch sends {sent} bytes in {updates} frames; a whole one has {whole}")
    # One frame, or as many as the press animation needs.
    assert 0 < sent < updates * whole / 10


def test_a_display_shows_the_picture_again_after_each_unplugging(desk, capsys):
    pid, before, times = desk.main_pid(), resources(desk), []
    expected = desk.expected()
    for _ in range(PLUGS):
        unplug(desk)
        plugged = time.monotonic()
        desk.panel.usb_display("plug")
        desk.shows(expected, "after plugging")
        times.append(time.monotonic() - plugged)
    after = resources(desk)
    with capsys.disabled():
        print(f"\n{PLUGS} x unplugged: back after {min(times):.2f} to {max(times):.2f} s, "
              f"memory {before[0]} → {after[0]} kB, descriptors {before[1]} → {after[1]}")
    assert desk.main_pid() == pid
    assert after[1] == before[1]
    assert after[0] < before[0] + 1_000
    # About one second if QEMU has a processor core to itself.
    assert max(times) < 4


def test_the_kiosk_survives_a_display_that_is_unplugged_while_it_draws(desk):
    pid, chance = desk.main_pid(), random.Random(4)
    wedges = desk.wheel.enabled
    for count in range(PLUGS):
        desk.down(wedges[count % len(wedges)])
        desk.up()
        # During the blink.
        time.sleep(chance.random() * 0.3)
        desk.panel.usb_display("unplug")
        time.sleep(chance.random() * 0.3)
        desk.panel.usb_display("plug")
        desk.shows_what_was_done("after plugging in mid-blink")
    assert desk.main_pid() == pid


NO_CARD = "no DRM device found"


# Requests answered with random data or refused, and the state that the kiosk then reports.
@pytest.mark.parametrize("requests, said", [
    pytest.param([gud.GET_DESCRIPTOR], NO_CARD, id="descriptor", marks=pytest.mark.drivers),
    pytest.param([gud.GET_FORMATS], NO_CARD, id="formats", marks=pytest.mark.drivers),
    pytest.param([gud.GET_CONNECTORS], NO_CARD, id="connectors", marks=pytest.mark.drivers),
    pytest.param([gud.GET_CONNECTOR_STATUS], "USB-1 is not connected", id="status", marks=pytest.mark.drivers),
    # The kernel invents modes if it finds none.
    pytest.param([gud.GET_MODES, gud.GET_EDID], "cannot allocate", id="modes", marks=pytest.mark.drivers),
    pytest.param([gud.SET_STATE_CHECK, gud.GET_STATUS], "refuses to show the picture on USB-1", id="states"),
    # The driver reports success before it sends the picture, so errors appear only in the kernel's log.
    pytest.param([gud.SET_BUFFER, gud.GET_STATUS], "showing", id="buffers", marks=pytest.mark.drivers),
    pytest.param(list(range(256)), NO_CARD, id="all"),
])
def test_the_kiosk_reports_a_display_that_answers_garbage_and_then_lights_a_good_one(desk, requests, said, capsys):
    pid, seen = desk.main_pid(), set()
    for seed in range(max(1, PLUGS // 15)):
        unplug(desk)
        desk.panel.usb_display("garble", seed, *requests)
        desk.panel.usb_display("plug")
        # The time that the kernel needs to give up.
        time.sleep(2)
        found = display(desk)
        seen.add(found.get("obstacle") or found["state"])
    desk.panel.usb_display("garble", 0)
    unplug(desk)
    desk.panel.usb_display("plug")
    desk.shows_what_was_done("on a good display after a bad one")
    with capsys.disabled():
        print("\n" + " / ".join(sorted(seen)))
    assert any(said in text for text in seen)
    assert desk.main_pid() == pid
