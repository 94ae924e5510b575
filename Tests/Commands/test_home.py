# SPDX-License-Identifier: MIT
"""`roundel home` with a scripted Home Assistant: values, calls, and everything that can fail."""

import json
import os
import pathlib
import re
import subprocess
import sys
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import ROUNDEL, Lines, LiveKiosk, run  # noqa: E402
from scripted_home import TOKEN, ScriptedHome  # noqa: E402

BRIDGE = pathlib.Path(ROUNDEL).with_name("roundel-home")
pytestmark = pytest.mark.skipif(not BRIDGE.exists(), reason="roundel-home is not built")

KIOSK = """
kiosk: living
values:
  outside: {value: 0, unit: °C, from: {home: sensor.outside}, stale: STALE}
  actual: {value: 0, from: {home: climate.living, attribute: current_temperature}}
  target:
    value: 20
    min: 5
    max: 30
    step: 0.5
    from: {home: climate.living, attribute: temperature}
    to: {home: climate.set_temperature, entity: climate.living, field: temperature, every: 0.2}
    echo: 1
  lamp: {value: false, from: {home: light.kitchen}}
pages:
  - page: first
    controls:
      - {label: shown, at: [640, 60], text: "{outside:.1f} °C"}
      - {ring: heat, at: [500, 400], radius: 200, min: 5, max: 30, step: 0.5, value: "{target}"}
      - button: light
        at: [1000, 300]
        size: [200, 120]
        text: Light
        on: {selected: [{call: {home: light.turn_on, entity: light.kitchen, data: {brightness_pct: "{target * 2}"}}}]}
"""


def states():
    return {"sensor.outside": ["7.4", {"unit_of_measurement": "°C"}],
            "climate.living": ["heat", {"current_temperature": 19.5, "temperature": 21}],
            "light.kitchen": ["on", {"brightness": 128}]}


def until(holds, timeout=10):
    """Waits until `holds` returns a true value, and returns it."""
    end = time.monotonic() + timeout
    while True:
        result = holds()
        if result:
            return result
        assert time.monotonic() < end, "it did not come to hold"
        time.sleep(0.01)


def failures(kiosk, count):
    """Returns the messages of the next failures."""
    found = []
    while len(found) < count:
        event = json.loads(kiosk.events.next())
        if event["event"] == "failed":
            found.append(event["message"])
    return found


class Bridge:
    def __init__(self, kiosk, url, token, *options):
        self.process = subprocess.Popen(
            [BRIDGE, "--url", url, "--token-file", token, "--socket", kiosk.socket, *map(str, options)],
            stderr=subprocess.PIPE, text=True)
        self.log = Lines(self.process.stderr)

    def until(self, words):
        return self.log.until(words)

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            assert self.process.wait(10) == 0


@pytest.fixture
def start():
    """Starts objects that end with the test."""
    started = []

    def begin(kind, *arguments, **options):
        started.append(kind(*arguments, **options))
        return started[-1]

    yield begin
    for thing in reversed(started):
        thing.close()


@pytest.fixture
def token(tmp_path):
    file = tmp_path / "token"
    file.write_text(TOKEN + "\n")
    file.chmod(0o600)
    return file


@pytest.fixture
def home(start):
    return start(ScriptedHome, states())


def kiosk_of(start, tmp_path, stale="60"):
    file = tmp_path / "living.yaml"
    file.write_text(KIOSK.replace("STALE", stale))
    return start(LiveKiosk, tmp_path, file=file)


@pytest.fixture
def kiosk(start, tmp_path):
    return kiosk_of(start, tmp_path)


@pytest.fixture
def bridge(start, kiosk, home, token):
    bridge = start(Bridge, kiosk, home.url, token)
    until(lambda: kiosk.get("shown.text") == "7.4 °C")
    return bridge


def test_states_and_attributes_are_values(bridge, home, kiosk):
    until(lambda: [kiosk.get(name) for name in ("actual", "target", "lamp")] == [19.5, 21, True])
    assert home.received.get() == "GET /api/websocket HTTP/1.1"
    assert home.received.get()["entity_ids"] == ["climate.living", "light.kitchen", "sensor.outside"]
    home.set("climate.living", temperature=18.5)
    until(lambda: kiosk.get("target") == 18.5)
    home.set("light.kitchen", "off", brightness=None)
    until(lambda: kiosk.get("lamp") is False)
    home.set("sensor.outside", "-3.25")
    until(lambda: kiosk.get("shown.text") == "-3.2 °C")
    # Values from Home Assistant aren't sent to it.
    assert home.calls.empty()


