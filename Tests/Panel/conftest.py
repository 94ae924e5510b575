# SPDX-License-Identifier: MIT
"""Fixtures: a booted panel for each display controller, and the pictures that the kiosk must show."""

import json
import os
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path[:0] = [str(HERE), str(TOP / "deploy"), str(TOP / "Tests")]

from kiosk import Pinwheel  # noqa: E402
from Rig.machine import MachineGone, Panel, running_folder  # noqa: E402
from picture import Picture  # noqa: E402
from recorder import Recorder  # noqa: E402

KIOSK = Path(os.environ.get("ROUNDEL_KIOSK", TOP / "deploy/examples/kiosks/shows.yaml"))
ARTIFACTS = TOP / "artifacts" / "panel"

# Only one of the two sizes is the kiosk's own, so the other picture is scaled and centred.
PANELS = {"virtio": (1280, 800), "bochs": (1024, 600)}


# Tests that depend on the kind of card: deploy/test runs these on each card and the others on the first.
ON_EVERY_CARD = {"test_panel", "test_images", "test_controls", "test_outside", "test_drivers"}

# The number of faults of each kind for Tests/Rig/faults. Without it, tests that are the same on every card or with
# every way of touching run once, and slow tests are skipped.
FAULTS = int(os.environ.get("ROUNDEL_FAULTS", 0))

# Set by Tests/Rig/drivers; without it, tests use two drivers and skip some steps.
DRIVERS = "ROUNDEL_DRIVERS" in os.environ


def pytest_configure(config):
    # Stops the panels on SIGTERM.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    config.addinivalue_line("markers", "drivers: left to Tests/Rig/drivers")
    config.addinivalue_line("markers", "one_card: has nothing to do with the kind of card")
    if not os.access(os.environ.get("ROUNDEL_BINARY", ""), os.X_OK):
        raise pytest.UsageError("ROUNDEL_BINARY must name the release binary of roundel")


def pytest_collection_modifyitems(items):
    """Runs tests that need a freshly booted machine first."""
    first = ["test_panel", "test_outside"]
    items.sort(key=lambda item: first.index(item.path.stem) if item.path.stem in first else len(first))
    if not DRIVERS:
        for item in items:
            if item.get_closest_marker("drivers"):
                item.add_marker(pytest.mark.skip(reason="Tests/Rig/drivers does it"))
    if FAULTS:
        return
    skip = pytest.mark.skip(reason="one card is enough; Tests/Rig/faults takes all")
    for item in items:
        card = getattr(item, "callspec", None) and item.callspec.params.get("booted")
        is_for_all = item.path.stem in ON_EVERY_CARD and not item.get_closest_marker("one_card")
        if not is_for_all and card not in (None, next(iter(PANELS))):
            item.add_marker(skip)


class Journal:
    """The events that the kiosk reports from now on."""

    def __init__(self, panel):
        self._panel = panel
        self._before = 0
        self._before = len(self._lines())

    def _lines(self):
        unit = f"roundel@{self._panel.state['kiosk']}.service"
        shown = self._panel.ssh(f"journalctl -q -o cat -u {unit} _TRANSPORT=stdout").stdout
        return shown.splitlines()[self._before:]

    def events(self):
        return [json.loads(line) for line in self._lines() if line.startswith("{")]

    def told(self):
        """The events as (kind, item)."""
        return [(event["event"], event.get("item")) for event in self.events() if "event" in event]

    def wait_for(self, *expected, timeout=15):
        """Waits for exactly these events, in any order; fails on any other. Ignores `confirmed`, which comes later,
        at the end of the blink."""
        deadline = time.monotonic() + timeout
        while True:
            told = [event for event in self.told() if event[0] != "confirmed"]
            if sorted(told) == sorted(expected):
                return self.events()
            if len(told) >= len(expected) or time.monotonic() > deadline:
                pytest.fail(f"events: {told}; expected {list(expected)}")
            time.sleep(0.2)


DEBUGFS = "mountpoint -q /sys/kernel/debug || mount -t debugfs debugfs /sys/kernel/debug"


