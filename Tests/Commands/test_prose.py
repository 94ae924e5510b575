# SPDX-License-Identifier: MIT
"""The measurement of prose, on its own table and on a small repository."""

import importlib.machinery
import importlib.util
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parent.parent.parent
TOOL = TOP / "deploy/tools/prose"


def load():
    """Returns the program as a module."""
    loader = importlib.machinery.SourceFileLoader("prose", str(TOOL))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("prose", loader))
    written, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    loader.exec_module(module)
    sys.dont_write_bytecode = written
    return module


HABITS = load().HABITS
# Sentences with words of a habit, but without the habit.
NATURAL = [
    "Clients are served one at a time.", "The label, or nil if there isn't one.", "Replaces one of its items.",
    "The point where the edges meet.", "Use it only where necessary.", "There is no page.", "It is no longer visible.",
    "Waits a second, and takes one more.", "Decides what to do.", "Reads all of them.", "Besides, it is dark.",
    "Neither of which is negative.", "It works, no matter what happens.", "See from now on.", "Users who type.",
    "¶ Whether the window is hidden.", "¶ This direction within one turn.", "¶ Called for each event.",
    "¶ The size; see `Size`.", "A text field.", "Draws text.", "What goes on the page.",
]


class Tree:
    """A git repository with the program in it, and one commit."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "deploy/tools").mkdir(parents=True)
        self.tool = shutil.copy(TOOL, folder / "deploy/tools")
        self.git("init", "-q", "-b", "main")
        # The program's own comments would be a part of each rate.
        self.write(".gitignore", "deploy/\n")
        self.commit()

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@x", *words], cwd=self.folder, check=True)

    def commit(self):
        self.git("add", ".")
        self.git("commit", "-qm", "x")

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def prose(self, *words):
        done = subprocess.run([self.tool, *words], cwd=self.folder, capture_output=True, text=True, timeout=60)
        assert "Traceback" not in done.stderr
        return done

    def list(self, *words):
        """Returns the place and the habit of each hit."""
        return [": ".join(line.split(": ")[:2]) for line in self.prose(*words or ["--list"]).stdout.splitlines()]


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path)


def habits_in(tree, sentences):
    """Returns the habits in each sentence: in a doc comment if ¶ begins it, otherwise in a line comment."""
    for number, sentence in enumerate(sentences):
        sign = "///" if sentence.startswith("¶") else "//"
        tree.write(f"{number}.swift", f"{sign} {sentence.removeprefix('¶ ')}\n")
    found = {sentence: [] for sentence in sentences}
    for hit in tree.list():
        place, _, habit = hit.partition(": ")
        found[sentences[int(place.partition(".")[0])]].append(habit.removesuffix(" (worst)"))
    return found


def test_each_habit_is_found_before_its_remedy(tree):
    found = habits_in(tree, [habit.before for habit in HABITS])
    assert [habit.name for habit in HABITS if habit.name not in found[habit.before]] == []


def test_remedies_have_no_habits(tree):
    found = habits_in(tree, [habit.after for habit in HABITS])
    assert {sentence: habits for sentence, habits in found.items() if habits} == {}


def test_natural_english_has_no_habits(tree):
    found = habits_in(tree, NATURAL)
    assert {sentence: habits for sentence, habits in found.items() if habits} == {}


def test_comments_docstrings_names_of_tests_and_pages_are_prose(tree):
    tree.write("Sources/A/A.swift", "/// Its size,\n/// read anew.\nlet a = 1  // Read anew.\n/* Nobody\n reads. */\n"
               "func `nobody reads`() {}\n/// A page.\n///\n/// It is read.\n/// - Returns: Its size.\n")
    tree.write("a.py", '"""Nobody reads."""\n# Read anew.\ndef test_nobody_reads():\n    """Read\n    anew."""\n')
    tree.write("a.c", "int a; // Read anew.\n/** Its size.\n * Read anew. */\n")
    tree.write("a.js", "let a = 'x'  // Read anew.\n")
    tree.write("a.sh", "#!/bin/sh\n# Read anew.\necho  # Nobody reads.\n")
    tree.write("b", "#!/bin/sh\n# Read anew.\n")
    tree.write("a.yaml", "a: 1\n# Read anew.\n")
    tree.write("a.md", "# Nobody reads\n\nThe page is read\nanew.\n\n| a | read anew |\n")
    assert sorted(tree.list()) == sorted([
        "Sources/A/A.swift:1: pronoun as opening (worst)", "Sources/A/A.swift:10: pronoun as opening (worst)",
        "Sources/A/A.swift:2: anew (worst)", "Sources/A/A.swift:3: anew (worst)",
        "Sources/A/A.swift:4: nobody, nothing of (worst)", "Sources/A/A.swift:6: nobody, nothing of (worst)",
        "a.c:1: anew (worst)", "a.c:2: pronoun as opening (worst)", "a.c:3: anew (worst)", "a.js:1: anew (worst)",
        "a.md:1: nobody, nothing of (worst)", "a.md:4: anew (worst)", "a.md:6: anew (worst)",
        "a.py:1: nobody, nothing of (worst)", "a.py:2: anew (worst)", "a.py:3: nobody, nothing of (worst)",
        "a.py:5: anew (worst)", "a.sh:2: anew (worst)", "a.sh:3: nobody, nothing of (worst)", "a.yaml:2: anew (worst)",
        "b:2: anew (worst)"])


def test_code_strings_fenced_blocks_and_licences_are_not_prose(tree):
    tree.write("a.swift", '// SPDX-' 'License-Identifier: anew\n// Copyright: anew\nlet anew = "// anew \\(f("x // anew"))"\n'
               'let b = """\n  // anew\n  """\nlet c = #"" // anew"#\nfunc anew() {}\n')
    tree.write("a.py", 'anew = "# anew"\nb = f("""\n# anew\n""")\ndef anew(): pass\n')
    tree.write("a.c", "char anew = '\"'; char *b = \"// anew\";\n")
    tree.write("a.js", "let anew = `\n// anew`, b = '// anew'\n")
    tree.write("a.sh", "#!/usr/bin/anew\necho '# anew' \"x # anew\"\n")
    tree.write("a.txt", "anew\n")
    done = tree.prose("--limit", "0")
    assert (done.returncode, done.stdout.split("\n")[0]) == (0, "   0.0  over all (0 hits in 0 words)")
    # Code spans and quotations count as one word each.
    tree.write("a.md", "One `anew`, \"read anew\", two.\n\n```sh\necho anew\n```\n<!-- anew -->\n")
    assert tree.prose().stdout.startswith("   0.0  over all (0 hits in 4 words)\n")
    tree.write("b.swift", "/// One:\n/// ```\n/// anew\n///\n/// anew\n/// ```\n/// two.\n")
    assert tree.prose().stdout.startswith("   0.0  over all (0 hits in 6 words)\n")


