# SPDX-License-Identifier: MIT
"""An upgrade of the program keeps all selections."""

import json
import pathlib
import shutil
import signal
import socket
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import ROUNDEL, run  # noqa: E402
from unit import Unit  # noqa: E402

KIOSK = """
kiosk: wall
values: {cups: 1, guests: {value: 0, keep: true}}
languages: [en, de]
pages:
  - page: first
    controls:
      - pinwheel: shows
        at: [320, 400]
        radius: 200
        wedges: [{id: one, label: One}, {id: two, label: Two}]
        on: {selected: [{set: {cups: "{cups + 10}"}}]}
  - page: second
    on: {shown: [{set: {guests: "{guests + 1}"}}]}
    controls:
      - dial: hour
        at: [320, 300]
        radius: 150
        labels: [same, other, same, last]
        on: {settled: [{set: {cups: "{cups + 100}"}}]}
      - ring: heat
        at: [800, 300]
        radius: 120
        thickness: 20
        value: "{cups}"
      - toggle: lamp
        at: [1000, 600]
        size: [160, 80]
      - label: note
        at: [320, 700]
        text: nothing
      - keypad: pin
        at: [640, 600]
        size: [300, 300]
        layout: pin
      - picker: when
        at: [1100, 300]
        size: [200, 250]
        wheels: [{id: day, items: [Mo, Tu, We]}]
"""
CHOSEN = {"page": "second", "language": "de", "cups": 7, "guests": 1, "hour.value": 2, "hour.label": "same",
          "heat.value": 7, "lamp.value": True, "note.text": "hello", "when.day.index": 2, "shows.enabled": False}
FRESH = {"page": "first", "language": "en", "cups": 1, "guests": 1, "hour.value": 0, "hour.label": "same",
         "heat.value": 1, "lamp.value": False, "note.text": "nothing", "when.day.index": 0,
         "shows.enabled": True}


class Wall(Unit):
    """A kiosk started by one build of the program or another."""

    def __init__(self, folder):
        super().__init__(folder)
        self.file.write_text(KIOSK)
        self.left = folder / "run/wall.chosen"

    def use(self, *words):
        done = run(*words, "--socket", self.socket)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def choose(self):
        self.use("go", "second")
        self.use("set", "language=de", "hour.value=2", "lamp.value=true", "note.text=hello", "when.day.index=2",
                 "shows.enabled=false")
        self.use("wait", "cups == 101", "--timeout", "10")
        self.use("set", "cups=7")
        self.use("wait", "heat.value == 7", "--timeout", "10")
        # The ring may pass 7 before it settles.
        self.use("wait", "--still", "--timeout", "10")

    def state(self):
        return dict(zip(CHOSEN, map(json.loads, self.use("get", "--json", *CHOSEN).splitlines())))


@pytest.fixture
def unit(tmp_path):
    unit = Wall(tmp_path)
    yield unit
    if unit.process:
        unit.process.kill()
        unit.process.wait()


@pytest.fixture
def upgraded(tmp_path):
    """Another build of the program: another file for the kernel."""
    return shutil.copy(ROUNDEL, tmp_path / "roundel")


def test_another_build_restores_all_selections(unit, upgraded):
    unit.start(ROUNDEL)
    unit.choose()
    assert unit.state() == CHOSEN
    unit.stop()
    assert "continuing with the state of another build" in unit.start(upgraded)
    # Immediately, without events or actions.
    assert unit.state() == CHOSEN
    assert unit.left.exists() is False
    unit.stop()
    unit.start(upgraded)
    assert unit.state() == FRESH | {"guests": 1}


def test_state_missing_in_the_new_file_is_skipped(unit, upgraded):
    unit.start(ROUNDEL)
    unit.choose()
    unit.stop()
    unit.file.write_text(KIOSK.replace("[Mo, Tu, We]", "[Mo, Tu]").replace("languages: [en, de]", "")
                         .replace("page: second", "page: other"))
    unit.start(upgraded)
    assert unit.use("get", "page", "hour.value", "when.day.index").split() == ["first", "2", "0"]


@pytest.mark.parametrize("left", [
    "", "{", "[]", "null", '{"format": 2}', '{"format": 1, "kiosk": "wall"}',
    '{"format":1,"kiosk":"other","build":"x","page":"second","language":"de","values":{},"properties":{}}',
])
def test_an_invalid_handover_is_ignored(unit, left):
    unit.left.write_text(left)
    unit.start(ROUNDEL)
    assert unit.state() == FRESH | {"guests": 0}
    assert not unit.left.exists()


def test_a_handover_with_invalid_values_changes_nothing(unit):
    unit.left.write_text(json.dumps({
        "format": 1, "kiosk": "wall", "build": "x", "page": "nowhere", "language": "tlh",
        "values": {"cups": "many", "none": 1, "guests": [1]},
        "properties": {"hour": {"value": 1e300, "radius": 5, "": 1}, "none": {"x": 1}, "lamp": {"value": "on"},
                       "when": {"day.index": -1, "day": 3}, "shows": 3}}))
    unit.start(ROUNDEL)
    assert unit.state() == FRESH | {"guests": 0}
    assert unit.process.poll() is None


def test_a_killed_kiosk_starts_afresh(unit, upgraded):
    unit.start(ROUNDEL)
    unit.choose()
    unit.stop(signal.SIGKILL)
    unit.socket.unlink(missing_ok=True)
    unit.start(upgraded)
    assert unit.state()["hour.value"] == 0


def test_secret_input_is_not_handed_over(unit):
    unit.start(ROUNDEL)
    unit.choose()
    unit.stop()
    left = json.loads(unit.left.read_text())
    assert "pin" not in left["properties"] and "hour" in left["properties"]
    assert unit.left.stat().st_mode & 0o077 == 0