def test_a_drag_calls_the_service_a_few_times_and_last_with_the_last_value(bridge, home, kiosk):
    until(lambda: kiosk.get("target") == 21)
    kiosk.run("drag", "--at", "500,200", "--to", "300,400", "--duration", "1.5")
    kiosk.run("wait", "--still")
    last = kiosk.get("target")
    calls = [home.call()]
    while calls[-1][2]["temperature"] != last:
        calls.append(home.call())
    assert {call[:2] for call in calls} == {("climate.set_temperature", "climate.living")}
    assert len(calls) <= 9, calls
    time.sleep(0.3)
    assert home.calls.empty()


def test_a_refused_value_is_one_failure_and_returns_to_the_entitys(bridge, home, kiosk):
    home.refusals["climate.set_temperature"] = "Provided temperature 30.0 is not valid. Accepted range is 7 to 25"
    until(lambda: kiosk.get("target") == 21)
    kiosk.run("set", "target=30")
    assert home.call()[2] == {"temperature": 30}
    assert failures(kiosk, 1) == [
        "target: climate.set_temperature: Provided temperature 30.0 is not valid. Accepted range is 7 to 25"]
    until(lambda: kiosk.get("target") == 21)
    assert home.calls.empty()


def test_an_action_calls_a_service_or_fails_in_its_words(bridge, home, kiosk):
    until(lambda: kiosk.get("target") == 21)
    kiosk.run("tap", "light")
    assert home.call() == ("light.turn_on", "light.kitchen", {"brightness_pct": 42})
    home.refusals["light.turn_on"] = "Service light.turn_on not found."
    kiosk.run("tap", "light")
    assert failures(kiosk, 1) == ["cannot call light.turn_on: Service light.turn_on not found."]


def test_a_call_without_home_assistant_is_one_failure_and_is_not_kept(bridge, home, kiosk):
    home.stop()
    bridge.until("not connected")
    assert "not connected to ws://127.0.0.1" in failures(kiosk, 1)[0]
    kiosk.run("tap", "light")
    assert failures(kiosk, 1) == ["cannot call light.turn_on: not connected; roundel home connects"]
    home.start()
    bridge.until("connected to ws")
    kiosk.run("set", "target=12")
    assert home.call()[0] == "climate.set_temperature"
    assert home.calls.empty()


def test_a_restarted_home_assistant_gives_and_gets_values_again(bridge, home, kiosk):
    until(lambda: kiosk.get("target") == 21)
    home.stop()
    bridge.until("not connected")
    kiosk.run("set", "target=11")
    home.states["sensor.outside"][0] = "1"
    home.start()
    assert home.call() == ("climate.set_temperature", "climate.living", {"temperature": 11})
    until(lambda: kiosk.get("shown.text") == "1.0 °C")


def test_a_restarted_kiosk_gets_values_again(bridge, home, kiosk):
    kiosk.run("restart")
    until(lambda: kiosk.get("shown.text") == "7.4 °C" and kiosk.get("target") == 21)
    kiosk.close()
    bridge.until("not connected to the kiosk")
    kiosk.start()
    until(lambda: kiosk.get("shown.text") == "7.4 °C" and kiosk.get("target") == 21)
    # A reload subscribes to other entities.
    home.add("sensor.roof", "5")
    kiosk.file.write_text(kiosk.file.read_text().replace("sensor.outside", "sensor.roof"))
    until(lambda: kiosk.get("shown.text") == "5.0 °C")
    assert home.calls.empty()


def test_a_value_is_stale_while_home_assistant_is_away_and_only_then(start, home, token, tmp_path):
    kiosk = kiosk_of(start, tmp_path, stale="0.6")
    start(Bridge, kiosk, home.url, token)
    until(lambda: kiosk.get("shown.text") == "7.4 °C")
    end = time.monotonic() + 1.5
    while time.monotonic() < end:
        assert kiosk.get("shown.text") == "7.4 °C"
    home.stop()
    until(lambda: kiosk.get("shown.text") == "– °C")
    home.start()
    until(lambda: kiosk.get("shown.text") == "7.4 °C")
    home.set("sensor.outside", "unavailable")
    until(lambda: kiosk.get("shown.text") == "– °C")


def test_an_entity_that_vanishes_is_one_failure_and_its_value_stays(bridge, home, kiosk):
    until(lambda: kiosk.get("lamp") is True)
    home.remove("light.kitchen")
    assert failures(kiosk, 1) == ["lamp: Home Assistant has no light.kitchen"]
    assert kiosk.get("lamp") is True
    home.add("light.kitchen", "off")
    until(lambda: kiosk.get("lamp") is False)


