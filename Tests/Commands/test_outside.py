# SPDX-License-Identifier: MIT
"""Streams, files, programs and signals outside a kiosk must not delay it."""

import contextlib
import fcntl
import json
import os
import pathlib
import resource
import select
import signal
import subprocess
import sys
import termios
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import KIOSK, ROUNDEL, Wire  # noqa: E402

TOGETHER = 16  # programs that may run at once
PROGRAMS = """
kiosk: programs
pages:
  - page: only
    controls:
      - button: start
        at: [640, 400]
        size: [400, 200]
        text: Start
        on: {selected: [{run: [sleep, "4"]}]}
"""
PICTURE = """
kiosk: picture
pages:
  - page: only
    controls:
      - {image: art, at: [640, 400], size: [64, 64], file: art.png}
"""


class Kiosk:
    """A kiosk with streams and limits chosen by the test."""

    def __init__(self, folder, text=None, file=None, **options):
        self.socket = pathlib.Path(folder) / "control.sock"
        self.file = file or pathlib.Path(folder) / "kiosk.yaml"
        if text:
            self.file.write_text(text)
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL,
                   "stderr": subprocess.DEVNULL, **options}
        self.process = subprocess.Popen(
            [ROUNDEL, "run", "--display", "headless", "--size", "160x96", "--socket", self.socket,
             self.file],
            **options)
        self.until(self._connects, "the kiosk listens")

    def _connects(self):
        try:
            self.wire = Wire(self.socket)
            return True
        except OSError:
            return False

    def until(self, holds, what, timeout=20):
        deadline = time.monotonic() + timeout
        while not holds():
            assert self.process.poll() is None, f"the kiosk has ended: {self.process.returncode}"
            assert time.monotonic() < deadline, f"not within {timeout} s: {what}"
            time.sleep(0.02)

    def turn_pages(self, count):
        """Causes that many events of some fifty bytes each."""
        for first in range(0, count, 1000):
            self.wire.send(json.dumps([
                {"jsonrpc": "2.0", "id": number, "method": "go",
                 "params": {"page": ("second", "first")[number % 2]}}
                for number in range(first, min(first + 1000, count))]) + "\n")
            assert all("result" in answer for answer in self.wire.read())

    def reload(self):
        answer = self.wire.ask("reload")
        assert answer is True, answer

    def wake_ups(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(text.split("voluntary_ctxt_switches:")[1].split()[0])

    def wakes_up_in(self, seconds):
        """Returns the number of wake-ups during `seconds` after all requests."""
        time.sleep(0.2)
        before = self.wake_ups()
        time.sleep(seconds)
        return self.wake_ups() - before

    def children(self):
        pid = self.process.pid
        return pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def ends_when_asked(self, how=signal.SIGTERM):
        assert "page" in self.wire.ask("status")
        self.process.send_signal(how)
        assert self.process.wait(timeout=30) == 0
        assert not self.socket.exists()


@pytest.fixture
def start(tmp_path):
    """Starts kiosks that end after the test."""
    with contextlib.ExitStack() as stack:
        def begin(text=KIOSK.read_text(), **options):
            kiosk = Kiosk(tmp_path, text, **options)
            stack.callback(kiosk.process.wait)
            stack.callback(kiosk.process.kill)
            return kiosk

        yield begin


@pytest.fixture
def pipe():
    """A pipe that only the test reads."""
    ends = os.pipe()
    yield ends
    for end in ends:
        with contextlib.suppress(OSError):
            os.close(end)


def read_all(descriptor, until=None):
    """Reads up to the end, or to a line with the given words."""
    text = b""
    while not until or until not in text:
        assert select.select([descriptor], [], [], 20)[0], "nothing comes any more"
        more = os.read(descriptor, 1 << 16)
        if not more:
            break
        text += more
    return text.decode()


# Streams.

def test_an_unread_log_blocks_neither_the_kiosk_nor_its_end(start, pipe):
    # Each reload logs a line: 783 fill a pipe of 64 KiB, and this one soon.
    fcntl.fcntl(pipe[1], fcntl.F_SETPIPE_SZ, 4096)
    kiosk = start(stderr=pipe[1])
    os.close(pipe[1])
    for _ in range(100):
        kiosk.reload()
    kiosk.process.send_signal(signal.SIGHUP)
    kiosk.turn_pages(2)
    kiosk.ends_when_asked()
    assert "showing" in read_all(pipe[0])


def test_unread_events_cost_no_wake_ups_and_arrive_in_order_when_read(
        start, pipe, capsys):
    kiosk = start(stdout=pipe[1])
    os.close(pipe[1])
    kiosk.turn_pages(4000)
    woken = kiosk.wakes_up_in(2)
    with capsys.disabled():
        print(f"\n{woken} wake-ups in 2 s with a full stdout")
    assert woken == 0
    kiosk.turn_pages(1)
    kiosk.wire.ask("go", page="second")
    kiosk.wire.ask("set", property="dial.value", value=1)
    lines = read_all(pipe[0], until=b'"settled"').splitlines()
    pages = [event["page"] for event in map(json.loads, lines) if event["event"] == "page"]
    # The first page isn't an event, and going to the current page isn't either.
    assert pages == ["second", "first"] * 2000 + ["second"]
    kiosk.ends_when_asked()


def test_events_that_stay_unread_for_long_are_counted(start, pipe):
    kiosk = start(stdout=pipe[1])
    os.close(pipe[1])
    kiosk.turn_pages(40_000)
    text = read_all(pipe[0], until=b'"lost"')
    # The data read so far may end in the middle of that line.
    while not text.endswith("\n"):
        text += os.read(pipe[0], 1).decode()
    events = [json.loads(line) for line in text.splitlines()]
    told = sum(event["event"] == "page" for event in events)
    lost = [event["count"] for event in events if event["event"] == "lost"]
    assert told + sum(lost) == 40_000 and len(lost) == 1
    kiosk.turn_pages(1)
    assert '"page":"second"' in read_all(pipe[0], until=b'"second"')
    kiosk.ends_when_asked()


def test_a_stopped_terminal_blocks_nothing(start):
    screen, terminal = os.openpty()
    kiosk = start(stdout=terminal, stderr=terminal)
    termios.tcflow(terminal, termios.TCOOFF)
    kiosk.turn_pages(2000)
    kiosk.reload()
    kiosk.turn_pages(2)
    termios.tcflow(terminal, termios.TCOON)
    read_all(screen, until=b"was reloaded")
    termios.tcflow(terminal, termios.TCOOFF)
    kiosk.turn_pages(2000)
    kiosk.ends_when_asked()
    os.close(screen)
    os.close(terminal)


@pytest.mark.parametrize("words, prints", [([], False), (["--events"], True)])
def test_journal_lines_have_priorities_and_exclude_events(
        tmp_path, words, prints):
    out, inlet = os.pipe()
    mark = os.fstat(inlet)
    file = tmp_path / "kiosk.yaml"
    file.write_text(KIOSK.read_text())
    process = subprocess.Popen(
        [ROUNDEL, "run", "--display", "headless", "--socket", tmp_path / "control.sock", *words, file],
        stdin=subprocess.DEVNULL, stdout=inlet, stderr=inlet,
        env={**os.environ, "JOURNAL_STREAM": f"{mark.st_dev}:{mark.st_ino}"})
    os.close(inlet)
    with os.fdopen(out) as journal:
        lines = []

        def until(part):
            while not lines or part not in lines[-1]:
                lines.append(next(journal).rstrip("\n"))
            return lines[-1]

        assert until("showing").startswith("<6>showing ")
        file.write_text(KIOSK.read_text().replace("radius: 180", "radius: -1"))
        assert until("kiosk.yaml:9:").startswith(f"<3>{file}:9:")
        assert until("the running kiosk stays").startswith("<3>")
        file.write_text(KIOSK.read_text().replace("at: [40, 40]", "at: [4000, 40]"))
        assert until("warning: ").startswith("<4>")
        process.terminate()
        lines += journal.read().splitlines()
    assert process.wait(20) == 0
    assert all(line.startswith(("<3>", "<4>", "<6>", "{")) for line in lines), lines
    assert any(line.startswith('{"t"') for line in lines) == prints


def test_the_cause_of_an_exit_is_an_error_in_the_journal(tmp_path):
    out, inlet = os.pipe()
    mark = os.fstat(inlet)
    done = subprocess.run(
        [ROUNDEL, "run", "--display", "headless", tmp_path / "nothing.yaml"], stderr=inlet,
        env={**os.environ, "JOURNAL_STREAM": f"{mark.st_dev}:{mark.st_ino}"})
    os.close(inlet)
    with os.fdopen(out) as journal:
        lines = journal.read().splitlines()
    assert done.returncode == 65 and lines and all(line.startswith("<3>") for line in lines), lines


def test_streams_redirected_from_the_journal_are_plain(tmp_path):
    done = subprocess.run(
        [ROUNDEL, "check", tmp_path / "nothing.yaml"], stderr=subprocess.PIPE, text=True,
        env={**os.environ, "JOURNAL_STREAM": "8:12345"})
    assert done.stderr and "<3>" not in done.stderr


def test_closed_streams_are_harmless(start):
    def close_all():
        for number in range(3):
            os.close(number)

    kiosk = start(stdin=None, stdout=None, stderr=None, preexec_fn=close_all)
    for number in range(3):
        assert os.readlink(f"/proc/{kiosk.process.pid}/fd/{number}") == "/dev/null"
    kiosk.turn_pages(10)
    kiosk.ends_when_asked()


def test_a_command_without_standard_output_fails_with_an_exit_code(tmp_path):
    closed = subprocess.run([ROUNDEL, "schema"], preexec_fn=lambda: os.close(1))
    assert closed.returncode == 1


def test_a_full_disk_blocks_nothing(start):
    with open("/dev/full", "w") as full:
        kiosk = start(stdout=full, stderr=full)
    kiosk.turn_pages(100)
    kiosk.reload()
    assert kiosk.wakes_up_in(0.5) == 0
    kiosk.ends_when_asked()


def test_a_file_size_limit_does_not_end_the_kiosk(start, tmp_path):
    with open(tmp_path / "events", "w") as file:
        kiosk = start(stdout=file, preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (1000, 1000)))
    kiosk.turn_pages(100)
    assert (tmp_path / "events").stat().st_size == 1000
    kiosk.ends_when_asked()


