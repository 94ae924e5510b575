# SPDX-License-Identifier: MIT
"""The studio's properties: groups, values of several lines, refused texts, expressions, and files."""

import base64

import pytest

from chromium import EDITOR, add, browser, choose, press, replace, show_source, text, until  # noqa: F401
from studio import KIOSK, Studio, errors, page, saved, studio  # noqa: F401
from test_files import png

BLOCKS = """\
kiosk: try
screen: {size: [400, 300]}
values:
  # How many.
  cups: {value: 1, min: 0, max: 9}
  name: Tea
languages: [en]
texts: {hello: {en: Hello}}
pages:
  - page: first
    controls:
      - label: title
        at: [200, 150]
        text: Hello
"""


@pytest.fixture
def blocks(browser, tmp_path):
    studio = Studio(tmp_path, BLOCKS)
    browser.get(studio.address)
    until(lambda: browser.execute_script("return document.querySelector('#picture').width") == 400)
    choose(browser, "#control", "/")
    until(lambda: browser.find_elements("id", "key-values"))
    yield browser
    browser.get("about:blank")
    studio.end()
    assert errors(browser) == []


def field(page, name):
    return page.find_element("id", name)


def enter(page, name, value):
    page.execute_script("""
      const field = document.getElementById(arguments[0]);
      field.focus();
      field.value = arguments[1];
      field.dispatchEvent(new Event('change'));""", name, value)


def test_values_of_several_lines_are_edited_in_place(blocks):
    known = blocks.execute_script("return document.querySelector('#key-values').value")
    assert known == "cups: {value: 1, min: 0, max: 9}\nname: Tea"
    enter(blocks, "key-values", known + "\nsugar: 0")
    until(lambda: text(blocks) == BLOCKS.replace("  name: Tea\n", "  name: Tea\n  sugar: 0\n"))
    enter(blocks, "key-values", known)
    until(lambda: text(blocks) == BLOCKS)


def test_a_refused_text_stays_and_is_marked(blocks):
    enter(blocks, "key-texts", "{hello: {en: Hi")
    until(lambda: field(blocks, "key-texts").get_attribute("aria-invalid") == "true")
    assert "is not a single value" in blocks.find_element("id", "key-texts-refusal").text
    assert field(blocks, "key-texts").get_attribute("value") == "{hello: {en: Hi"
    assert text(blocks) == BLOCKS
    enter(blocks, "key-texts", "{hello: {en: Hi}}")
    until(lambda: "en: Hi}" in text(blocks))
    until(lambda: blocks.execute_script("return !document.querySelector('#key-texts[aria-invalid]')"))


def test_escape_restores_a_refused_text(blocks):
    enter(blocks, "key-texts", "{hello")
    until(lambda: field(blocks, "key-texts").get_attribute("aria-invalid") == "true")
    field(blocks, "key-texts").send_keys("\ue00c")
    until(lambda: blocks.execute_script("return document.querySelector('#key-texts').value") == "{hello: {en: Hello}}")


def test_flags_and_choices_take_expressions_with_completion(page):
    choose(page, "#control", "brew")
    until(lambda: page.find_elements("id", "key-visible-fx"))
    assert field(page, "key-visible").get_attribute("type") == "checkbox"
    field(page, "key-visible-fx").click()
    visible = field(page, "key-visible")
    assert visible.get_attribute("type") == "text" and visible.get_attribute("value") == "{true}"
    visible.clear()
    visible.send_keys("{cu")
    until(lambda: "cups" in page.find_element("id", "words").text)
    visible.send_keys("\ue015", "\ue007", " > 0}", "\ue007")
    until(lambda: 'visible: "{cups > 0}"' in text(page))
    # The form may be rebuilt at any time.
    until(lambda: page.execute_script("return document.querySelector('#key-visible-now')?.textContent") == "= true")
    field(page, "key-visible-fx").click()
    until(lambda: text(page) == KIOSK)
    until(lambda: page.execute_script("return document.querySelector('#key-visible')?.type") == "checkbox")


