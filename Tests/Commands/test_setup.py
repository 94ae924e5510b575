# SPDX-License-Identifier: MIT
"""The set-up of a card on its touchscreen: the real kiosk and its program, with scripts instead of iwd."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import ROUNDEL, TOP, LiveKiosk, run  # noqa: E402
from terminal import wait_until  # noqa: E402

pytestmark = pytest.mark.skipif(not all(map(shutil.which, ["jq", "ssh-keygen"])), reason="needs jq and ssh-keygen")
DISK = TOP / "deploy/disk"
STATION = "/net/connman/iwd/0/3"
# Keeps its answers in a file of JSON, and reads iwd's files like iwd.
BUSCTL = """#!/usr/bin/env python3
import json, pathlib, sys
folder = pathlib.Path("%s")
air = json.loads((folder / "air").read_text())
words = [word for word in sys.argv[1:] if not word.startswith("--")]
path, method = words[2], words[4]
with open(folder / "bus", "a") as log: log.write(f"{path} {method}\\n")
names = {f"%s/{each['id']}": each for each in air["networks"]}
if not air.get("adapter", True) and method != "GetManagedObjects": sys.exit(1)
if method == "GetManagedObjects":
    found = {path: {"net.connman.iwd.Network": {"Name": {"type": "s", "data": each["name"]}}} for path, each in names.items()}
    if air.get("adapter", True): found["%s"] = {"net.connman.iwd.Station": {}}
    print(json.dumps({"type": "a{oa{sa{sv}}}", "data": [found]}))
elif method == "GetOrderedNetworks":
    print(json.dumps({"type": "a(on)", "data": [[[path, each["strength"]] for path, each in names.items()]]}))
elif method == "Scanning":
    print("b false")
elif method == "Connect":
    each = names.get(path)
    if not each: sys.exit("Call failed: Not found")
    if each.get("vanishes"):
        air["networks"] = []
        (folder / "air").write_text(json.dumps(air))
        sys.exit("Call failed: Operation failed")
    if each["id"].endswith("_psk"):
        name = each["name"]
        plain = all(c.isascii() and (c.isalnum() or c in " _-") for c in name)
        file = folder / "root/var/lib/iwd" / ((name if plain else "=" + name.encode().hex()) + ".psk")
        text = file.read_text().split("Passphrase=", 1)[1].rstrip("\\n")
        text = text.replace("\\\\s", " ", 1) if text.startswith("\\\\s") else text
        if text.replace("\\\\\\\\", "\\\\") != each["passphrase"]: sys.exit("Call failed: Operation failed")
    if not each.get("silent"):
        (folder / "root/run/systemd/netif/links/3").write_text("ADDRESS_STATE=routable\\n")
