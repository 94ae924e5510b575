# SPDX-License-Identifier: MIT
"""System updates of a disk wait until the panel isn't in use.

Runs the disk's scripts with replacements for RAUC and the service manager that record the time of an installation
or
restart. ROUNDEL_UPDATE_TRIES is the number of attempts (40)."""

import os
import pathlib
import random
import shutil
import subprocess
import sys
import threading
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import ROUNDEL, TOP, LiveKiosk  # noqa: E402

TRIES = int(os.environ.get("ROUNDEL_UPDATE_TRIES", 40))
# Seconds without updates after a touch; an integer.
IDLE = 1

STAND_INS = {
    # Like RAUC: its handler runs before anything is written.
    "rauc": """case $1 in
  info) echo "RAUC_MF_VERSION='2'" && echo "RAUC_IMAGE_DIGEST_0='a1'" ;;
  install) RAUC_IMAGE_DIGEST_2=$(cat FOLDER/served 2>/dev/null || echo a1) FOLDER/image-allowed && note install ;;
esac""",
    "systemctl": "note restart",
    "image-slots": "[ -e FOLDER/waiting ]",
}
NOTE = '#!/bin/sh\nnote() { echo "$1 $(cut -d " " -f 1 /proc/uptime)" >> FOLDER/notes; }\n'


def uptime():
    """Uptime in seconds as recorded by the replacements, truncated to hundredths."""
    return float(pathlib.Path("/proc/uptime").read_text().split()[0])


@pytest.fixture
def disk(tmp_path):
    """A folder with the disk's scripts and everything they refer to."""
    folder = tmp_path / "disk"
    folder.mkdir()
    names = {
        "/usr/libexec/roundel": folder, "/run/roundel/control.sock": tmp_path / "control.sock",
        "/etc/roundel/update.conf": folder / "update.conf", "/etc/os-release": folder / "os-release",
        "/state/rauc/last-version": folder / "last-version", "/run/roundel-update": folder}
    for name in ["image-update", "image-unused", "image-allowed"]:
        text = (TOP / "deploy/disk" / name).read_text()
        for old, new in names.items():
            text = text.replace(old, str(new))
        (folder / name).write_text(text)
    for name, text in STAND_INS.items():
        (folder / name).write_text((NOTE + text + "\n").replace("FOLDER", str(folder)))
    (folder / "roundel").symlink_to(shutil.which(ROUNDEL))
    (folder / "os-release").write_text("IMAGE_VERSION=1\n")
    (folder / "update.conf").write_text(f"ROUNDEL_UPDATE_IDLE={IDLE}\n")
    for file in folder.iterdir():
        if not file.suffix:
            file.chmod(0o755)
    return folder


@pytest.mark.parametrize("info, told", [
    ("echo 'cannot be fetched' >&2; exit 1", "cannot be fetched"),
    ("echo \"RAUC_MF_VERSION='spring'\"", "the version of https://fleet/lunch.raucb is not a number"),
    ("", "the version of https://fleet/lunch.raucb is not a number"),
])
def test_an_unreadable_bundle_is_reported_and_nothing_is_done(disk, info, told):
    (disk / "rauc").write_text(f"#!/bin/sh\n{info}\n")
    tried = subprocess.run([disk / "image-update"], capture_output=True, text=True, env={
        **os.environ, "PATH": f"{disk}:{os.environ['PATH']}", "ROUNDEL_UPDATE_ARGUMENTS": "",
        "ROUNDEL_UPDATE_URL": "https://fleet/lunch.raucb"})
    assert tried.returncode == 1 and tried.stderr == f"{told}\n"
    assert not (disk / "notes").exists()


def test_a_bundle_other_than_the_announced_one_is_not_installed(disk):
    (disk / "served").write_text("b2")
    tried = subprocess.run([disk / "image-update"], capture_output=True, text=True, env={
        **os.environ, "PATH": f"{disk}:{os.environ['PATH']}", "ROUNDEL_UPDATE_ARGUMENTS": "",
        "ROUNDEL_UPDATE_URL": "https://fleet/lunch.raucb"})
    assert tried.returncode == 1 and "a different bundle than announced" in tried.stderr
    assert not (disk / "notes").exists() and not (disk / "last-version").exists()


def test_nothing_is_installed_or_restarted_during_use(disk, tmp_path):
    chance = random.Random(7)
    kiosk = LiveKiosk(tmp_path)
    taps, done = [], threading.Event()

    def touch():
        own = random.Random(8)
        while not done.wait(own.uniform(0.1, 3.5 * IDLE)):
            # The time before the touch, because its answer may arrive much later on a busy machine.
            start = uptime()
            kiosk.run("tap", "wheel/b")
            taps.append(start)

    finger = threading.Thread(target=touch)
    finger.start()
    environment = {
        "PATH": f"{disk}:{os.environ['PATH']}", "ROUNDEL_UPDATE_URL": "https://fleet.example/x",
        "ROUNDEL_UPDATE_ARGUMENTS": ""}
    counts = {"install": 0, "restart": 0, "refused": 0}
    tries = 0
    try:
        # Continue while chance has left one of them out.
        while tries < TRIES or not all(counts.values()) and tries < 5 * TRIES:
            tries += 1
            time.sleep(chance.uniform(0, 0.2))
            (disk / "notes").write_text("")
            (disk / "last-version").unlink(missing_ok=True)
            (disk / "waiting").unlink(missing_ok=True)
            if chance.random() < 0.5:
                (disk / "waiting").write_text("")
            start, known = uptime(), list(taps)
            # Like image-update.service: its condition, then the script.
            subprocess.run(
                ["sh", "-c", f"{disk}/image-unused && {disk}/image-update"], env=environment,
                capture_output=True, timeout=60)
            notes = [line.split() for line in (disk / "notes").read_text().splitlines()]
            for what, moment in notes:
                counts[what] += 1
                # Touches that were answered before it started.
                recent = [tap for tap in known if float(moment) - tap < IDLE - 0.02]
                assert not recent, f"{what} {float(moment) - recent[-1]:.2f} s after a touch"
            counts["refused"] += not notes
    finally:
        done.set()
        finger.join()
        kiosk.close()
    print(counts)
    # Both occurred; otherwise the test would pass without effect.
    assert all(counts.values()), counts
