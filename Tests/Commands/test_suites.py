# SPDX-License-Identifier: MIT
"""Suites as seen by their author and a build server."""

import json
import os
import pathlib
import re
import signal
import socket
import struct
import subprocess
import threading
import time
import xml.etree.ElementTree as ElementTree

import pytest

from live import LiveKiosk

TOP = pathlib.Path(__file__).resolve().parents[2]
ROUNDEL = os.environ.get("ROUNDEL_BINARY", str(TOP / ".build/release/roundel"))
SUITES = sorted((TOP / "deploy/examples/suites").glob("*.yaml"))

KIOSK = """
kiosk: test
screen: {size: [400, 300], font: DejaVu Sans}
pages:
  - page: first
    controls:
      - button: left
        at: [100, 100]
        size: [120, 120]
        text: Left
        on: {selected: [{set: {note.text: left}}]}
      - button: right
        at: [300, 100]
        size: [120, 120]
        text: Right
      - dial: dial
        at: [200, 230]
        radius: 60
        labels: 12
      - label: note
        at: [200, 20]
        text: ""
"""


def roundel(*arguments, cwd=None, timeout=120):
    return subprocess.run([ROUNDEL, *map(str, arguments)], capture_output=True, text=True, cwd=cwd,
                          timeout=timeout, check=False)


@pytest.fixture
def suite(tmp_path):
    """Writes a suite with some tests for a kiosk with two buttons and a dial."""
    (tmp_path / "kiosk.yaml").write_text(KIOSK)

    def write(tests, head=""):
        path = tmp_path / "suite.yaml"
        path.write_text(f"suite: s\nkiosk: kiosk.yaml\n{head}tests:\n{tests}")
        return path

    return write


def tap(text):
    """Returns the plan of TAP output, and the outcome and name of each test."""
    lines = text.splitlines()
    assert lines[0] == "TAP version 14"
    plan = re.fullmatch(r"1\.\.(\d+)", lines[1])
    results = [re.match(r"(not )?ok (\d+) - (.*)", line) for line in lines[2:]]
    results = [result for result in results if result]
    assert [int(result[2]) for result in results] == list(range(1, len(results) + 1))
    return int(plan[1]), [(not result[1], result[3]) for result in results]


def png(path):
    data = pathlib.Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", data[16:24])


PASSING = """\
  - test: a tap chooses
    tags: [smoke]
    steps: [{tap: left}, {expect: {event: selected, control: left}}, {expect: {note.text: left}}]
  - test: "index $index"
    for: {index: [1, 5]}
    steps: [{set: {dial.value: $index}}, {wait: still}, {expect: {dial.value: $index}}]
"""
FAILING = """\
  - test: the wrong event
    steps: [{tap: left}, {expect: {event: selected, control: right, within: 0.5}}]
  - test: the wrong state
    steps: [{expect: {dial.value: {min: 3}}}]
  - test: too long
    timeout: 1
    steps: [{wait: {dial.value: 3}}]
"""


@pytest.mark.skipif("VERSION_CODENAME=bookworm" not in pathlib.Path("/etc/os-release").read_text(),
                    reason="text looks different with another FreeType")
def test_the_examples_pass_their_suites(tmp_path):
    result = roundel("test", *SUITES, "--artifacts", tmp_path)
    assert result.returncode == 0, result.stdout
    count, results = tap(result.stdout)
    assert count == len(results) > 80
    assert result.stderr == ""


def test_every_example_has_a_suite():
    kiosks = {path.name for path in (TOP / "deploy/examples/kiosks").glob("*.yaml")}
    suites = {path.name for path in SUITES}
    assert kiosks <= suites
    # Some have a second suite for use without sight.
    assert {name.replace("-blind.yaml", ".yaml") for name in suites} == kiosks


