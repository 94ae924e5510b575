# SPDX-License-Identifier: MIT
"""Debian packages: their contents, their effects on a machine, and repositories of them."""

import hashlib
import json
import os
import re
import shutil
import subprocess

import former
import pytest
from live import KIOSK, ROUNDEL, TOP, LiveKiosk

PACKAGE = TOP / "deploy/package"
# Little compression for temporary packages.
QUICK = {**os.environ, "DPKG_DEB_COMPRESSOR_LEVEL": "0"}
AS_ROOT = [] if os.geteuid() == 0 else ["fakeroot"]


def run(*words, **options):
    options.setdefault("timeout", 300)
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)


def done(*words, **options):
    """Runs a command that must not fail, and returns its output."""
    outcome = run(*words, **options)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    return outcome.stdout


def test_the_package_depends_on_the_fonts_of_the_examples():
    packages = {"Inter": "fonts-inter", "DejaVu Sans": "fonts-dejavu-core"}
    families = {family.strip() for file in (TOP / "deploy/examples/kiosks").rglob("*.yaml")
                for families in re.findall(r"^ +font: (.+)$", file.read_text(), re.MULTILINE)
                for family in families.strip("[]").split(",")}
    control = (TOP / "deploy/debian/control").read_text()
    depends = re.search(r"^Package: roundel\n.*?^Depends: (.*?)$", control, re.MULTILINE | re.DOTALL)[1]
    assert families and {packages[family] for family in families} <= set(depends.split(", "))


class Package:
    def __init__(self, file):
        self.file = file

    def field(self, name):
        return done("dpkg-deb", "-f", self.file, name).strip()

    @property
    def version(self):
        return self.field("Version")


class Made:
    """The packages of one run, and the contents of the first."""

    def __init__(self, folder):
        self.folder = folder
        listed = done(PACKAGE, "--binary", ROUNDEL, "--output", folder / "packages", env=QUICK)
        self.files = listed.split()
        self.main = Package(next(file for file in self.files if "/roundel_" in file))
        self.symbols = Package(next(file for file in self.files if "/roundel-dbgsym_" in file))
        self.root = folder / "root"
        done("dpkg-deb", "-x", self.main.file, self.root)

    def again(self, version, **scripts):
        """Repackages it under another version with lines added to its scripts."""
        target = self.folder / f"roundel_{version}_any.deb"
        source = self.folder / f"source-{version}"
        done(*AS_ROOT, "dpkg-deb", "-R", self.main.file, source)
        control = source / "DEBIAN/control"
        control.write_text(re.sub(r"^Version: .*", f"Version: {version}", control.read_text(), flags=re.M))
        for name, lines in scripts.items():
            script = source / "DEBIAN" / name
            before = script.read_text().partition("\n")[2] if script.exists() else ""
            script.write_text(f"#!/bin/sh\n{lines}\n{before}")
            script.chmod(0o755)
        # Simulates a program of another version that runs without libraries.
        program = source / "usr/bin/roundel"
        program.write_text(f"#!/bin/sh\necho {version}\n")
        done(*AS_ROOT, "dpkg-deb", "-Znone", "--root-owner-group", "-b", source, target)
        shutil.rmtree(source)
        return target


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return Made(tmp_path_factory.mktemp("package"))


# Contents


def test_lintian_finds_no_errors_in_the_package(made):
    root = ["--allow-root"] if os.geteuid() == 0 else []
    judged = run("lintian", *root, "--fail-on", "error,warning", made.main.file)
    assert judged.returncode == 0, judged.stdout + judged.stderr


