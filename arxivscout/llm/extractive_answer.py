"""An answer made of sentences that were found, cited, with nothing of its own but the frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arxivscout.llm.extractive_detail import NO_DETAIL, Detail, gives
from arxivscout.llm.extractive_filters import (
    LONGEST_TOPIC,
    Filters,
    query_of,
    shown_date,
)
from arxivscout.llm.extractive_quotes import pick_sentences
from arxivscout.llm.extractive_reading import Reading
from arxivscout.llm.extractive_searched import searched_in_vain
from arxivscout.llm.holdings import wants_all
from arxivscout.llm.record_questions import order_asked
from arxivscout.llm.relevance import Judged
from arxivscout.papers import Paper, cut_at_word
from arxivscout.papers.categories import within
from arxivscout.papers.language import MULTILINGUAL_EMBEDDER, language_of
from arxivscout.papers.rendering import LEFT_OUT
from arxivscout.preferences import Wishes, applies
from arxivscout.preferences.wishes import mentions, same_author

# Measured on 25,314 real papers, the eight best candidates of each question: .80 keeps 39 of 40
# questions that they answer, and of 40 on recipes, football, prices and the like it lets two
# through, for which there are papers (on cooking recipes, on football transfers). On the starter
# papers what is off topic stays below .40.
RELEVANT = 0.80
BEHIND_THE_BEST = 0.45  # a paper further behind is left out even if it is relevant
WANTED_BONUS = 0.15  # puts what the person prefers first

MODE = "Extractive answer (no chat model is set)"
MODE_INSTEAD = "Extractive answer (the chat model gave none)"
QUOTES = f"{MODE}: sentences quoted from"
RECORD = f"{MODE}: from the record"  # or records
MOST_NAMED = 5
_LENGTHS = {"short": (2, 2), "": (6, 5), "long": (12, 8)}  # sentences, papers


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is relevant, what was left out and why."""

    kept: tuple[Judged, ...]
    left_out: dict[str, list[Paper]]  # reason → the relevant papers
    withdrawn: tuple[Paper, ...]
    lacking: tuple[Paper, ...] = ()  # on the subject, but without the detail that is asked


@dataclass(frozen=True, slots=True)
class Written:
    """An answer, and those of its lines that state something of the paper that they cite."""

    text: str
    quoted: tuple[str, ...] = ()


def weigh(
    judged: Sequence[Judged],
    wishes: Wishes,
    filters: Filters,
    *,
    any_topic: bool,
    detail: Detail = NO_DETAIL,
) -> Evidence:
    """Sort the judged papers into what may be shown and what the person does not want.

    Args:
        judged: by relevance.
        wishes: as far as they hold for this question.
        filters: a paper by the author asked for is relevant by that alone, and one out of the
            question's own bounds is not.
        any_topic: nothing but filters was asked for, so everything found is relevant.
        detail: what is asked of the subject, which a paper must be able to give.
    """
    lacking: list[Paper] = []
    kept: list[Judged] = []
    left_out: dict[str, list[Paper]] = {}
    withdrawn: list[Paper] = []
    best = max((one.score for one in judged), default=0.0)
    bounds = filters.without_wishes()
    for one in judged:
        by_author = bool(
            filters.author and any(same_author(filters.author, a) for a in one.paper.authors)
        )
        close = one.score >= max(RELEVANT, best - BEHIND_THE_BEST)
        if not (any_topic or by_author or close) or not bounds.admits(one.paper):
            continue
        if filters.author and one.paper.authors and not by_author:
            continue
        if one.paper.withdrawn:
            withdrawn.append(one.paper)
        elif reason := unwanted_for(wishes, one.paper):
            left_out.setdefault(reason, []).append(one.paper)
        elif not gives(detail, one.paper):
            lacking.append(one.paper)
        else:
            kept.append(one)
    kept.sort(key=lambda one: -(one.score + WANTED_BONUS * _wanted(one.paper, wishes)))
    return Evidence(tuple(kept), left_out, tuple(withdrawn), tuple(lacking))


