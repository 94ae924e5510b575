# SPDX-License-Identifier: MIT
"""Output files of commands: only their content changes, completely or not at all."""

import os
import pathlib
import stat
import struct
import subprocess
import sys
import tempfile
import threading

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import ROUNDEL, TOP, LiveKiosk, run  # noqa: E402

KIOSK = "kiosk: k\nscreen: {size: [400, 300]}\npages: [{page: a, controls: [{label: l, at: [200, 150], text: x}]}]\n"
SUITE = "suite: s\nkiosk: k.yaml\ntests: [{test: t, steps: [{expect: {page: a}}]}]\n"
PNG = b"\x89PNG"
root = pytest.mark.skipif(os.getuid() != 0, reason="only root gives files away and becomes another user")
NOBODY = 65534


@pytest.fixture
def folder():
    """A folder for all users; pytest's folders are private."""
    with tempfile.TemporaryDirectory(prefix="roundel-writing-") as path:
        path = pathlib.Path(path)
        path.chmod(0o755)
        (path / "k.yaml").write_text(KIOSK)
        (path / "s.yaml").write_text(SUITE)
        (path / "out").mkdir()
        yield path


def render(folder, file, **options):
    run("render", folder / "k.yaml", "-o", file, **options)


def report(folder, file, **options):
    run("test", folder / "s.yaml", "--junit", file, **options)


def doctor(folder, file, **options):
    run("doctor", "--report", "-o", file, **options)


def metrics(folder, file, **options):
    run("status", "--metrics", "--socket", folder / "none", "-o", file, code=69, **options)


def screenshot(folder, file, **options):
    kiosk = LiveKiosk(folder)
    try:
        kiosk.run("screenshot", "-o", file, **options)
    finally:
        kiosk.close()


WRITERS = [render, report, doctor, metrics, screenshot]


def access(path):
    found = path.lstat()
    return stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid


@pytest.mark.parametrize("write", WRITERS)
def test_an_overwritten_file_keeps_its_permissions_and_owner(folder, write):
    file = folder / "out/file"
    for mode in (0o600, 0o640, 0o666):
        file.write_text("former")
        file.chmod(mode)
        if os.getuid() == 0:
            os.chown(file, 12, 34)
        before = access(file)
        write(folder, file, umask=0o077)
        assert access(file) == before and file.read_bytes() != b"former"
        assert os.listdir(folder / "out") == ["file"]


@pytest.mark.parametrize("write", WRITERS)
def test_writing_through_a_link_keeps_the_link(folder, write):
    (folder / "there").mkdir()
    file, link = folder / "there/file", folder / "out/link"
    link.symlink_to("../there/file")
    for former in (None, "former"):
        if former:
            file.write_text(former)
        write(folder, link)
        assert os.readlink(link) == "../there/file" and file.read_bytes() not in (b"", b"former")
        assert os.listdir(folder / "out") == ["link"] and os.listdir(folder / "there") == ["file"]


def test_writing_keeps_an_access_control_list(folder):
    file = folder / "out/file"
    file.write_text("former")
    # Version 2; the owner rw-, the user 12 r--, the group and the mask r--, others ---.
    entries = [(1, 6, -1), (2, 4, 12), (4, 4, -1), (16, 4, -1), (32, 0, -1)]
    acl = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)
    try:
        os.setxattr(file, "system.posix_acl_access", acl)
    except OSError:
        pytest.skip("no access control lists here")
    render(folder, file)
    assert os.getxattr(file, "system.posix_acl_access") == acl


# MARK: Other users


def other(**options):
    return {"user": NOBODY, "group": NOBODY, "extra_groups": [34], **options}


@root
def test_an_overwritten_file_of_another_user_keeps_its_group_only_if_the_writer_is_a_member(folder):
    file = folder / "out/file"
    (folder / "out").chmod(0o777)
    file.write_text("former")
    os.chown(file, 12, 34)
    file.chmod(0o664)
    render(folder, file, **other())
    assert access(file) == (0o664, NOBODY, 34)


@root
def test_a_new_group_gets_the_permissions_of_all_other_users(folder):
    file = folder / "out/file"
    (folder / "out").chmod(0o777)
    for mode, kept in [(0o660, 0o600), (0o664, 0o644), (0o646, 0o666)]:
        file.write_text("former")
        os.chown(file, 12, 35)
        file.chmod(mode)
        render(folder, file, **other())
        assert access(file) == (kept, NOBODY, NOBODY)
        file.unlink()


@root
def test_a_file_in_a_folder_of_another_user_is_unchanged_and_the_reason_is_printed(folder):
    file = folder / "out/file"
    file.write_text("former")
    said = run("render", folder / "k.yaml", "-o", file, code=77, **other()).stderr
    assert said == f"roundel: cannot write {file}: Permission denied\n"
    assert file.read_text() == "former" and os.listdir(folder / "out") == ["file"]


