# SPDX-License-Identifier: MIT
"""Runs the example suites on a booted panel, over ssh, with every way of touching."""

import json
import re

import pytest
from conftest import ARTIFACTS, FAULTS, TOP
from remote import Remote

SUITES = TOP / "deploy/examples/suites"
# The kiosk reports no touches on a PIN or a private keypad, so a live test of these would wait forever.
SECRET = {"door", "clinic"}
NAMES = sorted(path.stem for path in SUITES.glob("*.yaml") if path.stem not in SECRET)
# The ways of touching, and the examples tested with each. Tests/Rig/faults tests all ways with all examples, and
# Tests/Commands runs all examples without a panel.
WAYS = {"socket": {"shows", "guests"}, "uinput": {"shows"}, "qmp": {"coffee"}}
# Designed for a different panel size, so their pictures are not compared here.
OTHER_SIZES = {"bedside", "museum", "thermostat", "shower", "sauna", "guests", "stations",
               "espresso", "weather", "pendant"}
GLASS = "QEMU Virtio MultiTouch"


class Bench:
    """A panel that shows one example after another."""

    def __init__(self, panel, remote, binary):
        self.panel = panel
        self.remote = remote
        self.binary = binary

    def show(self, name):
        """Shows an example and waits until the kiosk has opened the touchscreen."""
        if name != self.panel.state["kiosk"]:
            self.panel.show(self.binary, TOP / f"deploy/examples/kiosks/{name}.yaml")
        wanted = json.dumps({"input": GLASS, "timeout": 20})
        assert json.loads(self.remote.run("call", "wait", wanted).stdout)["holds"]

    def touch(self, way):
        """The options for a way of touching."""
        path = f"{self.panel.folder}/qmp.sock"
        return [] if way == "socket" else ["--touch", f"qmp:{path}" if way == "qmp" else way]


@pytest.fixture(scope="module")
def bench(binary, machines):
    panel = machines.show(TOP / f"deploy/examples/kiosks/{NAMES[0]}.yaml")
    remote = Remote(panel, binary)
    yield Bench(panel, remote, binary)
    remote.close()


# Runs all ways of one example before the next example.
@pytest.mark.parametrize("way", list(WAYS))
@pytest.mark.parametrize("name", NAMES)
def test_the_suite_passes(bench, name, way):
    if way == "qmp" and bench.panel.state["touch"] != "virtio":
        pytest.skip("this QEMU has no touchscreen")
    if not FAULTS and name not in WAYS[way]:
        pytest.skip("some are enough for each way; Tests/Rig/faults takes all")
    bench.show(name)
    lines = bench.remote.run(
        "test", SUITES / f"{name}.yaml", *bench.touch(way),
        "--artifacts", ARTIFACTS / f"suites-{way}", timeout=400).stdout.splitlines()
    passed = [line for line in lines if line.startswith("ok ")]
    assert lines[1] == f"1..{len(passed)}"
    assert len([line for line in passed if "# SKIP" not in line]) > 2
    if name not in OTHER_SIZES:
        assert not [line for line in lines if line.startswith("# the picture")]


def test_the_touchscreen_of_a_test_disappears_afterwards(bench):
    bench.show(NAMES[0])
    assert "Roundel touchscreen" not in bench.panel.ssh("cat /proc/bus/input/devices").stdout
    inputs = json.loads(bench.remote.run("status", "--json").stdout)["inputs"]
    assert GLASS in inputs
    assert not [name for name in inputs if name.startswith("Roundel")]


def test_a_recording_plays_through_the_kernel(bench):
    bench.show("shows")
    bench.remote.run("restart")
    place = json.loads(
        bench.remote.run("call", "place", '{"target": "shows/hardball"}').stdout)["at"]
    recording = "".join(json.dumps(line) + "\n" for line in (
        {"t": 0.2, "down": {"finger": 0, "x": place[0], "y": place[1]}},
        {"t": 0.3, "up": {"finger": 0}}, {"t": 1, "end": True}))
    told = bench.panel.ssh(f"echo '{recording}' | runuser -u tester -- roundel touch --uinput")
    assert re.fullmatch(r'\{"touchscreen":"Roundel touchscreen \d+"\}\n', told.stdout)
    bench.remote.run("wait", "shows.item=hardball", "--timeout", "10")


def test_a_user_without_permission_to_create_a_touchscreen_gets_an_error(bench):
    refused = bench.panel.ssh(
        "chmod 600 /dev/uinput; echo | runuser -u tester -- roundel touch --uinput; "
        "code=$?; chmod 660 /dev/uinput; exit $code", check=False)
    assert refused.returncode == 77
    assert "no permission to open /dev/uinput" in refused.stderr