def research_answer(
    reading: Reading, topic: str, evidence: Evidence, wishes: Wishes, filters: Filters,
    aside: Sequence[str], remembered: Sequence[str], sentences: int | None = None,
) -> Written:  # fmt: skip
    """The whole answer to a research question, in so many `sentences` if that is asked."""
    notes = [*_counted(reading, evidence), *_notes(reading, evidence, wishes, aside), *remembered]
    if not evidence.kept:
        return Written("\n\n".join([_nothing(reading, topic, evidence, filters), *_block(notes)]))
    style = "short" if "short" in wishes.style else "long" if "long" in wishes.style else ""
    most_sentences, most_papers = _LENGTHS[style]
    if sentences:
        most_sentences, most_papers = sentences, sentences
    order = order_asked(reading.question)
    kept = _by_date(evidence.kept, newest=order == "newest") if order else evidence.kept
    papers = kept if wants_all(reading.question) else kept[:most_papers]
    if order:
        first = paper_line(papers[0].paper)
        notes.insert(
            0,
            f"The {order} of the {len(kept)} found on this: {first}, {papers[0].paper.published}."
            if papers[0].paper.published
            else "The records found on this give no dates.",
        )
    if style == "short":  # one of each
        most_sentences = min(most_sentences, len(papers))
    quoted = pick_sentences(papers, most_sentences, formulas="no_formulas" not in wishes.style)
    cited = {one.paper.arxiv_id for one, _ in quoted}
    count = len(cited)
    lead = f"{QUOTES} {count} paper{'s' if count != 1 else ''}."
    bullets = "- " if "bullets" in wishes.style else ""
    body = [f"{bullets}{s.text} [arXiv:{one.paper.arxiv_id}]" for one, s in quoted]
    others = [f"- {paper_line(one.paper)}" for one in papers if one.paper.arxiv_id not in cited]
    also = ["\n".join(["Also on this:", *others])] if others else []
    text = "\n\n".join([lead, "\n".join(body), *also, *_block(notes)])
    return Written(text, (*body, *others))


def _by_date(judged: Sequence[Judged], *, newest: bool) -> tuple[Judged, ...]:
    """Those with a date first, in its order."""
    dated = [one for one in judged if one.paper.published]
    dated.sort(key=lambda one: one.paper.published or "", reverse=newest)
    return (*dated, *(one for one in judged if not one.paper.published))


def instead_of_a_model(answer: str) -> str:
    """The answer as it is headed where a chat model is set, but failed."""
    return answer.replace(MODE, MODE_INSTEAD, 1)


def is_extractive(answer: str) -> bool:
    """Whether an answer was made by rule, in place of a model or for want of one."""
    return MODE in answer or MODE_INSTEAD in answer


def quoted_part(answer: str) -> str:
    """What an extractive answer quotes of papers, without its frame; "" if it quotes none."""
    answer = answer.replace(MODE_INSTEAD, MODE)
    _, found, rest = answer.partition(QUOTES)
    if found:
        return rest.partition("\n\n")[2].partition("\n\n")[0]
    _, found, rest = answer.partition(RECORD)
    return "\n\n".join(part for part in rest.split("\n\n")[1:] if "[arXiv:" in part)


def paper_line(paper: Paper) -> str:
    """A paper in one line: title, year, citation."""
    year = f" ({paper.published[:4]})" if paper.published else ""
    return f"{paper.title or 'Untitled'}{year} [arXiv:{paper.arxiv_id}]"


def left_out_lines(left_out: Mapping[str, Sequence[Paper]]) -> list[str]:
    """What is said of papers that the person does not want, a line a reason."""
    return [
        LEFT_OUT.format(
            _count(len(papers)), reason, ids_named([paper.arxiv_id for paper in papers])
        )
        for reason, papers in left_out.items()
    ]


def set_aside(aside: Sequence[str]) -> list[str]:
    """The line on wishes that the question itself goes against."""
    return [f"For this question I set aside {' and '.join(aside)}."] if aside else []


