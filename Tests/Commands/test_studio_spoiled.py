# SPDX-License-Identifier: MIT
"""The studio with bad files and disks: problems are reported, and no byte is lost."""

import os
import subprocess

import pytest

from chromium import EDITOR, browser, pixel, replace, text, until  # noqa: F401
from studio import KIOSK, Studio, environment, errors, page, saved, studio  # noqa: F401


@pytest.fixture
def disk(tmp_path):
    """A separate disk that can be filled and made read-only, which requires root."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("a disk cannot be mounted here")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


@pytest.fixture
def opened(browser):
    """Opens a kiosk file in the studio."""
    running = []

    def open_studio(folder, content=None):
        one = Studio(folder)
        if content is not None:
            one.end()
            one.file.write_bytes(content)
            one = Again(one.file)
        running.append(one)
        browser.get(one.address)
        until(lambda: browser.execute_script("return document.querySelector('.CodeMirror') != null"))
        until(lambda: text(browser) != "")
        return one

    yield open_studio
    browser.get("about:blank")
    for one in running:
        one.end()
    assert errors(browser) == []


class Again(Studio):
    """The studio with an existing file."""

    def __init__(self, file):
        from live import ROUNDEL
        self.file = file
        self.process = subprocess.Popen([ROUNDEL, "studio", file], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, env=environment(file.parent))
        self.address = self.process.stdout.readline().strip()


def said(page):
    return page.find_element("id", "state").text


def test_a_full_disk_is_reported_and_the_old_file_stays(browser, disk, opened):
    one = opened(disk)
    (disk / "filling").write_bytes(b"")
    try:
        (disk / "filling").write_bytes(bytes(1 << 20))
    except OSError:
        pass
    replace(browser, "# A kiosk", "# " + "x" * 9000 + " A kiosk")
    until(lambda: said(browser) == "Not saved")
    browser.find_element("id", "save").click()
    until(lambda: "No space left" in said(browser) or "no space" in said(browser))
    assert one.file.read_bytes().decode() == KIOSK
    # Once there is space again, saving works.
    (disk / "filling").unlink()
    browser.find_element("id", "save").click()
    until(lambda: said(browser) == "Saved")
    assert one.file.read_bytes().decode() == text(browser)


def test_a_read_only_disk_is_reported(browser, disk, opened):
    one = opened(disk)
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    replace(browser, "#c03020", "#2030c0")
    until(lambda: said(browser) == "Not saved")
    browser.find_element("id", "save").click()
    until(lambda: "ead-only" in said(browser))
    assert one.file.read_bytes().decode() == KIOSK and "#2030c0" in text(browser)


def test_saving_keeps_a_link_and_the_permissions_and_owner_of_its_file(browser, tmp_path, opened):
    (tmp_path / "there").mkdir()
    (tmp_path / "try.yaml").symlink_to("there/try.yaml")
    one = opened(tmp_path)
    file = tmp_path / "there/try.yaml"
    file.chmod(0o640)
    if os.getuid() == 0:
        os.chown(file, 12, 34)
    before = file.stat()
    replace(browser, "#c03020", "#2030c0")
    until(lambda: said(browser) == "Not saved")
    browser.find_element("id", "save").click()
    until(lambda: said(browser) == "Saved")
    assert os.readlink(one.file) == "there/try.yaml" and "#2030c0" in file.read_text()
    after = file.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    assert os.listdir(tmp_path / "there") == ["try.yaml"]


def test_a_kiosk_from_a_bundle_is_not_saved(browser, tmp_path, opened):
    (tmp_path / ".bundles/try/3").mkdir(parents=True)
    (tmp_path / "try.yaml").symlink_to(".bundles/try/3/try.yaml")
    one = opened(tmp_path)
    replace(browser, "#c03020", "#2030c0")
    until(lambda: said(browser) == "Not saved")
    browser.find_element("id", "save").click()
    until(lambda: "signed bundle" in said(browser))
    assert one.file.is_symlink() and one.file.read_bytes().decode() == KIOSK


def test_a_deleted_file_is_written_again_on_request(page, studio):
    os.unlink(studio.file)
    until(lambda: "was deleted" in said(page))
    replace(page, "#c03020", "#2030c0")
    page.find_element("id", "save").click()
    until(lambda: is_asked(page))
    assert "deleted" in page.find_element("id", "reason").text
    page.find_element("id", "decidelater").click()
    assert not studio.file.exists() and "#2030c0" in text(page)
    page.find_element("id", "save").click()
    until(lambda: is_asked(page))
    page.find_element("id", "mine").click()
    until(lambda: said(page) == "Saved")
    assert studio.file.read_bytes().decode() == KIOSK.replace("#c03020", "#2030c0")


def is_asked(page):
    return page.find_element("id", "conflict").is_displayed()


def test_bytes_that_are_not_text_are_unchanged(browser, tmp_path, opened):
    content = KIOSK.encode().replace(b"# small", b"# sm\xffa\xfe\xc3ll")
    one = opened(tmp_path, content)
    until(lambda: browser.find_element("id", "diagnostics").text != "")
    replace(browser, "Hello", "Goodbye")
    until(lambda: said(browser).startswith("Not saved, "))
    browser.find_element("id", "save").click()
    until(lambda: said(browser).startswith("Saved, "))
    assert one.file.read_bytes() == content.replace(b"Hello", b"Goodbye")


def test_a_binary_file_is_reported_and_unchanged(browser, tmp_path, opened):
    content = bytes(range(256)) * 40
    one = opened(tmp_path, content)
    until(lambda: browser.find_element("id", "diagnostics").text != "")
    assert browser.find_element("id", "lacking").is_displayed()
    assert one.file.read_bytes() == content and one.process.poll() is None


def test_a_file_of_four_mebibytes_is_shown_and_changed_and_a_larger_one_rejected(browser, tmp_path, opened):
    remark = "# " + "A remark that is as long as a line may be. " * 2 + "\n"
    content = (KIOSK + remark * ((4 << 20) // len(remark) - 20)).encode()
    assert (4 << 20) - 8000 < len(content) < 4 << 20
    one = opened(tmp_path, content)
    until(lambda: pixel(browser, 60, 100)[:3] == [0xc0, 0x30, 0x20])
    replace(browser, "#c03020", "#2030c0")
    until(lambda: pixel(browser, 60, 100)[:3] == [0x20, 0x30, 0xc0])
    # An excessive insertion is rejected without losing earlier text.
    browser.execute_script(EDITOR + "editor.replaceRange('# x'.repeat(4000) + '\\n', {line: 0, ch: 0})")
    until(lambda: "4 MiB" in said(browser) or text(browser).startswith("# A kiosk"))
    until(lambda: text(browser).startswith("# A kiosk"))
    browser.find_element("id", "save").click()
    until(lambda: said(browser) == "Saved")
    assert one.file.read_bytes() == content.replace(b"#c03020", b"#2030c0")
