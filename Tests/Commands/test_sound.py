# SPDX-License-Identifier: MIT
"""Sounds of `play`, through ALSA plugins that write to a file or to nowhere."""

import array
import json
import os
import pathlib
import signal
import struct
import subprocess
import sys
import time
import wave

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import ROUNDEL, LiveKiosk  # noqa: E402

KIOSK = """\
kiosk: sounds
values: {which: high}
pages:
  - page: first
    controls:
      - button: bell
        at: [300, 400]
        size: [300, 300]
        text: Bell
        on: {selected: [{play: sounds/bell.wav}]}
      - button: choice
        at: [900, 400]
        size: [300, 300]
        text: Choice
        on: {selected: [{play: "sounds/{which}.wav"}]}
"""
BELL = [(37 * index) % 20_000 - 10_000 for index in range(5_000)]
HIGH = [(index * index) % 3_000 for index in range(3_001)]


def write_wav(path, samples, rate=48_000):
    path.parent.mkdir(exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(struct.pack(f"<{len(samples)}h", *samples))


def roundel(*words):
    return subprocess.run([ROUNDEL, *map(str, words)], capture_output=True, text=True, timeout=60)


def stereo(samples):
    return [sample for sample in samples for _ in "lr"]


@pytest.fixture
def folder(tmp_path):
    write_wav(tmp_path / "sounds/bell.wav", BELL)
    write_wav(tmp_path / "sounds/high.wav", HIGH)
    (tmp_path / "source.yaml").write_text(KIOSK)
    return tmp_path


class Speaker:
    """A sound card that records its input."""

    def __init__(self, folder, monkeypatch):
        self.file = folder / "heard"
        self._settings = folder / "asound.conf"
        self.plug()
        monkeypatch.setenv("ALSA_CONFIG_PATH", str(self._settings))

    def plug(self):
        self._settings.write_text(
            f'pcm.default {{ type file slave.pcm {{ type null }} file "{self.file}" format raw }}\n')

    def unplug(self):
        self._settings.write_text("pcm.default { type hw card 31 }\n")

    @property
    def heard(self):
        samples = array.array("h")
        samples.frombytes(self.file.read_bytes())
        return list(samples)


@pytest.fixture
def speaker(folder, monkeypatch):
    return Speaker(folder, monkeypatch)


@pytest.fixture
def start(folder):
    kiosks = []

    def begin():
        kiosks.append(LiveKiosk(folder, file=folder / "source.yaml"))
        return kiosks[0]

    yield begin
    for kiosk in kiosks:
        kiosk.close()


def wait_for(kiosk, **expected):
    deadline = time.monotonic() + 20
    while True:
        sound = kiosk.json("status").get("sound", {})
        if all(sound.get(name) == value for name, value in expected.items()):
            return sound
        assert time.monotonic() < deadline, f"never {expected}: {sound}"
        time.sleep(0.02)


def test_a_sound_is_played_exactly_to_its_end(start, speaker):
    kiosk = start()
    assert "sound" not in kiosk.json("status")
    assert not speaker.file.exists()  # no card is open before there is a sound
    kiosk.run("tap", "bell")
    wait_for(kiosk, state="silent", count=1)
    assert speaker.heard == stereo(BELL)
    kiosk.run("tap", "choice")
    wait_for(kiosk, state="silent", count=2)
    assert speaker.heard == stereo(BELL + HIGH)


def test_an_invalid_sound_name_from_a_template_is_a_harmless_failure(start, speaker):
    kiosk = start()
    kiosk.run("set", "which=lost")
    kiosk.run("tap", "choice")
    failure = json.loads(kiosk.events.until("failed")[-1])
    assert failure["message"].startswith("play: cannot read the sound ")
    assert failure["message"].endswith("/sounds/lost.wav: No such file or directory")
    kiosk.run("tap", "bell")
    wait_for(kiosk, state="silent", count=1)
    assert speaker.heard == stereo(BELL)


def test_the_card_is_closed_after_the_last_sound_and_then_nothing_wakes_up(start, speaker):
    kiosk = start()
    kiosk.run("tap", "bell")
    wait_for(kiosk, state="silent", count=1)
    descriptors = pathlib.Path(f"/proc/{kiosk.process.pid}/fd")

    def is_open():
        return str(speaker.file) in [os.readlink(file) for file in descriptors.iterdir() if file.exists()]

    deadline = time.monotonic() + 20
    while is_open():
        assert time.monotonic() < deadline, "it stays open"
        time.sleep(0.1)

    def switches():
        tasks = pathlib.Path(f"/proc/{kiosk.process.pid}/task").iterdir()
        return [line for task in tasks for line in (task / "status").read_text().splitlines()
                if "ctxt_switches" in line]

    before = switches()
    time.sleep(1)
    assert switches() == before


def test_without_a_card_the_kiosk_is_silent_and_reports_it_once(start, speaker):
    speaker.unplug()
    kiosk = start()
    kiosk.run("tap", "bell")
    status = wait_for(kiosk, state="failed")
    assert status["problem"].startswith('cannot play sound: ALSA\'s device "default" fails: ')
    for _ in range(3):
        kiosk.run("tap", "bell")
    wait_for(kiosk, state="failed", count=4)
    kiosk.process.send_signal(signal.SIGTERM)
    rest = list(iter(kiosk.log.next, None))
    assert [line.split("] ")[-1] for line in rest if "sound" in line or "ALSA" in line] == [
        status["problem"] + "; see roundel doctor\n"]
    assert "failed" not in "".join(iter(kiosk.events.next, None))


def test_a_card_that_is_connected_later_is_used(start, speaker):
    speaker.unplug()
    kiosk = start()
    kiosk.run("tap", "bell")
    wait_for(kiosk, state="failed", count=1)
    speaker.plug()
    # The first attempt is immediate.
    kiosk.run("tap", "bell")
    wait_for(kiosk, state="silent", count=2)
    assert speaker.heard == stereo(BELL)
    kiosk.log.until("sound works again")


def test_a_card_that_hangs_delays_nothing_and_the_kiosk_still_exits(start, speaker):
    # Opening a pipe without a reader waits forever.
    os.mkfifo(speaker.file)
    kiosk = start()
    for _ in range(12):
        kiosk.run("tap", "bell")
    wait_for(kiosk, state="playing", count=12)
    assert kiosk.json("status")["client_work"]["longest_turn"] < 0.1
    kiosk.process.send_signal(signal.SIGTERM)
    assert kiosk.process.wait(10) == 0


def test_replays_pictures_and_suites_are_silent(folder, speaker):
    kiosk = folder / "source.yaml"
    (folder / "tap.jsonl").write_text(
        '{"t":0.1,"down":{"finger":0,"x":300,"y":400}}\n{"t":0.2,"up":{"finger":0}}\n{"t":9,"end":true}\n')
    (folder / "suite.yaml").write_text(
        "suite: s\nkiosk: source.yaml\ntests: [{test: t, steps: [{tap: bell}, "
        "{expect: {event: selected, control: bell}}]}]\n")
    assert '"selected"' in roundel("replay", kiosk, folder / "tap.jsonl").stdout
    assert roundel("test", folder / "suite.yaml").returncode == 0
    assert roundel("render", kiosk, "-o", folder / "x.png").returncode == 0
    assert not speaker.file.exists()


BROKEN = {
    "lost": (None, "cannot read the sound FILE: No such file or directory"),
    "empty": (b"", "it is not a WAV file"),
    "garbage": (b"\x89PNG\r\n\x1a\n" * 9, "it is not a WAV file"),
    "cut off": (b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0", "the file is truncated in its format"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_check_reports_a_sound_that_cannot_be_played(folder, name):
    content, reason = BROKEN[name]
    bell = folder / "sounds/bell.wav"
    bell.unlink()
    if content is not None:
        bell.write_bytes(content)
    result = roundel("check", folder / "source.yaml")
    assert result.returncode == 1
    assert result.stderr == (
        f"{folder}/source.yaml:10:32: error: sound \"sounds/bell.wav\": {reason.replace('FILE', str(bell))} "
        "(expected a WAV file)\n")


def test_the_sounds_of_a_kiosk_have_a_common_limit(folder):
    with wave.open(str(folder / "sounds/bell.wav"), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(1)
        file.setframerate(48_000)
        file.writeframes(bytes(17 << 20))
    result = roundel("check", folder / "source.yaml")
    assert "its samples need 34 MiB, and the previous sounds 0 MiB (at most 32 MiB for all sounds " \
        "of a kiosk)" in result.stderr


def test_sounds_belong_to_the_files_of_a_kiosk(folder):
    listed = roundel("check", "--files", folder / "source.yaml").stdout
    assert listed.splitlines() == [f"{folder}/source.yaml", f"{folder}/sounds/bell.wav"]


def test_a_new_version_of_a_sound_is_used_once_it_is_loaded(start, folder, speaker):
    kiosk = start()
    write_wav(folder / "sounds/bell.wav", [5, 6, 7])
    kiosk.log.until("was reloaded")
    kiosk.run("tap", "bell")
    wait_for(kiosk, state="silent", count=1)
    assert speaker.heard == stereo([5, 6, 7])
