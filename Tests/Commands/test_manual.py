# SPDX-License-Identifier: MIT
"""Checks that the documents are true: each code block is checked by its language.

yaml    kiosks and parts of them pass `check`; suites pass.
sh      lines after `$ ` are run and print the lines below; other commands and their options exist.
json    each line, or the whole, is JSON.
ini     is a valid unit drop-in or a program's settings.
python  is Python, and calls only existing methods of the client.
swift   is part of a compiled file.
toml    is TOML.
lua     is Lua, if Neovim is installed.

A yaml block that starts with `# FILE` is a step of a page's kiosk: the whole file, or with `, at the end`,
`, before "TEXT"` or `, in place of "CONTROL"` part of it.

UPDATE_PICTURES=1 paints the pictures of the README, of the tutorial and of the reference's examples."""

import ast
import configparser
import functools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
import tomllib

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import ROUNDEL, TOP, Lines, run  # noqa: E402

MANUAL = TOP / "deploy/manual"
PICTURES = TOP / "deploy/manual/pictures"
CATALOGUE = TOP / "Sources/RoundelKit/RoundelKit.docc"
PAGES = [TOP / "README.md", TOP / "CONTRIBUTING.md", *sorted(MANUAL.glob("*.md")),
         *sorted(CATALOGUE.glob("*.md"))]
REFERENCE = TOP / "deploy/reference.md"
UPDATE = "UPDATE_PICTURES" in os.environ


class Block:
    def __init__(self, page, line, info, text):
        self.page, self.line, self.info = page, line, info
        self.text = textwrap.dedent(text)

    language = property(lambda self: self.info.split(" ")[0])
    file = property(lambda self: self.info.partition(" ")[2])

    def __repr__(self):
        return f"{self.page.name}:{self.line}"


@functools.cache
def blocks(page):
    text = page.read_text()
    found = re.finditer(r"^( *)```(.*)\n((?:.*\n)*?)\1```$", text, re.M)
    return [Block(page, text.count("\n", 0, match.start()) + 1, match[2], match[3])
            for match in found]


def all_blocks(*languages):
    some = [block for page in PAGES for block in blocks(page) if block.language in languages]
    return pytest.mark.parametrize("block", some, ids=repr)


@pytest.mark.parametrize("page", [*PAGES, REFERENCE], ids=lambda page: page.name)
def test_each_block_has_a_language_that_is_checked(page):
    assert page.read_text().count("```") == 2 * len(blocks(page)), "a block does not end"
    for block in blocks(page):
        # Text is for other programs; test_mqtt_fleet.py and test_bundles.py test it.
        assert block.language in (
            "yaml", "sh", "json", "ini", "python", "swift", "toml", "lua", "text"), block


@pytest.mark.parametrize("page", [*PAGES, REFERENCE], ids=lambda page: page.name)
def test_each_link_has_a_target(page):
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
    for target in re.findall(r"\]\(([^)]+)\)", text):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), target
        if anchor:
            titles = re.findall(r"^#+ (.*)$", file.read_text(), re.M)
            names = [re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles]
            assert anchor in names, target


# MARK: Kiosks and suites

PARTS = re.compile(r'# (\S+\.yaml)(?:, (at the end|before|in place of)(?: "(.*)")?)?\n')


def kiosk_of(part):
    """Wraps a part in a kiosk: controls of a page, or top-level keys."""
    if part.startswith("- "):
        controls = textwrap.indent(part, "      ")
        return ("kiosk: example\nscreen: {size: [480, 320], panel: 5in, font: Inter}\npages:\n"
                f"  - page: example\n    controls:\n{controls}")
    rest = "" if "pages:" in part else "pages: [{page: example, controls: [{label: a, at: [640, 400], text: A}]}]\n"
    return f"kiosk: example\n{part}{rest}"


def assert_good(file):
    checked = run("check", file)
    assert (checked.stdout, checked.stderr) == ("", "")