def test_a_rate_counts_folders_and_a_limit_decides_the_exit_code(tree):
    tree.write("Sources/A/A.swift", "// Read anew each time.\n// The end.\n")
    tree.write("Sources/B/B.swift", "// One two three four.\n")
    done = tree.prose()
    assert done.returncode == 0
    assert done.stdout.split("\n") == [
        " 100.0  over all (1 hits in 10 words)", "", "     1  anew", "", " 166.7  Sources/A (1 in 6)",
        "   0.0  Sources/B (0 in 4)", ""]
    assert tree.prose("--limit", "100").returncode == 0
    done = tree.prose("--limit", "99.9")
    assert (done.returncode, done.stderr) == (
        1, "deploy/tools/prose: 100.0 hits per 1000 words are over the limit of 99.9; --list prints hits, --explain "
        "their remedies\n")
    assert tree.prose("--limit", "0", "Sources/B").returncode == 0
    assert tree.prose("--limit", "0", "--except", "Sources/A").returncode == 0
    assert tree.prose("--limit", "0", "--except", "Sources/A/A.swift").returncode == 0
    assert tree.prose("--limit", "0", "--except", "Sources/B").returncode == 1


def test_a_change_is_only_its_added_lines(tree):
    tree.write("a.swift", "// Read anew.\nlet a = 1\n// Nobody reads, and\n// the end.\n")
    tree.write("é ü.md", "One.\n")
    tree.commit()
    assert tree.prose("--change").returncode == 0
    # A habit in an old line, a common one in a new line, and the second line of a paragraph.
    tree.write("a.swift", "// Read anew.\nlet a = 1\n// Nobody reads, and\n// an end.\n// By which it ends.\n")
    done = tree.prose("--change")
    assert (done.returncode, tree.list("--change")) == (0, ["a.swift:5: preposition and which"])
    # Habits over a line break, in a new file, and in a name with spaces.
    tree.write("a.swift", "// Read anew.\nlet a = 1\n// Nobody reads, and it goes\n// on. The end.\n")
    tree.write("b.swift", "// Read anew.\n")
    tree.write("é ü.md", "One.\n\nNobody reads.\n")
    expected = ["a.swift:3: goes on (worst)", "a.swift:3: nobody, nothing of (worst)", "b.swift:1: anew (worst)",
                "é ü.md:3: nobody, nothing of (worst)"]
    assert sorted(tree.list("--change")) == expected
    done = tree.prose("--change")
    assert done.returncode == 1
    assert done.stderr.startswith("deploy/tools/prose: a change must not add the worst habits, but 4 hits")
    assert tree.prose("--change", "HEAD", "b.swift", "--except", "b.swift").returncode == 0
    # On a branch, the change begins where the branch left main.
    tree.git("checkout", "-qb", "work")
    tree.commit()
    assert sorted(tree.list("--change")) == expected
    assert tree.list("--change", "HEAD") == []
    assert "a.swift:1: anew (worst)" in tree.list("--change", "HEAD~2")


