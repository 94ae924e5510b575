# SPDX-License-Identifier: MIT
"""Boots disk images from deploy/image in QEMU, inspects them and damages them."""

import hashlib
import json
import os
import random
import re
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(TOP / "deploy"), str(TOP / "Tests"), str(TOP / "Tests/Panel")]

from filesystem import FileSystem, TOOLS  # noqa: E402
from disk.card import Card  # noqa: E402
from tools.debian import PanelError  # noqa: E402
from disk.disk import copy_partition, partition  # noqa: E402
from disk.processor import PROCESSORS  # noqa: E402
from picture import Picture  # noqa: E402

BOARD = os.environ.get("ROUNDEL_IMAGE_BOARD", "uefi")
IS_CARD = BOARD == "raspberry-pi"
ARCHITECTURE = os.environ.get("ROUNDEL_IMAGE_ARCH", "arm64" if IS_CARD else "amd64")
COMPATIBLE = f"counter-{Card.kind if IS_CARD else ARCHITECTURE}"
PACKAGE = os.environ.get("ROUNDEL_IMAGE_PACKAGE")
IMAGE = [TOP / "deploy/image", "--board", BOARD, "--arch", ARCHITECTURE, *(["--package", PACKAGE] if PACKAGE else [])]
# A folder to keep the built files in; existing files are reused.
FOLDER = os.environ.get("ROUNDEL_IMAGE_FOLDER")
ROUNDEL = os.environ.get("ROUNDEL_BINARY", TOP / ".build/release/roundel")
# QEMU emulates the firmware, the boot loader and the system.
BOOT_SECONDS = 600 if ARCHITECTURE == "amd64" else 1200
# QEMU's raspi3b sometimes hangs when its screen is read continuously.
LOOK_SECONDS = 10 if IS_CARD else 0.2
SIZE = (640, 480)
# Two counters, set together every 0.1 s. The screen only shows whether they are equal, so it stays the same until a
# touch changes it.
COUNTER = f"""
kiosk: counter
screen: {{size: [{SIZE[0]}, {SIZE[1]}]}}
values:
  count: {{value: 0, keep: true}}
  twin: {{value: 0, keep: true}}
  lit: {{value: false, keep: true}}
  long: {{value: "{'long ' * 4000}", keep: true}}
pages:
  - page: only
    controls:
      - {{label: shown, at: [320, 120], text: "{{count == twin ? 'whole' : 'torn'}}"}}
      - {{toggle: lamp, at: [320, 300], size: [200, 72], value: "{{lit}}", on: {{changed: [{{set: {{lit: "{{event.value}}"}}}}]}}}}
      - timer: tick
        every: 0.1
        on: {{due: [{{set: {{count: "{{count + 1}}"}}}}, {{set: {{twin: "{{twin + 1}}"}}}}]}}
"""


def rendered(kiosk, disk, folder):
    """Renders the first picture on this machine, with the fonts of the disk image."""
    copy_partition(disk, "root-a", folder / "root.squashfs")
    subprocess.run("sqfs2tar root.squashfs | tar x usr/share/fonts", shell=True, cwd=folder, check=True)
    settings = folder / "fonts.conf"
    settings.write_text(f"<fontconfig><dir>{folder}/usr/share/fonts</dir><cachedir>{folder}/cache</cachedir>"
                        "<include>/etc/fonts/conf.d</include></fontconfig>")
    file = folder / "expected.png"
    subprocess.run([ROUNDEL, "render", kiosk, "-o", file, "--size", "x".join(map(str, SIZE))], check=True,
                   stdout=subprocess.DEVNULL, env={**os.environ, "FONTCONFIG_FILE": str(settings)})
    return Picture.read_png(file)


def boot(panel, disk, expected, folder, port=None, log=None, clock="utc"):
    """Boots the panel and waits until it shows `expected`, a picture or a list of them; returns the seconds this
    took."""
    started = time.monotonic()
    if IS_CARD:
        panel.boot_card(disk, port=port, log=log, arguments="console=ttyS1,115200")
    else:
        panel.boot_disk(disk, size=SIZE, architecture=ARCHITECTURE, port=port, log=log,
                        clock=clock, arguments=f"console={PROCESSORS[ARCHITECTURE].console}")
    wait_for(panel, expected, folder, BOOT_SECONDS)
    return time.monotonic() - started


