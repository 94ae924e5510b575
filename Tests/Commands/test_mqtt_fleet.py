# SPDX-License-Identifier: MIT
"""`roundel mqtt` for many panels: status, screenshots, versions, groups, and access rules."""

import hashlib
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import TOP, LiveKiosk  # noqa: E402
from test_mqtt import (BRIDGE, KIOSK, Bridge, Broker, Listener, broker, home, kiosk, start,  # noqa: E402,F401
                       until)

pytestmark = pytest.mark.skipif(
    not BRIDGE.exists() or not shutil.which("mosquitto", path="/usr/sbin:/usr/bin"),
    reason="roundel-mqtt or mosquitto is not there")


def test_a_panel_publishes_its_status(kiosk, broker, home, start):
    bridge = start(Bridge, kiosk, broker.port, name="lobby-1")
    bridge.until("connected to the broker")
    said = json.loads(home.wait("roundel/lobby-1/$node/status"))
    assert said.keys() == {"version", "kiosk", "sha256", "bundle", "page", "fault", "display", "slot"}
    assert said["sha256"] == hashlib.sha256(kiosk.file.read_bytes()).hexdigest()
    assert (said["kiosk"], said["page"], said["fault"], said["display"], said["bundle"]) == (
        "lobby", "first", None, "showing", None)
    late = start(Listener, broker)
    late.wait("roundel/lobby-1/$node/status")
    assert late.all[0].retain
    # The kiosk knows that it is connected.
    until(lambda: json.loads(kiosk.run("status", "--json").stdout)["bridge"])
    assert "roundel_bridge_connected 1" in kiosk.run("status", "--metrics").stdout
    broker.stop()
    until(lambda: not json.loads(kiosk.run("status", "--json").stdout)["bridge"])
    broker.start()
    until(lambda: json.loads(kiosk.run("status", "--json").stdout)["bridge"], 20)
    bridge.end()
    until(lambda: not json.loads(kiosk.run("status", "--json").stdout)["bridge"])


def test_a_screenshot_is_sent_on_request_with_its_proof(kiosk, broker, home, start, tmp_path):
    start(Bridge, kiosk, broker.port).until("connected to the broker")
    home.wait("roundel/lobby/availability", lambda said: said == b"online")
    home.publish("roundel/lobby/$node/screenshot/set", "PRESS")
    proof = json.loads(home.wait("roundel/lobby/$node/proof"))
    picture = home.said["roundel/lobby/$node/picture"]
    assert picture.startswith(b"\x89PNG") and struct.unpack(">II", picture[16:24]) == (1280, 800)
    kiosk.run("screenshot", "-o", tmp_path / "now.png")
    assert (tmp_path / "now.png").read_bytes() == picture
    assert proof["sha256"] == hashlib.sha256(picture).hexdigest() and proof["bytes"] == len(picture)
    assert proof["status"]["kiosk"] == "lobby"
    assert not any(message.retain for message in home.all if "$node/p" in message.topic
                   and "problem" not in message.topic)
    # Another screenshot has another proof.
    kiosk.run("tap", "lamp")
    kiosk.run("wait", "lamp.value", "--timeout", "5")
    home.publish("roundel/lobby/$node/screenshot/set", "PRESS")
    home.wait("roundel/lobby/$node/proof", lambda said: json.loads(said)["sha256"] != proof["sha256"])


