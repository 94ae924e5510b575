# SPDX-License-Identifier: MIT
"""The longest lists, through every interface of a kiosk."""

import asyncio
import json
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import ROUNDEL, TOP, LiveKiosk, run  # noqa: E402

sys.path.insert(0, str(TOP / "deploy/examples/clients"))
import roundel  # noqa: E402

BYTES, ROWS = 1 << 20, 100_000
KIOSK = """
kiosk: board
LOGIC
values: {rows: [], note: ""}
pages:
  - page: first
    controls:
      - {list: board, at: [640, 400], size: [1000, 600], row_height: 60, items: "{rows}"}
"""


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def of_bytes(count):
    """Rows of three strings whose JSON has that many bytes."""
    rows = [{"id": f"r{index}", "label": f"Row {index}", "detail": "Grüße"} for index in range(19_000)]
    rows[-1]["detail"] += "x" * (count - len(compact(rows).encode()))
    assert len(compact(rows).encode()) == count
    return rows


def of_rows(count):
    return [f"{index}" for index in range(count)]


LONGEST = {"bytes": of_bytes(BYTES), "rows": of_rows(ROWS)}
TOO_LONG = {
    "bytes": (of_bytes(BYTES + 1), "1048576 bytes"), "rows": (of_rows(ROWS + 1), "100000 rows")}


@pytest.fixture(scope="module")
def kiosk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kiosk")
    file = folder / "source.yaml"
    file.write_text(KIOSK.replace("LOGIC", ""))
    kiosk = LiveKiosk(folder, file=file)
    yield kiosk
    kiosk.close()


@pytest.fixture
def client(kiosk):
    with roundel.Kiosk(str(kiosk.socket)) as client:
        yield client


class ByFile:
    """`roundel set --file`."""

    @staticmethod
    def set(kiosk, tmp_path, rows, code=0):
        file = tmp_path / "rows.json"
        # White space doesn't count.
        file.write_text(json.dumps(rows, ensure_ascii=False, indent=1))
        return kiosk.run("set", "--file", f"rows={file}", code=64 if code else 0).stderr


class ByInput:
    """`roundel set --file rows=-`."""

    @staticmethod
    def set(kiosk, tmp_path, rows, code=0):
        done = subprocess.run(
            [ROUNDEL, "set", "--file", "rows=-", "--socket", kiosk.socket], input=compact(rows), text=True,
            capture_output=True, timeout=60)
        assert done.returncode == (64 if code else 0), done.stderr
        return done.stderr


class ByPython:
    @staticmethod
    def set(kiosk, tmp_path, rows, code=0):
        with roundel.Kiosk(str(kiosk.socket)) as client:
            return refusal(lambda: client.set("rows", rows))


class ByAsyncPython:
    @staticmethod
    def set(kiosk, tmp_path, rows, code=0):
        async def set_rows():
            async with roundel.AsyncKiosk(str(kiosk.socket)) as client:
                await client.set("rows", rows)
                assert await client.get("rows") == rows
        return refusal(lambda: asyncio.run(set_rows()))


class ByTouch:
    """A line of a live recording."""

    @staticmethod
    def set(kiosk, tmp_path, rows, code=0):
        line = compact({"t": 0, "set": {"rows": rows}}) + "\n"
        done = subprocess.run(
            [ROUNDEL, "touch", "--socket", kiosk.socket], input=line, text=True, capture_output=True, timeout=60)
        assert done.returncode == code, done.stderr
        return kiosk.events.until('"failed"')[-1] if code else ""


class BySuite:
    """A step of a suite on the running kiosk."""

    @staticmethod
    def set(kiosk, tmp_path, rows, code=0):
        suite = tmp_path / "s.yaml"
        suite.write_text(f"suite: lists\nkiosk: {kiosk.file}\ntests: [{{test: a, steps: [{{set: {{rows: {compact(rows)}}}}}]}}]\n")
        done = kiosk.run("test", suite, code=65 if code else 0, timeout=120)
        return done.stdout + done.stderr


def refusal(ask):
    try:
        ask()
    except roundel.Refused as refused:
        return str(refused)
    return ""


@pytest.mark.parametrize("way", [ByFile, ByInput, ByPython, ByAsyncPython, ByTouch, BySuite])
@pytest.mark.parametrize("what", LONGEST)
def test_every_interface_sets_the_longest_list_and_rejects_a_longer_one(kiosk, client, tmp_path, way, what):
    client.set("rows", [])
    assert "takes" not in way.set(kiosk, tmp_path, LONGEST[what])
    assert client.get("rows") == LONGEST[what]
    assert client.get("board.items") == LONGEST[what]
    longer, limit = TOO_LONG[what]
    assert f"at most {limit}" in way.set(kiosk, tmp_path, longer, code=1)
    assert client.get("rows") == LONGEST[what]


