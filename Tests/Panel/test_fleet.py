# SPDX-License-Identifier: MIT
"""A panel of a fleet, with Debian's service manager, broker and RAUC: set up from a card and updated."""

import http.server
import json
import os
import random
import re
import subprocess
import threading
import time

import pytest
from conftest import TOP
from tools.debian import require
from disk.disk import assemble
from Rig.machine import Panel
from disk.uefi import BUNDLE_TOOLS, FIRST_CHOICE, LINUX_TYPE, bundle

# Additional packages for the panel.
PACKAGES = ("dbus", "libmosquitto1", "mosquitto", "rauc", "rauc-service")
KIOSK = TOP / "deploy/examples/kiosks/topics.yaml"
MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def card(binary, tmp_path_factory):
    """The folder on a card that sets up one panel."""
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
def disk(tmp_path_factory):
    """A disk with partitions for two systems and for the choice between them."""
    require({"sfdisk": "fdisk"})
    folder = tmp_path_factory.mktemp("disk")
    (folder / "choice").write_text(FIRST_CHOICE)
    parts = [("choice", LINUX_TYPE, folder / "choice", 1), ("root-a", LINUX_TYPE, None, 2), ("root-b", LINUX_TYPE, None, 2)]
    assemble(parts, folder / "disk.img", "gpt")
    return folder / "disk.img"


@pytest.fixture(scope="module")
def panel(card, disk, binary, no_leftovers):
    panel = Panel(f"test-fleet-{os.getpid()}")
    panel.boot(binary, KIOSK, more=PACKAGES, card=card, disk=disk, options="rauc.slot=A")
    yield panel
    panel.stop()


def show(panel, unit, *names):
    """Returns these properties of a unit."""
    said = panel.ssh(f"systemctl show -p {','.join(names)} {unit}").stdout
    found = dict(line.split("=", 1) for line in said.splitlines())
    return [found[name] for name in names]


def until(holds, what, seconds=120):
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.5)


def test_a_card_sets_up_a_panel_with_its_kiosk_bridge_and_timer(panel):
    panel.wait_for_kiosk()
    states = "Result", "ActiveState", "ExecMainStartTimestampMonotonic", "ExecMainExitTimestampMonotonic"
    result, state, start, end = show(panel, "roundel-first-boot", *states)
    assert (result, state) == ("success", "inactive"), panel.ssh("systemctl list-jobs --after").stdout
    # The service manager would kill it after two minutes.
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


class Bundles(http.server.BaseHTTPRequestHandler):
    """Serves the next of `bundles` on each connection, and then the last one repeatedly."""

    protocol_version = "HTTP/1.1"
    bundles = []
    served = []

    def setup(self):
        super().setup()
        self.bundle = None

    def do_GET(self):
        if not self.bundle:
            self.bundle = self.bundles.pop(0) if len(self.bundles) > 1 else self.bundles[0]
            self.served.append(self.bundle.name)
        content = self.bundle.read_bytes()
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        first, last = (int(asked[1]), int(asked[2] or len(content) - 1)) if asked else (0, len(content) - 1)
        part = content[first:last + 1]
        self.send_response(206 if asked else 200)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(part)))
        if asked:
            self.send_header("Content-Range", f"bytes {first}-{first + len(part) - 1}/{len(content)}")
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(part)

    do_HEAD = do_GET

    def log_message(self, *_):
        pass


@pytest.fixture
def server(panel):
    """Serves bundles; returns the port, which the panel can reach, too."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Bundles)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    way = f"{server.server_port}:127.0.0.1:{server.server_port}"
    subprocess.run([*panel._ssh_options(), "-O", "forward", "-R", way, panel.name], check=True, capture_output=True)
    yield server.server_port
    server.shutdown()


@pytest.fixture
def systems(panel, tmp_path):
    """Makes the panel a system of version 100 that accepts updates, set up by make-slots; returns bundles of
    versions 90 and 200."""
    require(BUNDLE_TOOLS)
    key, certificate = tmp_path / "fleet.key", tmp_path / "fleet.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=fleet", "-days", "3650",
                    "-keyout", key, "-out", certificate], check=True, capture_output=True)
    made = {}
    for version in (90, 200):
        root, file = tmp_path / f"{version}.img", tmp_path / f"{version}.raucb"
        root.write_bytes(random.Random(version).randbytes(MEGABYTE))
        bundle(root, file, "panel", version, key, certificate)
        made[version] = file
    disk = subprocess.run(["tar", "c", "-C", TOP / "deploy", "disk"], check=True, capture_output=True).stdout
    panel.ssh("tar x -C /root", input=disk)
    panel.ssh("mkdir -p /etc/roundel/trust && cat > /etc/roundel/trust/system.pem", input=certificate.read_bytes())
    panel.ssh("""
        set -e
        echo IMAGE_VERSION=100 >> /etc/os-release
        mkdir -p /boot /usr/libexec/roundel /state/rauc /dev/roundel
        /root/disk/make-slots '' panel ''
        # image.rules names the partitions of the root's disk.
        ln -s ../vdc1 /dev/roundel/choice
        ln -s ../vdc2 /dev/roundel/root-a
        ln -s ../vdc3 /dev/roundel/root-b
        systemctl daemon-reload
        # It would start the machine again.
        systemctl mask --runtime --now reboot.target
        systemctl start dbus
        """)
    return made


def test_an_update_is_refused_if_the_server_announces_a_new_system_and_delivers_an_old_one(panel, server, systems):
    old, new = systems[90], systems[200]
    panel.ssh(f"printf 'ROUNDEL_UPDATE_URL=http://127.0.0.1:{server}/x\\nROUNDEL_UPDATE_IDLE=1\\n' "
              "> /etc/roundel/update.conf")

    def update(*bundles):
        Bundles.bundles, Bundles.served = list(bundles), []
        panel.ssh("systemctl start image-update.service", check=False)
        log = panel.ssh("journalctl -q -o cat -n 60 -u image-update -u rauc").stdout
        return Bundles.served, log, panel.ssh(
            "cat /state/rauc/last-version 2>/dev/null; /usr/libexec/roundel/image-slots get-primary").stdout.split()

    served, log, state = update(new, old)
    assert served[:2] == ["200.raucb", "90.raucb"], (served, log)
    assert state == ["A"], log
    assert "a different bundle than announced" in log
    # An update succeeds if the server delivers the announced bundle.
    served, log, state = update(new)
    assert state == ["200", "B"], (served, log)
    written = panel.ssh(f"head -c {MEGABYTE} /dev/roundel/root-b | sha256sum").stdout
    assert written.split()[0] in panel.ssh(f"rauc info --output-format=shell http://127.0.0.1:{server}/x").stdout