def test_an_unusable_state_is_one_failure(bridge, home, kiosk):
    home.set("light.kitchen", "dim")
    assert failures(kiosk, 1) == ['lamp: light.kitchen: "dim" is not a flag']
    home.set("climate.living", temperature=None)
    assert failures(kiosk, 1) == ['target: climate.living has no attribute "temperature"']
    home.set("climate.living", temperature=23)
    until(lambda: kiosk.get("target") == 23)


@pytest.mark.parametrize("frames", [
    [(b"x" * (5 << 20), 1, True)],
    [(b'"' + b"x" * (3 << 20), 1, False), (b"x" * (3 << 20) + b'"', 0, True)]])
def test_an_oversized_message_is_one_failure_and_the_bridge_reconnects(frames, bridge, home, kiosk):
    for frame in frames:
        home.peers[0].send(*frame)
    message, = failures(kiosk, 1)
    assert message.endswith("a message is too long (expected at most 4194304 bytes)")
    bridge.until("connected to ws")
    home.set("sensor.outside", "3")
    until(lambda: kiosk.get("shown.text") == "3.0 °C")


def test_a_message_may_have_several_frames_and_a_ping_is_answered(bridge, home, kiosk):
    peer = home.peers[0]
    number = next(iter(peer.subscriptions))
    text = json.dumps({"id": number, "type": "event", "event": {"c": {"sensor.outside": {"+": {"s": "9"}}}}}).encode()
    peer.send(b"still there?", 9)
    peer.send(text[:20], 1, False)
    peer.send(text[20:], 0)
    until(lambda: kiosk.get("shown.text") == "9.0 °C")


def test_a_message_that_is_not_json_is_one_failure(bridge, home, kiosk):
    home.peers[0].send(b"{")
    assert "is not JSON" in failures(kiosk, 1)[0]
    bridge.until("connected to ws")


def test_a_wrong_or_revoked_token_is_one_failure_and_never_printed(start, kiosk, home, token, tmp_path):
    token.write_text("wrong-token")
    bridge = start(Bridge, kiosk, home.url, token)
    lines = bridge.until("refuses the access token: Invalid access token or password")
    assert "refuses the access token" in failures(kiosk, 1)[0]
    bridge.close()
    token.write_text(TOKEN)
    bridge = start(Bridge, kiosk, home.url, token)
    lines += bridge.until("connected to ws")
    home.tokens.clear()
    home.drop()
    lines += bridge.until("refuses the access token")
    bridge.close()
    while (line := bridge.log.next()) is not None:
        lines.append(line)
    text = "".join(lines)
    assert TOKEN not in text and "wrong-token" not in text


@pytest.mark.parametrize("mode, code, words", [
    (0o644, 77, r"other users may have access \(mode 0644, expected 0600\); run chmod 600 "),
    (0o660, 77, "mode 0660"), (None, 64, "No such file or directory"), (0o600, 64, "is empty")])
def test_a_token_file_that_others_may_read_is_refused(mode, code, words, token):
    if mode is None:
        token.unlink()
    else:
        token.chmod(mode)
        if mode == 0o600:
            token.write_text("\n")
    done = subprocess.run(
        [BRIDGE, "--url", "ws://127.0.0.1:1", "--token-file", token], capture_output=True, text=True, timeout=20)
    assert done.returncode == code
    assert re.search(words, done.stderr) and TOKEN not in done.stderr


@pytest.mark.parametrize("options, words", [
    (["--url", "homeassistant.local"], "--url must be ws://HOST"), (["--url", "ws://[::1"], "--url must be"),
    (["--url", "ws://user@a"], "--url must be"), (["--url", "wss://[::1]:8123/x"], "--token-file is missing"),
    (["--url", "ws://a:0"], "--url must be"),
    (["--url", "ws://a", "--ca", "b"], "--ca requires wss"), (["--url", "ws://a"], "--token-file is missing")])
def test_wrong_options_are_explained(options, words):
    environment = {key: value for key, value in os.environ.items() if key != "CREDENTIALS_DIRECTORY"}
    done = subprocess.run([BRIDGE, *options], capture_output=True, text=True, env=environment, timeout=20)
    assert done.returncode == 64 and words in done.stderr


def test_roundel_home_runs_the_bridge(token):
    done = subprocess.run([ROUNDEL, "home", "--version"], capture_output=True, text=True, timeout=20)
    assert done.stdout.startswith("roundel-home ")


