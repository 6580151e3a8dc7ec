"""A server on loopback that speaks OpenAI's chat protocol and does what a script says.

    script = say("Hello."), status(429, retry_after=1), call("search_papers", query="x")
    with OpenAIServer(*script) as server:
        ChatOpenAI(base_url=server.url, model="m", api_key="k").invoke("Hi")
        server.requests[0]["messages"]

Each request takes the next step of the script; the last one is repeated. Works streamed and whole.
A conversation that real servers would refuse is refused, and noted in `complaints`.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from openai_rules import complaint


@dataclass(frozen=True, kw_only=True)
class Step:
    """What one request is answered with."""

    text: str | None = None
    # (name, arguments as the text that goes over the wire, id or None to leave it out)
    calls: tuple[tuple[str, str, str | None], ...] = ()
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    error: dict[str, Any] | None = None
    finish_reason: str | None = None
    usage: bool = True
    pause_s: float = 0.0  # between the pieces of the text
    break_after: int | None = None  # pieces, then the connection is cut
    clean_cut: bool = False  # cut as if the answer were over, with neither a reason nor [DONE]
    hang_s: float = 0.0  # before anything is sent
    raw: bytes | None = None  # sent as the body as it is
    reply: Callable[[dict[str, Any]], Step] | None = None  # decide by the request


def say(text: str, **how: Any) -> Step:
    """A plain answer. `how`: pause_s, break_after, clean_cut, usage, finish_reason, hang_s."""
    return Step(text=text, **how)


def call(name: str, /, *, id: str | None = "call_1", **arguments: Any) -> Step:
    """One tool call."""
    return Step(calls=((name, json.dumps(arguments), id),))


def calls(*named: tuple[str, dict[str, Any]]) -> Step:
    """Parallel tool calls."""
    return Step(
        calls=tuple(
            (name, json.dumps(arguments), f"call_{i}") for i, (name, arguments) in enumerate(named)
        )
    )


def malformed_call(name: str, arguments: str) -> Step:
    """A tool call whose arguments are `arguments` to the letter, JSON or not."""
    return Step(calls=((name, arguments, "call_bad"),))


def noise(tokens: int) -> Step:
    """An answer that is `tokens` words of nothing, many to a piece as busy servers send them."""
    return Step(text=" ".join("\u00a0".join(["lorem"] * 50) for _ in range(tokens // 50)))


def stream_of(*events: str) -> Step:
    """A stream of events as they are, for what no well-behaved server sends."""
    return Step(raw="".join(f"data: {event}\n\n" for event in events).encode())


def empty() -> Step:
    """An answer with nothing in it."""
    return Step(text="")


def status(
    code: int,
    message: str = "",
    *,
    error_code: str | None = None,
    retry_after: float | str | None = None,
) -> Step:
    """An HTTP error in OpenAI's form."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    error = {"message": message or f"error {code}", "type": "error", "code": error_code}
    return Step(status=code, headers=headers, error=error)


def context_too_long(limit: int = 4096) -> Step:
    """What OpenAI and its imitators say to a prompt that does not fit."""
    return status(
        400,
        f"This model's maximum context length is {limit} tokens. However, your messages resulted "
        f"in {limit * 2} tokens. Please reduce the length of the messages.",
        error_code="context_length_exceeded",
    )


def error_in_stream(message: str = "The server had an error") -> Step:
    """A stream that begins with 200 and then carries an error event."""
    event = json.dumps({"error": {"message": message, "type": "server_error"}})
    return Step(raw=f"data: {event}\n\n".encode())


def hang(seconds: float) -> Step:
    """Nothing for so long, then an answer that comes too late."""
    return Step(text="too late", hang_s=seconds)


def by_request(reply: Callable[[dict[str, Any]], Step]) -> Step:
    """The step that `reply` makes of the request's body."""
    return Step(reply=reply)


