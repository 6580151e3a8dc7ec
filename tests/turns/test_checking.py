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
    with pytest.raises(UsageError, match="no footnote 2: the last answer that cites has 1 paper"):
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


def test_what_the_extractive_model_says_of_memory_is_no_claim_of_a_paper(scout: Scout) -> None:
    question = "What is known about modified Newtonian dynamics?"
    scout.ask(question)
    again = scout.ask(question, thread_id="another")
    assert "You asked this on" in again.answer and f"(asked: “{question}”)" in again.answer
    assert {each.verdict for each in again.citations} == {"supported"}
    assert [each.problems for each in again.citations] == [()] * len(again.citations)
    assert again.problems == []


def test_a_list_of_memories_is_checked_against_no_paper(scout: Scout) -> None:
    scout.ask("Remember: dwarf galaxies rotate at 80 km/s, see arXiv:2505.21638")
    scout.ask("What is known about modified Newtonian dynamics?")
    for question in ("What do you remember about me?", "forget my name"):
        answer = scout.ask(question)
        assert answer.problems == []
        assert [each.problems for each in answer.citations] == [()] * len(answer.citations)


def test_what_a_chat_model_says_of_the_conversation_may_rest_on_it(scripted: Make) -> None:
    scout, _ = scripted(
        says(f"{MOND} [arXiv:2505.21638]."),
        says(f"You asked “{QUESTION}” before, and looked at one paper [arXiv:2505.21638]."),
        says("You asked “How far is Mars?” in 1987, and looked at a paper [arXiv:2505.21638]."),
        says(f"It says “{QUESTION}” in so many words [arXiv:2505.21638]."),
    )
    scout.ask(QUESTION)
    (remembered,) = scout.ask("What did I ask?").citations
    assert remembered.problems == () and remembered.verdict in ("supported", "unchecked")
    (made_up,) = scout.ask("What else did I ask?").citations
    assert [line.partition(" does")[0] for line in made_up.problems] == [
        "the number 1987",
        "the quotation “How far is Mars?”",
    ]
    (misquoted,) = scout.ask("Does it say so?").citations
    assert misquoted.problems, "the person's words are not the paper's"


def test_each_sentence_has_its_own_passage(scripted: Make) -> None:
    scout, _ = scripted(
        says(
            f"{MOND} [arXiv:2505.21638]. It measures 42 % of the bread in Paris [arXiv:2505.21638]."
        )
    )
    (cited,) = scout.ask(QUESTION).citations
    assert [each.verdict for each in cited.sentences] == ["supported", "unsupported"]
    assert cited.sentences[0].text == f"{MOND}." and cited.sentences[0].passage == f"{MOND}."
    assert cited.verdict == "unsupported" and cited.passage == cited.sentences[1].passage
    assert scout.why(1) == cited, "read from the stored turn"


def test_an_id_that_the_person_named_may_be_said_again(scripted: Make) -> None:
    scout, _ = scripted(
        says("arXiv:1706.03762 is not held here."),
        says("arXiv:1706.03762 is not held here (1706.03762 was asked for)."),
        says("Attention is all you need [arXiv:1706.03762]; so says arXiv:1706.99999."),
    )
    scout.ask("Tell me about 1706.03762")
    answer = scout.ask("What did you find on it?")
    assert answer.answer.strip() == "arXiv:1706.03762 is not held here (1706.03762 was asked for)."
    assert answer.degraded == [] and answer.citations == []
    cited = scout.ask("And what does it say?")
    assert "1706" not in cited.answer, "named or not, it is no paper to cite"


def test_the_extractive_model_says_again_what_is_not_held(scout: Scout) -> None:
    scout.ask("tell me about 1706.03762")
    answer = scout.ask("What did you find on it?")
    assert "taken out" not in answer.answer
    assert not any("taken out" in line for line in answer.degraded)
