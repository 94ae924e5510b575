# SPDX-License-Identifier: MIT
"""The bill of materials of the programs, checked by CycloneDX's own validator."""

import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import ROUNDEL, TOP  # noqa: E402

PROGRAMS = [pathlib.Path(ROUNDEL)] + [path for path in (pathlib.Path(ROUNDEL).with_name(f"roundel-{name}")
                                                        for name in ("mqtt", "home")) if path.exists()]
pytestmark = pytest.mark.skipif(not shutil.which("readelf") or not shutil.which("swiftc"),
                                reason="binutils or Swift is not installed")


def made():
    return subprocess.run([TOP / "deploy/tools/sbom", *PROGRAMS], capture_output=True, text=True,
                          check=True).stdout


@pytest.fixture(scope="module")
def text():
    return made()


def test_the_same_programs_give_the_same_bill(text):
    assert made() == text


def test_the_bill_contains_all_loaded_and_linked_libraries(text):
    bill = json.loads(text)
    parts = {part["bom-ref"]: part for part in bill["components"]}
    sonames = {each["value"] for part in parts.values() for each in part.get("properties", [])
               if each["name"] == "roundel:soname"}
    for program in PROGRAMS:
        needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", subprocess.run(
            ["readelf", "-dW", program], capture_output=True, text=True).stdout))
        known = sonames | {part["name"] for part in parts.values()}
        # A Debian package with several libraries is one component.
        missing = {name for name in needed - known if not name.startswith(("libc.", "libm.", "ld-linux"))}
        assert not missing
        digest = hashlib.sha256(program.read_bytes()).hexdigest()
        assert any(hash["content"] == digest for part in parts.values() for hash in part.get("hashes", []))
    pins = {pin["identity"] for pin in json.loads((TOP / "Package.resolved").read_text())["pins"]}
    linked = {"Swift runtime and standard library", "libstdc++"}
    names = {part["name"] for part in parts.values()}
    # The programs that speak HTTP are the only ones with SwiftNIO.
    other = {"swift-nio", "swift-nio-ssl", "swift-atomics", "swift-collections"}
    assert (pins - other) | linked <= names
    assert names & other == (other & pins if any(path.name == "roundel-home" for path in PROGRAMS) else set())
    references = set(parts) | {bill["metadata"]["component"]["bom-ref"]}
    for entry in bill["dependencies"]:
        assert entry["ref"] in references and set(entry["dependsOn"]) <= references
    assert len([part for part in parts.values() if "licenses" in part]) >= len(PROGRAMS) + len(pins)


def test_the_bill_conforms_to_the_standard(text):
    validation = pytest.importorskip("cyclonedx.validation.json",
                                     reason="cyclonedx-python-lib[json-validation] is not installed")
    schema = pytest.importorskip("cyclonedx.schema")
    validator = validation.JsonStrictValidator(schema.SchemaVersion.V1_6)
    assert validator.validate_str(text) is None
    assert validator.validate_str(text.replace('"library"', '"librarian"')) is not None
