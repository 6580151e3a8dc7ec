"""A message cut into what the person states of themselves: its clauses, without the rest.

Left out: questions, hypotheses, what others say or want, quotations, irony, and what is only
thought of ("might", "maybe").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from arxivscout.preferences.irony import IRONY
from arxivscout.preferences.reasons import RELATIVE, as_a_clause, gone_on, parted
from arxivscout.preferences.sentences import own_spans
from arxivscout.statements.facets import facets
from arxivscout.statements.languages import (
    HYPOTHESIS,
    MAYBE,
    OPINION,
    QUESTION,
    REPORT,
    SUBJECT,
    WISHED,
)
from arxivscout.statements.saying import kind_said
from arxivscout.statements.stating import coordinated, states, tells_where

# A short quotation is a name ("my project is called “Zebra”"), unless somebody speaks in it.
_LONGEST_NAME = 4
_SPEAKS = re.compile(r"\W*(?:i|i'm|i'll|we|my|our|io|ich|je|yo|noi|wir|nous)\b", re.I)
_TAKEN_OUT = re.compile(r"\s{4,}")  # where a quotation stood

# What stands behind such an order is a text to work on.
_GIVEN = re.compile(
    r"\s*(?:please |can you |could you )?(?:summari[sz]e|translate|paraphrase|rewrite|rephrase"
    r"|proofread|shorten|improve|explain|comment on|check|review)\b[^:\n]{0,60}:",
    re.I,
)
# What announces a statement: its kind is told by it and not by the words behind.
_ANNOUNCED = re.compile(
    r"\s*(?:(?P<decision>decisions?|decided|decisione|entscheidung|décision|decisión)"
    r"|(?P<question>open(?: (?:question|issue|point|problem))?|to be (?:clarified|settled)"
    r"|unresolved|unanswered|domanda aperta|questione aperta|offene frage|offen|question ouverte"
    r"|pregunta abierta)|(?P<fact>fact|for the record|fyi|for your information|update"
    r"|background|moved|changed|news|status))\s*[:—–]\s*(?=\S)",
    re.I,
)
# What is said and not to be kept: "Don't remember this: …", "Off the record, …".
_UNKEPT = re.compile(
    r"(?:^|[.!?,;:—–]\s*|\b(?:but|and|please) )(?:please )?(?:don['’]t|do not|never)"
    r" (?:remember|store|save|record|memori[sz]e|keep|note|log)(?: down)?"
    r" (?:this|that|it|any of (?:this|it)|what i(?:'m| am)? (?:say|said|tell|told|about|saying"
    r"|telling|going))\b"
    r"|\boff the record\b|\b(?:just|strictly) between (?:you and me|us)\b|\bbetween you and me\b"
    r"|\bnon (?:ricordar(?:e|lo|telo)|memorizzar(?:e|lo)|salvar(?:e|lo))\b"
    r"|\b(?:merk|merke|speicher|speichere) (?:dir )?(?:das|dies) nicht\b"
    r"|\bne (?:retiens|mémorise|retenez) pas\b|\bno (?:recuerdes|guardes|memorices)\b",
    re.I,
)
# What is to be done: "TODO: send the draft", "Remind me to send it", "Don't forget to call".
_DEEDS = (
    r"submit|send|finish|complete|hand in|deliver|write(?! in\b)|call|e-?mail|book|buy|register|pay"
    r"|reply to|respond to|prepare|present|meet|renew|apply for|review|referee|revise|resubmit"
    r"|update|install|print|pack|leave|attend|sign|upload|push|order|schedule|organi[sz]e|tell"
    r"|talk to|speak to|return|fix|clean|move|draft|proofread|grade|teach|travel|fly|go to|pick up"
)
_TASK = re.compile(
    r"\s*(?:(?:to-?do|da fare|zu erledigen|à faire|por hacer)s?\s*[:—–]\s*"
    r"|(?:(?:please|also|and|ok) )*(?:(?:remind me|remember|don['’]t (?:let me )?forget"
    r"|do not forget) to (?=[a-z])(?!(?:know|be|use|cite|answer|reply in|keep|write in)\b)"
    rf"|(?:i|we)(?:(?: still)? (?:have|need) to| must)(?: still)? (?=(?:{_DEEDS})\b)))"
    r"(?P<task>\S.*)",
    re.I,
)
TO_DO = "To do: "
_LIST_OF_TASKS = re.compile(r"\s*(?:to-?do|da fare|zu erledigen|à faire|por hacer)s?\s*[:—–]", re.I)
# What opens a clause and says nothing of its own.
_OPENING = re.compile(
    r"(?:(?:please |pls |and |also )*(?:remember|note|keep in mind|bear in mind|don't forget|do "
    r"not forget|make a note|take note|save|store|memori[sz]e)(?: down)?(?: (?:that|this|the fact "
    r"that))?(?=\s*[:,]|\s+(?:i|we|my|our|i'm|we're|i've|we've)\b)|please|pls|hey|hi(?: there)?"
    r"|hello|also|and|but|or|so|then|well|actually|thanks?(?: you)?|by the way|btw|from now on|in "
    r"general|generally|as a rule|normally|(?:for|in) (?:my|our) (?:thesis|phd|work|research"
    r"|project|job)(?=,?\s+(?:i|we)\b)|for me|personally|honestly|sorry|just so (?:that )?you "
    r"know|for your information|fyi|now|because|since|as|given that|seeing that|ok(?:ay)?|right"
    r"|first|second|finally|today|this (?:week|month|year)|these days|at the moment|currently|in "
    r"fact|indeed|update|ricorda(?:ti)?(?: che)?|sappi che|inoltre|comunque|ora|adesso|e|ed"
    r"|ma(?!(?: [\w'’-]+){1,4} (?:est|sont|était|s['’]appelle|finit)\b)|allora"
    r"|quindi|ciao|übrigens|also|und|aber|bitte|merk dir(?:,? dass)?|derzeit|jetzt|hallo|au "
    r"fait|et|mais|donc|bonjour|note que|actuellement|maintenant|por cierto|y|pero|ahora"
    r"|actualmente|recuerda que|hola)(?![\w'])[\s,:.!–—-]*"
    # "non so" states that one does not know; "no," and "no, my …" only open a clause
    r"|(?:no|nope|yes|yeah|nein|ja|non|oui|sì|sí|si)(?:\s*[,:.!–—]\s*|\s+(?=(?:my|i|i'm|we"
    r"|our)\b))",
    re.I,
)
_BOUNDARY = re.compile(
    rf"\s*[,:–—]\s*(?=(?:{_OPENING.pattern}){{0,3}}(?:{SUBJECT}|{QUESTION})(?![\w']))|\s+-\s+"
    rf"|\s+(?=(?:and|but|so|e|ma|und|aber|et|mais|y|pero)\s+(?:{SUBJECT})(?![\w']))",
    re.I,
)
# What opens the next clause though a comma stands behind it: "No, I use JAX".
_BARE = re.compile(
    r"(?:(?:no|nope|oh|sorry|wait|hold on|correction|oops|yes|yeah|ok(?:ay)?|well|actually|scusa"
    r"|anzi|nein"
    r"|doch|non|pardon|perdona?|perdón)\W*)+",
    re.I,
)
_TITLE = re.compile(
    r"[A-Z][\w'’-]*(?:[\s,:]+(?:[A-Z][a-z][\w'’-]*|a|an|and|as|at|but|by|for|from|in|is|not|of|on"
    r"|or|the"
    r"|to|via|vs|with)){3,}[?!]?"
)
_ENDS = " \t\n.!?;,:–—-"
_ASKS = re.compile(rf"(?:{QUESTION})(?![\w'])", re.I)


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause as the person wrote it, with the sentence it stands in.

    `opened`: the words before it that say nothing themselves ("no, actually"). `announced`:
    decision or question, if the person calls it so. `is_alone`: the sentence states nothing else.
    """

    text: str
    sentence: str
    reason: str | None = None
    opened: str = ""
    announced: str = ""
    is_alone: bool = True

    @property
    def quote(self) -> str:
        """The words that bear it out, without what else the sentence states: that may be forgotten
        while this is kept.
        """
        start = self.sentence.find(self.text)
        if self.is_alone or start < 0:  # of "I work at CERN on jets" neither part stands there
            return self.sentence
        end = start + len(self.text)
        if self.reason and (why := self.sentence.find(self.reason, end)) >= 0:
            end = why + len(self.reason)
        rest = self.sentence[end:]
        return self.sentence[start:] if not rest.strip(_ENDS) else self.sentence[start:end]


