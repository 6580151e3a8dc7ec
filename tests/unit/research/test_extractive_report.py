"""What is quoted for real questions, out of the real papers of the starter collection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arxivscout.embedding import Embedder
from arxivscout.papers import Paper
from arxivscout.reports.report import Sentence
from arxivscout.research.disputes import disputed, open_problems
from arxivscout.research.evidence import Evidence
from arxivscout.research.extractive import brief, sections
from arxivscout.research.themes import themes
from arxivscout.research.vectors import Embed, Vectors
from arxivscout.research.weighing import JUDGING, MOST_QUOTED, relevant
from arxivscout.resources import folder
from arxivscout.sources.files import read_papers

QUESTION = "Do large language models reason and understand science?"


def of_papers(papers: Iterable[Paper], question: str = QUESTION) -> list[Evidence]:
    return [Evidence(paper, 0.5, (question,), question) for paper in papers]


@pytest.fixture(scope="module")
def embed(embedder: Embedder) -> Embed:
    return embedder.text_array


@pytest.fixture(scope="module")
def starter() -> list[Paper]:
    return [p for p in read_papers(folder("data") / "starter.jsonl") if isinstance(p, Paper)]


def found(starter: Sequence[Paper], embed: Embed, question: str, count: int = 12) -> list[Evidence]:
    """What a search would find: the papers that are nearest by meaning."""
    near = embed([paper.title for paper in starter]) @ embed([question])[0]
    return of_papers((starter[i] for i in np.argsort(-near)[:count]), question)


def verbatim(sentences: Iterable[Sentence], evidence: Sequence[Evidence]) -> bool:
    abstracts = {each.paper.arxiv_id: each.paper.abstract for each in evidence}
    return all(len(s.papers) == 1 and s.text in abstracts[s.papers[0]] for s in sentences)


def test_a_brief_answers_in_the_papers_own_sentences(starter: list[Paper], embed: Embed) -> None:
    evidence = found(starter, embed, QUESTION)
    said = brief(QUESTION, evidence, embed)
    assert 2 <= len(said) <= 5
    assert verbatim(said, evidence)
    assert len({s.text for s in said}) == len(said)
    assert "2604.25639" in {each for s in said for each in s.papers}  # on just this
    assert said == brief(QUESTION, evidence, embed)


def test_sections_follow_the_themes_and_repeat_nothing(starter: list[Paper], embed: Embed) -> None:
    evidence = found(starter, embed, QUESTION)
    papers = [each.paper for each in evidence]
    grouped = themes(papers, embed([paper.title for paper in papers]))
    made = sections(QUESTION, evidence, grouped.labels, grouped.names, embed)
    titles = [name.casefold() for name in grouped.names]
    assert made and all(section.title.casefold() in titles for section in made)
    label_of = {p.arxiv_id: n for p, n in zip(papers, grouped.labels, strict=True)}
    texts: list[str] = []
    for section in made:
        own = [s for paragraph in section.paragraphs for s in paragraph]
        assert 1 <= len(own) <= 8 and verbatim(own, evidence)
        assert {label_of[s.papers[0]] for s in own} == {titles.index(section.title.casefold())}
        texts += [s.text for s in own]
    assert len(texts) == len(set(texts))


@pytest.mark.parametrize("question", ["How to cook pasta carbonara?", "", "?", "Serie A transfers"])
def test_what_the_papers_do_not_answer_is_not_answered(
    starter: list[Paper], embed: Embed, question: str
) -> None:
    evidence = found(starter, embed, question or "?")
    assert brief(question, evidence, embed) == ()
    assert sections(question, evidence, [0] * len(evidence), ["all"], embed) == ()
    assert disputed(question, evidence, embed) == open_problems(question, evidence, embed) == ()


OWLS = Paper(
    arxiv_id="2301.00001",
    title="How owls sleep in winter",
    abstract="Whether owls sleep less in winter is still debated. We find that owls sleep a fifth "
    "less in winter than in summer. Why owls sleep less in winter remains unknown. "
    "Our code for the sleep of owls is available at https://example.org/owls. "
    "As shown in [arXiv:9999.99999] the sleep of owls in winter is deep.",
)
LOUD = Paper(
    arxiv_id="2301.00002",
    title="The sleep of loud owls in winter",
    abstract="We show that loud owls sleep longer in winter, contrary to previous studies of owls. "
    "How owls sleep in a storm of winter is left for future work.",
)


def test_disputed_and_open_are_told_apart_and_one_a_paper(embed: Embed) -> None:
    evidence = of_papers([OWLS, LOUD], "How do owls sleep in winter?")
    told = disputed("How do owls sleep in winter?", evidence, embed)
    assert {s.text for s in told} == {
        "Whether owls sleep less in winter is still debated.",
        "We show that loud owls sleep longer in winter, contrary to previous studies of owls.",
    }
    still_open = open_problems("How do owls sleep in winter?", evidence, embed)
    assert {s.text for s in still_open} == {
        "Why owls sleep less in winter remains unknown.",
        "How owls sleep in a storm of winter is left for future work.",
    }


def test_a_finding_comes_before_what_is_only_debated(embed: Embed) -> None:
    said = brief("Do owls sleep less in winter?", of_papers([OWLS]), embed)
    assert said[0].text.startswith("We find that owls")
    texts = " ".join(s.text for s in said)
    assert "https" not in texts and "9999.99999" not in texts


def test_withdrawn_papers_are_never_quoted(embed: Embed) -> None:
    withdrawn = Paper(**{f: getattr(OWLS, f) for f in ("arxiv_id", "title", "abstract")},
                      withdrawn=True)  # fmt: skip
    assert brief("How do owls sleep in winter?", of_papers([withdrawn]), embed) == ()


def test_what_is_on_something_else_is_told_apart(starter: list[Paper], embed: Embed) -> None:
    question = "How do owls sleep in winter?"
    evidence = of_papers([*starter[:8], OWLS, *starter[8:16], LOUD], question)
    assert [each.paper for each in relevant(question, evidence, embed)] == [OWLS, LOUD]


def test_of_each_paper_a_few_sentences_are_embedded_chosen_by_their_words(
    starter: list[Paper], embed: Embed
) -> None:
    """Embedding is most of a job's work, and the report is made of few sentences."""
    made: set[str] = set()

    def counted(texts: list[str]) -> Vectors:
        made.update(texts)
        return embed(texts)

    evidence = found(starter, embed, QUESTION)
    long = sum(len(each.paper.abstract.split(". ")) for each in evidence)
    kept = relevant(QUESTION, evidence, counted)
    assert len(made) <= 1 + len(evidence) * (1 + JUDGING)
    made.clear()
    brief(QUESTION, kept, counted)
    sections(QUESTION, kept, [0] * len(kept), ["all"], counted)
    assert len(made) <= 1 + len(kept) * (1 + JUDGING + MOST_QUOTED)
    assert len(made) < long