def test_piped_results_are_in_tap(suite):
    result = roundel("test", suite(PASSING + FAILING))
    assert result.returncode == 1
    assert tap(result.stdout) == (6, [
        (True, "s: a tap chooses"), (True, "s: index 1"), (True, "s: index 5"),
        (False, "s: the wrong event"), (False, "s: the wrong state"), (False, "s: too long")])
    assert "suite.yaml:11:" in result.stdout
    assert "no event selected of right, within 0.5 seconds; since then: pressed of left" \
        in result.stdout
    assert "dial.value is 0, expected at least 3" in result.stdout
    assert "dial.value is 0, expected 3, within the test's 1 seconds" in result.stdout
    assert result.stderr == ""


def test_each_result_is_a_json_line_on_request(suite):
    result = roundel("test", suite(PASSING + FAILING), "--json")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["outcome"] for line in lines] == ["passed"] * 3 + ["failed"] * 3
    assert lines[0]["suite"] == "s"
    assert lines[3]["at"].endswith("suite.yaml:11:26")


def test_tests_are_selected_by_tag_and_name_and_listed(suite):
    path = suite(PASSING + FAILING)
    assert tap(roundel("test", path, "--tag", "smoke").stdout)[0] == 1
    assert tap(roundel("test", path, "--filter", "INDEX").stdout)[0] == 2
    assert tap(roundel("test", path, "--only", "s: index 5").stdout)[0] == 1
    listed = roundel("test", path, "--list")
    assert listed.returncode == 0
    assert listed.stdout.splitlines()[:2] == ["s: a tap chooses", "s: index 1"]
    none = roundel("test", path, "--filter", "nonsense")
    assert none.returncode == 64
    assert "no test matches --filter" in none.stderr


def test_junit_contains_every_test_and_its_failure(suite, tmp_path):
    file = tmp_path / "junit.xml"
    headless = '  - {test: "a < b & \\"c\\"", steps: [{expect: {dial.value: 9}}]}\n'
    result = roundel("test", suite(PASSING + FAILING + headless), "--junit", file)
    assert result.returncode == 1
    root = ElementTree.parse(file).getroot()
    assert root.tag == "testsuites"
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("7", "4", "0")
    cases = root.findall("testsuite/testcase")
    assert [case.get("name") for case in cases][-1] == 'a < b & "c"'
    assert sum(case.find("failure") is not None for case in cases) == 4
    assert all(float(case.get("time")) >= 0 for case in cases)
    assert "suite.yaml:11:" in cases[3].find("failure").text


def test_a_failure_leaves_its_screenshot_recording_and_events(suite, tmp_path):
    seen = tmp_path / "seen"
    result = roundel("test", suite(FAILING), "--artifacts", seen)
    folder = seen / "s" / "the-wrong-event"
    assert f'artifacts: "{folder}"' in result.stdout
    assert sorted(file.name for file in folder.iterdir()) == [
        "events.jsonl", "recording.jsonl", "screen.png"]
    assert png(folder / "screen.png") == (400, 300)
    events = (folder / "events.jsonl").read_text()
    # The recording can be replayed with the same result.
    again = roundel("replay", tmp_path / "kiosk.yaml", folder / "recording.jsonl")
    assert again.returncode == 0
    assert again.stdout == events != ""


LOOK = "  - {test: look, steps: [{expect: {picture: look, region: left}}]}\n"
HELD = "  - {test: look, steps: [{press: left}, {expect: {picture: look, region: left}}]}\n"


def test_pictures_are_written_viewed_and_compared(suite, tmp_path):
    golden = tmp_path / "goldens/look@400x300.png"
    missing = roundel("test", suite(LOOK))
    assert missing.returncode == 1
    assert "there is no golden" in missing.stdout
    written = roundel("test", suite(LOOK), "--update")
    assert written.returncode == 1
    assert f"wrote {golden}" in written.stdout
    assert png(golden) == (120, 120)
    assert roundel("test", suite(LOOK)).returncode == 0

    seen = tmp_path / "seen"
    different = roundel("test", suite(HELD), "--artifacts", seen)
    assert different.returncode == 1
    assert re.search(r"look@400x300.png: \d+ pixels differ, by up to \d+, from ", different.stdout)
    folder = seen / "s/look"
    for kind in ("shot", "golden", "difference"):
        assert png(folder / f"look.{kind}.png") == (120, 120)
    assert (folder / "look.golden.png").read_bytes() == golden.read_bytes()

    tolerant = HELD.replace("region", "difference: 255, region")
    assert roundel("test", suite(tolerant)).returncode == 0
    assert roundel("test", suite(HELD), "--update").returncode == 1
    assert roundel("test", suite(HELD)).returncode == 0
    smaller = roundel("test", suite(HELD, head="size: [200, 150]\n"))
    assert smaller.returncode == 0
    assert "# the picture look was not compared: it was saved for 400x300, not for 200x150" \
        in smaller.stdout


