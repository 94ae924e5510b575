# SPDX-License-Identifier: MIT
"""Paints the wedges of peer.h with Blend2D through blend2d-py, which has neither images nor text."""
import math

import blend2d

from peer import *

peer = Peer("blend2d")
picture = blend2d.Image(peer.width, peer.height)
peer.pixels = picture.memoryview().cast("B")
context = blend2d.Context(picture)
STEPS = 57


def ring(start, end):
    """A sector's path. Without arcs, it has chords of half a degree, which are off by less than 0.004 pixels in
    380."""
    (x, y), path = peer.center, blend2d.Path()
    outer = [start + (end - start) * step / STEPS for step in range(STEPS + 1)]
    path.move_to(x + peer.outer * math.cos(start), y + peer.outer * math.sin(start))
    for angle in outer[1:]:
        path.line_to(x + peer.outer * math.cos(angle), y + peer.outer * math.sin(angle))
    for angle in reversed(outer):
        path.line_to(x + peer.inner * math.cos(angle), y + peer.inner * math.sin(angle))
    path.close()
    return path


def use(color):
    context.set_fill_style_rgba(color >> 16 & 255, color >> 8 & 255, color & 255, 255)


PATHS = [ring(*wedge_angles(k)) for k in range(WEDGES)]


def wedges(frame):
    use(stepped(BACKGROUND, frame))
    context.fill_all()
    for k in range(WEDGES):
        use(stepped(COLORS[k], frame))
        context.fill_path(PATHS[k])


peer.report("wedges", 1, wedges, wedges)
