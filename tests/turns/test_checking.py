"""The check in a turn: verdicts reach the state, the JSON, and the stored turn."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from turns.scripted import ScriptedModel, says

from arxivscout.agent.services import Services
from arxivscout.app import Scout
from arxivscout.errors import UsageError
from arxivscout.ingest import ingest_papers
from arxivscout.papers import Paper

Make = Callable[..., tuple[Scout, ScriptedModel]]
QUESTION = "What explains the rotation of galaxies?"
MOND = "Modified Newtonian dynamics is reviewed as an alternative to dark matter"


def test_a_verdict_reaches_the_answer_its_json_and_the_stored_turn(scripted: Make) -> None:
    scout, _ = scripted(
        says(
            f"{MOND} [arXiv:2505.21638]. Smith et al. rectify the cache in 42 % of steps "
            "[arXiv:2506.04108]."
        )
    )
    answer = scout.ask(QUESTION)
    good, bad = answer.citations
    assert (good.verdict, good.passage, good.problems) == ("supported", f"{MOND}.", ())
    assert (good.authors, good.year) == (("Harry Desmond",), "2025")
    assert bad.verdict == "unsupported"
    assert [line.partition(" does")[0] for line in bad.problems] == [
        "the number 42 %",
        "Smith is no author of the paper",
    ]
    told = answer.to_json()["citations"]
    assert told[0]["verdict"] == "supported" and told[0]["passage"] == good.passage
    assert told[1]["problems"] == list(bad.problems)
    assert "check" in answer.timings_ms
    assert scout.why(1) == good and scout.why(2) == bad, "read from the stored turn"


def test_why_needs_a_footnote(scripted: Make) -> None:
    scout, _ = scripted(says(f"{MOND} [arXiv:2505.21638]."))
    with pytest.raises(UsageError, match="no answer yet"):
        scout.why(1)
    scout.ask(QUESTION)
    with pytest.raises(UsageError, match="no footnote 2: the last answer cites 1 paper"):
        scout.why(2)


def test_withdrawn_papers_and_older_versions_are_told(scripted: Make, services: Services) -> None:
    held = Paper(
        arxiv_id="1003.0904",
        title="Dark Matter Candidates",
        abstract="Axions and sterile neutrinos are candidates for dark matter.",
        version=3,
    )
    ingest_papers(services.database, services.embedder, [held])
    scout, _ = scripted(
        says(
            "Axions are candidates for dark matter [arXiv:1003.0904v1]. Paths of a quantum "
            "computer are brought together [arXiv:quant-ph/9705017]."
        )
    )
    older, withdrawn = scout.ask(QUESTION).citations
    assert older.problems == ("superseded: v3 is held, v1 was cited",)
    assert withdrawn.problems == ("withdrawn",)


def test_an_answer_that_cites_nothing_is_told(scripted: Make) -> None:
    scout, _ = scripted(
        says("Dark energy drives the accelerated expansion of the whole observable universe today.")
    )
    assert scout.ask(QUESTION).problems == [
        "the answer cites no paper: nothing that is held bears it out"
    ]


def test_the_extractive_answer_is_borne_out(scout: Scout) -> None:
    answer = scout.ask("What is known about modified Newtonian dynamics?")
    assert {each.verdict for each in answer.citations} == {"supported"}
    assert answer.problems == []
