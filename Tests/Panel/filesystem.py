# SPDX-License-Identifier: MIT
"""File systems of stopped machines."""

import os
import subprocess

# On Debian, file system tools are not in the PATH of users.
TOOLS = {**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}


class FileSystem:
    """A copy of an ext4 file system, after its journal is replayed as by the next mount."""

    def __init__(self, copy):
        self._copy = copy
        checked = subprocess.run(["e2fsck", "-fy", copy], capture_output=True, text=True, env=TOOLS)
        assert checked.returncode in (0, 1), checked.stdout  # 1: it was mended, as by a mount

    def read(self, file):
        """The text of a file; empty if it is missing."""
        return subprocess.run(["debugfs", "-R", f"cat {file}", self._copy], capture_output=True,
                              text=True, check=True, env=TOOLS).stdout
