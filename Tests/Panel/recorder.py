# SPDX-License-Identifier: MIT
"""Records input on a panel and compares the result with a replay."""

import json
import subprocess
import time

from picture import Picture

SOCKET = "/run/roundel/control.sock"


class Recorder:
    """Records the touches that the panel's kernel reports and the events of the kiosk."""

    def __init__(self, panel, binary, scratch, journal):
        self._panel, self._binary, self._scratch = panel, binary, scratch
        self.journal = journal
        panel.ssh(f"rm -f /run/taps.jsonl; systemd-run -q --collect --unit=recorder "
                  f"roundel record --socket {SOCKET} -o /run/taps.jsonl")
        self._wait(lambda: json.loads(
            panel.ssh(f"roundel status --socket {SOCKET} --json").stdout)["clients"] >= 2)

    def _wait(self, holds, timeout=60):
        deadline = time.monotonic() + timeout
        while not holds():
            assert time.monotonic() < deadline, f"told so far: {self.journal.events()}"
            time.sleep(0.2)

    def until_told(self, *expected):
        """Waits until the kiosk has reported all these events, as (control, event)."""
        def told():
            seen = [(event.get("control"), event["event"]) for event in self.journal.events()]
            return all(event in seen for event in expected)
        self._wait(told)

    def finish(self):
        """Returns the events of the kiosk, the events of a replay, and whether the screen matches the replay."""
        self._panel.ssh("systemctl kill -s INT recorder; "
                        "while systemctl is-active -q recorder; do sleep 0.1; done", check=False)
        taps = self._panel.ssh("cat /run/taps.jsonl").stdout
        lines = [json.loads(line) for line in taps.splitlines()]
        assert any("down" in line for line in lines)
        end = max(line["t"] for line in lines) + 20
        lines = [line for line in lines if "end" not in line]
        lines += [{"t": end, "shot": "end.png"}, {"t": end, "end": True}]
        file = self._scratch / "taps.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        result = subprocess.run(
            [self._binary, "replay", self._panel.file, file, "--shots", self._scratch], check=True,
            capture_output=True, text=True)
        shown = self._scratch / "screen.ppm"
        expected = Picture.read_png(self._scratch / "end.png")
        deadline = time.monotonic() + 15
        while True:
            self._panel.qmp("screendump", filename=str(shown), format="ppm")
            if Picture.read_ppm(shown) == expected or time.monotonic() > deadline:
                break
            time.sleep(0.1)
        return (without_time(self.journal.events()),
                without_time(json.loads(line) for line in result.stdout.splitlines()),
                Picture.read_ppm(shown) == expected)


def without_time(events):
    return [{key: value for key, value in event.items() if key != "t"} for event in events]


def glide(panel, points, pause=0.01):
    panel.touch("down", 0, points[0])
    for point in points[1:]:
        time.sleep(pause)
        panel.touch("move", 0, point)
