# SPDX-License-Identifier: MIT
"""Updates of a disk image from deploy/image: accepted and refused bundles, good and bad systems, and power cuts.
Not part of deploy/test; `deploy/image --test` runs them."""

import functools
import http.server
import io
import json
import os
import random
import re
import shutil
import subprocess
import tarfile
import threading
import time

import pytest

import disks
from disks import (ARCHITECTURE, BOOT_SECONDS, CHOICE_MARK, COMPATIBLE, COUNTER, IMAGE, IS_CARD, boot, certified, kept,
                   read_choice, rendered, ssh, wait_for, writes)
from filesystem import FileSystem
from disk.disk import copy_partition, fat, partition, squash
from Rig.machine import free_port
from disk.uefi import bundle

# How many power cuts hit real updates, and how many are simulated from the writes of one update.
CUTS = int(os.environ.get("ROUNDEL_UPDATE_CUTS", 3))
WRITES = int(os.environ.get("ROUNDEL_UPDATE_WRITES", 200))
# The time limit for an update, in seconds.
UPDATE = int(os.environ.get("ROUNDEL_UPDATE_SECONDS", 900 if ARCHITECTURE == "amd64" else 3000))


class Folder(http.server.SimpleHTTPRequestHandler):
    """Serves files with byte ranges, as RAUC needs them."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        file = open(self.translate_path(self.path), "rb")
        size = os.fstat(file.fileno()).st_size
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        first, last = (int(asked[1]), int(asked[2] or size - 1)) if asked else (0, size - 1)
        last = min(last, size - 1)
        self.send_response(206 if asked else 200)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(last - first + 1))
        if asked:
            self.send_header("Content-Range", f"bytes {first}-{last}/{size}")
        self.end_headers()
        with file:
            file.seek(first)
            if self.command == "GET":
                self.wfile.write(file.read(last - first + 1))

    do_HEAD = do_GET

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def server(folder):
    """The port that serves the folder, on this machine and, forwarded, on the panel."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Folder, directory=folder))
    server.handle_error = lambda *_: None  # whose power is cut says no goodbye
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()


@pytest.fixture(scope="module")
def second(folder, key, signer):
    """A bundle from deploy/image whose kiosk shows a different picture."""
    kiosk = folder / "second" / "counter.yaml"
    kiosk.parent.mkdir(exist_ok=True)
    kiosk.write_text(COUNTER.replace("'whole'", "'second'"))
    file = folder / "second.raucb"
    if not file.exists():
        subprocess.run([*IMAGE, "--kiosk", kiosk, "--bundle", file, "--key", signer[0], "--certificate", signer[1],
                        "--authorized-keys", key.with_suffix(".pub"), "--version", "200"],
                       check=True, stdout=subprocess.DEVNULL)
    return file


@pytest.fixture(scope="module")
def second_root(folder, second):
    """The system in the second bundle."""
    root = folder / "second.img"
    if not root.exists():
        extracted = folder / "extracted"
        shutil.rmtree(extracted, ignore_errors=True)
        subprocess.run(["rauc", "extract", f"--keyring={folder}/fleet.pem", second, extracted], check=True,
                       capture_output=True)
        (extracted / "root.img").rename(root)
    return root


# Replacements for files that break a system: its kiosk does not start, its kernel panics or is unreadable, or its
# service manager freezes.
BAD = {
    "usr/bin/roundel": "#!/bin/false\n",
    "usr/lib/systemd/systemd": "#!/bin/false\n",
    "boot/linux": "nothing that starts\n",
    "usr/libexec/roundel/image-check": "#!/bin/sh\necho 1 > /sys/fs/cgroup/init.scope/cgroup.freeze\nsleep infinity\n",
}
if IS_CARD:  # QEMU's raspi3b has no watchdog that waits
    del BAD["usr/libexec/roundel/image-check"]


def with_stand_in(root, archive, path):
    """Writes an archive of a system with the file at `path` replaced."""
    content = BAD[path].encode()
    with (subprocess.Popen(["sqfs2tar", root], stdout=subprocess.PIPE) as listed,
          tarfile.open(fileobj=listed.stdout, mode="r|") as source, tarfile.open(archive, "w") as target):
        for member in source:
            file = source.extractfile(member) if member.isreg() else None
            if member.name == path:
                member.size, file = len(content), io.BytesIO(content)
            target.addfile(member, file)


@pytest.fixture
def bad(folder, second_root, signer, request):
    """A bundle whose system has one file replaced."""
    name = request.param.replace("/", "-")
    root, file = folder / f"{name}.img", folder / f"{name}.raucb"
    if not file.exists():
        with_stand_in(second_root, folder / "bad.tar", request.param)
        with open(folder / "bad.tar", "rb") as tar:
            squash(tar, root)
        bundle(root, file, COMPATIBLE, 300, *signer)
        root.unlink()
    return file


