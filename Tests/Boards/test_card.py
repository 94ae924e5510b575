# SPDX-License-Identifier: MIT
"""A card that deploy/image makes for a Raspberry Pi: what is on it, and that it shows its kiosk on QEMU's raspi3b as
far as that is one. Not part of deploy/test; `deploy/image --board raspberry-pi --test` runs it."""

import json
import re
import subprocess
import time

import pytest

from disks import PACKAGE, TOP, kept, rendered, ssh, wait_for
from filesystem import TOOLS
from rig.card import ROOT, STATE, unpack_boot
from rig.disk import copy_partition, partition
from rig.machine import free_port

# All of it emulated, on one processor of this machine for each of four.
BOOT_SECONDS = 900
# The boards, as config.txt calls them, and their device trees.
BOARDS = {
    "pi3": ["bcm2837-rpi-3-a-plus", "bcm2837-rpi-3-b", "bcm2837-rpi-3-b-plus"],
    "pi02": ["bcm2837-rpi-zero-2-w"],
    "pi4": ["bcm2711-rpi-4-b", "bcm2711-rpi-400", "bcm2711-rpi-cm4-io"],
}
FIRMWARE = {"pi3": ["bootcode.bin", "start.elf", "fixup.dat"], "pi02": ["bootcode.bin", "start.elf", "fixup.dat"],
            "pi4": ["start4.elf", "fixup4.dat"]}
# What the boards need before there is a root, and for their panels at HDMI.
FIRST_DRIVERS = {"bcm2835.ko", "sdhci-iproc.ko", "fixed.ko", "gpio-regulator.ko", "squashfs.ko"}
DRIVERS = {"vc4.ko", "v3d.ko", "bcm2835_wdt.ko", "smsc95xx.ko", "lan78xx.ko", "genet.ko", "udl.ko"}
# What the manual says is left out because of them.
MISSING_DRIVERS = {"panel-ilitek-ili9881c.ko", "panel-mipi-dbi.ko", "tc358762.ko", "gud.ko", "sdhci-brcmstb.ko"}
# Those that the kiosk waits for and that have run.
SERVICES_BEFORE_THE_KIOSK = """
systemctl list-dependencies --after --all --plain roundel@counter.service | grep -o '[^ ]*[.]service' | sort -u |
  while read -r unit; do
    [ "$(systemctl show -P ActiveState "$unit")" = inactive ] || echo "$unit"
  done
"""
BEFORE_THE_KIOSK = """
image-state.service kmod-static-nodes.service roundel-console@counter.service roundel@counter.service
systemd-journal-flush.service systemd-journald.service systemd-modules-load.service systemd-network-generator.service
systemd-networkd.service systemd-remount-fs.service systemd-resolved.service systemd-sysctl.service
systemd-timesyncd.service systemd-tmpfiles-setup-dev-early.service systemd-tmpfiles-setup-dev.service
systemd-tmpfiles-setup.service systemd-udev-load-credentials.service systemd-udev-trigger.service
systemd-udevd.service systemd-user-sessions.service
""".split()


@pytest.fixture(scope="module")
def card(folder, kiosk, key):
    file = folder / "card.img"
    if not file.exists():
        subprocess.run([TOP / "deploy/image", "--kiosk", kiosk, "--board", "raspberry-pi", "--output", file,
                        "--state", "32", "--authorized-keys", key.with_suffix(".pub"),
                        *(["--package", PACKAGE] if PACKAGE else [])], check=True, stdout=subprocess.DEVNULL)
    return file


@pytest.fixture(scope="module")
def boot(card, tmp_path_factory):
    """What the firmware reads."""
    place = tmp_path_factory.mktemp("boot")
    unpack_boot(card, place)
    return place


@pytest.fixture(scope="module")
def root(card, tmp_path_factory):
    """The modules of the kernel and the settings of the system."""
    place = tmp_path_factory.mktemp("root")
    copy_partition(card, ROOT, place / "root.squashfs")
    subprocess.run("sqfs2tar root.squashfs | tar x usr/lib/modules etc", shell=True, cwd=place, check=True)
    return place


def table(card):
    listed = subprocess.run(["sfdisk", "--json", card], check=True, capture_output=True, env=TOOLS)
    return json.loads(listed.stdout)["partitiontable"]


def settings(text, board):
    """What config.txt says to a board."""
    section, found = "all", {}
    for line in text.splitlines():
        if re.fullmatch(r"\[\w+\]", line):
            section = line[1:-1]
        elif line and not line.startswith("#") and section in ("all", board):
            name, _, value = line.partition("=") if "=" in line else line.partition(" ")
            found.setdefault(name, []).append(value)
    return found


def chosen(text):
    """config.txt with the lines that are offered."""
    return re.sub(r"^#(?=\S)", "", text, flags=re.M)


def show_on_frame_buffer(card, folder):
    """Sets a card to what QEMU has in place of the display controller."""
    (folder / "counter.conf").write_text("ROUNDEL_ARGUMENTS=--display fbdev\n")
    state = folder / "state.ext4"
    copy_partition(card, STATE, state)
    commands = f"mkdir etc\nwrite {folder}/counter.conf etc/counter.conf\n"
    subprocess.run(["debugfs", "-w", "-f", "-", state], input=commands, text=True, check=True, capture_output=True,
                   env=TOOLS)
    with open(card, "r+b") as file:
        file.seek(partition(card, STATE)[0])
        file.write(state.read_bytes())


def test_the_table_is_one_that_all_boards_read(card):
    found = table(card)
    assert found["label"] == "dos"
    assert [part["type"] for part in found["partitions"]] == ["c", "83", "83"]
    assert [part["start"] * 512 % (1 << 20) for part in found["partitions"]] == [0, 0, 0]


