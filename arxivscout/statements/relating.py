"""What a person says of two things: "QLoRA extends LoRA", "my pipeline depends on ROOT".

A clause of their own words with a thing on either side of a verb that joins things. English first;
the commonest turns of phrase in four more languages. What is denied, asked or said of "it" joins
nothing; neither does what is longer than a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_BE = r"(?:is|are|was|were|è|sono|ist|sind|est|sont|es|son)"
# What joins: the predicate, and the words for it; "<" where the thing behind is its subject.
_VERBS = (
    ("extends", rf"extends?|generali[sz]es?|builds? (?:up)?on|improves? (?:up)?on|{_BE} an? "
     r"(?:extension|generali[sz]ation|refinement|improvement) of|estend(?:e|ono)|generalizza(?:no)?"
     r"|erweiter[nt]|verallgemeinert|étend(?:ent)?|généralise(?:nt)?|extiende(?:n)?"
     r"|generaliza(?:n)?"),
    ("depends_on", r"depends? (?:up)?on|relies on|rely on|requires?|needs?|runs? on"
     rf"|{_BE} dependent on|dipend(?:e|ono) d[ai]l?l?[aeo']?|richied(?:e|ono)|necessita(?:no)? di"
     r"|häng(?:t|en) von|benötig(?:t|en)|braucht|brauchen|dépend(?:ent)? d(?:e|u|es)"
     r"|nécessite(?:nt)?|depende(?:n)? de|requiere(?:n)?|necesita(?:n)?"),
    ("based_on", rf"{_BE} (?:based|built|founded) (?:up)?on|{_BE} derived from|derives? from"
     rf"|si basa(?:no)? su|{_BE} basat[oaie] su|basier(?:t|en) auf|{_BE} (?:basé|fondé)e?s? sur"
     r"|repose(?:nt)? sur|se basa(?:n)? en"),
    ("part_of", rf"{_BE} (?:an? )?(?:part|component|module|piece|member|element|subset) of"
     rf"|belongs? to|{_BE} contained in|fa(?:nno)? parte d(?:i|el|ella|ei|elle)|appart(?:iene|"
     rf"engono) a|{_BE} (?:ein )?teil (?:von|des|der)|gehör(?:t|en) zu|fait partie d(?:e|u|es)"
     rf"|font partie d(?:e|u|es)|{_BE} parte de"),
    ("<part_of", rf"consists? of|contains?|includes?|comprises?|{_BE} made (?:up )?of"
     r"|contien(?:e|en|gono)|comprend(?:e|ono)|besteht aus|enthält|contient|comprende"),
    ("variant_of", rf"{_BE} an? (?:[\w-]+ )?(?:variant|version|kind|type|sort|form|special case"
     rf"|case|example|instance|flavou?r) of|{_BE} un[ao']? ?(?:variante|versione|tipo|caso"
     rf" particolare) di|{_BE} eine? (?:variante|version|art|sonderfall) von"
     rf"|{_BE} une? (?:variante|version|cas particulier) de"
     rf"|{_BE} un[ao]? (?:variante|versión|tipo|caso particular) de"),
    ("trained_on", rf"{_BE} (?:pre-?)?trained on|{_BE} addestrat[oaie] su"),
    ("evaluated_on", rf"{_BE} (?:evaluated|tested|benchmarked|measured|validated) on"
     rf"|{_BE} valutat[oaie] su"),
    ("uses", rf"uses?|employs?|makes? use of|{_BE} (?:written|implemented|coded) in|usa(?:no|n)?"
     r"|utilizza(?:no)?|impiega(?:no)?|verwendet|verwenden|benutzt|nutzt|nutzen|utilise(?:nt)?"
     r"|emploie(?:nt)?|utiliza(?:n)?|emplea(?:n)?"),
    ("<uses", rf"{_BE} used (?:by|in)|{_BE} usat[oaie] (?:da|in)"),
    ("contradicts", rf"contradicts?|refutes?|disagrees? with|conflicts? with|{_BE} (?:at odds|in "
     r"conflict|inconsistent|incompatible) with|contraddic(?:e|ono)|confuta(?:no)?|widersprich(?:t|"
     r"en)|contredi(?:t|sent)|contradice(?:n)?"),
    ("supports", rf"supports?|confirms?|agrees? with|{_BE} consistent with|conferma(?:no)?"
     r"|bestätig(?:t|en)|confirme(?:nt)?|confirma(?:n)?"),
    ("replaces", rf"replaces?|supersedes?|succeeds?|{_BE} (?:the|a) (?:successor|replacement) (?:of"
     r"|to|for)|sostituisc(?:e|ono)|ersetzt|ersetzen|remplace(?:nt)?|reemplaza(?:n)?"
     r"|sustituye(?:n)?"),
    ("<replaces", rf"{_BE} (?:replaced|superseded|succeeded) by"),
    ("outperforms", rf"outperforms?|beats?|{_BE} (?:better|faster|more accurate) than|supera(?:no)?"
     r"|übertrifft|surpasse(?:nt)?"),
    ("cites", r"cites?|references|refers to|cita(?:no|n)?|zitiert|cite(?:nt)?"),
    ("<cites", rf"{_BE} cited (?:by|in)"),
    ("written_by", rf"{_BE} (?:written|authored) by|{_BE} (?:scritt[oaie] da|escrit[oa]s? por)"),
    ("introduced_by", rf"{_BE} (?:introduced|proposed|invented|developed|designed|discovered"
     rf"|made|created) by|{_BE} (?:introdott|propost|inventat|sviluppat)[oaie] da"),
    ("related_to", rf"{_BE} (?:related|connected|linked|similar|akin|close) to|relates? to"
     rf"|{_BE} (?:legat|collegat|simil)[oaiei] a"),
)  # fmt: skip
_JOINING = re.compile(
    r"(?<![\w'’-])(?:"
    + "|".join(f"(?P<v{place}>{words})" for place, (_, words) in enumerate(_VERBS))
    + r")(?=\s+\S)",
    re.I,
)
_ASKED = re.compile(_JOINING.pattern.removesuffix(r"(?=\s+\S)") + r"(?![\w'’-])", re.I)
_ORDER = re.compile(
    r"^(?:please\s+|pls\s+|also\s+|and\s+)*(?:remember|note|keep in mind|bear in mind|(?:don['’]?t|"
    r"do not) forget|save|store|record|memori[sz]e|ricorda(?:ti)?|annota|tieni a mente|merk dir"
    r"|note que|recuerda)\b\s*[:,]?\s*(?:that|this|che|dass|que)?\b\s*[:,]?\s*",
    re.I,
)
# What stands before a joining verb and is no name: pronouns, auxiliaries, denials, other clauses.
_NO_NAME = re.compile(
    r"(?<![\w-])(?:it|its|this|that|these|those|they|them|he|she|we|i|you|your|me|us|him|her|his"
    r"|everything|something|anything|nothing|all|none|which|who|whose|what|why|how|when|where|if"
    r"|whether|because|there|here|do|does|did|don['’]?t|doesn['’]?t|didn['’]?t|is|are|was|were|be"
    r"|been|has|have|had|not|no|never|hardly|can|could|may|might|must|should|would|will|shall|to"
    r"|than|but|or|nor|only if|without|non|nie|nicht|kein\w*|pas|jamais|nunca|si|se|lui|lei"
    r"|esso|essa|questo|quello|es|sie|er|elle|ils|ella|eso|esto|ce|cela|ça)(?![\w-])",
    re.I,
)
_DENIAL = re.compile(
    r"\s+(?:no longer|(?:does|do|did)(?: not|n['’]t)(?: any ?more)?|never|has stopped|stopped"
    r"|(?<=\bis )not|(?<=\bare )not|(?<=\bwas )not|(?<=\bwere )not|non|ne|n['’]|nicht(?: mehr)?"
    r"|no|ya no)\s+",
    re.I,
)
_DENIED_BEHIND = re.compile(r"\s(?:nicht|nicht mehr|pas|not)$", re.I)
_ANY_MORE = re.compile(r"\s+(?:any ?more|any longer|now|più|plus|pas|mehr|nicht)$", re.I)
_ADVERB = re.compile(
    r"\s+(?:now|also|still|mostly|mainly|heavily|directly|partly|largely|really|actually|always"
    r"|often|usually|in turn|simply|just|therefore|thus|ora|anche|auch|aussi|también)$",
    re.I,
)
# Said of the talk itself, of nothing in particular, or of others, of whom nothing is kept.
_FLEETING = frozenset(
    "question questions answer answers problem point result results thing things idea reason way "
    "matter decision choice rest everything one ones people someone everybody nobody message il "
    "conversation domanda risposta cosa problema frage antwort sache réponse chose "
    "colleague colleagues supervisor supervisors advisor adviser boss friend friends student "
    "students professor postdoc postdocs collaborator collaborators coauthor co-author group team "
    "lab collega colleghi amico studente studenti kollege kollegin chef collègue étudiant".split()
)
_JOINT = (
    r"\s*[,;]\s+(?:(?:and|but|e|ma|und|aber|et|mais|y|pero)\s+)?|\s+(?:and|but|while|whereas|e|ed|ma"
    r"|mentre|und|aber|et|mais|y|pero)\s+"
)
_BETWEEN = re.compile(rf"({_JOINT})", re.I)
_SEPARATE = re.compile(r"\s+ab$", re.I)  # "hängt von ROOT ab"
_SAME = re.compile(
    rf"^(?P<one>.{{1,80}}?)\s+(?:{_BE} (?:short|an? (?:abbreviation|acronym|alias)) (?:for|of)"
    rf"|stands? for|{_BE} (?:also|otherwise|better) (?:called|known as|named)"
    rf"|{_BE} another name (?:for|of)|{_BE} the same (?:thing )?as|sta per"
    rf"|{_BE} l['’]abbreviazione di|steht für|signifie|significa)\s+(?P<other>.{{1,80}})$",
    re.I,
)
LONGEST = 400  # characters of a clause


@dataclass(frozen=True, slots=True)
class Joined:
    """That one thing is joined to another, each in the person's words for it."""

    subject: str
    predicate: str
    object: str