def own_clauses(message: str) -> Iterator[Clause]:
    """Yield what the person states, in order; linear in the message's length."""
    for start, end, masked in own_spans(message, _is_speech):
        clauses = list(_clauses(masked, " ".join(message[start:end].split())))
        is_alone = len(clauses) == 1
        yield from (replace(each, is_alone=is_alone) for each in clauses)


def keeps_nothing(message: str) -> bool:
    """Whether a message asks that what it says is not remembered."""
    return bool(_UNKEPT.search(message))


def tells_a_task(message: str) -> bool:
    """Whether a message says of something that it is to be done."""
    return any(clause.text.startswith(TO_DO) for clause in own_clauses(message))


def _is_speech(quotation: str) -> bool:
    inner = quotation[1:-1]
    return len(inner.split()) > _LONGEST_NAME or bool(_SPEAKS.match(inner)) or "\n" in inner


def _clauses(masked: str, sentence: str) -> Iterator[Clause]:
    if IRONY.search(masked) or _GIVEN.match(masked) or is_a_title(sentence):
        return
    if not masked.rstrip().endswith("?") and (task := _TASK.fullmatch(masked)):
        for each in _tasks(task["task"], listed=bool(_LIST_OF_TASKS.match(masked))):
            yield Clause(f"{TO_DO}{each}", sentence)
        return
    found = _ANNOUNCED.match(masked)
    announced = (found.lastgroup or "") if found else ""
    body = masked[found.end() :] if found else masked
    if announced in ("decision", "question"):
        yield Clause(" ".join(body.strip(_ENDS).split()), sentence, announced=announced)
        return
    asks = body.rstrip(" \"')").endswith("?")
    body = body if asks else WISHED.sub("", body)
    said, why, more = ("", "", body) if asks else parted(body)
    if said and why and states(why):
        yield from _stated(why, sentence, None, asks=False)
    if said:
        yield from _stated(said, sentence, why.strip(_ENDS) or None, asks=False)
    if more:
        yield from _stated(more, sentence, None, asks=asks)


