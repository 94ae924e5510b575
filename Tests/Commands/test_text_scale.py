# SPDX-License-Identifier: MIT
"""Text enlarged by guests stays on the screen, and `check` considers it."""

import json

import pytest

from live import TOP, run, tree_of
from terminal import Picture

EXAMPLES = sorted((TOP / "deploy/examples/kiosks").glob("*.yaml"))
GROWN = [1.5, 2]
# Labels near the right edge and in a corner, with and without a size.
EDGE = """\
kiosk: edge
screen: {size: [400, 400], font: Inter}
pages:
  - page: only
    controls:
      - {label: free, at: [340, 100], text: A word, font_size: 30}
      - {label: corner, at: [396, 388], text: Corner, font_size: 16, align: end}
      - {label: framed, at: [340, 200], size: [110, 40], text: A word, font_size: 30}
"""


def rim(file):
    """Yields the outermost pixels of a picture."""
    picture = Picture.read_png(file)
    row, pixels = 3 * picture.size[0], picture.pixels
    rows = [pixels[begin:begin + row] for begin in range(0, len(pixels), row)]
    return {"top": rows[0], "bottom": rows[-1], "left": b"".join(row[:3] for row in rows),
            "right": b"".join(row[-3:] for row in rows)}


def reached(file, folder, share=4):
    """Returns the edges of the screen that are only reached by enlarged text, on a panel with `share` of the
    design's size."""
    tree = tree_of(file, folder)
    names = {page["page"]: "show" if page.get("over") else "go" for page in tree["pages"]}
    size = "x".join(str(round(side / share)) for side in tree["size"])
    lines, now = [], 1
    for name, way in names.items():
        lines += [{"t": now, "set": {"text_scale": 1}}, {"t": now, way: name}]
        for scale in [1, *GROWN]:
            now += 1
            lines += [{"t": now, "set": {"text_scale": scale}}, {"t": now, "shot": f"{name}-{scale}.png"}]
        if way == "show":
            lines.append({"t": now, "go": "back"})
        now += 1
    lines.append({"t": now, "end": True})
    run("replay", file, "-", "--shots", folder, "--size", size,
        input="".join(json.dumps(line) + "\n" for line in lines))
    found = []
    for name in names:
        usual = rim(folder / f"{name}-1.png")
        for scale in GROWN:
            grown = rim(folder / f"{name}-{scale}.png")
            found += [(name, scale, edge) for edge in usual if grown[edge] != usual[edge]]
    return found


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_text_of_the_examples_grows_within_the_screen(file, tmp_path):
    # A small picture is sufficient and fast to read.
    assert reached(file, tmp_path) == []


@pytest.mark.parametrize("scale", GROWN)
def test_check_finds_no_truncated_text_in_the_examples_when_enlarged(scale):
    done = run("check", "--set", f"text_scale={scale}", *EXAMPLES)
    # The longest word of a wheel limits the size of its labels.
    wrong = [line for line in done.stderr.splitlines() if "makes the other labels" not in line]
    assert wrong == []


def test_text_grows_up_to_the_edge_and_no_further(tmp_path):
    file = tmp_path / "edge.yaml"
    file.write_text(EDGE)
    assert reached(file, tmp_path, share=1) == []
    usual, grown = (Picture.read_png(tmp_path / f"only-{scale}.png") for scale in (1, 2))
    assert grown != usual


def test_check_uses_the_enlarged_size_of_text(tmp_path):
    file = tmp_path / "small.yaml"
    file.write_text(EDGE.replace("30}", "7}"))
    assert "too small to be read" in run("check", file).stderr
    assert run("check", "--set", "text_scale=2", file).stderr == ""