def test_a_suite_gives_the_same_results_each_time(suite):
    path = suite(PASSING + FAILING)
    def results():
        return re.sub(r"duration_ms: .*", "", roundel("test", path).stdout)
    assert results() == results()


@pytest.mark.parametrize("tests, message", [
    ("  - {test: t, steps: [{tpa: left}]}\n", ':4:24: error: unknown step "tpa"'),
    ("  - {test: t, steps: [{tap: lfet}]}\n", 'did you mean "left"?'),
    ("  - {test: t, steps: []}\n", '"steps" is an empty list'),
    ("  - {test: t, steps: [\n", ':4:22: error: "[" is not closed'),
    ("  3\n", "wrong type"),
])
def test_errors_in_a_suite_are_reported_with_locations_and_nothing_runs(suite, tests, message):
    result = roundel("test", suite(tests))
    assert (result.returncode, result.stdout) == (65, "")
    assert "suite.yaml:" in result.stderr
    assert message in result.stderr


def test_all_errors_of_all_suites_and_their_kiosks_are_reported_at_once(suite, tmp_path):
    good = suite("  - {test: t, steps: [{tap: up}, {go: there}]}\n")
    bad = tmp_path / "bad.yaml"
    bad.write_text("suite: b\nkiosk: broken.yaml\ntests: [{test: t, steps: [{tap: x}]}]\n")
    (tmp_path / "broken.yaml").write_text("kiosk: b\npages: []\n")
    result = roundel("test", good, bad)
    assert (result.returncode, result.stdout) == (65, "")
    assert result.stderr.count("error:") == 4, result.stderr


@pytest.mark.parametrize("arguments, code", [
    (["test"], 64), (["test", "no-such-suite.yaml"], 65), (["test", "/"], 65),
    (["test", "/dev/urandom"], 65), (["test", "--help"], 0),
])
def test_each_kind_of_failure_has_its_exit_code(arguments, code, tmp_path):
    result = roundel(*arguments, cwd=tmp_path)
    assert result.returncode == code
    assert (result.stderr != "") == (code != 0)


def test_the_schema_of_suites_is_json():
    schema = json.loads(roundel("schema", "--suite").stdout)
    assert schema["$defs"]["suite"]["required"] == ["suite", "kiosk", "tests"]
    assert "tap" in schema["$defs"]["step"]["properties"]


# On a running kiosk.


@pytest.fixture
def live(tmp_path):
    """Starts kiosks without a panel that suites can test."""
    kiosks = []

    def run(file, *options):
        folder = tmp_path / f"live{len(kiosks)}"
        folder.mkdir()
        kiosks.append(LiveKiosk(folder, *options, file=file))
        return kiosks[-1]

    yield run
    for kiosk in kiosks:
        kiosk.close()


@pytest.mark.skipif("VERSION_CODENAME=bookworm" not in pathlib.Path("/etc/os-release").read_text(),
                    reason="text looks different with another FreeType")
@pytest.mark.parametrize("name", ["shows", "topics", "stats"])
def test_the_suites_also_pass_on_a_running_kiosk(live, name, tmp_path):
    kiosk = live(TOP / f"deploy/examples/kiosks/{name}.yaml")
    suite = TOP / f"deploy/examples/suites/{name}.yaml"
    result = kiosk.run("test", suite, "--artifacts", tmp_path / "seen", timeout=120)
    count, results = tap(result.stdout)
    assert count == len(results)
    headless = [test["test"] for test in map(json.loads, roundel(
        "test", suite, "--json").stdout.splitlines())]
    assert len(headless) == count


