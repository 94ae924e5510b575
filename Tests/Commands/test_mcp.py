# SPDX-License-Identifier: MIT
"""`roundel mcp`: the Model Context Protocol over standard input and output."""

import asyncio
import base64
import json
import pathlib
import subprocess
import sys
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import ROUNDEL, LiveKiosk  # noqa: E402


@pytest.fixture
def kiosk(tmp_path):
    kiosk = LiveKiosk(tmp_path)
    yield kiosk
    kiosk.close()


class Server:
    """The server, used through plain JSON."""

    def __init__(self, *options):
        self.process = subprocess.Popen(
            [ROUNDEL, "mcp", *map(str, options)], text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)
        self._last = 0

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def read(self):
        return json.loads(self.process.stdout.readline())

    def begin(self, method, **parameters):
        """Sends a request without waiting, and returns its id."""
        self._last += 1
        self.send(json.dumps(
            {"jsonrpc": "2.0", "id": self._last, "method": method, "params": parameters}))
        return self._last

    def ask(self, method, **parameters):
        request = self.begin(method, **parameters)
        answer = self.read()
        assert answer["id"] == request
        return answer

    def use(self, tool, **arguments):
        """Returns the first content of a tool's answer, and whether it failed."""
        result = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        return result["content"][0], result["isError"]

    def say(self, tool, **arguments):
        content, failed = self.use(tool, **arguments)
        assert not failed, content
        return content["text"]

    def fail(self, tool, **arguments):
        content, failed = self.use(tool, **arguments)
        assert failed, content
        return content["text"]


@pytest.fixture
def serve():
    servers = []

    def begin(*options):
        servers.append(Server(*options))
        return servers[-1]

    yield begin
    for server in servers:
        server.process.stdin.close()
        assert server.process.wait(10) == 0


def initialize(server, revision="2025-11-25"):
    answer = server.ask(
        "initialize", protocolVersion=revision, capabilities={},
        clientInfo={"name": "test", "version": "1"})
    server.send('{"jsonrpc":"2.0","method":"notifications/initialized"}')
    return answer["result"]


@pytest.mark.parametrize("asked, given", [
    ("2025-11-25", "2025-11-25"), ("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-11-25")])
def test_client_and_server_agree_on_a_revision(serve, asked, given):
    result = initialize(serve(), asked)
    assert result["protocolVersion"] == given
    assert result["capabilities"] == {"tools": {}}
    assert result["serverInfo"]["name"] == "roundel"


def test_a_model_sees_and_uses_a_kiosk(kiosk, serve):
    server = serve("--socket", kiosk.socket)
    initialize(server)
    tools = {tool["name"]: tool for tool in server.ask("tools/list")["result"]["tools"]}
    assert list(tools) == ["tree", "tap", "drag", "set", "wait", "screenshot", "test"]
    for tool in tools.values():
        assert tool["inputSchema"]["type"] == "object" and tool["description"]
    tree = server.say("tree")
    assert tree.startswith("page first of first, second; 800×480\n")
    assert "pinwheel wheel at 200,250" in tree and "  items: a, b, off (disabled), d" in tree
    assert "hidden" not in tree and "drinks" not in tree and "drinks" in server.say("tree", all=True)
    assert len(tree) < 700
    assert json.loads(server.say("tap", target="wheel/b"))["control"] == "wheel"
    assert server.say("set", property="dial.value", value=4) == "done"
    assert json.loads(server.say("wait", expression="dial.value == 4"))["holds"]
    server.say("drag", target="dial", by=[0, 40], hold=0.1)
    server.say("wait", still=True)
    picture, failed = server.use("screenshot", scale=0.25)
    assert not failed and picture["mimeType"] == "image/png"
    assert base64.b64decode(picture["data"]).startswith(b"\x89PNG")


def test_failures_are_reported_to_the_model(kiosk, serve):
    server = serve("--socket", kiosk.socket)
    initialize(server)
    assert "nothing handled the touch" in server.fail("tap", target="said")
    assert "there is no" in server.fail("tap", target="nothing")
    assert "not true after 0.1 s" in server.fail(
        "wait", expression="dial.value == 9", timeout=0.1)
    assert "between 0 and 600" in server.fail("wait", still=True, timeout=1e9)
    assert server.fail("set", property="dial.value")
    kiosk.run("blank")
    assert "woke it" in server.fail("tap", target="wheel/a")


def test_a_wait_delays_no_other_request(kiosk, serve):
    server = serve("--socket", kiosk.socket)
    initialize(server)
    wait = server.begin("tools/call", name="wait", arguments={
        "expression": "dial.value == 4", "timeout": 30})
    pings = []
    for _ in range(20):
        start = time.monotonic()
        assert server.ask("ping")["result"] == {}
        pings.append(time.monotonic() - start)
    assert sorted(pings)[10] < 0.02, pings
    assert "page first" in server.say("tree")
    setting = server.begin("tools/call", name="set", arguments={"property": "dial.value", "value": 4})
    answers = {answer["id"]: answer["result"] for answer in (server.read(), server.read())}
    assert not answers[setting]["isError"] and answers[wait]["structuredContent"]["holds"]


