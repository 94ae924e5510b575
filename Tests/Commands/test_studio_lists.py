# SPDX-License-Identifier: MIT
"""Lists in the studio's panel of keys: the order of controls, pages and items, their copies, and actions."""

import pytest

from chromium import EDITOR, browser, choose, text, until, value  # noqa: F401
from studio import KIOSK, SECOND, page, saved, studio  # noqa: F401

WHEEL = """\
      - pinwheel: wheel
        at: [300, 200]
        radius: 80
        wedges:
          - {id: tea, label: Tea}
          # Not for children.
          - {id: coffee, label: Coffee}
"""


@pytest.fixture
def larger(page):
    """A kiosk with two pages and a control with items."""
    write(page, KIOSK + WHEEL + SECOND)
    return page


def write(page, new):
    page.execute_script(EDITOR + "editor.setValue(arguments[0])", new)
    until(lambda: page.execute_script("return document.querySelector('#diagnostics').textContent") == "")


def click(page, name):
    until(lambda: page.find_element("id", name).is_displayed())
    page.execute_script("document.getElementById(arguments[0]).click()", name)


def shown(page, selector):
    return page.execute_script("return document.querySelector(arguments[0])?.value", selector)


def select(page, control, item=None):
    until(lambda: page.execute_script(
        "return [...document.querySelectorAll('#control option')].some((each) => each.value === arguments[0])",
        control))
    choose(page, "#control", control)
    if item:
        until(lambda: page.execute_script(
            "return [...document.querySelectorAll('#item option')].some((each) => each.value === arguments[0])", item))
        choose(page, "#item", item)
    owner = {"control": control, **({"item": item} if item else {})}
    until(lambda: page.execute_script(
        "return JSON.stringify(JSON.parse(document.querySelector('#keys').dataset.state ?? '[]')[0])")
        == str(owner).replace("'", '"').replace(": ", ":").replace(", ", ","))


def test_items_are_reordered_copied_added_and_removed(larger, studio):
    page, old = larger, KIOSK + WHEEL + SECOND
    select(page, "wheel", "coffee")
    click(page, "earlier")
    new = old.replace("""\
          - {id: tea, label: Tea}
          # Not for children.
          - {id: coffee, label: Coffee}
""", """\
          # Not for children.
          - {id: coffee, label: Coffee}
          - {id: tea, label: Tea}
""")
    until(lambda: text(page) == new)
    click(page, "duplicate")
    copied = new.replace("label: Coffee}\n", "label: Coffee}\n          - {id: coffee2, label: Coffee}\n")
    until(lambda: text(page) == copied and shown(page, "#item") == "coffee2")
    click(page, "remove")
    until(lambda: text(page) == new and shown(page, "#item") == "")
    click(page, "additem")
    until(lambda: "- {id: item1, label:" in text(page) and shown(page, "#item") == "item1")
    for _ in range(4):
        page.execute_script(EDITOR + "editor.undo()")
    until(lambda: text(page) == old)


def test_controls_and_pages_are_reordered_and_copied(larger):
    page, old = larger, KIOSK + WHEEL + SECOND
    select(page, "brew")
    click(page, "later")
    until(lambda: text(page).index("- label: title") < text(page).index("- button: brew"))
    click(page, "earlier")
    until(lambda: text(page) == old)
    click(page, "duplicate")
    until(lambda: "      - button: brew2   # the button\n        at: [ 120,  120 ]\n" in text(page))
    until(lambda: shown(page, "#control") == "brew2")
    click(page, "remove")
    until(lambda: text(page) == old)
    choose(page, "#control", "")
    until(lambda: page.execute_script("return document.querySelector('#key-page') != null"))
    click(page, "duplicate")
    until(lambda: "  - page: first2\n" in text(page) and "- pinwheel: wheel2\n" in text(page))
    until(lambda: shown(page, "#page") == "first2")
    click(page, "earlier")
    until(lambda: text(page).index("- page: first2") < text(page).index("- page: first\n"))
    click(page, "remove")
    until(lambda: text(page) == old)


def test_actions_are_chosen_by_name_and_have_fields(larger, studio):
    page, old = larger, KIOSK + WHEEL + SECOND
    select(page, "brew")
    until(lambda: shown(page, "#command-on-selected-0") == "set")
    choose(page, "#on-selected-0-set-cups", "7")
    until(lambda: "[{set: {cups: 7}}]" in text(page))
    choose(page, "#on-selected-0-when", "cups < 3")
    until(lambda: "[{set: {cups: 7}, when: cups < 3}]" in text(page)
          or '[{set: {cups: 7}, when: "cups < 3"}]' in text(page))
    choose(page, "#add-on-selected", "go")
    until(lambda: "{go: first}]" in text(page) and shown(page, "#on-selected-1-go") == "first")
    pages = page.execute_script("""
      return [...document.querySelector('#on-selected-1-go').list.options].map((each) => each.value)""")
    assert pages[:2] == ["first", "second"]
    choose(page, "#on-selected-1-go", "second")
    until(lambda: "{go: second}]" in text(page))
    page.execute_script("document.querySelector('[aria-label=\"Earlier: action 2 of selected\"]').click()")
    until(lambda: "selected: [{go: second}, {set:" in text(page))
    until(lambda: shown(page, "#command-on-selected-1") == "set")
    page.execute_script("document.querySelector('[aria-label=\"Remove: action 2 of selected\"]').click()")
    until(lambda: text(page) == old.replace('{set: {cups: "{cups + 1}"}}', "{go: second}"))
    choose(page, "#command-on-selected-0", "emit")
    until(lambda: "[{emit: done}]" in text(page))
    # An impossible choice is reported, and the field returns to the actual one.
    choose(page, "#command-on-selected-0", "open")
    until(lambda: 'no target for "open"' in page.find_element("id", "state").text)
    until(lambda: shown(page, "#command-on-selected-0") == "emit")
    page.execute_script("document.querySelector('[aria-label=\"Remove: action 1 of selected\"]').click()")
    until(lambda: "selected" not in text(page))
    assert text(page) == old.replace("        on: {selected: [{set: {cups: \"{cups + 1}\"}}]}\n", "")
    choose(page, "#add-on-pressed", "set")
    until(lambda: '        on: {pressed: [{set: {cups: "{cups}"}}]}\n' in text(page))
    assert saved(page, studio) == text(page)
