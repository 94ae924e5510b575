# SPDX-License-Identifier: MIT
"""Rough use of the studio's page: only by keyboard, and with random clicks.

ROUNDEL_STUDIO_CLICKS=3000 in the environment is the number of random clicks, by default 0."""

import os
import random

import pytest

from chromium import EDITOR, browser, choose, replace, show_source, text, until  # noqa: F401
from studio import KIOSK, SECOND, Studio, errors, page, saved, studio  # noqa: F401

CLICKS = int(os.environ.get("ROUNDEL_STUDIO_CLICKS", "0"))


def press(page, *keys, shift=False):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    chain = ActionChains(page)
    if shift:
        chain.key_down(Keys.SHIFT)
    chain.send_keys(*keys)
    if shift:
        chain.key_up(Keys.SHIFT)
    chain.perform()


def focused(page):
    return page.execute_script("""
      const it = document.activeElement;
      return it.id || (document.querySelector('.CodeMirror').contains(it) ? 'source' : it.textContent);""")


def tab_to(page, name, backwards=False):
    """Presses Tab until an element has the focus, and returns the elements before it."""
    from selenium.webdriver.common.keys import Keys
    way = []
    while focused(page) != name:
        way.append(focused(page))
        assert len(way) < 100, f"Tab does not come to {name}: {way}"
        press(page, Keys.TAB, shift=backwards)
    return way


