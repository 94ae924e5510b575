# SPDX-License-Identifier: MIT
"""A kiosk on a Wayland compositor: a simulated one, which checks each request, and Weston."""

import contextlib
import json
import os
import random
import shlex
import shutil
import signal
import socket
import subprocess
import time

import pytest

from compositor import Compositor, Output
from live import KIOSK, ROUNDEL, TOP, Lines, LiveKiosk, run
from motion import KIOSK as MOVING, follows_its_replay
from terminal import Picture, wait_until

DOWN, MOTION, UP = "down", "motion", "up"


class Shown(LiveKiosk):
    """A kiosk on a compositor."""

    def __init__(self, folder, compositor, *options, file=KIOSK, log="showing"):
        self.compositor, self.wanted = compositor, log
        super().__init__(folder, *options, file=file)

    def start(self, *options):
        self.process = subprocess.Popen(
            [ROUNDEL, "run", "--display", "wayland", "--seed", "1", "--socket", self.socket,
             *map(str, options), self.file], env=self.compositor.environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.events = Lines(self.process.stdout)
        self.log = Lines(self.process.stderr)
        self.said = self.log.until(self.wanted)

    def rendered(self, size, rotate=0):
        """Returns the picture of a panel of that size, rotated clockwise."""
        file = self.folder / "rendered.png"
        run("render", self.file, "-o", file, "--size", f"{size[0]}x{size[1]}", "--rotate", rotate)
        return rgb(file)

    def shows(self, size, rotate=0):
        """Checks that the surface shows the first page, byte for byte."""
        wanted = self.rendered(size, rotate)
        self.compositor.wait(
            lambda: self.compositor.picture and self.compositor.picture.size == size
            and self.compositor.picture.rgb() == wanted, f"first page of {size}")
        return True


def rgb(file):
    return Picture.read_png(file).pixels


@pytest.fixture
def start(tmp_path):
    """Starts a kiosk on a simulated compositor with the given options."""
    ends = []

    def start(*options, log="showing", file=KIOSK, **offers):
        compositor = Compositor(tmp_path, **offers)
        ends.append(compositor.close)
        kiosk = Shown(tmp_path, compositor, *options, log=log, file=file)
        ends.append(kiosk.close)
        return kiosk

    yield start
    for end in reversed(ends):
        end()


def fails(folder, compositor, code=69, options=()):
    """Returns the message of a kiosk that can't start on the compositor."""
    environment = compositor.environment if compositor else {
        **os.environ, "XDG_RUNTIME_DIR": str(folder), "WAYLAND_DISPLAY": "wayland-0"}
    return run("run", "--display", "wayland", *options, KIOSK, code=code, env=environment).stderr


def test_the_surface_shows_the_rendered_page(start):
    kiosk = start()
    assert kiosk.compositor.full_screen_on == "any"
    assert kiosk.shows((640, 400))
    status = kiosk.json("status")["display"]
    assert (status["output"], status["mode"]) == ("DP-1", "640x400@60")


def test_the_kiosk_fills_the_output_if_the_compositor_gives_no_size(start):
    # Cage does this at first.
    kiosk = start(size=(0, 0), outputs=[Output(size=(600, 500), scale=2, transform=1)],
                  without=["wp_fractional_scale_manager_v1"])
    assert kiosk.shows((600, 500), 270)


def test_damage_contains_all_changes_in_motion(start):
    kiosk = start()
    commits = kiosk.compositor.commits
    with kiosk.spinning():
        # The compositor compares each picture with the previous one.
        kiosk.compositor.wait(lambda: kiosk.compositor.commits > commits + 30, "thirty frames")
    frames = kiosk.json("status")["frames"]
    assert frames["shown"] > 30
    assert kiosk.json("latency")["total"]["count"] > 10


@pytest.mark.parametrize("scale", [120, 150, 180, 210, 240])
def test_the_kiosk_supports_fractional_scales(start, scale):
    kiosk = start(size=(333, 201), scale=scale)
    size = tuple((side * scale + 60) // 120 for side in (333, 201))
    assert kiosk.shows(size)
    assert kiosk.compositor.surface.state["destination"] == (333, 201)


@pytest.mark.parametrize("scale", [1, 2, 3])
def test_without_viewporter_the_kiosk_scales_by_integers(start, scale):
    kiosk = start(size=(320, 200), outputs=[Output(scale=scale)],
                  without=["wp_fractional_scale_manager_v1", "wp_viewporter"])
    assert kiosk.shows((320 * scale, 200 * scale))
    assert kiosk.compositor.surface.state["scale"] == scale


# The protocol's transforms are counterclockwise; the compositor itself mirrors pictures.
@pytest.mark.parametrize("transform,rotate", [(0, 0), (1, 270), (2, 180), (3, 90), (4, None)])
def test_the_picture_is_rotated_for_its_output(start, transform, rotate):
    kiosk = start(size=(400, 640), outputs=[Output(transform=transform)])
    size = (640, 400) if transform % 2 else (400, 640)
    assert kiosk.shows(size, rotate or 0)
    assert kiosk.compositor.surface.state["transform"] == (0 if rotate is None else transform)


def test_the_rotations_of_kiosk_and_output_are_combined(start):
    kiosk = start("--rotate", 90, size=(400, 640), outputs=[Output(transform=1)])
    # 90° clockwise and 90° counterclockwise.
    assert kiosk.shows((640, 400), 0)


def test_touches_and_the_pointer_hit_the_right_controls(start):
    kiosk = start(size=(320, 200), scale=240)
    compositor, surface = kiosk.compositor, kiosk.compositor.surface

    def place(x, y):
        """Converts design pixels to surface units: 0.4 per pixel, with an offset of 4 at the top."""
        return 0.4 * x, 0.4 * y + 4

    now = int(time.monotonic() * 1000) & 0xFFFFFFFF
    # Two simultaneous touches; the compositor takes the second for a gesture.
    compositor.touch(DOWN, 1, now, surface, 7, *place(200, 130))
    compositor.touch(DOWN, 2, now, surface, 9, *place(600, 130))
    compositor.touch(MOTION, now, 9, *place(640, 130))
    compositor.touch(UP, 3, now, 7)
    kiosk.told_until("wheel.selected(a)")
    compositor.touch("cancel")
    wait_until(lambda: kiosk.json("status")["fingers"] == 0, "no fingers")
    compositor.pointer("enter", 4, surface, *place(80, 250))
    compositor.pointer("button", 5, now, 0x110, 1)
    kiosk.told_until("wheel.pressed(d)")
    compositor.pointer("motion", now, *place(200, 250))
    compositor.pointer("button", 6, now, 0x110, 0)
    kiosk.told_until("wheel.cancelled(d)")
    # Other buttons have no effect, and a pointer that leaves releases its button.
    compositor.pointer("button", 7, now, 0x111, 1)
    compositor.pointer("motion", now, *place(80, 250))
    compositor.pointer("button", 8, now, 0x110, 1)
    assert kiosk.told_until("wheel.pressed(d)") == ["wheel.pressed(d)"]
    compositor.pointer("leave", 9, surface)
    kiosk.told_until("wheel.cancelled(d)")


def test_keys_and_the_mouse_wheel_move_the_focus(start):
    kiosk = start()
    compositor, surface = kiosk.compositor, kiosk.compositor.surface
    now = int(time.monotonic() * 1000) & 0xFFFFFFFF
    right, tab, enter, shift, escape = 106, 15, 28, 42, 1

    def press(*codes):
        for code in codes:
            compositor.keyboard("key", 1, now, code, 1)
            compositor.keyboard("key", 2, now, code, 0)

    def focus_is(control):
        wait_until(lambda: kiosk.json("status").get("focus") == control, f"the focus on {control}")

    press(right)
    focus_is("wheel")
    press(enter, enter)
    kiosk.told_until("wheel.selected(a)")
    compositor.pointer("enter", 4, surface, 10, 10)
    compositor.pointer("axis_discrete", 0, 1)
    compositor.pointer("axis_discrete", 1, 1)
    press(enter)
    kiosk.told_until("wheel.selected(b)")
    press(tab)
    wait_until(lambda: kiosk.json("status").get("focus") != "wheel", "the focus elsewhere")
    # Shift is held until the keyboard leaves.
    compositor.keyboard("key", 3, now, shift, 1)
    press(tab)
    focus_is("wheel")
    compositor.keyboard("leave", 4, surface)
    press(escape)
    focus_is(None)


def test_a_held_key_is_a_held_finger(start):
    kiosk = start()
    compositor, surface = kiosk.compositor, kiosk.compositor.surface
    keys = Keys(kiosk)

    def enter(state):
        compositor.keyboard("key", 1, int(time.monotonic() * 1000) & 0xFFFFFFFF, 28, state)

    keys.move_focus(106, "wheel")
    keys.press(28)
    enter(1)
    kiosk.told_until("wheel.pressed(a)")
    assert kiosk.json("status")["fingers"] == 0
    enter(0)
    kiosk.told_until("wheel.selected(a)")
    # A surface that loses the focus gets no releases.
    enter(1)
    kiosk.told_until("wheel.pressed(a)")
    compositor.keyboard("leave", 4, surface)
    kiosk.told_until("wheel.cancelled(a)")


def keymap(**symbols):
    """Returns a keymap like those of on-screen keyboards: `c30="Tab"` maps code 30 to Tab."""
    names = {code: f"<I{code[1:]}>" for code in symbols}
    codes = " ".join(f"{name} = {int(code[1:]) + 8};" for code, name in names.items())
    keys = " ".join(f"key {names[code]} {{ [ {symbol} ] }};" for code, symbol in symbols.items())
    return f"""xkb_keymap {{
        xkb_keycodes "theirs" {{ minimum = 8; maximum = 255; {codes} }};
        xkb_types "theirs" {{
            type "ONE_LEVEL" {{ modifiers = none; level_name[Level1] = "Any"; }};
            type "TWO_LEVEL" {{
                modifiers = Shift; map[Shift] = Level2;
                level_name[Level1] = "Base"; level_name[Level2] = "Shift";
            }};
        }};
        xkb_compatibility "theirs" {{ }};
        xkb_symbols "theirs" {{ {keys} }};
    }};"""


class Keys:
    """The compositor's keyboard."""

    def __init__(self, kiosk):
        self.kiosk, self.compositor = kiosk, kiosk.compositor

    def press(self, *codes):
        now = int(time.monotonic() * 1000) & 0xFFFFFFFF
        for code in codes:
            self.compositor.keyboard("key", 1, now, code, 1)
            self.compositor.keyboard("key", 2, now, code, 0)

    def move_focus(self, code, control):
        """Presses a key that moves the focus to a control."""
        self.press(code)
        wait_until(lambda: self.kiosk.json("status").get("focus") == control,
                   f"the focus on {control}")


def test_keys_follow_the_keymap_of_an_on_screen_keyboard(start):
    kiosk = start()
    keys = Keys(kiosk)
    # The codes of 1, 2 and so on, and of keys with other meanings on other keyboards.
    kiosk.compositor.keymap(keymap(
        c2="Right", c3="Return", c4="Tab", c5="Escape", c6="KP_Enter", c7="ISO_Left_Tab",
        c8="space", c9="Left", c106="a", c28="Up", c15="Tab, Escape"))
    # The code of the right arrow is the letter a here.
    keys.press(106)
    keys.move_focus(2, "wheel")
    keys.press(106, 3, 106, 3)
    kiosk.told_until("wheel.selected(a)")
    keys.press(2, 6)
    kiosk.told_until("wheel.selected(b)")
    keys.press(9, 8)
    kiosk.told_until("wheel.selected(a)")
    keys.move_focus(4, "dial")
    keys.move_focus(7, "wheel")
    # On-screen keyboards send modifiers without keys: Shift, and Control.
    kiosk.compositor.keyboard("modifiers", 3, 1, 0, 0, 0)
    keys.move_focus(4, "dial")
    kiosk.compositor.keyboard("modifiers", 4, 4, 0, 0, 0)
    keys.press(4, 7, 2, 3, 5)
    kiosk.compositor.keyboard("modifiers", 5, 0, 0, 0, 0)
    keys.move_focus(4, "wheel")
    # A third level, where Shift and Tab are Escape.
    kiosk.compositor.keyboard("modifiers", 6, 0, 0, 1, 0)
    keys.move_focus(15, None)
    # Modifiers end when the keyboard leaves.
    kiosk.compositor.keyboard("leave", 7, kiosk.compositor.surface)
    keys.move_focus(2, "wheel")
    # OK on a remote control isn't in the keymap.
    keys.press(0x160, 0x160)
    kiosk.told_until("wheel.selected(a)")
    keys.move_focus(4, "dial")
    # Plugging in a keyboard restores the usual keymap.
    kiosk.compositor.keymap(keymap(c106="Right", c15="Tab", c1="Escape"))
    keys.move_focus(1, None)
    keys.move_focus(106, "wheel")


def test_an_invalid_keymap_is_harmless(start):
    kiosk = start()
    keys = Keys(kiosk)
    chance = random.Random(7)
    whole = keymap(c2="Right", c3="Return")
    file_count = len(os.listdir(f"/proc/{kiosk.process.pid}/fd"))
    for content in [b"", b"\0", b"xkb_keymap", "xkb_keymap {", whole[:-40], whole.encode()[:300],
                    whole.replace("Right", "Right" * 10_000), whole.replace("= 10", "= 4294967296"),
                    whole.replace("10;", "10; include \"evdev\""), "{" * 200_000, "(" * 200_000,
                    whole.replace("[ Right ]", "[ " + "{" * 9000), "\xff\xfe" * 2000,
                    whole.replace("none", "~" * 9000 + "1"), b" " * (3 << 20),
                    *(chance.randbytes(5000) for _ in range(20))]:
        kiosk.compositor.keymap(content)
        # Larger than the file: mapping it all would kill the process.
        kiosk.compositor.keymap(content, size=2**32 - 1)
        keys.press(0, 2, 2**32 - 1, 2**32 - 8)
    read, write = os.pipe()
    kiosk.compositor.keyboard("keymap", 1, read, 1000)
    kiosk.compositor.keyboard("keymap", 0, write, 0)
    os.close(read)
    os.close(write)
    for _ in range(20):
        noise = list(whole)
        for _ in range(5):
            noise[chance.randrange(len(noise))] = chr(chance.randrange(1, 127))
        kiosk.compositor.keymap("".join(noise))
        kiosk.compositor.keyboard("modifiers", 1, *(chance.randrange(2**32) for _ in range(4)))
        keys.press(*range(20))
    # Without a keymap, codes are those of Linux.
    kiosk.compositor.keymap(b"none")
    wait_until(lambda: keys.press(1) or kiosk.json("status").get("focus") is None, "no focus")
    keys.move_focus(106, "wheel")
    # The connection of the last command is closed soon after its answer.
    wait_until(lambda: len(os.listdir(f"/proc/{kiosk.process.pid}/fd")) == file_count, "no file is kept")
    # A valid keymap is then accepted.
    kiosk.compositor.keymap(whole)
    keys.press(3, 3)
    kiosk.told_until("wheel.selected(a)")


@pytest.mark.parametrize("name", ["wl_compositor", "wl_shm", "xdg_wm_base"])
def test_a_missing_feature_of_the_compositor_is_named(tmp_path, name):
    compositor = Compositor(tmp_path, without=[name])
    assert f"lacks {name}, needed" in fails(tmp_path, compositor)
    compositor.close()


@pytest.mark.parametrize("name", [
    "wl_seat", "wp_presentation", "wp_viewporter", "wp_fractional_scale_manager_v1",
    "zxdg_output_manager_v1", "wl_output"])
def test_the_kiosk_works_without_optional_features(start, name):
    kiosk = start(without=[name])
    assert kiosk.shows((640, 400))
    wait_until(lambda: kiosk.json("status")["frames"]["shown"] > 0, "frame that counts")


def test_the_kiosk_supports_the_oldest_versions(start):
    kiosk = start(versions={"wl_compositor": 1, "wl_seat": 1, "xdg_wm_base": 1, "wl_output": 1},
                  without=["wp_viewporter", "wp_fractional_scale_manager_v1"])
    assert kiosk.shows((640, 400))
    with kiosk.spinning():
        kiosk.compositor.wait(lambda: kiosk.compositor.commits > 10, "ten frames")


def test_a_missing_compositor_is_an_error(tmp_path):
    said = fails(tmp_path, None)
    assert f"no Wayland compositor at {tmp_path}/wayland-0: No such file or directory" in said
    assert "WAYLAND_DISPLAY" in said


def test_a_compositor_that_hangs_is_an_error(tmp_path):
    compositor = Compositor(tmp_path, answers=False)
    assert "does not answer" in fails(tmp_path, compositor)
    compositor.close()


def test_nothing_is_painted_while_invisible(start):
    kiosk = start()
    compositor = kiosk.compositor
    kiosk.shows((640, 400))
    compositor.show(False)
    with kiosk.spinning():
        # One frame was already requested, and none follows.
        compositor.wait(lambda: compositor.surface.frames, "frame that nobody asks for")
        commits = compositor.commits
        before = kiosk.get("dial.value"), kiosk.json("status")["frames"]["shown"]
        wait_until(lambda: kiosk.get("dial.value") != before[0], "dial that turns unseen")
        assert compositor.commits == commits
        assert kiosk.json("status")["frames"]["shown"] == before[1]
        compositor.show(True)
        compositor.wait(lambda: compositor.commits > commits + 5, "frames again")


def test_suspension_is_reported(start):
    kiosk = start()
    kiosk.shows((640, 400))
    kiosk.compositor.configure(states=[9])
    assert "hides the window" in kiosk.log.until("nothing is shown")[-1]
    commits = kiosk.compositor.commits
    kiosk.run("set", "dial.value=3")
    assert kiosk.json("status")["display"]["state"] != "showing"
    assert kiosk.compositor.commits == commits
    kiosk.compositor.configure(states=[])
    kiosk.compositor.wait(lambda: kiosk.compositor.commits > commits, "picture after that")


def test_the_kiosk_follows_another_size_even_while_invisible(start):
    kiosk = start()
    kiosk.shows((640, 400))
    kiosk.compositor.show(False)
    for size in [(500, 300), (300, 500), (1, 1), (800, 480)]:
        kiosk.compositor.configure(size=size)
        assert kiosk.shows(size)


def test_the_kiosk_follows_scale_and_output(start):
    kiosk = start(size=(320, 200), scale=120)
    kiosk.shows((320, 200))
    kiosk.compositor.prefer_scale(180)
    assert kiosk.shows((480, 300))
    kiosk.compositor.change_output(100, transform=2)
    assert kiosk.shows((480, 300), 180)


def test_the_kiosk_survives_nonsense(start):
    kiosk = start()
    kiosk.shows((640, 400))
    compositor = kiosk.compositor
    for size in [(-5, 10), (2**31 - 1, 1), (-2**31, -2**31), (0, 7)]:
        compositor.configure(size=size)
    for scale in [0, 1, 2**32 - 1]:
        compositor.prefer_scale(scale)
    compositor.prefer_scale(120)
    compositor.change_output(100, transform=77, scale=-3)
    compositor.change_output(100, transform=-1, scale=2**31 - 1)
    compositor.change_output(100, transform=0, scale=1)
    for finger in (-1, 2**31 - 1):
        compositor.touch(UP, 1, 0, finger)
        compositor.touch(MOTION, 0, finger, -8388608, 8388607)
    compositor.configure(size=(640, 400))
    assert kiosk.shows((640, 400))


def test_the_kiosk_follows_random_events_in_any_order(start):
    kiosk = start(scale=120)
    compositor, chance = kiosk.compositor, random.Random(5)
    for _ in range(200):
        match chance.randrange(5):
            case 0: compositor.configure(size=(chance.randint(0, 300), chance.randint(0, 300)))
            case 1: compositor.prefer_scale(chance.randint(60, 300))
            case 2: compositor.change_output(100, transform=chance.randrange(8))
            case 3: compositor.configure(states=chance.choice([[], [9]]))
            case 4: compositor.show(chance.random() < 0.5)
        if chance.random() < 0.2:
            time.sleep(0.01)
    compositor.show(True)
    compositor.change_output(100, transform=0)
    compositor.prefer_scale(120)
    compositor.configure(size=(320, 240), states=[])
    assert kiosk.shows((320, 240))


def test_the_end_of_the_compositor_is_reported_within_a_second(start):
    kiosk = start()
    kiosk.shows((640, 400))
    before = time.monotonic()
    kiosk.compositor.close()
    assert kiosk.process.wait(timeout=5) == 69
    assert time.monotonic() - before < 1
    assert "the Wayland compositor" in kiosk.log.until("has exited")[-1]


def test_a_protocol_error_is_reported_with_interface_and_code(start):
    kiosk = start()
    kiosk.shows((640, 400))
    kiosk.compositor.fail(kiosk.compositor.surface, 4, "too bad")
    assert kiosk.process.wait(timeout=5) == 69
    said = kiosk.log.until("protocol error")[-1]
    assert f"wl_surface, object {kiosk.compositor.surface.number}, code 4" in said
    assert "too bad" in said


def test_closing_the_window_ends_the_kiosk(start):
    kiosk = start("--size", "300x200", size=(0, 0))
    assert kiosk.compositor.full_screen_on is None
    assert kiosk.shows((300, 200))
    kiosk.compositor.event(kiosk.compositor.toplevel, "close")
    assert kiosk.process.wait(timeout=5) == 0


def test_a_window_on_a_named_output_is_an_error(tmp_path):
    assert "--output" in fails(tmp_path, None, 64, ["--size", "300x200", "--output", "DP-1"])


def test_the_kiosk_waits_for_its_named_output(start):
    kiosk = start("--output", "HDMI-A-1", outputs=[Output("DP-1"), Output("HDMI-A-1")])
    compositor = kiosk.compositor
    assert compositor.full_screen_on == "HDMI-A-1"
    kiosk.shows((640, 400))
    for _ in range(3):
        compositor.remove_output(101)
        said = kiosk.log.until("nothing is shown")[-1]
        assert "no output HDMI-A-1, only DP-1" in said
        compositor.wait(lambda: compositor.surface is None, "end of the surface")
        compositor.add_output(101, Output("HDMI-A-1"))
        kiosk.log.until("showing")
        assert kiosk.shows((640, 400))


def test_another_output_than_the_named_one_causes_a_warning_and_stays(start):
    kiosk = start("--output", "HDMI-A-1", outputs=[Output("DP-1"), Output("HDMI-A-1")], places_on=100)
    compositor = kiosk.compositor
    assert kiosk.shows((640, 400))
    said = kiosk.log.until("not on HDMI-A-1")[-1]
    assert "shows the picture on DP-1" in said and "app-ids=roundel" in said
    status = kiosk.json("status")["display"]
    assert status["state"] == "showing" and status["output"] == "DP-1"
    assert "not on HDMI-A-1" in status["left_out"][0]
    # Another output may disappear.
    compositor.remove_output(101)
    commits = compositor.commits
    kiosk.run("tap", "--at", "320,200")
    compositor.wait(lambda: compositor.commits > commits, "frame after the output went")
    assert kiosk.json("status")["display"]["state"] == "showing"


@pytest.mark.parametrize("version", [1, 3])
def test_older_compositors_have_names_for_outputs(start, version):
    kiosk = start("--output", "DP-1", versions={"wl_output": version})
    assert kiosk.compositor.full_screen_on == "DP-1"
    assert kiosk.shows((640, 400))


def test_sleep_is_black_and_waking_shows_the_picture(start):
    kiosk = start()
    kiosk.shows((640, 400))
    kiosk.run("blank")
    compositor = kiosk.compositor
    compositor.wait(lambda: not any(compositor.picture.rgb()), "black")
    commits = compositor.commits
    kiosk.run("set", "dial.value=1")
    assert compositor.commits == commits
    # The compositor may change the size meanwhile.
    compositor.configure(size=(500, 300))
    compositor.wait(lambda: compositor.picture.size == (500, 300)
                    and not any(compositor.picture.rgb()), "black of another size")
    kiosk.run("set", "dial.value=0")
    kiosk.run("wake")
    assert kiosk.shows((500, 300))


def test_only_events_wake_the_kiosk(start):
    kiosk = start()
    kiosk.shows((640, 400))
    wait_until(lambda: kiosk.json("status")["frames"]["shown"] > 0, "first frame")
    wire = kiosk.connect()
    wire.ask("status")
    before = wire.ask("status")["wakeups"]
    one = wire.ask("status")["wakeups"] - before
    time.sleep(1)
    assert wire.ask("status")["wakeups"] - before <= 2 * one


@pytest.mark.skipif(os.path.exists("/dev/dri"), reason="a card would be taken first")
def test_auto_uses_the_compositor_without_a_drm_device(start):
    kiosk = start("--display", "auto")
    assert kiosk.shows((640, 400))


def test_doctor_reports_the_features_of_the_compositor(tmp_path):
    compositor = Compositor(tmp_path, without=["wl_shm", "wp_presentation"])
    done = run("doctor", env=compositor.environment, code=1).stdout
    assert "DP-1 640x400@60" in done and "seat0 (touch, pointer, keyboard)" in done
    assert "! the compositor lacks wl_shm" in done
    assert "latency" in done
    compositor.close()
    compositor = Compositor(tmp_path)
    done = subprocess.run([ROUNDEL, "doctor", "--json"], env=compositor.environment,
                          capture_output=True, text=True, timeout=30)
    assert "only in a terminal" not in done.stdout  # the compositor shows it, too
    report = json.loads(done.stdout)["wayland"]
    assert report["interfaces"]["xdg_wm_base"] >= 5 and report["problems"] == []
    compositor.close()


needs_weston = pytest.mark.skipif(not shutil.which("weston"), reason="Weston is not installed")


@contextlib.contextmanager
def weston(tmp_path, width, height, *options):
    """A headless Weston and the environment of its clients."""
    tmp_path.chmod(0o700)
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path), "WAYLAND_DISPLAY": "weston"}
    (tmp_path / "weston.ini").write_text("[shell]\nstartup-animation=none\n")
    process = subprocess.Popen(
        ["weston", "--backend=headless-backend.so", "--use-pixman", "--debug", "--socket=weston",
         f"--config={tmp_path}/weston.ini", "--idle-time=0", f"--width={width}", f"--height={height}",
         *options], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    process.environment = environment
    try:
        wait_until(lambda: (tmp_path / "weston").exists(), "Weston")
        yield process
    finally:
        process.kill()
        process.wait()


# Weston's own interpretation of the protocol, especially the direction of rotations.
@needs_weston
@pytest.mark.parametrize("transform,scale,rotate", [
    ("normal", 1, 0), ("rotate-90", 1, 270), ("rotate-270", 2, 90), ("rotate-180", 1, 180)])
def test_weston_shows_the_kiosk(tmp_path, transform, scale, rotate):
    with weston(tmp_path, 400, 300, f"--transform={transform}", f"--scale={scale}") as compositor:
        kiosk = Shown(tmp_path, compositor)
        wait_until(lambda: kiosk.json("status")["frames"]["shown"] > 0, "first frame")

        def shot():
            for old in tmp_path.glob("wayland-screenshot*"):
                old.unlink()
            subprocess.run(["weston-screenshooter"], env=compositor.environment, cwd=tmp_path,
                           check=True, timeout=20)
            (file,) = tmp_path.glob("wayland-screenshot*")
            return Picture.read_png(file)

        wanted = kiosk.rendered(shot().size, rotate)
        wait_until(lambda: shot().pixels == wanted, "same picture")
        compositor.send_signal(signal.SIGKILL)
        assert kiosk.process.wait(timeout=5) == 69


@needs_weston
def test_on_weston_a_page_and_a_dial_move_like_in_their_replay(tmp_path, capsys):
    file = tmp_path / "motion.yaml"
    file.write_text(MOVING)
    with weston(tmp_path, 640, 400) as compositor:
        kiosk = Shown(tmp_path, compositor, file=file)
        try:
            # The compositor reports when a frame may start, when it was shown and when its memory is free.
            assert follows_its_replay(kiosk.socket, file, (640, 400), tmp_path, capsys, share=0.4, wake_ups=4)
        finally:
            kiosk.close()



class Started:
    """A process started by a Weston unit, and its notifications to the service manager."""

    def __init__(self, unit, folder, **environment):
        # The folders are below the test's.
        text = (TOP / f"systemd/{unit}.service").read_text().replace("\\\n", "")
        text = text.replace("%p", "roundel-weston").replace("/run/", f"{folder}/")
        text = text.replace("/etc/roundel/%i.yaml", f"{folder}/kiosk.yaml").replace("/usr/bin/roundel ", f"{ROUNDEL} ")
        set_by_unit = dict(line.split("=", 2)[1:] for line in text.splitlines() if line.startswith("Environment="))
        environment = {**os.environ, **set_by_unit, **environment, "NOTIFY_SOCKET": f"{folder}/{unit}.notify",
                       "WATCHDOG_USEC": "1000000"}
        command = next(line for line in text.splitlines() if line.startswith("ExecStart=")).partition("=")[2]
        words = [part for word in shlex.split(command)
                 for part in ([word] if not word.startswith("$") else environment[word[1:]].split())]
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.manager.bind(environment["NOTIFY_SOCKET"])
        self.manager.settimeout(20)
        self.process = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)

    def told(self, message):
        while message.encode() not in self.manager.recv(1 << 12).split(b"\n"):
            pass

    def close(self):
        self.process.kill()
        self.process.wait()
        self.manager.close()


