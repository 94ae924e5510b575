# SPDX-License-Identifier: MIT
"""The differences between virtual panels with different processors."""

from dataclasses import dataclass

# Loaded by the first program; udev loads all other modules.
BOOT_MODULES = ["virtio_pci", "virtio_blk", "virtio_net", "crc32c_generic", "ext4", "overlay"]
MODULES = ["virtio-gpu", "virtio_input", "evdev", "uinput", "virtio-rng"]


@dataclass(frozen=True)
class Processor:
    """Debian's name of an architecture, the panel's release, and its machine in QEMU."""

    architecture: str
    release: str
    emulator: str  # QEMU's program
    package: str  # Debian's package of that program
    machine: tuple  # QEMU's options
    console: str
    modules: tuple
    firmware: tuple  # the UEFI firmware: Debian's package, its code, its variables
    efi: str  # UEFI's name of the processor in a boot loader's file name
    root_type: str  # the partition type of a root file system, from the Discoverable Partitions Specification


PROCESSORS = {processor.architecture: processor for processor in (
    Processor("amd64", "bookworm", "qemu-system-x86_64", "qemu-system-x86",
              ("-machine", "pc", "-cpu", "max"), "ttyS0",
              ("bochs", "cirrus", "psmouse", "i6300esb", "vfb", "usbhid", "uhid", "hid-generic", "hid-multitouch",
               "xhci-pci", "lz4_compress", "pvpanic-pci", "loop", "dm-verity", "squashfs"),
              ("ovmf", "usr/share/OVMF/OVMF_CODE_4M.fd", "usr/share/OVMF/OVMF_VARS_4M.fd"),
              "x64", "4f68bce3-e8cd-4db1-96e7-fbcaf984b709"),
    # `max` would use pointer authentication, which is slow to emulate.
    Processor("arm64", "trixie", "qemu-system-aarch64", "qemu-system-arm",
              ("-machine", "virt,gic-version=3", "-cpu", "cortex-a76"), "ttyAMA0", (),
              ("qemu-efi-aarch64", "usr/share/AAVMF/AAVMF_CODE.fd", "usr/share/AAVMF/AAVMF_VARS.fd"),
              "aa64", "b921b045-1df0-41c3-af44-4c6f280d3fae"),
)}