def test_a_pipe_shared_with_others_keeps_its_mode(start, pipe):
    kiosk = start(stdout=pipe[1], stderr=pipe[1])
    kiosk.turn_pages(4)
    assert os.get_blocking(pipe[1])
    kiosk.ends_when_asked()


# Programs.

def taps(count):
    lines = []
    for _ in range(count):
        lines.append({"t": 0, "down": {"finger": 0, "x": 640, "y": 400}})
        lines.append({"t": 0, "up": {"finger": 0}})
    return "".join(json.dumps(line) + "\n" for line in lines)


def test_of_286_simultaneous_programs_16_run_and_all_are_reaped(start, pipe):
    fcntl.fcntl(pipe[1], fcntl.F_SETPIPE_SZ, 1 << 20)  # all events, read at the end
    kiosk = start(PROGRAMS, stdout=pipe[1], preexec_fn=lambda: resource.setrlimit(
        resource.RLIMIT_NOFILE, (128, 128)))
    os.close(pipe[1])
    assert "page" in kiosk.wire.ask("status")
    before = kiosk.descriptors()
    kiosk.wire.ask("touch", recording=taps(286))
    kiosk.until(lambda: len(kiosk.children()) == TOGETHER, "they run")
    kiosk.until(lambda: not kiosk.children(), "they end and are reaped")
    kiosk.until(lambda: kiosk.descriptors() == before, "nothing is left of them")
    kiosk.wire.ask("tap", target="start")  # there is room again
    kiosk.until(lambda: len(kiosk.children()) == 1, "another runs")
    kiosk.ends_when_asked()
    events = [json.loads(line) for line in read_all(pipe[0]).splitlines()]
    assert sum(event["event"] == "selected" for event in events) == 287
    failed = [event["message"] for event in events if event["event"] == "failed"]
    assert len(failed) == 286 - TOGETHER
    assert set(failed) == {"cannot start sleep: the maximum of 16 programs is already running"}


