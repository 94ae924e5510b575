# SPDX-License-Identifier: MIT
"""A disk of one kiosk: a boot loader, two systems that are never written while they run, and a partition of
what is kept. And bundles, by which RAUC replaces one of the systems."""

import os
import re
import shlex
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

from .debian import Archive, PanelError, bootstrap, native_architecture, require, run
from .image import FOLDER, FONT_CACHE, require_emulation

RELEASE = "trixie"
TOOLS = {"mmdebstrap": "mmdebstrap", "tar2sqfs": "squashfs-tools-ng", "mke2fs": "e2fsprogs",
         "mkfs.vfat": "dosfstools", "mcopy": "mtools", "sfdisk": "fdisk"}
# Of Debian 12 or later: RAUC 1.8 makes bundles of the format `verity`.
BUNDLE_TOOLS = {"rauc": "rauc", "mksquashfs": "squashfs-tools"}

# Beside what Roundel's package depends on.
SYSTEM = ["systemd", "systemd-sysv", "systemd-resolved", "systemd-timesyncd", "udev", "kmod",
          "initramfs-tools", "zstd", "e2fsprogs", "fonts-inter", "rauc", "rauc-service", "ca-certificates"]

# Work that a root which is never written has no use for.
MASKED = ["apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "fstrim.timer",
          "e2scrub_all.timer", "e2scrub_reap.service"]

# Read when the kernel's package makes the first root.
FIRST_ROOT = ('mkdir -p "$1/usr/share/initramfs-tools/modules.d" && '
              'echo squashfs > "$1/usr/share/initramfs-tools/modules.d/roundel"')

ARGUMENTS = ("rootfstype=squashfs ro quiet loglevel=3 vt.global_cursor_default=0 panic=10 "
             "systemd.gpt_auto=no")

EFI_TYPE = "c12a7328-f81f-11d2-ba4b-00a0c93ec93b"
LINUX_TYPE = "0fc63daf-8483-4772-8e79-3d69d8477de4"
MEGABYTE = 1 << 20

# What image-slots begins with: there is one system.
FIRST_CHOICE = "# GRUB Environment Block\ncurrent=A\ntrying=\ntries=\nbad=B\n".ljust(512, "#")


def dependencies(package):
    """The names of what a package's file depends on; of alternatives the first."""
    listed = run("dpkg-deb", "-f", package, "Depends", capture_output=True).stdout
    return re.findall(r"(?:^|,)\s*([a-z0-9.+-]+)", listed)


