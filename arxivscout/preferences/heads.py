"""Heads: how a clause that states a wish begins, in English and Italian."""

from __future__ import annotations

import re
from dataclasses import dataclass

from arxivscout.preferences.endings import (
    ALL,
    FIRST,
    KEPT_AWAY,
    MUST,
    ONLY_LAST,
    TOP,
    USELESS,
    USELESS_GUARD,
)
from arxivscout.preferences.manner import ANSWERS

_OFTEN = (
    r"(?:mostly|mainly|chiefly|primarily|only|always|especially|particularly|really|generally|just"
    r"|usually|first and foremost|above all|most of all|strongly|much|very much|never|deeply)"
)
_NEVER = r"(?:do not|don't|dont|do n't|never|no longer|will not|won't|cannot|can't|can not)"
_SHOW = (
    r"(?:show|give|recommend|suggest|propose|cite|include|bring|send|bother|list|use|mention|return"
    r"|offer|quote|consider|look at|search|want|pick|choose|present|giv(?=ing)|cit(?=ing)"
    r"|us(?=ing)|includ(?=ing)"
    r"|propos(?=ing)|quot(?=ing))(?:ing)?"
)
_ME = r"(?:\s+(?:me|us|to me|with|ever|again|up|any more|for me))*"
_MOSTRA = (
    r"(?:mostrar|propor|dar|consigliar|suggerir|citar|segnalar|far(?:mi)? vedere|usar|includer"
    r"|cercar|mandar|considerar)\w*"
)

