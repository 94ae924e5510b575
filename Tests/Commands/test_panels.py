# SPDX-License-Identifier: MIT
"""Panels without hardware: depths, calibration, reports."""

import json
import os
import pathlib
import struct
import subprocess
import zlib

import pytest

from live import LiveKiosk

TOP = pathlib.Path(__file__).resolve().parents[2]
ROUNDEL = os.environ.get("ROUNDEL_BINARY", str(TOP / ".build/release/roundel"))

# The panel is grey, between two levels of 6 bits.
KIOSK = """
kiosk: grey
screen: {size: [64, 48], background: "#2b2b2b", font: DejaVu Sans%s}
pages:
  - page: one
    controls: [{timer: never, every: 1000}]
"""


def roundel(*arguments, timeout=60):
    return subprocess.run([ROUNDEL, *map(str, arguments)], capture_output=True, text=True,
                          timeout=timeout, check=False, start_new_session=True)


def pixels(data):
    """Returns the colours of a non-interlaced 8-bit PNG file."""
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    assert depth == 8 and kind in (2, 6)
    size = 3 if kind == 2 else 4
    packed, at = b"", 8
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        if name == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    raw, row, rows = zlib.decompress(packed), bytes(width * size), []
    for y in range(height):
        start = y * (width * size + 1)
        code, line = raw[start], bytearray(raw[start + 1:start + 1 + width * size])
        for x, value in enumerate(line):
            left = line[x - size] if x >= size else 0
            up, corner = row[x], row[x - size] if x >= size else 0
            guess = left + up - corner
            paeth = min((left, up, corner), key=lambda other: abs(guess - other))
            line[x] = (value + (0, left, up, (left + up) // 2, paeth)[code]) & 255
        row = bytes(line)
        rows.append([tuple(row[x:x + 3]) for x in range(0, len(row), size)])
    return rows


@pytest.fixture
def kiosk(tmp_path):
    def write(keys=""):
        path = tmp_path / "kiosk.yaml"
        path.write_text(KIOSK % keys)
        return path
    return write


def colours(path):
    return [colour for row in pixels(path.read_bytes()) for colour in row]


def test_the_file_sets_the_depth_of_the_panel(kiosk, tmp_path):
    picture = tmp_path / "picture.png"
    file = kiosk(", depth: 18")
    assert roundel("check", file).returncode == 0
    assert roundel("render", file, "-o", picture).returncode == 0
    found = colours(picture)
    # Two levels of 64 with the colour as their mean.
    assert {value for colour in found for value in colour} == {40, 44}
    # A level repeats its bits as its lowest bits, so it is less than 1 too dark.
    assert abs(sum(colour[0] for colour in found) / len(found) - 0x2b) < 1


@pytest.mark.parametrize("depth, levels", [(8, 8), (12, 16), (15, 32), (16, 32), (18, 64), (24, 256)])
def test_the_command_overrides_the_depth_of_the_file(kiosk, tmp_path, depth, levels):
    picture = tmp_path / "picture.png"
    file = kiosk(", depth: 24")
    assert roundel("render", file, "-o", picture, "--depth", depth).returncode == 0
    reds = [colour[0] for colour in colours(picture)]
    assert len(set(reds)) == (1 if depth == 24 else 2)
    assert depth == 24 or abs(max(reds) - min(reds) - 255 / (levels - 1)) <= 2
    assert abs(sum(reds) / len(reds) - 0x2b) < 1 + 256 / levels / 16


def test_an_invalid_depth_is_an_error_in_the_file_and_the_command(kiosk, tmp_path):
    checked = roundel("check", kiosk(", depth: 17"))
    assert checked.returncode == 1 and "depth" in checked.stdout + checked.stderr
    assert roundel("render", kiosk(), "-o", tmp_path / "x.png", "--depth", 17).returncode == 64


def test_a_running_kiosk_reports_and_shows_its_depth(kiosk, tmp_path):
    live = LiveKiosk(tmp_path, "--depth", 18, file=kiosk())
    try:
        status = json.loads(live.run("status", "--json").stdout)["display"]
        assert status["depth"] == 18 and status["blanks"] == "none"
        picture = tmp_path / "picture.png"
        live.run("screenshot", "-o", picture)
        assert {value for colour in colours(picture) for value in colour} == {40, 44}
        live.run("calibrate", code=1)
    finally:
        live.close()


def test_a_report_describes_the_machine_and_not_its_owner(tmp_path):
    path = tmp_path / "report.txt"
    made = roundel("doctor", "--report", "-o", path)
    assert made.returncode == 0, made.stderr
    text = path.read_text()
    for title in ("== machine", "== cards", "== axes of input devices", "== flips"):
        assert title in text
    assert os.uname().release in text
    for secret in (os.uname().nodename, pathlib.Path("/etc/machine-id").read_text().strip()
                   if pathlib.Path("/etc/machine-id").exists() else ""):
        assert len(secret) < 4 or secret not in text
    assert roundel("doctor", "--report").stdout.startswith("== roundel")
    assert roundel("doctor", "--report", "--json").returncode == 64


def test_a_missing_drm_device_is_reported(kiosk):
    shown = roundel("run", kiosk(), "--display", "drm", "--card", "vc5")
    assert shown.returncode == 69 and "no DRM device vc5" in shown.stderr
