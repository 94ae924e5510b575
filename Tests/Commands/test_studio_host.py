# SPDX-License-Identifier: MIT
"""The studio on a kiosk that runs on another machine: `roundel studio --host`, in Chromium."""

import re
import subprocess
import sys

import pytest

from chromium import browser, choose, pixel, press, replace, text, until, value  # noqa: F401
from elsewhere import ssh  # noqa: F401
from live import ROUNDEL, LiveKiosk, run

KIOSK = """\
# On the wall. äöü 😀
kiosk: wall
screen: {size: [400, 300]}
values: {cups: 1}
pages:
  - page: first
    controls:
      - button: brew   # the button
        at: [100, 100]
        size: [120, 120]
        text: "{cups} cups"
        color: '#c03020'
        on: {selected: [{set: {cups: "{cups + 1}"}}]}
      - label: title
        at: [300, 60]
        text: Hello
  - page: second
    controls:
      - button: back
        at: [100, 110]
        size: [120, 120]
        text: Back
        color: '#208040'
"""
RED, BLUE = [0xc0, 0x30, 0x20], [0x20, 0x30, 0xc0]


@pytest.fixture
def wall(tmp_path):
    """The kiosk on the other machine."""
    folder = tmp_path / "wall"
    folder.mkdir()
    (tmp_path / "given.yaml").write_text(KIOSK)
    running = LiveKiosk(folder, file=tmp_path / "given.yaml")
    yield running
    running.close()


@pytest.fixture
def begin(browser, wall, ssh):
    """Starts a studio on the wall, and opens its page."""
    processes = []

    def begin(*words):
        process = subprocess.Popen(
            [ROUNDEL, "studio", *words, "--host", "lobby", "--socket", wall.socket],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=ssh.environment)
        processes.append(process)
        browser.get(process.stdout.readline().strip())
        until(lambda: browser.execute_script("return document.querySelector('#picture').width") == 400)
        until(lambda: pixel(browser, 60, 100)[:3] == RED)
        return browser

    yield begin
    errors = [line for line in browser.get_log("browser")
              if line["level"] == "SEVERE" and line["source"] != "intervention"]
    browser.execute_script("window.onbeforeunload = null")
    browser.get("about:blank")
    for process in processes:
        process.terminate()
        process.wait(10)
        process.stdout.close()
    assert errors == []


def state(page):
    return page.find_element("id", "state").text


def color(page, x=60, y=100):
    return pixel(page, x, y)[:3]


def answer(page, isYes):
    """Answers what the page asks."""
    from selenium.webdriver.support import expected_conditions
    from selenium.webdriver.support.ui import WebDriverWait
    question = WebDriverWait(page, 20).until(expected_conditions.alert_is_present())
    words = question.text
    question.accept() if isYes else question.dismiss()
    return words


def test_the_panel_is_seen_and_touched_and_tells_its_state(wall, begin):
    page = begin()
    assert text(page) == KIOSK and state(page) == "Saved"
    press(page, 100, 140)
    assert wall.told_until("brew.selected")
    until(lambda: value(page, "cups") == "2")
    until(lambda: 'control="brew"' in page.find_element("id", "events").text)
    # What others do there is seen as well.
    wall.run("set", "cups=7")
    until(lambda: value(page, "cups") == "7")
    wall.run("go", "second")
    until(lambda: color(page) == [0x20, 0x80, 0x40])
    until(lambda: page.execute_script("return document.querySelector('#page').value") == "second")
    # And what is chosen here is done there.
    choose(page, "#page", "first")
    until(lambda: wall.get("page") == "first" and color(page) == RED)
    choose(page, "#value-cups", "3")
    until(lambda: wall.get("cups") == 3)


def test_a_panel_at_rest_is_asked_for_nothing(wall, begin, ssh, tmp_path):
    """Two frames are asked for ahead, and the next once something has changed."""
    ssh(f'''for last; do :; done
case "$last" in
  *relay*) tee -a {tmp_path}/asked | sh -c "$last" | tee -a {tmp_path}/answered ;;
  *) exec sh -c "$last" ;;
esac''')
    page = begin()

    def frames():
        return ((tmp_path / "asked").read_text().count('"method":"frame"'),
                (tmp_path / "answered").read_text().count('"parts":'))

    for cups in range(2, 12):
        before = frames()[1]
        wall.run("set", f"cups={cups}")
        until(lambda: value(page, "cups") == str(cups) and frames()[1] > before)
        until(lambda: frames()[0] == frames()[1] + 2)
    assert frames()[1] < 40


