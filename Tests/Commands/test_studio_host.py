# SPDX-License-Identifier: MIT
"""The studio with a kiosk on another machine: `roundel studio --host`, in Chromium."""

import re
import struct
import subprocess
import sys
import time
import zlib

import pytest

from chromium import browser, choose, pixel, play, press, replace, text, until, value  # noqa: F401
from elsewhere import server, ssh  # noqa: F401
from live import ROUNDEL, LiveKiosk, run
from studio import KIOSK, SECOND, errors

WALL = KIOSK + SECOND
RED, BLUE = [0xc0, 0x30, 0x20], [0x20, 0x30, 0xc0]


@pytest.fixture
def wall(tmp_path):
    """The kiosk on the other machine."""
    folder = tmp_path / "wall"
    folder.mkdir()
    (tmp_path / "given.yaml").write_text(WALL)
    running = LiveKiosk(folder, file=tmp_path / "given.yaml")
    yield running
    running.close()


@pytest.fixture
def begin(browser, wall, ssh):
    """Starts a studio for the wall and opens its page."""
    yield from studios(browser, wall, ssh.environment)


@pytest.fixture
def begin_by_ssh(browser, wall, server):
    """Like `begin`, with real ssh."""
    yield from studios(browser, wall, server.environment)


def studios(browser, wall, environment):
    processes = []

    def begin(*words):
        process = subprocess.Popen(
            [ROUNDEL, "studio", *words, "--host", "lobby", "--socket", wall.socket],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
        processes.append(process)
        browser.get(process.stdout.readline().strip())
        until(lambda: browser.execute_script("return document.querySelector('#picture').width") == 400)
        until(lambda: pixel(browser, 60, 100)[:3] == RED)
        return browser

    yield begin
    found = errors(browser)
    browser.execute_script("window.onbeforeunload = null")
    browser.get("about:blank")
    for process in processes:
        process.terminate()
        process.wait(10)
        process.stdout.close()
    assert found == []


def state(page):
    return page.find_element("id", "state").text


def color(page, x=60, y=100):
    return pixel(page, x, y)[:3]


def answer(page, keepsMine):
    """Answers the dialog about two versions: keeps this one, or decides later."""
    until(lambda: page.find_element("id", "conflict").is_displayed())
    words = page.find_element("id", "reason").text
    page.find_element("id", "mine" if keepsMine else "decidelater").click()
    return words


def test_the_panel_is_seen_and_touched_and_reports_its_state(wall, begin):
    page = begin()
    assert text(page) == WALL and state(page) == "Saved"
    press(page, 100, 140)
    assert wall.told_until("brew.selected")
    until(lambda: value(page, "cups") == "2")
    until(lambda: 'control="brew"' in page.find_element("id", "events").text)
    # Changes by others on the panel are shown as well.
    wall.run("set", "cups=7")
    until(lambda: value(page, "cups") == "7")
    wall.run("go", "second")
    until(lambda: color(page) == [0x20, 0x80, 0x40])
    until(lambda: page.execute_script("return document.querySelector('#page').value") == "second")
    # Choices here are carried out there.
    choose(page, "#page", "first")
    until(lambda: wall.get("page") == "first" and color(page) == RED)
    choose(page, "#value-cups", "3")
    until(lambda: wall.get("cups") == 3)


def test_an_idle_panel_gets_no_requests(wall, begin, ssh, tmp_path):
    """Two frames are requested in advance, and the next one after a change."""
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


def test_a_saved_text_is_checked_and_shown_on_the_panel(wall, begin):
    page = begin()
    replace(page, "#c03020", "#2030c0")
    until(lambda: state(page) == "Not saved")
    # The text is previewed and arranged here before it is on the wall.
    choose(page, "#shown", "text")
    until(lambda: color(page) == BLUE)
    until(page.find_element("id", "play").is_enabled)
    play(page, False)
    press(page, 100, 120, (0, 20), (0, 20))
    until(lambda: re.search(r"at: \[ 100,  1[34]\d \]", text(page)))
    choose(page, "#shown", "panel")
    until(lambda: color(page) == RED and page.find_element("id", "play").is_selected())
    assert wall.file.read_text() == WALL
    page.find_element("id", "save").click()
    until(lambda: color(page) == BLUE)
    until(lambda: state(page) == "Saved")
    saved = wall.file.read_text()
    assert saved == text(page)
    assert re.sub(r"at: \[ 100,  1[34]\d \]", "at: [ 100,  100 ]", saved) == WALL.replace("#c03020", "#2030c0")

    # A text with errors is rejected, and nothing is lost.
    before = wall.file.read_bytes()
    replace(page, "size: [120", "szie: [120")
    page.find_element("id", "save").click()
    until(lambda: "cannot save on lobby" in state(page) and 'did you mean "size"?' in state(page))
    assert wall.file.read_bytes() == before and "szie" in text(page) and color(page) == BLUE


def test_a_slow_line_blocks_nothing_during_the_transfer_of_a_large_file(wall, begin, ssh, tmp_path):
    """The script on the other side reads nothing for a while."""
    ssh(f'''for last; do :; done
case "$last" in
  *relay*) exec sh -c "$last" ;;
  *) python3 {tmp_path}/slow.py | sh -c "$last" ;;
esac''')
    (tmp_path / "slow.py").write_text(f"""
import os, time
while True:
    piece = os.read(0, 4096)
    if not piece:
        break
    while os.path.exists({str(tmp_path / "held")!r}):
        time.sleep(0.02)
    while piece:
        piece = piece[os.write(1, piece):]
""")
    own = tmp_path / "own"
    own.mkdir()
    noise = b"".join(struct.pack(">I", number * 2654435761 % 2 ** 32) for number in range(60_000))
    (own / "photo.png").write_bytes(png(60, 1000, noise))
    image = "      - image: photo\n        at: [200, 200]\n        size: [90, 90]\n        file: photo.png\n"
    (own / "kiosk.yaml").write_text(WALL)
    page = begin(own / "kiosk.yaml")
    replace(page, "      - label: title", image + "      - label: title")
    until(lambda: state(page) == "Not saved" and not page.find_element("id", "diagnostics").text)
    (tmp_path / "held").touch()
    page.find_element("id", "save").click()
    begun = time.monotonic()
    for cups in range(2, 6):
        choose(page, "#value-cups", str(cups))
        until(lambda: wall.get("cups") == cups, 5)
        until(lambda: value(page, "cups") == str(cups), 5)
    assert time.monotonic() - begun < 10
    assert state(page) != "Saved"
    (tmp_path / "held").unlink()
    until(lambda: state(page) == "Saved")
    assert (wall.file.parent / "photo.png").read_bytes() == (own / "photo.png").read_bytes()


def png(width, height, pixels):
    """A nearly incompressible RGBA image."""
    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    rows = b"".join(b"\0" + pixels[4 * width * row:4 * width * (row + 1)] for row in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b""))


