# SPDX-License-Identifier: MIT
"""A panel is set up by files on its SD card."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import ROUNDEL, TOP, run  # noqa: E402

pytestmark = pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="ssh-keygen is not installed")


@pytest.fixture
def boot(tmp_path):
    """Boots the machine whose root is `root`, with `card` inserted, and returns the output and the calls of
    systemctl."""
    programs, card, root = tmp_path / "bin", tmp_path / "card", tmp_path / "root"
    for folder in (programs, card, root / "etc/roundel"):
        folder.mkdir(parents=True)
    (programs / "systemctl").write_text(f'#!/bin/sh\necho "$@" >>"{tmp_path}/told"\n')
    (programs / "systemctl").chmod(0o755)
    (programs / "roundel").symlink_to(ROUNDEL)
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / "fleet"], check=True)

    def boot(code=0, **options):
        done = subprocess.run([TOP / "deploy/fleet/first-boot", card, root], capture_output=True, text=True,
                              env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}, **options)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stderr, (tmp_path / "told").read_text() if (tmp_path / "told").exists() else ""

    boot.card, boot.root, boot.key, boot.folder = card, root, tmp_path / "fleet", tmp_path
    return boot


def bundle(boot, kiosk="topics", version=1):
    run("bundle", TOP / f"deploy/examples/kiosks/{kiosk}.yaml", "-o", boot.card / f"{kiosk}.bundle", "--key", boot.key,
        "--version", version)


def test_a_panel_takes_the_files_on_its_card_once(boot):
    bundle(boot)
    shutil.copy(f"{boot.key}.pub", boot.card)
    (boot.card / "name").write_text("lobby\r\n")
    (boot.card / "topics.overlay.yaml").write_text("values: {own: 1}\n")
    (boot.card / "pull.conf").write_text("ROUNDEL_PULL_URL=https://fleet.example/b\n")
    (boot.card / "mqtt.conf").write_text("ROUNDEL_MQTT_PASSWORD=secret\n")
    _, told = boot()
    assert told.splitlines() == ["--no-block enable --now roundel@topics", "--no-block enable --now roundel-mqtt@topics",
                                 "--no-block enable --now roundel-pull.timer"]
    etc = boot.root / "etc/roundel"
    run("check", etc / "topics.yaml")
    assert (etc / "trust/fleet.pub").exists() and (boot.root / "etc/hostname").read_text() == "lobby\n"
    assert (etc / "mqtt.conf").stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in boot.card.iterdir()) == [
        "fleet.pub.done", "name.done", "pull.conf.done", "topics.bundle.done", "topics.overlay.yaml.done"]
    (boot.folder / "told").unlink()
    assert boot()[1].splitlines() == ["--no-block enable --now roundel-pull.timer"]


def test_the_kiosk_can_read_its_files_and_only_root_the_password_for_any_umask(boot):
    bundle(boot)
    shutil.copy(f"{boot.key}.pub", boot.card)
    (boot.card / "name").write_text("lobby\n")
    (boot.card / "topics.overlay.yaml").write_text("values: {own: 1}\n")
    (boot.card / "mqtt.conf").write_text("ROUNDEL_MQTT_PASSWORD=secret\n")
    boot(umask=0o077)
    etc = boot.root / "etc"
    for path in etc.rglob("*"):
        mode = path.stat().st_mode & 0o777
        assert mode == (0o755 if path.is_dir() else 0o600 if path.name == "mqtt.conf" else 0o644), path
    assert not list(etc.rglob("*.new"))


def test_a_panel_gets_its_network_settings(boot):
    (boot.card / "10-lan.network").write_text("[Match]\nType=ether\n")
    (boot.card / "guests.nmconnection").write_text("[wifi-security]\npsk=secret\n")
    _, told = boot()
    assert told.splitlines() == ["try-reload-or-restart systemd-networkd", "try-reload-or-restart NetworkManager"]
    etc = boot.root / "etc"
    assert (etc / "systemd/network/10-lan.network").read_text().startswith("[Match]")
    connection = etc / "NetworkManager/system-connections/guests.nmconnection"
    assert connection.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in boot.card.iterdir()] == ["10-lan.network.done"]


def test_an_unsigned_bundle_or_an_invalid_name_is_skipped_and_reported(boot):
    bundle(boot)
    (boot.card / "name").write_text("a b\n")
    said, told = boot(code=1)
    assert "no key is trusted" in said and "letters, digits" in said and told == ""
    assert not (boot.root / "etc/hostname").exists() and not (boot.root / "etc/roundel/topics.yaml").exists()
    # The key arrives later.
    (boot.card / "name").unlink()
    shutil.copy(f"{boot.key}.pub", boot.card)
    assert "--no-block enable --now roundel@topics" in boot()[1]


def test_a_bundle_of_another_kiosk_is_reported(boot):
    bundle(boot)
    (boot.card / "topics.bundle").rename(boot.card / "lunch.bundle")
    shutil.copy(f"{boot.key}.pub", boot.card)
    said, told = boot(code=1)
    assert "is not named lunch" in said and told == ""