def test_the_package_contains_the_program_its_units_and_all_related_files(made):
    for file in ("usr/bin/roundel", "usr/lib/systemd/system/roundel@.service",
                 "usr/lib/systemd/system/roundel@.service.d/00-sandbox.conf",
                 "usr/lib/systemd/system/roundel-console@.service",
                 "usr/lib/systemd/system/roundel-splash@.service",
                 "usr/lib/systemd/system/roundel-cage@.service", "usr/lib/systemd/system/roundel-cage.service",
                 "usr/lib/systemd/system/roundel-weston@.service", "usr/lib/systemd/system/roundel-weston.service",
                 "usr/lib/systemd/user/roundel-wayland@.service", "usr/lib/sysusers.d/roundel.conf",
                 "usr/lib/udev/rules.d/70-roundel-backlight.rules",
                 "usr/lib/python3/dist-packages/roundel.py", "usr/share/roundel/roundel.sh",
                 "usr/share/roundel/kiosk.schema.json", "usr/share/roundel/suite.schema.json",
                 "usr/share/roundel/kiosks/home.yaml", "usr/share/roundel/clients/machine.py",
                 "usr/share/man/man1/roundel.1.gz", "usr/share/man/man5/roundel-kiosk.5.gz",
                 "usr/share/bash-completion/completions/roundel",
                 "usr/share/zsh/vendor-completions/_roundel",
                 "usr/share/fish/vendor_completions.d/roundel.fish",
                 "usr/share/doc/roundel/changelog.gz", "usr/share/doc/roundel/copyright"):
        # A link between two units would be an alias.
        assert (made.root / file).is_file() and not (made.root / file).is_symlink(), file
    assert (made.root / "etc/roundel").is_dir()
    assert not list((made.root / "etc/roundel").iterdir())
    assert not list(made.root.rglob("*.pyc")) + list(made.root.rglob("*~"))
    kiosks = sorted((made.root / "usr/share/roundel/kiosks").glob("*.yaml"))
    assert done(ROUNDEL, "check", *kiosks) == ""


def test_the_package_depends_on_the_linked_libraries_and_the_font(made):
    needed = re.findall(r"(?:^|, )([a-z0-9.+-]+)", made.main.field("Depends"))
    assert {"libc6", "libdrm2", "libinput10", "libfreetype6", "fonts-dejavu-core"} <= set(needed)
    # A machine without the package, like the virtual panel, needs the same.
    listed = set(done(TOP / "deploy/install", "--packages").split())
    assert set(needed) - {"libc6", "libgcc-s1", "systemd"} <= listed


def test_version_commit_and_package_agree(made):
    said = done(made.root / "usr/bin/roundel", "--version").strip()
    number, commit = re.fullmatch(r"roundel (\d+\.\d+\.\d+)(?: \((\w+(?:-dirty)?)\))?", said).groups()
    assert made.main.version.startswith(number)
    assert made.main.version.endswith(("+deb12", "+deb13"))
    heading = re.search(r"^## (\S+)", (TOP / "CHANGELOG.md").read_text(), re.M)[1]
    assert number == heading
    packaged = done("dpkg-parsechangelog", "-l", TOP / "deploy/debian/changelog", "-S", "Version").strip()
    assert packaged.rstrip("~") == heading
    if commit:
        released = made.main.version.startswith(f"{number}+deb")
        assert released or f".{commit.replace('-', '.')}+deb" in made.main.version
    # Sorts before the release that follows, and after the previous one.
    if "~" in made.main.version:
        done("dpkg", "--compare-versions", made.main.version, "lt", number)
        done("dpkg", "--compare-versions", made.main.version, "gt", "1.0.0")


def test_a_bill_of_materials_is_created_with_the_package(made):
    bill = json.loads(open(made.main.file.removesuffix(".deb") + ".cdx.json").read())
    programs = {part["name"]: part["hashes"][0]["content"] for part in bill["components"] if "hashes" in part}
    assert programs["roundel"] == hashlib.sha256(open(ROUNDEL, "rb").read()).hexdigest()
    named = {part["name"] for part in bill["components"]}
    depends = set(re.findall(r"(?:^|, )([a-z0-9.+-]+)", made.main.field("Depends")))
    assert depends - {"fontconfig", "systemd"} <= named, depends - named


def test_the_symbols_match_the_program(made):
    noted = done("readelf", "-n", made.root / "usr/bin/roundel")
    build = re.search(r"Build ID: (\w\w)(\w+)", noted)
    listed = done("dpkg-deb", "-c", made.symbols.file)
    assert f"/usr/lib/debug/.build-id/{build[1]}/{build[2]}.debug" in listed
    assert made.symbols.field("Depends") == f"roundel (= {made.main.version})"
    assert not re.search(r"\.(symtab|debug_info)", done("readelf", "-SW", made.root / "usr/bin/roundel"))


