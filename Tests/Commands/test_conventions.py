# SPDX-License-Identifier: MIT
"""Names and licences by the conventions of the field."""

import json
import pathlib
import shutil
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import ROUNDEL, TOP, run  # noqa: E402

REUSE = shutil.which("reuse") or shutil.which("reuse", path=TOP / ".build/mcp/bin")


@pytest.mark.skipif(not REUSE, reason="reuse is not installed; pip install reuse")
@pytest.mark.skipif(not (TOP / ".git").exists(), reason="without git, build products would be linted")
def test_every_file_has_a_copyright_and_a_licence_as_reuse_wants():
    linted = subprocess.run([REUSE, "--root", TOP, "lint"], capture_output=True, text=True)
    assert linted.returncode == 0, linted.stdout + linted.stderr


def test_the_licence_at_the_top_is_the_licence_in_its_folder():
    assert (TOP / "LICENSE").read_bytes() == (TOP / "LICENSES/MIT.txt").read_bytes()


@pytest.mark.parametrize("kind", ["kiosk", "suite"])
def test_a_schema_has_an_id_and_a_title(kind):
    schema = json.loads(run("schema", *["--suite"] * (kind == "suite")).stdout)
    assert schema["$id"] == f"urn:roundel:{kind}:4"
    assert schema["title"].startswith("Roundel")


def test_a_kiosk_marked_by_its_name_is_installed_under_its_plain_name(tmp_path):
    kiosk = tmp_path / "lunch.roundel.yaml"
    kiosk.write_text("kiosk: lunch\npages: [{page: p, controls: [{label: l, at: [640, 400], text: Lunch}]}]\n")
    (tmp_path / "lunch.overlay.yaml").write_text("screen: {rotate: 180}\n")
    files = run("check", "--files", kiosk).stdout.split()
    assert files[0] == str(kiosk)
    done = subprocess.run([TOP / "deploy/install", "--root", tmp_path / "root", "--binary", ROUNDEL, "--kiosk", kiosk],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "root/etc/roundel/lunch.yaml").read_bytes() == kiosk.read_bytes()
    # The machine's overlay has the kiosk's name, too.
    (tmp_path / "lunch.overlay.yaml").write_text("screen: {rotate: 13}\n")
    checked = run("check", kiosk, code=1)
    assert "lunch.overlay.yaml:1" in checked.stdout + checked.stderr
