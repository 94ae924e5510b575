# SPDX-License-Identifier: MIT
"""A card of one kiosk for a Raspberry Pi, whose firmware starts U-Boot, which is a UEFI to what follows: from a table
of MBR's, which all boards can read, and a partition with FAT."""

import os
import shlex
import struct
import zlib

from tools.debian import run

from .disk import FOLDER, partition, settled
from .uefi import UEFIDisk

FAT_TYPE, LINUX_TYPE = "c", "83"

# Of Debian's raspi-firmware, without what plays videos and looks through cameras: of Pi 3 and Zero 2, of Pi 4.
FIRMWARE = ["bootcode.bin", "start.elf", "fixup.dat", "start4.elf", "fixup4.dat"]
OVERLAYS = ["touch-display-1-pi3", "touch-display-1-pi4"]
# CONFIG_ENV_SIZE of Debian's rpi_arm64.
ENVIRONMENT_SIZE = 0x4000


class Card(UEFIDisk):
    """A card that the firmware starts by U-Boot and that by GRUB, and RAUC updates."""

    architectures = ["arm64"]
    tools = {**UEFIDisk.tools, "dtc": "device-tree-compiler"}
    label = "dos"
    megabytes_of_boot = 64
    kind = "raspberry-pi"
    component = "main non-free-firmware"
    # U-Boot would keep variables in a file of an EFI system partition: this is none, and is never written.
    types = FAT_TYPE, LINUX_TYPE, LINUX_TYPE

    @property
    def starters(self):
        return [*super().starters, "raspi-firmware", "u-boot-rpi"]

    def _hooks(self, scratch):
        return [*super()._hooks(scratch), settled("make-card"), f"copy-out /boot/trees {shlex.quote(str(scratch))}",
                'rm -r "$1/boot/trees"']

    def _boot(self, scratch):
        contents = super()._boot(scratch)
        contents |= {file.name: file for file in (scratch / "trees").iterdir()}
        usr = scratch / "starters/usr"
        for name in FIRMWARE:
            contents[name] = usr / "lib/raspi-firmware" / name
        contents["LICENCE.firmware"] = usr / "share/doc/raspi-firmware/copyright"
        contents["u-boot.bin"] = usr / "lib/u-boot/rpi_arm64/u-boot.bin"
        contents["LICENCE.u-boot"] = usr / "share/doc/u-boot-rpi/copyright"
        contents["uboot.env"] = scratch / "uboot.env"
        contents["uboot.env"].write_bytes(environment((FOLDER / "raspberry-pi/uboot.txt").read_text()))
        for name in OVERLAYS:
            contents[f"overlays/{name}.dtbo"] = overlay(name, scratch)
        contents["config.txt"] = FOLDER / "raspberry-pi/config.txt"
        return contents


def environment(text):
    """U-Boot's variables, as it reads them from a file."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    data = "".join(f"{line}\0" for line in lines).encode().ljust(ENVIRONMENT_SIZE - 4, b"\0")
    return struct.pack("<I", zlib.crc32(data)) + data


def unpack_boot(card, folder):
    """Copies what the firmware reads from a card into a folder."""
    place, _ = partition(card, "boot")
    run("mcopy", "-s", "-n", "-i", f"{card}@@{place}", "::/*", folder, env={**os.environ, "MTOOLS_SKIP_CHECK": "1"},
        capture_output=True)


def overlay(name, folder):
    """Compiles one of the overlays beside this file; returns its file."""
    file = folder / f"{name}.dtbo"
    run("dtc", "-q", "-@", "-I", "dts", "-O", "dtb", "-o", file, FOLDER / f"raspberry-pi/{name}.dts",
        capture_output=True)
    return file
