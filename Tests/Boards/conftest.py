# SPDX-License-Identifier: MIT
"""The disk image, built once for all tests, and the keys to it."""

import os
import subprocess
from pathlib import Path

import pytest

from disks import COUNTER, FOLDER, IMAGE, IS_CARD, certified, show_on_frame_buffer
from Rig.machine import Panel


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    place = Path(FOLDER) if FOLDER else tmp_path_factory.mktemp("image")
    place.mkdir(parents=True, exist_ok=True)
    return place


@pytest.fixture(scope="session")
def kiosk(folder):
    file = folder / "counter.yaml"
    file.write_text(COUNTER)
    return file


@pytest.fixture(scope="session")
def key(folder):
    """An SSH key that the disk image accepts."""
    file = folder / "key"
    if not file.exists():
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file], check=True)
    return file


@pytest.fixture(scope="session")
def signer(folder):
    """The key and certificate that sign updates for the disk image."""
    return certified(folder, "fleet")


@pytest.fixture(scope="session")
def made(folder, kiosk, key, signer):
    file = folder / "counter.img"
    if not file.exists():
        subprocess.run([*IMAGE, "--kiosk", kiosk, "--output", file, "--state", "32", "--authorized-keys",
                        key.with_suffix(".pub"), "--keyring", signer[1], "--version", "100"],
                       check=True, stdout=subprocess.DEVNULL)
    return file


@pytest.fixture
def disk(made, folder):
    """A fresh copy of the disk image."""
    file = folder / "disk.img"
    subprocess.run(["cp", "--sparse=always", made, file], check=True)
    if IS_CARD:
        show_on_frame_buffer(file, folder)
    return file


@pytest.fixture
def panel():
    panel = Panel(f"test-disk-{os.getpid()}")
    yield panel
    panel.stop()
