# SPDX-License-Identifier: MIT
"""A kiosk started as by the service manager."""

import os
import signal
import socket
import subprocess

from live import ROUNDEL, Lines


class Unit:
    """The kiosk `wall.yaml` in a folder, with the folders of its unit."""

    def __init__(self, folder):
        self.folder = folder
        self.file = folder / "wall.yaml"
        self.socket = folder / "control.sock"
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.manager.bind(str(folder / "notify"))
        for name in ("run", "state"):
            (folder / name).mkdir()
        self.process = None

    def start(self, program=ROUNDEL, *options):
        folder = self.folder
        environment = {**os.environ, "NOTIFY_SOCKET": f"{folder}/notify",
                       "STATE_DIRECTORY": f"{folder}/state", "RUNTIME_DIRECTORY": f"{folder}/run"}
        environment.pop("WATCHDOG_USEC", None)
        self.process = subprocess.Popen(
            [program, "run", "--display", "headless", "--socket", self.socket, *options, self.file],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.events, self.log = Lines(self.process.stdout), Lines(self.process.stderr)
        return "".join(self.log.until("showing"))

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(timeout=40)
