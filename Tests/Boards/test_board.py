# SPDX-License-Identifier: MIT
"""Tests a virtual panel with the processor of a board. Not part of deploy/test; `deploy/test --arch arm64` runs
them."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(TOP / "deploy"), str(TOP / "Tests"), str(TOP / "Tests/Panel")]

from Rig.machine import Panel  # noqa: E402
from picture import Picture  # noqa: E402

KIOSK = TOP / "deploy/examples/kiosks/home.yaml"
TIMER = (850, 280)  # one of its wedges, which leads to another page
ARCHITECTURE = os.environ.get("ROUNDEL_BOARD_ARCH", "arm64")
PROGRAM = os.environ.get("ROUNDEL_BOARD_BINARY", TOP / f".build/trixie-{ARCHITECTURE}/release/roundel")
ROUNDEL = os.environ.get("ROUNDEL_BINARY", TOP / ".build/release/roundel")


@pytest.fixture(scope="module")
def panel():
    panel = Panel(f"test-board-{os.getpid()}")
    try:
        panel.boot(PROGRAM, KIOSK, architecture=ARCHITECTURE)
        panel.wait_for_kiosk(timeout=900)
        panel.wait_for_touchscreen()
        yield panel
    finally:
        panel.stop()


@pytest.fixture(scope="module")
def rendered(panel, tmp_path_factory):
    """A function that renders pictures on this machine with the panel's fonts."""
    folder = tmp_path_factory.mktemp("board")
    packed = subprocess.run(panel.ssh_command("tar c -C / usr/share/fonts"), check=True, capture_output=True)
    subprocess.run(["tar", "x", "-C", folder], input=packed.stdout, check=True)
    (folder / "fonts.conf").write_text(
        f"<fontconfig><dir>{folder}/usr/share/fonts</dir><cachedir>{folder}/cache</cachedir>"
        "<include>/etc/fonts/conf.d</include></fontconfig>")

    def rendered(*words):
        subprocess.run([ROUNDEL, "render", KIOSK, "-o", folder / "expected.png", "--size", "1280x800", *words],
                       check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "FONTCONFIG_FILE": str(folder / "fonts.conf")})
        return Picture.read_png(folder / "expected.png")

    return rendered


def wait_for(panel, expected, tmp_path, seconds=60):
    deadline = time.monotonic() + seconds
    while True:
        panel.qmp("screendump", filename=str(tmp_path / "screen.ppm"), format="ppm")
        seen = Picture.read_ppm(tmp_path / "screen.ppm")
        if seen == expected:
            return
        assert time.monotonic() < deadline, seen.difference(expected)[1]
        time.sleep(0.5)


def test_the_screen_matches_a_local_rendering_before_and_after_a_touch(panel, rendered, tmp_path):
    wait_for(panel, rendered(), tmp_path)
    panel.tap(TIMER)
    wait_for(panel, rendered("--page", "timer"), tmp_path)
    assert json.loads(panel.ssh("roundel status --json").stdout)["page"] == "timer"