def test_dpkg_buildpackage_makes_the_same_packages_in_a_checkout(made, tmp_path):
    tree = tmp_path / "checkout"
    for part in ("deploy", "systemd"):
        shutil.copytree(TOP / part, tree / part, symlinks=True)
    shutil.copy(TOP / "README.md", tree)
    (tree / "debian").symlink_to("deploy/debian")
    for name in ("kiosks/.home.yaml.swp", "kiosks/home.yaml~", "clients/examples/__pycache__/machine.pyc"):
        (tree / "deploy/examples" / name).parent.mkdir(exist_ok=True)
        (tree / "deploy/examples" / name).write_text("")
    # Older than the packages.
    os.utime(tree / "deploy/kiosk.schema.json", (0, 0))
    done("dpkg-buildpackage", "-b", "-us", "-uc", "-d", cwd=tree, env={
        **QUICK, "ROUNDEL_PROGRAMS": os.path.dirname(ROUNDEL), "DEB_BUILD_OPTIONS": "nostrip"})

    def files(package):
        listed = [line.split() for line in done("dpkg-deb", "-c", package).splitlines()]
        return {(mode, owner, " ".join(path)) for mode, owner, _, _, _, *path in listed}

    def fields(package):
        return re.sub(r"(?m)^(Version|Maintainer|Installed-Size): .*|\(= \d.*?\)", "", done("dpkg-deb", "-f", package))

    packages = [file for file in made.files if "-dbgsym_" not in file]
    for file in packages:
        again, = tmp_path.glob(os.path.basename(file).partition("_")[0] + "_*.deb")
        assert files(again) == files(file)
        assert fields(again) == fields(file)
        times = {tuple(line.split()[3:5]) for line in done("dpkg-deb", "-c", again).splitlines()}
        assert len(times) == 1, times
    assert len(packages) == len(list(tmp_path.glob("*.deb")))


@pytest.mark.skipif("ROUNDEL_PACKAGES" not in os.environ, reason="builds all; ROUNDEL_PACKAGES=1 asks for it")
def test_a_tree_in_another_folder_gives_identical_packages(made, tmp_path):
    tree = tmp_path / "another-folder"
    shutil.copytree(TOP, tree, symlinks=True, ignore=shutil.ignore_patterns(".build*", "artifacts", "__pycache__"))
    again = done(tree / "deploy/package", "--output", tmp_path / "packages", env=QUICK, timeout=7200).split()

    def digests(files):
        return {os.path.basename(file): hashlib.sha256(open(file, "rb").read()).hexdigest() for file in files}

    assert digests(again) == digests(made.files)


def test_the_bridge_depends_on_no_library_of_controls_and_only_root_reads_its_settings(made):
    bridge = Package(next(file for file in made.files if "/roundel-mqtt_" in file))
    needed = set(re.findall(r"(?:^|, )([a-z0-9.+-]+)", bridge.field("Depends")))
    assert needed == {"roundel", "libc6", "libgcc-s1", "libmosquitto1"}
    # Its settings may contain a password.
    assert re.search(r"^-rw------- root/root .* \./etc/roundel/mqtt\.conf$", done("dpkg-deb", "-c", bridge.file), re.M)


def test_the_bridge_to_home_assistant_needs_only_the_system(made):
    bridge = Package(next(file for file in made.files if "/roundel-home_" in file))
    needed = set(re.findall(r"(?:^|, )([a-z0-9.+-]+)", bridge.field("Depends")))
    assert needed == {"roundel", "libc6", "libgcc-s1"}
    # The token is a file of the administrator, and not in the package.
    assert "home-token" not in done("dpkg-deb", "-c", bridge.file)


def test_every_command_and_the_reference_have_manual_pages(made):
    pages = made.root / "usr/share/man"
    tree = json.loads(done(ROUNDEL, "--experimental-dump-help"))["command"]
    commands = [each for each in tree["subcommands"] if each["shouldDisplay"] and each["commandName"] != "help"]
    assert len(commands) > 30
    for command in commands:
        text = done("zcat", pages / f"man1/roundel-{command['commandName']}.1.gz")
        for argument in command["arguments"]:
            for name in argument.get("names", []):
                assert name["name"].replace("-", "\\-") in text, command["commandName"]
    kiosk = done("zcat", pages / "man5/roundel-kiosk.5.gz")
    for section in re.findall(r"^## (.*)", done(ROUNDEL, "reference"), re.M):
        assert re.search(rf'^\.SH "?{re.escape(section)}', kiosk, re.M | re.I), section


