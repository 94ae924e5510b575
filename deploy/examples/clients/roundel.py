# SPDX-License-Identifier: MIT
"""A Python client of Roundel's kiosks: one file, standard library only, Python 3.9 or newer.

    import roundel

    with roundel.Kiosk(host="lobby") as kiosk:      # or Kiosk(), or Kiosk("/run/roundel/control.sock")
        kiosk.set("cups", 2)
        kiosk.tap("menu/espresso")
        if kiosk.wait("page == 'ready'", timeout=60):
            kiosk.screenshot("ready.png")
        for event in kiosk.events():                # continues after a restart of the kiosk
            print(event["event"], event.get("item"))

A program started by a kiosk's `logic:` uses `roundel.logic()` instead of `Kiosk(…)`. `AsyncKiosk` and
`async_logic()` are the equivalents for asyncio.

A broken connection is restored. Requests that may be repeated without harm are then sent again: `get`, `set`,
`wait`, `watch`, `tree`, `go` … Others, such as `tap` and `emit`, raise `Disconnected`: they may have been executed.
"""

from __future__ import annotations

import asyncio
import base64
import collections
import contextlib
import json
import os
import pathlib
import shlex
import socket as sockets
import subprocess
import sys
import time
from typing import (Any, AsyncIterator, Callable, Deque, Dict, Iterator, List, Optional, Sequence, Set, Tuple,
                    Union)

__all__ = ["AsyncKiosk", "Disconnected", "Kiosk", "KioskError", "Refused", "async_logic", "logic"]

Value = Union[bool, float, int, str, None]
Json = Any
Notice = Dict[str, Json]
Point = Tuple[float, float]

MAXIMUM_WAITING_NOTICES = 10_000
MAXIMUM_PIPELINED_REQUESTS = 256
MAXIMUM_WATCHED_PER_REQUEST = 32
FIRST_BACK_OFF_SECONDS = 0.1
MAXIMUM_BACK_OFF_SECONDS = 5.0

# The methods that may be repeated if it is unknown whether they were executed.
REPEATABLE = frozenset((
    "blank", "close", "events", "get", "go", "help", "latency", "open", "place", "rotate", "screenshot",
    "set", "status", "tree", "unblank", "version", "wait", "wake", "watch"))


class KioskError(Exception):
    """Something went wrong with a kiosk."""


class Disconnected(KioskError, ConnectionError):
    """There is no kiosk, or it disconnected before it answered."""