def lay_out(folder):
    """Creates the files named in examples if more than their own block needs them."""
    coffee = next((TOP / "deploy/examples/suites/goldens").glob("coffee@*.png"))
    (folder / "coffee.png").write_bytes(coffee.read_bytes())
    (folder / "exhibits.yaml").write_text(
        "[{id: globe, name: Globe, year: 1745}, {id: clock, name: Clock, year: 1763}]\n")
    machine = folder / "machine.py"
    machine.write_text("#!/usr/bin/python3\n")
    machine.chmod(0o755)
    lunch = next(block for block in blocks(MANUAL / "kiosks.md") if block.language == "yaml")
    (folder / "lunch.yaml").write_text(lunch.text)
    tea = next(block for block in blocks(MANUAL / "accessibility.md") if block.language == "yaml")
    (folder / "tea.yaml").write_text(tea.text)
    for part in ("deploy", "Tests"):
        (folder / part).symlink_to(TOP / part)


@all_blocks("yaml")
def test_kiosks_and_suites_have_no_errors(block, tmp_path):
    if PARTS.match(block.text):
        return  # a step, which the commands of its page check
    lay_out(tmp_path)
    file = tmp_path / "block.yaml"
    if block.text.startswith("suite: "):
        file.write_text(block.text)
        if "picture:" in block.text:
            run("test", file, "--update", code=1)  # paints what is expected
        run("test", file)
    else:
        part = not re.match("kiosk: ", block.text)
        file.write_text(kiosk_of(block.text) if part else block.text)
        assert_good(file)


def edited(text, part):
    """A file after a step."""
    name, how, what = PARTS.match(part).groups()
    part = part.split("\n", 1)[1]
    if how is None:
        return part
    if how == "at the end":
        return text + part
    if how == "before":
        assert text.count(what) == 1, part
        return text.replace(what, part + what)
    lines = text.splitlines(keepends=True)
    start = next(n for n, line in enumerate(lines) if re.match(rf" *- \w+: {what}$", line))
    indent = len(lines[start]) - len(lines[start].lstrip())
    end = next((n for n in range(start + 1, len(lines))
                if len(lines[n]) - len(lines[n].lstrip()) <= indent), len(lines))
    return "".join(lines[:start]) + part + "".join(lines[end:])


# MARK: Commands

KNOWN = {
    # Other programs; the arguments of some of them are themselves commands.
    "dd", "echo", "eval", "journalctl", "sed", "systemctl", "roundel_watch", "usermod", "man", "sudoedit",
    ".", "}", "mosquitto_sub", "jq", "while", "do", "done", "ssh-keygen", "openssl", "rauc", "apt", "install", "tee",
    "ansible-playbook",
}
CARRIERS = {"sudo", "exec"}


@functools.cache
def help_of(*words):
    return run(*words, "--help").stdout


@functools.cache
def usage_of(script, *words):
    return subprocess.run([TOP / script, *words, "--help"], capture_output=True, text=True).stdout


def check_command(words):
    """Fails if a command or one of its options doesn't exist."""
    while words and (words[0] in CARRIERS or re.match(r"^[A-Z_]+=", words[0])):
        words = words[1:]
        while words and words[0].startswith("-"):
            words = words[2:]
    if not words:
        return
    name, *rest = words
    if name.endswith("()"):
        return None  # a function's beginning
    if name == "cage":
        return check_command(rest[rest.index("--") + 1:])
    if name == "swift":
        return check_swift(rest)
    if name == "roundel":
        options = [word.split("=")[0] for word in rest if re.match("--?[a-z]", word)]
        verb = next((word for word in rest if not word.startswith("-")), None)
        shown = help_of(verb) if verb else help_of() + "--generate-completion-script"
    elif name.startswith(("deploy/", "Tests/")):
        assert os.access(TOP / name, os.X_OK), name
        options = [word.split("=")[0] for word in rest if word.startswith("--")]
        verbs = rest[:1] if name == "Tests/Rig/virtual-panel" else []
        shown = usage_of(name, *verbs) if options else ""
    else:
        assert name in KNOWN, f"{name} is not known"
        return
    for option in options:
        assert re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", shown), f"{words}: {option}"


def check_swift(words):
    """Products and filters must exist."""
    package = (TOP / "Package.swift").read_text()
    if words[0] == "run":
        assert f'name: "{words[-1]}"' in package or f'name: "{words[-2]}"' in package, words
    if "--filter" in words:
        for name in words[words.index("--filter") + 1].split("|"):
            found = subprocess.run(["grep", "-rqE", name, TOP / "Tests"])
            assert found.returncode == 0, name


