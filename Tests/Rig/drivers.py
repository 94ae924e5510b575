# SPDX-License-Identifier: MIT
"""Builds display drivers that Debian's kernels lack, from their source, for the panel's kernel."""

import hashlib
import os
import re
import shutil
import tempfile
from pathlib import Path

from tools.debian import RELEASE, Archive, PanelError, require, run

FOLDER = Path(__file__).resolve().parent

# The folders of the drivers in the kernel source. vkms is a display controller in memory with vertical blanks; gud
# drives USB displays; simpledrm draws into a frame buffer that our own module lights like firmware.
SOURCES = {"vkms": "vkms", "gud": "gud", "simpledrm": "tiny"}
OURS = "firmware_framebuffer"


def build(cache, image, say):
    """Returns the folder of the built modules; builds them if they are not in the cache."""
    release = re.search(rb"Linux version (\S+)", image.kernel.read_bytes())[1].decode()
    recipe = hashlib.sha256()
    for part in ("drivers.py", f"{OURS}.c"):
        recipe.update((FOLDER / part).read_bytes())
    built = cache / f"drivers-{release}-{recipe.hexdigest()[:8]}"
    if not built.exists():
        say(f"building the drivers {', '.join(SOURCES)} for Linux {release}, once (about two minutes)")
        with tempfile.TemporaryDirectory(dir=cache, prefix="building-") as scratch:
            modules = _build(release, Path(scratch))
            for old in cache.glob("drivers-*"):
                shutil.rmtree(old)
            modules.rename(built)
    return built


def _build(release, scratch):
    archive = Archive(scratch / "apt", [f" {RELEASE}", f"-security {RELEASE}-security"])
    headers = f"linux-headers-{release}"
    try:
        needed = archive.dependencies(headers)
    except PanelError as error:
        raise PanelError(f"Debian has no {headers} any more; delete {scratch.parent}/image-* and "
                         "boot anew, for a panel with the kernel of today") from error
    compiler = next(name.split("-compiler-")[1].rpartition("-")[0] for name in needed
                    if name.startswith("linux-compiler-"))
    require({compiler: compiler, "make": "make", "xz": "xz-utils"})
    version = ".".join(release.split(".")[:2])
    root = scratch / "root"
    # The kernel's tools need libelf1.
    for package in [headers, *needed, "libelf1", f"linux-source-{version}"]:
        if not package.startswith("linux-compiler-"):
            archive.unpack(package, root)

    sources = root / "usr/src"
    tree = sources / headers
    makefile = tree / "Makefile"  # it includes another one by its place on a machine
    makefile.write_text(makefile.read_text().replace(" /usr/src/", f" {sources}/"))
    drm = f"linux-source-{version}/drivers/gpu/drm"
    run("tar", "-C", sources, "-xf", sources / f"linux-source-{version}.tar.xz",
        *[f"{drm}/{folder}" for folder in SOURCES.values()])
    folders = {name: sources / drm / folder for name, folder in SOURCES.items()}
    folders[OURS] = scratch / OURS
    folders[OURS].mkdir()
    shutil.copy(FOLDER / f"{OURS}.c", folders[OURS])
    for name in ("simpledrm", OURS):  # of its folder, that one alone
        (folders[name] / "Makefile").write_text(f"obj-m := {name}.o\n")
    # Debian's kernel has simplefb built in, which already uses that name.
    simple = folders["simpledrm"] / "simpledrm.c"
    simple.write_text(simple.read_text().replace('.name = "simple-framebuffer"', '.name = "simpledrm"'))
    libraries = {**os.environ, "LD_LIBRARY_PATH": str(root / "usr/lib/x86_64-linux-gnu")}
    modules = scratch / "modules"
    modules.mkdir()
    for name, folder in folders.items():
        run("make", "-s", "-C", tree, f"M={folder}", "CONFIG_DRM_VKMS=m", "CONFIG_DRM_GUD=m", "modules",
            env=libraries, capture_output=True)
        (folder / f"{name}.ko").rename(modules / f"{name}.ko")
    return modules
