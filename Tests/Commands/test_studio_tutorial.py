# SPDX-License-Identifier: MIT
"""The tutorial's coffee machine, created in the studio's page with the mouse and the fields of the panel, from an
empty file. Nothing is typed into the source; lists and maps, such as actions, are typed into fields."""

import re
import subprocess

import pytest

from chromium import EDITOR, add, browser, press, text, until
from live import ROUNDEL
from test_manual import MANUAL, PARTS, blocks, edited
from studio import Studio, saved

DRINKS = [("espresso", "Espresso", 1.5, "#cc6660"), ("coffee", "Coffee", 1.8, "#ad8100"),
          ("tea", "Tea", 1.2, "#519d55"), ("chocolate", "Chocolate", 2.2, "#009eae")]
# The page "brewing" continues on its own, so its picture comes from a recording.
PAGES = {"choose": [], "cups": ["--set", "price=1.8", "--set", "cups=3"], "ready": []}


# A click, a choice, a drag and a typed text are one act each.
MAXIMUM_ACTS = 95


class Author:
    """A user with a mouse who types into fields."""

    def __init__(self, page):
        from selenium.webdriver.common.keys import Keys
        self.page, self.keys = page, Keys
        # The number of clicks, choices, drags and typed texts.
        self.acts = 0

    def pick(self, name, choice):
        """Chooses an option of a list."""
        from selenium.webdriver.support.ui import Select
        self.acts += 1
        until(lambda: choice in self.choices(name))
        Select(self.page.find_element("id", name)).select_by_value(choice)

    def choices(self, name):
        return self.page.execute_script(
            "return [...document.querySelectorAll(`#${arguments[0]} option`)].map((each) => each.value)", name)

    def click(self, name):
        self.acts += 1
        until(lambda: self.page.find_element("id", name).is_displayed())
        self.page.find_element("id", name).click()

    def shown(self, name):
        return self.page.execute_script("""
          const field = document.getElementById(arguments[0]);
          return field?.type === 'checkbox' ? String(field.checked) : field?.value;""", name)

    def write(self, key, value):
        """Fills in the field of a key; an empty value removes the key."""
        name = f"key-{key}"
        until(lambda: self.shown(name) is not None)
        if self.shown(name) == value:
            return
        field = self.page.find_element("id", name)
        kind = self.page.execute_script("arguments[0].dataset.isOld = true; return arguments[0].type", field)
        if kind == "select-one":
            self.pick(name, value)
        else:
            self.acts += 1
            field.click()
        if kind in ("text", "textarea"):
            keys = self.keys
            end = keys.ENTER if kind == "text" else keys.TAB
            field.send_keys(keys.CONTROL, "a", keys.NULL, keys.BACKSPACE, value, end)
        # The form is rebuilt after the file has changed.
        until(lambda: self.shown(name) == value and not self.page.execute_script(
            "return document.getElementById(arguments[0]).dataset.isOld", name))

    def choose(self, control, item=""):
        """Shows the keys of a control or item, of the kiosk for `/`, or of the page for an empty string."""
        self.pick("control", control)
        if item:
            self.pick("item", item)
        until(lambda: self.has_keys_of(control, item))

    def has_keys_of(self, control, item=""):
        """Whether the fields belong to the selection."""
        whose = {"/": {}, "": {"page": self.shown("page")}}.get(control, {"control": control})
        return self.page.execute_script(
            "const state = document.querySelector('#keys').dataset.state; return state && JSON.parse(state)[0]"
        ) == whose | ({"item": item} if item else {})

    def add(self, kind, name, **keys):
        self.acts += 1
        add(self.page, kind)
        until(lambda: self.shown("control") == f"{kind}1" and self.has_keys_of(f"{kind}1"))
        self.write(kind, name)
        until(lambda: self.shown("control") == name and self.has_keys_of(name))
        for key, value in keys.items():
            self.write(key, value)

    def add_page(self, name):
        known = self.shown("page")
        self.click("newpage")
        until(lambda: self.shown("page") not in (known, name) and self.shown("control") == "")
        until(lambda: self.has_keys_of(""))
        self.name_page(name)

    def name_page(self, name):
        self.choose("")
        self.write("page", name)
        until(lambda: self.shown("page") == name and self.has_keys_of(""))


@pytest.fixture
def author(browser, tmp_path):
    running = Studio(tmp_path, "")
    (tmp_path / "try-suite.yaml").unlink()
    browser.get(running.address)
    yield Author(browser), running
    browser.get("about:blank")
    running.end()
    assert [line for line in browser.get_log("browser")
            if line["level"] == "SEVERE" and line["source"] != "intervention"] == []


