# SPDX-License-Identifier: MIT
"""Fast tests of cross-building and of disk images. The rest is tested by `deploy/test --arch arm64` and
`deploy/image --test`."""

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

TOP = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(TOP / "deploy"), str(TOP / "deploy/tools"), str(TOP / "Tests")]

from cross.sysroot import NEWER, Sysroot  # noqa: E402
from cross.toolchain import boxed  # noqa: E402
from disk import disk, uefi  # noqa: E402
from tools.debian import PanelError  # noqa: E402
from Rig.image import unpacked_kernel  # noqa: E402


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=60, **options)


@pytest.mark.parametrize("words", [
    ["build"], ["test"], ["tools/board"], ["image"], ["package"], ["../Tests/Rig/virtual-panel"], ["../Tests/Rig/virtual-panel", "boot"],
])
def test_each_script_prints_its_usage(words):
    name, *rest = words
    outcome = run(TOP / "deploy" / name, *rest, "--help")
    assert outcome.returncode == 0, outcome.stderr
    assert "--arch" in outcome.stdout or words in (["tools/board"], ["../Tests/Rig/virtual-panel"])


@pytest.mark.parametrize("release, is_older", [("bookworm", True), ("trixie", False)])
def test_each_tool_of_a_target_has_options_because_swiftpm_requires_them(tmp_path, release, is_older):
    sysroot = Sysroot(tmp_path / "sysroot", release, "arm64", SimpleNamespace(version="6.2.3-1+b1"))
    if is_older:
        (sysroot.folder / NEWER).parent.mkdir(parents=True)
        (sysroot.folder / NEWER).touch()
    sysroot._write_sdk()
    bundle = sysroot.sdks / f"{sysroot.sdk}.artifactbundle"
    tools = json.loads((bundle / "toolset.json").read_text())
    assert tools.pop("schemaVersion") and all(tool["extraCLIOptions"] for tool in tools.values())
    assert ("linker" in tools) == is_older


@pytest.mark.parametrize("words, code, said", [
    (["build", "--arch", "sparc"], 2, "invalid choice: 'sparc'"),
    (["build", "quickly"], 64, "Usage: deploy/build"),
    (["image"], 2, "one of the arguments --kiosk --test is required"),
    (["image", "--kiosk", "/nowhere/lunch.yaml"], 66, "no kiosk file /nowhere/lunch.yaml"),
    (["image", "--kiosk", __file__], 64, "'test_boards' cannot be a machine's name"),
    (["image", "--kiosk", __file__, "--name", "lunch", "--package", "no.deb"], 66, "no package no.deb"),
    (["image", "--kiosk", __file__, "--name", "lunch", "--mqtt", "no.conf"], 66, "no file no.conf for --mqtt"),
    (["image", "--kiosk", __file__, "--name", "lunch", "--board", "raspberry-pi", "--arch", "amd64"], 64,
     "--board raspberry-pi is for arm64, not amd64"),
])
def test_an_impossible_image_is_refused_with_the_reason(words, code, said):
    outcome = run(TOP / "deploy" / words[0], *words[1:])
    assert outcome.returncode == code, outcome.stderr
    assert said in outcome.stderr
    assert "Traceback" not in outcome.stderr


def test_a_tree_without_a_build_is_reported_before_a_system_is_built(tmp_path):
    (tmp_path / "deploy").mkdir()
    for name in ("image", "disk", "tools"):
        run("cp", "-r", TOP / "deploy" / name, tmp_path / "deploy" / name)
    refused = run(tmp_path / "deploy/image", "--kiosk", __file__, "--name", "lunch", "--package", __file__)
    assert refused.returncode == 66 and "swift package resolve" in refused.stderr


def test_the_installer_has_the_libraries_of_each_debian():
    bookworm, trixie = (set(run(TOP / "deploy/install", "--packages", release).stdout.split())
                        for release in ("bookworm", "trixie"))
    assert "libpng16-16" in bookworm and "libpng16-16t64" in trixie
    assert bookworm - trixie == {"libasound2", "libpng16-16", "libunibreak1"}


def test_the_installer_reports_a_program_built_for_a_newer_debian(tmp_path):
    if os.geteuid() != 0:
        pytest.skip("only root installs on this machine")
    program = tmp_path / "roundel"
    program.write_text("#!/bin/sh\necho \"version \\`GLIBC_2.99' not found\" >&2; exit 1\n")
    program.chmod(0o755)
    outcome = run(TOP / "deploy/install", "--binary", program)
    assert outcome.returncode == 65
    assert "was built for a newer Debian;" in outcome.stderr


def test_a_boxed_command_has_its_own_root_and_system_folders(tmp_path):
    (tmp_path / "usr").mkdir()
    (tmp_path / "lib").symlink_to("usr/lib")
    command = " ".join(boxed(tmp_path, environment={"A": 1}))
    assert f"--ro-bind {tmp_path}/usr /usr" in command
    assert "--symlink usr/lib /lib" in command
    assert "--setenv A 1" in command
    assert " / " not in command