class OpenAIServer:
    """Serves in threads of its own until closed; keeps the requests' bodies and headers."""

    def __init__(self, *script: Step, tokens: int = 10) -> None:
        self.script = list(script)
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.complaints: list[str] = []
        self.tokens = tokens
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> OpenAIServer:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def take(self, body: dict[str, Any], headers: dict[str, str]) -> Step:
        refused = complaint(body["messages"])
        with self._lock:
            if refused:
                self.complaints.append(refused)
                return status(400, refused)
            step = self.script[min(len(self.requests), len(self.script) - 1)]
            self.requests.append(body)
            self.headers.append(headers)
        return step.reply(body) if step.reply else step

    def wait(self, seconds: float) -> None:
        self._closing.wait(seconds)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no fault of the server's."""


def _handler(owner: OpenAIServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            pass

        def do_GET(self) -> None:
            self._whole(200, {"object": "list", "data": [{"id": "fake", "object": "model"}]})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            step = owner.take(body, dict(self.headers.items()))
            try:
                if step.hang_s:
                    owner.wait(step.hang_s)
                if step.status != 200:
                    self._whole(step.status, {"error": step.error}, step.headers)
                elif body.get("stream"):
                    self._stream(step, body)
                else:
                    self._whole(200, _completion(step, body, owner.tokens), step.headers)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def _whole(
            self, code: int, value: dict[str, Any], headers: dict[str, str] | None = None
        ) -> None:
            data = json.dumps(value).encode()
            self.send_response(code)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            for name, text in (headers or {}).items():
                self.send_header(name, text)
            self.end_headers()
            self.wfile.write(data)

        def _stream(self, step: Step, body: dict[str, Any]) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            if step.raw is not None:
                if step.raw:  # an empty chunk is the end already
                    self._chunk(step.raw)
                self._chunk(b"")
                return
            wants_usage = bool((body.get("stream_options") or {}).get("include_usage"))
            for i, event in enumerate(_events(step, body, owner.tokens, wants_usage)):
                if step.break_after is not None and i > step.break_after:
                    self.close_connection = True
                    if step.clean_cut:
                        self._chunk(b"")
                    return
                self._chunk(f"data: {json.dumps(event)}\n\n".encode())
                if step.pause_s:
                    time.sleep(step.pause_s)
            self._chunk(b"data: [DONE]\n\n")
            self._chunk(b"")

        def _chunk(self, data: bytes) -> None:
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()

    return Handler


def _tool_calls(step: Step, *, indexed: bool) -> list[dict[str, Any]]:
    made = []
    for i, (name, arguments, identity) in enumerate(step.calls):
        part: dict[str, Any] = {
            "type": "function",
            "function": {"name": name, "arguments": arguments},
        }
        if identity is not None:
            part["id"] = identity
        if indexed:
            part["index"] = i
        made.append(part)
    return made


def _usage(tokens: int) -> dict[str, int]:
    return {"prompt_tokens": tokens, "completion_tokens": tokens, "total_tokens": 2 * tokens}


def _completion(step: Step, body: dict[str, Any], tokens: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": step.text}
    if step.calls:
        message["tool_calls"] = _tool_calls(step, indexed=False)
    answer: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": body.get("model", "fake"),
        "choices": [{"index": 0, "message": message, "finish_reason": _reason(step)}],
    }
    if step.usage:
        answer["usage"] = _usage(tokens)
    return answer


def _reason(step: Step) -> str:
    return step.finish_reason or ("tool_calls" if step.calls else "stop")


def _events(
    step: Step, body: dict[str, Any], tokens: int, wants_usage: bool
) -> Iterator[dict[str, Any]]:
    def event(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": body.get("model", "fake"),
            "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
        }

    yield event({"role": "assistant", "content": ""})
    words = (step.text or "").split(" ")
    for i, word in enumerate(words):
        if word or i:
            yield event({"content": word if i == 0 else " " + word})
    for part in _tool_calls(step, indexed=True):
        # Arguments come in two pieces, as real servers cut them.
        text = part["function"]["arguments"]
        half = len(text) // 2
        yield event(
            {
                "tool_calls": [
                    {
                        **part,
                        "function": {"name": part["function"]["name"], "arguments": text[:half]},
                    }
                ]
            }
        )
        rest = {"index": part["index"], "function": {"arguments": text[half:]}}
        yield event({"tool_calls": [rest]})
    yield event({}, _reason(step))
    if step.usage and wants_usage:
        yield {**event({}), "choices": [], "usage": _usage(tokens)}