def test_changes_by_others_on_the_panel_are_loaded_or_confirmed(wall, begin):
    page = begin()
    wall.file.write_text(WALL.replace("Hello", "Servus"))
    until(lambda: "Servus" in text(page))
    assert state(page) == "Saved"
    replace(page, "Servus", "Mine")
    until(lambda: state(page) == "Not saved")
    # The other side has the typed text.
    until(lambda: page.execute_script("return document.querySelector('#diagnostics').textContent") == "")
    theirs = WALL.replace("Hello", "Theirs")
    wall.file.write_text(theirs)
    assert "changed both on lobby and here" in answer(page, False)
    assert "Mine" in text(page) and wall.file.read_text() == theirs
    page.find_element("id", "save").click()
    assert "was changed on lobby" in answer(page, True)
    until(lambda: state(page) == "Saved")
    assert wall.file.read_text() == WALL.replace("Hello", "Mine")


def test_a_disconnected_panel_is_reported_and_returns(wall, begin):
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


def test_a_local_file_replaces_the_file_of_the_panel(wall, begin, tmp_path):
    own = tmp_path / "kiosk.yaml"
    own.write_text(WALL.replace("Hello", "New"))
    page = begin(own)
    assert "text: New" in text(page) and state(page) == "Not saved"
    page.find_element("id", "save").click()
    assert "was changed on lobby" in answer(page, True)
    until(lambda: state(page) == "Saved")
    assert wall.file.read_text() == own.read_text() == WALL.replace("Hello", "New")
    replace(page, "text: New", "text: Newer")
    until(lambda: state(page) == "Not saved")
    page.find_element("id", "save").click()
    until(lambda: wall.file.read_text() == own.read_text() == WALL.replace("Hello", "Newer"))


