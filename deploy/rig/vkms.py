# SPDX-License-Identifier: MIT
"""vkms, a display controller of nothing but memory, but with vertical blanks. Debian's kernels are
without it, so it is built from their source for the kernel of the panel."""

import os
import re
import tempfile
from pathlib import Path

from .debian import RELEASE, Archive, PanelError, require, run


def module(cache, image, say):
    """The file of the kernel module, from the cache if it is there."""
    release = re.search(rb"Linux version (\S+)", image.kernel.read_bytes())[1].decode()
    built = cache / f"vkms-{release}.ko"
    if not built.exists():
        say(f"building vkms for Linux {release}, once (about a minute)")
        with tempfile.TemporaryDirectory(dir=cache, prefix="building-") as scratch:
            _build(release, Path(scratch)).rename(built)
        for old in cache.glob("vkms-*.ko"):
            if old != built:
                old.unlink()
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
    # libelf1 is what the kernel's own tools are linked to.
    for package in [headers, *needed, "libelf1", f"linux-source-{version}"]:
        if not package.startswith("linux-compiler-"):
            archive.unpack(package, root)

    sources = root / "usr/src"
    tree = sources / headers
    makefile = tree / "Makefile"  # it includes another one by its place on a machine
    makefile.write_text(makefile.read_text().replace(" /usr/src/", f" {sources}/"))
    driver = f"linux-source-{version}/drivers/gpu/drm/vkms"
    run("tar", "-C", sources, "-xf", sources / f"linux-source-{version}.tar.xz", driver)
    libraries = {**os.environ, "LD_LIBRARY_PATH": str(root / "usr/lib/x86_64-linux-gnu")}
    run("make", "-s", "-C", tree, f"M={sources / driver}", "CONFIG_DRM_VKMS=m", "modules",
        env=libraries, capture_output=True)
    return sources / driver / "vkms.ko"
