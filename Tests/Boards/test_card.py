# SPDX-License-Identifier: MIT
"""The SD card image that deploy/image builds for a Raspberry Pi: its content, and its kiosk on QEMU's raspi3b. Not
part of deploy/test; `deploy/image --board raspberry-pi --test` runs it."""

import io
import json
import os
import re
import subprocess
import tarfile
import time
import zlib

import pytest

import disks
from disks import BOOT_SECONDS, kept, read_choice, rendered, ssh, writes
from filesystem import TOOLS
from disk.card import unpack_boot
from disk.disk import copy_partition, partition, squash
from Rig.machine import free_port

# The names of the boards in config.txt, and their device trees.
BOARDS = {
    "pi3": ["bcm2837-rpi-3-a-plus", "bcm2837-rpi-3-b", "bcm2837-rpi-3-b-plus"],
    "pi02": ["bcm2837-rpi-zero-2-w"],
    "pi4": ["bcm2711-rpi-4-b", "bcm2711-rpi-400", "bcm2711-rpi-cm4-io"],
}
FIRMWARE = {"pi3": ["bootcode.bin", "start.elf", "fixup.dat"], "pi02": ["bootcode.bin", "start.elf", "fixup.dat"],
            "pi4": ["start4.elf", "fixup4.dat"]}
# The drivers needed to mount the root, and the drivers for displays, watchdog and network.
FIRST_DRIVERS = {"bcm2835.ko", "sdhci-iproc.ko", "fixed.ko", "gpio-regulator.ko", "squashfs.ko"}
DRIVERS = {"vc4.ko", "v3d.ko", "bcm2835_wdt.ko", "smsc95xx.ko", "lan78xx.ko", "genet.ko", "udl.ko"}
# Drivers that Debian's kernel lacks; the manual says what does not work without them.
MISSING_DRIVERS = {"panel-ilitek-ili9881c.ko", "panel-mipi-dbi.ko", "tc358762.ko", "gud.ko", "sdhci-brcmstb.ko"}
# Prints the services that the kiosk waits for and that have run.
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
def boot(made, tmp_path_factory):
    """The boot partition."""
    place = tmp_path_factory.mktemp("boot")
    unpack_boot(made, place)
    return place


@pytest.fixture(scope="module")
def root(made, tmp_path_factory):
    """The boot files, kernel modules and settings of system A."""
    place = tmp_path_factory.mktemp("root")
    copy_partition(made, "root-a", place / "root.squashfs")
    subprocess.run("sqfs2tar root.squashfs | tar x boot usr/lib/modules etc", shell=True, cwd=place, check=True)
    return place


def table(card):
    listed = subprocess.run(["sfdisk", "--json", card], check=True, capture_output=True, env=TOOLS)
    return json.loads(listed.stdout)["partitiontable"]


def settings(text, board):
    """The settings that apply to a board in config.txt."""
    section, found = "all", {}
    for line in text.splitlines():
        if re.fullmatch(r"\[\w+\]", line):
            section = line[1:-1]
        elif line and not line.startswith("#") and section in ("all", board):
            name, _, value = line.partition("=") if "=" in line else line.partition(" ")
            found.setdefault(name, []).append(value)
    return found


def chosen(text):
    """config.txt with all optional lines enabled."""
    return re.sub(r"^#(?=\S)", "", text, flags=re.M)


def test_all_boards_can_read_the_partition_table(made):
    found = table(made)
    assert found["label"] == "dos"
    assert [part["type"] for part in found["partitions"]] == ["c", "83", "83", "f", "83", "83"]
    assert [part["start"] * 512 % (1 << 20) for part in found["partitions"]] == [0] * 6


@pytest.mark.parametrize("board", BOARDS)
def test_the_firmware_of_each_board_finds_its_files(boot, board):
    found = settings((boot / "config.txt").read_text(), board)
    assert found["arm_64bit"] == found["upstream_kernel"] == found["enable_uart"] == ["1"]
    assert "initramfs" not in found
    assert b"U-Boot 20" in (boot / found["kernel"][0]).read_bytes()
    for name in FIRMWARE[board]:
        assert (boot / name).stat().st_size > 1000, name
    for name, author in (("firmware", "Broadcom"), ("u-boot", "Wolfgang Denk")):
        assert author in (boot / f"LICENCE.{name}").read_text()
    for tree in BOARDS[board]:
        assert (boot / f"{tree}.dtb").read_bytes().startswith(b"\xd0\x0d\xfe\xed"), tree
    # U-Boot would load device trees from there, without the overlays that the firmware applied.
    assert not (boot / "broadcom").exists() and not (boot / "dtb").exists()


