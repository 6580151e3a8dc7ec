"""A whole turn as spans and as a log: what goes out, and that nobody's words are in it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from http_listener import HttpListener
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from turns.scripted import ScriptedModel, calls, says
from turns.settled import settle

from arxivscout.app import Scout
from arxivscout.errors import ModelError
from arxivscout.monitoring.logs import LogFormat
from arxivscout.monitoring.otel import otel_traces

Make = Callable[..., tuple[Scout, ScriptedModel]]
QUESTION = "What is known about quantum teleportation of neutral mesons?"
CITED = says("CP measurement verifies teleportation [arXiv:0712.2288].")
SEARCH = calls(("search_papers", {"query": "meson teleportation"}))
WORDS = ("teleportation", "meson", "CP measurement", "Conservation laws", "tester")


class Spans:
    """The spans that were sent, by name, with their attributes and their parents' names."""

    def __init__(self, listener: HttpListener) -> None:
        self.resource: dict[str, Any] = {}
        self.found: list[tuple[str, dict[str, Any], Any]] = []
        names: dict[bytes, str] = {}
        for sent in listener.sent:
            message = ExportTraceServiceRequest()
            message.ParseFromString(sent.body)
            for resource in message.resource_spans:
                self.resource = _attributes(resource.resource)
                for scope in resource.scope_spans:
                    for span in scope.spans:
                        names[span.span_id] = span.name
                        self.found.append((span.name, _attributes(span), span))
        self.parents = {(name, names.get(span.parent_span_id)) for name, _, span in self.found}

    def named(self, name: str) -> list[dict[str, Any]]:
        return [attributes for found, attributes, _ in self.found if found == name]


def _attributes(message: Any) -> dict[str, Any]:
    return {
        each.key: each.value.string_value or each.value.int_value or each.value.double_value
        for each in message.attributes
    }


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Iterator[HttpListener]:
    """A collector of traces, which OpenTelemetry's own variable names."""
    with HttpListener() as listener:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", listener.url)
        yield listener


@contextmanager
def traced(scout: Scout) -> Iterator[None]:
    """As the composition root does where the variables ask for traces."""
    with otel_traces(lambda text: None) as callbacks:
        scout._services.callbacks += callbacks
        yield
        scout._services.callbacks.clear()


def test_a_turn_is_a_tree_of_spans_without_anybodys_words(scripted: Make, listener: HttpListener):
    scout, _ = scripted(SEARCH, CITED)
    with traced(scout):
        turn = scout.ask(QUESTION)
    spans = Spans(listener)
    assert spans.resource["service.name"] == "arxivscout"
    (root,) = spans.named("invoke_agent scout")
    assert root["gen_ai.operation.name"] == "invoke_agent"
    assert root["arxivscout.turn.id"] == turn.turn_id
    for node in ("understand", "load_memory", "assemble_context", "reason", "check", "persist"):
        assert (node, "invoke_agent scout") in spans.parents
    assert ("execute_tool search_papers", "run_tools") in spans.parents
    (tool,) = spans.named("execute_tool search_papers")
    assert tool["gen_ai.tool.name"] == "search_papers"
    chats = [name for name, _ in spans.parents if name.startswith("chat ")]
    assert chats and all((name, "reason") in spans.parents for name in chats)
    assert {sent.path for sent in listener.sent} == {"/v1/traces"}
    for word in WORDS:
        assert word.encode() not in listener.bodies


def test_an_error_is_told_by_its_kind_alone(scripted: Make, listener: HttpListener):
    scout, _ = scripted(RuntimeError("the key of tester is teleportation"))
    with traced(scout), pytest.raises(ModelError):
        scout.ask(QUESTION)
    failed = [
        (name, attributes) for name, attributes, span in Spans(listener).found if span.status.code
    ]
    assert {attributes["error.type"] for _, attributes in failed} == {"RuntimeError", "ModelError"}
    assert b"teleportation" not in listener.bodies


def test_a_collector_that_is_away_neither_fails_a_turn_nor_keeps_anybody(
    scripted: Make, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
    scout, _ = scripted(CITED)
    with traced(scout):
        assert scout.ask(QUESTION).status == "answered"


def test_nothing_is_sent_anywhere_where_nobody_asks_for_it(
    scripted: Make, socket_disabled: None
) -> None:
    from langsmith.utils import tracing_is_enabled

    scout, _ = scripted(SEARCH, CITED)
    assert not tracing_is_enabled()
    assert scout._services.callbacks == []
    assert scout.ask(QUESTION).status == "answered"


@pytest.mark.parametrize("script", [[SEARCH, CITED], [calls(("search_papers", {"x": 1})), CITED]])
def test_no_words_of_a_turn_stand_in_its_log_below_debug(
    scripted: Make, caplog: pytest.LogCaptureFixture, script: list[Any]
):
    scout, _ = scripted(*script)
    with caplog.at_level(logging.INFO):
        turn = scout.ask(QUESTION)
        settle(scout)
    lines = [LogFormat().format(record) for record in caplog.records]
    told = "\n".join(line for line in lines if "level=debug" not in line)
    assert f"turn={turn.turn_id}" in told and "status=answered" in told
    assert "tool=search_papers" in told
    for word in WORDS:
        assert word not in told
