# SPDX-License-Identifier: MIT
"""A reload, a restart and a stop of a kiosk that controls a real machine leave nothing running."""

import json
import pathlib
import signal
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import LiveKiosk  # noqa: E402

MACHINE = """
kiosk: machine
values:
  moving: {value: false, keep: true}
  relay: {value: false, keep: true}
pages:
  - page: only
    controls:
      - button: jog
        at: [300, 400]
        size: [400, 200]
        text: Jog
        on:
          pressed: [{set: {moving: true}}, {run: [./axis, on]}]
          selected: [{set: {moving: false}}, {run: [./axis, off]}]
          cancelled: [{set: {moving: false}}, {run: [./axis, off]}]
      - button: pulse
        at: [900, 400]
        size: [400, 200]
        text: Pulse
        on: {selected: [{set: {relay: true}}, {set: {relay: false}, after: 60}]}
"""
AXIS = """#!/bin/sh
# Takes a moment, as a fieldbus does.
sleep 0.2
echo "$1" >> "$(dirname "$0")/axis.log"
"""


@pytest.fixture
def machine(tmp_path, monkeypatch):
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    axis = tmp_path / "axis"
    axis.write_text(AXIS)
    axis.chmod(0o755)
    file = tmp_path / "machine.yaml"
    file.write_text(MACHINE)
    kiosk = LiveKiosk(tmp_path, file=file)
    yield kiosk
    kiosk.close()


def hold(kiosk):
    """Holds the button with a finger that is never lifted, and starts the pulse."""
    kiosk.run("tap", "pulse")
    finger = kiosk.begin("touch", stdin=-1)
    finger.stdin.write('{"t":0,"down":{"finger":7,"x":300,"y":400}}\n')
    finger.stdin.flush()
    kiosk.run("wait", "moving && relay")
    return finger


def kept(kiosk):
    path = kiosk.folder / "state/roundel/machine.json"
    return json.loads(path.read_text())["values"]


def axis(kiosk):
    log = kiosk.folder / "axis.log"
    return log.read_text().split() if log.exists() else []


def test_saving_the_file_stops_an_axis_if_the_held_button_has_changed(machine):
    with hold(machine) as finger:
        machine.file.write_text(machine.file.read_text() + "\n# saved again\n")
        machine.log.until("was reloaded")
        assert machine.get("moving") is True
        machine.file.write_text(machine.file.read_text().replace("text: Jog", "text: Move"))
        machine.log.until("was reloaded")
        machine.run("wait", "!moving", "--timeout", "10")
        # The pulse keeps its time.
        assert machine.get("relay") == {"value": True} or machine.get("relay") is True
        finger.kill()


def test_a_restart_stops_the_axis_and_ends_pulses(machine):
    with hold(machine) as finger:
        machine.run("restart")
        machine.run("wait", "!moving && !relay", "--timeout", "10")
        finger.kill()


@pytest.mark.parametrize("end", ["stop", signal.SIGTERM, signal.SIGINT])
def test_a_stop_stops_the_axis_waits_for_programs_and_notifies_clients(machine, end):
    with machine.begin("watch", "moving", "relay") as watch, hold(machine) as finger:
        if end == "stop":
            machine.run("stop")
        else:
            machine.process.send_signal(end)
        assert machine.process.wait(timeout=20) == 0
        finger.kill()
        last = {}
        for line in watch.stdout:
            told = json.loads(line)
            last[told.get("watch")] = told.get("value")
    assert (last["moving"], last["relay"]) == (False, False)
    # The programs run at the same time: on a busy machine the first may write last.
    assert sorted(axis(machine)) == ["off", "on"]
    assert kept(machine) == {"moving": False, "relay": False}
    events = [json.loads(line) for line in iter(machine.events.next, None)]
    assert "cancelled" in [event["event"] for event in events if event.get("control") == "jog"]


def test_a_killed_kiosk_runs_no_actions(machine):
    with hold(machine) as finger:
        machine.process.kill()
        machine.process.wait()
        finger.kill()
    assert axis(machine)[-1:] in ([], ["on"])
