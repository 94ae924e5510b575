# SPDX-License-Identifier: MIT
"""Commands that control a running kiosk over ssh from another machine."""

import json
import os
import re
import signal
import subprocess
import time

import pytest
from conftest import TOP
from picture import Picture
from remote import Remote

KIOSK = TOP / "Tests/remote.yaml"
SIZE = (1024, 600)  # not the kiosk's 800x480: its picture is scaled and centred


def on_panel(x, y):
    """Converts a design point to panel pixels: 1.25 times as large, 12 pixels from the left."""
    return (x * 1.25 + 12, y * 1.25)


class Desk:
    """A panel that is controlled over ssh and read through its display controller."""

    def __init__(self, panel, remote, scratch):
        self.panel = panel
        self.remote = remote
        self.run = remote.run
        self.scratch = scratch

    def json(self, *words, **options):
        return json.loads(self.run(*words, "--json", **options).stdout)

    def screen(self):
        """The scanned-out picture."""
        file = self.scratch / "screen.ppm"
        self.panel.qmp("screendump", filename=str(file), format="ppm")
        return Picture.read_ppm(file)

    def shot(self, *options):
        """A screenshot from the kiosk after all animations."""
        self.run("wait", "--still", "--timeout", "20")
        file = self.scratch / "shot.png"
        file.write_bytes(self.run("screenshot", *options, text=False).stdout)
        return Picture.read_png(file)

    def shows_what_it_says(self):
        """Checks that the scanned-out picture equals the screenshot exactly, and returns it. A virtual flip takes a
        moment to reach the screen."""
        expected = self.shot()
        deadline = time.monotonic() + 5
        while (seen := self.screen()) != expected and time.monotonic() < deadline:
            time.sleep(0.05)
        assert seen == expected, seen.difference(expected)[1]
        return seen


@pytest.fixture(scope="module")
def panel(machines):
    return machines.show(KIOSK, "bochs", SIZE)


@pytest.fixture(scope="module")
def remote(panel, binary):
    remote = Remote(panel, binary)
    yield remote
    remote.close()


@pytest.fixture
def desk(panel, remote, tmp_path):
    desk = Desk(panel, remote, tmp_path)
    desk.run("unblank")
    desk.run("go", "first")
    return desk


def test_only_members_of_the_group_can_use_the_kiosk(remote):
    status = json.loads(remote.run("status", "--json").stdout)
    assert (status["kiosk"], status["page"], status["blank"]) == ("remote", "first", False)
    assert status["display"]["size"] == list(SIZE)
    refused = remote.run("status", user="guest", code=77)
    assert "group roundel" in refused.stderr


def test_status_describes_the_panel_and_its_inputs(desk):
    status = desk.json("status")
    assert status["display"]["card"] == "/dev/dri/card0"
    assert status["display"]["output"] == "Virtual-1"
    assert status["display"]["mode"].startswith("1024x600@")
    assert [name for name in status["inputs"] if "MultiTouch" in name]
    desk.panel.unplug_touchscreen()
    deadline = time.monotonic() + 10
    while [name for name in desk.json("status")["inputs"] if "MultiTouch" in name]:
        assert time.monotonic() < deadline
    desk.panel.plug_touchscreen()
    desk.panel.wait_for_touchscreen()


def test_the_second_command_reuses_the_connection_of_the_first(remote):
    remote.forget_connections()
    took = []
    for _ in range(4):
        begin = time.monotonic()
        remote.run("tap", "wheel/a", "--duration", "0")
        took.append(time.monotonic() - begin)
    print(f"a tap over ssh: {took[0]:.2f} s, then {', '.join(f'{one:.2f}' for one in took[1:])} s")
    assert max(took[1:]) < took[0]


