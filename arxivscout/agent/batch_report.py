"""From a job's state to its report: sentences judged, papers with what is known of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from arxivscout.agent.batch_state import BatchState
from arxivscout.agent.services import Services
from arxivscout.checking.facts import shortened
from arxivscout.checking.source import Source
from arxivscout.checking.support import Embed
from arxivscout.checking.verdicts import LONGEST_SENTENCE, check_answer
from arxivscout.library.comparing import compare
from arxivscout.memory.evidence import known_before
from arxivscout.memory.passages import nearest_in_words
from arxivscout.papers import Paper, one_line
from arxivscout.papers.passages import Passage
from arxivscout.reports.report import (
    Comparison,
    Cost,
    Judgement,
    Report,
    ReportPaper,
    Search,
    Section,
    Sentence,
    Theme,
)
from arxivscout.research.disputes import disputed, open_problems
from arxivscout.research.evidence import Evidence

COMPARED = 5  # papers side by side
_WORST_FIRST: tuple[Judgement, ...] = ("unsupported", "weak", "unchecked", "supported")
NOT_FOUND = "Not found in what is held."
UNWANTED = "All that is held on this is left out, as you prefer."


def unquoted(section: Section) -> str:
    """The section as the text that the check and a model read, citations in brackets."""
    paragraphs = [" ".join(map(_with_citations, paragraph)) for paragraph in section.paragraphs]
    return "\n\n".join([*([f"## {section.title}"] if section.title else []), *paragraphs])


def excerpts_for(services: Services, parts: Sequence[Section]) -> dict[str, list[Passage]]:
    """Of the papers that each part cites, the full texts' passages nearest to it in words."""
    found: dict[str, dict[str, Passage]] = {}
    with services.database.shared() as conn:
        for part in parts:
            cited = dict.fromkeys(key for p in part.paragraphs for s in p for key in s.papers)
            if cited:
                for arxiv_id, passage in nearest_in_words(conn, list(cited), unquoted(part)):
                    found.setdefault(arxiv_id, {})[passage.text] = passage
    return {arxiv_id: list(passages.values()) for arxiv_id, passages in found.items()}


def judged(
    parts: Sequence[Section],
    papers: Mapping[str, Paper],
    excerpts: Mapping[str, Sequence[Passage]],
    embed: Embed,
) -> tuple[list[Section], list[str]]:
    """The parts with a verdict for each sentence, and what the check found, a line each.

    A sentence that stands word for word in all the papers that it cites is a quotation, and true
    to them; what else is said is compared as the chat's answers are.

    Args:
        excerpts: by paper, the passages of its full text that may bear the parts out.
    """
    texts = {key: one_line(f"{paper.title}\n{paper.abstract}") for key, paper in papers.items()}
    told = {
        sentence.text
        for part in parts
        for paragraph in part.paragraphs
        for sentence in paragraph
        if not _is_quoted(sentence, texts)
    }
    written = "\n\n".join(
        _with_citations(sentence)
        for part in parts
        for paragraph in part.paragraphs
        for sentence in paragraph
        if sentence.text in told
    )
    sources = {key: Source(each, tuple(excerpts.get(key, ()))) for key, each in papers.items()}
    found = check_answer(written, sources, embed)
    marks = {
        (key, each.text): each.verdict
        for key, verdict in found.verdicts.items()
        for each in verdict.sentences
    }
    problems = {key: verdict.problems for key, verdict in found.verdicts.items()}

    def mark(sentence: Sentence) -> Sentence:
        if sentence.text not in told:
            return sentence.model_copy(update={"verdict": "supported"})
        short = shortened(sentence.text, LONGEST_SENTENCE)
        verdicts = [marks.get((key, short), "unchecked") for key in sentence.papers]
        verdict = min(verdicts, key=_WORST_FIRST.index, default="unchecked")
        amiss = [
            line
            for key in sentence.papers
            for line in problems.get(key, ())
            if verdict != "supported"
        ]
        return sentence.model_copy(
            update={"verdict": verdict, "problems": tuple(dict.fromkeys(amiss))}
        )

    marked = [
        part.model_copy(update={"paragraphs": tuple(tuple(map(mark, p)) for p in part.paragraphs)})
        for part in parts
    ]
    return marked, found.problems


