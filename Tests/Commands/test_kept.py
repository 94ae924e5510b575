# SPDX-License-Identifier: MIT
"""Persistent values are on disk, however a kiosk ends."""

import json
import pathlib
import signal
import sys
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import LiveKiosk  # noqa: E402

COUNTER = """
kiosk: counter
values:
  count: {value: 0, max: 1000000, keep: true}
  guest: {value: "", keep: true}
  open: {value: false, keep: true}
  visits: 0
pages:
  - page: only
    controls:
      - button: add
        at: [640, 400]
        size: [400, 200]
        text: "{count}"
        on: {selected: [{set: {count: "{count + 1}", visits: "{visits + 1}"}}]}
"""
WITHIN = 5  # seconds until what is written every second has been written, on a busy machine


@pytest.fixture
def state(tmp_path, monkeypatch):
    """The file with the persistent values."""
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state/roundel/counter.json"


@pytest.fixture
def start(tmp_path):
    file = tmp_path / "counter.yaml"
    file.write_text(COUNTER)
    kiosks = []

    def begin():
        kiosks.append(LiveKiosk(tmp_path, file=file))
        return kiosks[-1]

    yield begin
    for kiosk in kiosks:
        kiosk.close()


def kept(state):
    return json.loads(state.read_text())["values"] if state.exists() else {}


def wait_until_kept(state, **values):
    deadline = time.monotonic() + WITHIN
    while not values.items() <= kept(state).items():
        assert time.monotonic() < deadline, f"{kept(state)}; expected {values}"
        time.sleep(0.02)


def test_persistent_values_survive_a_kill(start, state):
    kiosk = start()
    for _ in range(3):
        kiosk.run("tap", "add")
    kiosk.run("set", 'guest=Zoë "7"', "open=true")
    wait_until_kept(state, count=3, guest='Zoë "7"', open=True)
    kiosk.close()  # by SIGKILL

    kiosk = start()
    values = {name: kiosk.get(name) for name in ("count", "guest", "open", "visits")}
    assert values == {"count": 3, "guest": 'Zoë "7"', "open": True, "visits": 0}
    assert kiosk.get("add.text") == "3"
    kiosk.run("restart")
    assert kiosk.get("count") == 3


def test_a_stopped_kiosk_saves_the_last_values(start, state):
    kiosk = start()
    for count in range(1, 30):
        kiosk.run("set", f"count={count}")
    kiosk.process.send_signal(signal.SIGTERM)
    assert kiosk.process.wait(10) == 0
    assert kept(state)["count"] == 29


def test_a_kill_during_a_write_leaves_a_complete_file(start, state):
    last = 0
    for _ in range(5):
        kiosk = start()
        assert last <= kiosk.get("count")
        last = kiosk.get("count") + 1
        kiosk.run("set", f"count={last}")
        wait_until_kept(state, count=last)
        for count in range(last + 1, last + 8):
            kiosk.run("set", f"count={count}")
        kiosk.close()
        assert last <= kept(state)["count"] <= last + 7


@pytest.mark.parametrize("content", [
    b"", b'{"format":1,"values":{"count":', b'{"format":2,"values":{"count":5}}', b"\0" * 64,
    b'{"format":1,"values":5}', b"[" * 100_000,
], ids=["empty", "cut off", "of another version", "of zeros", "without values", "too deep"])
def test_an_unreadable_file_is_set_aside_and_reported(start, state, content):
    state.parent.mkdir(parents=True)
    state.write_bytes(content)
    kiosk = start()
    assert kiosk.get("count") == 0
    aside = state.with_name("counter.json.bad")
    assert aside.read_bytes() == content
    said = [line for line in kiosk.said if "persistent values" in line]
    assert len(said) == 1 and " error " in said[0].lower()
    assert f"cannot parse the persistent values in {state}" in said[0] and f"to {aside}" in said[0]
    kiosk.run("set", "count=4")
    wait_until_kept(state, count=4)
    kiosk.close()
    kiosk = start()
    assert kiosk.get("count") == 4
    assert "kept" not in "".join(kiosk.said)


def test_an_invalid_value_is_replaced_by_the_initial_one(start, state):
    state.parent.mkdir(parents=True)
    state.write_text('{"format":1,"values":{"count":9e9,"guest":5,"gone":1,"visits":7}}')
    kiosk = start()
    assert [kiosk.get(name) for name in ("count", "guest", "visits")] == [1_000_000, "", 0]
    assert "kept" not in "".join(kiosk.said)


def test_an_unwritable_folder_is_only_logged(start, state):
    state.parent.parent.write_text("a file where the folder should be")
    kiosk = start()
    for count in range(3):
        kiosk.run("tap", "add")
    assert kiosk.get("count") == 3
    line = kiosk.log.until("cannot save the persistent values")[-1]
    assert f"cannot save the persistent values in {state}: Not a directory" in line
    kiosk.run("restart")
    assert kiosk.get("count") == 3
    kiosk.process.send_signal(signal.SIGTERM)
    assert kiosk.process.wait(10) == 0
    assert "failed" not in "".join(iter(kiosk.events.next, None))


def test_a_kiosk_without_persistent_values_writes_nothing(tmp_path, state):
    kiosk = LiveKiosk(tmp_path)
    kiosk.run("restart")
    kiosk.process.send_signal(signal.SIGTERM)
    kiosk.process.wait(10)
    assert not state.parent.exists()
