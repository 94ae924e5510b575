# SPDX-License-Identifier: MIT
"""Builds the base image of the virtual panel once: Debian, its kernel and an init."""

import hashlib
import lzma
import os
import shutil
import struct
import subprocess
import tempfile
from pathlib import Path

from disk.processor import BOOT_MODULES, MODULES
from tools.debian import (FONT_CACHE, Archive, PanelError, bootstrap, native_architecture, require, require_emulation,
                          run)

FOLDER = Path(__file__).resolve().parent
TOP = FOLDER.parents[1]

TOOLS = {"mmdebstrap": "mmdebstrap", "mke2fs": "e2fsprogs", "cpio": "cpio", "depmod": "kmod",
         "dpkg": "dpkg", "ssh": "openssh-client", "ssh-keygen": "openssh-client"}

# In addition to `deploy/install --packages`: an init, SSH and module loading.
SYSTEM = ["systemd", "systemd-sysv", "udev", "kmod", "iproute2", "openssh-server"]

# Units that a short-lived panel does not need; under emulation each costs seconds.
MASKED = ["apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "fstrim.timer",
          "e2scrub_all.timer", "e2scrub_reap.service", "systemd-hwdb-update.service",
          "systemd-journal-catalog-update.service", "systemd-journal-flush.service",
          "systemd-update-utmp.service", "systemd-update-done.service", "ldconfig.service",
          "systemd-pstore.service", "systemd-random-seed.service", "systemd-firstboot.service",
          "systemd-machine-id-commit.service", "systemd-logind.service", "rsync.service",
          "sys-kernel-debug.mount", "sys-kernel-tracing.mount", "sys-fs-fuse-connections.mount",
          "dev-hugepages.mount", "dev-mqueue.mount", "proc-sys-fs-binfmt_misc.automount",
          "console-getty.service", "getty-static.service",
          "serial-getty@ttyS0.service", "systemd-networkd.service"]


def privileged():
    """The command prefix for files owned by root: fakeroot unless the user is root."""
    return [] if os.geteuid() == 0 else ["fakeroot"]


