# SPDX-License-Identifier: MIT
"""Controls a panel from another machine: `roundel --host`, with the system's ssh and a real sshd."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path


class Remote:
    """Runs commands on a machine whose ssh knows the panel's name and has an accepted key.

    The user `tester` may use the kiosk; `guest` may only log in.
    """

    def __init__(self, panel, binary):
        self.host = panel.name
        self.binary = str(binary)
        # Sockets of shared connections go here; ssh gives them long names, so the path is short.
        self._home = Path(tempfile.mkdtemp(prefix="ssh-"))
        self._config = panel.ssh_config.read_text()
        self._use(self._config)

    def _use(self, config):
        """Puts an `ssh` that uses `config` instead of ~/.ssh/config first in the PATH."""
        (self._home / "config").write_text(config)
        program = self._home / "bin/ssh"
        program.parent.mkdir(exist_ok=True)
        program.write_text(f'#!/bin/sh\nexec {shutil.which("ssh")} -F {self._home}/config "$@"\n')
        program.chmod(0o755)
        self.environment = {**os.environ, "XDG_RUNTIME_DIR": str(self._home),
                            "PATH": f"{program.parent}:{os.environ['PATH']}"}

    @contextlib.contextmanager
    def configured(self, change):
        """Uses a changed ssh configuration in the `with` block."""
        self._use(change(self._config))
        try:
            yield
        finally:
            self._use(self._config)

    def forget_connections(self):
        """Makes the next command open a new connection."""
        for shared in self._home.glob("roundel-*"):
            subprocess.run([shutil.which("ssh"), "-o", f"ControlPath={shared}", "-O", "exit",
                            "any"], capture_output=True)

    def close(self):
        self.forget_connections()
        # A closing connection removes its own socket, perhaps after rmtree has listed it.
        while self._home.exists():
            with contextlib.suppress(FileNotFoundError):
                shutil.rmtree(self._home)

    def command(self, *words, user="tester", host=None):
        return [self.binary, *map(str, words), "--host", f"{user}@{host or self.host}"]

    def run(self, *words, user="tester", host=None, code=0, timeout=60, **options):
        """Runs a command to its end and checks its exit code."""
        options.setdefault("text", True)
        if "input" not in options:
            options["stdin"] = subprocess.DEVNULL
        done = subprocess.run(self.command(*words, user=user, host=host), env=self.environment,
                              capture_output=True, timeout=timeout, **options)
        assert done.returncode == code, f"{words}: {done.returncode}: {done.stdout}{done.stderr}"
        return done

    def start(self, *words, user="tester", **options):
        """Starts a command that runs until it is stopped."""
        return subprocess.Popen(self.command(*words, user=user), env=self.environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