def test_u_boot_starts_grub_and_no_key_stops_it(boot):
    written = (boot / "uboot.env").read_bytes()
    assert len(written) == 0x4000 and written[:4] == zlib.crc32(written[4:]).to_bytes(4, "little")
    values = dict(line.split("=", 1) for line in written[4:].rstrip(b"\0").decode().split("\0"))
    assert values["bootdelay"] == "-2"
    loader = re.search(r"load mmc 0:1 \$\{kernel_addr_r\} (\S+) ", values["bootcmd"])[1]
    # A UEFI program is a PE image, which begins with "MZ".
    assert (boot / loader).read_bytes()[:2] == b"MZ"
    assert "bootefi ${kernel_addr_r} ${fdt_addr}" in values["bootcmd"]


def test_each_system_has_its_kernel_and_a_read_only_root(root):
    kernel = (root / "boot/linux").read_bytes()
    # Linux, Documentation/arch/arm64/booting.rst
    assert kernel[0x38:0x3c] == b"ARM\x64"
    words = (root / "boot/grub.cfg").read_text().split()
    assert "root=PARTUUID=$partition" in words and "rauc.slot=$slot" in words
    assert "ro" in words and "rootfstype=squashfs" in words and "rw" not in words


def test_the_initrd_has_the_drivers_of_the_card_slots(root):
    # The drivers are in the first of two archives, which is uncompressed.
    with open(root / "boot/initrd", "rb") as file:
        listed = subprocess.run(["cpio", "-t", "--quiet"], stdin=file, check=True, capture_output=True, text=True)
    names = {re.sub(r"\.xz$", "", line.rpartition("/")[2]) for line in listed.stdout.splitlines()}
    assert FIRST_DRIVERS <= names


def test_the_kernel_has_the_drivers_in_the_manual_and_lacks_the_ones_it_excludes(root):
    found = {re.sub(r"\.xz$", "", file.name) for file in root.glob("usr/lib/modules/*/kernel/**/*.ko*")}
    assert DRIVERS <= found, DRIVERS - found
    assert not MISSING_DRIVERS & found, "Debian's kernel has more drivers now: offer what they are for"


@pytest.mark.parametrize("board", ["pi3", "pi4"])
def test_each_offered_overlay_fits_its_boards_and_has_its_drivers(boot, root, board, tmp_path):
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


def test_the_bill_of_materials_lists_the_boot_software_of_a_card(made):
    parts = {part["name"]: part for part in json.loads(made.with_suffix(".cdx.json").read_text())["components"]}
    for name in ("raspi-firmware", "u-boot-rpi", "grub-efi-arm64-unsigned", "linux-image-arm64", "roundel"):
        assert parts[name]["version"], name


def test_a_card_accepts_only_bundles_for_a_raspberry_pi(root):
    assert "compatible=counter-raspberry-pi\n" in (root / "etc/rauc/system.conf").read_text()


@pytest.fixture
def panicking(made, root, folder):
    """A card whose two systems consist of a kernel only, which finds no root; B is on trial."""
    system, disk = folder / "panicking.squashfs", folder / "panicking.img"
    system.unlink(missing_ok=True)
    files = {"boot/linux": (root / "boot/linux").read_bytes(),
             "boot/grub.cfg": b"linux /boot/linux root=PARTUUID=$partition rauc.slot=$slot $arguments\n"}
    with tarfile.open(folder / "panicking.tar", "w") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    with open(folder / "panicking.tar", "rb") as tar:
        squash(tar, system)
    subprocess.run(["cp", "--sparse=always", made, disk], check=True)
    write(disk, "root-a", system.read_bytes())
    write(disk, "root-b", system.read_bytes())
    place, size = partition(disk, "choice")
    choice = disk.read_bytes()[place:place + size]
    write(disk, "choice", choice.replace(b"trying=\ntries=\nbad=B\n##", b"trying=B\ntries=3\nbad=\n#"))
    return disk


