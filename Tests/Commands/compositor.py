# SPDX-License-Identifier: MIT
"""A Wayland compositor for tests. It checks a client's requests, offers or withholds features as required, and
makes the client's picture available to the test."""

import array
import contextlib
import mmap
import os
import pathlib
import select
import socket
import struct
import tempfile
import threading
import time
import xml.etree.ElementTree

PROTOCOLS = [
    "/usr/share/wayland/wayland.xml",
    *(f"/usr/share/wayland-protocols/{name}.xml" for name in [
        "stable/xdg-shell/xdg-shell", "stable/viewporter/viewporter",
        "stable/presentation-time/presentation-time",
        "staging/fractional-scale/fractional-scale-v1",
        "unstable/xdg-output/xdg-output-unstable-v1"]),
]


class Message:
    def __init__(self, node):
        self.name = node.get("name")
        self.since = int(node.get("since", 1))
        self.is_destructor = node.get("type") == "destructor"
        self.arguments = []
        for argument in node.findall("arg"):
            if argument.get("type") == "new_id" and argument.get("interface") is None:
                self.arguments += [("string", None), ("uint", None)]
            self.arguments.append((argument.get("type"), argument.get("interface")))


class Interface:
    def __init__(self, node):
        self.name = node.get("name")
        self.version = int(node.get("version"))
        self.requests = [Message(request) for request in node.findall("request")]
        self.events = {event.get("name"): (code, Message(event))
                       for code, event in enumerate(node.findall("event"))}


INTERFACES = {
    interface.name: interface
    for path in PROTOCOLS
    for interface in map(Interface, xml.etree.ElementTree.parse(path).getroot().iter("interface"))
}

# Terminals want two that a kiosk doesn't use.
GLOBALS = ["wl_compositor", "wl_shm", "xdg_wm_base", "wl_seat", "wp_presentation", "wp_viewporter",
           "wp_fractional_scale_manager_v1", "zxdg_output_manager_v1", "wl_subcompositor",
           "wl_data_device_manager"]


class Violation(Exception):
    """The client violated the protocol."""


class Thing:
    """An object of the protocol."""

    def __init__(self, number, interface, version):
        self.number, self.interface, self.version = number, interface, version
        self.pending = {}


class Output:
    def __init__(self, name="DP-1", size=(640, 400), scale=1, transform=0):
        self.name, self.size, self.scale, self.transform = name, size, scale, transform