# (rule, polarity, trusts, takes_names, likes, weak). First match wins.
_HEADS: tuple[tuple[re.Pattern[str], int, bool, bool, bool, bool], ...] = tuple(
    (
        re.compile(rf"(?:{rule})(?:\s+|\s*:\s*|$)", re.I),
        polarity,
        "t" in flags,
        "n" in flags,
        "l" in flags,
        "w" in flags,
    )
    for rule, polarity, flags in (
        # unwanted, English
        (r"i(?:'d| would)? (?:really )?(?:rather|prefer) (?:not|you didn't|you did not|you don't)"
         rf"(?: to)?(?: (?:see|read|get|have|{_SHOW}))?(?: me)?", -1, "n"),
        (rf"i (?:really |simply )?{_NEVER} (?:really |ever )*(?:want|like|need|wish|care)"
         r"(?: (?:to (?:see|read|hear|get|be shown|know|have|receive)|for|about|you to"
         rf" {_SHOW}(?: me)?))*", -1, ""),
        (rf"i (?:really |simply )?{_NEVER} (?:really |ever )*(?:trust|believe(?: in)?|rely on|buy)",
         -1, "tn"),
        (rf"i (?:really |simply )?{_NEVER} (?:really |ever )*(?:read|use|enjoy|stand|bear|work on"
         r"|work with|cite)", -1, ""),
        (r"i(?:'m| am) (?:not|no longer|never) (?:really |particularly |at all |very |that )*"
         r"(?:interested in|into|keen on|fond of|a (?:big )?fan of)", -1, "n"),
        (r"i(?:'m| am) (?:so |really )?(?:tired of|fed up with|sick of|bored (?:of|with|by)"
         r"|done with|through with|allergic to)", -1, "n"),
        (r"i (?:really |simply |always )*(?:hate|dislike|can't stand|cannot stand|detest|avoid|skip"
         r"|ignore|exclude|loathe|despise)", -1, "n"),
        (r"i (?:really |always )*(?:distrust|mistrust)", -1, "tn"),
        (r"i(?:(?:'m| am) (?:trying|going)| want| need| wish| try| plan| prefer|(?:'d| would)"
         r" (?:like|prefer|love|rather))(?: to)? (?:avoid|skip|exclude|ignore|stay away from"
         r"|steer clear of|keep away from)", -1, "n"),
        (r"(?:i(?:'ve| have)? (?:had|seen|read) )?enough (?:with|of)(?: all)?(?: th(?:is|at|e))?",
         -1, "n"),
        (r"i have (?:no|zero|little|absolutely no) (?:interest in|use for|time for|need (?:of"
         r"|for))", -1, "n"),
        (rf"(?:you (?:should|must) )?(?:do not|don't|dont|never|no need to)(?: ever)? {_SHOW}{_ME}",
         -1, "n"),
        (rf"stop {_SHOW}{_ME}", -1, "n"),
        (r"(?:always )?(?:avoid|depriorit(?:is|iz)e|downrank|demote|stay away from|steer clear of"
         r"|keep away from|spare me)", -1, "n"),
        (r"(?:always )?(?:skip|exclude|ignore|omit|leave out|filter out|hide|discard|leave aside"
         r"|disregard|remove|drop(?! (?:table|index|view|schema|database|column|role|user)s?\b))",
         -1, "nw"),
        (r"(?:absolutely )?(?:no more|no|nothing|without|not)", -1, "x"),
        # wanted, English
        (rf"i(?:'d| would)?(?: {_OFTEN})* (?:rather (?:see|read|have|get)|prefer(?: to (?:see|read"
         r"|get|have|be shown))?|favou?r)(?: (?:you (?:to )?)?(?:show|give)(?:ed|n)?(?: me)?)?",
         1, "n"),
        (rf"i(?: {_OFTEN})* (?:trust|believe in|rely on)", 1, "tn"),
        (rf"i(?: {_OFTEN})+ (?:care about|want(?: to (?:see|read))?|read|need|like|use|study"
         r"|work (?:on|with|in)|look at|consider|follow|care for|accept)", 1, "n"),
        (rf"i (?:want|need|read|like)(?: to (?:see|read))? (?={_OFTEN}\b)(?:only|just"
         rf"|mostly)", 1, "n"),
        (r"i (?:work (?:on|in)|study|research|do research (?:on|in)|specialise in|specialize in"
         r"|care (?:about|(?:a lot|most|deeply|mostly) about)|follow(?: the)?(?: work of)?)", 1,
         "n"),
        (rf"i(?: {_OFTEN})* (?:admire|love|enjoy|like)", 1, "nl"),
        (rf"i(?:'m| am) (?:{_OFTEN} |very |most )*(?:interested in|into|keen on|fond of"
         r"|a (?:big |great |huge )?fan of|working (?:on|in)|researching)", 1, "n"),
        (r"my (?:main |primary |only |biggest |research )*(?:interests?|field|research|topics?"
         r"|focus"
         r"|area|speciali[st]y|speciality|passion|thesis|phd|work)(?: (?:area|topic|interests?))?"
         r"\s*(?::|is|are|lies?)\s*(?:mostly |mainly |all )?(?:on|in|about|with)?", 1, ""),
        (r"(?:everything|all)(?: i do)? (?:revolves around|turns around|is about)", 1, ""),
        (rf"(?:always |only |just )+{_SHOW}{_ME}(?: only)?", 1, "n"),
        (r"(?:show|give|recommend|suggest|cite|bring|send)(?: to)?(?: me| us)? only", 1, "n"),
        (r"(?:always )?(?:stick to|limit (?:yourself|your searches|the search|results) to"
         r"|focus on|concentrate on|restrict (?:yourself|results) to|prioriti[sz]e|prefer|favou?r"
         r"|give (?:priority|precedence|preference) to|put(?=.*\bfirst\b)|rank(?=.*\bfirst\b))",
         1, "n"),
        (r"only", 1, "n"),
        # unwanted, Italian
        (r"(?:io )?non (?:voglio|vorrei|desidero)(?: (?:pi[uù]|mai))*(?: (?:vedere|leggere|sapere"
         r"|ricevere))?(?: pi[uù])?", -1, "n"),
        (r"(?:a me )?non m(?:i|'|e ne) ?(?:interessa(?:no)?|piac(?:e|ciono)|serv(?:e|ono)"
         r"|importa(?:no)?)"
         r"(?: (?:pi[uù]|per niente|affatto|molto|nulla|niente))*", -1, ""),
        (r"(?:io )?non (?:mi fido|credo)(?: (?:pi[uù]|molto|affatto))*", -1, "tn"),
        (r"(?:io )?non (?:sopporto|leggo|uso|sono interessat[oa])(?: (?:pi[uù]|mai))*", -1, "n"),
        (rf"non {_MOSTRA}(?: (?:mai|pi[uù]|nulla|niente))*", -1, "n"),
        (r"(?:evita\w*|basta(?: con)?|odio|detesto|niente|nessun[ao]?|nulla)(?: pi[uù])?",
         -1, "n"),
        (r"(?:salta\w*|escludi\w*|ignora\w*|tralascia\w*|lascia(?:re)? (?:fuori|perdere|stare)"
         r"|ometti|scarta\w*|togli\w*)(?: pi[uù])?", -1, "nw"),
        # wanted, Italian
        (r"(?:io )?(?:preferisco|preferirei|prediligo|meglio|privilegia\w*|preferisci)", 1, "n"),
        (r"(?:io )?mi fido(?: (?:molto|solo|soprattutto))*", 1, "tn"),
        (r"m(?:i|') ?(?:interess(?:a|ano)|piac(?:e|ciono)|occupo|import(?:a|ano))"
         r"(?: (?:soprattutto|principalmente|solo|soltanto|molto|di pi[uù]"
         r"|in particolare))*", 1, "n"),
        (r"(?:io )?(?:sono (?:\w+mente |soprattutto )?interessat[oa](?: (?:\w+mente|soprattutto"
         r"|solo"
         r"|molto))*|lavoro(?! (?:al|alla|allo|all'|presso|per|da|come|a)\b)|studio|faccio ricerca"
         r"|leggo (?:solo|soltanto)|voglio (?:solo|soltanto)"
         r"|contano solo|seguo)", 1, "n"),
        (r"(?:mostra|d[aà]|proponi|consiglia|cerca|cita|suggerisci)(?:mi)? (?:solo|soltanto|sempre"
         r"|soprattutto)", 1, "n"),
        (r"(?:d(?:ai|agli|are)|metti)(?: (?:la precedenza|priorit[aà]|la priorit[aà]))+"
         r"|limitati|concentrati|segui|solo|soltanto", 1, "n"),
        (r"la mia (?:ricerca|tesi)(?: principale)? (?:è|riguarda|tratta)"
         r"|il mio (?:campo|interesse|argomento|lavoro|settore)(?: principale)? (?:è"
         r"|riguarda)", 1, ""),
    )
)  # fmt: skip
_GIVE_STANDING = re.compile(
    r"(?:(?:show|give|recommend|suggest|list|bring|send|include)(?: me| us)?|i want|i need"
    r"|i(?:'d| would) like|mostrami|dammi|voglio|vorrei)\s+",
    re.I,
)
_BARE_HEAD = re.compile(r"(?:no|nothing|without|not|niente|nessun\w*|nulla|only|solo)\b", re.I)
_GOES_ON = re.compile(r"(?:without|not|senza)\b", re.I)
_SORTS = re.compile(
    r"\b(?:papers?|articles?|works?|stud(?:y|ies)|results|reviews?|surveys?|articol[io]|lavor[io]"
    r"|rassegne)\b",
    re.I,
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|will|would|exists?|been|be|made|found|matters"
    r"|(?<=s )matter|it|è|sono|ha|hanno|può|stato|stata)\b",
    re.I,
)

