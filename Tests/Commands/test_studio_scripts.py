# SPDX-License-Identifier: MIT
"""The scripts that read and write a kiosk's files on another machine for the studio."""

import base64
import hashlib
import os
import pathlib
import stat
import subprocess

import pytest

from live import ROUNDEL

SCRIPTS = pathlib.Path(__file__).parents[2] / "Sources/RoundelStudio/Scripts"
KIOSK = """\
kiosk: wall
screen: {size: [400, 300]}
pages:
  - page: only
    controls: {include: parts/more.yaml}
"""
PART = "[{label: title, at: [200, 150], text: Hello}]"
OTHER = KIOSK.replace("more.yaml", "other.yaml")


@pytest.fixture
def wall(tmp_path):
    """A kiosk file with a part, in a separate folder."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/roundel").symlink_to(ROUNDEL)
    file = tmp_path / "kiosks/wall.yaml"
    (file.parent / "parts").mkdir(parents=True)
    file.write_text(KIOSK)
    (file.parent / "parts/more.yaml").write_text(PART)
    return file


def run(script, wall, text):
    path = f"{wall.parents[1]}/bin:{os.environ['PATH']}"
    return subprocess.run(["sh", "-c", (SCRIPTS / f"{script}.sh").read_text()], input=text.encode(),
                          capture_output=True, env={**os.environ, "PATH": path}, check=False)


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def save(wall, kiosk, *files, old="any"):
    """Saves a kiosk with other files (name, text, digest of the previous content)."""
    text = f"{wall}\nword\n{len(files) + 1}\n"
    for name, content, known in (*files, (wall.name, kiosk, old)):
        text += f"{name}\n{known}\n{len(content)}\n{content}"
    done = run("save", wall, text)
    assert not [each for each in wall.parent.rglob("*") if "word" in each.name]
    return done.returncode, done.stdout.decode()


def contents(wall):
    return {str(each.relative_to(wall.parent)): each.read_text() for each in wall.parent.rglob("*") if each.is_file()}


def test_the_files_of_a_kiosk_are_listed_and_read_unless_known(wall):
    part = wall.parent / "parts/more.yaml"
    assert run("list", wall, f"{wall}\n").stdout.decode().splitlines() == [str(wall), str(part)]
    known = digest(PART)
    lines = run("read", wall, f"4\n\n{wall}\n{known}\n{part}\n\n{wall}-none\n\n/dev/zero\n").stdout.decode().splitlines()
    assert base64.b64decode(lines[0][1:]).decode() == KIOSK
    assert lines[0][0] == "+" and lines[1:] == ["=", "-", "-"]


def test_a_kiosk_is_replaced_with_its_new_files_unless_others_changed_them(wall):
    assert save(wall, OTHER, ("parts/other.yaml", PART, "none"), old=digest(KIOSK)) == (0, "")
    assert contents(wall) == {"wall.yaml": OTHER, "parts/more.yaml": PART, "parts/other.yaml": PART}
    before = contents(wall)
    for part, kiosk in (("none", "any"), (digest("x"), "any"), ("any", digest(KIOSK))):
        assert save(wall, KIOSK, ("parts/other.yaml", PART + "\n", part), old=kiosk)[0] == 3
        assert contents(wall) == before
    deep = KIOSK.replace("parts/more.yaml", "a/b/c.yaml")
    assert save(wall, deep, ("a/b/c.yaml", PART, "none"))[0] == 0
    assert contents(wall)["a/b/c.yaml"] == PART


def test_files_are_unchanged_if_the_kiosk_has_errors_or_the_connection_breaks(wall):
    before = contents(wall)
    code, said = save(wall, KIOSK.replace("controls:", "contorls:"), ("parts/more.yaml", PART + "\n", "any"),
                      ("parts/new.yaml", PART, "none"))
    assert code == 65 and "wall.yaml:5" in said and 'did you mean "controls"' in said
    assert contents(wall) == before
    assert run("save", wall, f"{wall}\nword\n1\nwall.yaml\nany\n9999\n{KIOSK}").returncode == 1
    assert contents(wall) == before


def test_the_overlay_of_the_machine_is_part_of_the_check(wall):
    (wall.parent / "wall.overlay.yaml").write_text("contorls: wrong\n")
    code, said = save(wall, KIOSK + "\n")
    assert code == 65 and "contorls" in said
    assert wall.read_text() == KIOSK


def test_links_are_kept_and_lead_to_no_other_folder(wall, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "theirs.yaml").write_text(PART)
    link = wall.parent / "link.yaml"
    for target in (outside / "theirs.yaml", outside / "new.yaml"):
        link.symlink_to(target)
        assert save(wall, KIOSK.replace("parts/more.yaml", "link.yaml"), ("link.yaml", "new", "any"))[0] == 65
        link.unlink()
    (wall.parent / "out").symlink_to(outside)
    for name in ("../more.yaml", "parts/../../more.yaml", "out/theirs.yaml", "out/new.yaml"):
        assert save(wall, KIOSK.replace("parts/more.yaml", name), (name, "new", "any"))[0] == 65
    assert contents(wall)["wall.yaml"] == KIOSK and (outside / "theirs.yaml").read_text() == PART
    assert [each.name for each in outside.iterdir()] == ["theirs.yaml"]
    # The kiosk file may be a link out of its folder, but is read in that folder.
    moved = outside / "real.yaml"
    wall.rename(moved)
    wall.symlink_to(os.path.relpath(moved, wall.parent))
    assert save(wall, KIOSK + "\n", old=digest(KIOSK)) == (0, "")
    assert wall.is_symlink() and moved.read_text() == KIOSK + "\n"
    if os.geteuid() == 0:
        os.chown(wall, 12, 12, follow_symlinks=False)
        assert save(wall, KIOSK) == (65, f"{wall} is another user's link\n")
        os.chown(moved, 12, 12)
        assert save(wall, KIOSK)[0] == 0


def test_files_of_signed_bundles_are_unchanged(wall):
    bundled = wall.parent / ".bundles/wall/3"
    bundled.mkdir(parents=True)
    (bundled / "part.yaml").write_text(PART)
    (wall.parent / "part.yaml").symlink_to(".bundles/wall/3/part.yaml")
    code, said = save(wall, KIOSK.replace("parts/more.yaml", "part.yaml"), ("part.yaml", PART + "\n", "any"))
    assert code == 65 and "signed bundle" in said
    wall.rename(bundled / "wall.yaml")
    wall.symlink_to(".bundles/wall/3/wall.yaml")
    code, said = save(wall, KIOSK + "\n")
    assert code == 65 and "signed bundle" in said
    assert wall.read_text() == KIOSK and (bundled / "part.yaml").read_text() == PART


def test_files_keep_their_access_and_new_ones_copy_the_kiosk_files(wall):
    def access(path):
        found = path.stat()
        return stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid

    owner = (12, 34) if os.geteuid() == 0 else (os.geteuid(), os.getegid())
    for path, mode in ((wall, 0o640), (wall.parent, 0o750), (wall.parent / "parts/more.yaml", 0o604)):
        os.chown(path, *owner)
        path.chmod(mode)
    new = KIOSK.replace("parts/more.yaml", "a/b.yaml") + "# "
    assert save(wall, new, ("a/b.yaml", PART, "none"), ("parts/more.yaml", PART + " ", "any"))[0] == 0
    assert access(wall) == access(wall.parent / "a/b.yaml") == (0o640, *owner)
    assert access(wall.parent / "a") == (0o750, *owner)
    assert access(wall.parent / "parts/more.yaml") == (0o604, *owner)
