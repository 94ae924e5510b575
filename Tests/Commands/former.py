# SPDX-License-Identifier: MIT
"""The source trees of former versions."""

import subprocess

import pytest
from live import TOP

# The commits of versions without tags.
COMMITS = {"2.0.0": "a1d51a19"}


def tree(version, folder):
    """The tree of a version in a new folder. Skips the test if the clone lacks the history."""
    commit = COMMITS[version]
    git = ["git", "-C", TOP]
    if subprocess.run([*git, "cat-file", "-e", f"{commit}^{{commit}}"], capture_output=True).returncode != 0:
        pytest.skip(f"this clone does not go back to {version}")
    folder.mkdir()
    archive = subprocess.run([*git, "archive", commit], check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
    return folder