# Files.

def page(kiosk):
    return kiosk.wire.ask("tree")["pages"][0]["page"]


def renamed(name):
    return KIOSK.read_text().replace("page: first", f"page: {name}").replace(
        "go: first", f"go: {name}")


def test_a_kiosk_behind_links_is_reloaded_when_a_link_is_replaced(start, tmp_path):
    for number in range(3):
        (tmp_path / f"release{number}").mkdir()
        (tmp_path / f"release{number}/kiosk.yaml").write_text(renamed(f"p{number}"))
    (tmp_path / "data").symlink_to("release0")
    (tmp_path / "link.yaml").symlink_to("data/kiosk.yaml")
    kiosk = start(None, file=tmp_path / "link.yaml")
    assert page(kiosk) == "p0"
    # Like Kubernetes and `ln -sfn`.
    (tmp_path / "next").symlink_to("release1")
    (tmp_path / "next").rename(tmp_path / "data")
    kiosk.until(lambda: page(kiosk) == "p1", "the other link's target is shown")
    # Like an editor that saves the target.
    (tmp_path / "release1/new").write_text(renamed("mended"))
    (tmp_path / "release1/new").rename(tmp_path / "release1/kiosk.yaml")
    kiosk.until(lambda: page(kiosk) == "mended", "the saved file is shown")
    # Like a deployment that swaps whole folders.
    (tmp_path / "release1").rename(tmp_path / "old")
    (tmp_path / "release2").rename(tmp_path / "release1")
    kiosk.until(lambda: page(kiosk) == "p2", "the other folder's file is shown")
    time.sleep(0.2)
    before = kiosk.wake_ups()
    # The previous folder isn't watched any more.
    (tmp_path / "old/beside").write_text("x")
    time.sleep(0.2)
    assert kiosk.wake_ups() == before
    kiosk.ends_when_asked()