@pytest.mark.parametrize("content, reason", [
    (b"// One.\0", "binary data"), (b"// caf\xe9", "not UTF-8 at byte 6"),
])
def test_an_unreadable_file_is_reported_and_the_others_are_measured(tree, content, reason):
    tree.write("a.swift", content)
    tree.write("b.swift", "// Read anew.\n")
    done = tree.prose("--list")
    assert (done.returncode, done.stderr) == (2, f"deploy/tools/prose: cannot read a.swift: {reason}\n")
    assert done.stdout == "b.swift:1: anew (worst): Read anew.\n"


def test_odd_files_have_prose_or_a_message(tree):
    tree.write("a.py", "a = (\n")
    tree.write("b.py", "if a:\n    b\n  c\n")
    done = tree.prose()
    assert done.returncode == 2
    assert [line.split(":")[1:3] for line in done.stderr.splitlines()] == [
        [" cannot read a.py",  " not valid Python"], [" cannot read b.py",  " not valid Python"]]
    for name in ("a.py", "b.py"):
        (tree.folder / name).unlink()
    for name in ("empty.swift", "empty.py", "empty.md", "empty.sh", "empty"):
        tree.write(name, "")
    tree.write("picture.png", b"\x89PNG\0")
    tree.write("mark.swift", b"\xef\xbb\xbf// One\r\n// two.")
    (tree.folder / "link.swift").symlink_to("nowhere")
    (tree.folder / "pipe.swift").symlink_to("/dev/zero")
    done = tree.prose()
    assert (done.returncode, done.stderr, done.stdout.split("\n")[0]) == (0, "", "   0.0  over all (0 hits in 2 words)")


@pytest.mark.parametrize("line", [
    ("// ", "of one of one. "), ("// Read anew ", "a"), ("// ", "where is "), ('let a = "', "\\("), ('let a = "', "\\(()"),
    ("", "#"), ("", "`"), ("// ", "` "), ("// ", "<"), ('// "', "a"), ("", "/* "), ("", '"""#'), ("/// a; ", "b"),
    ("", "# x "), ("- ", "* "), ("| ", "a | "), ("", "[a]("), ("// ", "a://"),
], ids=repr)
def test_a_huge_line_is_measured_in_seconds(tree, line):
    for name in ("a.swift", "a.js", "a.md", "a.sh"):
        tree.write(name, line[0] + 300_000 * line[1] + "\n// Read anew.\n")
    start = time.monotonic()
    assert all(len(line) < 300 for line in tree.prose("--list").stdout.splitlines())
    assert time.monotonic() - start < 20


def test_wrong_use_is_an_error(tree):
    for words, message in [
            (["nowhere"], "no file or folder"), (["--except", "nowhere"], "no file or folder"), (["--limit", "x"], "invalid float"),
            (["--change", "nowhere"], "cannot compare with nowhere"), (["--change", "--list"], "not allowed with"),
            (["--change", "--limit", "4"], "--limit cannot be combined with")]:
        done = tree.prose(*words)
        assert (done.returncode, message in done.stderr) == (2, True), words


def test_a_tree_without_git_has_a_rate_but_no_change(tree):
    shutil.rmtree(tree.folder / ".git")
    tree.write("a/a.swift", "// Read anew.\n")
    tree.write(".build/a.swift", "// Read anew.\n")
    assert tree.list("--list", "a") == ["a/a.swift:1: anew (worst)"]
    assert tree.list("--list", "--except", "deploy") == ["a/a.swift:1: anew (worst)"]
    assert tree.prose("--change").returncode == 2


def test_each_habit_is_explained(tree):
    done = tree.prose("--explain")
    assert done.returncode == 0
    for habit in HABITS:
        assert f"{habit.name}{' (a change must not add it)' if habit.worst else ''}: {habit.remedy}\n" in done.stdout
    assert "¶" not in done.stdout
