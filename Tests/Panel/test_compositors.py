# SPDX-License-Identifier: MIT
"""A kiosk under a Wayland compositor that drives the panel: cage, and Weston's kiosk shell, by the units and
settings of the manual."""

import json
import os
import re
import time

import pytest
from conftest import FAULTS, KIOSK, TOP, Desk
from panel.machine import Panel

pytestmark = pytest.mark.skipif(not FAULTS, reason="needs a larger image; deploy/faults 1 -k compositors runs it")
# On the panel besides what is there usually.
PACKAGES = ("cage", "dbus", "libpam-systemd", "seatd", "weston", "xwayland")
SETTINGS = re.findall(r"```ini\n(.*?)```", (TOP / "deploy/manual/operating.md").read_text(), re.S)
UNIT = next(block for block in SETTINGS if "/usr/bin/cage" in block)
WESTON = next(block for block in SETTINGS if "kiosk-shell" in block)
BY_WESTON = next(block for block in SETTINGS if "/usr/bin/weston" in block)
# Without a 3D engine, which the virtual panel has not.
START = {"cage": "[Service]\nEnvironment=WLR_RENDERER=pixman\n",
         "weston": BY_WESTON.replace("ExecStart=", "Environment=\nExecStart=\nExecStart=")
                            .replace(".ini", ".ini --use-pixman")}


@pytest.fixture(scope="module")
def panel(binary, no_leftovers):
    panel = Panel(f"test-compositors-{os.getpid()}")
    panel.boot(binary, KIOSK, more=PACKAGES)
    panel.wait_for_kiosk()
    # Which the virtual panel does without otherwise.
    panel.ssh("rm -f /etc/systemd/system/systemd-logind.service; systemctl daemon-reload; "
              "systemctl start dbus systemd-logind seatd")
    yield panel
    panel.stop()


class Shown(Desk):
    """The desk of a kiosk that a compositor shows."""

    def __init__(self, compositor, *words):
        super().__init__(*words)
        self.compositor = compositor

    @property
    def unit(self):
        return f"roundel-cage@{self.panel.state['kiosk']}.service"

    def put_in(self):
        name = self.panel.state["kiosk"]
        script = f"#!/bin/sh\nexec roundel run --socket /run/roundel/control.sock --display wayland /etc/roundel/{name}.yaml\n"
        files = {"/etc/systemd/system/roundel-cage@.service": UNIT,
                 f"/run/systemd/system/{self.unit}.d/panel.conf": START[self.compositor],
                 "/etc/roundel/weston.ini": WESTON.replace("lunch", name),
                 f"/usr/local/bin/{name}": script}
        for place, text in files.items():
            self.panel.ssh(f"mkdir -p $(dirname {place}); cat > {place} <<'END'\n{text}END")
        self.panel.ssh(f"chmod 755 /usr/local/bin/{name}; systemctl daemon-reload; "
                       f"systemctl stop roundel@{name}; systemctl start {self.unit}")

    def kiosk(self):
        """The process of the kiosk: not the compositor's."""
        return int(self.panel.ssh("pgrep -x roundel").stdout)

    def shows_anew(self, what):
        self.recording = []
        self.shows(self.rendered(), what, timeout=60)
        # Fingers come by the compositor, which opens the touchscreen.
        self.panel.ssh("for try in $(seq 100); do ls -l /proc/$(pgrep -xo 'cage|weston')/fd | grep -q input/ && exit; "
                       "sleep 0.1; done; exit 1", check=False)
        time.sleep(1)


@pytest.mark.parametrize("compositor", list(START))
def test_a_kiosk_under_a_compositor_is_shown_touched_and_comes_back(panel, compositor, binary, tmp_path, capsys):
    desk = Shown(compositor, panel, binary, tmp_path)
    desk.put_in()
    try:
        desk.shows_anew(f"under {compositor}")
        for wedge in desk.wheel.enabled[:2]:
            desk.down(wedge)
            desk.shows_what_was_done(f"wedge held under {compositor}")
            desk.up()
            desk.shows_what_was_done(f"wedge chosen under {compositor}")
        # Where commands, --host and the bridge look for it.
        tree = json.loads(panel.ssh("roundel tree --json --socket /run/roundel/control.sock").stdout)
        shown = next(page for page in tree["pages"] if page["shown"])
        wheel = next(control for control in shown["controls"] if control["kind"] == "pinwheel")
        assert wheel["properties"]["index"] >= 0  # the one that was chosen
        # The compositor ends with the kiosk, and the kiosk with the compositor; the unit starts both.
        for victim in ("roundel", compositor) * max(1, FAULTS // 10):
            panel.ssh(f"pkill -9 -x {victim}")
            desk.shows_anew(f"after the end of {victim}")
            desk.down(desk.wheel.enabled[0])
            desk.shows_what_was_done(f"wedge held after the end of {victim}")
            desk.up()
            desk.shows_what_was_done("after it")
    finally:
        said = panel.ssh(f"systemctl stop {desk.unit}; journalctl -q -o cat -n 40 -u {desk.unit}; "
                         f"rm -r /run/systemd/system/{desk.unit}.d", check=False).stdout
        with capsys.disabled():
            print(f"\n{compositor}: {said[-1500:]}")
