"""Whether a model that a person sets up answers: one short request."""

from __future__ import annotations

import openai_server as fake
import pytest
from pydantic import SecretStr

from arxivscout.llm.failures import Failure, model_error
from arxivscout.llm.trying import try_model
from arxivscout.settings import ModelSettings


class NoEmbedder:
    """Stands where no vector is needed."""


def tried(base_url: str) -> str | None:
    model = ModelSettings(model="m", base_url=base_url, api_key=SecretStr("sk-secret-0123456789"))
    return try_model(model, NoEmbedder())  # type: ignore[arg-type]


def test_a_model_that_answers() -> None:
    with fake.OpenAIServer(fake.say("yes")) as server:
        assert tried(server.url) is None
        assert len(server.requests) == 1


def test_a_dead_address_and_a_refused_key_are_told() -> None:
    assert "can't be reached" in (tried("http://127.0.0.1:9/v1") or "")
    with fake.OpenAIServer(fake.status(401, "bad key sk-secret-0123456789")) as server:
        told = tried(server.url) or ""
    assert told.startswith("m refused the key")
    assert "sk-secret" not in told


@pytest.mark.parametrize("kind", ["key", "model", "quota", "tools", "connection", "request"])
def test_what_can_be_set_up_anew_names_the_command_for_it(kind: str) -> None:
    error = model_error(Failure(kind=kind, detail="", status=None), "m")  # type: ignore[arg-type]
    assert "`arxivscout setup`" in error.mend
    assert "`retry`" not in str(error)