@pytest.mark.parametrize("board", BOARDS)
def test_the_firmware_of_each_board_finds_what_it_starts(boot, board):
    found = settings((boot / "config.txt").read_text(), board)
    assert found["arm_64bit"] == found["upstream_kernel"] == ["1"]
    kernel = (boot / found["kernel"][0]).read_bytes()
    # Linux, Documentation/arch/arm64/booting.rst: the firmware starts a plain image.
    assert kernel[0x38:0x3c] == b"ARM\x64"
    initrd, place = found["initramfs"][0].split()
    assert place == "followkernel" and (boot / initrd).stat().st_size > 1 << 20
    for name in FIRMWARE[board]:
        assert (boot / name).stat().st_size > 1000, name
    assert "Broadcom" in (boot / "LICENCE.firmware").read_text()
    for tree in BOARDS[board]:
        assert (boot / f"{tree}.dtb").read_bytes().startswith(b"\xd0\x0d\xfe\xed"), tree


def test_the_kernel_is_told_of_the_card_s_own_root_which_is_never_written(card, boot):
    line = (boot / "cmdline.txt").read_text()
    assert line.count("\n") == 1
    words = line.split()
    assert f"root=PARTUUID={table(card)['id'].removeprefix('0x')}-{ROOT:02}" in words
    assert "ro" in words and "rootfstype=squashfs" in words and "rw" not in words


def test_the_first_root_has_the_drivers_of_the_card_slots(boot):
    # They are in the first of two archives, which is not compressed.
    with open(boot / "initrd", "rb") as file:
        listed = subprocess.run(["cpio", "-t", "--quiet"], stdin=file, check=True, capture_output=True, text=True)
    names = {re.sub(r"\.xz$", "", line.rpartition("/")[2]) for line in listed.stdout.splitlines()}
    assert FIRST_DRIVERS <= names


def test_the_kernel_has_the_drivers_that_the_manual_names_and_lacks_those_that_it_leaves_out(root):
    found = {re.sub(r"\.xz$", "", file.name) for file in root.glob("usr/lib/modules/*/kernel/**/*.ko*")}
    assert DRIVERS <= found, DRIVERS - found
    assert not MISSING_DRIVERS & found, "Debian's kernel has more drivers now: offer what they are for"


@pytest.mark.parametrize("board", ["pi3", "pi4"])
def test_each_overlay_that_is_offered_fits_its_boards_and_has_its_drivers(boot, root, board, tmp_path):
    offered = settings(chosen((boot / "config.txt").read_text()), board)["dtoverlay"]
    assert offered == [f"touch-display-1-{board}"]
    assert "dtoverlay" not in settings((boot / "config.txt").read_text(), board)
    aliases = next(root.glob("usr/lib/modules/*/modules.alias")).read_text()
    for name in offered:
        overlay = boot / f"overlays/{name}.dtbo"
        for tree in BOARDS[board]:
            subprocess.run(["fdtoverlay", "-i", boot / f"{tree}.dtb", "-o", tmp_path / "whole.dtb", overlay],
                           check=True)
        source = subprocess.run(["dtc", "-q", "-I", "dtb", "-O", "dts", overlay], check=True, capture_output=True,
                                text=True).stdout
        devices = re.findall(r'compatible = "([^"]+)"', source)
        assert devices
        for device in devices:
            assert f"of:N*T*C{device} " in aliases, device


def test_the_system_has_nothing_of_updates(root):
    units = {file.name for file in (root / "etc/systemd/system").iterdir()}
    assert "image-state.service" in units
    assert not units & {"image-check.service", "image-good.service", "image-update.timer"}
    assert not (root / "etc/rauc").exists()


def test_the_card_shows_its_kiosk_lets_in_who_holds_a_key_and_keeps_what_is_kept(panel, card, kiosk, folder, key):
    disk, port = folder / "booted.img", free_port()
    subprocess.run(["cp", "--sparse=always", card, disk], check=True)
    show_on_frame_buffer(disk, folder)
    (folder / "known_hosts").unlink(missing_ok=True)
    expected = rendered(kiosk, disk, folder, ROOT)

    def told(command):
        deadline = time.monotonic() + BOOT_SECONDS
        while (said := ssh(port, key, folder, command)).returncode != 0:
            assert panel.is_running and time.monotonic() < deadline, said.stderr
            time.sleep(2)
        return said.stdout

    counts = []
    for _ in range(2):
        started = time.monotonic()
        panel.boot_card(disk, port=port, arguments="console=ttyS1,115200")
        # QEMU's raspi3b has been seen to stand still where it is looked at all the time.
        wait_for(panel, expected, folder, BOOT_SECONDS, every=10)
        print(f"\n  the kiosk is shown after {time.monotonic() - started:.0f} s", flush=True)
        assert json.loads(told("roundel status --json"))["kiosk"] == "counter"
        mounts = dict(line.split()[:2] for line in told("findmnt -rno TARGET,FSTYPE").splitlines())
        assert (mounts["/"], mounts["/state"], mounts["/etc/roundel"]) == ("squashfs", "ext4", "overlay")
        assert told("touch /usr/written || echo refused") == "refused\n"
        assert told("systemctl is-system-running --wait || systemctl --failed --plain --no-legend") == "running\n"
        assert told(SERVICES_BEFORE_THE_KIOSK).split() == BEFORE_THE_KIOSK
        panel.cut_power()
        counts.append(kept(disk, folder, STATE)["count"])
    assert 0 < counts[0] < counts[1]
    # The host key is the machine's own, and stays.
    assert len((folder / "known_hosts").read_text().splitlines()) == 1
