# SPDX-License-Identifier: MIT
"""`roundel mcp`: the Model Context Protocol over standard input and output."""

import asyncio
import base64
import json
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import ROUNDEL, LiveKiosk  # noqa: E402


@pytest.fixture
def kiosk(tmp_path):
    kiosk = LiveKiosk(tmp_path)
    yield kiosk
    kiosk.close()


class Server:
    """The program, by plain JSON."""

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

    def ask(self, method, **parameters):
        self._last += 1
        self.send(json.dumps(
            {"jsonrpc": "2.0", "id": self._last, "method": method, "params": parameters}))
        answer = self.read()
        assert answer["id"] == self._last
        return answer

    def use(self, tool, **arguments):
        """What a tool answers: its first content, and whether it failed."""
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
def test_it_agrees_on_a_revision(serve, asked, given):
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


def test_what_goes_wrong_is_told_to_the_model(kiosk, serve):
    server = serve("--socket", kiosk.socket)
    initialize(server)
    assert "nothing took the touch" in server.fail("tap", target="said")
    assert "there is no" in server.fail("tap", target="nothing")
    assert "does not hold after 0.1 s" in server.fail(
        "wait", expression="dial.value == 9", timeout=0.1)
    assert "0 … 600" in server.fail("wait", still=True, timeout=1e9)
    assert server.fail("set", property="dial.value")
    kiosk.run("blank")
    assert "woke it" in server.fail("tap", target="wheel/a")


def test_it_goes_on_with_a_kiosk_that_comes_and_goes(tmp_path, serve):
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


def test_it_runs_suites_headless_and_on_the_kiosk(kiosk, serve, tmp_path):
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
    assert "was not run" in server.fail("test", suite="--help")


@pytest.mark.parametrize("line, code", [
    ("garbage", -32700), ("[]", -32600), ('{"jsonrpc":"2.0","id":1,"method":"resources/list"}', -32601),
    ('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"format"}}', -32602),
    ('{"id":1}', -32600), ('{"jsonrpc":"2.0","id":1,"method":"tools/call"}', -32602)])
def test_nonsense_is_refused_and_the_next_request_served(serve, line, code):
    server = serve()
    server.send(line)
    assert server.read()["error"]["code"] == code
    assert server.ask("ping")["result"] == {}


def test_the_client_of_the_protocols_authors_understands_it(kiosk):
    mcp = pytest.importorskip("mcp")
    from mcp.client.stdio import stdio_client

    async def main():
        program = mcp.StdioServerParameters(
            command=str(ROUNDEL), args=["mcp", "--socket", str(kiosk.socket)])
        async with stdio_client(program) as streams, mcp.ClientSession(*streams) as session:
            # As on the wire: the names in Python differ from version to version.
            started = (await session.initialize()).model_dump(by_alias=True)
            assert started["serverInfo"]["name"] == "roundel"
            names = [tool.name for tool in (await session.list_tools()).tools]
            assert "tree" in names
            tapped = (await session.call_tool("tap", {"target": "wheel/a"})).model_dump(by_alias=True)
            assert not tapped["isError"] and '"wheel"' in tapped["content"][0]["text"]
            picture = await session.call_tool("screenshot", {"scale": 0.25})
            assert picture.model_dump(by_alias=True)["content"][0]["mimeType"] == "image/png"

    asyncio.run(asyncio.wait_for(main(), 40))