def test_a_tap_selects_or_reports_that_no_control_takes_it(desk):
    assert desk.run("tap", "wheel/b").stdout == ""
    assert desk.run("get", "wheel.item").stdout == "b\n"
    assert desk.json("tap", "--at", "600,250")["control"] == "dial"
    assert "nothing handled the touch" in desk.run("tap", "--at", "400,470", code=1).stderr
    assert "nothing handled the touch" in desk.run("tap", "wheel/off", code=1).stderr
    assert "there is no control" in desk.run("tap", "nothing", code=64).stderr


def test_the_tree_contains_places_that_work_on_the_real_panel(desk):
    wheel = desk.json("tree")["pages"][0]["controls"][0]
    place = next(item["at"] for item in wheel["items"] if item["id"] == "d")
    desk.panel.tap(on_panel(*place))
    desk.run("wait", "wheel.item=d", "--timeout", "5")


def test_a_drag_turns_the_dial_together_with_the_finger(desk):
    desk.run("set", "dial.value=0")
    desk.run("wait", "--still")
    desk.run("drag", "dial/0", "--to", "dial/3", "--duration", "0.5", "--hold", "0.5")
    desk.run("wait", "dial.value=9", "--timeout", "5")


def test_two_fingers_from_a_recording_hold_two_controls(desk):
    recording = """\
{"t":0,"down":{"finger":0,"x":200,"y":140}}
{"t":0,"down":{"finger":1,"x":312,"y":250}}
{"t":0.2,"get":"wheel.item"}
{"t":0.3,"up":{"finger":0}}
{"t":0.4,"get":"wheel.item"}
{"t":0.5,"up":{"finger":1}}
{"t":0.6,"get":"wheel.item"}
"""
    desk.run("tap", "wheel/d")
    answers = desk.run("touch", input=recording).stdout.splitlines()
    assert [json.loads(answer)["value"] for answer in answers] == ["d", "a", "b"]


def test_commands_read_set_and_wait_for_properties(desk):
    desk.run("set", "dial.value=4", "hidden.text=Back at noon")
    desk.run("wait", "dial.value=4", "--timeout", "5")
    assert desk.run("get", "dial.value", "hidden.text").stdout == "4\nBack at noon\n"
    said = desk.run("wait", "dial.value=7", "--timeout", "0.2", code=1).stderr
    assert "dial.value is 4, not 7" in said
    waiting = desk.remote.start("wait", "dial.value=7", "--timeout", "60")
    desk.run("set", "dial.value=7")
    assert waiting.wait(timeout=20) == 0


def test_a_screenshot_equals_the_scanned_out_picture_exactly(desk):
    desk.run("tap", "wheel/a")
    seen = desk.shows_what_it_says()
    assert seen.size == SIZE
    part = desk.shot("--region", "400,100,200,80")
    left, top = (int(number) for number in on_panel(400, 100))
    assert part.size == (250, 100)
    for y in range(100):
        start = ((top + y) * SIZE[0] + left) * 3
        assert part.pixels[y * 750:(y + 1) * 750] == seen.pixels[start:start + 750]
    assert desk.shot("--scale", "0.5").size == (512, 300)


def test_events_arrive_over_ssh_as_they_happen(desk):
    with desk.remote.start("events") as events:
        wait_for_client(desk)
        desk.run("tap", "wheel/b")
        told = [json.loads(events.stdout.readline()) for _ in range(2)]
        assert [(event["event"], event["item"]) for event in told] == [
            ("pressed", "b"), ("selected", "b")]
        events.kill()


