# SPDX-License-Identifier: MIT
"""`check --accessible` names an existing clause for each finding."""

import re
import subprocess

import pytest

from live import ROUNDEL, TOP, run

# The clauses of EN 301 549 V3.2.1 for closed terminals, and clauses of chapter 11 that 5.1.2.1 refers to.
EN_301_549 = {
    "5.1.2.1", "5.1.2.2", *(f"5.1.3.{number}" for number in range(1, 17)), "5.1.4", "5.1.5", "5.1.6.1", "5.1.6.2",
    "5.1.7", "5.2", "5.3", "5.4", "5.5.1", "5.5.2", "5.6.1", "5.6.2", "5.7", "5.8", "5.9", "8.1.2", "8.1.3", "8.2.1",
    "8.2.2", "8.3.2", "8.3.3", "8.3.4", "8.3.5", "8.3.6", "8.4.1", "8.4.2", "8.4.3", "8.5", "11.1.4.3", "11.2.2.1",
    "11.2.5.1", "11.2.5.4"}
ADA = {"707.2", "707.3", "707.4", "707.5", "707.5.1", "707.5.2", "707.6", "707.7.1", "707.7.2", "707.8"}
POOR = """\
kiosk: poor
screen: {size: [800, 480], home_after: 30}
theme: grey
themes:
  grey: {background: "#777777", text: "#888888", muted: "#888888", surface: "#777777"}
pages:
  - page: first
    swipe: {left: hidden}
    controls:
      - {slots: luck, at: [200, 200], size: [200, 200], trigger: [shake], reels: [{id: r, items: [x, y]}]}
      - {button: hold, at: [600, 200], size: [200, 200], text: Hold, on: {held: [{emit: held}]}}
  - page: hidden
    controls:
      - {label: here, at: [400, 240], text: Here}
"""
FOUND = ["does not speak", "without a warning", "little contrast", "only by shaking", "only a swipe leads"]


def clauses(text):
    return set(re.findall(r"\b(?:5|8|11|707)(?:\.\d+)+\b(?! (?:mm|s|dB|inch))", text))


@pytest.fixture
def told(tmp_path):
    file = tmp_path / "poor.yaml"
    file.write_text(POOR)
    done = run("check", "--accessible", file, code=1)
    return done.stdout + done.stderr


def test_each_clause_exists_in_its_standard(told):
    manual = (TOP / "deploy/manual/accessibility.md").read_text().split("## What a kiosk misses")[1]
    for text in (told, manual):
        assert clauses(text) - EN_301_549 - ADA - {"8.3", "8.4"} == set()


def test_all_phrases_missing_in_a_language_are_reported(tmp_path):
    file = tmp_path / "polish.yaml"

    def missing(sentences):
        texts = "".join(f"  {name}: {{pl: x}}\n" for name in sentences)
        file.write_text("kiosk: k\nspeech: {start: key}\nlanguages: [pl]\n" + (f"texts:\n{texts}" if texts else "") + """\
pages:
  - {page: p, spoken: Strona, controls: [{label: l, at: [640, 400], text: Witamy}]}
""")
        return re.findall(r"\bspoken_\w+", subprocess.run(
            [ROUNDEL, "check", "--accessible", file], capture_output=True, text=True, check=False).stderr)

    named = missing([])
    assert len(named) == len(set(named)) > 20
    assert missing(named[1:]) == named[:1]
    assert missing(named) == []


@pytest.mark.parametrize("words", FOUND)
def test_each_finding_is_an_error_with_its_clause(told, words):
    lines = [line for line in told.splitlines() if words in line]
    assert lines and all(re.search(r": error: EN 301 549 \d", line) for line in lines), told
