# SPDX-License-Identifier: MIT
"""The Python and shell clients in deploy/examples/clients, with a running kiosk."""

import asyncio
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import KIOSK, ROUNDEL, TOP, LiveKiosk, Lines  # noqa: E402

CLIENTS = TOP / "deploy/examples/clients"
sys.path.insert(0, str(CLIENTS))
import roundel  # noqa: E402


@pytest.fixture
def kiosk(tmp_path):
    file = tmp_path / "source.yaml"
    file.write_text(KIOSK.read_text().replace(
        "pages:\n", "values: {cups: {value: 1, min: 0, max: 9999}, guest: ''}\npages:\n", 1))
    kiosk = LiveKiosk(tmp_path, file=file)
    yield kiosk
    kiosk.close()


@pytest.fixture
def client(kiosk):
    with roundel.Kiosk(str(kiosk.socket)) as client:
        yield client


@pytest.fixture
def ssh(tmp_path, monkeypatch):
    """An ssh that runs its command on this machine."""
    program = tmp_path / "bin/ssh"
    program.parent.mkdir()
    program.parent.joinpath("roundel").symlink_to(ROUNDEL)
    program.write_text('#!/bin/sh\nfor last; do :; done; exec sh -c "$last"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")


# Python, blocking.


def test_the_client_gets_sets_taps_waits_and_takes_pictures(client, tmp_path):
    client.set("dial.value", 4)
    assert client.wait("dial.value == 4") and client.get("dial.value") == 4
    assert not client.wait("dial.value == 5", timeout=0.1)
    assert client.tap("wheel/b")["control"] == "wheel"
    assert client.get("wheel.item") == "b"
    assert client.tap(at=(400, 470))["taken"] is False
    client.drag("dial", by=(0, 60), hold=0.1)
    client.go("second")
    assert client.wait(page="second") and client.wait(still=True)
    assert client.status()["page"] == "second"
    assert [page["page"] for page in client.tree()["pages"]] == ["first", "second"]
    png = client.screenshot(tmp_path / "now.png", scale=0.5)
    assert png.startswith(b"\x89PNG") and (tmp_path / "now.png").read_bytes() == png
    client.reset()
    assert client.get("page") == "first"


def test_a_rejection_is_an_exception_with_the_reason(client):
    with pytest.raises(roundel.Refused, match="did you mean|there is no") as refused:
        client.get("dail.value")
    assert refused.value.code == -32602
    assert client.get("cups") == 1


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_a_value_that_is_not_a_number_is_rejected_before_sending(client, number):
    with pytest.raises(ValueError):
        client.set("cups", number)
    assert client.get("cups") == 1


def test_a_message_that_is_too_long_is_rejected(client):
    with pytest.raises(roundel.Refused):
        client.set("cups", [1] * 100_000)
    assert client.get("cups") == 1


def test_events_and_changes_arrive_in_order(client):
    seen = []
    for notice in client.follow(watch=["cups * 2"]):
        seen.append(notice)
        if len(seen) == 1:
            client.set("cups", 4)
            client.tap("wheel/a")
        elif notice.get("event") == "selected":
            break
    assert [one.get("value", one.get("event")) for one in seen] == [2, 8, "pressed", "selected"]
    assert seen[-1]["item"] == "a"


def test_the_client_reconnects_to_a_restarted_kiosk(kiosk, client):
    watch = client.watch("cups")
    assert next(watch) == ("cups", 1)
    kiosk.process.kill()
    kiosk.process.wait()
    again = threading.Thread(target=kiosk.start)
    again.start()
    # The watch restarts with the current value.
    assert next(watch) == ("cups", 1)
    again.join()
    client.set("cups", 3)
    assert next(watch) == ("cups", 3)
    # A request that may already be done isn't repeated.
    kiosk.process.kill()
    kiosk.process.wait()
    with pytest.raises(roundel.Disconnected):
        client.tap("wheel/a")


def test_the_client_waits_for_a_missing_kiosk_as_long_as_configured(tmp_path):
    start = time.monotonic()
    with pytest.raises(roundel.Disconnected, match="no kiosk at"):
        roundel.Kiosk(str(tmp_path / "none"), patience=0.3).status()
    assert time.monotonic() - start < 5


def test_the_client_reaches_a_kiosk_by_ssh(kiosk, ssh):
    with roundel.Kiosk(str(kiosk.socket), host="lobby") as client:
        assert client.get("page") == "first"
        watch = client.watch("cups")
        next(watch)
        client.set("cups", 7)
        assert next(watch) == ("cups", 7)
    with pytest.raises(ValueError):
        roundel.Kiosk(host="-oProxyCommand=x").status()


def test_thousands_of_values_are_set_per_second(client, capsys):
    count = 10_000
    start = time.perf_counter()
    with client.pipeline() as line:
        for number in range(count):
            line.set("cups", number % 10_000)
    rate = count / (time.perf_counter() - start)
    assert client.get("cups") == 9999
    with capsys.disabled():
        print(f"\n  {rate:,.0f} settings a second")
    with pytest.raises(roundel.Refused, match="nothing"):
        with client.pipeline() as line:
            line.set("cups", 2)
            line.set("nothing", 1)
            line.set("cups", 3)
    assert client.get("cups") == 3


# Python, asynchronous.


def test_tasks_share_a_connection(kiosk):
    async def main():
        async with roundel.AsyncKiosk(str(kiosk.socket)) as client:
            waiting = asyncio.ensure_future(client.wait("cups == 5", timeout=20))
            hearing = asyncio.ensure_future(first(client.events(), "selected"))
            watching = asyncio.ensure_future(first(client.watch("cups * 2"), ("cups * 2", 10)))
            await asyncio.sleep(0.2)
            await client.tap("wheel/d")
            await asyncio.gather(*(client.set("guest", str(number)) for number in range(50)))
            await client.set("cups", 5)
            assert await waiting
            assert (await hearing)["item"] == "d"
            assert await watching == ("cups * 2", 10)
            assert await client.get("guest") == "49"
            with pytest.raises(roundel.Refused):
                await client.go("nowhere")
            # A second follower also receives the current value.
            assert await first(client.watch("cups * 2"), ("cups * 2", 10))

    async def first(what, wanted):
        async for one in what:
            if one == wanted or isinstance(one, dict) and one.get("event") == wanted:
                return one

    asyncio.run(asyncio.wait_for(main(), 40))


def test_tasks_reconnect_to_a_restarted_kiosk(kiosk):
    async def main():
        async with roundel.AsyncKiosk(str(kiosk.socket)) as client:
            watch = client.watch("cups")
            assert await watch.__anext__() == ("cups", 1)
            kiosk.process.kill()
            kiosk.process.wait()
            loop = asyncio.get_running_loop()
            again = loop.run_in_executor(None, kiosk.start)
            assert await watch.__anext__() == ("cups", 1)
            await again
            await client.set("cups", 2)
            assert await watch.__anext__() == ("cups", 2)

    asyncio.run(asyncio.wait_for(main(), 40))


# The examples.


def test_the_coffee_machine_brews_by_its_logic_program(tmp_path):
    shutil.copytree(CLIENTS, tmp_path / "clients")
    folder = tmp_path / "clients/examples"
    text = (folder / "machine.yaml").read_text()
    (folder / "machine.yaml").write_text(
        text.replace("logic: [machine.py]", "logic: [machine.py, 0.5]"))
    kiosk = LiveKiosk(folder, file=folder / "machine.yaml")
    try:
        with roundel.Kiosk(str(kiosk.socket)) as client:
            assert client.wait("machine", timeout=30)
            client.tap("menu/tea")
            client.tap("brew")
            assert client.wait("progress > 40 && state == 'Pouring'", timeout=30)
            assert client.get("page") == "brewing"
            client.tap("stop")
            stopped = client.get("progress")
            time.sleep(0.1)
            assert client.get("progress") <= stopped + 1
            client.tap("brew")
            assert client.wait(page="ready", timeout=30)
        lines = kiosk.events.until('"sold"')
        assert json.loads(lines[-1])["drink"] == "Tea"
        assert any("brewing 1 × Tea" in line for line in kiosk.log.until("brewing"))
    finally:
        kiosk.close()


def test_a_shell_sensor_sets_the_thermostat_and_receives_the_boiler_state(tmp_path, ssh):
    kiosk = LiveKiosk(tmp_path, file=TOP / "deploy/examples/kiosks/thermostat.yaml")
    sensor = tmp_path / "sensor"
    sensor.write_text("12450\n")
    process = subprocess.Popen(
        [CLIENTS / "examples/sensor.sh", sensor], text=True, stdout=subprocess.PIPE,
        env={**os.environ, "ROUNDEL_SH": str(CLIENTS / "roundel.sh"), "PERIOD": "0.2",
             "ROUNDEL_OPTIONS": f"--socket {kiosk.socket}"}, start_new_session=True)
    try:
        with roundel.Kiosk(str(kiosk.socket)) as client:
            assert client.wait("temperature == 12.5", timeout=30)
            lines = Lines(process.stdout)
            assert lines.until("heat on")
            sensor.write_text("35000\n")
            assert client.wait("temperature == 35", timeout=30)
            assert lines.until("heat off")
    finally:
        os.killpg(process.pid, 15)
        process.wait()
        kiosk.close()


def test_shell_functions_pass_events_to_handlers(kiosk, ssh):
    script = """
        . "$1"
        chosen() { echo "$1"; }
        roundel_events chosen '.event == "selected"'"""
    process = subprocess.Popen(
        ["sh", "-c", script, "-", CLIENTS / "roundel.sh"], text=True, stdout=subprocess.PIPE,
        env={**os.environ, "ROUNDEL_OPTIONS": f"--socket {kiosk.socket}"}, start_new_session=True)
    try:
        lines = Lines(process.stdout)
        with roundel.Kiosk(str(kiosk.socket)) as client:
            deadline = time.monotonic() + 20
            while client.status()["clients"] < 2 and time.monotonic() < deadline:
                time.sleep(0.05)
            time.sleep(0.2)  # connected is not yet subscribed
            client.tap("wheel/b")
        assert json.loads(lines.next())["item"] == "b"
    finally:
        os.killpg(process.pid, 15)
        process.wait()