class Image:
    """The files of a base image; `build` creates them if they are not in the cache."""

    def __init__(self, folder, processor):
        self.folder = folder
        self.processor = processor
        self.disk = folder / "base.ext4"
        self.kernel = folder / "vmlinux"
        self.initramfs = folder / "initramfs.cpio"
        self.accounts = folder / "accounts"

    @classmethod
    def build(cls, cache, processor, packages, say):
        packages = sorted({*SYSTEM, *packages})
        recipe = hashlib.sha256(repr((packages, processor, MASKED)).encode())
        for part in ("Tests/Rig/image.py", "deploy/tools/debian.py", "deploy/disk/processor.py", "Tests/Rig/init",
                     "Tests/Rig/make-base"):
            recipe.update((TOP / part).read_bytes())
        prefix = f"image-{processor.architecture}-"
        image = cls(cache / (prefix + recipe.hexdigest()[:16]), processor)
        if image.folder.exists():
            return image

        require(TOOLS if os.geteuid() == 0 else {**TOOLS, "fakeroot": "fakeroot",
                                                 "newuidmap": "uidmap"})
        if processor.architecture != native_architecture():
            require_emulation(processor.architecture)
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache, prefix="building-") as scratch:
            scratch = Path(scratch)
            made = cls(scratch / "image", processor)
            made.folder.mkdir()
            minutes = "two" if processor.architecture == native_architecture() else "nine"
            say(f"building the panel's image, once (about {minutes} minutes)")
            made._take_kernel(scratch, say)
            made._make_disk(scratch, packages, say)
            made.folder.rename(image.folder)
        for old in cache.glob(prefix + "*"):
            if old != image.folder:
                shutil.rmtree(old, ignore_errors=True)
        return image

    def _take_kernel(self, scratch, say):
        say("  kernel")
        architecture, suite = self.processor.architecture, self.processor.release
        archive = Archive(scratch / "apt", [f" {suite}", f"-security {suite}-security"], architecture)
        newest = f"linux-image-{architecture}"
        kernels = [name for name in archive.dependencies(newest)
                   if name.startswith("linux-image-")]
        if not kernels:
            raise PanelError(f"Debian's {newest} names no kernel")
        archive.unpack(kernels[-1], scratch / "kernel")
        archive.unpack("busybox-static", scratch / "busybox")
        # Since Debian 13, everything is below /usr.
        for unpacked, merged in (("kernel", "lib"), ("busybox", "bin")):
            if not (scratch / unpacked / merged).exists():
                (scratch / unpacked / merged).symlink_to(f"usr/{merged}")
        release = next((scratch / "kernel/lib/modules").iterdir()).name
        packed = (scratch / f"kernel/boot/vmlinuz-{release}").read_bytes()
        self.kernel.write_bytes(unpacked_kernel(packed))

        everything = scratch / "kernel"
        run("depmod", "-b", everything, release)
        copy_modules(everything, scratch / "modules", release,
                     [*BOOT_MODULES, *MODULES, *self.processor.modules])
        first = scratch / "first"
        copy_modules(everything, first, release, BOOT_MODULES)
        for folder in ("bin", "dev", "proc", "sys", "base", "layer", "writes", "root"):
            (first / folder).mkdir()
        shutil.copy(scratch / "busybox/bin/busybox", first / "bin/busybox")
        shutil.copy(FOLDER / "init", first / "init")
        (first / "init").chmod(0o755)
        (first / "boot-modules").write_text("\n".join(BOOT_MODULES) + "\n")
        names = "\n".join(str(path.relative_to(first)) for path in sorted(first.rglob("*")))
        with open(self.initramfs, "wb") as file:  # not compressed: unpacking is emulated too
            run("cpio", "--quiet", "-o", "-H", "newc", "-R", "0:0", cwd=first, input=names,
                stdout=file)

    def _make_disk(self, scratch, packages, say):
        say("  Debian")
        tar = scratch / "base.tar"
        run(*bootstrap(self.processor.release, self.processor.architecture, packages, tar,
                       hooks=[FONT_CACHE]), capture_output=True)
        say("  disk")
        run(*privileged(), FOLDER / "make-base", *MASKED, cwd=scratch, capture_output=True)


def unpacked_kernel(packed):
    """Extracts the ELF kernel from a bzImage; QEMU starts it with its PVH note. Emulated decompression would add
    several seconds to every boot. Returns kernels that are not packed with xz unchanged. Offsets: Linux,
    Documentation/arch/x86/boot.rst, setup_sects and payload_offset."""
    if packed[0x202:0x206] != b"HdrS":  # not of x86
        return packed
    setup_sectors = packed[0x1F1] or 4
    offset, length = struct.unpack_from("<II", packed, 0x248)
    start = (setup_sectors + 1) * 512 + offset
    payload = packed[start:start + length]
    if not payload.startswith(b"\xfd7zXZ\x00"):
        return packed
    return lzma.LZMADecompressor().decompress(payload)


def copy_modules(source, target, release, names):
    """Copies these modules and their dependencies, with an index for modprobe."""
    base = Path("lib/modules") / release
    (target / base).mkdir(parents=True)
    shown = subprocess.run(
        ["modprobe", "-d", str(source), "-S", release, "--show-depends", "-a", *names],
        text=True, capture_output=True)
    files = {line.split()[1] for line in shown.stdout.splitlines() if line.startswith("insmod")}
    if shown.returncode != 0 or not files:
        raise PanelError(f"modules missing in kernel {release}:\n{shown.stderr.strip()}")
    for file in files:
        relative = Path(os.path.relpath(file, source))
        (target / relative).parent.mkdir(parents=True, exist_ok=True)
        if relative.suffix == ".xz":  # unpacking is emulated too
            (target / relative.with_suffix("")).write_bytes(lzma.decompress(Path(file).read_bytes()))
        else:
            shutil.copy(file, target / relative)
    for index in ("modules.builtin", "modules.builtin.modinfo", "modules.order"):
        shutil.copy(source / base / index, target / base / index)
    run("depmod", "-b", target, release)
