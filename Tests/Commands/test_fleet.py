# SPDX-License-Identifier: MIT
"""deploy/fleet/measure, with a few nodes whose panels show the time each second."""

import importlib.machinery
import importlib.util
import json
import os
import shutil
import subprocess
import sys

import pytest
from live import ROUNDEL, TOP, LiveKiosk
from test_mqtt import BRIDGE, Bridge, Broker, Listener, start  # noqa: F401

MEASURE = TOP / "deploy/fleet/measure"
KIOSK = """
kiosk: clock
pages:
  - page: first
    controls:
      - label: time
        at: [400, 240]
        text: "{now.getSeconds() < 10 ? '0' : ''}{now.getSeconds()}"
"""
# A node's message per second, and its packet header.
MESSAGE = 2 + 2 + len('roundel/node-00001/time/state{"value":"00","by":"time"}')
pytestmark = pytest.mark.skipif(
    not BRIDGE.exists() or not shutil.which("mosquitto", path="/usr/sbin:/usr/bin") or not shutil.which("ss"),
    reason="roundel-mqtt, mosquitto or ss is not there")


@pytest.fixture(scope="module")
def kiosk_file(tmp_path_factory):
    file = tmp_path_factory.mktemp("fleet") / "clock.yaml"
    file.write_text(KIOSK)
    return file


@pytest.fixture(scope="module")
def figures(kiosk_file):
    done = subprocess.run(
        [MEASURE, "--nodes", "3", "--sessions", "30", "--minutes", "0.06", "--fleet", "1000", "--bridge=--spread 2",
         "--kiosk", kiosk_file, "--json"],
        capture_output=True, text=True, timeout=60, env={**os.environ, "ROUNDEL_BINARY": ROUNDEL})
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def measure():
    loader = importlib.machinery.SourceFileLoader("measure", str(MEASURE))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("measure", loader))
    kept, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    loader.exec_module(module)
    sys.dont_write_bytecode = kept
    return module


def test_at_rest_the_messages_of_nodes_are_counted(figures):
    rest = figures["rest"]
    # Four seconds contain three to five full seconds.
    assert 0.7 < rest["messages_up"] / 3600 < 1.4
    assert 0.7 < rest["bytes_up"] / 3600 / MESSAGE < 1.4
    assert rest["messages_down"] == rest["bytes_down"] == 0
    # Each message is one segment, which is acknowledged by another.
    segments = (rest["wire_bytes"] - rest["bytes_up"]) / 52 / rest["messages_up"]
    assert 1.5 < segments < 2.5
    for part in ("bridge", "kiosk", "broker"):
        assert 0 < rest[f"{part}_seconds"] < 3600
    assert 1 << 20 < rest["bridge_memory"] < 64 << 20


def test_a_connection_costs_the_messages_and_subscriptions_of_a_bridge(figures, start, kiosk_file, tmp_path):
    broker = start(Broker, tmp_path)
    home = start(Listener, broker)
    kiosk = start(LiveKiosk, tmp_path, file=kiosk_file)
    start(Bridge, kiosk, broker.port, "--group", "all", name="node-00001").until("connected to the broker")
    home.wait("roundel/node-00001/time/state")
    home.wait("roundel/node-00001/availability", lambda said: said == b"online")
    said = sum(len(topic) + len(payload) + 4 for topic, payload in home.said.items())
    # In addition: its identity, its last will, its subscriptions, and some seconds of time.
    assert said < figures["start"]["bytes_up"] < said + 1000


def test_a_command_reaches_all_nodes(figures):
    assert 0 < figures["order_seconds"] < 10
    assert 0 < figures["many"]["order_seconds"] < 10


def test_after_a_broker_restart_the_bridges_reconnect_within_their_spread(figures):
    back = figures["return"]
    assert 0 <= back["first"] <= back["last"] < 4
    assert 1 <= back["peak"] <= 3
    # The peak is at least the mean.
    assert 1000 / (back["spread"] + 1) <= back["fleet_peak"] <= 1000
    assert figures["many"]["return_peak"] <= 33
    assert figures["many"]["return_last"] < 8


def test_the_table_shows_the_results_next_to_the_goals(figures, measure):
    rows = list(measure.table(figures))
    assert {len(row) for row in rows} == {4}
    assert [goal for *_, goal in rows if goal] == ["goal", "<= 12/h", "<= 2000/h", "<= 10 s", "<= 300 s", "<= 200",
                                                   "<= 10 s", "<= 300 s", "<= 200"]
    assert "of 1000" in measure.explanation(figures)


def test_the_busiest_second_is_found_wherever_it_starts(measure):
    assert measure.fullest_second([0, 0.6, 0.9, 1.2, 1.5, 5]) == 4
    assert measure.fullest_second([0, 1, 2]) == 1


def test_an_early_exit_is_reported_immediately():
    done = subprocess.run([MEASURE, "--nodes", "2", "--bridge=--no-such-option"], capture_output=True, text=True,
                          timeout=30, env={**os.environ, "ROUNDEL_BINARY": ROUNDEL})
    assert done.returncode == 1 and "--no-such-option" in done.stderr