class Picture:
    """The content of a surface: 0xXXRRGGBB, as in the buffer."""

    def __init__(self, size, pixels):
        self.size, self.pixels = size, pixels

    def rgb(self):
        """Returns the bytes of the red, green and blue of all pixels."""
        rgb = bytearray(len(self.pixels) // 4 * 3)
        rgb[0::3], rgb[1::3], rgb[2::3] = (self.pixels[byte::4] for byte in (2, 1, 0))
        return bytes(rgb)


class Compositor:
    """Serves one client. The thread and the test share the state below `with self.lock`."""

    def __init__(self, folder, without=(), versions=None, outputs=None, size=(640, 400), scale=None,
                 answers=True, shows_at_once=True, places_on=None):
        self.folder = pathlib.Path(folder)
        self.offered = {name: min(INTERFACES[name].version, (versions or {}).get(name, 99))
                        for name in GLOBALS if name not in without}
        self.outputs = dict(enumerate(outputs if outputs is not None else [Output()], 100))
        if "wl_output" in without:
            self.outputs = {}
        self.output_version = min(INTERFACES["wl_output"].version,
                                  (versions or {}).get("wl_output", 99))
        self.size, self.scale, self.answers = size, scale, answers
        self.places_on = places_on  # the number of the only output that shows windows
        self.is_showing = shows_at_once  # whether frame callbacks are answered
        self.states = []
        self.lock = threading.RLock()
        self.things, self.problems, self.requests = {}, [], []
        self.commits, self.picture, self.held = 0, None, []
        self.surface = self.toplevel = self.client = None
        self.serial = 0
        self.is_over = False
        self.path = self.folder / "wayland-9"
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.path))
        self.listener.listen(1)
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    @property
    def environment(self):
        clean = {name: value for name, value in os.environ.items() if name != "WAYLAND_SOCKET"}
        return {**clean, "XDG_RUNTIME_DIR": str(self.folder), "WAYLAND_DISPLAY": "wayland-9"}

    def close(self):
        """Ends like a killed compositor."""
        with self.lock:
            self.is_over = True
            for end in [self.client, self.listener]:
                if end:
                    with contextlib.suppress(OSError):
                        end.shutdown(socket.SHUT_RDWR)
                    end.close()
        self.path.unlink(missing_ok=True)

    def wait(self, condition, what, timeout=20):
        """Waits until a condition is true. The condition is called with the lock held."""
        deadline = time.monotonic() + timeout
        while True:
            with self.lock:
                assert not self.problems, self.problems
                if condition():
                    return
            assert time.monotonic() < deadline, f"no {what} within {timeout} s"
            time.sleep(0.005)

    def wait_for_picture(self, size, after=0):
        self.wait(lambda: self.picture and self.picture.size == size and self.commits > after,
                  f"picture of {size}")
        return self.picture

    # Actions of a test.

    def configure(self, size=None, states=None):
        with self.lock:
            self.size = self.size if size is None else size
            self.states = self.states if states is None else states
            words = array.array("I", self.states).tobytes()
            self.event(self.toplevel, "configure", *self.size, words)
            self.serial += 1
            self.event(self.xdg_surface, "configure", self.serial)

    def show(self, is_showing):
        """Whether the client receives frame callbacks."""
        with self.lock:
            self.is_showing = is_showing

    def touch(self, name, *arguments):
        """Sends an event to all touch objects, such as `touch("motion", time, finger, x, y)`."""
        with self.lock:
            for thing in [*self.things.values()]:
                if thing.interface.name == "wl_touch":
                    self.event(thing, name, *arguments)

    def pointer(self, name, *arguments):
        with self.lock:
            for thing in [*self.things.values()]:
                if thing.interface.name == "wl_pointer":
                    self.event(thing, name, *arguments)

    def keyboard(self, name, *arguments):
        with self.lock:
            for thing in [*self.things.values()]:
                if thing.interface.name == "wl_keyboard":
                    self.event(thing, name, *arguments)

    def keymap(self, content, size=None):
        """Sends the keyboards a keymap (text or bytes), possibly with a wrong size."""
        content = content.encode() + b"\0" if isinstance(content, str) else content
        with tempfile.TemporaryFile() as file:
            file.write(content)
            file.flush()
            self.keyboard("keymap", 1, file.fileno(), len(content) if size is None else size)

    def add_output(self, number, output):
        with self.lock:
            self.outputs[number] = output
            self._announce(number, "wl_output", self.output_version)

    def remove_output(self, number):
        with self.lock:
            self.outputs.pop(number)
            for registry in self._all("wl_registry"):
                self.event(registry, "global_remove", number)

    def change_output(self, number, **changes):
        with self.lock:
            vars(self.outputs[number]).update(changes)
            for thing in self._all("wl_output"):
                if thing.number_of_global == number:
                    self._describe(thing)

    def prefer_scale(self, scale):
        """Sets the scale in 120ths."""
        with self.lock:
            self.scale = scale
            for thing in self._all("wp_fractional_scale_v1"):
                self.event(thing, "preferred_scale", scale)

    def fail(self, thing, code, message):
        """Reports a protocol error."""
        with self.lock:
            self.event(self.things[1], "error", thing.number, code, message)

    # The wire.

    def event(self, thing, name, *arguments):
        code, message = thing.interface.events[name]
        if message.since > thing.version or thing.number not in self.things:
            return
        body, descriptors = b"", []
        for (kind, _), value in zip(message.arguments, arguments, strict=True):
            if kind == "fd":
                descriptors.append(value)
            elif kind in ("uint", "object", "new_id"):
                body += struct.pack("=I", value.number if isinstance(value, Thing) else value)
            elif kind == "int":
                body += struct.pack("=i", value)
            elif kind == "fixed":
                body += struct.pack("=i", round(value * 256))
            else:
                data = value.encode() + b"\0" if kind == "string" else value
                body += struct.pack("=I", len(data)) + data + bytes(-len(data) % 4)
        with contextlib.suppress(OSError):
            data = struct.pack("=IHH", thing.number, code, 8 + len(body)) + body
            self.client.sendall(data[socket.send_fds(self.client, [data], descriptors):])

    def _run(self):
        with contextlib.suppress(OSError, ValueError):
            self.client, _ = self.listener.accept()
            self.things[1] = Thing(1, INTERFACES["wl_display"], 1)
            data, descriptors = b"", []
            while not self.is_over:
                if not self.answers:
                    time.sleep(0.01)
                    continue
                if select.select([self.client], [], [], 1 / 60)[0]:
                    more, new, _, _ = socket.recv_fds(self.client, 65536, 28)
                    if not more:
                        self.client_has_gone = True
                        return
                    data, descriptors = data + more, descriptors + new
                with self.lock:
                    try:
                        data = self._handle(data, descriptors)
                    except Violation as problem:
                        self.problems.append(str(problem))
                        return
                    if self.is_showing:
                        self._answer_frames()

    def _handle(self, data, descriptors):
        while len(data) >= 8:
            number, code, length = struct.unpack_from("=IHH", data)
            if len(data) < length:
                break
            thing = self.things.get(number)
            if thing is None:
                raise Violation(f"a request to object {number}, which there is not")
            if code >= len(thing.interface.requests):
                raise Violation(f"request {code} of {thing.interface.name}")
            message = thing.interface.requests[code]
            name = f"{thing.interface.name}.{message.name}"
            if message.since > thing.version:
                raise Violation(f"{name} of an object of version {thing.version}")
            values = self._values(message, data[8:length], descriptors, thing)
            data = data[length:]
            self.requests.append((name, values))
            handler = getattr(self, name.replace(".", "_"), None)
            if handler:
                handler(thing, *values)
            if message.is_destructor:
                self._end(thing)
        return data

    def _values(self, message, body, descriptors, thing):
        values, place = [], 0
        for kind, interface in message.arguments:
            if kind == "fd":
                values.append(descriptors.pop(0))
                continue
            (word,) = struct.unpack_from("=i" if kind in ("int", "fixed") else "=I", body, place)
            place += 4
            if kind in ("string", "array"):
                word, place = body[place:place + word], place + (word + 3) // 4 * 4
                word = word[:-1].decode() if kind == "string" else word
            elif kind == "object":
                if word and word not in self.things:
                    raise Violation(f"{message.name} names object {word}, which there is not")
                word = self.things.get(word)
            elif kind == "new_id":
                if word in self.things:
                    raise Violation(f"{message.name} makes object {word}, which there is")
                version = thing.version
                if interface is None:
                    interface, version = values[-2:]
                self.things[word] = Thing(word, INTERFACES[interface], version)
                word = self.things[word]
            values.append(word)
        return values

    def _end(self, thing):
        del self.things[thing.number]
        self.event(self.things[1], "delete_id", thing.number)

    def _all(self, name):
        return [thing for thing in self.things.values() if thing.interface.name == name]

    # Requests.

    def wl_display_sync(self, _, callback):
        self.event(callback, "done", 0)
        self._end(callback)

    def _announce(self, number, name, version):
        for registry in self._all("wl_registry"):
            self.event(registry, "global", number, name, version)

    def wl_display_get_registry(self, _, registry):
        for number, (name, version) in enumerate(self.offered.items(), 1):
            self.event(registry, "global", number, name, version)
        for number in self.outputs:
            self.event(registry, "global", number, "wl_output", self.output_version)

    def wl_registry_bind(self, _, number, name, version, thing):
        thing.number_of_global = number
        if name == "wl_shm":
            for code in (0, 1):
                self.event(thing, "format", code)
        elif name == "wl_seat":
            self.event(thing, "capabilities", 1 | 2 | 4)
            self.event(thing, "name", "seat0")
        elif name == "wp_presentation":
            self.event(thing, "clock_id", time.CLOCK_MONOTONIC)
        elif name == "wl_output":
            self._describe(thing)

    def _describe(self, thing):
        output = self.outputs[thing.number_of_global]
        self.event(thing, "geometry", 0, 0, 0, 0, 0, "maker", "model", output.transform)
        self.event(thing, "mode", 3, *output.size, 60000)
        self.event(thing, "scale", output.scale)
        self.event(thing, "name", output.name)
        self.event(thing, "done")

    def zxdg_output_manager_v1_get_xdg_output(self, _, thing, output):
        self.event(thing, "name", self.outputs[output.number_of_global].name)

    def wl_shm_create_pool(self, _, pool, descriptor, size):
        pool.file = os.fdopen(descriptor, "rb")
        self.wl_shm_pool_resize(pool, size)

    def wl_shm_pool_resize(self, pool, size):
        pool.memory = mmap.mmap(pool.file.fileno(), size, prot=mmap.PROT_READ)

    def wl_shm_pool_create_buffer(self, pool, buffer, offset, width, height, pitch, code):
        if offset < 0 or min(width, height) < 1 or pitch < width * 4 \
                or offset + pitch * height > len(pool.memory) or code not in (0, 1):
            raise Violation(f"a buffer {offset} {width}x{height} {pitch} {code}")
        buffer.is_held = False
        buffer.size = (width, height)
        buffer.pixels = lambda: b"".join(
            pool.memory[offset + y * pitch:offset + y * pitch + width * 4] for y in range(height))

    def xdg_wm_base_get_xdg_surface(self, _, thing, surface):
        thing.surface, surface.role = surface, thing
        thing.is_configured = False

    def xdg_surface_get_toplevel(self, xdg_surface, toplevel):
        self.xdg_surface, self.toplevel = xdg_surface, toplevel
        self.surface = xdg_surface.surface
        self.full_screen_on = None

    def xdg_toplevel_set_fullscreen(self, toplevel, output):
        self.full_screen_on = self.outputs[output.number_of_global].name if output else "any"

    def xdg_toplevel_destroy(self, *_):
        self.surface = self.toplevel = self.picture = None

    def xdg_surface_ack_configure(self, thing, serial):
        thing.is_configured = True

    def wp_fractional_scale_manager_v1_get_fractional_scale(self, _, thing, surface):
        if self.scale:
            self.event(thing, "preferred_scale", self.scale)

    def wp_viewporter_get_viewport(self, _, viewport, surface):
        viewport.surface = surface

    def wp_viewport_set_destination(self, viewport, width, height):
        viewport.surface.pending["destination"] = (width, height)

    def wl_surface_set_buffer_scale(self, surface, scale):
        surface.pending["scale"] = scale

    def wl_surface_set_buffer_transform(self, surface, transform):
        surface.pending["transform"] = transform

    def wl_surface_attach(self, surface, buffer, *_):
        if buffer and buffer.is_held:
            raise Violation("a buffer was attached that had not been released")
        surface.pending["buffer"] = buffer

    def wl_surface_damage_buffer(self, surface, *rect):
        surface.pending.setdefault("damage", []).append(rect)

    def wl_surface_damage(self, surface, *_):
        surface.pending["all"] = True

    def wl_surface_frame(self, surface, callback):
        surface.pending.setdefault("frames", []).append(callback)

    def wp_presentation_feedback(self, _, surface, feedback):
        surface.pending.setdefault("feedbacks", []).append(feedback)

    def wl_surface_commit(self, surface):
        pending, surface.pending = surface.pending, {}
        if surface is not self.surface:
            return  # the pointer's
        buffer = pending.pop("buffer", None)
        surface.state = {**getattr(surface, "state", {"scale": 1, "transform": 0}), **pending}
        for name in ("frames", "feedbacks"):
            setattr(surface, name, getattr(surface, name, []) + pending.pop(name, []))
        if buffer is None:
            if not surface.role.is_configured and not getattr(surface, "was_configured", False):
                surface.was_configured = True
                self.configure()
            return
        if not surface.role.is_configured:
            raise Violation("a buffer was committed before the first configure")
        self._take(surface, buffer, pending)

    def _take(self, surface, buffer, pending):
        width, height = buffer.size
        if surface.state["transform"] % 2:
            width, height = height, width
        if "destination" not in surface.state \
                and (width % surface.state["scale"] or height % surface.state["scale"]):
            raise Violation(f"a buffer of {buffer.size} at scale {surface.state['scale']}")
        new = Picture(buffer.size, buffer.pixels())
        if not getattr(surface, "is_placed", False):
            surface.is_placed = True
            for output in self._all("wl_output"):
                if output.number_of_global == self.places_on:
                    self.event(surface, "enter", output)
        if self.picture and self.picture.size == new.size and "all" not in pending:
            self._check_damage(new, pending.get("damage", []))
        self.picture = new
        self.commits += 1
        # The old buffer stays in use until the next one arrives.
        for old in self.held:
            if old is not buffer:
                old.is_held = False
                self.event(old, "release")
        self.held = [buffer]
        buffer.is_held = True

    def _check_damage(self, new, rects):
        """Returns the previous picture with the damaged rectangles updated."""
        width, _ = new.size
        old = bytearray(self.picture.pixels)
        for x, y, w, h in rects:
            for row in range(max(y, 0), min(y + h, new.size[1])):
                span = slice((row * width + max(x, 0)) * 4, (row * width + min(x + w, width)) * 4)
                old[span] = new.pixels[span]
        if old != new.pixels:
            raise Violation(f"the picture has changed beside its damage {rects}")

    def wl_surface_destroy(self, surface):
        for thing in surface.__dict__.get("frames", []) + surface.__dict__.get("feedbacks", []):
            if thing.number in self.things:
                self._end(thing)

    def _answer_frames(self):
        if not self.surface or not hasattr(self.surface, "frames"):
            return
        now = time.monotonic()
        for callback in self.surface.frames:
            self.event(callback, "done", int(now * 1000) & 0xFFFFFFFF)
            self._end(callback)
        for feedback in self.surface.feedbacks:
            self.event(feedback, "presented", 0, int(now), int(now % 1 * 1e9), 16666667, 0, 0, 1)
            self._end(feedback)
        self.surface.frames, self.surface.feedbacks = [], []
