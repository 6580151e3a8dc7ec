"""Tools over lessons: look them up, reflect now, and let the person's own word count."""

from __future__ import annotations

import re
from uuid import UUID

from pydantic import Field

from arxivscout.agent.keeping_tools import memory_uuid
from arxivscout.agent.memory_lists import listed
from arxivscout.agent.reflecting import reflect
from arxivscout.agent.tools import Arguments, ScoutTool, ToolResult, TurnScope
from arxivscout.context.followup import content_words
from arxivscout.errors import NotFound, ThreadBusy, ToolInputError
from arxivscout.memory import lesson, lesson_learning
from arxivscout.memory.lesson import Lesson
from arxivscout.memory.remembering import consent
from arxivscout.papers import clean_text, neutralise

# Words that speak of what was learned, whatever it is about.
_OF_LESSONS = re.compile(
    r"\b(?:lessons?|rules?|learn(?:ed|t)|keep (?:it|doing|to)|stick to|that['’]s (?:right|wrong)|"
    r"no longer|any ?more|stop|regol[ae]|impara\w*)\b",
    re.IGNORECASE,
)


class Lessons(Arguments):
    query: str = Field("", description="What they are to bear on; empty for the newest.")
    k: int = Field(8, ge=1, le=50, description="How many at most.")


class ReflectNow(Arguments):
    pass


class Reinforce(Arguments):
    lesson_id: str = Field(description="The id shown with the lesson.")
    supports: bool = Field(
        description="true: the researcher confirms it. false: they say it is wrong or no longer "
        "holds, which ends it."
    )
    said: str = Field("", description="The researcher's own words.")


def _lessons(scope: TurnScope, query: str = "", k: int = 8) -> ToolResult:
    if consent(scope.services.database, scope.user, scope.thread_id).choice == "nothing":
        return ToolResult("Nothing is remembered beyond a conversation.", "0 lessons", (), True)
    query = clean_text(query).strip()
    vector = scope.services.embedder.embed_query(query) if query else None
    with scope.transaction() as conn:
        found = lesson.search(conn, vector, k) if vector else lesson.read(conn, limit=k)
    return listed([_line(each) for each in found], "lessons")


def _reflect_now(scope: TurnScope) -> ToolResult:
    try:
        done = reflect(scope.services, scope.user, model=scope.model, why="asked for in a turn")
    except ThreadBusy as busy:
        raise ToolInputError(busy.cause) from busy
    if done["status"] == "not allowed":
        raise ToolInputError(
            "Nothing is learned: the researcher lets nothing be remembered unasked.",
            "\nSay so; `arxivscout setup` changes it.",
        )
    told = [
        f"- {each['change']} {each['kind']}: {neutralise(each['statement'])}"
        for each in done["learned"]
    ]
    lines = [f"Looked back on {done['reviewed']} turns.", *(told or ["Nothing new was learned."])]
    return ToolResult("\n".join(lines), f"{len(told)} lessons changed", usage=done["usage"])


def _reinforce(scope: TurnScope, lesson_id: str, supports: bool, said: str = "") -> ToolResult:
    identity = memory_uuid(lesson_id)
    if not consent(scope.services.database, scope.user, scope.thread_id).may_keep():
        raise ToolInputError("Not kept: the researcher lets nothing be remembered here.")
    with scope.transaction() as conn:
        found = lesson.read(conn, [identity])
        if not found:
            raise NotFound(f"There is no lesson {identity}.")
        if not _speaks_of(scope.question, found[0]):
            raise ToolInputError(
                "Not counted: only the researcher's own word is a case, and they have not spoken "
                "of this lesson.",
                "Go on without it.",
            )
        note = clean_text(said).strip() or scope.question
        kept = lesson_learning.reinforce(conn, identity, UUID(scope.turn_id), supports, note[:300])
    end = "It holds." if kept.ended_at is None else "It has ended."
    return ToolResult(
        f"Counted: {kept.cases_for} cases for, {kept.cases_against} against "
        f"“{neutralise(kept.statement)}”. {end}",
        "1 case counted",
    )


def _speaks_of(question: str, about: Lesson) -> bool:
    """Whether the person's own words are on this lesson: its words, or lessons as such."""
    said = {word.lower().removesuffix("s") for word in content_words(question)}
    theirs = {
        word.lower().removesuffix("s")
        for word in content_words(f"{about.statement} {about.concept}")
    }
    return bool(said & theirs) or bool(_OF_LESSONS.search(question)) or str(about.id) in question


def _line(each: Lesson) -> str:
    because = f" | because: {neutralise(each.reason)}" if each.reason else ""
    return (
        f"- {each.at:%Y-%m-%d} (id {each.id}, {each.kind}, {each.cases_for} for, "
        f"{each.cases_against} against): {neutralise(each.statement)}{because}"
    )


LESSON_TOOLS = (
    ScoutTool(
        name="lessons",
        description="Look up what earlier turns have taught: rules on ways of working, "
        "preferences, gaps, facts, each with its cases.",
        args_schema=Lessons,
        function=_lessons,
    ),
    ScoutTool(
        name="reflect_now",
        description="Look back on the latest turns and keep what they teach, when the researcher "
        "asks for it.",
        args_schema=ReflectNow,
        function=_reflect_now,
    ),
    ScoutTool(
        name="reinforce",
        description="Count the researcher's word for or against a lesson, by its id; against it "
        "ends the lesson.",
        args_schema=Reinforce,
        function=_reinforce,
    ),
)