def test_the_unit_passes_the_token_as_a_credential(start, kiosk, home, tmp_path):
    folder = tmp_path / "credentials"
    folder.mkdir()
    (folder / "home-token").write_text(TOKEN)
    process = subprocess.Popen(
        [BRIDGE, "--url", home.url, "--socket", kiosk.socket], stderr=subprocess.PIPE, text=True,
        env={**os.environ, "CREDENTIALS_DIRECTORY": str(folder)})
    try:
        until(lambda: kiosk.get("shown.text") == "7.4 °C")
    finally:
        process.terminate()
        process.wait(10)


def certificate(folder, name, address):
    file, key = folder / f"{name}.pem", folder / f"{name}.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-keyout", key, "-out", file, "-days", "2", "-subj", f"/CN={name}", "-addext", f"subjectAltName=IP:{address}"],
        check=True, capture_output=True)
    return file, key


def test_tls_needs_a_trusted_certificate_of_this_address(start, kiosk, token, tmp_path):
    file, key = certificate(tmp_path, "right", "127.0.0.1")
    home = start(ScriptedHome, states(), certificate=(file, key))
    stranger = start(Bridge, kiosk, home.url, token)
    assert stranger.until("not connected to wss")[-1].endswith(": TLS fails: CERTIFICATE_VERIFY_FAILED\n")
    stranger.close()
    assert "CERTIFICATE_VERIFY_FAILED" in failures(kiosk, 1)[0]
    start(Bridge, kiosk, home.url, token, "--ca", file)
    until(lambda: kiosk.get("shown.text") == "7.4 °C")
    other = certificate(tmp_path, "other", "127.0.0.2")
    impostor = start(ScriptedHome, states(), certificate=other)
    second = start(Bridge, kiosk, impostor.url, token, "--ca", other[0])
    assert "the certificate is for another address" in second.until("not connected to wss")[-1]


def test_a_server_without_a_websocket_is_explained(start, kiosk, token):
    import http.server
    import threading

    server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        bridge = start(Bridge, kiosk, f"ws://127.0.0.1:{server.server_port}", token)
        assert "has no WebSocket at /api/websocket" in bridge.until("not connected to ws")[-1]
    finally:
        server.shutdown()


def test_doctor_reports_names_that_home_assistant_does_not_have(home, token, tmp_path):
    file = tmp_path / "k.yaml"
    file.write_text(KIOSK.replace("STALE", "60").replace("sensor.outside", "sensor.ouside").replace(
        "climate.set_temperature", "climate.set_temprature").replace("brightness_pct", "brightness_percent"))
    done = run("doctor", file, "--url", home.url, "--token-file", token, code=1)
    text = done.stdout
    assert f"reaches {home.url}" in text
    for words in ["has no entity sensor.ouside; did you mean sensor.outside?",
                  "has no service climate.set_temprature; did you mean climate.set_temperature?",
                  "light.turn_on has no field brightness_percent; it has brightness_pct"]:
        assert f"! {words}" in text or f"! Home Assistant {words}" in text, text
    report = json.loads(run("doctor", file, "--json", "--url", home.url, "--token-file", token, code=1).stdout)
    assert len(report["home assistant"]["problems"]) == 3
    home.stop()
    done = run("doctor", file, "--url", home.url, "--token-file", token, code=1)
    assert f"! not connected to {home.url}: Connection refused" in done.stdout


def resident(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) / 1024


def test_twenty_of_two_thousand_entities_are_there_in_a_second(start, token, tmp_path):
    """`-s` prints the figures for the manual."""
    file = tmp_path / "k.yaml"
    values = "".join(f"  v{n}: {{value: -1, from: {{home: sensor.s{n}}}}}\n" for n in range(20))
    file.write_text(f"kiosk: living\nvalues:\n{values}pages:\n  - page: p\n    controls: [{{label: l, at: [99, 99], text: '{{v0}}'}}]\n")
    kiosk = start(LiveKiosk, tmp_path, file=file)
    home = start(ScriptedHome, {f"sensor.s{n}": [f"{n}", {"friendly_name": f"Sensor {n}", "icon": "mdi:eye"}]
                                for n in range(2000)})
    bridge = start(Bridge, kiosk, home.url, token)
    bridge.until("connected to ws")
    began = time.monotonic()
    until(lambda: kiosk.get("v19") == 19 and kiosk.get("v0") == 0)
    took = time.monotonic() - began
    time.sleep(4)
    print(f"all values after {took:.2f} s, {resident(bridge.process):.1f} MiB resident")
    assert took < 1
    # Debug builds are larger.
    if "/debug/" not in str(BRIDGE):
        assert resident(bridge.process) < 20