def test_a_fifo_instead_of_the_kiosk_file_is_rejected_and_a_file_is_read_again(start, tmp_path):
    kiosk = start(renamed("before"))
    kiosk.file.unlink()
    os.mkfifo(kiosk.file)
    answer = kiosk.wire.ask("reload")
    assert "kiosk.yaml" in answer["message"]
    assert page(kiosk) == "before"
    (tmp_path / "new").write_text(renamed("after"))
    (tmp_path / "new").rename(kiosk.file)
    kiosk.until(lambda: page(kiosk) == "after", "the file is shown")
    kiosk.ends_when_asked()


def paint(file, color):
    """Creates a one-colour image."""
    source = file.parent / "paint.yaml"
    source.write_text(f'kiosk: paint\nscreen: {{size: [64, 64], background: "{color}"}}\n'
                      "pages: [{page: only, controls: [{label: none, at: [0, 0], text: x}]}]\n")
    subprocess.run([ROUNDEL, "render", source, "-o", file], check=True)


def test_a_changed_image_is_shown_and_a_broken_one_is_reported(start, tmp_path):
    paint(tmp_path / "art.png", "#ff0000")
    kiosk = start(PICTURE)
    before = kiosk.wire.ask("screenshot")
    paint(tmp_path / "art.png", "#00ff00")
    kiosk.until(lambda: kiosk.wire.ask("screenshot") != before, "the picture differs")
    (tmp_path / "art.png").write_bytes(b"no picture")
    answer = kiosk.wire.ask("reload")
    assert "kiosk.yaml:6:60: error: " in answer["message"] and "art.png" in answer["message"]
    after = kiosk.wire.ask("screenshot")
    paint(tmp_path / "art.png", "#0000ff")  # watched all the same
    kiosk.until(lambda: kiosk.wire.ask("screenshot") != after, "the picture differs again")
    kiosk.ends_when_asked()


# Signals and sockets.

@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2])
def test_terminating_signals_end_the_kiosk_cleanly(start, how):
    start().ends_when_asked(how)


def test_the_socket_of_an_aborted_kiosk_is_replaced(start):
    kiosk = start()
    kiosk.process.send_signal(signal.SIGABRT)
    assert kiosk.process.wait(timeout=20) == -signal.SIGABRT
    assert kiosk.socket.is_socket()
    gone = subprocess.run([ROUNDEL, "status", "--socket", kiosk.socket], capture_output=True,
                          text=True)
    assert gone.returncode == 69, gone
    start().ends_when_asked()


@pytest.mark.parametrize("make", [
    lambda path: path.write_text("notes"), lambda path: path.mkdir(),
    lambda path: path.symlink_to("/nowhere"),
], ids=["file", "folder", "link"])
def test_a_file_that_is_not_a_socket_is_not_replaced(tmp_path, make):
    path = tmp_path / "control.sock"
    make(path)
    refused = subprocess.run(
        [ROUNDEL, "run", "--display", "headless", "--socket", path, KIOSK], capture_output=True,
        text=True, timeout=20)
    assert refused.returncode == 69
    assert f"{path}: another file is there; remove it, or choose another --socket" in refused.stderr
    assert path.is_symlink() or path.exists()


BESIDE = PROGRAMS.replace('[sleep, "4"]', "[hello, there]")


@pytest.mark.parametrize("place", ["beside", "in PATH"])
def test_a_program_is_searched_next_to_the_kiosk_file_and_then_in_path(tmp_path, place):
    (folder := tmp_path / "kiosk").mkdir()
    (path := tmp_path / "path").mkdir()
    (elsewhere := tmp_path / "elsewhere").mkdir()
    for where in [path, elsewhere] + ([folder] if place == "beside" else []):
        program = where / "hello"
        program.write_text(f'#!/bin/sh\necho "{where.name} $1" > "{tmp_path}/said"\n')
        program.chmod(0o755)
    (folder / "kiosk.yaml").write_text(BESIDE)
    # The working directory doesn't matter.
    kiosk = Kiosk(
        folder, file=folder / "kiosk.yaml", cwd=elsewhere,
        env={**os.environ, "PATH": f"{path}:{os.environ['PATH']}"})
    try:
        kiosk.wire.ask("tap", target="start")
        said = tmp_path / "said"
        kiosk.until(lambda: said.exists() and said.read_text(), "the program has run")
        assert said.read_text() == f"{'kiosk' if place == 'beside' else 'path'} there\n"
        kiosk.ends_when_asked()
    finally:
        kiosk.process.kill()
        kiosk.process.wait()
