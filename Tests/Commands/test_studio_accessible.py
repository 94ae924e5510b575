# SPDX-License-Identifier: MIT
"""The studio's page follows accessibility rules in its states, checked by axe-core from a PyPI package."""

import pathlib

import pytest

from chromium import add, browser, choose, replace, touch, until  # noqa: F401
from studio import SUITE, Studio, page, studio  # noqa: F401

# axe can't decide these: it doesn't see colours behind overlays.
UNDECIDED = {"color-contrast"}


@pytest.fixture(scope="module")
def rules():
    package = pytest.importorskip("axe_playwright_python")
    return (pathlib.Path(package.__file__).parent / "axe.min.js").read_text()


def broken(page, rules):
    """Returns the violated rules and the parts that violate them."""
    page.execute_script(rules)
    found = page.execute_async_script("const [done] = arguments; axe.run().then(done, done)")
    assert len(found["passes"]) > 10
    return {rule["id"]: [node["html"] for node in rule["nodes"]]
            for kind in ("violations", "incomplete") for rule in found[kind]
            if kind == "violations" or rule["id"] not in UNDECIDED}


def test_all_states_of_the_page_follow_the_rules(page, rules):
    assert broken(page, rules) == {}
    choose(page, "#control", "brew")
    until(lambda: page.find_elements("id", "command-on-selected-0"))
    assert broken(page, rules) == {}
    add(page, "pinwheel")
    until(lambda: page.find_elements("id", "key-radius-slider"))
    choose(page, "#step", "20")
    choose(page, "#item", "soup")
    until(lambda: page.find_element("id", "spot").is_displayed())
    assert broken(page, rules) == {}
    choose(page, "#control", "/")
    page.find_element("css selector", "#pages summary").click()
    until(lambda: page.find_elements("css selector", "#map img"))
    assert broken(page, rules) == {}
    replace(page, "size: [120", "szie: [120")
    until(lambda: page.find_elements("css selector", "#diagnostics li"))
    assert broken(page, rules) == {}
    replace(page, "szie: [120", "size: [120")
    until(lambda: not page.find_elements("css selector", "#diagnostics li"))


def test_tests_and_their_pictures_follow_the_rules(page, studio, rules):
    suite = studio.file.parent / "try-suite.yaml"
    suite.write_text(SUITE.replace("{cups: 2}", "{picture: one}"))
    # The list is rebuilt as the file changes.
    until(lambda: page.execute_script(
        "const it = document.querySelector('#suites button'); it?.click(); return Boolean(it)"))
    until(lambda: page.find_elements("css selector", "#results .look"))
    assert broken(page, rules) == {}
    page.find_element("css selector", "#results .look").click()
    until(lambda: page.find_element("id", "comparison").is_displayed())
    assert broken(page, rules) == {}
    page.find_element("id", "close").click()
    page.find_element("id", "record").click()
    until(lambda: page.find_element("id", "recorder").is_displayed())
    touch(page, 100, 140)
    page.find_element("id", "expect").click()
    until(lambda: page.find_elements("css selector", "#seen button"))
    assert broken(page, rules) == {}
    page.find_element("id", "discard").click()


@pytest.mark.parametrize("width", [700, 1500])
def test_an_empty_file_and_a_narrow_window_follow_the_rules(browser, rules, tmp_path, width):
    running = Studio(tmp_path, "")
    browser.set_window_size(width, 900)
    try:
        browser.get(running.address)
        until(lambda: browser.find_element("id", "begin").is_displayed())
        assert broken(browser, rules) == {}
    finally:
        browser.get("about:blank")
        browser.set_window_size(1500, 900)
        running.end()