def test_the_clients_use_the_kiosk_over_ssh(desk, tmp_path):
    host, environment = f"tester@{desk.remote.host}", dict(desk.remote.environment)
    (tmp_path / "roundel").symlink_to(desk.remote.binary)
    environment["PATH"] = f"{tmp_path}:{environment['PATH']}"
    environment["PYTHONPATH"] = str(TOP / "deploy/examples/clients")
    told = subprocess.run(["/usr/bin/python3", "-c", f"""
import roundel
with roundel.Kiosk(host="{host}") as kiosk:
    dial = kiosk.watch("dial.value")
    kiosk.set("dial.value", 5)
    # It turns there.
    print(next(change for change in dial if change[1] == 5))
    kiosk.tap("wheel/d")
    print(kiosk.get("wheel.item"), len(kiosk.screenshot()) > 1000)
"""], env=environment, capture_output=True, text=True, timeout=60)
    assert told.stdout == "('dial.value', 5)\nd True\n", told.stderr
    with subprocess.Popen(["sh", "-c", f"""
. {TOP}/deploy/examples/clients/roundel.sh
ROUNDEL_OPTIONS='--host {host}'
turned() {{ echo "$1 is $2"; }}
roundel_watch turned dial.value"""], env=environment, stdout=subprocess.PIPE, text=True,
                          start_new_session=True) as shell:
        try:
            assert shell.stdout.readline() == "dial.value is 5\n"
            desk.run("set", "dial.value=6")
            assert shell.stdout.readline() == "dial.value is 6\n"
        finally:
            os.killpg(shell.pid, signal.SIGKILL)


def wait_for_client(desk):
    while desk.json("status")["clients"] < 2:
        time.sleep(0.1)
    time.sleep(0.3)  # connected is not yet subscribed


def test_recorded_touches_replay_to_the_same_events(desk, binary):
    """Compares QEMU's touch controller and kernel times with a replay without a panel."""
    file = desk.scratch / "taps.jsonl"
    # A replay starts from this state.
    desk.panel.ssh("systemctl restart roundel@remote.service")
    desk.panel.wait_for_touchscreen()
    with desk.remote.start("events") as events:
        wait_for_client(desk)
        with desk.remote.start("record", "-o", file) as recorder:
            while desk.json("status")["clients"] < 3:
                time.sleep(0.1)
            time.sleep(0.3)
            desk.panel.tap(on_panel(200, 360))  # the disabled wedge
            desk.panel.tap(on_panel(312, 250))
            desk.panel.touch("down", 0, on_panel(600, 130))
            desk.panel.touch("down", 1, on_panel(200, 140))
            for step in range(1, 11):
                desk.panel.touch("move", 0, on_panel(600 + 12 * step, 130 + 12 * step))
            desk.panel.touch("up", 1)
            time.sleep(0.3)
            desk.panel.touch("up", 0)
            desk.run("wait", "--still")
            recorder.send_signal(signal.SIGINT)
        assert recorder.returncode == 0, recorder.stderr.read()
        desk.run("set", "dial.value=0")  # is told last
        live = []
        while not live or live[-1]["event"] != "settled" or live[-1]["index"] != 0:
            live.append(json.loads(events.stdout.readline()))
        events.kill()
    replayed = [json.loads(line) for line in subprocess.run(
        [binary, "replay", KIOSK, file], capture_output=True, text=True, check=True
    ).stdout.splitlines()]
    assert [event["event"] for event in replayed][:2] == ["pressed", "selected"]
    assert {event["control"] for event in replayed} == {"wheel", "dial"}
    live = live[:len(replayed)]
    shift = replayed[0]["t"] - live[0]["t"]
    assert [{**event, "t": 0} for event in replayed] == [{**event, "t": 0} for event in live]
    for ours, theirs in zip(replayed, live):
        # A recording has the kernel's times; a live kiosk applies late touches when it reads them.
        assert abs(ours["t"] - theirs["t"] - shift) < 0.25


def test_commands_control_pages_menus_and_slots(desk):
    desk.run("go", "second")
    desk.run("wait", "--page", "second")
    desk.run("open", "drinks")
    desk.run("tap", "drinks/coffee")
    desk.run("tap", "drinks/coffee/white")
    assert desk.json("get", "drinks.path") == ["coffee", "white"]
    desk.run("open", "drinks")
    desk.run("wait", "drinks.open=true")
    desk.run("close", "drinks")
    desk.run("spin", "reels")
    desk.run("wait", "reels.spinning=false", "--timeout", "20")
    assert desk.run("get", "reels.left.label").stdout.strip() in ("one", "two", "three", "four")
    desk.shows_what_it_says()


