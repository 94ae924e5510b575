# SPDX-License-Identifier: MIT
"""Clients that send garbage, too much, or nothing at all, on a live kiosk's socket."""

import json
import pathlib
import signal
import subprocess
import sys
import threading
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import LiveKiosk  # noqa: E402

PARSE, REQUEST, METHOD, PARAMETERS, BUSY = -32700, -32600, -32601, -32602, -32001
LINE = (1 << 20) + (64 << 10)  # bytes of the longest message
CLIENTS = 64


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    kiosk = LiveKiosk(tmp_path_factory.mktemp("kiosk"))
    yield kiosk
    kiosk.close()


@pytest.fixture
def kiosk(shared):
    """A kiosk that must be the same process after each test, without leftovers."""
    yield shared
    assert shared.process.poll() is None
    deadline = time.monotonic() + 10
    while (status := shared.json("status"))["clients"] > 1 or status["fingers"]:
        assert time.monotonic() < deadline, status
    assert memory(shared) < 100 << 20


def memory(kiosk):
    status = pathlib.Path(f"/proc/{kiosk.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) << 10


@pytest.fixture
def wire(kiosk):
    wire = kiosk.connect()
    yield wire
    wire.close()


def request(method, params=None, id=1):
    whole = {"jsonrpc": "2.0", "method": method, "id": id}
    return json.dumps(whole if params is None else {**whole, "params": params})


@pytest.mark.parametrize("line, code, id", [
    ('{"jsonrpc":"2.0","method"', PARSE, None),
    ("frobnicate", PARSE, None),
    ("{'jsonrpc':'2.0'}", PARSE, None),
    (b"\xff\xfe\x00{}", PARSE, None),
    (b'{"jsonrpc":"2.0","method":"\xc3\x28","id":1}', PARSE, None),
    ('{"jsonrpc":"2.0","method":"version","id":1}}', PARSE, None),
    ('{"jsonrpc":"2.0","method":"version","id":NaN}', PARSE, None),
    ("[" * 100_000, PARSE, None),
    ('{"a":' * 100_000, PARSE, None),
    ("[" * 100_000 + "]" * 100_000, PARSE, None),
    ('{"jsonrpc":"2.0","method":"get","params":' + "[" * 5000 + "]" * 5000 + ',"id":1}', PARSE,
     None),
    ("[]", REQUEST, None),
    ("5", REQUEST, None),
    ('"status"', REQUEST, None),
    ("null", REQUEST, None),
    ("{}", REQUEST, None),
    ('{"jsonrpc":"1.0","method":"version","id":2}', REQUEST, 2),
    ('{"jsonrpc":2.0,"method":"version","id":2}', REQUEST, 2),
    ('{"jsonrpc":"2.0","method":5,"id":"x"}', REQUEST, "x"),
    ('{"jsonrpc":"2.0","id":3}', REQUEST, 3),
    ('{"jsonrpc":"2.0","method":"version","params":5,"id":3}', REQUEST, 3),
    ('{"jsonrpc":"2.0","method":"version","params":"x","id":3}', REQUEST, 3),
    ('{"jsonrpc":"2.0","method":"version","id":true}', REQUEST, None),
    ('{"jsonrpc":"2.0","method":"version","id":[1]}', REQUEST, None),
    ('{"jsonrpc":"2.0","method":"version","id":{"a":1}}', REQUEST, None),
    ('{"jsonrpc":"2.0","method":"version","id":1e300}', REQUEST, None),
    (request("frobnicate"), METHOD, 1),
    (request(""), METHOD, 1),
    (request("get" * 10_000), METHOD, 1),
    (request("__proto__"), METHOD, 1),
    (request("get"), PARAMETERS, 1),
    (request("get", {"property": 5}), PARAMETERS, 1),
    (request("get", {"property": None}), PARAMETERS, 1),
    (request("get", {"property": "dial.value", "more": 1}), PARAMETERS, 1),
    (request("get", [["dial.value"]]), PARAMETERS, 1),
    (request("get", ["dial.value", 2]), PARAMETERS, 1),
    (request("tap", {"at": [1e308, -1e308]}), PARAMETERS, 1),
    (request("tap", {"at": ["1", "2"]}), PARAMETERS, 1),
    (request("tap", {"at": [1]}), PARAMETERS, 1),
    (request("tap", {"target": "x" * 100_000}), PARAMETERS, 1),
    (request("tap", {"at": [1, 1], "duration": 1e9}), PARAMETERS, 1),
    (request("touch", {"recording": "\u0000" * 1000}), PARAMETERS, 1),
    (request("wait", {"still": True, "timeout": -1}), PARAMETERS, 1),
    (request("screenshot", {"scale": 1e-9}), PARAMETERS, 1),
    (request("screenshot", {"region": [0, 0, -1, 5]}), PARAMETERS, 1),
    (request("rotate", {"degrees": 90.5}), PARAMETERS, 1),
    (request("set", {"property": "dial.value", "value": {"a": []}}), PARAMETERS, 1),
], ids=lambda value: str(value)[:40])
def test_garbage_gets_the_standard_error_and_the_next_request_is_served(wire, line, code, id):
    wire.send((line if isinstance(line, bytes) else line.encode()) + b"\n")
    answer = wire.read()
    assert (answer["error"]["code"], answer["id"]) == (code, id), answer
    assert 0 < len(answer["error"]["message"]) < 1000
    assert "version" in wire.ask("version")


@pytest.mark.parametrize("id", [
    '"x"', '""', '"\\u0000\\ud83d\\ude00"', "0", "-1", "1.5", "9007199254740992", "1e3", "null"])
def test_an_id_of_every_kind_is_returned_unchanged(wire, id):
    wire.send(f'{{"jsonrpc":"2.0","method":"version","id":{id}}}\n')
    answer = wire.read()
    assert answer["id"] == json.loads(id) and type(answer["id"]) in (str, int, float, type(None))
    assert "result" in answer


def test_a_message_has_a_maximum_length_and_one_byte_more_is_rejected(kiosk, wire):
    head, tail = '{"jsonrpc":"2.0","id":1,"method":"version","x":"', '"}'
    wire.send(head + "y" * (LINE - len(head) - len(tail)) + tail + "\n")
    assert "result" in wire.read()
    endless = kiosk.connect()
    endless.send("y" * (LINE + 1))
    answer = endless.read()
    assert answer["error"]["code"] == REQUEST
    assert f"exceeds {LINE} bytes" in answer["error"]["message"]
    assert endless.read() is None
    endless.close()
    assert "version" in wire.ask("version")


def test_a_million_requests_are_answered_while_others_are_served(kiosk):
    count, block = 1_000_000, 1000
    flood, other = kiosk.connect(), kiosk.connect()
    lines = (request("version") + "\n").encode() * block

    def send():
        for _ in range(count // block):
            flood.send(lines)

    with kiosk.spinning():
        before = kiosk.json("status")
        threading.Thread(target=send, daemon=True).start()
        begin, answered, asked, longest = time.monotonic(), 0, 0, 0.0
        while answered < count:
            piece = flood.socket.recv(1 << 20)
            assert piece, f"the connection was closed after {answered} answers"
            answered += piece.count(b"\n")
            if answered > asked * (count // 100):
                asked += 1
                sent = time.monotonic()
                assert "value" in other.ask("get", property="dial.value")
                longest = max(longest, time.monotonic() - sent)
        took = time.monotonic() - begin
        after = kiosk.json("status")
    shown = after["frames"]["shown"] - before["frames"]["shown"]
    possible = (after["t"] - before["t"]) / after["display"]["refresh_interval"]
    print(f"{count / took:.0f} requests a second; another client waited {longest * 1e3:.1f} ms at "
          f"most; {shown} frames of {possible:.0f}")
    assert answered == count
    # Far fewer than on an idle machine, and far more than a prioritised flood would leave.
    assert shown > possible / 2
    flood.close()
    other.close()


def test_idle_clients_lock_no_client_out(kiosk):
    crowd = [kiosk.connect() for _ in range(CLIENTS)]
    for client in crowd:
        assert "version" in client.ask("version")
    # The client that has been idle longest is disconnected for each new one.
    for place in range(10):
        new = kiosk.connect()
        assert "version" in new.ask("version")
        new.close()
        answer = crowd[0].read() if place == 0 else answer
    assert answer["error"]["data"] == {"limit": "maximumClients", "maximum": CLIENTS}
    assert crowd[0].read() is None
    assert "version" in crowd[-1].ask("version")
    for client in crowd:
        client.close()


def test_if_all_clients_are_subscribed_a_new_one_is_rejected_with_the_reason(kiosk):
    crowd = [kiosk.connect() for _ in range(CLIENTS)]
    for client in crowd:
        assert "t" in client.ask("events")
    new = kiosk.connect()
    answer = new.read()
    assert answer["error"]["code"] == BUSY and answer["id"] is None
    assert answer["error"]["data"] == {"limit": "maximumClients", "maximum": CLIENTS}
    assert "too many clients (at most 64)" in answer["error"]["message"]
    for client in (*crowd, new):
        client.close()


@pytest.mark.parametrize("line", [
    request("tree"), request("screenshot"), request("events"), request("frobnicate"),
    request("help"), "{bad",
])
def test_a_client_that_never_reads_blocks_no_others_and_uses_little_memory(kiosk, line):
    silent = kiosk.connect()
    silent.socket.settimeout(1)
    before = memory(kiosk)
    sent = 0
    try:
        while sent < 20 << 20:
            sent += silent.socket.send((line + "\n").encode() * 1000)
    except (TimeoutError, BrokenPipeError, ConnectionResetError):
        pass  # it is read no more, or was dropped
    other = kiosk.connect()
    assert "version" in other.ask("version")
    other.close()
    assert memory(kiosk) - before < 80 << 20
    silent.close()


def test_a_slow_subscriber_receives_the_number_of_lost_events(kiosk):
    lazy, other = kiosk.connect(), kiosk.connect()
    lazy.send(request("events") + "\n")
    # Setting text isn't an event, but a page change is. Two events per round, some hundred bytes each.
    for _ in range(12_000):
        other.ask("go", page="second")
        other.ask("go", page="first")
    lost, told, message = 0, 0, lazy.read()
    while "lost" not in message.get("params", {}):
        told += 1
        message = lazy.read()
        if told % 1000 == 0:
            other.ask("go", page="second")
            other.ask("go", page="first")
    lost = message["params"]["lost"]
    assert lost > 0
    lazy.close()
    other.close()


@pytest.mark.parametrize("beginning", [
    '{"jsonrpc":"2.0","method":"ver',
    request("wait", {"property": "dial.value", "value": 11, "timeout": 1000}) + "\n",
    request("tap", {"target": "wheel/a", "duration": 60}) + "\n",
    request("drag", {"target": "dial/0", "by": [100, 100], "duration": 60}) + "\n",
    request("touch", {"recording": '{"t":0,"down":{"finger":0,"x":200,"y":140}}',
                      "more": True}) + "\n",
    request("events") + "\n",
    request("record") + "\n",
    (request("screenshot") + "\n") * 30,
    "[" + ",".join([request("wait", {"still": True})] * 500),
    "y" * 100_000,
])
def test_a_client_killed_midway_leaves_nothing_behind(kiosk, beginning):
    """The kiosk fixture checks that no client and no finger remains."""
    program = ("import socket, sys\n"
               "s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])\n"
               "s.sendall(sys.stdin.buffer.read()); print(flush=True); s.recv(1); s.recv(1 << 30)\n"
               "import time; time.sleep(100)")
    with subprocess.Popen([sys.executable, "-c", program, kiosk.socket], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as client:
        client.stdin.write(beginning.encode())
        client.stdin.close()
        client.stdout.readline()
        assert kiosk.json("status")["page"] in ("first", "second")
        client.send_signal(signal.SIGKILL)


def test_too_many_waits_recordings_or_pictures_are_rejected_by_the_named_limit(kiosk):
    wire = kiosk.connect()
    for method, params, limit, said in (
            ("wait", {"property": "dial.label", "value": "no label", "timeout": 600}, 256,
             "too many waiting requests (at most 256)"),
            ("tap", {"at": [400, 470], "duration": 60}, 32,
             "too many fingers and recordings are playing (at most 32)")):
        for _ in range(limit):
            wire.send(request(method, params, id=0) + "\n")
        answer = wire.ask(method, **params)
        assert answer["code"] == BUSY and said in answer["message"], answer
        assert answer["data"]["maximum"] == limit
    wire.close()


def test_a_batch_has_limits(wire):
    wire.send("[" + ",".join([request("version", id=number) for number in range(1000)]) + "]\n")
    assert [answer["id"] for answer in wire.read()] == list(range(1000))
    wire.send("[" + ",".join([request("version")] * 1001) + "]\n")
    assert "the batch has more than 1000 requests" in wire.read()["error"]["message"]
    # Answers beyond a mebibyte are errors.
    wire.send("[" + ",".join([request("help")] * 500) + "]\n")
    answers = wire.read()
    assert "result" in answers[0]
    assert answers[-1]["error"]["code"] == BUSY
    assert len(json.dumps(answers)) < 3 << 20
