# SPDX-License-Identifier: MIT
"""The part of a board's Debian for building and testing programs, and its Swift SDK."""

import json
import os
import platform
import shutil
import tempfile
from pathlib import Path

from tools.debian import Archive, PanelError, require, run

from .toolchain import RELEASE as SWIFT_RELEASE
from .toolchain import Toolchain, boxed, cache_folder, key, make, unpack_release

# Raspberry Pi OS of these bases has the same libraries.
RELEASES = {"12": "bookworm", "13": "trixie"}
NEWEST = max(RELEASES)
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
# Packages for Swift's own library and the linker, in addition to Roundel's libraries.
PACKAGES = {"bookworm": ["libc6-dev", "libstdc++-12-dev", "libgcc-12-dev", "linux-libc-dev"],
            "trixie": ["libc6-dev", "libstdc++-14-dev", "libgcc-14-dev", "linux-libc-dev"]}
# The package's library folder. Only PARTS are needed to build for a machine; COMPILERS_OWN is for the compiler.
SWIFT = "usr/libexec/swift/lib"
# By package: parts for programs, and parts for the dynamically linked tests.
PARTS = {"swiftlang": ["swift", "swift_static", "clang"], "libswiftlang": ["swift"]}
COMPILERS_OWN = ["host", "pm", "migrator", "FrameworkABIBaseline", "embedded"]
# This machine's files that don't depend on the processor: fonts, their configuration, and Unicode's test data.
DATA = ["/etc/fonts", "/usr/share/fonts", "/usr/share/fontconfig", "/usr/local/share/fonts",
        "/usr/share/unicode"]

DEPLOY = Path(__file__).resolve().parents[2]
# The functions that Swift's library needs from a C library newer than Debian 12's.
NEWER_C = Path(__file__).with_name("newer.c")
NEWER = "usr/lib/newer.o"


def packages(release):
    """Returns the packages for building and running Roundel."""
    build = run(DEPLOY / "build", "--packages", capture_output=True).stdout.split()
    run_time = run(DEPLOY / "install", "--packages", release, capture_output=True).stdout.split()
    return sorted({*PACKAGES[release], *(name for name in build if name.endswith("-dev")), *run_time})


