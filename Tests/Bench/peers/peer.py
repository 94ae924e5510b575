# SPDX-License-Identifier: MIT
"""The scenes of peer.h for peers driven by Python: the same geometry, images, timing and output.

A peer creates a `Peer` with its name, provides the picture's memory in `pixels` (0xFFRRGGBB in rows without
padding), and calls `report` for each scene.
"""
import array
import ctypes
import math
import pathlib
import sys
import time

WEDGES, NUMBERS, QUARTERS, ICONS, REELS, ROWS = 12, 60, 4, 8, 5, 6
BACKGROUND, FACE, LIT, WHITE = 0xff101418, 0xff26303a, 0xffffb300, 0xffffffff
COLORS = [0xffe53935, 0xfffb8c00, 0xfffdd835, 0xff7cb342, 0xff43a047, 0xff00897b,
          0xff00acc1, 0xff1e88e5, 0xff3949ab, 0xff5e35b1, 0xff8e24aa, 0xffd81b60]
NAMES = ["Kitchen", "Bedroom", "Garage", "Lights", "Heating", "Shutters", "Garden", "Music",
         "Security", "Cinema", "Holiday", "Settings"]
DIGITS = [f"{number:02d}" for number in range(NUMBERS)]
FACE_IMAGE, PAGE_IMAGE, REST_IMAGE, PRESSED_IMAGE, ICON_IMAGE = 0, 1, 2, 6, 10


def wedge_angles(k):
    """The start and end of a wedge in radians from the right, clockwise."""
    return math.radians(30 * k + 0.75 - 90), math.radians(30 * k + 29.25 - 90)


def wedge_middle(k):
    return math.radians(30 * k + 15 - 90)


def quarter_angles(k):
    return math.radians(90 * k + 0.75 - 90), math.radians(90 * k + 89.25 - 90)


def dial_turn(frame):
    return math.radians(0.37123 * frame) + 0.0123


def stepped(color, frame):
    """Every second frame changes all colours by one step, so that nothing can be skipped."""
    return color ^ (frame & 1)


