# SPDX-License-Identifier: MIT
"""The examples on panels of every shape: an overlay that gives their screen another size lays them out anew."""

import pathlib
import shutil

import pytest
import yaml

from live import TOP, run

KIOSKS = sorted((TOP / "deploy/kiosks").glob("*.yaml"))

# The screens for a kiosk whose own has that short side, and the panels that show them: wide, upright, round,
# and 4:3.
SHAPES = {
    480: [(800, 480, "800x480"), (480, 800, "480x800"), (480, 480, "720x720"), (640, 480, "320x240")],
    720: [(1280, 800, "1280x800"), (800, 1280, "800x1280"), (720, 720, "720x720"), (640, 480, "320x240")],
    800: [(1280, 800, "1280x800"), (800, 1280, "1080x1920"), (720, 720, "1080x1080"), (640, 480, "320x240")],
    1080: [(1920, 1080, "1920x1080"), (1080, 1920, "1080x1920"), (1080, 1080, "1080x1080"),
           (1440, 1080, "1440x1080")],
}


def screens(kiosk):
    return SHAPES[min(yaml.safe_load(kiosk.read_text())["screen"]["size"])]


@pytest.mark.parametrize("shape", range(4), ids=["wide", "upright", "round", "small"])
@pytest.mark.parametrize("kiosk", KIOSKS, ids=[path.stem for path in KIOSKS])
def test_an_example_fits_a_panel(kiosk, shape, tmp_path):
    width, height, panel = screens(kiosk)[shape]
    shutil.copytree(kiosk.parent, tmp_path, dirs_exist_ok=True)
    file = tmp_path / kiosk.name
    form = "round" if width == height else "rectangle"
    file.with_suffix(".overlay.yaml").write_text(f"screen: {{size: [{width}, {height}], shape: {form}}}\n")
    done = run("check", "--size", panel, file)
    assert done.returncode == 0, done.stderr
    assert done.stderr.replace(f"{tmp_path}/", "") == ""


def test_a_control_that_is_where_the_shape_has_no_room_is_told(tmp_path):
    """The check above can fail."""
    text = (TOP / "deploy/kiosks/dinner.yaml").read_text()
    (tmp_path / "dinner.yaml").write_text(text.replace("screen.width", "1280").replace("screen.height", "800"))
    (tmp_path / "dinner.overlay.yaml").write_text("screen: {size: [480, 800]}\n")
    assert "outside of the screen" in run("check", tmp_path / "dinner.yaml").stderr
