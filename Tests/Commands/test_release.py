# SPDX-License-Identifier: MIT
"""Releases: their repository, signatures, pages and installer. The packages are small ones of the tests' own."""

import contextlib
import functools
import hashlib
import html.parser
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading

import pytest

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "deploy"), str(TOP / "Tests/Commands")]
from chromium import chromium, until  # noqa: E402
from tools.debian import PanelError, bootstrap, require_emulation  # noqa: E402

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ["dpkg-deb", "gpg", "apt-ftparchive", "ssh-keygen", "openssl", "lowdown"])),
    reason="needs the tools of a release")
IS_LONG = bool(os.environ.get("ROUNDEL_LONG"))
VERSION = "4.0.0~20261129120000.abcdef0"
# A program that answers the installer.
PROGRAM = """#!/bin/sh
case $1 in
  --version) echo "roundel of the tests" ;;
  new) echo "kiosk: $4" > "$2"; echo "kiosk: x" > "${2%.yaml}-suite.yaml" ;;
esac
"""


def done(*words, code=0, **options):
    ended = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=600, **options)
    assert ended.returncode == code, f"{words}: {ended.returncode}: {ended.stdout}{ended.stderr}"
    return ended


def package(folder, release, architecture, name="roundel", postinst=""):
    source = folder / "source"
    shutil.rmtree(source, ignore_errors=True)
    (source / "DEBIAN").mkdir(parents=True)
    (source / "usr/bin").mkdir(parents=True)
    (source / "usr/bin" / name).write_text(PROGRAM)
    (source / "usr/bin" / name).chmod(0o755)
    (source / "usr/lib/systemd/system").mkdir(parents=True)
    (source / "usr/lib/systemd/system/roundel@.service").write_text(
        "[Service]\nExecStart=/usr/bin/roundel\n[Install]\nWantedBy=multi-user.target\n")
    (source / "DEBIAN/control").write_text(
        f"Package: {name}\nVersion: {VERSION}+deb{release}\nArchitecture: {architecture}\n"
        "Maintainer: Tests <tests@example.org>\nDescription: a package of the tests\n")
    if postinst:
        (source / "DEBIAN/postinst").write_text(f"#!/bin/sh\n{postinst}\n")
        (source / "DEBIAN/postinst").chmod(0o755)
    done("dpkg-deb", "--root-owner-group", "-b", source, folder / f"{name}_{VERSION}+deb{release}_{architecture}.deb")
    shutil.rmtree(source)


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys") / "own"
    done(TOP / "deploy/release", "--new-keys", folder)
    return folder


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("packages")
    for release in ("12", "13"):
        for architecture in ("amd64", "arm64"):
            package(folder, release, architecture)
    (folder / f"roundel_{VERSION}+deb12_amd64.cdx.json").write_text('{"bomFormat": "CycloneDX"}\n')
    return folder


def release(folder, keys, packages, *words, code=0):
    return done(TOP / "deploy/release", folder, "--keys", keys, "--packages", packages, "--images", "none",
                "--without-library", *words, code=code)


@pytest.fixture(scope="module")
def made(tmp_path_factory, keys, packages):
    folder = tmp_path_factory.mktemp("release") / "www"
    release(folder, keys, packages)
    return folder


def contents(folder):
    return {str(path.relative_to(folder)): (path.stat().st_mode, int(path.stat().st_mtime), path.read_bytes())
            for path in sorted(folder.rglob("*")) if path.is_file()}


# MARK: the folder


def test_a_release_twice_gives_the_same_bytes(made, keys, packages, tmp_path):
    release(tmp_path / "again", keys, packages)
    assert contents(tmp_path / "again") == contents(made)
    # It replaces a former one as a whole.
    (tmp_path / "again/old.html").write_text("old")
    release(tmp_path / "again", keys, packages)
    assert contents(tmp_path / "again") == contents(made)
    assert sorted(os.listdir(tmp_path)) == ["again"]


