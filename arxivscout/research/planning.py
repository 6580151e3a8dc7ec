"""What to search for beside a question itself, by rule: for when no chat model plans.

A question that joins several things finds papers on their mixture only; each part, searched for by
itself, finds its own. What then is left of the allowance goes to facets that every subject has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from arxivscout.checking.language import is_foreign
from arxivscout.llm.holdings import without_holdings
from arxivscout.llm.terms import content_terms, content_words, likeness, stem, topic_words, words_of
from arxivscout.papers.sentences import split_sentences

MOST = {1: 1, 2: 3, 3: 6}
LONGEST_TOPIC = 12  # words of the question in a facet's search
LONGEST_PARSED = 600  # characters; what is longer is no question of a few parts
# Of the question's words they say how it is asked, not what about.
_ASKING = frozenset(
    map(
        stem,
        "compare comparison contrast difference effect impact influence role better worse "
        "advantage exist happen determine affect mean matter evidence state art method approach "
        "limit limitation problem current progress advance measure test explain cause origin "
        "reason versus vs".split(),
    )
)
# Of these, what is never part of a subject's name; the others are in compounds: dark matter, Hall
# effect, solid state, mean field.
_NO_NOUNS = frozenset(
    map(stem, "compare exist happen determine affect explain better worse versus vs".split())
)
# After "does" and a subject these are the verb: "how does noise limit sensors?"
_TAKES_OBJECT = frozenset(map(stem, "impact influence limit cause measure advance".split()))
_DO = re.compile(r"\b(?:do|does|did|can|could|will|would|may|might)\b", re.IGNORECASE)
# Right after one of these a verb stands: "what causes bursts?", "how to measure gravity"
_BEFORE_VERB = frozenset("what who which that to not can could may might will would i we".split())
FACETS = (
    "{}: methods and measurements",
    "{}: limitations and open problems",
    "{}: evidence and results",
    "{}: recent advances",
    "{}: review and comparison",
)

_ASKED_TWICE = re.compile(
    r",?\s+(?:and|or|but)\s+(?=(?:how|what|why|when|where|which|who|whether|is|are|can|could|do"
    r"|does|did|should|will)\b)",
    re.IGNORECASE,
)
_FRAME = re.compile(
    r"^\W*(?:(?:please|can you|could you|i want to know|tell me)\s+)*"
    r"(?:(?:what|which)\s+(?:is|are|was|were|do we know|has been|have been)\s+(?:known\s+|the "
    r"state of the art\s+)?(?:(?:about|of|on|in)\s+)?|what about\s+|(?:review|summari[sz]e|explain"
    r"|describe|discuss|investigate|survey|overview of|papers? (?:on|about)|research on"
    r"|state of the art (?:of|in|on))\s+)(?:the\s+)?",
    re.IGNORECASE,
)
_SIDE = r"(?P<{}>[^,;:?]{{2,120}}?)"
_COMPARED = re.compile(
    r"^\W*(?:how (?:do|does|can) )?(?:(?:compare|contrast|comparing|comparison (?:of|between)"
    r"|(?:what (?:is|are) )?(?:the )?(?:\w+ )?differences? between|trade-?offs? between)\s+)"
    + _SIDE.format("one")
    + r"\s+(?:with|and|to|versus|vs\.?|against)\s+"
    + _SIDE.format("other")
    + r"(?P<tail>\s+(?:for|in|on|of|when|as|under|at|by|using|with)\s+[^?]*)?[?.!\s]*$",
    re.IGNORECASE,
)
_VERSUS = re.compile(
    r"^\W*(?:(?:is|are|do|does|why are|why is)\s+)?"
    + _SIDE.format("one")
    + r"\s+(?:versus|vs\.?|(?:(?:(?:much|far|any|really|always|\w+ly)\s+)?"
    r"(?:better|worse|faster|slower|stronger|weaker|superior"
    r"|larger|smaller|higher|lower|cheaper|safer|brighter|older|younger|more \w+|less \w+)\s+"
    r"(?:than|to))|compared? (?:to|with)|outperforms?)\s+"
    + _SIDE.format("other")
    + r"(?P<tail>\s+(?:for|in|on|of|when|as|under|at|using)\s+[^?]*)?[?.!\s]*$",
    re.IGNORECASE,
)
_EFFECT = re.compile(
    r"\b(?P<noun>effects?|impacts?|influences?|role|consequences?|implications?|applications?)\s+of"
    r"\s+(?P<cause>[^?;:]{2,120}?)\s+(?P<on>on|in|for|to)\s+(?P<what>[^?;:]{2,200}?)[?.!\s]*$",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\s*,\s+(?:and|or)\s+|\s*,\s+|\s+(?:and|or|as well as)\s+", re.IGNORECASE)
_PREPOSITION = re.compile(
    r"\s(?:of|in|on|for|with|from|by|to|at|under|using|about)\s", re.IGNORECASE
)
_NOT_PARTED = re.compile(r"\b(?:between|among|both|either|trade-?off)\b", re.IGNORECASE)


def sub_questions(question: str, depth: Literal[1, 2, 3]) -> list[str]:
    """What to search for: the question as it stands, its own parts, then facets of its subject.

    At most 1, 3 or 6 by depth, all different. A question in another language than English is
    parted at its sentences only and gets no English facets.
    """
    most = MOST[depth]
    question = question.strip()
    wanted = [question]
    if most > 1:
        foreign = is_foreign(question)
        wanted += [part for sentence in _sentences(question) for part in _parts(sentence, foreign)]
        if not foreign and (topic := _topic(question)):
            wanted += [facet.format(topic) for facet in FACETS]
    return _different(wanted)[:most]


def _sentences(question: str) -> list[str]:
    return [text for each in split_sentences(question[:4000]) if (text := each.strip())][:8]


def _parts(sentence: str, foreign: bool) -> list[str]:
    """The parts of one sentence; the sentence itself if it has none."""
    if foreign or len(sentence) > LONGEST_PARSED:
        return [sentence]
    asked = [part.strip(" ,") for part in _ASKED_TWICE.split(sentence)]
    if len(asked) > 1 and len(content_terms(asked[0])) > 1 and all(map(content_terms, asked)):
        return [asked[0], *(_with_subject(part.rstrip(" ?.!"), asked[0]) for part in asked[1:])]
    for pattern in (_COMPARED, _VERSUS):
        if found := pattern.search(sentence):
            tail = found["tail"] or ""
            sides = [_plain(found["one"]), _plain(found["other"])]
            if all(content_terms(side) for side in sides):
                return [side + tail.rstrip(" ?.!") for side in sides]
    if found := _EFFECT.search(sentence):
        targets = _list(found["what"], least=1)
        causes = _list(found["cause"], least=1)
        parts = [
            f"{found['noun']} of {cause} {found['on']} {target}"
            for cause in causes
            for target in targets
        ]
        if len(parts) > 1:
            return parts[:4]
    return _coordinated(_FRAME.sub("", sentence).strip(" ?.!")) or [sentence]


def _with_subject(part: str, first: str) -> str:
    """A later part and what the first one is about beside: it was left out as understood."""
    own = content_terms(part)
    missing = [word for word in content_words(first) if not likeness(stem(word), frozenset(own))]
    return f"{part}, {' '.join(missing[:6])}" if missing and len(own) < 4 else part


def _coordinated(topic: str) -> list[str]:
    """`A of B and C` as `A of B` and `A of C`, `A and B for C` as `A for C` and `B for C`."""
    if _NOT_PARTED.search(topic):
        return []
    parts = _list(topic, least=2)
    if len(parts) < 2:
        return []
    head = list(_PREPOSITION.finditer(parts[0]))
    if head:
        start = parts[0][: head[-1].end()]
        return [
            parts[0],
            *(part if _PREPOSITION.search(part) else start + part for part in parts[1:]),
        ]
    if tail := _PREPOSITION.search(parts[-1]):
        end = parts[-1][tail.start() :]
        return [*(part + end for part in parts[:-1]), parts[-1]]
    return parts


def _list(text: str, *, least: int) -> list[str]:
    """The members of an enumeration; all of `text` if one has fewer than `least` words of its own.

    "supervised and unsupervised learning" is no enumeration of two subjects: "supervised" alone
    would be searched for in vain.
    """
    members = [_plain(part) for part in _JOINED.split(text)]
    members = [member for member in members if member]
    whole = [_plain(text)]
    if not 2 <= len(members) <= 4:
        return whole
    if any(len(content_words(member)) < least for member in members):
        return whole
    return members


def _plain(text: str) -> str:
    return re.sub(r"^(?:the|a|an)\s+", "", text.strip(" ,.?!"), flags=re.IGNORECASE)


def _topic(question: str) -> str:
    """The words that say what the question is about, each family of words once."""
    kept: dict[str, str] = {}
    asked = without_holdings(question[:2000])
    asking = _asking(asked)
    for word in topic_words(asked):
        key = stem(word)
        if key not in asking and not any(key[:6] == known[:6] for known in kept):
            kept[key] = word
    return " ".join(list(kept.values())[:LONGEST_TOPIC])


def _asking(question: str) -> set[str]:
    """The stems of those words of `question` that only say how it is asked.

    "Matter" is one in "does it matter?", but belongs to the subject in "dark matter": it stands
    right beside another word of the subject, where no verb of the question stands.
    """
    words = words_of(question)
    stems = [stem(word) for word in words]
    subject = set(topic_words(question))
    says = [w in subject and s not in _ASKING for w, s in zip(words, stems, strict=True)]
    does = _DO.search(question) is not None
    kept: set[str] = set()
    for at, key in enumerate(stems):
        if key not in _ASKING or key in _NO_NOUNS or words[at] not in subject:
            continue
        after = at > 0 and says[at - 1]
        before = any(says[at + 1 : at + 2])
        verb = (
            (at == 0 and key == "contrast")
            or words[at - 1].lower() in _BEFORE_VERB
            or (key in _TAKES_OBJECT and does and after)
        )
        if (after or before) and not verb:
            kept.add(key)
    return {key for key in stems if key in _ASKING} - kept


def _different(texts: Iterable[str]) -> list[str]:
    """Each text once, whatever its case, blanks and marks at its end."""
    kept: dict[str, str] = {}
    for text in texts:
        kept.setdefault(" ".join(text.casefold().split()).rstrip(" ?.!") or text, text)
    return list(kept.values())
