# SPDX-License-Identifier: MIT
"""A kiosk's logic program."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import KIOSK, ROUNDEL, LiveKiosk, run  # noqa: E402

VALUES = "values: {cups: 0}\n"


def kiosk_file(folder, program, *arguments):
    words = json.dumps([program, *arguments])
    file = folder / "source.yaml"
    file.write_text(KIOSK.read_text().replace("pages:\n", f"logic: {words}\n{VALUES}pages:\n", 1))
    return file


def script(path, text):
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def start(tmp_path):
    """Starts a kiosk with a shell script as its logic program."""
    kiosks = []

    def begin(text):
        script(tmp_path / "brain", "#!/bin/sh\n" + text)
        kiosks.append(LiveKiosk(tmp_path, file=kiosk_file(tmp_path, "brain")))
        return kiosks[0]

    yield begin
    for kiosk in kiosks:
        kiosk.close()


def logic(kiosk):
    return kiosk.json("status").get("logic")


def until(holds, what, seconds=20):
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"never: {what}"
        time.sleep(0.02)


SET = '{"jsonrpc":"2.0","id":1,"method":"set","params":{"property":"%s","value":%s}}'


def test_the_program_receives_events_and_its_changes_count_as_commands(start):
    kiosk = start(f"""
        while read -r line; do
          case $line in *'"selected","item":"b"'*) echo '{SET % ("dial.value", 5)}' ;; esac
        done""")
    kiosk.run("tap", "wheel/b")
    while (event := json.loads(kiosk.events.next()))["event"] != "settled":
        pass
    assert (event["control"], event["index"], event["by"]) == ("dial", 5, "command")


def test_the_program_receives_the_same_events_that_the_kiosk_prints(start, tmp_path):
    kiosk = start(f"cat > {tmp_path}/heard")
    kiosk.run("tap", "wheel/a")
    kiosk.run("go", "second")
    printed = [json.loads(kiosk.events.next()) for _ in range(3)]
    heard = tmp_path / "heard"
    until(lambda: '"event":"page"' in heard.read_text(), "all were heard")
    heard = [json.loads(line) for line in heard.read_text().splitlines()][-3:]
    # Printed times are in whole microseconds.
    assert [{**event, "t": round(event["t"], 6)} for event in heard] == printed


def test_the_program_and_its_children_end_with_the_kiosk(start):
    kiosk = start("sleep 600 & echo $! >&2; sleep 600")
    own = logic(kiosk)["process"]
    child = int(kiosk.log.until("brain: ")[-1].split()[-1])
    kiosk.run("stop")
    assert kiosk.process.wait(10) == 0
    for process in (own, child):
        until(lambda: not running(process), "it has ended")


def test_its_input_ends_when_the_kiosk_is_killed_while_another_program_runs(tmp_path):
    script(tmp_path / "brain", f"#!/bin/sh\ntrap '' TERM\ncat >{tmp_path}/heard\necho released >{tmp_path}/end\n")
    script(tmp_path / "player", f"#!/bin/sh\necho $$ >{tmp_path}/player.pid\nexec sleep 600\n")
    file = kiosk_file(tmp_path, "brain")
    file.write_text(file.read_text() + f"reactions: [{{when: cups == 1, do: [{{run: [{tmp_path}/player]}}]}}]\n")
    kiosk = LiveKiosk(tmp_path, file=file)
    player = tmp_path / "player.pid"
    try:
        # The player starts while the pipes of the other program are open.
        kiosk.run("set", "cups=1")
        until(lambda: player.exists() and player.read_text(), "it is started")
        kiosk.run("tap", "wheel/a")
        until(lambda: "selected" in (tmp_path / "heard").read_text(), "it hears events")
        assert not (tmp_path / "end").exists()
        kiosk.process.kill()
        kiosk.process.wait()
        until(lambda: (tmp_path / "end").exists(), "it reads the end of its input", 2)
        assert running(int(player.read_text()))
    finally:
        kiosk.close()
        if player.exists():
            os.kill(int(player.read_text()), signal.SIGKILL)


def running(process):
    try:
        return ") Z " not in pathlib.Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return False


def test_a_reload_starts_a_changed_program_and_keeps_an_unchanged_one(start, tmp_path):
    kiosk = start("exec sleep 600")
    before = logic(kiosk)["process"]
    kiosk.run("reload")
    assert logic(kiosk)["process"] == before
    script(tmp_path / "other", f"#!/bin/sh\necho '{SET % ('cups', 3)}'\nexec sleep 600")
    kiosk.file.write_text(kiosk_file(tmp_path, "other").read_text())
    kiosk.run("reload")
    kiosk.run("wait", "cups == 3")
    assert logic(kiosk)["program"] == "other"
    kiosk.file.write_text(KIOSK.read_text())
    kiosk.run("reload")
    assert logic(kiosk) is None
    until(lambda: not running(before), "it has ended")


def test_a_traceback_is_logged_and_the_next_start_announced(start):
    kiosk = start("echo 'Traceback: out of milk' >&2; exit 1")
    said = kiosk.log.until("restarting in")
    assert any("brain: Traceback: out of milk" in line for line in said)
    assert "brain exited with status 1; restarting in 1 s" in said[-1]
    until(lambda: logic(kiosk)["starts"] > 1, "it is started again")
    assert logic(kiosk)["last_end"] == "exited with status 1"


def test_check_reports_a_missing_program_and_only_a_running_kiosk_starts_it(tmp_path):
    bad = kiosk_file(tmp_path, "lost")
    assert 'error: program "lost": no such program (expected a program next to' in run(
        "check", bad, code=1).stderr
    script(tmp_path / "brain", f"#!/bin/sh\ntouch {tmp_path}/started")
    good = kiosk_file(tmp_path, "brain")
    assert run("check", good).stderr == ""
    assert run("check", "--files", good).stdout == f"{good}\n{tmp_path}/brain\n"
    run("render", good, "-o", tmp_path / "a.png")
    (tmp_path / "r.jsonl").write_text('{"t":1,"end":true}\n')
    run("replay", good, tmp_path / "r.jsonl")
    suite = tmp_path / "suite.yaml"
    suite.write_text("suite: remote\nkiosk: source.yaml\ntests:\n  - test: a\n    steps: [{wait: 1}]\n")
    run("test", suite)
    assert not (tmp_path / "started").exists()


FLOOD = f"""
yes '{SET % ("cups", 1)}' &
yes 'a message' >&2 &
exec sleep 600"""


@pytest.mark.parametrize("script", [
    FLOOD, "exec head -c 100000000 /dev/urandom", "exec sleep 600", "exit 0",
    # A program that stops reading during many events doesn't, either.
    "kill -STOP $$",
], ids=["floods", "writes garbage", "hangs", "dies at once", "is stopped"])
def test_no_program_delays_a_frame(start, script):
    kiosk = start(script)
    with kiosk.spinning():
        time.sleep(1.5)
        status = kiosk.json("status")
    # A frame takes 1/60 s; the program may keep the machine busy.
    assert status["client_work"]["longest_turn"] < 0.1
    assert status["frames"]["shown"] > 30
    assert status["client_work"]["kept_bytes"] < 4 << 20
    rss = next(int(line.split()[1]) for line in pathlib.Path(
        f"/proc/{kiosk.process.pid}/status").read_text().splitlines() if line.startswith("VmRSS"))
    assert rss < 150_000
    kiosk.run("stop")
    assert kiosk.process.wait(10) == 0


def test_the_program_needs_no_socket(tmp_path):
    asks = '{"jsonrpc":"2.0","id":1,"method":"get","params":{"property":"page"}}'
    script(tmp_path / "brain", f"#!/bin/sh\necho '{asks}'; grep -m1 result > {tmp_path}/heard; sleep 600")
    environment = {name: value for name, value in os.environ.items() if name != "XDG_RUNTIME_DIR"}
    kiosk = subprocess.Popen(
        [ROUNDEL, "run", "--display", "headless", kiosk_file(tmp_path, "brain")], env=environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    heard = tmp_path / "heard"
    try:
        until(lambda: heard.exists() and heard.read_text(), "it was answered")
        assert json.loads(heard.read_text())["result"] == {"value": "first"}
    finally:
        kiosk.terminate()
        kiosk.wait()
