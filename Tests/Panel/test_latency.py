# SPDX-License-Identifier: MIT
"""Measures how long a touch on a dial takes to appear on the screen, stage by stage, on a display with vertical
blanks (vkms) and on a display without (virtio). Prints the times, but does not test them, because the machine is
emulated."""

import json
import math
import os
import shutil
import subprocess
import time

import pytest
from conftest import TOP, vkms_sum
from Rig import touchscreen
from Rig.qmp import QMP
from picture import Picture

SIZE = (1280, 800)
CENTRE = (640, 400)
# Under emulation, a frame of the timer takes several intervals. A frame of the small dial fits into an interval, so
# it shows whether frames start in time for their blanks.
SMALL = """\
  - page: small
    controls:
      - {dial: few, at: [640, 400], radius: 60, labels: 12, font_size: 16, label_offset: 14}
"""
STAGES = ["kernel_to_reader", "reader_to_paint", "paint", "commit_to_flip"]


class Timer:
    """The timer and a small dial on a booted panel."""

    def __init__(self, panel, file):
        self.panel = panel
        self.file = file
        self.gpu = panel.state["gpu"]

    def ask(self, command):
        socket = "/run/roundel/control.sock"
        return json.loads(self.panel.ssh(f"roundel {command} --socket {socket} --json").stdout)

    def begin(self, page):
        """Restarts the kiosk, which clears the latencies, and shows a page."""
        self.panel.ssh(f"systemctl restart roundel@{self.panel.state['kiosk']}.service")
        self.panel.wait_for_touchscreen()
        self.ask(f"go {page}")
        self.ask("wait --still --timeout 20")

    def drag(self, radius, seconds, pause=0.008):
        """Moves a finger back and forth on the dial, with a rest before the release."""
        def place(turned):
            angle = math.radians(150 * math.sin(turned))
            return (CENTRE[0] + radius * math.sin(angle), CENTRE[1] - radius * math.cos(angle))

        start = time.monotonic()
        with QMP(self.panel.folder / "qmp.sock") as qmp:
            def send(events):
                qmp.execute("input-send-event", events=events)

            send(touchscreen.down(0, place(0), SIZE, first=True))
            while (passed := time.monotonic() - start) < seconds:
                send(touchscreen.move(0, place(2 * passed), SIZE))
                time.sleep(pause)
            time.sleep(0.5)
            send(touchscreen.up(0, last=True))
        self.ask("wait --still --timeout 20")


@pytest.fixture(scope="module", params=["vkms", "virtio"])
def timer(request, machines, tmp_path_factory):
    kiosks, file = TOP / "deploy/examples/kiosks", tmp_path_factory.mktemp("latency") / "timer.yaml"
    file.write_text((kiosks / "timer.yaml").read_text() + SMALL)
    shutil.copytree(kiosks / "timer", file.parent / "timer")
    return Timer(machines.show(file, request.param, SIZE), file)


def test_vkms_scans_out_exactly_the_first_frame(timer, binary, tmp_path):
    if timer.gpu != "vkms":
        pytest.skip("seen by screendump")
    file = tmp_path / "first.png"
    subprocess.run([binary, "render", timer.file, "-o", file], check=True)
    assert vkms_sum(timer.panel) == Picture.read_png(file).vkms_sum


@pytest.mark.parametrize("page, radius", [("timer", 300), ("small", 50)])
def test_the_kiosk_measures_each_stage_of_a_drag(page, radius, timer, capsys):
    timer.begin(page)
    before = timer.ask("status")
    timer.drag(radius, 6)
    status, latency = timer.ask("status"), timer.ask("latency")
    frames = {name: count - before["frames"][name] for name, count in status["frames"].items()}

    def row(name, stage):
        times = "".join(f"{stage[share] * 1000:9.2f}"
                        for share in ("median", "p95", "p99", "worst"))
        return f"{name:18}{stage['count']:8}{times}"

    with capsys.disabled():
        print(f"\n{f'{timer.gpu}, {page}, ms':18}{'touches':>8}{'median':>9}{'95 %':>9}{'99 %':>9}{'worst':>9}")
        print("\n".join(row(name, latency[name]) for name in [*STAGES, "total"]))
        print(f"{frames['shown']} frames, {frames['timed']} of them at a vertical blank, "
              f"{frames['late']} later than meant")

    total = latency["total"]
    assert total["count"] > 50 and frames["shown"] > 20
    assert {latency[stage]["count"] for stage in STAGES} == {total["count"]}
    for share in ("median", "p95", "p99", "worst"):
        for stage in STAGES:
            assert 0 <= latency[stage][share] <= total[share], f"{stage}, {share}"
    # Each value is exact to 3 percent.
    assert total["worst"] <= 1.04 * sum(latency[stage]["worst"] for stage in STAGES)
    assert status["latency"] == total

    blanks, timed = status["display"]["blanks"], frames["timed"]
    assert status["display"]["vblank"] == (blanks == "panel")
    if timer.gpu == "vkms":
        # The blanks of vkms come from a timer. The kiosk detects that after one second of frames without a long
        # pause; slow frames may prevent this.
        assert blanks == "timer" or page == "timer"
        assert timed == frames["shown"] if blanks == "panel" else 0 < timed < frames["shown"]
    else:
        assert blanks == "none"
        assert timed == 0
