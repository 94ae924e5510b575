# SPDX-License-Identifier: MIT
"""A disk with one kiosk: a boot loader, a read-only system, and a state partition."""

import os
import re
import shlex
import subprocess
import tempfile
import uuid
from contextlib import contextmanager
from pathlib import Path

from tools.debian import (FONT_CACHE, Archive, PanelError, bootstrap, native_architecture, require, require_emulation,
                          run)

FOLDER = Path(__file__).resolve().parent
RELEASE = "trixie"
TOOLS = {"mmdebstrap": "mmdebstrap", "tar2sqfs": "squashfs-tools-ng", "mke2fs": "e2fsprogs",
         "mkfs.vfat": "dosfstools", "mcopy": "mtools", "sfdisk": "fdisk", "readelf": "binutils"}

# In addition to the dependencies of Roundel's package.
SYSTEM = ["systemd", "systemd-sysv", "systemd-resolved", "systemd-timesyncd", "udev", "kmod",
          "initramfs-tools", "zstd", "e2fsprogs", "fonts-inter", "ca-certificates"]

# The set-up on the touchscreen. iwd, because systemd-networkd already assigns addresses: NetworkManager would need
# wpa_supplicant, polkit and GLib's libraries. Each network is a file that an administrator can write.
SETUP = ["iwd", "iw", "wireless-regdb", "dbus", "jq", "curl", "espeak-ng", "openssh-server", "tzdata"]

# Useless on a read-only root.
MASKED = ["apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "fstrim.timer",
          "e2scrub_all.timer", "e2scrub_reap.service"]

# Read when the kernel's package builds the initial RAM disk.
FIRST_ROOT = ('mkdir -p "$1/usr/share/initramfs-tools/modules.d" && '
              'echo squashfs > "$1/usr/share/initramfs-tools/modules.d/roundel"')

# The machine reboots after a kernel failure.
ARGUMENTS = ("rootfstype=squashfs ro quiet loglevel=3 vt.global_cursor_default=0 oops=panic panic=10 "
             "systemd.gpt_auto=no")

# The copyright files of all Debian packages, from which the bill of materials takes the licences.
COPYRIGHT = "/usr/share/doc/*/copyright"
BILL = "bill.cdx.json"

MEGABYTE = 1 << 20

# The partition numbers in an MBR table, which has no names; also in image-part and grub.cfg.
NUMBERS = {"boot": 1, "choice": 2, "root-a": 3, "root-b": 5, "state": 6}
# The number and type of the extended partition, which contains partitions 5 and up.
EXTENDED = 4, "f"


def dependencies(package):
    """Returns the dependencies of a package's file; of alternatives the first."""
    listed = run("dpkg-deb", "-f", package, "Depends", capture_output=True).stdout
    return re.findall(r"(?:^|,)\s*([a-z0-9.+-]+)", listed)


def settled(script, *words):
    """Returns the hook that configures the new root with one of the scripts in this folder."""
    return f'{shlex.quote(str(FOLDER / script))} "$1" {shlex.join(map(str, words))}'


