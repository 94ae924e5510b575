# SPDX-License-Identifier: MIT
"""Touches on the panel as events of QEMU's multi-touch device.

Measured on QEMU 10 with Linux 6.1: an `end` without `tracking-id` -1 leaves the finger down forever, and the first
and the last finger need a `btn touch`.
"""

# The kernel's names of the kinds: QEMU's touchscreen, and the kinds that guest-touchscreen creates in the guest.
NAMES = {"virtio": "QEMU Virtio MultiTouch", "uinput": "Guest MultiTouch",
         "resistive": "Guest Resistive Touchscreen", "egalax": "eGalax Inc. USB TouchController",
         "ten-finger": "Guest Ten-Finger Touchscreen"}

RANGE = 32768  # libinput maps the device's 0..32767 onto the panel by position / RANGE


def scaled(coordinate, size):
    """Converts a coordinate on an axis of `size` pixels to the device's range."""
    return min(RANGE - 1, max(0, round(coordinate * RANGE / size)))


def _mtt(kind, finger, **data):
    tracking = -1 if kind == "end" else finger + 1
    return {"type": "mtt",
            "data": {"type": kind, "slot": finger, "tracking-id": tracking, **data}}


def _position(finger, point, size):
    return [_mtt("data", finger, axis=axis, value=scaled(point[index], size[index]))
            for index, axis in enumerate("xy")]


def _button(down):
    return {"type": "btn", "data": {"button": "touch", "down": down}}


def down(finger, point, size, first):
    return [_mtt("begin", finger, axis="x", value=0), *_position(finger, point, size),
            *([_button(True)] if first else [])]


def move(finger, point, size):
    return [_mtt("update", finger, axis="x", value=0), *_position(finger, point, size)]


def up(finger, last):
    return [_mtt("end", finger, axis="x", value=0), *([_button(False)] if last else [])]
