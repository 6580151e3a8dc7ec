"""What an answer states that no paper bears out: sentences that cite nothing and are of no paper.

A sentence without a citation may lean on those of its paragraph, if it speaks of what those papers
are about. What brings in names or numbers of its own does not; nor do many words of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from arxivscout.checking.claims import Claim
from arxivscout.checking.facts import shortened
from arxivscout.checking.language import is_foreign
from arxivscout.checking.source import Source
from arxivscout.llm.sentences import points_back
from arxivscout.llm.terms import content_terms, likeness, overlap

ABOUT_IT = 0.5  # share of terms from which a sentence without a citation speaks of a paper
STATEMENT = 6  # terms from which a sentence without a citation states something
FEW = 3  # and if there is a name or a number among them

# What is said of the record, not by it: that something is absent, withdrawn, or was looked for.
OF_THE_RECORD = re.compile(
    r"\b(?:do(?:es)?|did|is|are|was|were|has|have)(?: not|n['’]t)\b.{0,40}"
    r"\b(?:report|say|state|give|mention|discuss|cover|address|specif|provide|answer|contain|include|list|quote|name|tell)"
    r"|\bno (?:mention|number|figure|value|statement|information|details?|answer)\b"
    r"|\bnothing (?:about|on|of)\b|\bnot (?:found|held|stated|reported|given|mentioned|specified)\b"
    r"|\b(?:withdrawn|retracted|ritirat[oa])\b|\b(?:silent|says nothing) (?:on|about)\b"
    r"|\bnon (?:dice|riporta|indica|menziona|specifica|fornisce|tratta)",
    re.IGNORECASE,
)
_OWN_BUSINESS = re.compile(
    r"\b(?:I|I['’]ve|I['’]m|me|my|you|your|we|let['’]s)\b|\b(?:found|held|hold|search\w*|arxivscout|memory"
    r"|remember\w*|stored|saved|prefer\w*|answer|question|sources?|citations?|cite[sd]?|extractive)\b",
    re.IGNORECASE,
)
# A name or a number behind the first word, which begins with a capital anyway.
_FACT = re.compile(r"(?<=[\s(])(?:[^\W\d_a-z][^\W\d_]*[a-z][\w-]*|\d[\d.,]*)")


def uncited(
    claims: Sequence[Claim], sources: Mapping[str, Source], conversation: Source | None, *,
    foreign: bool,
) -> list[str]:  # fmt: skip
    """One line on sentences that state something of no paper, with the first of them.

    Args:
        conversation: what the person said and memory holds of it: to repeat that states nothing.
        foreign: the answer is in another language than the papers.
    """
    held = list(sources.values())
    bare = [
        claim
        for claim in claims
        if not claim.cited
        and claim.form != "heading"
        and not claim.text.endswith(("?", ":"))
        and not OF_THE_RECORD.search(claim.text)
        and not _OWN_BUSINESS.search(claim.text)
        and not (conversation and set(content_terms(claim.text)) <= conversation.terms)
        and _states(claim, held, foreign=foreign or is_foreign(claim.text))
    ]
    if not bare:
        return []
    if not any(claim.cited for claim in claims):
        return ["the answer cites no paper: nothing that is held bears it out"]
    count = f"{len(bare)} sentences cite" if len(bare) > 1 else "1 sentence cites"
    return [f"{count} no paper: “{shortened(bare[0].text)}”"]


def speaks_of(claim: Claim, sources: Sequence[Source]) -> bool:
    """Whether most of what the claim says are words of one of the papers."""
    terms = content_terms(claim.text)
    return any(overlap(terms, source.terms) >= ABOUT_IT for source in sources)


def _states(claim: Claim, sources: Sequence[Source], *, foreign: bool) -> bool:
    terms = content_terms(claim.text)
    if speaks_of(claim, sources):  # where it leans on a paper its facts are compared with that
        return not (foreign or claim.leans_on) and _new_facts(claim.text, sources)
    if foreign:  # whose words are none of the papers', and which may write nouns like names
        return len(terms) >= STATEMENT and not claim.leans_on
    if len(terms) >= FEW and _new_facts(claim.text, sources):
        return True
    if not claim.leans_on:
        return len(terms) >= STATEMENT
    own = [term for term in terms if not any(likeness(term, each.terms) for each in sources)]
    return len(own) >= STATEMENT and not points_back(claim.text)


def _new_facts(text: str, sources: Sequence[Source]) -> bool:
    """Whether the text names somebody or something, or a number, that no source has."""
    facts = [term for found in _FACT.finditer(text) for term in content_terms(found[0])]
    return any(not any(likeness(fact, each.terms) for each in sources) for fact in facts)
