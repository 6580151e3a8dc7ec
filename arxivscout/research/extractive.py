"""A report made of sentences that the papers say themselves, word for word and cited."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from arxivscout.llm.extractive_quotes import TOO_ALIKE
from arxivscout.llm.sentences import points_back
from arxivscout.reports.report import Section, Sentence
from arxivscout.research.evidence import Evidence
from arxivscout.research.vectors import Embed
from arxivscout.research.weighing import Weighed, Weighing, alike, weigh

MOST_IN_BRIEF = 5
ALIKE_IN_BRIEF = 0.8  # cosine; a brief has no room for the same thing from two sides
MOST_IN_SECTION, LEAST_IN_SECTION = 8, 2
OF_ONE_PAPER = 2  # sentences in a section, or all of the brief's if there is one paper
BEHIND = 0.4  # what a sentence may score below the best one and still be quoted
FINDS, LATE, LEANS, ASKS, KNOWN = 0.2, 0.1, 0.25, 0.2, 0.2

_FINDS = re.compile(
    r"\b(?:we|i|authors) (?:\w+ )?(?:find|found|show|prove|demonstrate|observe|conclude|establish"
    r"|report|reveal|confirm|discover|detect|identify|measure"
    r"|obtain|derive)\b"
    r"|\b(?:results?|experiments?|analys[ie]s|findings|evaluations?|simulations?|data|observations)"
    r"(?: \w+){0,4} (?:show|suggest|indicate|reveal|demonstrate|imply|confirm)"
    r"|\b(?:outperform|achiev(?:es|ed|ing) |reduc(?:es|ed) |improv(?:es|ed) |is determined by"
    r"|depends? (?:\w+ )?on|(?:is|are) (?:\w+ )?(?:caused by|due to|determined by)"
    r"|arises? from|stems? from"
    r"|results? from|consistent with|in agreement|exceeds? |is limited (?:to|by)|rules? out)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\?\s*$|^(?:in this (?:paper|work|article|study|letter|thesis|chapter|review),?\s*)?(?:we|i"
    r"|this (?:paper|work|article|study|review|survey))\s+(?:\w+ )?(?:study|studies"
    r"|investigate[sd]?"
    r"|examine[sd]?|explore[sd]?|consider[sed]*|discuss(?:es|ed)?|aims?|review[sed]*|present[sed]*"
    r"|introduce[sd]?|propose[sd]?|address(?:es)?|describe[sd]?|provide[sd]?"
    r"|evaluates?|(?:will )?gives? an)\b",
    re.IGNORECASE,
)


# What everybody in the field knows, and why the subject matters.
_KNOWN = re.compile(
    r"\b(?:remains? (?:an? |the )?(?:\w+ )?(?:challeng|concern|bottleneck|obstacle"
    r"|issue|problem)"
    r"|(?:major|critical|significant|key|persistent) (?:challenge|concern|impediment|obstacle"
    r"|hurdle)"
    r"|(?:is|are) (?:\w+ )?(?:crucial|essential|important|critical|vital|fundamental"
    r"|indispensable) (?:for|to|in)\b"
    r"|(?:ha(?:s|ve) |had )(?:\w+ )?(?:emerged|attracted|gained|received|achieved|made"
    r"|shown|demonstrated|garnered|become|been (?:widely|extensively|proposed"
    r"|considered|a )"
    r"|witnessed|revolutioni[sz]ed"
    r"|advanced|opened)|plays? an? (?:\w+ )?role|(?:widely|increasingly|commonly) "
    r"(?:used|adopted|deployed)"
    r"|continue to (?:struggle|hinder|face)|struggles? with|^understanding\b|the advent of)",
    re.IGNORECASE,
)


def brief(question: str, evidence: Sequence[Evidence], embed: Embed) -> tuple[Sentence, ...]:
    """The 2 to 5 sentences that answer `question` best, verbatim, no two saying the same.

    Best first, one of each paper as far as there are enough. Empty if no paper is relevant by the
    extractive model's thresholds.
    """
    weighing = weigh(question, evidence, embed, _beside)
    ranked = _ranked(weighing.sentences)
    if not ranked:
        return ()
    least = ranked[0].worth - BEHIND
    picked: list[Weighed] = []
    for of_one in range(1, OF_ONE_PAPER + 2):
        for sentence in ranked:
            if len(picked) >= (MOST_IN_BRIEF if of_one == 1 else LEAST_IN_SECTION):
                break
            if (
                (sentence.worth >= least or of_one > 1)
                and sum(sentence.paper == other.paper for other in picked) < of_one
                and _says_more(sentence, picked, ALIKE_IN_BRIEF)
            ):
                picked.append(sentence)
    return tuple(_cited(sentence, weighing) for sentence in picked)


def sections(
    question: str,
    evidence: Sequence[Evidence],
    labels: Sequence[int],
    names: Sequence[str],
    embed: Embed,
) -> tuple[Section, ...]:
    """One section a theme, titled by its name: what its relevant papers say of `question`.

    Each paragraph is one paper's sentences in their order; up to 8 sentences a section, at least 2
    where its papers have them, and none is said twice in all sections. A theme with no relevant
    paper has no section.

    Args:
        labels: the theme of each entry of `evidence`, a place in `names`.
    """
    weighing = weigh(question, evidence, embed, _beside)
    ranked = _ranked(weighing.sentences)
    said: list[Weighed] = []
    made: list[Section] = []
    for label, name in enumerate(names):
        own = [sentence for sentence in ranked if labels[sentence.paper] == label]
        picked = _section(own, said, ranked[0].worth - BEHIND if ranked else 0.0)
        if picked:
            said += picked
            made.append(Section(title=_title(name), paragraphs=_paragraphs(picked, weighing)))
    return tuple(made)


def _section(own: Sequence[Weighed], said: Sequence[Weighed], least: float) -> list[Weighed]:
    papers = len({sentence.paper for sentence in own})
    of_one = OF_ONE_PAPER if papers > 1 else MOST_IN_SECTION // 2
    picked: list[Weighed] = []
    for sentence in own:
        if len(picked) == MOST_IN_SECTION:
            break
        if (
            (sentence.worth >= least or len(picked) < LEAST_IN_SECTION)
            and sum(sentence.paper == other.paper for other in picked) < of_one
            and _says_more(sentence, (*said, *picked), TOO_ALIKE)
        ):
            picked.append(sentence)
    return picked


def _paragraphs(picked: Iterable[Weighed], weighing: Weighing) -> tuple[tuple[Sentence, ...], ...]:
    by_paper: dict[int, list[Weighed]] = {}
    for sentence in picked:
        by_paper.setdefault(sentence.paper, []).append(sentence)
    return tuple(
        tuple(_cited(s, weighing) for s in sorted(own, key=lambda s: s.place))
        for own in by_paper.values()
    )


def _ranked(sentences: Iterable[Weighed]) -> list[Weighed]:
    return sorted(sentences, key=lambda s: (-s.worth, s.paper, s.place))


def _beside(text: str, late: float) -> float:
    """More for a finding, less for what announces, leans on others or is known."""
    return (
        FINDS * (_FINDS.search(text) is not None)
        + LATE * late
        - KNOWN * (_KNOWN.search(text) is not None)
        - ASKS * (_ASKS.search(text) is not None)
        - LEANS * points_back(text)
    )


def _says_more(sentence: Weighed, others: Iterable[Weighed], too_alike: float) -> bool:
    return all(
        sentence.text != other.text and alike(sentence, other) < too_alike for other in others
    )


def _cited(sentence: Weighed, weighing: Weighing) -> Sentence:
    return Sentence(text=sentence.text, papers=(weighing.papers[sentence.paper].arxiv_id,))


def _title(name: str) -> str:
    """A theme's name as a heading: a capital in front, unless the word has its own (`mRNA`)."""
    first = name.partition(" ")[0]
    return name[:1].upper() + name[1:] if first.rstrip(",").islower() else name