class Refused(KioskError):
    """The kiosk refused the request. `code` is JSON-RPC's, `data` may name a limit."""

    def __init__(self, code: int, message: str, data: Json = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


def default_socket() -> str:
    """Returns the socket of this machine's kiosk: the user's if it exists, otherwise the unit's."""
    folder = os.environ.get("XDG_RUNTIME_DIR")
    own = f"{folder}/roundel.sock" if folder else ""
    return own if own and os.path.exists(own) else "/run/roundel/control.sock"


def _relay(host: str, socket: Optional[str]) -> List[str]:
    """Returns the command that connects to a kiosk on another machine, like `roundel --host`."""
    if not host or host.startswith("-"):
        raise ValueError("host must be [USER@]HOST, as for ssh")
    remote = "exec roundel relay" + (f" --socket {shlex.quote(socket)}" if socket else "")
    return ["ssh", "-T", "-o", "ConnectTimeout=10", "--", host, remote]


# Request parameters, for both kinds of clients.

def _tap(target: Optional[str], at: Optional[Point], duration: Optional[float]) -> Dict[str, Json]:
    return _given(target=target, at=at, duration=duration)


def _given(**parameters: Json) -> Dict[str, Json]:
    return {name: value for name, value in parameters.items() if value is not None}


def _wait(expression: Optional[str], page: Optional[str], still: bool, timeout: float) -> Dict[str, Json]:
    return _given(expression=expression, page=page, still=still or None, timeout=timeout)


def _emit(name: str, fields: Dict[str, Value]) -> Dict[str, Json]:
    return {"name": name, "fields": fields} if fields else {"name": name}


def _picture(answer: Json, file: Union[str, pathlib.Path, None]) -> bytes:
    png = base64.b64decode(answer["png"])
    if file is not None:
        pathlib.Path(file).write_bytes(png)
    return png


class _Wire:
    """JSON-RPC without a socket: encodes requests to lines, and decodes lines to answers and notices."""

    def __init__(self) -> None:
        self._last = 0
        self._unanswered: Set[int] = set()
        self._partial = bytearray()

    def request(self, method: str, parameters: Dict[str, Json]) -> Tuple[int, bytes]:
        """Returns the number and line of a request. Raises a ValueError for infinity and NaN."""
        self._last += 1
        request = {"jsonrpc": "2.0", "method": method, "params": parameters, "id": self._last}
        line = json.dumps(request, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode() + b"\n"
        self._unanswered.add(self._last)
        return self._last, line

    def messages(self, data: bytes) -> Iterator[Tuple[Optional[int], Json]]:
        """Yields the number and content of each received answer, and None and the content of each notice."""
        self._partial += data
        if b"\n" not in data:
            return
        *lines, rest = bytes(self._partial).split(b"\n")
        self._partial = bytearray(rest)
        for line in lines:
            if not line.strip():
                continue
            message = json.loads(line)
            if "id" in message and "jsonrpc" in message:
                # The answer to an unreadable line has no number, so it may belong to any request.
                lost = message["id"] is None
                answered = [n for n in sorted(self._unanswered) if lost or n == message["id"]]
                for number in answered:
                    self._unanswered.discard(number)
                    yield number, message
            elif "jsonrpc" in message:
                yield None, message.get("params", {})
            else:
                yield None, message  # a `logic` program gets notices without an envelope


def _result(answer: Json) -> Json:
    if "error" in answer:
        error = answer["error"]
        raise Refused(error.get("code", 0), error.get("message", ""), error.get("data"))
    return answer["result"]


class _Notices:
    """Unread notices. If there are too many, the oldest are dropped."""

    def __init__(self) -> None:
        self.waiting: Deque[Notice] = collections.deque()
        self.lost = 0

    def add(self, notice: Notice) -> None:
        self.lost += int(notice.pop("lost", 0)) if isinstance(notice.get("lost"), (int, float)) else 0
        if len(self.waiting) == MAXIMUM_WAITING_NOTICES:
            self.waiting.popleft()
            self.lost += 1
        self.waiting.append(notice)

    def take(self) -> Optional[Notice]:
        if self.lost:
            lost, self.lost = self.lost, 0
            return {"event": "lost", "count": lost}
        return self.waiting.popleft() if self.waiting else None


class _Wishes:
    """A client's subscriptions, to renew them on a new connection."""

    def __init__(self, hears_events: bool) -> None:
        self.events = hears_events
        self.watched: List[str] = []

    def requests(self) -> Iterator[Tuple[str, Dict[str, Json]]]:
        if self.events:
            yield "events", {}
        for start in range(0, len(self.watched), MAXIMUM_WATCHED_PER_REQUEST):
            yield "watch", {"expressions": self.watched[start:start + MAXIMUM_WATCHED_PER_REQUEST]}

    def add(self, events: bool, watched: Sequence[str]) -> Iterator[Tuple[str, Dict[str, Json]]]:
        """Returns the requests for the new subscriptions."""
        new = _Wishes(events and not self.events)
        new.watched = [text for text in dict.fromkeys(watched) if text not in self.watched]
        self.events = self.events or events
        self.watched += new.watched
        return new.requests()


def _wanted(notice: Notice, events: bool, watched: Sequence[str]) -> bool:
    if "watch" in notice:
        return notice["watch"] in watched
    return "event" in notice and (events or notice["event"] == "lost")


def _own_pipes() -> Tuple[int, int]:
    """Returns the pipes to the kiosk, and redirects standard output to the kiosk's log."""
    reading, writing = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return reading, writing


class _Transport:
    """A blocking byte stream to and from a kiosk."""

    def __init__(self, read: Callable[[], bytes], write: Callable[[bytes], None],
                 close: Callable[[], None]) -> None:
        self.read, self.write, self.close = read, write, close

    @staticmethod
    def to(socket: Optional[str], host: Optional[str]) -> "_Transport":
        if host is None:
            path = socket or default_socket()
            unix = sockets.socket(sockets.AF_UNIX)
            try:
                unix.connect(path)
            except OSError as error:
                unix.close()
                raise Disconnected(f"no kiosk at {path}: {error.strerror or error}") from error
            return _Transport(lambda: unix.recv(1 << 16), unix.sendall, unix.close)
        try:
            process = subprocess.Popen(_relay(host, socket), stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, bufsize=0)
        except OSError as error:
            raise Disconnected(f"cannot start ssh: {error.strerror}") from error
        assert process.stdin and process.stdout

        def close() -> None:
            for pipe in (process.stdin, process.stdout):
                pipe.close()  # type: ignore[union-attr]
            process.terminate()
            process.wait()

        reading, writing = process.stdout.fileno(), process.stdin.fileno()
        return _Transport(lambda: os.read(reading, 1 << 16), lambda data: _write(writing, data), close)

    @staticmethod
    def of_logic() -> "_Transport":
        reading, writing = _own_pipes()

        def close() -> None:
            os.close(reading)
            os.close(writing)

        return _Transport(lambda: os.read(reading, 1 << 16), lambda data: _write(writing, data), close)


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view):]


