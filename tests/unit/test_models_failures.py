"""Failures told from exceptions of providers that are not installed."""

from __future__ import annotations

import json

import pytest

from arxivscout.llm.failures import ContextTooLong, classify, model_error, scrub, stated_limit


class Response:
    """What an HTTP library hangs on its errors."""

    def __init__(self, status_code: int, **headers: str) -> None:
        self.status_code = status_code
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


def provider_error(name: str, message: str = "", **attributes: object) -> Exception:
    error = type(name, (Exception,), {})(message)
    for attribute, value in attributes.items():
        setattr(error, attribute, value)
    return error


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (provider_error("OverloadedError", status_code=529), "server"),
        (provider_error("ClientError", code=404), "model"),
        (provider_error("HTTPStatusError", response=Response(503)), "server"),
        (
            provider_error("BotoError", response={"ResponseMetadata": {"HTTPStatusCode": 403}}),
            "key",
        ),
        (provider_error("ReadTimeout"), "timeout"),
        (TimeoutError(), "timeout"),
        (ConnectionResetError(), "connection"),
        (provider_error("APIConnectionError"), "connection"),
        (caused(provider_error("APIConnectionError"), provider_error("ConnectTimeout")), "timeout"),
        (provider_error("RemoteProtocolError", "peer closed connection"), "broken"),
        (json.JSONDecodeError("bad", "", 0), "broken"),
        (
            provider_error("BadRequestError", "prompt is too long: 9 > 8", status_code=400),
            "context",
        ),
        (provider_error("RateLimitError", "slow down", status_code=429), "rate"),
        (provider_error("RateLimitError", "credit balance is too low", status_code=429), "quota"),
        (provider_error("Odd", "what"), "unknown"),
    ],
)
def test_kinds(error: Exception, kind: str) -> None:
    assert classify(error).kind == kind


def test_retry_after_as_seconds_milliseconds_and_date() -> None:
    def wait(**headers: str) -> float | None:
        error = provider_error("RateLimitError", response=Response(429, **headers))
        return classify(error, now=784111777.0).retry_after_s

    assert wait(retry_after="2") == 2.0
    assert wait(retry_after_ms="1500") == 1.5
    assert wait(retry_after="Sun, 06 Nov 1994 08:49:47 GMT") == 10.0
    assert wait(retry_after="Sun, 06 Nov 1994 08:00:00 GMT") == 0.0
    assert wait(retry_after="soon") is None
    assert wait() is None


@pytest.mark.parametrize(
    "text",
    [
        "Incorrect API key provided: sk-proj-abcDEF0123456789",
        "Authorization: Bearer abcdef0123456789",
        "GET https://host/v1?key=abcdef0123456789&x=1",
        "postgresql://user:abcdef0123456789@host/db",
        "the value given-secret-value was refused",
    ],
)
def test_no_secret_is_repeated(text: str) -> None:
    line = scrub(text, ["given-secret-value"])
    assert "[secret removed]" in line and "0123456789" not in line and "given-secret" not in line


def test_every_kind_makes_one_line_with_cause_and_mend() -> None:
    error = provider_error("Odd", "several\nlines " * 200, status_code=500)
    line = model_error(classify(error), "fake", 3)
    assert "\n" not in str(line) and len(str(line)) < 450
    assert line.mend and line.exit_code == 5


@pytest.mark.parametrize(
    ("said", "limit"),
    [
        (  # OpenAI
            "This model's maximum context length is 4096 tokens. However, your messages resulted "
            "in 8192 tokens. Please reduce the length of the messages.",
            4096,
        ),
        (  # vLLM
            "This model's maximum context length is 32,768 tokens. However, you requested 40000 "
            "tokens (39000 in the messages, 1000 in the completion).",
            32_768,
        ),
        (
            "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
            4096,
        ),
        (  # llama.cpp
            "the request exceeds the available context size (4096 tokens), try increasing it",
            4096,
        ),
        ("{'type': 'exceed_context_size_error', 'n_prompt_tokens': 9000, 'n_ctx': 8192}", 8192),
        ("the request exceeds the available context size. try increasing it", None),
        ("prompt is too long: 208310 tokens > 200000 maximum", 200_000),  # Anthropic
        (
            "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, "
            "decrease input length",
            200_000,
        ),
        (  # Gemini
            "The input token count (1048577) exceeds the maximum number of tokens allowed "
            "(1048576).",
            1_048_576,
        ),
        (  # Mistral
            "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 "
            "maximum context length",
            32_768,
        ),
        ("the input length exceeds the context length", None),  # Ollama
        ("context_length_exceeded", None),
    ],
)
def test_a_refusal_for_length_is_known_and_what_the_model_reads(
    said: str, limit: int | None
) -> None:
    failure = classify(provider_error("BadRequestError", said, status_code=400))
    assert (failure.kind, failure.limit) == ("context", limit)
    error = model_error(failure, "m")
    assert isinstance(error, ContextTooLong) and error.limit == limit


@pytest.mark.parametrize("said", ["", "context size 3", "> 0", "n_ctx: 99999999999999", "> ,,,"])
def test_a_limit_that_makes_no_sense_is_none(said: str) -> None:
    assert stated_limit(said) is None