@needs_weston
def test_the_units_of_weston_and_its_kiosk_report_readiness_and_do_not_hang(tmp_path):
    tmp_path.chmod(0o700)
    for folder in ("roundel", "roundel-weston", "state"):
        (tmp_path / folder).mkdir()
    shutil.copy(KIOSK, tmp_path / "kiosk.yaml")
    with contextlib.ExitStack() as ends:
        # Weston's kiosk shell shows nothing without input devices.
        compositor = Started(
            "roundel-weston", tmp_path, XDG_RUNTIME_DIR=str(tmp_path),
            WESTON_ARGUMENTS="--backend=headless-backend.so --use-pixman --shell=desktop-shell.so")
        ends.callback(compositor.close)
        for message in ("READY=1", "WATCHDOG=1", "WATCHDOG=1"):
            compositor.told(message)
        kiosk = Started("roundel-weston@", tmp_path, RUNTIME_DIRECTORY=str(tmp_path / "roundel"),
                        STATE_DIRECTORY=str(tmp_path / "state"))
        ends.callback(kiosk.close)
        for message in ("READY=1", "WATCHDOG=1", "WATCHDOG=1"):
            kiosk.told(message)
        status = json.loads(run("status", "--json", "--socket", tmp_path / "roundel/control.sock").stdout)
        assert status["display"]["state"] == "showing"
        compositor.close()
        assert kiosk.process.wait(timeout=5) == 69