def commands_of(line):
    """Returns the commands of a line as lists of words, without shell syntax."""
    line = re.sub(r"(?<!\S)#.*$", "", line)
    line = re.sub(r"\$\((.*?)\)", r"\1", line)
    lexer = shlex.shlex(line, posix=True, punctuation_chars=";&|<>")
    lexer.whitespace_split = True
    lexer.commenters = ""
    words = []
    for word in lexer:
        if set(word) <= set(";&|"):
            yield words
            words = []
        else:
            words.append(word)
    yield [word for word in words]


@all_blocks("sh")
def test_commands_exist(block):
    plain = "\n".join(line for line in block.text.splitlines() if not shown(block, line))
    assert subprocess.run(["sh", "-n"], input=plain, text=True).returncode == 0, plain
    for line in plain.splitlines():
        for words in commands_of(line.removeprefix("$ ")):
            if ">" in words or "<" in words:
                words = words[:min(words.index(word) for word in "><" if word in words)]
            if words:
                check_command(words)


def shown(block, line):
    """Whether a line of a block is the output of a command."""
    return any(other.startswith("$ ") for other in block.text.splitlines()) \
        and not line.startswith("$ ")


def steps_of(block):
    """Returns the executed commands of a block with their expected output."""
    steps = []
    for line in block.text.splitlines(keepends=True):
        if line.startswith("$ "):
            steps.append([line[2:].rstrip("\n"), ""])
        elif steps:
            steps[-1][1] += line
    return steps


RUN = [page for page in PAGES
       if any(steps_of(block) for block in blocks(page) if block.language == "sh")]


