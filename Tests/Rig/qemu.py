# SPDX-License-Identifier: MIT
"""Finds a QEMU with a multi-touch device: the installed one if it has the device, otherwise Debian's backport."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from tools.debian import RELEASE, Archive, PanelError, require, run

MULTITOUCH = "virtio-multitouch-pci"  # since QEMU 8.1; Debian 12 has 7.2


class QEMU:
    """A QEMU program, its environment and its features."""

    def __init__(self, program, root=None):
        self.program = str(program)
        self.environment = dict(os.environ)
        if root:  # unpacked, not installed: its libraries, modules and firmware lie beside it
            libraries = [str(root / "usr/lib/x86_64-linux-gnu"), str(root / "lib/x86_64-linux-gnu")]
            self.environment["LD_LIBRARY_PATH"] = ":".join(libraries)
            # With this link QEMU looks nowhere else: the modules of an installed QEMU would abort it.
            bundle = root / "usr/bin/qemu-bundle"
            if not bundle.is_symlink():
                bundle.symlink_to("../..")

    def help(self, *words):
        return run(self.program, *words, env=self.environment, capture_output=True).stdout

    @property
    def version(self):
        match = re.search(r"version (\d+)\.(\d+)", self.help("--version"))
        return (int(match[1]), int(match[2]))

    @property
    def has_multitouch(self):
        return f'"{MULTITOUCH}"' in self.help("-device", "help")

    @classmethod
    def find(cls, cache, processor, say):
        """Returns the first QEMU with a multi-touch device; otherwise Debian's own, with the touchscreen created
        inside the guest."""
        emulator = processor.emulator
        installed = shutil.which(emulator)
        if installed and cls(installed).has_multitouch:
            return cls(installed)
        folder = cache / ("qemu" if processor.architecture == "amd64" else processor.package)
        if not folder.exists():
            try:
                cls._fetch(folder, processor, say)
            except PanelError as error:
                say(f"no newer QEMU from {RELEASE}-backports, so Debian's own is used: {error}")
        program = folder / "usr/bin" / emulator
        if program.exists() and cls(program, root=folder).has_multitouch:
            return cls(program, root=folder)
        require({emulator: processor.package})
        return cls(shutil.which(emulator))

    @classmethod
    def _fetch(cls, folder, processor, say):
        say(f"fetching QEMU from {RELEASE}-backports, once")
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix="fetching-") as scratch:
            archive = Archive(Path(scratch) / "apt",
                              [f" {RELEASE}", f" {RELEASE}-updates", f" {RELEASE}-backports",
                               f"-security {RELEASE}-security"])
            unpacked = Path(scratch) / "qemu"
            archive.unpack_with_dependencies(processor.package, unpacked, f"{RELEASE}-backports")
            if not (unpacked / "usr/bin" / processor.emulator).exists():
                raise PanelError("the package holds no " + processor.emulator)
            unpacked.rename(folder)

    def kvm_runs(self, image, say, seconds=10):
        """Whether a guest actually runs under KVM: nested, it may hang silently. Tested once after each boot of
        this machine."""
        if not os.access("/dev/kvm", os.R_OK | os.W_OK):
            return False
        start = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        known = image.folder / "kvm"
        if known.exists() and known.read_text().startswith(start):
            return known.read_text().endswith("runs")
        command = [self.program, "-accel", "kvm", "-cpu", "host", "-m", "512",
                   "-nodefaults", "-display", "none", "-serial", "stdio", "-no-reboot",
                   "-kernel", image.kernel, "-initrd", image.initramfs,
                   "-append", f"console={image.processor.console} panel.probe panic=-1"]
        try:
            done = subprocess.run([str(word) for word in command], env=self.environment,
                                  capture_output=True, text=True, timeout=seconds, stdin=subprocess.DEVNULL)
            said, reason = done.stdout, done.stderr.strip().partition("\n")[0] or "the guest exited without output"
        except subprocess.TimeoutExpired:
            said, reason = "", f"a guest had no output within {seconds} s"
        runs = "panel probe" in said
        known.write_text(f"{start} {'runs' if runs else 'fails'}")
        if not runs:
            say(f"no KVM here, so guests are emulated: {reason}")
        return runs


def firmware(cache, processor, say):
    """Returns the UEFI firmware for a processor: its code and its initial variables."""
    package, code, variables = processor.firmware
    folder = cache / package
    if not folder.exists():
        say(f"fetching the firmware {package}, once")
        with tempfile.TemporaryDirectory(dir=cache, prefix="fetching-") as scratch:
            unpacked = Path(scratch) / package
            Archive(Path(scratch) / "apt", [f" {RELEASE}"]).unpack(package, unpacked)
            unpacked.rename(folder)
    return folder / code, folder / variables
