"""An answer checked: a verdict for each citation, and what is amiss, in a line each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from arxivscout.checking.cited import CitedSentence, Judgement
from arxivscout.checking.claims import Claim, find_claims
from arxivscout.checking.facts import shortened, wrong_facts
from arxivscout.checking.language import is_foreign
from arxivscout.checking.plain import plain
from arxivscout.checking.source import Source
from arxivscout.checking.support import LEAST_TERMS, Comparison, Embed, compare, embedded, said
from arxivscout.checking.uncited import OF_THE_RECORD, speaks_of, uncited

_WORST_FIRST: tuple[Judgement, ...] = ("unsupported", "weak", "supported", "unchecked")

PART_TERMS = 3  # terms from which a part of a sentence is a claim of its own
LONGEST_CHECKED = 50_000  # characters of an answer; a turn's answer is cut there too
MOST_CLAIMS = 300  # of an answer, some ten pages; each is a comparison with its source
LONGEST_SENTENCE = 300  # characters of a sentence that are kept with its verdict

_SUPERSEDED = re.compile(r"\bsuperseded by ([^.;]{3,100})", re.IGNORECASE)
# What is said of the conversation and what is remembered of it, not of a paper.
_OF_THE_CONVERSATION = re.compile(
    r"\byou(?:['’]ve| have| had)?(?: \w+ly| also| once| already| first| last)?"
    r" (?:looked|asked|noted|saved|said|told|found|read|wrote|mentioned|searched|wanted|want"
    r"|prefer(?:red)?|tagged|marked|kept)\b"
    r"|\b(?:I|we)(?:['’]ve| have| had)?(?: also| already)?"
    r" (?:noted|saved|remember\w*|recall\w*|discussed|talked|spoke|looked)\b"
    r"|\byour (?:\w+ ){0,2}(?:notes?|questions?|preferences?|findings?|memor(?:y|ies)|name)\b"
    r"|\b(?:this|our|earlier|last|previous) (?:thread|conversation|chat|question|session)s?\b"
    r"|\b(?:asked|noted|saved|stored|remembered) on \d",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """How far what is held of one cited paper bears the answer out, in all and by sentence.

    `section` and `page` are where `passage` stands in the full text, if not in the abstract.
    """

    verdict: Judgement = "unchecked"
    passage: str = ""
    problems: tuple[str, ...] = ()
    sentences: tuple[CitedSentence, ...] = ()
    section: str = ""
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """Verdicts by arXiv id, and what is amiss with the answer, a line each."""

    verdicts: dict[str, Verdict]
    problems: list[str]


class _Mark(NamedTuple):
    judgement: Judgement
    score: float
    passage: str


@dataclass(slots=True)
class _Case:
    """What came of one paper so far: marks by the sentence that they are for, in order."""

    marks: dict[str, list[_Mark]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def mark(self, claim: Claim, mark: _Mark) -> None:
        self.marks.setdefault(claim.text, []).append(mark)


def check_answer(
    answer: str,
    sources: Mapping[str, Source],
    embed: Embed,
    *,
    versions: Mapping[str, int] | None = None,
    conversation: Source | None = None,
) -> Checked:
    """Compare what `answer` says with the stored texts that it cites.

    Args:
        sources: the cited papers by arXiv id; what is cited and not among them stays unchecked.
        embed: texts to unit vectors, float32 of shape (len(texts), dimension); called at most once.
        versions: the versions that the answer named, by arXiv id.
        conversation: what the person said and what is remembered of it; sentences about that, such
            as on what day something was asked, may take their facts from it.
    """
    claims = find_claims(answer[:LONGEST_CHECKED])
    whole = len(answer) <= LONGEST_CHECKED and len(claims) <= MOST_CLAIMS
    claims = claims[:MOST_CLAIMS]
    all_foreign = is_foreign(answer[:LONGEST_CHECKED])
    cases: dict[str, _Case] = {arxiv_id: _Case() for arxiv_id in sources}
    lines: list[str] = []
    pending: list[tuple[Claim, list[tuple[str, Comparison]]]] = []
    for claim in claims:
        foreign = all_foreign or is_foreign(claim.text)
        cited = [arxiv_id for arxiv_id in claim.cited if arxiv_id in sources]
        leaning = [arxiv_id for arxiv_id in claim.leans_on if arxiv_id in sources]
        beside = conversation if _OF_THE_CONVERSATION.search(claim.text) else None
        if cited:
            for arxiv_id in cited:
                cases[arxiv_id].marks.setdefault(claim.text, [])
            _check_facts(claim, cited, sources, cases, beside, foreign=foreign)
            if not (foreign or OF_THE_RECORD.search(claim.text) or _is_said(claim, beside)):
                pending.append((claim, _comparisons(claim, cited, sources)))
        elif leaning and speaks_of(claim, [sources[arxiv_id] for arxiv_id in leaning]):
            lines += _check_facts(claim, leaning, sources, cases, beside, foreign=foreign)
    vectors = embedded([each for _, of_claim in pending for _, each in of_claim], embed)
    for claim, of_claim in pending:
        best: dict[str, _Mark] = {}
        for arxiv_id, comparison in of_claim:
            mark = _Mark(*comparison.judged(vectors))
            if arxiv_id not in best or mark.score > best[arxiv_id].score:
                best[arxiv_id] = mark
        for arxiv_id, mark in best.items():
            cases[arxiv_id].mark(claim, mark)
            if mark.judgement != "supported":
                how = "weakly supported" if mark.judgement == "weak" else "not supported"
                lines.append(f"{how} by arXiv:{arxiv_id}: “{shortened(claim.text)}”")
    for arxiv_id, case in cases.items():
        case.problems[:0] = _standing(sources[arxiv_id], (versions or {}).get(arxiv_id))
    lines += uncited(claims, sources, conversation, foreign=all_foreign)
    if not whole:
        lines.append(f"only the first {len(claims)} statements of the answer were checked")
    return Checked(
        {arxiv_id: _verdict(case, sources[arxiv_id]) for arxiv_id, case in cases.items()},
        list(dict.fromkeys(lines)),
    )


def _check_facts(
    claim: Claim,
    cited: Sequence[str],
    sources: Mapping[str, Source],
    cases: Mapping[str, _Case],
    beside: Source | None,
    *,
    foreign: bool,
) -> list[str]:
    """Note what is wrong with the papers, and give the lines that belong to no one of them."""
    lines = []
    closest: dict[
        str, str
    ] = {}  # passage of each paper; an answer may be wrong in a thousand facts
    parts = [(f"{text}\n{plain(text)}", papers) for text, papers in claim.parts]
    where = [sources[arxiv_id] for arxiv_id in cited] + ([beside] if beside else [])
    titles = [source.phrases[0] for source in sources.values() if source.paper.title]
    for fact in wrong_facts(claim, where, foreign=foreign, titles=titles):
        blamed = [
            arxiv_id
            for text, papers in parts
            if fact.text in text
            for arxiv_id in papers
            if arxiv_id in cited
        ] or cited
        for arxiv_id in dict.fromkeys(blamed):
            if arxiv_id not in closest:
                closest[arxiv_id] = compare(claim.text, sources[arxiv_id]).passages[0]
            cases[arxiv_id].mark(claim, _Mark("unsupported", 0.0, closest[arxiv_id]))
            if fact.problem not in cases[arxiv_id].problems:
                cases[arxiv_id].problems.append(fact.problem)
        if not claim.cited:
            lines.append(f"{fact.problem}: “{shortened(claim.text)}”")
    return lines


def _comparisons(
    claim: Claim, cited: Sequence[str], sources: Mapping[str, Source]
) -> list[tuple[str, Comparison]]:
    """Each cited paper beside the part that cites it; beside the whole, if that says little."""
    found = []
    for arxiv_id in cited:
        texts = [text for text, papers in claim.parts if arxiv_id in papers]
        if not any(len(said(text)) >= PART_TERMS for text in texts):
            texts.append(claim.text)
        found += [
            (arxiv_id, compare(text, sources[arxiv_id]))
            for text in dict.fromkeys(texts)
            if said(text)
        ]
    return found


def _is_said(claim: Claim, beside: Source | None) -> bool:
    """Whether the claim says little besides what the person said or what is remembered."""
    if beside is None:
        return False
    return sum(term not in beside.terms for term in said(claim.text)) < LEAST_TERMS


def _standing(source: Source, cited_version: int | None) -> list[str]:
    """What is wrong with the paper itself: withdrawn, superseded."""
    paper, problems = source.paper, []
    if paper.withdrawn:
        problems.append("withdrawn")
    if cited_version and paper.version and cited_version < paper.version:
        problems.append(f"superseded: v{paper.version} is held, v{cited_version} was cited")
    elif cited_version and paper.version and cited_version > paper.version:
        problems.append(f"v{cited_version} was cited, but v{paper.version} is what is held")
    if found := _SUPERSEDED.search(f"{paper.comments or ''}\n{paper.abstract}"):
        problems.append(f"superseded, its record says: by {shortened(found[1], 80)}")
    return problems


def _verdict(case: _Case, source: Source) -> Verdict:
    marked = {text: _worst(marks) for text, marks in case.marks.items() if marks}
    if not marked:
        return Verdict("unchecked", "", tuple(case.problems))
    worst = _worst(list(marked.values()))
    sentences = [
        CitedSentence(
            shortened(text, LONGEST_SENTENCE),
            mark.judgement,
            mark.passage,
            *_place(source, mark.passage),
        )
        for text, mark in marked.items()
    ]
    return Verdict(
        worst.judgement,
        worst.passage,
        tuple(case.problems),
        tuple(sentences),
        *_place(source, worst.passage),
    )


def _place(source: Source, passage: str) -> tuple[str, int | None]:
    """Section and page of a passage of the full text."""
    if (found := source.excerpt_with(passage)) is None:
        return "", None
    excerpt, place = found
    return " > ".join(excerpt.path), excerpt.page_at(place)


def _worst(marks: Sequence[_Mark]) -> _Mark:
    """The worst judgement; of those, the one whose passage fits best."""
    return min(marks, key=lambda mark: (_WORST_FIRST.index(mark.judgement), -mark.score))
