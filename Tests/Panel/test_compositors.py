# SPDX-License-Identifier: MIT
"""A kiosk under a Wayland compositor that drives the panel: the units for cage and for Weston's kiosk shell."""

import json
import os
import time

import pytest
from conftest import FAULTS, KIOSK, Desk
from Rig.machine import Panel

pytestmark = pytest.mark.skipif(not FAULTS, reason="needs a larger image; Tests/Rig/faults 1 -k compositors runs it")
# Additional packages for the panel.
PACKAGES = ("cage", "dbus", "libpam-systemd", "seatd", "weston", "xwayland")
# The manual's settings for machines without a 3D engine, such as the virtual panel.
SETTINGS = {"cage": "WLR_RENDERER=pixman", "weston": "WESTON_ARGUMENTS=--use-pixman"}


@pytest.fixture(scope="module")
def panel(binary, no_leftovers):
    panel = Panel(f"test-compositors-{os.getpid()}")
    panel.boot(binary, KIOSK, more=PACKAGES)
    panel.wait_for_kiosk()
    # The virtual panel normally runs without these services.
    panel.ssh("rm -f /etc/systemd/system/systemd-logind.service; systemctl daemon-reload; "
              "systemctl start dbus systemd-logind seatd")
    yield panel
    panel.stop()


class Shown(Desk):
    """The desk of a kiosk under a compositor."""

    def __init__(self, compositor, *words):
        super().__init__(*words)
        self.compositor = compositor

    @property
    def unit(self):
        return f"roundel-{self.compositor}@{self.panel.state['kiosk']}.service"

    def start(self):
        folder = f"/run/systemd/system/roundel-{self.compositor}.service.d"
        self.panel.ssh(f"""mkdir -p {folder}
            printf '[Service]\\nEnvironment={SETTINGS[self.compositor]}\\n' > {folder}/panel.conf
            systemctl daemon-reload
            systemctl start {self.unit}""")

    def status(self):
        """The status from the default socket, which commands, --host and the bridge use."""
        return json.loads(self.panel.ssh("roundel status --json").stdout)

    def until(self, holds, what):
        deadline = time.monotonic() + 90
        while not holds():
            assert time.monotonic() < deadline, what
            time.sleep(0.5)

    def compositor_pid(self):
        return self.panel.ssh(f"systemctl show -P MainPID roundel-{self.compositor}.service").stdout

    def kiosk(self):
        """The process ID of the kiosk, not of the compositor."""
        return int(self.panel.ssh("pgrep -x roundel").stdout)

    def shows_anew(self, what):
        self.recording = []
        self.shows(self.rendered(), what, timeout=60)
        # The compositor opens the touchscreen, so wait for that.
        self.panel.ssh("for try in $(seq 100); do ls -l /proc/$(pgrep -xo 'cage|weston')/fd | grep -q input/ && exit; "
                       "sleep 0.1; done; exit 1", check=False)
        time.sleep(1)


@pytest.mark.parametrize("compositor", list(SETTINGS))
def test_a_kiosk_under_a_compositor_takes_touches_and_survives_crashes(panel, compositor, binary, tmp_path, capsys):
    desk = Shown(compositor, panel, binary, tmp_path)
    try:
        desk.start()
        desk.shows_anew(f"under {compositor}")
        for wedge in desk.wheel.enabled[:2]:
            desk.down(wedge)
            desk.shows_what_was_done(f"wedge held under {compositor}")
            desk.up()
            desk.shows_what_was_done(f"wedge chosen under {compositor}")
        tree = json.loads(panel.ssh("roundel tree --json").stdout)
        shown = next(page for page in tree["pages"] if page["shown"])
        wheel = next(control for control in shown["controls"] if control["kind"] == "pinwheel")
        assert wheel["properties"]["index"] >= 0  # the one that was chosen
        for victim in ("roundel", compositor) * max(1, FAULTS // 10):
            before = desk.compositor_pid()
            panel.ssh(f"pkill -9 -x {victim}")
            desk.shows_anew(f"after the end of {victim}")
            assert (desk.compositor_pid() == before) == (victim == "roundel")
            desk.down(desk.wheel.enabled[0])
            desk.shows_what_was_done(f"wedge held after the end of {victim}")
            desk.up()
            desk.shows_what_was_done("after it")
        hung, before = desk.kiosk(), desk.compositor_pid()
        panel.ssh(f"kill -STOP {hung}")
        desk.until(lambda: panel.ssh(f"pgrep -x roundel | grep -vx {hung}", check=False).stdout,
                   "the watchdog starts a kiosk again that hangs")
        desk.shows_anew("after a hang")
        assert desk.compositor_pid() == before
        # Five crashes and the hang are six failed starts.
        for _ in range(5):
            running = desk.kiosk()
            panel.ssh(f"kill -SEGV {running}")
            desk.until(lambda: panel.ssh(f"pgrep -x roundel | grep -vx {running} && roundel status --json",
                                         check=False).returncode == 0, "it is started again")
        assert desk.status()["stand_in"] == "page"
        assert "6 starts failed" in desk.status()["fault"]
        # The compositor stops with its kiosk.
        panel.ssh(f"systemctl stop {desk.unit}")
        desk.until(lambda: desk.compositor_pid() == "0\n", "the compositor ends")
    finally:
        said = panel.ssh(f"systemctl stop {desk.unit} roundel-{compositor}; "
                         f"journalctl -q -o cat -n 40 -u {desk.unit} -u roundel-{compositor}", check=False).stdout
        with capsys.disabled():
            print(f"\n{compositor}: {said[-1500:]}")
