"""Questions about the papers of the last answer: records, places, and "tell me more"."""

from __future__ import annotations

from dataclasses import replace

import pytest
from extractive_world import found, play
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from arxivscout.context.followup import last_cited, last_shown, standalone
from arxivscout.llm.record_questions import asks_comparison, asks_more, asks_record, asks_record_of
from arxivscout.papers import Paper
from arxivscout.papers.places import names_place, papers_at

TOPIC = "What is known about dark matter?"
FIRST = Paper(
    arxiv_id="1501.00001", title="Halos", abstract="Dark matter forms halos.",
    authors=("Ada Byron",), categories=("hep-ph",), published="2015-01-02",
)  # fmt: skip
SECOND = Paper(
    arxiv_id="1203.0002", title="Axions", abstract="Axions may be dark matter.",
    categories=("hep-ph",), published="2012-03-04",
)  # fmt: skip
PAPERS = {paper.arxiv_id: paper for paper in (FIRST, SECOND)}
READ = {"read_paper": lambda arxiv_id: found([PAPERS[arxiv_id]])}
ANSWER = "It forms halos [arXiv:1501.00001]. Axions [arXiv:1203.0002].\nLeft out 1: 0901.0003."
THREAD: list[BaseMessage] = [HumanMessage(TOPIC), AIMessage(ANSWER)]
CITED = ["1501.00001", "1203.0002"]


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("And which of them is newest?", "newest"),
        ("Which one is the oldest?", "oldest"),
        ("Who wrote it?", "authors"),
        ("chi lo ha scritto?", "authors"),
        ("Who are the authors of [1] and [2]?", "authors"),
        ("When was it published?", "date"),
        ("When was 0712.2288 published?", "date"),
        ("Which category is it in?", "subjects"),
        ("Show me the latest papers", None),
        ("When was the Higgs boson discovered?", None),
        ("What did the authors conclude?", None),
        ("Why?", None),
        (TOPIC, None),
    ],
)
def test_what_a_record_is_asked_for(question: str, fact: str | None) -> None:
    assert asks_record(question) == fact


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Compare them", True),
        ("Compare the first and the second", True),
        ("Please compare these papers side by side.", True),
        ("How do they differ?", True),
        ("What is the difference between [1] and [2]?", True),
        ("What are the differences between their methods?", True),
        ("compare arXiv:0712.2288 with hep-th/9901001v2", True),
        ("Confronta i due articoli", True),
        ("Compare BERT and GPT-2", False),
        ("How do neutrinos differ from antineutrinos?", False),
        ("What is known about differential equations?", False),
        ("Which of them is the newest?", False),
        ("", False),
    ],
)
def test_papers_are_to_be_compared_and_nothing_beside_it(question: str, asked: bool) -> None:
    assert asks_comparison(question) is asked


@pytest.mark.parametrize(
    "question",
    ["Tell me more", "go on", "more", "Please continue.", "explain", "altro?", "and more?",
     "Tell me more about it", "Can you explain?", "dimmi di più"],
)  # fmt: skip
def test_what_has_no_content_goes_on_from_the_thread(question: str) -> None:
    assert asks_more(question)
    assert standalone(question, [TOPIC]) == TOPIC
    shown = f"{TOPIC} (arXiv:1501.00001, arXiv:1203.0002)"
    assert standalone(question, [TOPIC, "go on"], CITED) == shown
    assert standalone(question, []) == question


@pytest.mark.parametrize("question", ["explain dark matter", "more papers on axions", TOPIC])
def test_what_has_content_does_not(question: str) -> None:
    assert not asks_more(question)


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("Summarize paper 1", [0]),
        ("Compare papers 1 and 2", [0, 1]),
        ("What are the limits of [1]?", [0]),
        ("Compare [2] with [1]", [1, 0]),
        ("Compare the first two papers", [0, 1]),
        ("the last paper?", [1]),
        ("Summarize paper 9", []),
        ("What does [0] say?", []),
    ],
)
def test_papers_are_meant_by_their_footnote(question: str, meant: list[int]) -> None:
    assert names_place(question)
    assert papers_at(question, CITED) == [CITED[place] for place in meant]


@pytest.mark.parametrize(
    "question", ["a paper 10 years ago", "Is number 2 prime?", "papers 2015", "the first law"]
)
def test_other_numbers_mean_no_paper(question: str) -> None:
    assert not names_place(question) and papers_at(question, CITED) == []


def test_the_last_answer_is_the_one_that_is_about_papers() -> None:
    said = [("user", TOPIC), ("assistant", ANSWER)]
    assert last_shown(said) == CITED, "what is left out is not shown"
    wish = [("user", "I prefer short answers."), ("assistant", "Stored.")]
    assert last_shown([*said, *wish]) == CITED
    refused = [*said, ("user", "lasagna?"), ("assistant", "not found")]
    assert last_shown(refused) == [] and last_cited(refused) == CITED, "footnotes stay"


