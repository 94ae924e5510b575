# SPDX-License-Identifier: MIT
"""Controls made of images: touches on a panel look like their replay."""

import subprocess
import time

import pytest
from picture import Picture
from recorder import glide

SIZE = (1280, 800)
KIOSK = """\
kiosk: images
screen: {size: [1280, 800], font: Inter}
pages:
  - page: all
    background: {image: page.png}
    controls:
      - dial: dial
        at: [300, 300]
        radius: 240
        labels: 12
        label_offset: 40
        text_color: white
        background: {image: face.png}
      - pinwheel: wheel
        at: [960, 280]
        radius: 240
        wedges:
          - {id: a, image: one.png, press_image: two.png}
          - {id: b, image: two.png}
          - {id: c, image: three.png, press_image: one.png}
          - {id: d, image: face.png}
      - menu: menu
        at: [640, 660]
        image: one.png
        arc: 180
        start: -90
        items:
          - {id: left, image: two.png}
          - {id: up, image: three.png}
          - {id: right, image: face.png}
      - image: mark
        at: [160, 700]
        size: [240, 120]
        file: three.png
"""
# Sizes differ from the displayed sizes; colours are whole numbers.
IMAGES = {"page.png": (640, 400, 1), "face.png": (500, 500, 2), "one.png": (300, 300, 3),
          "two.png": (700, 600, 4), "three.png": (128, 200, 5)}


def image(width, height, seed):
    pixels = bytearray()
    for y in range(height):
        for x in range(width):
            dx, dy = x * 100 // width - 50, y * 100 // height - 50
            ring = (dx * dx + dy * dy) // (200 + 60 * seed) + (dx > 0) + 2 * (dy > 0)
            pixels += bytes(40 + (ring * step + seed * 3) % 5 * 50 for step in (3, 1, 2))
    return Picture(width, height, pixels)


@pytest.fixture(scope="module")
def panel(machines, tmp_path_factory):
    folder = tmp_path_factory.mktemp("images")
    for name, (width, height, seed) in IMAGES.items():
        image(width, height, seed).write_png(folder / name)
    file = folder / "images.yaml"
    file.write_text(KIOSK)
    return machines.show(file, size=SIZE)


def screen(panel, scratch):
    panel.qmp("screendump", filename=str(scratch / "seen.ppm"), format="ppm")
    return Picture.read_ppm(scratch / "seen.ppm")


def test_the_panel_shows_images_as_rendered(panel, recorder, binary, tmp_path):
    subprocess.run([binary, "render", panel.file, "-o", tmp_path / "page.png"], check=True,
                   stdout=subprocess.DEVNULL)
    expected = Picture.read_png(tmp_path / "page.png")
    deadline = time.monotonic() + 15
    while screen(panel, tmp_path) != expected and time.monotonic() < deadline:
        time.sleep(0.1)
    assert screen(panel, tmp_path) == expected


def test_a_finger_turns_a_dial_with_an_image(panel, recorder):
    glide(panel, [(300 + 18 * step, 110 + step * step) for step in range(10)])
    panel.touch("up", 0)
    recorder.until_told(("dial", "settled"))
    told, expected, looks_right = recorder.finish()
    assert told[0]["event"] == "pressed"
    assert told == expected
    assert looks_right


# Wedge a has a separate image for presses, wedge b a veil.
@pytest.mark.parametrize("wedge, place", [("a", (960, 140)), ("b", (1100, 280))])
def test_a_wedge_changes_its_look_while_a_finger_holds_it(panel, recorder, wedge, place):
    try:
        panel.touch("down", 0, place)
        recorder.until_told(("wheel", "pressed"))
        told, expected, looks_right = recorder.finish()
    finally:
        panel.touch("up", 0)
    assert [(event["event"], event["item"]) for event in told] == [("pressed", wedge)]
    assert told == expected
    assert looks_right


def test_a_menu_of_icons_opens_under_a_finger(panel, recorder, tmp_path):
    before = screen(panel, tmp_path)
    panel.touch("down", 0, (640, 660))
    panel.touch("up", 0)
    recorder.until_told(("menu", "opened"))
    told, expected, looks_right = recorder.finish()
    assert told == expected
    assert looks_right
    assert screen(panel, tmp_path) != before
