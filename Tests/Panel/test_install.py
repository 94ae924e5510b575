# SPDX-License-Identifier: MIT
"""The installer and the units, without a virtual machine."""

import os
import shutil
import subprocess

import pytest
from conftest import TOP

INSTALL = TOP / "deploy/install"


@pytest.fixture
def program(tmp_path):
    file = tmp_path / "roundel"
    file.write_text("#!/bin/sh\nexec " + os.environ["ROUNDEL_BINARY"] + ' "$@"\n')
    file.chmod(0o755)
    return file


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """An installation with all units."""
    folder = tmp_path_factory.mktemp("installed")
    for name in ("roundel", "roundel-mqtt"):
        (folder / name).symlink_to(os.path.realpath(os.environ["ROUNDEL_BINARY"]))
    done = install("--root", folder / "root", "--binary", folder / "roundel", "--mqtt")
    assert done.returncode == 0, done.stderr
    return folder / "root"


def install(*options):
    root = [] if os.geteuid() == 0 else ["fakeroot"]
    return subprocess.run([*root, INSTALL, *options], capture_output=True, text=True)


# The highest allowed exposure that systemd-analyze computes, in tenths.
@pytest.mark.parametrize("unit, most", [
    ("roundel@", 12), ("roundel-console@", 5), ("roundel-splash@", 13), ("roundel-cage@", 12), ("roundel-weston@", 12),
    ("roundel-metrics", 13), ("roundel-pull", 22), ("roundel-mqtt@", 13)])
def test_a_unit_meets_its_systemd_security_limit(installed, unit, most):
    scored = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager", f"--root={installed}",
                             f"--threshold={most}", f"{unit}.service"], capture_output=True, text=True)
    assert scored.returncode == 0, scored.stdout


@pytest.mark.parametrize("unit", ["roundel@", "roundel-console@", "roundel-splash@", "roundel-cage@"])
def test_a_unit_limits_its_memory_and_its_tasks(unit):
    text = (TOP / f"systemd/{unit}.service").read_text()
    assert "\nMemoryMax=" in text and "\nTasksMax=" in text


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_finds_no_problem_in_the_units(installed):
    units = sorted((installed / "usr/lib/systemd/system").glob("roundel*.service"))
    assert len(units) == 11
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no",
         *[str(unit).replace("@.", "@wall.") for unit in units]], capture_output=True, text=True)
    # Programs that units start may be missing here.
    said = [line for line in verified.stderr.splitlines() if "is not executable" not in line]
    assert [line for line in said if "roundel" in line] == []


def test_a_kiosk_is_installed_with_its_files_and_enabled(tmp_path, program):
    kiosk = tmp_path / "wall.yaml"
    (tmp_path / "art").mkdir()
    for name in ("art/Rest one.png", "art/lit.png", "face.ttf", "unused.png"):
        (tmp_path / name).write_text("x")
    kiosk.write_text('kiosk: wall\nscreen: {font: face.ttf}\n'
                     'pages: [{for: [{id: lit}], include: art/page.yaml}]\n')
    (tmp_path / "art/page.yaml").write_text(
        'page: $id\nbackground: {image: "Rest one.png"}\n'
        'controls: [{image: i, at: [9, 9], size: [9, 9], file: $id.png}]\n')
    root = tmp_path / "root"
    done = install("--root", root, "--binary", program, "--kiosk", kiosk, "--enable")
    assert done.returncode == 0, done.stderr
    placed = sorted(str(path.relative_to(root / "etc/roundel"))
                    for path in (root / "etc/roundel").rglob("*") if path.is_file())
    assert placed == ["art/Rest one.png", "art/lit.png", "art/page.yaml", "face.ttf", "wall.yaml"]
    wanted = root / "etc/systemd/system/multi-user.target.wants/roundel@wall.service"
    assert wanted.is_symlink()
    assert "roundel:" in (root / "etc/passwd").read_text()


def test_a_second_installation_changes_nothing(tmp_path, program):
    root = tmp_path / "root"
    assert install("--root", root, "--binary", program).returncode == 0
    again = install("--root", root, "--binary", program)
    assert (again.returncode, again.stdout) == (0, "")


def test_the_installer_keeps_the_old_kiosk_next_to_the_new_one(tmp_path, program):
    root, kiosk = tmp_path / "root", tmp_path / "wall.yaml"
    for text in ("kiosk: old\n", "kiosk: new\n"):
        kiosk.write_text(text)
        assert install("--root", root, "--binary", program, "--kiosk", kiosk).returncode == 0
    assert (root / "etc/roundel/wall.yaml").read_text() == "kiosk: new\n"
    assert (root / "etc/roundel/wall.yaml~").read_text() == "kiosk: old\n"


@pytest.mark.parametrize("options, code, said", [
    (["--binary", "/nowhere/roundel"], 66, "no program at /nowhere/roundel"),
    (["--kiosk", "/nowhere.yaml"], 66, "no kiosk file at /nowhere.yaml"),
    (["--enable"], 64, "require --kiosk"),
    (["--root"], 64, "--root needs a value"),
    (["--colour"], 64, "unknown option --colour"),
    (["--kiosk", "/dev/null", "--name", "../x"], 64, "a kiosk's name"),
])
def test_the_installer_refuses_wrong_options_with_the_reason(tmp_path, program, options, code, said):
    if "--binary" not in options:
        options = ["--binary", program, *options]
    refused = install(*options)
    assert refused.returncode == code
    assert said in refused.stderr


def test_the_uinput_option_gives_the_group_access_to_uinput(tmp_path, program):
    root = tmp_path / "root"
    assert install("--root", root, "--binary", program).returncode == 0
    rules = root / "usr/lib/udev/rules.d/70-roundel-uinput.rules"
    assert not rules.exists()
    assert install("--root", root, "--binary", program, "--uinput").returncode == 0
    assert 'GROUP="roundel", MODE="0660"' in rules.read_text()
    assert (root / "usr/lib/modules-load.d/roundel-uinput.conf").read_text().endswith("uinput\n")
