# SPDX-License-Identifier: MIT
"""Under a service manager a kiosk always shows something, even if its file is invalid."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import ROUNDEL, run  # noqa: E402
from unit import Unit  # noqa: E402

GOOD = """
kiosk: wall
values: {guests: {value: 0, keep: true}}
pages:
  - page: only
    controls:
      - {label: welcome, at: [640, 400], text: "Welcome {guests}"}
"""
BROKEN = "kiosk: wall\npages: [{page: only, controls: [{label: {}}]}]\n"
WITHIN = 40  # seconds; a start is stable after ten


class Wall(Unit):
    """A kiosk with the state that its unit keeps."""

    def __init__(self, folder):
        super().__init__(folder)
        self.ends = folder / "run/wall.ends"
        self.copy = pathlib.Path(f"{folder}/state/last/wall.yaml{self.file}")

    def status(self):
        return json.loads(run("status", "--json", "--socket", self.socket).stdout)

    def shown(self, *, copy):
        """Returns the visible kiosk and the reason, consistent in all interfaces."""
        status = self.status()
        event = json.loads(self.events.until("failed")[-1])
        assert event["message"] == status["fault"]
        assert ("the last working copy" in status["fault"]) == copy
        assert status["stand_in"] == ("copy" if copy else "page")
        assert status["kiosk"] == ("wall" if copy else "roundel")
        return status["fault"]

    def mark_as_stable(self):
        """Runs the kiosk until it becomes the fallback copy."""
        self.ends.write_text("core-dump ILL\n" * 2)
        self.start()
        wait_until(self.copy.exists)
        assert not self.ends.exists()
        self.stop()


def wait_until(condition):
    deadline = time.monotonic() + WITHIN
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def ended(unit):
    yield unit
    if unit.process:
        unit.process.kill()
        unit.process.wait()


@pytest.fixture
def unit(tmp_path):
    """A kiosk that has never been shown."""
    yield from ended(Wall(tmp_path))


@pytest.fixture(scope="module")
def shown_once(tmp_path_factory):
    unit = Wall(tmp_path_factory.mktemp("stable"))
    (unit.folder / "more.yaml").write_text("{label: more, at: [640, 600], text: More}\n")
    unit.file.write_text(GOOD + "      - {include: more.yaml}\n")
    unit.mark_as_stable()
    yield from ended(unit)


@pytest.fixture
def stable(shown_once):
    """A stopped kiosk with a fallback copy."""
    yield shown_once
    shown_once.stop(signal.SIGKILL)
    shown_once.ends.unlink(missing_ok=True)


def test_a_file_with_errors_shows_the_last_good_copy_until_it_is_fixed(stable):
    stable.file.write_text(BROKEN)
    log = stable.start()
    assert f"{stable.file}:2:" in log
    assert "has errors" in stable.shown(copy=True)
    assert run("get", "more.text", "--socket", stable.socket).stdout == "More\n"
    stable.file.write_text(GOOD)
    # The service manager restarts the process.
    assert stable.process.wait(timeout=WITHIN) == 0
    stable.start()
    assert "fault" not in stable.status() and "stand_in" not in stable.status()


def test_without_a_copy_a_page_shows_the_errors_and_how_to_reach_the_machine(unit):
    unit.file.write_text(BROKEN)
    unit.start()
    assert "has errors" in unit.shown(copy=False)
    assert f"{unit.file}:2:" in run("get", "reasons.text", "--socket", unit.socket).stdout
    assert f"ssh {socket.gethostname()}" in run("get", "help.text", "--socket", unit.socket).stdout
    # The page shows new errors instead, or that the file is missing.
    unit.file.write_text("kiosk: [\n")
    wait_until(lambda: ":2:" not in run("get", "reasons.text", "--socket", unit.socket).stdout)
    unit.file.unlink()
    wait_until(lambda: "No such file" in run("get", "reasons.text", "--socket", unit.socket).stdout)
    unit.file.write_text(GOOD)
    assert unit.process.wait(timeout=WITHIN) == 0


@pytest.mark.parametrize("size", [(1280, 800), (800, 480), (480, 800), (320, 240), (3840, 2160)])
def test_the_page_fills_any_panel_with_legible_text(unit, size):
    unit.file.write_text(BROKEN)
    unit.start(ROUNDEL, "--size", "{}x{}".format(*size))
    tree = json.loads(run("tree", "--json", "--socket", unit.socket).stdout)
    design = tree["size"]
    assert design[0] * size[1] == pytest.approx(design[1] * size[0])
    # Text has a size of 26, but at least 16 pixels.
    assert 26 * size[0] / design[0] == pytest.approx(max(16, min(size) * 26 / 800))
    for control in tree["pages"][0]["controls"]:
        x, y = control["at"]
        assert 0 < x < design[0] and 0 < y < design[1]


def test_the_copy_is_replaced_atomically(stable):
    """A power cut leaves one of the two copies, never a mixture."""
    place = stable.folder / "state/last/wall.yaml"
    files = [stable.file, stable.folder / "more.yaml"]

    def text(folder, file):
        """Returns a file of the copy, or None if the copy was replaced."""
        try:
            with open(os.open(str(file).lstrip("/"), os.O_RDONLY, dir_fd=folder)) as content:
                return content.read()
        except FileNotFoundError:
            return ""

    def look():
        """Returns which files of the current copy are new."""
        folder = os.open(place, os.O_RDONLY)
        try:
            return tuple("Again" in text(folder, file) for file in files)
        finally:
            os.close(folder)

    before = [file.read_text() for file in files]
    kept = shutil.copytree(place, stable.folder / "kept")
    stable.start()
    try:
        files[1].write_text("{label: more, at: [640, 600], text: Again}\n")
        files[0].write_text(GOOD.replace("Welcome", "Again") + "      - {include: more.yaml}\n")
        seen = {look()}
        deadline = time.monotonic() + WITHIN
        while (True, True) not in seen and time.monotonic() < deadline:
            seen.add(look())
        assert seen == {(False, False), (True, True)}
        wait_until(lambda: not place.with_name("wall.yaml.new").exists())
    finally:
        # Restores the state for other tests.
        stable.stop(signal.SIGKILL)
        for file, content in zip(files, before):
            file.write_text(content)
        shutil.rmtree(place)
        kept.rename(place)


def test_a_kiosk_that_ends_repeatedly_goes_down_the_fallback_stages(stable):
    stable.file.write_text(GOOD.replace("Welcome", "Crash"))
    for count, text in ((2, "Crash 0\n"), (3, "Welcome 0\n"), (5, "Welcome 0\n")):
        stable.ends.write_text("core-dump ILL\n" * count)
        stable.start()
        assert run("get", "welcome.text", "--socket", stable.socket).stdout == text
        stable.stop(signal.SIGKILL)
    stable.ends.write_text("core-dump ILL\n" * 5 + "watchdog ABRT\n")
    stable.start()
    assert "the last 6 starts failed, most recently by watchdog ABRT" in stable.shown(copy=False)
    # A changed file is tried again, at the first stage.
    stable.file.write_text(GOOD.replace("Welcome", "Mended"))
    assert stable.process.wait(timeout=WITHIN) == 0
    assert not stable.ends.exists()


def test_a_lasting_copy_keeps_its_stage_and_a_clean_end_leaves_it(stable):
    stable.file.write_text(GOOD.replace("Welcome", "Crash"))
    stable.ends.write_text("oom-kill KILL\n" * 5)
    stable.start()
    wait_until(lambda: stable.ends.read_text().count("\n") == 3)
    assert "Welcome" in stable.copy.read_text()
    assert stable.stop() == 0
    assert not stable.ends.exists()


def test_started_by_hand_a_file_with_errors_ends_immediately(tmp_path):
    file = tmp_path / "wall.yaml"
    file.write_text(BROKEN)
    environment = {name: text for name, text in os.environ.items() if name != "NOTIFY_SOCKET"}
    done = subprocess.run([ROUNDEL, "run", "--display", "headless", file], env=environment,
                          capture_output=True, text=True, timeout=WITHIN)
    assert done.returncode == 65