def test_each_test_starts_from_the_initial_state(suite, tmp_path, live):
    path = suite("""\
  - test: one
    steps: [{tap: left}, {set: {dial.value: 7}}, {press: right}, {expect: {note.text: left}}]
  - test: two
    steps: [{expect: {dial.value: 0, note.text: ""}}, {expect: {no_event: any}}, {tap: right},
            {expect: {events: [pressed, selected], control: right}}]
""")
    kiosk = live(tmp_path / "kiosk.yaml")
    kiosk.run("set", "dial.value=3")
    kiosk.run("test", path)
    assert kiosk.get("dial.value") == 0


def test_events_of_a_start_are_visible_headless_and_on_a_running_kiosk(suite, tmp_path, live):
    path = suite("""\
  - {test: start, steps: [{expect: {event: emit, name: hi, within: 1}}, {tap: left}]}
  - {test: none, steps: [{expect: {no_event: emit, during: 0.2}}]}
""")
    kiosk_file = tmp_path / "kiosk.yaml"
    kiosk_file.write_text(
        KIOSK.replace("  - page: first\n", "  - page: first\n    on: {shown: [{emit: hi}]}\n"))
    outcomes = [[held for held, _ in tap(result.stdout)[1]] for result in (
        roundel("test", path), live(kiosk_file).run("test", path, code=1))]
    assert outcomes == [[True, False], [True, False]]


def test_failures_on_a_running_kiosk_leave_the_same_artifacts(suite, tmp_path, live):
    path, seen = suite(FAILING + HELD), tmp_path / "seen"
    kiosk = live(tmp_path / "kiosk.yaml")
    result = kiosk.run("test", path, "--artifacts", seen, code=1)
    assert tap(result.stdout)[1][0] == (False, "s: the wrong event")
    folder = seen / "s/the-wrong-event"
    assert png(folder / "screen.png") == (400, 300)
    again = roundel("replay", tmp_path / "kiosk.yaml", folder / "recording.jsonl").stdout
    assert [json.loads(line)["event"] for line in again.splitlines()] == [
        "pressed", "selected", "confirmed"]
    assert png(seen / "s/look/look.shot.png") == (120, 120)
    # The failure doesn't affect the next test.
    assert tap(kiosk.run("test", suite(PASSING)).stdout)[0] == 3


def test_the_picture_of_a_rotated_panel_is_compared_unrotated(suite, tmp_path, live):
    path = suite("  - {test: look, steps: [{expect: {picture: look}}]}\n")
    roundel("test", path, "--update")
    kiosk = live(tmp_path / "kiosk.yaml", "--rotate", "90")
    assert png_bytes(kiosk)[16:24] == struct.pack(">II", 300, 400)
    kiosk.run("test", path)


def png_bytes(kiosk):
    file = kiosk.folder / "now.png"
    kiosk.run("screenshot", "-o", file)
    return file.read_bytes()


def test_a_kiosk_that_the_suite_does_not_name_is_not_tested(suite, live):
    path = suite(PASSING)
    kiosk = live(TOP / "deploy/examples/kiosks/shows.yaml")
    result = kiosk.run("test", path, code=69)
    assert result.stdout == ""
    assert 'the running kiosk is "shows", but the suite s tests "test"' in result.stderr


def test_without_a_kiosk_nothing_is_tested(suite, tmp_path):
    result = roundel("test", suite(PASSING), "--socket", tmp_path / "none.sock")
    assert (result.returncode, result.stdout) == (69, "")
    assert "no kiosk is running" in result.stderr


@pytest.mark.parametrize("touch, code", [("uinput", 64), ("qmp:", 64), ("thumb", 64)])
def test_ways_of_touching_need_a_running_kiosk(suite, touch, code):
    assert roundel("test", suite(PASSING), "--touch", touch).returncode == code