def test_the_shell_completes_commands_and_names_of_a_running_kiosk(made, tmp_path):
    script = made.root / "usr/share/bash-completion/completions/roundel"

    def completed(*words):
        line = " ".join(words)
        told = done("bash", "-c", f"""
            PATH={made.root}/usr/bin:$PATH
            source {script}
            COMP_WORDS=({' '.join(map(repr, words))}) COMP_CWORD={len(words) - 1}
            COMP_LINE={line!r} COMP_POINT={len(line)} COMP_TYPE=9
            $(complete -p roundel | sed 's/.*-F \\([^ ]*\\).*/\\1/') roundel {words[-1]!r} {words[-2]!r}
            printf '%s\\n' "${{COMPREPLY[@]}}" """)
        return {word.strip() for word in told.split("\n")}

    assert {"reference", "reload", "render", "replay"} <= completed("roundel", "re")
    assert {"drm", "wayland"} <= completed("roundel", "run", "--display", "")
    kiosk = LiveKiosk(tmp_path, file=KIOSK)
    try:
        names = completed("roundel", "get", "--socket", str(kiosk.socket), "")
    finally:
        kiosk.close()
    assert "page" in names
    assert any("." in name for name in names)


# Effects on a machine


class Machine:
    """A folder as the root of a machine that isn't running, for dpkg."""

    def __init__(self, folder):
        self.root = folder
        for part in ("var/lib/dpkg/info", "var/lib/dpkg/updates", "etc", "usr/bin"):
            (folder / part).mkdir(parents=True)
        (folder / "var/lib/dpkg/status").write_text("")

    def dpkg(self, *words):
        return run(*AS_ROOT, "dpkg", f"--root={self.root}", "--force-script-chrootless", "--force-depends",
                   "--force-not-root", "--force-bad-path", *words, stdin=subprocess.DEVNULL)

    @property
    def status(self):
        return self.dpkg("--status", "roundel").stdout

    def version(self):
        """Returns the output of the installed program."""
        return done(self.root / "usr/bin/roundel").strip()

    def files(self):
        return {str(file.relative_to(self.root)) for file in self.root.rglob("*")
                if (file.is_file() or file.is_symlink())
                and not str(file.relative_to(self.root)).startswith(("var/lib/dpkg/", "var/log/"))}


@pytest.fixture
def machine(tmp_path):
    if os.geteuid() != 0 and not shutil.which("fakeroot"):
        pytest.skip("needs root or fakeroot")
    return Machine(tmp_path / "machine")


def test_kiosks_and_enabled_units_survive_upgrades_downgrades_and_removal_and_purge_removes_state(
        made, machine):
    old, new = made.again("3"), made.again("4")
    units = machine.root / "usr/lib/systemd/system"
    assert machine.dpkg("-i", old).returncode == 0
    assert sorted(unit.name for unit in units.iterdir() if unit.is_file()) == [
        "roundel-cage.service", "roundel-cage@.service", "roundel-console@.service",
        "roundel-first-boot.service", "roundel-metrics.service", "roundel-metrics.timer", "roundel-pull.path",
        "roundel-pull.service", "roundel-pull.timer", "roundel-splash@.service", "roundel-weston.service",
        "roundel-weston@.service", "roundel@.service"]
    assert "roundel:" in (machine.root / "etc/passwd").read_text()
    users = {file for file in machine.files() if file.startswith("etc/")}
    kiosk = machine.root / "etc/roundel/wall.yaml"
    kiosk.write_text("kiosk: wall\n")
    wanted = machine.root / "etc/systemd/system/multi-user.target.wants"
    wanted.mkdir(parents=True)
    # Every unit of the package that can be enabled.
    before = machine.files()
    for scope in ("system", "user"):
        for unit in (machine.root / f"usr/lib/systemd/{scope}").glob("roundel*"):
            if unit.is_file() and "\n[Install]\n" in unit.read_text():
                done("systemctl", f"--root={machine.root}", *(["--global"] if scope == "user" else []), "enable",
                     unit.name.replace("@.", "@wall."))
    enabled = machine.files() - before
    assert {file.rsplit("/", 1)[1] for file in enabled} >= {
        "roundel@wall.service", "roundel-weston@wall.service", "roundel-wayland@wall.service",
        "roundel-first-boot.service", "roundel-pull.timer", "roundel-metrics.timer"}
    (wanted / "other.service").symlink_to("/usr/lib/systemd/system/other.service")
    (wanted / "roundel-lamp.service").symlink_to("/etc/systemd/system/roundel-lamp.service")
    state = machine.root / "var/lib/roundel/wall.json"
    state.parent.mkdir()
    state.write_text("{}")
    made_by_python = machine.root / "usr/lib/python3/dist-packages/__pycache__/roundel.cpython-311.pyc"
    made_by_python.parent.mkdir()
    made_by_python.write_text("")

    for package, version in ((new, "4"), (old, "3"), (new, "4")):
        outcome = machine.dpkg("-i", package)
        assert outcome.returncode == 0, outcome.stderr
        assert machine.version() == version
        assert kiosk.read_text() == "kiosk: wall\n" and state.exists()
        assert enabled <= machine.files()

    assert machine.dpkg("--remove", "roundel").returncode == 0
    assert kiosk.exists() and state.exists() and enabled <= machine.files()
    assert not (machine.root / "usr/bin/roundel").exists()
    assert machine.dpkg("--purge", "roundel").returncode == 0
    assert not state.parent.exists()
    assert machine.files() == users | {
        "etc/roundel/wall.yaml", "etc/systemd/system/multi-user.target.wants/other.service",
        "etc/systemd/system/multi-user.target.wants/roundel-lamp.service"}


