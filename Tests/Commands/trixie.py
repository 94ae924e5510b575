# SPDX-License-Identifier: MIT
"""Programs of Debian 13, unpacked in a folder."""

import os
import pathlib
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "deploy"))
from tools.debian import Archive, PanelError, native_architecture  # noqa: E402, F401

FOLDER = TOP / ".build/trixie"
PACKAGES = ["tmux", "foot"]


def unpack():
    """Unpacks them with all their libraries, once."""
    if FOLDER.exists():
        return
    with tempfile.TemporaryDirectory(dir=FOLDER.parent) as scratch:
        archive = Archive(f"{scratch}/apt", [" trixie"], native_architecture())
        for package in PACKAGES:
            archive.unpack_with_dependencies(package, f"{scratch}/made", "trixie")
        try:
            os.rename(f"{scratch}/made", FOLDER)
        except OSError:
            # A test that runs at the same time was first.
            if not FOLDER.exists():
                raise


def command(name):
    """Returns the command that starts a program with its own libraries. Its children use this machine's."""
    (loader,) = FOLDER.glob("usr/lib/*/ld-linux-*.so.*")
    return [str(loader), "--library-path", str(loader.parent), str(FOLDER / "usr/bin" / name)]
