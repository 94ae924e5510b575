# SPDX-License-Identifier: MIT
"""Bundles: kiosks with all their files, signed, installed, fetched and rolled back."""

import hashlib
import http.server
import io
import json
import os
import pathlib
import random
import shutil
import ssl
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import types

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import ROUNDEL, TOP, LiveKiosk, run  # noqa: E402

pytestmark = pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="ssh-keygen is not installed")
MAGIC = b"roundel-bundle 1\n"

KIOSK = """
kiosk: lunch
values: {room: Nowhere, cups: {value: 1, min: 1, max: 8}}
languages: [en, de]
texts: {welcome: {en: "Welcome %(version)s", de: Willkommen}}
pages:
  - page: only
    background: {image: pictures/tiles.jpg}
    controls:
      - label: hello
        at: [640, 400]
        text: "{texts.welcome} {room}"
        font: fonts/own.ttf
      - {include: parts/buttons.yaml}
"""
BUTTONS = """
- button: ring
  at: [200, 700]
  size: [120, 120]
  text: Ring
  on: {selected: [{play: ../bell.wav}, {run: [bin/report, now]}]}
"""


def make_kiosk(folder, version=1):
    for name in ("pictures", "fonts", "parts", "bin"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    shutil.copy(TOP / "deploy/examples/kiosks/jukebox/tiles.jpg", folder / "pictures")
    shutil.copy(subprocess.run(["fc-match", "-f", "%{file}", "DejaVu Sans"], capture_output=True,
                               text=True).stdout, folder / "fonts/own.ttf")
    shutil.copy(TOP / "deploy/examples/kiosks/timer/bell.wav", folder)
    (folder / "parts/buttons.yaml").write_text(BUTTONS)
    (folder / "bin/report").write_text("#!/bin/sh\n")
    (folder / "bin/report").chmod(0o755)
    (folder / "lunch.yaml").write_text(KIOSK % {"version": version})
    return folder / "lunch.yaml"


@pytest.fixture(scope="session")
def keys(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys")
    for name, kind in [("own", "ed25519"), ("other", "ed25519"), ("old", "rsa")]:
        subprocess.run(["ssh-keygen", "-q", "-t", kind, "-N", "", "-C", name, "-f", folder / name],
                       check=True)
    return folder


class Place:
    """A machine's folder of kiosks, and the author's."""

    def __init__(self, folder, keys):
        self.author, self.etc, self.keys = folder / "author", folder / "etc", keys
        self.etc.mkdir()
        make_kiosk(self.author)

    def bundle(self, version, key="own", name="lunch.bundle", **edits):
        make_kiosk(self.author, version)
        for path, text in edits.items():
            (self.author / path).write_text(text)
        made = self.author.parent / f"{version}-{key}-{name}"
        run("bundle", self.author / "lunch.yaml", "-o", made, "--key", self.keys / key, "--version",
            version)
        return made

    def install(self, bundle, *words, code=0, key="own", **options):
        return run("install", bundle, "--trust", self.keys / f"{key}.pub", "--to", self.etc, *words,
                   code=code, **options)

    @property
    def file(self):
        return self.etc / "lunch.yaml"

    def version(self):
        return int(os.readlink(self.etc / ".bundles/lunch/current"))

    def state(self):
        """Returns the contents of the folder by path: bytes, or the target of a link."""
        return {str(path.relative_to(self.etc)):
                os.readlink(path) if path.is_symlink() else path.read_bytes()
                for path in sorted(self.etc.rglob("*")) if path.is_symlink() or path.is_file()}


@pytest.fixture
def place(tmp_path, keys):
    return Place(tmp_path, keys)


def seal(keys, archive, key="own"):
    """Creates a bundle of arbitrary bytes, signed as by roundel."""
    done = subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-n", "roundel-bundle", "-f", keys / key],
                          input=archive, capture_output=True, check=True)
    import base64
    signature = base64.b64decode(b"".join(done.stdout.splitlines()[1:-1]))
    return MAGIC + len(signature).to_bytes(4, "big") + signature + archive


def unseal(bundle):
    length = int.from_bytes(bundle[17:21], "big")
    return bundle[21:21 + length], bundle[21 + length:]


# MARK: Creation


def test_a_bundle_contains_all_named_files_and_tar_can_read_it(place):
    bytes = place.bundle(7).read_bytes()
    assert bytes.startswith(MAGIC)
    signature, archive = unseal(bytes)
    assert signature.startswith(b"SSHSIG")
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        files = {entry.name: (entry.mode, tar.extractfile(entry).read()) for entry in tar}
    manifest = json.loads(files.pop("bundle.json")[1])
    assert manifest == {"format": 1, "kiosk": "lunch.yaml", "version": 7}
    expected = {str(path.relative_to(place.author)): path for path in place.author.rglob("*")
                if path.is_file()}
    assert files.keys() == expected.keys()
    for name, (mode, content) in files.items():
        assert content == expected[name].read_bytes()
        assert mode == (0o755 if name == "bin/report" else 0o644)


def test_a_kiosk_that_is_marked_by_its_name_is_installed_under_its_plain_name(place):
    (place.author / "lunch.yaml").rename(place.author / "lunch.roundel.yaml")
    (place.author / "lunch.overlay.yaml").write_text("values: {room: Here}\n")
    run("bundle", place.author / "lunch.roundel.yaml", "-o", place.author / "b", "--key", place.keys / "own")
    with tarfile.open(fileobj=io.BytesIO(unseal((place.author / "b").read_bytes())[1])) as tar:
        names = tar.getnames()
    assert "lunch.yaml" in names and "lunch.roundel.yaml" not in names and "lunch.overlay.yaml" not in names
    place.install(place.author / "b")
    assert (place.etc / "lunch.yaml").is_file()
    (place.author / "lunch.yaml").write_bytes(b"x")
    refused = run("bundle", place.author / "lunch.roundel.yaml", "-o", place.author / "b", "--key",
                  place.keys / "own", "--with", "lunch.yaml", code=1)
    assert "cannot bundle lunch.yaml: a bundle stores lunch.roundel.yaml under this name" in refused.stderr


def test_the_same_files_give_the_same_bytes(place, tmp_path):
    one = place.bundle(7, name="a").read_bytes()
    os.utime(place.author / "bell.wav", (0, 0))
    assert place.bundle(7, name="b").read_bytes() == one
    elsewhere = make_kiosk(tmp_path / "elsewhere", 7)
    run("bundle", elsewhere.name, "-o", tmp_path / "c", "--key", place.keys / "own", "--version", "7",
        cwd=elsewhere.parent)
    assert (tmp_path / "c").read_bytes() == one
    assert place.bundle(8).read_bytes() != one


def test_the_version_is_the_time_unless_given(place, tmp_path):
    before = int(time.time())
    run("bundle", place.author / "lunch.yaml", "-o", tmp_path / "b", "--key", place.keys / "own")
    said = json.loads(place.install(tmp_path / "b", "--json").stdout)
    assert before <= said["version"] <= time.time() and said["installed"] is True


def test_files_that_another_machine_would_not_find_are_rejected(place, tmp_path):
    (tmp_path / "elsewhere.png").write_bytes((TOP / "deploy/manual/pictures/dial.png").read_bytes())
    for file in ("../elsewhere.png", str(tmp_path / "elsewhere.png")):
        (place.author / "lunch.yaml").write_text(
            f"kiosk: lunch\npages: [{{page: p, controls: [{{image: i, file: {file}, at: [640, 400], "
            "size: [400, 400]}]}]\n")
        said = run("bundle", place.author / "lunch.yaml", "-o", tmp_path / "b", "--key",
                   place.keys / "own", code=1).stderr
        assert "elsewhere.png" in said and "outside the kiosk's folder" in said
        assert not (tmp_path / "b").exists()


def test_a_kiosk_with_errors_gives_no_bundle(place, tmp_path):
    (place.author / "lunch.yaml").write_text("kiosk: lunch\npages: []\n")
    said = run("bundle", place.author / "lunch.yaml", "-o", tmp_path / "b", "--key", place.keys / "own",
               code=65).stderr
    assert "lunch.yaml:2" in said and not (tmp_path / "b").exists()


def test_an_unusable_key_is_an_error(place, tmp_path):
    for key, code in [(tmp_path / "none", 65), (place.author / "lunch.yaml", 1)]:
        run("bundle", place.author / "lunch.yaml", "-o", tmp_path / "b", "--key", key, code=code)
        assert not (tmp_path / "b").exists()


# MARK: Installing


def test_a_bundle_is_installed_completely_and_shown(place):
    place.install(place.bundle(5))
    run("check", place.file)
    for path in place.author.rglob("*"):
        if path.is_file():
            installed = place.etc / path.relative_to(place.author)
            assert installed.read_bytes() == path.read_bytes()
            assert os.access(installed, os.X_OK) == os.access(path, os.X_OK)


def test_installing_the_same_version_changes_nothing_and_a_lower_one_is_rejected(place):
    five, four, six = place.bundle(5), place.bundle(4), place.bundle(6)
    place.install(five)
    before = place.state()
    assert "already" in place.install(five).stdout and place.state() == before
    assert "version 5 was installed" in place.install(four, code=1).stderr and place.state() == before
    place.install(six)
    assert place.version() == 6 and "Welcome 6" in place.file.read_text()
    place.install(five, code=1)
    assert place.version() == 6


def test_a_key_that_is_not_trusted_is_rejected(place):
    place.install(place.bundle(5, key="other"), code=1)
    assert place.state() == {}
    place.install(place.bundle(5, key="old"), key="old")
    assert place.version() == 5
    # Several keys are trusted, in one option or several.
    run("install", place.bundle(6, key="other"), "--trust", place.keys / "own.pub",
        place.keys / "other.pub", "--to", place.etc)
    run("install", place.bundle(7, key="own"), "--trust", place.keys / "old.pub", "--trust",
        place.keys / "own.pub", "--to", place.etc)
    assert place.version() == 7
    run("install", "--to", place.etc, "--trust", place.keys / "own.pub", place.bundle(8))
    assert place.version() == 8
    run("install", "--to", place.etc, "--trust", place.keys / "own.pub", code=64)


@pytest.mark.parametrize("example", ["museum", "jukebox", "timer"])
def test_an_example_is_installed_with_all_its_files(place, tmp_path, example):
    run("bundle", TOP / f"deploy/examples/kiosks/{example}.yaml", "-o", tmp_path / "b", "--key", place.keys / "own")
    place.install(tmp_path / "b")
    run("render", place.etc / f"{example}.yaml", "-o", tmp_path / "installed.png")
    run("render", TOP / f"deploy/examples/kiosks/{example}.yaml", "-o", tmp_path / "own.png")
    assert (tmp_path / "installed.png").read_bytes() == (tmp_path / "own.png").read_bytes()


def test_a_signature_for_another_purpose_is_rejected(place, keys, tmp_path):
    _, archive = unseal(place.bundle(5).read_bytes())
    done = subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-n", "file", "-f", keys / "own"],
                          input=archive, capture_output=True, check=True)
    import base64
    signature = base64.b64decode(b"".join(done.stdout.splitlines()[1:-1]))
    (tmp_path / "b").write_bytes(MAGIC + len(signature).to_bytes(4, "big") + signature + archive)
    place.install(tmp_path / "b", code=1)