def test_the_checksums_cover_all_files_and_are_signed_twice(made, tmp_path):
    listed = dict(line.split("  ", 1)[::-1] for line in (made / "SHA256SUMS").read_text().splitlines())
    signatures = {"SHA256SUMS", "SHA256SUMS.asc", "SHA256SUMS.sig", "release.pub"}
    assert listed.keys() == contents(made).keys() - signatures
    assert all(hashlib.sha256((made / name).read_bytes()).hexdigest() == value for name, value in listed.items())
    home = ["gpg", "--homedir", tmp_path, "--batch"]
    tmp_path.chmod(0o700)
    done(*home, "--import", made / "apt/roundel.asc")
    done(*home, "--verify", made / "SHA256SUMS.asc", made / "SHA256SUMS")
    done(*home, "--verify", made / "apt/dists/trixie/InRelease")
    (tmp_path / "allowed").write_text("release " + (made / "release.pub").read_text())
    done("ssh-keygen", "-Y", "verify", "-f", tmp_path / "allowed", "-I", "release", "-n", "file", "-s",
         made / "SHA256SUMS.sig", input=(made / "SHA256SUMS").read_text())


def test_the_repository_has_both_debians_and_both_architectures(made):
    for codename in ("bookworm", "trixie"):
        for architecture in ("amd64", "arm64"):
            listed = (made / f"apt/dists/{codename}/main/binary-{architecture}/Packages").read_text()
            assert listed.count("Package: roundel\n") == 1
            assert (made / "apt" / re.search(r"^Filename: (.*)", listed, re.M)[1]).is_file()
    assert (made / f"sbom/roundel_{VERSION}+deb12_amd64.cdx.json").is_file()


def test_no_private_key_is_in_a_release(made, keys):
    secrets = [max(file.read_bytes().split(b"\n")[1:4], key=len) for file in keys.iterdir() if b"PRIVATE" in file.read_bytes()]
    assert len(secrets) == 3
    assert not [name for name, (_, _, content) in contents(made).items() for secret in secrets if secret in content]


@pytest.mark.parametrize("lost", ["packages.asc", "bundles", "systems.key", "systems.pem"])
def test_a_missing_key_is_an_error(keys, packages, tmp_path, lost):
    shutil.copytree(keys, tmp_path / "keys")
    (tmp_path / "keys" / lost).unlink()
    refused = release(tmp_path / "www", tmp_path / "keys", packages, code=66)
    assert "make some with --new-keys" in refused.stderr
    assert os.listdir(tmp_path) == ["keys"]


def test_a_folder_with_other_files_is_left_alone(keys, packages, tmp_path):
    (tmp_path / "www").mkdir()
    (tmp_path / "www/mine.txt").write_text("mine")
    assert "is not empty and not a release" in release(tmp_path / "www", keys, packages, code=73).stderr
    assert "is not empty" in done(TOP / "deploy/release", "--new-keys", tmp_path / "www", code=73).stderr
    assert os.listdir(tmp_path / "www") == ["mine.txt"]


@pytest.mark.parametrize(("words", "message"), [
    (["--address", "kiosks.example.org"], "--address needs"), (["--address", "http://a b"], "--address needs"),
    (["--images", "mips"], "no image mips")])
def test_a_wrong_option_is_an_error(keys, packages, tmp_path, words, message):
    # The last --images counts.
    assert message in release(tmp_path / "www", keys, packages, *words, code=64).stderr


def test_packages_of_two_versions_are_an_error(keys, packages, tmp_path):
    shutil.copytree(packages, tmp_path / "packages")
    shutil.copy(packages / f"roundel_{VERSION}+deb12_amd64.deb", tmp_path / "packages/roundel_3.0.0+deb12_amd64.deb")
    assert "has several versions: 3.0.0, 4.0.0" in release(tmp_path / "www", keys, tmp_path / "packages", code=65).stderr


# MARK: the pages


