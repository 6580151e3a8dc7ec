"""What the check found amiss is kept with the turn, shown later, and judges the way of working."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from turns.scripted import ScriptedModel, calls, says

from arxivscout.app import Scout
from arxivscout.cli.footnotes import first_author, first_few
from arxivscout.errors import UsageError

Make = Callable[..., tuple[Scout, ScriptedModel]]
QUESTION = "What explains the rotation of galaxies?"
SEARCH = calls(("search_papers", {"query": "rotation of galaxies"}))
MOND = "Modified Newtonian dynamics is reviewed as an alternative to dark matter"
BARE = "Dark energy drives the accelerated expansion of the whole observable universe today."
NOTHING = "the answer cites no paper: nothing that is held bears it out"


def outcomes(scout: Scout) -> list[str]:
    with scout.history._transaction() as conn:
        found = conn.execute("SELECT outcome FROM workflow_memory ORDER BY created_at").fetchall()
    return [row[0] for row in found]


def test_problems_are_stored_exported_and_copied_with_the_thread(scripted: Make) -> None:
    scout, _ = scripted(says(BARE))
    assert scout.ask(QUESTION).problems == [NOTHING]
    last = scout.history.last_exchange("default")
    assert last is not None and last.problems == [NOTHING]
    fork = scout.history.fork("default")
    (turn,) = json.loads(scout.history.export(fork, "json"))["turns"]
    assert turn["problems"] == [NOTHING]
    assert f"*{NOTHING}*" in scout.history.export("default", "md")
    assert NOTHING in scout.history.export("default", "html")


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (f"{MOND} [arXiv:2505.21638].", "success"),
        ("The bread of Paris rises by 42 % at night [arXiv:2505.21638].", "failure"),
        (
            f"{MOND} [arXiv:2505.21638]. The bread of Paris rises at night [arXiv:2506.04108].",
            "success",
        ),
        (BARE, "unknown"),
    ],
    ids=["borne out", "not borne out", "partly", "without a paper"],
)
def test_a_way_of_working_is_judged_by_what_the_papers_bear_out(
    scripted: Make, answer: str, outcome: str
) -> None:
    scout, _ = scripted(SEARCH, says(answer))
    scout.ask(QUESTION)
    assert outcomes(scout) == [outcome]


def test_a_search_that_found_nothing_to_quote_is_no_success(scout: Scout) -> None:
    answer = scout.ask("What does a football player earn in Brazil?")
    assert answer.citations == [] and "not found in what I hold" in answer.answer
    assert outcomes(scout) == ["unknown"]


def test_what_is_saved_has_nothing_of_the_programs_own(scout: Scout) -> None:
    scout.ask("I do not want papers older than 2005")
    answer = scout.ask("What is known about modified Newtonian dynamics?", thread_id="new")
    assert "Searched since 2005 only, as you prefer." in answer.answer
    scout.history.saved("new")
    found = scout.memories("finding")  # what was saved, and maybe already what was learned
    lines = [line for each in found for line in each.text.splitlines()]
    assert lines and all(line.endswith("[arXiv:2505.21638]") for line in lines)
    scout.ask("What does a football player earn in Brazil?", thread_id="none")
    with pytest.raises(UsageError, match="quotes no paper"):
        scout.history.saved("none")


def test_of_many_problems_the_first_are_shown() -> None:
    assert first_few(["a", "b", "c"]) == ["a", "b", "c"]
    assert first_few(["a", "b", "a", "c", "d", "e"]) == ["a", "b", "c", "and 2 more"]
    assert first_few([]) == []


def test_two_authors_are_both_named() -> None:
    assert first_author(()) == ""
    assert first_author(("A. Cat",)) == "A. Cat"
    assert first_author(("A. Cat", "B. Dog")) == "A. Cat and B. Dog"
    assert first_author(("A. Cat", "B. Dog", "C. Hen")) == "A. Cat et al."
