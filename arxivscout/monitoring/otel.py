"""Traces by OpenTelemetry's protocol over HTTP, where its own variables say where to."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version

from langchain_core.callbacks import BaseCallbackHandler

MACHINES = frozenset({"scout", "batch", "reflection"})
FLUSH_S = 3.0  # what was not sent by then, as the process ends, is lost
MISSING = (
    "OTEL_… variables ask for traces, and a package for them is missing: nothing is traced. "
    "`pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-http` installs them."
)


@contextmanager
def otel_traces(notice: Callable[[str], None]) -> Iterator[list[BaseCallbackHandler]]:
    """What makes spans of turns while the block runs, and sends them; nothing without the packages.

    Its own provider of spans: another one that the process has stays as it is.
    """
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import OTELResourceDetector, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        notice(MISSING)
        yield []
        return
    from arxivscout.monitoring.spans import AGENT, Spans

    number = version(AGENT)
    ours = Resource({"service.name": AGENT, "service.version": number})
    provider = TracerProvider(
        resource=ours.merge(OTELResourceDetector().detect()), shutdown_on_exit=False
    )
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    spans = Spans(provider.get_tracer(AGENT, number), MACHINES)
    # Of a server that is away it tells at each try.
    logging.getLogger("opentelemetry").setLevel(logging.ERROR)
    try:
        yield [spans]
    finally:
        spans.close()
        # In a thread that may be left: a server that is away is tried longer than anybody waits.
        sending = threading.Thread(target=provider.shutdown, name="traces", daemon=True)
        sending.start()
        sending.join(FLUSH_S)
