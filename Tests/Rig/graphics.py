# SPDX-License-Identifier: MIT
"""The display controllers of a virtual panel, by name."""

from dataclasses import dataclass



@dataclass(frozen=True)
class Graphics:
    """A display controller, and how tests read its picture."""

    device: str = ""  # QEMU's, of which the size takes the places
    drivers: tuple = ()  # its kernel modules where Debian's kernels lack them: see drivers.py
    options: str = ""  # on the kernel's command line
    usb: str = ""  # the format of a USB display, which is a process beside QEMU
    bits: tuple = (8, 8, 8)  # of red, green and blue as the panel shows them
    is_grey: bool = False
    depth: int = 0  # what the kiosk is told of these bits where the driver converts to them
    needs_mode: bool = False  # whether it offers other modes before the wanted one
    is_seen: bool = True


GRAPHICS = {
    # The second output is not connected.
    "virtio": Graphics("virtio-gpu-pci,id=gpu,xres={},yres={},max_outputs=2"),
    "bochs": Graphics("bochs-display,id=gpu,xres={},yres={}"),
    "cirrus": Graphics("cirrus-vga,id=gpu", bits=(5, 6, 5), needs_mode=True),
    "vkms": Graphics(drivers=("vkms",), needs_mode=True, is_seen=False),
    "gud": Graphics(drivers=("gud",), usb="rgb565", bits=(5, 6, 5)),
    "simpledrm": Graphics("bochs-display,id=gpu,xres={},yres={}", drivers=("simpledrm", "firmware_framebuffer"),
                          options="modprobe.blacklist=bochs"),
    # The driver offers a 24-bit picture as well as an 8-bit one, and converts it.
    "gud-rgb332": Graphics(drivers=("gud",), usb="rgb332", bits=(3, 3, 2), depth=8),
    "gud-r8": Graphics(drivers=("gud",), usb="r8", is_grey=True),
    "gud-rgb888": Graphics(drivers=("gud",), usb="rgb888"),
    "gud-xrgb8888": Graphics(drivers=("gud",), usb="xrgb8888"),
}
