# SPDX-License-Identifier: MIT
"""The command line as a user sees it: arguments, output, messages and exit codes."""

import json
import os
import pathlib
import re
import signal
import socket
import struct
import subprocess
import time
import zlib

import pytest

TOP = pathlib.Path(__file__).resolve().parents[2]
ROUNDEL = os.environ.get("ROUNDEL_BINARY", str(TOP / ".build/release/roundel"))
SHOWS = str(TOP / "deploy/examples/kiosks/shows.yaml")
SESSION = str(TOP / "deploy/examples/recordings/shows.jsonl")

KIOSK = """
kiosk: test
screen: {size: [400, 300], font: DejaVu Sans}
pages:
  - page: first
    controls:
      - pinwheel: wheel
        at: [200, 150]
        radius: 140
        wedges: [{id: a, label: A, color: "#ff0000"}, {id: b, label: B, color: "#00ff00"}]
        on: {selected: [{emit: chosen}, {run: ["/bin/false"]}]}
  - page: second
    controls:
      - label: text
        at: [200, 150]
        text: "{wheel.label}"
"""


def roundel(*arguments, stdin=None, timeout=60):
    # A separate session has no terminal, wherever the tests are started.
    return subprocess.run(
        [ROUNDEL, *map(str, arguments)], input=stdin, capture_output=True, text=True,
        timeout=timeout, check=False, start_new_session=True)


@pytest.fixture
def kiosk(tmp_path):
    path = tmp_path / "kiosk.yaml"
    path.write_text(KIOSK)
    return path


def png_size(path):
    data = pathlib.Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", data[16:24])


def test_checking_a_good_kiosk_prints_nothing(kiosk):
    kiosk.write_text(KIOSK.replace("#00ff00", "#008000") + "on: {woken: [{go: second}]}\n")
    result = roundel("check", kiosk, SHOWS)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize("word, said", [
    ("chek", 'unknown command "chek" (did you mean "check"?)'),
    ("screenshoot", '(did you mean "screenshot"?)'),
    ("frobnicate", 'unknown command "frobnicate" (see roundel --help)'),
])
def test_an_unknown_command_is_reported(kiosk, word, said):
    result = roundel(word, kiosk, "and", "more")
    assert (result.returncode, result.stdout) == (64, "")
    assert said in result.stderr


def test_a_bad_appearance_is_reported_without_failure(kiosk):
    kiosk.write_text(KIOSK.replace("#00ff00", "#008000"))
    result = roundel("check", kiosk)
    assert (result.returncode, result.stdout) == (0, "")
    assert result.stderr == (
        f'{kiosk}:12:11: warning: nothing leads to the page "second" '
        '(expected an action on another page, such as {go: second})\n')


def test_a_kiosk_is_checked_with_the_given_values(kiosk):
    kiosk.write_text("""
kiosk: test
screen: {size: [400, 300], font: DejaVu Sans}
values: {name: Jo, night: false}
pages:
  - page: first
    controls:
      - {button: b, at: [200, 150], size: [120, 80], text: "{night ? 'Good night' : 'Hi'} {name}"}
""")
    assert roundel("check", kiosk).stderr == ""
    result = roundel("check", kiosk, "--set", "name=Bartholomew of Nottingham", "--set", "night=true")
    assert (result.returncode, result.stdout) == (0, "")
    assert "is cut to" in result.stderr and len(result.stderr.splitlines()) == 1
    result = roundel("check", kiosk, "--set", "nmae=Jo")
    assert result.returncode == 64 and 'there is no property "nmae"' in result.stderr


def test_a_missing_program_is_reported(kiosk):
    kiosk.write_text(KIOSK.replace("/bin/false", "kiosk.yaml").replace(
        "{emit: chosen}", "{run: [beep]}, {run: [sh]}, {run: [/no/such]}"))
    result = roundel("check", kiosk)
    assert result.returncode == 1
    expected = "(expected a program next to the kiosk file, or in PATH)"
    assert result.stderr.splitlines()[:3] == [
        f'{kiosk}:11:32: error: program "beep": no such program {expected}',
        f'{kiosk}:11:60: error: program "/no/such": no such program {expected}',
        f'{kiosk}:11:79: error: program "kiosk.yaml": {kiosk} is not executable {expected}']