def test_a_kernel_for_another_machine_is_unchanged():
    assert unpacked_kernel(bytes(1024)) == bytes(1024)


def test_the_partitions_of_a_disk_are_found_by_name(tmp_path):
    if not shutil.which("sfdisk", path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
        pytest.skip("needs sfdisk, which deploy/image installs")
    parts = []
    for number, name in enumerate(("boot", "choice", "root-a", "root-b", "state"), 1):
        file = tmp_path / name
        file.write_bytes(bytes([number]) * (disk.MEGABYTE // 2 + number))
        parts.append((name, uefi.LINUX_TYPE, file, 0))
    whole = tmp_path / "disk.img"
    disk.assemble([*parts, ("room", uefi.LINUX_TYPE, None, 3)], whole, "gpt")
    assert disk.partition(whole, "room")[1] == 3 * disk.MEGABYTE
    card = tmp_path / "card.img"
    # The numbers used by image-part and grub.cfg.
    disk.assemble([(name, "83", file, megabytes) for name, _, file, megabytes in parts], card, "dos")
    for made in (whole, card):
        for name, _, file, _ in parts:
            copy = tmp_path / "copy"
            disk.copy_partition(made, name, copy)
            content = file.read_bytes()
            assert copy.read_bytes() == content + bytes(disk.MEGABYTE - len(content)), (made, name)
        with pytest.raises(PanelError, match="has no partition roundel-other"):
            disk.partition(made, "other")


@pytest.mark.parametrize("label", ["gpt", "dos"])
def test_a_disk_of_a_release_has_the_same_bytes_each_time(tmp_path, monkeypatch, label):
    if not shutil.which("mkfs.vfat") or not shutil.which("mcopy"):
        pytest.skip("needs dosfstools and mtools")
    content = tmp_path / "content"
    content.write_text("text")
    os.utime(content, (1, 1))

    def made(name):
        boot = disk.fat(tmp_path / f"{name}.vfat", 36, "BOOT", {"grub/grub.cfg": content})
        kinds = ["c12a7328-f81f-11d2-ba4b-00a0c93ec93b"] * 2 if label == "gpt" else ["c", "83"]
        disk.assemble([("boot", kinds[0], boot, 0), ("choice", kinds[1], None, 1)], tmp_path / name, label)
        return (tmp_path / name).read_bytes()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    first = made("a")
    assert made("b") == first
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000001")
    assert made("c") != first


@pytest.fixture
def settings(tmp_path):
    """Applies the settings on a disk's first partition, and returns the output."""
    for folder in ("boot", "state", "run", "proc/sys/kernel"):
        (tmp_path / folder).mkdir(parents=True)

    def take(code=0, **files):
        for name, text in files.items():
            (tmp_path / "boot" / name.replace("__", ".")).write_text(text)
        done = run("sh", TOP / "deploy/disk/image-settings", tmp_path / "boot", tmp_path)
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    take.root = tmp_path
    return take


def test_files_on_the_first_partition_personalise_a_disk(settings):
    settings(name="lobby\r\n", mqtt__conf="ROUNDEL_MQTT_PASSWORD=secret\n", fleet__pub="key\n", fleet__pem="key\n",
             lunch__overlay__yaml="values: {own: 1}\n", authorized_keys="key\n",
             **{"10-lan__network": "[Match]\nType=ether\n"})
    root, etc = settings.root, settings.root / "state/etc"
    assert (root / "proc/sys/kernel/hostname").read_text() == "lobby\n"
    assert (root / "run/systemd/network/10-lan.network").read_text().startswith("[Match]")
    assert sorted(str(file.relative_to(etc)) for file in etc.rglob("*") if file.is_file()) == [
        "authorized_keys", "lunch.overlay.yaml", "mqtt.conf", "trust/fleet.pem", "trust/fleet.pub"]
    assert (etc / "mqtt.conf").stat().st_mode & 0o777 == 0o600
    assert (etc / "lunch.overlay.yaml").stat().st_mode & 0o777 == 0o644


def test_a_zone_a_language_and_networks_personalise_a_disk(settings):
    zones = settings.root / "usr/share/zoneinfo/Europe"
    zones.mkdir(parents=True)
    (zones / "Berlin").write_text("TZif")
    settings(timezone="Europe/Berlin\r\n", country="DE\n", language="de\n", Home__psk="[Security]\nPassphrase=secret\n",
             **{"=436166c3a9__open": "\n"})
    state = settings.root / "state"
    assert os.readlink(state / "localtime") == "/usr/share/zoneinfo/Europe/Berlin"
    assert (state / "settings/language").read_text() == "de\n"
    assert sorted(os.listdir(state / "iwd")) == ["=436166c3a9.open", "Home.psk"]
    assert (state / "iwd/Home.psk").stat().st_mode & 0o777 == 0o600
    said = settings(code=1, timezone="../../etc/passwd\n", country="Germany\n", language="$(reboot)\n")
    assert "'../../etc/passwd' is not a time zone" in said and "'Germany' is not" in said
    assert "'$(reboot)' is not a language" in said
    assert "there is no time zone Europe/Atlantis" in settings(code=1, timezone="Europe/Atlantis\n")
    assert os.readlink(state / "localtime") == "/usr/share/zoneinfo/Europe/Berlin"


def test_later_changes_stay_until_the_settings_file_changes(settings):
    settings(mqtt__conf="first\n")
    file = settings.root / "state/etc/mqtt.conf"
    file.write_text("changed on the panel\n")
    assert settings() == "" and file.read_text() == "changed on the panel\n"
    assert "installed mqtt.conf" in settings(mqtt__conf="second\n")
    assert file.read_text() == "second\n"


def test_an_invalid_setting_is_reported_and_the_rest_is_applied(settings):
    said = settings(code=1, name="a b\n", passwd="root\n", update__conf="ROUNDEL_UPDATE_URL=x\n")
    assert "not 'a b'" in said and "passwd is not a supported file" in said
    assert not (settings.root / "proc/sys/kernel/hostname").exists()
    assert [file.name for file in (settings.root / "state/etc").iterdir()] == ["update.conf"]


class Choice:
    """The state shared by a disk's boot loader and image-slots, as seen by the running system."""

    def __init__(self, folder):
        self.sector, self.line, self.script = (folder / name for name in ("choice", "cmdline", "slots"))
        self.before = "\n" * 1024  # a file system's
        self.sector.write_text(self.before + uefi.FIRST_CHOICE)
        text = (TOP / "deploy/disk/image-slots").read_text()
        self.script.write_text(text.replace("/dev/roundel/choice", str(self.sector))
                               .replace("/proc/cmdline", str(self.line)))
        self.running = "A"

    def run(self, *words):
        self.line.write_text(f"quiet rauc.slot={self.running} panic=10\n")
        done = run("sh", self.script, *words)
        text = self.text
        assert len(text) == 512 and text.startswith("# GRUB Environment Block\n"), text
        return done.stdout.strip() if done.returncode == 0 else None

    @property
    def text(self):
        return self.sector.read_text().removeprefix(self.before)

    @property
    def values(self):
        return dict(line.split("=") for line in self.text.splitlines() if line[0] != "#")

    def start(self):
        """Simulates grub.cfg, and returns the name of the started system."""
        values = self.values
        tries = int(values["tries"] or 0)
        self.running = values["trying"] if tries else values["current"]
        if tries:
            self.sector.write_text(self.sector.read_text().replace(f"tries={tries}", f"tries={tries - 1}"))
        return self.running


def test_a_new_system_is_tried_three_times_and_stays_once_it_is_good(tmp_path):
    choice = Choice(tmp_path)
    assert (choice.run("get-primary"), choice.run("get-state", "A"), choice.run("get-state", "B")) == (
        "A", "good", "bad")
    choice.run("set-state", "B", "bad")
    choice.run("set-primary", "B")
    assert choice.run("get-primary") == "B" and choice.run("is-waiting") is not None
    assert [choice.start() for _ in range(4)] == ["B", "B", "B", "A"]
    assert choice.run("set-state", "A", "good") is not None
    assert (choice.run("get-primary"), choice.run("get-state", "B")) == ("A", "bad")
    assert choice.values["tries"] == "0"
    assert choice.run("is-waiting") is None

    choice.run("set-primary", "B")
    choice.start()
    assert choice.run("is-tried") is not None
    choice.run("set-state", "B", "good")
    assert [choice.start() for _ in range(4)] == ["B"] * 4
    assert choice.run("get-state", "A") == "good" and choice.run("is-tried") is None


def test_the_last_good_system_is_never_overwritten(tmp_path):
    """Any requests in any order."""
    choice, chance = Choice(tmp_path), random.Random(1)
    for _ in range(300):
        slot = chance.choice("AB")
        words = chance.choice([("set-state", slot, "bad"), ("set-primary", slot), ("set-state", slot, "good"),
                               ("start",), ("get-primary",)])
        before = choice.values["current"]
        if words == ("start",):
            # An incomplete system isn't started.
            assert choice.start() != choice.values["bad"]
        else:
            done = choice.run(*words)
            if words[0] == "set-state" and words[2] == "bad":
                assert (done is None) == (slot == before)
        assert choice.values["current"] != choice.values["bad"]
        assert choice.values["current"] in (before, choice.running)


def test_a_bundle_needs_a_key_and_its_certificate(tmp_path):
    kiosk = tmp_path / "lunch.yaml"
    kiosk.write_text("kiosk: lunch\n")
    assert run(TOP / "deploy/image", "--kiosk", kiosk, "--bundle", tmp_path / "out").returncode == 64
    refused = run(TOP / "deploy/image", "--kiosk", kiosk, "--bundle", tmp_path / "out", "--key", tmp_path / "key",
                  "--certificate", tmp_path / "certificate")
    assert refused.returncode == 66 and "no file" in refused.stderr