"""


def network(name, kind="psk", strength=-5000, **more):
    return {"id": f"{name.encode().hex()}_{kind}", "name": name, "strength": strength, **more}


class Panel:
    """A kiosk with the set-up, and its program in a folder instead of the machine's root."""

    def __init__(self, folder):
        self.folder = folder
        self.root = folder / "root"
        for part in ("run/systemd/netif/links", "sys/class/net/wlan0/phy80211", "sys/class/net/eth0", "etc/roundel",
                     "state", "usr/share/zoneinfo/Europe"):
            (self.root / part).mkdir(parents=True)
        (self.root / "sys/class/net/wlan0/ifindex").write_text("3\n")
        (self.root / "sys/class/net/eth0/ifindex").write_text("2\n")
        (self.root / "usr/share/zoneinfo/zone.tab").write_text(
            "# code\nDE\t+5230+01322\tEurope/Berlin\nFR\t+4852+00220\tEurope/Paris\nUS\t+40-074\tAmerica/New_York\n")
        (self.root / "usr/share/zoneinfo/Europe/Berlin").write_text("TZif")
        self.air()
        programs = folder / "programs"
        for name, text in {"busctl": BUSCTL % (folder, STATION, STATION),
                           "curl": f"#!/bin/sh\ncat {folder}/internet\n", "sleep": "#!/bin/sh\nexec /bin/sleep 0.05\n",
                           "lsblk": f"#!/bin/sh\ncat {folder}/sticks 2>/dev/null\n",
                           "mount": f'#!/bin/sh\nfor last; do :; done\ncp -R {folder}/stick/. "$last"\n',
                           "umount": '#!/bin/sh\nrm -rf "$1"/*\n'}.items():
            programs.mkdir(exist_ok=True)
            (programs / name).write_text(text)
            (programs / name).chmod(0o755)
        (programs / "roundel").symlink_to(ROUNDEL)
        (folder / "internet").write_text("NetworkManager is online\n")
        (folder / "kiosk").mkdir()
        self.kiosk = LiveKiosk(folder / "kiosk", file=DISK / "setup.yaml")
        self.program = subprocess.Popen(
            [DISK / "setup", "serve", self.root, self.kiosk.socket], start_new_session=True,
            env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"})
        # The program answers once it has subscribed to the events.
        wait_until(lambda: self.call("emit", "setup", "step=scan") or (folder / "bus").exists(), "the program")
        self.wait("wifi == 'idle'")

    def air(self, *networks, **more):
        (self.folder / "air").write_text(json.dumps({"networks": networks, **more}))

    def close(self):
        try:
            os.killpg(self.program.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
        self.program.wait(10)
        self.kiosk.close()

    def call(self, *words):
        return run(*words, "--socket", self.kiosk.socket).stdout

    def tap(self, *controls):
        for control in controls:
            self.call("tap", control)

    def get(self, *names):
        return self.call("get", *names).splitlines()

    def wait(self, condition):
        run("wait", condition, "--timeout", "60", "--socket", self.kiosk.socket, timeout=90)

    def choose(self, row):
        """Opens the page of networks, and taps one."""
        self.call("go", "network")
        self.wait("size(wifi_list.items) > 0 && wifi == 'idle'")
        self.tap(f"wifi_list/{row['id']}")

    def connect(self, row, passphrase):
        self.choose(row)
        self.call("set", f"passphrase.value={passphrase}")
        self.tap("passphrase_connect")
        self.wait("page == 'result'")
        return self.get("wifi", "problem")

    def files(self, part=""):
        return {str(path.relative_to(self.root)): path.read_text() for path in sorted((self.root / part).rglob("*"))
                if path.is_file()}


@pytest.fixture
def panel(tmp_path):
    panel = Panel(tmp_path)
    yield panel
    panel.close()


def test_the_kiosk_has_no_errors_and_meets_the_standards_for_accessibility():
    checked = run("check", "--accessible", DISK / "setup.yaml")
    assert "error" not in checked.stdout + checked.stderr
    run("check", DISK / "setup.yaml")


def test_the_suite_passes_in_three_languages():
    tested = run("test", "--tap", TOP / "Tests/Boards/setup-suite.yaml", timeout=120).stdout
    assert "not ok" not in tested
    assert all(f"in {language}" in tested for language in ("en", "de", "fr"))


def test_a_whole_set_up_ends_in_files(panel):
    home = network("Home", passphrase="secret words")
    panel.air(home, network("Guest", "open", -8000))
    panel.tap("language_de", "region_list/0")
    panel.wait("page == 'zone' && size(zone_list.items) == 2")
    panel.tap("zone_list/Europe-Berlin")
    panel.wait("size(wifi_list.items) == 2")
    rows = json.loads(panel.call("get", "wifi_list.items", "--json"))
    assert [row["detail"] for row in rows] == ["▂▄▆", "▂"]
    panel.tap(f"wifi_list/{home['id']}")
    panel.call("set", "passphrase.value=secret words")
    panel.tap("passphrase_connect")
    panel.wait("page == 'result' && wifi == 'connected'")
    panel.tap("result_again")
    panel.call("set", "name.value=kitchen")
    panel.tap("name_next")
    panel.wait("page == 'keys'")
    panel.tap("keys_next")
    panel.call("set", "field_broker.value=192.168.1.5")
    panel.tap("next_broker")
    panel.call("set", "field_user.value=panel")
    panel.tap("next_user")
    panel.call("set", 'field_password.value=a"b\\c d')
    panel.tap("next_password", "finish")
    assert panel.program.wait(20) == 0
    assert panel.files("state/settings") == {
        "state/settings/country": "DE\n", "state/settings/done": "", "state/settings/language": "de\n",
        "state/settings/mqtt": "", "state/settings/name": "kitchen\n", "state/settings/timezone": "Europe/Berlin\n"}
    assert panel.files("var") == {"var/lib/iwd/Home.psk": "[Security]\nPassphrase=secret words\n"}
    assert panel.files("etc") == {"etc/roundel/mqtt.conf": "ROUNDEL_MQTT_ARGUMENTS=--broker 192.168.1.5 --user panel\n"
                                  'ROUNDEL_MQTT_PASSWORD="a\\"b\\\\c d"\n'}
    for file in ("var/lib/iwd/Home.psk", "etc/roundel/mqtt.conf"):
        assert (panel.root / file).stat().st_mode & 0o777 == 0o600


def test_everything_can_be_skipped(panel):
    panel.tap("language_en", "region_skip", "network_skip", "name_next")
    panel.wait("page == 'keys'")
    panel.tap("keys_next", "next_broker", "finish")
    assert panel.program.wait(20) == 0
    assert panel.files("state/settings") == {"state/settings/done": "", "state/settings/language": "en\n",
                                             "state/settings/name": "panel\n"}
    assert panel.files("etc") == panel.files("var") == {}


@pytest.mark.parametrize(("name", "passphrase", "file"), [
    ("Café №1", "12345678", "=436166c3a920e28496 31".replace(" ", "") + ".psk"), ("a/../b", "x" * 63, "=612f2e2e2f62.psk"),
    ("my net_2", " back\\slash ", "my net_2.psk")])
def test_names_and_passphrases_of_any_characters_work(panel, name, passphrase, file):
    row = network(name, passphrase=passphrase)
    panel.air(row)
    assert panel.connect(row, passphrase) == ["connected", ""]
    assert list(panel.files("var")) == [f"var/lib/iwd/{file}"]
    # The passphrase doesn't stay in the kiosk.
    assert panel.get("passphrase.value") == [""]


def test_a_wrong_passphrase_is_reported_and_not_kept(panel):
    row = network("Home", passphrase="right words")
    panel.air(row)
    assert panel.connect(row, "wrong words") == ["failed", "wrong"]
    assert panel.files("var") == {}
    assert panel.get("result.text") == ["The network refused the passphrase. Check it, and try again."]
    panel.tap("result_again")
    assert panel.get("page", "passphrase.value") == ["passphrase", "wrong words"]
    panel.call("set", "passphrase.value=right words")
    panel.tap("passphrase_connect")
    panel.wait("page == 'result' && wifi == 'connected'")


@pytest.mark.parametrize(("more", "internet", "outcome"), [
    ({"vanishes": True}, None, ["failed", "vanished"]), ({"silent": True}, None, ["failed", "address"]),
    ({}, "<html>Please log in", ["failed", "portal"]), ({}, "", ["connected", "local"])])
def test_a_refusal_by_a_network_is_reported(panel, more, internet, outcome):
    row = network("Home", passphrase="secret words", **more)
    panel.air(row)
    if internet is not None:
        (panel.folder / "internet").write_text(internet)
    assert panel.connect(row, "secret words") == outcome
    assert panel.get("result.text")[0] not in ("", "Connected")


def test_an_open_network_needs_no_passphrase_and_an_enterprise_one_is_refused(panel):
    cafe, office = network("Cafe", "open"), network("Office", "8021x")
    panel.air(cafe, office)
    panel.choose(cafe)
    panel.wait("page == 'result'")
    assert panel.get("wifi") == ["connected"]
    panel.choose(office)
    panel.wait("page == 'result'")
    assert panel.get("wifi", "problem") == ["failed", "kind"]


def test_without_an_adapter_the_panel_says_so_and_a_cable_suffices(panel):
    panel.air(adapter=False)
    panel.call("go", "network")
    panel.wait("!adapter")
    assert panel.get("network_state.text", "network_skip.text") == [
        "This panel has no Wi-Fi. Connect a network cable or a USB adapter.", "Skip"]
    (panel.root / "run/systemd/netif/links/2").write_text("ADDRESS_STATE=routable\n")
    panel.tap("network_retry")
    panel.wait("wired")
    assert panel.get("network_state.text", "network_skip.text") == ["A cable already connects this panel.", "Continue"]


def test_keys_of_a_stick_are_installed_and_other_lines_left_out(panel):
    stick = panel.folder / "stick"
    stick.mkdir()
    panel.call("go", "keys")
    (panel.folder / "sticks").write_text("/dev/sda1 1 1 vfat\n")
    panel.wait("stick == 'empty'")
    (stick / "authorized_keys").write_text("hello\nssh-ed25519 AAAA broken\n")
    panel.wait("stick == 'invalid'")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", panel.folder / "key"], check=True)
    key = (panel.folder / "key.pub").read_text()
    (stick / "authorized_keys").write_text(f"# mine\r\n{key.strip()}\r\ncommand=\"x\" {key}")
    panel.wait("keys == 1")
    assert panel.get("keys_state.text", "keys_next.text") == ["Keys found: 1", "Continue"]
    panel.call("go", "done")
    panel.tap("finish")
    assert panel.program.wait(20) == 0
    assert panel.files("etc") == {"etc/roundel/authorized_keys": key}


@pytest.mark.parametrize(("name", "suggestion"), [
    ("my kitchen", "my-kitchen"), ("-a-", "a"), ("Küche", "K--che"), ("", "panel"), ("$(reboot)", "reboot")])
def test_an_invalid_name_becomes_a_suggestion(panel, name, suggestion):
    panel.call("go", "name")
    panel.call("set", f"name.value={name}")
    panel.tap("name_next")
    panel.wait(f"name.value == '{suggestion}'")
    assert panel.get("page") == ["name"]
    panel.tap("name_next")
    panel.wait("page == 'keys'")


def test_a_full_card_is_reported_and_the_set_up_stays(panel):
    (panel.root / "state/settings").write_text("a file where a folder belongs")
    panel.call("go", "done")
    panel.tap("finish")
    panel.wait("saving == 'failed'")
    assert "cannot be saved" in panel.get("summary.text")[0]
    (panel.root / "state/settings").unlink()
    panel.tap("finish")
    assert panel.program.wait(20) == 0


def test_setup_on_another_machine_is_an_error(tmp_path):
    refused = run("setup", code=69)
    assert "it is part of the disks and cards by deploy/image" in refused.stderr
