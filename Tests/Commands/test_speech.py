# SPDX-License-Identifier: MIT
"""The cost of speech: how soon a key is heard, and memory while it is off. The limits are several times the
measured values, because machines are busy; `-s` shows the measurements."""

import array
import os
import pathlib
import shutil
import statistics
import subprocess
import time

import pytest

from live import LiveKiosk

KIOSK = """\
kiosk: talk
speech: {start: key}
pages:
  - page: first
    spoken: Tea
    controls:
      - {dial: clock, at: [400, 400], radius: 300, labels: 60, ticks: {every: 0.05}}
      - {button: one, at: [900, 200], size: [200, 200], text: One}
      - {button: two, at: [900, 600], size: [200, 200], text: Two}
"""
KEYS = 20
# Of 32767; lower values are silence.
AUDIBLE = 100
FRAME_BYTES = 4


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Starts a kiosk whose sound is written to the file `heard`."""
    kiosks = []
    settings = tmp_path / "asound.conf"
    settings.write_text(
        f'pcm.default {{ type file slave.pcm {{ type null }} file "{tmp_path}/heard" format raw }}\n')
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(settings))

    def begin(text=KIOSK, name="talk"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "source.yaml").write_text(text)
        kiosks.append(LiveKiosk(folder, file=folder / "source.yaml"))
        return kiosks[-1]

    yield begin
    for kiosk in kiosks:
        kiosk.close()


def children(kiosk):
    return subprocess.run(
        ["pgrep", "-P", str(kiosk.process.pid)], capture_output=True, text=True).stdout.split()


def most_resident(process):
    """The maximum resident size in KiB, or 0 after the exit."""
    try:
        text = pathlib.Path(f"/proc/{process}/status").read_text()
        return int(text.split("VmHWM:")[1].split()[0])
    except (OSError, IndexError):
        return 0


def switches(kiosk):
    tasks = pathlib.Path(f"/proc/{kiosk.process.pid}/task").iterdir()
    return [line for task in tasks for line in (task / "status").read_text().splitlines()
            if "ctxt_switches" in line]


def loaded(kiosk):
    """The files mapped into the kiosk's memory."""
    lines = pathlib.Path(f"/proc/{kiosk.process.pid}/maps").read_text().splitlines()
    return {line.split()[5] for line in lines if len(line.split()) > 5 and "/" in line.split()[5]}


