# SPDX-License-Identifier: MIT
"""A card with one kiosk for a Raspberry Pi, whose firmware starts U-Boot, which provides UEFI. The card has an MBR
table, which all boards can read, and a FAT partition."""

import os
import shlex
import struct
import zlib

from tools.debian import run

from .disk import FOLDER, partition, settled
from .uefi import UEFIDisk

FAT_TYPE, LINUX_TYPE = "c", "83"

# From Debian's raspi-firmware, without video and camera support: for Pi 3 and Zero 2, and for Pi 4.
FIRMWARE = ["bootcode.bin", "start.elf", "fixup.dat", "start4.elf", "fixup4.dat"]
OVERLAYS = ["touch-display-1-pi3", "touch-display-1-pi4"]
# CONFIG_ENV_SIZE of Debian's rpi_arm64.
ENVIRONMENT_SIZE = 0x4000


class Card(UEFIDisk):
    """A card whose firmware starts U-Boot, which starts GRUB. RAUC updates its systems."""

    architectures = ["arm64"]
    tools = {**UEFIDisk.tools, "dtc": "device-tree-compiler"}
    system = [*UEFIDisk.system, "firmware-brcm80211"]  # the boards' own Wi-Fi
    label = "dos"
    megabytes_of_boot = 64
    kind = "raspberry-pi"
    # Not an EFI system partition, where U-Boot would save variables: this one is never written.
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
    """Returns U-Boot's variables in the format of its environment file."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    data = "".join(f"{line}\0" for line in lines).encode().ljust(ENVIRONMENT_SIZE - 4, b"\0")
    return struct.pack("<I", zlib.crc32(data)) + data


def unpack_boot(card, folder):
    """Copies the firmware's partition of a card into a folder."""
    place, _ = partition(card, "boot")
    run("mcopy", "-s", "-n", "-i", f"{card}@@{place}", "::/*", folder, env={**os.environ, "MTOOLS_SKIP_CHECK": "1"},
        capture_output=True)


def overlay(name, folder):
    """Compiles one of the overlays in raspberry-pi. Returns its file."""
    file = folder / f"{name}.dtbo"
    run("dtc", "-q", "-@", "-I", "dts", "-O", "dtb", "-o", file, FOLDER / f"raspberry-pi/{name}.dts",
        capture_output=True)
    return file
