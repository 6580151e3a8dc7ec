"""`stats` and `serve-metrics` as a person, a script and Prometheus use them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from uuid import UUID

import pytest
from commands import one_line, told
from http_listener import HttpListener
from prometheus_client.parser import text_string_to_metric_families

QUESTION = "What is known about quantum teleportation of neutral mesons?"


def test_what_was_asked_is_told_in_tables_in_json_and_on_a_page(scout, tmp_path):
    nothing = told(scout("stats"))
    assert "No question was asked in this time." in nothing and "papers " in nothing
    answer = json.loads(scout("ask", QUESTION, "--json").stdout)
    shown = told(scout("stats"))
    for text in ("turns       1: 1 answered", "hit rate    100%", "search_papers", "load_memory",
                 "knowledge", answer["turn_id"][:8], "conversation"):  # fmt: skip
        assert text in shown
    found = json.loads(told(scout("stats", "--json")))
    assert found["total"]["turns"] == found["total"]["answered"] == 1
    assert found["total"]["cost"] == 0.0 and found["total"]["hit_rate"] == 1.0
    assert {"reason", "persist"} <= {each["name"] for each in found["nodes"]}
    assert "knowledge" in {each["name"] for each in found["stores_read"]}
    assert found["slowest"][0]["turn_id"] == answer["turn_id"]
    page = tmp_path / "stats.html"
    assert told(scout("stats", "--html", str(page))).strip() == f"Written: {page}"
    written = page.read_text("utf-8")
    assert answer["turn_id"] in written and QUESTION not in written + shown


def test_a_thread_and_a_time_are_looked_at_alone(scout):
    assert scout("ask", QUESTION, "--thread", "mesons").returncode == 0
    assert scout("ask", "Which papers are about dark matter?").returncode == 0

    def turns(*options: str) -> int:
        return json.loads(told(scout("stats", "--json", *options)))["total"]["turns"]

    assert turns() == 2
    assert turns("--thread", "mesons") == 1
    assert "nobody spoke here" in one_line(scout("stats", "--thread", "nobody spoke here"), 1)
    assert turns("--since", "2020", "--until", "2021") == 0
    assert turns("--since", "2020") == 2
    assert turns("--everybody") > 2


def test_what_can_not_be_shown_is_told_in_one_line(scout, tmp_path):
    assert "is no date" in one_line(scout("stats", "--since", "soon"), 2)
    assert "There is no time" in one_line(scout("stats", "--since", "2021", "--until", "2020"), 2)
    assert "exclude each other" in one_line(scout("stats", "--everybody", "--user", "me"), 2)
    missing = str(tmp_path / "no" / "such.html")
    assert "can't be written" in one_line(scout("stats", "--html", missing), 2)
    assert "out of range" in one_line(scout("serve-metrics", "--port", "70000"), 2)


def test_the_dashboard_asks_for_metrics_that_there_are(command):
    from arxivscout.monitoring.metrics import counted, sized

    shown = command("serve-metrics", "--dashboard")
    dashboard = json.loads(told(shown))
    rows = [[("papers", 0, 1, 8192)]] * 20
    families = [
        *counted(lambda batches: [[[], [], []]]), *sized(lambda batches: [rows]),
    ]  # fmt: skip
    suffixes = {"counter": [""], "gauge": [""], "summary": ["_sum", "_count"],
                "histogram": ["_bucket", "_sum", "_count"]}  # fmt: skip
    known = {f"{each.name}{end}" for each in families for end in suffixes[each.kind]}
    asked = {
        word
        for panel in dashboard["panels"]
        for target in panel["targets"]
        for word in target["expr"].replace("(", " ").replace("[", " ").replace("{", " ").split()
        if word.startswith("arxivscout_")
    }
    assert asked and asked <= known


@pytest.fixture
def metrics(lived_in):
    """The address of a server of metrics; it ends with the test."""
    with subprocess.Popen(
        [sys.executable, "-m", "arxivscout", "serve-metrics", "--port", "0"],
        env=lived_in, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as server:  # fmt: skip
        said = server.stderr.readline()
        assert " at http://127.0.0.1:" in said, said
        yield said.rpartition(" at ")[2].strip().rstrip(".")
        server.send_signal(signal.SIGTERM)
        assert server.wait(30) == 128 + signal.SIGTERM
        assert server.stdout.read() == "" and "Traceback" not in server.stderr.read()


def test_prometheus_reads_what_a_turn_was_and_no_word_of_it(scout, metrics):
    assert scout("ask", QUESTION).returncode == 0
    with urllib.request.urlopen(metrics) as answer:
        assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        text = answer.read().decode()
    found = {family.name: family for family in text_string_to_metric_families(text)}
    (turns,) = found["arxivscout_turns"].samples
    assert turns.labels == {"model": "extractive", "status": "answered"} and turns.value == 1
    assert found["arxivscout_turn_duration_seconds"].type == "histogram"
    rows = {s.labels["store"]: s.value for s in found["arxivscout_store_rows"].samples}
    assert rows["papers"] > 100
    assert "teleportation" not in text
    port = metrics.split(":")[2].split("/")[0]
    for url, headers, status in (
        (f"http://127.0.0.1:{port}/", {}, 404),
        (metrics, {"Host": f"evil.example:{port}"}, 403),
    ):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(urllib.request.Request(url, headers=headers))
        with refused.value as answer:
            assert answer.code == status


def test_langsmith_is_told_a_turn_where_its_variables_say_so_and_no_key(lived_in):
    key, theirs = "sk-proj-abcdefgh12345678", "lsv2_pt_0123456789abcdef"
    project = {"id": str(UUID(int=1)), "tenant_id": str(UUID(int=2)), "name": "scout-tests",
               "reference_dataset_id": None}  # fmt: skip

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "arxivscout", *arguments, "--json"],
            env={
                **lived_in,
                "LANGSMITH_TRACING": "true",
                "LANGSMITH_ENDPOINT": listener.url,
                "LANGSMITH_API_KEY": theirs,
                "LANGSMITH_PROJECT": "scout-tests",
                "ARXIVSCOUT_MODEL_API_KEY": key,
                "ARXIVSCOUT_MCP_TOKEN": "a-token-of-mine",
                "PYTHONWARNINGS": "ignore",
            },
            capture_output=True, text=True, timeout=120, check=True,
        )  # fmt: skip
        return json.loads(done.stdout)

    with HttpListener({"/sessions": json.dumps([project]).encode()}) as listener:
        turn_id = run("ask", QUESTION)["turn_id"]
        bodies = b"\n".join(each.body for each in listener.sent)
        (slowest,) = run("stats")["slowest"]
    assert QUESTION.encode() in bodies and turn_id.encode() in bodies
    for secret in (key, theirs, "a-token-of-mine"):
        assert secret.encode() not in bodies
    assert f"/o/{UUID(int=2)}/projects/p/{UUID(int=1)}?" in slowest["trace"]
    assert turn_id in slowest["trace"]


def test_the_log_goes_into_a_file_that_only_its_owner_reads(scout, tmp_path):
    file = tmp_path / "scout.log"
    asked = scout("--log-file", str(file), "ask", QUESTION)
    assert asked.returncode == 0 and "level=" not in asked.stderr
    text = file.read_text("utf-8")
    assert 'event="turn ended"' in text and "status=answered" in text
    assert "teleportation" not in text
    assert oct(file.stat().st_mode & 0o777) == "0o600"
    refused = scout("--log-file", str(tmp_path / "no" / "x.log"), "stats")
    assert "can't be written" in one_line(refused, 3)


def test_a_log_is_asked_for_by_v_and_holds_no_password(command, bare_environment, warm):
    environment = {
        **bare_environment,
        "ARXIVSCOUT_DATABASE_URL": "postgresql://me:hunter-22@127.0.0.1:1/x",
    }
    for option in ("-v", "-vv"):
        failed = warm.run(["-m", "arxivscout", option, "ask", "hi"], environment)
        assert failed.returncode == 4 and "hunter-22" not in failed.stderr