class Sysroot:
    """Debian's headers and libraries for an architecture, including Swift's."""

    def __init__(self, folder, release, architecture, toolchain):
        self.folder = folder
        self.release = release
        self.architecture = architecture
        self.toolchain = toolchain
        self.machine = MACHINES[architecture]
        # The name of Debian's modules. The compiler has another vendor for its own processor.
        self.triple = f"{self.machine}-{'pc' if architecture == 'amd64' else 'unknown'}-linux-gnu"
        self.libraries = folder / f"usr/lib/{self.machine}-linux-gnu"
        self.sdks = folder.with_name(folder.name + "-sdks")
        self.sdk = f"roundel-{release}-{architecture}"

    @classmethod
    def made(cls, architecture, say, debian=NEWEST):
        """Returns the sysroot of a release, by its number, and builds it if necessary."""
        toolchain = Toolchain.made(say)
        release = RELEASES[debian]
        wanted = packages(release)
        kind = f"sysroot-{release}-{architecture}"

        def place():
            recipe = key(wanted, PARTS, COMPILERS_OWN, DATA, NEWER_C.read_text(), toolchain.version)
            return cache_folder() / f"{kind}-{recipe}"

        if not place().exists() and architecture != "amd64":
            offered = cls._offered(architecture)
            if offered != toolchain.version:
                say(f"Debian sid has gone from swiftlang {toolchain.version} to {offered}")
                toolchain = Toolchain.made(say, anew=True)
            if offered != toolchain.version:
                raise PanelError(f"Debian sid has swiftlang {offered} for {architecture} and "
                                 f"{toolchain.version} for amd64, which do not go together; "
                                 "try again in some days")
        sysroot = cls(place(), release, architecture, toolchain)
        if not sysroot.folder.exists():
            make(sysroot.folder, lambda made, scratch: sysroot._build(made, scratch, wanted, say),
                 say, f"unpacking Debian {release} for {architecture}")
            for old in cache_folder().glob(f"{kind}-*"):
                if old not in (sysroot.folder, sysroot.sdks):
                    shutil.rmtree(old, ignore_errors=True)
        sysroot._write_sdk()
        return sysroot

    @staticmethod
    def _archive(folder, architecture):
        return Archive(folder, [f" {SWIFT_RELEASE}"], architecture)

    @classmethod
    def _offered(cls, architecture):
        """Returns the mirror's only version of Swift for a machine."""
        with tempfile.TemporaryDirectory(dir=cache_folder()) as scratch:
            return cls._archive(scratch, architecture).version("swiftlang")

    def _build(self, made, scratch, wanted, say):
        unpack_release(self.release, self.architecture, wanted, made, variant="extract")
        # Unpacking packages doesn't create these links, and Debian 12's packages contain folders instead.
        for name in ("bin", "sbin", "lib", "lib64"):
            place, merged = made / name, made / "usr" / name
            if place.is_dir() and not place.is_symlink():
                shutil.copytree(place, merged, symlinks=True, dirs_exist_ok=True)
                shutil.rmtree(place)
            if merged.exists() and not place.is_symlink():
                place.symlink_to(f"usr/{name}")
        # In the box, absolute links would lead the linker into the toolchain.
        for link in (made / f"usr/lib/{self.machine}-linux-gnu").glob("*.so"):
            if link.is_symlink() and link.readlink().is_absolute():
                target = made / link.readlink().relative_to("/")
                link.unlink()
                link.symlink_to(os.path.relpath(target.parent.resolve(), link.parent.resolve()) + f"/{target.name}")
        # Mount points for the machine's files.
        for folder in DATA:
            (made / folder[1:]).mkdir(parents=True, exist_ok=True)
        for file in ("passwd", "group", "resolv.conf"):
            (made / "etc" / file).touch()
        say(f"  Swift's library {self.toolchain.version}")
        library = self.toolchain.folder / SWIFT
        if self.architecture != "amd64":
            archive = self._archive(scratch / "apt", self.architecture)
            for package, parts in PARTS.items():
                archive.unpack(f"{package}={self.toolchain.version}",
                               scratch / "swift", [f"./{SWIFT}/{part}" for part in parts])
            library = scratch / "swift" / SWIFT
        for part in PARTS["swiftlang"]:
            shutil.copytree(library / part, made / "usr/lib" / part, symlinks=True,
                            ignore=shutil.ignore_patterns(*COMPILERS_OWN))
        if self.release == "bookworm":
            run(*self.toolchain.box(), "/usr/libexec/swift/bin/clang", f"--target={self.triple}", f"--sysroot={made}",
                f"--gcc-toolchain={made}/usr", "-O2", "-c", NEWER_C, "-o", made / NEWER, capture_output=True)

    def _write_sdk(self):
        """Writes SwiftPM's artifact bundle, every time, because it contains paths of the cache."""
        bundle = self.sdks / f"{self.sdk}.artifactbundle"
        bundle.mkdir(parents=True, exist_ok=True)

        def write(name, **content):
            (bundle / name).write_text(json.dumps(content, indent=2) + "\n")

        gcc = f"--gcc-toolchain={self.folder}/usr"
        options = {"swiftCompiler": ["-use-ld=lld", "-Xclang-linker", gcc, "-Xcc", gcc], "cCompiler": [gcc],
                   "cxxCompiler": [gcc],
                   "linker": [str(file) for file in [self.folder / NEWER] if file.exists()]}
        # SwiftPM refuses a tool without options.
        write("toolset.json", schemaVersion="1.0",
              **{tool: {"extraCLIOptions": own} for tool, own in options.items() if own})
        write("swift-sdk.json", schemaVersion="4.0", targetTriples={self.triple: {
            "sdkRootPath": str(self.folder),
            "swiftResourcesPath": f"{self.folder}/usr/lib/swift",
            "swiftStaticResourcesPath": f"{self.folder}/usr/lib/swift_static",
            "toolsetPaths": ["toolset.json"]}})
        write("info.json", schemaVersion="1.0", artifacts={self.sdk: {
            "type": "swiftSDK", "version": self.toolchain.version.replace("+", "-"),
            "variants": [{"path": ".", "supportedTriples": [
                "x86_64-pc-linux-gnu", "x86_64-unknown-linux-gnu"]}]}})

    # MARK: builds

    def swift(self, *words):
        """Returns a SwiftPM command that builds for this board, in the tree."""
        tree = DEPLOY.parent
        # The paths in pkg-config files refer to the board.
        box = self.toolchain.box({"PKG_CONFIG_SYSROOT_DIR": self.folder})
        return [*box, "--chdir", str(tree), "swift", *words,
                "--swift-sdks-path", str(self.sdks), "--swift-sdk", self.sdk,
                "--scratch-path", str(self.scratch),
                "--cache-path", str(cache_folder() / "swiftpm"),
                "--pkg-config-path", f"{self.libraries}/pkgconfig",
                "--pkg-config-path", f"{self.folder}/usr/lib/pkgconfig",
                "--pkg-config-path", f"{self.folder}/usr/share/pkgconfig"]

    @property
    def scratch(self):
        return DEPLOY.parent / ".build" / f"{self.release}-{self.architecture}"

    # MARK: runs

    def command(self, *words, environment=()):
        """Returns a command that runs one of this board's programs on this machine, in emulation if the processor
        differs. It uses this machine's fonts, so that glyphs are identical."""
        emulator = []
        binds = [(folder, folder) for folder in (
            *DATA, "/etc/resolv.conf", "/etc/passwd", "/etc/group")]
        if self.machine != platform.machine():
            program = f"qemu-{self.machine}-static"
            require({program: "qemu-user-static"})
            binds.append((shutil.which(program), f"/run/{program}"))
            emulator = [f"/run/{program}"]
        return [*boxed(self.folder, binds=binds, environment=environment), *emulator, *words]
