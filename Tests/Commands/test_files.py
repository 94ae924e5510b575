# SPDX-License-Identifier: MIT
"""Files designed to hang, bloat or deceive the programs that read them."""

import json
import os
import pathlib
import platform
import re
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
import zlib

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import hostile  # noqa: E402
from live import ROUNDEL, TOP, LiveKiosk  # noqa: E402
from measurement import Outcome  # noqa: E402

MAXIMUM_RESIDENT_BYTES = 256 << 20

LABEL = "kiosk: k\npages: [{page: a, controls: [{label: l, at: [99, 99], text: x}]}]\n"


def check(*arguments, **options):
    return Outcome(["check", *arguments], **options)


def png(width, height, depth=8, color=2, rows=None):
    """A one-colour image. The file contains `rows` rows, by default all."""
    channels = {0: 1, 2: 3, 6: 4}[color]
    row = b"\0" + b"\x80" * ((width * depth * channels + 7) // 8)
    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(row) for _ in range(height if rows is None else rows))
    data += packer.flush()

    def chunk(name, content):
        return (struct.pack(">I", len(content)) + name + content
                + struct.pack(">I", zlib.crc32(name + content)))
    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data)
            + chunk(b"IEND", b""))


def images(names):
    controls = "".join(
        f"      - {{image: i{n}, at: [200, 150], size: [300, 200], file: {name}}}\n"
        for n, name in enumerate(names))
    return f"kiosk: k\nscreen: {{size: [400, 300]}}\npages:\n  - page: a\n    controls:\n{controls}"


# Reading


@pytest.mark.parametrize("name, text", list(hostile.files()), ids=lambda part: (
    part if len(part) < 50 else ""))
def test_the_worst_file_is_checked_in_time(tmp_path, name, text):
    file = tmp_path / "k.yaml"
    file.write_text(text)
    checked = check(file)
    # Less than three seconds on an idle machine; other tests share the processor's caches.
    assert checked.processor_seconds < 6
    assert checked.code in (0, 1)
    assert checked.resident < MAXIMUM_RESIDENT_BYTES
    assert len(checked.stderr) < 1 << 20


def test_a_file_larger_than_four_mebibytes_is_rejected(tmp_path):
    file = tmp_path / "k.yaml"
    file.write_text(LABEL + "#" * (4 << 20))
    checked = check(file)
    assert checked.code == 1
    assert checked.stderr == f"{file}:1:1: error: the file is larger than 4 MiB\n".encode()


# Including


def including(folder, *names):
    file = folder / "k.yaml"
    items = ", ".join(f"{{include: {name}}}" for name in names)
    file.write_text(f"kiosk: k\npages: [{{page: a, controls: [{items}]}}]\n")
    return file


def test_only_regular_files_in_the_folder_are_included(tmp_path):
    folder = tmp_path / "kiosk"
    folder.mkdir()
    secret = tmp_path / "secret.yaml"
    secret.write_text("label: secret\nat: [9, 9]\ntext: t\n")
    (folder / "out.yaml").symlink_to("../secret.yaml")
    (folder / "up").symlink_to(tmp_path)
    (folder / "loop.yaml").symlink_to("loop.yaml")
    (folder / "sub").mkdir()
    os.mkfifo(folder / "pipe.yaml")
    file = including(folder, "pipe.yaml", "out.yaml", "up/secret.yaml", "../secret.yaml", secret,
                     "loop.yaml", "sub", "lost.yaml", "-")
    checked = check(file, timeout=10)
    assert checked.code == 1
    said = checked.stderr.decode().splitlines()
    reasons = ["it is a pipe (expected a regular file)", "it is a link out of the kiosk's folder",
               "it is a link out of the kiosk's folder", "is outside the kiosk's folder",
               "is outside the kiosk's folder", "Too many levels of symbolic links",
               "it is a folder", "No such file or directory", "No such file or directory"]
    assert len(said) == len(reasons), said
    for line, reason in zip(said, reasons):
        assert line.startswith(f"{file}:2:") and reason in line, line
    assert "secret\n" not in checked.stderr.decode()