class Machine:
    """A running panel, controlled by SSH."""

    def __init__(self, panel, disk, folder, key, server, log=None):
        self.panel, self.disk, self.folder, self.key, self.server = panel, disk, folder, key, server
        self.port, self.log, self.stick = free_port(), log, None
        (folder / "known_hosts").unlink(missing_ok=True)

    def boot(self, expected):
        self.stick = None
        # The clock starts before the certificates are valid.
        return boot(self.panel, self.disk, expected, self.folder, self.port, self.log, clock="2020-01-01")

    def run(self, command):
        return ssh(self.port, self.key, self.folder, command, forward=self.server)

    def start(self, command):
        """Runs a command in the background; it may never end."""
        threading.Thread(target=self.run, args=(command,), daemon=True).start()

    def until(self, command, seconds=BOOT_SECONDS):
        deadline = time.monotonic() + seconds
        while (said := self.run(command)).returncode != 0:
            assert self.panel.is_running and time.monotonic() < deadline, (command, said)
            time.sleep(1)
        return said.stdout

    def offer(self, file):
        """Offers a bundle to the panel until its next boot; returns the URL or path. Cards get a USB stick, because
        QEMU's USB network takes eight seconds for a megabyte."""
        if not IS_CARD:
            return f"http://127.0.0.1:{self.server}/{file.name}"
        if self.stick != file:
            if self.stick:
                self.until("umount --quiet --lazy /run/stick; true")
                self.panel.unplug_stick()
                self.until("test ! -e /dev/disk/by-label/STICK")
            content = fat(self.folder / "stick.vfat", (file.stat().st_size >> 20) + 40, "STICK", {file.name: file})
            self.panel.plug_stick(content)
            self.stick = file
        place = f"/run/stick/{file.name}"
        self.until(f"mountpoint -q /run/stick || mount --mkdir -o ro LABEL=STICK /run/stick; test -f {place}")
        return place

    def configure(self, file, idle):
        text = f"ROUNDEL_UPDATE_URL={self.offer(file)}\\nROUNDEL_UPDATE_IDLE={idle}\\n"
        self.until(f"printf '{text}' > /etc/roundel/update.conf && sync")

    def refusal(self, file):
        """Returns the error that the panel reports for a bundle."""
        told = self.run(f"rauc install {self.offer(file)}")
        assert told.returncode != 0, told
        return (told.stdout + told.stderr).lower()

    def light(self, picture):
        """Switches the lamp on with a touch, or by command where QEMU has no touchscreen."""
        if IS_CARD:
            self.until("roundel tap lamp")
        else:
            disks.lit(self.panel, disks.screen(self.panel, self.folder), self.folder)
        wait_for(self.panel, picture, self.folder, 60 if IS_CARD else 10)

    def until_good(self):
        self.until("systemctl is-active image-good.service")

    @property
    def choice(self):
        """The variables that the boot loader reads next."""
        place, size = partition(self.disk, "choice")
        with open(self.disk, "rb") as file:
            file.seek(place)
            return read_choice(file.read(size))


FIRST = {"current": "A", "trying": "", "tries": "", "bad": "B"}


@pytest.fixture
def machine(panel, disk, folder, key, server):
    return Machine(panel, disk, folder, key, server)


@pytest.fixture(scope="module")
def pictures(made, folder, kiosk, second):
    """The pictures of system A with the lamp off and on, and of system B with the lamp on."""
    kiosks = [kiosk, folder / "lit.yaml", folder / "second/lit.yaml"]
    for file, source in ((kiosks[1], kiosk), (kiosks[2], folder / "second/counter.yaml")):
        file.write_text(source.read_text().replace("lit: {value: false", "lit: {value: true"))
    return [rendered(file, made, folder) for file in kiosks]


@pytest.fixture
def lit(machine, pictures):
    """A machine in use: its lamp is on and its system is marked good."""
    machine.boot(pictures[0])
    machine.light(pictures[1])
    machine.until_good()
    return machine


def assert_kept(disk, folder, more_than=-1):
    values = kept(disk, folder)
    assert values["count"] == values["twin"] > more_than, values
    assert values["lit"] is True and len(values["long"]) == 20_000
    return values["count"]


