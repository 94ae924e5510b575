# SPDX-License-Identifier: MIT
"""The recordings of Tests/Looks/Motion, which `deploy/tools/contact-sheets --motion` shows as strips."""

import json

import pytest

from live import TOP, run

KIOSKS = [*(TOP / "Tests/Looks/Kiosks").glob("*.yaml"), *(TOP / "deploy/examples/kiosks").glob("*.yaml")]
RECORDINGS = sorted((TOP / "Tests/Looks/Motion").glob("*.jsonl"))


def test_there_are_recordings():
    assert len(RECORDINGS) >= 12


@pytest.mark.parametrize("recording", RECORDINGS, ids=[path.stem for path in RECORDINGS])
def test_controls_move_from_shot_to_shot_until_they_rest(recording, tmp_path):
    [kiosk] = [kiosk for kiosk in KIOSKS if recording.name.startswith(f"{kiosk.stem}-")]
    done = run("replay", kiosk, recording, "--shots", tmp_path, "--size", "400x300")
    assert '"event":"failed"' not in done.stdout
    lines = map(json.loads, recording.read_text().splitlines())
    names = [line["shot"] for line in lines if "shot" in line]
    shots = [(tmp_path / name).read_bytes() for name in names]
    alike = [name for name, shot, before in zip(names[1:], shots[1:], shots) if shot == before]
    assert alike == names[-1:], "shots that are like the one before, of which only the last should be"