def test_a_proof_contains_the_display_time_of_each_page(kiosk, broker, home, start):
    start(Bridge, kiosk, broker.port).until("connected to the broker")
    home.wait("roundel/lobby/availability", lambda said: said == b"online")

    def hours():
        """The time of each page in seconds."""
        home.said.pop("roundel/lobby/$node/proof", None)
        home.publish("roundel/lobby/$node/screenshot/set", "PRESS")
        proof = json.loads(home.wait("roundel/lobby/$node/proof"))
        assert proof["hours"]["since"] <= proof["time"]
        return {page: hours * 3600 for page, hours in proof["hours"]["pages"].items()}

    assert set(hours()) == {"first"}
    kiosk.run("go", "second")
    home.state("page", value="second")
    first = hours()["first"]
    time.sleep(8)
    home.publish("roundel/lobby/panel/set", '{"state": "OFF"}')
    home.state("panel", state="OFF", by="command")
    asleep = hours()
    # A thousandth of an hour is 3.6 s.
    assert asleep["first"] == first and asleep["second"] > 4
    time.sleep(4)
    assert hours() == asleep


def test_the_newest_version_is_published_and_requested(kiosk, broker, home, start, tmp_path):
    bridge = start(Bridge, kiosk, broker.port, "--group", "north", RUNTIME_DIRECTORY=str(tmp_path))
    bridge.until("connected to the broker")
    installed = hashlib.sha256(kiosk.file.read_bytes()).hexdigest()[:12]
    said = json.loads(home.wait("roundel/lobby/$node/update"))
    assert said == {"installed_version": installed, "latest_version": installed}
    home.publish("roundel/north/$node/latest/set", "18", retain=True)
    home.wait("roundel/lobby/$node/update", lambda said: json.loads(said) == {
        "installed_version": installed, "latest_version": "18"})
    home.publish("roundel/lobby/$node/latest/set", "two words")
    bridge.until("not a version")
    assert not (tmp_path / "update").exists()
    home.publish("roundel/lobby/$node/update/set", "PRESS")
    until((tmp_path / "update").exists)


def test_without_a_unit_no_version_is_fetched(kiosk, broker, home, start):
    bridge = start(Bridge, kiosk, broker.port)
    bridge.until("connected to the broker")
    home.wait("roundel/lobby/availability", lambda said: said == b"online")
    home.publish("roundel/lobby/$node/update/set", "PRESS")
    bridge.until("updates are not set up; see --update-request")


def test_a_group_is_set_at_once(broker, home, start, tmp_path):
    kiosks = []
    for name, groups in [("a", ["north", "all"]), ("b", ["south", "all"])]:
        (tmp_path / name).mkdir()
        (tmp_path / name / "given.yaml").write_text(KIOSK)
        kiosks.append(start(LiveKiosk, tmp_path / name, file=tmp_path / name / "given.yaml"))
        words = [word for group in groups for word in ("--group", group)]
        start(Bridge, kiosks[-1], broker.port, *words, name=name).until("connected to the broker")
        home.wait(f"roundel/{name}/availability", lambda said: said == b"online")
    home.publish("roundel/all/cups/set", "3")
    for name in ("a", "b"):
        home.state("cups", kiosk=name, value=3)
    home.publish("roundel/north/cups/set", "5")
    home.state("cups", kiosk="a", value=5)
    home.publish("roundel/south/$node/reset/set", "PRESS")
    home.state("cups", kiosk="b", value=1)
    home.state("cups", kiosk="a", value=5)


# MARK: Access


def rules_of_the_manual(kind):
    """Returns the manual's block for a broker."""
    text = (TOP / "deploy/manual/fleet.md").read_text()
    return re.search(rf"<!-- {kind} -->\n```text\n(.*?)```", text, re.S)[1]


