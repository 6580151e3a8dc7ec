"""How long a model's server is waited for, whatever it sends meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from langchain_core.messages import HumanMessage
from trickling_server import STREAM, WHOLE, TricklingServer

from arxivscout.errors import ModelError
from arxivscout.llm.line import Line
from arxivscout.llm.models import RetryPolicy, load_chat_model, stream_reply
from arxivscout.llm.reranking import ask_order
from arxivscout.llm.trying import try_model
from arxivscout.settings import ModelSettings

KEEP_ALIVE = b": keepalive\n\n"
EMPTY = b'data: {"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":{}}]}\n\n'
SLOW = {
    "comments in place of an answer": (STREAM, KEEP_ALIVE),
    "headers byte by byte": (b"HTTP/1.1 200 OK\r\nX-Slow: ", b"a"),
    "an event byte by byte": (STREAM + b"data: ", b"a"),
    "a body byte by byte": (WHOLE, b" "),
}


def settings(server: TricklingServer, timeout_s: float) -> ModelSettings:
    return ModelSettings(model="slow", base_url=server.url, timeout_s=timeout_s)


def asked(server: TricklingServer, *, timeout_s: float, deadline_s: float, retries: int = 0) -> str:
    """The one line that a call ends in."""
    model = load_chat_model(settings(server, timeout_s), embedder=None)  # type: ignore[arg-type]
    with pytest.raises(ModelError) as failed:
        stream_reply(
            model,
            [HumanMessage("Hi")],
            deadline=time.monotonic() + deadline_s,
            policy=RetryPolicy(max_retries=retries, sleep=lambda seconds: None),
        )
    return str(failed.value)


@pytest.mark.parametrize("slow", SLOW)
def test_bytes_that_say_nothing_are_no_answer_in_time(slow: str) -> None:
    with TricklingServer(*SLOW[slow]) as server:
        began = time.monotonic()
        line = asked(server, timeout_s=0.4, deadline_s=30, retries=1)
        assert time.monotonic() - began < 4
        assert line.startswith("slow did not answer in time after 2 attempts")
        assert server.asked == 2 and server.is_left()


@pytest.mark.parametrize("slow", [*SLOW.values(), (STREAM, EMPTY)])
def test_the_turn_s_limit_holds_whatever_the_server_sends(slow: tuple[bytes, bytes]) -> None:
    with TricklingServer(*slow) as server:
        began = time.monotonic()
        line = asked(server, timeout_s=60, deadline_s=0.5)
        assert line.startswith("slow did not answer in time (the turn's time is up)")
        assert time.monotonic() - began < 3
        assert server.is_left()


def test_a_thought_of_which_only_empty_pieces_are_seen_is_waited_for() -> None:
    with TricklingServer(STREAM, EMPTY, every_s=0.1) as server:
        began = time.monotonic()
        asked(server, timeout_s=0.4, deadline_s=1.5)
        assert time.monotonic() - began > 1.4


def test_papers_are_ordered_and_a_model_is_tried_within_the_same_limits() -> None:
    with TricklingServer(STREAM, KEEP_ALIVE) as server:
        began = time.monotonic()
        model = load_chat_model(settings(server, 60), embedder=None)  # type: ignore[arg-type]
        with pytest.raises(ModelError, match="did not answer in time"):
            ask_order(model, "Which first?", 2, seconds=0.4)
        tried = try_model(settings(server, 0.4), embedder=None)  # type: ignore[arg-type]
        assert tried is not None and tried.startswith("slow did not answer in time")
        assert time.monotonic() - began < 5
        assert server.is_left()


def test_no_thread_of_a_line_stays_behind() -> None:
    with TricklingServer(STREAM, KEEP_ALIVE) as server:
        asked(server, timeout_s=0.3, deadline_s=30)
        until = time.monotonic() + 2
        while (left := _lines()) and time.monotonic() < until:
            time.sleep(0.02)
        assert not left


def _lines() -> list[threading.Thread]:
    return [each for each in threading.enumerate() if each.name == "model"]


def test_a_piece_is_fetched_only_when_it_is_wanted() -> None:
    told: list[str] = []
    closed = threading.Event()

    def pieces() -> Iterator[str]:
        try:
            for piece in ("one", "two", "three"):
                told.append(piece)
                yield piece
        finally:
            closed.set()

    line = Line(pieces)
    assert (line.next(5), line.next(5), told) == ("one", "two", ["one", "two"])
    line.hang_up()
    assert closed.wait(5) and told == ["one", "two"]


def test_what_a_line_s_library_raises_is_raised_to_who_asked() -> None:
    def broken() -> Iterator[str]:
        yield "one"
        raise ValueError("broken")

    line = Line(broken)
    assert line.next(5) == "one"
    with pytest.raises(ValueError, match="broken"):
        line.next(5)
    assert all(each.daemon for each in _lines())
    line.hang_up()
