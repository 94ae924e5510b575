# SPDX-License-Identifier: MIT
"""Fingers on the panel, as events of QEMU's multi-touch device.

Facts measured on QEMU 10 with Linux 6.1: an `end` without `tracking-id` -1 leaves the finger
down for ever, and a `btn touch` has to go with the first and the last finger.
"""

# By their kind, as the kernel calls them: QEMU's, and those that guest-touchscreen makes inside the guest.
NAMES = {"virtio": "QEMU Virtio MultiTouch", "uinput": "Guest MultiTouch",
         "resistive": "Guest Resistive Touchscreen", "egalax": "eGalax Inc. USB TouchController",
         "ten-finger": "Guest Ten-Finger Touchscreen"}

RANGE = 32768  # libinput maps the device's 0..32767 onto the panel by position / RANGE


def scaled(coordinate, size):
    """The device's position of a point on an axis of `size` pixels."""
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
