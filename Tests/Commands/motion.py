# SPDX-License-Identifier: MIT
"""Compares a running kiosk in motion with the replay of its input: the number of frames and wake-ups, and the
pictures."""

import base64
import json
import subprocess
import time
from typing import NamedTuple

from live import ROUNDEL, Wire

KIOSK = """\
kiosk: motion
screen: {font: Inter}
transition: {slide, seconds: 1}
pages:
  - page: first
    controls: [{dial: dial, at: [640, 400], radius: 300, labels: 12}]
  - page: second
    controls: [{label: words, at: [640, 400], text: Second}]
"""
# The path of a finger that flings the dial.
START, END = (640, 130), (760, 160)


class Span(NamedTuple):
    """A motion, from its start until everything is at rest."""

    name: str
    begin: float
    end: float
    frames: int
    wake_ups: int


class Motion:
    """Moves a running kiosk of `KIOSK` and compares it with a replay."""

    def __init__(self, path, file, size, folder):
        self.file, self.size, self.folder = file, size, folder
        self.wire, self.observer = Wire(path), Wire(path)
        self.wire.ask("wait", still=True, timeout=20)
        for method in ("events", "record"):
            self.observer.ask(method)
        self.spans = []
        # Each with the kiosk's time.
        self.shots = []

    def ask(self, method, **parameters):
        answer = self.wire.ask(method, **parameters)
        assert not isinstance(answer, dict) or "code" not in answer, answer
        return answer

    def go(self, page):
        self.ask("go", page=page)

    def count(self, name, move):
        """Runs a motion without interference."""
        before = self.ask("status")
        move()
        self.ask("wait", still=True, timeout=60)
        after = self.ask("status")
        self.spans.append(Span(
            name, before["t"], after["t"], after["frames"]["shown"] - before["frames"]["shown"],
            after["wakeups"] - before["wakeups"]))

    def look(self, move):
        """Takes pictures during a motion, and before and after it."""
        taken = [self.ask("screenshot")]
        move()
        while not self.ask("wait", still=True, timeout=0)["holds"]:
            taken.append(self.ask("screenshot"))
        taken.append(self.ask("screenshot"))
        assert {shot["png"] for shot in taken} - {taken[0]["png"], taken[-1]["png"]}, "nothing is seen in motion"
        self.shots += taken

    def recording(self):
        """Returns the recorded input with the kiosk's times."""
        self.observer.send(json.dumps(
            {"jsonrpc": "2.0", "method": "record", "params": {"on": False}, "id": "end"}) + "\n")
        done, pages = [], []
        while (message := self.observer.read()).get("id") != "end":
            line = message["params"]
            if message["method"] == "touch":
                done.append(line)
            elif line["event"] == "page":
                pages.append(line["t"])
        # A recording has its own clock.
        start = pages[0] - next(line["t"] for line in done if "go" in line)
        return [{**line, "t": round(line["t"] + start, 6)} for line in done]

    def replayed(self, lines):
        """Returns the pictures of a replay at the times of screenshots, and 60 per second for each span."""
        steps = [[span.begin + count / 60 for count in range(int((span.end - span.begin) * 60))]
                 for span in self.spans]
        for number, shot in enumerate(self.shots):
            lines.append({"t": shot["t"], "shot": f"taken-{number}.png"})
        for number, times in enumerate(steps):
            lines += [{"t": round(t, 6), "shot": f"span-{number}-{at}.png"} for at, t in enumerate(times)]
        lines.sort(key=lambda line: line["t"])
        recording = self.folder / "motion.jsonl"
        recording.write_text("".join(json.dumps(line) + "\n" for line in lines))
        subprocess.run(
            [ROUNDEL, "replay", self.file, recording, "--shots", self.folder, "--size",
             "{}x{}".format(*self.size)], check=True, stdout=subprocess.DEVNULL, timeout=300)

        def picture(name):
            file = self.folder / name
            content = file.read_bytes()
            file.unlink()
            return content

        return ([picture(f"taken-{number}.png") for number in range(len(self.shots))],
                [[picture(f"span-{number}-{at}.png") for at in range(len(times))]
                 for number, times in enumerate(steps)])


def follows_its_replay(path, file, size, folder, capsys, *, share, wake_ups, glide=None):
    """Checks that a kiosk moves like its replay: it shows the same pictures at the same times, shows at least
    `share` of the frames at 60 Hz, and wakes up at most `wake_ups` times for each. `glide` is a path for a finger;
    without it, commands move the kiosk."""
    motion = Motion(path, file, size, folder)

    def fling():
        if glide is None:
            return motion.ask("drag", at=START, by=[END[0] - START[0], END[1] - START[1]], duration=0.05)
        before = motion.ask("get", property="dial.angle")
        glide([[begin + (end - begin) * part / 6 for begin, end in zip(START, END)] for part in range(7)])
        while motion.ask("status")["fingers"] or motion.ask("get", property="dial.angle") == before:
            time.sleep(0.05)

    def turned():
        return (motion.ask("get", property="dial.value")["value"] + 5) % 12

    motion.count("page", lambda: motion.go("second"))
    motion.look(lambda: motion.go("first"))
    motion.count("fling", fling)
    # On a slow machine, a touch may arrive after a later frame, so that the replay is ahead.
    motion.look(fling if glide is None else lambda: motion.ask("set", property="dial.value", value=turned()))
    # A compositor may report the last frame, and a timer of the kiosk may be due once.
    for _ in range(3):
        time.sleep(0.2)
        rest = motion.ask("status")
        time.sleep(1)
        later = motion.ask("status")
        # The request causes one, and the service manager's watchdog may cause another.
        if later["wakeups"] - rest["wakeups"] <= 2:
            break
    interval = later["display"]["refresh_interval"]
    taken, spans = motion.replayed(motion.recording())
    for shot, wanted in zip(motion.shots, taken):
        assert base64.b64decode(shot["png"]) == wanted, f"the picture at {shot['t']} s is not the replay's"
    for span, pictures in zip(motion.spans, spans):
        wanted = sum(one != other for one, other in zip(pictures, pictures[1:]))
        with capsys.disabled():
            print(f"\n{span.name}: {span.frames} frames, {wanted} by the replay; {span.wake_ups} wake-ups")
        # The frames of a slow end may be equal.
        assert share * wanted <= span.frames <= (span.end - span.begin) / interval + 3, span
        # Requests, answers and events of the finger also count, and may arrive in parts on a busy machine. Two
        # wake-ups per frame would exceed this.
        assert span.wake_ups <= wake_ups * span.frames + 40, span
    assert later["wakeups"] - rest["wakeups"] <= 2, (rest, later)
    assert later["frames"] == rest["frames"]
    return True
