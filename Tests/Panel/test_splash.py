# SPDX-License-Identifier: MIT
"""A panel that shows plymouth's splash before the kiosk's first frame."""

import os
import time

import pytest
from conftest import FAULTS, KIOSK, Desk
from Rig.machine import Panel

pytestmark = pytest.mark.skipif(not FAULTS, reason="needs a larger image; Tests/Rig/faults 1 -k splash runs it")
# Additional packages for the panel.
PACKAGES = ("plymouth", "plymouth-themes")
OPTIONS = "splash plymouth.ignore-serial-consoles vt.global_cursor_default=0"
# A theme with a background that is not black.
SETTINGS = {"/etc/plymouth/plymouthd.conf": "[Daemon]\nTheme=spinfinity\nShowDelay=0\n"}


@pytest.fixture
def panel(no_leftovers):
    panel = Panel(f"test-splash-{os.getpid()}")
    yield panel
    panel.stop()


def is_splash(picture):
    """Whether the corner has a colour: the theme has a coloured corner, a console a black one."""
    return any(picture.pixels[:3])


def seen_until(desk, expected, timeout=240):
    """Collects the pictures on the screen until it shows `expected`."""
    seen = [desk.screen()]
    deadline = time.monotonic() + timeout
    while seen[-1] != expected:
        assert time.monotonic() < deadline, "the kiosk is not shown"
        time.sleep(0.02)
        picture = desk.screen()
        if picture != seen[-1]:
            seen.append(picture)
    return seen


def test_the_first_frame_of_the_kiosk_follows_the_splash(panel, binary, tmp_path, capsys):
    panel.boot(binary, KIOSK, more=PACKAGES, files=SETTINGS, options=OPTIONS)
    desk = Desk(panel, binary, tmp_path)
    seen = seen_until(desk, desk.rendered())
    # The screen is dark before the splash and shows the kiosk after it.
    splash = [is_splash(picture) for picture in seen[:-1]]
    assert any(splash), "there is no splash"
    assert splash == sorted(splash), "the splash ends before the kiosk is shown"
    panel.wait_for_kiosk()
    panel.ssh("! pgrep plymouthd")
    assert desk.screen() == seen[-1]
    with capsys.disabled():
        print(f"\n{sum(splash)} pictures of a splash, then the kiosk's")