def test_a_link_inside_the_folder_is_included(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real/a.yaml").write_text("label: a\nat: [99, 99]\ntext: t\n")
    (tmp_path / "a.yaml").symlink_to("real/a.yaml")
    assert check(including(tmp_path, "a.yaml")).code == 0
    # Relative to the kiosk's own folder, its path has no slash.
    assert check("k.yaml", cwd=tmp_path).code == 0
    files = check("--files", "k.yaml", cwd=tmp_path)
    assert (files.code, files.stdout) == (0, b"k.yaml\na.yaml\n")


def test_files_with_many_inclusions_are_checked_in_time(tmp_path):
    large = "- {label: l, at: [9, 9], text: t}\n" * 100_000
    (tmp_path / "large.yaml").write_text(large[:4 << 20])
    for n in range(16):
        (tmp_path / f"{n}.yaml").write_text(f"- include: {n + 1}.yaml\n" * 100_000)
    for names in (["large.yaml"] * 10_000, ["0.yaml"], [f"lost{n}.yaml" for n in range(100_000)]):
        checked = check(including(tmp_path, *names))
        assert checked.code == 1
        assert checked.seconds < 6
        assert checked.resident < MAXIMUM_RESIDENT_BYTES
        assert len(checked.stderr) < 1 << 20


def test_a_kiosk_is_reloaded_when_an_included_file_changes(tmp_path):
    (tmp_path / "parts").mkdir()
    part = tmp_path / "parts/label.yaml"
    part.write_text("{label: $id, at: [99, 99], text: old}\n")
    source = tmp_path / "source.yaml"
    source.write_text("kiosk: k\npages: [{page: a, controls: [{for: {id: [l, m]}, "
                      "include: parts/label.yaml}]}]\n")
    kiosk = LiveKiosk(tmp_path, file=source)
    try:
        assert kiosk.get("m.text") == "old"
        part.write_text("{label: $id, at: [99, 99], text: new}\n")
        kiosk.log.until("was reloaded")
        assert kiosk.get("m.text") == "new"
        # A broken part keeps the running kiosk, and fixing it is noticed.
        part.write_text("{label: $id, at: [99, 99], txt: broken}\n")
        kiosk.log.until("label.yaml:1:28: error: unknown key")
        assert kiosk.get("m.text") == "new"
        part.unlink()
        kiosk.log.until("cannot include")
        part.write_text("{label: $id, at: [99, 99], text: mended}\n")
        kiosk.log.until("was reloaded")
        assert kiosk.get("m.text") == "mended"
    finally:
        kiosk.close()


def test_a_label_that_shows_itself_is_an_error(tmp_path):
    file = tmp_path / "k.yaml"
    file.write_text(LABEL.replace("text: x", 'text: "{l.text} x"'))
    checked = check(file)
    assert checked.code == 1
    assert f"{file}:2:61: error: l.text depends on itself" in checked.stderr.decode()


def test_endlessly_growing_templates_stop_at_the_maximum_length(tmp_path):
    file = tmp_path / "k.yaml"
    labels = "".join(f"      - {{label: l{n}, at: [9, 9], text: \"{('{l%d.text}' % (n + 1)) * 16}\"}}\n"
                     for n in range(8))
    file.write_text(hostile.HEAD + labels + "      - {label: l8, at: [9, 9], text: x}\n")
    checked = check(file)
    assert checked.code == 0
    assert checked.seconds < 6


def test_the_memory_of_these_tests_does_not_count_for_a_program():
    memory = b"x" * MAXIMUM_RESIDENT_BYTES
    version = Outcome(["--version"])
    assert len(memory) == MAXIMUM_RESIDENT_BYTES
    assert version.resident < 64 << 20


# Special files


@pytest.fixture(params=["a pipe", "a folder", "a socket", "a device"])
def stranger(request, tmp_path):
    """A special file instead of a regular one, and its kind."""
    path = tmp_path / "stranger.png"
    if request.param == "a pipe":
        os.mkfifo(path)
    elif request.param == "a folder":
        path.mkdir()
    elif request.param == "a socket":
        socket.socket(socket.AF_UNIX).bind(str(path))
    else:
        path.symlink_to("/dev/zero")
    return path, request.param


@pytest.mark.parametrize("command", [
    ["check"], ["render", "-o", "x.png"], ["run", "--display", "headless"], ["test"]])
def test_a_special_file_is_neither_a_kiosk_nor_a_suite(tmp_path, stranger, command):
    path, what = stranger
    outcome = Outcome([*command, path], timeout=10, cwd=tmp_path)
    assert outcome.code == 65
    assert f"it is {what} (expected a regular file)" in outcome.stderr.decode()


def test_a_special_file_is_neither_an_image_nor_a_font(tmp_path, stranger):
    path, what = stranger
    file = tmp_path / "k.yaml"
    file.write_text(images([path.name]))
    checked = check(file, timeout=10)
    assert checked.code == 1
    assert f"{file}:6:" in checked.stderr.decode()
    assert f"it is {what} (expected a regular file)" in checked.stderr.decode()
    font = tmp_path / "stranger.ttf"
    path.rename(font)
    file.write_text("screen: {font: stranger.ttf}\n" + LABEL)
    checked = check(file, timeout=10)
    assert checked.code == 1
    assert "is not a regular file" in checked.stderr.decode()


def test_a_recording_can_be_piped(tmp_path):
    file, pipe = tmp_path / "k.yaml", tmp_path / "pipe"
    file.write_text(LABEL)
    os.mkfifo(pipe)
    writer = subprocess.Popen(["sh", "-c", f"echo '{{\"t\":1,\"end\":true}}' > {pipe}"])
    outcome = Outcome(["replay", file, pipe], timeout=10)
    writer.wait(timeout=10)
    assert outcome.code == 0, outcome.stderr


def test_a_kiosk_survives_the_replacement_of_its_file_by_a_pipe(tmp_path):
    kiosk = LiveKiosk(tmp_path)
    try:
        good = kiosk.file.read_text()
        kiosk.file.unlink()
        os.mkfifo(kiosk.file)
        kiosk.log.until("it is a pipe (expected a regular file)")
        kiosk.file.unlink()
        kiosk.file.write_text(good)
        kiosk.log.until("was reloaded")
    finally:
        kiosk.close()


# Images


def test_an_image_is_rejected_by_its_size_before_decompression(tmp_path):
    file = tmp_path / "k.yaml"
    # The header is sufficient: the file contains no pixels.
    (tmp_path / "a.png").write_bytes(png(20_000, 20_000, rows=1))
    file.write_text(images(["a.png"]))
    checked = check(file)
    assert checked.code == 1
    assert "k.yaml:6:61: error: image \"a.png\": the picture of 20000x20000 pixels is too large" \
        " (at most 8192 pixels per side and 16 Mi pixels)" in checked.stderr.decode()
    assert checked.seconds < 5


def test_twelve_images_that_unpack_to_gigabytes_are_rejected_with_the_sums(tmp_path):
    file = tmp_path / "k.yaml"
    (tmp_path / "big.png").write_bytes(png(8192, 8192, depth=1, color=0))
    (tmp_path / "good.png").write_bytes(png(4096, 4096, depth=1, color=0))
    for n in range(6):
        shutil.copy(tmp_path / "big.png", tmp_path / f"b{n}.png")
        shutil.copy(tmp_path / "good.png", tmp_path / f"g{n}.png")
    file.write_text(images([f"{kind}{n}.png" for n in range(6) for kind in "bg"]))
    checked = check(file)
    said = checked.stderr.decode()
    assert checked.code == 1
    assert said.count("8192x8192 pixels is too large") == 6
    assert said.count("its 4096x4096 pixels need 64 MiB, and the previous images 128 MiB"
                      " (at most 128 MiB for all images of a kiosk)") == 4
    assert checked.resident < MAXIMUM_RESIDENT_BYTES


def test_art_for_the_largest_panels_is_shown(tmp_path):
    file = tmp_path / "k.yaml"
    (tmp_path / "a.png").write_bytes(png(3840, 2160, color=6))
    (tmp_path / "b.png").write_bytes(png(3840, 2160, depth=16))
    file.write_text(images(["a.png", "b.png"]))
    outcome = Outcome(["render", file, "-o", tmp_path / "o.png", "--size", "3840x2160"])
    assert outcome.code == 0, outcome.stderr


def test_an_always_moving_kiosk_is_painted(tmp_path):
    file = tmp_path / "k.yaml"
    file.write_text("""kiosk: k
transition: slide
pages:
  - {page: a, controls: [{label: l, at: [640, 400], text: a}], on: {shown: [{go: b}]}}
  - {page: b, controls: [{label: m, at: [640, 400], text: b}], home_after: 0.1}
""")
    outcome = Outcome(["render", file, "-o", tmp_path / "o.png"], timeout=30)
    assert outcome.code == 0, outcome.stderr


def test_a_kiosk_with_little_memory_survives_decompression_bombs(tmp_path):
    kiosk = LiveKiosk(tmp_path)
    try:
        resource.prlimit(kiosk.process.pid, resource.RLIMIT_AS, (400 << 20, 400 << 20))
        for n in range(12):
            (tmp_path / f"i{n}.png").write_bytes(png(4000, 4000, depth=1, color=0))
        kiosk.file.write_text(images([f"i{n}.png" for n in range(12)]))
        kiosk.log.until("cannot reload")
        assert kiosk.process.poll() is None
    finally:
        kiosk.close()


HUGE_CONTROLS = [
    "picker: p, at: [640, 400], size: [16000, 16000], rows: 1, wheels: [{id: w, items: [a, b]}]",
    "picker: p, at: [640, 400], size: [100000, 100000], rows: 99,"
    " wheels: [{id: w, items: [a, b]}]",
    "picker: p, at: [640, 400], size: [16000, 16000], wheels: [{id: w, items: [a, b, c, d, e]}]",
    "slots: s, at: [640, 400], size: [100000, 90], rows: 1, reels: [{id: r, items: [a, b]}]",
    "slots: s, at: [640, 400], size: [16000, 16000], reels: [{id: r, items: [a, b, c]}]",
    "dial: d, at: [640, 400], radius: 99999, labels: 10000",
    "pinwheel: w, at: [640, 400], radius: 99999, wedges: [{id: a, label: a}, {id: b, label: b}]",
    "menu: m, at: [640, 400], radius: 99999, leaf_radius: 99999, items: [{id: a, label: a}]",
    "resistor: r, at: [640, 400], size: [100000, 100000]",
    "button: b, at: [640, 400], size: [100000, 100000], text: x",
    "label: l, at: [640, 400], font_size: 2000, text: x",
]


def render(tmp_path, control, size, *options):
    file = tmp_path / "k.yaml"
    file.write_text(f"kiosk: k\nscreen: {{size: [{size[0]}, {size[1]}]}}\n"
                    f"pages: [{{page: a, controls: [{{{control}}}]}}]\n")
    return Outcome(["render", file, "-o", tmp_path / "o.png", *options])


@pytest.mark.parametrize("control", HUGE_CONTROLS)
def test_a_huge_control_needs_no_more_memory_than_the_screen(tmp_path, control):
    rendered = render(tmp_path, control, (1280, 800))
    assert rendered.code == 0, rendered.stderr
    assert rendered.resident < 100 << 20


@pytest.mark.parametrize("control", HUGE_CONTROLS)
def test_no_control_needs_more_than_256_mib_on_the_largest_screen(tmp_path, control):
    rendered = render(tmp_path, control, (7680, 4320), "--rotate", "90")
    assert rendered.code == 0, rendered.stderr
    assert rendered.resident < MAXIMUM_RESIDENT_BYTES


@pytest.mark.parametrize("size", [(7681, 800), (7680, 4321)])
def test_a_screen_larger_than_the_maximum_is_an_error(tmp_path, size):
    rendered = render(tmp_path, "label: l, at: [640, 400], text: x", size)
    assert rendered.code == 65
    assert b"expected" in rendered.stderr
    assert rendered.resident < 100 << 20


# Output files


def test_a_picture_on_a_full_disk_leaves_no_file(tmp_path):
    file, place = tmp_path / "k.yaml", tmp_path / "out"
    file.write_text(LABEL)
    place.mkdir()

    def fill_the_disk():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
    outcome = Outcome(["render", file, "-o", place / "o.png"], preexec_fn=fill_the_disk)
    assert outcome.code == 1
    assert b"cannot write" in outcome.stderr
    assert list(place.iterdir()) == []


# Printed text

EVIL = "\x1b]0;x\x07\x9b2J\u202e\u2066\u200f\u061c\u2028\x7f"
ESCAPED = json.dumps(EVIL)[1:-1]
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def assert_clean(output):
    text = output.decode()
    assert not RAW.search(text), repr(text)


HOSTILE = f"""
kiosk: "k{ESCAPED}"
pages:
  - page: "p{ESCAPED}"
    controls:
      - label: "l{ESCAPED}"
        at: [99, 99]
        text: "t{ESCAPED}"
      - pinwheel: "w{ESCAPED}"
        at: [300, 300]
        radius: 200
        wedges: [{{id: "i{ESCAPED}", label: "n{ESCAPED}"}}]
        on: {{selected: [{{emit: "e{ESCAPED}"}}, {{run: ["/none{ESCAPED}{{page}}"]}}, {{go: "q{ESCAPED}"}}]}}
  - page: "q{ESCAPED}"
    controls: [{{label: m, at: [9, 9], text: x}}]
"""


@pytest.fixture
def evil(tmp_path):
    """A folder with a kiosk and a suite whose names are terminal control sequences."""
    folder = tmp_path / f"f{EVIL}".replace("/", "")
    folder.mkdir()
    (folder / "k.yaml").write_text(HOSTILE)
    (folder / "bad.yaml").write_text(
        HOSTILE.replace(f'go: "q{ESCAPED}"', f'spin: "x{ESCAPED}"').replace(
            "at: [99, 99]", f'"k{ESCAPED}": "v{ESCAPED}", "at": "{ESCAPED}"').replace(
                "        text:", "        text:"))
    (folder / "s.yaml").write_text(f"""
suite: "s{ESCAPED}"
kiosk: k.yaml
tests:
  - test: "works {ESCAPED}"
    steps: [{{expect: {{event: emit, name: "x{ESCAPED}", within: 0.1}}}}]
  - test: "touches {ESCAPED}"
    steps: [{{tap: "w{ESCAPED}/i{ESCAPED}"}}, {{expect: {{page: "p{ESCAPED}", within: 0.1}}}}]
""")
    (folder / "bad-suite.yaml").write_text(
        f'suite: "s{ESCAPED}"\nkiosk: k.yaml\ntests: [{{"x{ESCAPED}": 1, steps: [{{"y{ESCAPED}": 1}}]}}]\n')
    return folder


@pytest.mark.parametrize("arguments", [
    ["check", "k.yaml"], ["check", "bad.yaml"], ["check", "--json", "bad.yaml"],
    ["check", f"none{EVIL}.yaml"], ["render", "bad.yaml", "-o", "o.png"],
    ["render", "k.yaml", "-o", f"none{EVIL}/o.png"],
    ["render", "k.yaml", "-o", "o.png", "--page", f"x{EVIL}"],
    ["render", "k.yaml", "-o", "o.png", "--set", f"x{EVIL}.y=1"],
    ["render", "k.yaml", "-o", "o.png", "--size", f"x{EVIL}"], [f"x{EVIL}"],
    ["bench", "k.yaml", "--frames", "1"], ["bench", "k.yaml", "--frames", "1", "--json"],
    ["test", "s.yaml"], ["test", "--tap", "s.yaml"], ["test", "--json", "s.yaml"],
    ["test", "--list", "s.yaml"], ["test", "bad-suite.yaml"],
    ["test", "s.yaml", "--junit", "j.xml", "--artifacts", "a"],
    ["run", "bad.yaml", "--display", "headless"],
    ["status", "--socket", f"none{EVIL}"],
], ids=lambda arguments: " ".join(arguments).encode("ascii", "ignore").decode())
def test_no_command_prints_control_sequences(evil, arguments):
    # Paths are printed as given.
    arguments = [str(evil / part) if part.endswith(".yaml") else part for part in arguments]
    outcome = Outcome(arguments, cwd=evil)
    assert outcome.stdout or outcome.stderr or arguments[0] == "check"
    assert_clean(outcome.stdout)
    assert_clean(outcome.stderr)
    if (evil / "j.xml").exists():
        assert_clean((evil / "j.xml").read_bytes())


def test_no_answer_of_a_kiosk_prints_control_sequences(tmp_path, evil):
    folder = tmp_path / "live"
    folder.mkdir()
    kiosk = LiveKiosk(folder, file=evil / "k.yaml")
    try:
        lines = []
        for arguments in [
            ["status"], ["status", "--json"], ["tree"], ["tree", "--json"],
            ["get", f"l{EVIL}.text"], ["get", "--json", f"l{EVIL}.text"], ["get", f"x{EVIL}.text"],
            ["set", f"l{EVIL}.text=y{EVIL}"], ["set", f"l{EVIL}.none=y{EVIL}"], ["go", f"x{EVIL}"],
            ["tap", f"w{EVIL}/x{EVIL}"], ["tap", f"w{EVIL}/i{EVIL}"], ["spin", f"l{EVIL}"],
            ["wait", f"l{EVIL}.text=x", "--timeout", "0.1"], ["call", f"x{EVIL}"],
            ["call", "status"], ["latency"], ["test", str(evil / "s.yaml"), "--running"],
        ]:
            outcome = Outcome([*arguments, "--socket", kiosk.socket])
            assert outcome.stdout or outcome.stderr or arguments[0] in ("set", "tap", "go")
            assert_clean(outcome.stdout)
            assert_clean(outcome.stderr)
        deadline = time.monotonic() + 20
        while not any('"failed"' in line for line in lines):
            assert time.monotonic() < deadline, lines
            lines.append(kiosk.events.next())
        assert any('"emit"' in line for line in lines)
        for line in lines:
            assert not RAW.search(line), repr(line)
    finally:
        kiosk.close()


# Installing


def install(*options, **environment):
    if os.geteuid() != 0 and not shutil.which("fakeroot"):
        pytest.skip("needs root or fakeroot")
    root = [] if os.geteuid() == 0 else ["fakeroot"]
    return subprocess.run([*root, TOP / "deploy/install", *options], capture_output=True, text=True,
                          env={**os.environ, **environment}, timeout=60)


@pytest.fixture
def program(tmp_path):
    file = tmp_path / "roundel"
    file.write_text(f'#!/bin/sh\nexec {ROUNDEL} "$@"\n')
    file.chmod(0o755)
    return file


def wall(folder, image="art.png"):
    folder.mkdir(exist_ok=True)
    file = folder / "wall.yaml"
    file.write_text(f"kiosk: wall\npages: [{{page: a, background: {{image: {image}}}, controls: []}}]\n")
    return file


@pytest.mark.parametrize("name", ["mqtt", "home"])
def test_the_installer_installs_a_bridge_on_request(name, tmp_path, program):
    root = tmp_path / "root"
    refused = install("--root", root, "--binary", program, f"--{name}")
    assert refused.returncode == 66 and f"roundel-{name}" in refused.stderr
    (tmp_path / f"roundel-{name}").write_text("#!/bin/sh\n")
    (tmp_path / f"roundel-{name}").chmod(0o755)
    done = install("--root", root, "--binary", program, f"--{name}")
    assert done.returncode == 0, done.stderr
    settings = root / f"etc/roundel/{name}.conf"
    assert settings.stat().st_mode & 0o777 == 0o600  # it may hold a password
    assert (root / f"usr/bin/roundel-{name}").exists()
    assert (root / f"usr/lib/systemd/system/roundel-{name}@.service").exists()
    assert (root / f"usr/lib/systemd/system/roundel-{name}@.service.d/00-sandbox.conf").exists()
    settings.write_text("ARGUMENTS=mine\n")
    assert install("--root", root, "--binary", program, f"--{name}").returncode == 0
    assert "mine" in settings.read_text()


@pytest.mark.parametrize("target", ["../secret", "/etc/hostname"])
def test_the_installer_follows_no_link_out_of_the_kiosk_folder(tmp_path, program, target):
    (tmp_path / "secret").write_text("secret")
    kiosk = wall(tmp_path / "kiosk")
    (tmp_path / "kiosk/art.png").symlink_to(target)
    root = tmp_path / "root"
    refused = install("--root", root, "--binary", program, "--kiosk", kiosk)
    assert refused.returncode == 65
    assert "art.png is a link out of" in refused.stderr
    assert not (root / "etc/roundel/art.png").exists()


def test_the_installer_rejects_a_program_for_another_processor(tmp_path):
    program = bytearray(pathlib.Path("/bin/true").read_bytes())
    program[18:20] = b"\xb7\0" if platform.machine() == "x86_64" else b"\x3e\0"
    file = tmp_path / "roundel"
    file.write_bytes(program)
    file.chmod(0o755)
    root = tmp_path / "root"
    (root / "bin").mkdir(parents=True)
    shutil.copy("/bin/true", root / "bin/sh")
    refused = install("--root", root, "--binary", file)
    assert refused.returncode == 65
    assert re.search(r"is for (arm64|x86-64), but .*/root is (x86-64|arm64); build one: ",
                     refused.stderr), refused.stderr
    assert not (root / "usr/bin/roundel").exists()


def test_the_installer_includes_a_kiosk_s_included_files(tmp_path, program):
    folder = tmp_path / "kiosk"
    (folder / "parts").mkdir(parents=True)
    (folder / "wall.yaml").write_text(
        "kiosk: wall\npages: [{for: [{id: one}, {id: two}], include: parts/page.yaml}]\n")
    (folder / "parts/page.yaml").write_text(
        "page: $id\ncontrols: [{image: $id, at: [99, 99], size: [99, 99], file: $id.png}]\n")
    for name in ("parts/one.png", "parts/two.png", "parts/three.png"):
        (folder / name).write_bytes(png(4, 4))
    root = tmp_path / "root"
    done = install("--root", root, "--binary", program, "--kiosk", folder / "wall.yaml")
    assert done.returncode == 0, done.stderr
    etc = root / "etc/roundel"
    assert sorted(str(file.relative_to(etc)) for file in etc.rglob("*.*")) == [
        "parts/one.png", "parts/page.yaml", "parts/two.png", "wall.yaml"]
    assert check(etc / "wall.yaml").code == 0


def test_the_installer_follows_links_inside_the_folder(tmp_path, program):
    kiosk = wall(tmp_path / "kiosk")
    (tmp_path / "kiosk/real.png").write_text("art")
    (tmp_path / "kiosk/art.png").symlink_to("real.png")
    root = tmp_path / "root"
    done = install("--root", root, "--binary", program, "--kiosk", kiosk)
    assert done.returncode == 0, done.stderr
    assert (root / "etc/roundel/art.png").read_text() == "art"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may read what others may not")
def test_root_installs_only_files_that_its_caller_may_read(tmp_path, program):
    for folder in (tmp_path, *list(tmp_path.parents)[:4]):
        if folder.owner() == "root" and folder != pathlib.Path("/"):
            folder.chmod(folder.stat().st_mode | 0o055)
    kiosk = wall(tmp_path / "kiosk")
    secret = tmp_path / "kiosk/art.png"
    secret.write_text("secret")
    secret.chmod(0o600)
    root = tmp_path / "root"
    refused = install("--root", root, "--binary", program, "--kiosk", kiosk,
                      SUDO_UID="65534", SUDO_GID="65534")
    assert refused.returncode == 77
    assert "user 65534 cannot read art.png" in refused.stderr
    assert not (root / "etc/roundel/art.png").exists()
    secret.chmod(0o644)
    done = install("--root", root, "--binary", program, "--kiosk", kiosk,
                   SUDO_UID="65534", SUDO_GID="65534")
    assert done.returncode == 0, done.stderr