def test_any_changed_byte_is_detected(place, tmp_path):
    whole = place.bundle(5).read_bytes()
    signature, archive = unseal(whole)
    chance = random.Random(11)
    places = [*range(0, 21 + len(signature), 6), len(whole) - 1, 21 + len(signature) + 4]
    places += [chance.randrange(len(whole)) for _ in range(30)]
    for at in places:
        spoiled = bytearray(whole)
        spoiled[at] ^= 1 << chance.randrange(8)
        (tmp_path / "b").write_bytes(spoiled)
        place.install(tmp_path / "b", code=1)
    for spoiled in (whole[:-1], whole[:-512], whole + b"\0", whole[:100], whole[:20], b"", MAGIC):
        (tmp_path / "b").write_bytes(spoiled)
        place.install(tmp_path / "b", code=1)
    assert place.state() == {}
    (tmp_path / "b").write_bytes(whole)
    place.install(tmp_path / "b")


def entry(name, content=b"", **more):
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for key, value in more.items():
        setattr(info, key, value)
    return info, content


def tar(*entries):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for info, content in entries:
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


GOOD = (b"kiosk: x\npages: [{page: p, controls: [{label: l, at: [640, 400], text: x}]}]\n")
MANIFEST = b'{"format":1,"kiosk":"x.yaml","version":3}\n'