class Disk:
    """The contents of a disk: the processor, Roundel's packages, the folder that becomes /etc/roundel, the name of its
    kiosk, and the version of the system. Subclasses add the boot loader."""

    architectures = []  # the default first
    tools = TOOLS
    system = []  # additional packages of this kind of disk
    component = "main non-free-firmware"  # of Debian's archive; the second has the firmware of Wi-Fi adapters

    def __init__(self, processor, packages, kiosk, name, version, more=(), begins_with_setup=True):
        self.processor = processor
        self.packages = [Path(package).resolve() for package in packages]
        self.kiosk = Path(kiosk).resolve()
        self.name = name
        self.version = version
        self.more = more
        self.begins_with_setup = begins_with_setup

    def write(self, file, megabytes_of_state, megabytes_of_slot, say):
        """Makes the disk atomically, and its bill of materials next to it."""
        self._require(self.tools)
        with self._scratch(file) as scratch:
            starters = self._starters(scratch)
            root = self._root(scratch, say, starters)
            say("  disk")
            for package in starters:
                run("dpkg-deb", "-x", package, scratch / "starters")
            self._assemble(scratch, root, self._state(scratch, megabytes_of_state), megabytes_of_slot)
            (scratch / "disk.img").rename(file)
            (scratch / BILL).rename(file.with_suffix(".cdx.json"))

    @property
    def starters(self):
        """Debian's packages of the boot loader, which are not installed in the system."""
        raise NotImplementedError

    def _hooks(self, scratch):
        """Returns the hooks after `make-root`, in the form of `bootstrap`."""
        raise NotImplementedError

    def _assemble(self, scratch, root, state, megabytes_of_slot):
        """Makes disk.img from the root, the state, and the unpacked packages in `starters`."""
        raise NotImplementedError

    def _require(self, tools):
        require(tools if os.geteuid() == 0 else {**tools, "fakeroot": "fakeroot", "newuidmap": "uidmap"})
        if self.processor.architecture != native_architecture():
            require_emulation(self.processor.architecture)

    @contextmanager
    def _scratch(self, file):
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=file.parent, prefix="building-") as scratch:
            yield Path(scratch)

    def _starters(self, scratch):
        """Downloads the boot loader's packages. Returns their files."""
        suites = [f" {RELEASE}", f" {RELEASE}-updates", f"-security {RELEASE}-security"]
        archive = Archive(scratch / "apt", suites, self.processor.architecture, self.component)
        return [archive.download(package, scratch / "packages") for package in self.starters]

    def _root(self, scratch, say, beside=()):
        """Makes the system, as squashfs, and its bill of materials, which includes the package files `beside`."""
        say("  Debian")
        hooks = [
            f'mkdir "$1/tmp/roundel" && cp {shlex.join(map(str, self.packages))} "$1/tmp/roundel"',
            'chroot "$1" sh -c "dpkg --install /tmp/roundel/*"',
            'rm -r "$1/tmp/roundel"',
            FONT_CACHE,
            settled("make-root", self.name, self.version, self.kiosk, "yes" if self.begins_with_setup else "no",
                    *MASKED),
            *self._hooks(scratch),
            f'{shlex.quote(str(FOLDER.parent / "tools/sbom"))} --root "$1" --output "$1/{BILL}" '
            + " ".join(f"--beside {shlex.quote(str(file))}" for file in beside),
            f"copy-out /{BILL} {shlex.quote(str(scratch))}",
            f'rm "$1/{BILL}"',
        ]
        needed = {name for package in self.packages for name in dependencies(package)} - {"roundel"}
        kernel = f"linux-image-{self.processor.architecture}"
        packages = sorted({kernel, *SYSTEM, *SETUP, *self.system, *needed, *self.more})
        tar, root = scratch / "root.tar", scratch / "root.squashfs"
        run(*bootstrap(RELEASE, self.processor.architecture, packages, tar, hooks=hooks,
                       components=self.component.split()),
            f"--essential-hook={FIRST_ROOT}", f"--dpkgopt=path-include={COPYRIGHT}", capture_output=True)
        with open(tar, "rb") as file:
            squash(file, root)
        tar.unlink()
        return root

    def _state(self, scratch, megabytes):
        """Makes the state partition, which image-state fills."""
        file = scratch / "state.ext4"
        own = identity("state")
        fixed = ["-U", own, "-E", f"hash_seed={own}"] if own else []
        run("mke2fs", "-q", "-t", "ext4", "-L", "state", *fixed, file, f"{megabytes}M", capture_output=True,
            env={**os.environ, **({"E2FSPROGS_FAKE_TIME": os.environ["SOURCE_DATE_EPOCH"]} if own else {})})
        return file


