# SPDX-License-Identifier: MIT
"""Features of the engine are removable."""

import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
KIOSK = ROOT / "Sources" / "Kiosk"
ROWS = KIOSK / "Features" / "Features.swift"
MODULES = ROOT / ".build" / "debug" / "Modules"
FEATURES = re.findall(r"^    (\w+)\.self,$", ROWS.read_text(), re.MULTILINE)


def check(files):
    """Returns the compiler's errors for an engine of these files."""
    flags = ["-swift-version", "6", "-strict-memory-safety", "-warnings-as-errors"]
    for feature in ["InternalImportsByDefault", "MemberImportVisibility"]:
        flags += ["-enable-upcoming-feature", feature]
    names = ["-module-name", "Kiosk", "-package-name", ROOT.name.lower()]
    result = subprocess.run(
        ["swiftc", "-typecheck", *names, *flags, "-I", MODULES, *files],
        capture_output=True,
        text=True,
        timeout=600,
    )
    return "\n".join(line for line in result.stderr.splitlines() if "error:" in line)


def test_the_engine_has_features():
    assert len(FEATURES) >= 6


@pytest.mark.skipif(
    not (MODULES.exists() and shutil.which("swiftc")), reason="needs a debug build and its compiler"
)
@pytest.mark.parametrize("feature", FEATURES)
def test_the_engine_compiles_without_a_feature(feature, tmp_path):
    rows = tmp_path / ROWS.name
    rows.write_text(ROWS.read_text().replace(f"    {feature}.self,\n", ""))
    own = {ROWS, ROWS.parent / f"{feature}.swift"}
    assert check([rows, *(file for file in KIOSK.rglob("*.swift") if file not in own)]) == ""
