# SPDX-License-Identifier: MIT
"""A disk with one kiosk for machines and boards with UEFI: GRUB, and two systems; RAUC writes one while the other runs,
from a bundle."""

import os
import tempfile
from pathlib import Path

from tools.debian import PanelError, run

from .disk import ARGUMENTS, BILL, FOLDER, MEGABYTE, Disk, assemble, fat, fixed_fat, partition, settled

# From Debian 12 or later: RAUC 1.8 writes bundles in the format `verity`.
BUNDLE_TOOLS = {"rauc": "rauc", "mksquashfs": "squashfs-tools"}

EFI_TYPE = "c12a7328-f81f-11d2-ba4b-00a0c93ec93b"
LINUX_TYPE = "0fc63daf-8483-4772-8e79-3d69d8477de4"

# The initial state of image-slots: there is one system.
FIRST_CHOICE = "# GRUB Environment Block\ncurrent=A\ntrying=\ntries=\nbad=B\n".ljust(512, "#")


class UEFIDisk(Disk):
    """A disk that the firmware boots with GRUB, and RAUC updates."""

    architectures = ["amd64", "arm64"]
    system = ["rauc", "rauc-service"]
    label = "gpt"
    megabytes_of_boot = 36

    @property
    def starters(self):
        return [f"grub-efi-{self.processor.architecture}-unsigned"]

    @property
    def kind(self):
        """The common name of disks that can boot the same systems."""
        return self.processor.architecture

    @property
    def types(self):
        """The partition types of the boot loader, the systems, and other partitions."""
        return EFI_TYPE, self.processor.root_type, LINUX_TYPE

    @property
    def compatible(self):
        """RAUC's `compatible` string, equal in a bundle and the disks that it fits."""
        return f"{self.name}-{self.kind}"

    def write_bundle(self, file, key, certificate, say):
        """Makes a signed bundle of the system atomically, and its bill of materials next to it."""
        self._require({**self.tools, **BUNDLE_TOOLS})
        with self._scratch(file) as scratch:
            root = self._root(scratch, say)
            say("  bundle")
            bundle(root, scratch / "bundle", self.compatible, self.version, key, certificate)
            (scratch / "bundle").rename(file)
            (scratch / BILL).rename(file.with_suffix(".cdx.json"))

    def _hooks(self, scratch):
        return [settled("make-slots", self.compatible, ARGUMENTS)]

    def _assemble(self, scratch, root, state, megabytes_of_slot):
        size = -(-root.stat().st_size // MEGABYTE)
        slot = megabytes_of_slot or max(size * 3 // 2, size + 128)
        if slot < size:
            raise PanelError(f"the system has {size} MB, more than --slot {slot}")
        boot, system, other = self.types
        # grub.cfg uses the numbers of these partitions.
        assemble([
            ("boot", boot, fat(scratch / "boot.vfat", self.megabytes_of_boot, "BOOT", self._boot(scratch)), 0),
            ("choice", other, self._choice(scratch), 0),
            ("root-a", system, root, slot),
            ("root-b", system, None, slot),
            ("state", other, state, 0),
        ], scratch / "disk.img", self.label)

    def _boot(self, scratch):
        """Returns the files of the firmware's partition: GRUB and its configuration."""
        efi = self.processor.efi
        loader = next((scratch / "starters/usr/lib/grub").glob(f"*/monolithic/grub{efi}.efi"))
        # Debian's GRUB reads its commands from this path.
        return {f"EFI/BOOT/BOOT{efi.upper()}.EFI": loader, "EFI/debian/grub.cfg": FOLDER / "grub.cfg"}

    def _choice(self, scratch):
        """Makes the partition whose only file is the sector that selects the system."""
        (scratch / "choice").write_text(FIRST_CHOICE)
        file = scratch / "choice.vfat"
        file.touch()
        os.truncate(file, MEGABYTE)
        run("mkfs.vfat", "-F", "12", "-n", "CHOICE", *fixed_fat("CHOICE"), file, capture_output=True)
        run("mcopy", "-i", file, scratch / "choice", "::/choice", capture_output=True)
        return file


def bundle(root, file, compatible, version, key, certificate):
    """Makes a RAUC bundle of a system, signed with the key."""
    with tempfile.TemporaryDirectory(dir=file.parent) as content:
        content = Path(content)
        os.link(root, content / "root.img")
        (content / "manifest.raucm").write_text(
            f"[update]\ncompatible={compatible}\nversion={version}\n\n[bundle]\nformat=verity\n\n"
            "[image.root]\nfilename=root.img\n")
        run("rauc", "bundle", f"--cert={certificate}", f"--key={key}", content, file, capture_output=True)


def write_arguments(disk, arguments):
    """Adds kernel arguments for both systems of the disk."""
    place, _ = partition(disk, "boot")
    run("mcopy", "-o", "-i", f"{disk}@@{place}", "-", "::/arguments.cfg", input=f'arguments="{arguments}"\n',
        env={**os.environ, "MTOOLS_SKIP_CHECK": "1"}, capture_output=True)
