# SPDX-License-Identifier: MIT
"""Nothing is lost in the studio: conflicts, several windows, restarts of the program and of the browser, and errors."""

import os
import subprocess

from chromium import EDITOR, browser, choose, pixel, press, replace, show_source, text, until  # noqa: F401
from live import ROUNDEL
from studio import KIOSK, SUITE, Studio, environment, errors, page, saved, studio  # noqa: F401


def state(page):
    return page.find_element("id", "state").text


def is_asked(page):
    return page.find_element("id", "conflict").is_displayed()


def conflict(page, studio):
    """Changes the same line here and on the disk."""
    replace(page, "Hello", "Mine")
    until(lambda: state(page) == "Not saved")
    studio.file.write_text(KIOSK.replace("Hello", "Theirs"))
    until(lambda: is_asked(page))
    assert page.execute_script("return [...document.querySelectorAll('#versions div')].map((each) => each.textContent)"
                               ".filter((each) => !each.startsWith('  '))") == ["-         text: Mine",
                                                                                "+         text: Theirs"]


def test_a_conflict_shows_the_differences_and_takes_the_other_version(page, studio):
    conflict(page, studio)
    page.find_element("id", "theirs").click()
    until(lambda: text(page) == KIOSK.replace("Hello", "Theirs"))
    until(lambda: state(page) == "Saved")
    # This page's version is one undo away.
    page.find_element("id", "undo").click()
    until(lambda: text(page) == KIOSK.replace("Hello", "Mine"))


def test_a_conflict_keeps_the_own_version(page, studio):
    conflict(page, studio)
    page.find_element("id", "mine").click()
    until(lambda: state(page) == "Saved")
    assert studio.file.read_text() == KIOSK.replace("Hello", "Mine")


def test_a_conflict_saves_the_own_version_in_another_file(page, studio):
    conflict(page, studio)
    page.find_element("css selector", "#saveas button").click()
    until(lambda: not is_asked(page))
    assert (studio.file.parent / "copy.yaml").read_text() == KIOSK.replace("Hello", "Mine")
    until(lambda: text(page) == KIOSK.replace("Hello", "Theirs"))


def test_an_external_change_during_a_drag_loses_nothing(page, studio):
    from selenium.webdriver.common.action_chains import ActionChains
    picture = page.find_element("id", "picture")
    ActionChains(page, duration=50).move_to_element_with_offset(picture, -100, -30).click_and_hold().move_by_offset(
        20, 12).move_by_offset(20, 12).perform()
    until(lambda: "at: [ 100,  100 ]" not in text(page))
    studio.file.write_text(KIOSK.replace("# small", "# tiny"))
    until(lambda: is_asked(page))
    ActionChains(page).release().perform()
    moved = text(page)
    page.find_element("id", "decidelater").click()
    assert text(page) == moved and "# tiny" in studio.file.read_text()


def test_two_windows_that_type_at_once_lose_nothing(page, studio):
    first = page.current_window_handle
    page.switch_to.new_window("window")
    second = page.current_window_handle
    page.get(studio.address)
    until(lambda: page.execute_script("return Boolean(document.querySelector('.CodeMirror'))") and "Hello" in text(page))
    typing = EDITOR + """
      const [place, sign] = arguments;
      let count = 0;
      const timer = setInterval(() => {
        const at = editor.posFromIndex(editor.getValue().indexOf(place) + place.length);
        editor.replaceRange(sign, at, at, '+input');
        count += 1;
        if (count === 40) clearInterval(timer);
      }, 7);"""
    page.execute_script(typing, "# small", "x")
    page.switch_to.window(first)
    page.execute_script(typing, "text: Hello", "y")

    def is_complete():
        return text(page).count("x" * 40) == 1 and text(page).count("y" * 40) == 1

    until(is_complete)
    mine = text(page)
    page.switch_to.window(second)
    until(is_complete)
    assert text(page) == mine == KIOSK.replace("# small", "# small" + "x" * 40).replace("Hello", "Hello" + "y" * 40)
    page.execute_script("window.onbeforeunload = null")
    page.close()
    page.switch_to.window(first)


def restart(studio):
    """Kills the program and starts it with the same file."""
    studio.process.kill()
    studio.process.wait()
    studio.process = subprocess.Popen([ROUNDEL, "studio", studio.file], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      text=True, env=environment(studio.file.parent))
    return studio.process.stdout.readline().strip()