def joined(clause: str) -> Iterator[Joined]:
    """What a clause of the person's own words says of two things; either may be several."""
    said = without_order(clause)
    if len(said) <= LONGEST and not _SAME.match(said):
        for part in _parts(said):
            if found := _joined(part):
                yield found


def denied(clause: str) -> bool:
    """Whether a clause says that two things are not joined, or no longer: "LoRA no longer uses …".

    It draws no edge, and ends the statement that it contradicts, whose edge goes with it.
    """
    said = without_order(clause)
    affirmed = _DENIAL.sub(" ", said, count=1)
    return affirmed != said and next(joined(_ANY_MORE.sub("", affirmed)), None) is not None


def verb_in(words: str) -> tuple[str, str, bool, str] | None:
    """The first verb that joins things: what stands before it, its predicate, whether what stands
    behind it is the subject, and that."""
    found = _ASKED.search(words)
    if found is None:
        return None
    predicate = _VERBS[int((found.lastgroup or "v0")[1:])][0]
    before, behind = words[: found.start()].strip(), words[found.end() :].strip()
    return before, predicate.removeprefix("<"), predicate.startswith("<"), behind


def is_name(words: str) -> bool:
    """Whether words may be what a thing is called: no pronoun, no verb, no clause is among them."""
    return bool(words.strip()) and not _NO_NAME.search(words)


