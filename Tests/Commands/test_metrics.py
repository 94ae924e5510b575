# SPDX-License-Identifier: MIT
"""`roundel status` for administrators of many panels: metrics, and whether a panel is in use."""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import ROUNDEL, TOP, Command, Lines, LiveKiosk, run  # noqa: E402
from unit import Unit  # noqa: E402

KIOSK = """
kiosk: %s
values: {cups: 0}
pages:
  - page: first
    busy: "{cups > 0}"
    controls: [{dial: d, at: [400, 400], radius: 200, labels: 12}]
  - page: second
    busy: true
    controls: [{label: b, at: [640, 400], text: x}]
  - page: third
    busy: "{cups / 0 > 1}"
    controls: [{label: c, at: [640, 400], text: x}]
  - page: fourth
    controls: [{label: e, at: [640, 400], text: x}]
"""

# The documented metrics with their types and labels.
PROMISED = {
    "roundel_build_info": ("gauge", {"version", "commit"}),
    "roundel_kiosk_info": ("gauge", {"kiosk", "sha256"}),
    "roundel_display_up": ("gauge", set()),
    "roundel_display_problems": ("gauge", set()),
    "roundel_frames_total": ("counter", set()),
    "roundel_frames_late_total": ("counter", set()),
    "roundel_restarts_total": ("counter", {"cause"}),
    "roundel_touch_to_flip_seconds": ("histogram", set()),
    "roundel_last_touch_timestamp_seconds": ("gauge", set()),
    "roundel_fault": ("gauge", set()),
    "roundel_memory_bytes": ("gauge", set()),
    "roundel_bridge_connected": ("gauge", set()),
}
CAUSES = {"crash", "exit", "killed", "memory", "requested", "watchdog", "other"}


def read(text):
    """Parses a text of version 0.0.4 by the grammar of its specification. Returns the families, and the samples by
    name and labels."""
    types, helps, samples, family = {}, {}, {}, None
    assert text.endswith("\n")
    for line in text.splitlines():
        if line.startswith("# HELP "):
            family = line.split()[2]
            assert family not in helps, f"{family} twice"
            helps[family] = line.split(" ", 3)[3]
        elif line.startswith("# TYPE "):
            _, _, name, kind = line.split()
            assert name == family and name not in types
            types[name] = kind
        else:
            found = re.fullmatch(r'([a-z_:][a-z0-9_:]*)(?:\{(.*)\})? (\S+)', line)
            assert found, line
            name, inside, value = found.groups()
            labels = re.findall(r'([a-z_][a-z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)', inside or "")
            assert ",".join(f'{key}="{text}"' for key, text in labels) == (inside or "")
            assert name == family or types[family] == "histogram" and re.fullmatch(
                f"{family}_(bucket|sum|count)", name), name
            key = (name, frozenset(labels))
            assert key not in samples
            samples[key] = float(value)
    assert types.keys() == helps.keys()
    return types, samples


def value(samples, name, **labels):
    return samples[name, frozenset(labels.items())]


def metrics(kiosk, *words):
    return read(kiosk.run("status", "--metrics", *words).stdout)


@pytest.fixture
def start(tmp_path):
    started = []

    def start(name="lobby", *options):
        (tmp_path / "given.yaml").write_text(KIOSK % name)
        started.append(LiveKiosk(tmp_path, *options, file=tmp_path / "given.yaml"))
        return started[-1]

    yield start
    for kiosk in started:
        kiosk.close()


def check_promise(text):
    types, samples = read(text)
    for name, (kind, labels) in PROMISED.items():
        assert types[name] == kind
        for (sample, given), number in samples.items():
            if sample == name:
                assert {key for key, _ in given} == labels and (kind != "gauge" or number >= 0)
    for name, kind in types.items():
        assert (kind == "counter") == name.endswith("_total")
        if name.endswith("_info"):
            assert [number for (sample, _), number in samples.items() if sample == name] == [1]
    assert {dict(given)["cause"] for (name, given) in samples if name == "roundel_restarts_total"} == CAUSES


def test_all_metrics_exist_from_the_start(start):
    kiosk = start()
    text = kiosk.run("status", "--metrics").stdout
    check_promise(text)
    types, samples = read(text)
    assert value(samples, "roundel_display_up") == 1
    assert value(samples, "roundel_last_touch_timestamp_seconds") == 0
    assert value(samples, "roundel_touch_to_flip_seconds_count") == 0
    assert value(samples, "roundel_touch_to_flip_seconds_bucket", le="+Inf") == 0
    digest = subprocess.run(["sha256sum", kiosk.file], capture_output=True, text=True).stdout.split()[0]
    assert value(samples, "roundel_kiosk_info", kiosk="lobby", sha256=digest) == 1
    version = run("--version").stdout.split(maxsplit=1)[1].strip()
    number, _, commit = version.partition(" ")
    assert value(samples, "roundel_build_info", version=number, commit=commit.strip("()")) == 1


