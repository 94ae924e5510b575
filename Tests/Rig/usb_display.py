# SPDX-License-Identifier: MIT
"""The process of a virtual panel's USB display, separate from QEMU and from the process that started both."""

import json
import os
import selectors
import socket
import subprocess
import sys
import time
from pathlib import Path

from tools.debian import PanelError

from . import images
from .gud import USBDisplay
from .image import TOP
from .usbredir import Plug

# Sockets in the panel's folder: QEMU's side, and commands to the process.
QEMU_SOCKET, SOCKET = "usb.sock", "display.sock"

# The QEMU devices that a USB display plugs into.
CONTROLLER = ["-device", "qemu-xhci,id=usb", "-chardev", f"socket,id=display,path={QEMU_SOCKET},server=on,wait=off",
              "-device", "usb-redir,chardev=display,bus=usb.0"]


def start(folder, size, form):
    """Plugs a display into the running panel of a folder."""
    command = [sys.executable, "-B", "-m", __name__, str(folder), *map(str, size), form]
    with open(folder / "display.log", "w") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                                   env={**os.environ, "PYTHONPATH": f"{TOP / 'Tests'}:{TOP / 'deploy'}"})
    deadline = time.monotonic() + 10
    while True:
        try:
            return ask(folder, "count")
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise PanelError(f"the USB display did not start:\n{(folder / 'display.log').read_text()}") from None
            time.sleep(0.05)


def ask(folder, command, *arguments):
    """Sends a command to the process: `plug`, `unplug`, `picture FILE png|ppm`, `garble SEED REQUEST…`, `count`,
    `end`. Returns the total `bytes` and `updates` that the display has received."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(30)
        connection.connect(str(folder / SOCKET))
        connection.sendall(json.dumps([command, *arguments]).encode() + b"\n")
        answer = json.loads(connection.makefile("rb").readline() or "null")
    if answer is None:
        raise PanelError(f"the USB display has exited:\n{(folder / 'display.log').read_text()}")
    return answer


class Process:
    def __init__(self, folder, display):
        self._folder = folder
        self._display = display
        self._plug = None
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / SOCKET))
        self._listener.listen()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ, self._answer)
        self._ends = False

    def run(self):
        self.plug()
        # Ends when the panel's folder or socket disappears.
        while not self._ends and (self._folder / SOCKET).exists():
            for key, _ in self._selector.select(timeout=1):
                key.data()

    def plug(self):
        if not self._plug:
            self._plug = Plug(self._display, self._folder / QEMU_SOCKET)
            self._selector.register(self._plug.socket, selectors.EVENT_READ, self._read)

    def unplug(self):
        if self._plug:
            self._selector.unregister(self._plug.socket)
            self._plug.pull()
            self._plug = None

    def _read(self):
        # Ends with QEMU.
        self._ends = self._ends or bool(self._plug) and not self._plug.read()

    def _answer(self):
        connection, _ = self._listener.accept()
        with connection:
            command, *arguments = json.loads(connection.makefile("rb").readline())
            if command == "plug":
                self.plug()
            elif command == "unplug":
                self.unplug()
            elif command == "picture":
                file, kind = arguments
                encode = {"png": images.png, "ppm": images.ppm}[kind]
                Path(file).write_bytes(encode(self._display.size, self._display.pixels))
            elif command == "garble":
                self._display.garble(arguments[1:], arguments[0])
            elif command == "end":
                self._ends = True
            counts = {"bytes": self._display.bytes, "updates": self._display.updates}
            connection.sendall(json.dumps(counts).encode() + b"\n")


if __name__ == "__main__":
    place, width, height, kind = sys.argv[1:]
    Process(Path(place), USBDisplay((int(width), int(height)), kind)).run()