class Disk:
    """What a disk is made of: the processor, Roundel's packages, the folder that becomes /etc/roundel, the
    name of the kiosk in it, and the version of its system."""

    def __init__(self, processor, packages, kiosk, name, version, more=()):
        self.processor = processor
        self.packages = [Path(package).resolve() for package in packages]
        self.kiosk = Path(kiosk).resolve()
        self.name = name
        self.version = version
        self.more = more

    @property
    def compatible(self):
        """What a bundle and the disks that it fits have in common."""
        return f"{self.name}-{self.processor.architecture}"

    def write(self, file, megabytes_of_state, megabytes_of_slot, say):
        """Makes the disk, whole or not at all."""
        self._require(TOOLS)
        with self._scratch(file) as scratch:
            root = self._root(scratch, say)
            say("  disk")
            size = -(-root.stat().st_size // MEGABYTE)
            slot = megabytes_of_slot or max(size * 3 // 2, size + 128)
            if slot < size:
                raise PanelError(f"the system has {size} MB, which is more than --slot {slot}")
            linux, system = LINUX_TYPE, self.processor.root_type
            # grub.cfg names these by their numbers.
            parts = [
                ("boot", EFI_TYPE, self._boot_loader(scratch), 0),
                ("choice", linux, self._choice(scratch), 0),
                ("root-a", system, root, slot),
                ("root-b", system, None, slot),
                ("state", linux, self._state(scratch, megabytes_of_state), 0),
            ]
            assemble(parts, scratch / "disk.img")
            (scratch / "disk.img").rename(file)

    def write_bundle(self, file, key, certificate, say):
        """Makes a signed bundle of the system, whole or not at all."""
        self._require({**TOOLS, **BUNDLE_TOOLS})
        with self._scratch(file) as scratch:
            root = self._root(scratch, say)
            say("  bundle")
            bundle(root, scratch / "bundle", self.compatible, self.version, key, certificate)
            (scratch / "bundle").rename(file)

    def _require(self, tools):
        require(tools if os.geteuid() == 0 else {**tools, "fakeroot": "fakeroot", "newuidmap": "uidmap"})
        if self.processor.architecture != native_architecture():
            require_emulation(self.processor.architecture)

    @contextmanager
    def _scratch(self, file):
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=file.parent, prefix="building-") as scratch:
            yield Path(scratch)

    def _root(self, scratch, say):
        """The system, as squashfs."""
        say("  Debian")
        kernel = f"linux-image-{self.processor.architecture}"
        words = [self.name, self.version, self.compatible, self.kiosk, ARGUMENTS, *MASKED]
        hooks = [
            f'mkdir "$1/tmp/roundel" && cp {shlex.join(map(str, self.packages))} "$1/tmp/roundel"',
            'chroot "$1" sh -c "dpkg --install /tmp/roundel/*"',
            'rm -r "$1/tmp/roundel"',
            FONT_CACHE,
            f'{shlex.quote(str(FOLDER / "make-root"))} "$1" {shlex.join(map(str, words))}',
        ]
        needed = {name for package in self.packages for name in dependencies(package)} - {"roundel"}
        packages = sorted({kernel, *SYSTEM, *needed, *self.more})
        tar, root = scratch / "root.tar", scratch / "root.squashfs"
        run(*bootstrap(RELEASE, self.processor.architecture, packages, tar, hooks=hooks),
            f"--essential-hook={FIRST_ROOT}", capture_output=True)
        with open(tar, "rb") as file:
            squash(file, root)
        tar.unlink()
        return root

    def _boot_loader(self, scratch):
        """The EFI system partition: GRUB, and how it chooses a system."""
        efi = self.processor.efi
        package = f"grub-efi-{self.processor.architecture}-unsigned"
        Archive(scratch / "apt", [f" {RELEASE}", f" {RELEASE}-updates", f"-security {RELEASE}-security"],
                self.processor.architecture).unpack(package, scratch / "grub")
        loader = next((scratch / "grub/usr/lib/grub").glob(f"*/monolithic/grub{efi}.efi"))
        file = scratch / "boot.vfat"
        file.touch()
        os.truncate(file, 36 * MEGABYTE)
        run("mkfs.vfat", "-F", "32", "-n", "BOOT", file, capture_output=True)
        environment = {**os.environ, "MTOOLS_SKIP_CHECK": "1"}
        run("mmd", "-i", file, "::/EFI", "::/EFI/BOOT", "::/EFI/debian", env=environment, capture_output=True)
        # Debian's GRUB looks there for its commands.
        for source, target in ((loader, f"EFI/BOOT/BOOT{efi.upper()}.EFI"),
                               (FOLDER / "grub.cfg", "EFI/debian/grub.cfg")):
            run("mcopy", "-i", file, source, f"::/{target}", env=environment, capture_output=True)
        return file

    def _choice(self, scratch):
        """The partition whose one file is a sector that says which system is started."""
        (scratch / "choice").write_text(FIRST_CHOICE)
        file = scratch / "choice.vfat"
        file.touch()
        os.truncate(file, MEGABYTE)
        run("mkfs.vfat", "-F", "12", "-n", "CHOICE", file, capture_output=True)
        run("mcopy", "-i", file, scratch / "choice", "::/choice", capture_output=True)
        return file

    def _state(self, scratch, megabytes):
        """The partition of what is kept, which image-state fills."""
        file = scratch / "state.ext4"
        run("mke2fs", "-q", "-t", "ext4", "-L", "state", file, f"{megabytes}M", capture_output=True)
        return file


def squash(tar, root):
    """Makes a file system of an archive. GRUB reads the kernel from it, and knows gzip, not zstd."""
    run("tar2sqfs", "--quiet", "--compressor", "gzip", root, stdin=tar, capture_output=True)


def bundle(root, file, compatible, version, key, certificate):
    """Makes a bundle of a system for RAUC, which accepts it by the certificate."""
    with tempfile.TemporaryDirectory(dir=file.parent) as content:
        content = Path(content)
        os.link(root, content / "root.img")
        (content / "manifest.raucm").write_text(
            f"[update]\ncompatible={compatible}\nversion={version}\n\n[bundle]\nformat=verity\n\n"
            "[image.root]\nfilename=root.img\n")
        run("rauc", "bundle", f"--cert={certificate}", f"--key={key}", content, file, capture_output=True)


def assemble(parts, disk):
    """Writes a disk of those partitions: name, type, content and least size in megabytes of each."""
    table, place = "label: gpt\nunit: sectors\n", MEGABYTE
    places = []
    for name, kind, content, megabytes in parts:
        size = max(-(-content.stat().st_size // MEGABYTE) if content else 0, megabytes) * MEGABYTE
        table += f"start={place // 512}, size={size // 512}, type={kind}, name=roundel-{name}\n"
        places.append((content, place))
        place += size
    disk.touch()
    os.truncate(disk, place + MEGABYTE)
    run("sfdisk", "--quiet", disk, input=table, capture_output=True)
    for content, place in places:
        if content:
            run("dd", f"if={content}", f"of={disk}", f"seek={place}", "oflag=seek_bytes",
                "conv=notrunc,sparse", "bs=1M", "status=none", capture_output=True)


def partition(disk, name):
    """Where the partition of that name lies on a disk: its first byte and its size."""
    listed = run("sfdisk", "--dump", disk, capture_output=True).stdout
    found = re.search(rf'start= *(\d+), size= *(\d+),.*name="roundel-{name}"', listed)
    if not found:
        raise PanelError(f"{disk} has no partition roundel-{name}")
    return int(found[1]) * 512, int(found[2]) * 512


def copy_partition(disk, name, target):
    """Copies a partition into a file of its own."""
    place, size = partition(disk, name)
    run("dd", f"if={disk}", f"of={target}", f"skip={place}", f"count={size}",
        "iflag=skip_bytes,count_bytes", "bs=1M", "conv=sparse", "status=none", capture_output=True)
    os.truncate(target, size)


def write_arguments(disk, arguments):
    """Adds to the arguments of the kernel, whichever system of the disk is started."""
    place, _ = partition(disk, "boot")
    run("mcopy", "-o", "-i", f"{disk}@@{place}", "-", "::/arguments.cfg", input=f'arguments="{arguments}"\n',
        env={**os.environ, "MTOOLS_SKIP_CHECK": "1"}, capture_output=True)
