# SPDX-License-Identifier: MIT
"""Finds the wedges of the first pinwheel in a kiosk file, with the geometry of the reference."""

import json
import math
import re
from pathlib import Path


class Pinwheel:
    def __init__(self, file, panel):
        """Reads a kiosk file for a panel of this size."""
        text = Path(file).read_text()
        size = re.search(r"^\s*size:\s*(\[.*\])\s*$", text, re.M)
        sizes = json.loads(size[1]) if size else [1280, 800]
        if not isinstance(sizes[0], list):
            sizes = [sizes]

        def covered(size):
            across, down = size[0] * panel[1], size[1] * panel[0]
            return min(across, down) / max(across, down)

        # Choose the size that covers most of the panel.
        self.design = tuple(max(sizes, key=covered))
        text = re.sub(r'"\{([^"?{}]*)\}"', self.constant, text)
        wheel = re.search(r"pinwheel:\s*([\w-]+)(.*)", text, re.S)
        assert wheel, f"{file} has no pinwheel"
        self.id, rest = wheel[1], wheel[2]
        keys, _, wedges = rest.partition("wedges:")

        def number(key, otherwise):
            found = re.search(rf"\b{key}:\s*(-?[\d.]+)", keys)
            return float(found[1]) if found else otherwise

        centre = re.search(r"\bat:\s*\[([^]]*)\]", keys)[1]
        self.centre = [float(part) for part in centre.split(",")]
        self.radius = number("radius", None)
        self.hole = number("hole", 0.25 * self.radius)
        self.start = number("start", 0)
        dash = re.match(r"[^\n]*\n(\s*)-", wedges)[1]
        # The last wedge ends at the first line with less indentation: the next control or page.
        items = re.split(rf"^{dash}-", wedges, flags=re.M)[1:]
        items[-1] = re.split(rf"\n(?!{dash}\s)\s*\S", items[-1])[0]
        self.wedges = [(re.search(r"\bid:\s*([\w-]+)", item)[1],
                        not re.search(r"\benabled:\s*(false|no|off)\b", item)) for item in items]

    def constant(self, template):
        """Evaluates a template of constants; returns other templates unchanged."""
        words = template[1].replace("screen.width", str(self.design[0])).replace("screen.height", str(self.design[1]))
        if re.search(r"[A-Za-z_]", re.sub(r"\b(min|max)\b", "", words)):
            return template[0]
        return f"{eval(words, {'__builtins__': {}, 'min': min, 'max': max}):g}"

    @property
    def enabled(self):
        return [name for name, enabled in self.wedges if enabled]

    @property
    def disabled(self):
        return [name for name, enabled in self.wedges if not enabled]

    def middle(self, name):
        """The middle of a wedge in design pixels."""
        index = [wedge for wedge, _ in self.wedges].index(name)
        angle = math.radians(self.start + 360 * index / len(self.wedges))
        reach = (self.hole + self.radius) / 2
        return (self.centre[0] + reach * math.sin(angle), self.centre[1] - reach * math.cos(angle))

    def on_panel(self, point, size):
        """Converts a design point to panel pixels: scaled uniformly and centred."""
        scale = min(size[0] / self.design[0], size[1] / self.design[1])
        return tuple((panel - design * scale) / 2 + at * scale
                     for at, design, panel in zip(point, self.design, size))
