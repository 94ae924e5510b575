# SPDX-License-Identifier: MIT
"""Selecting in the studio: clicks, frames, keys, the clipboard, alignment, the zoom, the tree and the cursor."""

import re

import pytest

from chromium import EDITOR, browser, choose, press, replace, show_source, text, touch, until, value  # noqa: F401
from studio import KIOSK, SECOND, Studio, errors, page, saved, studio  # noqa: F401
from test_studio_arranging import hand, on_picture
from test_studio_history import keys

# Three buttons of the same size on one page, and another page.
THREE = """\
kiosk: three
screen: {size: [400, 300]}
pages:
  - page: first
    controls:
      - button: one   # the first
        at: [60, 60]
        size: [80, 80]
        text: One
        on: {selected: [{go: second}]}
      - button: two
        at: [170, 90]
        size: [80, 80]
        text: Two
        color: "{one.enabled ? 'red' : 'blue'}"
      - button: three
        at: [330, 150]
        size: [80, 80]
        text: Three
""" + SECOND.replace("text: Back", "text: Back\n        on: {selected: [{go: first}]}")


@pytest.fixture
def three(browser, tmp_path):
    studio = Studio(tmp_path, THREE)
    browser.get(studio.address)
    until(lambda: browser.execute_script("return document.querySelector('#picture').width") == 400)
    until(lambda: browser.find_elements("css selector", "#tree [role=treeitem]"))
    yield browser
    browser.get("about:blank")
    studio.end()
    assert errors(browser) == []


def chosen(page):
    """The selected controls, according to the tree."""
    return page.execute_script("""
      return [...document.querySelectorAll('#tree [aria-selected=true]')].map((each) => JSON.parse(each.dataset.name))
        .filter((each) => each.control && !each.item).map((each) => each.control)""")


def press_with_shift(page, x, y, *ways):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    ActionChains(page).key_down(Keys.SHIFT).perform()
    press(page, x, y, *ways)
    ActionChains(page).key_up(Keys.SHIFT).perform()


def places(page):
    return {name: (int(x), int(y)) for name, x, y in
            re.findall(r"button: (\w+).*\n        at: \[(\d+), (\d+)\]", text(page))}


def send(page, *given):
    from selenium.webdriver.common.action_chains import ActionChains
    ActionChains(page).send_keys(*given).perform()


def test_a_click_selects_and_play_touches(page):
    press(page, 100, 140)
    until(lambda: page.execute_script("return document.querySelector('#control').value") == "brew")
    assert value(page, "cups") == "1"
    touch(page, 100, 140)
    until(lambda: value(page, "cups") == "2")
    assert text(page) == KIOSK


def test_shift_adds_to_the_selection_and_escape_ends_it(three):
    press(three, 60, 60)
    until(lambda: chosen(three) == ["one"])
    press_with_shift(three, 330, 150)
    until(lambda: sorted(chosen(three)) == ["one", "three"])
    assert len(three.find_elements("css selector", "#stage .frame:not([hidden])")) == 2
    press_with_shift(three, 60, 60)
    until(lambda: chosen(three) == ["three"])
    send(three, "\ue00c")
    until(lambda: chosen(three) == [])
    assert text(three) == THREE


def test_a_frame_selects_the_controls_that_it_touches(three):
    press(three, 10, 200, (100, -60), (120, -120))
    until(lambda: sorted(chosen(three)) == ["one", "two"])
    press(three, 390, 290)
    until(lambda: chosen(three) == [])


def test_several_controls_move_together_in_one_undo_step(three):
    keys(three, "a")
    until(lambda: len(chosen(three)) == 3)
    old = places(three)
    press(three, 60, 60, (10, 30), (9, 40))
    until(lambda: places(three)["one"] != (60, 60))
    until(lambda: {(places(three)[n][0] - old[n][0], places(three)[n][1] - old[n][1]) for n in ("one", "two", "three")}
          == {(places(three)["one"][0] - 60, places(three)["one"][1] - 60)})
    three.execute_script("return new Promise((done) => setTimeout(done, 300))")
    keys(three, "z")
    until(lambda: text(three) == THREE)
    # The keys move them, too.
    send(three, "\ue014", "\ue015")
    until(lambda: places(three) == {name: (x + 1, y + 1) if name != "back" else (x, y) for name, (x, y) in old.items()})
    keys(three, "z")
    until(lambda: text(three) == THREE)