# "I work on neutrinos and dislike string theory": a second wish whose "I" is understood.
_ELIDED = (
    r"(?:(?:also|really|strongly|therefore|so|thus|hence|mostly|mainly|only|especially) )*"
    r"(?:dislike|detest|loathe|despise|distrust|mistrust|avoid|ignore|skip|exclude|prefer|favou?r"
    r"|hate(?! (?:speech|crimes?|groups?|detection)\b)|love|enjoy|admire|like(?! (?:those|these"
    r"|that|this|in|for)\b)|trust(?= (?:only|mostly|mainly|no\b))"
    r"|am (?=(?:not |no longer |also |very |really |mostly |mainly )*(?:interested|into|keen|fond"
    r"|tired|sick|fed up|bored|working|a fan|a big fan)\b)|have (?:no|zero|little) (?:interest|use"
    r"|time|need)|(?:do not|don't|dont|can't|cannot|can not|won't|no longer|never) (?:really |ever"
    r" )*(?:want|like|need|wish|care|trust|believe|rely|buy|read|use|enjoy|stand|bear|work|cite)"
    r"|care (?:about|for|a lot|mostly|most)|work (?:on|in)|follow the work|would (?:rather|prefer)"
    r"|study(?! (?:of|on|in|by|design|protocols?)\b)|want(?= (?:to|only|no|papers)\b)"
    r"|read(?= (?:only|mostly|no)\b))\b"
)
# In Italian the verb itself says who.
_SAYS_WHO = (
    r"(?:odio|detesto|adoro|evito|preferisco|seguo|lavoro|studio|(?:non )?m(?:i|') \w+|non )"
)
_COORDINATED = re.compile(
    rf"\s*,?\s*\b(?:(?:and|but|yet|while|though|although)\s+(?=(?:{_ELIDED}|my (?:main )?(?:field"
    rf"|interest|focus|topic|research)))|(?:e|ma|però)\s+(?={_SAYS_WHO})|but\s+(?=(?:not|no|never)"
    r" ))",
    re.I,
)
_NO_SUBJECT = re.compile(_ELIDED, re.I)
# "I prefer short answers, and papers after 2005": a second object of the same verb.
_OBJECT = re.compile(
    rf"(?:(?!(?:and|or|but|e|ed|ma|o)\b)[\w'-]+\s+){{0,2}}(?:{_SORTS.pattern}|{ANSWERS}\b"
    r"|bullet points?\b|bullets\b)",
    re.I,
)
_ONE_MORE = re.compile(rf"\s*,?\s+(?:and|e|ed)\s+(?={_OBJECT.pattern})", re.I)
_OWN = re.compile(r"(?:i|i'm|i'd|i've)\b", re.I)


