# SPDX-License-Identifier: MIT
"""Fixtures: a booted panel per kind of display controller, and what the kiosk should look like."""

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

# Two sizes, so that one of them is not the kiosk's own and the picture is scaled and centred.
PANELS = {"virtio": (1280, 800), "bochs": (1024, 600)}


# What has to do with the kind of card: deploy/test runs these on each, the others on one.
ON_EVERY_CARD = {"test_panel", "test_images", "test_controls", "test_outside", "test_drivers"}

# A number of faults of each kind, for Tests/Rig/faults; without it, what is the same on every card or by
# every way of fingers is tested on one, and what takes long is left out.
FAULTS = int(os.environ.get("ROUNDEL_FAULTS", 0))

# For Tests/Rig/drivers; without it, two drivers and a part of what is done to them.
DRIVERS = "ROUNDEL_DRIVERS" in os.environ


def pytest_configure(config):
    # Who is told to end switches the panels off first.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    config.addinivalue_line("markers", "drivers: left to Tests/Rig/drivers")
    config.addinivalue_line("markers", "one_card: has nothing to do with the kind of card")
    if not os.access(os.environ.get("ROUNDEL_BINARY", ""), os.X_OK):
        raise pytest.UsageError("ROUNDEL_BINARY must name the release binary of roundel")


def pytest_collection_modifyitems(items):
    """Those that look at a machine which has just booted come first."""
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
        """The events, short: (kind, item)."""
        return [(event["event"], event.get("item")) for event in self.events() if "event" in event]

    def wait_for(self, *expected, timeout=15):
        """Waits until exactly those events, in any order, were told; fails on any other.

        A choice is confirmed when its blink is over: that comes later, and is not looked at."""
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
    """What vkms, which nobody sees from outside, says of the frame that it scans out: see Picture.vkms_sum."""
    line = panel.ssh(f"{DEBUGFS}; timeout 30 head -n 1 /sys/kernel/debug/dri/0/crtc-0/crc/data").stdout
    return int(line.split()[1], 16)


class Desk:
    """A booted panel, with an eye on its screen and fingers for its wedges.

    All that is done to the kiosk since its start is kept as a recording; what the screen should
    show is what the same program shows, without a display, when it replays that.
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

    # What it should look like.

    def _roundel(self, *words):
        width, height = self.size
        depth = sum(self.panel.graphics.bits)
        dithered = ["--depth", str(depth)] if depth < 24 else []
        subprocess.run([self.binary, *words, "--size", f"{width}x{height}", *dithered], check=True,
                       stdout=subprocess.DEVNULL)

    def _seen(self, picture):
        """The picture in the colours that the panel has."""
        graphics = self.panel.graphics
        return (picture.grey() if graphics.is_grey else picture).reduced(graphics.bits)

    def rendered(self):
        """The first frame."""
        self._roundel("render", KIOSK, "-o", self.scratch / "first.png")
        return self._seen(Picture.read_png(self.scratch / "first.png"))

    def expected(self, after=1.0):
        """The frame some seconds after the last thing done."""
        t = self._now() + after
        lines = [{"t": 0, "size": self.wheel.design}, *self.recording, {"t": t, "shot": "shot.png"}, {"t": t, "end": True}]
        file = self.scratch / "recording.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        self._roundel("replay", KIOSK, file, "--shots", self.scratch)
        return self._seen(Picture.read_png(self.scratch / "shot.png"))

    def _now(self):
        return self.recording[-1]["t"] if self.recording else 0

    # What it looks like.

    def screen(self, head=0):
        file = self.scratch / "screen.ppm"
        self.panel.screendump(file, head)
        return self._seen(Picture.read_ppm(file))

    def shows(self, expected, what, timeout=15):
        """Waits until the screen is exactly that picture; keeps the evidence where it is not."""
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

    # What is done to it.

    def down(self, wedge, finger=0):
        self._touch("down", finger, self.wheel.middle(wedge))

    def move(self, wedge, finger=0):
        self._touch("move", finger, self.wheel.middle(wedge))

    def up(self, finger=0):
        self._touch("up", finger)

    def key(self, key, code):
        """A key of the panel's keyboard: by the kiosk's name and by QEMU's."""
        self.panel.qmp("send-key", keys=[{"type": "qcode", "data": code}])
        self.recording.append({"t": self._now() + 2, "key": key})

    def _touch(self, kind, finger, point=None):
        on_panel = point and self.wheel.on_panel(point, self.size)
        self.panel.touch(kind, finger, on_panel)
        self._did(kind, finger, point)

    def _did(self, kind, finger, point=None):
        place = {"x": point[0], "y": point[1]} if point else {}
        # Two seconds apart: whatever moves has come to rest.
        self.recording.append({"t": self._now() + 2, kind: {"finger": finger, **place}})

    def unplug_touchscreen(self):
        fingers = self.panel.state["fingers"]
        self.panel.unplug_touchscreen()
        for finger in fingers:
            self._did("cancel", finger)

    # The machine around it.

    def journal(self):
        return Journal(self.panel)

    def framebuffers(self):
        """How many pictures of the kiosk the card has."""
        listed = self.panel.ssh(f"{DEBUGFS}; cat /sys/kernel/debug/dri/0/framebuffer").stdout
        return listed.count("allocated by = roundel")

    def shared_memory(self):
        """Bytes of the machine's memory that are shared, buffers of cards included."""
        return int(self.panel.ssh("sed -n 's/^Shmem: *\\([0-9]*\\) kB/\\1/p' /proc/meminfo").stdout) << 10

    def main_pid(self):
        return int(self.panel.ssh(f"systemctl show -P MainPID {self.unit}").stdout)

    def started_again(self):
        """The kiosk runs anew and knows nothing of what was done before."""
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
    """Stops the panels of test runs that were killed."""
    for folder in running_folder("any").parent.glob("test-*-*"):
        if not Path("/proc", folder.name.rpartition("-")[2]).exists():
            Panel(folder.name).stop()


class Machines:
    """Booted panels, by what they are made of: a boot takes half a minute."""

    def __init__(self, binary):
        self._binary = binary
        self._panels = {}

    def show(self, file, gpu="virtio", size=PANELS["virtio"]):
        """The panel of that kind, which shows the kiosk of a file from its beginning. One whose machine broke is
        booted once more: an emulated processor on a busy machine may do that, the kiosk does not."""
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
        """Switches off those of these kinds, or all."""
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
    """A display controller of each kind."""
    gpu = request.param
    panel = machines.show(KIOSK, gpu, PANELS[gpu])
    return Desk(panel, binary, tmp_path_factory.mktemp(gpu))


@pytest.fixture
def desk(booted):
    """The panel, at rest and with no finger on it before and after each test."""
    booted.shows_what_was_done("before the test")
    booted.panel.wait_for_touchscreen()
    yield booted
    for finger in list(booted.panel.state["fingers"]):
        booted.up(finger)


@pytest.fixture
def recorder(panel, binary, tmp_path):
    """A recorder on a module's panel, whose kiosk has just begun."""
    unit = f"roundel@{panel.state['kiosk']}.service"
    panel.ssh(f"systemctl restart {unit}")
    panel.wait_for_touchscreen()
    return Recorder(panel, binary, tmp_path, Journal(panel))
