"""When turns are traced: only where the variables of those systems say so."""

from __future__ import annotations

import pytest

from arxivscout.tracing_asked import Tracing, tracing_asked

URL = "http://127.0.0.1:4318"


def test_nothing_is_traced_where_nothing_says_so():
    assert tracing_asked({}) == Tracing()
    assert not Tracing().langsmith and not Tracing().otel
    assert tracing_asked({"LANGSMITH_API_KEY": "k", "OTEL_SERVICE_NAME": "x"}) == Tracing()


@pytest.mark.parametrize("name", ["LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"])
def test_langsmith_is_asked_for_by_either_name(name: str):
    asked = tracing_asked({name: "true", "LANGSMITH_PROJECT": "mine"})
    assert (asked.langsmith, asked.project) == (True, "mine")
    assert not tracing_asked({name: "false"}).langsmith


@pytest.mark.parametrize(
    ("environ", "wanted"),
    [
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": URL}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": URL}, True),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, True),
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": URL}, False),
        ({"OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": URL}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": " "}, False),
    ],
)
def test_opentelemetry_is_asked_for_by_its_own_variables(environ: dict[str, str], wanted: bool):
    assert tracing_asked(environ).otel is wanted
