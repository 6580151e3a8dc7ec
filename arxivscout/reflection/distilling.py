"""What episodes teach, by rule. The same episodes give the same drafts, in the same order.

- three complaints about the manner of answers among the last five → a preference
- a way of working that failed twice on like requests → a rule: what not to repeat, what to do
- first requests on new topics that went well when papers were searched first → a rule
- searches in vain → a gap, closed when something is found
- like requests answered again and again, over threads or days → a fact
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from arxivscout.preferences import find_preferences
from arxivscout.reflection.drafts import Draft
from arxivscout.reflection.episode import LEFT_OUT, SEARCHES, Action, Episode
from arxivscout.reflection.likeness import groups
from arxivscout.reflection.noticing import KNOWN, asked_beside, notice, opposite
from arxivscout.reflection.statements import Rule, Step, short, shown
from arxivscout.statements.asking import own_question, perhaps_own
from arxivscout.statements.declaring import unsaid

LATEST = 5  # complaints on one manner that count: what a person wanted long ago may have changed
ENOUGH = 3  # of them, for a preference; and answered requests, for a fact
# What is asked of memory, not of papers.
_TO_MEMORY = re.compile(
    r"\W*(?:(?:please|ok|and|can you|could you)\W+)*(?:forget|remember|remind|note|delete|undo|todo"
    r"|dimentica\w*|ricorda\w*|vergiss|merk\w*|oublie[sz]?|retiens|olvida\w*|recuerda\w*)\b",
    re.IGNORECASE,
)
TWICE = 2  # failures of one way, for a rule

# What is said of answers, so that `preferences.find_preferences` reads it.
MANNERS = {
    "short": ("length of answers", "Keep answers short."),
    "long": ("length of answers", "Give long answers."),
    "plain": ("language of answers", "Use plain language."),
    "technical": ("language of answers", "Answer in technical terms."),
    "bullets": ("form of answers", "Use bullet points."),
    "prose": ("form of answers", "Write in paragraphs."),
    "no_formulas": ("formulas in answers", "Don't use formulas."),
    "formulas": ("formulas in answers", "Use formulas."),
    KNOWN: ("what is known", "Leave out what the researcher knows already; begin with the new."),
}
NEW_TOPICS = "new topics"
SURVEY_FIRST = "When a topic is new, survey papers first: search_papers."
_SURVEY = "search_papers"
_FREE_TEXT = frozenset({"query", "question", "text", "contains", "reason", "page", "k", "limit"})


def distil(episodes: Sequence[Episode], stated: Sequence[tuple[str, datetime]] = ()) -> list[Draft]:
    """The drafts of lessons that these episodes give.

    Args:
        stated: what the person said of their preferences, and when: a later one holds against what
            their complaints show.
    """
    asked = groups([each for each in episodes if _asked_of_papers(each.request)])
    drafts = manners(episodes, stated)
    for group in asked:
        drafts += [each for each in (_way(group), _gap(group), _interest(group)) if each]
    new = _survey([group[0] for group in asked])
    return [*drafts, *([new] if new else [])]


def _asked_of_papers(request: str) -> bool:
    """Whether papers could tell it: not what the person says, and not what they ask of themselves.

    "I love Fortran" that was searched for is no sign that nothing is known of Fortran.
    """
    asked = asked_beside(request)
    if not asked or own_question(asked):
        return False
    return any(letter.isalnum() for letter in unsaid(asked))


def manners(
    episodes: Sequence[Episode], stated: Sequence[tuple[str, datetime]] = ()
) -> list[Draft]:
    """How answers should be, by what was said of them."""
    votes: dict[str, list[tuple[str, Episode]]] = {}
    for episode in sorted(episodes, key=lambda each: (each.at, str(each.id))):
        said = notice(episode.note) if episode.feedback == "bad" else None
        if said and said.asks in MANNERS:
            votes.setdefault(MANNERS[said.asks][0], []).append((said.asks, episode))
    drafts = []
    for concept, cast in votes.items():
        latest = [asks for asks, _ in cast[-LATEST:]]
        wanted = max(dict.fromkeys(reversed(latest)), key=latest.count)
        ours = [each for asks, each in cast if asks == wanted]
        others = [each for asks, each in cast if asks == opposite(wanted)]
        if len(cast) < ENOUGH:
            continue
        drafts.append(
            Draft(
                "preference",
                concept,
                MANNERS[wanted][1],
                "said of answers: " + ", ".join(f"“{short(each.note)}”" for each in ours[-3:]),
                _ids(ours),
                _ids(others),
                holds=latest.count(wanted) >= ENOUGH
                and not _said_otherwise(wanted, ours[-1], stated),
                general=True,
            )
        )
    return drafts


def _said_otherwise(wanted: str, last: Episode, stated: Sequence[tuple[str, datetime]]) -> bool:
    """Whether the person has since stated the contrary."""
    since = last.changed_at or last.at
    return any(
        at > since and opposite(wanted) in one.style
        for text, at in stated
        for one in find_preferences(text)
        if not one.lifts
    )


def _way(group: Sequence[Episode]) -> Draft | None:
    """What failed twice on like requests, and what to do in its place."""
    failed: dict[tuple[str, ...], list[Episode]] = {}
    for episode in group:
        if episode.went_wrong and episode.actions:
            failed.setdefault(_tools(episode), []).append(episode)
    well = [each for each in group if each.went_well and each.actions]
    good_tools = {tool for each in well for tool in _tools(each)}
    avoid: dict[str, Step] = {}
    failing: list[Episode] = []
    for episodes in failed.values():
        if len(episodes) >= TWICE and (steps := _culprits(episodes, good_tools)):
            avoid |= {str(step): step for step in steps}
            failing += episodes
    if not avoid:
        return None
    culprits = tuple(avoid.values())
    against = [each for each in well if _did(each, culprits)]
    other = [each for each in well if not _did(each, culprits)]
    instead: tuple[Step, ...] = ()
    if other:
        instead = tuple(Step(tool) for tool in _tools(other[-1]))
    else:
        known = {tool for each in group for tool in _tools(each)}
        untried = [tool for tool in SEARCHES if tool not in known]
        searched = known & set(SEARCHES)
        instead = tuple(Step(tool) for tool in untried[:1] if searched)
    rule = Rule(short(group[0].content), culprits, instead, tried=bool(other))
    failing.sort(key=lambda each: (each.at, str(each.id)))
    return Draft(
        "rule",
        rule.like,
        str(rule),
        _why(failing),
        _ids([*failing, *other]),
        _ids(against),
        holds=len(failing) > len(against),
    )


def _culprits(episodes: Sequence[Episode], good_tools: set[str]) -> list[Step]:
    """The steps that a way failed by: those that ended in errors each time, else those that no way
    with a good end has."""
    tools = _tools(episodes[0])

    def errs(tool: str) -> bool:
        calls = [[a for a in each.actions if a.tool == tool] for each in episodes]
        return all(own and all(action.failed for action in own) for own in calls)

    chosen = [tool for tool in tools if errs(tool)]
    if not chosen:
        chosen = [tool for tool in tools if tool not in good_tools]
    return [Step(tool, _in_common(tool, episodes)) for tool in chosen]


def _in_common(tool: str, episodes: Sequence[Episode]) -> dict[str, str]:
    """The arguments that all calls of a tool have in common, but for words to look for."""
    calls = [a.arguments for each in episodes for a in each.actions if a.tool == tool]
    return {
        name: shown(value)
        for name, value in calls[0].items()
        if name not in _FREE_TEXT and isinstance(value, str | int | bool) and shown(value)
        and all(shown(call.get(name)) == shown(value) for call in calls)
    }  # fmt: skip


def _gap(group: Sequence[Episode]) -> Draft | None:
    """What was looked for and not found."""
    vain = [
        each
        for each in group
        if not each.cited and each.outcome != "success" and each.feedback != "good"
        and any(action.tool in SEARCHES and not action.failed for action in each.actions)
        and not any(action.status == LEFT_OUT for action in each.actions)
        # what is not known of the person is in no paper
        and not _TO_MEMORY.match(each.request) and not perhaps_own(each.request)
    ]  # fmt: skip
    if not vain:
        return None
    found = [each for each in group if each.cited and not each.went_wrong]
    like = short(group[0].content)
    missing = ", ".join(
        dict.fromkeys(a.tool for a in vain[-1].actions if a.tool in SEARCHES and a.failed)
    )
    newest = max([*vain, *found], key=lambda each: (each.at, str(each.id)))
    return Draft(
        "gap",
        like,
        f"Nothing was found on “{like}”.",
        f"searched on {vain[-1].at:%Y-%m-%d} in vain" + (f"; {missing} failed" if missing else ""),
        _ids(vain),
        _ids(found),
        holds=newest in vain,
    )


def _interest(group: Sequence[Episode]) -> Draft | None:
    """What the person comes back to."""
    answered = [each for each in group if each.cited and each.went_well]
    places = {each.thread_id for each in answered}
    days = {each.at.date() for each in answered}
    if len(answered) < ENOUGH or max(len(places), len(days)) < TWICE:
        return None
    like = short(group[0].content)
    statement = f"The researcher comes back to “{like}”."
    reason = "asked again in other threads or on other days"
    return Draft("fact", like, statement, reason, _ids(answered))


def _survey(first: Sequence[Episode]) -> Draft | None:
    """Whether first requests on a topic go well when papers are searched first."""
    begun = [(each, each.actions[0].tool if each.actions else "") for each in first]
    surveyed = [each for each, tool in begun if tool == _SURVEY and each.went_well]
    otherwise = [each for each, tool in begun if tool != _SURVEY and each.went_wrong]
    against = [each for each, tool in begun if tool == _SURVEY and each.went_wrong]
    if len(surveyed) < ENOUGH or len(otherwise) < TWICE:
        return None
    return Draft(
        "rule",
        NEW_TOPICS,
        SURVEY_FIRST,
        "requests on new topics went well so, and failed when begun otherwise",
        _ids([*surveyed, *otherwise]),
        _ids(against),
        holds=len(surveyed) > len(against),
        general=True,
    )


def _tools(episode: Episode) -> tuple[str, ...]:
    return tuple(dict.fromkeys(action.tool for action in episode.actions))


def _did(episode: Episode, steps: Sequence[Step]) -> bool:
    return any(_matches(step, action) for step in steps for action in episode.actions)


def _matches(step: Step, action: Action) -> bool:
    arguments: Mapping[str, object] = action.arguments
    return step.matches(action.tool, arguments)


def _why(failing: Sequence[Episode]) -> str:
    said = [f"“{short(each.note)}”" for each in failing if each.note][-2:]
    days = sorted({f"{each.at:%Y-%m-%d}" for each in failing})
    return f"failed {len(failing)} times, last on {days[-1]}" + (
        f"; said of it: {', '.join(said)}" if said else ""
    )


def _ids(episodes: Sequence[Episode]) -> tuple[UUID, ...]:
    return tuple(dict.fromkeys(each.id for each in episodes))