@root
def test_another_users_link_in_a_sticky_folder_is_not_followed(folder):
    setting = pathlib.Path("/proc/sys/fs/protected_symlinks")
    if setting.read_text() != "1\n":
        pytest.skip("this machine follows such links")
    (folder / "out").chmod(0o1777)
    (folder / "secret").write_text("former")
    link = folder / "out/link"
    link.symlink_to(folder / "secret")
    os.chown(link, NOBODY, NOBODY, follow_symlinks=False)
    run("render", folder / "k.yaml", "-o", link, code=77)
    assert (folder / "secret").read_text() == "former"


@root
def test_another_users_link_leads_only_to_files_of_that_user(folder):
    theirs, secret, out = folder / "theirs", folder / "secret", folder / "out"
    for path in (theirs, secret):
        path.write_text("former")
    os.chown(theirs, 12, 34)
    os.chown(out, 12, 34)

    def linked(target):
        link = out / "link"
        link.unlink(missing_ok=True)
        link.symlink_to(target)
        os.chown(link, 12, 34, follow_symlinks=False)
        return link

    render(folder, linked(theirs))
    assert theirs.read_bytes().startswith(PNG) and access(theirs)[1:] == (12, 34)
    render(folder, linked("new"))
    assert (out / "new").read_bytes().startswith(PNG)
    (out / "detour").symlink_to(secret)
    for target in (secret, folder / "absent", "/dev/full", "detour"):
        said = run("render", folder / "k.yaml", "-o", linked(target), code=77).stderr
        assert said == f"roundel: cannot write {out / 'link'}: Permission denied\n"
    assert secret.read_text() == "former" and not (folder / "absent").exists()


# MARK: Pipes and devices


def test_standard_output_receives_a_picture_through_its_name(folder):
    words = [ROUNDEL, "render", folder / "k.yaml", "-o"]
    expected = folder / "picture"
    render(folder, expected)
    picture = expected.read_bytes()
    assert picture.startswith(PNG)
    # Like /dev/stdout, but a failing test may replace it.
    own = folder / "stdout"
    own.symlink_to("/proc/self/fd/1")
    for name in (own, "/dev/fd/1", "/proc/self/fd/1"):
        assert subprocess.run([*words, name], stdout=subprocess.PIPE, check=True).stdout == picture
        # With `>>` the picture follows the previous content of the same file.
        log = folder / "log"
        log.write_bytes(b"before")
        number = log.stat().st_ino
        with open(log, "ab") as file:
            subprocess.run([*words, name], stdout=file, check=True)
        assert log.read_bytes() == b"before" + picture and log.stat().st_ino == number
        assert own.is_symlink()


def test_a_named_pipe_receives_a_picture_and_remains_a_pipe(folder):
    pipe = folder / "out/pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    render(folder, pipe)
    reader.join(20)
    assert got[0].startswith(PNG) and pipe.is_fifo() and os.listdir(folder / "out") == ["pipe"]


def test_a_full_device_is_reported(folder):
    for name in ("/dev/full", folder / "out/full"):
        if name != "/dev/full":
            name.symlink_to("/dev/full")
        said = run("render", folder / "k.yaml", "-o", name, code=1).stderr
        assert said == f"roundel: cannot write {name}: No space left on device\n"
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def test_a_folder_is_not_replaced_by_a_file(folder):
    said = run("render", folder / "k.yaml", "-o", folder / "out", code=1).stderr
    assert said == f"roundel: cannot write {folder / 'out'}: Is a directory\n"


# MARK: Disks


@pytest.fixture
def disk(folder):
    """A small disk mounted at the folder `out`."""
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", folder / "out"], capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    yield folder / "out"
    subprocess.run(["umount", "-l", folder / "out"], check=True)


@root
def test_a_full_disk_keeps_the_previous_file_and_no_temporary_file(disk):
    (disk / "file").write_text("former")
    said = run("render", TOP / "deploy/examples/kiosks/timer.yaml", "-o", disk / "file", code=1).stderr
    assert "No space left on device" in said
    assert (disk / "file").read_text() == "former" and os.listdir(disk) == ["file"]


@root
def test_a_named_temporary_file_does_not_remain(folder, disk):
    """Some file systems lack unnamed files. Without its descriptors in /proc, a process can't name them either."""
    hidden = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none "/proc/$$/fd" && exec "$@"', "sh", ROUNDEL, "render"]
    for kiosk, code, left in [(folder / "k.yaml", 0, ["file"]), (TOP / "deploy/examples/kiosks/timer.yaml", 1, [])]:
        done = subprocess.run([*hidden, kiosk, "-o", disk / "file"], capture_output=True, text=True)
        assert (done.returncode, os.listdir(disk)) == (code, left), done.stderr
        for name in left:
            assert (disk / name).read_bytes().startswith(PNG)
            (disk / name).unlink()
