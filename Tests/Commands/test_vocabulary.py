# SPDX-License-Identifier: MIT
"""One vocabulary: values, expressions and commands of a client."""

import json
import pathlib
import signal
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import ROUNDEL, LiveKiosk, run  # noqa: E402

FILE = pathlib.Path(__file__).resolve().parent / "vocabulary.yaml"


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    kiosk = LiveKiosk(tmp_path_factory.mktemp("vocabulary"), file=FILE)
    yield kiosk
    kiosk.close()


@pytest.fixture
def kiosk(running):
    """The kiosk in its initial state, without unread output."""
    running.run("restart")
    running.told_until(".restarted")
    return running


# Setting.


FOLLOWING = """\
kiosk: following
screen: {size: [400, 400], font: DejaVu Sans}
values: {cups: 1, guest: "", rows: []}
pages:
  - page: only
    controls:
      - {ring: more, at: [200, 200], radius: 150, max: 8, value: "{cups}"}
      - {list: days, at: [200, 200], size: [100, 100], row_height: 50, items: "{rows}"}
"""


@pytest.fixture
def following(tmp_path):
    file = tmp_path / "following.yaml"
    file.write_text(FOLLOWING)
    kiosk = LiveKiosk(tmp_path, file=file)
    yield kiosk
    kiosk.close()


def test_setting_a_value_settles_with_the_controls_that_follow_it(following):
    following.run("set", "--settle", "cups=7")
    assert following.get("more.value") == 7
    said = following.run("set", "--settle", "--timeout", "0.05", "cups=0", code=1).stderr
    assert "cups still moves after 0.05 seconds" in said
    following.run("set", "--settle", "guest=Ada")  # whatever else moves


def test_setting_a_list_that_a_control_rejects_fails(following):
    said = following.run("set", 'rows=[{"id": "mo", "labell": "Monday"}]', code=1).stderr
    assert said.startswith("roundel: rows is set, but days.items: ") and 'unknown key "labell"' in said
    assert "labell" in following.run("get", "rows").stdout
    following.run("set", 'rows=[{"id": "mo", "label": "Monday"}]')


# Waiting.


@pytest.mark.parametrize("expression", [
    "cups > 0 && page == 'first'", "d.label == '10'", "guest == ''", "texts.welcome == 'Welcome'",
    "open", "language.contains('=') || true",
    # The older form is read as the kind of the awaited property.
    "cups=1", "d.value=0", "d.label=10", "guest=", "l.text=Ready",
])
def test_a_true_condition_does_not_wait(kiosk, expression):
    assert kiosk.run("wait", expression, "--timeout", 0).stdout == ""


def test_a_wait_ends_when_its_expression_becomes_true(kiosk):
    with kiosk.begin("wait", "cups * 2 > 5 && d.label == '30'", "--timeout", 20) as waiting:
        kiosk.run("set", "cups=3")
        assert waiting.poll() is None
        kiosk.run("set", "d.label=30")
        assert waiting.wait(20) == 0


def test_a_condition_that_stays_false_reports_the_actual_values(kiosk):
    said = kiosk.run("wait", "cups > 2 && guest != ''", "--timeout", 0.1, code=1).stderr
    assert "cups > 2 && guest != '' is not true (cups is 1, guest is \"\"), after 0.1 seconds" \
        in said
    assert "l.text is Ready, not a==b" in kiosk.run(
        "wait", "l.text=a==b", "--timeout", 0.1, code=1).stderr
    # An undefined condition is false.
    assert "1 / (cups - 1) > 0 is not true (division by zero, cups is 1), after" in kiosk.run(
        "wait", "1 / (cups - 1) > 0", "--timeout", 0.1, code=1).stderr


@pytest.mark.parametrize("expression, said", [
    ("cpus > 2", 'there is no value "cpus" (expected control.property, cups, guest or open; '
     'did you mean "cups"?)'),
    ("d.speed > 2", '"d" has no property "speed"'),
    ("x.value > 2", 'there is no control "x"'),
    ("cups", '"cups" is a number (expected true or false)'),
    ("cups > '2'", '"cups > \'2\'": '),
    ("cups >", "at character 7"),
    ("cpus=2", 'there is no value "cpus"'),
])
def test_an_invalid_expression_is_a_usage_error(kiosk, expression, said):
    assert said in kiosk.run("wait", expression, code=64).stderr


