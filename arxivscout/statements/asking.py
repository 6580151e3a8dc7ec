"""Questions of what the person told of themselves: where they live, what they use, like, decided.

"Do I use PyTorch?", "Who is my supervisor?", "Why did I drop Julia?" ask no paper. They are told by
the first person as what a question is asked of, in five languages. What asks for advice ("Should I
use …?", "How do I use …?"), for what everybody does ("Why do we use …?") or for what was said in
the conversation ("What did I ask?") is none of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from arxivscout.statements.asked_for import (
    ASKS,
    BEFORE,
    CHANGE,
    CONTRAST,
    DAY,
    INSTEAD,
    OVER,
    PAST,
    TYPE,
    Asks,
)
from arxivscout.statements.asking_abroad import FRENCH, GERMAN, SPANISH
from arxivscout.statements.aspects import Aspect, aspects_of, without_aspects
from arxivscout.statements.naming import words_about

LONGEST = 300  # characters of a question of this kind
_I = re.IGNORECASE

# What one is or does for a time; what begins or ends it; "we" may be everybody but with the latter.
_STATE = (
    r"(?:use|rely|depend|run|work|study|research|investigate|live|teach|supervise|lead|own"
    r"|have(?! to\b)|avoid|prefer|like|dislike|hate|love|want(?! to (?:know|see|ask|read))|code"
    r"|program|write|collaborate|speak|belong|focus|train|host|store|keep|believe|think|plan"
    r"|intend|attend|need\b(?= (?:my|our)\b))\b"
)
_CHANGE = (
    r"(?:switch|move|migrate|change|drop|abandon|leave|stop|quit|give up|replace|swap|start|begin"
    r"|join|adopt|choose|pick|select|decide|agree|settle|commit|reject|discard|keep|go (?:with|for)"
    r"|opt|buy|install|finish|graduate|defend|submit|use|work|used? to|get rid of)\b"
)
_DONE = (
    r"(?:used|relied|worked|studied|lived|taught|led|owned|avoided|preferred|coded|programmed"
    r"|switched|moved|migrated|changed|dropped|abandoned|left|stopped|quit|given up|replaced"
    r"|swapped|started|begun|joined|adopted|chosen|picked|selected|decided|agreed|settled"
    r"|committed|rejected|discarded|kept|gone (?:with|for)|opted|bought|installed|finished"
    r"|graduated|defended|submitted|been (?:using|working|studying|allowed)|had (?!to\b))\b"
)
_DOING = (
    r"(?:using|relying|working|studying|living|teaching|supervising|avoiding|coding|programming"
    r"|writing|preparing|drafting|refereeing|collaborating|training|switching|moving|based"
    r"|employed|enrolled|affiliated|interested"
    r"|allowed|permitted|authori[sz]ed|entitled|supposed to|still|at|in (?:the|a)\b|an? (?:phd"
    r"|master\w*|student|postdoc|professor|member|researcher|physicist|engineer))\b"
)
_OFTEN = r"(?: (?:\w+ly|still|now|ever|already|also|always|then|once|just|not))*"
_WH = (
    r"(?:since |with |until |for |in |at |from |on |to )?(?:why|when|where|who|whom|what|which"
    r"|whose|how (?:long|often|many|much))"
    r"(?: (?!(?:do|did|does|have|had|am|was|are|were)\b)[\w'-]+){0,4}"
)
# Asked for advice, or of how something is done or understood, though it says "I".
_ADVICE = (
    r"(?:need|have to|must|ought|want to (?:know|see|ask|read|find)|find|get|gain|lose|start with"
    r"|begin|look|read|learn|cite|install|download|compute|calculate|derive|know|understand|see"
    r"|obtain|avoid (?:\w+ing|over\w*)|go from|do (?:with|about|if|when|wrong)|put|submit|publish"
    r"|set|set up|train|fine-?tune|measure|define|interpret|write|call|say|miss|benefit|risk|care"
    r"|apply|add|choose|pick|select|take|make|prove|test|evaluate|handle|deal|fix|solve)\b"
)
# What was said and looked for in the conversation is asked of its record.
_SPOKEN = (
    r"(?:ask(?:ed)?|sa(?:y|id)|t(?:ell|old)|mention(?:ed)?|discuss(?:ed)?|talk(?:ed)?|look(?:ed)?"
    r"|search(?:ed)?|f(?:ind|ound)|read|cover(?:ed)?|do|done|mean|meant|write|wrote|see|seen|saw"
    r"|save[d]?|stored?|note[d]?|mark(?:ed)?|tag(?:ged)?|miss(?:ed)?|understand|understood|get"
    r"|got\b(?= (?:it|that|this|you)\b))\b"
)
_JUDGED = r"(?:right|correct|wrong|mistaken|missing|too|supposed|allowed|overfit\w*|being|going)\b"
_TOLD_OF = (
    r"(?:(?:please )?(?:tell|remind) me|(?:do you )?(?:still )?(?:know|remember)|can you tell me"
    r"|i (?:forgot|don't (?:know|remember) any ?more))"
)
# What somebody has one of, that may have changed.
_MINE = (
    r"(?:[\w-]+ ){0,2}?(?:deadline|supervisor|advis[eo]r|baseline|framework|editor|language|topic"
    r"|thesis|group|lab|affiliation|employer|venue|title|budget|cluster|laptop|data ?set"
    r"|optimi[sz]er|library|tools?|project|office|institute|university|e-?mail)"
)
_ENGLISH = rf"""
(?:does|do) (?:i|my {_MINE}|our {_MINE}){_OFTEN} {_STATE}
|do we{_OFTEN} (?:use|have access|rely|run|work)\b(?!.*\bto\b)
|did i{_OFTEN} (?:{_STATE}|{_CHANGE})
|did we{_OFTEN} {_CHANGE}
|(?:have|had) (?:i|we){_OFTEN} {_DONE}
|(?:am|was) i{_OFTEN} {_DOING}
|(?:are|were) we{_OFTEN} (?:using|allowed|permitted|switching|going with|still (?:using|at|with))\b
|may (?:i|we) (?!ask\b|see\b|have\b|know\b)(?=\w)
|{_WH} (?:do i{_OFTEN} {_STATE}|did i{_OFTEN} (?:{_STATE}|{_CHANGE})|did we{_OFTEN} {_CHANGE})
|{_WH} (?:(?:have|had) (?:i|we){_OFTEN} {_DONE}|(?:am|was) i{_OFTEN} {_DOING})
|{_WH} (?:used to|had|was|were) (?:be )?(?:my|our) (?=.*\b(?:before|formerly|previously|originally
 |earlier|used to be)\b)
