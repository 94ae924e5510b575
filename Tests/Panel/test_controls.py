# SPDX-License-Identifier: MIT
"""What turns, bursts open and spins: on the panel it does what a replay of its touches does."""

import json
import os
import subprocess
import time

import pytest
from conftest import Journal
from panel.machine import Panel
from picture import Picture

SIZE = (1280, 800)
KIOSK = """\
kiosk: controls
screen: {size: [1280, 800], font: Inter}
pages:
  - page: all
    controls:
      - dial: dial
        at: [300, 300]
        radius: 240
        labels: 12
        label_offset: 40
      - menu: menu
        at: [920, 300]
        label: Menu
        items: [{id: up, label: Up}, {id: right, label: Right}, {id: down, label: Down}]
      - slots: slots
        at: [640, 690]
        size: [600, 180]
        rows: 1
        seed: 7
        reels:
          - {id: left, items: [A, B, C, D, E]}
          - {id: right, items: [1, 2, 3]}
"""
SOCKET = "/run/roundel/control.sock"


@pytest.fixture(scope="module")
def panel(binary, tmp_path_factory, no_leftovers):
    file = tmp_path_factory.mktemp("controls") / "controls.yaml"
    file.write_text(KIOSK)
    panel = Panel(f"test-controls-{os.getpid()}")
    try:
        panel.boot(binary, file, gpu="virtio", size=SIZE)
        panel.wait_for_kiosk()
        panel.wait_for_touchscreen()
        panel.file = file
        yield panel
    finally:
        panel.stop()


class Recorder:
    """Records the touches as the panel's kernel reports them, and what the kiosk tells of them."""

    def __init__(self, panel, binary, scratch):
        self._panel, self._binary, self._scratch = panel, binary, scratch
        self.journal = Journal(panel)
        panel.ssh(f"rm -f /run/taps.jsonl; systemd-run -q --collect --unit=recorder "
                  f"roundel record --socket {SOCKET} -o /run/taps.jsonl")
        self._wait(lambda: json.loads(
            panel.ssh(f"roundel status --socket {SOCKET} --json").stdout)["clients"] >= 2)

    def _wait(self, holds, timeout=60):
        deadline = time.monotonic() + timeout
        while not holds():
            assert time.monotonic() < deadline, f"told so far: {self.journal.events()}"
            time.sleep(0.2)

    def until_told(self, *expected):
        """Waits until each of those events was told, as (control, event)."""
        def told():
            seen = [(event.get("control"), event["event"]) for event in self.journal.events()]
            return all(event in seen for event in expected)
        self._wait(told)

    def finish(self):
        """What the kiosk told and shows, and what it should have, by a replay of its touches."""
        self._panel.ssh("systemctl kill -s INT recorder; "
                        "while systemctl is-active -q recorder; do sleep 0.1; done", check=False)
        taps = self._panel.ssh("cat /run/taps.jsonl").stdout
        lines = [json.loads(line) for line in taps.splitlines()]
        assert any("down" in line for line in lines)
        end = max(line["t"] for line in lines) + 20
        lines = [line for line in lines if "end" not in line]
        lines += [{"t": end, "shot": "end.png"}, {"t": end, "end": True}]
        file = self._scratch / "taps.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        result = subprocess.run(
            [self._binary, "replay", self._panel.file, file, "--shots", self._scratch], check=True,
            capture_output=True, text=True)
        shown = self._scratch / "screen.ppm"
        expected = Picture.read_png(self._scratch / "end.png")
        deadline = time.monotonic() + 15
        while True:
            self._panel.qmp("screendump", filename=str(shown), format="ppm")
            if Picture.read_ppm(shown) == expected or time.monotonic() > deadline:
                break
            time.sleep(0.1)
        return (without_time(self.journal.events()),
                without_time(json.loads(line) for line in result.stdout.splitlines()),
                Picture.read_ppm(shown) == expected)


def without_time(events):
    return [{key: value for key, value in event.items() if key != "t"} for event in events]


@pytest.fixture
def recorder(panel, binary, tmp_path):
    """A recorder on a kiosk that has just begun."""
    unit = f"roundel@{panel.state['kiosk']}.service"
    panel.ssh(f"systemctl restart {unit}")
    panel.wait_for_touchscreen()
    return Recorder(panel, binary, tmp_path)


def glide(panel, points, pause=0.01):
    panel.touch("down", 0, points[0])
    for point in points[1:]:
        time.sleep(pause)
        panel.touch("move", 0, point)


def test_a_flung_dial_lands_where_a_replay_of_the_fling_lands(panel, recorder):
    glide(panel, [(300 + 18 * step, 110 + step * step) for step in range(10)])
    panel.touch("up", 0)
    recorder.until_told(("dial", "settled"))
    told, expected, looks_right = recorder.finish()
    assert [event["event"] for event in told][0] == "pressed"
    assert told == expected
    assert looks_right


def test_a_drag_to_a_leaf_selects_it_and_folds_the_menu(panel, recorder):
    glide(panel, [(920 + 16 * step, 300 + 8 * step) for step in range(8)], pause=0.08)
    panel.touch("up", 0)
    recorder.until_told(("menu", "selected"), ("menu", "closed"))
    told, expected, looks_right = recorder.finish()
    assert [event.get("item") for event in told if event["event"] == "selected"] == ["right"]
    assert told == expected
    assert looks_right


def test_a_tapped_slot_machine_spins_and_stops_at_what_chance_says(panel, recorder):
    panel.touch("down", 0, (640, 690))
    panel.touch("up", 0)
    recorder.until_told(("slots", "started"), ("slots", "settled"))
    told, expected, looks_right = recorder.finish()
    assert told == expected
    assert looks_right
