"""What two statements are to one another: the same, different, or one the end of the other.

Words alone can't tell (a denial shares them all), and neither can vectors (a statement and its
denial, GPT-2 and GPT-3 lie as near as paraphrases do). So both are read word by word: the same are
those that speak of the same, count the same and are turned round alike.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from arxivscout.memory.gate import signs
from arxivscout.memory.gate.lexicon import folded
from arxivscout.memory.gate.numerals import shown
from arxivscout.memory.gate.reading import Statement, read
from arxivscout.papers import one_line
from arxivscout.statements.doing import is_done
from arxivscout.statements.ending import NOW_AND_THEN
from arxivscout.statements.roles import another, of_others, role_keys
from arxivscout.statements.stating import told

Relation = Literal["same", "different", "contradicts"]
LEAST_LIKE = 0.2  # cosine under which English sentences are not the same, whatever their words
_LONGEST = 1_000  # characters that are read

# What somebody or something has one of at a time.
_ONE_AT_A_TIME = frozenset(
    """deadlin supervisor affiliat editor baseline titl budget leader author languag framework
    thesis employ venu goal topic journal""".split()
)
_GENERIC = frozenset(
    {"use", "work", "live", "want", "run", "study", "paper", "writ", "goes", "project"}
)
_SAYS_LITTLE = frozenset({"want", "use", "about", "plan", "decide"})
_ENDINGS = re.compile(
    r"(?:al|ally|ic|ical|y|ies|ion|ions|ation|ing|ed|er|or|ers|iz|ity|ive|ment|nes|ance|ence|ent|ant|ian"
    r"|ist|at|e|o|i|a|en|el|isch|isches|os|as|os|es|iche|ici|ali|ale|ales|aux|elle|elles|ional|ionnell\w*)?"
)
_ACRONYM = re.compile(r"\b([A-Z]{2,6})s?\b")
_GENERIC_NOUN = r"(?:\s+(?:networks?|models?|methods?|algorithms?))?"


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a newer text stands to an older one, and why."""

    relation: Relation
    why: str


_DIFFERENT = Verdict("different", "it says something else")


def compare(newer: str, older: str, likeness: float) -> Verdict:
    """Judge two statements.

    Args:
        likeness: cosine of their vectors; 0 where that is not known.
    """
    newer, older = newer[:_LONGEST], older[:_LONGEST]
    if newer == older or (_squeezed(newer) == _squeezed(older) != ""):
        return Verdict("same", "the same words")
    if is_done(newer, older):
        return Verdict("contradicts", "it is done")
    if role := another(newer, older):
        return Verdict("contradicts", f"another {role} now")
    if of_others(newer, older):
        return _DIFFERENT
    new, old = read(_with_short_names(newer, older)), read(_with_short_names(older, newer))
    only_new, only_old = _unmatched(new, old)
    essential_new = only_new - new.optional
    essential_old = only_old - old.optional
    shared = [term for term in new.terms if term not in only_new]
    if new.labels != old.labels or new.hedges != old.hedges:
        return _DIFFERENT
    if _takes_the_place(new, old):
        return Verdict("contradicts", "it says what changed")
    if changed := _comes_or_goes(newer, older):
        return Verdict("contradicts", changed)
    if _denies_more(new, old) and signs.PERSON.search(newer) and signs.PERSON.search(older):
        return Verdict("contradicts", "it says the opposite")
    told = bool(set(shared) - _SAYS_LITTLE) or bool(new.values and new.values == old.values)
    if essential_new or essential_old or (only_new and only_old) or not told:
        return _other_value(new, old, essential_new, essential_old, shared)
    if 0 < likeness < LEAST_LIKE and not (new.foreign or old.foreign):
        return _DIFFERENT
    kinds = {kind for kind, _ in new.attributes ^ old.attributes}
    if kinds:
        if (
            _each_one(new, old, kinds)
            and not (new.past or old.past)
            and _is_about_answers(kinds, shared)
        ):
            return Verdict("contradicts", f"another {min(kinds)}")
        return _DIFFERENT
    order = _order(new, old, shared)
    if order == "unlike":
        return _DIFFERENT
    turned = (new.turned != old.turned) != (order == "reversed")
    if sorted(new.values) != sorted(old.values):
        if turned or len(new.values) != len(old.values) or new.past or old.past:
            return _DIFFERENT
        values = (", ".join(map(shown, each.values)) for each in (new, old))
        return Verdict("contradicts", " instead of ".join(values))
    if turned:
        return Verdict("contradicts", "it says the opposite")
    return Verdict("same", "the same in other words")


def _comes_or_goes(newer: str, older: str) -> str:
    """Why all that the older tells of the person has ended or come again by the newer; else ""."""
    now = _own(newer)
    then = _own(older) if now else ()
    if not then:
        return ""
    ended = {(NOW_AND_THEN[past], what) for past, what in now if past in NOW_AND_THEN}
    if all(any(_of_one(each, gone) for gone in ended) for each in then):
        return "it is no longer so"
    again = {(NOW_AND_THEN[past], what) for past, what in then if past in NOW_AND_THEN}
    if len(again) == len(then) and all(any(_of_one(each, one) for each in now) for one in again):
        return "it is so again"
    return ""


@lru_cache(maxsize=20_000)
def _own(text: str) -> tuple[tuple[str, str], ...]:
    """What a statement tells of the person: predicates, and the words for what."""
    found = told(signs.REASON.sub("", one_line(text)).strip(" .!"))
    return tuple((each.predicate, _squeezed(signs.ARTICLE.sub("", each.what))) for each in found)


def _of_one(one: tuple[str, str], part: tuple[str, str]) -> bool:
    """Whether both have one predicate, and what the first is of begins with the words of the other:
    who uses Julia no more does not use Julia for plots."""
    return one[0] == part[0] and f"{one[1]} ".startswith(f"{part[1]} ")


