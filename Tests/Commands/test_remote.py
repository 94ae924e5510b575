# SPDX-License-Identifier: MIT
"""The commands that use a running kiosk through its socket."""

import json
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import zlib

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from elsewhere import server, ssh  # noqa: E402, F401
from live import KIOSK, ROUNDEL, TOP, LiveKiosk, run  # noqa: E402


@pytest.fixture
def kiosk(tmp_path):
    kiosk = LiveKiosk(tmp_path)
    yield kiosk
    kiosk.close()


def pixels(png):
    """Returns the size and rows of RGB triples of a PNG from roundel: 8 bits, not interlaced."""
    at, packed = 8, b""
    while at < len(png):
        length, kind = struct.unpack_from(">I4s", png, at)
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack_from(">IIBB", png, at + 8)
        elif kind == b"IDAT":
            packed += png[at + 8:at + 8 + length]
        at += 12 + length
    channels = {2: 3, 6: 4}[colour]
    raw, rows, before = zlib.decompress(packed), [], bytes(width * channels)
    for y in range(height):
        start = y * (width * channels + 1)
        kind, line = raw[start], bytearray(raw[start + 1:start + 1 + width * channels])
        for x in range(len(line)):
            left = line[x - channels] if x >= channels else 0
            above, corner = before[x], before[x - channels] if x >= channels else 0
            line[x] = (line[x] + predicted(kind, left, above, corner)) & 255
        rows.append([tuple(line[x:x + 3]) for x in range(0, len(line), channels)])
        before = line
    return (width, height), rows


