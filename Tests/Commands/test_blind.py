# SPDX-License-Identifier: MIT
"""Every speaking kiosk can be used by ear with only a keyboard.

A `Guest` hears only the speech. It learns from it what Tab, Enter and the arrows do, and explores the rest.
The functions it has used are then compared with the kiosk's.
"""

import bisect
import json
import random
import re
import subprocess

import pytest

from live import ROUNDEL, TOP, tree_of

SPEAKING = sorted(
    file for file in (TOP / "deploy/examples/kiosks").glob("*.yaml") if re.search(r"(?m)^speech:", file.read_text()))
# Events of a machine without a guest.
OUTSIDE = {"coffee": [{}, {"fault": "No water"}],
           "clinic": [{"doctors": [{"id": "chen", "label": "Dr. Chen"}, {"id": "okafor", "label": "Dr. Okafor"}]}]}
# The knowledge of an authorised guest: the arrows to each key of the PIN 2846 and to Enter on a telephone keypad.
PIN = ["enter", "right", "enter", "down", "down", "enter", "up", "left", "enter", "right", "right", "enter", "down",
       "down", "enter"]
# A date of birth, shortened to its first digit, and Enter.
BIRTHDAY = ["enter", "enter", "down", "down", "down", "right", "right", "enter"]
# Terms that are said to their end, which enables the second button after them.
TERMS = "We use your card or your date of birth to find your record. Only the doctor whom you have chosen"
KNOWN = {"door": {"Your PIN": PIN}, "clinic": {"Your PIN": PIN, "Private": BIRTHDAY, TERMS: ["wait"] * 4 + ["next", "next", "enter"]}}
# Seconds between keys. After a selection everything comes to rest, and a guest may wait.
PACE = {"enter": 3, "wait": 11}
USUAL_PACE = 0.4
MOST_PLACES = 60
# The endings of speech for usable things. A guest who only knows English stops at other languages.
HINTS = CHOOSES, ENTERS = "Enter chooses it", "Enter, then the arrows"
CHOSEN = ", chosen"
# Speech about private controls is heard, but not printed. This is the sentence of a keypad.
PRIVATE = f"Private, keypad, {ENTERS}"
POSITION = re.compile(r", \d+ of \d+(, |$)")