def assembled(
    services: Services, user: str, state: BatchState, papers: Mapping[str, Paper], embed: Embed
) -> Report:
    """The report of a job whose parts are there."""
    evidence = [each for each in state["evidence"] if each["arxiv_id"] in papers]
    checked = [Section(**each) for each in state["checked"]]
    brief = tuple(s for paragraph in checked[0].paragraphs for s in paragraph)
    sections = tuple(section for section in checked[1:] if section.paragraphs)
    turns = [UUID(each["turn_id"]) for each in state["findings"]]
    ids = [each["arxiv_id"] for each in evidence]
    asked_before, known = known_before(services.database, user, state["question"], ids, turns)
    merged = [
        Evidence(
            paper=papers[each["arxiv_id"]],
            score=each["score"],
            questions=tuple(each["questions"]),
            why=each["why"],
        )
        for each in evidence
    ]
    cited = {key for s in (*brief, *_sentences(sections)) for key in s.papers}
    best = [papers[key] for key in ids if not papers[key].withdrawn][:COMPARED]
    model = services.settings.model_named(state["model"])
    extractive = model.model == "extractive"
    started = datetime.fromisoformat(state["started_at"])
    usage = {} if extractive else state.get("usage", {})  # of the extractive model none are billed
    return Report(
        job_id=state["job_id"],
        question=state["question"],
        extractive=extractive,
        brief=brief,
        sections=sections,
        papers=tuple(_paper(papers[each["arxiv_id"]], each, known, cited) for each in evidence),
        themes=tuple(Theme(**each) for each in state["themes"]),
        comparison=_comparison(best, embed) if len(best) > 1 else Comparison(),
        disputed=tuple(disputed(state["question"], merged, embed)),
        open_questions=tuple(open_problems(state["question"], merged, embed)),
        trail=tuple(
            Search(**each)
            for finding in sorted(state["findings"], key=lambda each: int(each["place"]))
            for each in finding["trail"]
        ),
        known_before=asked_before,
        cost=Cost(
            model=state["model"],
            input_tokens=usage.get("input_tokens", 0),
            output_tokens=usage.get("output_tokens", 0),
            cost=model.cost(usage),
        ),
        started_at=started,
        seconds=round((datetime.now(UTC) - started).total_seconds(), 1),
        degraded=tuple(dict.fromkeys(state.get("degraded", ()))),
        problems=tuple(state["problems"]),
        preferences=tuple(state["preferences"]),
        not_found="" if brief or sections else UNWANTED if state["left_out"] else NOT_FOUND,
    )


def _paper(
    paper: Paper, found: Mapping[str, Any], known: Mapping[str, datetime], cited: set[str]
) -> ReportPaper:
    x, y = found["place"]
    return ReportPaper(
        arxiv_id=paper.arxiv_id,
        title=paper.title,
        authors=paper.authors,
        published=paper.published or "",
        categories=paper.categories,
        url=paper.url,
        withdrawn=paper.withdrawn,
        why=found["why"],
        score=round(found["score"], 4),
        theme=found["theme"],
        x=x,
        y=y,
        cited=paper.arxiv_id in cited,
        known_since=known.get(paper.arxiv_id),
    )


def _comparison(papers: Sequence[Paper], embed: Embed) -> Comparison:
    found = compare(papers, embed)
    return Comparison(
        papers=tuple(paper.arxiv_id for paper in papers),
        rows={row: tuple(cell.text for cell in cells) for row, cells in found.rows.items()},
    )


def _sentences(sections: Sequence[Section]) -> list[Sentence]:
    return [s for section in sections for paragraph in section.paragraphs for s in paragraph]


def _with_citations(sentence: Sentence) -> str:
    return " ".join([sentence.text, *(f"[arXiv:{key}]" for key in sentence.papers)])


def _is_quoted(sentence: Sentence, texts: Mapping[str, str]) -> bool:
    quote = one_line(sentence.text)
    return bool(sentence.papers) and all(quote in texts.get(key, "") for key in sentence.papers)