def picture(path, color):
    """Writes a one-colour image."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes(color) * 40 for _ in range(40))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 40, 40, 8, 2, 0, 0, 0))
                     + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def name_picture(page):
    """Adds an image called logo.png to the text."""
    replace(page, "      - label: title\n        at: [300, 60]\n        text: Hello\n",
            "      - image: logo\n        at: [300, 60]\n        size: [80, 80]\n        file: logo.png\n")


def test_a_picture_added_in_the_page_is_sent_with_the_text(wall, begin, tmp_path):
    page = begin()
    picture(tmp_path / "logo.png", RED)
    page.find_element("id", "file").send_keys(str(tmp_path / "logo.png"))
    until(lambda: "Added logo.png" in state(page))
    name_picture(page)
    assert not (wall.file.parent / "logo.png").exists()
    page.find_element("id", "save").click()
    until(lambda: state(page) == "Saved" and color(page, 300, 60) == RED)
    assert (wall.file.parent / "logo.png").read_bytes() == (tmp_path / "logo.png").read_bytes()
    # A changed picture is noticed on both sides.
    choose(page, "#shown", "text")
    picture(wall.file.parent / "logo.png", BLUE)
    until(lambda: color(page, 300, 60) == BLUE)
    page.find_element("id", "file").send_keys(str(tmp_path / "logo.png"))
    until(lambda: "logo.png already exists" in state(page))
    (tmp_path / "logo.sh").write_text("true")
    page.find_element("id", "file").send_keys(str(tmp_path / "logo.sh"))
    until(lambda: "is not an image" in state(page))


def test_files_named_by_a_local_file_are_sent_with_it(wall, begin, tmp_path):
    folder = tmp_path / "own"
    folder.mkdir()
    own = folder / "kiosk.yaml"
    own.write_text(WALL)
    (folder / "unnamed.png").write_bytes(b"no")
    page = begin(own)
    assert state(page) == "Saved"
    picture(folder / "logo.png", RED)
    name_picture(page)
    page.find_element("id", "save").click()
    until(lambda: state(page) == "Saved" and color(page, 300, 60) == RED)
    there = wall.file.parent / "logo.png"
    assert there.read_bytes() == (folder / "logo.png").read_bytes()
    assert not (wall.file.parent / "unnamed.png").exists()
    # A locally changed picture isn't saved there yet, and is sent without a change of the text.
    picture(folder / "logo.png", BLUE)
    until(lambda: state(page) == "Not saved")
    page.find_element("id", "save").click()
    until(lambda: state(page) == "Saved" and color(page, 300, 60) == BLUE)
    assert there.read_bytes() == (folder / "logo.png").read_bytes()
    # Replacing another user's changes requires confirmation.
    theirs = there.read_bytes()[:-4] + b"lost"
    there.chmod(0o644)
    there.write_bytes(theirs)
    picture(folder / "logo.png", RED)
    until(lambda: state(page) == "Not saved")
    page.find_element("id", "save").click()
    assert "logo.png" in answer(page, True)
    until(lambda: there.read_bytes() == (folder / "logo.png").read_bytes())


def test_a_test_recorded_without_a_file_is_offered_as_a_download(wall, begin, tmp_path):
    page = begin()
    page.find_element("id", "record").click()
    until(lambda: page.find_element("id", "recorder").is_displayed())
    until(lambda: page.execute_script("return document.querySelector('#shown').value") == "text")
    press(page, 100, 140)
    until(lambda: "- tap: brew" in page.execute_script("return document.querySelector('#steps').value"))
    page.find_element("id", "test").send_keys("a cup")
    page.find_element("id", "keep").click()
    until(lambda: page.find_element("id", "download").is_displayed())
    until(lambda: page.find_elements("css selector", "#results .passed"))
    assert page.find_element("id", "download").get_attribute("download") == "kiosk-suite.yaml"
    folder = tmp_path / "downloads"
    page.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
    page.find_element("id", "download").click()
    until(lambda: (folder / "kiosk-suite.yaml").exists())
    suite = (folder / "kiosk-suite.yaml").read_text()
    assert suite.startswith("suite: kiosk\nkiosk: kiosk.yaml\ntests:\n  - test: a cup\n")
    assert [each.name for each in wall.file.parent.glob("*suite*")] == []


def test_a_wall_over_ssh_is_seen_touched_and_written(wall, begin_by_ssh, tmp_path):
    page = begin_by_ssh()
    assert text(page) == WALL and state(page) == "Saved"
    press(page, 100, 140)
    assert wall.told_until("brew.selected")
    until(lambda: value(page, "cups") == "2")
    replace(page, "#c03020", "#2030c0")
    until(lambda: state(page) == "Not saved")
    page.find_element("id", "save").click()
    until(lambda: state(page) == "Saved" and color(page) == BLUE)
    assert wall.file.read_text() == WALL.replace("#c03020", "#2030c0")
    picture(tmp_path / "logo.png", RED)
    page.find_element("id", "file").send_keys(str(tmp_path / "logo.png"))
    name_picture(page)
    page.find_element("id", "save").click()
    until(lambda: state(page) == "Saved" and color(page, 300, 60) == RED)
    assert (wall.file.parent / "logo.png").exists()


def test_a_local_file_is_sent_to_a_wall_over_ssh(wall, begin_by_ssh, tmp_path):
    own = tmp_path / "kiosk.yaml"
    own.write_text(WALL.replace("Hello", "New"))
    page = begin_by_ssh(own)
    assert state(page) == "Not saved"
    page.find_element("id", "save").click()
    assert "was changed on lobby" in answer(page, True)
    until(lambda: state(page) == "Saved")
    assert wall.file.read_text() == own.read_text()
    # The other side disconnects and returns.
    wall.close()
    until(lambda: page.find_element("id", "away").is_displayed())
    wall.start()
    until(lambda: not page.find_element("id", "away").is_displayed(), timeout=60)
    press(page, 100, 140)
    assert wall.told_until("brew.selected")


def test_problems_are_reported_in_the_terminal(wall, ssh, tmp_path):
    def told(*words, code):
        return run("studio", *words, "--host", "lobby", "--socket", wall.socket, code=code,
                   env=ssh.environment).stderr

    other = tmp_path / "other.yaml"
    other.write_text(WALL)
    assert re.search(r"lobby shows \S+/kiosk.yaml, not other.yaml", told(other, code=64))
    ssh('echo "roundel: the kiosk was not read from a file" >&2; exit 69')
    assert told(code=69) == "roundel: the kiosk was not read from a file\n"
    ssh("exit 255")
    assert "ssh could not reach lobby" in told(code=69)
    assert "--host" in run("studio", code=64).stderr


def test_a_panel_that_names_a_file_outside_its_copy_is_rejected(wall, ssh, tmp_path):
    """Otherwise that file would be read, and written, on this machine."""
    own = tmp_path / "own.yaml"
    own.write_text(WALL)
    liar = tmp_path / "liar.py"
    liar.write_text(LIAR)
    for path, code in ((str(own), 64), ("/.." * 40 + str(own), 69)):
        ssh(f'for last; do :; done; sh -c "$last" | {sys.executable} -u {liar} \'{path}\'')
        words = ("other.yaml",) if code == 64 else ()
        said = run("studio", *words, "--host", "lobby", "--socket", wall.socket, code=code, env=ssh.environment).stderr
        assert ("not other.yaml" if code == 64 else "path of its kiosk file") in said


LIAR = """\
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    isNamed = "file" in (message.get("result") or {})
    if isNamed:
        message["result"]["file"] = sys.argv[1]
    print(json.dumps(message), flush=True)
    if isNamed:
        break
"""