def predicted(kind, left, above, corner):
    if kind == 4:  # Paeth, PNG specification, section 9.4
        guess = left + above - corner
        return min((left, above, corner), key=lambda value: abs(guess - value))
    return [0, left, above, (left + above) // 2][kind]


# Queries.


def test_status_is_readable_for_users_and_programs(kiosk):
    status = kiosk.json("status")
    assert status["kiosk"] == "remote"
    assert status["page"] == "first"
    assert status["process"] == kiosk.process.pid
    display = status["display"]
    assert (display["state"], display["size"], display["rotate"]) == ("showing", [800, 480], 0)
    assert status["inputs"] == [] and "output" not in display
    said = kiosk.run("status").stdout
    assert "page" in said and "first" in said and not said.startswith("{")


def test_status_matches_its_schema(kiosk):
    schema = run("schema", "--status").stdout
    assert schema == (TOP / "deploy/status.schema.json").read_text()
    schema = json.loads(schema)

    def check(value, schema):
        assert schema["description"] if schema is not whole else True
        if isinstance(value, dict) and "properties" in schema:
            assert set(schema["required"]) <= set(value) <= set(schema["properties"])
            for name, part in value.items():
                check(part, schema["properties"][name])

    whole = schema
    check(kiosk.json("status"), schema)
    reference = run("reference").stdout
    assert all(f"| `{name}` | " in reference for name in [*schema["properties"], "display.state"])


def test_the_tree_names_all_targets_and_properties(kiosk):
    tree = kiosk.json("tree")
    assert [page["page"] for page in tree["pages"]] == ["first", "second"]
    controls = {control["id"]: control for page in tree["pages"] for control in page["controls"]}
    assert {id: control["kind"] for id, control in controls.items()} == {
        "wheel": "pinwheel", "dial": "dial", "said": "label", "hidden": "button",
        "drinks": "menu", "reels": "slots", "time": "picker", "cover": "button"}
    assert [(item["id"], item["enabled"]) for item in controls["wheel"]["items"]] == [
        ("a", True), ("b", True), ("off", False), ("d", True)]
    assert controls["dial"]["at"] == [600, 250]
    assert controls["hidden"]["visible"] is False
    for id, control in controls.items():
        for name, value in control.get("properties", {}).items():
            assert kiosk.get(f"{id}.{name}") == value
    said = kiosk.run("tree").stdout
    assert "first (shown)" in said and "dial dial at 600,250" in said and "/off at" in said


def test_events_have_the_form_that_the_kiosk_prints(kiosk):
    with kiosk.begin("events") as events:
        wait_for_client(kiosk)
        kiosk.run("tap", "wheel/b")
        kiosk.run("set", "dial.value=2")
        kiosk.run("wait", "--still")
        # On a busy machine, the end of the wedge's blink comes before the dial's.
        printed = [kiosk.events.next() for _ in range(4)]
        assert sorted(json.loads(line)["event"] for line in printed) == [
            "confirmed", "pressed", "selected", "settled"]
        assert [events.stdout.readline() for _ in range(4)] == printed
        kiosk.run("stop")
        assert "disconnected" in events.stderr.read()
    assert events.returncode == 69


def wait_for_client(kiosk, count=1):
    """Waits until `count` other clients are connected and were answered."""
    deadline = time.monotonic() + 10
    while kiosk.json("status")["clients"] < count + 1:
        assert time.monotonic() < deadline
    time.sleep(0.5)  # connected is not yet subscribed


def test_help_describes_every_method_with_its_parameters(kiosk):
    methods = {method["method"]: method for method in kiosk.json("call", "help")}
    assert set(methods) >= {
        "status", "tree", "events", "screenshot", "tap", "drag", "touch", "get", "set", "wait",
        "watch", "reset", "emit", "shake", "wake", "go", "spin", "open", "close", "record", "reload", "blank", "unblank", "rotate", "latency",
        "stop", "version", "help"}
    drag = {parameter["name"]: parameter for parameter in methods["drag"]["parameters"]}
    assert set(drag) == {"target", "at", "to", "to_target", "by", "duration", "hold", "marker"}
    assert drag["hold"]["default"] == 0
    assert "seconds" in drag["hold"]["type"]
    assert all(method["summary"] and method["result"] for method in methods.values())
    assert kiosk.json("call", "help", '{"method": "go"}')[0]["parameters"][0]["required"] is True


@pytest.mark.parametrize("words", [
    ["status"], ["tree"], ["tap", "wheel/a"], ["drag", "dial", "--by", "0,50"],
    ["get", "dial.value"], ["set", "dial.value=1"], ["wait", "--page", "first"],
    ["go", "second"], ["spin", "reels"], ["open", "drinks"], ["close", "drinks"], ["blank"],
    ["unblank"], ["wake"], ["reset"], ["emit", "sold"], ["shake"], ["key", "F1"], ["scan", "47"], ["rotate", "90"], ["reload"], ["latency"], ["screenshot"], ["call", "version"],
    ["stop"],
])
def test_every_command_that_prints_also_prints_json(kiosk, words):
    lines = kiosk.run(*words, "--json").stdout.splitlines()
    assert len(lines) == 1
    json.loads(lines[0])


# Fingers.


def test_a_tap_is_a_touch_on_the_item(kiosk):
    done = kiosk.run("tap", "wheel/b")
    assert done.stdout == done.stderr == ""
    assert kiosk.told_until("wheel.selected(b)") == ["wheel.pressed(b)", "wheel.selected(b)"]
    assert kiosk.get("wheel.item") == "b"
    assert kiosk.json("tap", "wheel/b") == {"taken": True, "control": "wheel", "at": [312.5, 250]}


def test_a_tap_on_a_number_of_a_ring_works(tmp_path):
    file = tmp_path / "ring.yaml"
    file.write_text(
        "kiosk: ring\npages:\n  - page: only\n    controls:\n"
        "      - {ring: warmth, at: [640, 400], radius: 200, thickness: 60, min: 0, max: 30, step: 1}\n"
        "      - {ring: shown, at: [150, 150], radius: 100, thickness: 30, interactive: false}\n")
    kiosk = LiveKiosk(tmp_path, file=file)
    try:
        assert kiosk.json("tap", "warmth/20")["control"] == "warmth"
        kiosk.run("wait", "warmth.value == 20")
        assert kiosk.run("tap", "warmth/knob").stderr == ""
        assert 'has no item "31"' in kiosk.run("tap", "warmth/31", code=64).stderr
        assert "nothing handled the touch" in kiosk.run("tap", "shown/50", code=1).stderr
    finally:
        kiosk.close()


def test_a_tap_at_a_position_hits_the_control_there(kiosk):
    assert kiosk.json("tap", "--at", "600,250")["control"] == "dial"


@pytest.mark.parametrize("words, page, said", [
    (["--at", "400,470"], "first", "nothing handled the touch on 400, 470"),
    (["--at=-5,-5"], "first", "nothing handled the touch"),
    (["wheel/off"], "first", "nothing handled the touch on wheel/off"),
    (["--at", "200,360"], "first", "nothing handled the touch"),  # the same wedge
    (["said"], "first", "nothing handled the touch on said"),
    (["hidden"], "first", "hidden is not visible"),
    (["drinks"], "first", "drinks is on the page second, which is not shown"),
    (["drinks/tea"], "second", "drinks/tea is not visible now"),
])
def test_a_tap_that_hits_nothing_is_reported(kiosk, words, page, said):
    if page != "first":
        kiosk.run("go", page)
        assert kiosk.told_until(".page")
    assert said in kiosk.run("tap", *words, code=1).stderr
    kiosk.run("go", "second" if page == "first" else "first")
    assert kiosk.told_until(".page") == [".page"]


def test_a_tap_hidden_by_another_control_names_it(kiosk):
    kiosk.run("go", "second")
    kiosk.run("call", "set", '{"property": "time.visible", "value": true}')
    place = kiosk.json("tree")["pages"][1]["controls"]
    time_at = next(control["at"] for control in place if control["id"] == "time")
    kiosk.file.write_text(KIOSK.read_text().replace("at: [700, 420]", f"at: {time_at}"))
    kiosk.run("reload")
    assert "cover covers time and handled the touch on time at" in kiosk.run("tap", "time", code=1).stderr


@pytest.mark.parametrize("words, said", [
    (["nothing"], 'there is no control "nothing" (expected '),
    (["wheel/x"], '"wheel" has no item "x" (expected a, b'),
    ([], "Specify a control"),
    (["wheel/a", "--at", "1,1"], "Specify a control"),
    (["--at", "1"], "X,Y"),
    (["--at", "1,nan"], "at"),
    (["wheel/a", "--duration", "-1"], "duration"),
    (["wheel/a", "--duration", "1e9"], "duration"),
])
def test_a_tap_on_an_unknown_target_is_a_usage_error(kiosk, words, said):
    assert said in kiosk.run("tap", *words, code=64).stderr


def test_a_drag_turns_a_dial_and_scrolls_a_picker(kiosk):
    kiosk.run("drag", "dial/0", "--to", "dial/3", "--hold", "0.3")
    kiosk.run("wait", "dial.value=9", "--timeout", "5")
    kiosk.run("go", "second")
    row = 200 / 3
    kiosk.run("drag", "time", "--by", f"0,{-2 * row}", "--hold", "0.3")
    kiosk.run("wait", "time.hours.value=2", "--timeout", "5")
    told = kiosk.told_until("time.settled")
    assert told[:2] == ["dial.pressed", "dial.passing"]


@pytest.mark.parametrize("words", [
    ["dial/0"], ["dial/0", "--to", "dial/3", "--by", "1,1"], ["dial/0", "--by", "1"],
    ["dial/0", "--to", "nothing"],
])
def test_a_drag_without_a_destination_is_a_usage_error(kiosk, words):
    assert kiosk.run("drag", *words, code=64).stderr


def test_two_fingers_from_standard_input_hold_two_controls(kiosk):
    recording = """\
{"t":0,"down":{"finger":0,"x":200,"y":140}}
{"t":0,"down":{"finger":1,"x":600,"y":130}}
{"t":0.05,"get":"dial.value"}
{"t":0.1,"move":{"finger":1,"x":720,"y":250}}
{"t":0.4,"up":{"finger":1}}
{"t":0.45,"up":{"finger":0}}
{"t":0.5,"shot":"end.png"}
"""
    shots = kiosk.folder / "shots"
    done = kiosk.run("touch", "--shots", shots, input=recording)
    answer, = [json.loads(line) for line in done.stdout.splitlines()]
    assert answer["get"] == "dial.value" and answer["value"] == 0
    kiosk.run("wait", "dial.value=9")
    told = kiosk.told_until("wheel.selected(a)")
    assert told[:2] == ["wheel.pressed(a)", "dial.pressed"]
    assert told.count("dial.passing") == 3
    assert pixels((shots / "end.png").read_bytes())[0] == (800, 480)


def test_a_program_may_keep_writing_touches(kiosk):
    with kiosk.begin("touch", stdin=subprocess.PIPE) as player:
        player.stdin.write('{"t":0,"down":{"finger":0,"x":200,"y":140}}\n')
        player.stdin.flush()
        assert kiosk.told_until("wheel.pressed(a)")
        player.stdin.write('{"t":0.1,"get":"dial.value"}\n')
        player.stdin.flush()
        assert json.loads(player.stdout.readline())["value"] == 0
        player.stdin.write('{"t":0.1,"up":{"finger":0}}\n')
        player.stdin.close()
        assert kiosk.told_until("wheel.selected(a)")
    assert player.returncode == 0


def test_an_unreadable_recording_is_an_error(kiosk):
    done = kiosk.run("touch", kiosk.folder, code=65)
    assert f"cannot read the recording {kiosk.folder}: Is a directory" in done.stderr


@pytest.mark.parametrize("command", [
    ("tap", "dial", "--duration", "nan"), ("drag", "dial", "--by", "9,9", "--hold", "inf"),
    ("wait", "dial.value=9", "--timeout", "nan"), ("wait", "dial.value=9", "--timeout", "-1"),
    ("screenshot", "-o", "x.png", "--scale", "nan")])
def test_options_accept_only_finite_numbers(kiosk, command):
    kiosk.run(*command, code=64)


def test_a_player_ends_with_an_error_if_its_kiosk_exits(kiosk):
    with kiosk.begin("touch", stdin=subprocess.PIPE) as player:
        player.stdin.write('{"t":0,"get":"dial.value"}\n')
        player.stdin.flush()
        assert player.stdout.readline()
        kiosk.process.kill()
        assert "the kiosk disconnected" in player.stderr.read()
    assert player.returncode == 69


def test_a_player_that_dies_leaves_no_finger_on_the_panel(kiosk):
    with kiosk.begin("touch", stdin=subprocess.PIPE) as player:
        player.stdin.write('{"t":0,"down":{"finger":0,"x":200,"y":140}}\n')
        player.stdin.flush()
        assert kiosk.told_until("wheel.pressed(a)")
        player.kill()
    assert kiosk.told_until("wheel.cancelled(a)")
    assert kiosk.json("status")["fingers"] == 0


def test_a_recording_with_unknown_names_plays_and_fails(kiosk):
    recording = """\
{"t":0,"get":"dail.value"}
{"t":0,"set":{"cups":3}}
{"t":0.1,"get":"dial.value"}
"""
    done = kiosk.run("touch", input=recording, code=1)
    assert [json.loads(line)["value"] for line in done.stdout.splitlines()] == [0]
    assert 'there is no control "dail"' in done.stderr and 'there is no value "cups"' in done.stderr
    event = json.loads(kiosk.events.until("failed")[-1])
    assert event["message"].startswith('there is no control "dail"')


@pytest.mark.parametrize("text, said", [
    ('{"t":0,"down":{"finger":0,"x":1,"y":1}}\n{"t":0,"up"', "-:2: error:"),
    ('{"t":0,"knock":{}}\n', 'unknown "knock"'),
    ("\x00\x01", "-:1: error:"),
])
def test_an_invalid_recording_is_a_bad_file(kiosk, text, said):
    assert said in kiosk.run("touch", input=text, code=65).stderr
    assert kiosk.json("status")["fingers"] == 0


def test_a_missing_recording_is_a_bad_file(kiosk):
    assert "/nowhere" in kiosk.run("touch", "/nowhere", code=65).stderr


def test_a_recording_replays_to_the_same_events(kiosk, tmp_path):
    file = tmp_path / "taps.jsonl"
    with kiosk.begin("record", "-o", file) as recorder:
        wait_for_client(kiosk)
        kiosk.run("tap", "wheel/d")
        kiosk.run("drag", "dial/0", "--to", "dial/2", "--duration", "0.2")
        kiosk.run("wait", "--still")
        recorder.send_signal(signal.SIGINT)
    assert recorder.returncode == 0
    end = json.loads(file.read_text().splitlines()[-1])
    assert end["end"] is True
    live = []
    while not live or live[-1]["event"] != "settled":
        live.append(json.loads(kiosk.events.next()))
    replayed = [json.loads(line) for line in run("replay", KIOSK, file).stdout.splitlines()]
    assert [{**event, "t": 0} for event in replayed] == [{**event, "t": 0} for event in live]
    first = replayed[0]["t"] - live[0]["t"]
    for ours, theirs in zip(replayed, live):
        # A recording has exact times; live events that arrive late take effect late.
        assert abs(ours["t"] - theirs["t"] - first) < 0.25


def test_a_marker_is_shown_at_the_finger_and_disappears(kiosk):
    kiosk.run("go", "second")
    before = kiosk.run("screenshot", text=False).stdout
    tap = kiosk.begin("tap", "--at", "80,80", "--duration", "50", "--marker")
    wait_for_client(kiosk)
    size, rows = pixels(kiosk.run("screenshot", text=False).stdout)
    ring = [rows[80 - 27][80], rows[80][80 + 27]]
    assert ring == [(255, 255, 255)] * 2
    assert rows[80][80] == pixels(before)[1][80][80]
    tap.kill()
    tap.wait()
    kiosk.run("wait", "--still")
    assert kiosk.run("screenshot", text=False).stdout == before


# Properties and waiting.


def test_properties_are_printed_and_set(kiosk):
    kiosk.run("set", "dial.value=4", "cover.text=Back at noon")
    kiosk.run("wait", "--still")
    assert kiosk.run("get", "dial.value", "cover.text", "wheel.visible").stdout == (
        "4\nBack at noon\ntrue\n")
    assert kiosk.run("get", "--json", "dial.value", "cover.text").stdout == '4\n"Back at noon"\n'
    kiosk.run("set", 'cover.text="5"')
    assert kiosk.get("cover.text") == "5"


@pytest.mark.parametrize("words, said", [
    (["get", "dial.colour"], '"dial" has no property "colour" (expected value'),
    (["get", "nothing.value"], 'there is no control "nothing"'),
    (["get", "dial"], "expected control.property"),
    (["set", "dial.value=99"], '"value" takes'),
    (["set", "dial.value"], "NAME=VALUE"),
    (["set", "said.text=Back"], "is bound to an expression"),
    (["set", "reels.spinning=true"], "is read-only"),
    (["go", "third"], 'there is no page "third" (expected first or second)'),
    (["spin", "dial"], '"dial" is a dial, which does not spin (expected '),
    (["open", "nothing"], 'there is no control "nothing"'),
    (["close", "dial"], "does not close"),
    (["rotate", "45"], "90"),
    (["wait"], "Specify one of"),
    (["wait", "--still", "--page", "first"], "Specify one of"),
    (["wait", "--page", "third"], 'there is no page "third" (expected first or second)'),
    (["wait", "dial.value=1", "--timeout", "-1"], "timeout"),
    (["call", "frobnicate"], 'there is no method "frobnicate"'),
    (["call", "get", "[]"], "must be a JSON object"),
    (["call", "get", '{"property": 5}'], '"property" must be a string'),
    (["status", "--host", "-oProxyCommand=true"], "--host"),
    (["screenshot", "--region", "1,2"], "--region"),
    (["screenshot", "--region", "9000,9000,5,5"], "outside"),
    (["screenshot", "--scale", "0"], "scale"),
])
def test_an_invalid_setting_is_a_usage_error(kiosk, words, said):
    assert said in kiosk.run(*words, code=64).stderr


def test_a_set_that_settles_ends_when_everything_is_set(kiosk):
    kiosk.run("set", "dial.value=6")
    assert kiosk.get("dial.value") != 6  # it is on its way
    kiosk.run("set", "--settle", "dial.value=3", "wheel.b.label=C")
    assert kiosk.get("dial.value") == 3
    with kiosk.spinning():
        kiosk.told_until("dial.pressed")
        assert "dial still moves after 0.1 seconds" in kiosk.run(
            "set", "--settle", "--timeout", "0.1", "dial.value=5", code=1).stderr
        kiosk.run("set", "--settle", "wheel.b.label=B")  # whatever else moves


def test_a_wait_ends_when_its_condition_becomes_true(kiosk):
    with kiosk.begin("wait", "dial.value=6", "--timeout", "60", "--json") as waiting:
        wait_for_client(kiosk)
        wakeups = switches(kiosk)
        time.sleep(1)
        assert switches(kiosk) - wakeups <= 2, "the kiosk looks again and again"
        kiosk.run("set", "dial.value=6")
        assert json.loads(waiting.stdout.read())["value"] == 6
    assert waiting.returncode == 0


def switches(kiosk):
    status = pathlib.Path(f"/proc/{kiosk.process.pid}/status").read_text()
    return int(status.split("\nvoluntary_ctxt_switches:")[1].split()[0])


@pytest.mark.parametrize("words, said", [
    (["dial.value=6"], "dial.value is 0, not 6, after 0.1 seconds"),
    (["--page", "second"], "the page is first, not second"),
])
def test_a_wait_that_times_out_reports_the_actual_value(kiosk, words, said):
    assert said in kiosk.run("wait", *words, "--timeout", "0.1", code=1).stderr


# Commands.


def test_pages_menus_and_slots_are_commanded(kiosk):
    kiosk.run("go", "second")
    kiosk.run("wait", "--page", "second")
    kiosk.run("open", "drinks")
    kiosk.run("tap", "drinks/coffee")
    kiosk.run("tap", "drinks/coffee/white")
    assert kiosk.get("drinks.path") == ["coffee", "white"]
    kiosk.run("open", "drinks")
    kiosk.run("wait", "drinks.open=true")
    kiosk.run("close", "drinks")
    kiosk.run("wait", "drinks.open=false")
    kiosk.run("spin", "reels")
    kiosk.run("wait", "reels.spinning=false", "--timeout", "20")
    told = [event for event in kiosk.told_until("reels.settled") if "passing" not in event]
    assert told == [
        ".page", "drinks.opened", "drinks.selected(white)", "drinks.closed", "drinks.opened",
        "drinks.closed", "reels.started", "reels.settled"]


def test_a_blank_panel_is_black_and_its_first_touch_only_wakes_it(kiosk):
    before = kiosk.run("screenshot", text=False).stdout
    kiosk.run("blank")
    assert kiosk.json("status")["blank"] is True
    assert kiosk.json("status")["display"]["state"] == "asleep"
    _, rows = pixels(kiosk.run("screenshot", text=False).stdout)
    assert {pixel for row in rows for pixel in row} == {(0, 0, 0)}
    said = kiosk.run("tap", "wheel/a", code=1).stderr
    assert "the panel slept; the touch only woke it" in said
    assert kiosk.json("status")["blank"] is False
    assert kiosk.get("wheel.item") == ""
    assert kiosk.run("screenshot", text=False).stdout == before
    kiosk.run("tap", "wheel/a")
    kiosk.run("blank")
    kiosk.run("unblank")
    assert kiosk.json("status")["blank"] is False
    assert kiosk.told_until("wheel.selected(a)") == [
        ".slept", ".woken", "wheel.pressed(a)", "wheel.selected(a)"]


def test_a_rotation_survives_a_reload_until_the_file_changes_its_own(kiosk):
    text = kiosk.file.read_text()
    kiosk.run("rotate", "180")
    assert kiosk.json("status")["display"]["rotate"] == 180
    for edit in (text, text.replace("label: A", "label: Other")):
        kiosk.file.write_text(edit)
        kiosk.run("reload")
        assert kiosk.json("status")["display"]["rotate"] == 180
    kiosk.file.write_text(text.replace("size: [800, 480],", "size: [800, 480], rotate: 90,"))
    kiosk.run("reload")
    assert kiosk.json("status")["display"]["rotate"] == 90


def test_a_rotated_picture_is_the_same_but_turned(kiosk):
    kiosk.run("tap", "wheel/b")
    kiosk.run("wait", "--still")
    size, upright = pixels(kiosk.run("screenshot", text=False).stdout)
    kiosk.run("rotate", "180")
    kiosk.run("wait", "--still")
    turned = pixels(kiosk.run("screenshot", text=False).stdout)
    assert turned == (size, [row[::-1] for row in upright[::-1]])
    # Positions are in design pixels, however the panel is mounted.
    assert kiosk.json("tap", "wheel/d")["control"] == "wheel"


def test_a_broken_file_is_not_loaded_and_the_kiosk_stays(kiosk):
    kiosk.run("set", "dial.value=5")
    text = kiosk.file.read_text()
    kiosk.file.write_text(text.replace("radius: 180", "radius: -1"))
    assert "the running kiosk stays" in kiosk.run("reload", code=1).stderr
    assert kiosk.json("status")["kiosk"] == "remote"
    failed = json.loads(kiosk.events.until('"failed"')[-1])
    assert "kiosk.yaml:9:" in failed["message"] and "the running kiosk stays" in failed["message"]
    assert kiosk.json("status")["reload_error"] == failed["message"]
    kiosk.file.write_text(text.replace("kiosk: remote", "kiosk: other"))
    kiosk.run("reload")
    status = kiosk.json("status")
    assert status["kiosk"] == "other" and "reload_error" not in status
    kiosk.run("wait", "dial.value=5")


def test_a_reload_reports_whether_a_command_caused_it(kiosk):
    kiosk.run("reload")
    assert json.loads(kiosk.events.until('"reloaded"')[-1])["by"] == "command"
    kiosk.file.write_text(kiosk.file.read_text())
    assert json.loads(kiosk.events.until('"reloaded"')[-1])["by"] == "time"


def test_after_a_stop_the_kiosk_has_exited(kiosk):
    kiosk.run("stop")
    # The answer comes before the exit.
    assert kiosk.process.wait(timeout=30) == 0
    assert not kiosk.socket.exists()
    assert "no kiosk is running at" in kiosk.run("status", code=69).stderr


def test_latency_is_reported_for_each_stage(kiosk):
    stages = kiosk.json("latency")
    assert "total" in stages
    said = kiosk.run("latency").stdout
    assert all(stage.replace("_", " ") in said for stage in stages)


# Pictures.


def test_a_screenshot_equals_the_rendered_page(kiosk, tmp_path):
    run("render", KIOSK, "-o", tmp_path / "rendered.png")
    kiosk.run("screenshot", "-o", tmp_path / "seen.png")
    seen = pixels((tmp_path / "seen.png").read_bytes())
    assert seen == pixels((tmp_path / "rendered.png").read_bytes())


def test_a_screenshot_has_the_requested_region_and_scale(kiosk):
    _, whole = pixels(kiosk.run("screenshot", text=False).stdout)
    size, rows = pixels(
        kiosk.run("screenshot", "--region", "400,100,200,150", text=False).stdout)
    assert size == (200, 150)
    assert rows == [row[400:600] for row in whole[100:250]]
    size, rows = pixels(
        kiosk.run("screenshot", "--region", "0,0,64,40", "--scale", "2", text=False).stdout)
    assert size == (128, 80)
    assert rows == [[whole[y // 2][x // 2] for x in range(128)] for y in range(80)]
    assert pixels(kiosk.run("screenshot", "--scale", "0.25", text=False).stdout)[0] == (200, 120)


def test_an_unwritable_picture_is_an_error(kiosk):
    assert "/no/such" in kiosk.run("screenshot", "-o", "/no/such/folder/x.png", code=1).stderr


# Kiosks with problems.


def test_a_missing_kiosk_is_distinguished_from_a_dead_socket(tmp_path):
    nothing = run("status", "--socket", tmp_path / "none.sock", code=69).stderr
    assert f"no kiosk is running at {tmp_path}/none.sock" in nothing
    kiosk = LiveKiosk(tmp_path)
    kiosk.close()
    assert kiosk.socket.exists()
    assert "no kiosk is running" in kiosk.run("status", code=69).stderr
    kiosk.start()  # takes the dead one's place
    assert kiosk.json("status")["page"] == "first"
    kiosk.close()


def test_two_kiosks_cannot_share_a_socket(kiosk):
    second = run("run", "--display", "headless", "--socket", kiosk.socket, KIOSK, code=69)
    assert "another kiosk uses" in second.stderr
    assert kiosk.json("status")["page"] == "first"


def test_a_busy_kiosk_is_reported(kiosk):
    crowd = [kiosk.connect() for _ in range(64)]
    # Idle clients would be disconnected.
    for client in crowd:
        client.ask("events")
    assert "too many clients (at most 64)" in kiosk.run("status", code=69).stderr
    crowd.pop().close()
    assert kiosk.json("status")["clients"] <= 64
    for client in crowd:
        client.close()


def test_a_restart_during_a_command_is_reported(kiosk):
    with kiosk.begin("wait", "dial.value=7") as waiting:
        wait_for_client(kiosk)
        kiosk.process.kill()
        said = waiting.stderr.read()
    assert waiting.returncode == 69
    assert "the kiosk disconnected before it answered; it may be restarting" in said


class FakeKiosk:
    """A server other than a kiosk, which answers each line with `answer`."""

    def __init__(self, path, answer):
        self.path = path
        self._answer = answer
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            client, _ = self._listener.accept()
            with client, client.makefile("rwb") as stream:
                for line in stream:
                    stream.write(self._answer(line).encode())
                    stream.flush()


@pytest.mark.parametrize("words, code, said", [
    (["latency"], 64, "the kiosk runs roundel 0.0.9, this is "),
    (["get", "dial.value"], 64, "the kiosk runs roundel 0.0.9, this is "),
])
def test_a_kiosk_of_another_version_is_reported(tmp_path, words, code, said):
    def answer(line):
        request = json.loads(line)
        outcome = {"error": {"code": -32601, "message": "there is no such method"}}
        if request["method"] == "version":
            outcome = {"result": {"version": "0.0.9"}}
        return json.dumps({"jsonrpc": "2.0", "id": request["id"], **outcome}) + "\n"

    fake = FakeKiosk(tmp_path / "s", answer)
    shown = run(*words, "--socket", fake.path, code=code).stderr
    assert "there is no such method" in shown and said in shown


def test_a_server_that_is_not_a_kiosk_is_reported(tmp_path):
    fake = FakeKiosk(tmp_path / "s", lambda line: "HTTP/1.1 400 Bad Request\r\n")
    said = run("status", "--socket", fake.path, code=69).stderr
    assert 'the other side is not a kiosk: it sent "HTTP/1.1 400 Bad Request"' in said


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="needs root")
@pytest.mark.parametrize("mode", [0o660, 0o666])
def test_other_users_are_rejected_whatever_the_mode_of_the_socket(kiosk, mode):
    for folder in [kiosk.folder, *kiosk.folder.parents][:-1]:
        if folder.stat().st_uid == 0 and str(folder).startswith("/tmp/pytest"):
            folder.chmod(0o755)
    assert kiosk.socket.stat().st_mode & 0o777 == 0o660
    kiosk.socket.chmod(mode)
    program = shutil.copy(ROUNDEL, kiosk.folder / "roundel")
    done = subprocess.run(
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", program, "status",
         "--socket", kiosk.socket], capture_output=True, text=True, timeout=30)
    assert done.returncode == 77, done.stderr
    assert "group roundel" in done.stderr


# Over ssh: messages after failures. Tests/Panel uses a real one.


@pytest.mark.parametrize("way", ["ssh", "server"])
def test_ctrl_c_ends_a_recording_over_ssh_cleanly(kiosk, way, request, tmp_path):
    file = tmp_path / "taps.jsonl"
    environment = request.getfixturevalue(way).environment
    # A second connection to a server shares the first.
    kiosk.run("status", "--host", "lobby", env=environment)
    with kiosk.begin("record", "-o", file, "--host", "lobby", env=environment, start_new_session=True) as recorder:
        wait_for_client(kiosk)
        kiosk.run("tap", "wheel/a")
        # A terminal interrupts all programs of its foreground group.
        os.killpg(recorder.pid, signal.SIGINT)
        assert recorder.stderr.read() == ""
    assert recorder.returncode == 0
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert "up" in lines[-2] and lines[-1]["end"] is True


def test_ctrl_c_ends_a_command_over_ssh_that_has_nothing_to_finish(kiosk, ssh):
    with kiosk.begin("events", "--host", "lobby", env=ssh.environment, start_new_session=True) as events:
        wait_for_client(kiosk)
        os.killpg(events.pid, signal.SIGINT)
    assert events.returncode == -signal.SIGINT


def test_the_same_commands_work_over_ssh(kiosk, ssh):
    assert kiosk.json("status", "--host", "lobby", env=ssh.environment)["page"] == "first"
    kiosk.run("tap", "wheel/a", "--host", "lobby", env=ssh.environment)
    assert kiosk.told_until("wheel.selected(a)")
    assert "nothing handled" in kiosk.run(
        "tap", "said", "--host", "lobby", code=1, env=ssh.environment).stderr
    kiosk.run("stop", "--host", "lobby", env=ssh.environment)
    assert "no kiosk is running" in kiosk.run(
        "status", "--host", "lobby", code=69, env=ssh.environment).stderr


@pytest.mark.parametrize("script, code, said", [
    ("echo 'ssh: Could not resolve hostname' >&2; exit 255", 69, "ssh could not reach lobby"),
    ("exit 127", 69, "roundel is not installed on lobby"),
    ("exit 64", 69, "too old for --host"),
    ("echo 'Welcome to lobby'", 69, "its login shell must not"),
    ("exit 3", 69, "the kiosk on lobby disconnected"),
])
def test_failures_of_the_connection_are_reported(ssh, script, code, said):
    ssh(script)
    shown = run("status", "--host", "lobby", code=code, env=ssh.environment).stderr
    assert said in shown


def test_an_ssh_that_hangs_is_reported_as_such(kiosk, ssh):
    ssh("exec sleep 60")
    start = time.monotonic()
    shown = run("status", "--host", "lobby", code=69, env=ssh.environment).stderr
    assert "no answer from lobby through ssh" in shown and "ssh lobby true" in shown
    assert 14 < time.monotonic() - start < 20


def test_ssh_has_options_to_detect_a_dead_connection(ssh, tmp_path):
    ssh(f'echo "$*" > {tmp_path}/words; exit 255')
    run("status", "--host", "lobby", code=69, env=ssh.environment)
    words = (tmp_path / "words").read_text()
    assert "ServerAliveInterval=5" in words and "ConnectTimeout=10" in words


def test_a_kiosk_that_hangs_over_ssh_is_reported(kiosk, ssh):
    kiosk.process.send_signal(signal.SIGSTOP)
    try:
        shown = run("status", "--host", "lobby", "--socket", kiosk.socket, code=69,
                    env=ssh.environment).stderr
        assert "no answer from the kiosk" in shown
    finally:
        kiosk.process.send_signal(signal.SIGCONT)


def test_without_ssh_the_message_names_the_package(tmp_path):
    done = run("status", "--host", "lobby", code=69, env={"PATH": str(tmp_path)})
    assert "openssh-client" in done.stderr
