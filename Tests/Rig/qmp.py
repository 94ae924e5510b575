# SPDX-License-Identifier: MIT
"""QEMU's machine protocol: one JSON object per line on a Unix socket."""

import json
import socket
import time

from tools.debian import PanelError


class QMP:
    """A connection for the duration of a `with` block, because QEMU serves one at a time."""

    def __init__(self, path):
        self.events = []
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(30)
        try:
            self._socket.connect(str(path))
        except OSError as error:
            raise PanelError(f"no panel answers at {path} ({error.strerror}); "
                             "use Tests/Rig/virtual-panel boot") from error
        self._lines = self._socket.makefile("rb")
        self._receive()  # the greeting
        self.execute("qmp_capabilities")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._lines.close()
        self._socket.close()

    def _receive(self):
        try:
            line = self._lines.readline()
        except TimeoutError as error:
            raise PanelError("the panel's QEMU does not answer") from error
        if not line:
            raise PanelError("the panel's QEMU closed the connection")
        return json.loads(line)

    def execute(self, command, **arguments):
        """Runs a command and returns its answer; keeps events that arrive meanwhile."""
        message = {"execute": command, "arguments": arguments}
        self._socket.sendall(json.dumps(message).encode() + b"\n")
        while True:
            answer = self._receive()
            if "return" in answer:
                return answer["return"]
            if "error" in answer:
                raise PanelError(f"{command}: {answer['error']['desc']}")
            self.events.append(answer)

    def wait_for_event(self, name, timeout=30, **data):
        """Waits for an event whose data contains these values."""
        deadline = time.monotonic() + timeout
        while True:
            while self.events:
                event = self.events.pop(0)
                if event["event"] == name and data.items() <= event.get("data", {}).items():
                    return event
            self._socket.settimeout(max(0.1, deadline - time.monotonic()))
            try:
                self.events.append(self._receive())
            except PanelError as error:
                raise PanelError(f"no {name} within {timeout} s") from error
            finally:
                self._socket.settimeout(30)