def vkms_sum(panel):
    """The checksum that vkms reports for the current frame, which no screendump can read: see Picture.vkms_sum."""
    line = panel.ssh(f"{DEBUGFS}; timeout 30 head -n 1 /sys/kernel/debug/dri/0/crtc-0/crc/data").stdout
    return int(line.split()[1], 16)


class Desk:
    """A booted panel whose screen can be read and whose wedges can be touched.

    Records all input since the start of the kiosk. The program replays the recording without a display; the screen
    must show the same picture.
    """

    def __init__(self, panel, binary, scratch):
        self.panel = panel
        self.binary = binary
        self.scratch = scratch
        self.size = tuple(panel.state["size"])
        self.recording = []

    @property
    def wheel(self):
        return Pinwheel(KIOSK, self.size)

    @property
    def unit(self):
        return f"roundel@{self.panel.state['kiosk']}.service"

    # Expected pictures

    def _roundel(self, *words):
        width, height = self.size
        depth = sum(self.panel.graphics.bits)
        dithered = ["--depth", str(depth)] if depth < 24 else []
        subprocess.run([self.binary, *words, "--size", f"{width}x{height}", *dithered], check=True,
                       stdout=subprocess.DEVNULL)

    def _seen(self, picture):
        """The picture in the colours of the panel."""
        graphics = self.panel.graphics
        return (picture.grey() if graphics.is_grey else picture).reduced(graphics.bits)

    def rendered(self):
        """The first frame."""
        self._roundel("render", KIOSK, "-o", self.scratch / "first.png")
        return self._seen(Picture.read_png(self.scratch / "first.png"))

    def expected(self, after=1.0):
        """The frame `after` seconds after the last input."""
        t = self._now() + after
        lines = [{"t": 0, "size": self.wheel.design}, *self.recording, {"t": t, "shot": "shot.png"}, {"t": t, "end": True}]
        file = self.scratch / "recording.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        self._roundel("replay", KIOSK, file, "--shots", self.scratch)
        return self._seen(Picture.read_png(self.scratch / "shot.png"))

    def _now(self):
        return self.recording[-1]["t"] if self.recording else 0

    # Actual pictures

    def screen(self, head=0):
        file = self.scratch / "screen.ppm"
        self.panel.screendump(file, head)
        return self._seen(Picture.read_ppm(file))

    def shows(self, expected, what, timeout=15):
        """Waits until the screen is exactly `expected`; saves the pictures on failure."""
        deadline = time.monotonic() + timeout
        if not self.panel.graphics.is_seen:
            while vkms_sum(self.panel) != expected.vkms_sum:
                assert time.monotonic() < deadline, f"{what}: the frame is another"
            return
        while (seen := self.screen()) != expected:
            if time.monotonic() > deadline:
                ARTIFACTS.mkdir(parents=True, exist_ok=True)
                name = f"{self.panel.state['gpu']}-{what.replace(' ', '-')}"
                marks, sentence = seen.difference(expected)
                kept = {"seen": seen, "expected": expected, "difference": marks}
                for kind, picture in kept.items():
                    picture.write_png(ARTIFACTS / f"{name}-{kind}.png")
                said = self.panel.ssh(f"journalctl -n 10 -o cat -u {self.unit}", check=False).stdout
                pytest.fail(f"{what}: {sentence}; see {ARTIFACTS}/{name}-*.png\n{said}")
            time.sleep(0.02)

    def shows_what_was_done(self, what):
        self.shows(self.expected(), what)

    # Input

    def down(self, wedge, finger=0):
        self._touch("down", finger, self.wheel.middle(wedge))

    def move(self, wedge, finger=0):
        self._touch("move", finger, self.wheel.middle(wedge))

    def up(self, finger=0):
        self._touch("up", finger)

    def key(self, key, code):
        """Presses a key on the panel's keyboard: `key` is the kiosk's name, `code` is QEMU's."""
        self.panel.qmp("send-key", keys=[{"type": "qcode", "data": code}])
        self.recording.append({"t": self._now() + 2, "key": key})

    def _touch(self, kind, finger, point=None):
        on_panel = point and self.wheel.on_panel(point, self.size)
        self.panel.touch(kind, finger, on_panel)
        self._did(kind, finger, point)

    def _did(self, kind, finger, point=None):
        place = {"x": point[0], "y": point[1]} if point else {}
        # Two seconds apart, so all animations have ended.
        self.recording.append({"t": self._now() + 2, kind: {"finger": finger, **place}})

    def unplug_touchscreen(self):
        fingers = self.panel.state["fingers"]
        self.panel.unplug_touchscreen()
        for finger in fingers:
            self._did("cancel", finger)

    # The machine

    def journal(self):
        return Journal(self.panel)

    def framebuffers(self):
        """The number of frame buffers that the kiosk has on the card."""
        listed = self.panel.ssh(f"{DEBUGFS}; cat /sys/kernel/debug/dri/0/framebuffer").stdout
        return listed.count("allocated by = roundel")

    def shared_memory(self):
        """The machine's shared memory in bytes, including buffers of cards."""
        return int(self.panel.ssh("sed -n 's/^Shmem: *\\([0-9]*\\) kB/\\1/p' /proc/meminfo").stdout) << 10

    def main_pid(self):
        return int(self.panel.ssh(f"systemctl show -P MainPID {self.unit}").stdout)

    def started_again(self):
        """Waits until the restarted kiosk shows its first frame."""
        self.recording = []
        self.shows(self.rendered(), "after a new start")
        self.panel.wait_for_touchscreen()

    def restart(self, *before):
        lines = [*before, "systemctl daemon-reload", f"systemctl restart {self.unit}"]
        self.panel.ssh("\n".join(lines), check=False)


