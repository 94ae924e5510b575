# SPDX-License-Identifier: MIT
"""Arranging in the studio: the palette, sliders, handles, the grid, and the kiosk's state next to them."""

import re
import subprocess
import time

import pytest

from chromium import EDITOR, add, browser, choose, pixel, press, replace, show_source, text, touch, until, value  # noqa: F401
from live import ROUNDEL
from studio import KIOSK, page, saved, studio  # noqa: F401

WHEEL = """\
      - pinwheel: wheel
        at: [300, 200]
        radius: 80
        wedges:
          - {id: tea, label: Tea}
          - {id: coffee, label: Coffee}
"""


def write(page, new):
    """Replaces the editor's text; undo stops here."""
    page.execute_script(EDITOR + "editor.setValue(arguments[0]); editor.clearHistory()", new)
    ids = re.findall(r"^      - \w+: (\w+)", new, re.M)
    until(lambda: page.execute_script(
        "return [...document.querySelectorAll('#control option')].slice(2).map((each) => each.value)") == ids)


def at_rest(page, changed):
    """Waits until the text has changed and is stable."""
    until(lambda: text(page) != changed)
    known = None
    while known != (known := text(page)):
        time.sleep(0.4)
    return known


def undone(page, old, frame=None):
    """Undoes once, which must give a certain text, and waits for the frame."""
    undo(page)
    until(lambda: text(page) == old)
    until(lambda: frame is None or framed(page) == frame)


def undo(page, times=1):
    for _ in range(times):
        page.execute_script(EDITOR + "editor.undo()")


def select(page, control, item=None):
    until(lambda: page.execute_script(
        "return [...document.querySelectorAll('#control option')].some((each) => each.value === arguments[0])",
        control))
    choose(page, "#control", control)
    until(lambda: keys_of(page).get("control") == control)
    if item:
        choose(page, "#item", item)
        until(lambda: keys_of(page).get("item") == item)


def keys_of(page):
    """Returns the owner of the visible keys."""
    return page.execute_script("return JSON.parse(document.querySelector('#keys').dataset.state ?? '[{}]')[0]")


def shown(page, selector):
    return page.execute_script("return document.querySelector(arguments[0])?.value", selector)


def words(page, name):
    """Returns the text of an element that may be rebuilt at any time."""
    return page.execute_script("return document.getElementById(arguments[0])?.textContent", name)


def displayed(page, name):
    return page.find_element("id", name).is_displayed()


def numbers(page, key, after=""):
    """Returns the numbers of a key after some text of the file."""
    part = text(page)
    part = part[part.index(after):]
    return [int(each) for each in re.search(rf"\b{key}: \[? *(\d+)(?:, *(\d+))?", part).groups() if each]


def on_picture(page, x, y):
    """Converts a position in the picture to the page."""
    return page.execute_script("""
      const it = document.querySelector('#picture');
      const box = it.getBoundingClientRect();
      return [box.left + arguments[0] * box.width / it.width, box.top + arguments[1] * box.height / it.height];""",
        x, y)


def hand(page):
    from selenium.webdriver.common.actions.action_builder import ActionBuilder
    return ActionBuilder(page, duration=60)


def pull(page, element, dx, dy):
    """Drags an element of the page by pixels of the picture."""
    from selenium.webdriver.common.action_chains import ActionChains
    scale = page.execute_script("return document.querySelector('#picture').clientWidth") / 400
    ActionChains(page, duration=60).click_and_hold(element).move_by_offset(
        round(dx * scale / 2), round(dy * scale / 2)).move_by_offset(
        round(dx * scale / 2), round(dy * scale / 2)).release().perform()


# MARK: The palette


def kinds_of(page):
    return page.execute_script("return [...document.querySelectorAll('#kinds button')].map((each) => each.textContent)")


