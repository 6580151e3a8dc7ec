"""Which sentences of the papers found are quoted in an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arxivscout.llm.relevance import Judged, Sentence, sentences_of
from arxivscout.llm.sentences import points_back

TOO_ALIKE = 0.9  # cosine of two sentences that say the same
_FORMULA = re.compile(r"\$|\\[a-zA-Z]+")


def pick_sentences(
    papers: Sequence[Judged], most: int, *, formulas: bool = True
) -> list[tuple[Judged, Sentence]]:
    """The best sentences: one of each paper first, then the next best, none said twice.

    One that leans on the sentence before it comes only where that one is picked as well, or where
    its paper has no other.
    """
    per_paper = 3 if len(papers) == 1 else 2
    picked: list[tuple[int, Sentence]] = []
    order = [sentences_of(one.paper) for one in papers]
    ranked = [
        (rank > 0, -s.score, p, s)
        for p, one in enumerate(papers)
        for rank, s in enumerate(_standing(one.sentences, order[p], formulas)[:per_paper])
    ]
    for _, _, p, sentence in sorted(ranked, key=lambda row: row[:3]):
        if len(picked) == most:
            break
        if all(
            sum(a * b for a, b in zip(sentence.vector, other.vector, strict=True)) < TOO_ALIKE
            for _, other in picked
        ):
            picked.append((p, sentence))
    picked = [(p, s) for p, s in picked if _held_up(p, s, picked, order[p])]
    picked.sort(key=lambda pair: (pair[0], order[pair[0]].index(pair[1].text)))
    return [(papers[p], sentence) for p, sentence in picked]


def _standing(
    sentences: Sequence[Sentence], order: Sequence[str], formulas: bool
) -> list[Sentence]:
    """Those that may be quoted, best first; what points back only behind what it points to."""
    may = [s for s in sentences if formulas or not _FORMULA.search(s.text)]
    standing: list[Sentence] = [s for s in may if not points_back(s.text)]
    if not standing:
        return may
    for leaning in (s for s in may if points_back(s.text)):
        at = order.index(leaning.text)
        before = next((i for i, s in enumerate(standing) if at and s.text == order[at - 1]), None)
        if before is not None:
            standing.insert(before + 1, leaning)
    return standing


def _held_up(
    paper: int, sentence: Sentence, picked: Sequence[tuple[int, Sentence]], order: Sequence[str]
) -> bool:
    """Whether what `sentence` points back to is picked too; the only one of its paper may stay."""
    own = {s.text for p, s in picked if p == paper}
    if len(own) == 1 or not points_back(sentence.text):
        return True
    at = order.index(sentence.text)
    return at > 0 and order[at - 1] in own