# Watching.


def test_a_watched_expression_is_printed_immediately_and_on_each_change(kiosk):
    with kiosk.begin("watch", "cups", "6 / (cups - 1)", "d.label + '!'") as watch:
        first = [json.loads(watch.stdout.readline()) for _ in range(3)]
        assert [(line["watch"], line["value"]) for line in first] == [
            ("cups", 1), ("6 / (cups - 1)", None), ("d.label + '!'", "10!")]
        kiosk.run("set", "cups=4")
        assert [json.loads(watch.stdout.readline())["value"] for _ in range(2)] == [4, 2]
        kiosk.run("set", "d.value=1")
        line = watch.stdout.readline()
        assert line.startswith('{"t":') and line.endswith(',"watch":"d.label + \'!\'","value":"20!"}\n')
        watch.send_signal(signal.SIGTERM)


def test_an_invalid_expression_is_not_watched(kiosk):
    said = kiosk.run("watch", "cups", "d.speed", code=64).stderr
    assert '"d.speed": "d" has no property "speed"' in said


# Values.


@pytest.mark.parametrize("assignment, value", [
    ("l.text=5.10", "5.10"), ("l.text=007", "007"), ("l.text=0x1F", "0x1F"), ("l.text=true", "true"),
    ("guest=42", "42"), ("guest=", ""), ("cups=3", 3), ("cups=2.5", 2.5), ("cups=99", 8),
    ("open=false", False), ("d.label=20", "20"), ("d.value=3", 3), ("language=de", "de"),
    ("w.enabled=false", False), ("w.b.label=7", "7"),
    # Properties of several kinds accept the same values as files.
    ("d.labels=5", 5), ('d.labels=["a","b","c"]', ["a", "b", "c"]), ("w.gap=3", 3),
    ("w.gap=6px", "6px"), ("w.labels=curved", "curved"), ("w.blink.count=3", 3),
    ('w.blink={"count":1,"on":0.5}', {"count": 1, "on": 0.5}), ("r.ticks=20", 20),
    ('r.ticks={"every":10,"label_every":50}', {"every": 10, "label_every": 50}),
])
def test_a_value_is_read_as_the_kind_of_its_property(kiosk, assignment, value):
    kiosk.run("set", assignment)
    kiosk.run("wait", "--still")
    assert kiosk.get(assignment.split("=")[0]) == value


@pytest.mark.parametrize("assignment, said", [
    ("cups=many", "cups"), ("cups=0x3", "cups"), ("open=1", "open"), ("d.label=21.5", "d.label"),
    ("language=fr", "en or de"), ("page=second", "page"), ("cup=3", "cups, guest or open"),
])
def test_an_unsuitable_value_is_rejected(kiosk, assignment, said):
    assert said in kiosk.run("set", assignment, code=64).stderr


# Commands.


def test_reset_emit_shake_and_wake_work(kiosk):
    kiosk.run("set", "cups=3", "d.value=2")
    kiosk.run("wait", "--still")
    kiosk.run("reset", "d")
    assert (kiosk.get("d.value"), kiosk.get("cups")) == (0, 3)
    kiosk.run("go", "second")
    kiosk.run("reset")
    assert (kiosk.get("page"), kiosk.get("cups")) == ("first", 1)
    kiosk.events.until('"event":"page","page":"first"')
    kiosk.run("emit", "sold", "dish=soup", "price=4.50", "paid=true", "code=007")
    event = json.loads(kiosk.events.next())
    del event["t"]
    assert event == {"event": "emit", "name": "sold", "dish": "soup", "price": 4.5, "paid": True,
                     "code": "007", "by": "command"}
    kiosk.run("go", "second")
    kiosk.run("shake")
    assert kiosk.told_until("reels.settled") == [".page", "reels.started", "reels.settled"]
    for word in ["wake", "unblank"]:
        kiosk.run("blank")
        kiosk.run(word)
        assert kiosk.told_until(".woken") == [".slept", ".woken"]
    assert 'there is no control "x"' in kiosk.run("reset", "x", code=64).stderr
    assert "by" in kiosk.run("emit", "sold", "by=me", code=64).stderr