def test_the_palette_shows_every_kind_as_it_is_painted(page, studio):
    page.find_element("id", "add").click()
    until(lambda: page.find_elements("css selector", "#kinds img"))
    kinds = kinds_of(page)
    manual = subprocess.run([ROUNDEL, "schema"], capture_output=True, text=True, check=True).stdout
    assert len(kinds) == len({*kinds}) >= 16 and all(f'"{kind}": {{' in manual for kind in kinds)
    # Each picture has its own colours: it isn't just background, and all differ.
    colors = page.execute_script("""
      return [...document.querySelectorAll('#kinds img')].map((image) => {
        const canvas = Object.assign(document.createElement('canvas'),
          {width: image.naturalWidth, height: image.naturalHeight});
        const context = canvas.getContext('2d');
        context.drawImage(image, 0, 0);
        return new Set(new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size;
      });""")
    assert min(colors) > 8, dict(zip(kinds, colors))
    sources = page.execute_script("return [...document.querySelectorAll('#kinds img')].map((each) => each.src)")
    assert len({*sources}) == len(sources)
    # In another theme they differ.
    choose(page, "#theme", "light")
    until(lambda: page.execute_script("return document.querySelector('#kinds img').src") != sources[0])


def test_every_kind_is_added_in_free_space_and_undone(page, studio):
    (studio.file.parent / "one.png").write_bytes(painted(studio))
    page.find_element("id", "add").click()
    until(lambda: page.find_elements("css selector", "#kinds img"))
    kinds = kinds_of(page)
    for kind in kinds:
        add(page, kind)
        until(lambda: shown(page, "#control") == f"{kind}1")
        until(lambda: f"- {kind}: {kind}1" in text(page))
        until(lambda: kind == "timer" or page.execute_script(
            "return !document.querySelector('#frame').hidden"))
        if kind != "timer":
            x0, y0, x1, y1 = framed(page)
            assert 0 <= x0 < x1 <= 400 and 0 <= y0 < y1 <= 300, kind
            assert x0 >= 160 or y0 >= 160, f"the {kind} lies on the button"
        # All of its defaults are valid.
        until(lambda: "error" not in page.execute_script(
            "return [...document.querySelectorAll('#diagnostics li')].map((each) => each.className)"))
        undo(page)
        until(lambda: text(page) == KIOSK)
        until(lambda: page.execute_script("""
          return [...document.querySelectorAll('#control option')].every((each) => each.value !== arguments[0])""",
            f"{kind}1"))
    assert saved(page, studio) == KIOSK


def painted(studio):
    picture = studio.file.parent / "whole.png"
    subprocess.run([ROUNDEL, "render", studio.file, "-o", picture], check=True)
    data = picture.read_bytes()
    picture.unlink()
    return data


def framed(page):
    """Returns the frame around the selected control, in pixels of the picture."""
    return page.execute_script("""
      const it = document.querySelector('#frame').style;
      const scale = document.querySelector('#picture').width / document.querySelector('#picture').clientWidth;
      const [x, y, w, h] = [it.left, it.top, it.width, it.height].map((each) => parseFloat(each) * scale);
      return [x, y, x + w, y + h];""")


def test_a_full_page_takes_one_more_control_in_its_centre(page):
    write(page, KIOSK.replace("size: [120, 120]", "size: [400, 300]").replace("[ 100,  100 ]", "[200, 150]"))
    add(page, "button")
    until(lambda: "- button: button1" in text(page))
    assert numbers(page, "at", "button1") == [200, 150]


def test_an_image_needs_a_picture(page):
    add(page, "image")
    until(lambda: "add a file first" in page.find_element("id", "state").text)
    assert text(page) == KIOSK