def show_on_frame_buffer(card, folder):
    """Makes the kiosk on a card use the frame buffer, because QEMU lacks the card's display controller."""
    (folder / "counter.conf").write_text("ROUNDEL_ARGUMENTS=--display fbdev\n")
    state = folder / "state.ext4"
    copy_partition(card, "state", state)
    commands = f"mkdir etc\nwrite {folder}/counter.conf etc/counter.conf\n"
    subprocess.run(["debugfs", "-w", "-f", "-", state], input=commands, text=True, check=True, capture_output=True,
                   env=TOOLS)
    with open(card, "r+b") as file:
        file.seek(partition(card, "state")[0])
        file.write(state.read_bytes())


def wait_for(panel, expected, folder, seconds):
    """Waits until the panel shows `expected`, a picture or a list of them; returns the picture."""
    deadline = time.monotonic() + seconds
    expected = expected if isinstance(expected, list) else [expected]
    while not (seen := screen(panel, folder)) or seen not in expected:
        if not panel.is_running or time.monotonic() > deadline:
            kept = TOP / "artifacts/image"
            kept.mkdir(parents=True, exist_ok=True)
            if seen:
                seen.write_png(kept / "seen.png")
            expected[0].write_png(kept / "expected.png")
            (kept / "serial.log").write_text(panel.serial_log())
            pytest.fail(f"another picture after {seconds} s; see {kept}")
        time.sleep(LOOK_SECONDS)
    return seen


def screen(panel, folder):
    """The picture on the screen; None before the machine shows one."""
    file = folder / "screen.ppm"
    try:
        panel.qmp("screendump", filename=str(file), format="ppm")
    except PanelError:
        return None
    picture = Picture.read_ppm(file)
    # U-Boot swaps red and blue in the frame buffer of QEMU's raspi3b.
    return picture.swapped() if IS_CARD else picture


def lit(panel, dark, folder):
    """Switches the lamp on with a touch; returns the picture two seconds later."""
    # The picture may appear before the touchscreen works.
    for _ in range(6):
        panel.tap((320, 300))
        deadline = time.monotonic() + 10
        while (unchanged := screen(panel, folder) == dark) and time.monotonic() < deadline:
            time.sleep(0.2)
        if not unchanged:
            break
    assert not unchanged, "a touch changes nothing"
    time.sleep(2)
    return screen(panel, folder)


def overwrite(disk, name, size=None):
    """Overwrites a partition, or its first `size` bytes, with random data."""
    place, whole = partition(disk, name)
    with open(disk, "r+b") as file:
        file.seek(place)
        file.write(random.Random(2).randbytes(size or whole))


CHOICE_MARK = b"# GRUB Environment Block\n"


def read_choice(content):
    """The variables in the only file of the `choice` partition."""
    place = content.index(CHOICE_MARK)
    assert place % 512 == 0
    return dict(re.findall(r"^(\w+)=(\w*)$", content[place:place + 512].decode(), re.M))


# Flags of writes: all earlier writes are safe, this write is safe, this write has no bytes.
FLUSH, FUA, DISCARD = 1, 2, 4


def writes(log):
    """Yields each write: whether it flushes earlier ones, its place, and its place and size in the log."""
    with open(log, "rb") as file:
        magic, version, _, sector = struct.unpack("<QQQI", file.read(28))
        assert (magic, version) == (0x6A736677736872, 1)
        file.seek(sector)
        while len(head := file.read(sector)) == sector:
            place, sectors, flags, _ = struct.unpack_from("<QQQQ", head)
            size = 0 if flags & DISCARD else sectors * sector
            yield bool(flags & (FLUSH | FUA)), place * sector, file.tell(), size
            file.seek(size, os.SEEK_CUR)


def kept(disk, folder):
    """The values of the kiosk on a disk, as the next boot reads them."""
    file = folder / "state.ext4"
    copy_partition(disk, "state", file)
    values = FileSystem(file).read("roundel/counter.json")
    return json.loads(values)["values"] if values else None


def root_digest(disk, folder):
    file = folder / "root.squashfs"
    copy_partition(disk, "root-a", file)
    return hashlib.sha256(file.read_bytes()).hexdigest()


def ssh(port, key, folder, command, forward=None):
    """Runs a command as root on the panel; `forward` is a port of this machine that the panel can reach."""
    words = ["ssh", "-p", str(port), "-i", key, "-o", f"UserKnownHostsFile={folder}/known_hosts", "-o",
             "BatchMode=yes", "-o", "StrictHostKeyChecking=accept-new", "-o", "ConnectTimeout=10",
             *(["-R", f"{forward}:127.0.0.1:{forward}"] if forward else []), "root@127.0.0.1", command]
    return subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def certified(folder, name):
    """Returns a key and its certificate; creates them the first time."""
    key, certificate = folder / f"{name}.key", folder / f"{name}.pem"
    if not key.exists():
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-days",
                        "3650", "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return key, certificate