LEAVING = """\
kiosk: leaving
screen: {size: [100, 100]}
values: {done: 0}
pages:
  - page: first
    controls:
      - {ring: progress, at: [50, 50], radius: 40, from: 0, to: 100, value: "{done}"}
      - {timer: pump, every: 0.1, on: {due: [{set: {done: "{done + 5}"}}, {go: second, when: done >= 100}]}}
  - page: second
    controls: [{button: end, at: [50, 50], size: [90, 90], color: "#208040", on: {selected: [{go: third}]}}]
  - page: third
    on: {shown: [{go: second}]}
    controls: [{button: never, at: [50, 50], size: [90, 90]}]
"""


def test_the_requested_page_is_painted(tmp_path):
    """Even if the kiosk then moves to another page."""
    file = tmp_path / "leaving.yaml"
    file.write_text(LEAVING)
    pictures = []
    for text in (LEAVING, LEAVING.replace("{go: second, when: done >= 100}", "{emit: full, when: done >= 200}")):
        file.write_text(text.replace("every: 0.1", "every: 1000") if "emit" in text else text)
        assert roundel("render", file, "--page", "first", "-o", tmp_path / "first.png").returncode == 0
        pictures.append((tmp_path / "first.png").read_bytes())
    assert pictures[0] == pictures[1]
    file.write_text(LEAVING)
    refused = roundel("render", file, "--page", "third", "-o", tmp_path / "third.png")
    assert refused.returncode == 1
    assert 'cannot paint the page "third": it continues to "second" at once' in refused.stderr
    assert not (tmp_path / "third.png").exists()


def test_all_errors_are_reported_with_their_locations(kiosk):
    kiosk.write_text(KIOSK.replace("radius", "radios").replace('"#ff0000"', "reddish"))
    result = roundel("check", kiosk)
    assert result.returncode == 1
    assert f'{kiosk}:9:9: error: unknown key "radios"' in result.stderr
    assert 'did you mean "radius"' in result.stderr
    assert f"{kiosk}:10:" in result.stderr
    diagnostics = json.loads(roundel("check", "--json", kiosk).stdout)
    assert {diagnostic["line"] for diagnostic in diagnostics} >= {9, 10}


@pytest.mark.parametrize("arguments, code", [
    (["frobnicate"], 64),
    (["check"], 64),
    (["render", SHOWS], 64),
    (["render", SHOWS, "-o", "x.png", "--size", "0x10"], 64),
    (["render", SHOWS, "-o", "x.png", "--size", "100000x100000"], 64),
    (["render", SHOWS, "-o", "x.png", "--rotate", "45"], 64),
    (["render", SHOWS, "-o", "x.png", "--page", "nowhere"], 64),
    (["render", SHOWS, "-o", "x.png", "--set", "shows.index=99"], 64),
    (["render", "no-such-file.yaml", "-o", "x.png"], 65),
    (["render", "/dev/urandom", "-o", "x.png"], 65),
    (["render", "/", "-o", "x.png"], 65),
    (["replay", SHOWS, "no-such-file.jsonl"], 65),
    (["replay", SHOWS, SESSION, "--fps", "0"], 64),
    (["render", SHOWS, "-o", "/no/such/folder/x.png"], 1),
    (["--help"], 0),
    (["run", "--help"], 0),
])
def test_each_kind_of_failure_has_its_exit_code_and_a_message(arguments, code, tmp_path):
    result = subprocess.run(
        [ROUNDEL, *arguments], capture_output=True, text=True, cwd=tmp_path, timeout=60,
        check=False)
    assert result.returncode == code
    assert (result.stderr != "") == (code != 0)
    assert not (tmp_path / "x.png").exists()


def test_doctor_exits_with_1_if_there_is_a_problem():
    done = roundel("doctor")
    assert done.returncode == ("  ! " in done.stdout)
    assert ("found " in done.stderr) == ("  ! " in done.stdout)
    problems = [what for part in json.loads(roundel("doctor", "--json").stdout).values()
                for what in part["problems"]]
    assert done.stdout.count("  ! ") == len(problems)