@pytest.mark.parametrize("place, expected", [((250, 200), (250, 200)), ((396, 296), (272, 264))])
def test_a_kind_is_dragged_onto_the_kiosk(page, studio, place, expected):
    page.find_element("id", "add").click()
    until(lambda: page.find_elements("css selector", "#kinds img"))
    tile = page.find_element("css selector", "#kinds [data-kind=toggle]")
    page.execute_script("arguments[0].scrollIntoView({block: 'center'})", tile)
    end = on_picture(page, *place)
    drag = hand(page)
    drag.pointer_action.move_to(tile).pointer_down().move_by(20, 4).move_to_location(*map(int, end))
    drag.perform()
    ghost = page.execute_script("return document.querySelector('#ghost')?.getBoundingClientRect().width")
    scale = page.execute_script("return document.querySelector('#picture').clientWidth") / 400
    assert abs(ghost - 256 * scale) < 2, "it is seen in the size that it will have"
    drag = hand(page)
    drag.pointer_action.pointer_up()
    drag.perform()
    until(lambda: "- toggle: toggle1" in text(page))
    found = numbers(page, "at", "toggle1")
    # It snaps to nearby positions.
    assert abs(found[0] - expected[0]) <= 8 and abs(found[1] - expected[1]) <= 8, found
    until(lambda: shown(page, "#control") == "toggle1")
    assert page.execute_script("return document.querySelector('#ghost')") is None
    undo(page)
    until(lambda: text(page) == KIOSK)


def test_a_kind_dropped_outside_the_kiosk_is_not_added(page):
    page.find_element("id", "add").click()
    until(lambda: page.find_elements("css selector", "#kinds img"))
    tile = page.find_element("css selector", "#kinds [data-kind=dial]")
    drag = hand(page)
    drag.pointer_action.move_to(tile).pointer_down().move_by(20, 4).move_to(page.find_element("id", "diagnostics"))
    drag.pointer_action.pointer_up()
    drag.perform()
    page.find_element("id", "kinds")
    until(lambda: page.execute_script("return document.querySelector('#ghost')") is None)
    assert text(page) == KIOSK


def test_the_palette_works_with_the_keyboard(page):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    page.execute_script("document.querySelector('#add').focus()")
    ActionChains(page).send_keys(Keys.ENTER).perform()
    until(lambda: page.find_elements("css selector", "#kinds img"))
    focused = "return document.activeElement.dataset.kind ?? document.activeElement.id"
    for _ in range(40):
        if page.execute_script(focused) == "ring":
            break
        ActionChains(page).send_keys(Keys.TAB).perform()
    ActionChains(page).send_keys(Keys.ENTER).perform()
    until(lambda: "- ring: ring1" in text(page))
    assert page.execute_script(focused) == "ring"
    ActionChains(page).send_keys(Keys.ESCAPE).perform()
    assert not displayed(page, "palette") and page.execute_script(focused) == "add"


# MARK: Sliders


def test_dragging_a_slider_is_one_undo_step(page, studio):
    write(page, KIOSK + WHEEL)
    select(page, "wheel")
    field = page.find_element("id", "key-radius-slider")
    assert shown(page, "#key-radius-slider") == "80"
    page.execute_script(EDITOR + """
      window.seen = [];
      editor.on('changes', () => window.seen.push(editor.getValue().match(/radius: (\\d+)/)?.[1]));""")
    from selenium.webdriver.common.action_chains import ActionChains
    ground = pixel(page, 235, 200)
    ActionChains(page, duration=120).move_to_element_with_offset(field, -9, 0).click_and_hold().move_by_offset(
        -4, 0).move_by_offset(-4, 0).move_by_offset(-4, 0).perform()
    until(lambda: numbers(page, "radius") != [80] and pixel(page, 235, 200) != ground)
    ActionChains(page).release().perform()
    until(lambda: shown(page, "#key-radius") == shown(page, "#key-radius-slider"))
    until(lambda: numbers(page, "radius") == [int(shown(page, "#key-radius"))] and numbers(page, "radius")[0] < 65)
    assert len({*page.execute_script("return window.seen")}) > 1, "the file follows the hand"
    changed = text(page)
    assert changed.replace(f"radius: {numbers(page, 'radius')[0]}", "radius: 80") == KIOSK + WHEEL
    undo(page)
    until(lambda: text(page) == KIOSK + WHEEL)
    until(lambda: shown(page, "#key-radius-slider") == "80")
    assert saved(page, studio) == KIOSK + WHEEL


