# SPDX-License-Identifier: MIT
"""A client of `roundel lsp` that sends and reads raw messages."""

import json
import os
import select
import subprocess
import time


class Client:
    """A running server and its output."""

    def __init__(self, binary, cwd=None, start=True):
        self.process = subprocess.Popen(
            [binary, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=cwd)
        self.buffer = b""
        self.last = 0
        self.notifications = []
        self.versions = {}
        self.texts = {}
        if start:
            self.capabilities = self.call("initialize", {
                "processId": None, "rootUri": None, "capabilities": {"textDocument": {
                    "hover": {"contentFormat": ["markdown"]},
                    "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
                    "publishDiagnostics": {"versionSupport": True}}}})["capabilities"]
            self.notify("initialized", {})

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def read(self, timeout=20):
        """Returns the next message."""
        end = time.monotonic() + timeout
        while True:
            head, mark, rest = self.buffer.partition(b"\r\n\r\n")
            if mark:
                length = int(head.split(b":")[1])
                if len(rest) >= length:
                    self.buffer = rest[length:]
                    return json.loads(rest[:length])
            left = end - time.monotonic()
            assert left > 0, "no message has come"
            if select.select([self.process.stdout], [], [], left)[0]:
                piece = os.read(self.process.stdout.fileno(), 1 << 16)
                assert piece, "the server has ended"
                self.buffer += piece

    def request(self, method, params):
        """Sends a request and returns its id."""
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        return self.last

    def answer(self, number):
        """Returns the answer to a request, and keeps earlier messages."""
        while True:
            message = self.read()
            if message.get("id") == number and "method" not in message:
                return message
            self.notifications.append(message)

    def call(self, method, params):
        message = self.answer(self.request(method, params))
        assert "error" not in message, message
        return message["result"]

    def open(self, path, text=None):
        if text is None:
            text = open(path, encoding="utf-8", newline="").read()
        uri = "file://" + str(path)
        self.versions[uri] = 1
        self.texts[uri] = text
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "yaml", "version": 1, "text": text}})
        return uri

    def change(self, uri, start, end, text):
        """Replaces the characters between two offsets."""
        old = self.texts[uri]
        self.texts[uri] = old[:start] + text + old[end:]
        self.versions[uri] += 1
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": self.versions[uri]},
            "contentChanges": [{
                "range": {"start": position(old, start), "end": position(old, end)}, "text": text}]})

    def diagnostics(self, uri, until=lambda found: True):
        """Returns the errors of the newest version of a file. More may follow after a pause; `until` waits for
        certain ones."""
        found = None
        end = time.monotonic() + 20
        while True:
            for message in self.notifications:
                params = message.get("params", {})
                if params.get("uri") == uri and params.get("version") == self.versions[uri]:
                    found = params["diagnostics"]
            self.notifications = []
            if found is not None and (until(found) or time.monotonic() > end):
                return found
            self.notifications.append(self.read())

    def at(self, uri, text, shift=0):
        """Returns the parameters for the position of a string."""
        offset = self.texts[uri].index(text) + shift
        return {"textDocument": {"uri": uri}, "position": position(self.texts[uri], offset)}

    def end(self):
        self.call("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(10)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def position(text, offset):
    """Converts an offset to a position of the protocol: a line and UTF-16 units."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    line = before.rsplit("\n", 1)[-1]
    return {"line": before.count("\n"), "character": len(line.encode("utf-16-le")) // 2}


def offset(text, place):
    """Converts a position to an offset."""
    lines = text.splitlines(keepends=True)
    before = sum(len(line) for line in lines[:place["line"]])
    line = lines[place["line"]] if place["line"] < len(lines) else ""
    units = line.encode("utf-16-le")[:2 * place["character"]]
    return before + len(units.decode("utf-16-le"))


def apply(text, edits):
    """Applies the edits of an answer to a file's contents."""
    for edit in sorted(edits, key=lambda e: offset(text, e["range"]["start"]), reverse=True):
        start, end = offset(text, edit["range"]["start"]), offset(text, edit["range"]["end"])
        text = text[:start] + edit["newText"] + text[end:]
    return text
