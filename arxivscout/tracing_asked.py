"""What LangSmith's and OpenTelemetry's own variables ask for; nothing is traced without them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tracing:
    """Where turns are traced to: nowhere, unless the variables of these systems say so.

    LangChain obeys LangSmith's, and its SDK the details of OpenTelemetry's.
    """

    langsmith: bool = False
    otel: bool = False
    project: str = "default"  # LangSmith's


def tracing_asked(environ: Mapping[str, str]) -> Tracing:
    """What these variables ask for."""

    def langsmith(name: str) -> str:
        return environ.get(f"LANGSMITH_{name}", "") or environ.get(f"LANGCHAIN_{name}", "")

    exporter = environ.get("OTEL_TRACES_EXPORTER", "").strip().lower()
    told_where = any(
        environ.get(f"OTEL_EXPORTER_OTLP_{name}", "").strip()
        for name in ("ENDPOINT", "TRACES_ENDPOINT")
    )
    disabled = environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true"
    return Tracing(
        langsmith=(langsmith("TRACING_V2") or langsmith("TRACING")) == "true",
        otel=not disabled and exporter != "none" and (told_where or exporter == "otlp"),
        project=langsmith("PROJECT") or "default",
    )
