# SPDX-License-Identifier: MIT
"""A card of one kiosk for a Raspberry Pi, whose own firmware starts the kernel: from a table of MBR's, which all
boards can read, and a partition with FAT."""

import os
import secrets
import shlex

from .debian import Archive, run
from .disk import ARGUMENTS, RELEASE, TOOLS, Disk, assemble, fat, partition, settled
from .image import FOLDER

# The partitions, whose numbers cmdline.txt and card.rules have, too.
BOOT, ROOT, STATE = 1, 2, 3
FAT_TYPE, LINUX_TYPE = "c", "83"
# The kernel, its first root and the firmware are half of that.
BOOT_MEGABYTES = 256

# Of Debian's raspi-firmware, without what plays videos and looks through cameras: of Pi 3 and Zero 2, of Pi 4.
FIRMWARE = ["bootcode.bin", "start.elf", "fixup.dat", "start4.elf", "fixup4.dat"]
OVERLAYS = ["touch-display-1-pi3", "touch-display-1-pi4"]


class Card(Disk):
    """A card with one system, which is replaced by writing the card anew."""

    architectures = ["arm64"]
    tools = {**TOOLS, "dtc": "device-tree-compiler"}

    def _hooks(self, scratch):
        (scratch / "boot").mkdir()
        return [settled("make-card"), f"copy-out /boot {shlex.quote(str(scratch))}", 'rm -r "$1"/boot/*']

    def _assemble(self, scratch, root, state, megabytes_of_slot):
        identifier = secrets.token_hex(4)
        assemble([
            ("boot", FAT_TYPE, self._boot(scratch, identifier), 0),
            ("root", LINUX_TYPE, root, 0),
            ("state", LINUX_TYPE, state, 0),
        ], scratch / "disk.img", identifier)

    def _boot(self, scratch, identifier):
        """The partition that the firmware reads."""
        contents = {file.name: file for file in (scratch / "boot").iterdir()}
        Archive(scratch / "apt", [f" {RELEASE}", f" {RELEASE}-updates", f"-security {RELEASE}-security"],
                self.processor.architecture, "non-free-firmware").unpack("raspi-firmware", scratch / "firmware")
        for name in FIRMWARE:
            contents[name] = scratch / "firmware/usr/lib/raspi-firmware" / name
        contents["LICENCE.firmware"] = scratch / "firmware/usr/share/doc/raspi-firmware/copyright"
        for name in OVERLAYS:
            contents[f"overlays/{name}.dtbo"] = overlay(name, scratch)
        contents["config.txt"] = FOLDER / "raspberry-pi/config.txt"
        contents["cmdline.txt"] = scratch / "cmdline.txt"
        contents["cmdline.txt"].write_text(f"root=PARTUUID={identifier}-{ROOT:02} {ARGUMENTS}\n")
        return fat(scratch / "boot.vfat", BOOT_MEGABYTES, "BOOT", contents)


def unpack_boot(card, folder):
    """Copies what the firmware reads from a card into a folder."""
    place, _ = partition(card, BOOT)
    run("mcopy", "-s", "-n", "-i", f"{card}@@{place}", "::/*", folder, env={**os.environ, "MTOOLS_SKIP_CHECK": "1"},
        capture_output=True)


def overlay(name, folder):
    """Compiles one of the overlays beside this file; returns its file."""
    file = folder / f"{name}.dtbo"
    run("dtc", "-q", "-@", "-I", "dts", "-O", "dtb", "-o", file, FOLDER / f"raspberry-pi/{name}.dts",
        capture_output=True)
    return file