def test_a_signed_update_is_installed_while_the_kiosk_is_idle_and_keeps_the_state(
        lit, panel, disk, folder, pictures, second, signer):
    machine, (_, shown, other) = lit, pictures
    assert machine.choice == FIRST

    # The last touch is less than `idle` seconds ago.
    machine.configure(second, 3600)
    assert "pre-install" in machine.refusal(second)
    machine.run("systemctl start image-update.service")
    assert machine.choice == FIRST

    # Idle now: one bundle has a foreign signature and one is damaged.
    machine.configure(second, 1)
    spoilt, foreign = folder / "spoilt.raucb", folder / "foreign.raucb"
    shutil.copy(second, spoilt)
    with open(spoilt, "r+b") as file:
        file.seek(100 << 20)
        file.write(bytes(4096))
    stranger = certified(folder, "stranger")
    foreign.unlink(missing_ok=True)
    subprocess.run(["rauc", "resign", f"--keyring={signer[1]}", f"--signing-keyring={stranger[1]}",
                    f"--cert={stranger[1]}", f"--key={stranger[0]}", second, foreign],
                   check=True, capture_output=True)
    assert "signature" in machine.refusal(foreign)
    assert machine.choice == FIRST
    machine.refusal(spoilt)
    assert machine.choice == FIRST

    # The kiosk has been idle for a second: the update is installed and the machine reboots.
    machine.offer(second)
    started = time.monotonic()
    machine.start("systemctl start image-update.service")
    wait_for(panel, other, folder, UPDATE)
    print(f"\n  installed and shown after {time.monotonic() - started:.0f} s")
    machine.until_good()
    assert machine.choice == {**FIRST, "current": "B", "bad": ""}
    assert "rauc.slot=B" in machine.run("cat /proc/cmdline").stdout

    # The same update is not installed again.
    machine.offer(second)
    machine.until("systemctl start image-update.service")
    assert machine.choice == {**FIRST, "current": "B", "bad": ""}
    panel.cut_power()
    assert_kept(disk, folder)
    machine.boot(other)


@pytest.mark.parametrize("bad", BAD, indirect=True)
def test_a_system_without_a_working_kiosk_falls_back_to_the_previous_system(lit, panel, disk, folder, pictures, bad):
    machine, shown = lit, pictures[1]
    machine.configure(bad, 1)
    started = time.monotonic()
    machine.start("systemctl start image-update.service")
    while machine.choice["tries"] not in ("0", "2"):
        assert time.monotonic() < started + UPDATE
        time.sleep(1)
    print(f"\n  started for the first time after {time.monotonic() - started:.0f} s")
    # GRUB tries an unreadable kernel only once.
    while machine.choice["tries"] != ("2" if "linux" in bad.name else "0"):
        assert time.monotonic() < started + 3 * UPDATE
        time.sleep(1)
    time.sleep(5)
    wait_for(panel, shown, folder, UPDATE)
    machine.until("grep rauc.slot=A /proc/cmdline")
    print(f"  given up, and the one before is shown after {time.monotonic() - started:.0f} s")
    machine.until_good()
    assert machine.choice["current"] == "A"

    # The system is not tried again.
    if machine.choice["tries"] == "0":
        machine.offer(bad)
        machine.until("systemctl start image-update.service")
        assert (machine.choice["current"], machine.choice["tries"]) == ("A", "0")
    panel.cut_power()
    assert_kept(disk, folder)


def test_after_a_power_cut_during_an_update_one_system_boots_and_the_state_is_intact(
        lit, panel, disk, folder, pictures, second, made, signer):
    machine, systems = lit, pictures[1:]
    first = folder / "first.raucb"
    if not first.exists():
        copy_partition(made, "root-a", folder / "first.img")
        bundle(folder / "first.img", first, COMPATIBLE, 100, *signer)
    machine.configure(second, 1)
    chance, span, count, shown = random.Random(int(os.environ.get("ROUNDEL_UPDATE_SEED", 1))), None, -1, 0
    for cut in range(CUTS + 1):
        place = machine.offer((second, first)[shown])
        began = time.monotonic()
        machine.start(f"rauc install {place} && systemctl reboot")
        if span is None:  # how long it takes undisturbed
            wait_for(panel, systems[1 - shown], folder, UPDATE)
            machine.until_good()
            span = time.monotonic() - began
            shown = 1 - shown
            print(f"\n  an update takes {span:.0f} s", flush=True)
            continue
        time.sleep(chance.uniform(0, span))
        took = time.monotonic() - began
        panel.cut_power()
        left = machine.choice
        count = assert_kept(disk, folder, count)
        again = machine.boot(systems)
        shown = systems.index(wait_for(panel, systems, folder, 1))
        machine.until_good()
        print(f"  cut {cut} after {took:.0f} s, {left}: system {shown + 1} is shown after {again:.0f} s", flush=True)


