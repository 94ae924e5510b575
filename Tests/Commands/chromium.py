# SPDX-License-Identifier: MIT
"""The studio's page in Chromium: its text, its picture and its fields."""

import shutil
import time

import pytest


def chromium():
    """A headless browser."""
    webdriver = pytest.importorskip("selenium.webdriver")
    driver = shutil.which("chromedriver") or pytest.skip("chromedriver is not there")
    options = webdriver.ChromeOptions()
    for each in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1500,900"):
        options.add_argument(each)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.chrome.service.Service(driver))


@pytest.fixture(scope="module")
def browser():
    program = chromium()
    yield program
    program.quit()


def until(holds, timeout=60):
    end = time.monotonic() + timeout
    while not holds():
        assert time.monotonic() < end, "it does not come to hold"
        time.sleep(0.02)


def text(page):
    return page.execute_script(EDITOR + "return editor.getValue()")


EDITOR = "const editor = document.querySelector('.CodeMirror').CodeMirror;"


def replace(page, old, new):
    """Replaces the first occurrence of a string in the editor, like typing."""
    page.execute_script(EDITOR + """
      const start = editor.getValue().indexOf(arguments[0]);
      editor.replaceRange(arguments[1], editor.posFromIndex(start),
        editor.posFromIndex(start + arguments[0].length), '+input');""", old, new)


def pixel(page, x, y):
    return page.execute_script(
        "return [...document.querySelector('#picture').getContext('2d').getImageData(...arguments, 1, 1).data]",
        x, y)


def play(page, is_on=True):
    """Makes the mouse touch controls instead of selecting them."""
    switch = page.find_element("id", "play")
    if switch.is_selected() != is_on:
        switch.click()


def touch(page, x, y, *ways):
    """Touches the picture."""
    play(page)
    press(page, x, y, *ways)
    play(page, False)


def show_source(page):
    if not page.find_element("id", "middle").is_displayed():
        page.find_element("id", "showsource").click()


def press(page, x, y, *ways):
    """Presses the mouse at a position of the picture, moves it by some distances, and releases it."""
    from selenium.webdriver.common.action_chains import ActionChains
    picture = page.find_element("id", "picture")
    width, height, shown = page.execute_script(
        "const it = document.querySelector('#picture'); return [it.width, it.height, it.clientWidth]")
    scale = shown / width
    chain = ActionChains(page, duration=50)
    chain.move_to_element_with_offset(picture, (x - width / 2) * scale, (y - height / 2) * scale)
    chain.click_and_hold()
    for dx, dy in ways:
        chain.move_by_offset(round(dx * scale), round(dy * scale))
    chain.release().perform()


def value(page, name):
    """The value that the page shows for a value of the kiosk. The form is rebuilt when it changes."""
    return page.execute_script("return document.querySelector(`#value-${arguments[0]}`)?.value", name)


def choose(page, selector, value):
    page.execute_script("""
      const field = document.querySelector(arguments[0]);
      field.value = arguments[1];
      field.dispatchEvent(new Event('change'));""", selector, value)


def add(page, kind):
    """Opens the palette and clicks on a kind of control."""
    if not page.find_element("id", "palette").is_displayed():
        page.find_element("id", "add").click()
    until(lambda: page.execute_script("""
      const found = document.querySelector(`#kinds [data-kind="${arguments[0]}"]`);
      found?.click();
      return Boolean(found);""", kind))