def write(disk, name, content):
    assert len(content) <= partition(disk, name)[1]
    with open(disk, "r+b") as file:
        file.seek(partition(disk, name)[0])
        file.write(content)


def started(panel, count):
    """Waits for `count` kernel starts; returns their systems, in order."""
    deadline = time.monotonic() + count * BOOT_SECONDS
    while len(found := re.findall(r"Kernel command line: .*rauc\.slot=([AB])", panel.serial_log())) < count:
        assert panel.is_running and time.monotonic() < deadline, panel.serial_log()
        time.sleep(2)
    return "".join(found)


KERNEL = "console=ttyS1,115200 loglevel=7 panic=1"


def test_grub_tries_a_panicking_system_three_times_and_counts_in_one_sector(panel, panicking, folder):
    log = folder / "panicking.log"
    log.unlink(missing_ok=True)
    panel.boot_card(panicking, log=log, arguments=KERNEL)
    assert started(panel, 4) == "BBBA"
    # QEMU completes the header of its log only on exit, because GRUB never flushes.
    panel.stop()
    place, size = partition(panicking, "choice")
    # A flush has no bytes.
    written = [(at, length) for _, at, _, length in writes(log) if length]
    assert len(written) == 3 and len(set(written)) == 1, written
    assert written[0][1] == 512 and place <= written[0][0] < place + size
    with open(panicking, "rb") as file:
        file.seek(place)
        assert read_choice(file.read(size)) == {"current": "A", "trying": "B", "tries": "0", "bad": ""}


@pytest.mark.parametrize("spoilt", ["root-b", "choice", "uboot.env"])
def test_damaged_data_does_not_stop_a_card_from_booting(panel, panicking, spoilt):
    if spoilt == "uboot.env":
        write_boot(panicking, spoilt, "nothing")
    else:
        disks.overwrite(panicking, spoilt, 1 << 20)
    panel.boot_card(panicking, arguments=KERNEL)
    # Without uboot.env, U-Boot uses its built-in variables, which start the same GRUB.
    assert started(panel, 1) == ("B" if spoilt == "uboot.env" else "A")


def write_boot(disk, name, text):
    subprocess.run(["mcopy", "-o", "-i", f"{disk}@@{partition(disk, 'boot')[0]}", "-", f"::/{name}"], input=text,
                   text=True, check=True, env={**os.environ, "MTOOLS_SKIP_CHECK": "1"})


def test_the_card_shows_its_kiosk_accepts_an_ssh_key_and_keeps_its_state(panel, disk, kiosk, folder, key):
    port = free_port()
    (folder / "known_hosts").unlink(missing_ok=True)
    expected = rendered(kiosk, disk, folder)

    def told(command):
        deadline = time.monotonic() + BOOT_SECONDS
        while (said := ssh(port, key, folder, command)).returncode != 0:
            assert panel.is_running and time.monotonic() < deadline, said.stderr
            time.sleep(2)
        return said.stdout

    counts = []
    for _ in range(2):
        print(f"\n  the kiosk is shown after {disks.boot(panel, disk, expected, folder, port):.0f} s", flush=True)
        assert json.loads(told("roundel status --json"))["kiosk"] == "counter"
        mounts = dict(line.split()[:2] for line in told("findmnt -rno TARGET,FSTYPE").splitlines())
        assert (mounts["/"], mounts["/state"], mounts["/etc/roundel"]) == ("squashfs", "ext4", "overlay")
        assert told("touch /usr/written || echo refused") == "refused\n"
        assert told("systemctl is-system-running --wait || systemctl --failed --plain --no-legend") == "running\n"
        assert told(SERVICES_BEFORE_THE_KIOSK).split() == BEFORE_THE_KIOSK
        panel.cut_power()
        counts.append(kept(disk, folder)["count"])
    assert 0 < counts[0] < counts[1]
    # The machine keeps its own host key.
    assert len((folder / "known_hosts").read_text().splitlines()) == 1
