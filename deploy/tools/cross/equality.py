# SPDX-License-Identifier: MIT
"""Compares a board's program with this machine's: pictures, recordings, suites."""

import subprocess
import tempfile
from pathlib import Path

from tools.debian import PanelError

from .sysroot import DEPLOY


class Side:
    """One of the two programs, and the folder of its files."""

    def __init__(self, command, folder):
        self.command = command
        self.folder = folder
        folder.mkdir()

    def run(self, *words):
        """Runs a command in this side's folder. Returns its completed process."""
        return subprocess.run([*self.command, *map(str, words)], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              stdin=subprocess.DEVNULL)

    @property
    def files(self):
        return {str(file.relative_to(self.folder)): file.read_bytes()
                for file in sorted(self.folder.rglob("*")) if file.is_file()}


def compare(ours, reference, say):
    """Runs the examples with both programs, each a list of words. Fails on any difference."""
    different, shown, passed = [], 0, 0
    with tempfile.TemporaryDirectory(prefix="roundel-") as scratch:
        for kiosk in sorted((DEPLOY / "examples/kiosks").glob("*.yaml")):
            name = kiosk.stem
            folder = Path(scratch) / name
            folder.mkdir()
            sides = [Side(ours, folder / "board"), Side(reference, folder / "machine")]
            asked = [("render", kiosk, "-o", "first.png")]
            recording = DEPLOY / f"examples/recordings/{name}.jsonl"
            if recording.exists():
                asked.append(("replay", kiosk, recording, "--shots", "shots"))
            suite = DEPLOY / f"examples/suites/{name}.yaml"
            if suite.exists():
                asked.append(("test", suite))
            for words in asked:
                board, machine = (side.run(*words) for side in sides)
                what = f"{words[0]} {name}"
                if board.returncode != 0:
                    different.append(f"{what}: ends with {board.returncode}: "
                                     f"{(board.stderr or board.stdout)[-800:].strip()}")
                elif board.stdout != machine.stdout:
                    different.append(f"{what}: prints other lines")
                elif words[0] == "test":
                    passed += sum(line.startswith("ok ") for line in board.stdout.splitlines())
            board, machine = (side.files for side in sides)
            different += [f"{name}/{file} differs" for file in sorted({*board, *machine})
                          if board.get(file) != machine.get(file)]
            shown += len(board)
            say(f"  {name}: {len(board)} pictures")
    if different:
        raise PanelError("not as on this machine:\n  " + "\n  ".join(different))
    say(f"all as on this machine, byte for byte: {shown} pictures, the events of all recordings, "
        f"{passed} tests of suites")