def identity(name):
    """Returns a UUID that depends only on the name and on SOURCE_DATE_EPOCH, or None if that isn't set: then tools choose
    random ones. So a release gives the same bytes each time."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    return epoch and str(uuid.uuid5(uuid.NAMESPACE_OID, f"roundel {epoch} {name}"))


def squash(tar, root):
    """Makes a file system from an archive. It uses gzip, because GRUB reads the kernel from it, and lacks zstd."""
    run("tar2sqfs", "--quiet", "--compressor", "gzip", root, stdin=tar, capture_output=True)


def fixed_fat(label):
    """Returns the options of mkfs.vfat for a fixed serial number."""
    own = identity(label)
    return ["--invariant", "-i", own[:8]] if own else []


def fat(file, megabytes, label, contents):
    """Makes a FAT32 file system from `contents`, which maps paths to files."""
    file.touch()
    os.truncate(file, megabytes * MEGABYTE)
    run("mkfs.vfat", "-F", "32", "-n", label, *fixed_fat(label), file, capture_output=True)
    environment = {**os.environ, "MTOOLS_SKIP_CHECK": "1"}
    folders = {str(folder) for path in contents for folder in Path(path).parents} - {"."}
    for folder in sorted(folders):
        run("mmd", "-i", file, f"::/{folder}", env=environment, capture_output=True)
    for path, source in contents.items():
        run("mcopy", "-i", file, source, f"::/{path}", env=environment, capture_output=True)
    return file


def fixed_table(label):
    """Returns sfdisk's line for a fixed identity of the table."""
    own = identity("table")
    return [] if not own else [f"label-id: {own}"] if label == "gpt" else [f"label-id: 0x{own[:8]}"]


def assemble(parts, disk, label):
    """Writes a disk with partitions: name, type, content and minimum size in megabytes of each. Its table is a GPT, or an
    MBR table if the label is `dos`."""
    lines, place, extended = [], MEGABYTE, None
    places = []
    for name, kind, content, megabytes in parts:
        size = max(-(-content.stat().st_size // MEGABYTE) if content else 0, megabytes) * MEGABYTE
        if label == "gpt":
            own = identity(name)
            which, named = "", f", name=roundel-{name}" + (f", uuid={own}" if own else "")
        else:
            which, named = f"{NUMBERS[name]} : ", ""
            if NUMBERS[name] > EXTENDED[0]:
                extended = extended or place
                place += MEGABYTE  # for the table before each logical partition
        lines.append(f"{which}start={place // 512}, size={size // 512}, type={kind}{named}")
        places.append((content, place))
        place += size
    if extended:
        number, kind = EXTENDED
        lines.insert(number - 1, f"{number} : start={extended // 512}, size={(place - extended) // 512}, type={kind}")
    disk.touch()
    os.truncate(disk, place + MEGABYTE)
    run("sfdisk", "--quiet", disk, input="\n".join([f"label: {label}", *fixed_table(label), "unit: sectors", *lines, ""]),
        capture_output=True)
    for content, place in places:
        if content:
            run("dd", f"if={content}", f"of={disk}", f"seek={place}", "oflag=seek_bytes",
                "conv=notrunc,sparse", "bs=1M", "status=none", capture_output=True)


def partition(disk, name):
    """Returns the offset and the size of a named partition of a disk, in bytes."""
    listed = run("sfdisk", "--dump", disk, capture_output=True).stdout
    first, last = "", f'.*name="roundel-{name}"'
    if "label: dos\n" in listed:
        first, last = rf"\D{NUMBERS.get(name)} : ", ""
    found = re.search(rf"{first}start= *(\d+), size= *(\d+),{last}", listed)
    if not found:
        raise PanelError(f"{disk} has no partition roundel-{name}")
    return int(found[1]) * 512, int(found[2]) * 512


def copy_partition(disk, name, target):
    """Copies a partition into a separate file."""
    place, size = partition(disk, name)
    run("dd", f"if={disk}", f"of={target}", f"skip={place}", f"count={size}",
        "iflag=skip_bytes,count_bytes", "bs=1M", "conv=sparse", "status=none", capture_output=True)
    os.truncate(target, size)
