# SPDX-License-Identifier: MIT
"""The Ansible role of deploy/fleet, checked by ansible-lint and Ansible, with its templates filled in, and run."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import ROUNDEL, TOP  # noqa: E402

sys.path.insert(0, str(TOP / "deploy"))
from tools.debian import RELEASE, bootstrap, native_architecture  # noqa: E402

FOLDER = TOP / "deploy/fleet/ansible"
pytestmark = pytest.mark.skipif(not shutil.which("ansible-playbook"), reason="Ansible is not installed")


def ansible(folder, *words, environment=None, **options):
    return subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=300, env={
        **os.environ, "HOME": str(folder), "ANSIBLE_LOCAL_TEMP": str(folder / "local"),
        "ANSIBLE_NOCOLOR": "1", **(environment or {})}, **options)


def test_the_playbook_is_valid(tmp_path):
    done = ansible(tmp_path, "ansible-playbook", "-i", "inventory.example.yaml", "site.yaml", "--syntax-check",
                   cwd=FOLDER)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not shutil.which("ansible-lint"), reason="ansible-lint is not installed")
def test_ansible_lint_has_no_findings(tmp_path):
    # Debian 12's version knows neither Debian 13 nor variables in some filters.
    done = ansible(tmp_path, "ansible-lint", "--offline", "--profile", "production", "-x",
                   "schema[meta],jinja[invalid]", cwd=FOLDER)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_bridge_gets_its_options_and_its_password(tmp_path):
    """The template for mqtt.conf is read by systemd: one variable per line."""
    (tmp_path / "play.yaml").write_text(f"""
- hosts: localhost
  connection: local
  gather_facts: false
  vars_files: [{FOLDER}/roles/roundel/defaults/main.yaml]
  tasks:
    - ansible.builtin.template:
        src: {FOLDER}/roles/roundel/templates/mqtt.conf.j2
        dest: {tmp_path}/mqtt.conf
        mode: "0600"
""")
    done = ansible(tmp_path, "ansible-playbook", "-i", "localhost,", tmp_path / "play.yaml", "-e",
                   '{"roundel_broker": "mqtts://b", "roundel_node": "lobby", "roundel_broker_user": "lobby", '
                   '"roundel_broker_password": "secret", "roundel_groups": ["north", "all"], '
                   '"roundel_broker_arguments": "--ca /etc/ssl/b.pem"}', "-e",
                   f"ansible_python_interpreter={sys.executable}")
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [line for line in (tmp_path / "mqtt.conf").read_text().splitlines()
             if line and not line.startswith("#")]
    assert lines == ["ROUNDEL_MQTT_ARGUMENTS=--broker mqtts://b --name lobby --user lobby --group north "
                     "--group all --ca /etc/ssl/b.pem", "ROUNDEL_MQTT_PASSWORD=secret"]


@pytest.mark.skipif("ROUNDEL_PACKAGES" not in os.environ or os.geteuid() != 0 or not shutil.which("mmdebstrap"),
                    reason="takes minutes, and needs root and mmdebstrap")
def test_the_first_run_sets_a_panel_up_and_the_second_changes_nothing(tmp_path):
    """Runs in a separate, unbooted Debian: units are enabled but not started."""
    def done(*words, **environment):
        ended = subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=600,
                               env={**os.environ, **environment})
        assert ended.returncode == 0, ended.stdout + ended.stderr

    root, gpg = tmp_path / "root", tmp_path / "gpg"
    done(*bootstrap(RELEASE, native_architecture(), ["python3", "systemd"], root, variant="apt"))
    gpg.mkdir(mode=0o700)
    done("gpg", "--batch", "--passphrase", "", "--quick-gen-key", "fleet@roundel.test", "ed25519", "sign",
         GNUPGHOME=str(gpg))
    done(TOP / "deploy/package", "--binary", ROUNDEL, "--output", tmp_path / "packages", "--repository",
         root / "srv/apt", "--key", "fleet@roundel.test", GNUPGHOME=str(gpg), DPKG_DEB_COMPRESSOR_LEVEL="0")
    done("gpgconf", "--kill", "all", GNUPGHOME=str(gpg))
    (tmp_path / "fleet.pub").write_text("ssh-ed25519 AAAA fleet\n")
    (tmp_path / "inventory.json").write_text(json.dumps({"panels": {"hosts": {"lobby": {
        "ansible_connection": "community.general.chroot", "ansible_host": str(root), "ansible_become": False,
        "ansible_python_interpreter": "/usr/bin/python3", "roundel_kiosk": "lunch",
        "roundel_repository": "file:/srv/apt", "roundel_repository_key": str(root / "srv/apt/roundel.asc"),
        "roundel_pull_url": "https://fleet.example/lunch.bundle",
        "roundel_trusted_keys": [str(tmp_path / "fleet.pub")], "roundel_broker": "mqtts://broker.example",
        "roundel_broker_password": "secret", "roundel_arguments": "--rotate 90",
        "roundel_overlay": {"values": {"room": "Lobby"}}}}}}))

    def changes():
        played = ansible(tmp_path, "ansible-playbook", "-i", tmp_path / "inventory.json", FOLDER / "site.yaml",
                         environment={"SYSTEMD_OFFLINE": "1"})
        assert played.returncode == 0, played.stdout + played.stderr
        return int(re.search(r"changed=(\d+)", played.stdout)[1])

    assert changes() > 10
    etc = root / "etc"
    for unit in ("multi-user.target.wants/roundel@lunch.service",
                 "multi-user.target.wants/roundel-mqtt@lunch.service", "timers.target.wants/roundel-pull.timer",
                 "timers.target.wants/roundel-metrics.timer"):
        assert (etc / "systemd/system" / unit).is_symlink(), unit
    assert (root / "usr/bin/roundel-mqtt").exists()
    assert "--rotate 90" in (etc / "systemd/system/roundel@lunch.service.d/ansible.conf").read_text()
    assert (etc / "roundel/lunch.overlay.yaml").read_text() == "values:\n    room: Lobby\n"
    assert (etc / "roundel/mqtt.conf").stat().st_mode & 0o777 == 0o600
    assert "--name lobby --group all" in (etc / "roundel/mqtt.conf").read_text()
    assert changes() == 0