def test_touches_are_executed_in_order(kiosk, serve):
    server = serve("--socket", kiosk.socket)
    initialize(server)
    calls = [server.begin("tools/call", name="tap", arguments={"target": f"wheel/{item}"})
             for item in "abdab"]
    assert [server.read()["id"] for _ in calls] == calls
    told = kiosk.told_until("wheel.selected(b)") + kiosk.told_until("wheel.selected(b)")
    assert [one for one in told if "selected" in one] == [f"wheel.selected({i})" for i in "abdab"]


def test_a_cancelled_call_ends_and_is_not_answered(kiosk, serve, tmp_path):
    server = serve("--socket", kiosk.socket)
    initialize(server)

    def cancel(request):
        server.send(json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled",
                                "params": {"requestId": request, "reason": "changed my mind"}}))

    clients = kiosk.json("status")["clients"]
    wait = server.begin("tools/call", name="wait", arguments={"page": "second", "timeout": 600})
    held = server.begin("tools/call", name="tap", arguments={"target": "wheel/a", "duration": 60})
    kiosk.run("wait", "wheel.item == ''", "--timeout", "5")
    kiosk.told_until("wheel.pressed(a)")
    for request in (wait, held, 12345, "nothing"):
        cancel(request)
    kiosk.told_until("wheel.cancelled(a)")  # the finger was lifted with the connection
    assert server.ask("ping")["result"] == {}
    assert "wheel" in server.say("tap", target="wheel/b")
    assert kiosk.json("status")["clients"] <= clients + 1
    suite = tmp_path / "suite.yaml"
    suite.write_text("suite: s\nkiosk: kiosk.yaml\ntests:\n  - {test: waits, steps: [{wait: 'page == \"second\"', timeout: 600}]}\n")
    test = server.begin("tools/call", name="test", arguments={"suite": str(suite), "running": True})
    cancel(test)
    assert server.ask("ping")["result"] == {}


def test_progress_is_reported_on_request(kiosk, serve, tmp_path):
    suite = tmp_path / "suite.yaml"
    suite.write_text(
        "suite: s\nkiosk: kiosk.yaml\ntests:\n"
        "  - {test: one, steps: [{tap: wheel/a}]}\n  - {test: two, steps: [{tap: wheel/b}]}\n")
    server = serve("--socket", kiosk.socket)
    initialize(server)
    server.begin("tools/call", name="test", arguments={"suite": str(suite)},
                 _meta={"progressToken": "tests"})
    told = [server.read() for _ in range(3)]
    assert [one.get("method") for one in told] == ["notifications/progress"] * 2 + [None]
    assert [(one["params"]["progressToken"], one["params"]["progress"], one["params"]["total"])
            for one in told[:2]] == [("tests", 1, 2), ("tests", 2, 2)]
    assert "two" in told[1]["params"]["message"]
    server.begin("tools/call", name="wait", arguments={"page": "second", "timeout": 1.5},
                 _meta={"progressToken": 7})
    progress = server.read()["params"]
    assert progress == {"progressToken": 7, "progress": 1, "total": 1.5}
    assert server.read()["result"]["isError"]


def test_answers_match_their_schemas(kiosk, serve):
    jsonschema = pytest.importorskip("jsonschema")
    server = serve("--socket", kiosk.socket)
    initialize(server)
    tools = {tool["name"]: tool for tool in server.ask("tools/list")["result"]["tools"]}
    assert [name for name in tools if "outputSchema" not in tools[name]] == ["screenshot"]
    for name, arguments in (
            ("tree", {}), ("tree", {"all": True}), ("tap", {"target": "wheel/a"}),
            ("drag", {"target": "dial", "by": [0, 40]}), ("wait", {"still": True}),
            ("set", {"property": "dial.value", "value": 4})):
        schema = tools[name]["outputSchema"]
        assert schema["type"] == "object" and schema["properties"]
        result = server.ask("tools/call", name=name, arguments=arguments)["result"]
        jsonschema.validate(result["structuredContent"], schema)
    shown = server.ask("tools/call", name="tree", arguments={})["result"]["structuredContent"]
    assert [(page["page"], len(page["controls"])) for page in shown["pages"]] == [
        ("first", 3), ("second", 0)]