class Kiosk:
    """A running kiosk, for synchronous programs. Not thread-safe.

    `socket` and `host` ([USER@]HOST, by ssh) locate it. Requests wait up to `patience` seconds for a missing kiosk;
    `events`, `watch` and `follow` wait for ever.
    """

    def __init__(self, socket: Optional[str] = None, *, host: Optional[str] = None,
                 patience: float = 10.0, _transport: Optional[_Transport] = None) -> None:
        self._place = (socket, host)
        self._patience = patience
        self._is_logic = _transport is not None
        self._wire = _Wire()
        self._notices = _Notices()
        self._answers: Dict[int, Json] = {}
        self._wishes = _Wishes(False)
        self._transport = _transport

    def __enter__(self) -> "Kiosk":
        return self

    def __exit__(self, *_: object) -> None:
        self.close_connection()

    def close_connection(self) -> None:
        """Closes the connection; the next request opens another."""
        if self._transport:
            self._transport.close()
            self._transport = None

    # The connection.

    def _connect(self, patience: float) -> None:
        if self._transport:
            return
        if self._is_logic:
            raise Disconnected("the kiosk has exited")
        deadline = time.monotonic() + patience
        pause = FIRST_BACK_OFF_SECONDS
        while True:
            try:
                self._wire = _Wire()
                self._answers.clear()
                self._transport = _Transport.to(*self._place)
                for method, parameters in self._wishes.requests():
                    _result(self._exchange(method, parameters))
                return
            except Disconnected:
                if time.monotonic() + pause > deadline:
                    raise
                time.sleep(pause)
                pause = min(pause * 2, MAXIMUM_BACK_OFF_SECONDS)

    def _send(self, data: bytes) -> None:
        assert self._transport
        try:
            self._transport.write(data)
        except OSError as error:
            self.close_connection()
            raise Disconnected(f"the kiosk disconnected: {error.strerror or error}") from error

    def _receive(self) -> None:
        assert self._transport
        try:
            data = self._transport.read()
        except OSError as error:
            data = b""
            reason = f": {error.strerror or error}"
        else:
            reason = ""
        if not data:
            self.close_connection()
            raise Disconnected("the kiosk disconnected" + reason)
        for number, message in self._wire.messages(data):
            if number is None:
                self._notices.add(message)
            else:
                self._answers[number] = message

    def _exchange(self, method: str, parameters: Dict[str, Json]) -> Json:
        number, line = self._wire.request(method, parameters)
        self._send(line)
        while number not in self._answers:
            self._receive()
        return self._answers.pop(number)

    def call(self, method: str, **parameters: Json) -> Json:
        """Calls a method of the socket by its name; `roundel call help` lists all."""
        while True:
            self._connect(self._patience)
            try:
                return _result(self._exchange(method, parameters))
            except Disconnected:
                if method not in REPEATABLE or self._is_logic:
                    raise

    # Requests.

    def get(self, name: str) -> Json:
        """A value, `language`, `page`, or a property such as `minutes.value` or `menu.tea.color`."""
        return self.call("get", property=name)["value"]

    def set(self, name: str, value: Json) -> None:
        self.call("set", property=name, value=value)

    def status(self) -> Dict[str, Json]:
        return self.call("status")

    def tree(self, properties: bool = False) -> Dict[str, Json]:
        """Returns pages, controls and items, with their positions and states."""
        return self.call("tree", properties=properties)

    def wait(self, expression: Optional[str] = None, *, page: Optional[str] = None, still: bool = False,
             timeout: float = 10.0) -> bool:
        """Waits until an expression holds, a page is shown, or nothing moves. Returns False after `timeout`."""
        return self.call("wait", **_wait(expression, page, still, timeout))["holds"]

    def tap(self, target: Optional[str] = None, *, at: Optional[Point] = None,
            duration: Optional[float] = None) -> Dict[str, Json]:
        """Taps CONTROL, CONTROL/ITEM or a point. The answer's `control` is the touched control."""
        return self.call("tap", **_tap(target, at, duration))

    def drag(self, target: Optional[str] = None, *, at: Optional[Point] = None,
             to: Optional[Point] = None, to_target: Optional[str] = None, by: Optional[Point] = None,
             duration: Optional[float] = None, hold: Optional[float] = None) -> Dict[str, Json]:
        """Moves a finger in a straight line. If lifted in motion, it flings."""
        return self.call("drag", **_given(target=target, at=at, to=to, to_target=to_target, by=by,
                                          duration=duration, hold=hold))

    def screenshot(self, file: Union[str, pathlib.Path, None] = None, *,
                   region: Optional[Sequence[float]] = None, scale: Optional[float] = None) -> bytes:
        """Returns the panel's picture as a PNG. `region` is x, y, width, height in design pixels."""
        return _picture(self.call("screenshot", **_given(region=region, scale=scale)), file)

    def go(self, page: str, *, wake: bool = False) -> None:
        self.call("go", page=page, wake=wake)

    def show(self, page: str) -> None:
        """Shows a page with `over: true`. `go("back")` closes it."""
        self.call("show", page=page)

    def notify(self, text: str, *, title: str = "", level: str = "info", seconds: float = 0) -> None:
        """Shows a message over any page. The level alarm also wakes the panel."""
        self.call("notify", text=text, title=title, level=level, seconds=seconds)

    def spin(self, control: str) -> None:
        self.call("spin", control=control)

    def open(self, control: str) -> None:
        self.call("open", control=control)

    def close(self, control: str) -> None:
        """Closes a menu. `close_connection` ends the connection."""
        self.call("close", control=control)

    def reset(self, control: Optional[str] = None) -> None:
        """Resets a control, or everything, to the state after the start."""
        self.call("reset", **_given(control=control))

    def emit(self, name: str, **fields: Value) -> None:
        self.call("emit", **_emit(name, fields))

    def shake(self) -> None:
        self.call("shake")

    def key(self, *keys: str) -> None:
        """Presses and releases keys, such as enter, F1 or 4."""
        for key in keys:
            self.call("key", key=key)

    def key_down(self, key: str) -> None:
        """Holds a key until `key_up`, or until the connection closes."""
        self.call("key", key=key, down=True)

    def key_up(self, key: str) -> None:
        self.call("key", key=key, down=False)

    def scan(self, text: str) -> None:
        self.call("scan", text=text)

    def blank(self) -> None:
        self.call("blank")

    def wake(self) -> None:
        self.call("wake")

    def reload(self) -> None:
        """Makes the kiosk reload its file. Raises `Refused` if the file has errors."""
        self.call("reload")

    @contextlib.contextmanager
    def pipeline(self) -> Iterator["Pipeline"]:
        """Sends many requests without waiting for each, and waits for their answers at the end.

            with kiosk.pipeline() as line:
                for name, value in readings: line.set(name, value)
        """
        self._connect(self._patience)
        line = Pipeline(self)
        yield line
        line.finish()

    # Events.

    def events(self) -> Iterator[Notice]:
        """Yields events as they happen: `{"t": 2.31, "control": "menu", "event": "selected", …}`.

        If too many events were unread, an event `lost` has the `count` of dropped ones.
        """
        return self.follow(events=True)

    def watch(self, *expressions: str) -> Iterator[Tuple[str, Json]]:
        """Yields each expression with its value, at once and after each change."""
        for notice in self.follow(events=False, watch=expressions):
            if "watch" in notice:
                yield notice["watch"], notice["value"]

    def follow(self, *, events: bool = True, watch: Sequence[str] = ()) -> Iterator[Notice]:
        """Yields events and changes of watched expressions, in order."""
        if not self._is_logic or watch:
            self._subscribe(events and not self._is_logic, watch)
        while True:
            notice = self._notices.take()
            if notice is None:
                try:
                    # Connecting may already deliver notices.
                    if self._transport:
                        self._receive()
                    else:
                        self._connect(float("inf"))
                except Disconnected:
                    if self._is_logic:
                        return
            elif _wanted(notice, events, watch):
                yield notice

    def _subscribe(self, events: bool, watch: Sequence[str]) -> None:
        # A new connection renews all subscriptions.
        self._connect(self._patience)
        for method, parameters in self._wishes.add(events, watch):
            self.call(method, **parameters)


