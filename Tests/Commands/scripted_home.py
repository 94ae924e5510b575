# SPDX-License-Identifier: MIT
"""A scripted Home Assistant: the messages of its WebSocket API, with states and refusals that a test chooses."""

import base64
import contextlib
import hashlib
import json
import queue
import socket
import ssl
import struct
import threading

TOKEN = "eyJhbGciOiJIUzI1NiJ9.secret-of-the-test"
SERVICES = {
    "light": {"toggle": {"fields": {"transition": {}}}, "turn_on": {"fields": {"brightness_pct": {}}}},
    "climate": {"set_temperature": {"fields": {
        "temperature": {}, "advanced_fields": {"collapsed": True, "fields": {"target_temp_low": {}}}}}},
    "script": {"night": {"fields": {}}}}


class Peer:
    """One connection. Frames of clients are masked, and frames of servers are not."""

    def __init__(self, connection):
        self.connection = connection
        self.subscriptions = {}
        self._lock = threading.Lock()

    def handshake(self):
        head = b""
        while b"\r\n\r\n" not in head:
            head += self._some(1)
        lines = head.decode().split("\r\n")
        fields = dict(line.split(": ", 1) for line in lines[1:] if ": " in line)
        key = fields["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        self.connection.sendall(
            ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             f"Sec-WebSocket-Accept: {accept}\r\n\r\n").encode())
        return lines[0]

    def _some(self, count):
        data = b""
        while len(data) < count:
            more = self.connection.recv(count - len(data))
            if not more:
                raise ConnectionError("closed")
            data += more
        return data

    def read(self):
        """Returns the next message."""
        while True:
            first, second = self._some(2)
            size = second & 127
            assert second & 128, "a client's frame is not masked"
            if size == 126:
                size, = struct.unpack(">H", self._some(2))
            elif size == 127:
                size, = struct.unpack(">Q", self._some(8))
            mask = self._some(4)
            data = bytes(byte ^ mask[index % 4] for index, byte in enumerate(self._some(size)))
            if first & 15 == 8:
                raise ConnectionError("closed")
            if first & 15 == 1:
                return json.loads(data)

    def send(self, message, opcode=1, final=True):
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        size = len(data)
        head = bytes([opcode | (128 if final else 0)])
        if size < 126:
            head += bytes([size])
        elif size < 1 << 16:
            head += bytes([126]) + struct.pack(">H", size)
        else:
            head += bytes([127]) + struct.pack(">Q", size)
        with self._lock, contextlib.suppress(OSError):
            self.connection.sendall(head + data)

    def close(self):
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
        self.connection.close()


class ScriptedHome:
    def __init__(self, states=None, certificate=None):
        # {NAME: [STATE, {ATTRIBUTE: value}]}
        self.states = states or {}
        self.certificate = certificate
        self.tokens = {TOKEN}
        self.refusals = {}
        self.is_mute = False
        self.received = queue.Queue()
        self.calls = queue.Queue()
        self.peers = []
        self.port = 0
        self.start()

    @property
    def url(self):
        return f"{'wss' if self.certificate else 'ws'}://127.0.0.1:{self.port}"

    def start(self):
        self.listener = socket.create_server(("127.0.0.1", self.port))
        self.port = self.listener.getsockname()[1]
        self.is_stopped = False
        threading.Thread(target=self._accept, args=(self.listener,), daemon=True).start()

    def stop(self):
        self.is_stopped = True
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.drop()

    close = stop

    def drop(self):
        """Ends all connections."""
        for peer in list(self.peers):
            peer.close()

    def _accept(self, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with contextlib.suppress(OSError, ValueError):
            if self.certificate:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(*self.certificate)
                connection = context.wrap_socket(connection, server_side=True)
            peer = Peer(connection)
            self.peers.append(peer)
            try:
                self.received.put(peer.handshake())
                peer.send({"type": "auth_required", "ha_version": "2026.2.3"})
                if peer.read().get("access_token") not in self.tokens:
                    peer.send({"type": "auth_invalid", "message": "Invalid access token or password"})
                    return
                peer.send({"type": "auth_ok", "ha_version": "2026.2.3"})
                while True:
                    self._answer(peer, peer.read())
            finally:
                self.peers.remove(peer)
                peer.close()

    def _answer(self, peer, message):
        self.received.put(message)
        if self.is_mute:
            return
        kind, number = message["type"], message["id"]
        if kind == "ping":
            return peer.send({"id": number, "type": "pong"})
        if kind == "call_service":
            self.calls.put(message)
            problem = self.refusals.get(f"{message['domain']}.{message['service']}")
            if problem:
                return peer.send({"id": number, "type": "result", "success": False,
                                  "error": {"code": "service_validation_error", "message": problem}})
        result = None
        if kind == "get_states":
            result = [{"entity_id": name, "state": state, "attributes": attributes}
                      for name, (state, attributes) in self.states.items()]
        elif kind == "get_services":
            result = SERVICES
        peer.send({"id": number, "type": "result", "success": True, "result": result})
        if kind == "unsubscribe_events":
            peer.subscriptions.pop(message["subscription"], None)
        elif kind == "subscribe_entities":
            peer.subscriptions[number] = message["entity_ids"]
            peer.send({"id": number, "type": "event", "event": {"a": {
                name: {"s": state, "a": attributes, "c": "01", "lc": 1.5}
                for name, (state, attributes) in self.states.items() if name in message["entity_ids"]}}})

    # What happens in the home.

    def push(self, name, event):
        for peer in list(self.peers):
            for number, names in peer.subscriptions.items():
                if name in names:
                    peer.send({"id": number, "type": "event", "event": event})

    def set(self, name, state=None, **attributes):
        """Changes a state and attributes, as `subscribe_entities` reports it. None removes an attribute."""
        change = {"+": {"lc": 2.5, "c": "02"}}
        if state is not None:
            self.states[name][0] = change["+"]["s"] = state
        removed = [key for key, value in attributes.items() if value is None]
        added = {key: value for key, value in attributes.items() if value is not None}
        for key in removed:
            del self.states[name][1][key]
        self.states[name][1].update(added)
        if added:
            change["+"]["a"] = added
        if removed:
            change["-"] = {"a": removed}
        self.push(name, {"c": {name: change}})

    def remove(self, name):
        del self.states[name]
        self.push(name, {"r": [name]})

    def add(self, name, state, **attributes):
        self.states[name] = [state, attributes]
        self.push(name, {"a": {name: {"s": state, "a": attributes, "lc": 3, "c": "03"}}})

    def call(self, timeout=10):
        """Returns the next call as (service, entity, data)."""
        message = self.calls.get(timeout=timeout)
        return (f"{message['domain']}.{message['service']}", message.get("target", {}).get("entity_id"),
                message["service_data"])
