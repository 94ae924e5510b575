# SPDX-License-Identifier: MIT
"""A running virtual panel: boots it, touches it, reads its screen and stops it."""

import fcntl
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from contextlib import contextmanager, suppress
from pathlib import Path

from disk.card import overlay, unpack_boot
from disk.processor import PROCESSORS
from disk.uefi import write_arguments
from tools.debian import PanelError, native_architecture, require, run

from . import drivers, touchscreen, usb_display
from .graphics import GRAPHICS, Graphics
from .image import FOLDER, TOP, Image, privileged
from .qemu import MULTITOUCH, QEMU, firmware
from .qmp import QMP

TOUCH_DEVICE = {"driver": MULTITOUCH, "id": "touch", "bus": "pci.0"}


def cache_folder():
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "roundel" / "panel"


def running_folder(name):
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if runtime and os.access(runtime, os.W_OK):
        return Path(runtime) / "roundel-panel" / name
    return cache_folder() / "running" / name


@contextmanager
def locked(cache):
    """Locks the cache for one process."""
    cache.mkdir(parents=True, exist_ok=True)
    with open(cache / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for scratch in [*cache.glob("building-*"), *cache.glob("fetching-*")]:
            shutil.rmtree(scratch, ignore_errors=True)  # of a process that was killed
        yield cache


def prepare(say, gpu=None, architecture="amd64", more=()):
    """Returns QEMU, the base image with the additional packages `more`, and the drivers that the display controller
    needs in addition to the kernel's. Uses the cache."""
    with locked(cache_folder()) as cache:
        processor = PROCESSORS[architecture]
        qemu = QEMU.find(cache, processor, say)
        packages = run(TOP / "deploy/install", "--packages", processor.release,
                       capture_output=True).stdout.split()
        # Next to the usual image, which stays small.
        place = cache / "with" / "-".join(sorted(more)) if more else cache
        image = Image.build(place, processor, [*packages, *more], say)
        needed = GRAPHICS[gpu].drivers if gpu else ()
        built = drivers.build(cache, image, say) if needed else None
        return qemu, image, [built / f"{name}.ko" for name in needed]


class MachineGone(PanelError):
    """A panel's machine has ended or its connection has broken."""


class Panel:
    """A panel by name; several can run side by side."""

    def __init__(self, name="panel"):
        if not re.fullmatch(r"[\w-]+", name):
            raise PanelError(f"a panel's name may contain only letters, digits, _ and -, not '{name}'")
        self.name = name
        self.folder = running_folder(name)
        self._state = self.folder / "state.json"

    # MARK: boot and stop

    def boot(self, binary, kiosk, gpu="virtio", size=(1280, 800), legacy=False,
             disk=None, architecture="amd64", more=(), files={}, card=None, options="", touch=None,
             say=lambda text: None):
        """Starts a panel that shows `kiosk`; returns when QEMU runs. `touch` is the kind of touchscreen; the
        default is QEMU's, if present. Only the file `disk`, which becomes /dev/vdc, survives a boot. `more` are
        additional packages, `files` contents by path, `options` go to the kernel command line. With `card`, the
        folder `roundel` of a card, roundel-first-boot sets up the panel, and systemd-networkd its network."""
        started = time.monotonic()
        if architecture != "amd64" and (gpu != "virtio" or touch not in (None, "virtio", "uinput")):
            raise PanelError(f"a panel with {architecture} has virtio's graphics and touchscreen only, not {gpu} and "
                             f"{touch or 'virtio'}")
        qemu, image, modules = prepare(say, gpu, architecture, more)
        self._claim()
        graphics = GRAPHICS[gpu]
        # Tests read the kiosk's events from the journal.
        arguments = ["--events"] + ["--legacy-kms"] * legacy
        if graphics.needs_mode:
            arguments += ["--mode", "{}x{}".format(*size)]
        if graphics.depth:
            arguments += ["--depth", str(graphics.depth)]
        touch = touch or ("virtio" if qemu.has_multitouch else "uinput")
        extras = [touch] if touch != "virtio" else []
        for module in modules:
            shutil.copy(module, self.folder)
            extras.append(module.name)
        for path, text in files.items():
            file = self.folder / "files" / path.lstrip("/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        if card:
            shutil.copytree(card, self.folder / "card")
        self._make_layer(image, binary, kiosk, arguments, extras)
        port = free_port()
        self._write_ssh_config(port)
        native = architecture == native_architecture()
        accelerator = "kvm" if native and qemu.kvm_runs(image, say) else "tcg"
        command = self._command(qemu, image, gpu, size, port, accelerator, touch, disk,
                                f"{graphics.options} {options}".strip())
        run(*command, env=qemu.environment, capture_output=True, cwd=self.folder)
        self._write_state(gpu=gpu, size=size, port=port, kiosk=Path(kiosk).stem, fingers=[],
                          touch=touch)
        if graphics.usb:
            usb_display.start(self.folder, size, graphics.usb)
        say(f"QEMU runs after {time.monotonic() - started:.1f} s ({gpu}, {accelerator})")

    def boot_disk(self, file, size=(1280, 800), architecture="amd64", arguments="", port=None, log=None,
                  clock="utc", say=lambda text: None):
        """Starts a panel from a disk image of deploy/image, with its own boot loader; writes to the file. Tests can
        use only its screen, its touchscreen and, at `port` of this machine, its SSH. A watchdog resets it.
        `arguments` go to the kernel command line. `log` records all writes to the disk, in order, in the format of
        Linux' dm-log-writes. `clock` is the start time."""
        self._claim()
        processor = PROCESSORS[architecture]
        with locked(cache_folder()) as cache:
            qemu = QEMU.find(cache, processor, say)
            code, variables = firmware(cache, processor, say)
        touch = "virtio" if qemu.has_multitouch else None
        if not touch:
            say("this QEMU has no touchscreen")
        shutil.copy(variables, self.folder / "variables.fd")
        network = "user,id=net,restrict=on"
        if port:
            network += f",hostfwd=tcp:127.0.0.1:{port}-10.0.2.15:22"
        if arguments:
            write_arguments(file, arguments)
        drive = ["-blockdev", "driver=raw,node-name=disk,file.driver=file,"
                 f"file.filename={Path(file).resolve()}"]
        if log:
            Path(log).touch()
            drive += ["-blockdev", "driver=blklogwrites,node-name=logged,file=disk,log.driver=file,"
                      f"log.filename={Path(log).resolve()}"]
        command = [*self._machine(qemu, processor, "virtio", size, "tcg", touch),
                   "-drive", f"if=pflash,unit=0,format=raw,readonly=on,file={code}",
                   "-drive", "if=pflash,unit=1,format=raw,file=variables.fd",
                   *drive, "-device", f"virtio-blk-pci,drive={'logged' if log else 'disk'},bootindex=0",
                   "-device", "i6300esb", "-action", "watchdog=reset", "-rtc", f"base={clock}",
                   "-netdev", network]
        run(*command, env=qemu.environment, capture_output=True, cwd=self.folder)
        self._write_state(gpu="virtio", size=size, port=port, kiosk=Path(file).stem, fingers=[],
                          touch=touch)

    def boot_card(self, file, arguments="", port=None, log=None, say=lambda text: None):
        """Starts QEMU's Pi 3B from a card image of deploy/image; writes to the file. QEMU does not emulate the
        processor that runs the firmware, so it gets U-Boot and the device tree directly. Tests can use only the
        screen and, at `port` of this machine, SSH over USB. `arguments` and `log` are the same as for `boot_disk`."""
        self._claim()
        require({"dtc": "device-tree-compiler"})
        processor = PROCESSORS["arm64"]
        with locked(cache_folder()) as cache:
            qemu = QEMU.find(cache, processor, say)
        # The size of a card must be a power of two.
        os.truncate(file, 1 << (os.stat(file).st_size - 1).bit_length())
        boot = self.folder / "boot"
        boot.mkdir()
        unpack_boot(file, boot)
        run("fdtoverlay", "-i", boot / "bcm2837-rpi-3-b.dtb", "-o", self.folder / "board.dtb",
            overlay("qemu", self.folder), capture_output=True)
        network = "user,id=net,restrict=on"
        if port:
            network += f",hostfwd=tcp:127.0.0.1:{port}-10.0.2.15:22"
        # QEMU's watchdog resets the machine as soon as it is armed.
        write_arguments(file, f"modprobe.blacklist=bcm2835_wdt {arguments}".rstrip())
        drive = f"if=sd,driver=raw,file.driver=file,file.filename={Path(file).resolve()}"
        if log:
            Path(log).touch()
            drive = drive.replace("driver=raw,file.driver", "driver=blklogwrites,file.driver", 1)
            drive += f",log.driver=file,log.filename={Path(log).resolve()}"
        command = [qemu.program, "-name", f"roundel-{self.name}", "-nodefaults", "-no-user-config",
                   "-machine", "raspi3b", "-accel", "tcg,thread=multi", "-display", "none",
                   "-kernel", boot / "u-boot.bin", "-dtb", "board.dtb", "-drive", drive,
                   "-netdev", network, "-device", "usb-net,netdev=net",
                   "-serial", "null", "-serial", "file:serial.log", "-qmp", "unix:qmp.sock,server=on,wait=off",
                   "-pidfile", "pid", "-daemonize"]
        run(*command, env=qemu.environment, capture_output=True, cwd=self.folder)
        self._write_state(gpu="card", size=(640, 480), port=port, kiosk=Path(file).stem, fingers=[],
                          touch=None)

    def _claim(self):
        """Creates an empty folder for this panel."""
        if self.is_running:
            raise PanelError(f"panel {self.name} is already running; "
                             "use Tests/Rig/virtual-panel stop")
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True, mode=0o700)

    def _make_layer(self, image, binary, kiosk, arguments, extras):
        """Builds the layer over the image: the product, installed by its own installer, and a new key."""
        for key in ("id_ed25519", "host_ed25519"):
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "panel",
                "-f", self.folder / key, capture_output=True)
        host = (self.folder / "host_ed25519.pub").read_text()
        (self.folder / "known_hosts").write_text(f"panel {host}")
        run(*privileged(), FOLDER / "make-layer", TOP / "deploy", image.accounts,
            Path(binary).resolve(), Path(kiosk).resolve(), " ".join(arguments), *extras,
            cwd=self.folder, capture_output=True)

    def _command(self, qemu, image, gpu, size, port, accelerator, touch, disk, options):
        state = ["-drive", f"file={Path(disk).resolve()},format=raw,if=virtio"] if disk else []
        return [*self._machine(qemu, image.processor, gpu, size, accelerator, touch),
                "-kernel", image.kernel, "-initrd", image.initramfs,
                "-append", f"console={image.processor.console} quiet loglevel=4 "
                           "net.ifnames=0 mitigations=off "
                           "systemd.show_status=0 random.trust_cpu=1 tsc=reliable nowatchdog "
                           # On a busy machine a kernel may see no tick in the time that it gives the timer.
                           "no_timer_check "
                           f"{options}".rstrip(),
                "-drive", f"file={image.disk},format=raw,if=virtio,readonly=on",
                "-drive", "file=layer.ext4,format=raw,if=virtio,readonly=on", *state,
                "-device", "pvpanic-pci", "-action", "panic=shutdown",  # a guest that panics ends
                "-netdev", f"user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:{port}-10.0.2.15:22"]

    def _machine(self, qemu, processor, gpu, size, accelerator, touch):
        """The QEMU command without boot and network options."""
        chosen = GRAPHICS[gpu]
        graphics = (["-device", chosen.device.format(*size)] if chosen.device
                    else usb_display.CONTROLLER if chosen.usb else [])
        acceleration = (["-accel", "kvm", "-cpu", "host"] if accelerator == "kvm"
                        else ["-accel", "tcg,thread=multi"])
        touchscreen = ["-device", f"{MULTITOUCH},id=touch"] if touch == "virtio" else []
        return [qemu.program, "-name", f"roundel-{self.name}", "-nodefaults",
                "-no-user-config", *processor.machine, *acceleration, "-smp", "2", "-m", "1024",
                "-vga", "none", "-display", "none", *graphics, *touchscreen,
                "-device", "virtio-net-pci,netdev=net,romfile=",
                "-device", "virtio-rng-pci",
                "-serial", "file:serial.log", "-qmp", "unix:qmp.sock,server=on,wait=off",
                "-pidfile", "pid", "-daemonize"]

    @property
    def is_running(self):
        try:
            pid = int((self.folder / "pid").read_text())
            line = Path(f"/proc/{pid}/cmdline").read_bytes()
            return f"roundel-{self.name}".encode() in line.split(b"\0")
        except (OSError, ValueError):
            return False

    def cut_power(self):
        """Kills QEMU at once, so data that it has not written to its disk is lost."""
        pid = int((self.folder / "pid").read_text())
        os.kill(pid, signal.SIGKILL)
        while self.is_running:
            time.sleep(0.01)
        subprocess.run(["ssh", "-F", str(self.ssh_config), "-O", "exit", "-o",
                        f"ControlPath={self.folder}/ssh.sock", self.name], capture_output=True)

    def stop(self):
        """Stops the panel without a shutdown."""
        if not self.is_running:
            shutil.rmtree(self.folder, ignore_errors=True)
            return
        if self.graphics.usb:
            with suppress(OSError):
                self.usb_display("end")
        pid = int((self.folder / "pid").read_text())
        subprocess.run([*self._ssh_options(), "-O", "exit", self.name], capture_output=True)
        os.kill(pid, signal.SIGTERM)
        deadline = time.monotonic() + 10
        while self.is_running:
            if time.monotonic() > deadline:
                os.kill(pid, signal.SIGKILL)
            time.sleep(0.05)
        shutil.rmtree(self.folder, ignore_errors=True)

    # MARK: state

    @property
    def state(self):
        if not self.is_running:
            raise MachineGone(f"panel {self.name} is not running; "
                              "use Tests/Rig/virtual-panel boot")
        return json.loads(self._state.read_text())

    def _write_state(self, **state):
        self._state.write_text(json.dumps(state))

    # MARK: connections

    def qmp(self, command, **arguments):
        with QMP(self.folder / "qmp.sock") as connection:
            return connection.execute(command, **arguments)

    @property
    def ssh_config(self):
        """An ssh configuration file that defines the panel's name as a host."""
        return self.folder / "ssh_config"

    def _write_ssh_config(self, port):
        folder = self.folder
        self.ssh_config.write_text(f"""\
Host {self.name}
  HostName 127.0.0.1
  Port {port}
  User root
  IdentityFile "{folder}/id_ed25519"
  IdentitiesOnly yes
  HostKeyAlias panel
  UserKnownHostsFile "{folder}/known_hosts"
  BatchMode yes
  ConnectTimeout 10
  LogLevel ERROR
""")

    def _ssh_options(self):
        self.state  # says so if nothing runs
        return ["ssh", "-F", str(self.ssh_config), "-o", "ControlMaster=auto",
                "-o", f"ControlPath={self.folder}/ssh.sock", "-o", "ControlPersist=yes"]

    def ssh_command(self, *command):
        return [*self._ssh_options(), self.name, *command]

    def ssh(self, *command, check=True, **options):
        """Runs a shell command on the panel and returns its output as text. `input` is its input in bytes; with it,
        the output is bytes, too."""
        options.setdefault("capture_output", True)
        if "input" not in options:
            options["stdin"] = subprocess.DEVNULL
        try:
            return run(*self.ssh_command(*command), check=check, text="input" not in options, **options)
        except PanelError as error:
            if getattr(error.__cause__, "returncode", None) != 255:  # of ssh itself
                raise
            raise MachineGone(f"the connection to panel {self.name} broke: {error}\nIts console ends:\n"
                              f"{self.serial_log()[-2000:]}") from error

    def wait_for_ssh(self, timeout=240):
        deadline = time.monotonic() + timeout
        while True:
            # Until the driver of pvpanic is loaded, a kernel that panics just hangs.
            if self.is_running and "Kernel panic" in self.serial_log():
                self.cut_power()
            if not self.is_running:
                raise MachineGone(f"the guest exited:\n{self.serial_log()[-2000:]}")
            if self.ssh("true", check=False).returncode == 0:
                return
            if time.monotonic() > deadline:
                raise PanelError(f"cannot log in to the panel within {timeout} s:\n"
                                 f"{self.serial_log()[-2000:]}")
            time.sleep(0.5)

    def serial_log(self):
        try:
            return (self.folder / "serial.log").read_text(errors="replace")
        except OSError as error:
            raise PanelError(f"panel {self.name} has not been booted") from error

    def wait_for_kiosk(self, timeout=240):
        """Waits until the kiosk's unit is active, which is after its first flip. Returns that time in seconds of
        the guest's clock, and the seconds since the start of the program."""
        deadline = time.monotonic() + timeout
        self.wait_for_ssh(timeout)
        unit = f"roundel@{self.state['kiosk']}.service"
        asked = ("ActiveState", "ExecMainStartTimestampMonotonic", "ActiveEnterTimestampMonotonic")
        while True:
            shown = self.ssh(f"systemctl show -p {','.join(asked)} {unit}").stdout
            found = dict(line.split("=", 1) for line in shown.splitlines())
            state, *times = (found[name] for name in asked)
            if state == "active":
                started, shown = (int(microseconds) / 1e6 for microseconds in times)
                return shown, shown - started
            if state == "failed" or time.monotonic() > deadline:
                said = self.ssh(f"journalctl -u {unit} -n 20 --no-pager -o cat", check=False).stdout
                raise PanelError(f"{unit} is {state}:\n{said.strip()}")
            time.sleep(0.5)

    def show(self, binary, kiosk):
        """Replaces the current kiosk with another one."""
        kiosk = Path(kiosk).resolve()
        listed = run(binary, "check", "--files", kiosk, check=False, capture_output=True).stdout
        parts = [os.path.relpath(file, kiosk.parent) for file in listed.splitlines()]
        packed = subprocess.run(["tar", "c", "-C", kiosk.parent, *parts], check=True,
                                capture_output=True).stdout
        name = kiosk.stem
        command = (f"systemctl stop roundel@{self.state['kiosk']}.service; "
                   f"tar x -C /etc/roundel --no-same-owner && chmod -R a+rX /etc/roundel && "
                   f"systemctl start roundel@{name}.service")
        self._write_state(**{**self.state, "kiosk": name})
        self.ssh(command, input=packed)

    # MARK: screen and input

    @property
    def graphics(self):
        return GRAPHICS.get(self.state["gpu"], Graphics())  # of a board it is its own

    def screendump(self, file, head=0):
        """Writes the scanned-out picture, or the picture that a USB display has received, as PPM if the file has
        that suffix, otherwise as PNG."""
        file = Path(file).resolve()
        kind = "ppm" if file.suffix == ".ppm" else "png"
        if not self.graphics.is_seen:
            raise PanelError(f"QEMU cannot take a screenshot of {self.state['gpu']}; use roundel screenshot")
        if self.graphics.usb:
            self.usb_display("picture", str(file), kind)
        else:
            which = {"device": "gpu", "head": head} if head else {}
            self.qmp("screendump", filename=str(file), format=kind, **which)

    def usb_display(self, command, *arguments):
        """Sends a command to the USB display: see usb_display.ask."""
        return usb_display.ask(self.folder, command, *arguments)

    def touch(self, kind, finger=0, point=None):
        """Moves a finger (`down`, `move`, `up`) to a point in panel pixels."""
        if not 0 <= finger <= 9:
            raise PanelError(f"the finger must be 0 to 9, not {finger}")
        state = self.state
        before, size = state["fingers"], state["size"]
        after = [other for other in before if other != finger] + [finger] * (kind != "up")
        if state["touch"] != "virtio":
            position = " ".join(str(touchscreen.scaled(*pair)) for pair in zip(point or (), size))
            self.ssh(f"echo {kind} {finger} {position} > /run/touchscreen")
        else:
            events = {"down": lambda: touchscreen.down(finger, point, size, first=not before),
                      "move": lambda: touchscreen.move(finger, point, size),
                      "up": lambda: touchscreen.up(finger, last=not after)}[kind]()
            self.qmp("input-send-event", events=events)
        self._write_state(**{**state, "fingers": after})

    def tap(self, point, finger=0, held=0.08):
        self.touch("down", finger, point)
        time.sleep(held)
        self.touch("up", finger)

    def unplug_touchscreen(self):
        """Unplugs the touchscreen, even while fingers are on it."""
        if self.state["touch"] == "virtio":
            with QMP(self.folder / "qmp.sock") as connection:
                connection.execute("device_del", id="touch")
                connection.wait_for_event("DEVICE_DELETED", device="touch")
        else:
            self.ssh(f"systemctl stop guest-touchscreen@{self.state['touch']}")
        self._write_state(**{**self.state, "fingers": []})

    def plug_touchscreen(self, kind=None):
        """Plugs in the touchscreen again, or one of another kind."""
        self._write_state(**{**self.state, "touch": kind or self.state["touch"]})
        if self.state["touch"] == "virtio":
            self.qmp("device_add", **TOUCH_DEVICE)
        else:
            self.ssh(f"systemctl start guest-touchscreen@{self.state['touch']}")

    def plug_stick(self, file):
        """Plugs in a file as a read-only USB stick."""
        drive = {"driver": "raw", "node-name": "stick", "read-only": True,
                 "file": {"driver": "file", "filename": str(Path(file).resolve())}}
        with QMP(self.folder / "qmp.sock") as connection:
            connection.execute("blockdev-add", **drive)
            connection.execute("device_add", driver="usb-storage", drive="stick", id="stick")

    def unplug_stick(self):
        with QMP(self.folder / "qmp.sock") as connection:
            connection.execute("device_del", id="stick")
            connection.wait_for_event("DEVICE_DELETED", device="stick")
            connection.execute("blockdev-del", **{"node-name": "stick"})

    def wait_for_touchscreen(self):
        """Waits until the kiosk has opened the touchscreen; earlier touches are lost."""
        name = touchscreen.NAMES[self.state["touch"]]
        self.ssh(f"""
            for try in $(seq 150); do
              node=$(sed -n '/Name="{name}"/,/^$/s/^H: .*\\(event[0-9]*\\).*/\\1/p' \
                     /proc/bus/input/devices)
              pid=$(systemctl show -P MainPID roundel@{self.state['kiosk']}.service)
              if [ "$node" ] && ls -l /proc/$pid/fd 2>/dev/null | grep -q "/input/$node$"; then
                exit 0
              fi
              sleep 0.1
            done
            echo 'the kiosk has not opened the touchscreen within 15 s' >&2
            exit 1""")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
