"""Tools that keep what the person says: remember, merge.

They change nothing that the person's own words do not ask for: what a model takes for their wish
may come from a paper. Whether something may be kept at all is the person's choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from arxivscout.agent.memory_lists import replaced_by
from arxivscout.agent.tools import Arguments, ScoutTool, ToolResult, TurnScope
from arxivscout.agent.wishes import asks_to_merge, asks_to_remember, stands_in
from arxivscout.context.memories import cited_line
from arxivscout.errors import ToolInputError
from arxivscout.llm.extractive_memory import REPLACES
from arxivscout.memory import gate, merging
from arxivscout.memory.candidate import Candidate
from arxivscout.memory.knowledge import paper_by_id
from arxivscout.memory.leaving_out import left_in
from arxivscout.memory.remembering import Consent, consent
from arxivscout.memory.vector_memory import Vector
from arxivscout.papers import PaperId, clean_text, find_paper_ids, one_line
from arxivscout.redaction import redacted
from arxivscout.statements.own_words import keeps_nothing, own_clauses

MOST_TEXT = 4_000  # characters of a memory
MOST_REASON = 1_000


class Remember(Arguments):
    essential = ("arxiv_ids",)

    kind: Literal["preference", "finding", "fact", "decision", "question"] = Field(
        description="preference: how the person wants to be served. finding: what was found out, "
        "with the papers that support it. decision: what they decided. question: what is open. "
        "fact: anything else worth knowing later."
    )
    text: str = Field(description="What to remember; the person's own words where there are any.")
    reason: str | None = Field(None, max_length=MOST_REASON, description="Why, if it was said.")
    arxiv_ids: list[str] = Field(
        default_factory=list, max_length=50, description="Papers that support a finding."
    )
    category: str | None = Field(
        None, max_length=60, description="Where the person wants it filed, if they said so."
    )


class Merge(Arguments):
    memory_ids: list[str] = Field(
        min_length=2,
        max_length=20,
        description="Ids of memories that say the same; the first stays.",
    )
    reason: str | None = Field(None, max_length=MOST_REASON, description="Why, if it was said.")


def remember(
    scope: TurnScope,
    kind: str,
    text: str,
    reason: str | None = None,
    arxiv_ids: Sequence[str] = (),
    category: str | None = None,
) -> ToolResult:
    """Keep a statement, through the write gate."""
    text = redacted(clean_text(text)).strip()
    if not text:
        raise ToolInputError("There is nothing to remember: the text is empty.")
    if len(text) > MOST_TEXT:
        raise ToolInputError(f"{len(text):,} characters are too long for a memory (limit 4,000).")
    allowed = may_keep(scope)
    if keeps_nothing(scope.question):
        raise ToolInputError("Not kept: the researcher asks that it is not.", "\nSay so.")
    if allowed.choice == "asked" and not asks_to_remember(scope.question):
        raise ToolInputError(
            "Not kept: only what the researcher asks to be remembered is, and they have not asked.",
            "\nGo on. If they meant it, say that a question with “Remember that …” in it keeps it.",
        )
    papers = held_papers(scope, [*arxiv_ids, *(str(found) for found in find_paper_ids(text))])
    metadata: dict[str, Any] = {"category": kind}
    if papers:
        metadata["arxiv_ids"] = papers
        missing = [paper for paper in papers if f"[arXiv:{paper}]" not in text]
        text = " ".join([text, *(f"[arXiv:{paper}]" for paper in missing)])
    candidate = Candidate(
        kind,
        text,
        reason=clean_text(reason) if reason else None,
        quote=_said(text, scope.question),
        filed_under=category,
        thread_id=scope.thread_id,
        turn_id=UUID(scope.turn_id),
        metadata=metadata,
    )
    vector = scope.services.embedder.embed_query(text)
    _must_be_let_in(scope, allowed, candidate, vector)
    with scope.transaction() as conn:
        own_words = candidate.quote is not None
        (outcome,) = gate.remember(conn, [candidate], [], [vector], may_end=own_words)
        replaced = []
        if kind == "preference":
            replaced = replaced_by(conn, scope.question, text, outcome.id)
        if outcome.action == "superseded" and outcome.other:
            replaced += texts_of(conn, outcome.other)
    said = f"Remembered as {kind} (id {outcome.id}): {cited_line(text)}"
    if replaced:
        said += (
            f"\n{REPLACES}{', '.join(f'“{cited_line(old)}”' for old in dict.fromkeys(replaced))}"
        )
    return ToolResult(said, "1 memory kept")


def _said(text: str, question: str) -> str | None:
    """The words of the person's that say `text`: a clause, a sentence, or all of theirs.

    What is learned from the same words, edges too, goes with the memory. None: they did not.
    """
    if not stands_in(text, question):
        return None
    clauses = list(own_clauses(question))
    parts = [*(each.quote for each in clauses), *(each.sentence for each in clauses)]
    whole = next((each for each in parts if stands_in(text, each)), question)
    return one_line(whole)[:1_000]


def _merge(scope: TurnScope, memory_ids: Sequence[str], reason: str | None = None) -> ToolResult:
    if not asks_to_merge(scope.question):
        raise ToolInputError(
            "Not merged: the researcher did not say that these memories are the same.",
            "\nGo on. If they meant it, say that “merge the memories …” does it.",
        )
    ids = [memory_uuid(each) for each in memory_ids]
    with scope.transaction() as conn:
        text = merging.merge(conn, ids, reason)
    return ToolResult(f"Merged into one (id {ids[0]}): {cited_line(text)}", "1 memory kept")


_TEXT = """
SELECT content FROM entity_memory WHERE langchain_id = %(id)s AND user_id = scout_user()
"""


def texts_of(conn: Any, memory_id: UUID) -> list[str]:
    return [row[0] for row in conn.execute(_TEXT, {"id": memory_id}).fetchall()]


# The first line of a refusal is for the person and the log, the rest for the model.
def may_keep(scope: TurnScope) -> Consent:
    """What the person lets be kept here, where that is not nothing.

    Raises:
        ToolInputError: it is.
    """
    allowed = consent(scope.services.database, scope.user, scope.thread_id)
    if allowed.may_keep():
        return allowed
    if allowed.private:
        raise ToolInputError("Not kept: nothing is remembered of a private thread.", "\nSay so.")
    raise ToolInputError(
        "Not kept: the researcher lets nothing be remembered beyond a conversation.",
        "\nSay so; `arxivscout setup` changes it.",
    )


def _must_be_let_in(
    scope: TurnScope, allowed: Consent, candidate: Candidate, vector: Vector
) -> None:
    """Refuse what would be filed under a category of which nothing shall be remembered.

    Raises:
        ToolInputError: see above.
    """
    services = scope.services
    memory = (candidate.kind, candidate.text, candidate.filed_under, vector)
    if not left_in(services.database, services.embedder, scope.user, allowed.left_out, [memory]):
        raise ToolInputError(
            "Not kept: the researcher lets nothing be remembered of where this belongs.",
            "\nSay so; `arxivscout memory consent --take-in CATEGORY` changes it.",
        )


def held_papers(scope: TurnScope, ids: Sequence[str]) -> list[str]:
    """The ids as they are stored, each once.

    Raises:
        ToolInputError: one that is no id, or no paper that is held: a memory cites what exists.
    """
    papers: list[str] = []
    for given in ids:
        try:
            paper = PaperId.parse(given).value
        except ValueError as error:
            raise ToolInputError(str(error)) from None
        with scope.services.database.shared() as conn:
            if paper_by_id(conn, paper) is None:
                raise ToolInputError(f"arXiv:{paper} is not held, so no memory can rest on it.")
        if paper not in papers:
            papers.append(paper)
    return papers


def memory_uuid(given: str) -> UUID:
    """The id that a call gives.

    Raises:
        ToolInputError: it is none.
    """
    try:
        return UUID(given.strip())
    except ValueError:
        raise ToolInputError(f"{given[:60]!a} is no id of a memory.") from None


KEEPING_TOOLS = (
    ScoutTool(
        name="remember",
        description=(
            "Remember a preference, finding, fact, decision or open question beyond this thread, "
            "with its reason and category. Use it when the researcher states one."
        ),
        args_schema=Remember,
        function=remember,
    ),
    ScoutTool(
        name="merge",
        description="Make one of memories that say the same, when the researcher asks for it.",
        args_schema=Merge,
        function=_merge,
    ),
)
