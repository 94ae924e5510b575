# SPDX-License-Identifier: MIT
"""The studio from a browser: `roundel studio`, its address, and its page in Chromium."""

import base64
import contextlib
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

import pytest

from chromium import EDITOR, add, browser, choose, pixel, press, replace, show_source, text, touch, until, value  # noqa: F401
from live import ROUNDEL
from studio import KIOSK, SUITE, Studio, page, saved, studio  # noqa: F401


def status(address, **headers):
    request = urllib.request.Request(address, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            assert answer.url == address, "it leads elsewhere"
            assert "Set-Cookie" not in answer.headers
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def test_only_requests_with_the_address_are_served(studio):
    found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/(\w+)/", studio.address)
    assert found and len(found[2]) >= 32
    port = found[1]
    assert status(studio.address) == 200
    assert status(f"{studio.address}session.js") == 200
    assert status(f"http://127.0.0.1:{port}/") == 403
    assert status(f"http://127.0.0.1:{port}/{'0' * 32}/") == 403
    assert status(f"{studio.address[:-2]}/") == 403
    assert status(studio.address, Host="evil.example") == 403
    assert status(studio.address, Origin="http://evil.example") == 403
    assert status(f"{studio.address}try.yaml") == 404
    assert status(f"{studio.address}codemirror/../../../etc/passwd") == 404
    assert status(f"{studio.address}socket") == 400


def test_garbage_and_many_connections_are_harmless(studio):
    port = int(re.search(r":(\d+)/", studio.address)[1])
    with contextlib.ExitStack() as stack:
        for number in range(80):
            other = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            other.sendall([b"\x00" * 20_000, b"GET / HTTP/1.1\r\n", b"\r\n\r\n", b"POST x"][number % 4])
    assert status(studio.address) == 200


def test_the_studio_idles_while_it_has_no_descriptors_for_more_connections(tmp_path):
    """The socket stays readable meanwhile."""
    studio = Studio(tmp_path)
    try:
        number = studio.process.pid
        used = len(os.listdir(f"/proc/{number}/fd"))
        resource.prlimit(number, resource.RLIMIT_NOFILE, (used + 4, used + 4))
        port = int(re.search(r":(\d+)/", studio.address)[1])
        with contextlib.ExitStack() as stack:
            for _ in range(12):
                stack.enter_context(socket.create_connection(("127.0.0.1", port)))

            def processor_time():
                return sum(map(int, pathlib.Path(f"/proc/{number}/stat").read_text().rsplit(")")[-1].split()[11:13]))

            time.sleep(0.2)
            before = processor_time()
            time.sleep(1)
            assert (processor_time() - before) / os.sysconf("SC_CLK_TCK") < 0.3
        assert status(studio.address) == 200
    finally:
        studio.end()


def test_errors_are_reported(tmp_path):
    missing = subprocess.run([ROUNDEL, "studio", tmp_path / "none.yaml"], capture_output=True, text=True)
    assert missing.returncode != 0 and "none.yaml" in missing.stderr and missing.stdout == ""
    (tmp_path / "k.yaml").write_text(KIOSK)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        used = subprocess.run([ROUNDEL, "studio", tmp_path / "k.yaml", "--port", str(port)],
                              capture_output=True, text=True)
    assert used.returncode == 69 and str(port) in used.stderr


# MARK: In Chromium


def test_the_picture_is_live_and_follows_the_text(page, studio):
    assert pixel(page, 60, 100)[:3] == [0xc0, 0x30, 0x20]
    touch(page, 100, 140)
    until(lambda: value(page, "cups") == "2")
    replace(page, "#c03020", "#2030c0")
    until(lambda: pixel(page, 60, 100)[:3] == [0x20, 0x30, 0xc0])
    # The state is kept, and nothing is written before saving.
    assert value(page, "cups") == "2"
    assert studio.file.read_bytes().decode() == KIOSK
    assert saved(page, studio) == KIOSK.replace("#c03020", "#2030c0")


def test_errors_are_shown_and_the_picture_stays(page):
    replace(page, "size: [120", "szie: [120")
    until(lambda: 'did you mean "size"?' in page.find_element("id", "diagnostics").text)
    assert pixel(page, 60, 100)[:3] == [0xc0, 0x30, 0x20]
    show_source(page)
    until(lambda: page.execute_script("return document.querySelectorAll('.error-mark').length") > 0)
    replace(page, "szie", "size")
    until(lambda: "did you mean" not in page.find_element("id", "diagnostics").text)


def test_a_kiosk_with_errors_is_shown_once_they_are_fixed(page, studio):
    page.get("about:blank")
    studio.end()
    again = Studio(studio.file.parent, KIOSK.replace("size: [120", "size: {120"))
    try:
        page.get(again.address)
        until(lambda: page.find_element("id", "lacking").is_displayed())
        assert not page.find_element("id", "stage").is_displayed()
        replace(page, "size: {120", "size: [120")
        until(lambda: page.find_element("id", "stage").is_displayed())
        until(lambda: pixel(page, 60, 100)[:3] == [0xc0, 0x30, 0x20])
        page.execute_script(EDITOR + "editor.undo()")
    finally:
        again.end()


def test_renaming_an_id_changes_all_references(page, studio):
    replace(page, "text: Hello", 'text: "{brew.text}"')
    choose(page, "#control", "brew")
    until(lambda: page.execute_script("return document.querySelector('#key-button') != null"))
    choose(page, "#key-button", "make")
    # A suite next to it names the control, too.
    until(lambda: "try-suite.yaml" in page.find_element("id", "state").text)
    os.unlink(studio.file.parent / "try-suite.yaml")
    saved(page, studio)
    choose(page, "#key-button", "make")
    until(lambda: "- button: make " in text(page) and '"{make.text}"' in text(page))
    until(lambda: page.execute_script("return document.querySelector('#control').value") == "make")


def test_changing_a_property_changes_only_its_bytes(page, studio):
    choose(page, "#control", "brew")
    until(lambda: page.execute_script("return document.querySelector('#key-color') != null"))
    choose(page, "#key-color", "accent")
    expected = KIOSK.replace("'#c03020'", "'accent'")
    until(lambda: text(page) == expected)
    until(lambda: page.execute_script("return document.querySelector('#key-shape').value") == "")
    choose(page, "#key-shape", "rounded")
    until(lambda: "shape: rounded" in text(page))
    assert saved(page, studio) == expected.replace(
        "        color: 'accent'\n", "        color: 'accent'\n        shape: rounded\n") or (
        saved(page, studio).replace("        shape: rounded\n", "") == expected)


def test_a_drag_moves_a_control_in_one_undo_step(page, studio):
    press(page, 100, 120, (10, 5), (20, 10), (17, 19))
    until(lambda: "at: [ 100,  100 ]" not in text(page))
    time.sleep(0.5)
    moved = text(page)
    found = re.search(r"at: \[ (\d+),  (\d+) \]", moved)
    assert found, "its spaces stay"
    assert abs(int(found[1]) - 147) <= 6 and abs(int(found[2]) - 134) <= 16
    assert moved.replace(found[0], "at: [ 100,  100 ]") == KIOSK
    page.execute_script(EDITOR + "editor.undo()")
    until(lambda: text(page) == KIOSK)
    until(lambda: pixel(page, 60, 100)[:3] == [0xc0, 0x30, 0x20])
    assert saved(page, studio) == KIOSK


def test_a_control_is_added_resized_and_removed(page, studio):
    add(page, "toggle")
    until(lambda: page.execute_script("return document.querySelector('#control').value") == "toggle1")
    until(lambda: "- toggle: toggle1" in text(page))
    choose(page, "#control", "brew")
    until(lambda: page.find_element("id", "handle").is_displayed())
    from selenium.webdriver.common.action_chains import ActionChains
    scale = page.execute_script("return document.querySelector('#picture').clientWidth") / 400
    ActionChains(page, duration=100).click_and_hold(page.find_element("id", "handle")).move_by_offset(
        round(20 * scale), round(10 * scale)).release().perform()
    until(lambda: "size: [120, 120]" not in text(page))
    time.sleep(0.5)
    found = re.search(r"size: \[(\d+), (\d+)\]\n        text", text(page))
    assert 150 <= int(found[1]) <= 176 and 130 <= int(found[2]) <= 156
    choose(page, "#control", "toggle1")
    until(lambda: page.find_element("id", "remove").is_displayed())
    page.find_element("id", "remove").click()
    until(lambda: "toggle" not in text(page))
    assert text(page) == KIOSK.replace("size: [120, 120]", f"size: [{found[1]}, {found[2]}]")


def test_suites_run_on_the_current_text(page):
    until(lambda: page.find_element("id", "suites").text == "Run try-suite.yaml")
    page.find_element("css selector", "#suites button").click()
    until(lambda: outcomes(page) == ["passed", "failed"])
    replace(page, "cups + 1", "cups + 2")
    page.execute_script("document.querySelector('#suites button').click()")
    until(lambda: outcomes(page) == ["failed", "passed"])


def outcomes(page):
    """Returns the outcome of each test of a suite."""
    return page.execute_script(
        "return [...document.querySelectorAll('#results li')].map((each) => each.className)")


def is_painted(page, picture):
    """Whether the page shows exactly the pixels of a PNG file."""
    address = "data:image/png;base64," + base64.b64encode(picture.read_bytes()).decode()
    return page.execute_async_script("""
      const [address, done] = arguments;
      const image = new Image();
      image.onload = () => {
        const pixels = (source) => {
          const canvas = Object.assign(document.createElement('canvas'), {width: image.width, height: image.height});
          canvas.getContext('2d').drawImage(source, 0, 0);
          return canvas.getContext('2d').getImageData(0, 0, image.width, image.height).data.join();
        };
        const shown = document.querySelector('#picture');
        done(shown.width === image.width && shown.height === image.height && pixels(shown) === pixels(image));
      };
      image.src = address;""", address)


def placed(page):
    """Returns the button's position in the file."""
    return [int(each) for each in re.search(r"at: \[ (\d+),  (\d+) \]", text(page)).groups()]


def test_a_panel_shows_the_kiosk_as_mounted(page, studio, tmp_path):
    choose(page, "#size", "480x320")
    choose(page, "#rotation", "90")
    choose(page, "#depth", "16")
    painted = tmp_path / "painted.png"
    subprocess.run([ROUNDEL, "render", studio.file, "-o", painted, "--size", "480x320", "--rotate", "90",
                    "--depth", "16"], check=True)
    until(lambda: is_painted(page, painted))
    # The unrotated canvas has 320 × 480 pixels, with 1.25 design pixels each.
    touch(page, 280, 80)
    until(lambda: value(page, "cups") == "2")
    press(page, 280, 80, (10, 0), (20, 0))
    until(lambda: "at: [ 100,  100 ]" not in text(page))
    # Right on the panel is up on the wall.
    until(lambda: abs(placed(page)[0] - 100) <= 2 and abs(placed(page)[1] - 62) <= 6)


def test_a_panel_of_another_shape_has_its_own_layout(page, studio, tmp_path):
    replace(page, "size: [400, 300]", "size: [[400, 300], [300, 400]]")
    replace(page, "at: [ 100,  100 ]", 'at: ["{screen.width - 100}", 100]')
    # The circle around the button is at its position in the landscape, then in the portrait layout.
    until(lambda: pixel(page, 260, 100)[:3] == [0xc0, 0x30, 0x20])
    choose(page, "#size", "600x1024")
    painted = tmp_path / "painted.png"
    save = tmp_path / "upright.yaml"
    save.write_text(text(page))
    subprocess.run([ROUNDEL, "render", save, "-o", painted, "--size", "600x1024"], check=True)
    until(lambda: is_painted(page, painted))
    # A suite has its own panel.
    page.find_element("css selector", "#suites button").click()
    until(lambda: outcomes(page) == ["passed", "failed"])


def test_a_theme_stays_while_the_text_changes_and_time_is_the_kiosks(page):
    replace(page, "values: {cups: 1}", 'values: {cups: 1, late: "{now.getHours() > 21}"}')
    dark = pixel(page, 5, 5)
    choose(page, "#theme", "light")
    until(lambda: pixel(page, 5, 5) != dark)
    light = pixel(page, 5, 5)
    choose(page, "#speed", "0")
    for clock, late in [("2026-11-26T23:30", "true"), ("2026-11-26T08:30", "false")]:
        choose(page, "#clock", clock)
        until(lambda: value(page, "late") == late)
    replace(page, "#c03020", "#2030c0")
    until(lambda: pixel(page, 60, 100)[:3] == [0x20, 0x30, 0xc0])
    assert pixel(page, 5, 5) == light
    page.find_element("id", "restart").click()
    until(lambda: pixel(page, 5, 5) == dark)


def test_arrows_between_pages_show_their_links(page):
    replace(page, 'set: {cups: "{cups + 1}"}', "go: second")
    replace(page, "text: Hello\n", """text: Hello
  - page: second
    swipe: {right: home}
    controls:
      - label: end
        at: [200, 150]
        text: End
""")
    page.find_element("css selector", "#pages summary").click()
    until(lambda: page.execute_script(
        "return [...document.querySelectorAll('#map path title')].map((each) => each.textContent)")
        == ["second → first\na swipe right", "first → second\nbrew: selected"])
    until(lambda: page.execute_script("""
      const all = [...document.querySelectorAll('#map img')];
      return all.length === 2 && all.every((each) => each.naturalWidth === 200)"""))
    page.find_element("css selector", "#map button:last-of-type").click()
    until(lambda: page.execute_script("return document.querySelector('#page').value") == "second")


def steps(page):
    return page.execute_script("return document.querySelector('#steps').value")


def expect(page, words):
    """Adds an expectation of the visible state."""
    known = steps(page)
    until(lambda: page.execute_script("""
      const found = [...document.querySelectorAll('#seen button')].find((each) => each.textContent === arguments[0]);
      found?.click();
      return Boolean(found);""", words))
    until(lambda: steps(page) != known)


def test_a_test_is_recorded_by_touching(page, studio):
    suite = studio.file.parent / "try-suite.yaml"
    touch(page, 100, 140)
    until(lambda: value(page, "cups") == "2")
    page.find_element("id", "record").click()
    until(lambda: page.find_element("id", "recorder").is_displayed())
    until(lambda: value(page, "cups") == "1")
    touch(page, 140, 60)
    until(lambda: value(page, "cups") == "2")
    page.find_element("id", "expect").click()
    expect(page, "{cups: 2}")
    known = steps(page)
    touch(page, 250, 200, (60, 0))
    until(lambda: len(steps(page).splitlines()) > len(known.splitlines()))
    page.find_element("id", "test").send_keys("It counts: a cup")
    touch(page, 250, 200, (40, 0), (40, 20), (0, 40))
    until(lambda: "release:" in steps(page))
    expect(page, "{picture: it-counts-a-cup}")
    done = [line for line in steps(page).splitlines() if not line.startswith("- wait: ")]
    assert done[:2] == ["- tap: brew", "- expect: {cups: 2}"]
    # The speed of the browser determines which.
    assert re.match(r"- (fling|drag): {from: \[(249|250), (199|200)\], to: \[\d+, (199|200)\], during: ", done[2])
    # A stroke with corners consists of several moves.
    assert re.fullmatch(r"- press: \[(249|250), (199|200)\]", done[3])
    assert all(line.startswith("- move: {to: [") for line in done[4:-2]) and len(done) > 7
    assert done[-2:] == ["- release:", "- expect: {picture: it-counts-a-cup}"]
    page.find_element("id", "keep").click()
    # The recorded picture is the expected one.
    until(lambda: outcomes(page) == ["passed", "failed", "passed"])
    assert not page.find_element("id", "recorder").is_displayed()
    kept = suite.read_text()
    assert kept.startswith(SUITE) and '- test: "It counts: a cup"\n    steps:\n      - ' in kept

    # Without it, the visible picture is accepted.
    golden = studio.file.parent / "goldens/it-counts-a-cup@400x300.png"
    golden.unlink()
    page.find_element("css selector", "#suites button").click()
    until(lambda: outcomes(page) == ["passed", "failed", "failed"])
    accept(page, ["Actual"])
    until(lambda: outcomes(page) == ["passed", "failed", "passed"])
    assert golden.exists()
    replace(page, "#c03020", "#2030c0")
    page.find_element("css selector", "#suites button").click()
    until(lambda: outcomes(page) == ["passed", "failed", "failed"])
    accept(page, ["Actual", "Expected", "Difference"])
    until(lambda: outcomes(page) == ["passed", "failed", "passed"])


def test_the_first_test_of_a_kiosk_creates_a_suite(page, studio):
    suite = studio.file.parent / "try-suite.yaml"
    suite.unlink()
    page.refresh()
    until(lambda: page.find_element("id", "suites").text == "This kiosk has no suites.")
    page.find_element("id", "record").click()
    until(lambda: page.find_element("id", "recorder").is_displayed())
    assert page.find_element("css selector", "#suite option:checked").text == "a new suite"
    touch(page, 100, 140)
    until(lambda: "- tap: brew" in steps(page))
    page.find_element("id", "test").send_keys("a cup")
    page.find_element("id", "keep").click()
    until(lambda: outcomes(page) == ["passed"])
    assert suite.read_text().startswith("suite: try\nkiosk: try.yaml\ntests:\n  - test: a cup\n    steps:\n")


def accept(page, kinds):
    page.find_element("css selector", "#results .look").click()
    assert [each.text for each in page.find_elements("css selector", "#pictures figcaption")] == kinds
    page.find_element("id", "accept").click()


def test_the_page_sends_only_declared_messages(page):
    def sent(method, parameters):
        return page.execute_async_script("""
          const [method, parameters, done] = arguments;
          const {ask} = await import(new URL('connection.js', location.href));
          ask(method, parameters).then(() => done('sent'), (error) => done(error.message));""", method, parameters)

    assert sent("go", {"page": "first"}) == "sent"
    assert sent("go", {"page": 5}) == "go.page must be of type string"
    assert sent("go", {}) == "go has no page"
    assert sent("go", {"page": "first", "now": True}) == "go has an unknown now"
    assert sent("touch", {"phase": "hover", "finger": 0, "x": 1, "y": 1}).startswith("touch.phase is not one of")
    assert sent("fly", {}) == "unknown method fly"


def test_nothing_is_written_outside_the_kiosk_folder(page, studio):
    suite = studio.file.parent / "try-suite.yaml"
    suite.write_text(SUITE.replace("tests:", "goldens: ../outside\ntests:").replace("{cups: 2}", "{picture: one}"))
    # The list is rebuilt as the file changes.
    until(lambda: page.execute_script(
        "const it = document.querySelector('#suites button'); it?.click(); return Boolean(it)"))
    until(lambda: outcomes(page) == ["failed", "failed"])
    page.find_element("css selector", "#results .look").click()
    assert not page.find_element("id", "accept").is_displayed()
    # Not even for direct requests.
    said = page.execute_async_script("""
      const [path, done] = arguments;
      const socket = new WebSocket(location.href.replace('http', 'ws') + 'socket');
      socket.onopen = () => socket.send(JSON.stringify(
        {jsonrpc: '2.0', method: 'run', params: {path, accepted: 'a cup more'}, id: 1}));
      socket.onmessage = ({data}) => {
        if (typeof data !== 'string') return;
        const message = JSON.parse(data);
        if (message.id === 1) done(message.error?.message);
      };""", str(suite))
    assert "outside the kiosk's folder" in said
    assert not (studio.file.parent.parent / "outside").exists()


def test_suites_next_to_the_kiosk_folder_are_written(browser, tmp_path):
    """Suites in ../suites are written with their pictures, unless it is a link to another folder."""
    for name in ("kiosks", "suites", "elsewhere"):
        (tmp_path / name).mkdir()
    running = Studio(tmp_path / "kiosks")
    (tmp_path / "kiosks/try-suite.yaml").unlink()
    suite = tmp_path / "suites/try.yaml"
    suite.write_text(SUITE.replace("try.yaml", "../kiosks/try.yaml"))
    browser.get(running.address)
    try:
        until(lambda: browser.find_element("id", "suites").text == "Run try.yaml")
        record_a_cup(browser)
        assert browser.find_element("css selector", "#suite option:checked").text == "try.yaml"
        expect(browser, "{picture: a-cup}")
        browser.find_element("id", "keep").click()
        until(lambda: outcomes(browser) == ["passed", "failed", "passed"])
        assert "- test: a cup\n" in suite.read_text()
        assert (tmp_path / "suites/goldens/a-cup@400x300.png").exists()

        suite.rename(tmp_path / "elsewhere/try.yaml")
        shutil.rmtree(tmp_path / "suites")
        (tmp_path / "suites").symlink_to("elsewhere")
        browser.get("about:blank")
        browser.get(running.address)
        until(lambda: browser.find_element("id", "suites").text == "Run try.yaml")
        assert browser.execute_script("return document.querySelector('#suite').textContent") == "a new suite"
    finally:
        browser.get("about:blank")
        running.end()


def record_a_cup(page):
    page.find_element("id", "record").click()
    until(lambda: page.find_element("id", "recorder").is_displayed())
    touch(page, 100, 140)
    until(lambda: "- tap: brew" in steps(page))
    page.find_element("id", "test").send_keys("a cup")
    page.find_element("id", "expect").click()


def test_completion_and_reference_equal_the_language_servers(page):
    show_source(page)
    page.execute_script(EDITOR + """
      editor.focus();
      editor.setCursor(editor.posFromIndex(editor.getValue().indexOf('color:')));
      editor.execCommand('newlineAndIndent');
      editor.setCursor({line: editor.getCursor().line - 1, ch: 8});""")
    from selenium.webdriver.common.action_chains import ActionChains
    ActionChains(page).send_keys("sha").perform()
    until(lambda: page.execute_script(
        "return [...document.querySelectorAll('.CodeMirror-hint')].some((each) => /shape/.test(each.textContent))"))


def test_external_changes_are_loaded_or_confirmed(page, studio):
    studio.file.write_text(KIOSK.replace("Hello", "Servus"))
    until(lambda: "Servus" in text(page))
    replace(page, "Servus", "Mine")
    until(lambda: page.find_element("id", "state").text == "Not saved")
    studio.file.write_text(KIOSK.replace("Hello", "Theirs"))
    until(lambda: page.find_element("id", "conflict").is_displayed())
    page.find_element("id", "decidelater").click()
    assert "Mine" in text(page) and "Theirs" in studio.file.read_text()


def test_changes_of_related_files_are_noticed(page, studio):
    part = studio.file.parent / "title.yaml"
    part.write_text("{label: title, at: [300, 60], text: Hello}\n")
    replace(page, "      - label: title\n        at: [300, 60]\n        text: Hello\n", "      - include: title.yaml\n")
    until(lambda: page.execute_script("return document.querySelector('#diagnostics').textContent") == "")
    names = "return [...document.querySelectorAll('#control option')].map((each) => each.value)"
    until(lambda: page.execute_script(names) == ["", "/", "brew", "title"])
    # Included files are watched once typing pauses.
    kind = iter(range(1000))
    until(lambda: part.write_text(f"{{label: other{next(kind)}, at: [300, 60], text: Hello}}\n")
          and any("other" in name for name in page.execute_script(names)))
    part.write_text("{lable: other, at: [300, 60], text: Hello}\n")
    until(lambda: "title.yaml" in page.find_element("id", "diagnostics").text)
    part.write_text("{label: last, at: [300, 60], text: Hello}\n")
    until(lambda: page.execute_script(names) == ["", "/", "brew", "last"])
    assert page.find_element("id", "state").text == "Not saved"
    (studio.file.parent / "try-suite.yaml").unlink()
    until(lambda: page.find_element("id", "suites").text == "This kiosk has no suites.")


def test_two_windows_share_the_source(page, studio):
    first = page.current_window_handle
    page.switch_to.new_window("window")
    page.get(studio.address)
    until(lambda: page.execute_script("return document.querySelector('#picture').width") == 400)
    replace(page, "Hello", "Both")
    second = page.current_window_handle
    page.switch_to.window(first)
    until(lambda: "text: Both" in text(page))
    page.switch_to.window(second)
    page.execute_script("window.onbeforeunload = null")
    page.close()
    page.switch_to.window(first)


def test_two_windows_record_one_test(page, studio):
    first = page.current_window_handle
    page.find_element("id", "record").click()
    until(lambda: page.find_element("id", "recorder").is_displayed())
    touch(page, 100, 140)
    until(lambda: "- tap: brew" in steps(page))
    # A later window sees the existing recording, and both see all further changes.
    page.switch_to.new_window("window")
    page.get(studio.address)
    second = page.current_window_handle
    until(lambda: page.find_element("id", "recorder").is_displayed() and "- tap: brew" in steps(page))
    touch(page, 250, 200, (60, 0))
    until(lambda: "\n- fling" in steps(page) or "\n- drag" in steps(page))
    page.find_element("id", "steps").send_keys("- wait: 3\n")
    changed = steps(page)
    assert changed.endswith("- wait: 3\n")
    page.switch_to.window(first)
    until(lambda: steps(page) == changed)
    page.find_element("id", "discard").click()
    until(lambda: not page.find_element("id", "recorder").is_displayed())
    page.switch_to.window(second)
    until(lambda: not page.find_element("id", "recorder").is_displayed())
    page.close()
    page.switch_to.window(first)


def test_a_killed_studio_loses_nothing(page, studio):
    replace(page, "Hello", "Kept")
    until(lambda: page.find_element("id", "state").text == "Not saved")
    studio.process.send_signal(signal.SIGKILL)
    until(lambda: "has exited" in page.find_element("id", "state").text)
    assert "text: Kept" in text(page) and studio.file.read_bytes().decode() == KIOSK
    # The browser's console reports the lost connection.
    page.get("about:blank")
    page.get_log("browser")
