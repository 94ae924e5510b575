# SPDX-License-Identifier: MIT
"""A panel of a fleet, with the service manager, and the broker of Debian: set up by a card."""

import json
import os
import subprocess
import time

import pytest
from conftest import TOP
from rig.machine import Panel

# Additional packages of the panel.
PACKAGES = ("libmosquitto1", "mosquitto")
KIOSK = TOP / "deploy/kiosks/topics.yaml"


@pytest.fixture(scope="module")
def card(binary, tmp_path_factory):
    """The folder of a card that makes it the card of one panel."""
    folder = tmp_path_factory.mktemp("card")
    key = folder.parent / "fleet"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    subprocess.run([binary, "bundle", KIOSK, "-o", folder / "topics.bundle", "--key", key], check=True,
                   stdout=subprocess.DEVNULL)
    key.with_suffix(".pub").rename(folder / "fleet.pub")
    (folder / "name").write_text("lobby\n")
    (folder / "mqtt.conf").write_text("ROUNDEL_MQTT_ARGUMENTS=--broker 127.0.0.1\n")
    (folder / "pull.conf").write_text("ROUNDEL_PULL_URL=https://fleet.example/topics.bundle\n")
    (folder / "10-lan.network").write_text("[Match]\nName=eth0\n[Network]\nAddress=10.0.2.15/24\n")
    return folder


@pytest.fixture(scope="module")
def panel(card, binary, no_leftovers):
    panel = Panel(f"test-fleet-{os.getpid()}")
    panel.boot(binary, KIOSK, more=PACKAGES, card=card)
    yield panel
    panel.stop()


def show(panel, unit, *names):
    """The properties of a unit."""
    said = panel.ssh(f"systemctl show -p {','.join(names)} {unit}").stdout
    found = dict(line.split("=", 1) for line in said.splitlines())
    return [found[name] for name in names]


def until(holds, what, seconds=120):
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.5)


def test_a_panel_that_is_set_up_by_its_card_comes_up_with_the_kiosk_the_bridge_and_the_timer(panel):
    panel.wait_for_kiosk()
    states = "Result", "ActiveState", "ExecMainStartTimestampMonotonic", "ExecMainExitTimestampMonotonic"
    result, state, start, end = show(panel, "roundel-first-boot", *states)
    assert (result, state) == ("success", "inactive"), panel.ssh("systemctl list-jobs --after").stdout
    # The service manager would end it after two minutes.
    assert 0 < (int(end) - int(start)) / 1e6 < 100
    for unit in ("roundel-mqtt@topics.service", "roundel-pull.timer", "systemd-networkd.service"):
        until(lambda: show(panel, unit, "ActiveState") == ["active"], unit)
    for unit in ("roundel@topics", "roundel-mqtt@topics", "roundel-pull.timer"):
        assert panel.ssh(f"systemctl is-enabled {unit}").stdout == "enabled\n"
    until(lambda: json.loads(panel.ssh("roundel status --json").stdout)["bridge"], "the bridge finds its broker")
    status = json.loads(panel.ssh("roundel status --json").stdout)
    assert status["kiosk"] == "topics" and status["display"]["state"] == "showing"
    assert panel.ssh("hostname; stat -c %a /etc/roundel/mqtt.conf").stdout == "lobby\n600\n"
    assert panel.ssh("ls /boot/firmware/roundel").stdout.split() == [
        "10-lan.network.done", "fleet.pub.done", "name.done", "pull.conf.done", "topics.bundle.done"]
    assert panel.ssh("systemctl list-jobs --no-legend").stdout == ""