def draw(author):
    """The steps 1 to 3 of the tutorial."""
    author.click("newname")
    author.page.find_element("id", "newname").clear()
    author.page.find_element("id", "newname").send_keys("coffee")
    author.page.find_element("css selector", "#begin button").click()
    author.choose("/")
    author.write("screen", "{size: [800, 480], font: Inter}")
    author.write("themes", '{roast: {background: "#17120f", surface: "#2b2420", text: "#f3ece4", muted: "#b9aca0", '
                           'accent: "#c16e2d"}}')
    author.write("theme", "roast")
    author.write("values", "{cups: {value: 1, min: 1, max: 8, step: 1}, price: 0}")
    author.name_page("choose")
    author.add("pinwheel", "drink", at="[400, 240]", radius="220", font_size="28", labels="", on="")

    author.add_page("cups")
    author.add("dial", "amount", at="[400, 240]", radius="200", min="1", max="8", step="", label_every="",
               wrap="false", unit="", value="{cups}")
    author.acts += 1
    until(lambda: author.page.find_element("id", "handle").is_displayed())
    press(author.page, 400, 240, (-100, 8), (-50, 6))
    until(lambda: is_near(author.shown("key-at"), 250, 254) and f"at: {author.shown('key-at')}" in text(author.page))
    # A drag uses the page's pixels, which are fewer.
    author.write("at", "[240, 240]")
    author.add("label", "total", at="[600, 120]", text="{price * cups:.2f} €", font_size="56")
    author.add("button", "brew", at="[600, 260]", size="[240, 96]", shape="", blink="{count: 1}", on="")
    author.add("button", "back", at="[600, 380]", size="[240, 72]", text="Back", color="", shape="", blink="",
               on="{selected: [{go: choose}]}")

    author.add_page("brewing")
    author.add("ring", "progress", at="[400, 240]", radius="200", min="", max="", step="", value="", ticks="",
               text="{progress.value:.0f} %")
    author.write("interactive", "false")
    author.add("timer", "pump", every="0.25", on="")

    author.add_page("ready")
    author.add("button", "take", at="[400, 240]", size="[440, 440]", text="Take your {drink.label}", font_size="40",
               color="#3f7d43", shape="", blink="", on="{selected: [{go: choose}]}")
    author.choose("")
    author.write("home_after", "20")
    author.write("on", '{shown: [{emit: {name: sold, drink: "{drink.item}", cups: "{cups}", '
                       'price: "{price * cups}"}}]}')

    # Actions that lead to a page can be added once the page exists.
    author.choose("")
    author.pick("page", "brewing")
    until(lambda: author.has_keys_of("") and author.shown("key-page") == "brewing")
    author.write("on", "{shown: [{set: {progress.value: 0}}]}")
    author.choose("pump")
    author.write("on", '{due: [{set: {progress.value: "{progress.value + 10 / cups}"}}, '
                       '{go: ready, when: progress.value >= 100}]}')
    author.pick("page", "cups")
    author.choose("brew")
    author.write("on", "{confirmed: [{go: brewing}]}")
    author.pick("page", "choose")
    author.choose("drink")
    author.write("wedges", "\n".join(
        f'- {{id: {item}, label: {label}, color: "{color}", '
        f'on: {{confirmed: [{{set: {{price: {price}, cups: 1}}}}, {{go: cups}}]}}}}'
        for item, label, price, color in DRINKS))


def is_near(place, x, y):
    found = re.fullmatch(r"\[(\d+), (\d+)\]", place)
    return abs(int(found[1]) - x) <= 2 and abs(int(found[2]) - y) <= 2


def painted(file, page):
    picture = file.parent / f"{file.stem}-{page}.png"
    subprocess.run([ROUNDEL, "render", file, "-o", picture, "--page", page, *PAGES[page]], check=True)
    return picture.read_bytes()


def played(file, recording):
    shots = file.parent / f"shots-of-{file.stem}"
    shots.mkdir(exist_ok=True)
    return subprocess.run([ROUNDEL, "replay", file, file.parent / recording, "--shots", shots], check=True,
                          capture_output=True, text=True).stdout


def test_the_coffee_machine_is_created_by_mouse_and_panel(author, tmp_path):
    author, studio = author
    draw(author)
    saved(author.page, studio)
    print(f"{author.acts} acts")
    assert author.acts <= MAXIMUM_ACTS
    by_hand = tmp_path / "by-hand.yaml"
    for block in blocks(MANUAL / "tutorial.md"):
        if (step := PARTS.match(block.text)) and step[1] == "coffee.yaml":
            by_hand.write_text(edited(by_hand.read_text() if step[2] else "", block.text))
        elif block.file:
            (tmp_path / block.file).write_text(block.text)
    assert subprocess.run([ROUNDEL, "check", studio.file], capture_output=True, text=True).stderr == ""
    for page in PAGES:
        assert painted(studio.file, page) == painted(by_hand, page), page
    for recording in ("order.jsonl", "brew.jsonl"):
        assert played(studio.file, recording) == played(by_hand, recording) != ""
    shots = [tmp_path / f"shots-of-{name}/brewing.png" for name in ("try", "by-hand")]
    assert shots[0].read_bytes() == shots[1].read_bytes()


def test_everything_can_be_undone_back_to_the_empty_file(author):
    author, _ = author
    begin = author.page.find_element("css selector", "#begin button")
    begin.click()
    until(lambda: author.shown("page") == "page1" and not begin.is_displayed())
    author.click("newpage")
    until(lambda: author.shown("page") == "page2")
    for _ in range(2):
        author.page.execute_script(EDITOR + "editor.undo()")
    until(lambda: text(author.page) == "" and begin.is_displayed())
    assert not author.page.find_element("id", "stage").is_displayed()


def test_a_rejected_field_changes_nothing(author):
    author, _ = author
    begin = author.page.find_element("css selector", "#begin button")
    until(begin.is_displayed)
    begin.click()
    author.choose("/")
    known = text(author.page)
    until(lambda: author.page.find_elements("id", "key-screen"))
    field = author.page.find_element("id", "key-screen")
    field.click()
    field.send_keys(author.keys.END, "}", author.keys.ENTER)
    until(lambda: "is not a single value" in author.page.find_element("id", "state").text)
    assert text(author.page) == known
