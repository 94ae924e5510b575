# SPDX-License-Identifier: MIT
"""Animated controls: the panel does the same as a replay of its touches."""

import pytest
from recorder import glide

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


@pytest.fixture(scope="module")
def panel(machines, tmp_path_factory):
    file = tmp_path_factory.mktemp("controls") / "controls.yaml"
    file.write_text(KIOSK)
    return machines.show(file, size=SIZE)


def test_a_flung_dial_lands_in_the_same_place_as_in_a_replay(panel, recorder):
    glide(panel, [(300 + 18 * step, 110 + step * step) for step in range(10)])
    panel.touch("up", 0)
    recorder.until_told(("dial", "settled"))
    told, expected, looks_right = recorder.finish()
    assert [event["event"] for event in told][0] == "pressed"
    assert told == expected
    assert looks_right


def test_a_drag_to_a_leaf_selects_it_and_closes_the_menu(panel, recorder):
    glide(panel, [(920 + 16 * step, 300 + 8 * step) for step in range(8)], pause=0.08)
    panel.touch("up", 0)
    recorder.until_told(("menu", "selected"), ("menu", "closed"))
    told, expected, looks_right = recorder.finish()
    assert [event.get("item") for event in told if event["event"] == "selected"] == ["right"]
    assert told == expected
    assert looks_right


def test_a_tapped_slot_machine_spins_and_stops_on_the_items_of_its_replay(panel, recorder):
    panel.touch("down", 0, (640, 690))
    panel.touch("up", 0)
    recorder.until_told(("slots", "started"), ("slots", "settled"))
    told, expected, looks_right = recorder.finish()
    assert told == expected
    assert looks_right