def test_requests_before_the_end_of_the_input_are_answered(kiosk):
    lines = "".join(
        json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call",
                    "params": {"name": "tree", "arguments": {}}}) + "\n" for number in range(3))
    for options in ({"input": lines}, {"stdin": (kiosk.folder / "requests")}):
        if "stdin" in options:
            options["stdin"].write_text(lines)
            options["stdin"] = options["stdin"].open()
        done = subprocess.run([ROUNDEL, "mcp", "--socket", kiosk.socket], text=True,
                              capture_output=True, timeout=20, **options)
        assert done.returncode == 0, done.stderr
        assert sorted(json.loads(line)["id"] for line in done.stdout.splitlines()) == [0, 1, 2]


@pytest.mark.parametrize("tool, arguments", [
    ("wait", {"page": "second", "timeout": 60}),
    ("drag", {"target": "dial", "by": [0, 40], "duration": 60})])
def test_the_server_ends_soon_after_its_input_during_a_slow_call(kiosk, serve, tool, arguments):
    server = serve("--socket", kiosk.socket)
    initialize(server)
    first = server.begin("tools/call", name=tool, arguments=arguments)
    if tool == "drag":
        until_fingers(kiosk, 1)
    server.begin("tools/call", name=tool, arguments=arguments)
    server.process.stdin.close()
    # Clients of the protocol wait two seconds before they kill a server.
    assert server.process.wait(2) == 0
    answers = [json.loads(line) for line in server.process.stdout]
    assert sorted(one["id"] for one in answers) == [first, first + 1]
    for one in answers:
        assert one["result"]["isError"]
        assert "the input ended" in one["result"]["content"][0]["text"]
    # The finger was lifted when the connection ended.
    until_fingers(kiosk, 0)


def until_fingers(kiosk, count):
    deadline = time.monotonic() + 10
    while kiosk.json("status")["fingers"] != count:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_the_server_survives_restarts_of_the_kiosk(tmp_path, serve):
    server = serve("--socket", tmp_path / "control.sock")
    initialize(server)
    assert "no kiosk is running" in server.fail("tree")
    kiosk = LiveKiosk(tmp_path)
    try:
        assert "page first" in server.say("tree")
        kiosk.process.kill()
        kiosk.process.wait()
        assert server.fail("tree")
        kiosk.start()
        assert "page first" in server.say("tree")
    finally:
        kiosk.close()


def test_suites_run_headless_and_on_the_kiosk(kiosk, serve, tmp_path):
    suite = tmp_path / "suite.yaml"
    suite.write_text(
        "suite: s\nkiosk: kiosk.yaml\ntests:\n"
        "  - {test: taps, steps: [{tap: wheel/a}, {expect: {event: selected}}]}\n"
        "  - {test: fails, steps: [{expect: {page: second}}]}\n")
    server = serve("--socket", kiosk.socket)
    initialize(server)
    report = server.fail("test", suite=str(suite))
    assert "ok 1" in report and "not ok 2" in report
    for running in (False, True):
        assert "not ok" not in server.say("test", suite=str(suite), filter="taps", running=running)
    said = server.fail("test", suite="--help")
    assert "--help" in said and "no such file" in said.lower()
    suite.write_text("suite: s\nkiosk: kiosk.yaml\ntests:\n  - {test: taps, stepz: []}\n")
    said = server.fail("test", suite=str(suite))
    assert f"{suite}:4:" in said and "stepz" in said


@pytest.mark.parametrize("line, code", [
    ("garbage", -32700), ("[]", -32600), ('{"jsonrpc":"2.0","id":1,"method":"resources/list"}', -32601),
    ('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"format"}}', -32602),
    ('{"id":1}', -32600), ('{"jsonrpc":"2.0","id":1,"method":"tools/call"}', -32602)])
def test_garbage_is_rejected_and_the_next_request_served(serve, line, code):
    server = serve()
    server.send(line)
    assert server.read()["error"]["code"] == code
    assert server.ask("ping")["result"] == {}


def test_the_protocols_official_client_works_with_the_server(kiosk):
    mcp = pytest.importorskip("mcp")
    from mcp.client.stdio import stdio_client

    async def main():
        program = mcp.StdioServerParameters(
            command=str(ROUNDEL), args=["mcp", "--socket", str(kiosk.socket)])
        async with stdio_client(program) as streams, mcp.ClientSession(*streams) as session:
            # By their names on the wire, because the Python names differ between versions.
            started = (await session.initialize()).model_dump(by_alias=True)
            assert started["serverInfo"]["name"] == "roundel"
            names = [tool.name for tool in (await session.list_tools()).tools]
            assert "tree" in names
            tapped = (await session.call_tool("tap", {"target": "wheel/a"})).model_dump(by_alias=True)
            assert not tapped["isError"] and '"wheel"' in tapped["content"][0]["text"]
            picture = await session.call_tool("screenshot", {"scale": 0.25})
            assert picture.model_dump(by_alias=True)["content"][0]["mimeType"] == "image/png"

    asyncio.run(asyncio.wait_for(main(), 40))
