# SPDX-License-Identifier: MIT
"""The studio with a kiosk, and its page in a browser."""

import os
import subprocess

import pytest

from chromium import browser, until  # noqa: F401
from live import ROUNDEL

# Contains spaces, comments and letters that edits must preserve.
KIOSK = """\
# A kiosk for the studio. äöü 😀
kiosk: try
screen: {size: [400, 300]}   # small
values: {cups: 1}
pages:
  - page: first
    controls:
      - button: brew   # the button
        at: [ 100,  100 ]
        size: [120, 120]
        text: "{cups} cups"
        color: '#c03020'
        on: {selected: [{set: {cups: "{cups + 1}"}}]}
      - label: title
        at: [300, 60]
        text: Hello
"""
# The second page.
SECOND = """\
  - page: second
    controls:
      - button: back
        at: [100, 110]
        size: [120, 120]
        text: Back
        color: '#208040'
"""
SUITE = """\
suite: try
kiosk: try.yaml
tests:
  - test: a cup more
    steps:
      - tap: brew
      - expect: {cups: 2}
  - test: two cups more
    steps:
      - tap: brew
      - expect: {cups: 3}
"""


def environment(folder):
    """The environment of a studio that keeps its address next to the kiosk."""
    return {**os.environ, "XDG_STATE_HOME": str(folder / ".state")}


class Studio:
    def __init__(self, folder, text=KIOSK):
        self.file = folder / "try.yaml"
        self.file.write_bytes(text.encode())
        (folder / "try-suite.yaml").write_text(SUITE)
        self.process = subprocess.Popen([ROUNDEL, "studio", self.file], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env=environment(folder))
        self.address = self.process.stdout.readline().strip()

    def end(self):
        self.process.terminate()
        self.process.communicate(timeout=10)


@pytest.fixture
def studio(tmp_path):
    running = Studio(tmp_path)
    yield running
    running.end()


def errors(browser):
    """Returns the errors in the browser's console. Ignores Chromium's notice that it doesn't confirm leaving an
    untouched page."""
    return [line for line in browser.get_log("browser")
            if line["level"] == "SEVERE" and line["source"] != "intervention"]


@pytest.fixture
def page(studio, browser):
    browser.get(studio.address)
    until(lambda: browser.execute_script("return document.querySelector('#picture').width") == 400)
    yield browser
    browser.get("about:blank")
    assert errors(browser) == []


def saved(page, studio):
    page.find_element("id", "save").click()
    until(lambda: page.find_element("id", "state").text == "Saved")
    return studio.file.read_bytes().decode()