def without_order(clause: str) -> str:
    """What is to be remembered, without the order to do so."""
    return _ORDER.sub("", " ".join(clause.split()).strip(" .!;"))


def _parts(said: str) -> Iterator[str]:
    """A clause cut where what follows has a joining verb of its own."""
    part, *rest = _BETWEEN.split(said)
    for joint, piece in zip(rest[::2], rest[1::2], strict=True):
        verb = _JOINING.search(piece)
        if verb and verb.start() > 0 and _JOINING.search(part):
            yield part
            part = piece
        else:
            part += joint + piece
    yield part


def _joined(said: str) -> Joined | None:
    found = _JOINING.search(said)
    if found is None:
        return None
    before = _ADVERB.sub("", said[: found.start()].strip(" ,"))
    behind = _SEPARATE.sub("", said[found.end() :].strip(" ,"))
    if not before or not behind or _NO_NAME.search(before) or _NO_NAME.match(behind):
        return None
    if _DENIED_BEHIND.search(behind):
        return None
    if {before.split()[-1].lower(), behind.split()[-1].lower()} & _FLEETING:
        return None
    predicate = _VERBS[int((found.lastgroup or "v0")[1:])][0]
    if predicate.startswith("<"):
        return Joined(behind, predicate[1:], before)
    return Joined(before, predicate, behind)


def same(clause: str) -> tuple[str, str] | None:
    """The two names that a clause says are of one thing: "LoRA stands for low-rank adaptation"."""
    said = without_order(clause)
    found = _SAME.match(said) if len(said) <= LONGEST else None
    if found is None or _NO_NAME.search(found["one"]) or _NO_NAME.match(found["other"]):
        return None
    return found["one"].strip(" ,"), found["other"].strip(" ,")