class Links(html.parser.HTMLParser):
    def __init__(self, file):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(file.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.links += [attributes[name] for name in ("href", "src") if name in attributes]
        if "id" in attributes:
            self.anchors.add(attributes["id"])


def test_every_link_of_every_page_leads_to_a_place(made):
    pages = {path: Links(path) for path in sorted(made.rglob("*.html"))}
    assert len(pages) > 30
    broken = []
    for path, page in pages.items():
        for link in page.links:
            if re.match("[a-z]+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = (path.parent / name).resolve() if name else path
            if not target.is_file() or anchor and anchor not in pages[target].anchors:
                broken.append(f"{path.relative_to(made)}: {link}")
    assert broken == []


def test_pages_have_their_text_without_scripts(made):
    for name, words in {"index.html": "turns a Linux board", "manual/kiosks.html": "How to write kiosk files",
                        "reference.html": "pinwheel", "changelog.html": "4.0.0"}.items():
        text = (made / name).read_text()
        assert words in text.partition("<main>")[2]
        # The search's script is the only one, and adds its field itself.
        assert text.count("<script") == 1 and "<input" not in text


def test_the_search_finds_sections(made):
    index = json.loads((made / "index.js").read_text().removeprefix("var roundelPages="))
    found = [address for address, title, text in index if "vertical" in text and address.startswith("manual/")]
    assert found
    for address, title, _ in index:
        assert f'id="{address.partition("#")[2]}"' in (made / address.partition("#")[0]).read_text()
        assert title


def test_the_search_leads_to_a_section_in_a_browser(made):
    browser = chromium()
    try:
        browser.get(f"file://{made}/manual/kiosks.html")
        field = browser.find_element("css selector", "nav input")
        field.send_keys("vertical blank")
        until(lambda: browser.find_elements("css selector", "#found a"))
        link = browser.find_element("css selector", "#found a")
        address = link.get_attribute("href")
        link.click()
        until(lambda: browser.current_url == address)
        assert browser.find_element("id", address.partition("#")[2])
        field = browser.find_element("css selector", "nav input")
        field.send_keys("qqqqqq")
        until(lambda: browser.find_element("id", "found").text == "Nothing found.")
    finally:
        browser.quit()


def symbol(kind, path, declaration, comment):
    return {"kind": {"identifier": f"swift.{kind}", "displayName": kind}, "identifier": {"precise": "s:" + ".".join(path)},
            "pathComponents": path, "names": {"title": path[-1]}, "declarationFragments": [{"spelling": declaration}],
            "docComment": {"lines": [{"text": line} for line in comment.split("\n")]}}


def test_the_library_has_a_page_for_each_type_with_its_members(tmp_path):
    real = (TOP / "Sources/RoundelKit/RoundelKit.docc").glob("*.md")
    named = {name.split("(")[0].split("/")[0] for file in real for name in re.findall(r"``([^`\n]+)``", file.read_text())}
    symbols = [symbol("struct", [name], f"struct {name}", "A type.") for name in sorted(named - {"Ring"})]
    symbols += [symbol("struct", ["Ring"], "struct Ring", "A number on an arc.\n\nSee ``Ring/value``."),
                symbol("property", ["Ring", "value"], "var value: Double", "The number."),
                symbol("enum", ["Ring", "Grab"], "enum Grab", "The part to grab.")]
    (tmp_path / "RoundelKit.symbols.json").write_text(json.dumps({"symbols": symbols}))
    done(TOP / "deploy/tools/site", tmp_path / "www", "--symbols", tmp_path)
    page = (tmp_path / "www/library/Ring.html").read_text()
    assert "A number on an arc." in page and 'href="Ring.html"><code>Ring.value</code>' in page
    assert '<h3 id="value">' in page and "var value: Double" in page and 'href="Ring.Grab.html"' in page
    index = (tmp_path / "www/library/index.html").read_text()
    assert 'href="Ring.html"><code>Ring</code></a>' in index and "A number on an arc." in index
    assert "library/Ring.html#value" in (tmp_path / "www/index.js").read_text()


def test_a_broken_link_is_an_error(tmp_path):
    tree = tmp_path / "tree"
    for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "deploy"):
        (shutil.copytree if (TOP / name).is_dir() else shutil.copy)(TOP / name, tree / name) if name == "deploy" else (
            tree.mkdir(exist_ok=True), shutil.copy(TOP / name, tree / name))
    (tree / "README.md").write_text("# Roundel\n\n[a](deploy/manual/absent.md) [b](deploy/manual/kiosks.md#absent)\n")
    refused = done(tree / "deploy/tools/site", tmp_path / "www", code=1).stderr
    assert "README.md: deploy/manual/absent.md" in refused and "README.md: deploy/manual/kiosks.md#absent" in refused


# MARK: the installer


def elsewhere(script, tmp_path, *words, os_release=None, architecture=None, code, root=True):
    """Runs the installer with another system's description. The machine must not change, so its folders are
    read-only."""
    if subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode != 0:
        pytest.skip("this kernel does not permit namespaces of users")
    programs = tmp_path / "programs"
    programs.mkdir(exist_ok=True)
    mounts = "mount -t tmpfs -o ro none /etc/apt/sources.list.d; "
    if os_release:
        (tmp_path / "os-release").write_text(os_release)
        mounts += f"mount --bind {tmp_path}/os-release /etc/os-release; "
    if architecture:
        (programs / "dpkg").write_text(f"#!/bin/sh\necho {architecture}\n")
        (programs / "dpkg").chmod(0o755)
    if not root:
        (programs / "id").write_text("#!/bin/sh\necho 1000\n")
        (programs / "id").chmod(0o755)
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
    return done("unshare", "-rm", "sh", "-c", f'{mounts} exec sh "$@"', "-", script, *words, code=code, env=environment,
                start_new_session=True, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize(("os_release", "message"), [
    ('ID=ubuntu\nVERSION_CODENAME=noble\nPRETTY_NAME="Ubuntu 24.04 LTS"\n', "cannot install on Ubuntu 24.04 LTS"),
    ('ID=fedora\nPRETTY_NAME="Fedora Linux 43"\n', "cannot install on Fedora Linux 43"),
    ('ID=alpine\nPRETTY_NAME="Alpine Linux v3.22"\n', "cannot install on Alpine Linux v3.22"),
    ('ID=raspbian\nVERSION_CODENAME=bookworm\nPRETTY_NAME="Raspbian 12"\n', "use the 64-bit Raspberry Pi OS"),
    ('ID=debian\nVERSION_CODENAME=bullseye\nPRETTY_NAME="Debian 11"\n', "Debian 12 (bookworm) and 13 (trixie)"),
    ('ID=debian\nPRETTY_NAME="Debian sid"\n', "cannot install on Debian sid"),
])
def test_another_system_is_refused(made, tmp_path, os_release, message):
    refused = elsewhere(made / "install.sh", tmp_path, os_release=os_release, code=69)
    assert message in refused.stderr and "Nothing was changed." in refused.stderr
    assert refused.stdout == ""


DEBIAN = 'ID=debian\nVERSION_CODENAME=bookworm\nPRETTY_NAME="Debian 12"\n'


@pytest.mark.parametrize("architecture", ["i386", "armhf", "riscv64"])
def test_another_architecture_is_refused(made, tmp_path, architecture):
    refused = elsewhere(made / "install.sh", tmp_path, os_release=DEBIAN, architecture=architecture, code=69)
    assert f"cannot install on {architecture}" in refused.stderr and "Nothing was changed." in refused.stderr


def test_without_root_it_is_refused(made, tmp_path):
    refused = elsewhere(made / "install.sh", tmp_path, os_release=DEBIAN, architecture="amd64", root=False, code=77)
    assert "run it with sudo" in refused.stderr and "Nothing was changed." in refused.stderr


@pytest.mark.parametrize(("words", "message"), [
    (["--kiosk", "fridge"], "no example fridge"), (["--from", "kiosks"], "--from needs an address"),
    (["--from"], "--from needs a value"), (["--fast"], "unknown option --fast")])
def test_a_wrong_option_of_the_installer_is_refused(made, tmp_path, words, message):
    refused = elsewhere(made / "install.sh", tmp_path, *words, os_release=DEBIAN, architecture="amd64", code=64)
    assert message in refused.stderr and "Nothing was changed." in refused.stderr


def test_a_truncated_installer_does_nothing(made, tmp_path):
    lines = (made / "install.sh").read_text().splitlines(keepends=True)
    for count in range(5, len(lines) - 1, 7):
        (tmp_path / "part.sh").write_text("".join(lines[:count]))
        ended = subprocess.run(["sh", tmp_path / "part.sh"], capture_output=True, text=True, timeout=60)
        assert ended.stdout == "", count


def test_the_installer_contains_the_key_and_no_placeholders(made):
    text = (made / "install.sh").read_text()
    assert (made / "apt/roundel.asc").read_text().strip() in text
    assert not re.search(r"@[A-Z]+@", text)
    if shutil.which("shellcheck"):
        done("shellcheck", made / "install.sh")


# MARK: clean roots


@contextlib.contextmanager
def served(folder):
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
    handler.log_message = lambda *words: None
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Machine:
    """A minimal Debian in a folder."""

    def __init__(self, root):
        self.root = root

    def run(self, *words, code=0):
        mounts = f"mount -t proc proc {self.root}/proc; mount --rbind /dev {self.root}/dev; "
        return done("unshare", "-m", "sh", "-c", f'{mounts} exec chroot {self.root} "$@"', "-", *words, code=code,
                    start_new_session=True, stdin=subprocess.DEVNULL)

    def install(self, address, *words, code=0):
        line = f"curl -fsS {address}/install.sh | sh -s -- --from {address} {' '.join(words)}"
        return self.run("sh", "-c", line, code=code)

    def clean(self):
        """Removes a previous installation."""
        self.run("sh", "-c", "dpkg --purge roundel; apt-get clean; rm -rf /etc/apt/sources.list.d/roundel.list /etc/roundel "
                 "/etc/apt/keyrings/roundel.asc /usr/local/share/roundel")

    def state(self):
        """Returns the installed packages and the files of apt."""
        apt = self.root / "etc/apt"
        files = {str(path.relative_to(apt)): path.read_bytes() for path in sorted(apt.rglob("*")) if path.is_file()}
        return files, self.run("dpkg-query", "-W", "-f", "${Package} ${Version}\n").stdout


@pytest.fixture
def machine(clean_debian):
    clean_debian.clean()
    return clean_debian


@pytest.fixture(scope="module", params=[("bookworm", "amd64"), ("trixie", "amd64"), ("trixie", "arm64")], ids="-".join)
def clean_debian(request, tmp_path_factory):
    if not IS_LONG or os.geteuid() != 0 or not shutil.which("mmdebstrap"):
        pytest.skip("needs ROUNDEL_LONG=yes, root and mmdebstrap")
    codename, architecture = request.param
    if architecture == "arm64":
        try:
            require_emulation("arm64")
        except (PanelError, OSError) as error:
            pytest.skip(str(error))
    root = tmp_path_factory.mktemp("machine") / f"{codename}-{architecture}"
    done(*bootstrap(codename, architecture, ["curl", "systemd"], root))
    yield Machine(root)
    shutil.rmtree(root)


def test_one_line_installs_on_a_clean_debian_and_once_more_changes_nothing(machine, made):
    with served(made) as address:
        first = machine.install(address, "--kiosk", "thermostat")
        assert f"add the package repository {address}/apt" in first.stdout
        assert "installed roundel of the tests" in first.stdout
        assert "the kiosk thermostat appears at the next boot" in first.stdout
        assert (machine.root / "etc/roundel/thermostat.yaml").read_text() == "kiosk: thermostat\n"
        state = machine.state()
        (machine.root / "etc/roundel/thermostat.yaml").write_text("kiosk: mine\n")
        assert "kept the existing" in machine.install(address, "--kiosk", "thermostat").stdout
        assert machine.state() == state
        assert (machine.root / "etc/roundel/thermostat.yaml").read_text() == "kiosk: mine\n"
    assert (machine.root / "etc/systemd/system/multi-user.target.wants/roundel@thermostat.service").is_symlink()


def test_in_a_terminal_it_asks_and_a_refusal_changes_nothing(machine, made):
    with served(made) as address:
        shutil.copy(made / "install.sh", machine.root / "root/install.sh")
        line = f"sh /root/install.sh --from {address}"

        def answer(*lines, code=0):
            (machine.root / "root/answers").write_text("".join(f"{each}\n" for each in lines))
            # A terminal of util-linux. It needs some time to show each question.
            return machine.run("sh", "-c", "(while read -r each; do sleep 1; echo \"$each\"; done < /root/answers; sleep 20) | "
                               f"script -qefc '{line}' /dev/null", code=code).stdout
        before = machine.state()
        said = answer("n", code=1)
        assert "Continue? [Y/n]" in said and "cancelled" in said and "Nothing was changed." in said
        assert machine.state() == before


def test_a_changed_repository_is_refused(machine, made, tmp_path):
    changed = tmp_path / "www"
    shutil.copytree(made, changed)
    before = machine.state()
    for name in ("InRelease", "Release"):
        for codename in ("bookworm", "trixie"):
            file = changed / f"apt/dists/{codename}" / name
            file.write_text(file.read_text().replace("Label: Roundel", "Label: Another"))
    with served(changed) as address:
        refused = machine.install(address, code=1)
    assert "is not signed by the key of this script" in refused.stderr and "Nothing was changed." in refused.stderr
    assert machine.state() == before


def test_a_changed_package_is_refused_and_the_repository_removed_again(machine, made, tmp_path):
    changed = tmp_path / "www"
    shutil.copytree(made, changed)
    for file in changed.glob("apt/pool/*/*.deb"):
        file.write_bytes(file.read_bytes()[:-1] + b"x")
    before = machine.state()
    with served(changed) as address:
        refused = machine.install(address, code=1)
    assert "apt-get cannot install roundel" in refused.stderr and "the installation was undone" in refused.stderr
    assert machine.state() == before


def test_an_interrupted_installation_is_undone(machine, keys, tmp_path):
    folder = tmp_path / "packages"
    folder.mkdir()
    # The package's script interrupts the installer.
    for codename in ("12", "13"):
        for architecture in ("amd64", "arm64"):
            package(folder, codename, architecture,
                    postinst="for each in /proc/[0-9]*; do grep -qaz -- '^--from$' $each/cmdline && "
                             "[ \"$(cat $each/comm)\" = sh ] && kill -TERM ${each#/proc/}; done; true")
    release(tmp_path / "www", keys, folder)
    before = machine.state()
    with served(tmp_path / "www") as address:
        line = f"curl -fsS {address}/install.sh > /root/install.sh; sh /root/install.sh --from {address}; echo end $?"
        ended = machine.run("bash", "-c", line)
    assert "end 143" in ended.stdout and "the installation was undone" in ended.stderr
    assert machine.state() == before


def test_without_a_server_nothing_changes(machine, made):
    before = machine.state()
    shutil.copy(made / "install.sh", machine.root / "root/install.sh")
    refused = machine.run("sh", "/root/install.sh", "--from", "http://127.0.0.1:9", code=1)
    assert "cannot be used: it is not available" in refused.stderr and "Nothing was changed." in refused.stderr
    assert machine.state() == before