def test_a_client_sets_fifty_rows(client):
    """Guards against a former limit."""
    rows = LONGEST["bytes"][:50]
    client.set("rows", rows)
    assert client.get("rows") == rows


def test_a_text_can_be_set_from_a_file(kiosk, tmp_path, client):
    (tmp_path / "note").write_text("[two]\nlines\n")
    kiosk.run("set", "--file", f"note={tmp_path}/note")
    assert client.get("note") == "[two]\nlines"
    (tmp_path / "note").write_text('["a",]')
    said = kiosk.run("set", "--file", f"rows={tmp_path}/note", code=64).stderr
    assert "cannot set rows: invalid JSON" in said
    kiosk.run("set", 'rows=["b"]', "note=[1]")
    assert client.get("rows") == ["b"] and client.get("note") == "[1]"


@pytest.mark.parametrize("what", LONGEST)
def test_a_logic_program_sets_the_longest_list(tmp_path, what):
    program = tmp_path / "logic.py"
    (tmp_path / "rows.json").write_text(compact([LONGEST[what], TOO_LONG[what][0]]))
    program.write_text(f"""#!/usr/bin/python3
import json, pathlib, sys
sys.path.insert(0, {str(TOP / "deploy/examples/clients")!r})
import roundel
with roundel.logic() as kiosk:
    longest, longer = json.loads(pathlib.Path({str(tmp_path / "rows.json")!r}).read_text())
    kiosk.set("rows", longest)
    try:
        kiosk.set("rows", longer)
    except roundel.Refused as refused:
        kiosk.set("note", str(refused))
    for event in kiosk.events():
        pass
""")
    program.chmod(0o755)
    file = tmp_path / "source.yaml"
    file.write_text(KIOSK.replace("LOGIC", "logic: [logic.py]"))
    kiosk = LiveKiosk(tmp_path, file=file)
    try:
        kiosk.run("wait", "note != ''", "--timeout", "30", timeout=60)
        with roundel.Kiosk(str(kiosk.socket)) as client:
            assert client.get("rows") == LONGEST[what]
            assert f"at most {TOO_LONG[what][1]}" in client.get("note")
    finally:
        kiosk.close()


@pytest.mark.parametrize("what", LONGEST)
def test_a_recording_and_a_suite_set_the_longest_list(tmp_path, what):
    kiosk = tmp_path / "kiosk.yaml"
    kiosk.write_text(KIOSK.replace("LOGIC", ""))
    longest, (longer, limit) = LONGEST[what], TOO_LONG[what]
    lines = [{"t": 0, "set": {"rows": longest}}, {"t": 1, "get": "rows"}, {"t": 2, "set": {"rows": longer}},
             {"t": 3, "get": "rows"}]
    (tmp_path / "r.jsonl").write_text("".join(compact(line) + "\n" for line in lines))
    replay = run("replay", kiosk, tmp_path / "r.jsonl", code=1, timeout=120)
    told = [json.loads(line) for line in replay.stdout.splitlines()]
    assert [line["value"] == longest for line in told if "get" in line] == [True, True]
    failed, = (line["message"] for line in told if line.get("event") == "failed")
    assert f"at most {limit}" in failed
    suite = tmp_path / "s.yaml"
    for rows, code in [(longest, 0), (longer, 65)]:
        suite.write_text(
            f"suite: lists\nkiosk: kiosk.yaml\ntests: [{{test: a, steps: [{{set: {{rows: {compact(rows)}}}}}]}}]\n")
        done = run("test", suite, code=code, timeout=120)
        assert code == 0 or f"at most {limit}" in done.stdout + done.stderr
    # The longest list can also be in the file.
    kiosk.write_text(kiosk.read_text().replace("rows: []", f"rows: {compact(longest)}"))
    run("check", kiosk, timeout=120)
    kiosk.write_text(KIOSK.replace("LOGIC", "").replace("rows: []", f"rows: {compact(longer)}"))
    assert f"at most {limit}" in run("check", kiosk, code=1, timeout=120).stderr


def test_a_line_of_a_recording_has_a_maximum_size(tmp_path):
    kiosk = tmp_path / "kiosk.yaml"
    kiosk.write_text(KIOSK.replace("LOGIC", ""))
    (tmp_path / "r.jsonl").write_text('{"t": 0, "set": {"note": "' + "x" * (BYTES + (32 << 10)) + '"}}\n')
    assert "expected at most 1081344" in run("replay", kiosk, tmp_path / "r.jsonl", code=65).stderr
