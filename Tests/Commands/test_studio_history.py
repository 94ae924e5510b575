# SPDX-License-Identifier: MIT
"""The studio's history: one for the source, the fields, the picture, the pages and the added files.

ROUNDEL_STUDIO_ACTS=5000 in the environment is the number of random acts, by default 60."""

import os
import random

from chromium import EDITOR, add, browser, choose, press, replace, show_source, text, until  # noqa: F401
from studio import KIOSK, SECOND, Studio, errors, page, saved, studio  # noqa: F401

ACTS = int(os.environ.get("ROUNDEL_STUDIO_ACTS", "60"))


def keys(page, *letters, shift=False):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    chain = ActionChains(page).key_down(Keys.CONTROL)
    if shift:
        chain.key_down(Keys.SHIFT)
    for letter in letters:
        chain.send_keys(letter)
    if shift:
        chain.key_up(Keys.SHIFT)
    chain.key_up(Keys.CONTROL).perform()


def settled(page, old):
    until(lambda: text(page) != old)
    page.execute_script("return new Promise((done) => setTimeout(done, 300))")
    return text(page)


def test_a_drag_is_undone_and_redone_outside_of_the_source(page):
    press(page, 100, 120, (10, 5), (20, 10), (17, 19))
    moved = settled(page, KIOSK)
    assert "at: [ 100,  100 ]" not in moved
    keys(page, "z")
    until(lambda: text(page) == KIOSK)
    keys(page, "z", shift=True)
    until(lambda: text(page) == moved)
    page.find_element("id", "undo").click()
    until(lambda: text(page) == KIOSK and not page.find_element("id", "undo").is_enabled())
    page.find_element("id", "redo").click()
    until(lambda: text(page) == moved and not page.find_element("id", "redo").is_enabled())
    keys(page, "z")
    until(lambda: text(page) == KIOSK)


def test_a_field_that_is_being_typed_in_undoes_its_own_typing(page):
    choose(page, "#control", "brew")
    until(lambda: page.find_elements("id", "key-shape"))
    replace(page, "Hello", "Hallo")
    field = page.find_element("id", "key-spoken")
    field.send_keys("ab")
    keys(page, "z")
    assert "Hallo" in text(page)
    field.send_keys("\ue00c")


def test_an_added_file_is_an_entry_of_the_history(page, studio):
    picture = studio.file.parent / "other" / "dot.png"
    picture.parent.mkdir()
    picture.write_bytes(bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc00000030101"
        "00c9fe92ef0000000049454e44ae426082"))
    added = studio.file.parent / "dot.png"
    replace(page, "Hello", "Hallo")
    page.find_element("id", "file").send_keys(str(picture))
    until(added.exists)
    until(lambda: page.find_element("id", "state").text.startswith("Added dot.png"))
    replace(page, "small", "tiny")
    for _ in range(2):
        page.find_element("id", "undo").click()
    until(lambda: not added.exists())
    assert text(page) == KIOSK.replace("Hello", "Hallo")
    page.find_element("id", "undo").click()
    assert text(page) == KIOSK
    for _ in range(3):
        page.find_element("id", "redo").click()
    until(added.exists)
    until(lambda: text(page) == KIOSK.replace("Hello", "Hallo").replace("small", "tiny"))
    # Another program has changed the file, so it stays.
    page.find_element("id", "undo").click()
    added.write_bytes(b"changed")
    page.find_element("id", "undo").click()
    page.find_element("id", "undo").click()
    until(lambda: text(page) == KIOSK)
    assert added.read_bytes() == b"changed"