UNITS = """\
Id=roundel@wall.service
ActiveState=active
StatusText=showing
Restart=always
WatchdogUSec=15s
FileDescriptorStoreMax=4
StartLimitIntervalUSec=0
StartLimitBurst=5
StartLimitAction=none

Id=roundel@hall.service
ActiveState=failed
StatusText=
Restart=on-failure
WatchdogUSec=0
FileDescriptorStoreMax=0
StartLimitIntervalUSec=0
StartLimitBurst=5
StartLimitAction=reboot

Id=roundel@door.service
ActiveState=active
Restart=always
WatchdogUSec=15s
FileDescriptorStoreMax=4
StartLimitIntervalUSec=10min
StartLimitBurst=20
StartLimitAction=none

Id=roundel-cage@shop.service
ActiveState=active
Restart=always
WatchdogUSec=15s
FileDescriptorStoreMax=0
StartLimitIntervalUSec=0
StartLimitBurst=5
StartLimitAction=none
"""


def test_doctor_reports_problems_of_kiosk_units(tmp_path):
    manager = tmp_path / "systemctl"
    (tmp_path / "units").write_text(UNITS)
    manager.write_text(f"#!/bin/sh\ncat {tmp_path}/units\n")
    manager.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}

    def found():
        told = subprocess.run([ROUNDEL, "doctor", "--json"], env=environment, capture_output=True,
                              text=True, timeout=60).stdout
        return json.loads(told)["units"]

    units = found()
    assert [unit["state"] for unit in units["units"]] == ["active", "failed", "active", "active"]
    said = units["problems"]
    # A kiosk on a compositor uses no DRM device.
    assert not any(name in problem for problem in said for name in ("wall", "shop"))
    for words in ("hall.service has failed: see journalctl -b -u roundel@hall.service", "FileDescriptorStoreMax=4",
                  "WatchdogSec=15", "Restart=always", "never reaches StartLimitAction=reboot",
                  "door.service stays stopped after 20 starts within 10min"):
        assert any(words in problem for problem in said), words
    # Unexpected output of a service manager.
    for text in ("", "\n\n\n", "=\n\nId\n", "Id=roundel@x.service\n", "\xff" * 100_000):
        (tmp_path / "units").write_text(text)
        found()
    manager.write_text("#!/bin/sh\necho no systemd >&2; exit 1\n")
    assert found()["problems"] == []


@pytest.mark.skipif(os.path.exists("/dev/dri"), reason="this machine has a DRM card")
def test_run_reports_a_missing_drm_device():
    result = roundel("run", SHOWS)
    assert result.returncode == 69
    assert "DRM" in result.stderr


@pytest.mark.parametrize("size, rotate, picture", [
    (None, None, (1280, 800)), (None, 90, (800, 1280)), ("320x240", 0, (320, 240)),
    ("480x800", 270, (480, 800)), ("1x1", 0, (1, 1)), ("3840x2160", 180, (3840, 2160)),
])
def test_a_picture_has_the_size_of_the_panel_in_pixels(size, rotate, picture, tmp_path):
    options = [] if size is None else ["--size", size]
    options += [] if rotate is None else ["--rotate", rotate]
    target = tmp_path / "picture.png"
    assert roundel("render", SHOWS, "-o", target, *options).returncode == 0
    assert png_size(target) == picture


def test_a_recording_gives_the_same_bytes_at_any_frame_rate(tmp_path):
    runs = []
    for fps in (1, 30, 144):
        folder = tmp_path / str(fps)
        result = roundel("replay", SHOWS, SESSION, "--shots", folder, "--fps", fps)
        assert result.returncode == 0, result.stderr
        shots = {file.name: file.read_bytes() for file in sorted(folder.iterdir())}
        assert len(shots) == 4
        runs.append((result.stdout, shots))
    assert runs[0] == runs[1] == runs[2]
    events = [json.loads(line) for line in runs[0][0].splitlines()]
    assert [event["event"] for event in events if "event" in event] == [
        "pressed", "selected", "confirmed", "pressed", "pressed", "selected", "selected",
        "confirmed", "confirmed"]


def test_a_recording_with_unknown_names_plays_and_fails(kiosk):
    lines = ['{"t":0,"get":"wheel.itme"}', '{"t":1,"set":{"cups":3}}', '{"t":2,"get":"wheel.item"}']
    result = roundel("replay", kiosk, "-", stdin="\n".join(lines))
    assert result.returncode == 1
    assert [json.loads(line).get("event", "answer") for line in result.stdout.splitlines()] == [
        "failed", "failed", "answer"]
    first, second = [line for line in result.stderr.splitlines() if line.startswith("roundel: ")]
    assert first.startswith('roundel: -: at 0.0 s: "wheel" has no property "itme" (expected ')
    assert second.startswith('roundel: -: at 1.0 s: there is no value "cups" (expected ')