HOSTILE = {
    "terminal control": (tar(entry("a\u009bb", GOOD)), "\"a\\u{9b}b\" is not a path below"),
    "right to left": (tar(entry("gnp.\u202exe", GOOD)), "\"gnp.\\u{202e}xe\" is not a path below"),
    "up": (tar(entry("../x.yaml", GOOD)), "is not a path below"),
    "up within": (tar(entry("a/../../x", GOOD)), "is not a path below"),
    "absolute": (tar(entry("/etc/passwd", GOOD)), "is not a path below"),
    "empty part": (tar(entry("a//b", GOOD)), "is not a path below"),
    "control": (tar(entry("a\nb", GOOD)), "is not a path below"),
    "link": (tar(entry("l", type=tarfile.SYMTYPE, linkname="/etc")), "is a link"),
    "hard link": (tar(entry("l", type=tarfile.LNKTYPE, linkname="/etc/passwd")), "is a link"),
    "device": (tar(entry("d", type=tarfile.CHRTYPE)), "not a regular file"),
    "folder": (None, "is a folder"),
    "8 GiB": (None, "should have 8589934591 bytes"),
    "10 GiB": (None, "size of \"a\" is not a number"),
    "twice": (None, "twice"),
    "file and folder": (None, "a file and a folder"),
    "too many": (None, "more than 4096 files"),
    "truncated": (None, "should have"),
    "hidden": (None, "extra data after"),
    "trailing": (None, "after its end"),
    "no manifest": (None, "no bundle.json"),
    "owner": (tar(entry("a", b"x", uid=7)), "not in the format of `roundel bundle`"),
    "newer format": (None, "another format"),
    "dangerous name": (None, "does not name a kiosk file"),
    "the machine's": (None, "a bundle cannot install"),
    "a trusted key": (None, "a bundle cannot install"),
    "settings": (None, "a bundle cannot install"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_archive_is_rejected_with_the_reason(place, keys, tmp_path, case):
    """Signed by a trusted key, so that only the reader can reject it."""
    archive, words = HOSTILE[case]
    own = lambda *files: b"".join(  # noqa: E731
        head(name, len(content)) + content + bytes(-len(content) % 512) for name, content in files)
    end = bytes(1024)
    if archive is None:
        archive = {
            "twice": own(("a", b"1"), ("a", b"1")) + end,
            "file and folder": own(("a", b"1"), ("a/b", b"1")) + end,
            "folder": head("d", 0, kind="5") + end,
            "8 GiB": head("a", (8 << 30) - 1) + end,
            # Large sizes are binary, as from GNU tar.
            "10 GiB": head("a", 0, size_field=b"\x80" + (10 << 30).to_bytes(11, "big")) + end,
            "too many": own(*((f"{number:05}", b"") for number in range(4097))) + end,
            "truncated": own(("a", b"1" * 2000))[:1500],
            "hidden": own(("a", b"1"))[:-1] + b"x" + end,
            "trailing": own(("a", b"1")) + end + bytes(512),
            "no manifest": own(("x.yaml", GOOD)) + end,
            "newer format": own(("bundle.json", MANIFEST.replace(b":1,", b":2,")), ("x.yaml", GOOD)) + end,
            "dangerous name": own(("bundle.json", MANIFEST.replace(b"x.yaml", b"../x")), ("x.yaml", GOOD))
            + end,
            "a trusted key": own(("bundle.json", MANIFEST), ("trust/evil.pub", b""), ("x.yaml", GOOD)) + end,
            "settings": own(("bundle.json", MANIFEST), ("pull.conf", b""), ("x.yaml", GOOD)) + end,
            "the machine's": own(("bundle.json", MANIFEST), ("x.overlay.yaml", b""), ("x.yaml", GOOD))
            + end,
        }[case]
    (tmp_path / "b").write_bytes(seal(keys, archive))
    started = time.monotonic()
    assert words in place.install(tmp_path / "b", code=1).stderr
    assert time.monotonic() - started < 10
    assert place.state() == {} and not (tmp_path / "x.yaml").exists()


def head(name, size, kind="0", size_field=None):
    """A header as from `roundel bundle`."""
    block = bytearray(512)
    block[:len(name)] = name.encode()
    for at, text in [(100, b"0000644\0"), (108, b"0000000\0"), (116, b"0000000\0"),
                     (124, size_field or b"%011o\0" % size), (136, b"00000000000\0"), (148, b" " * 8),
                     (156, kind.encode()), (257, b"ustar\0" b"00"), (329, b"0000000\0"), (337, b"0000000\0")]:
        block[at:at + len(text)] = text
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def test_an_archive_from_another_program_in_the_same_format_is_accepted(place, keys, tmp_path):
    files = [("bundle.json", MANIFEST), ("x.yaml", GOOD)]
    archive = b"".join(head(name, len(content)) + content + bytes(-len(content) % 512)
                       for name, content in files) + bytes(1024)
    (tmp_path / "b").write_bytes(seal(keys, archive))
    place.install(tmp_path / "b")
    assert (place.etc / "x.yaml").read_bytes() == GOOD


def test_paths_may_be_long_and_in_any_script(place):
    deep = "/".join(["a" * 60] * 3)
    (place.author / deep).mkdir(parents=True)
    name = f"{deep}/Grüße 你好.png"
    shutil.copy(TOP / "deploy/manual/pictures/dial.png", place.author / name)
    made = place.author.parent / "long"
    run("bundle", place.author / "lunch.yaml", "-o", made, "--key", place.keys / "own", "--version", 3,
        "--with", name)
    place.install(made)
    assert (place.etc / name).exists()


@pytest.mark.parametrize("name", ["a\u009bb.png", "a\u202eb.png", "a\nb.png"])
def test_a_deceptive_file_name_is_not_bundled(place, name):
    shutil.copy(TOP / "deploy/manual/pictures/dial.png", place.author / name)
    made = place.author.parent / "made"
    said = run("bundle", place.author / "lunch.yaml", "-o", made, "--key", place.keys / "own", "--with", name,
               code=1).stderr
    assert "the path is invalid; rename the file" in said and not made.exists()


def test_a_bundle_larger_than_64_mib_is_rejected(place, tmp_path):
    with open(tmp_path / "b", "wb") as file:
        file.write(MAGIC)
        file.truncate((64 << 20) + 1)
    assert "is larger than 64 MiB" in place.install(tmp_path / "b", code=1).stderr
    with open(tmp_path / "b", "rb") as file:
        said = run("install", "-", "--trust", place.keys / "own.pub", "--to", place.etc, code=1, stdin=file).stderr
    assert "is larger than 64 MiB" in said and place.state() == {}


@pytest.mark.skipif(os.getuid() != 0, reason="only root becomes another user")
def test_any_user_can_read_a_kiosk_that_root_installed_with_a_narrow_umask(keys):
    with tempfile.TemporaryDirectory(prefix="roundel-bundles-") as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o755)
        place = Place(folder, keys)
        shutil.rmtree(place.etc)
        for version in (5, 6):
            place.install(place.bundle(version), umask=0o077)
            run("check", place.file, user=65534, group=65534, extra_groups=[])
            report = subprocess.run([place.etc / "bin/report"], user=65534, group=65534, extra_groups=[])
            assert report.returncode == 0


def test_a_bundle_is_not_installed_through_a_linked_folder(place, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for linked in ("pictures", ".bundles"):
        (place.etc / linked).symlink_to(elsewhere)
        said = place.install(place.bundle(5), code=1).stderr
        assert f"{place.etc}/{linked} is a link, but the bundle needs a folder there" in said
        assert os.listdir(elsewhere) == [] and not place.file.exists()
        (place.etc / linked).unlink()
    place.install(place.bundle(5))
    assert place.version() == 5
    # This also applies to a later version.
    shutil.rmtree(place.etc / "pictures")
    (place.etc / "pictures").symlink_to(elsewhere)
    place.install(place.bundle(6), code=1)
    assert place.version() == 5 and os.listdir(elsewhere) == []


@pytest.mark.parametrize("count", [2, 6])
def test_after_simultaneous_installations_the_newest_version_remains(place, count):
    bundles = [place.bundle(version) for version in range(2, count + 2)]
    newest = count + 1
    for _ in range(int(os.environ.get("ROUNDEL_RACES", "5"))):
        shutil.rmtree(place.etc)
        place.etc.mkdir()
        running = [subprocess.Popen([ROUNDEL, "install", bundle, "--trust", place.keys / "own.pub", "--to", place.etc],
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for bundle in bundles]
        for version, process in zip(range(2, count + 2), running):
            said, error = process.communicate(timeout=60)
            if version == newest:
                assert process.returncode == 0, error
            else:
                # Each was installed before a newer one, or rejected after it.
                assert process.returncode == 0 or "was installed here" in error
        assert place.version() == newest and f"Welcome {newest}" in place.file.read_text()
        run("check", place.file)


# MARK: Persistence


def test_the_check_runs_first_and_the_last_good_version_remains(place, keys, tmp_path):
    place.install(place.bundle(5))
    before = place.state()
    _, archive = unseal(place.bundle(6).read_bytes())
    spoiled = archive.replace(b"label: hello", b"lable: hello")
    assert spoiled != archive
    (tmp_path / "b").write_bytes(seal(keys, spoiled))
    said = place.install(tmp_path / "b", code=1).stderr
    assert f"{place.etc}/lunch.yaml:" in said and "did you mean" in said
    assert place.state() == before
    place.install(place.bundle(7))
    assert place.version() == 7


def test_files_missing_in_a_new_version_are_removed(place):
    place.install(place.bundle(5))
    (place.author / "extra").mkdir()
    (place.author / "extra/one.txt").write_text("1")
    made = place.author.parent / "six"
    run("bundle", place.author / "lunch.yaml", "-o", made, "--key", place.keys / "own", "--version", 6,
        "--with", "extra/one.txt")
    place.install(made)
    assert (place.etc / "extra/one.txt").read_text() == "1"
    place.install(place.bundle(7))
    assert not (place.etc / "extra/one.txt").exists()  # a link that leads nowhere until 6 is forgotten
    place.install(place.bundle(8))
    assert not (place.etc / "extra").exists()
    assert {path.name for path in (place.etc / ".bundles/lunch").iterdir()} == {"current", "7", "8"}


def test_an_existing_kiosk_is_kept(place):
    (place.etc / "pictures").mkdir()
    (place.etc / "pictures/other.png").write_text("another kiosk's")
    (place.etc / "pictures/tiles.jpg").write_text("old picture")
    place.file.write_text("old kiosk")
    place.install(place.bundle(5))
    assert (place.etc / ".bundles/lunch/replaced/lunch.yaml").read_text() == "old kiosk"
    assert (place.etc / ".bundles/lunch/replaced/pictures/tiles.jpg").read_text() == "old picture"
    assert (place.etc / "pictures/other.png").read_text() == "another kiosk's"
    run("check", place.file)


def test_two_kiosks_cannot_share_a_file(place):
    place.install(place.bundle(5))
    (place.author / "dinner.yaml").write_text((place.author / "lunch.yaml").read_text())
    made = place.author.parent / "dinner"
    run("bundle", place.author / "dinner.yaml", "-o", made, "--key", place.keys / "own")
    before = {path: place.state()[path] for path in place.state() if "dinner" not in path}
    assert "belongs to another bundle" in place.install(made, code=1).stderr
    assert {path: place.state()[path] for path in place.state() if "dinner" not in path} == before
    assert not (place.etc / "dinner.yaml").exists()
    # The next attempt fails for the same reason, and doesn't report an installed version.
    assert "belongs to another bundle" in place.install(made, code=1).stderr
    run("check", place.file)


def test_rollback_returns_once_and_permanently(place):
    run("rollback", "--to", place.etc, code=1)
    five, six, seven = place.bundle(5), place.bundle(6), place.bundle(7)
    place.install(five)
    run("rollback", "--to", place.etc, code=1)
    place.install(six)
    assert "version 5 again" in run("rollback", "--to", place.etc).stdout
    assert place.version() == 5 and "Welcome 5" in place.file.read_text()
    run("check", place.file)
    # The rolled-back version is rejected, and so is any older one.
    assert "version 6, which was rolled back" in place.install(six).stdout
    assert place.version() == 5
    place.install(five, code=1)
    run("rollback", "--to", place.etc, code=1)
    place.install(seven)
    assert place.version() == 7
    run("rollback", "lunch", "--to", place.etc)
    assert place.version() == 5
    run("rollback", "nosuch", "--to", place.etc, code=1)


def test_an_interrupted_installation_is_repeated(place):
    """Simulates a power cut just before activation: everything is there except the link."""
    place.install(place.bundle(5))
    six = place.bundle(6)
    place.install(six)
    link = place.etc / ".bundles/lunch/current"
    link.unlink()
    link.symlink_to("5")
    (place.etc / ".bundles/lunch/.new").mkdir()
    (place.etc / ".bundles/lunch/.new/half").write_text("x")
    (place.etc / ".bundles/lunch/6/lunch.yaml").write_text("")
    place.install(six)
    assert place.version() == 6 and "Welcome 6" in place.file.read_text()


def test_an_interrupted_first_installation_is_repeated(place):
    five = place.bundle(5)
    place.install(five)
    for path in place.author.rglob("*"):
        if path.is_file():
            (place.etc / path.relative_to(place.author)).unlink()
    place.install(five)
    run("check", place.file)


def mount(place, size):
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", place.etc],
                          capture_output=True)
    if done.returncode:
        pytest.skip("no file system can be mounted here")


def test_a_full_disk_loses_nothing(place):
    five, six = place.bundle(5), place.bundle(6)
    size = sum(path.stat().st_size + 8192 for path in place.author.rglob("*"))
    mount(place, size * 3 // 2)
    try:
        place.install(five)
        before = place.state()
        assert "No space left" in place.install(six, code=1).stderr
        assert place.state() == before
        run("check", place.file)
        subprocess.run(["mount", "-o", f"remount,size={size * 3}", place.etc], check=True)
        place.install(six)
        assert place.version() == 6
    finally:
        subprocess.run(["umount", "-l", place.etc], check=True)


# MARK: Overlays


def test_a_machine_overlays_its_own_settings_on_the_kiosk(place):
    (place.etc / "lunch.overlay.yaml").write_text(
        "values: {room: North, cups: {value: 4}, own: 3}\n"
        "texts: {welcome: {de: Moin}}\n"
        "screen: {size: [800, 480], background: blue}\n")
    place.install(place.bundle(5))
    tmp = place.author.parent / "run"
    tmp.mkdir()
    process = subprocess.Popen([ROUNDEL, "run", "--display", "headless", "--socket", tmp / "s", place.file],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        while "showing" not in process.stderr.readline():
            assert process.poll() is None
        ask = lambda *words: run(*words, "--socket", tmp / "s").stdout.strip()  # noqa: E731
        assert ask("get", "hello.text") == "Welcome 5 North"
        assert ask("get", "cups") == "4" and ask("get", "own") == "3"
        run("set", "cups=99", "--socket", tmp / "s")
        assert ask("get", "cups") == "8"
        run("set", "language=de", "--socket", tmp / "s")
        assert ask("get", "hello.text") == "Moin North"
        status = json.loads(ask("status", "--json"))
        assert status["display"]["size"] == [800, 480] and status["bundle"] == 5
        # The next version is loaded automatically, with the overlay.
        place.install(place.bundle(6))
        run("wait", "hello.text == 'Moin North' && texts.welcome == 'Moin'", "--timeout", "10", "--socket",
            tmp / "s")
        deadline = time.monotonic() + 10
        while json.loads(ask("status", "--json")).get("bundle") != 6:
            assert time.monotonic() < deadline
        digest = hashlib.sha256(place.file.read_bytes()).hexdigest()
        assert json.loads(ask("status", "--json"))["sha256"] == digest
        assert f'sha256="{digest}"' in ask("status", "--metrics")
        assert "roundel_bundle_version 6" in ask("status", "--metrics")
    finally:
        process.kill()


@pytest.mark.parametrize("text, words", [
    ("pages: []\n", "pages"), ("values: {room: [\n", "lunch.overlay.yaml:"), ("- a\n", "lunch.overlay.yaml:1"),
    ("values: {room: {vlaue: 3}}\n", "did you mean"), ("screen: {sise: [1, 2]}\n", "size")])
def test_errors_in_an_overlay_are_reported_at_their_location(place, text, words):
    five = place.bundle(5)
    place.install(five)
    (place.etc / "lunch.overlay.yaml").write_text(text)
    said = run("check", place.file, code=1).stderr
    assert f"{place.etc}/lunch.overlay.yaml:" in said and words in said
    place.install(place.bundle(6), code=1)
    assert place.version() == 5


# MARK: Fetching


class Server(http.server.ThreadingHTTPServer):
    """A server of one bundle with ETags and configurable behaviour."""

    def __init__(self, folder):
        self.bytes, self.requests, self.behaviour = b"", [], None
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                outer.requests.append(dict(self.headers))
                if outer.behaviour:
                    return outer.behaviour(self)
                tag = f'"{hashlib.sha256(outer.bytes).hexdigest()[:16]}"'
                if self.headers.get("If-None-Match") == tag:
                    self.send_response(304)
                    self.send_header("ETag", tag)
                    self.end_headers()
                    return
                self.send_response(200)
                self.send_header("ETag", tag)
                self.send_header("Content-Length", str(len(outer.bytes)))
                self.end_headers()
                self.wfile.write(outer.bytes)

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        self.certificate = folder / "cert.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-keyout", folder / "key.pem", "-out", self.certificate, "-days", "2", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.certificate, folder / "key.pem")
        self.socket = self.context.wrap_socket(self.socket, server_side=True)
        self.url = f"https://localhost:{self.server_address[1]}/lunch.bundle"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        pass


@pytest.fixture
def server(tmp_path):
    if not shutil.which("curl"):
        pytest.skip("curl is not installed")
    (tmp_path / "server").mkdir()
    server = Server(tmp_path / "server")
    yield server
    server.shutdown()


def pull(place, server, *words, code=0, **options):
    return run("pull", server.url, "--trust", place.keys / "own.pub", "--to", place.etc, "--ca",
               server.certificate, "--socket", place.etc / "none", *words, code=code, **options)


def test_pull_installs_a_new_version_and_fetches_it_once(place, server):
    server.bytes = place.bundle(5).read_bytes()
    pull(place, server)
    assert place.version() == 5
    assert "is unchanged" in pull(place, server).stdout
    assert "If-None-Match" not in server.requests[0] and "If-None-Match" in server.requests[1]
    server.bytes = place.bundle(6).read_bytes()
    pull(place, server)
    assert place.version() == 6
    # After a rollback the server's version is ignored.
    run("rollback", "--to", place.etc)
    pull(place, server)
    assert place.version() == 5


def test_pull_keeps_the_installed_version_whatever_the_server_does(place, server, tmp_path):
    server.bytes = place.bundle(5).read_bytes()
    pull(place, server)
    server.bytes = place.bundle(6).read_bytes()
    before = place.state()

    def answer(status, body, length=None):
        def behave(handler):
            handler.send_response(status)
            handler.send_header("Content-Length", str(len(body) if length is None else length))
            handler.end_headers()
            handler.wfile.write(body)
        return behave

    def drip(handler):
        handler.send_response(200)
        handler.end_headers()
        try:
            while True:
                handler.wfile.write(b"r")
                time.sleep(1)
        except OSError:
            pass

    def endless(handler):
        handler.send_response(200)
        handler.end_headers()
        try:
            while True:
                handler.wfile.write(bytes(1 << 20))
        except OSError:
            pass

    def plain(handler):
        handler.send_response(302)
        handler.send_header("Location", "file:///etc/passwd")
        handler.end_headers()

    spoiled = bytearray(server.bytes)
    spoiled[-600] ^= 1
    for behaviour, code in [(answer(500, b""), 69), (answer(404, b"no"), 69),
                            (answer(200, b"hello"), 1), (answer(200, bytes(spoiled)), 1),
                            (answer(200, server.bytes[:-100]), 1),
                            (answer(200, server.bytes[:1000], len(server.bytes)), 69),
                            (drip, 69), (endless, 1), (plain, 69),
                            (answer(200, b"", 10 << 30), 69)]:
        server.behaviour = behaviour
        started = time.monotonic()
        pull(place, server, "--timeout", "3" if behaviour is drip else "60", code=code, timeout=90)
        assert time.monotonic() - started < 30
        assert place.state() == before
    # Pull recorded none of these as the newest.
    server.behaviour = None
    pull(place, server)
    assert place.version() == 6


def test_a_server_that_always_answers_304_is_trusted_for_a_day(place, server):
    def unmodified(handler):
        handler.send_response(304)
        handler.end_headers()

    server.behaviour = unmodified
    assert "answers 304" in pull(place, server, code=69).stderr
    server.behaviour = None
    server.bytes = place.bundle(5).read_bytes()
    pull(place, server)
    tag, = (place.etc / ".bundles").glob("*.etag")
    before = place.state()
    server.behaviour = unmodified
    assert "is unchanged" in pull(place, server).stdout
    # Two days later, or two days earlier if the clock was set back.
    for days in (-2, 2):
        moment = time.time() + days * 86400
        os.utime(tag, (moment, moment))
        assert "answers 304" in pull(place, server, code=69).stderr
    assert place.state() == before
    server.behaviour = None
    server.bytes = place.bundle(6).read_bytes()
    pull(place, server)
    assert place.version() == 6


@pytest.mark.parametrize("begin, end", [("20000101000000Z", "20010101000000Z"), ("21000101000000Z", "21010101000000Z")])
def test_with_a_wrong_clock_pull_reports_it_and_keeps_the_installed_version(place, server, tmp_path, begin, end):
    server.bytes = place.bundle(5).read_bytes()
    pull(place, server)
    before = place.state()
    # For this clock, the server's certificate has expired or isn't valid yet.
    folder = server.certificate.parent
    (folder / "index").write_text("")
    (folder / "ca.conf").write_text(
        f"[ca]\ndefault_ca=own\n[own]\ndatabase={folder}/index\nnew_certs_dir={folder}\nrand_serial=yes\n"
        "default_md=sha256\npolicy=any\nx509_extensions=names\n[any]\ncommonName=supplied\n[names]\n"
        "subjectAltName=DNS:localhost\nbasicConstraints=CA:true\n")
    subprocess.run(["openssl", "req", "-new", "-key", folder / "key.pem", "-subj", "/CN=localhost", "-out",
                    folder / "request.pem"], check=True, capture_output=True)
    subprocess.run(["openssl", "ca", "-batch", "-selfsign", "-config", folder / "ca.conf", "-keyfile",
                    folder / "key.pem", "-in", folder / "request.pem", "-out", server.certificate, "-startdate", begin,
                    "-enddate", end, "-notext"], check=True, capture_output=True)
    server.context.load_cert_chain(server.certificate, folder / "key.pem")
    server.bytes = place.bundle(6).read_bytes()
    said = pull(place, server, code=69).stderr
    assert "certificate" in said and ("expired" if begin < "2026" else "not yet valid") in said, said
    assert place.state() == before


def test_pull_trusts_no_other_server(place, server):
    server.bytes = place.bundle(5).read_bytes()
    said = run("pull", server.url, "--trust", place.keys / "own.pub", "--to", place.etc, code=69).stderr
    assert "curl" in said and place.state() == {}
    for url in ("http://fleet.example/b", "ftp://localhost/b", "file:///etc/passwd", "-o", "http://localhostx/",
                "http://localhost:x@fleet.example/b", "http://localhost:80@fleet.example/b", "http://localhost@a/",
                "http://127.0.0.1:80:80/", "http://localhost\\@a/", "http://[::1]x/", "http://localhost:-1/",
                "http://localhost.fleet.example/", "http://127.0.0.1.fleet.example/"):
        run("pull", url, "--trust", place.keys / "own.pub", code=64)
    run("pull", server.url, "--to", place.etc, code=64)  # no key is trusted


@pytest.fixture
def plain():
    """A server of a bundle without TLS, another server that redirects to it, and the requests to the first."""
    if not shutil.which("curl"):
        pytest.skip("curl is not installed")
    own = types.SimpleNamespace(bytes=b"", asked=[])

    def serve(answer):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                answer(self)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server

    def bundle(handler):
        own.asked.append(handler.path)
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(own.bytes)))
        handler.end_headers()
        handler.wfile.write(own.bytes)

    def elsewhere(handler):
        handler.send_response(302)
        handler.send_header("Location", f"http://127.0.0.1:{servers[0].server_address[1]}/lunch.bundle")
        handler.end_headers()

    servers = [serve(bundle), serve(elsewhere)]
    own.urls = [f"http://localhost:{server.server_address[1]}/lunch.bundle" for server in servers]
    yield own
    for server in servers:
        server.shutdown()


def test_a_local_server_may_lack_tls_and_redirect_only_to_https(place, plain):
    plain.bytes = place.bundle(5).read_bytes()
    words = ["--trust", place.keys / "own.pub", "--to", place.etc, "--socket", place.etc / "none"]
    said = run("pull", plain.urls[1], *words, code=69).stderr
    assert "curl" in said and plain.asked == [] and place.state() == {}
    # A proxy is another machine, and doesn't get the request.
    run("pull", plain.urls[0], *words, env={**os.environ, "http_proxy": "http://proxy.invalid:1", "no_proxy": ""})
    assert place.version() == 5 and plain.asked == ["/lunch.bundle"]


def test_pull_does_not_interrupt_a_kiosk_in_use(place, server, tmp_path):
    place.install(place.bundle(5))
    server.bytes = place.bundle(6).read_bytes()
    (place.etc / "trust").mkdir()
    shutil.copy(place.keys / "own.pub", place.etc / "trust")
    (tmp_path / "live").mkdir()
    kiosk = LiveKiosk(tmp_path / "live")
    try:
        kiosk.run("tap", "--at", "5,5", code=1)
        words = ["pull", server.url, "--to", place.etc, "--ca", server.certificate, "--socket", kiosk.socket]
        assert "in use" in run(*words).stderr and place.version() == 5 and server.requests == []
        run(*words, "--idle", "0")
        assert place.version() == 6
    finally:
        kiosk.close()
