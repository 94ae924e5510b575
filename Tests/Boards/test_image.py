# SPDX-License-Identifier: MIT
"""A disk that deploy/image makes: it boots by itself, shows its kiosk, and outlives power cuts. Not part of
deploy/test; `deploy/image --test` runs it."""

import hashlib
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(TOP / "deploy"), str(TOP / "Tests/Panel")]

from filesystem import TOOLS, FileSystem  # noqa: E402
from rig.debian import PanelError  # noqa: E402
from rig.disk import copy_partition, partition  # noqa: E402
from rig.machine import Panel, free_port  # noqa: E402
from rig.processor import PROCESSORS  # noqa: E402
from picture import Picture  # noqa: E402

ARCHITECTURE = os.environ.get("ROUNDEL_IMAGE_ARCH", "amd64")
PACKAGE = os.environ.get("ROUNDEL_IMAGE_PACKAGE")
# A disk of the kiosk below that has been made already.
DISK = os.environ.get("ROUNDEL_IMAGE")
ROUNDEL = os.environ.get("ROUNDEL_BINARY", TOP / ".build/release/roundel")
CUTS = int(os.environ.get("ROUNDEL_POWER_CUTS", 10))
# Firmware, boot loader and system, all of it emulated.
BOOT_SECONDS = 600 if ARCHITECTURE == "amd64" else 1200
SIZE = (640, 480)
# Two counters that are set together, ten times a second. The screen says whether they are equal, and so is
# always the same; a touch changes it, too.
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


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("image")


@pytest.fixture(scope="module")
def kiosk(folder):
    file = folder / "counter.yaml"
    file.write_text(COUNTER)
    return file


@pytest.fixture(scope="module")
def key(folder):
    """Of somebody whom the disk lets in."""
    file = folder / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file], check=True)
    return file


@pytest.fixture(scope="module")
def made(folder, kiosk, key):
    if DISK:
        return DISK
    file = folder / "counter.img"
    package = ["--package", PACKAGE] if PACKAGE else []
    subprocess.run([TOP / "deploy/image", "--kiosk", kiosk, "--arch", ARCHITECTURE, "--output", file,
                    "--state", "32", "--authorized-keys", key.with_suffix(".pub"), *package],
                   check=True, stdout=subprocess.DEVNULL)
    return file


@pytest.fixture
def disk(made, folder):
    """As it was made."""
    file = folder / "disk.img"
    subprocess.run(["cp", "--sparse=always", made, file], check=True)
    return file


@pytest.fixture
def panel():
    panel = Panel(f"test-image-{os.getpid()}")
    yield panel
    panel.stop()


def rendered(kiosk, disk, folder):
    """The first picture as this machine paints it, with the disk's fonts."""
    copy_partition(disk, "root", folder / "root.squashfs")
    subprocess.run("sqfs2tar root.squashfs | tar x usr/share/fonts", shell=True, cwd=folder, check=True)
    settings = folder / "fonts.conf"
    settings.write_text(f"<fontconfig><dir>{folder}/usr/share/fonts</dir><cachedir>{folder}/cache</cachedir>"
                        "<include>/etc/fonts/conf.d</include></fontconfig>")
    file = folder / "expected.png"
    subprocess.run([ROUNDEL, "render", kiosk, "-o", file, "--size", "x".join(map(str, SIZE))], check=True,
                   stdout=subprocess.DEVNULL, env={**os.environ, "FONTCONFIG_FILE": str(settings)})
    return Picture.read_png(file)


def boot(panel, disk, expected, folder, port=None):
    """Switches the panel on and waits until it shows that picture; returns how long it took."""
    started = time.monotonic()
    panel.boot_disk(disk, size=SIZE, architecture=ARCHITECTURE, port=port,
                    arguments=f"console={PROCESSORS[ARCHITECTURE].console}")
    wait_for(panel, expected, folder, BOOT_SECONDS)
    return time.monotonic() - started


def wait_for(panel, expected, folder, seconds):
    deadline = time.monotonic() + seconds
    while (seen := screen(panel, folder)) != expected:
        if not panel.is_running or time.monotonic() > deadline:
            kept = TOP / "artifacts/image"
            kept.mkdir(parents=True, exist_ok=True)
            if seen:
                seen.write_png(kept / "seen.png")
            expected.write_png(kept / "expected.png")
            (kept / "serial.log").write_text(panel.serial_log())
            pytest.fail(f"another picture after {seconds} s; see {kept}")
        time.sleep(0.2)