|what used to be (?:my|our)\b
|(?:is|are|was|were) (?:my|our) (?={_MINE}\b.*\b(?:still|yet|now|always|ever|already|before)\b)
|(?:is|was) [\w.+#-]+(?: [\w.+#-]+)? still (?:my|our)\b
|{_TOLD_OF} (?:why|when|what|which|where|whether|if|who|whom|how (?:long|many|often))
(?: [\w'-]+){{0,4}}? (?:(?:i|we){_OFTEN} (?!should|can|could|{_SPOKEN})\w|(?:my|our|me)\b)
|(?:do you )?(?:still )?(?:know|remember) my \w
|do i{_OFTEN} (?!{_ADVICE})(?=\w)(?!.*\b(?:if|when|unless)\b)
|(?:did|have|had) i{_OFTEN} (?!{_SPOKEN})(?!to\b)(?=\w)
|(?:am|was) i{_OFTEN} (?!{_JUDGED})(?!\w+ing\b)(?=\w)
|{_WH} (?:did|have|had) i{_OFTEN} (?!{_SPOKEN})(?!to\b)(?=\w)
|{_WH} (?:am|was) i{_OFTEN} (?:{_DOING}|\w+ed\b)
|{_WH} (?:am|was) i{_OFTEN} (?!{_JUDGED})(?!\w+ing\b)\w+(?: \w+)?
(?: (?:to|in|at|on|of|with|for|from|by|about))?\W*$
|what (?:do|did|can) you (?:still |already )?(?:know|remember|recall|have) (?:about|of|on) my \w
|how (?:is|was|are) my [\w -]{{1,30}} (?:called|named)\b
|(?:since|until) (?:when|what|which)\b.*\b(?:i|my)\b
|(?:who(?:m|se)?|what|when|where|which|how (?:long|many|old))(?:['’]s| is| are| was| were)
\smy {_MINE}\b
|(?:what|when|where|who)(?:['’]s| is| are| was| were)\smy (?!last\b|previous|first|earlier|best
|next|options?|chances|questions?\b)(?:[\w'’-]+ ?){{1,4}}\W*$
|(?:and |what about |how about )?my {_MINE}(?:'s \w+)?\?*$
|how old am i\b
|what(?: else)? (?:do|must) (?:i|we)(?: still)? (?:have|need) to do\b
|what(?:['’]s| is| are)(?: on)? (?:my|our) (?:open |current )?(?:to-?dos?|tasks?|to-?do list)\b
|what(?:['’]s| is) (?:still )?(?:left(?: for me)? )?to do\W*$
|(?:show|list|tell)(?: me)? my (?:to-?dos?|to-?do list|tasks)\b
|who (?:supervise|advise|mentor|teache?|employ|pay|fund|know|lead)[sd]? me\b
"""
# Asked of the person's own or of papers: which, only what was said can tell.
_PERHAPS = rf"""
(?:does|do|is|are|was|were|did|has|have) my \w
|{_WH} (?:do|does|did|is|are|was|were|has|have) my \w
|(?:who(?:m|se)?|what|when|where|which|how (?:long|many|old))(?:['’]s| is| are| was| were) my
\s(?!last\b|previous\b|first\b|earlier\b)\w
|{_WH} do i{_OFTEN} (?!{_ADVICE})\w
|(?:where|who|whom|when|which(?: [\w-]+){{1,3}}) (?:do|did|are|were|have) we{_OFTEN}
\s(?!know|find|found|see|observe|expect|measure|need|have)\w
|(?:did|have) we{_OFTEN} (?!{_SPOKEN})\w
|{_WH} did (?:i|we){_OFTEN} (?:say|tell|mention|told)\b(?=.*\b(?:about|of|on|my)\b)
|who \w+ me\b
|(?:what|who|when|where)(?:['’]s| is| are| was| were) [\w -]{{1,40}} (?:of|for) my \w
|(?:is|are|was|were) [\w.-]+(?: [\w.-]+){{0,3}} my \w
|(?:{_WH} )?can i{_OFTEN} (?!{_ADVICE})\w
|(?:did|have) i{_OFTEN} (?:tell|told|mention(?:ed)?|say|said)\b(?=.*\b(?:about|that|of|my)\b)
"""
_PERHAPS_ITALIAN = r"""
(?:(?:che|qual[ei]?|quant[ei]) \w+ )?(?:sono|ero|ho|avevo|posso|so)(?! bisogno\b) [\w' -]{1,40}\?
|(?:è|era) [\w .-]{1,40} (?:il mio|la mia)\b
"""
_ITALIAN = r"""
quanti anni ho\b|cosa (?:ho|devo|mi resta) (?:da )?fare\b
|(?:(?:e|ma|allora) )?(?:(?:perché|quando|dove|da quando|fino a quando|per quanto(?: tempo)?
 |con chi|su cosa|per chi|cosa|che cosa|che|qual[ei]?|con (?:cosa|che)|in che)(?: \w+){0,2} )?
 (?:(?:io|noi|ancora|già|mai|spesso) )*(?:non )?
 (?:uso(?! d[ei])|usavo|usiamo|usavamo|utilizzo|utilizzavo|utilizziamo|lavoro(?! su)|lavoravo
 |lavoriamo|preferisco|preferivo|evito|evitavo|vivo|abito|abitavo|insegno|insegnavo|programmo
 |programmavo|mi occupo|mi occupavo|(?:ho|abbiamo) (?:mai |già |poi )?(?:deciso|scelto|usato
 |utilizzato|abbandonato|lasciato|smesso|cambiato|cominciato|iniziato|lavorato|studiato
 |accesso|il permesso|preferito)
 |(?:sono|siamo) (?:mai |già |poi )?(?:passat[oaie]|autorizzat[oaie]|ancora|iscritt[oaie])
 |mi è permesso|posso ancora|mi (?:piac\w+|interess\w+|chiamo|fid\w+)|(?:a me )?piac\w+
 |amo|amavo|adoro|odio|odiavo|detesto|parlo|parlavo|credo|credevo|penso|pensavo|ritenevo|ritengo
 |possiedo|suono|suonavo|bevo|mangio|guido|collaboro|collaboravo|supervisiono|scrivo|tengo
 |conservo|studio(?! d[ei]\b)|studiavo|aderisco|ho (?:un[ao]?|dei|delle|degli|due|tre|quattro)
 |(?:(?:mi )?(?:ero|sono)) (?:un[ao]?|(?:mai |già |poi )?(?:\w+[ai]t[oa]|spos\w+))
 |ho (?:mai |già |poi |sempre )?(?!chiesto|detto|cercato|letto|trovato|visto|parlato)\w+(?:ato|uto
 |ito|eso|elto|isto|etto|atto|asto|orso))\b
|(?:(?:e|ma) )?(?:(?:di|a|con|per) )?(?:chi|cosa|qual[ei]?|quando|dove|come|quant[oaie]|da quando)\b
 [^?]{0,50}\b(?:il mio|la mia|i miei|le mie|mio|mia|mi)\b
|(?:(?:mi )?(?:sai|ricordi|dici|sapresti)|dimmi|ricordami|ti ricordi)(?: ancora| dire)? (?:dove
 |chi|cosa|che cosa|quando|da quando|perché|se|qual[ei]?|come)\b[^?]{0,60}\b(?:io|mi|mio|mia|miei
 |mie|vivo|abito|lavoro|uso|ho|sono|evito|preferisco)\b
"""
_OPENING = (
    r"^\W*(?:(?:and|but|so|ok(?:ay)?|hey|hi|hello|now|please|by the way|btw|actually|wait|sorry"
    r"|ciao|scusa|quick question|one question|tell me)\W+){0,2}"
)
# These languages ask by the tone: without a question mark the same words state it.
_BY_TONE = (_ITALIAN, FRENCH, SPANISH)


def _compiled(words: str) -> re.Pattern[str]:
    return re.compile(_OPENING + "(?:" + re.sub(r"\n\s*", "", words) + ")", _I)


_SURE = tuple((_compiled(each), each in _BY_TONE) for each in (
    _ENGLISH, _ITALIAN, GERMAN, FRENCH, SPANISH))  # fmt: skip
_UNSURE = (_compiled(_PERHAPS), _compiled(_PERHAPS_ITALIAN))
_FROM = re.compile(r"\b(?:where|dove)\b.* (?:from|da)\W*$|\bda dove\b", _I)
_WHETHER = re.compile(
    _OPENING + r"(?:do|did|does|have|has|had|am|was|is|are|were|can|may) (?!you\b)", _I
)
_HOW = re.compile(r"\bhow (?:long|old|many|much|often)\b", _I)
_IN_ITALIAN = _SURE[1][0]
_SENTENCE = re.compile(r"[^.!?…]+(?:\.(?=\w)[^.!?…]*)*[.!?…]*")


@dataclass(frozen=True, slots=True)
class OwnQuestion:
    """A question of the person's own state or decisions.

    `about`: the words that name what it asks about, in small letters, each once; none where it
    asks only whether, when or why anything changed. `kind_of`: the words for what kind of thing it
    asks for ("framework"). `before`: it asks for what was so before; `past`: whether it ever was;
    `over`: whether it is so no more; `instead`: for what took its place; `day`: a time in
    it. `sure`: it can be asked of nothing else than what the person said.
    """

    about: tuple[str, ...]
    before: bool
    asks: Asks = "whether"
    aspects: tuple[Aspect, ...] = ()
    kind_of: tuple[str, ...] = ()
    past: bool = False
    over: bool = False
    instead: bool = False
    day: str = ""
    italian: bool = False
    sure: bool = True
    text: str = ""


def own_question(message: str) -> OwnQuestion | None:
    """What `message` asks of the person's own, where all that it asks is surely that."""
    own = perhaps_own(message)
    return own if own and own.sure else None


def perhaps_own(message: str) -> OwnQuestion | None:
    """What `message` asks of the person's own, where it may be that; see its `sure`."""
    if len(message) > LONGEST:
        return None
    sentences = [each.strip() for each in _SENTENCE.findall(message) if each.strip()]
    found: list[OwnQuestion] = []
    for sentence in sentences:
        if own := _read(sentence):
            found.append(own)
        elif sentence.endswith("?") or len(sentences) == 1:
            return None
    if not found:
        return None
    about = dict.fromkeys(word for own in found for word in own.about)
    return replace(
        found[-1],
        about=tuple(about),
        before=any(own.before for own in found),
        sure=all(own.sure for own in found),
    )


# "Don't I use JAX?" asks what "Do I use JAX?" does; "Why don't I like it?" asks why one does not.
_NEGATED = re.compile(
    r"\b(do|does|did|have|has|had|is|are|was|were|would|should)n['’]t (i|we|(?:my|our) [\w-]+)\b",
    re.I,
)


def _read(sentence: str) -> OwnQuestion | None:
    asks_why = bool(re.match(r"\W*(?:and |but |so )?(?:why|how come)\b", sentence, re.I))
    sentence = _NEGATED.sub(r"\1 \2 not" if asks_why else r"\1 \2", sentence)
    for asked, by_tone in _SURE:
        italian = asked is _IN_ITALIAN
        if (
            asked.match(sentence)
            and (not by_tone or "?" in sentence)
            and not (italian and "¿" in sentence)
        ):
            return _question(sentence, sure=True, italian=italian)
    for asked in _UNSURE:
        if asked.match(sentence):
            return _question(sentence, sure=False, italian=asked is _UNSURE[1])
    return None


def _asks(sentence: str) -> Asks:
    if _WHETHER.match(sentence):
        return "whether"
    return next((asks for asks, words in ASKS if words.search(sentence)), "whether")


def _question(sentence: str, *, sure: bool, italian: bool) -> OwnQuestion | None:
    kind = TYPE.search(sentence)
    bare = sentence[: kind.start(1)] + " " + sentence[kind.end(1) :] if kind else sentence
    day = DAY.search(sentence)
    bare = DAY.sub(" ", CONTRAST.sub(" ", without_aspects(bare)))
    about, aspects = words_about(_HOW.sub(" ", bare)), aspects_of(sentence)
    if not about and not aspects:
        if not day and not CHANGE.search(sentence):
            return None  # "Who am I?" is asked of all that is known
        about = words_about(day[0]) if day else ()
    return OwnQuestion(
        about,
        bool(BEFORE.search(sentence) or _FROM.search(sentence)),
        asks=_asks(sentence),
        aspects=aspects,
        kind_of=words_about(kind[1]) if kind else (),
        past=bool(PAST.search(sentence)),
        over=bool(OVER.search(sentence)),
        instead=bool(INSTEAD.search(sentence)),
        day=day[0] if day else "",
        italian=italian,
        sure=sure,
        text=sentence,
    )