def test_a_slider_has_the_range_of_its_key(page):
    write(page, KIOSK + """\
      - ring: warmth
        at: [300, 200]
        radius: 80
        min: 10
        max: 30
        step: 0.5
        value: 21.5
""")
    select(page, "warmth")
    bounds = page.execute_script("""
      return ['value', 'radius', 'hold'].map((name) => {
        const it = document.getElementById(`key-${name}-slider`);
        return it && [it.min, it.max, it.step, it.value].map(Number);
      });""")
    assert bounds[0] == [10, 30, 0.5, 21.5]
    assert bounds[1][2:] == [1, 80] and bounds[1][1] <= 400
    # By keyboard, also in one undo step.
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    page.execute_script("document.querySelector('#key-value-slider').focus()")
    ActionChains(page).send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT).perform()
    until(lambda: "value: 23\n" in text(page))
    assert page.execute_script("return document.activeElement.id") == "key-value-slider"
    undo(page)
    until(lambda: "value: 21.5\n" in text(page))


def likely(page, field):
    return page.execute_script(
        "return [...document.getElementById(arguments[0]).list.options].map((each) => each.value)", field)


def test_colours_and_files_are_chosen_from_lists(page, studio):
    (studio.file.parent / "one.png").write_bytes(painted(studio))
    add(page, "image")
    until(lambda: "- image: image1" in text(page) and 'file: "one.png"' in text(page))
    until(lambda: page.find_elements("id", "key-file"))
    assert likely(page, "key-file") == ["one.png"]
    select(page, "brew")
    colors = likely(page, "key-color")
    assert {*colors[:5]} == {"accent", "background", "muted", "surface", "text"} and "tomato" in colors
    choose(page, "#key-color", "tomato")
    until(lambda: "color: 'tomato'" in text(page))
    until(lambda: shown(page, "#key-color") == "tomato" and page.execute_script(
        "return document.querySelector('#key-color').parentElement.querySelector('[type=color]').value") == "#ff6347")
    undo(page, 2)
    until(lambda: text(page) == KIOSK)


# MARK: Positions and sizes


def test_a_drag_snaps_to_the_grid_unless_alt_is_held(page, studio):
    from selenium.webdriver.common.keys import Keys
    assert not displayed(page, "grid")
    choose(page, "#step", "20")
    until(lambda: displayed(page, "grid"))
    press(page, 100, 130, (-20, 15), (-6, 7))
    at_rest(page, KIOSK)
    assert numbers(page, "at") == [80, 120]
    undo(page)
    until(lambda: text(page) == KIOSK)
    start, end = on_picture(page, 100, 130), on_picture(page, 74, 152)
    drag = hand(page)
    drag.key_action.key_down(Keys.ALT)
    drag.perform()
    drag = hand(page)
    drag.pointer_action.move_to_location(*map(int, start)).pointer_down().move_to_location(
        *map(int, end)).pointer_up()
    drag.perform()
    drag = hand(page)
    drag.key_action.key_up(Keys.ALT)
    drag.perform()
    at_rest(page, KIOSK)
    found = numbers(page, "at")
    assert abs(found[0] - 74) <= 2 and abs(found[1] - 122) <= 2, "Alt lets go of the grid"
    undo(page)
    until(lambda: text(page) == KIOSK)
    assert saved(page, studio) == KIOSK