def screen(panel, folder):
    """What is shown; nothing while no picture is."""
    file = folder / "screen.ppm"
    try:
        panel.qmp("screendump", filename=str(file), format="ppm")
    except PanelError:
        return None
    return Picture.read_ppm(file)


def lit(panel, dark, folder):
    """Switches the lamp on by a touch; returns the picture when it has come to rest."""
    # The picture may be there before the touchscreen is.
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
    """Spoils the beginning of a partition, or all of it."""
    place, whole = partition(disk, name)
    with open(disk, "r+b") as file:
        file.seek(place)
        file.write(random.Random(2).randbytes(size or whole))


def kept(disk, folder):
    """What the disk holds of the kiosk's state, as the next boot finds it."""
    file = folder / "state.ext4"
    copy_partition(disk, "state", file)
    values = FileSystem(file).read("roundel/counter.json")
    return json.loads(values)["values"] if values else None


def root_digest(disk, folder):
    file = folder / "root.squashfs"
    copy_partition(disk, "root", file)
    return hashlib.sha256(file.read_bytes()).hexdigest()


def test_the_disk_boots_shows_its_kiosk_and_comes_back_after_each_power_cut(panel, kiosk, disk, folder):
    chance = random.Random(1)
    root = root_digest(disk, folder)
    expected = rendered(kiosk, disk, folder)
    took = [boot(panel, disk, expected, folder)]
    print(f"\n  {disk.stat().st_size >> 20} MB; the kiosk is shown after {took[0]:.0f} s")

    expected = lit(panel, expected, folder)
    before = -1
    for cut in range(CUTS):
        # At any moment of a second in which it is written at least once.
        time.sleep(2 + chance.random())
        panel.cut_power()
        values = kept(disk, folder)
        assert values["count"] == values["twin"] > before, values
        assert values["lit"] is True and len(values["long"]) == 20_000
        before = values["count"]
        took.append(boot(panel, disk, expected, folder))
        print(f"  cut {cut + 1}: {before} was kept; shown again after {took[-1]:.0f} s", flush=True)
    panel.cut_power()
    assert root_digest(disk, folder) == root


@pytest.mark.skipif(bool(DISK), reason="a disk that was made before lets in others")
def test_who_holds_a_key_is_let_in_and_knows_the_machine_again(panel, kiosk, disk, folder, key):
    expected = rendered(kiosk, disk, folder)
    known, port = folder / "known_hosts", free_port()

    def status():
        command = ["ssh", "-p", str(port), "-i", key, "-o", f"UserKnownHostsFile={known}", "-o", "BatchMode=yes",
                   "-o", "StrictHostKeyChecking=accept-new", "-o", "ConnectTimeout=10", "root@127.0.0.1",
                   "roundel status --json"]
        deadline = time.monotonic() + BOOT_SECONDS
        while (told := subprocess.run(command, capture_output=True, text=True)).returncode != 0:
            assert time.monotonic() < deadline, told.stderr
            time.sleep(1)
        return json.loads(told.stdout)

    for _ in range(2):
        boot(panel, disk, expected, folder, port)
        assert status()["kiosk"] == "counter"
        panel.cut_power()
    assert len(known.read_text().splitlines()) == 1


def test_whatever_becomes_of_what_is_kept_the_kiosk_is_shown(panel, kiosk, disk, folder):
    dark = rendered(kiosk, disk, folder)
    boot(panel, disk, dark, folder)
    bright = lit(panel, dark, folder)
    time.sleep(2)
    panel.cut_power()

    overwrite(disk, "state", 4096)
    print(f"\n  its superblock is lost: shown after {boot(panel, disk, bright, folder):.0f} s, as it was")
    panel.cut_power()

    overwrite(disk, "state")
    print(f"  all of it is lost: shown after {boot(panel, disk, dark, folder):.0f} s, as it was delivered")
    assert lit(panel, dark, folder) == bright
    time.sleep(2)
    panel.cut_power()
    assert kept(disk, folder)["lit"] is True
    boot(panel, disk, bright, folder)
    panel.cut_power()

    # The third partition is another than the system looks for.
    subprocess.run(["sfdisk", "--quiet", "--part-uuid", disk, "3", "00000000-0000-4000-8000-000000000001"],
                   check=True, env=TOOLS)
    print(f"  it is not there: shown after {boot(panel, disk, dark, folder):.0f} s, as it was delivered")
    assert lit(panel, dark, folder) == bright
