# SPDX-License-Identifier: MIT
"""The check of imports, on a package with a missing declaration."""

import shutil
import subprocess
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
MANIFEST = """// swift-tools-version: 6.2
import PackageDescription
let package = Package(name: "tower", targets: [
  .systemLibrary(name: "CWater"), .target(name: "Ground"),
  .target(name: "Floor", dependencies: ["Ground", "CWater"]),
  .target(name: "Roof", dependencies: ["Floor"%s]),
])
"""


def test_an_undeclared_module_is_rejected(tmp_path):
    files = {
        "Sources/CWater/module.modulemap": 'module CWater { header "water.h" }',
        "Sources/CWater/water.h": "",
        "Sources/Ground/Ground.swift": "",
        "Sources/Floor/Floor.swift": "import CWater\npublic import Ground\n",
        "Sources/Roof/Roof.swift": "// import Nothing\nimport Glibc\n@testable internal import func CWater.rain\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "deploy/tools").mkdir(parents=True)
    check = shutil.copy(TOP / "deploy/tools/imports", tmp_path / "deploy/tools")
    outcomes = []
    for more in ["", ', "CWater"']:
        (tmp_path / "Package.swift").write_text(MANIFEST % more)
        outcomes.append(subprocess.run([check], capture_output=True, text=True, timeout=120))
    assert outcomes[0].returncode == 1
    assert outcomes[0].stderr == (
        "Sources/Roof/Roof.swift:3: Package.swift does not declare that Roof imports CWater\n")
    assert (outcomes[1].returncode, outcomes[1].stderr) == (0, "")