def substitutes(newer: str, older: str) -> bool:
    """Whether each of two statements speaks of something that the other does not."""
    new, old = read(newer[:_LONGEST]), read(older[:_LONGEST])
    only_new, only_old = _unmatched(new, old)
    return bool(only_new - new.optional and only_old - old.optional)


def statement_keys(text: str) -> tuple[str, ...]:
    """The words that a statement is looked up by, whatever language it is in, and its roles."""
    statement = read(text[:_LONGEST])
    words = [f"~{term}"[:60] for term in statement.terms if term not in statement.optional]
    return (*words[:24], *role_keys(text[:_LONGEST]))


def _squeezed(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+|[%+#-]", folded(text)))


def _with_short_names(text: str, other: str) -> str:
    """`text` with the abbreviations of `other` for what they abbreviate."""
    for short in set(_ACRONYM.findall(other)) - set(_ACRONYM.findall(text)):
        spelled = r"[\s-]+(?:of\s+|from\s+)?".join(rf"{letter}[^\W\d_]+" for letter in short)
        text = re.sub(rf"\b{spelled}{_GENERIC_NOUN}\b", short, text, flags=re.IGNORECASE)
    return text


def _unmatched(new: Statement, old: Statement) -> tuple[set[str], set[str]]:
    """Terms that only one of the two has."""
    only_new, only_old = set(new.terms) - set(old.terms), set(old.terms) - set(new.terms)
    foreign = new.foreign or old.foreign
    for one in sorted(only_new):
        for other in sorted(only_old):
            if _one_family(one, other, foreign):
                only_new.discard(one)
                only_old.discard(other)
                break
    return only_new, only_old


def _one_family(one: str, other: str, foreign: bool) -> bool:
    """Whether two words are forms of one, or the same word in two languages."""
    if foreign:
        one, other = _cognate(one), _cognate(other)
        if one == other:
            return True
    common = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        common += 1
    if common < (4 if foreign else 5) or common < 0.6 * max(len(one), len(other)):
        return False
    return bool(_ENDINGS.fullmatch(one[common:]) and _ENDINGS.fullmatch(other[common:]))


def _cognate(word: str) -> str:
    word = re.sub(r"(.)\1", r"\1", word)
    for ours, theirs in (("ph", "f"), ("zion", "tion"), ("cion", "tion"), ("tz", "t"), ("k", "c"),
                         ("qu", "c"), ("y", "i"), ("x", "s"), ("th", "t")):  # fmt: skip
        word = word.replace(ours, theirs)
    return word


def _order(new: Statement, old: Statement, shared: list[str]) -> str:
    """Whether who does what to whom is told alike, "reversed" or, where it can't be, "unlike"."""
    passive = new.passive != old.passive
    shared = [term for term in shared if term not in new.optional]
    if new.compares or old.compares:
        theirs = [term for term in old.terms if term in shared]
        if shared and theirs and len(shared) > 1:
            if shared[0] != theirs[0] and shared[0] in theirs:
                return "alike" if passive else "reversed"
            return "reversed" if passive else "alike"
        return "alike"
    both = [name for name in new.agents if name in old.agents]
    theirs = [name for name in old.agents if name in both]
    if len(both) > 1 and both != theirs and not passive and not (new.together or old.together):
        return "unlike"
    return "alike"


def _each_one(new: Statement, old: Statement, kinds: set[str]) -> bool:
    """Whether both name a value of each kind."""
    return all(
        any(kind == one for one, _ in new.attributes)
        and any(kind == one for one, _ in old.attributes)
        for kind in kinds
    )


def _is_about_answers(kinds: set[str], shared: list[str]) -> bool:
    """Many languages may be tested or spoken; answers and texts are in one."""
    return "language" not in kinds or bool({"answer", "spelling", "writ", "thesis"} & set(shared))


def _takes_the_place(new: Statement, old: Statement) -> bool:
    """Whether the newer says of something that it is no longer so, and the older that it is."""
    gone = set(old.terms) & new.gone
    said = set(old.terms) - gone - old.gone
    if gone and not old.turned and said - _GENERIC - old.optional <= set(new.terms) and new.terms:
        return len(set(new.terms) - set(old.terms)) > 0 or bool(new.attributes - old.attributes)
    return False


def _denies_more(new: Statement, old: Statement) -> bool:
    """Whether the newer denies all of what the older says a part of: who never uses R does not use
    it for statistics either.
    """
    terms = new.terms
    return bool(
        new.turned
        and not old.turned
        and set(terms) - new.optional
        and terms == old.terms[: len(terms)]
        and new.attributes <= old.attributes
        and not new.values
        and not (new.past or old.past)
    )


def _other_value(
    new: Statement, old: Statement, only_new: set[str], only_old: set[str], shared: list[str]
) -> Verdict:
    """Whether the newer gives another value of what has one at a time."""
    if new.past or old.past or new.turned != old.turned:
        return _DIFFERENT
    careers = [
        {value for kind, value in each.attributes if kind == "career"} for each in (new, old)
    ]
    if all(careers) and careers[0] != careers[1] and not only_new and not only_old:
        return Verdict("contradicts", "another position")
    about = set(shared) - new.optional | ({"work", "live"} & set(shared))
    values = 0 < len(only_new) <= 3 and 0 < len(only_old) <= 3
    if values and about & (_ONE_AT_A_TIME | {"work", "live"} if new.now else _ONE_AT_A_TIME):
        return Verdict("contradicts", f"another {min(about)} now")
    if values and new.now and about and len(only_new) <= 2 and len(only_old) <= 2:
        return Verdict("contradicts", "it says what holds now")
    return _DIFFERENT
