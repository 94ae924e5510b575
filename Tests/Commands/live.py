# SPDX-License-Identifier: MIT
"""A running kiosk without a panel, and commands that use it."""

import contextlib
import json
import math
import os
import pathlib
import queue
import socket
import subprocess
import threading
import time

TOP = pathlib.Path(__file__).resolve().parents[2]
ROUNDEL = os.environ.get("ROUNDEL_BINARY", str(TOP / ".build/release/roundel"))
KIOSK = TOP / "Tests/remote.yaml"


class Lines:
    """The lines that a program prints, in order."""

    def __init__(self, stream):
        self._queue = queue.Queue()
        self._thread = threading.Thread(target=self._read, args=(stream,), daemon=True)
        self._thread.start()

    def _read(self, stream):
        for line in stream:
            self._queue.put(line)
        self._queue.put(None)

    def next(self, timeout=20):
        """Returns the next line, or None at the end."""
        return self._queue.get(timeout=timeout)

    def until(self, words, timeout=20):
        """Returns all lines up to the first line with the given words."""
        lines = []
        while not lines or words not in lines[-1]:
            line = self.next(timeout)
            assert line is not None, f"no line with {words!r}: {lines}"
            lines.append(line)
        return lines


class Command(subprocess.Popen):
    """A running command, which is killed if its block fails."""

    def __exit__(self, kind, *reason):
        if kind:
            self.kill()
        super().__exit__(kind, *reason)


class LiveKiosk:
    def __init__(self, folder, *options, file=KIOSK):
        self.folder = pathlib.Path(folder)
        self.socket = self.folder / "control.sock"
        self.file = self.folder / "kiosk.yaml"
        self.file.write_text(pathlib.Path(file).read_text())
        self.start(*options)

    def start(self, *options):
        self.process = subprocess.Popen(
            [ROUNDEL, "run", "--display", "headless", "--seed", "1", "--socket", self.socket,
             *map(str, options), self.file],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.events = Lines(self.process.stdout)
        self.log = Lines(self.process.stderr)
        self.said = self.log.until("showing")  # the log of the start

    def close(self):
        self.process.kill()
        self.process.wait()

    def run(self, *words, code=0, timeout=30, **options):
        """Runs a command on the kiosk until it exits with the given code."""
        return run(*words, "--socket", self.socket, code=code, timeout=timeout, **options)

    def json(self, *words, **options):
        """Returns the JSON that a command prints as its only line."""
        return json.loads(self.run(*words, "--json", **options).stdout)

    def get(self, name):
        return self.json("get", name)

    def begin(self, *words, **options):
        """Starts a command that keeps running."""
        return Command(
            [ROUNDEL, *map(str, words), "--socket", self.socket], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def told_until(self, last):
        """Returns the events up to `last` in short form: `wheel.pressed(a)`."""
        told = []
        while not told or told[-1] != last:
            line = self.events.next()
            assert line is not None, f"no {last}: {told}"
            told.append(short(json.loads(line)))
        return told

    @contextlib.contextmanager
    def spinning(self):
        """Keeps the dial turning with a finger that moves in circles."""
        with self.begin("touch", stdin=subprocess.PIPE) as finger:
            finger.stdin.write(circles(seconds=40))  # the client reads ahead by more than that
            finger.stdin.flush()
            try:
                yield
            finally:
                finger.kill()

    def connect(self):
        return Wire(self.socket)


class Wire:
    """A client that sends arbitrary data."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))  # waits where many connect at the same time
        self.socket.settimeout(20)
        self._reader = self.socket.makefile("rb")
        self._last = 0

    def send(self, data):
        self.socket.sendall(data if isinstance(data, bytes) else data.encode())

    def read(self):
        """Returns the next message, or None if the kiosk has closed the connection."""
        line = self._reader.readline()
        return json.loads(line) if line else None

    def ask(self, method, **parameters):
        """Returns the result or error of a request. Notifications before it are dropped."""
        self._last += 1
        request = {"jsonrpc": "2.0", "method": method, "params": parameters, "id": self._last}
        self.send(json.dumps(request) + "\n")
        while (answer := self.read()).get("id") != self._last:
            pass
        return answer.get("result", answer.get("error"))

    def close(self):
        self._reader.close()
        self.socket.close()


def tree_of(file, folder):
    """Returns the size of a kiosk and its pages with their controls, from a running kiosk."""
    with subprocess.Popen(
            [ROUNDEL, "run", "--display", "headless", "--seed", "1", "--socket", folder / "s", file],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        try:
            Lines(process.stderr).until("showing")
            wire = Wire(folder / "s")
            answer = wire.ask("tree", properties=True)
            wire.close()
        finally:
            process.kill()
    return answer


def circles(seconds, centre=(600, 250), radius=120):
    """A recording of a finger that circles once per second, with 125 reports per second like USB."""
    lines = []
    for step in range(seconds * 125):
        angle = math.tau * step / 125
        place = {"finger": 0, "x": centre[0] + radius * math.sin(angle),
                 "y": centre[1] - radius * math.cos(angle)}
        lines.append(json.dumps({"t": step / 125, "move" if step else "down": place}) + "\n")
    return "".join(lines)


def short(event):
    item = f"({event['item']})" if "item" in event else ""
    return f"{event.get('control', '')}.{event['event']}{item}"


def run(*words, code=0, timeout=30, **options):
    """Runs roundel until it exits with the given code."""
    options.setdefault("text", True)
    if "input" not in options:
        options.setdefault("stdin", subprocess.DEVNULL)
    done = subprocess.run([ROUNDEL, *map(str, words)], capture_output=True, timeout=timeout,
                          **options)
    assert done.returncode == code, f"{words}: {done.returncode}: {done.stdout}{done.stderr}"
    return done