@dataclass(frozen=True, slots=True)
class Head:
    """How a clause begins: +1 wanted or -1 unwanted, and what of.

    `trusts`: what is (not) trusted is a method. `takes_names`: a bare name is an author.
    `likes`: said of anything in the world ("I love cats"); it takes papers or a method to make
    it a wish. `only_dates`: "papers must be …" is a wish when a time follows. `weak`: said of any
    step of any work ("drop the first term"); it takes papers, "from now on" or "please".
    `said`: the words of the head itself.
    """

    polarity: int
    body: str
    trusts: bool = False
    takes_names: bool = False
    likes: bool = False
    only_dates: bool = False
    weak: bool = False
    said: str = ""


def coordinated(clause: str) -> list[str]:
    """A clause's parts that may each state a wish, each with its subject; itself if it has one.

    Whether they do is for the rules to say: "I study misinformation and love" has one.
    """
    parts = [part.strip() for part in _COORDINATED.split(clause)]
    if len(parts) < 2 or not all(parts):
        return [clause]
    own = bool(_OWN.match(parts[0]))
    return [parts[0], *(with_subject(part) if own else part for part in parts[1:])]


def is_object(clause: str) -> bool:
    """Whether a clause only names papers or answers, so that a verb before it may go on."""
    return bool(_OBJECT.match(clause)) and not _VERB.search(clause)


def objects(clause: str, head: Head) -> list[str]:
    """A clause's parts that each name papers or answers, each with the clause's own head."""
    first, *others = _ONE_MORE.split(clause)
    if not head.said or not others or not all(map(is_object, others)):
        return [clause]
    return [first, *(f"{head.said.strip()} {other}" for other in others)]


def with_subject(clause: str) -> str:
    """A clause that begins with a verb of one's own wish, with the "I" that was left out."""
    return f"I {clause}" if _NO_SUBJECT.match(clause) else clause


def find_head(clause: str, *, standing: bool, follows: bool = False) -> Head | None:
    """The head of a clause that states a wish, or None when it states none.

    `standing` tells that the sentence says "always" or "from now on", which turns a plain
    request ("show me …") into a wish; `follows` that an earlier clause stated one, so that
    "without …" may go on from it.
    """
    found = USELESS.match(clause)
    if found and USELESS_GUARD.search(clause):
        return Head(-1, found["body"] or found["body2"] or found["body3"])
    if found := KEPT_AWAY.match(clause):
        return Head(-1, found["body"] or found["weak"], takes_names=True, weak=bool(found["weak"]))
    for rule, polarity, trusts, names, likes, weak in _HEADS:
        found = rule.match(clause)
        if not found:
            continue
        body = clause[found.end() :].strip()
        # "no simulations" is a wish, "no simulations have been made" a fact
        if _BARE_HEAD.match(clause) and (
            _VERB.search(body) or len(body.split()) > (8 if _SORTS.search(body) else 4)
        ):
            return None
        if _GOES_ON.match(clause) and not follows:
            return None
        return (
            Head(polarity, body, trusts, names, likes, weak=weak, said=found[0]) if body else None
        )
    found = ONLY_LAST.fullmatch(clause)
    if found and _SORTS.search(clause) and not _VERB.search(clause):
        return Head(1, found["body"], said="only")
    if found := ALL.fullmatch(clause):
        return Head(1, found["body"] or found["body2"], takes_names=True)
    if found := MUST.fullmatch(clause):
        return Head(1, found["body"], only_dates=True)
    found = TOP.fullmatch(clause) or (FIRST.fullmatch(clause) if standing else None)
    if found:
        return Head(1, found["body"], takes_names=True)
    if standing and (found := _GIVE_STANDING.match(clause)):
        return Head(1, clause[found.end() :], takes_names=True, said=found[0])
    return None
