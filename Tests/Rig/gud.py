# SPDX-License-Identifier: MIT
"""A USB display for the kernel's `gud` driver: its control requests and bulk data. Source of all numbers: Linux,
include/drm/gud.h."""

import random
import struct
from dataclasses import dataclass

from .usbredir import Function

# Requests.
GET_STATUS, GET_DESCRIPTOR, GET_FORMATS, GET_PROPERTIES = 0x00, 0x01, 0x40, 0x41
GET_CONNECTORS, GET_CONNECTOR_PROPERTIES, SET_FORCE_DETECT = 0x50, 0x51, 0x53
GET_CONNECTOR_STATUS, GET_MODES, GET_EDID = 0x54, 0x55, 0x56
SET_BUFFER, SET_STATE_CHECK, SET_STATE_COMMIT = 0x60, 0x61, 0x62
SET_CONTROLLER_ENABLE, SET_DISPLAY_ENABLE = 0x63, 0x64

OK, NOT_SUPPORTED, INVALID_PARAMETER = 0, 2, 4
MAGIC = 0x1d50614d
CONNECTED = 1
PREFERRED = 1 << 10

MODE = struct.Struct("<I8HI")
BUFFER = struct.Struct("<5IBI")


def _table(bits, shift):
    """Maps each byte to its `bits` bits above `shift`, scaled to 0…255."""
    most = (1 << bits) - 1
    return bytes(round((byte >> shift & most) * 255 / most) for byte in range(256))


@dataclass(frozen=True)
class Format:
    """The format of the transferred pixels."""

    code: int
    size: int  # bytes a pixel

    def planes(self, pixels):
        """Returns the red, green and blue planes, one byte per pixel."""
        if self.size == 1 and self.code == 0x08:
            return [pixels] * 3
        if self.size == 1:
            return [pixels.translate(_table(bits, shift)) for bits, shift in ((3, 5), (3, 2), (2, 0))]
        if self.size == 2:
            low, high = pixels[0::2], pixels[1::2]
            upper = high.translate(bytes((byte & 7) << 3 for byte in range(256)))
            lower = low.translate(bytes(byte >> 5 for byte in range(256)))
            green = (int.from_bytes(upper, "big") | int.from_bytes(lower, "big")).to_bytes(len(low), "big")
            return [high.translate(_table(5, 3)), green.translate(_table(6, 0)), low.translate(_table(5, 0))]
        return [pixels[channel::self.size] for channel in (2, 1, 0)]


FORMATS = {"r8": Format(0x08, 1), "rgb332": Format(0x30, 1), "rgb565": Format(0x40, 2), "rgb888": Format(0x50, 3),
           "xrgb8888": Format(0x80, 4)}


class USBDisplay(Function):
    """A panel with one size and one format."""

    vendor, product = 0x1d50, 0x614d
    name = "GUD panel"

    def __init__(self, size, form):
        self.size = size
        self.format = FORMATS[form]
        self.bytes = 0  # that have arrived in bulk since the beginning
        self.updates = 0  # rectangles since the beginning
        self.garbage = None  # the requests that are answered at random, and chance
        self.plugged()

    def plugged(self):
        width, height = self.size
        self._status = OK
        self._rectangle = None
        self._arrived = bytearray()
        self._frame = bytearray(width * height * self.format.size)

    @property
    def mode(self):
        width, height = self.size
        # With some blanking, at 60 Hz.
        across, down = width + 40, height + 12
        return MODE.pack(across * down * 60 // 1000, width, width + 10, width + 20, across,
                         height, height + 4, height + 8, down, PREFERRED)

    def garble(self, requests, seed):
        """From now on, answers these requests with random data and refuses them when they set values."""
        self.garbage = (set(requests), random.Random(seed)) if requests else None

    @property
    def pixels(self):
        """The picture as rows of red, green and blue."""
        width, height = self.size
        pixels = bytearray(width * height * 3)
        for channel, plane in enumerate(self.format.planes(bytes(self._frame))):
            pixels[channel::3] = plane
        return bytes(pixels)

    def get(self, request, value, length):
        if self.garbage and request in self.garbage[0]:
            chance = self.garbage[1]
            return None if chance.random() < 0.2 else chance.randbytes(chance.randint(0, length))
        width, height = self.size
        answers = {
            GET_STATUS: bytes([self._status]),
            GET_DESCRIPTOR: struct.pack("<IBIBIIIII", MAGIC, 1, 0, 0, 0, width, width, height, height),
            GET_FORMATS: bytes([self.format.code]),
            GET_PROPERTIES: b"",
            # One panel connector, always connected.
            GET_CONNECTORS: struct.pack("<BI", 0, 0),
            GET_CONNECTOR_PROPERTIES: b"",
            GET_CONNECTOR_STATUS: bytes([CONNECTED]),
            GET_MODES: self.mode,
            GET_EDID: b"",
        }
        if request != GET_STATUS:
            self._status = OK if request in answers else NOT_SUPPORTED
        return answers.get(request)

    def set(self, request, value, data):
        if self.garbage and request in self.garbage[0]:
            self._status = self.garbage[1].randrange(256)
            return False
        if request == SET_STATE_CHECK:
            taken = len(data) >= MODE.size + 2 and self._takes(data)
        elif request == SET_BUFFER:
            taken = len(data) == BUFFER.size and self._begins(BUFFER.unpack(data))
        elif request in (SET_FORCE_DETECT, SET_STATE_COMMIT, SET_CONTROLLER_ENABLE, SET_DISPLAY_ENABLE):
            taken = True
        else:
            self._status = NOT_SUPPORTED
            return False
        self._status = OK if taken else INVALID_PARAMETER
        return taken

    def _takes(self, state):
        _, width, _, _, _, height, *_ = MODE.unpack_from(state)
        code, connector = state[MODE.size:MODE.size + 2]
        return (width, height) == self.size and code == self.format.code and connector == 0

    def _begins(self, request):
        x, y, width, height, length, compression, _ = request
        if (x + width > self.size[0] or y + height > self.size[1] or compression
                or not length or length != width * height * self.format.size):
            return False
        self._rectangle, self._arrived = (x, y, width, height), bytearray()
        return True

    def receive(self, data):
        """Copies a rectangle into the frame when it is complete."""
        self.bytes += len(data)
        if not self._rectangle:
            return
        self._arrived += data
        x, y, width, height = self._rectangle
        row, pitch = width * self.format.size, self.size[0] * self.format.size
        if len(self._arrived) < row * height:
            return
        for line in range(height):
            at = (y + line) * pitch + x * self.format.size
            self._frame[at:at + row] = self._arrived[line * row:(line + 1) * row]
        self._rectangle = None
        self.updates += 1
