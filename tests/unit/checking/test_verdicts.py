"""Verdicts of whole answers, with the real embedder."""

from __future__ import annotations

from dataclasses import replace

import pytest
from extractive_world import embedder
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arxivscout.checking.source import Source
from arxivscout.checking.verdicts import Checked, check_answer
from arxivscout.papers import Paper

DISC = Paper(
    arxiv_id="1307.0010",
    title="Tearing up the disc: misaligned accretion on to a binary",
    abstract="Simulates a gas disc that orbits a binary at an angle and shows that it tears into "
    "separate planes. Tearing can speed up accretion by as much as ten thousand times compared "
    "with an aligned disc, and is seen in 42 % of the runs.",
    authors=("Chris Nixon", "Andrew King", "Daniel Price"),
    categories=("astro-ph.HE",),
    published="2013-06-28",
    version=2,
)
MUSIC = Paper(
    arxiv_id="adap-org/9509001",
    title="Scalings of Pitches in Music",
    abstract="Maps the pitches of songs to random walks and finds power laws over long distances.",
    authors=("Yu Shi",),
    published="1995-09-05",
)
CITE = "[arXiv:1307.0010]"


def check(answer: str, *papers: Paper, **how: object) -> Checked:
    sources = {paper.arxiv_id: Source(paper) for paper in papers or (DISC,)}
    return check_answer(answer, sources, embedder().embed_array, **how)  # type: ignore[arg-type]


def clean(found: Checked) -> bool:
    return not found.problems and all(
        each.verdict in ("supported", "unchecked") and not each.problems
        for each in found.verdicts.values()
    )


@pytest.mark.parametrize(
    "answer",
    [
        f"A gas disc around a binary can be torn into separate planes {CITE}.",
        f"Nixon et al. (2013) find that tearing speeds up accretion {CITE}.",
        f"“Tearing can speed up accretion by as much as ten thousand times” {CITE}.",
        f"Accretion may be up to 10,000 times faster in a torn disc {CITE}.",
        f"- Tearing occurs in about 40 % of the runs {CITE}\n- It speeds up accretion {CITE}",
        f"| paper | share |\n|---|---|\n| Nixon, King and Price {CITE} | 42 % |",
        f"Il disco si strappa in piani separati nel 42 % delle simulazioni {CITE}.",
        f"The abstract does not say how massive the binary is {CITE}.",
        "Which of them do you mean?",
    ],
)
def test_faithful_answers_raise_no_alarm(answer: str) -> None:
    assert clean(check(answer))


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (f"Tearing is seen in 24 % of the runs {CITE}.", "the number 24 %"),
        (f"“Tearing can slow down accretion of the gas” {CITE}.", "the quotation"),
        (f"Frank Shu shows that the disc tears into separate planes {CITE}.", "Frank Shu"),
        (f"Il disco si strappa nel 24 % delle simulazioni {CITE}.", "the number 24 %"),
    ],
)
def test_facts_that_the_source_has_not(answer: str, problem: str) -> None:
    verdict = check(answer).verdicts["1307.0010"]
    assert verdict.verdict == "unsupported" and problem in " ".join(verdict.problems)
    assert verdict.passage in Source(DISC).passages, "verbatim"


def test_what_another_paper_says_is_not_supported() -> None:
    found = check(f"Pitches of songs follow power laws over long distances {CITE}.")
    assert found.verdicts["1307.0010"].verdict == "unsupported"
    assert "not supported by arXiv:1307.0010" in found.problems[0]


def test_a_wrong_fact_is_the_matter_of_the_part_that_has_it() -> None:
    found = check(
        f"Tearing is seen in 24 % of the runs {CITE}, and songs have power laws over long "
        "distances [arXiv:adap-org/9509001].",
        DISC,
        MUSIC,
    )
    assert found.verdicts["1307.0010"].verdict == "unsupported"
    assert found.verdicts["adap-org/9509001"].verdict == "supported"


