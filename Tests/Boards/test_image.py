# SPDX-License-Identifier: MIT
"""A disk that deploy/image makes: it boots by itself, shows its kiosk, and outlives power cuts. Not part of
deploy/test; `deploy/image --test` runs it."""

import json
import os
import random
import subprocess
import time

from disks import (BOOT_SECONDS, boot, kept, lit, overwrite, rendered, root_digest, ssh)
from filesystem import TOOLS
from rig.machine import free_port

CUTS = int(os.environ.get("ROUNDEL_POWER_CUTS", 10))


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


def test_who_holds_a_key_is_let_in_and_knows_the_machine_again(panel, kiosk, disk, folder, key):
    expected = rendered(kiosk, disk, folder)
    known, port = folder / "known_hosts", free_port()
    known.unlink(missing_ok=True)

    def status():
        deadline = time.monotonic() + BOOT_SECONDS
        while (told := ssh(port, key, folder, "roundel status --json")).returncode != 0:
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

    # No partition is called as the system wants it.
    subprocess.run(["sfdisk", "--quiet", "--part-label", disk, "5", "another"], check=True, env=TOOLS)
    print(f"  it is not there: shown after {boot(panel, disk, dark, folder):.0f} s, as it was delivered")
    assert lit(panel, dark, folder) == bright