def test_a_drag_snaps_to_neighbours_and_shows_them(page):
    write(page, KIOSK + WHEEL)
    # The wheel's left edge is at 220, and the button's right edge is dragged near it.
    start, end = on_picture(page, 100, 130), on_picture(page, 163, 181)
    drag = hand(page)
    drag.pointer_action.move_to_location(*map(int, start)).pointer_down().move_to_location(*map(int, end))
    drag.perform()
    until(lambda: displayed(page, "guide-x"))
    drag = hand(page)
    drag.pointer_action.pointer_up()
    drag.perform()
    until(lambda: not displayed(page, "guide-x"))
    at_rest(page, KIOSK + WHEEL)
    assert numbers(page, "at")[0] == 160
    undo(page)
    until(lambda: text(page) == KIOSK + WHEEL)


def test_a_label_is_selected_moved_and_enlarged_on_the_picture(page):
    press(page, 300, 60, (-10, 30), (-20, 41))
    until(lambda: shown(page, "#control") == "title")
    at_rest(page, KIOSK)
    found = numbers(page, "at", "title")
    assert abs(found[0] - 270) <= 8 and abs(found[1] - 131) <= 8, found
    undone(page, KIOSK)
    until(lambda: displayed(page, "handle") and not displayed(page, "handle-x"))
    until(lambda: framed(page)[3] < 90)
    pull(page, page.find_element("id", "handle"), 20, 20)
    at_rest(page, KIOSK)
    assert numbers(page, "font_size", "title")[0] > 30
    undone(page, KIOSK)


def test_handles_change_one_side_or_both(page):
    select(page, "brew")
    until(lambda: displayed(page, "handle-x") and displayed(page, "handle-y"))
    frame = framed(page)
    for name, (dx, dy) in (("handle-x", (15, 40)), ("handle-y", (40, 15)), ("handle", (15, 15))):
        pull(page, page.find_element("id", name), dx, dy)
        at_rest(page, KIOSK)
        width, height = numbers(page, "size", "brew")
        assert (width == 120) == (name == "handle-y") and (height == 120) == (name == "handle-x"), (name, width, height)
        assert max(width, height) <= 164 and min(width, height) >= 120
        undone(page, KIOSK, frame)


def test_handles_change_the_outer_and_the_inner_radius(page):
    write(page, KIOSK + WHEEL)
    select(page, "wheel")
    until(lambda: displayed(page, "handle-inner") and not displayed(page, "handle-x"))
    frame = framed(page)
    pull(page, page.find_element("id", "handle-inner"), 20, 0)
    at_rest(page, KIOSK + WHEEL)
    assert abs(numbers(page, "hole")[0] - 40) <= 4
    undone(page, KIOSK + WHEEL, frame)
    pull(page, page.find_element("id", "handle"), -20, -20)
    at_rest(page, KIOSK + WHEEL)
    assert abs(numbers(page, "radius")[0] - 60) <= 8
    undone(page, KIOSK + WHEEL, frame)


def test_arrow_keys_with_control_change_the_size(page):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    select(page, "brew")
    page.execute_script("document.querySelector('#picture').focus()")
    ActionChains(page).key_down(Keys.CONTROL).send_keys(
        Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_UP).key_up(Keys.CONTROL).perform()
    until(lambda: "size: [122, 119]" in text(page))
    undo(page)
    until(lambda: text(page) == KIOSK)


# MARK: Items


def test_an_item_is_selected_on_the_picture(page):
    write(page, KIOSK + WHEEL)
    press(page, 300, 150)
    until(lambda: keys_of(page) == {"control": "wheel"})
    assert not displayed(page, "spot")
    press(page, 300, 150)
    until(lambda: "item" in keys_of(page))
    one = keys_of(page)["item"]
    until(lambda: displayed(page, "spot"))
    press(page, 300, 250)
    until(lambda: keys_of(page).get("item") not in (None, one))
    other = keys_of(page)["item"]
    assert {one, other} == {"tea", "coffee"}
    # A second click selects the whole control again.
    press(page, 300, 250)
    until(lambda: keys_of(page) == {"control": "wheel"})
    assert text(page) == KIOSK + WHEEL


# MARK: State


