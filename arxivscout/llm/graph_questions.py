"""Questions that the graph answers: how two things are related, what happened with one; and what is
asked of memory at large: all that it holds of something, to be put in order, taken apart.

What is asked so may be a question of research as well ("how is dark matter related to inflation?"):
where the graph knows nothing, it is answered as one.
"""

from __future__ import annotations

import re

from arxivscout.llm.extractive_answer import MODE
from arxivscout.llm.extractive_reading import Reading
from arxivscout.llm.pattern_questions import papers_pattern
from arxivscout.llm.relation_questions import MOST, Call, relation_call

LONGEST = 200  # of a name

_THING = r"[\"“']?(?P<{0}>[^?\"“”]{{1,200}}?)[\"”']?"
_ONE, _OTHER = _THING.format("one"), _THING.format("other")
_JOINED = r"(?:related|connected|linked|joined|tied)"
_END = r"\s*[?.!]*\s*$"
_I = re.IGNORECASE
_PATH = (
    re.compile(rf"^\W*how (?:is|are) {_ONE} {_JOINED} (?:to|with) {_OTHER}{_END}", _I),
    re.compile(rf"^\W*how (?:do|does) {_ONE} relate to {_OTHER}{_END}", _I),
    re.compile(
        r"^\W*(?:what(?:'s| is| are)|show(?: me)?|find) (?:the |a )?(?:connections?|links?|path|way"
        rf"|relations?(?:hip)?) between {_ONE} and {_OTHER}{_END}",
        _I,
    ),
    re.compile(rf"^\W*what (?:connects|links|joins) {_ONE} (?:and|with|to) {_OTHER}{_END}", _I),
    re.compile(rf"^\W*come (?:è|sono) collegat[oaie] {_ONE} (?:a|con) {_OTHER}{_END}", _I),
    re.compile(rf"^\W*che (?:relazione|legame) c['’]è tra {_ONE} e {_OTHER}{_END}", _I),
)
_TIMELINE = (
    re.compile(rf"^\W*what (?:has |had )?happened (?:with|to|about|around) {_ONE}{_END}", _I),
    re.compile(rf"^\W*(?:show(?: me)? )?(?:the |a )?timeline (?:of|for) {_ONE}{_END}", _I),
    re.compile(rf"^\W*(?:che )?cos[ae] è successo (?:con|a) {_ONE}{_END}", _I),
)
_HERE = re.compile(
    r"^\W*(?:what (?:has )?happened (?:so far|here|in (?:this|our) (?:thread|conversation))"
    rf"|(?:show(?: me)? )?(?:the )?timeline of (?:this|our) (?:thread|conversation)){_END}",
    _I,
)
_NEIGHBOURS = (
    re.compile(rf"^\W*what is {_ONE} {_JOINED} (?:to|with){_END}", _I),
    re.compile(rf"^\W*what (?:else )?is (?:connected|linked|joined) (?:to|with) {_ONE}{_END}", _I),
    re.compile(rf"^\W*(?:show(?: me)? )?(?:the )?neighbou?rs of {_ONE}{_END}", _I),
)
_RELATED = (
    re.compile(
        rf"^\W*(?:what|which things?) (?:has|have|shares?) (?:the )?(?:most|much|something)"
        rf"(?: neighbou?rs)?(?: in common)? with {_ONE}{_END}",
        _I,
    ),
    re.compile(rf"^\W*what is (?:most )?(?:related|akin) to {_ONE}{_END}", _I),
    re.compile(rf"^\W*(?:che )?cos[ae] ha (?:molto |più )?in comune con {_ONE}{_END}", _I),
)
_LINK = re.compile(
    rf"^\W*(?:please )?(?:link|connect|relate|join) {_ONE} (?:to|with|and) {_OTHER}{_END}", _I
)
_DEEP = (
    re.compile(
        r"^\W*(?:search|(?:look|dig(?: deep(?:er)?)?) (?:in|into|through)|go through)"
        rf" (?:all (?:of )?|the whole of )?(?:your|my) memor(?:y|ies) for {_ONE}{_END}",
        _I,
    ),
    re.compile(
        r"^\W*(?:recall|tell me|show me|give me) (?:everything|all)(?: that)?(?: you)?"
        rf"(?: (?:remember|know|have))? (?:about|of|on) {_ONE}{_END}",
        _I,
    ),
    re.compile(rf"^\W*cerca in tutta la (?:tua |mia )?memoria {_ONE}{_END}", _I),
)
_ORDER = re.compile(
    rf"^\W*(?:please )?(?:consolidate|condense|tidy up|put in order) (?:all )?(?:my|your|the) "
    rf"memor(?:y|ies){_END}",
    _I,
)
_DRILL = re.compile(
    r"^\W*(?:drill down|expand|open up|what (?:stands|is) behind)\b.*?\b"
    rf"(?P<one>[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}){_END}",
    _I,
)
_ARTICLE = re.compile(r"^(?:the|a|an|my|our)\s+(?=\S)", _I)
_TITLES = {
    "path": "How they are related, by what is remembered and held:",
    "timeline": "What happened, in order:",
    "neighbours": "What is known of it:",
    "related": "What has most in common, by what both are joined to:",
    "match": "What fits, and what says so:",
    "link": "Noted.",
    "deep_recall": "All that is remembered of it, also what rests:",
    "drill_down": "What the summary stands for:",
    "consolidate": "Your memories:",
}