def test_keys_operate_the_kiosk(kiosk):
    kiosk.run("key", "right")
    assert kiosk.json("status")["focus"] == "d"
    kiosk.run("key", "enter", "right", "right", "back", "next")
    assert kiosk.told_until("d.settled") == ["d.pressed", "d.passing", "d.passing", "d.settled"]
    assert (kiosk.get("d.label"), kiosk.json("status")["focus"]) == ("30", "w")
    assert 'expected one of left, right' in kiosk.run("key", "rihgt", code=64).stderr
    kiosk.run("tap", "w/a")
    assert "focus" not in kiosk.json("status")


def test_showing_a_page_on_a_sleeping_panel_reports_that_it_is_not_visible(kiosk):
    kiosk.run("blank")
    done = kiosk.run("go", "second")
    assert "the panel sleeps, and shows second after it wakes" in done.stderr
    assert "roundel wake" in done.stderr
    assert kiosk.json("status")["blank"] is True
    assert kiosk.run("go", "first", "--wake").stderr == ""
    assert kiosk.json("status")["blank"] is False
    assert kiosk.run("go", "second").stderr == ""


def test_the_tree_lists_values_and_all_properties(kiosk):
    tree = kiosk.json("tree", "--properties")
    assert tree["language"] == "en"
    assert tree["values"] == {"cups": 1, "guest": "", "open": True}
    controls = {control["id"]: control for page in tree["pages"] for control in page["controls"]}
    assert controls["d"]["properties"]["label"] == "10"
    assert controls["w"]["properties"]["b.label"] == "B"
    for id, control in controls.items():
        for name, value in control["properties"].items():
            assert kiosk.get(f"{id}.{name}") == value, f"{id}.{name}"
    said = kiosk.run("tree", "--properties").stdout
    assert "cups=1" in said and '    w.b.label="B"' in said
    # Without the option it only contains state that changes on its own.
    assert "b.label" not in kiosk.run("tree").stdout


def test_reload_and_restart_are_reported_after_the_end_of_held_touches(kiosk):
    with kiosk.begin("tap", "w/a", "--duration", 5):
        assert kiosk.told_until("w.pressed(a)")
        kiosk.file.write_text(FILE.read_text().replace("id: a", "id: z"))
        assert kiosk.told_until(".reloaded") == ["w.cancelled(a)", ".reloaded"]
        kiosk.file.write_text(FILE.read_text())
        assert kiosk.told_until(".reloaded") == [".reloaded"]
        kiosk.run("restart")
        assert kiosk.told_until(".restarted") == [".restarted"]


def test_a_recording_replays_with_its_commands(kiosk, tmp_path):
    file = tmp_path / "commands.jsonl"
    with kiosk.begin("record", "-o", file) as recorder:
        while "t" not in (kiosk.json("status")) or kiosk.json("status")["clients"] < 2:
            pass
        while not file.exists():
            pass
        kiosk.run("wait", "uptime > 0")
        kiosk.run("set", "cups=3")
        kiosk.run("go", "second")
        kiosk.run("emit", "sold", "price=4.5")
        recorder.send_signal(signal.SIGINT)
    said = [json.loads(line) for line in file.read_text().splitlines()]
    assert "clock" in said[0]
    assert [{name: step[name] for name in step if name != "t"} for step in said[1:]] == [
        {"set": {"cups": 3}}, {"go": "second"}, {"emit": {"name": "sold", "price": 4.5}},
        {"end": True}]
    told = [json.loads(line)["event"] for line in run("replay", FILE, file).stdout.splitlines()]
    assert told == ["page", "emit"]


# Suites.

SUITE = f"""\
suite: vocabulary
kiosk: {FILE}
tests:
  - test: commands and conditions
    steps:
      - set: {{cups: 3, l.text: 5.10, d.label: 30}}
      - wait: {{that: "cups == 3 && d.label == '30'", within: 5}}
      - expect: {{that: "l.text == '5.10'"}}
      - expect: {{exactly: [settled], control: d}}
      - emit: {{name: sold, price: 4.5}}
      - expect: {{event: emit, name: sold, price: {{min: 4}}, by: command}}
      - reset: d
      - expect: {{d.value: 0, cups: 3}}
      - go: second
      - shake: true
      - expect: {{events: [started, settled], control: reels}}
      - blank: true
      - wake: true
      - expect: {{events: [slept, woken]}}
      - reset: all
      - expect: {{that: page == 'first' && cups == 1}}
"""


