"""Jobs whose model fails in several parts at once."""

from __future__ import annotations

from pydantic import SecretStr
from trickling_server import STREAM, TricklingServer

from arxivscout.agent.batch import build_batch_graph
from arxivscout.agent.context import ScoutContext
from arxivscout.agent.services import Services
from arxivscout.llm.models import load_chat_model


def test_a_model_that_never_answers_ends_a_job_in_one_line(services: Services) -> None:
    with TricklingServer(STREAM, b": keepalive\n\n") as server:
        given = {
            "model": "slow",
            "model_base_url": server.url,
            "model_api_key": SecretStr("none"),
            "model_timeout_s": 0.5,
            "model_max_retries": 0,
        }
        services.settings = services.settings.model_copy(update=given)
        services.chat_model = lambda name: load_chat_model(
            services.settings.model_named(name), services.embedder
        )
        job = {
            "question": "What is known about quantum teleportation of neutral mesons?",
            "depth": 2,
        }
        result = build_batch_graph(services).invoke(
            job, context=ScoutContext(user="tester", ask=False)
        )
        assert server.asked > 1 and server.is_left()
    assert result["error"]["type"] == "ModelError"
    assert result["error"]["cause"].startswith("slow did not answer in time")
