# SPDX-License-Identifier: MIT
"""Tests panel drivers on display controllers that QEMU or a separate process emulates. Tests/Rig/drivers tests all
of them, deploy/test two."""

import pytest
from conftest import ARTIFACTS, DRIVERS, KIOSK, PANELS, TOP, Desk
from remote import Remote

SIZES = {"cirrus": (800, 600), "gud": (800, 480), "gud-rgb332": (800, 480), "gud-r8": (800, 480),
         "gud-rgb888": (800, 480), "gud-xrgb8888": (800, 480), "vkms": (1280, 800), "simpledrm": (1024, 600), **PANELS}
# Other tests use these machines afterwards.
SHARED = {"gud", "vkms", *PANELS}
CHOSEN = list(SIZES) if DRIVERS else ["cirrus", "gud"]


@pytest.fixture(scope="module", params=CHOSEN)
def booted(request, binary, machines, tmp_path_factory):
    kind = request.param, SIZES[request.param]
    yield Desk(machines.show(KIOSK, *kind), binary, tmp_path_factory.mktemp(request.param))
    if request.param not in SHARED:
        machines.stop(kind)


def test_the_panel_shows_the_rendered_picture_and_responds_to_a_touch(desk):
    desk.shows(desk.rendered(), "the first frame")
    wedge = desk.wheel.enabled[0]
    desk.down(wedge)
    desk.shows_what_was_done("wedge held")
    desk.up()
    desk.shows_what_was_done("after the blink")


def test_a_suite_passes(desk, binary):
    if not DRIVERS and not desk.panel.graphics.usb:
        pytest.skip("Tests/Rig/drivers does it")
    remote = Remote(desk.panel, binary)
    try:
        told = remote.run("test", TOP / "deploy/examples/suites/shows.yaml",
                          "--artifacts", ARTIFACTS / f"suites-{desk.panel.state['gpu']}", timeout=400).stdout
        passed = [line for line in told.splitlines() if line.startswith("ok ") and "# SKIP" not in line]
        assert len(passed) > 2
    finally:
        remote.close()
        # Restart the kiosk to undo the effects of the suite.
        desk.restart()
        desk.started_again()
