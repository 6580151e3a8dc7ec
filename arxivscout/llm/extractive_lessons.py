"""What earlier turns taught, obeyed without a chat model: the manner of answers, ways not repeated.

And what the person says of the answer before: another manner is another answer to the same
question, the rest is noted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from arxivscout.llm.extractive_arguments import fill_arguments
from arxivscout.llm.extractive_filters import LONGEST_QUERY, query_of
from arxivscout.llm.extractive_plan import Planned, Situation
from arxivscout.llm.extractive_reading import Item, Reading
from arxivscout.papers import cut_at_word
from arxivscout.preferences import find_preferences
from arxivscout.reflection.distilling import MANNERS
from arxivscout.reflection.noticing import Noticed, asked_again, is_standing, notice
from arxivscout.reflection.statements import Rule, applicable, read_rule

# Closeness of today's question to the one that a rule names: that question in other words has 1.0
# and more, another one on the same subject .5 to .9.
LIKE = 0.95
_INSISTS = re.compile(
    r"\b(?:anyway|anyhow|nevertheless|all the same|once more|try again|comunque|lo stesso)\b"
    r"|\b(?:on|in|ask|search) arxiv\b(?! ?:)",
    re.IGNORECASE,
)
HELD_TO = "Noted with the answer before, and what you say is right. Ask on, or in other words."
NOTED = (
    "Noted with the answer before. Say what is right, or ask in other words; what you correct "
    "(“/correct …” in the chat) I will hold to."
)


@dataclass(frozen=True, slots=True)
class Remark:
    """What the question says of the answer before, and the statement of the manner asked for."""

    noticed: Noticed
    manner: str = ""


def remark_on(reading: Reading) -> tuple[Reading, Remark | None]:
    """The reading of the question that is answered: after "shorter, please" the one before.

    What is asked beside a remark is what there is to answer.
    """
    noticed = notice(reading.question)
    if noticed is None or is_standing(reading.question):
        return reading, None
    if noticed.besides:
        topic = noticed.besides if reading.topic == reading.question else reading.topic
        asked = replace(reading, question=noticed.besides, topic=topic)
        manner = MANNERS.get(noticed.asks, ("", ""))[1]
        return asked, Remark(noticed, manner) if find_preferences(manner) else None
    manner = MANNERS.get(noticed.asks, ("", ""))[1]
    before, _ = asked_again(reading.question, reading.earlier)
    if not before:
        return reading, Remark(noticed)
    topic = before if reading.topic == reading.question else reading.topic
    return replace(reading, question=before, topic=topic), Remark(noticed, manner)


def learned_wishes(reading: Reading) -> list[Item]:
    """The lessons that say how answers should be."""
    return [item for item in reading.sections.get("lessons", ()) if "preference" in item.about]


def rules_for(
    reading: Reading, topic: str, close: Callable[[str, Sequence[str]], list[float]]
) -> list[Rule]:
    """The rules on ways of working for requests like this one; none where the person insists."""
    if _INSISTS.search(reading.question):
        return []
    found = [read_rule(i.text) for i in reading.sections.get("lessons", ()) if "rule" in i.about]
    rules = [rule for rule in found if rule is not None]
    scores = close(topic, [rule.like for rule in rules]) if rules and topic.strip() else []
    return [rule for rule, score in zip(rules, scores, strict=False) if score >= LIKE]


def obeying(now: Situation, planned: Sequence[Planned], rules: Sequence[Rule]) -> list[Planned]:
    """The calls without those that failed on such requests; what is to be done instead if that
    leaves none.

    Where there is nothing else to do and nothing at hand, the plan stays: an answer is owed.
    """
    against = [applicable(rules, call.name, call.arguments) for call in planned]
    kept = [call for call, rule in zip(planned, against, strict=True) if rule is None]
    rule = next((each for each in against if each is not None), None)
    if kept or rule is None:
        return kept
    for step in rule.instead:
        if now.free(step.tool):
            return [Planned(step.tool, _arguments(now, step.tool))]
    called = {step.tool for step in rule.instead} & {r.name for r in now.reading.results}
    return [] if called or now.reading.results or now.enough() else list(planned)


def left_undone(planned: Sequence[Planned], rules: Sequence[Rule]) -> list[str]:
    """What an answer says of the calls that were not made."""
    steps = {
        str(step)
        for call in planned
        if (rule := applicable(rules, call.name, call.arguments))
        for step in rule.avoid
        if step.matches(call.name, call.arguments)
    }
    return [
        f"Left undone, as it failed on such questions before: {each}." for each in sorted(steps)
    ]


def _arguments(now: Situation, tool: str) -> dict[str, object]:
    schema = now.tools[tool]
    given = fill_arguments(tool, schema, now.reading.question)
    if "query" in (schema.get("properties") or {}):
        given["query"] = query_of(now.topic) or cut_at_word(now.topic, LONGEST_QUERY)
    return given