class Ear:
    """Listens to samples written to a file."""

    def __init__(self, file):
        self.file = file
        self.start = file.stat().st_size if file.exists() else 0

    def size(self):
        return (self.file.stat().st_size if self.file.exists() else 0) - self.start

    def wait(self, timeout=10):
        """Waits for samples, and returns their time and the seconds of silence at their start."""
        deadline = time.monotonic() + timeout
        while self.size() < FRAME_BYTES:
            assert time.monotonic() < deadline, "nothing is heard"
            time.sleep(0.0005)
        arrived = time.monotonic()
        while True:
            samples = array.array("h")
            with open(self.file, "rb") as file:
                file.seek(self.start)
                data = file.read()
            samples.frombytes(data[:len(data) // FRAME_BYTES * FRAME_BYTES])
            audible = next((index for index, sample in enumerate(samples) if abs(sample) > AUDIBLE), None)
            if audible is not None:
                return arrived, audible / 2 / 48_000
            assert time.monotonic() < deadline, "nothing but silence is heard"
            time.sleep(0.005)


def frames_while(wire, act):
    """Returns the frames per second during an action, and the number of late ones."""
    before = wire.ask("status")
    act()
    after = wire.ask("status")
    shown, late = (after["frames"][name] - before["frames"][name] for name in ("shown", "late"))
    return shown / (after["t"] - before["t"]), late


def test_a_key_is_heard_during_motion_and_costs_no_frame(start, tmp_path):
    kiosk = start()
    wire = kiosk.connect()
    wire.ask("set", property="clock.ticking", value=True)
    silent, _ = frames_while(wire, lambda: time.sleep(3))
    ear, pressed = Ear(tmp_path / "heard"), time.monotonic()
    wire.ask("key", key="next")
    arrived, silence = ear.wait()
    first = (arrived - pressed + silence) * 1000
    begun, audible, most = [], [], 0

    def listen():
        nonlocal most
        for _ in range(KEYS):
            time.sleep(0.3)
            most = max([most, *map(most_resident, children(kiosk))])
            ear = Ear(tmp_path / "heard")
            pressed = time.monotonic()
            wire.ask("key", key="next")
            arrived, silence = ear.wait()
            begun.append((arrived - pressed) * 1000)
            audible.append((arrived - pressed + silence) * 1000)

    speaking, late = frames_while(wire, listen)
    status = wire.ask("status")
    wire.close()
    print(f"\nfrom the key to ALSA {statistics.median(begun):.0f} ms, at worst {max(begun):.0f} ms; to what is audible "
          f"{statistics.median(audible):.0f} ms, at worst {max(audible):.0f} ms, by the first key {first:.0f} ms; "
          f"{silent:.1f} frames a second in silence, {speaking:.1f} while it speaks, {late} late; the program has "
          f"{most / 1024:.1f} MiB")
    assert status["speech"]["count"] > KEYS and "problem" not in status["speech"]
    assert statistics.median(audible) < 600
    assert late == 0 and speaking > 0.5 * silent
    assert 0 < most < 20 << 10


def test_the_voice_needs_less_than_20_mb_for_a_long_text():
    words = "Tell me all about the harpsichord, please. " * 90
    # The default program of a kiosk.
    with subprocess.Popen(
            ["espeak-ng", "--stdin", "--stdout", "-b", "1", "-v", "en", "-s", "175"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE) as voice:
        began = time.monotonic()
        voice.stdin.write(words.encode())
        voice.stdin.close()
        size, spoke, most = 0, None, 0
        while piece := voice.stdout.read1(1 << 16):
            spoke = spoke or time.monotonic() - began
            size += len(piece)
            most = max(most, most_resident(voice.pid))
    print(f"\n{len(words)} letters: the first samples after {spoke * 1000:.0f} ms, the last of {size >> 10} KiB after "
          f"{(time.monotonic() - began) * 1000:.0f} ms, {most / 1024:.1f} MiB")
    assert voice.returncode == 0 and size > 1 << 20
    assert 0 < most < 20 << 10


def test_before_speech_starts_none_of_it_is_loaded(start, tmp_path):
    kiosk, other = start(), start(KIOSK.replace("speech: {start: key}\n", ""), "mute")
    for each in (kiosk, other):
        each.run("wait", "--still")
    before = switches(kiosk)
    time.sleep(1)
    assert switches(kiosk) == before
    assert children(kiosk) == []

    def files(of):
        return {file for file in loaded(of) if not file.startswith(str(tmp_path))}

    assert files(kiosk) == files(other)
    assert not (tmp_path / "heard").exists()


def test_after_speech_stops_none_of_it_remains(start, tmp_path):
    kiosk = start()
    kiosk.run("key", "next")
    Ear(tmp_path / "heard").wait()
    assert children(kiosk)
    kiosk.run("key", "stop")
    deadline = time.monotonic() + 20

    def is_open():
        folder = pathlib.Path(f"/proc/{kiosk.process.pid}/fd")
        return str(tmp_path / "heard") in [os.readlink(file) for file in folder.iterdir() if file.exists()]

    while children(kiosk) or is_open():
        assert time.monotonic() < deadline, "something of it stays"
        time.sleep(0.05)
    before = switches(kiosk)
    time.sleep(1)
    assert switches(kiosk) == before


def test_the_kiosk_works_without_the_speech_program(start, tmp_path, monkeypatch):
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "sh").symlink_to(shutil.which("sh"))
    monkeypatch.setenv("PATH", str(empty))
    kiosk = start()
    monkeypatch.undo()
    kiosk.run("key", "next", "next", "next")
    told = [line for line in kiosk.events.until("failed") if "failed" in line]
    assert len(told) == 1 and "espeak-ng" in told[0]
    kiosk.run("key", "enter")
    kiosk.events.until('"selected"')
    status = kiosk.json("status")["speech"]
    assert status["count"] > 2 and "espeak-ng" in status["problem"]