def _notes(reading: Reading, evidence: Evidence, wishes: Wishes, aside: Sequence[str]) -> list[str]:
    notes = left_out_lines(evidence.left_out)
    if evidence.withdrawn:
        count, their = len(evidence.withdrawn), "its" if len(evidence.withdrawn) == 1 else "their"
        ids = ids_named([paper.arxiv_id for paper in evidence.withdrawn])
        notes.append(f"Left out {_count(count)} withdrawn by {their} authors: {ids}.")
    searched = reading.called("search_papers") or reading.called("search_arxiv")
    if searched and not evidence.left_out:
        bounds = [
            f"{word} {shown_date(value, end=word == 'until')}"
            for word, value in (("since", wishes.since), ("until", wishes.until))
            if value and searched.arguments.get(word) == value
        ]
        if wishes.categories and searched.arguments.get("category") in wishes.categories:
            bounds.append(f"in {searched.arguments['category']}")
        if bounds:
            notes.append(f"Searched {' and '.join(bounds)} only, as you prefer.")
    if any(_wanted(one.paper, wishes) for one in evidence.kept):
        names = ", ".join((*wishes.wanted, *wishes.authors_wanted, *wishes.categories_wanted))
        notes.append(f"What you prefer comes first: {names}.")
    notes += set_aside(aside)
    if len(reading.question) > LONGEST_TOPIC:
        notes.append(
            f"Your question is long: only its first {LONGEST_TOPIC:,} characters were searched for."
        )
    of_language: list[str] = []  # said once, not below each answer
    if wishes.language and wishes.language != "English":
        of_language.append(
            f"You prefer {wishes.language}: without a chat model, sentences stay in the language "
            "of the papers."
        )
    if language := language_of(reading.question):
        of_language.append(
            f"Your question looks like {language}: without a chat model I search and quote in "
            "English, so an English question finds more, and so does a multilingual embedder: "
            f"`ARXIVSCOUT_EMBEDDING={MULTILINGUAL_EMBEDDER}`, then `arxivscout db reembed`."
        )
    return [*notes, *(note for note in of_language if note not in reading.last_answer)]


def _counted(reading: Reading, evidence: Evidence) -> list[str]:
    """How many of the papers looked at are on the question, where that is asked or all are."""
    if not evidence.kept or not wants_all(reading.question):
        return []
    looked = {p.arxiv_id for r in reading.results if r.name == "search_papers" for p in r.papers}
    on_this = sum(one.paper.arxiv_id in looked for one in evidence.kept)
    if not on_this:
        return []
    are = "is" if on_this == 1 else "are"
    return [f"Of the {len(looked)} nearest papers held, {on_this} {are} on this."]


def _nothing(reading: Reading, topic: str, evidence: Evidence, filters: Filters) -> str:
    left_out = bool(evidence.left_out or evidence.withdrawn)
    tried = searched_in_vain(reading, left_out=left_out)
    query = query_of(topic) or filters.author or cut_at_word(topic, 200)
    narrowed = filters.described()
    about = f"“{query}”{', ' + narrowed if narrowed else ''}"
    if not query_of(topic) and narrowed:
        about = f"papers {narrowed}"
    searched = (
        f"Searched for {about}: {', '.join(tried)}."
        if tried
        else "Nothing was searched: no search tool is at hand, and memory recalled nothing on this."
    )
    shown = cut_at_word(query.replace('"', ""), 120)
    lead = "not found in what I hold: nothing relevant to this question."
    if left_out:
        lead = "all that is held on this is left out; name an id to see it all the same."
    elif evidence.lacking:
        lead = "not found in what I hold: what is held on the subject does not tell this."
    closest = "".join(
        f"It may be in the full text of {paper.title} (https://arxiv.org/pdf/{paper.arxiv_id}).\n"
        for paper in evidence.lacking[:1]
    )
    narrow = "".join(
        f" --{name} {value!r}" if " " in value else f" --{name} {value}"
        for name, value in filters.arguments().items()
    )
    asked = reading.called("search_arxiv")
    away = asked is not None and asked.status == "error"
    add = "To add papers on it once arXiv can be asked" if away else "To add papers on it"
    return (
        f"{MODE}: {lead}\n{searched}\n{closest}"
        f'{add}: arxivscout ingest arxiv --query "{shown}"{narrow} --max 50'
    )


def unwanted_for(wishes: Wishes, paper: Paper) -> str | None:
    """Why the paper is unwanted, as it follows "3 papers", or None when it is not."""
    reason = applies(wishes, paper)
    if reason and reason.startswith("published"):
        if ", before " in reason:
            return f"older than {shown_date(wishes.since)}"
        return f"newer than {shown_date(wishes.until, end=True)}"
    return reason


def _wanted(paper: Paper, wishes: Wishes) -> bool:
    text = f"{paper.title}\n{paper.abstract}"
    if any(within(paper.categories, category) for category in wishes.categories_wanted):
        return True
    return any(mentions(text, term) for term in wishes.wanted) or any(
        same_author(name, author) for name in wishes.authors_wanted for author in paper.authors
    )


def ids_named(ids: Sequence[str]) -> str:
    """The first of the ids, not as citations: what is named is not recommended."""
    more = f" and {len(ids) - MOST_NAMED} more" if len(ids) > MOST_NAMED else ""
    return ", ".join(ids[:MOST_NAMED]) + more


def _count(count: int) -> str:
    return f"{count} paper{'s' if count != 1 else ''}"


def _block(notes: Sequence[str]) -> list[str]:
    return ["\n".join(notes)] if notes else []