class Kiosk:
    """A kiosk that guests operate by keys, on a virtual clock."""

    def __init__(self, file, home, outside=None):
        self.file = file
        self.beginning = [{"go": home}, {"reset": "all"}, {"blank": True}, {"wake": True}]
        if outside:
            self.beginning.append({"set": outside})
        # All events caused by keys.
        self.events = []

    def hear(self, guests):
        """Returns the speech after each key of each guest. Every guest starts afresh."""
        lines, times, pressed, now = [], [], [], 0
        for keys in guests:
            lines += [{"t": round(now + 0.1 * number, 1), **line} for number, line in enumerate(self.beginning)]
            times.append(now)
            pressed.append("")
            now += 1
            for key in keys:
                if key != "wait":
                    lines.append({"t": round(now, 1), "key": key})
                times.append(now)
                pressed.append(key)
                now += PACE.get(key, USUAL_PACE)
        lines.append({"t": round(now, 1), "end": True})
        done = subprocess.run(
            [ROUNDEL, "replay", self.file, "-"], input="".join(json.dumps(line) + "\n" for line in lines),
            capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        events = [json.loads(line) for line in done.stdout.splitlines()]
        self.events += events
        heard = [[] for _ in times]
        for event in events:
            index = bisect.bisect(times, event["t"] + 0.05) - 1
            # Other events after Tab aren't its answer.
            if event["event"] == "spoken" and index >= 0 and (pressed[index] != "next" or event["by"] == "finger"):
                heard[index].append(PRIVATE if event["text"] is None else event["text"])
        heard = iter(heard)
        # Speech while a guest leaves is ignored.
        return [[next(heard) for _ in ["", *keys]][1:] for keys in guests]


def name(text):
    """Returns the name and role of a control, without its value and state."""
    return ", ".join(text.split(", ")[:2])


class Guest:
    """A guest who explores by keys and understands only English."""

    def __init__(self, kiosk, known=None):
        self.kiosk, self.known = kiosk, known or {}
        # The path to each place, by the page's title and the number of Tab stops.
        self.places = {}
        self.problems = []

    def go_everywhere(self):
        paths = [["next"]]
        while paths:
            assert len(self.places) < MOST_PLACES, f"there is no end: {list(self.places)}"
            found = self.together(self.look_around(path) for path in paths)
            paths = [way for _, _, _, ways in found for way in ways]
            tasks = []
            for path, place, uses, _ in found:
                if place and place not in self.places:
                    self.places[place] = path
                    tasks += [self.use(*use) for use in uses]
                    paths.append(path + ["wait"])
            paths += [way for ways in self.together(tasks) for way in ways]
        return self

    def together(self, tasks):
        """Runs tasks that yield keys and receive speech, and returns their results. One replay serves all waiting
        tasks."""
        tasks = list(tasks)
        done = [None] * len(tasks)
        keys, heard = list(range(len(tasks))), [None] * len(tasks)
        while keys:
            wanted = {}
            for index, texts in zip(keys, heard):
                try:
                    wanted[index] = tasks[index].send(texts)
                except StopIteration as end:
                    done[index] = end.value
            keys = list(wanted)
            heard = self.kiosk.hear(wanted.values()) if wanted else []
        return done

    def look_around(self, path):
        """Explores a path: returns the place it leads to, how to reach each thing there, and further paths."""
        heard = yield (path + ["next"] * 16)
        arrived, tabs = heard[len(path) - 1], [texts[-1] if texts else "" for texts in heard[len(path):]]
        if len(arrived) == 1 and path[-1] == "enter" and POSITION.search(arrived[0]):
            return path, None, [], (yield from self.choose_each(path))
        if len(arrived) < 2 or arrived[-2].endswith(CHOSEN):
            # The path leads nowhere new.
            return path, None, [], []
        if any(tabs):
            length = next((i for i, text in enumerate(tabs) if i and name(text) == name(tabs[0])), None)
            if length is None or not all(tabs[:length]):
                self.problems.append(f"after {path} Tab does not come back: {tabs}")
                length = 1
            uses = [(path + ["next"] * (index + 1), text) for index, text in enumerate(tabs[:length])]
            title = arrived[-2]
        else:
            # There is one thing, or nothing.
            is_page = not arrived[-1].endswith(HINTS)
            uses, title = ([], arrived[-1]) if is_page else ([(path, arrived[-1])], arrived[-2])
        if uses and not any(text.endswith(HINTS) for _, text in uses if text != PRIVATE):
            # The text is in another language.
            return path, None, [], []
        return path, (title, len(uses)), uses, []

    def use(self, here, text):
        """Returns the paths from a focused control, given its spoken text."""
        known = self.known.get(text.split(", ")[0])
        if known and ", keypad, " not in text:
            return [here + known]
        if not text.endswith(HINTS) or len(text.split(", ")) < 3:
            self.problems.append(f"after {here} a name, a role or what keys do is not said: {text!r}")
        if not text.endswith(ENTERS):
            return [here + ["enter"]]
        out = yield (here + ["enter", "right", "back", "next", "previous"])
        if not out[-3] or name(out[-3][-1]) != name(text):
            self.problems.append(f"after {here} Back does not come back to {text!r}: {out[-3:]}")
        if re.search(r", (dial|slider|wheels|resistor), ", text):
            turns = yield (here + ["enter"] + ["down", "right", "up"] * 8)
            if len({said for texts in turns for said in texts}) < 4:
                self.problems.append(f"after {here} and Enter the arrows change nothing: {turns}")
            return []
        if ", keypad, " in text:
            return [here + known] if known else (yield from self.type_all(here))
        return (yield from self.choose_each(here + ["enter"]))

    def choose_each(self, inside):
        """Returns the paths from the items of a control, whose first has the focus."""
        heard = [texts[-1] if texts else "" for texts in (yield inside + ["right"] * 30)[len(inside) - 1:]]
        count = next((i for i, text in enumerate(heard) if i and text in ("", heard[0])), len(heard))
        chosen = (yield inside + ["enter", "right"] * count)[len(inside)::2]
        item = heard[0].split(", ")[0]
        if chosen[0] and not POSITION.search(chosen[0][0]) and chosen[0][0] != item + CHOSEN:
            self.problems.append(f"after {inside} {item!r} was chosen, and {chosen[0][0]!r} said")
        if all(len(texts) == 1 and not POSITION.search(texts[0]) for texts in chosen):
            return []
        return [inside + ["right"] * index + ["enter"] for index in range(count)]

    def type_all(self, here):
        """Moves over a keypad row by row and presses each key."""
        keys = here + ["enter"]
        for way in ("right", "left", "right", "left", "right"):
            keys += ["enter", way] * 12 + ["down"]
        yield keys
        return []


# The events of use, by kind of control.
USED = {"button": {"selected"}, "toggle": {"changed"}, "dial": {"passing", "settled", "turned"},
        "ring": {"passing", "settled", "turned"}, "picker": {"passing", "settled"}, "resistor": {"passing", "settled"},
        "slots": {"started"}, "menu": {"selected"}, "pinwheel": {"selected"}, "list": {"selected"},
        "keypad": {"typed"}}
CHOOSING = {"menu", "pinwheel", "list"}


def functions(pages):
    """Yields the usable controls and items of a kiosk."""
    for control in (control for page in pages for control in page["controls"]):
        properties = control.get("properties", {})
        if control["kind"] not in USED or not control["enabled"] or not control["visible"] \
                or properties.get("interactive") is False:
            continue
        if control["kind"] in CHOOSING:
            for item in control.get("items", []):
                last = item["id"].split("/")[-1]
                if item["enabled"] and not properties.get(f"{last}.items"):
                    yield control["kind"], control["id"], item["id"]
        else:
            yield control["kind"], control["id"], None


def chosen_item(event):
    """Returns the item's name in the tree: a leaf by its path, a row by its index."""
    return "/".join(event["path"]) if "path" in event else event.get("item", str(event.get("index")))


def unused(pages, events):
    """Returns the unused controls and items."""
    events = [event for event in events if "control" in event]
    chosen = {(event["control"], chosen_item(event)) for event in events if event["event"] == "selected"}
    done = {(event["control"], event["event"]) for event in events}
    return [(control, item) for kind, control, item in functions(pages)
            if not ((control, item) in chosen if kind in CHOOSING
                    else any((control, event) in done for event in USED[kind]))]


@pytest.mark.parametrize("file", SPEAKING, ids=lambda file: file.stem)
def test_each_function_is_reachable_by_keys_and_speech_alone(file, tmp_path):
    events, problems, pages = [], [], tree_of(file, tmp_path)["pages"]
    for outside in OUTSIDE.get(file.stem, [None]):
        guest = Guest(Kiosk(file, pages[0]["page"], outside), KNOWN.get(file.stem)).go_everywhere()
        events += guest.kiosk.events
        problems += guest.problems
        for (title, count), path in guest.places.items():
            print(f"{title} ({count}): {' '.join(path)}")
    assert problems == []
    assert unused(pages, events) == []
    shown = {event["page"] for event in events if event["event"] == "page"} | {pages[0]["page"]}
    assert {page["page"] for page in pages} - shown == set()


# One control of each kind, in a square of 200 pixels.
KINDS = [
    "button: c{n}, at: {at}, size: [180, 180], text: Bell {n}",
    "toggle: c{n}, at: {at}, size: [100, 60], label: Lamp {n}",
    "dial: c{n}, at: {at}, radius: 90, labels: 7, spoken: Hours {n}",
    "dial: c{n}, at: {at}, radius: 90, endless: true, spoken: Knob {n}",
    "ring: c{n}, at: {at}, radius: 90, step: 10, spoken: Warmth {n}",
    "menu: c{n}, at: {at}, label: Menu {n}, items: [{{id: a, label: Ah}}, {{id: b, label: Bee, "
    "items: [{{id: c, label: Cee}}, {{id: d, label: Dee}}]}}]",
    "pinwheel: c{n}, at: {at}, radius: 90, spoken: Wheel {n}, wedges: [{{id: a, label: One}}, "
    "{{id: b, label: Two, enabled: false}}, {{id: c, label: Three}}]",
    "picker: c{n}, at: {at}, size: [180, 180], spoken: Time {n}, wheels: [{{id: p, items: [x, y, z]}}, "
    "{{id: q, items: [u, v]}}]",
    "slots: c{n}, at: {at}, size: [180, 180], spoken: Luck {n}, duration: 1, reels: [{{id: r, items: [x, y]}}]",
    "keypad: c{n}, at: {at}, size: [180, 190], spoken: Code {n}, layout: pin",
    "keypad: c{n}, at: {at}, size: [190, 190], spoken: Number {n}, layout: digits",
    "list: c{n}, at: {at}, size: [180, 180], row_height: 60, spoken: List {n}, items: [Ant, Bee, Cat, Dog, Eel]",
    "resistor: c{n}, at: {at}, size: [180, 120], spoken: Resistor {n}",
    "label: c{n}, at: {at}, text: Word {n}, on: {{selected: [{{emit: e}}]}}",
    "label: c{n}, at: {at}, text: Only words",
]


def random_kiosk(seed):
    """Two pages of all kinds of controls, with links in both directions."""
    chance = random.Random(seed)
    text = "kiosk: random\nscreen: {size: [1280, 800]}\nspeech: {start: key}\npages:\n"
    number = 0
    for page, other in (("here", "there"), ("there", "here")):
        text += f"  - page: {page}\n    spoken: Page {page}\n    controls:\n"
        text += f"      - {{button: to_{other}, at: [60, 700], size: [90, 90], text: Go {other}, " \
                f"on: {{selected: [{{go: {other}}}]}}}}\n"
        for index in range(chance.randint(2, 8)):
            number += 1
            at = f"[{260 + 230 * (index % 4)}, {200 + 400 * (index // 4)}]"
            text += f"      - {{{chance.choice(KINDS).format(n=number, at=at)}}}\n"
    return text


@pytest.mark.parametrize("seed", range(10))
def test_random_kiosks_are_fully_reachable_without_traps(seed, tmp_path):
    file = tmp_path / "random.yaml"
    file.write_text(random_kiosk(seed))
    guest = Guest(Kiosk(file, "here")).go_everywhere()
    assert guest.problems == [], file.read_text()
    assert unused(tree_of(file, tmp_path)["pages"], guest.kiosk.events) == [], file.read_text()


KEYS = ["left", "right", "up", "down", "next", "previous", "enter", "back", "repeat", "faster", "slower", "louder",
        "quieter", "stop"]
DAY = 24 * 60 * 60


@pytest.mark.parametrize("file", SPEAKING, ids=lambda file: file.stem)
def test_after_a_day_of_random_keys_a_guest_is_still_guided(file):
    chance = random.Random(file.stem)
    lines = [{"t": round(time, 2), "key": chance.choice(KEYS)}
             for time in sorted(chance.uniform(0, DAY) for _ in range(3000))]
    # A guest arrives in the morning: the first key speaks the position, and Tab continues.
    lines += [{"t": DAY, "blank": True}, {"t": DAY + 1, "wake": True}, {"t": DAY + 2, "key": "next"},
              {"t": DAY + 6, "key": "next"}, {"t": DAY + 10, "end": True}]
    done = subprocess.run(
        [ROUNDEL, "replay", file, "-"], input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    spoken = [event for event in events if event["event"] == "spoken"]
    assert len(spoken) > 300
    assert all(event["text"] is None or event["text"].strip() for event in spoken)
    assert len([event for event in spoken if event["t"] > DAY + 1.9]) >= 2
    assert not [event for event in events if event["event"] == "failed"]