def test_the_changes_of_other_windows_and_of_the_disk_are_no_entries(page, studio):
    replace(page, "Hello", "Hallo")
    until(lambda: page.find_element("id", "state").text == "Not saved")
    assert saved(page, studio) == KIOSK.replace("Hello", "Hallo")
    studio.file.write_text(KIOSK.replace("Hello", "Hallo").replace("# small", "# of the disk"))
    until(lambda: "# of the disk" in text(page))
    first = page.current_window_handle
    page.switch_to.new_window("tab")
    page.get(studio.address)
    until(lambda: page.execute_script("return document.querySelector('.CodeMirror')") and "disk" in text(page))
    replace(page, "cups: 1}", "cups: 2}")
    page.switch_to.window(first)
    until(lambda: "cups: 2}" in text(page))
    keys(page, "z")
    until(lambda: "Hello" in text(page))
    assert text(page) == KIOSK.replace("# small", "# of the disk").replace("cups: 1}", "cups: 2}")
    assert not page.find_element("id", "undo").is_enabled()
    for handle in [each for each in page.window_handles if each != first]:
        page.switch_to.window(handle)
        page.execute_script("window.onbeforeunload = null")
        page.close()
    page.switch_to.window(first)


def test_undoing_to_the_saved_text_is_reported_as_saved(page):
    replace(page, "Hello", "Hallo")
    until(lambda: page.find_element("id", "state").text == "Not saved")
    page.find_element("id", "undo").click()
    until(lambda: page.find_element("id", "state").text == "Saved")


class RandomAuthor:
    """Random acts of an author in all parts of the page."""

    def __init__(self, page, seed):
        self.page, self.chance = page, random.Random(seed)

    def act(self):
        acts = (self.type, self.drag, self.change_field, self.add_control, self.remove, self.duplicate,
                self.add_page, self.undo, self.nudge, self.copy_and_paste)
        self.chance.choice(acts)()
        self.page.execute_script("return new Promise((done) => setTimeout(done, 60))")

    def type(self):
        self.page.execute_script(EDITOR + """
          const line = Math.floor(arguments[0] * editor.lineCount());
          editor.replaceRange(' # ' + arguments[1], {line, ch: 1e9}, {line, ch: 1e9}, '+input');""",
            self.chance.random(), self.chance.choice("abcäö😀"))

    def drag(self):
        x, y = self.chance.randrange(20, 380), self.chance.randrange(20, 280)
        press(self.page, x, y, (8, 4), (self.chance.randrange(-30, 30), self.chance.randrange(-30, 30)))

    def change_field(self):
        self.page.execute_script("""
          const all = [...document.querySelectorAll('#keys input[type=text]:not([readonly])')];
          if (!all.length) return;
          const field = all[Math.floor(arguments[0] * all.length)];
          field.value = arguments[1];
          field.dispatchEvent(new Event('change'));""",
            self.chance.random(), self.chance.choice(["20", "", "{cups}", "Hi", "[50, 60]"]))

    def add_control(self):
        add(self.page, self.chance.choice(["label", "button", "toggle", "ring"]))

    def click(self, name):
        self.page.execute_script(
            "const it = document.getElementById(arguments[0]); if (!it.closest('[hidden]')) it.click()", name)

    def remove(self):
        self.click("remove")

    def duplicate(self):
        self.click("duplicate")

    def add_page(self):
        self.click("newpage")

    def undo(self):
        self.click(self.chance.choice(["undo", "redo"]))

    def nudge(self):
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys
        self.page.execute_script("document.querySelector('#picture').focus()")
        ActionChains(self.page).send_keys(self.chance.choice([Keys.ARROW_LEFT, Keys.ARROW_DOWN])).perform()

    def copy_and_paste(self):
        self.page.execute_script("document.querySelector('#picture').focus()")
        keys(self.page, "a", "c", "v")


def test_random_acts_are_undone_to_the_first_bytes(browser, tmp_path):
    seed = random.randrange(2 ** 32)
    print(f"the seed is {seed}")
    studio = Studio(tmp_path, KIOSK + SECOND)
    try:
        browser.get(studio.address)
        until(lambda: browser.execute_script("return document.querySelector('#picture').width") == 400)
        author = RandomAuthor(browser, seed)
        for _ in range(ACTS):
            author.act()
        browser.execute_script("return new Promise((done) => setTimeout(done, 800))")
        for _ in range(3 * ACTS + 200):
            if not browser.find_element("id", "undo").is_enabled():
                break
            browser.execute_script("document.querySelector('#undo').click()")
        until(lambda: text(browser) == KIOSK + SECOND)
        assert saved(browser, studio) == KIOSK + SECOND
        browser.get("about:blank")
        assert errors(browser) == []
    finally:
        studio.end()
