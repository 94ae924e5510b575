# SPDX-License-Identifier: MIT
"""Encodes rows of red, green and blue as image files."""

import struct
import zlib


def png(size, pixels):
    width, height = size
    stride = width * 3
    raw = b"".join(b"\0" + pixels[y * stride:(y + 1) * stride] for y in range(height))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw, 1))
            + chunk(b"IEND", b""))


def ppm(size, pixels):
    return b"P6\n%d %d\n255\n" % size + pixels