def graph_call(question: str) -> Call | None:
    """The tool that the question asks for, with its arguments; None if it asks for none."""
    text = " ".join(question.split())
    if len(text) > 3 * LONGEST:
        return None
    for pattern in _PATH:
        if match := pattern.match(text):
            return "path", {"start": _name(match["one"]), "end": _name(match["other"])}
    if _HERE.match(text):
        return "timeline", {}
    for pattern in _TIMELINE:
        if match := pattern.match(text):
            return "timeline", {"about": _name(match["one"])}
    for pattern in _NEIGHBOURS:
        if match := pattern.match(text):
            return "neighbours", {"name": _name(match["one"])}
    for pattern in _RELATED:
        if match := pattern.match(text):
            return "related", {"name": _name(match["one"])}
    if match := _LINK.match(text):
        ends = {"subject": _name(match["one"]), "object": _name(match["other"])}
        return "link", {**ends, "predicate": "related to"}
    if found := relation_call(text):
        return found
    if pattern_of := papers_pattern(text):
        return "match", {"pattern": pattern_of[0], "wanted": pattern_of[1], "limit": MOST}
    return _memory_call(text)


def _memory_call(text: str) -> Call | None:
    for pattern in _DEEP:
        match = pattern.match(text)
        if match and _name(match["one"]).lower() not in ("me", "myself", "di me"):
            return "deep_recall", {"query": _name(match["one"])}
    if _ORDER.match(text):
        return "consolidate", {}
    if match := _DRILL.match(text):
        return "drill_down", {"summary_id": match["one"]}
    return None


def told_by_graph(call: Call, status: str) -> bool:
    """Whether the graph has answered: it knew something, or nothing else knows it.

    What cites what stands in no record and no abstract.
    """
    only_here = call[0] == "match" and " cites " in call[1]["pattern"]
    return status == "ok" or (only_here and status == "empty")


def graph_answer(reading: Reading) -> str | None:
    """What the graph told, where the question asked for it and it knew something."""
    call = graph_call(reading.question)
    result = reading.called(call[0]) if call else None
    if call is None or result is None or not told_by_graph(call, result.status):
        return None
    if result.status != "ok":
        return f"{MODE}. {result.text}"
    return f"{MODE}. {_TITLES[call[0]]}\n{result.text}"


def _name(text: str) -> str:
    return _ARTICLE.sub("", text.strip())[:LONGEST]