def test_withdrawn_and_superseded_papers() -> None:
    said = f"A gas disc around a binary tears into separate planes {CITE}."
    withdrawn = check(said, replace(DISC, withdrawn=True)).verdicts["1307.0010"]
    assert withdrawn.verdict == "supported" and withdrawn.problems == ("withdrawn",)
    older = check(said, versions={"1307.0010": 1}).verdicts["1307.0010"]
    assert older.problems == ("superseded: v2 is held, v1 was cited",)
    assert check(said, versions={"1307.0010": 2}).verdicts["1307.0010"].problems == ()


def test_statements_that_cite_nothing_are_told_in_one_line() -> None:
    said = "Dark energy drives the accelerated expansion of the whole observable universe today."
    assert check(said).problems == ["the answer cites no paper: nothing that is held bears it out"]
    found = check(f"The disc tears into separate planes {CITE}.\n\n{said}")
    assert len(found.problems) == 1 and found.problems[0].startswith("1 sentence cites no paper")


def test_statements_beside_a_citation_that_are_of_no_paper_are_told() -> None:
    cited = f"The disc tears into separate planes {CITE}."
    false = (
        "The Higgs boson has a mass of 125 GeV. "
        "Supernovae were first seen by Galileo Galilei in 1492. "
        "Sterile bandages heal wounds within hours if they are soaked in vinegar."
    )
    (line,) = check(f"{cited} {false}").problems
    assert line == "3 sentences cite no paper: “The Higgs boson has a mass of 125 GeV.”"
    assert check(f"{false}\n\n{cited}").problems == [line]


@pytest.mark.parametrize("between", [" ", "\n\n"])
@pytest.mark.parametrize(
    "said",
    [
        "Hello! Happy to help.",
        "In short, tearing matters for accretion.",
        "These results rest on simulations alone.",
        "Both are viable, but neither has been observed so far.",
        "Nixon and King wrote it in 2013.",
        "Not found in what is held: anything on Mars.",
        "Your project Zebra was last discussed on Monday.",
    ],
)
def test_greetings_transitions_and_remarks_state_nothing(said: str, between: str) -> None:
    assert check(f"The disc tears into separate planes {CITE}.{between}{said}").problems == []


def test_what_the_person_said_is_repeated_without_a_paper() -> None:
    cited = f"The disc tears into separate planes {CITE}."
    talk = Source(Paper(arxiv_id="", title="", abstract="The Zebra deadline is 3 May in Oslo."))
    said = "The deadline of Zebra in Oslo is 3 May."
    assert check(f"{cited} {said}", conversation=talk).problems == []
    assert check(f"{cited} {said}").problems


def test_in_other_languages_nouns_are_no_names() -> None:
    said = (
        f"Die Scheibe ist nicht eben, und sie zerreißt in getrennte Ebenen {CITE}. "
        "Das wird auch in Rechnungen mit Magnetfeldern und bei Sternen gesehen."
    )
    assert check(said).problems == []


def test_a_number_beside_a_citation_is_checked_too() -> None:
    found = check(f"Tearing is seen in 24 % of the runs. It speeds up accretion {CITE}.")
    assert any("the number 24 %" in line for line in found.problems)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=200), st.text(max_size=100))
def test_no_text_breaks_the_check(before: str, after: str) -> None:
    found = check(f"{before} {CITE} {after}")
    assert set(found.verdicts) == {"1307.0010"}


@pytest.mark.parametrize(
    "said",
    [
        "Tearing reduces the rate of accretion of gas onto the binary.",
        "Tearing fails to increase the rate of accretion of gas onto the binary.",
        "It is false that tearing increases the rate of accretion of gas onto the binary.",
    ],
)
def test_a_claim_turned_round_is_weak(said: str) -> None:
    abstract = "Tearing increases the rate of accretion of gas onto the binary."
    paper = replace(DISC, title="Tearing of gas around a binary", abstract=abstract)
    assert check(f"{said[:-1]} {CITE}.", paper).verdicts["1307.0010"].verdict == "weak"