def test_an_invalid_qmp_socket_is_reported(suite, tmp_path, live):
    path = suite(PASSING)
    kiosk = live(tmp_path / "kiosk.yaml")
    result = kiosk.run("test", path, "--touch", f"qmp:{tmp_path}/qmp.sock", code=69)
    assert "cannot connect to QEMU at" in result.stderr


def test_a_kiosk_that_dies_ends_the_tests(suite, tmp_path, live):
    path = suite("  - {test: one, steps: [{tap: left}]}\n"
                 "  - {test: two, steps: [{wait: 20}]}\n  - {test: three, steps: [{tap: left}]}\n")
    kiosk = live(tmp_path / "kiosk.yaml")
    junit = tmp_path / "junit.xml"
    running = kiosk.begin("test", path, "--junit", junit)
    lines = [running.stdout.readline() for _ in range(3)]
    kiosk.process.kill()
    rest, errors = running.communicate(timeout=20)
    assert running.returncode == 69
    assert lines[2].startswith("ok 1")
    assert rest.startswith("Bail out! the kiosk disconnected")
    assert "disconnected" in errors
    root = ElementTree.parse(junit).getroot()
    assert (root.get("tests"), root.get("errors")) == ("2", "1")


def test_a_hung_kiosk_ends_the_tests(suite, tmp_path, live):
    path = suite("  - {test: one, steps: [{wait: {dial.value: 7, within: 1}}]}\n")
    kiosk = live(tmp_path / "kiosk.yaml")
    kiosk.process.send_signal(signal.SIGSTOP)
    try:
        begin = time.monotonic()
        result = kiosk.run("test", path, code=69, timeout=60)
        assert time.monotonic() - begin < 45
        assert "no answer from the kiosk" in result.stderr
    finally:
        kiosk.process.send_signal(signal.SIGCONT)


class FakeQEMU(threading.Thread):
    """A machine's QMP socket that records its input and forwards no touches."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.told = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen(1)
        self.start()

    def run(self):
        connection, _ = self._listener.accept()
        with connection, connection.makefile("rwb") as lines:
            lines.write(b'{"QMP": {"version": {}, "capabilities": []}}\n')
            lines.flush()
            for line in lines:
                message = json.loads(line)
                self.told.append(message)
                lines.write(b'{"event": "RTC_CHANGE", "data": {}}\n')
                lines.write(json.dumps({"return": {}, "id": message["id"]}).encode() + b"\n")
                lines.flush()


def test_touches_are_sent_to_a_virtual_machine_in_its_format(suite, tmp_path, live):
    path = suite("  - {test: t, timeout: 60, steps: [{drag: {from: left, by: [0, 40]}}]}\n")
    kiosk = live(tmp_path / "kiosk.yaml", "--rotate", "90", "--size", "600x800")
    machine = FakeQEMU(tmp_path / "qmp.sock")
    result = kiosk.run("test", path, "--touch", f"qmp:{tmp_path}/qmp.sock", code=1, timeout=60)
    assert "the kiosk did not receive the touches" in result.stdout
    assert machine.told[0]["execute"] == "qmp_capabilities"
    sent = [event for told in machine.told[1:] for event in told["arguments"]["events"]]
    assert {told["execute"] for told in machine.told[1:]} == {"input-send-event"}
    kinds = [event["data"].get("type", event["type"]) for event in sent]
    assert kinds[:4] == ["begin", "data", "data", "btn"]
    assert kinds[-2:] == ["end", "btn"]
    assert sent[-2]["data"]["tracking-id"] == -1
    assert [event["data"]["down"] for event in sent if event["type"] == "btn"] == [True, False]
    # The canvas is 800 by 600, twice the design, rotated by 90 degrees: x is 600 - 2 y.
    places = [event["data"]["value"] for event in sent if event["data"].get("type") == "data"]
    assert places[:2] == [round((600 - 200) * 32768 / 600), round(200 * 32768 / 800)]
    assert places[-2:] == [round((600 - 280) * 32768 / 600), round(200 * 32768 / 800)]