def by_letters(texts: list[str]) -> Vectors:
    """Vectors of a text's letters: a cheap embedder for any text."""
    rows = np.zeros((len(texts), 32), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        for letter in text:
            row[ord(letter) % 32] += 1
    return rows


abstracts = st.one_of(
    st.sampled_from(["", "?", OWLS.abstract, LOUD.abstract, "We show $x$ [arXiv:2301.00001]."]),
    st.text(max_size=200),
)


@settings(max_examples=40)
@given(st.text(max_size=60), st.lists(abstracts, max_size=8), st.integers(1, 3))
def test_any_papers_give_verbatim_sentences_or_none(
    question: str, given_abstracts: list[str], groups: int
) -> None:
    evidence = of_papers(
        Paper(arxiv_id=f"2301.{i:05}", title=text[:30], abstract=text)
        for i, text in enumerate(given_abstracts)
    )
    labels = [i % groups for i in range(len(evidence))]
    made = sections(question, evidence, labels, ["a", "b", "c"][:groups], by_letters)
    told = [
        *brief(question, evidence, by_letters),
        *disputed(question, evidence, by_letters),
        *open_problems(question, evidence, by_letters),
        *(s for section in made for paragraph in section.paragraphs for s in paragraph),
    ]
    assert verbatim(told, evidence)
