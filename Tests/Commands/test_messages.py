# SPDX-License-Identifier: MIT
"""Messages and pages over others on a running kiosk, and its actions for `emit` of programs."""

import json
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import LiveKiosk  # noqa: E402

KIOSK = """\
kiosk: bakery
screen: {size: [800, 480]}
values: {loaves: 0}
on: {emitted: [{set: {loaves: "{event.loaves}"}, when: "event.name == 'baked'"}]}
pages:
  - page: shelf
    controls:
      - {button: buy, at: [200, 240], size: [200, 100], text: Buy}
  - page: prices
    over: true
    controls:
      - {button: close, at: [400, 240], size: [200, 100], text: Close, on: {selected: [{go: back}]}}
"""


@pytest.fixture
def kiosk(tmp_path):
    file = tmp_path / "bakery.yaml"
    file.write_text(KIOSK)
    kiosk = LiveKiosk(tmp_path, file=file)
    yield kiosk
    kiosk.close()


def test_a_message_is_shown_by_a_command_and_dismissed_by_a_touch(kiosk):
    kiosk.run("notify", "Fresh bread.", "--title", "Bakery", "--level", "alarm")
    assert kiosk.get("over") == "message" and kiosk.get("page") == "shelf"
    assert kiosk.get("message.title") == "Bakery"
    tree = kiosk.json("tree")
    assert (tree["page"], tree["over"]) == ("shelf", "message")
    assert [page["page"] for page in tree["pages"] if page["shown"]] == ["shelf", "message"]
    told = []
    kiosk.run("tap", "@ok")
    while (event := json.loads(kiosk.events.next()))["event"] != "dismissed":
        told.append(event["event"])
    assert "notified" in told and event["text"] == "Fresh bread." and event["level"] == "alarm"
    assert kiosk.get("over") == "" and "over" not in kiosk.json("tree")


def test_messages_and_pages_wait_their_turn_on_the_socket(kiosk):
    wire = kiosk.connect()
    assert wire.ask("show", page="prices") is True or kiosk.get("over") == "prices"
    wire.ask("notify", text="Later", seconds=60)
    assert kiosk.get("over") == "prices"
    kiosk.run("tap", "close")
    assert kiosk.get("over") == "message"
    kiosk.run("go", "back")
    assert kiosk.get("over") == ""


def test_unsuitable_requests_are_refused_with_the_reason(kiosk):
    assert "is shown over others" in kiosk.run("go", "prices", code=64).stderr
    assert "is not shown over others" in kiosk.run("show", "shelf", code=64).stderr
    kiosk.run("notify", "x", "--level", "loud", code=64)
    kiosk.run("notify", "x", "--seconds", "-1", code=64)


def test_an_emit_of_a_client_triggers_actions(kiosk):
    kiosk.run("emit", "baked", "loaves=12")
    assert kiosk.get("loaves") == 12