def test_a_suite_of_commands_passes_headless_and_on_a_running_kiosk(kiosk, tmp_path):
    path = tmp_path / "suite.yaml"
    path.write_text(SUITE)
    assert "ok 1" in run("test", path).stdout
    assert "ok 1" in kiosk.run("test", path).stdout


def test_a_live_test_reports_the_inputs_of_an_expression_and_that_it_sets_no_clock(kiosk, tmp_path):
    path = tmp_path / "suite.yaml"
    head = f"suite: s\nkiosk: {FILE}\ntests:\n"
    path.write_text(head + "  - {test: t, steps: [{expect: {that: cups > 2, within: 0.1}}]}\n")
    assert "cups > 2 is not true, within 0.1 seconds; cups is 1" in kiosk.run(
        "test", path, code=1).stdout
    path.write_text(head + "  - {test: t, steps: [{clock: 2026-11-21T08:00:00}]}\n")
    assert "ok 1" in run("test", path).stdout
    assert "cannot set the wall clock of a running kiosk" in kiosk.run(
        "test", path, code=1).stdout
    path.write_text(head + "  - {test: t, only: headless, steps: [{clock: 2026-11-21T08:00:00}]}\n")
    assert "SKIP" in kiosk.run("test", path).stdout.upper()


# Completion.


def completions(command, *words, of="positional@0"):
    """Returns the shell's suggestions for an argument of a command."""
    # The script requests them.
    assert f"---completion {command} -- {of}" in run("--generate-completion-script", "bash").stdout
    done = subprocess.run(
        [ROUNDEL, "---completion", command, "--", of, "2", "0", "roundel", command, *words, ""],
        capture_output=True, text=True, timeout=20)
    assert done.stderr == ""
    return set(done.stdout.split("\n")) - {""}


@pytest.mark.parametrize("command", ["get", "set", "wait", "watch"])
def test_the_shell_completes_names_of_the_running_kiosk(kiosk, command):
    assert {"cups", "language", "d.value", "w.b.label", "reels.spinning"} <= completions(
        command, "--socket", str(kiosk.socket))


@pytest.mark.parametrize("command, of, names", [
    ("tap", "positional@0", {"d", "d/20", "w", "w/b", "m", "reels", "r"}),
    ("drag", "positional@0", {"d", "d/20", "w", "w/b"}), ("drag", "--to", {"d/20", "w/b"}),
    ("go", "positional@0", {"first", "second", "back", "home"}), ("wait", "--page", {"first", "second"}),
    ("spin", "positional@0", {"reels"}), ("open", "positional@0", {"m"}),
    ("close", "positional@0", {"m"}), ("reset", "positional@0", {"d", "l", "w", "r", "m", "reels"}),
])
def test_the_shell_completes_suitable_names_for_each_command(kiosk, command, of, names):
    found = completions(command, f"--socket={kiosk.socket}", of=of)
    if of == "positional@0" and command in ("tap", "drag"):
        # Untouchable controls aren't offered.
        assert names <= found and "beat" not in found and "cups" not in found
    elif of == "--to":
        assert names <= found
    else:
        assert found == names | ({"beat"} if command == "reset" else set())


@pytest.mark.parametrize("command", ["get", "tap", "go", "spin", "reset"])
def test_nothing_completes_without_a_local_kiosk(kiosk, command, tmp_path):
    assert completions(command, "--socket", str(tmp_path / "none")) == set()
    assert completions(command, "--socket", str(kiosk.socket), "--host", "lobby") == set()


def test_the_shell_completes_words_common_to_all_kiosks():
    script = run("--generate-completion-script", "bash").stdout
    for key in ("left", "enter", "back"):
        assert key in script
    assert {"dial", "menu", "actions", "socket", "suites"} <= completions("reference")
    assert {"tap", "get", "status", "help"} <= completions("call")
