"""A turn is learned from when its answer is shown: by rule, and by a chat model if one is set.

The rules' part is committed first, with the mark that the turn was learned from: a process that is
killed before leaves the turn to the next one. What a model adds is extra: lost, it is not tried
again.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from uuid import UUID

import psycopg

from arxivscout.agent.learning_by_model import asked
from arxivscout.agent.services import Services
from arxivscout.learning import Learned, Turn, Used, learned
from arxivscout.memory import unlearned
from arxivscout.memory.candidate import Candidate
from arxivscout.memory.gate import Outcome
from arxivscout.memory.knowledge import papers_by_ids
from arxivscout.memory.leaving_out import left_in
from arxivscout.memory.remembering import Consent, consent
from arxivscout.memory.unlearned import Unlearned
from arxivscout.memory.vector_memory import Vector
from arxivscout.statements.own_words import own_clauses

_log = logging.getLogger(__name__)

MOST_AT_ONCE = 20  # turns after one; of those missed before, the newest
# Names of people and places say nothing by meaning: they are found by their letters.
_BY_NAME = frozenset({"author", "person", "organisation"})


def learn_waiting(services: Services, user: str) -> int:
    """Learn from the newest turns that nothing was learned from; how many were.

    Raises:
        DatabaseError, psycopg.Error: those before are learned from.
    """
    for thread in unlearned.open_threads(services.database, user):
        services.leases.take_from_dead(user, thread)  # what a killed process was asked, too
    done = 0
    for turn in unlearned.waiting(services.database, user, MOST_AT_ONCE):
        try:
            done += learn(services, user, turn) is not None
        except (psycopg.DataError, psycopg.IntegrityError, ValueError) as error:
            # It would be so again each time, and keep the turns behind it from being learned from.
            _log.warning("a turn teaches what can't be stored (%s)", type(error).__name__)
            unlearned.give_up(services.database, user, turn)
    return done


def learn(services: Services, user: str, turn: Unlearned) -> list[Outcome] | None:
    """Learn from one turn, as far as the person lets it; None if it is no longer to be."""
    allowed = consent(services.database, user, turn.thread_id)
    said = said_in(services, user, turn)
    found, vectors = _to_store(services, user, learned(said), allowed, killed=not turn.finished)
    outcomes = unlearned.store(
        services.database, user, turn, found.candidates, found.links, vectors
    )
    if outcomes is None or not _has_more(turn, said, found, outcomes):
        return outcomes
    new = asked(services, turn.model, said, found)
    more, vectors = _to_store(services, user, new, allowed)
    if not more.candidates:
        return outcomes
    added = unlearned.store(
        services.database, user, turn, more.candidates, more.links, vectors, first=False
    )
    return [*outcomes, *(added or ())]


def said_in(services: Services, user: str, turn: Unlearned) -> Turn:
    """The person's words of a stored turn, and the papers that bore its answer out."""
    borne = {
        citation["arxiv_id"]: _passages(citation)
        for citation in turn.citations
        if citation.get("arxiv_id") and citation.get("verdict") != "unsupported"
    }
    papers: Sequence[Used] = ()
    if borne:
        with services.database.shared() as conn:
            held = papers_by_ids(conn, borne)
        papers = [Used(paper, () if paper.is_summary else borne[paper.arxiv_id]) for paper in held]
    return Turn(
        person=user,
        words=turn.question,
        at=turn.at,
        papers=papers,
        before=turn.before,
        thread_id=turn.thread_id,
        turn_id=UUID(str(turn.turn_id)),
    )


def _to_store(
    services: Services, user: str, found: Learned, allowed: Consent, *, killed: bool = False
) -> tuple[Learned, list[Vector | None]]:
    """What may be stored of it, with its vectors; what belongs to a category left out may not."""
    found = permitted(found, allowed, killed=killed)
    vectors = _vectors(services, user, found.candidates)
    memories = [
        (each.kind, each.text, each.filed_under, vector)
        for each, vector in zip(found.candidates, vectors, strict=True)
    ]
    places = left_in(services.database, services.embedder, user, allowed.left_out, memories)
    return found.only(places), [vectors[place] for place in places]


def permitted(found: Learned, allowed: Consent, *, killed: bool = False) -> Learned:
    """What may be learned unasked; preferences are stored with the turn, for the next to obey.

    Args:
        killed: the turn's process was, before it could store them.
    """
    return found.only(
        place
        for place, each in enumerate(found.candidates)
        if (killed or each.kind != "preference") and allowed.may_learn(each.kind, each.filed_under)
    )


def _passages(citation: dict[str, object]) -> tuple[str, ...]:
    sentences = citation.get("sentences") or ()
    each = [citation, *(sentences if isinstance(sentences, list) else ())]
    found = [part.get("passage") for part in each if part.get("verdict") != "unsupported"]
    return tuple(dict.fromkeys(str(passage) for passage in found if passage))


def _has_more(turn: Unlearned, said: Turn, found: Learned, outcomes: Sequence[Outcome]) -> bool:
    """Whether the person stated something that is not known yet: then a model is asked, once."""
    if turn.known:
        return False
    stated = {each.quote for each in found.candidates if each.quote and not each.source}
    news = {
        each.quote
        for each, outcome in zip(found.candidates, outcomes, strict=True)
        if not each.source and outcome.action not in ("unchanged", "merged")
    }
    return any(
        clause.sentence in news or clause.sentence not in stated
        for clause in own_clauses(said.words)
    )


def _vectors(services: Services, user: str, candidates: Sequence[Candidate]) -> list[Vector | None]:
    """A vector for each candidate that has a meaning: those at hand, the others in one batch."""
    wanted = [each for each in candidates if each.kind not in _BY_NAME]
    if not wanted:
        return [None] * len(candidates)
    papers = [str(each.name) for each in wanted if each.kind == "paper"]
    known = unlearned.stored_vectors(
        services.database, user, [each.text for each in wanted], papers
    )
    for each in wanted:
        if each.kind == "paper" and f"={each.name}" in known:
            known[each.text] = known[f"={each.name}"]
    new = list(dict.fromkeys(each.text for each in wanted if each.text not in known))
    if new:
        known |= dict(zip(new, services.embedder.embed_documents(new), strict=True))
    return [None if each.kind in _BY_NAME else known[each.text] for each in candidates]