@pytest.mark.parametrize("command", [["render", "-o", "x.png"], ["check"]])
def test_setting_an_invalid_list_is_an_error(tmp_path, command):
    file = tmp_path / "kiosk.yaml"
    file.write_text(KIOSK.replace("pages:\n", "values: {rows: [], n: 1}\npages:\n") + """\
      - {list: days, at: [200, 60], size: [300, 100], row_height: 50, items: "{rows}"}
      - {label: share, at: [200, 280], text: "{1 / n}"}
on: {woken: [{go: second}]}
""")
    def set(value):
        return subprocess.run([ROUNDEL, *command, *(["--set", value] if value else []), file],
                              capture_output=True, text=True, cwd=tmp_path, check=False)
    done = set('rows=[{"id": "a", "labell": "A"}]')
    assert done.returncode == 64 and not (tmp_path / "x.png").exists()
    assert 'days.items: "items" takes another value: unknown key "labell"' in done.stderr
    # An undefined text shows a dash.
    for value in ('rows=[{"id": "a", "label": "A"}]', "rows=[]", "n=0", None):
        assert set(value).returncode == 0, value


def test_one_message_names_all_invalid_settings(kiosk):
    said = roundel("render", kiosk, "-o", "x.png", "--set", "wheel.index=9", "--set", "cups=1").stderr
    assert "wheel.index" in said and "cups" in said


@pytest.mark.parametrize("columns", [50, 80, 120])
def test_help_wraps_only_full_lines(columns):
    def shown(*words):
        return subprocess.run([ROUNDEL, *words, "--help"], capture_output=True, text=True, check=False,
                              env={**os.environ, "COLUMNS": str(columns)}).stdout

    commands = re.findall(r"^  ([a-z]+) {2,}\S", shown(), re.M)
    assert {"run", "mqtt", "relay"} - set(commands) == {"relay"}
    for command in [*commands, "relay"]:
        overview = shown(command).partition("USAGE:")[0].splitlines()
        for line, following in zip(overview, overview[1:]):
            if line.strip() and following.strip() and not (line + following).startswith(" ") and following[0] != " ":
                word = following.split()[0]
                assert len(line) + 1 + len(word) > columns - 2, f"{command}: {line!r} before {following!r}"


def test_a_recording_can_be_piped_and_must_be_complete():
    text = pathlib.Path(SESSION).read_text()
    assert roundel("replay", SHOWS, "-", stdin=text).stdout != ""
    cut = roundel("replay", SHOWS, "-", stdin=text[:-5])
    assert cut.returncode == 65
    assert f"-:{len(text.splitlines())}: error:" in cut.stderr


def test_replay_starts_no_programs_and_prints_emitted_events(kiosk):
    taps = '{"t":0,"down":{"finger":0,"x":200,"y":60}}\n{"t":0.1,"up":{"finger":0}}\n'
    result = roundel("replay", kiosk, "-", stdin=taps)
    assert [json.loads(line)["event"] for line in result.stdout.splitlines()] == [
        "pressed", "selected", "emit"]


def running(*arguments):
    return subprocess.Popen(
        [ROUNDEL, "run", "--display", "headless", *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_line(process, words, timeout=20):
    limit = time.monotonic() + timeout
    while time.monotonic() < limit:
        line = process.stderr.readline()
        if words in line:
            return line
    raise AssertionError(f"no line with {words!r}")


def test_a_running_kiosk_survives_a_broken_edit_and_loads_a_good_one(kiosk):
    process = running(kiosk)
    try:
        wait_for_line(process, "showing")
        kiosk.write_text("kiosk: [")
        wait_for_line(process, "the running kiosk stays")
        kiosk.write_text(KIOSK.replace("label: A", "label: Another"))
        wait_for_line(process, "was reloaded")
        assert process.poll() is None
    finally:
        process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=30) == 0


def write_blank_png(path, side):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(
            ">I", zlib.crc32(kind + data))

    row = bytes(1 + 3 * side)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(row * side, 1)) + chunk(b"IEND", b""))


