# SPDX-License-Identifier: MIT
"""Another machine, simulated on this one."""

import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

import pytest

from live import ROUNDEL


@pytest.fixture
def ssh(tmp_path):
    """An ssh that runs the command here, without a network. `become` replaces the program."""
    program = tmp_path / "bin/ssh"
    program.parent.mkdir()
    program.parent.joinpath("roundel").symlink_to(ROUNDEL)

    def become(script):
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)

    become('for last; do :; done; exec sh -c "$last"')
    become.environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}",
                          "XDG_RUNTIME_DIR": str(tmp_path)}
    return become


@pytest.fixture
def server(tmp_path):
    """An OpenSSH server on the loopback address that accepts only a throw-away key, and an ssh that knows it as
    lobby."""
    daemon = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin") or pytest.skip("openssh-server is not there")
    folder = tmp_path / "ssh"
    folder.mkdir(mode=0o700)
    programs = tmp_path / "bin"
    programs.mkdir(exist_ok=True)
    (programs / "roundel").symlink_to(ROUNDEL)
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
    if os.geteuid() == 0:
        pathlib.Path("/run/sshd").mkdir(exist_ok=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (folder / "sshd_config").write_text(f"""\
ListenAddress 127.0.0.1:{port}
HostKey {folder}/host
AuthorizedKeysFile {folder}/user.pub
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
StrictModes no
UsePAM no
PidFile none
SetEnv PATH={programs}:/usr/bin:/bin
""")
    (folder / "config").write_text(f"""\
Host lobby
  HostName 127.0.0.1
  Port {port}
  IdentityFile {folder}/user
  IdentitiesOnly yes
  UserKnownHostsFile {folder}/known
  StrictHostKeyChecking accept-new
  LogLevel ERROR
""")
    client = programs / "ssh"
    client.write_text(f'#!/bin/sh\nexec {shutil.which("ssh")} -F {folder}/config "$@"\n')
    client.chmod(0o755)
    process = subprocess.Popen([daemon, "-D", "-e", "-f", folder / "sshd_config"], stderr=subprocess.DEVNULL)
    # Socket paths must be short.
    runtime = tempfile.mkdtemp()
    process.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "XDG_RUNTIME_DIR": runtime}
    try:
        for _ in range(100):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.05)
        yield process
    finally:
        # Closes the connections that are kept for later commands.
        for control in pathlib.Path(runtime).rglob("*"):
            if control.is_socket():
                subprocess.run([client, "-O", "exit", "-S", control, "lobby"], stderr=subprocess.DEVNULL)
        process.terminate()
        process.wait(10)
        shutil.rmtree(runtime, ignore_errors=True)
