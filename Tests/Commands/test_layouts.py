# SPDX-License-Identifier: MIT
"""The examples on panels of every shape use the size that covers most of the panel."""

import json
import shutil
import signal

import pytest
import yaml

from live import TOP, Lines, LiveKiosk, run

KIOSKS = sorted((TOP / "deploy/examples/kiosks").glob("*.yaml"))
NAMES = [path.stem for path in KIOSKS]

# Panels by the short side of the kiosk's first size: landscape, portrait, round, and 4:3.
PANELS = {
    480: ["800x480", "480x800", "720x720", "320x240"],
    720: ["1280x800", "800x1280", "720x720", "320x240"],
    800: ["1280x800", "1080x1920", "1080x1080", "320x240"],
    1080: ["1920x1080", "1080x1920", "1080x1080", "1440x1080"],
}


def screen(kiosk):
    return yaml.safe_load(kiosk.read_text())["screen"]


def sizes(kiosk):
    return screen(kiosk)["size"]


def covered(size, panel):
    """Returns the fraction of a panel that a size covers when scaled to fit."""
    width, height = map(int, panel.split("x"))
    scale = min(width / size[0], height / size[1])
    return size[0] * size[1] * scale * scale / (width * height)


def overlaid(kiosk, folder, settings):
    """Copies a kiosk and adds an overlay with screen settings."""
    shutil.copytree(kiosk.parent, folder, dirs_exist_ok=True)
    (folder / kiosk.name).with_suffix(".overlay.yaml").write_text(f"screen: {{{settings}}}\n")
    return folder / kiosk.name


@pytest.mark.parametrize("shape", range(4), ids=["wide", "upright", "round", "small"])
@pytest.mark.parametrize("kiosk", KIOSKS, ids=NAMES)
def test_an_example_fits_a_panel_and_covers_it(kiosk, shape, tmp_path):
    panel = PANELS[min(sizes(kiosk)[0])][shape]
    assert run("check", "--size", panel, kiosk).stderr == ""
    best = max(sizes(kiosk), key=lambda size: covered(size, panel))
    assert covered(best, panel) > 0.85
    # Equals the picture of a machine that chose that size itself.
    form = screen(kiosk).get("shape", "rectangle") if best[0] == best[1] else "rectangle"
    own = overlaid(kiosk, tmp_path, f"size: {best}, shape: {form}")
    pictures = []
    for file in [kiosk, own]:
        run("render", file, "--size", panel, "-o", tmp_path / "page.png")
        pictures.append((tmp_path / "page.png").read_bytes())
    assert pictures[0] == pictures[1]


@pytest.mark.parametrize("kiosk", KIOSKS, ids=NAMES)
def test_the_square_layout_of_an_example_fits_a_round_panel(kiosk, tmp_path):
    side = next(width for width, height in sizes(kiosk) if width == height)
    own = overlaid(kiosk, tmp_path, f"size: [{side}, {side}], shape: round")
    assert run("check", "--size", PANELS[min(sizes(kiosk)[0])][2], own).stderr == ""


@pytest.mark.parametrize("kiosk", KIOSKS, ids=NAMES)
def test_check_without_a_panel_covers_all_sizes(kiosk):
    assert run("check", kiosk).stderr == ""


def test_the_files_of_all_sizes_belong_to_a_kiosk(tmp_path):
    (tmp_path / "k.yaml").write_text("""
kiosk: k
screen: {size: [[800, 480], [480, 800]]}
pages:
  - for:
      - {if: screen.width > screen.height, part: wide.yaml}
      - {if: screen.width < screen.height, part: upright.yaml}
    page: only
    controls:
      - {label: words, at: ["{screen.width / 2}", 100], text: Hello}
      - include: $part
""")
    for name in ["wide", "upright"]:
        (tmp_path / f"{name}.yaml").write_text(f"[{{label: {name}, at: [240, 300], text: Hello}}]\n")
    told = run("check", "--files", tmp_path / "k.yaml").stdout.splitlines()
    assert [line.rsplit("/", 1)[1] for line in told] == ["k.yaml", "wide.yaml", "upright.yaml"]


def test_a_control_without_space_on_a_shape_is_reported(tmp_path):
    """Shows that the checks above can fail."""
    text = (TOP / "deploy/examples/kiosks/dinner.yaml").read_text()
    (tmp_path / "dinner.yaml").write_text(text.replace("screen.width", "1280").replace("screen.height", "800"))
    upright = run("check", "--size", "800x1280", tmp_path / "dinner.yaml").stderr
    assert "outside the screen" in upright
    assert "outside the screen" in run("check", tmp_path / "dinner.yaml").stderr
    assert ", on panels of 800 by 1280, 720 by 720 and 640 by 480\n" in run("check", tmp_path / "dinner.yaml").stderr


def test_a_recording_from_a_portrait_panel_is_replayed_at_its_size(tmp_path):
    (tmp_path / "k.yaml").write_text("""
kiosk: k
screen: {size: [[800, 480], [480, 800]]}
pages:
  - for:
      - {if: screen.width > screen.height, at: [600, 240]}
      - {if: screen.width < screen.height, at: [240, 700]}
    page: only
    controls: [{button: go, at: $at, size: [200, 100]}]
""")
    tap = '{"t":0,"down":{"finger":0,"x":240,"y":700}}\n{"t":0.1,"up":{"finger":0}}\n{"t":1,"end":true}\n'
    (tmp_path / "tap.jsonl").write_text('{"t":0,"size":[480,800]}\n' + tap)
    upright = run("replay", tmp_path / "k.yaml", tmp_path / "tap.jsonl")
    assert '"event":"selected"' in upright.stdout
    # The current panel doesn't matter.
    for panel in ["720x1200", "800x480"]:
        again = run("replay", tmp_path / "k.yaml", tmp_path / "tap.jsonl", "--size", panel, "--rotate", "90")
        assert again.stdout == upright.stdout
    (tmp_path / "tap.jsonl").write_text(tap)
    assert run("replay", tmp_path / "k.yaml", tmp_path / "tap.jsonl", "--size", "480x800").stdout == ""


def test_input_recorded_on_a_portrait_panel_can_be_replayed(tmp_path):
    shows = TOP / "deploy/examples/kiosks/shows.yaml"
    kiosk = LiveKiosk(tmp_path, "--size", "480x800", file=shows)
    try:
        with kiosk.begin("record") as recorder:
            lines = Lines(recorder.stdout)
            recording = [lines.next(), lines.next()]
            kiosk.run("tap", "shows/dateline")
            recording += lines.until('"up"')
            recorder.send_signal(signal.SIGINT)
            recording += lines.until('"end"')
    finally:
        kiosk.close()
    assert json.loads(recording[0]) == {"t": 0, "size": [800, 1280]}
    assert "clock" in json.loads(recording[1])
    (tmp_path / "taps.jsonl").write_text("".join(recording))
    replayed = run("replay", shows, tmp_path / "taps.jsonl").stdout
    assert '"control":"shows","event":"selected","item":"dateline"' in replayed


@pytest.mark.parametrize("name", NAMES)
def test_a_touch_sends_at_most_a_third_of_a_small_panel(name):
    # A 480x320 panel on a 32 MHz SPI bus needs 77 ms for all pixels.
    kiosk = TOP / "deploy/examples/kiosks" / f"{name}.yaml"
    out = run("bench", kiosk, "--size", "480x320", "--frames", "12", "--json").stdout
    for control, figures in json.loads(out)["controls"].items():
        assert figures.get("highlight_bytes", 0) * 3 <= 480 * 320 * 4, control