def test_unsaved_text_survives_the_program(page, studio):
    replace(page, "Hello", "Hallo")
    until(lambda: state(page) == "Not saved")
    # The address of a file stays, so the page reconnects.
    assert restart(studio) == studio.address
    until(lambda: state(page) == "Not saved")
    assert text(page) == KIOSK.replace("Hello", "Hallo")
    assert saved(page, studio) == KIOSK.replace("Hello", "Hallo")
    page.get_log("browser")


def test_unsaved_text_survives_the_browser_and_the_program(page, studio):
    replace(page, "Hello", "Hallo")
    until(lambda: state(page) == "Not saved")
    page.execute_script("return new Promise((done) => setTimeout(done, 600))")
    studio.process.kill()
    page.execute_script("window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true)")
    page.get("about:blank")
    page.get_log("browser")
    restart(studio)
    page.get(studio.address)
    until(lambda: "Hallo" in text(page))
    until(lambda: "restored" in state(page) or state(page) == "Not saved")
    assert saved(page, studio) == KIOSK.replace("Hello", "Hallo")


def test_the_picture_is_dimmed_and_offers_fixes_while_there_are_errors(page, studio):
    replace(page, "size: [120", "szie: [120")
    until(lambda: page.find_element("id", "outdated").is_displayed())
    assert "line 10" in page.find_element("id", "outdated").text
    assert float(page.execute_script("return getComputedStyle(document.querySelector('#picture')).opacity")) < 0.5
    until(lambda: state(page) == "Not saved, 2 errors")
    page.find_element("css selector", "#outdated .fix").click()
    until(lambda: text(page) == KIOSK)
    until(lambda: not page.find_element("id", "outdated").is_displayed())
    assert page.execute_script("return getComputedStyle(document.querySelector('#picture')).opacity") == "1"


def test_saving_with_errors_is_reported(page, studio):
    replace(page, "size: [120", "szie: [120")
    until(lambda: state(page) == "Not saved, 2 errors")
    page.find_element("id", "save").click()
    until(lambda: state(page) == "Saved, 2 errors")


def test_a_file_with_a_misspelt_key_shows_its_pages_and_controls(browser, tmp_path):
    studio = Studio(tmp_path, KIOSK.replace("size: [120", "szie: [120"))
    try:
        browser.get(studio.address)
        until(lambda: browser.find_elements("css selector", "#tree [role=treeitem]"))
        names = browser.execute_script(
            "return [...document.querySelectorAll('#tree .entry')].map((each) => each.firstChild.textContent)")
        assert names == ["first", "brew", "title"]
        # The picture shows the file as if it were corrected.
        until(lambda: pixel(browser, 60, 100)[:3] == [0xc0, 0x30, 0x20])
        assert "szie" in text(browser)
        browser.find_element("css selector", "#outdated .fix").click()
        until(lambda: text(browser) == KIOSK)
        browser.get("about:blank")
        assert errors(browser) == []
    finally:
        studio.end()


def test_a_recorded_test_with_a_picture_passes_at_once(page, studio):
    page.find_element("id", "record").click()
    until(lambda: page.find_element("id", "steps").is_displayed())
    page.find_element("id", "test").send_keys("looks")
    page.find_element("id", "expect").click()
    until(lambda: page.find_elements("css selector", "#seen button"))
    page.execute_script("[...document.querySelectorAll('#seen button')][0].click()")
    until(lambda: "picture" in page.execute_script("return document.querySelector('#steps').value"))
    page.find_element("id", "keep").click()
    until(lambda: page.execute_script(
        "return [...document.querySelectorAll('#results li.passed')].some((each) => each.textContent === 'looks')"))


def test_a_missing_expected_image_is_explained(page, studio):
    (studio.file.parent / "try-suite.yaml").write_text(SUITE.replace("{cups: 2}", "{picture: one}"))
    until(lambda: page.execute_script(
        "const it = document.querySelector('#suites button'); it?.click(); return Boolean(it)"))
    until(lambda: page.find_elements("css selector", "#results .look"))
    said = page.find_element("id", "results").text
    assert "accept it" in said and "--update" not in said


def test_a_deleted_file_is_not_reported_as_saved(page, studio):
    os.unlink(studio.file)
    until(lambda: "was deleted" in state(page))
    page.find_element("id", "save").click()
    until(lambda: is_asked(page))
    page.find_element("id", "mine").click()
    until(lambda: state(page) == "Saved")
    assert studio.file.read_text() == KIOSK
