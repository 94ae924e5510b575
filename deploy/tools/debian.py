# SPDX-License-Identifier: MIT
"""Access to Debian's archive: installs tools by name, and unpacks packages outside of the machine's system."""

import functools
import os
import shutil
import subprocess
from pathlib import Path

RELEASE = "bookworm"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"


class PanelError(Exception):
    """An error with its remedy, for the user at the terminal."""


def run(*command, **options):
    """Runs a command to completion. If it fails, raises a PanelError with its error output."""
    options.setdefault("check", True)
    options.setdefault("text", True)
    try:
        return subprocess.run([str(word) for word in command], **options)
    except FileNotFoundError as error:
        raise PanelError(f"{command[0]} is not installed") from error
    except subprocess.CalledProcessError as error:
        said = error.stderr or ""
        said = (said if isinstance(said, str) else said.decode(errors="replace")).strip()
        raise PanelError(said or f"{' '.join(map(str, command))} ended with {error.returncode}"
                         ) from error


def require(tools):
    """Installs the packages of missing tools. `tools` maps commands to packages."""
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    os.environ["PATH"] = path
    missing = sorted({package for tool, package in tools.items() if not shutil.which(tool)})
    if not missing:
        return
    print(f"installing {' '.join(missing)}", flush=True)
    root = [] if os.geteuid() == 0 else ["sudo"]
    install = [*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y",
               "--no-install-recommends", *missing]
    if subprocess.run(install, stdout=subprocess.DEVNULL).returncode != 0:
        run(*root, "apt-get", "update", stdout=subprocess.DEVNULL)
        run(*install, stdout=subprocess.DEVNULL)


@functools.cache
def mirror():
    """Returns this machine's Debian mirror, such as http://…/debian."""
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages",
               "Origin: Debian", "Label: Debian"]
    found = run(*command, capture_output=True).stdout.split()
    if not found:  # this machine has no package lists yet
        run(*([] if os.geteuid() == 0 else ["sudo"]), "apt-get", "update",
            stdout=subprocess.DEVNULL)
        found = run(*command, capture_output=True).stdout.split()
    if not found:
        raise PanelError("this machine has no source of Debian packages; see sources.list(5)")
    return found[0].rstrip("/")


@functools.cache
def native_architecture():
    return run("dpkg", "--print-architecture", capture_output=True).stdout.strip()


@functools.cache
def apt_options():
    """Returns the machine's network options of apt, for mmdebstrap."""
    shown = run("apt-config", "dump", "Acquire", capture_output=True).stdout.splitlines()
    passed = ("Acquire::Check-", "Acquire::http", "Acquire::Retries")
    return [f"--aptopt={line.rstrip(';')}" for line in shown
            if line.startswith(passed) and not line.endswith(' "";')]


def bootstrap(release, architecture, packages, target, *, variant="minbase", hooks=(), components=("main",)):
    """Returns the command that makes a Debian system with packages of some components: a tar archive, or the format of
    the target's name. Hooks are shell lines that run at the end, with the new root as `$1`."""
    return ["mmdebstrap", "--quiet", f"--variant={variant}", f"--architectures={architecture}",
            f"--include={','.join(packages)}", f"--components={','.join(components)}", *apt_options(),
            *[f"--dpkgopt=path-exclude=/usr/share/{part}/*"
              for part in ("man", "doc", "info", "locale", "i18n/locales", "bash-completion")],
            *[f"--customize-hook={hook}" for hook in hooks], release, str(target), mirror()]