def test_the_rules_for_mosquitto_separate_panels(start, tmp_path):
    """With the manual's rules, a panel writes only its own topics, and reads only its own and its groups'."""
    (tmp_path / "rules").write_text(rules_of_the_manual("mosquitto"))
    passwords = tmp_path / "passwords"
    passwords.touch(mode=0o600)
    for user in ("lobby-3fa9c1", "door-77aa01", "fleet"):
        subprocess.run(["mosquitto_passwd", "-b", passwords, user, "secret"], check=True,
                       capture_output=True)
    broker = start(Broker, tmp_path, "allow_anonymous false", f"password_file {passwords}",
                   f"acl_file {tmp_path}/rules")
    (tmp_path / "k").mkdir()
    (tmp_path / "given.yaml").write_text(KIOSK)
    kiosk = start(LiveKiosk, tmp_path / "k", file=tmp_path / "given.yaml")
    (tmp_path / "password").write_text("secret\n")
    start(Bridge, kiosk, broker.port, "--user", "lobby-3fa9c1", "--password-file", tmp_path / "password",
          "--group", "all", name="lobby-3fa9c1").until("connected to the broker")
    fleet = start(Listener, broker, user="fleet", password="secret")
    stranger = start(Listener, broker, user="door-77aa01", password="secret")
    # All of the panel's messages pass.
    fleet.wait("homeassistant/device/roundel_lobby-3fa9c1/config")
    fleet.wait("roundel/lobby-3fa9c1/$node/status")
    fleet.state("cups", kiosk="lobby-3fa9c1", value=1)
    fleet.publish("roundel/lobby-3fa9c1/cups/set", "2")
    fleet.state("cups", kiosk="lobby-3fa9c1", value=2)
    fleet.publish("roundel/all/cups/set", "4")
    fleet.state("cups", kiosk="lobby-3fa9c1", value=4)
    # Another panel can neither read nor set it, nor write in its name or its group's.
    stranger.publish("roundel/lobby-3fa9c1/cups/set", "7")
    stranger.publish("roundel/all/cups/set", "7")
    stranger.publish("homeassistant/device/roundel_lobby-3fa9c1/config", "{}")
    stranger.publish("roundel/lobby-3fa9c1/$node/status", "{}")
    stranger.publish("roundel/door-77aa01/done", "1", qos=1)
    fleet.wait("roundel/door-77aa01/done")
    assert fleet.state("cups", kiosk="lobby-3fa9c1")["value"] == 4
    assert json.loads(fleet.said["roundel/lobby-3fa9c1/$node/status"])["kiosk"] == "lobby"
    stranger.take()
    assert {(message.topic, message.payload) for message in stranger.all} <= {
        ("roundel/door-77aa01/done", b"1"), ("roundel/all/cups/set", b"4")}


def test_a_certificate_identifies_a_panel(start, tmp_path):
    """TLS with certificates on both sides; the certificate's name is the user."""
    def openssl(*words):
        subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, cwd=tmp_path)

    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
            "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=fleet")
    for name in ("localhost", "lobby-3fa9c1"):
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
                f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
        (tmp_path / "ext").write_text(f"subjectAltName=DNS:{name}\n")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                "-out", f"{name}.pem", "-days", "2", "-extfile", "ext")
    (tmp_path / "rules").write_text(rules_of_the_manual("mosquitto"))
    broker = start(Broker, tmp_path, "allow_anonymous false", f"cafile {tmp_path}/ca.pem",
                   f"certfile {tmp_path}/localhost.pem", f"keyfile {tmp_path}/localhost.key",
                   "require_certificate true", "use_identity_as_username true", f"acl_file {tmp_path}/rules")
    (tmp_path / "k").mkdir()
    (tmp_path / "given.yaml").write_text(KIOSK)
    kiosk = start(LiveKiosk, tmp_path / "k", file=tmp_path / "given.yaml")
    bridge = start(Bridge, kiosk, broker.port, "--broker", f"localhost:{broker.port}", "--ca",
                   tmp_path / "ca.pem", "--cert", tmp_path / "lobby-3fa9c1.pem", "--key",
                   tmp_path / "lobby-3fa9c1.key", name="lobby-3fa9c1")
    bridge.until("connected to the broker")
    until(lambda: json.loads(kiosk.run("status", "--json").stdout)["bridge"])
    without = start(Bridge, kiosk, broker.port, "--broker", f"localhost:{broker.port}", "--ca",
                    tmp_path / "ca.pem", name="other")
    without.until("not connected to the broker")