def test_several_controls_are_removed_copied_and_pasted(three):
    press(three, 60, 60)
    press_with_shift(three, 170, 90)
    until(lambda: sorted(chosen(three)) == ["one", "two"])
    keys(three, "c")
    three.execute_script("return new Promise((done) => setTimeout(done, 300))")
    keys(three, "v")
    until(lambda: sorted(chosen(three)) == ["one2", "two2"])
    # The copies refer to each other.
    assert "{one2.enabled ? 'red' : 'blue'}" in text(three)
    keys(three, "z")
    until(lambda: text(three).count("button: ") == 6 - 1 or text(three) == THREE)
    for _ in range(3):
        if text(three) != THREE:
            keys(three, "z")
    until(lambda: text(three) == THREE)
    # On another page.
    choose(three, "#page", "second")
    until(lambda: three.execute_script("return document.querySelector('#page').value") == "second")
    keys(three, "v")
    until(lambda: "one2" in text(three))
    assert text(three).index("one2") > text(three).index("page: second")
    keys(three, "z")
    until(lambda: text(three) == THREE)
    choose(three, "#page", "first")
    until(lambda: three.find_elements("css selector", "#control option[value=one]"))
    replace(three, "\"{one.enabled ? 'red' : 'blue'}\"", "red")
    keys(three, "a")
    until(lambda: len(chosen(three)) == 3)
    send(three, "\ue017")
    until(lambda: "controls: []" in text(three))
    assert "page: second" in text(three) and "button: back" in text(three)
    keys(three, "z", "z")
    until(lambda: text(three) == THREE)


def test_a_selection_is_duplicated_by_a_key(three):
    press(three, 330, 150)
    until(lambda: chosen(three) == ["three"])
    keys(three, "d")
    until(lambda: chosen(three) == ["three2"])
    keys(three, "z")
    until(lambda: text(three) == THREE)


def test_controls_are_aligned_distributed_and_given_the_same_size(three):
    replace(three, "        at: [60, 60]\n        size: [80, 80]", "        at: [60, 60]\n        size: [60, 40]")
    keys(three, "a")
    until(lambda: len(chosen(three)) == 3)
    click(three, "[data-align=top]")
    until(lambda: [places(three)[name][1] for name in ("one", "two", "three")] == [60, 80, 80])
    click(three, "#distributex")
    until(lambda: places(three)["two"][0] not in (170,))
    one, two, last = (places(three)[name][0] for name in ("one", "two", "three"))
    assert abs((two - 40 - one - 30) - (last - 40 - two - 40)) <= 1
    click(three, "#samesize")
    until(lambda: text(three).count("size: [80, 80]") == 3)
    keys(three, "z", "z", "z", "z")
    until(lambda: text(three) == THREE)


def click(page, selector):
    page.find_element("css selector", selector).click()
    page.execute_script("return new Promise((done) => setTimeout(done, 200))")


def test_the_picture_is_zoomed_and_moved(three):
    width = three.execute_script("return document.querySelector('#picture').clientWidth")
    choose(three, "#zoom", "4")
    until(lambda: three.execute_script("return document.querySelector('#picture').clientWidth") == 1600)
    view = "const view = document.querySelector('#view');"
    assert three.execute_script(view + "return view.scrollWidth > view.clientWidth")
    # Drags have the same effect in all sizes.
    three.execute_script(view + "view.scrollLeft = 0; view.scrollTop = 0")
    start, end = on_picture(three, 60, 60), on_picture(three, 72, 91)
    drag = hand(three)
    drag.pointer_action.move_to_location(*map(int, start)).pointer_down().move_to_location(
        int(start[0]) + 9, int(start[1])).move_to_location(*map(int, end)).pointer_up()
    drag.perform()
    until(lambda: places(three)["one"] != (60, 60))
    three.execute_script("return new Promise((done) => setTimeout(done, 300))")
    x, y = places(three)["one"]
    assert abs(x - 72) <= 4 and abs(y - 91) <= 4
    keys(three, "z")
    until(lambda: text(three) == THREE)
    choose(three, "#zoom", "")
    until(lambda: three.execute_script("return document.querySelector('#picture').clientWidth") == width)


