# SPDX-License-Identifier: MIT
"""Compares a kiosk in motion on a panel with the replay of its input."""

import subprocess
import sys
import time

import pytest
from conftest import TOP
from recorder import glide

sys.path.append(str(TOP / "Tests/Commands"))
from motion import KIOSK, follows_its_replay  # noqa: E402

SIZE = (1280, 800)


@pytest.fixture(params=["virtio", "vkms"])
def panel(request, machines, tmp_path):
    file = tmp_path / "motion.yaml"
    file.write_text(KIOSK)
    return machines.show(file, request.param, SIZE)


@pytest.fixture
def socket(panel, tmp_path):
    """The kiosk's control socket, forwarded by ssh."""
    near = tmp_path / "control.sock"
    forwarding = subprocess.Popen(
        ["ssh", "-F", panel.ssh_config, "-N", "-L", f"{near}:/run/roundel/control.sock", panel.name])
    while not near.exists():
        assert forwarding.poll() is None
        time.sleep(0.1)
    yield near
    forwarding.terminate()
    forwarding.wait()


def test_a_page_and_a_dial_move_as_in_their_replay(panel, socket, tmp_path, capsys):
    def lifted(points):
        glide(panel, points)
        panel.touch("up", 0)

    # Most frames take longer than a refresh under emulation. A flip is an event.
    assert follows_its_replay(
        socket, panel.file, SIZE, tmp_path, capsys, share=0.1, wake_ups=2.2, glide=lifted)
