# SPDX-License-Identifier: MIT
"""The trees of former versions."""

import subprocess

import pytest
from live import TOP

# Their commits, which have no tags.
COMMITS = {"2.0.0": "a1d51a19"}


def tree(version, folder):
    """The tree of a version, in a new folder; who asks is skipped where the clone has not all of the past."""
    commit = COMMITS[version]
    git = ["git", "-C", TOP]
    if subprocess.run([*git, "cat-file", "-e", f"{commit}^{{commit}}"], capture_output=True).returncode != 0:
        pytest.skip(f"this clone does not go back to {version}")
    folder.mkdir()
    archive = subprocess.run([*git, "archive", commit], check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
    return folder
