# SPDX-License-Identifier: MIT
"""The set-up of a disk without settings, by touch, until it shows its kiosk. `deploy/image --test` runs it."""

import subprocess
import time

import pytest

from disks import IMAGE, IS_CARD, SIZE, TOP, boot, rendered, screen, wait_for
from disk.disk import copy_partition, partition
from filesystem import TOOLS, FileSystem

SETUP = TOP / "deploy/disk/setup.yaml"
KIOSK = TOP / "deploy/examples/kiosks/home.yaml"
DESIGN = (800, 480)

pytestmark = pytest.mark.skipif(IS_CARD, reason="QEMU's raspi3b has no touchscreen")


@pytest.fixture
def fresh(folder):
    made = folder / "setup.img"
    if not made.exists():
        subprocess.run([*IMAGE, "--kiosk", KIOSK, "--name", "fresh", "--output", made, "--state", "32"], check=True,
                       stdout=subprocess.DEVNULL)
    file = folder / "setup-disk.img"
    subprocess.run(["cp", "--sparse=always", made, file], check=True)
    return file


def wait_until_still(panel, folder):
    """Waits until the picture stays the same for 15 s: pages glide, and an emulated processor fills lists slowly."""
    seen, since = screen(panel, folder), time.monotonic()
    while time.monotonic() - since < 15:
        time.sleep(0.5)
        if (now := screen(panel, folder)) != seen:
            seen, since = now, time.monotonic()


def touch(panel, folder, *point):
    """Touches a point of the set-up, in its design pixels, until the picture changes."""
    scale = min(SIZE[0] / DESIGN[0], SIZE[1] / DESIGN[1])
    place = [round((size - scale * design) / 2 + scale * at) for size, design, at in zip(SIZE, DESIGN, point)]
    before = screen(panel, folder)
    for _ in range(6):
        panel.tap(tuple(place))
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            time.sleep(0.5)
            if screen(panel, folder) != before:
                wait_until_still(panel, folder)
                return
    pytest.fail(f"a touch at {point} changes nothing")


def test_a_fresh_disk_is_set_up_by_touch_and_then_shows_its_kiosk(panel, fresh, folder):
    took = boot(panel, fresh, rendered(SETUP, fresh, folder), folder)
    print(f"\n  the set-up is shown after {took:.0f} s")
    kiosk = rendered(KIOSK, fresh, folder)
    touch(panel, folder, 400, 180)  # English
    touch(panel, folder, 300, 110)  # Europe
    touch(panel, folder, 300, 110)  # Europe/Amsterdam
    for _ in range(4):
        touch(panel, folder, 680, 430)  # the cable, the name, no keys, no broker
    touch(panel, folder, 620, 430)  # the end
    wait_for(panel, kiosk, folder, 60)
    time.sleep(5)
    panel.cut_power()
    state = folder / "setup-state.ext4"
    copy_partition(fresh, "state", state)
    settings = {name: FileSystem(state).read(f"settings/{name}") for name in ("name", "timezone", "country", "language")}
    assert settings == {"name": "panel\n", "timezone": "Europe/Amsterdam\n", "country": "NL\n", "language": "en\n"}
    # The next boot shows the kiosk at once.
    boot(panel, fresh, kiosk, folder)


def test_a_disk_of_a_system_without_a_set_up_shows_its_kiosk(panel, fresh, folder):
    """An update brings the set-up to panels in use, which visitors must not see."""
    state = folder / "setup-state.ext4"
    copy_partition(fresh, "state", state)
    subprocess.run(["debugfs", "-w", "-R", "mkdir roundel", state], check=True, capture_output=True, env=TOOLS)
    with open(fresh, "r+b") as file:
        file.seek(partition(fresh, "state")[0])
        file.write(state.read_bytes())
    boot(panel, fresh, rendered(KIOSK, fresh, folder), folder)