def test_properties_are_grouped_with_plain_names(page):
    choose(page, "#control", "brew")
    until(lambda: page.find_elements("css selector", "#keys h3"))
    titles = page.execute_script("return [...document.querySelectorAll('#keys h3')].map((each) => each.textContent)")
    assert titles[:4] == ["Name", "Place", "Content", "Appearance"]
    label = page.find_element("css selector", "label[for=key-font_size]")
    assert label.text == "Font size" and label.get_attribute("title").startswith("font_size")


def drop(page, *files):
    page.execute_script("""
      const dataTransfer = new DataTransfer();
      for (const [name, bytes] of arguments[0]) {
        dataTransfer.items.add(new File([Uint8Array.from(atob(bytes), (each) => each.charCodeAt(0))], name));
      }
      document.querySelector('#view').dispatchEvent(
        new DragEvent('drop', {dataTransfer, bubbles: true, cancelable: true}));""",
        [(name, base64.b64encode(content).decode()) for name, content in files])


def test_several_files_are_dropped_and_scaled_down_on_demand(page, studio):
    large, small = png(1600, 1200, depth=1, color=0), png(100, 80, depth=1, color=0)
    drop(page, ("large.png", large), ("small.png", small))
    until(lambda: page.find_element("id", "scaling").is_displayed())
    assert "large.png" in page.find_element("id", "oversized").text
    page.find_element("css selector", "#scaling [value=scale]").click()
    until((studio.file.parent / "small.png").exists)
    assert (studio.file.parent / "small.png").read_bytes() == small
    scaled = (studio.file.parent / "large.png").read_bytes()
    assert [int.from_bytes(scaled[start:start + 4], "big") for start in (16, 20)] == [400, 300]
    until(lambda: "Added large.png, small.png" in page.find_element("id", "state").text)


def test_images_that_need_too_much_memory_are_explained(page, studio):
    for number in range(3):
        (studio.file.parent / f"p{number}.png").write_bytes(png(4000, 3000, depth=1, color=0))
    page.execute_script(EDITOR + "editor.setValue(arguments[0])", KIOSK + "".join(
        f"      - image: photo{number}\n        at: [100, 100]\n        size: [50, 50]\n        file: p{number}.png\n"
        for number in range(3)))
    until(lambda: "scaled down to its size on the panel" in page.find_element("id", "diagnostics").text, timeout=90)
    assert "a PNG or JPEG file" not in page.find_element("id", "diagnostics").text


@pytest.mark.parametrize("kind", ["toggle", "picker", "list"])
def test_a_new_control_is_large_enough_for_a_finger(browser, tmp_path, kind):
    studio = Studio(tmp_path, KIOSK.replace("[400, 300]", "[800, 480]"))
    try:
        browser.get(studio.address)
        until(lambda: browser.execute_script("return document.querySelector('#picture').width") == 800)
        add(browser, kind)
        until(lambda: f"- {kind}: {kind}1" in text(browser))
        browser.execute_script("return new Promise((done) => setTimeout(done, 900))")
        assert "finger" not in browser.find_element("id", "diagnostics").text
        browser.get("about:blank")
    finally:
        studio.end()


@pytest.mark.parametrize("width, scheme", [(1500, "light"), (1100, "dark"), (900, "light")])
def test_everything_fits_into_the_window(page, width, scheme):
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    page.set_window_size(width, 900)
    try:
        choose(page, "#control", "brew")
        until(lambda: page.find_elements("id", "key-button"))
        show_source(page)
        outside = page.execute_script("""
          return [...document.querySelectorAll('header *, #right *, #tools *, #above *')]
            .filter((each) => each.offsetParent && each.getBoundingClientRect().right > innerWidth + 1)
            .map((each) => each.outerHTML.slice(0, 80))""")
        assert outside == []
        assert page.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        left = page.execute_script("return document.querySelector('#left').clientWidth / innerWidth")
        assert width < 1200 or left > 0.65
        ground = page.execute_script("return getComputedStyle(document.body).backgroundColor")
        assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 31)"}[scheme]
    finally:
        page.set_window_size(1500, 900)
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        page.find_element("id", "showsource").click()
