# SPDX-License-Identifier: MIT
"""Pictures as rows of RGB bytes: reads PNG and PPM, compares, and writes PNG."""

import struct
import zlib
from pathlib import Path

from Rig import images


class Picture:
    def __init__(self, width, height, pixels):
        assert len(pixels) == width * height * 3
        self.size = (width, height)
        self.pixels = bytes(pixels)

    def __eq__(self, other):
        return self.size == other.size and self.pixels == other.pixels

    def __repr__(self):
        return f"a picture of {self.size[0]}x{self.size[1]}"

    @classmethod
    def read_ppm(cls, file):
        data = Path(file).read_bytes()
        kind, width, height, depth = data[:64].split(maxsplit=4)[:4]
        assert kind == b"P6" and depth == b"255", f"{file} is no 24-bit PPM"
        width, height = int(width), int(height)
        return cls(width, height, data[len(data) - width * height * 3:])

    @classmethod
    def read_png(cls, file):
        """Reads 8-bit RGB and RGBA without interlacing (PNG specification, sections 5 and 9)."""
        data = Path(file).read_bytes()
        assert data.startswith(b"\x89PNG\r\n\x1a\n"), f"{file} is no PNG"
        at, packed = 8, b""
        while at < len(data):
            length, kind = struct.unpack_from(">I4s", data, at)
            if kind == b"IHDR":
                width, height, depth, colour, _, _, interlace = struct.unpack_from(
                    ">IIBBBBB", data, at + 8)
            elif kind == b"IDAT":
                packed += data[at + 8:at + 8 + length]
            at += 12 + length
        assert depth == 8 and colour in (2, 6) and not interlace, f"{file}: kind of PNG not read"
        channels = 3 if colour == 2 else 4
        rows = _unfiltered(zlib.decompress(packed), width * channels, channels)
        if channels == 4:
            opaque = bytes([255]) * width
            for row in rows:
                assert row[3::4] == opaque, f"{file} is not opaque"
            rows = [_without_alpha(row) for row in rows]
        return cls(width, height, b"".join(rows))

    def write_png(self, file):
        Path(file).write_bytes(images.png(self.size, self.pixels))

    def grey(self):
        """The picture in grey, as the kernel converts it: (3 red + 6 green + blue) / 10."""
        red, green, blue = (self.pixels[channel::3] for channel in range(3))
        shades = bytes((3 * r + 6 * g + b) // 10 for r, g, b in zip(red, green, blue))
        pixels = bytearray(self.pixels)
        for channel in range(3):
            pixels[channel::3] = shades
        return Picture(*self.size, pixels)

    def swapped(self):
        """The picture with red and blue swapped."""
        pixels = bytearray(self.pixels)
        pixels[0::3], pixels[2::3] = self.pixels[2::3], self.pixels[0::3]
        return Picture(*self.size, pixels)

    def reduced(self, bits):
        """The picture with only the highest `bits` of red, green and blue, as a panel with fewer colours shows it."""
        masks = [bytes(byte & 0xff << 8 - count & 0xff for byte in range(256)) for count in bits]
        pixels = bytearray(self.pixels)
        for channel, mask in enumerate(masks):
            pixels[channel::3] = self.pixels[channel::3].translate(mask)
        return Picture(*self.size, pixels)

    @property
    def vkms_sum(self):
        """The checksum that vkms computes for a frame: a CRC-32 of pixels with four 16-bit channels (alpha, red,
        green, blue), starting at 0 and not inverted. Source: Linux, drivers/gpu/drm/vkms/vkms_composer.c."""
        wide = bytearray(b"\xff" * (len(self.pixels) // 3 * 8))
        for channel in range(3):
            for byte in range(2):
                wide[2 + 2 * channel + byte::8] = self.pixels[channel::3]
        return ~zlib.crc32(wide, 0xffffffff) & 0xffffffff

    def difference(self, other):
        """Returns a picture whose white pixels mark the differences, and a sentence about them."""
        if self.size != other.size:
            return self, f"sizes differ: {self.size} and {other.size}"
        width = self.size[0]
        marks = bytearray(len(self.pixels))
        xs, ys, most = [], [], 0
        for at in range(0, len(marks), 3):
            mine, theirs = self.pixels[at:at + 3], other.pixels[at:at + 3]
            if mine != theirs:
                marks[at:at + 3] = b"\xff\xff\xff"
                xs.append(at // 3 % width)
                ys.append(at // 3 // width)
                most = max(most, *(abs(a - b) for a, b in zip(mine, theirs)))
        if not xs:
            return Picture(*self.size, marks), "no pixel differs"
        return Picture(*self.size, marks), (
            f"{len(xs)} pixels differ, by up to {most}, "
            f"between x {min(xs)}…{max(xs)} and y {min(ys)}…{max(ys)}")


def _unfiltered(raw, stride, channels):
    rows, above = [], bytearray(stride)
    for start in range(0, len(raw), stride + 1):
        kind, row = raw[start], bytearray(raw[start + 1:start + 1 + stride])
        if kind == 1:
            for i in range(channels, stride):
                row[i] = (row[i] + row[i - channels]) & 255
        elif kind == 2:
            for i in range(stride):
                row[i] = (row[i] + above[i]) & 255
        elif kind == 3:
            for i in range(stride):
                left = row[i - channels] if i >= channels else 0
                row[i] = (row[i] + (left + above[i]) // 2) & 255
        elif kind == 4:
            for i in range(stride):
                left, corner = ((row[i - channels], above[i - channels]) if i >= channels
                                else (0, 0))
                row[i] = (row[i] + _paeth(left, above[i], corner)) & 255
        rows.append(bytes(row))
        above = row
    return rows


def _paeth(left, above, corner):
    estimate = left + above - corner
    distances = abs(estimate - left), abs(estimate - above), abs(estimate - corner)
    return (left, above, corner)[distances.index(min(distances))]


def _without_alpha(row):
    kept = bytearray(len(row) // 4 * 3)
    for channel in range(3):
        kept[channel::3] = row[channel::4]
    return bytes(kept)