def test_a_label_may_contain_any_characters_of_a_name(start):
    name = 'a "quoted" back\\slash'
    kiosk = start(json.dumps(name))
    if json.loads(kiosk.run("status", "--json").stdout)["kiosk"] != name:
        pytest.fail("the kiosk has another name")
    _, samples = metrics(kiosk)
    names = [dict(given)["kiosk"] for (sample, given) in samples if sample == "roundel_kiosk_info"]
    assert names == ['a \\"quoted\\" back\\\\slash']


def test_touches_are_counted_and_their_buckets_add_up(start):
    kiosk = start()
    before = metrics(kiosk)[1]
    for angle in range(1, 5):
        kiosk.run("drag", "d", "--by", "90,60")
        kiosk.run("wait", "d.angle != -1000", "--timeout", "1")
    after = metrics(kiosk)[1]
    count = value(after, "roundel_touch_to_flip_seconds_count")
    assert count > 0
    bounds = sorted((float("inf") if dict(given)["le"] == "+Inf" else float(dict(given)["le"]), number)
                    for (name, given), number in after.items() if name.endswith("_bucket"))
    assert [number for _, number in bounds] == sorted(number for _, number in bounds)
    assert bounds[-1] == (float("inf"), count)
    assert value(after, "roundel_touch_to_flip_seconds_sum") > 0
    assert value(after, "roundel_frames_total") > value(before, "roundel_frames_total")
    touched = value(after, "roundel_last_touch_timestamp_seconds")
    now = float(subprocess.run(["date", "+%s.%N"], capture_output=True, text=True).stdout)
    assert now - 60 < touched <= now


def test_requests_for_metrics_are_the_only_wake_ups_they_cause(start):
    kiosk = start()
    counts = [value(metrics(kiosk)[1], "roundel_wakeups_total") for _ in range(5)]
    # On a busy machine a client's connection, request and disconnect arrive together or separately.
    assert max(later - count for count, later in zip(counts, counts[1:])) <= 8


