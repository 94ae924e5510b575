# SPDX-License-Identifier: MIT
"""Beginning a kiosk, and trying it."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import ROUNDEL, run  # noqa: E402
from terminal import Terminal, wait_until  # noqa: E402

NAMES = ["empty-grid", "thermostat", "coffee-machine", "museum-guide", "pendant", "now-playing"]


@pytest.mark.parametrize("name", NAMES)
def test_an_example_has_no_warnings_and_its_suite_passes(tmp_path, name):
    run("new", tmp_path / "own-one.yaml", "--from", name)
    checked = run("check", tmp_path / "own-one.yaml")
    assert checked.stdout + checked.stderr == ""
    tested = run("test", "--tap", tmp_path / "own-one-suite.yaml").stdout
    assert "not ok" not in tested and "ok 1 - own-one: " in tested
    # Comments that teach: one line in eight, at least.
    lines = (tmp_path / "own-one.yaml").read_text().splitlines()
    assert sum("#" in re.sub(r'"[^"]*"', "", line) for line in lines) >= len(lines) / 8


def test_the_created_files_are_named(tmp_path):
    done = run("new", "lunch.roundel.yaml", "--from", "coffee machine", cwd=tmp_path)
    assert done.stdout.splitlines() == [
        "created lunch.roundel.yaml and lunch-suite.yaml",
        "  roundel try lunch.roundel.yaml     edit it, and see it change",
        "  roundel test lunch-suite.yaml    run its tests"]
    assert sorted(os.listdir(tmp_path)) == ["lunch-suite.yaml", "lunch.roundel.yaml"]
    assert "kiosk: lunch\n" in (tmp_path / "lunch.roundel.yaml").read_text()
    run("test", "lunch-suite.yaml", cwd=tmp_path)


def test_without_a_terminal_the_empty_grid_is_the_default(tmp_path):
    run("new", "lunch.yaml", cwd=tmp_path)
    assert "grid:" in (tmp_path / "lunch.yaml").read_text()


@pytest.mark.parametrize("existing", ["lunch.yaml", "lunch-suite.yaml"])
def test_existing_files_are_left_alone(tmp_path, existing):
    (tmp_path / existing).write_text("mine")
    refused = run("new", "lunch.yaml", "--from", "pendant", cwd=tmp_path, code=1)
    assert f"cannot begin a kiosk in lunch.yaml: {existing} exists; choose another name" in refused.stderr
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {existing: "mine"}


@pytest.mark.parametrize(("words", "code", "message"), [
    (["lunch.png"], 64, "must end in .yaml"), ([".yaml"], 64, "must end in .yaml"),
    (["a\nb.yaml"], 64, "choose another name"), (["x" * 200 + ".yaml"], 64, "choose another name"),
    (["lunch.yaml", "--from", "fridge"], 64, "empty-grid"), (["absent/lunch.yaml"], 1, "cannot write absent/lunch.yaml"),
])
def test_a_kiosk_that_cannot_begin_leaves_no_file(tmp_path, words, code, message):
    refused = run("new", *words, cwd=tmp_path, code=code)
    assert message in refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_without_browser_and_terminal_trying_says_how_to_see_the_kiosk(tmp_path):
    environment = {name: value for name, value in os.environ.items() if "DISPLAY" not in name}
    refused = run("try", "lunch.yaml", cwd=tmp_path, code=69, env=environment)
    assert "there is neither a browser with the studio nor a terminal; use roundel render lunch.yaml" in refused.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not shutil.which("tmux"), reason="tmux is not installed")
def test_in_a_terminal_a_question_offers_the_examples_and_the_new_kiosk_is_shown(tmp_path):
    terminal = Terminal(tmp_path)
    try:
        terminal.run(f"cd '{tmp_path}'; unset DISPLAY WAYLAND_DISPLAY; '{ROUNDEL}' try lunch.yaml; echo end $?")
        wait_until(lambda: "Begin from [1]:" in terminal.text(), "the question")
        assert all(f"{number}  {name}" in terminal.text() for number, name in enumerate(NAMES, 1))
        terminal.run("2")
        wait_until(terminal.picture, "the kiosk")
        terminal.type("q")
        wait_until(lambda: "end 0" in terminal.text(), "the end")
    finally:
        terminal.close()
    assert "target:" in (tmp_path / "lunch.yaml").read_text()
    assert (tmp_path / "lunch-suite.yaml").exists()


def test_with_a_browser_trying_opens_the_studio_in_it(tmp_path):
    """The browser is a program that records its argument."""
    studio = pathlib.Path(ROUNDEL).with_name("roundel-studio")
    if not studio.exists():
        pytest.skip("roundel-studio is not built")
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > "{tmp_path}/new" && mv "{tmp_path}/new" "{tmp_path}/opened"\n')
    browser.chmod(0o755)
    started = subprocess.Popen([ROUNDEL, "try", "lunch.yaml"], cwd=tmp_path, stdout=subprocess.PIPE, text=True,
                               stdin=subprocess.DEVNULL, env={**os.environ, "DISPLAY": ":7", "BROWSER": str(browser)})
    try:
        address = started.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        wait_until((tmp_path / "opened").exists, "the browser")
        assert (tmp_path / "opened").read_text().strip() == address
    finally:
        started.terminate()
        assert started.wait(10) == 0
