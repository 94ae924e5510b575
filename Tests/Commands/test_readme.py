# SPDX-License-Identifier: MIT
"""The kiosks in README.md are what `check` takes."""

import pathlib
import re
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import TOP, run  # noqa: E402

BLOCKS = re.findall(r"^```yaml\n(.*?)^```", (TOP / "README.md").read_text(), re.S | re.M)
KIOSKS = {text.split("\n")[0]: text for text in BLOCKS if text.startswith("kiosk: ")}


def test_there_are_kiosks():
    assert len(KIOSKS) > 1


@pytest.mark.parametrize("name", KIOSKS)
def test_nothing_about_a_kiosk_needs_mending(name, tmp_path):
    file = tmp_path / "kiosk.yaml"
    file.write_text(KIOSKS[name])
    checked = run("check", file)
    assert (checked.stdout, checked.stderr) == ("", "")
