# SPDX-License-Identifier: MIT
"""A real terminal (tmux), and its contents as a picture."""

import re
import subprocess
import sys
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "Tests/Panel"), str(TOP / "deploy"), str(TOP / "Tests")]
from picture import Picture  # noqa: E402

HALVES = {" ": "bb", "▀": "fb", "▄": "bf", "█": "ff"}


def wait_until(condition, what, timeout=20):
    limit = time.monotonic() + timeout
    while time.monotonic() < limit:
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError(f"not within {timeout} s: {what}")


class Terminal:
    """A separate tmux with one window that runs a plain shell."""

    def __init__(self, folder, columns=80, rows=24):
        self.socket = folder / "tmux"
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", columns, "-y", rows,
                  # The toolchain's backtracer, which panels don't have, would wait for input.
                  "env", "PS1=$ ", "ENV=", "SWIFT_BACKTRACE=enable=no", "/bin/sh")
        self.tmux("set", "-g", "status", "off")
        self.resize(columns, rows)
        wait_until(lambda: "$" in self.text(), "the shell's prompt")
        self.tty = self.state("pane_tty")

    def close(self):
        self.tmux("kill-server", check=False)

    def tmux(self, *arguments, check=True):
        return subprocess.run(
            ["tmux", "-S", str(self.socket), *map(str, arguments)], capture_output=True,
            text=True, check=check, timeout=20).stdout

    def state(self, name):
        return self.tmux("display", "-p", f"#{{{name}}}").rstrip("\n")

    def resize(self, columns, rows):
        self.tmux("resize-window", "-x", columns, "-y", rows)

    def type(self, text):
        self.tmux("send-keys", "-l", text)

    def run(self, command):
        self.type(str(command) + "\n")

    def mouse(self, code, column, row, final="M"):
        """Sends a mouse report. Column and row are cells starting at 0."""
        self.type(f"\x1b[<{code};{column + 1};{row + 1}{final}")

    def text(self):
        return self.tmux("capture-pane", "-p")

    def modes(self):
        return subprocess.run(
            ["stty", "-g", "-F", self.tty], capture_output=True, text=True, check=True).stdout

    def is_plain(self):
        names = "alternate_on mouse_any_flag mouse_button_flag mouse_sgr_flag cursor_flag"
        return [self.state(name) for name in names.split()] == ["0", "0", "0", "0", "1"]

    def picture(self):
        """Returns the halves of the cells as pixels, or None if there is anything but blocks."""
        lines = self.tmux("capture-pane", "-p", "-e", "-N").split("\n")[:-1]
        colours = {"f": (192, 192, 192), "b": (0, 0, 0)}
        pixels = b""
        for line in lines:
            upper, lower = b"", b""
            for codes, character in re.findall(r"\x1b\[([\d;]*)m|(.)", line):
                if character:
                    if character not in HALVES:
                        return None
                    top, bottom = HALVES[character]
                    upper += bytes(colours[top])
                    lower += bytes(colours[bottom])
                    continue
                numbers = [int(code or 0) for code in codes.split(";")]
                while numbers:
                    code = numbers.pop(0)
                    if code in (38, 48):
                        assert numbers.pop(0) == 2, "a colour that is not of 24 bits"
                        colours["f" if code == 38 else "b"] = tuple(numbers[:3])
                        del numbers[:3]
                    if code in (0, 39):
                        colours["f"] = (192, 192, 192)
                    if code in (0, 49):
                        colours["b"] = (0, 0, 0)
            pixels += upper + lower
        width = int(self.state("pane_width"))
        if len(pixels) != width * len(lines) * 6:
            return None
        return Picture(width, len(lines) * 2, pixels)


def light(value):
    part = value / 255
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


LIGHT = [light(value) for value in range(256)]


def value(amount):
    part = 12.92 * amount if amount <= 0.0031308 else 1.055 * amount ** (1 / 2.4) - 0.055
    return round(part * 255)


def scaled(picture, width, height):
    """Returns the mean light for each pixel. The picture's sides must be multiples of the size."""
    across, down = picture.size[0] // width, picture.size[1] // height
    assert picture.size == (across * width, down * height)
    stride = picture.size[0] * 3
    pixels = bytearray()
    for y in range(height):
        rows = [picture.pixels[row * stride:(row + 1) * stride]
                for row in range(y * down, (y + 1) * down)]
        channels = [[sum(LIGHT[row[at]] for row in rows) for at in range(channel, stride, 3)]
                    for channel in range(3)]
        for x in range(width):
            for channel in channels:
                total = sum(channel[x * across:(x + 1) * across])
                pixels.append(value(total / (across * down)))
    return Picture(width, height, pixels)


def is_same(picture, other, tolerance=1):
    """Returns whether all channels are equal except for rounding."""
    return (picture is not None and picture.size == other.size
            and max(abs(a - b) for a, b in zip(picture.pixels, other.pixels)) <= tolerance)
