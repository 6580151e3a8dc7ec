"""What went wrong at a chat model's provider, told from the exception alone.

Providers have their own exception classes. They agree on little: an HTTP status somewhere on the
error or its response, and class names. Both are read here without importing any provider.
"""

from __future__ import annotations

import email.utils
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from arxivscout.errors import ModelError
from arxivscout.redaction import SECRET, hidden, redacted

Kind = Literal[
    "key", "model", "rate", "quota", "context", "tools", "request", "server", "connection",
    "timeout", "broken", "unreadable", "empty", "unknown",
]  # fmt: skip

# Asking again can help with these only; the rest answer the same every time.
PASSING: frozenset[Kind] = frozenset(
    {"rate", "server", "connection", "timeout", "broken", "unreadable"}
)

# Where a model is set up; the environment and config.toml win over it.
_SET_UP = "`arxivscout setup`, or ARXIVSCOUT_MODEL and its like if they are set"

_CONTEXT = re.compile(
    r"context[ _](length|window|size|overflow)|contextoverflow|too many (input )?tokens"
    r"|(prompt|input|request) is too (long|large)|exceed\w* .{0,40}\b(context|token limit)"
    r"|requested tokens|maximum (model|context|input|sequence) length"
    r"|exceed\w* the (maximum|max) (number of )?(input )?tokens|exceed_context_size",
    re.IGNORECASE,
)
# How much a model reads, as OpenAI and vLLM, llama.cpp, Anthropic, Gemini and Mistral say it.
_LIMIT = re.compile(
    r"maximum (?:context|model|input|sequence) length (?:is|of) (?P<openai>[\d,]+)"
    r"|context size \(?(?P<llama>[\d,]+)|\"?n_ctx['\"]?\s*[:=]\s*(?P<n_ctx>\d+)"
    r"|> (?P<anthropic>[\d,]+)(?: maximum)?|tokens allowed \(?(?P<gemini>[\d,]+)"
    r"|model with (?P<mistral>[\d,]+) maximum context",
    re.IGNORECASE,
)
_NO_TOOLS = re.compile(
    r"not support (tool|function)|tool(s| use| choice)? (is|are) not support", re.I
)
_QUOTA = re.compile(r"insufficient_quota|exceeded your current quota|billing|credit balance", re.I)
_TIMEOUT = re.compile(r"time(d)?[ _]?out", re.IGNORECASE)
_CONNECTION = re.compile(
    r"connect|readerror|writeerror|networkerror|connection|dns|ssl", re.IGNORECASE
)
_BROKEN = re.compile(r"protocolerror|incompleteread|chunkedencoding|jsondecode|streamerror", re.I)
# What a library stumbles with over a reply that is not in its provider's form.
_STUMBLES = (ValueError, TypeError, LookupError, AttributeError, RecursionError, Warning)
# A key as providers quote it, cut or with stars in its middle: no shape that is told elsewhere.
_QUOTED_KEY = re.compile(r"\b(?:sk|pk|rk|gsk|xai|hf|AIza)[-_]?[A-Za-z0-9_\-*.]{8,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One failed call: what kind, in the provider's words, and how long it asked us to wait."""

    kind: Kind
    detail: str
    status: int | None = None
    retry_after_s: float | None = None
    limit: int | None = None  # tokens that the model reads, where it was refused for its length

    @property
    def passing(self) -> bool:
        """Whether asking again can help."""
        return self.kind in PASSING


class EmptyAnswer(ModelError):
    """The model said nothing, also when asked again; what was found can still be answered from."""


class ContextTooLong(ModelError):
    """What was sent is longer than the model reads; a shorter context can be tried.

    `limit`: the tokens that it reads, if its provider said so.
    """

    limit: int | None = None


def classify(
    error: BaseException, *, secrets: Iterable[str] = (), now: float | None = None
) -> Failure:
    """The failure that `error`, or what caused it, stands for.

    Args:
        error: whatever the provider's library raised.
        secrets: strings that must not appear in `detail`.
        now: the time as seconds since the epoch, for a Retry-After that gives a date.
    """
    chain = list(_causes(error))
    names = " ".join(base.__name__ for part in chain for base in type(part).__mro__[:3])
    status = next((found for part in chain if (found := _status(part)) is not None), None)
    raw = " ".join(str(error).split())
    detail = scrub(_message(error) or raw or type(error).__name__, secrets)
    wait = next((w for part in chain if (w := _retry_after(part, now)) is not None), None)
    kind = _kind(status, names, raw, chain)
    limit = stated_limit(raw) if kind == "context" else None
    return Failure(kind=kind, detail=detail, status=status, retry_after_s=wait, limit=limit)


def stated_limit(text: str) -> int | None:
    """How many tokens a model reads, out of its provider's refusal; None if that doesn't say."""
    found = _LIMIT.search(text)
    if found is None:
        return None
    digits = next(each for each in found.groups() if each).replace(",", "")[:9]
    return int(digits) if digits and 256 <= int(digits) <= 100_000_000 else None


def model_error(failure: Failure, name: str, attempts: int = 1) -> ModelError:
    """The one line a person reads when `name` can't answer: the cause, then the mend."""
    tried = f" after {attempts} attempts" if attempts > 1 else ""
    said = f" ({failure.detail})" if failure.detail else ""
    if failure.kind == "context":
        too_long = ContextTooLong(
            f"What was sent is longer than {name} reads{said}.",
            "Set ARXIVSCOUT_CONTEXT_WINDOW to the model's own size, or start a new thread.",
        )
        too_long.limit = failure.limit
        return too_long
    if failure.kind == "empty":
        return EmptyAnswer(
            f"{name} answered with nothing.",
            f"Try other words, or another model ({_SET_UP}).",
        )
    cause, mend = {
        "key": (
            f"{name} refused the key{said}.",
            f"Give another: {_SET_UP}, or the provider's own variable.",
        ),
        "model": (
            f"{name} is not known to its server{said}.",
            f"Check the model's name and its server's address: {_SET_UP}.",
        ),
        "quota": (
            f"The account of {name} has no quota left{said}.",
            f"Top it up, or choose another model: {_SET_UP}.",
        ),
        "rate": (
            f"{name} takes no more requests for now{tried}{said}.",
            "Wait a little, and ask again.",
        ),
        "tools": (
            f"{name} can't call tools{said}.",
            f"Choose a model that can: {_SET_UP}.",
        ),
        "request": (
            f"{name} refused the request{said}.",
            f"Ask again, or choose another model: {_SET_UP}.",
        ),
        "server": (f"The server of {name} failed{tried}{said}.", "Ask again in a while."),
        "connection": (
            f"{name} can't be reached{tried}{said}.",
            f"Check the network, and whether its server runs at the address given: {_SET_UP}.",
        ),
        "timeout": (
            f"{name} did not answer in time{tried}{said}.",
            "Ask again, or give it longer with ARXIVSCOUT_MODEL_TIMEOUT_S.",
        ),
        "broken": (f"The answer of {name} broke off{tried}{said}.", "Ask again."),
        "unreadable": (
            f"The answer of {name} can't be read{tried}{said}.",
            "Ask again; if it stays so, look at what stands behind its address.",
        ),
    }.get(
        failure.kind,
        (f"{name} failed{said}.", f"Ask again, or choose another model: {_SET_UP}."),
    )
    return ModelError(cause, mend)


def scrub(text: str, secrets: Iterable[str] = ()) -> str:
    """`text` on one line of at most 240 characters, with keys and passwords taken out."""
    line = hidden(" ".join(text.split()), secrets)
    line = redacted(_QUOTED_KEY.sub(SECRET, line)).rstrip(" .")
    return line if len(line) <= 240 else line[:239] + "…"


def _kind(status: int | None, names: str, raw: str, chain: list[BaseException]) -> Kind:
    if "ContextOverflow" in names or (
        status in (400, 413, 422, 500, None) and _CONTEXT.search(raw)
    ):
        return "context"
    if status in (401, 403):
        return "key"
    if status == 404:
        return "model"
    if status == 429:
        return "quota" if _QUOTA.search(raw) else "rate"
    if status == 408:
        return "timeout"
    if status in (409, 425):
        return "server"
    if status is not None and 400 <= status < 500:
        return "tools" if _NO_TOOLS.search(raw) else "request"
    if status is not None and status >= 500:
        return "server"
    # No status: it never got so far, or broke on the way.
    if _TIMEOUT.search(names) or any(isinstance(part, TimeoutError) for part in chain):
        return "timeout"
    if _BROKEN.search(names):
        return "broken"
    if _CONNECTION.search(names) or any(isinstance(part, OSError) for part in chain):
        return "connection"
    if "APIError" in names:  # an error event inside a stream that had begun with 200
        return "server"
    return "unreadable" if isinstance(chain[0], _STUMBLES) else "unknown"


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    part: BaseException | None = error
    while part is not None and id(part) not in seen:
        seen.add(id(part))
        yield part
        part = part.__cause__ or (None if part.__suppress_context__ else part.__context__)


def _status(error: BaseException) -> int | None:
    response = getattr(error, "response", None)
    for holder in (error, response):
        for name in ("status_code", "http_status", "code", "status"):
            value: Any = getattr(holder, name, None)
            value = getattr(value, "value", value)
            if isinstance(value, int) and 300 <= value < 600:
                return value
    if isinstance(response, dict):  # botocore keeps it in a dictionary
        value = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
        return value if isinstance(value, int) else None
    return None


def _message(error: BaseException) -> str:
    """The provider's own sentence, out of the body that the exception carries."""
    body: Any = getattr(error, "body", None)
    if isinstance(body, dict):
        inner = body.get("error", body)
        message = inner.get("message") if isinstance(inner, dict) else inner
        return message if isinstance(message, str) else ""
    return ""


def _retry_after(error: BaseException, now: float | None) -> float | None:
    """Seconds to wait by `retry-after-ms` or `Retry-After` (seconds or a date, RFC 9110 10.2.3)."""
    headers: Any = getattr(getattr(error, "response", None), "headers", None)
    if headers is None or not hasattr(headers, "get"):
        return None
    try:
        if (ms := headers.get("retry-after-ms")) is not None:
            return max(0.0, float(ms) / 1000)
        if (value := headers.get("retry-after")) is None:
            return None
        if re.fullmatch(r"\s*\d+(\.\d+)?\s*", value):
            return float(value)
        at = email.utils.parsedate_to_datetime(value).timestamp()
        return max(0.0, at - (time.time() if now is None else now))
    except (TypeError, ValueError):
        return None