def test_a_power_cut_after_any_write_of_an_update_leaves_a_complete_system_to_boot(
        machine, panel, disk, folder, pictures, second, second_root):
    # Without `bad=B`, system B might be the previous system.
    forget_bad(disk)
    before = folder / "before.img"
    subprocess.run(["cp", "--sparse=always", disk, before], check=True)
    log = machine.log = folder / "writes.log"
    log.unlink(missing_ok=True)
    machine.boot(pictures[0])
    machine.light(pictures[1])
    machine.until_good()
    machine.until("sync")
    time.sleep(2)
    began = log.stat().st_size
    machine.configure(second, 1)
    machine.start("systemctl start image-update.service")
    wait_for(panel, pictures[2], folder, UPDATE)
    machine.until_good()
    time.sleep(2)
    panel.cut_power()
    choices = cut_after_writes(log, began, before, second_root, folder)
    assert choices[0] == {**FIRST, "bad": "B"} and choices[1] == {**FIRST, "trying": "B", "tries": "3", "bad": ""}
    assert choices[2] == {**choices[1], "tries": "2"} and choices[-1] == {**FIRST, "current": "B", "bad": ""}


def forget_bad(disk):
    """Clears the variable `bad` of the choice on a disk."""
    place, size = partition(disk, "choice")
    with open(disk, "r+b") as file:
        file.seek(place)
        content = file.read(size)
        file.seek(place)
        file.write(content.replace(b"bad=B\n#", b"bad=\n##"))


def cut_after_writes(log, began, before, root, folder):
    """Simulates power cuts after random writes of an update, which begins at offset `began` in the log. A cut loses
    some of the writes that were not flushed. After each cut the loader chooses a system that is not marked bad,
    system B is complete unless it is marked bad or still empty, and the kiosk's values are intact. Returns the
    successive choices."""
    entries = list(writes(log))
    places = {name: partition(before, name) for name in ("boot", "choice", "root-a", "root-b", "state")}

    def touches(entry, name):
        place, size = places[name]
        return entry[3] and entry[1] < place + size and place < entry[1] + entry[3]

    # Nothing ever writes to the boot loader or to the running system.
    assert not [entry for entry in entries if touches(entry, "boot") or touches(entry, "root-a")]
    update = [number for number, entry in enumerate(entries) if entry[2] >= began]
    switches = [number for number in update if touches(entries[number], "choice")]

    chance = random.Random(int(os.environ.get("ROUNDEL_UPDATE_SEED", 1)))
    near = [number + more for number in switches for more in range(-8, 9) if number + more in update[1:-1]]
    cuts = sorted([*chance.sample(near, min(len(near), WRITES // 2)),
                   *(chance.choice(update) for _ in range(WRITES - min(len(near), WRITES // 2)))])
    whole = root.read_bytes()
    nothing = bytes(len(whole))
    found, safe, base = {"A": 0, "B": 0}, 0, folder / "cut.img"
    subprocess.run(["cp", "--sparse=always", before, base], check=True)
    with open(log, "rb") as source, open(base, "r+b") as target:

        def apply(entry, file):
            source.seek(entry[2])
            file.seek(entry[1])
            file.write(source.read(entry[3]))

        # A memory card has no cache to flush: every write but the last is safe.
        has_cache = any(entry[0] for entry in entries)
        for cut in cuts:
            flushed = max((number + 1 for number in range(safe, cut + 1) if entries[number][0]),
                          default=safe if has_cache else cut)
            for entry in entries[safe:flushed]:
                apply(entry, target)
            safe = flushed
            target.flush()
            # Some of the unflushed writes reach the disk.
            view = Overlay(base, source, [entry for entry in entries[safe:cut + 1] if chance.random() < 0.7])
            choice = read_choice(view.read(*places["choice"]))
            slot = choice["trying"] if choice["tries"] in ("1", "2", "3") else choice["current"]
            assert choice["current"] != choice["bad"] and slot != choice["bad"], (cut, choice)
            found[slot] += 1
            if choice["bad"] != "B":
                system = view.read(places["root-b"][0], len(whole))
                assert system == whole or slot == "A" and system == nothing, (cut, choice)
            state = folder / "cut.ext4"
            state.write_bytes(view.read(*places["state"]))
            values = json.loads(FileSystem(state).read("roundel/counter.json"))["values"]
            assert values["count"] == values["twin"] and values["lit"] is True, (cut, values)

        print(f"\n  {len(update)} writes, {len(switches)} of them to the choice; {len(cuts)} cuts: {found}")
        # A card is written one sector at a time; most sectors contain no choice.
        written = [written_content(source, entries[number]) for number in switches]
        return [read_choice(content) for content in written if CHOICE_MARK in content]


def written_content(log, entry):
    log.seek(entry[2])
    return log.read(entry[3])


class Overlay:
    """A disk with some later writes applied."""

    def __init__(self, disk, log, entries):
        self.disk, self.log, self.entries = disk, log, entries

    def read(self, place, size):
        with open(self.disk, "rb") as file:
            file.seek(place)
            content = bytearray(file.read(size))
        for _, at, where, length in self.entries:
            first, last = max(at, place), min(at + length, place + size)
            if first < last:
                self.log.seek(where + first - at)
                content[first - place:last - place] = self.log.read(last - first)
        return bytes(content)
