"""A preference said in one process and thread shapes answers in others, and nobody else's."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from turns.settled import settle
from warm import WarmCommands

from arxivscout.agent.services import Services
from arxivscout.app import Scout
from arxivscout.papers import Paper

SIMULATED = Paper(
    arxiv_id="0704.0261",
    title="Constraints on the Self-Interaction Cross-Section of Dark Matter from Numerical "
    "Simulations of the Merging Galaxy Cluster 1E 0657-56",
    abstract="Numerical simulations of merging galaxy clusters limit how strongly dark matter "
    "interacts with itself.",
    categories=("astro-ph",),
    published="2007-04-02",
)
Check = Callable[[str, list[str]], bool]


def without(arxiv_id: str) -> Check:
    return lambda text, cited: arxiv_id not in cited and "Left out" in text


MESONS = "What is known about quantum teleportation of neutral mesons?"
GALAXIES = "Which observations of galaxies does modified dynamics explain?"
CLUSTERS = "What do merging galaxy clusters tell us?"
KINDS: dict[str, tuple[str, Check, list[str]]] = {
    "dates": (
        MESONS,
        without("0712.2288"),
        [
            "I do not want papers older than 2015",
            "Please skip anything before 2018.",
            "From now on only show me papers from 2020 onwards",
            "Only recent papers from now on, please.",
            "I only read papers from the last five years.",
            "Non voglio articoli prima del 2015",
            "D'ora in poi solo articoli dal 2019 in poi",
        ],
    ),
    "topics": (
        GALAXIES,
        without("2505.21638"),
        [
            "I'm not interested in dark matter",
            "Leave out papers on dark matter from now on",
            "Please don't show me papers about dark matter.",
            "I never want to see dark matter papers",
            "I'd rather not see anything on dark matter",
        ],
    ),
    "methods": (
        CLUSTERS,
        without("0704.0261"),
        [
            "No simulations please, from now on",
            "Please avoid numerical simulations from now on",
            "I don't trust simulations, leave them out",
            "I avoid simulations, because the last project went badly",
            "Don't show me work based on simulations.",
        ],
    ),
    "authors": (
        GALAXIES,
        without("2505.21638"),
        [
            "Never show me papers by Harry Desmond",
            "Please leave out papers by Harry Desmond from now on",
            "I don't want to see anything by Harry Desmond",
            "Skip papers by Harry Desmond, please.",
            "I do not trust the work of Harry Desmond, leave it out",
        ],
    ),
    "language": (
        MESONS,
        lambda text, cited: "You prefer Italian" in text and bool(cited),
        [
            "Always answer in Italian",
            "Please reply in Italian from now on",
            "I prefer answers in Italian.",
            "Rispondimi sempre in italiano",
            "From now on, write to me in Italian",
        ],
    ),
    "style": (
        GALAXIES,
        lambda text, cited: text.split("\n\n")[1].startswith("- "),
        [
            "Please use bullet points",
            "I like answers as bullet points",
            "Always give me bullet lists",
            "From now on use bullet points in your answers",
            "Usa sempre elenchi puntati",
        ],
    ),
}
CONTROLS = [
    "What papers before 2015 discuss teleportation?",
    "Why do people prefer transformers?",
    "The authors prefer Bayesian methods to simulations.",
    "My colleague does not like dark matter papers.",
    "I don't mind old papers.",
    "Find papers since 2020 on graphene",
    "Is there a summary in Italian of this work?",
    "Who is not interested in dark matter?",
]


@pytest.mark.parametrize("kind", KINDS)
def test_every_wording_shapes_answers_in_another_thread(services: Services, kind: str) -> None:
    question, shaped, wordings = KINDS[kind]
    Scout(services, "anybody").ingest([SIMULATED])
    plain = Scout(services, "nobody").ask(question)
    assert not shaped(plain.answer, [each.arxiv_id for each in plain.citations])
    missed = []
    for wording in wordings:
        scout = Scout(services, wording[:40])
        scout.ask(wording, thread_id="one")
        answer = scout.ask(question, thread_id="two")
        if not shaped(answer.answer, [each.arxiv_id for each in answer.citations]):
            missed.append((wording, answer.answer))
    assert not missed
    again = Scout(services, "nobody").ask(question, thread_id="later")
    assert again.citations == plain.citations


def test_there_are_thirty_wordings() -> None:
    assert sum(len(wordings) for _, _, wordings in KINDS.values()) >= 30


@pytest.mark.parametrize("saying", CONTROLS)
def test_what_is_no_preference_is_not_kept_as_one(services: Services, saying: str) -> None:
    scout = Scout(services, "tester")
    scout.ask(saying)
    settle(scout)
    assert scout.memories("preference") == []


def test_a_preference_crosses_processes_but_not_people(
    services: Services, environment: dict[str, str], warm: WarmCommands
) -> None:
    def ask(user: str, thread: str, question: str) -> dict[str, object]:
        whose = ["--user", user, "--thread", thread]
        done = warm.run(["-m", "arxivscout", "ask", question, "--json", *whose], environment)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)  # type: ignore[no-any-return]

    ask("ann", "one", "I do not want papers older than 2015")
    assert ask("ann", "two", MESONS)["citations"] == []
    assert ask("bea", "two", MESONS)["citations"] != []


def test_both_halves_of_a_preference_are_followed(scout: Scout) -> None:
    said = scout.ask("I prefer short answers, and papers after 2010.", thread_id="wishes")
    assert said.answer.endswith("I will follow it from now on.")
    answer = scout.ask(MESONS, thread_id="later")
    assert not answer.citations and "Left out 1 paper older than 2011" in answer.answer
    partly = scout.ask("I want short answers, and papers since 2005.", thread_id="wishes")
    assert "but for “papers since 2005”, which needs a chat model" in partly.answer


def test_what_is_left_out_is_no_reference_of_a_repeated_question(scout: Scout) -> None:
    first = scout.ask(MESONS, thread_id="monday")
    assert "0712.2288" in {each.arxiv_id for each in first.citations}
    scout.ask("I only want papers published after 2010.", thread_id="wishes")
    for thread in ("tuesday", "wednesday"):
        again = scout.ask(MESONS, thread_id=thread)
        assert "Left out 1 paper older than 2011, as you prefer: 0712.2288." in again.answer
        assert "You asked this on" in again.answer
        assert "0712.2288" not in {each.arxiv_id for each in again.citations}


def test_a_short_answer_given_again_has_no_more_references_than_sentences(scout: Scout) -> None:
    question = "What is known about states, galaxies and modified dynamics?"
    scout.ask(question, thread_id="monday")
    scout.ask("I prefer short answers.", thread_id="wishes")
    again = scout.ask(question, thread_id="tuesday")
    assert "You asked this on" in again.answer
    assert 0 < len(again.citations) <= 2