@pytest.mark.parametrize("finger", ["on the panel", "over ssh"])
def test_a_touch_on_a_sleeping_panel_only_wakes_it(desk, finger):
    desk.run("tap", "wheel/d")
    desk.run("blank")
    assert desk.json("status")["display"]["state"] == "asleep"
    if finger == "over ssh":
        assert "the touch only woke it" in desk.run("tap", "wheel/a", code=1).stderr
    else:
        desk.panel.tap(on_panel(200, 140))
        deadline = time.monotonic() + 10
        while desk.json("status")["blank"]:
            assert time.monotonic() < deadline
    assert desk.run("get", "wheel.item").stdout == "d\n"
    desk.shows_what_it_says()
    desk.run("tap", "wheel/a")
    assert desk.run("get", "wheel.item").stdout == "a\n"


def test_a_rotation_turns_picture_and_touches_together_and_survives_a_reload(desk):
    try:
        desk.run("rotate", "180")
        desk.run("reload")
        assert desk.json("status")["display"]["rotate"] == 180
        desk.shows_what_it_says()
        x, y = on_panel(312, 250)
        desk.panel.tap((SIZE[0] - x, SIZE[1] - y))
        desk.run("wait", "wheel.item=b", "--timeout", "5")
        desk.run("rotate", "90")
        desk.run("tap", "wheel/d")
        desk.shows_what_it_says()
    finally:
        desk.run("rotate", "0")
    desk.shows_what_it_says()


def test_a_reload_refuses_a_broken_file_with_the_reason(desk):
    file = "/etc/roundel/remote.yaml"
    desk.panel.ssh(f"cp {file} /run/kept.yaml; echo 'kiosk: [' > {file}")
    try:
        assert "the running kiosk stays" in desk.run("reload", code=1).stderr
    finally:
        desk.panel.ssh(f"cat /run/kept.yaml > {file}")
    desk.run("reload")
    desk.shows_what_it_says()


def test_the_unit_restarts_a_stopped_kiosk(desk):
    before = desk.json("status")["process"]
    desk.run("stop")
    deadline = time.monotonic() + 20
    while True:
        done = subprocess.run(desk.remote.command("status", "--json"), capture_output=True,
                              text=True, env=desk.remote.environment)
        if done.returncode == 0:
            break
        # Until the new kiosk runs, every command reports that no kiosk is running.
        assert done.returncode == 69 and "roundel: " in done.stderr, done.stderr
        assert time.monotonic() < deadline
    assert json.loads(done.stdout)["process"] != before
    desk.panel.wait_for_touchscreen()


def test_errors_distinguish_a_missing_kiosk_from_a_missing_host(desk):
    desk.panel.ssh("systemctl stop roundel@remote.service")
    try:
        assert "no kiosk is running at /run/roundel/control.sock" in desk.run(
            "status", code=69).stderr
    finally:
        desk.panel.ssh("systemctl start roundel@remote.service")
    done = desk.run("status", host="nobody.invalid", code=69)
    assert "ssh could not reach tester@nobody.invalid" in done.stderr


def test_an_unknown_ssh_key_is_refused_with_a_clear_message(desk, remote):
    desk.remote.forget_connections()
    key = desk.scratch / "other"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    with remote.configured(lambda config: re.sub("IdentityFile .*", f"IdentityFile {key}", config)):
        said = desk.run("status", code=69).stderr
    assert "Permission denied (publickey" in said
    assert f"ssh could not reach tester@{remote.host}" in said
    assert desk.json("status")["kiosk"] == "remote"


def test_a_command_reports_a_host_without_roundel(desk):
    desk.panel.ssh("mv /usr/bin/roundel /usr/bin/roundel.away")
    try:
        said = desk.run("status", code=69).stderr
    finally:
        desk.panel.ssh("mv /usr/bin/roundel.away /usr/bin/roundel")
    assert "roundel is not installed on" in said