def test_a_bound_key_shows_its_current_value(page):
    select(page, "brew")
    until(lambda: words(page, "key-text-now") == "= 1 cups")
    assert shown(page, "#key-text") == "{cups} cups"
    touch(page, 100, 140)
    until(lambda: words(page, "key-text-now") == "= 2 cups")
    until(lambda: shown(page, "#on-selected-0-set-cups") == "{cups + 1}")
    until(lambda: words(page, "on-selected-0-set-cups-now") == "= 3")


def test_values_of_a_selected_control_are_shown_and_set(page):
    write(page, KIOSK + """\
      - toggle: light
        at: [260, 200]
        size: [200, 60]
        label: Light
""")
    select(page, "light")
    until(lambda: value_of(page, "light.value") == "false")
    touch(page, 300, 200)
    until(lambda: value_of(page, "light.value") == "true")
    field = page.find_element("css selector", "#properties input[id='value-light.value']")
    page.execute_script("""
      arguments[0].value = 'false';
      arguments[0].dispatchEvent(new Event('change'));""", field)
    touch(page, 300, 200)
    until(lambda: value_of(page, "light.value") == "true")


def value_of(page, name):
    return page.execute_script("return document.getElementById(`value-${arguments[0]}`)?.value", name)


def test_reactions_are_added_changed_and_removed(page, studio):
    choose(page, "#control", "/")
    until(lambda: displayed(page, "reacting"))
    choose(page, "#reaction", "go")
    until(lambda: 'reactions: [{when: "false", do: [{go: first}]}]' in text(page))
    until(lambda: shown(page, "#reactions-0-do-when") == "false")
    choose(page, "#reactions-0-do-when", "cups > 3")
    until(lambda: 'when: "cups > 3"' in text(page))
    choose(page, "#command-reactions-0-do-0", "emit")
    until(lambda: 'do: [{emit: done}]' in text(page))
    choose(page, "#control", "")
    until(lambda: keys_of(page) == {"page": "first"})
    choose(page, "#reaction", "emit")
    until(lambda: text(page).count("reactions: ") == 2)
    until(lambda: page.find_elements("id", "command-reactions-0-do-0"))
    page.execute_script("document.querySelector('[aria-label=\"Remove: action 1 of when false\"]').click()")
    until(lambda: text(page).count("reactions: ") == 1)
    undo(page, 5)
    until(lambda: text(page) == KIOSK)
    assert saved(page, studio) == KIOSK


# MARK: The panel and the picture


def test_a_panel_is_round_if_chosen(page, studio, tmp_path):
    square = KIOSK.replace("[400, 300]", "[400, 400]")
    write(page, square)
    until(lambda: page.execute_script("return document.querySelector('#picture').height") == 400)
    assert pixel(page, 2, 2)[:3] != [0, 0, 0]
    choose(page, "#shape", "round")
    until(lambda: pixel(page, 2, 2)[:3] == [0, 0, 0])
    assert pixel(page, 60, 120)[:3] == [0xc0, 0x30, 0x20]
    replace(page, "#c03020", "#2030c0")
    until(lambda: pixel(page, 60, 120)[:3] == [0x20, 0x30, 0xc0])
    assert pixel(page, 2, 2)[:3] == [0, 0, 0], "it stays so while the text changes"
    choose(page, "#shape", "")
    until(lambda: pixel(page, 2, 2)[:3] != [0, 0, 0])
    assert "round" not in text(page)


def test_only_the_changes_of_an_edit_are_painted_and_sent(page):
    page.execute_script("""
      const context = document.querySelector('#picture').getContext('2d');
      const own = context.putImageData;
      window.painted = [];
      context.putImageData = (image, x, y) => {
        window.painted.push(image.width * image.height);
        own.call(context, image, x, y);
      };""")
    replace(page, "#c03020", "#2030c0")
    until(lambda: pixel(page, 60, 100)[:3] == [0x20, 0x30, 0xc0])
    assert sum(page.execute_script("return window.painted")) <= 122 * 122