def test_the_newest_and_the_authors_are_told_from_the_records() -> None:
    def asked(question: str) -> str:
        shown = standalone(question, [TOPIC], CITED)
        return play(question, READ, earlier=THREAD, question_understood_as=[f"- {shown}"]).answer

    assert "The newest of these 2 is Halos [arXiv:1501.00001]: 2015-01-02." in asked(
        "And which of them is newest?"
    )
    assert "The oldest of these 2 is Axions [arXiv:1203.0002]" in asked("Which one is the oldest?")
    wrote = asked("Who wrote it?")
    assert "Halos [arXiv:1501.00001]: Ada Byron." in wrote
    assert "Axions [arXiv:1203.0002]: the record names no authors." in wrote
    more = asked("Tell me more")
    assert "Dark matter forms halos. [arXiv:1501.00001]" in more and "Ada Byron" in more
    assert "Axions" not in asked("Summarize paper 1")


def test_a_tie_is_told_as_a_tie() -> None:
    same = replace(SECOND, published=FIRST.published)
    held = {paper.arxiv_id: paper for paper in (FIRST, same)}
    third = replace(SECOND, arxiv_id="1001.0003", title="Strings", published="2010-01-02")

    def asked(question: str, *papers: Paper) -> str:
        known = {paper.arxiv_id: paper for paper in papers}
        shown = standalone(question, [TOPIC], list(known))
        read = {"read_paper": lambda arxiv_id: found([known[arxiv_id]])}
        return play(question, read, earlier=THREAD, question_understood_as=[f"- {shown}"]).answer

    both = asked("Which of them is newer?", *held.values())
    assert "Both are of 2015-01-02: none is the newest." in both
    assert "Halos" in both and "Axions" in both
    two = asked("Which of them is newest?", *held.values(), third)
    assert "2 of these 3 are equally the newest, of 2015-01-02." in two
    assert "The oldest of these 3 is Strings" in asked("Which is oldest?", *held.values(), third)
    year = replace(SECOND, published="2015")
    assert "Both are of dates that tell no order" in asked("Which is older?", FIRST, year)


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("Who wrote Sterile neutrinos at the CNGS?", "authors"),
        ("who wrote “sterile neutrinos at the cngs”?", "authors"),
        ("Who are the authors of the paper sterile neutrinos at CNGS", "authors"),
        ("When was 'Sterile Neutrinos at the CNGS' published?", "date"),
        ("Which category is Sterile neutrinos at the CNGS in?", "subjects"),
        ("What is known about sterile neutrinos at the CNGS?", None),
        ("Who discovered sterile neutrinos at the CNGS?", None),
        ("Who proposed sterile neutrinos?", None),
    ],
)
def test_a_record_is_asked_for_by_title(question: str, fact: str | None) -> None:
    assert asks_record_of(question, "Sterile neutrinos at the CNGS") == fact


def test_a_subject_is_no_title() -> None:
    assert asks_record_of("How old is dark energy?", "Dark energy") is None
    assert asks_record_of("Who wrote about axions?", "Axions") is None
    assert asks_record_of("Who wrote “Axions”?", "Axions") == "authors"


def test_the_paper_named_by_its_title_tells_its_record() -> None:
    turn = play("Who wrote Sterile neutrinos at the CNGS?")
    assert turn.names == ["search_papers"]
    assert "Sterile neutrinos at the CNGS [arXiv:0704.0388]: " in turn.answer
    assert turn.answer.startswith("Extractive answer (no chat model is set): from the records.")


@pytest.mark.parametrize("question", ["Tell me more", "Summarize paper 1", "Who wrote it?"])
def test_in_a_fresh_thread_there_is_nothing_to_go_on_from(question: str) -> None:
    turn = play(question)
    assert turn.calls == [] and "nothing in this thread to go on from" in turn.answer


def test_a_place_that_the_last_answer_has_not_is_said() -> None:
    turn = play("Summarize paper 9", earlier=THREAD)
    assert turn.calls == [] and "no paper of that place or number" in turn.answer


def test_a_remembered_date_alone_makes_nothing_relevant() -> None:
    wish = "- 2026-11-29 (id a1, thread x): I do not want papers older than 2015"
    turn = play("show me something please", preferences=[wish])
    assert "not found in what I hold" in turn.answer and "[arXiv:" not in turn.answer


CLUSTER = Paper(
    arxiv_id="0704.0261",
    title="Merging clusters",
    abstract="Simulations of clusters that merge are compared with their images. "
    "Assuming equal ratios before the collision tightens the limit to 0.7 cm^2/g.",
)


@pytest.mark.parametrize("more", ["", " The method does not apply to slow mergers."])
def test_a_bound_is_not_told_as_a_limitation(more: str) -> None:
    held = replace(CLUSTER, abstract=CLUSTER.abstract + more)
    question = "What are the limitations of arXiv:0704.0261?"
    answer = play(question, {"read_paper": lambda **given: found([held])}).answer
    assert ("states no limitation of it" in answer) is not bool(more)
    if more:
        assert f"{more.strip()} [arXiv:0704.0261]" in answer and "0.7" not in answer
