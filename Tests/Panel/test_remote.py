# SPDX-License-Identifier: MIT
"""The commands that use a running kiosk, over ssh from another machine."""

import json
import os
import time

import pytest
from conftest import TOP
from panel.machine import Panel
from remote import Remote

SIZE = (1024, 600)  # not the kiosk's 800x480: its picture is scaled and centred


@pytest.fixture(scope="module")
def panel(binary, no_leftovers):
    panel = Panel(f"test-remote-{os.getpid()}")
    try:
        panel.boot(binary, TOP / "Tests/remote.yaml", size=SIZE)
        panel.wait_for_kiosk()
        panel.wait_for_touchscreen()
        yield panel
    finally:
        panel.stop()


@pytest.fixture(scope="module")
def remote(panel, binary):
    remote = Remote(panel, binary)
    yield remote
    remote.close()


def test_a_member_of_the_group_uses_the_kiosk_and_nobody_else_does(remote):
    status = json.loads(remote.run("status", "--json").stdout)
    assert (status["kiosk"], status["page"], status["blank"]) == ("remote", "first", False)
    assert status["display"]["size"] == list(SIZE)
    refused = remote.run("status", user="guest", code=77)
    assert "group roundel" in refused.stderr


def test_the_second_command_takes_the_connection_of_the_first(remote, record_property):
    remote.forget_connections()
    took = []
    for _ in range(4):
        begin = time.monotonic()
        remote.run("tap", "wheel/a")
        took.append(time.monotonic() - begin)
    print(f"a tap over ssh: {took[0]:.2f} s, then {', '.join(f'{one:.2f}' for one in took[1:])} s")
    assert max(took[1:]) < took[0]
