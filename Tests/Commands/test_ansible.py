# SPDX-License-Identifier: MIT
"""The Ansible role of deploy/fleet: read by ansible-lint and by Ansible itself, and its templates filled in."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import TOP  # noqa: E402

FOLDER = TOP / "deploy/fleet/ansible"
pytestmark = pytest.mark.skipif(not shutil.which("ansible-playbook"), reason="Ansible is not installed")


def ansible(folder, *words, **options):
    return subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=300, env={
        **os.environ, "HOME": str(folder), "ANSIBLE_LOCAL_TEMP": str(folder / "local"),
        "ANSIBLE_NOCOLOR": "1"}, **options)


def test_the_playbook_can_be_read(tmp_path):
    done = ansible(tmp_path, "ansible-playbook", "-i", "inventory.example.yaml", "site.yaml", "--syntax-check",
                   cwd=FOLDER)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not shutil.which("ansible-lint"), reason="ansible-lint is not installed")
def test_ansible_lint_finds_nothing(tmp_path):
    done = ansible(tmp_path, "ansible-lint", "--offline", "--profile", "production", cwd=FOLDER)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_bridge_gets_its_options_and_its_password(tmp_path):
    """The template for mqtt.conf, as systemd reads it: a variable a line."""
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
