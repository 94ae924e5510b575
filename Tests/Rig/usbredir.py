# SPDX-License-Identifier: MIT
"""A USB device plugged into QEMU's `usb-redir`: the peer's side of version 0.7 of the USB redirection protocol
(usbredir, docs/usb-redirection-protocol.md), limited to control and bulk transfers."""

import socket
import struct

# Packet types.
HELLO, CONNECT, RESET, INTERFACES, ENDPOINTS = 0, 1, 3, 4, 5
SET_CONFIGURATION, GET_CONFIGURATION, CONFIGURATION = 6, 7, 8
SET_ALTERNATE, GET_ALTERNATE, ALTERNATE = 9, 10, 11
CANCEL, FILTER_REJECT, FILTER = 21, 22, 23
CONTROL, BULK = 100, 101

SUCCESS, INVALID, FAILED, STALL = 0, 2, 3, 4
HIGH_SPEED = 2
NO_ENDPOINT = 255

# QEMU's xHCI expects: device version, packet sizes, 64-bit identifiers, 32-bit lengths.
CAPABILITIES = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 6

# Standard requests of USB 2.0, chapter 9.
GET_DESCRIPTOR, DEVICE, CONFIGURATION_DESCRIPTOR, STRING = 6, 1, 2, 3
IN = 0x80


class Function:
    """The behaviour of a device with one interface, independent of the host it is plugged into."""

    vendor, product = 0, 0
    name = ""
    interface_class = 0xff
    bulk_out = 1  # the number of its only endpoint beside the one for control
    PACKET = 512  # bytes, at high speed

    def descriptor(self, kind):
        """Returns a descriptor by type and index, or None."""
        if kind == DEVICE << 8:
            return struct.pack("<BBHBBBBHHHBBBB", 18, DEVICE, 0x200, 0, 0, 0, 64, self.vendor, self.product, 0x100,
                               1, 2, 0, 1)
        if kind == CONFIGURATION_DESCRIPTOR << 8:
            interface = struct.pack("<9B", 9, 4, 0, 0, 1, self.interface_class, 0, 0, 0)
            endpoint = struct.pack("<BBBBHB", 7, 5, self.bulk_out, 2, self.PACKET, 0)
            parts = interface + endpoint
            return struct.pack("<BBHBBBBB", 9, CONFIGURATION_DESCRIPTOR, 9 + len(parts), 1, 1, 0, 0x80, 50) + parts
        if kind == STRING << 8:
            return struct.pack("<BBH", 4, STRING, 0x409)
        if kind in (STRING << 8 | 1, STRING << 8 | 2):
            text = ("Roundel" if kind & 1 else self.name).encode("utf-16-le")
            return struct.pack("<BB", 2 + len(text), STRING) + text
        return None

    def plugged(self):
        """The device has power again and must forget its state."""

    def get(self, request, value, length):
        """The answer to a non-standard request, or None, which stalls."""

    def set(self, request, value, data):
        """Whether the device accepts a non-standard request with this data."""

    def receive(self, data):
        """Handles bulk data."""


class Plug:
    """A function plugged into the socket of a `usb-redir` device."""

    def __init__(self, function, path):
        self._function = function
        self._wide = False  # whether both have said that identifiers have 64 bits
        self._configuration = 0
        self._is_in = True
        self._bytes = bytearray()
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        function.plugged()
        self._send(HELLO, 0, struct.pack("<64sI", b"roundel", CAPABILITIES))

    def pull(self):
        """Unplugs the function. First fails pending requests, as a real bus does: once QEMU knows of the unplugging
        it passes no more answers on, and the guest would wait five seconds."""
        self._is_in = False
        self.socket.settimeout(0.05)
        try:
            while self.read():
                pass
        except OSError:  # nothing is asked any more
            pass
        self.socket.close()

    def read(self):
        """Handles incoming data; False when QEMU has closed the connection."""
        arrived = self.socket.recv(1 << 20)
        self._bytes += arrived
        while self._next():
            pass
        return bool(arrived)

    def _next(self):
        head = struct.Struct("<IIQ" if self._wide else "<III")
        if len(self._bytes) < head.size:
            return False
        kind, length, identifier = head.unpack_from(self._bytes)
        if len(self._bytes) < head.size + length:
            return False
        body = bytes(self._bytes[head.size:head.size + length])
        del self._bytes[:head.size + length]
        self._handle(kind, identifier, body)
        return True

    def _send(self, kind, identifier, body):
        head = struct.pack("<IIQ" if self._wide else "<III", kind, len(body), identifier)
        self.socket.sendall(head + body)

    def _handle(self, kind, identifier, body):
        if kind == HELLO:
            self._wide = True
            self._introduce()
        elif kind == SET_CONFIGURATION:
            self._configuration = body[0]
            self._send(CONFIGURATION, identifier, bytes([SUCCESS, self._configuration]))
        elif kind == GET_CONFIGURATION:
            self._send(CONFIGURATION, identifier, bytes([SUCCESS, self._configuration]))
        elif kind == SET_ALTERNATE:
            status = SUCCESS if body[1] == 0 else INVALID
            self._send(ALTERNATE, identifier, bytes([status, body[0], 0]))
        elif kind == GET_ALTERNATE:
            self._send(ALTERNATE, identifier, bytes([SUCCESS, body[0], 0]))
        elif kind == CONTROL:
            self._control(identifier, body)
        elif kind == BULK:
            self._bulk(identifier, body)
        elif kind not in (RESET, CANCEL, FILTER_REJECT, FILTER):
            # Cancelled packets have been answered already: each is answered on arrival.
            raise ValueError(f"QEMU sends a packet of type {kind}")

    def _introduce(self):
        """Describes the device to QEMU. Outgoing endpoints start at index 0, incoming ones at 16."""
        function = self._function
        kinds, sizes = [NO_ENDPOINT] * 32, [0] * 32
        for index, kind, size in ((0, 0, 64), (16, 0, 64), (function.bulk_out, 2, function.PACKET)):
            kinds[index], sizes[index] = kind, size
        self._send(ENDPOINTS, 0, bytes(kinds) + bytes(32) + bytes(32) + struct.pack("<32H", *sizes))
        interfaces = struct.pack("<I", 1) + bytes(32)
        self._send(INTERFACES, 0, interfaces + bytes([function.interface_class]) + bytes(31) + bytes(64))
        self._send(CONNECT, 0, struct.pack("<4BHHH", HIGH_SPEED, 0, 0, 0, function.vendor, function.product, 0x100))

    def _control(self, identifier, body):
        header = struct.Struct("<4B3H")
        endpoint, request, kind, _, value, index, length = header.unpack_from(body)
        standard = kind & 0x60 == 0
        status, answer = SUCCESS, b""
        if not self._is_in:
            status, length = FAILED, 0
        elif kind & IN:
            found = (self._function.descriptor(value) if standard and request == GET_DESCRIPTOR
                     else bytes(length) if standard else self._function.get(request, value, length))
            if found is None:
                status = STALL
            else:
                answer = found[:length]
                length = len(answer)
        elif not standard and not self._function.set(request, value, body[header.size:]):
            status, length = STALL, 0
        self._send(CONTROL, identifier,
                   header.pack(endpoint, request, kind, status, value, index, length) + answer)

    def _bulk(self, identifier, body):
        header = struct.Struct("<BBHIH")
        endpoint, _, low, stream, high = header.unpack_from(body)
        if self._is_in:
            self._function.receive(body[header.size:])
        status = SUCCESS if self._is_in else FAILED
        self._send(BULK, identifier, header.pack(endpoint, status, low, stream, high))
