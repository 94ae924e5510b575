# SPDX-License-Identifier: MIT
"""deploy/run on machines with and without Swift. Scripts replace the compiler, the packages and the program."""

import os
import pathlib
import pty
import shutil
import subprocess

import pytest

TOP = pathlib.Path(__file__).resolve().parents[2]


def write(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("#!/bin/sh\n" + text)
    file.chmod(0o755)


class Tree:
    """A tree with deploy/run, whose other commands record their arguments in `calls`."""

    def __init__(self, folder):
        self.folder = folder
        self.programs = folder / "programs"
        self.calls = folder / "calls"
        (folder / "deploy/tools").mkdir(parents=True)
        shutil.copy(TOP / "deploy/run", folder / "deploy/run")
        write(folder / "roundel", f'echo "roundel $*" >> {self.calls}\n')
        write(folder / "deploy/build", f'echo "build $*" >> {self.calls}\necho {folder}/roundel\n')
        write(folder / "deploy/tools/requirements", f'echo "requirements $*" >> {self.calls}\n')
        write(self.programs / "swift", "exit 1\n")
        write(self.programs / "apt-cache", "exit 0\n")
        write(self.programs / "apt-get", f'echo "apt-get $*" >> {self.calls}\n'
              f"cp {folder}/roundel {self.programs}/roundel\n")
        write(self.programs / "dpkg", "echo amd64\n")
        write(self.programs / "id", "echo 0\n")

    def swift(self, version):
        write(self.programs / "swift", f'echo "Swift version {version} (swift-{version}-RELEASE)"\n')

    def run(self, release='ID=debian\nVERSION_ID="12"\n', answer=None, code=0):
        (self.folder / "os-release").write_text(release)
        line = f"mount --bind {self.folder}/os-release /etc/os-release; exec {self.folder}/deploy/run k.yaml"
        environment = {**os.environ, "PATH": f"{self.programs}:/usr/sbin:/usr/bin:/sbin:/bin", "TMPDIR": str(self.folder)}
        environment.pop("WAYLAND_DISPLAY", None)
        words = ["unshare", "-rm", "sh", "-c", line]
        if answer is None:
            done = subprocess.run(words, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                                  start_new_session=True)
            said, status = done.stdout + done.stderr, done.returncode
        else:
            ours, theirs = pty.openpty()
            os.write(ours, f"{answer}\n".encode())
            child = subprocess.Popen(words, env=environment, stdin=theirs, stdout=theirs, stderr=theirs)
            os.close(theirs)
            said = b""
            while True:
                try:
                    said += os.read(ours, 4096)
                except OSError:
                    break
            os.close(ours)
            said, status = said.decode(), child.wait()
        assert status == code, said
        return said, self.calls.read_text().splitlines() if self.calls.exists() else []


@pytest.fixture
def tree(tmp_path):
    if subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode != 0:
        pytest.skip("this kernel does not permit namespaces of users")
    return Tree(tmp_path)


@pytest.mark.parametrize("version", ["6.2", "6.2.1", "6.10", "7.0"])
def test_a_new_swift_builds_the_tree(tree, version):
    tree.swift(version)
    assert tree.run()[1][0] == "build "


@pytest.mark.parametrize("release", ["12", "13"])
@pytest.mark.parametrize("version", [None, "6.0.3", "6.1", "5.10"])
def test_without_a_new_swift_debians_own_builds_the_tree(tree, version, release):
    if version:
        tree.swift(version)
    said, calls = tree.run(f'ID=debian\nVERSION_ID="{release}"\n')
    assert calls[:2] == ["requirements run", f"build --arch amd64 --debian {release}"]
    assert "there is no Swift 6.2 or newer" in said


def test_the_installed_package_is_used(tree):
    write(tree.programs / "roundel", f'echo "installed $*" >> {tree.calls}\n')
    calls = tree.run()[1]
    assert not [call for call in calls if call.startswith("build")]
    assert calls[-1].startswith("installed re")


@pytest.mark.parametrize("answer", ["", "y"])
def test_a_package_of_this_debian_is_offered_and_installed(tree, answer):
    for name in ("roundel_1+deb12_amd64", "roundel_2+deb12_amd64", "roundel_3+deb13_amd64", "roundel_3+deb12_arm64"):
        write(tree.folder / f"artifacts/packages/{name}.deb", "")
    said, calls = tree.run(answer=answer)
    assert "Install the package" in said
    assert calls[0].startswith("apt-get install") and calls[0].endswith("roundel_2+deb12_amd64.deb")
    assert not [call for call in calls if call.startswith("build")]


def test_a_package_of_a_repository_is_offered_and_may_be_declined(tree):
    write(tree.programs / "apt-cache", 'printf "roundel:\\n  Installed: (none)\\n  Candidate: 4.0.0\\n"\n')
    said, calls = tree.run(answer="n")
    assert "Install the package roundel?" in said
    assert calls[:2] == ["requirements run", "build --arch amd64 --debian 12"]


def test_without_a_terminal_no_package_is_installed(tree):
    write(tree.folder / "artifacts/packages/roundel_1+deb12_amd64.deb", "")
    assert not [call for call in tree.run()[1] if call.startswith("apt-get")]


@pytest.mark.parametrize("release", ["ID=ubuntu\nVERSION_ID=24.04\n", 'ID=debian\nVERSION_ID="11"\n', "ID=debian\n"])
def test_another_system_without_swift_is_an_error(tree, release):
    said, calls = tree.run(release, code=69)
    assert "install Swift from https://swift.org" in said
    assert calls == []