def test_what_is_saved_is_checked_and_shown_there(wall, begin):
    page = begin()
    replace(page, "#c03020", "#2030c0")
    until(lambda: state(page) == "Not saved")
    # The text is seen before it is on the wall, where it is arranged as well.
    page.find_element("id", "arrange").click()
    until(lambda: color(page) == BLUE)
    press(page, 100, 120, (0, 20), (0, 20))
    until(lambda: re.search(r"at: \[100, 1[34]\d\]", text(page)))
    choose(page, "#shown", "panel")
    until(lambda: color(page) == RED and not page.find_element("id", "arrange").is_selected())
    assert wall.file.read_text() == KIOSK
    page.find_element("id", "save").click()
    until(lambda: color(page) == BLUE)
    until(lambda: state(page) == "Saved")
    saved = wall.file.read_text()
    assert saved == text(page)
    assert re.sub(r"at: \[100, 1[34]\d\]", "at: [100, 100]", saved) == KIOSK.replace("#c03020", "#2030c0")

    # One with mistakes is refused, and nothing is lost.
    before = wall.file.read_bytes()
    replace(page, "size: [120", "szie: [120")
    page.find_element("id", "save").click()
    until(lambda: "not saved on lobby" in state(page) and 'did you mean "size"?' in state(page))
    assert wall.file.read_bytes() == before and "szie" in text(page) and color(page) == BLUE


def test_what_others_change_there_is_taken_over_or_asked_about(wall, begin):
    page = begin()
    wall.file.write_text(KIOSK.replace("Hello", "Servus"))
    until(lambda: "Servus" in text(page))
    assert state(page) == "Saved"
    replace(page, "Servus", "Mine")
    until(lambda: state(page) == "Not saved")
    # The other side has what was typed.
    until(lambda: page.execute_script("return document.querySelector('#mistakes').textContent") == "")
    theirs = KIOSK.replace("Hello", "Theirs")
    wall.file.write_text(theirs)
    assert "changed on lobby, and here, too" in answer(page, False)
    assert "Mine" in text(page) and wall.file.read_text() == theirs
    page.find_element("id", "save").click()
    assert "is another than what was read" in answer(page, True)
    until(lambda: state(page) == "Saved")
    assert wall.file.read_text() == KIOSK.replace("Hello", "Mine")


def test_a_panel_that_is_away_is_told_and_comes_back(wall, begin):
    page = begin()
    replace(page, "#c03020", "#2030c0")
    until(lambda: state(page) == "Not saved")
    wall.close()
    until(lambda: page.find_element("id", "away").is_displayed())
    assert "lobby" in page.find_element("id", "away").text
    assert "#2030c0" in text(page)
    wall.start()
    until(lambda: not page.find_element("id", "away").is_displayed(), timeout=60)
    page.find_element("id", "save").click()
    until(lambda: color(page) == BLUE)
    press(page, 100, 140)
    assert wall.told_until("brew.selected")


def test_a_file_of_this_machine_takes_the_place_of_the_panels(wall, begin, tmp_path):
    own = tmp_path / "kiosk.yaml"
    own.write_text(KIOSK.replace("Hello", "New"))
    page = begin(own)
    assert "text: New" in text(page) and state(page) == "Not saved"
    page.find_element("id", "save").click()
    assert "is another than what was read" in answer(page, True)
    until(lambda: state(page) == "Saved")
    assert wall.file.read_text() == own.read_text() == KIOSK.replace("Hello", "New")
    replace(page, "text: New", "text: Newer")
    until(lambda: state(page) == "Not saved")
    page.find_element("id", "save").click()
    until(lambda: wall.file.read_text() == own.read_text() == KIOSK.replace("Hello", "Newer"))


def test_what_stands_in_the_way_is_told_in_the_terminal(wall, ssh, tmp_path):
    def told(*words, code):
        return run("studio", *words, "--host", "lobby", "--socket", wall.socket, code=code,
                   env=ssh.environment).stderr

    other = tmp_path / "other.yaml"
    other.write_text(KIOSK)
    assert re.search(r"lobby shows \S+/kiosk.yaml, which is not called other.yaml", told(other, code=64))
    ssh('for last; do :; done; case "$last" in *source*) exit 64;; esac; exec sh -c "$last"')
    assert "the roundel on lobby is of a version without a source" in told(code=69)
    ssh('echo "roundel: the kiosk was not read from a file" >&2; exit 69')
    assert told(code=69) == "roundel: the kiosk was not read from a file\n"
    ssh("exit 255")
    assert "ssh could not reach lobby" in told(code=69)
    assert "--host" in run("studio", code=64).stderr


def test_a_panel_that_names_a_file_outside_of_its_copy_is_refused(ssh, tmp_path):
    """Else what it names would be read, and written, on this machine."""
    own = tmp_path / "own.yaml"
    own.write_text(KIOSK)
    liar = tmp_path / "liar.py"
    liar.write_text(LIAR)
    for path, code in ((str(own), 64), ("/.." * 40 + str(own), 69)):
        ssh(f"exec {sys.executable} -u {liar} '{path}'")
        said = run("studio", "other.yaml", "--host", "lobby", code=code, env=ssh.environment).stderr
        assert ("which is not called other.yaml" if code == 64 else "source") in said


LIAR = """\
import base64, json, sys
print(json.dumps({"jsonrpc": "2.0", "method": "relay"}))
for line in sys.stdin:
    request = json.loads(line)
    file = {"path": sys.argv[1], "bytes": base64.b64encode(b"kiosk: other").decode()}
    result = {"version": "9.0.0"} if request["method"] == "version" else {"path": sys.argv[1], "files": [file]}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}))
"""