def test_a_failing_backlight_is_a_problem_until_it_is_set(tmp_path):
    light, file = tmp_path / "class/backlight/panel", tmp_path / "k.yaml"
    light.mkdir(parents=True)
    for name, text in (("max_brightness", "200"), ("brightness", "7")):
        (light / name).write_text(text)
    file.write_text(KIOSK % "lobby" + "screen: {brightness: 0.5}\n")
    # Hides the machine's own lights and shows these.
    words = ["unshare", "-m", *(["-r"] if os.geteuid() else []), "sh", "-c",
             f'mount --bind "{tmp_path}/class" /sys/class && exec "$0" "$@"']
    if subprocess.run([*words, "true"], capture_output=True).returncode:
        pytest.skip("this machine lets nobody pretend to be another")
    words += [ROUNDEL, "run", "--display", "drm", "--card", "/nonexistent/card", "--socket", tmp_path / "s", file]
    # A service waits for a DRM device.
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind(str(tmp_path / "notify"))
    environment = {**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify")}
    with manager, Command(words, env=environment, stderr=subprocess.PIPE, text=True) as kiosk:
        Lines(kiosk.stderr).until("cannot set the backlight panel: No such file")

        def problems():
            text = run("status", "--metrics", "--socket", tmp_path / "s").stdout
            status = json.loads(run("status", "--json", "--socket", tmp_path / "s").stdout)
            return value(read(text)[1], "roundel_display_problems"), status["display"].get("problems")

        assert (light / "brightness").read_text() == "100\n"
        count, (problem,) = problems()
        assert count == 1 and problem.startswith("cannot set the backlight panel: No such file")
        (light / "bl_power").write_text("0\n")
        run("blank", "--socket", tmp_path / "s")
        assert problems() == (0, None) and (light / "bl_power").read_text() == "4\n"
        # The light now refuses to be switched on.
        (light / "bl_power").unlink()
        run("wake", "--socket", tmp_path / "s")
        assert problems()[0] == 1
        (light / "bl_power").write_text("4\n")
        deadline = time.monotonic() + 60
        while problems()[0]:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert (light / "bl_power").read_text() == "0\n"
        kiosk.kill()


def test_a_file_for_the_exporter_is_named_after_the_panel(start, tmp_path):
    kiosk = start()
    folder = tmp_path / "collector"
    folder.mkdir()
    kiosk.run("status", "--metrics", "-o", folder, "--name", "north/door")
    assert [entry.name for entry in folder.iterdir()] == ["roundel-north_door.prom"]
    check_promise((folder / "roundel-north_door.prom").read_text())
    assert (folder / "roundel-north_door.prom").stat().st_mode & 0o777 == 0o644
    kiosk.run("status", "--metrics", "-o", folder)
    own = {entry.name for entry in folder.iterdir()} - {"roundel-north_door.prom"}
    assert re.fullmatch(r"roundel-.+\.prom", own.pop()) and not own


def test_after_a_change_of_the_host_name_only_the_new_file_remains(tmp_path):
    folder, identity = tmp_path / "collector", tmp_path / "machine-id"
    folder.mkdir()
    identity.write_text("0123456789abcdef0123456789abcdef\n")
    others = ["apt.prom", "roundel-lobby.prom", "roundel-lobby-000000.prom"]
    for other in others:
        (folder / other).write_text("")

    def write(name):
        command = (f"mount --bind {identity} /etc/machine-id && hostname {name} && "
                   f"exec {ROUNDEL} status --metrics -o {folder} --socket {tmp_path}/none")
        told = subprocess.run(["unshare", "-mu", *(["-r"] if os.geteuid() else []), "sh", "-c", command],
                              capture_output=True, text=True)
        if told.returncode != 69:
            pytest.skip(f"this machine lets nobody pretend to be another: {told.stderr}")
        return sorted({file.name for file in folder.iterdir()} - set(others))

    former, = write("hall")
    assert re.fullmatch(r"roundel-hall-[0-9a-f]{6}\.prom", former)
    assert write("foyer") == [former.replace("hall", "foyer")]
    assert all((folder / other).exists() for other in others)


def test_in_a_folder_of_another_user_metrics_follow_no_link(start, tmp_path):
    kiosk = start()
    folder, precious = tmp_path / "collector", tmp_path / "precious"
    folder.mkdir()
    precious.write_text("precious")
    link = folder / "roundel-x.prom"
    link.symlink_to(precious)
    if os.getuid() == 0:
        os.chown(link, 12, 34, follow_symlinks=False)
        said = kiosk.run("status", "--metrics", "-o", folder, "--name", "x", code=77).stderr
        assert f"cannot write {link}: Permission denied" in said and precious.read_text() == "precious"
    link.unlink()
    kiosk.run("status", "--metrics", "-o", folder, "--name", "x")
    assert [entry.name for entry in folder.iterdir()] == ["roundel-x.prom"]
    check_promise(link.read_text())
    # A file instead of the folder makes it unwritable.
    (tmp_path / "file").write_text("")
    said = kiosk.run("status", "--metrics", "-o", tmp_path / "file/roundel.prom", code=1).stderr
    assert "cannot write" in said and kiosk.run("status").returncode == 0


def test_a_missing_kiosk_is_down_in_the_file(tmp_path):
    run("status", "--metrics", "-o", tmp_path / "x.prom", "--socket", tmp_path / "none", code=69)
    types, samples = read((tmp_path / "x.prom").read_text())
    assert types == {"roundel_up": "gauge"} and value(samples, "roundel_up") == 0
    assert run("status", "--metrics", "--socket", tmp_path / "none", code=69).stdout == ""


@pytest.mark.parametrize("words", [["-o", "x"], ["--name", "x"], ["--metrics", "--in-use"],
                                   ["--metrics", "--name", ""], ["--in-use", "--idle", "-1"]])
def test_conflicting_options_are_rejected(words):
    run("status", *words, code=64)


def test_in_use_means_a_finger_or_a_busy_page(start):
    kiosk = start()
    assert "not in use" in kiosk.run("status", "--in-use", code=1).stdout
    kiosk.run("set", "cups=1")
    assert "first is busy" in kiosk.run("status", "--in-use").stdout
    kiosk.run("set", "cups=0")
    for page, code in [("second", 0), ("third", 1), ("fourth", 1)]:
        kiosk.run("go", page)
        kiosk.run("status", "--in-use", code=code)
    kiosk.run("tap", "--at", "10,10", code=1)
    assert kiosk.json("status", "--in-use")["in_use"] is True
    kiosk.run("status", "--in-use", "--idle", "0", code=1)
    run("status", "--in-use", "--socket", kiosk.folder / "none", code=69)


@pytest.mark.parametrize("busy, words", [
    ("maybe", "maybe"), ('"{cups}"', "number"), ('"{nosuch > 1}"', "nosuch"), ('"{cups >"', "unexpected end")])
def test_errors_in_busy_are_reported(tmp_path, busy, words):
    file = tmp_path / "k.yaml"
    file.write_text(f"kiosk: k\nvalues: {{cups: 0}}\npages: [{{page: p, busy: {busy}, controls: [{{label: l, at: [640, 400], text: x}}]}}]\n")
    said = run("check", file, code=1).stderr
    assert ":3:" in said and words in said


def test_restarts_are_counted_by_cause(tmp_path):
    unit = Unit(tmp_path)
    unit.file.write_text(KIOSK % "wall")
    expected = dict.fromkeys(CAUSES, 0)
    for end, cause in [(None, None), ("success 0", "requested"), ("core-dump SEGV", "crash"),
                       ("signal KILL", "killed"), ("watchdog ABRT", "watchdog"),
                       ("oom-kill KILL", "memory"), ("core-dump ILL", "crash"), ("exit-code 69", "exit"),
                       ("timeout TERM", "other")]:
        if end:
            (tmp_path / "run/wall.end").write_text(end + "\n")
            expected[cause] += 1
        unit.start()
        status = json.loads(run("status", "--json", "--socket", unit.socket).stdout)
        assert status["restarts"] == expected
        unit.stop(signal.SIGKILL)
    # Without a recorded end, nothing is counted.
    unit.start()
    assert json.loads(run("status", "--json", "--socket", unit.socket).stdout)["restarts"] == expected
    unit.stop()


def test_the_unit_records_how_the_program_ended(tmp_path):
    """Runs the unit's own line in a shell, like the service manager."""
    for name in ("roundel@", "roundel-cage@", "roundel-weston@"):
        text = (TOP / f"systemd/{name}.service").read_text().replace("\\\n", "")
        line = re.search(r"^ExecStopPost=-/bin/sh -c '(.*)'$", text, re.M)[1].replace("$$", "$")
        folder = tmp_path / name
        folder.mkdir()
        line = line.replace("/run/roundel/%i", f"{folder}/wall")
        for words, ends in [("signal KILL", 0), ("core-dump SEGV", 1), ("success 0", 1),
                            ("watchdog ABRT", 2), ("exit-code 69", 2)]:
            result, status = words.split()
            subprocess.run(["/bin/sh", "-c", line], check=True, env={
                **os.environ, "SERVICE_RESULT": result, "EXIT_STATUS": status})
            assert (folder / "wall.end").read_text() == words + "\n"
            told = folder / "wall.ends"
            assert (told.read_text().count("\n") if told.exists() else 0) == ends


def test_a_fault_page_and_a_copy_are_distinguished(tmp_path):
    unit = Unit(tmp_path)
    unit.file.write_text("kiosk: wall\npages: []\n")
    unit.start()
    _, samples = read(run("status", "--metrics", "--socket", unit.socket).stdout)
    assert value(samples, "roundel_fault") == 1
    assert value(samples, "roundel_kiosk_info", kiosk="roundel", sha256="") == 1
    unit.stop()


@pytest.mark.skipif(not shutil.which("promtool"), reason="promtool is not installed")
def test_promtool_finds_no_errors(start):
    kiosk = start()
    text = kiosk.run("status", "--metrics").stdout
    checked = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True)
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stderr


def test_a_terminal_has_the_same_metrics(tmp_path):
    """All displays have them; test_wayland.py tests a compositor's."""
    file = tmp_path / "k.yaml"
    file.write_text(KIOSK % "wall")
    with Command(["script", "-qec", f"{ROUNDEL} run --display terminal --socket {tmp_path}/s {file}",
                  "/dev/null"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as kiosk:
        try:
            run("wait", "page == 'first'", "--timeout", "20", "--socket", tmp_path / "s", timeout=40,
                code=0) if (tmp_path / "s").exists() else wait_for(tmp_path / "s")
            check_promise(run("status", "--metrics", "--socket", tmp_path / "s").stdout)
            run("stop", "--socket", tmp_path / "s")
        finally:
            kiosk.kill()


def wait_for(path):
    deadline = subprocess.run(["timeout", "20", "sh", "-c", f"until [ -S {path} ]; do sleep 0.05; done"])
    assert deadline.returncode == 0
