# SPDX-License-Identifier: MIT
"""A kiosk in a real terminal: the picture, the mouse, and the restored terminal."""

import base64
import json
import os
import pathlib
import signal
import socket as sockets
import struct
import subprocess
import threading
import time
import zlib

import pytest

import trixie
from compositor import Compositor
from terminal import Picture, Terminal, is_same, scaled, wait_until

TOP = pathlib.Path(__file__).resolve().parents[2]
ROUNDEL = os.environ.get("ROUNDEL_BINARY", str(TOP / ".build/release/roundel"))
TIMER = TOP / "deploy/examples/kiosks/timer.yaml"

KIOSK = """
kiosk: test
screen: {size: [400, 240], background: "#102030", font: DejaVu Sans}
pages:
  - page: first
    controls:
      - pinwheel: wheel
        at: [200, 120]
        radius: 110
        wedges: [{id: a, label: A, color: "#ff0000"}, {id: b, label: B, color: "#00ff00"}]
"""


@pytest.fixture
def kiosk(tmp_path):
    path = tmp_path / "kiosk.yaml"
    path.write_text(KIOSK)
    return path


@pytest.fixture
def terminal(tmp_path):
    terminal = Terminal(tmp_path)
    yield terminal
    terminal.close()


def roundel(*arguments):
    return subprocess.run(
        [ROUNDEL, *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False,
        start_new_session=True)


def rendered(kiosk, tmp_path, columns, rows):
    """The first page in half blocks, in a terminal whose cells are twice as high as wide."""
    side = max(scale for scale in range(2, 17)
               if scale == 2 or columns * rows * 2 * scale * scale <= 1 << 20)
    file = tmp_path / "rendered.png"
    size = f"{columns * side}x{rows * 2 * side}"
    assert roundel("render", kiosk, "-o", file, "--size", size).returncode == 0
    return scaled(Picture.read_png(file), columns, rows * 2)


class Shown:
    """`roundel run` in a terminal, with its events in a file."""

    def __init__(self, terminal, kiosk, folder):
        self.terminal = terminal
        self.events_file = folder / "events"
        self.process_file = folder / "process"
        self.socket = folder / "kiosk.sock"
        self.modes = terminal.modes()
        terminal.run(
            f"(sh -c 'echo $$ > {self.process_file}; exec {ROUNDEL} run {kiosk} "
            f"--display terminal --socket {self.socket} > {self.events_file}'; "
            f"echo $? > {folder}/code)")
        wait_until(lambda: terminal.state("alternate_on") == "1", "the alternate screen")

    @property
    def process(self):
        return int(self.process_file.read_text())

    def events(self):
        return [json.loads(line) for line in self.events_file.read_text().splitlines()]


@pytest.fixture
def shown(terminal, kiosk, tmp_path):
    return Shown(terminal, kiosk, tmp_path)


def test_the_terminal_shows_the_kiosk(shown, terminal, kiosk, tmp_path):
    expected = rendered(kiosk, tmp_path, 80, 24)
    wait_until(lambda: is_same(terminal.picture(), expected), "the picture")


@pytest.mark.parametrize("columns, rows", [(120, 40), (33, 9), (200, 60)])
def test_another_terminal_size_gives_another_picture(shown, terminal, kiosk, tmp_path, columns, rows):
    terminal.resize(columns, rows)
    expected = rendered(kiosk, tmp_path, columns, rows)
    wait_until(lambda: is_same(terminal.picture(), expected), "the picture")


def test_the_mouse_acts_as_a_finger(shown, terminal):
    wait_until(lambda: terminal.picture() is not None, "a picture")
    # The wedges are above and below the terminal's centre, 40, 12.
    terminal.mouse(0, 40, 5)
    terminal.mouse(32, 41, 5)
    wait_until(lambda: len(shown.events()) == 1, "an event")
    terminal.mouse(0, 41, 5, "m")
    wait_until(lambda: len(shown.events()) == 2, "two events")
    terminal.mouse(0, 40, 17)
    terminal.mouse(0, 40, 17, "m")
    wait_until(lambda: len(shown.events()) == 4, "four events")
    assert [(event["event"], event["item"]) for event in shown.events()] == [
        ("pressed", "a"), ("selected", "a"), ("pressed", "b"), ("selected", "b")]


@pytest.mark.parametrize("way, code", [
    ("q", 0), ("\x03", 0), ("\x1b", 0), (signal.SIGTERM, 0), (signal.SIGINT, 0),
    (signal.SIGHUP, 0), (signal.SIGSEGV, 139), (signal.SIGKILL, 137),
])
def test_the_terminal_is_restored(shown, terminal, way, code, tmp_path):
    wait_until(lambda: terminal.picture() is not None, "a picture")
    assert not terminal.is_plain() and terminal.modes() != shown.modes
    if isinstance(way, str):
        terminal.type(way)
    else:
        os.kill(shown.process, way)
    wait_until((tmp_path / "code").exists, "the end")
    wait_until(lambda: (tmp_path / "code").read_text() == f"{code}\n", "the exit code")
    wait_until(lambda: terminal.modes() == shown.modes, "the old modes")
    wait_until(terminal.is_plain, "a plain terminal")
    # Earlier input is still visible, without additional input. Lines may break anywhere, even at a blank.
    assert "--displayterminal" in "".join(terminal.text().split())
    if isinstance(way, str):
        wait_until(lambda: terminal.text().rstrip().endswith("$"), "the prompt")
    terminal.run("echo al''l is well")
    wait_until(lambda: "all is well" in terminal.text(), "an echo")


def test_nothing_is_written_over_the_picture(terminal, kiosk, tmp_path):
    kiosk.write_text(KIOSK + '        on: {selected: [{run: ["/bin/ls", "/no/such/file"]}]}\n')
    socket = tmp_path / "socket"
    # Here events and the log go to the terminal itself.
    terminal.run(f"{ROUNDEL} run {kiosk} --display terminal --socket {socket}")
    expected = rendered(kiosk, tmp_path, 80, 24)
    wait_until(lambda: is_same(terminal.picture(), expected), "the picture")
    for _ in range(3):
        assert roundel("tap", "wheel/a", "--socket", socket).returncode == 0
    assert roundel("wait", "--still", "--socket", socket).returncode == 0
    wait_until(lambda: is_same(terminal.picture(), expected), "the picture again")
    terminal.type("q")
    wait_until(terminal.is_plain, "a plain terminal")
    # Held output is now printed.
    wait_until(lambda: terminal.text().count("/no/such/file") == 3, "what ls had to say")
    assert "showing" in terminal.text()


@pytest.mark.skipif(os.path.exists("/dev/dri"), reason="this machine has a DRM card")
def test_without_a_drm_device_a_user_gets_the_terminal(terminal, kiosk, tmp_path):
    terminal.run(f"{ROUNDEL} run {kiosk} --socket {tmp_path}/socket")
    expected = rendered(kiosk, tmp_path, 80, 24)
    wait_until(lambda: is_same(terminal.picture(), expected), "the picture")


class Foot:
    """A kiosk in Debian 13's foot, or in tmux in foot, on a compositor."""

    def __init__(self, kiosk, folder, in_tmux):
        self.folder, self.socket = folder, folder / "kiosk.sock"
        self.compositor = Compositor(folder, size=(480, 306))
        self.compositor.states = [2]  # all of an output, without a frame
        self.tmux = [*trixie.command("tmux"), "-S", folder / "tmux", "-f", "/dev/null", "-T", "RGB"]
        settings = folder / "foot.ini"
        settings.write_text(
            "[main]\npad=0x0\nfont=DejaVu Sans Mono:size=10\nterm=xterm-256color\n")
        self.process = subprocess.Popen(
            [*trixie.command("foot"), "-c", settings, "--fullscreen",
             *([*self.tmux, "new-session"] if in_tmux else []), "/bin/sh", "-c",
             f"{ROUNDEL} run {kiosk} --display terminal --socket {self.socket} > {folder}/events"],
            env={**{name: value for name, value in self.compositor.environment.items()
                    if name != "TMUX"}, "LC_ALL": "C.UTF-8"},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(self.socket.exists, "the kiosk's socket")

    def close(self):
        subprocess.run([*self.tmux, "kill-server"], check=False, capture_output=True)
        self.process.kill()
        self.process.wait()
        self.compositor.close()

    def touch(self, x, y):
        """Clicks at a pixel."""
        compositor = self.compositor
        compositor.pointer("enter", 1, compositor.surface, x, y)
        compositor.pointer("frame")
        for is_down in (1, 0):
            compositor.pointer("button", 2, int(time.monotonic() * 1000) & 0xFFFFFFFF, 0x110, is_down)
            compositor.pointer("frame")

    def events(self):
        lines = (self.folder / "events").read_text().splitlines()
        return [(event["event"], event["item"]) for event in map(json.loads, lines)]

    def is_right(self):
        """Whether the visible picture is the kiosk's."""
        file = self.folder / "painted.png"
        if roundel("screenshot", "-o", file, "--socket", self.socket).returncode != 0:
            return False
        painted, shown = Picture.read_png(file), self.compositor.picture
        (width, height), stride = painted.size, shown.size[0] * 3
        pixels = shown.rgb()
        if width <= shown.size[0]:
            # Sixels have 256 colours per part.
            differences = [
                abs(a - b) for y in range(height) for a, b in zip(
                    pixels[y * stride:y * stride + width * 3],
                    painted.pixels[y * width * 3:(y + 1) * width * 3])]
            return sum(differences) <= len(differences) and max(differences) < 30
        # Half blocks, whose centres are the pixels.
        cell = subprocess.run(
            [*self.tmux, "display", "-p", "#{client_cell_width} #{client_cell_height} "
             "#{pane_width} #{pane_height}"], check=True, capture_output=True, text=True).stdout
        across, down, columns, rows = map(int, cell.split())
        seen = b"".join(
            pixels[y * stride + x * 3:y * stride + x * 3 + 3]
            for row in range(rows) for y in (row * down + down // 4, row * down + down * 3 // 4)
            for x in range(across // 2, columns * across, across))
        return is_same(Picture(columns, rows * 2, seen), scaled(painted, columns, rows * 2))


@pytest.mark.parametrize("in_tmux", [False, True])
def test_foot_shows_the_kiosk_even_after_a_touch(kiosk, tmp_path, in_tmux):
    try:
        trixie.unpack()
    except trixie.PanelError as error:
        pytest.skip(f"Debian 13 cannot be had: {error}")
    foot = Foot(kiosk, tmp_path, in_tmux)
    try:
        wait_until(foot.is_right, "the picture")
        # The wedges are above and below the centre.
        for item, y in [("a", 80), ("b", 200)]:
            foot.touch(240, y)
            wait_until(lambda: ("selected", item) in foot.events(), f"{item} to be selected")
            assert roundel("wait", "--still", "--socket", foot.socket).returncode == 0
            wait_until(foot.is_right, "the picture after a touch")
        if in_tmux:
            subprocess.run([*foot.tmux, "refresh-client"], check=True)
            wait_until(foot.is_right, "the picture after tmux has drawn it again")
    finally:
        foot.close()


def test_a_missing_terminal_is_reported(kiosk, tmp_path):
    result = roundel("run", kiosk, "--display", "terminal", "--socket", tmp_path / "socket")
    assert result.returncode == 69
    assert "no terminal" in result.stderr and "ssh -t" in result.stderr


class Watched:
    """A kiosk without a panel, and `roundel view` of it in a terminal."""

    def __init__(self, terminal, kiosk, folder, size="800x480", before="", options=""):
        self.terminal = terminal
        self.socket = folder / "kiosk.sock"
        self.code_file = folder / "code"
        self.process_file = folder / "process"
        self.modes = terminal.modes()
        self.kiosk = subprocess.Popen(
            [ROUNDEL, "run", kiosk, "--display", "headless", "--size", size, "--socket",
             self.socket], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        wait_until(self.socket.exists, "the kiosk's socket")
        terminal.run(
            f"(sh -c 'echo $$ > {self.process_file}; {before} exec {ROUNDEL} view {options} "
            f"--socket {self.socket}'; echo $? > {self.code_file})")
        wait_until(lambda: terminal.state("alternate_on") == "1", "the alternate screen")

    @property
    def process(self):
        return int(self.process_file.read_text())

    def close(self):
        self.kiosk.kill()
        self.kiosk.wait()

    def picture(self, tmp_path):
        """The expected picture: the panel's picture scaled down and centred on black."""
        file = tmp_path / "shot.png"
        assert roundel("screenshot", "-o", file, "--socket", self.socket).returncode == 0
        panel = Picture.read_png(file)
        columns, rows = int(self.terminal.state("pane_width")), 2 * int(
            self.terminal.state("pane_height"))
        scale = min(columns / panel.size[0], rows / panel.size[1])
        width, height = (round(side * scale) for side in panel.size)
        small = scaled(panel, width, height)
        left, top = (columns - width) // 2, (rows - height) // 2
        pixels = bytes(columns * top * 3)
        for y in range(height):
            row = small.pixels[y * width * 3:(y + 1) * width * 3]
            pixels += bytes(left * 3) + row + bytes((columns - left - width) * 3)
        return Picture(columns, rows, pixels + bytes((rows - top - height) * columns * 3))

    def shows(self, tmp_path):
        return is_same(self.terminal.picture(), self.picture(tmp_path))


@pytest.fixture
def watched(terminal, kiosk, tmp_path):
    watched = Watched(terminal, kiosk, tmp_path)
    yield watched
    watched.close()


def test_a_viewed_kiosk_looks_like_its_screenshot(watched, terminal, tmp_path):
    wait_until(lambda: watched.shows(tmp_path), "the picture")
    terminal.resize(100, 40)
    wait_until(lambda: watched.shows(tmp_path), "the picture at another size")


def test_a_viewed_kiosk_accepts_the_mouse(watched, terminal, tmp_path):
    wait_until(lambda: watched.shows(tmp_path), "the picture")
    # Down on one wedge, and up on it after a motion; then off the other one.
    for code, column, row, final in [
            (0, 40, 5, "M"), (32, 42, 6, "M"), (0, 42, 6, "m"),
            (0, 40, 17, "M"), (32, 2, 2, "M"), (0, 2, 2, "m")]:
        terminal.mouse(code, column, row, final)
    events = [json.loads(watched.kiosk.stdout.readline()) for _ in range(5)]
    assert [(event["event"], event["item"]) for event in events] == [
        ("pressed", "a"), ("selected", "a"), ("pressed", "b"), ("left", "b"), ("cancelled", "b")]
    wait_until(lambda: watched.shows(tmp_path), "the picture as it is now")


@pytest.mark.parametrize("way, code", [
    ("q", 0), ("\x1b", 0), (signal.SIGTERM, 0), (signal.SIGKILL, 137), (None, 69)])
def test_viewing_restores_the_terminal(watched, terminal, tmp_path, way, code):
    wait_until(lambda: terminal.picture() is not None, "a picture")
    if way is None:
        watched.close()
    elif isinstance(way, str):
        terminal.type(way)
    else:
        os.kill(watched.process, way)
    wait_until(watched.code_file.exists, "the end")
    wait_until(lambda: watched.code_file.read_text() == f"{code}\n", "the exit code")
    wait_until(terminal.is_plain, "a plain terminal")
    wait_until(lambda: terminal.modes() == watched.modes, "the old modes")
    if way is None:
        wait_until(lambda: "the kiosk disconnected" in terminal.text(), "a word about it")
    else:
        assert watched.kiosk.poll() is None


def test_viewing_works_over_ssh_and_survives_its_messages(terminal, kiosk, tmp_path):
    # An ssh that runs the command here, and later writes a message to the terminal.
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin/ssh"
    program.write_text(
        "#!/bin/sh\nfor word; do last=$word; done\n(sleep 1; echo said too late >&2) &\n"
        f"exec sh -c \"$(echo \"$last\" | sed 's,roundel,{ROUNDEL},')\"\n")
    program.chmod(0o755)
    watched = Watched(
        terminal, kiosk, tmp_path, before=f"PATH={tmp_path}/bin:$PATH", options="--host lobby")
    try:
        wait_until(lambda: watched.shows(tmp_path), "the picture")
        terminal.mouse(0, 40, 5)
        terminal.mouse(0, 40, 5, "m")
        assert "pressed" in watched.kiosk.stdout.readline()
        time.sleep(1)
        wait_until(lambda: watched.shows(tmp_path), "the picture without a word")
        terminal.type("q")
        wait_until(terminal.is_plain, "a plain terminal")
        wait_until(lambda: "said too late" in terminal.text(), "what ssh had to say")
    finally:
        watched.close()


def test_viewing_needs_a_kiosk_and_a_terminal(kiosk, tmp_path):
    nobody = roundel("view", "--socket", tmp_path / "none.sock")
    assert nobody.returncode == 69 and "no kiosk is running" in nobody.stderr
    assert roundel("view", "--fps", "0").returncode == 64
    assert roundel("view", "--graphics", "ascii").returncode == 64
    socket = tmp_path / "kiosk.sock"
    process = subprocess.Popen(
        [ROUNDEL, "run", kiosk, "--display", "headless", "--socket", socket],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(socket.exists, "the kiosk's socket")
        result = roundel("view", "--socket", socket)
        assert result.returncode == 69 and "no terminal" in result.stderr
    finally:
        process.kill()
        process.wait()


class HostileKiosk:
    """Answers each request for a frame with 40 pictures of 4096×4096 pixels."""

    def __init__(self, path):
        def chunk(name, data):
            return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        side = 4096
        png = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
               + chunk(b"IDAT", zlib.compress(bytes((1 + 3 * side) * side), 9)) + chunk(b"IEND", b""))
        self.part = {"at": [0, 0], "png": base64.b64encode(png).decode()}
        self.frames = 0
        self.socket = sockets.socket(sockets.AF_UNIX)
        self.socket.bind(str(path))
        self.socket.listen()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        client, _ = self.socket.accept()
        for line in client.makefile():
            request = json.loads(line)
            result = {"version": "3.0.0"}
            if request["method"] == "frame":
                result = {"size": request["params"]["size"], "area": [0, 0, 400, 240], "parts": [self.part] * 40}
            answer = {"jsonrpc": "2.0", "id": request["id"], "result": result}
            try:
                client.sendall(json.dumps(answer).encode() + b"\n")
            except OSError:
                return
            self.frames += request["method"] == "frame"


def test_a_hostile_kiosk_uses_little_memory_of_a_viewer(terminal, tmp_path):
    kiosk = HostileKiosk(tmp_path / "kiosk.sock")
    terminal.run(
        f"(sh -c 'echo $$ > {tmp_path}/process; exec {ROUNDEL} view --socket {tmp_path}/kiosk.sock'; "
        f"echo $? > {tmp_path}/code)")
    wait_until(lambda: kiosk.frames >= 4, "some frames")
    process = (tmp_path / "process").read_text().strip()
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    peak = int(status.split("VmHWM:")[1].split()[0]) >> 10
    assert peak < 200, f"{peak} MiB"
    terminal.type("q")
    wait_until((tmp_path / "code").exists, "the end", timeout=3)