def _stated(body: str, sentence: str, reason: str | None, *, asks: bool) -> Iterator[Clause]:
    """The clauses of a part of a sentence; what is said last is what the reason is for."""
    body, beside, more = _without_relative(body) if not asks else (body, None, "")
    parts = [part.strip() for part in _BOUNDARY.split(body) if part.strip(_ENDS)]
    carried = ""
    for place, part in enumerate(parts):
        if _BARE.fullmatch(part):
            carried = f"{carried} {part}".strip()
            continue
        text = opened(part)
        if HYPOTHESIS.match(text) or REPORT.match(text):
            return
        is_last = place == len(parts) - 1
        if asks and is_last:
            return
        if not text.strip(_ENDS) or _is_thought_of(text) or _ASKS.match(text):
            continue
        if _TAKEN_OUT.search(text.strip(_ENDS)):
            continue
        before = f"{carried} {part[: len(part) - len(text)].strip(_ENDS)}".strip()
        stated = coordinated(" ".join(text.strip(_ENDS).split()))
        each = [facet for said in stated for facet in facets(said)]
        for at, said in enumerate(each):
            ends = is_last and at == len(each) - 1
            why = reason if ends else None
            if ends and beside:
                if not beside[1] or (tells_where(said) and kind_said(said) != "decision"):
                    said += beside[0]
                else:
                    why = why or beside[1]
            yield Clause(said, sentence, why, before)
    if more:
        yield from _stated(more, sentence, None, asks=asks)


def _without_relative(body: str) -> tuple[str, tuple[str, str] | None, str]:
    """What stands before a relative clause; that one, and what it tells; what stands behind."""
    found = RELATIVE.search(body)
    if found is None:
        return body, None, ""
    told, more = gone_on(found["told"].strip())
    words = " ".join(f"{found['which']} {told}".strip(_ENDS).split())
    tells = as_a_clause(found["which"], told.strip(_ENDS))
    return body[: found.start()], (f", {words}", tells), more


def _is_thought_of(text: str) -> bool:
    """Whether it is said to be perhaps so; an opinion is held for sure."""
    if OPINION.fullmatch(text.strip(_ENDS)):
        text = text.split(maxsplit=2)[-1]
    return bool(MAYBE.search(text))


def _tasks(body: str, *, listed: bool) -> list[str]:
    """The tasks of a list, each for itself; of a sentence one."""
    text = " ".join(body.strip(_ENDS).split())
    parts = re.split(r"\s*[,;]\s*(?:and\s+)?", text) if listed else [text]
    return [part for each in parts if (part := each.strip(_ENDS))] or [text]


def is_a_title(sentence: str) -> bool:
    """Whether a sentence is written as titles are: all but small words in capitals, and no stop."""
    return bool(_TITLE.fullmatch(sentence)) and not sentence.isupper()


def opened(part: str) -> str:
    """The clause behind what opens it."""
    text = part
    while (found := _OPENING.match(text)) and found.end():
        text = text[found.end() :]
    return text
