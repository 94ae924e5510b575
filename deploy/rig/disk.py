# SPDX-License-Identifier: MIT
"""A disk of one kiosk: a boot loader, a root that is never written, and a partition of what is kept."""

import os
import re
import shlex
import shutil
import subprocess
import tempfile
import uuid
from pathlib import Path

from .debian import PanelError, bootstrap, native_architecture, require, run
from .image import FOLDER, FONT_CACHE, privileged, require_emulation

RELEASE = "trixie"
TOOLS = {"mmdebstrap": "mmdebstrap", "tar2sqfs": "squashfs-tools-ng", "mke2fs": "e2fsprogs",
         "mkfs.vfat": "dosfstools", "mcopy": "mtools", "sfdisk": "fdisk"}

# Beside what Roundel's package depends on.
SYSTEM = ["systemd", "systemd-sysv", "systemd-boot-efi", "systemd-resolved", "systemd-timesyncd", "udev",
          "kmod", "initramfs-tools", "zstd", "e2fsprogs", "fonts-inter"]

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


def dependencies(package):
    """The names of what a package's file depends on; of alternatives the first."""
    listed = run("dpkg-deb", "-f", package, "Depends", capture_output=True).stdout
    return re.findall(r"(?:^|,)\s*([a-z0-9.+-]+)", listed)


class Disk:
    """What a disk is made of: the processor, Roundel's packages, the folder that becomes /etc/roundel, and
    the name of the kiosk in it."""

    def __init__(self, processor, packages, kiosk, name, megabytes_of_state, more=()):
        self.processor = processor
        self.packages = [Path(package).resolve() for package in packages]
        self.kiosk = Path(kiosk).resolve()
        self.name = name
        self.megabytes_of_state = megabytes_of_state
        self.more = more
        self.root_id, self.state_id = str(uuid.uuid4()), str(uuid.uuid4())

    def write(self, file, say):
        """Makes the disk, whole or not at all."""
        require(TOOLS if os.geteuid() == 0 else {**TOOLS, "fakeroot": "fakeroot", "newuidmap": "uidmap"})
        if self.processor.architecture != native_architecture():
            require_emulation(self.processor.architecture)
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=file.parent, prefix="building-") as scratch:
            scratch = Path(scratch)
            say("  Debian")
            root = self._root(scratch)
            say("  disk")
            parts = [
                ("boot", EFI_TYPE, uuid.uuid4(), self._boot_loader(scratch)),
                ("root", self.processor.root_type, self.root_id, root),
                ("state", LINUX_TYPE, self.state_id, self._state(scratch)),
            ]
            assemble(parts, scratch / "disk.img")
            (scratch / "disk.img").rename(file)

    def _root(self, scratch):
        """The root as squashfs; beside it `boot` and `efi`, what boots it."""
        kernel = f"linux-image-{self.processor.architecture}"
        words = [FOLDER / "make-root", '"$1"', shlex.quote(self.name), shlex.quote(str(self.kiosk)),
                 self.state_id, *MASKED]
        hooks = [
            f'mkdir "$1/tmp/roundel" && cp {shlex.join(map(str, self.packages))} "$1/tmp/roundel"',
            'chroot "$1" sh -c "dpkg --install /tmp/roundel/*"',
            'rm -r "$1/tmp/roundel"',
            FONT_CACHE,
            f"copy-out /boot /usr/lib/systemd/boot/efi {shlex.quote(str(scratch))}",
            " ".join(map(str, words)),
        ]
        needed = {name for package in self.packages for name in dependencies(package)} - {"roundel"}
        packages = sorted({kernel, *SYSTEM, *needed, *self.more})
        tar, root = scratch / "root.tar", scratch / "root.squashfs"
        run(*bootstrap(RELEASE, self.processor.architecture, packages, tar, hooks=hooks),
            f"--essential-hook={FIRST_ROOT}", capture_output=True)
        with open(tar, "rb") as file:
            run("tar2sqfs", "--quiet", "--compressor", "zstd", root, stdin=file, capture_output=True)
        tar.unlink()
        return root

    def _boot_loader(self, scratch):
        """The EFI system partition: systemd-boot, the kernel and its first root."""
        kernel, first = (next((scratch / "boot").glob(pattern))
                         for pattern in ("vmlinuz-*", "initrd.img-*"))
        efi = self.processor.efi
        loader = scratch / f"efi/systemd-boot{efi}.efi"
        entry, settings = scratch / "roundel.conf", scratch / "loader.conf"
        entry.write_text(f"title Roundel\nlinux /linux\ninitrd /initrd\n"
                         f"options root=PARTUUID={self.root_id} {ARGUMENTS}\n")
        settings.write_text("timeout 0\neditor no\n")
        file = scratch / "boot.vfat"
        # As large again is free, for the kernel of a later image beside this one's.
        size = 2 * sum(part.stat().st_size for part in (kernel, first, loader)) // MEGABYTE + 36
        file.touch()
        os.truncate(file, size * MEGABYTE)
        run("mkfs.vfat", "-F", "32", "-n", "BOOT", file, capture_output=True)
        environment = {**os.environ, "MTOOLS_SKIP_CHECK": "1"}
        run("mmd", "-i", file, "::/EFI", "::/EFI/BOOT", "::/loader", "::/loader/entries",
            env=environment, capture_output=True)
        for source, target in ((kernel, "linux"), (first, "initrd"),
                               (loader, f"EFI/BOOT/BOOT{efi.upper()}.EFI"),
                               (settings, "loader/loader.conf"), (entry, "loader/entries/roundel.conf")):
            run("mcopy", "-i", file, source, f"::/{target}", env=environment, capture_output=True)
        return file

    def _state(self, scratch):
        """The partition of what is kept: the kiosk's files, its state, and the system's own."""
        state, file = scratch / "state", scratch / "state.ext4"
        for part in ("roundel", "systemd"):
            (state / part).mkdir(parents=True)
        shutil.copytree(self.kiosk, state / "etc")
        run(*privileged(), "sh", "-c", 'chown -R 0:0 state && mke2fs -q -t ext4 -L state -d state "$@"', "-",
            file, f"{self.megabytes_of_state}M", cwd=scratch, capture_output=True)
        return file


def assemble(parts, disk):
    """Writes a disk of those partitions: name, type, id and content of each."""
    table, place = "label: gpt\nunit: sectors\n", MEGABYTE
    places = []
    for name, kind, identifier, content in parts:
        size = -(-content.stat().st_size // MEGABYTE) * MEGABYTE
        table += (f"start={place // 512}, size={size // 512}, type={kind}, uuid={identifier}, "
                  f"name=roundel-{name}\n")
        places.append((content, place))
        place += size
    disk.touch()
    os.truncate(disk, place + MEGABYTE)
    run("sfdisk", "--quiet", disk, input=table, capture_output=True)
    for content, place in places:
        run("dd", f"if={content}", f"of={disk}", f"seek={place}", "oflag=seek_bytes", "conv=notrunc,sparse",
            "bs=1M", "status=none", capture_output=True)


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
