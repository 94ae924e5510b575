# SPDX-License-Identifier: MIT
"""The Debian package on a panel with a running kiosk: install, upgrade, downgrade, interruption, purge."""

import json
import os
import re
import subprocess
import time

import pytest
from conftest import FAULTS, TOP, Desk
from Rig.machine import Panel

# Tests/Commands/test_package.py has the tests that need no virtual machine.
pytestmark = pytest.mark.skipif(not FAULTS, reason="takes minutes; Tests/Rig/faults 1 -k test_package runs it")
KIOSK = TOP / "deploy/examples/kiosks/shows.yaml"
ENVIRONMENT = {**os.environ, "DPKG_DEB_COMPRESSOR_LEVEL": "0", "DEB_BUILD_OPTIONS": "noautodbgsym"}


def made_under(version, package, folder):
    """Repacks the package with a different version; its program becomes a new file with the same content."""
    source = folder / f"source-{version}"
    subprocess.run(["dpkg-deb", "-R", package, source], check=True)
    control = source / "DEBIAN/control"
    control.write_text(re.sub(r"^Version: .*", f"Version: {version}", control.read_text(), flags=re.M))
    target = folder / f"roundel_{version}.deb"
    subprocess.run(["dpkg-deb", "-Znone", "--root-owner-group", "-b", source, target], check=True,
                   capture_output=True)
    return target


@pytest.fixture(scope="module")
def panel_with_packages(no_leftovers, binary, tmp_path_factory):
    """A separate panel with packages of three versions in /root."""
    folder = tmp_path_factory.mktemp("packages")
    listed = subprocess.run([TOP / "deploy/package", "--binary", binary, "--output", folder],
                            env=ENVIRONMENT, check=True, capture_output=True, text=True).stdout
    package = next(file for file in listed.split() if "/roundel_" in file)
    panel = Panel(f"test-package-{os.getpid()}")
    panel.boot(binary, KIOSK)
    panel.wait_for_kiosk()
    panel.wait_for_touchscreen()
    for version in ("3", "4", "5"):
        file = made_under(version, package, folder)
        with open(file, "rb") as content:
            subprocess.run(panel.ssh_command(f"cat > /root/{version}.deb"), stdin=content, check=True)
    yield Desk(panel, binary, folder)
    panel.stop()


def dpkg(desk, words, check=True):
    return desk.panel.ssh(f"DEBIAN_FRONTEND=noninteractive dpkg {words}", check=check)


def get(desk, name):
    return json.loads(desk.panel.ssh(f"roundel get --json --socket /run/roundel/control.sock {name}").stdout)


def until_back(desk, old, timeout=120):
    deadline = time.monotonic() + timeout
    while desk.main_pid() in (0, old) or desk.panel.ssh(
            f"systemctl is-active -q {desk.unit}", check=False).returncode:
        assert time.monotonic() < deadline, "the kiosk did not come back"
        time.sleep(0.2)


def test_a_kiosk_survives_upgrade_downgrade_and_a_killed_dpkg_and_ends_with_purge(panel_with_packages):
    desk = panel_with_packages
    wedge = desk.wheel.enabled[1]
    name = f"{desk.wheel.id}.item"
    dpkg(desk, "-i /root/3.deb")
    desk.panel.wait_for_touchscreen()
    desk.panel.ssh(f"roundel set --socket /run/roundel/control.sock {name}={wedge}")
    assert get(desk, name) == wedge
    at_rest = desk.screen()

    for version in ["4", "3"] * max(1, FAULTS // 10):
        # A finger holds a wedge; the screen shows the wedge held or released, never black.
        desk.panel.wait_for_touchscreen()
        desk.down(desk.wheel.enabled[0])
        time.sleep(1)
        held = desk.screen()
        old = desk.main_pid()
        upgrade = subprocess.Popen(desk.panel.ssh_command(f"dpkg -i /root/{version}.deb"),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        shots = 0
        while upgrade.poll() is None:
            assert desk.screen() in (held, at_rest), "a picture that is neither"
            shots += 1
        assert upgrade.returncode == 0 and shots > 3
        assert desk.main_pid() != old
        desk.shows(at_rest, f"after the package of version {version}")
        assert get(desk, name) == wedge
        assert dpkg(desk, "-s roundel").stdout.count(f"\nVersion: {version}\n") == 1
        desk.up()

    # After dpkg is killed halfway, the old kiosk runs; a second try upgrades it.
    old = desk.main_pid()
    dpkg(desk, "-i /root/5.deb & sleep 0.7; kill -9 $!; wait", check=False)
    desk.panel.ssh(f"systemctl is-active -q {desk.unit}")
    desk.shows(at_rest, "after a dpkg that was killed")
    dpkg(desk, "-i /root/5.deb")
    until_back(desk, old)
    desk.shows(at_rest, "after the upgrade was done again")
    assert get(desk, name) == wedge

    # After removal and reinstallation the kiosk runs: enabled units stay enabled.
    dpkg(desk, "-r roundel")
    assert desk.panel.ssh(f"systemctl is-active -q {desk.unit}", check=False).returncode != 0
    dpkg(desk, "-i /root/4.deb")
    desk.panel.ssh(f"systemctl is-active -q {desk.unit}")
    desk.started_again()

    dpkg(desk, "-P roundel")
    left = desk.panel.ssh("find / -xdev -path /proc -prune -o -iname '*roundel*' -print | grep -v ^/root").stdout
    outside = {line for line in left.split() if not line.startswith(("/etc/roundel", "/sys"))}
    # deploy/install --uinput wrote these files.
    assert outside <= {"/usr/lib/udev/rules.d/70-roundel-uinput.rules",
                       "/usr/lib/modules-load.d/roundel-uinput.conf"}, left
    desk.panel.ssh("[ -e /etc/roundel/shows.yaml ]")