class Archive:
    """Debian's archive, accessed with a separate source list."""

    def __init__(self, folder, suites, architecture=None, component="main"):
        self.folder = Path(folder)
        for part in ("lists/partial", "archives/partial"):
            (self.folder / part).mkdir(parents=True, exist_ok=True)
        sources = self.folder / "sources.list"
        options = f"arch={architecture or native_architecture()}"
        sources.write_text("".join(
            f"deb [{options} signed-by={KEYRING}] {mirror()}{suite.partition(' ')[0]} "
            f"{suite.partition(' ')[2]} {component}\n" for suite in suites))
        self.options = [word for option in (
            f"Dir::Etc::sourcelist={sources}", "Dir::Etc::sourceparts=/dev/null",
            "Dir::Etc::preferencesparts=/dev/null", "Dir::Etc::preferences=/dev/null",
            f"Dir::State::Lists={self.folder}/lists",
            f"Dir::Cache::archives={self.folder}/archives",
            "Dir::Cache::pkgcache=", "Dir::Cache::srcpkgcache=",
            "Debug::NoLocking=1", "Acquire::Retries=3",
        ) for word in ("-o", option)]
        if architecture:  # for another machine, without installed packages
            self.options += ["-o", f"APT::Architecture={architecture}", "-o",
                             f"APT::Architectures={architecture}", "-o", "Dir::State::status=/dev/null"]
        if os.geteuid() == 0:  # otherwise apt's own user must own the folder
            self.options += ["-o", "APT::Sandbox::User=root"]
        self.apt("update")

    def apt(self, *words, **options):
        return run("apt-get", "-q", *self.options, *words, capture_output=True, **options)

    def apt_cache(self, *words):
        return run("apt-cache", *self.options, *words, capture_output=True).stdout

    def dependencies(self, package):
        """Returns a package's dependencies."""
        shown = self.apt_cache("depends", "--no-recommends", "--no-suggests", "--no-conflicts",
                               "--no-breaks", "--no-replaces", "--no-enhances", package)
        return [line.split()[1] for line in shown.splitlines() if "Depends:" in line]

    def version(self, package):
        """Returns a package's version in the archive."""
        shown = self.apt_cache("show", "--no-all-versions", package)
        return next(line.split()[1] for line in shown.splitlines() if line.startswith("Version:"))

    def download(self, package, into):
        """Downloads one package, without its dependencies, into a folder. Returns its file."""
        Path(into).mkdir(parents=True, exist_ok=True)
        self.apt("download", package, cwd=into)
        return next(Path(into).glob(f"{package.partition('=')[0]}_*.deb"))

    def unpack(self, package, into, members=()):
        """Downloads one package, without its dependencies, and unpacks it, or only its `members`, into a folder."""
        self.download(package, self.folder / "archives")
        self._unpack_downloaded(into, members)

    def unpack_with_dependencies(self, package, into, suite):
        """Unpacks a package and its dependencies that this machine lacks."""
        self.apt("install", "-y", "--download-only", "--no-install-recommends", "-t", suite,
                 package)
        self._unpack_downloaded(into)

    def _unpack_downloaded(self, into, members=()):
        Path(into).mkdir(parents=True, exist_ok=True)
        for file in sorted((self.folder / "archives").glob("*.deb")):
            run("dpkg", "-x", file, into) if not members else run(
                "sh", "-c", 'dpkg-deb --fsys-tarfile "$1" | { shift; tar -x -C "$@"; }', "-", file,
                into, *members)
            file.unlink()


# Fontconfig trusts its cache only if a folder's time matches to the nanosecond, and mke2fs stores whole seconds.
# Without this, every start of the kiosk would read every font.
FONT_CACHE = ('find "$1/usr/share/fonts" "$1/usr/local/share/fonts" -type d -exec touch -d @0 {} + && '
              'chroot "$1" fc-cache --force --system-only')


def require_emulation(architecture):
    """Makes sure that this machine's kernel can start the architecture's programs, which set up an image's packages."""
    machine = {"arm64": "aarch64"}.get(architecture, architecture)
    require({f"qemu-{machine}-static": "qemu-user-static", "arch-test": "arch-test"})
    formats = Path("/proc/sys/fs/binfmt_misc")
    if (formats / f"qemu-{machine}").exists():
        return
    # In a container, or without systemd, the formats aren't registered.
    if os.geteuid() == 0:
        if not (formats / "register").exists():
            run("mount", "-t", "binfmt_misc", "binfmt_misc", formats, capture_output=True)
        for line in Path(f"/usr/lib/binfmt.d/qemu-{machine}.conf").read_text().splitlines():
            (formats / "register").write_text(line)
    if not (formats / f"qemu-{machine}").exists():
        raise PanelError(f"the kernel cannot run programs for {architecture}: "
                         "sudo systemctl restart systemd-binfmt")
