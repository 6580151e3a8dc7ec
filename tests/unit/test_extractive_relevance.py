"""What counts as relevant, on the starter papers with the real embedder."""

from __future__ import annotations

import pytest
from extractive_world import embedder, search, starter

from arxivscout.llm.extractive_answer import RELEVANT
from arxivscout.llm.relevance import MOST_TEXTS, judge
from arxivscout.papers import Paper

ON_TOPIC = [
    "What is known about black hole entropy?",
    "How are gamma-ray bursts made?",
    "Which particles could dark matter consist of?",
    "papers on graphene",
    "What is known about superconductors?",
    "How do quantum computers factor numbers?",
    "language models",
    "gaps between primes",
    "atmospheres of exoplanets",
    "how do epidemics spread?",
]
OFF_TOPIC = [
    "best recipe for lasagna",
    "cooking recipes",
    "bitcoin price today",
    "Who won the football world cup?",
    "How do I bake sourdough bread?",
    "cheap flights to Barcelona",
    "what should I wear to a wedding?",
    "how to train a puppy",
    "horoscope for today",
    "Is my landlord allowed to raise the rent?",
]


@pytest.mark.parametrize("question", ON_TOPIC)
def test_what_is_held_is_relevant(question: str) -> None:
    assert judge(question, search(question), embedder())[0].score >= RELEVANT


@pytest.mark.parametrize("question", OFF_TOPIC)
def test_what_is_off_topic_is_not(question: str) -> None:
    assert judge(question, search(question), embedder())[0].score < RELEVANT - 0.2


class Counting:
    """Counts the texts that the real embedder is given."""

    def __init__(self) -> None:
        self.texts = 0

    def embed_query(self, text: str) -> list[float]:
        return embedder().embed_query(text)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.texts += len(texts)
        return embedder().embed_documents(texts)


def test_the_work_is_bounded_whatever_was_found() -> None:
    long = Paper(
        arxiv_id="0704.0001", title="Long", abstract="A sentence about dark matter. " * 9_000
    )
    counting = Counting()
    judge("dark matter", [long, *starter()], counting)  # type: ignore[arg-type]
    assert counting.texts <= MOST_TEXTS
    assert judge("", list(starter()[:2]), embedder()) == []
    assert judge("dark matter", [], embedder()) == []


def test_an_empty_abstract_is_judged_by_its_title() -> None:
    paper = Paper(arxiv_id="0704.0001", title="Dark matter in galaxies", abstract="")
    (one,) = judge("dark matter", [paper], embedder())
    assert one.score > RELEVANT and one.sentences == ()