@pytest.mark.parametrize("version", former.COMMITS)
def test_a_machine_with_a_former_version_is_upgraded_and_shows_its_kiosk(made, machine, tmp_path, version):
    tree = former.tree(version, tmp_path / "former")
    kiosk = tree / "deploy/kiosks/timer.yaml"
    put = [*AS_ROOT, tree / "deploy/install", "--root", machine.root, "--binary", ROUNDEL, "--kiosk", kiosk, "--enable"]
    done(*put)
    listed = done(tree / "deploy/package", "--binary", ROUNDEL, "--output", tmp_path / "old", env=QUICK)
    old = next(file for file in listed.split() if "/roundel_" in file)
    assert Package(old).version.startswith(version)
    assert machine.dpkg("-i", old).returncode == 0
    before = {file for file in machine.files() if file.startswith("etc/")}
    assert any("wants/roundel@timer.service" in file for file in before), before

    upgraded = machine.dpkg("-i", made.main.file)
    assert upgraded.returncode == 0, upgraded.stderr
    assert f"Version: {made.main.version}" in machine.status
    after = machine.files()
    # Only enabled units and kiosks remain from the former version; the package owns everything else.
    assert before <= after
    owned = done("dpkg-query", f"--admindir={machine.root}/var/lib/dpkg", "-L", "roundel").split("\n")
    assert {f"/{file}" for file in after if file.startswith("usr/")} <= set(owned)
    done(ROUNDEL, "check", machine.root / "etc/roundel/timer.yaml")


@pytest.mark.parametrize("script", ["preinst", "postinst"])
def test_a_killed_upgrade_leaves_a_program_and_can_be_repeated(made, machine, script):
    assert machine.dpkg("-i", made.again("3")).returncode == 0
    killed = machine.dpkg("-i", made.again("4", **{script: 'kill -9 "$PPID"; sleep 1'}))
    assert killed.returncode == -9 or killed.returncode == 137, killed.stderr
    assert machine.version() == ("3" if script == "preinst" else "4")
    assert "Status: install ok installed" not in machine.status
    assert machine.dpkg("-i", made.again("5")).returncode == 0
    assert machine.version() == "5"
    assert "Status: install ok installed" in machine.status


def test_an_upgrade_on_a_full_disk_is_reported_and_keeps_the_old_version(made, tmp_path):
    folder = tmp_path / "small"
    folder.mkdir()
    old, new = made.again("3"), made.main.file
    outcome = run("unshare", "-m", "sh", "-c", f"""
        mount -t tmpfs -o size=8m none {folder} || exit 99
        mkdir -p {folder}/var/lib/dpkg/info {folder}/var/lib/dpkg/updates {folder}/etc
        : > {folder}/var/lib/dpkg/status
        dpkg="dpkg --root={folder} --force-script-chrootless --force-depends --force-downgrade"
        $dpkg -i {old} >&2 || exit 98
        $dpkg -i {new} && exit 97
        {folder}/usr/bin/roundel
        ls {folder}/usr/bin
        $dpkg --audit
        $dpkg -i {old} >/dev/null && $dpkg --status roundel | grep ^Status""")
    if outcome.returncode in (1, 99) and "permitted" in outcome.stderr:
        pytest.skip("only root may mount a small disk")
    assert outcome.returncode == 0, outcome.stderr
    assert "No space left on device" in outcome.stderr
    told = outcome.stdout.splitlines()
    assert "3" in told and "roundel.dpkg-new" not in told
    assert told[-1] == "Status: install ok installed"


