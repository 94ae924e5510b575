# SPDX-License-Identifier: MIT
"""The rules and the dashboard of deploy/fleet, with a real Prometheus and a kiosk's metrics."""

import http.server
import json
import pathlib
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live import TOP, LiveKiosk  # noqa: E402

FLEET = TOP / "deploy/fleet"
DASHBOARD = json.loads((FLEET / "dashboard.json").read_text())
QUERIES = {f"{panel['title']} {target['refId']}": target["expr"]
           for panel in DASHBOARD["panels"] for target in panel["targets"]}
pytestmark = pytest.mark.skipif(
    not (shutil.which("promtool") and shutil.which("prometheus")), reason="Prometheus is not installed")


def test_the_rules_fire_only_when_they_should():
    """Runs promtool's unit tests of each rule."""
    checked = subprocess.run(["promtool", "test", "rules", "alerts.test.yaml"], cwd=FLEET,
                             capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    names = {line.split()[2] for line in (FLEET / "alerts.yaml").read_text().splitlines()
             if line.strip().startswith("- alert:")}
    tested = (FLEET / "alerts.test.yaml").read_text()
    assert all(f"alertname: {name}" in tested for name in names)


@pytest.fixture(scope="module")
def prometheus(tmp_path_factory):
    """Queries a Prometheus that has scraped a kiosk twice, as node_exporter would serve it."""
    folder = tmp_path_factory.mktemp("prometheus")
    kiosk = LiveKiosk(folder)
    scrapes = []

    class Exporter(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            text = kiosk.run("status", "--metrics").stdout
            self.send_response(200)
            self.send_header("Content-Type", "text/plain; version=0.0.4")
            self.end_headers()
            self.wfile.write(text.encode())
            scrapes.append(text)

        def log_message(self, *_):
            pass

    exporter = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Exporter)
    threading.Thread(target=exporter.serve_forever, daemon=True).start()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (folder / "prometheus.yml").write_text(json.dumps({
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
        "rule_files": [str(FLEET / "alerts.yaml")],
        "scrape_configs": [{"job_name": "panels", "static_configs": [
            {"targets": [f"127.0.0.1:{exporter.server_address[1]}"]}]}]}))
    server = subprocess.Popen(
        ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
         f"--web.listen-address=127.0.0.1:{port}"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        text=True)

    def ask(query):
        url = f"http://127.0.0.1:{port}/api/v1/query?" + urllib.parse.urlencode({"query": query})
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return json.load(error)

    deadline = time.monotonic() + 30
    try:
        while True:
            assert time.monotonic() < deadline and server.poll() is None, server.stderr
            try:
                if ask("count_over_time(roundel_up[1m]) >= 3")["data"]["result"]:
                    break
            except (OSError, ValueError):
                pass  # It does not listen yet, or answers that it is not ready.
            time.sleep(0.1)  # Prometheus reports nothing of its own
        yield ask
    finally:
        server.kill()
        server.wait()
        exporter.shutdown()
        kiosk.close()


@pytest.mark.parametrize("panel", QUERIES)
def test_each_panel_of_the_dashboard_has_an_answer(prometheus, panel):
    query = QUERIES[panel].replace("$instance", ".*")
    assert "$" not in query
    answer = prometheus(query)
    assert answer["status"] == "success", answer
    # These are empty, because nothing moved or restarted.
    if not panel.startswith(("Late frames", "Restarts")):
        assert answer["data"]["result"], query


def test_an_invalid_query_is_detected(prometheus):
    assert prometheus("sum(roundel_up")["status"] == "error"


def test_all_metrics_of_the_rules_and_the_dashboard_exist(prometheus):
    known = set(prometheus('count by (__name__) ({__name__=~"roundel_.*"})')["data"]["result"][0]["metric"])
    names = {row["metric"]["__name__"] for row in
             prometheus('count by (__name__) ({__name__=~"roundel_.*"})')["data"]["result"]}
    assert known == {"__name__"}
    import re
    used = set(re.findall(r"\broundel_[a-z_]+", (FLEET / "alerts.yaml").read_text() + json.dumps(DASHBOARD)))
    assert used <= names, used - names
