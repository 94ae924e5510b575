# SPDX-License-Identifier: MIT
"""Debian's own Swift, which only sid has in a sufficient version: unpacked, and run in a box with its own /usr."""

import functools
import hashlib
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from tools.debian import PanelError, bootstrap, require, run

RELEASE = "sid"
# The compiler, and the dependencies of package descriptions and plugins; `make-tables` reads Wayland's protocols.
PACKAGES = ["swiftlang", "swiftlang-dev", "libc6-dev", "libstdc++-14-dev", "git", "ca-certificates",
            "pkgconf", "libwayland-bin", "wayland-protocols"]
TOOLS = {"mmdebstrap": "mmdebstrap", "arch-test": "arch-test", "bwrap": "bubblewrap", "dpkg-deb": "dpkg",
         "tar": "tar"}
# The system's folders in a machine's root; all the others belong to users.
SYSTEM = {"usr", "etc", "var", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "boot"}


def cache_folder():
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "roundel" / "boards"


def key(*parts):
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def megabytes(folder):
    return int(run("du", "-sm", folder, capture_output=True).stdout.split()[0])


def make(folder, building, say, what):
    """Makes a folder of the cache atomically, with a function of the new folder and a scratch folder."""
    require(TOOLS if os.geteuid() == 0 else {**TOOLS, "newuidmap": "uidmap"})
    say(f"{what}, once")
    started = time.monotonic()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="building-") as scratch:
        made = Path(scratch) / "made"
        made.mkdir()
        building(made, Path(scratch))
        made.rename(folder)
    say(f"  {megabytes(folder)} MB in {time.monotonic() - started:.0f} s: {folder}")


def unpack_release(release, architecture, packages, into, *, variant, hooks=()):
    """Unpacks a Debian release with packages into a folder, owned by the current user."""
    command = bootstrap(release, architecture, packages, "-", variant=variant, hooks=hooks)
    with tempfile.TemporaryFile("w+") as errors:
        source = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors)
        unpacked = subprocess.run(["tar", "-x", "--no-same-owner", "--exclude=./dev/*",
                                   "--exclude=./var/cache/apt/*", "--exclude=./var/lib/apt/lists/*",
                                   "-C", str(into), "-f", "-"],
                                  stdin=source.stdout, stderr=subprocess.PIPE, text=True)
        source.stdout.close()
        if source.wait() != 0:
            errors.seek(0)
            raise PanelError(f"Debian {release} for {architecture} cannot be unpacked:\n"
                             + errors.read()[-2000:].strip())
    if unpacked.returncode != 0:
        raise PanelError(f"Debian {release} for {architecture} cannot be unpacked:\n"
                         + unpacked.stderr[-2000:].strip())


def boxed(root, *, binds=(), environment=()):
    """Returns the words before a command that runs it on the read-only system in `root`, with the user folders of this
    machine."""
    command = ["bwrap", "--die-with-parent"]
    for entry in sorted(os.scandir("/"), key=lambda entry: entry.name):
        if entry.name in SYSTEM or entry.name in ("proc", "dev", "sys", "run", "lost+found"):
            continue
        if entry.is_symlink():
            command += ["--symlink", os.readlink(entry.path), entry.path]
        elif entry.is_dir():
            command += ["--bind", entry.path, entry.path]
    for name in sorted(SYSTEM):
        part = root / name
        if part.is_symlink():
            command += ["--symlink", os.readlink(part), f"/{name}"]
        elif part.is_dir():
            command += ["--ro-bind", str(part), f"/{name}"]
    command += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/run"]
    for source, place in binds:
        command += ["--ro-bind-try", str(source), str(place)]
    kept = {name: value for name, value in os.environ.items()
            if name in ("HOME", "USER", "LOGNAME", "TERM", "TMPDIR", "XDG_CACHE_HOME")
            or name.lower().endswith("_proxy")}
    command += ["--clearenv"]
    for name, value in {**kept, "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8",
                        **dict(environment)}.items():
        command += ["--setenv", name, str(value)]
    return command


class Toolchain:
    """Debian's `swiftlang`, unpacked."""

    def __init__(self, folder):
        self.folder = folder

    @classmethod
    def made(cls, say, anew=False):
        folder = cache_folder() / f"toolchain-{key(RELEASE, PACKAGES)}"
        if anew:
            shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            make(folder, cls._build, say, "unpacking Debian's Swift (600 MB to fetch, 3.3 GB to keep)")
            for old in cache_folder().glob("toolchain-*"):
                if old != folder:
                    shutil.rmtree(old, ignore_errors=True)
        return cls(folder)

    @staticmethod
    def _build(made, _):
        # Without ldconfig, the compiler doesn't find its own libraries.
        unpack_release(RELEASE, "amd64", PACKAGES, made, variant="minbase",
                       hooks=['touch "$1/etc/resolv.conf"', 'chroot "$1" ldconfig'])

    @functools.cached_property
    def version(self):
        return run("dpkg-query", f"--admindir={self.folder}/var/lib/dpkg", "-W", "-f", "${Version}",
                   "swiftlang", capture_output=True).stdout

    def box(self, environment=()):
        """Returns the words before a command of the toolchain. git uses this machine's settings."""
        return boxed(
            self.folder,
            binds=[("/etc/resolv.conf", "/etc/resolv.conf"), ("/etc/hosts", "/etc/hosts"),
                   ("/etc/passwd", "/etc/passwd"), ("/etc/group", "/etc/group"),
                   ("/etc/gitconfig", "/run/gitconfig")],
            environment={"GIT_CONFIG_SYSTEM": "/run/gitconfig", **dict(environment)})
