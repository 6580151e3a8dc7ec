"""What the papers say is disputed, and what they say is open: their sentences, word for word.

A sentence is listed if it says so in words that authors use for it, and bears on the question. It
is better to list nothing than what is no dispute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from arxivscout.llm.extractive_quotes import TOO_ALIKE
from arxivscout.llm.sentences import points_back
from arxivscout.reports.report import Sentence
from arxivscout.research.dispute_cues import DISPUTED
from arxivscout.research.evidence import Evidence
from arxivscout.research.open_cues import OPEN
from arxivscout.research.vectors import Embed
from arxivscout.research.weighing import Weighed, alike, weigh

MOST = 6
LEAST = 0.45  # of a sentence's score, most of which is its cosine with the question
LEANS = 0.1
LATE = 0.1  # abstracts begin with what was open before, and end with what is open after


def disputed(question: str, evidence: Sequence[Evidence], embed: Embed) -> tuple[Sentence, ...]:
    """Sentences that say that something is contradicted, challenged, in tension or debated.

    Verbatim, one a paper, best first, at most `MOST`; none if none says so.
    """
    return _told(question, evidence, embed, DISPUTED.tell, late=0.0)


def open_problems(
    question: str, evidence: Sequence[Evidence], embed: Embed
) -> tuple[Sentence, ...]:
    """Sentences that say that something remains open, unknown, not understood, or future work.

    Verbatim, one a paper, best first, at most `MOST`; none that `disputed` could list.
    """
    return _told(
        question,
        evidence,
        embed,
        lambda text: OPEN.tell(text) and not DISPUTED.tell(text),
        late=LATE,
    )


def _told(
    question: str,
    evidence: Sequence[Evidence],
    embed: Embed,
    tells: Callable[[str], bool],
    *,
    late: float,
) -> tuple[Sentence, ...]:
    def beside(text: str, place: float) -> float | None:
        if not tells(" ".join(text.split())):
            return None
        return late * place - LEANS * points_back(text)

    weighing = weigh(question, evidence, embed, beside)
    near = [s for s in weighing.sentences if s.score >= LEAST]
    picked: list[Weighed] = []
    for sentence in sorted(near, key=lambda s: (-s.worth, s.paper, s.place)):
        if len(picked) < MOST and _new(sentence, picked):
            picked.append(sentence)
    return tuple(Sentence(text=s.text, papers=(weighing.papers[s.paper].arxiv_id,)) for s in picked)


def _new(sentence: Weighed, picked: Iterable[Weighed]) -> bool:
    return all(
        sentence.paper != other.paper and alike(sentence, other) < TOO_ALIKE for other in picked
    )
