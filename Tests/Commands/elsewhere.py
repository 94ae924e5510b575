# SPDX-License-Identifier: MIT
"""Another machine, which is this one."""

import os

import pytest

from live import ROUNDEL


@pytest.fixture
def ssh(tmp_path):
    """An ssh that runs the command here, without a network; `become` makes it another program."""
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
