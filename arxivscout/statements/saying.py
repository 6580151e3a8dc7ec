"""Decisions, open questions and corrections: how a person says them, in five languages."""

from __future__ import annotations

import re
from typing import Literal

Said = Literal["decision", "question", "correction"]

_NAME_FOLLOWS = (
    r"(?!(?:the )?(?:next|previous|first|second|last|other|question|on with|back|through|over|on\b"
    r"|it\b|ahead|deeper|step by))"
)
_DECISION = re.compile(
    r"(?:i|we)(?:'ve| have)?(?: (?:just|now|finally|already|also))* (?:decided|agreed|settled"
    r"|chosen|chose|opted|resolved|committed)(?: not)?(?: (?:to|that|on|for|against|upon))? .+"
    r"|(?:i've|we've|i have|we have|i|we) made (?:up (?:my|our) minds?|a decision)[\s:,].+"
    rf"|let's (?:go with|use|stick (?:to|with)|take|keep|drop|switch to|adopt) {_NAME_FOLLOWS}.+"
    rf"|(?:i'll|we'll|i will|we will|i'm going to|we're going to|i am going to|we are going to) "
    rf"(?:go with|use|stick (?:to|with)|adopt|switch to|drop) {_NAME_FOLLOWS}.+|(?:i'm|we're|i am"
    rf"|we are) (?:going with|sticking (?:to|with)|dropping|switching to) {_NAME_FOLLOWS}.+"
    r"|(?:the|our|my) (?:final )?(?:decision|choice) is .+|(?:abbiamo|ho) (?:deciso|scelto|optato"
    r"|concordato) .+|(?:andiamo|restiamo) (?:con|su) .+|(?:wir haben|ich habe)(?: (?:uns"
    r"|mich))?(?: .{1,80}?)? (?:entschieden|beschlossen|gewählt)\b.*|wir (?:nehmen|bleiben bei) .+"
    r"|(?:nous avons|on a|j'ai) (?:décidé|choisi|opté) .+|on (?:part sur|garde) .+|(?:hemos|he) "
    r"(?:decidido|elegido|optado|acordado) .+|(?:decidimos|decidí|elegimos) .+|(?:vamos con|nos "
    r"quedamos con) .+",
    re.I,
)
_QUESTION = re.compile(
    r"(?:i|we)(?: still)? (?:do not|don't)(?: (?:yet|really|still))? (?:know|understand)(?: "
    r"yet)?,? (?:whether|if|why|how (?!to (?:use|do this|ask|install))|what|which|where|who"
    r"|when)\b.+|(?:i'm|i am|we're|we are)(?: still)? (?:not sure|unsure|undecided|wondering)(?: "
    r"yet)?(?: about)? (?:whether|if|why|how|what|which)\b.+|(?:i|we)(?: still)? (?:wonder|have to "
    r"(?:find out|figure out|check|decide)|need to (?:find out|figure out|understand|decide"
    r"|clarify)) (?:whether|if|why|how|what|which)\b.+|it(?:'s| is| remains)(?: still)? (?:unclear"
    r"|open|unknown|not clear|an open question)(?: to (?:me|us))?,? (?:whether|if|why|how|what"
    r"|which)\b.+|(?:the|an|my|our)(?: main| big)? open (?:question|problem|issue) is .+|(?:non so"
    r"|non sappiamo|non è chiaro)(?: ancora| bene)? (?:se|perché|come|quale|quali) .+|(?:resta"
    r"|rimane) (?:aperto|da capire|da vedere) .+|(?:ich weiß|wir wissen)(?: (?:immer|noch))* "
    r"(?:noch )?nicht,? (?:ob|warum|wie|welche\w*) .+|(?:es ist|mir ist)(?: noch)? (?:unklar"
    r"|offen),? (?:ob|warum|wie) .+|(?:je ne sais|nous ne savons|on ne sait)(?: (?:toujours|pas"
    r"|encore))* (?:si|pourquoi|comment|quel\w*) .+|(?:no sé|no sabemos|(?:aún|todavía) no (?:sé"
    r"|sabemos))(?: (?:aún|todavía))? (?:si|por qué|cómo|cuál\w*) .+",
    re.I,
)
# Asked of the assistant, or of the conversation itself.
_OF_YOU = re.compile(
    r"\b(?:you|your|this (?:tool|answer|app)|i asked|you mean\w*|to say|to ask|to start|to do "
    r"now)\b",
    re.I,
)
_CORRECTION = re.compile(
    r"(?:that|this|it|the (?:last |previous )?answer)(?:'s| is| was) (?:wrong|incorrect|not "
    r"(?:right|true|correct|what (?:i|we) (?:asked|meant|said|wanted))|false|outdated|a "
    r"mistake)(?:\s*[:,;–—-]\s*|\s+)(?P<what>.+)|(?:i|we) (?:meant|mean|was asking about|were "
    r"asking about|wanted to say) (?P<what2>.+)|(?:you|your answer) (?:got|had|confused|mixed up"
    r"|mistook|misread|misunderstood) (?P<what3>.+)|(?:è|era) (?:sbagliato|falso|un "
    r"errore)[:, ]+(?P<what4>.+)|intendevo (?P<what5>.+)|das (?:ist|war) (?:falsch|nicht "
    r"richtig)[:, ]+(?P<what6>.+)|ich meinte (?P<what7>.+)|(?:c'est|c'était) (?:faux|une "
    r"erreur)[:, ]+(?P<what8>.+)|je voulais dire (?P<what9>.+)|(?:eso )?(?:es|era) (?:falso"
    r"|incorrecto|un error)[:, ]+(?P<what10>.+)|quería decir (?P<what11>.+)",
    re.I,
)
_UNDECIDED = re.compile(
    r"\b(?:haven't|have not|hasn't|didn't|did not|not yet|never|non (?:ho|abbiamo)|nicht|n'(?:ai"
    r"|avons)|no (?:he|hemos))\b",
    re.I,
)
_NOT_TO = re.compile(r"\b(?:decided|agreed|chosen|chose) (?:not to|against)\b", re.I)


def corrected(clause: str) -> str:
    """What a correction says to be right; "" of what is none."""
    found = _CORRECTION.fullmatch(clause)
    return next((each for each in found.groups() if each), "") if found else ""


def kind_said(clause: str) -> Said | None:
    """What a clause of the person's own words is, if it is one of these."""
    if _CORRECTION.fullmatch(clause):
        return "correction"
    if _DECISION.fullmatch(clause):
        head = clause[:40]
        return "decision" if _NOT_TO.search(clause) or not _UNDECIDED.search(head) else None
    if _QUESTION.fullmatch(clause) and not _OF_YOU.search(clause):
        return "question"
    return None