def place(tmp_path):
    """A folder for a page's commands, and their environment."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "roundel").symlink_to(ROUNDEL)
    folder = tmp_path / "folder"
    folder.mkdir()
    lay_out(folder)
    return folder, os.environ | {
        "PATH": f"{programs}:{os.environ['PATH']}", "XDG_RUNTIME_DIR": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}


@pytest.mark.parametrize("page", RUN, ids=lambda page: page.name)
def test_commands_print_the_documented_output(page, tmp_path):
    """Runs all blocks of a page in order, in one folder, with a running kiosk if a block starts one."""
    folder, environment = place(tmp_path)
    kiosk = None
    try:
        for block in blocks(page):
            if step := PARTS.match(block.text):
                file = folder / step[1]
                file.write_text(edited(file.read_text() if step[2] else "", block.text))
            elif block.file:
                (folder / block.file).write_text(block.text)
            elif match := re.fullmatch(r"roundel run (\S+)\n", block.text):
                kiosk = restarted(kiosk, folder / match[1], environment)
            for command, output in steps_of(block) if block.language == "sh" else []:
                done = subprocess.run(
                    command, shell=True, cwd=folder, env=environment, text=True, timeout=30,
                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                assert done.stdout == output, f"{block}: {command}"
        for picture in re.findall(r"\]\(pictures/(\S+)\)", page.read_text()):
            made = folder / picture.removeprefix(f"{page.stem}-")
            compare(made, PICTURES / picture)
    finally:
        if kiosk:
            kiosk.kill()
            kiosk.wait()


def test_commands_use_a_running_kiosk(tmp_path):
    """Ends running commands after a moment, and skips the command that needs a terminal."""
    folder, environment = place(tmp_path)
    start, block = [block for block in blocks(MANUAL / "programs.md") if block.language == "sh"][:2]
    kiosk = restarted(None, folder / start.text.split()[-1], environment)
    try:
        for line in block.text.splitlines():
            command = line.partition("  #")[0]
            if command.startswith("roundel view"):
                continue
            goes_on = re.match("roundel (watch|events|record)", command)
            if goes_on:
                command = f"timeout --preserve-status -s INT 0.5 {command}"
            done = subprocess.run(
                command.replace("; ", " && "), shell=True, cwd=folder, env=environment, text=True,
                timeout=30, stdin=subprocess.DEVNULL, capture_output=True)
            assert done.returncode in ((0, 130) if goes_on else (0,)), f"{line}: {done.stdout}{done.stderr}"
        assert kiosk.wait(timeout=20) == 0
    finally:
        kiosk.kill()


def restarted(kiosk, file, environment):
    if kiosk:
        kiosk.kill()
        kiosk.wait()
    kiosk = subprocess.Popen([ROUNDEL, "run", "--display", "headless", file], env=environment,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    kiosk.log = Lines(kiosk.stderr)
    kiosk.log.until("showing")
    return kiosk


def compare(made, kept):
    if UPDATE:
        kept.write_bytes(made.read_bytes())
    assert made.read_bytes() == kept.read_bytes(), f"{kept.name} is another picture"


def test_the_readme_shows_the_current_look_of_the_examples(tmp_path):
    width, height, gap = 520, 325, 20
    wide, round_panel = f"{2 * width}x{2 * height}", f"{2 * height}x{2 * height}"
    rows = [
        [("thermostat", wide, ["temperature=20.5"]), ("coffee", wide, []),
         ("jukebox", wide, ["record=Fern", "song=Under leaves"])],
        [("weather", round_panel, ["temperature=14.2", "sky=Light rain"]),
         ("sauna", wide, ["bright=true"]), ("dinner", wide, [])]]
    controls = []
    for row, shown in enumerate(rows):
        for column, (name, panel, values) in enumerate(shown):
            picture = tmp_path / f"{name}.png"
            settings = [part for value in values for part in ("--set", value)]
            run("render", TOP / f"deploy/examples/kiosks/{name}.yaml", "-o", picture, "--size", panel,
                "--at", "2026-11-21T10:05", *settings)
            controls.append({
                "image": name, "file": str(picture), "size": [width, height],
                "at": [(width + gap) * column + width / 2, (height + gap) * row + height / 2]})
    # The hidden corners of a round panel are black.
    black = tmp_path / "black.yaml"
    black.write_text("{kiosk: black, screen: {background: black}, pages: [{page: only, controls: ["
                     "{label: none, at: [0, 0], text: \"\"}]}]}")
    run("render", black, "--size", f"{width}x{height}", "-o", tmp_path / "black.png")
    controls.insert(0, {**controls[3], "image": "black", "file": str(tmp_path / "black.png")})
    file = tmp_path / "examples.yaml"
    file.write_text(json.dumps({
        "kiosk": "examples",
        "screen": {"size": [3 * width + 2 * gap, 2 * height + gap], "background": "white"},
        "pages": [{"page": "only", "controls": controls}]}))
    run("render", file, "-o", tmp_path / "examples.png")
    compare(tmp_path / "examples.png", PICTURES / "examples.png")


# MARK: The reference

EXAMPLES = re.findall(r"^## (\w+)\n\n.*\n\n(?:!\[\1\]\((.*)\)\n\n)?```yaml\n((?:.*\n)*?)```",
                      REFERENCE.read_text(), re.M)


def test_the_reference_equals_the_output_of_the_program():
    assert run("reference").stdout == REFERENCE.read_text()


@pytest.mark.parametrize("name, picture, text", EXAMPLES, ids=[name for name, *_ in EXAMPLES])
def test_examples_of_the_reference_look_like_their_pictures(name, picture, text, tmp_path):
    lay_out(tmp_path)
    file = tmp_path / "example.yaml"
    file.write_text(kiosk_of(text))
    assert_good(file)
    if not picture:
        assert name == "timer"
        return
    lines = ['{"t":0,"clock":"2026-11-21T09:41:00"}', '{"t":3,"shot":"example.png"}',
             '{"t":3,"end":true}']
    if name == "menu":
        control = re.match(r"- menu: (\w+)", text)[1]
        lines.insert(1, json.dumps({"t": 0, "open": control}))
    if name == "chart":
        control = re.match(r"- chart: (\w+)", text)[1]
        # Steam is produced, drawn twice and produced again.
        lines[1:] = [json.dumps({"t": t, "set": {f"{control}.value": value}}) for t, value in enumerate(
            [1.0, 1.0, 1.1, 1.2, 1.4, 1.7, 2.1, 2.6, 3.0, 3.4, 3.6, 3.7, 3.8, 3.1, 2.5, 2.2, 2.4, 2.9,
             3.3, 3.6, 3.7, 3.0, 2.3, 1.9, 2.1, 2.5, 2.9, 3.2, 3.5, 3.6, 3.7])]
        lines += ['{"t":30,"shot":"example.png"}', '{"t":30,"end":true}']
    recording = tmp_path / "example.jsonl"
    recording.write_text("\n".join(lines))
    run("replay", file, recording, "--seed", "1", "--shots", tmp_path)
    compare(tmp_path / "example.png", TOP / "deploy" / picture)


def test_the_manual_documents_each_command():
    names = re.findall(r"^  ([a-z]+) {2,}\S", run("--help").stdout, re.M)
    names = [name for name in names if name not in ("done", "help")]
    assert len(names) > 30
    text = "".join(page.read_text() for page in PAGES)
    missing = [name for name in names if not re.search(rf"`?roundel {name}\b", text)]
    assert missing == []


# MARK: Other languages

@all_blocks("toml")
def test_toml_blocks_are_valid(block):
    tomllib.loads(block.text)


@all_blocks("lua")
def test_lua_blocks_are_valid(block, tmp_path):
    editor = shutil.which("nvim") or pytest.skip("nvim is not there")
    file = tmp_path / "block.lua"
    file.write_text(block.text)
    subprocess.run([editor, "--headless", "-u", "NONE", "-c",
                    f"lua if not loadfile('{file}') then vim.cmd('cquit 1') end", "-c", "qa"],
                   check=True, timeout=30)


@all_blocks("json")
def test_json_blocks_are_valid(block):
    try:
        json.loads(block.text)
    except json.JSONDecodeError:
        for line in block.text.splitlines():
            json.loads(line)


@all_blocks("ini")
def test_settings_are_valid(block):
    parser = configparser.ConfigParser(strict=False)
    parser.optionxform = str
    parser.read_string(block.text)
    for name in parser.sections():
        assert name in ("Unit", "Service"), name


@all_blocks("python")
def test_python_blocks_call_existing_methods_of_the_client(block):
    sys.path.insert(0, str(TOP / "deploy/examples/clients"))
    import roundel
    tree = ast.parse(block.text)
    for call in ast.walk(tree):
        if isinstance(call, ast.Attribute) and isinstance(call.value, ast.Name):
            known = {"roundel": roundel, "kiosk": roundel.Kiosk}.get(call.value.id)
            assert known is None or hasattr(known, call.attr), call.attr


def code(text):
    """Removes comments and spaces."""
    return re.sub(r"\s+", "", re.sub(r"//.*", "", text))


@functools.cache
def compiled():
    files = [path for top in ("Sources", "Tests") for path in (TOP / top).rglob("*.swift")]
    return [code(path.read_text()) for path in files]


@all_blocks("swift")
def test_swift_blocks_are_part_of_compiled_files(block):
    if block.page.parent in (MANUAL, CATALOGUE):
        assert any(code(block.text) in file for file in compiled()), block
    else:  # shows what nobody has written yet
        text = re.sub(r"^…$", "", block.text, flags=re.M)
        subprocess.run(["swiftc", "-frontend", "-parse", "-"], input=text, text=True, check=True)


# MARK: The table of layers

def test_the_table_of_layers_matches_the_package():
    package = (TOP / "Package.swift").read_text()
    package = package[package.index("targets: ["):]
    declared = {name: set(re.findall(r'"([A-Z]\w+)"', names or "")) for name, names
                in re.findall(r'^    library\(\s*"(\w+)"(?:,\s*\[(.*?)\])?', package, re.M | re.S)
                # A target with resources isn't a library.
                + re.findall(r'^    \.target\(\s*name: "(RoundelStudio)",\s*dependencies: \[(.*?)\]', package,
                             re.M | re.S)}
    rows = re.findall(r"^\| `(\w+)` \| .* \| (.*) \|$", (MANUAL / "architecture.md").read_text(), re.M)
    assert [name for name, _ in rows] == [*declared, "roundel"]
    reached = {}
    for name, imports in rows[:-1]:
        own = set(re.findall(r"\w+", imports.replace("–", "")))
        assert own <= set(reached), f"{name} imports what is below it"
        inner = {target for target in declared[name] if target in declared}
        assert own <= inner, f"{name} does not import {own - inner}"
        reached[name] = own.union(*(reached[target] for target in own))
        # Rows omit transitive dependencies.
        assert inner <= reached[name], f"the row of {name} lacks {inner - reached[name]}"