def test_a_control_is_selected_moved_and_changed_only_by_keyboard(page, studio):
    from selenium.webdriver.common.keys import Keys
    tab_to(page, "showsource")
    press(page, Keys.SPACE)
    assert focused(page) == "source"
    press(page, Keys.ESCAPE)
    assert focused(page) == "control"
    assert {"picture", "size", "theme", "clock"} <= {*tab_to(page, "restart", backwards=True)}
    tab_to(page, "source")
    press(page, Keys.ESCAPE)
    press(page, "brew")
    until(lambda: page.find_elements("id", "key-button"))

    assert "source" in tab_to(page, "picture", backwards=True)
    press(page, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
    press(page, Keys.ARROW_DOWN, shift=True)
    until(lambda: "at: [ 101,  110 ]" in text(page))

    tab_to(page, "source")
    press(page, Keys.ESCAPE)
    tab_to(page, "key-text")
    press(page, "Brew")
    press(page, Keys.ENTER)
    until(lambda: 'text: "Brew"' in text(page))
    # The focus stays and continues from there.
    until(lambda: focused(page) == "key-text")
    assert len(tab_to(page, "key-color")) < 10
    tab_to(page, "save", backwards=True)
    press(page, Keys.ENTER)
    until(lambda: page.find_element("id", "state").text == "Saved")
    assert studio.file.read_text() == KIOSK.replace("100,  100", "101,  110").replace("{cups} cups", "Brew")


def test_the_focus_stays_on_a_colour_while_the_fields_are_rebuilt(page, studio):
    page.find_element("id", "control").send_keys("brew")
    until(lambda: page.find_elements("id", "key-button"))
    page.execute_script("document.querySelector('#keys input[type=color]').focus()")
    studio.file.write_text(KIOSK.replace("{cups} cups", "Brew"))
    until(lambda: page.execute_script("return document.querySelector('#key-text').value") == "Brew")
    assert page.execute_script("return document.activeElement.type") == "color"


def test_dragging_out_of_the_source_does_not_remove_text(page):
    """The browser itself would remove it, with styles that the page forbids."""
    from selenium.webdriver.common.actions.action_builder import ActionBuilder
    show_source(page)
    page.find_element("id", "record").click()
    until(lambda: page.find_element("id", "steps").is_displayed())
    page.execute_script("document.querySelector('#steps').scrollIntoView()")
    start, end = page.execute_script(EDITOR + """
      editor.focus();
      editor.setSelection({line: 2, ch: 3}, {line: 8, ch: 10});
      const place = editor.charCoords({line: 5, ch: 6});
      const box = document.querySelector('#steps').getBoundingClientRect();
      return [[place.left, (place.top + place.bottom) / 2], [box.x + box.width / 2, box.y + box.height / 2]];""")
    until(lambda: "cups" in page.execute_script("return getSelection().toString()"))
    hand = ActionBuilder(page, duration=100)
    hand.pointer_action.move_to_location(*map(int, start)).pointer_down().pause(0.3)
    hand.pointer_action.move_to_location(int(start[0]) + 30, int(start[1]) + 5)
    hand.pointer_action.move_to_location(*map(int, end)).pointer_up()
    hand.perform()
    assert text(page) == KIOSK
    page.find_element("id", "discard").click()


def test_text_typed_during_a_save_is_not_reported_as_saved(page, studio):
    told = page.execute_async_script(EDITOR + """
      const done = arguments[arguments.length - 1];
      const write = (letter) => editor.replaceRange(letter, {line: 0, ch: 2}, {line: 0, ch: 2}, '+input');
      const own = WebSocket.prototype.send;
      WebSocket.prototype.send = function (data) {
        own.call(this, data);
        if (JSON.parse(data).method !== 'save') return;
        WebSocket.prototype.send = own;
        const take = this.onmessage;
        this.onmessage = (message) => {
          take(message);
          // The program has answered both.
          if (typeof message.data !== 'string' || !JSON.parse(message.data).result?.revision) return;
          this.onmessage = take;
          done(document.querySelector('#state').textContent);
        };
        write('2');
      };
      write('1');
      document.querySelector('#save').click();""")
    assert studio.file.read_text().startswith("# 1A") and text(page).startswith("# 21A")
    assert told == "Not saved"


def state(page):
    return page.find_element("id", "state").text


def type_in_source(page, *keys, control=False):
    """Types at the beginning of the source."""
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    show_source(page)
    page.execute_script(EDITOR + "editor.focus(); editor.setCursor(0, 0);")
    chain = ActionChains(page)
    if control:
        chain.key_down(Keys.CONTROL)
    chain.send_keys(*keys)
    if control:
        chain.key_up(Keys.CONTROL)
    chain.perform()


def test_undo_ends_at_the_opened_file(page, studio):
    type_in_source(page, "z", control=True)
    assert text(page) == KIOSK and state(page) == "Saved"
    type_in_source(page, "# x")
    until(lambda: text(page).startswith("# x#"))
    for _ in range(5):
        type_in_source(page, "z", control=True)
    until(lambda: text(page) == KIOSK)
    assert saved(page, studio) == KIOSK


def test_a_selection_ends_when_its_page_is_no_longer_shown(browser, tmp_path):
    """Nothing is removed, moved or changed on a hidden page."""
    from selenium.webdriver.common.keys import Keys
    studio = Studio(tmp_path, KIOSK.replace('"{cups + 1}"}}]', '"{cups + 1}"}}, {go: second}]') + SECOND)
    try:
        browser.get(studio.address)
        until(lambda: browser.execute_script("return document.querySelector('#picture').width") == 400)
        given = text(browser)
        for leave in (lambda: choose(browser, "#page", "second"),
                      # A touch, not the studio, changes the page.
                      lambda: touch(browser, 100, 100)):
            choose(browser, "#page", "first")
            until(lambda: browser.find_elements("css selector", "#control option[value=brew]"))
            choose(browser, "#control", "brew")
            until(lambda: browser.find_elements("id", "key-button"))
            leave()
            until(lambda: browser.execute_script("return document.querySelector('#page').value") == "second")
            until(lambda: browser.execute_script("return document.querySelector('#control').value") == "")
            until(lambda: not browser.find_elements("id", "key-button"))
            assert browser.execute_script("return document.querySelector('#key-page').value") == "second"
            assert not browser.find_element("id", "frame").is_displayed()
        browser.find_element("id", "picture").send_keys(Keys.DELETE, Keys.ARROW_LEFT)
        browser.find_element("id", "earlier").click()
        browser.execute_script("return new Promise((done) => setTimeout(done, 200))")
        assert text(browser).count("- button: brew") == 1
        assert sorted(text(browser).split("\n")) == sorted(given.split("\n"))
        browser.execute_script("window.onbeforeunload = null")
        browser.get("about:blank")
        assert errors(browser) == []
    finally:
        studio.end()


def touch(page, x, y):
    from chromium import touch as tap
    tap(page, x, y)


LOST = """
  const own = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) {
    WebSocket.prototype.send = own;
    // This message is lost with the connection.
    this.close();
  };"""


def test_the_page_reconnects_and_keeps_the_text_typed_meanwhile(page, studio):
    page.execute_script(LOST)
    replace(page, "Hello", "Hallo")
    until(lambda: "has exited" in state(page))
    replace(page, "small", "tiny")
    assert "has exited" in state(page)
    until(lambda: state(page) == "Not saved")
    expected = KIOSK.replace("Hello", "Hallo").replace("small", "tiny")
    assert text(page) == expected
    assert saved(page, studio) == expected
    # The page works again.
    page.find_element("id", "control").send_keys("brew")
    until(lambda: page.find_elements("id", "key-button"))


def is_asked(page):
    return page.find_element("id", "conflict").is_displayed()


def test_a_reconnected_page_merges_the_change_of_another_program(page, studio):
    page.execute_script(LOST)
    replace(page, "Hello", "Hallo")
    until(lambda: "has exited" in state(page))
    studio.file.write_text(KIOSK.replace("# small", "# tiny"))
    until(lambda: "# tiny" in text(page) and "Hallo" in text(page))
    assert saved(page, studio) == KIOSK.replace("Hello", "Hallo").replace("# small", "# tiny")


def test_a_reconnected_page_asks_about_a_change_of_the_same_line(page, studio):
    # The page reconnects a second after the file has changed, however busy the machine is.
    page.execute_script(LOST + """
      const start = window.setTimeout;
      window.setTimeout = (act, delay) => {
        if (delay < 1000) return start(act, delay);
        window.setTimeout = start;
        window.reconnect = act;
      };""")
    replace(page, "Hello", "Hallo")
    until(lambda: "has exited" in state(page))
    studio.file.write_text(KIOSK.replace("Hello", "Salut"))
    # The studio has read the file by then.
    until(lambda: page.execute_script("return window.reconnect && setTimeout(reconnect, 1000)"))
    until(lambda: is_asked(page))
    assert "text: Salut" in page.find_element("id", "versions").text
    page.find_element("id", "mine").click()
    assert text(page) == KIOSK.replace("Hello", "Hallo")
    assert saved(page, studio) == KIOSK.replace("Hello", "Hallo")


def test_the_text_of_a_studio_that_has_ended_is_downloaded(page, studio):
    replace(page, "Hello", "Kept")
    until(lambda: state(page) == "Not saved")
    studio.process.kill()
    until(lambda: "has exited" in state(page))
    type_in_source(page, "#")
    until(lambda: text(page).startswith("##"))
    assert "has exited" in state(page)
    page.execute_script("""
      HTMLAnchorElement.prototype.click = function () {
        window.given = [this.download, fetch];
        window.name = this.download;
      };
      const make = URL.createObjectURL;
      URL.createObjectURL = (blob) => {
        blob.text().then((text) => { window.given = text; });
        return make(blob);
      };""")
    page.find_element("id", "save").click()
    until(lambda: page.execute_script("return typeof window.given === 'string'"))
    assert page.execute_script("return [window.name, window.given]") == [
        "try.yaml", "#" + KIOSK.replace("Hello", "Kept")]
    leave_lost(page)


def leave_lost(page):
    """Leaves a page whose studio has ended, which the browser's console reports."""
    page.get("about:blank")
    page.get_log("browser")


@pytest.mark.skipif(CLICKS == 0, reason="ROUNDEL_STUDIO_CLICKS is not set")
def test_random_clicks_do_no_harm(page, studio):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.actions.action_builder import ActionBuilder
    seed = random.randrange(2 ** 32)
    print(f"the seed is {seed}")
    chance = random.Random(seed)
    width, height = page.execute_script("return [innerWidth, innerHeight]")
    for _ in range(CLICKS):
        kind = chance.random()
        if kind < 0.2:
            # Chooses from a list, which random clicks can't.
            page.execute_script("""
              const [which, what] = arguments;
              const all = [...document.querySelectorAll('select')].filter((each) => each.options.length);
              const field = all[Math.floor(which * all.length)];
              field.selectedIndex = Math.floor(what * field.options.length);
              field.dispatchEvent(new Event('change'));""", chance.random(), chance.random())
        elif kind < 0.3:
            ActionChains(page).send_keys(
                chance.choice(["a", "7", "{", "\ue007", "\ue017", "\ue012", "\ue00c"])).perform()
        else:
            hand = ActionBuilder(page, duration=10)
            hand.pointer_action.move_to_location(chance.randrange(width), chance.randrange(height))
            hand.pointer_action.pointer_down()
            if kind < 0.5:
                hand.pointer_action.move_to_location(chance.randrange(width), chance.randrange(height))
            hand.pointer_action.pointer_up()
            hand.perform()
        assert studio.process.poll() is None, f"the program has ended, with the seed {seed}"
    # The page still works.
    page.execute_script("document.querySelector('dialog[open]')?.close()")
    page.execute_script("document.querySelector('.CodeMirror').CodeMirror.setValue(arguments[0])", KIOSK)
    until(lambda: page.execute_script("return document.querySelector('#diagnostics').textContent") == "")
    assert saved(page, studio) == KIOSK
    assert errors(page) == []