class Pipeline:
    """Requests that are sent before the answers to previous ones arrive. Raises the first refusal at the end."""

    def __init__(self, kiosk: Kiosk) -> None:
        self._kiosk = kiosk
        self._open: Deque[int] = collections.deque()
        self._lines: List[bytes] = []
        self._refusal: Optional[Refused] = None

    def set(self, name: str, value: Json) -> None:
        self.call("set", property=name, value=value)

    def call(self, method: str, **parameters: Json) -> None:
        number, line = self._kiosk._wire.request(method, parameters)
        self._lines.append(line)
        self._open.append(number)
        # One half is in transit while the other half is encoded.
        if len(self._lines) == MAXIMUM_PIPELINED_REQUESTS // 2:
            self._flush()
            self._settle(MAXIMUM_PIPELINED_REQUESTS // 2)

    def finish(self) -> None:
        """Waits for all answers."""
        self._flush()
        self._settle(0)
        if self._refusal:
            raise self._refusal

    def _flush(self) -> None:
        if not self._kiosk._transport:
            raise Disconnected("the kiosk disconnected")
        self._kiosk._send(b"".join(self._lines))
        self._lines.clear()

    def _settle(self, count: int) -> None:
        answers = self._kiosk._answers
        while len(self._open) > count:
            number = self._open[0]
            while number not in answers:
                self._kiosk._receive()
            self._open.popleft()
            try:
                _result(answers.pop(number))
            except Refused as refusal:
                self._refusal = self._refusal or refusal


def logic() -> Kiosk:
    """Returns the kiosk that started this program by `logic:`.

    `events()` yields all events since the program's start, and ends with the kiosk. The program's output goes to the
    kiosk's log.
    """
    return Kiosk(_transport=_Transport.of_logic())


class AsyncKiosk:
    """A running kiosk for asyncio: `async with AsyncKiosk(host="lobby") as kiosk:`, with the methods of `Kiosk` as
    coroutines. Any number of tasks may use it, and several may follow events."""

    def __init__(self, socket: Optional[str] = None, *, host: Optional[str] = None,
                 patience: float = 10.0, _is_logic: bool = False) -> None:
        self._place = (socket, host)
        self._patience = patience
        self._is_logic = _is_logic
        self._has_ended = False
        self._wire = _Wire()
        self._wishes = _Wishes(False)
        self._values: Dict[str, Json] = {}
        self._open: Dict[int, "asyncio.Future[Json]"] = {}
        self._followers: List[Tuple[_Notices, asyncio.Event]] = []
        self._writer: Optional[asyncio.StreamWriter] = None
        self._process: Optional[asyncio.subprocess.Process] = None
        self._reading: Optional["asyncio.Task[None]"] = None
        self._connecting: Optional[asyncio.Lock] = None
        # Notices from the kiosk's pipes before the first follower.
        self._early = _Notices()

    async def __aenter__(self) -> "AsyncKiosk":
        await self._connect(self._patience)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close_connection()

    async def close_connection(self) -> None:
        """Closes the connection; the next request opens another."""
        if self._reading:
            self._reading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reading
        self._drop("the connection was closed")

    async def _connect(self, patience: float) -> None:
        if self._writer:
            return
        if self._connecting is None:
            self._connecting = asyncio.Lock()
        async with self._connecting:
            if self._writer:
                return
            if self._has_ended:
                raise Disconnected("the kiosk has exited")
            deadline = time.monotonic() + patience
            pause = FIRST_BACK_OFF_SECONDS
            while True:
                try:
                    reader, self._writer = await self._streams()
                    self._wire = _Wire()
                    self._reading = asyncio.ensure_future(self._read(reader, self._writer))
                    for method, parameters in self._wishes.requests():
                        _result(await self._exchange(method, parameters))
                    return
                except (Disconnected, OSError) as error:
                    if time.monotonic() + pause > deadline:
                        raise Disconnected(f"no kiosk: {error}") from error
                    await asyncio.sleep(pause)
                    pause = min(pause * 2, MAXIMUM_BACK_OFF_SECONDS)

    async def _streams(self) -> Tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        socket, host = self._place
        if self._is_logic:
            return await _pipe_streams(*_own_pipes())
        if host is None:
            return await asyncio.open_unix_connection(socket or default_socket())
        self._process = await asyncio.create_subprocess_exec(
            *_relay(host, socket), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin and self._process.stdout
        return self._process.stdout, self._process.stdin

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(1 << 16):
                for number, message in self._wire.messages(data):
                    if number is not None:
                        answer = self._open.pop(number, None)
                        if answer and not answer.done():
                            answer.set_result(message)
                        continue
                    if "watch" in message:
                        self._values[message["watch"]] = message.get("value")
                    if not self._followers and self._is_logic:
                        self._early.add(message)
                    for notices, has_come in self._followers:
                        notices.add(dict(message))
                        has_come.set()
        except OSError:
            pass
        if self._writer is writer:
            self._drop("the kiosk disconnected")

    def _drop(self, why: str) -> None:
        if self._writer:
            self._writer.close()
            self._writer = None
        if self._process:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
            self._process = None
        self._has_ended = self._is_logic
        waiting, self._open = list(self._open.values()), {}
        for answer in waiting:
            if not answer.done():
                answer.set_exception(Disconnected(why))
        for _, has_come in self._followers:
            has_come.set()

    async def _exchange(self, method: str, parameters: Dict[str, Json]) -> Json:
        if not self._writer:
            raise Disconnected("the kiosk disconnected")
        number, line = self._wire.request(method, parameters)
        answer: "asyncio.Future[Json]" = asyncio.get_running_loop().create_future()
        self._open[number] = answer
        try:
            self._writer.write(line)
            await self._writer.drain()
            return await answer
        except OSError as error:
            raise error if isinstance(error, Disconnected) else Disconnected(str(error)) from error
        finally:
            self._open.pop(number, None)

    async def call(self, method: str, **parameters: Json) -> Json:
        """Calls a method of the socket by its name; `roundel call help` lists all."""
        while True:
            await self._connect(self._patience)
            try:
                return _result(await self._exchange(method, parameters))
            except Disconnected:
                if method not in REPEATABLE or self._is_logic:
                    raise

    async def get(self, name: str) -> Json:
        return (await self.call("get", property=name))["value"]

    async def set(self, name: str, value: Json) -> None:
        await self.call("set", property=name, value=value)

    async def status(self) -> Dict[str, Json]:
        return await self.call("status")

    async def tree(self, properties: bool = False) -> Dict[str, Json]:
        return await self.call("tree", properties=properties)

    async def wait(self, expression: Optional[str] = None, *, page: Optional[str] = None,
                   still: bool = False, timeout: float = 10.0) -> bool:
        return (await self.call("wait", **_wait(expression, page, still, timeout)))["holds"]

    async def tap(self, target: Optional[str] = None, *, at: Optional[Point] = None,
                  duration: Optional[float] = None) -> Dict[str, Json]:
        return await self.call("tap", **_tap(target, at, duration))

    async def drag(self, target: Optional[str] = None, *, at: Optional[Point] = None,
                   to: Optional[Point] = None, to_target: Optional[str] = None,
                   by: Optional[Point] = None, duration: Optional[float] = None,
                   hold: Optional[float] = None) -> Dict[str, Json]:
        return await self.call("drag", **_given(target=target, at=at, to=to, to_target=to_target, by=by,
                                                duration=duration, hold=hold))

    async def screenshot(self, file: Union[str, pathlib.Path, None] = None, *,
                         region: Optional[Sequence[float]] = None,
                         scale: Optional[float] = None) -> bytes:
        return _picture(await self.call("screenshot", **_given(region=region, scale=scale)), file)

    async def go(self, page: str, *, wake: bool = False) -> None:
        await self.call("go", page=page, wake=wake)

    async def show(self, page: str) -> None:
        """Shows a page with `over: true`. `go("back")` closes it."""
        await self.call("show", page=page)

    async def notify(self, text: str, *, title: str = "", level: str = "info", seconds: float = 0) -> None:
        """Shows a message over any page. The level alarm also wakes the panel."""
        await self.call("notify", text=text, title=title, level=level, seconds=seconds)

    async def spin(self, control: str) -> None:
        await self.call("spin", control=control)

    async def open(self, control: str) -> None:
        await self.call("open", control=control)

    async def close(self, control: str) -> None:
        await self.call("close", control=control)

    async def reset(self, control: Optional[str] = None) -> None:
        await self.call("reset", **_given(control=control))

    async def emit(self, name: str, **fields: Value) -> None:
        await self.call("emit", **_emit(name, fields))

    async def shake(self) -> None:
        await self.call("shake")

    async def key(self, *keys: str) -> None:
        """Presses and releases keys, such as enter, F1 or 4."""
        for key in keys:
            await self.call("key", key=key)

    async def key_down(self, key: str) -> None:
        """Holds a key until `key_up`, or until the connection closes."""
        await self.call("key", key=key, down=True)

    async def key_up(self, key: str) -> None:
        await self.call("key", key=key, down=False)

    async def scan(self, text: str) -> None:
        await self.call("scan", text=text)

    async def blank(self) -> None:
        await self.call("blank")

    async def wake(self) -> None:
        await self.call("wake")

    async def reload(self) -> None:
        await self.call("reload")

    def events(self) -> AsyncIterator[Notice]:
        """Yields events as they happen: `async for event in kiosk.events():`."""
        return self.follow(events=True)

    async def watch(self, *expressions: str) -> AsyncIterator[Tuple[str, Json]]:
        """Yields each expression with its value, at once and after each change."""
        async for notice in self.follow(events=False, watch=expressions):
            if "watch" in notice:
                yield notice["watch"], notice["value"]

    async def follow(self, *, events: bool = True,
                     watch: Sequence[str] = ()) -> AsyncIterator[Notice]:
        """Yields events and changes of watched expressions, in order."""
        notices, has_come = _Notices(), asyncio.Event()
        if self._is_logic and not self._followers:
            notices, self._early = self._early, _Notices()
        self._followers.append((notices, has_come))
        try:
            await self._connect(self._patience)
            for text in watch:  # the kiosk doesn't resend expressions that another follower watches
                if text in self._values:
                    notices.add({"watch": text, "value": self._values[text]})
            for method, parameters in self._wishes.add(events and not self._is_logic, watch):
                await self.call(method, **parameters)
            while True:
                notice = notices.take()
                if notice is None:
                    has_come.clear()
                    try:
                        await self._connect(float("inf"))
                    except Disconnected:
                        if self._has_ended:
                            return
                        raise
                    if not notices.waiting and not notices.lost:
                        await has_come.wait()
                elif _wanted(notice, events, watch):
                    yield notice
        finally:
            self._followers = [one for one in self._followers if one[0] is not notices]


async def _pipe_streams(
        reading: int, writing: int) -> Tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(reading, "rb"))
    transport, protocol = await loop.connect_write_pipe(
        lambda: asyncio.streams.FlowControlMixin(), os.fdopen(writing, "wb"))
    return reader, asyncio.StreamWriter(transport, protocol, reader, loop)


def async_logic() -> AsyncKiosk:
    """Returns the kiosk that started this program by `logic:`, for asyncio."""
    return AsyncKiosk(_is_logic=True)


if __name__ == "__main__":
    print(__doc__, file=sys.stderr)