@pytest.fixture(scope="session")
def binary():
    return Path(os.environ["ROUNDEL_BINARY"]).resolve()


@pytest.fixture(scope="session")
def no_leftovers():
    """Stops the panels of killed test runs."""
    for folder in running_folder("any").parent.glob("test-*-*"):
        if not Path("/proc", folder.name.rpartition("-")[2]).exists():
            Panel(folder.name).stop()


class Machines:
    """Booted panels by kind and size: a boot takes half a minute."""

    def __init__(self, binary):
        self._binary = binary
        self._panels = {}

    def show(self, file, gpu="virtio", size=PANELS["virtio"]):
        """Returns the panel of this kind, showing the kiosk file from the start. Boots the panel again if its
        machine broke: an emulated processor on a busy machine may fail."""
        try:
            return self._show(file, gpu, size)
        except MachineGone as error:
            warnings.warn(f"booted anew: {error}")
            self.stop((gpu, size))
            return self._show(file, gpu, size)

    def _show(self, file, gpu, size):
        kind = (gpu, size)
        if kind in self._panels:
            self._panels[kind].show(self._binary, file)
        else:
            self._panels[kind] = Panel(f"test-{gpu}{size[0]}-{os.getpid()}")
            self._panels[kind].boot(self._binary, file, gpu=gpu, size=size)
        panel = self._panels[kind]
        panel.wait_for_kiosk()
        panel.wait_for_touchscreen()
        panel.file = file
        return panel

    def stop(self, *kinds):
        """Stops these panels, or all."""
        for kind in kinds or list(self._panels):
            self._panels.pop(kind).stop()


@pytest.fixture(scope="session")
def machines(binary, no_leftovers):
    machines = Machines(binary)
    try:
        yield machines
    finally:
        machines.stop()


@pytest.fixture(scope="session", params=list(PANELS))
def booted(request, binary, tmp_path_factory, machines):
    """A desk for each display controller."""
    gpu = request.param
    panel = machines.show(KIOSK, gpu, PANELS[gpu])
    return Desk(panel, binary, tmp_path_factory.mktemp(gpu))


@pytest.fixture
def desk(booted):
    """A panel at rest without fingers, before and after each test."""
    booted.shows_what_was_done("before the test")
    booted.panel.wait_for_touchscreen()
    yield booted
    for finger in list(booted.panel.state["fingers"]):
        booted.up(finger)


@pytest.fixture
def recorder(panel, binary, tmp_path):
    """A recorder on a module's panel with a restarted kiosk."""
    unit = f"roundel@{panel.state['kiosk']}.service"
    panel.ssh(f"systemctl restart {unit}")
    panel.wait_for_touchscreen()
    return Recorder(panel, binary, tmp_path, Journal(panel))