def image_pixels(number, width, height):
    """Smooth gradients of red and green with a blue disc, as an array of 0xFFRRGGBB."""
    def slope(place):
        step = place % 512
        return step if step < 256 else 511 - step

    pixels = array.array("I", bytes(4 * width * height))
    columns = [x * 512 // width for x in range(width)]
    limit = 20000 + 8000 * (number % 5)
    reds = [0xff000000 | slope(u + 60 * number) << 16 for u in columns]
    for y in range(height):
        v = y * 512 // height
        green = slope(v + 110 * number) << 8
        for x, u in enumerate(columns):
            blue = 230 if (u - 256) ** 2 + (v - 256) ** 2 < limit else 70
            pixels[y * width + x] = reds[x] | green | blue
    return pixels


class Peer:
    def __init__(self, name):
        if len(sys.argv) < 4:
            sys.exit(f"usage: {sys.argv[0]} WIDTH HEIGHT SECONDS [FOLDER]")
        self.name = name
        self.width, self.height = int(sys.argv[1]), int(sys.argv[2])
        self.seconds = float(sys.argv[3])
        self.folder = pathlib.Path(sys.argv[4]) if len(sys.argv) > 4 else None
        # The plane's 800 pixels fill the height.
        self.scale = self.height / 800
        self.center = self.width / 2, self.height / 2
        self.inner, self.outer = 90 * self.scale, 380 * self.scale
        self.label_radius, self.number_radius = 235 * self.scale, 340 * self.scale
        self.font_size, self.baseline = 22 * self.scale, 8 * self.scale
        self.pixels = bytearray(4 * self.width * self.height)
        self.near_wedges, self.near_labels = self._near()

    # Boxes are (x0, y0, x1, y1), in whole pixels.

    def box_around(self, inner, outer, start, end, margin):
        places = [(self.center[0] + radius * math.cos(angle), self.center[1] + radius * math.sin(angle))
                  for angle in (start + (end - start) * i / 64 for i in range(65))
                  for radius in (inner, outer)]
        xs, ys = zip(*places)
        return (max(math.floor(min(xs) - margin), 0), max(math.floor(min(ys) - margin), 0),
                min(math.ceil(max(xs) + margin), self.width), min(math.ceil(max(ys) + margin), self.height))

    def wedge_box(self, k):
        return self.box_around(self.inner, self.outer, *wedge_angles(k), 0.5)

    def quarter_box(self, k):
        return self.box_around(self.inner, self.outer, *quarter_angles(k), 0.5)

    def dial_box(self):
        reach, (x, y) = math.ceil(self.outer) + 1, self.center
        return int(x) - reach, int(y) - reach, int(x) + reach, int(y) + reach

    def _near(self):
        """The wedges and labels that overlap the box of each wedge."""
        wedges, labels = [], []
        reach = 60 * self.scale
        for k in range(WEDGES):
            x0, y0, x1, y1 = self.wedge_box(k)

            def holds(other):
                start, end = wedge_angles(other)
                return any(
                    x0 <= self.center[0] + radius * math.cos(angle) <= x1
                    and y0 <= self.center[1] + radius * math.sin(angle) <= y1
                    for angle in (start + (end - start) * i / 60 for i in range(61))
                    for radius in (self.inner + (self.outer - self.inner) * j / 60 for j in range(61)))

            def touches(other):
                middle = wedge_middle(other)
                a0, b0, a1, b1 = self.box_around(self.label_radius - reach, self.label_radius + reach,
                                                 middle, middle, 16 * self.scale)
                return a0 < x1 and a1 > x0 and b0 < y1 and b1 > y0

            wedges.append([other for other in range(WEDGES) if holds(other)])
            labels.append([other for other in range(WEDGES) if touches(other)])
        return wedges, labels

    def plane_x(self, x):
        return self.center[0] + (x - 640) * self.scale

    def icon_radius(self, frame):
        return (70 + 30 * math.sin(0.05 * frame)) * self.scale

    def icon_place(self, k):
        return (self.center[0] + 270 * self.scale * math.sin(k * math.pi / 4),
                self.center[1] - 270 * self.scale * math.cos(k * math.pi / 4))

    def icon_box(self, k, frame):
        """The area of an icon in a frame and the previous one."""
        reach = max(self.icon_radius(frame), self.icon_radius(frame - 1)) + 0.5
        x, y = self.icon_place(k)
        return math.floor(x - reach), math.floor(y - reach), math.ceil(x + reach), math.ceil(y + reach)

    def reel_box(self, reel):
        x, y = self.plane_x(40 + 244 * reel), 50 * self.scale
        return round(x), round(y), round(x + 224 * self.scale), round(y + 700 * self.scale)

    def rows(self, reel, frame):
        """The visible rows of a reel, and the top of each."""
        shift = frame * (5 + 2 * reel) % (ROWS * 175)
        return [((shift // 175 + i + reel) % ROWS, round((50 + i * 175 - shift % 175) * self.scale))
                for i in range(5)]

    def row_size(self):
        return math.ceil(224 * self.scale) + 1, math.ceil(175 * self.scale) + 1

    # Timing.

    def _measure(self, duration, frames, paint):
        """Returns sorted samples of processor time per frame, in µs."""
        now = time.process_time_ns
        frame, samples, start = 0, [], now()
        while frame < 6 or now() - start < 0.07e9 * duration:
            paint(frame)
            frame += 1
        frame += frame & 1
        start = now()
        while len(samples) < 20000 and (len(samples) < 15 or now() - start < duration * 1e9):
            before = now()
            for _ in range(frames):
                paint(frame)
                frame += 1
            samples.append((now() - before) / 1000 / frames)
        return sorted(samples)

    def _memset(self):
        memory = (ctypes.c_char * len(self.pixels)).from_buffer(self.pixels)
        samples = self._measure(
            self.seconds * 0.2, 1, lambda frame: ctypes.memset(memory, frame & 0xff, len(memory)))
        return samples[len(samples) // 2]

    def report(self, scene, frames, whole, paint):
        """Times a scene that `whole` has painted completely first. A sample consists of `frames` frames."""
        before = self._memset()
        self.pixels[:] = BACKGROUND.to_bytes(4, "little") * (self.width * self.height)
        whole(10)
        if self.folder:
            self._write(scene)
        samples = self._measure(self.seconds, frames, paint)
        memset = min(before, self._memset())
        median = samples[len(samples) // 2]
        print(f"{self.name}|{scene}|{self.width}x{self.height}|{median:.3f}|{samples[0]:.3f}"
              f"|{samples[len(samples) * 95 // 100]:.3f}|{len(samples)}|{memset:.3f}|{median / memset:.3f}",
              flush=True)

    def _write(self, scene):
        colors = bytearray(3 * self.width * self.height)
        for channel in range(3):
            colors[channel::3] = self.pixels[2 - channel::4]
        path = self.folder / f"{self.name}-{scene}-{self.width}x{self.height}.ppm"
        path.write_bytes(f"P6 {self.width} {self.height} 255\n".encode() + colors)