# Repositories


@pytest.fixture(scope="module")
def signer(tmp_path_factory):
    home = tmp_path_factory.mktemp("gpg")
    home.chmod(0o700)
    environment = {**os.environ, "GNUPGHOME": str(home)}
    done("gpg", "--batch", "--passphrase", "", "--quick-gen-key", "kiosks@roundel.test", "ed25519", "sign",
         env=environment)
    yield environment
    run("gpgconf", "--kill", "all", env=environment)


class Apt:
    """apt of a machine with only one repository."""

    def __init__(self, folder, repository):
        self.folder = folder
        for part in ("state/lists/partial", "cache/archives/partial"):
            (folder / part).mkdir(parents=True)
        (folder / "status").write_text("")
        codename = next((repository / "dists").iterdir()).name
        (folder / "sources.list").write_text(
            f"deb [signed-by={repository}/roundel.asc] file:{repository} {codename} main\n")

    def __call__(self, *words):
        options = {"Dir::State": self.folder / "state", "Dir::State::status": self.folder / "status",
                   "Dir::Cache": self.folder / "cache", "Dir::Etc::sourcelist": self.folder / "sources.list",
                   "Dir::Etc::sourceparts": "/dev/null", "Debug::NoLocking": "1", "APT::Sandbox::User": "root",
                   "Acquire::Languages": "none"}
        return run(*words[:1], *[part for name, value in options.items() for part in ("-o", f"{name}={value}")],
                   *words[1:], cwd=self.folder)


def test_apt_accepts_signed_repositories_and_no_modified_packages(
        made, signer, tmp_path):
    repository = tmp_path / "repository"

    def publish(*files):
        return done(PACKAGE, *files, "--repository", repository, "--key", "kiosks@roundel.test", env=signer)

    publish(*made.files)
    later = tmp_path / os.path.basename(made.main.file).replace(made.main.version, "9+deb12")
    shutil.copy(made.again("9+deb12"), later)
    if made.main.version.endswith("+deb12"):
        publish(later)
    (tmp_path / "apt").mkdir()
    apt = Apt(tmp_path / "apt", repository)
    updated = apt("apt-get", "update")
    assert updated.returncode == 0 and "W:" not in updated.stderr, updated.stderr
    offered = apt("apt-cache", "madison", "roundel").stdout
    assert made.main.version in offered
    assert "9+deb12" in offered or not made.main.version.endswith("+deb12")
    assert made.symbols.version in apt("apt-cache", "madison", "roundel-dbgsym").stdout
    fetched = apt("apt-get", "download", f"roundel={made.main.version}")
    assert fetched.returncode == 0, fetched.stderr
    assert {path.name for path in repository.iterdir()} == {"pool", "dists", "roundel.asc"}

    release, = repository.glob("dists/*/InRelease")
    release.write_text(release.read_text().replace("Label: Roundel", "Label: Rounded"))
    assert "BADSIG" in apt("apt-get", "update").stderr


# Errors


@pytest.mark.parametrize("options, code, said", [
    (["--repository", "x"], 64, "--repository and --key require each other"),
    (["--key", "x"], 64, "--repository and --key require each other"),
    (["--all", "--debian", "12"], 64, "--all cannot be combined with"),
    (["--binary", "/nowhere/roundel"], 66, "no program /nowhere/roundel"),
    (["--binary", "/bin/sh"], 65, "/bin/dash has no section for a commit"),
    (["--binary", ROUNDEL, "--arch", "OTHER"], 65, "is for "),
    (["nowhere.deb", "--repository", "x", "--key", "y"], 66, "no package nowhere.deb"),
    ([__file__, "--repository", "x", "--key", "nobody@nowhere.test"], 77, "gpg has no secret key nobody@"),
])
def test_impossible_packages_are_rejected_with_the_reason(tmp_path, options, code, said):
    here = done("dpkg", "--print-architecture").strip()
    options = [option.replace("OTHER", "arm64" if here == "amd64" else "amd64") for option in options]
    outcome = run(PACKAGE, "--output", tmp_path / "out", *options, cwd=tmp_path)
    assert outcome.returncode == code, outcome.stderr
    assert said in outcome.stderr
    assert "Traceback" not in outcome.stderr
    assert not list(tmp_path.glob("**/*.deb"))
