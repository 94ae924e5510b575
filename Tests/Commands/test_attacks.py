# SPDX-License-Identifier: MIT
"""Short runs of the attacks of Tests/Attacks on a live kiosk by clients, files and unread pipes."""

import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import ROUNDEL, TOP  # noqa: E402


def test_no_attack_blocks_a_kiosk_or_exhausts_its_memory(capsys):
    # On an idle machine, another client waits for milliseconds.
    done = subprocess.run(
        ["/usr/bin/python3", TOP / "Tests/Attacks/attacks", "--seconds", "0.5", "--json"],
        env={**os.environ, "ROUNDEL_BINARY": ROUNDEL}, capture_output=True, text=True, timeout=300)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    with capsys.disabled():
        print()
        for row in rows:
            print(f"{row['attack']}: {row['silence_ms']:.0f} ms, {row['memory_mib']:.0f} MiB, "
                  f"{row['outcome']}")
    assert len(rows) > 25, done.stderr
    assert [row for row in rows if row["outcome"].startswith("failed")] == []
    assert done.returncode == 0
