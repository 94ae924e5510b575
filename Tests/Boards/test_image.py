# SPDX-License-Identifier: MIT
"""The disk image that deploy/image builds: it boots, shows its kiosk and survives power cuts. Not part of
deploy/test; `deploy/image --test` runs it."""

import hashlib
import json
import os
import random
import re
import subprocess
import time

from disks import (ARCHITECTURE, BOOT_SECONDS, boot, kept, lit, overwrite, rendered, root_digest, ssh)
from filesystem import TOOLS
from disk.disk import copy_partition
from Rig.machine import free_port

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
        # The kiosk writes the disk at least once a second; cut at a random moment.
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


def test_the_bill_of_materials_of_a_disk_lists_its_packages_and_program(made, folder):
    bill = json.loads(made.with_suffix(".cdx.json").read_text())
    parts = {part["name"]: part for part in bill["components"]}
    copy_partition(made, "root-a", folder / "root.squashfs")
    system = folder / "system"
    system.mkdir(exist_ok=True)
    subprocess.run("sqfs2tar root.squashfs | tar x -C system var/lib/dpkg/status usr/bin/roundel usr/share/doc",
                   shell=True, cwd=folder, check=True)
    installed = re.findall(r"^Package: (\S+)\nStatus: install ok installed$",
                           (system / "var/lib/dpkg/status").read_text(), re.M)
    assert set(installed) <= set(parts) and {"fonts-inter", "rauc", "linux-image-" + ARCHITECTURE} <= set(installed)
    digest = hashlib.sha256((system / "usr/bin/roundel").read_bytes()).hexdigest()
    program = next(part for part in bill["components"] if part.get("hashes"))
    assert (program["name"], program["hashes"][0]["content"]) == ("roundel", digest)
    assert (bill["metadata"]["component"]["name"], bill["metadata"]["component"]["version"]) == ("counter", "100")
    assert parts[f"grub-efi-{ARCHITECTURE}-unsigned"]["version"]
    # Packages state their licences.
    assert any("OFL-1.1" in each["license"]["name"] for each in parts["fonts-inter"]["licenses"])
    missing = [name for name in installed if not (system / "usr/share/doc" / name / "copyright").exists()]
    assert not [name for name in missing if not (system / "usr/share/doc" / name).is_symlink()], missing


def test_an_ssh_key_opens_the_machine_and_its_host_key_stays_the_same(panel, kiosk, disk, folder, key):
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


def test_the_kiosk_appears_even_with_damaged_or_lost_state(panel, kiosk, disk, folder):
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

    # No partition has the name that the system looks for.
    subprocess.run(["sfdisk", "--quiet", "--part-label", disk, "5", "another"], check=True, env=TOOLS)
    print(f"  it is not there: shown after {boot(panel, disk, dark, folder):.0f} s, as it was delivered")
    assert lit(panel, dark, folder) == bright