def test_the_tree_shows_selects_and_moves_elements(three):
    names = three.execute_script(
        "return [...document.querySelectorAll('#tree .entry')].map((each) => each.firstChild.textContent)")
    assert names == ["first", "one", "two", "three", "second", "back"]
    entry(three, {"page": "second", "control": "back"}).click()
    until(lambda: chosen(three) == ["back"])
    assert three.execute_script("return document.querySelector('#page').value") == "second"
    until(lambda: three.execute_script("return document.querySelector('#control').value") == "back")
    # A control is dragged before another one, and then to another page.
    drop(three, {"page": "first", "control": "three"}, {"page": "first", "control": "one"})
    until(lambda: list(places(three)) == ["three", "one", "two", "back"])
    drop(three, {"page": "first", "control": "three"}, {"page": "second"})
    until(lambda: list(places(three)) == ["one", "two", "back", "three"])
    drop(three, {"page": "second"}, {"page": "first"})
    until(lambda: text(three).index("page: second") < text(three).index("page: first"))
    for _ in range(3):
        keys(three, "z")
    until(lambda: text(three) == THREE)


FIND = """
  const find = (target) => [...document.querySelectorAll('#tree [role=treeitem]')].find((each) => {
    const { page, control, item } = JSON.parse(each.dataset.name);
    return page === target.page && control === target.control && item === target.item;
  })?.firstChild;"""


def entry(page, target):
    return page.execute_script(FIND + "return find(arguments[0])", target)


def drop(page, what, goal):
    until(lambda: entry(page, what) and entry(page, goal))
    page.execute_script(FIND + """
      const dataTransfer = new DataTransfer();
      const send = (name, target) => find(target).dispatchEvent(
        new DragEvent(name, {dataTransfer, bubbles: true, cancelable: true}));
      send('dragstart', arguments[0]);
      send('dragover', arguments[1]);
      send('drop', arguments[1]);""", what, goal)


def test_the_selection_follows_the_cursor_in_the_source(three):
    show_source(three)
    three.execute_script(EDITOR + """
      editor.focus();
      editor.setCursor(editor.posFromIndex(editor.getValue().indexOf('text: Two')));""")
    until(lambda: chosen(three) == ["two"])
    three.execute_script(EDITOR + "editor.setCursor(editor.posFromIndex(editor.getValue().indexOf('text: Back')));")
    until(lambda: chosen(three) == ["back"])
    at = "return editor.getLine(editor.getCursor().line)"
    assert "text: Back" in three.execute_script(EDITOR + at)
    # The properties have arrived. The cursor stays.
    until(lambda: three.execute_script("return document.querySelector('#key-text')?.value") == "Back")
    assert "text: Back" in three.execute_script(EDITOR + at)
    # The cursor follows a selection in the picture.
    choose(three, "#page", "first")
    until(lambda: three.find_elements("css selector", "#control option[value=three]"))
    press(three, 330, 150)
    until(lambda: "button: three" in three.execute_script(EDITOR + "return editor.getLine(editor.getCursor().line)"))


def test_the_picture_stays_still_while_selections_and_errors_come_and_go(three):
    place = "const {x, y} = document.querySelector('#picture').getBoundingClientRect(); return [x, y]"
    at_rest = three.execute_script(place)
    choose(three, "#control", "two")
    until(lambda: three.find_element("id", "alignment").is_displayed())
    assert three.execute_script(place) == at_rest
    choose(three, "#control", "")
    until(lambda: not three.find_element("id", "alignment").is_displayed())
    replace(three, "size:", "sise:")
    until(lambda: three.find_element("id", "outdated").is_displayed())
    assert three.execute_script(place) == at_rest


def test_an_item_can_be_added_again_and_has_its_own_label_and_colour(page):
    page.execute_script(EDITOR + "editor.setValue(arguments[0])", KIOSK + """\
      - pinwheel: wheel
        at: [300, 200]
        radius: 80
        wedges:
          - {id: tea, label: Tea}
          - {id: coffee, label: Coffee}
""")
    until(lambda: page.find_elements("css selector", "#control option[value=wheel]"))
    choose(page, "#control", "wheel")
    until(lambda: page.find_element("id", "additem").is_displayed())
    for number in (1, 2):
        page.find_element("id", "additem").click()
        until(lambda: f"{{id: item{number}, label: Item {number}}}" in text(page))
        until(lambda: page.find_element("id", "additem").is_displayed())


def test_the_last_control_of_a_page_can_be_removed(page):
    for control in ("brew", "title"):
        until(lambda: page.find_elements("css selector", f"#control option[value={control}]"))
        choose(page, "#control", control)
        until(lambda: page.find_element("id", "remove").is_displayed())
        page.find_element("id", "remove").click()
        until(lambda: f": {control}" not in text(page))
    assert text(page).endswith("    controls: []\n")
    until(lambda: page.find_element("id", "state").text == "Not saved")
    keys(page, "z", "z")
    until(lambda: text(page) == KIOSK)