def test_a_kiosk_keeps_running_while_large_images_are_reloaded(kiosk, tmp_path):
    write_blank_png(tmp_path / "large.png", 4000)
    kiosk.write_text(KIOSK + """
      - image: large
        at: [100, 100]
        size: [50, 50]
        file: large.png
""")
    address = str(tmp_path / "socket")
    process = running(kiosk, "--socket", address)
    try:
        wait_for_line(process, "showing")
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(address)
            client.sendall(b'{"jsonrpc":"2.0","id":"reload","method":"reload"}\n'
                           b'{"jsonrpc":"2.0","id":"status","method":"status"}\n')
            answers = [json.loads(line)["id"] for _, line in zip(range(2), client.makefile())]
        assert answers == ["status", "reload"]
    finally:
        process.terminate()
    assert process.wait(timeout=30) == 0


def test_an_idle_kiosk_does_not_wake_up():
    process = running(SHOWS)
    try:
        wait_for_line(process, "showing")
        time.sleep(0.5)

        def switches():
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            return [line for line in status.splitlines() if line.startswith("voluntary")]

        before = switches()
        time.sleep(3)
        assert switches() == before
    finally:
        process.terminate()
        process.wait(timeout=10)


def test_images_with_an_ignored_colour_profile_are_reported(tmp_path):
    def chunk(name, data):
        return (struct.pack(">I", len(data)) + name + data
                + struct.pack(">I", zlib.crc32(name + data)))

    def image(*chunks):
        return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
                + b"".join(chunk(*each) for each in chunks)
                + chunk(b"IDAT", zlib.compress(b"\0abc")) + chunk(b"IEND", b""))

    # A grey profile with a curve of gamma 1.8 (ICC.1, 7): a header and one tag.
    curve = b"curv" + struct.pack(">IIH", 0, 1, 461)
    profile = (b"\0" * 16 + b"GRAY" + b"\0" * 16 + b"acsp" + b"\0" * 88
               + struct.pack(">I4sII", 1, b"kTRC", 144, len(curve)) + curve)
    (tmp_path / "wide.png").write_bytes(
        image((b"iCCP", b"Old gray\0\0" + zlib.compress(profile, 9))))
    (tmp_path / "plain.png").write_bytes(image((b"sRGB", b"\0")))
    kiosk = tmp_path / "kiosk.yaml"
    kiosk.write_text("""kiosk: test
pages:
  - page: first
    background: {image: plain.png}
    controls:
      - image: one
        at: [200, 200]
        size: [300, 300]
        file: wide.png
      - image: two
        at: [600, 200]
        size: [300, 300]
        file: wide.png
""")
    checked = roundel("check", kiosk)
    assert checked.returncode == 0
    assert checked.stderr == (
        f'{kiosk}:9:15: warning: image "wide.png" has the colour profile "Old gray", which is '
        "ignored (expected an image in sRGB)\n")
    doctor = roundel("doctor", kiosk)
    assert f'! {tmp_path}/wide.png has the colour profile "Old gray", which is ignored' in doctor.stdout
    assert "-profile sRGB.icc" in doctor.stdout and "plain.png" not in doctor.stdout
    images = json.loads(roundel("doctor", "--json", kiosk).stdout)["images"]
    assert images["ignored_profiles"] == [
        {"path": f"{tmp_path}/wide.png", "profile": 'the colour profile "Old gray"'}]
    assert "images" not in json.loads(roundel("doctor", "--json").stdout)
    assert "no programs" in doctor.stdout and "RestrictAddressFamilies" not in doctor.stdout
    missing = roundel("doctor", tmp_path / "missing.yaml")
    assert missing.returncode == 1 and "missing.yaml" in missing.stdout


def test_doctor_reports_the_permissions_of_sandboxed_programs(tmp_path):
    kiosk = tmp_path / "shop.yaml"
    kiosk.write_text(KIOSK.replace('["/bin/false"]', "[sh]").replace("pages:", "logic: [cat]\npages:", 1))
    said = roundel("doctor", kiosk).stdout
    assert f"  {kiosk}: cat (logic), sh\n" in said
    assert "roundel@shop runs the programs in a sandbox" in said
    # With these lines from the manual, programs have network access.
    manual = (TOP / "deploy/manual/operating.md").read_text()
    for line in ("[Service]", "RestrictAddressFamilies=AF_INET AF_INET6", "IPAddressAllow=any"):
        assert f"\n    {line}\n" in said and f"\n{line}\n" in manual
    assert json.loads(roundel("doctor", "--json", kiosk).stdout)["programs"]["kiosks"] == [
        {"kiosk": str(kiosk), "logic": "cat", "programs": ["cat", "sh"]}]
