# SPDX-License-Identifier: MIT
"""Kiosk files, recordings and suites of former versions."""

import subprocess

import former
import pytest
from live import ROUNDEL


@pytest.fixture(scope="module", params=former.COMMITS)
def version(request):
    return request.param


@pytest.fixture(scope="module")
def tree(version, tmp_path_factory):
    return former.tree(version, tmp_path_factory.mktemp("former") / "roundel")


def roundel(*words):
    return subprocess.run([ROUNDEL, *words], capture_output=True, text=True, timeout=900)


def test_the_kiosk_files_of_a_former_version_have_no_errors(tree):
    kiosks = sorted((tree / "deploy/kiosks").glob("*.yaml"))
    assert kiosks
    checked = roundel("check", *kiosks)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_suites_of_a_former_version_pass_with_updated_pictures(tree):
    suites = sorted((tree / "deploy/suites").glob("*.yaml"))
    assert suites
    roundel("test", "--update", *suites)
    told = roundel("test", *suites).stdout
    assert told.count("\nok ") > 80
    assert "\nnot ok " not in told, told[-4000:]
