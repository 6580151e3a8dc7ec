"""Questions of what the person told of themselves: what they use, decided, dropped, and since when.

"Do I use PyTorch?", "Why did I drop Julia?", "What did I use before JAX?" ask no paper. They are
told by the first person with a verb of state, tool or decision, in five languages. What asks for
advice ("Should I use …?", "How do I use …?") or for what everybody does ("Why do we use …?") is
none of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

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
    r"|collaborating|training|switching|moving|based|employed|enrolled|affiliated|interested"
    r"|allowed|permitted|authori[sz]ed|entitled|supposed to|still|at|in (?:the|a)\b|an? (?:phd"
    r"|master\w*|student|postdoc|professor|member|researcher|physicist|engineer))\b"
)
_OFTEN = r"(?: (?:\w+ly|still|now|ever|already|also|always|then|once|just|not))*"
_WH = (
    r"(?:since |with |until |for |in |at |from |on |to )?(?:why|when|where|who|whom|what|which"
    r"|whose|how (?:long|often|many|much))"
    r"(?: (?!(?:do|did|does|have|had|am|was|are|were)\b)[\w'-]+){0,4}"
)
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
|{_TOLD_OF} (?:why|when|what|which|where|whether|if|who)(?: [\w'-]+){{0,3}}? (?:i|we){_OFTEN}
(?: (?:use|work|study|prefer|avoid|{_DONE}))
"""
_ITALIAN = r"""
(?:(?:e|ma|allora) )?(?:(?:perché|quando|dove|da quando|fino a quando|per quanto(?: tempo)?
 |con chi|su cosa|per chi|cosa|che cosa|qual[ei]?|con (?:cosa|che)|in che)(?: \w+){0,2} )?
 (?:(?:io|noi|ancora|già|mai|spesso) )*(?:non )?
 (?:uso(?! d[ei])|usavo|usiamo|usavamo|utilizzo|utilizzavo|utilizziamo|lavoro(?! su)|lavoravo
 |lavoriamo|preferisco|preferivo|evito|evitavo|vivo|abito|abitavo|insegno|insegnavo|programmo
 |programmavo|mi occupo|mi occupavo|(?:ho|abbiamo) (?:mai |già |poi )?(?:deciso|scelto|usato
 |utilizzato|abbandonato|lasciato|smesso|cambiato|cominciato|iniziato|lavorato|studiato
 |accesso|il permesso|preferito)
 |(?:sono|siamo) (?:mai |già |poi )?(?:passat[oaie]|autorizzat[oaie]|ancora|iscritt[oaie])
 |mi è permesso|posso ancora)\b
"""
_GERMAN = r"""
(?:(?:und|aber|also) )?(?:(?:warum|weshalb|wieso|wann|seit wann|bis wann|wo|wofür|womit|woran|wer
 |mit wem|was|wie lange|wie oft|welche[rsnm]?)(?: \w+){0,2} )?
 (?:(?:benutze|verwende|nutze|benutzte|verwendete|nutzte|arbeite|arbeitete|forsche|forschte
 |studiere|studierte|wohne|lebe|bevorzuge|meide|vermeide|programmiere|lehre|unterrichte|leite) ich
 |(?:benutzen|verwenden|nutzen) wir\b(?=\s+(?:noch|eigentlich|immer))
 |(?:habe|hatte) ich (?=.*\b(?:benutzt|verwendet|genutzt|gearbeitet|geforscht|studiert|gewohnt
 |aufgegeben|aufgehört|gewechselt|ersetzt|angefangen|begonnen|entschieden|beschlossen|gewählt
 |abgelehnt|verlassen|verworfen|bevorzugt|zugang|zugriff|die erlaubnis)\b)
 |(?:haben|hatten) wir (?=.*\b(?:aufgegeben|aufgehört|gewechselt|ersetzt|entschieden|beschlossen
 |gewählt|verworfen|abgelehnt)\b)
 |(?:bin|war) ich (?=.*\b(?:umgestiegen|gewechselt|gegangen|berechtigt|befugt|noch|angestellt
 |beschäftigt)\b)|(?:darf|durfte) ich)\b
"""
_FRENCH = r"""
(?:(?:et|mais|alors|donc) )?(?:(?:pourquoi|quand|où|depuis quand|combien de temps|avec qui|pour qui
 |sur quoi|avec quoi|qui|que|quoi|quels?|quelles?)(?: \w+){0,2} |qu['’])?
 (?:est-ce que? |est-ce qu['’])?
 (?:j['’]utilis(?:e|ais)|utilis(?:é|ais|e)-je|j['’]emploie|je (?:travaill(?:e|ais)|programm(?:e|ais)
 |préf(?:ère|érais)|vis|enseign(?:e|ais)|suis (?:passée?|autorisée?|encore|inscrite?))
 |travaill(?:é|ais)-je|j['’](?:étudi(?:e|ais)|évit(?:e|ais)|habit(?:e|ais))
 |(?:ai-je|j['’]ai|avons-nous|nous avons|on a) (?:déjà |jamais |finalement |vraiment )?(?:décidé
 |choisi|abandonné|laissé|changé|arrêté|utilisé|employé|quitté|commencé|remplacé|travaillé|accès
 |le droit)|(?:suis-je|étais-je|sommes-nous) (?:déjà |encore )?(?:passée?s?|autorisée?s?|inscrite?
 |à|au)|ai-je (?:le droit|accès)|puis-je encore)(?![\w])
"""
_SPANISH = r"""
(?:(?:y|pero|entonces) )?(?:(?:por qué|cuándo|dónde|desde cuándo|hasta cuándo|cuánto tiempo
 |con quién|para quién|en qué|con qué|quién|qué|cuál(?:es)?)(?: \w+){0,2} )?
 (?:(?:yo|todavía|aún|ya|nunca|aun) )*(?:no )?
 (?:uso(?! d[ei])|usaba|usé|usamos|usábamos|utilizo|utilizaba|utilicé|trabajo(?! sobre)|trabajaba
 |trabajé|prefiero|prefería|evito|evitaba|vivo|vivía|enseño|enseñaba|programo|programaba|dejé|dejamos
 |abandoné|cambié|cambiamos|pasé|decidí|decidimos|elegí|elegimos|empecé
 |(?:me|nos) (?:pasé|cambié|cambiamos)
 |(?:he|hemos) (?:decidido|elegido|usado|utilizado|dejado|abandonado|cambiado|empezado|trabajado)
 |tengo (?:permiso|acceso|derecho)|estoy (?:autorizad[oa]|usando|trabajando)|puedo seguir)\b
"""
_OPENING = (
    r"^\W*(?:(?:and|but|so|ok(?:ay)?|hey|hi|now|please|by the way|btw|actually|wait|sorry)\W+){0,2}"
)
# These languages ask by the tone: without a question mark the same words state it.
_BY_TONE = (_ITALIAN, _FRENCH, _SPANISH)


def _compiled(words: str) -> re.Pattern[str]:
    return re.compile(_OPENING + "(?:" + re.sub(r"\n\s*", "", words) + ")", _I)


_ASKED = tuple((_compiled(each), each in _BY_TONE) for each in (
    _ENGLISH, _ITALIAN, _GERMAN, _FRENCH, _SPANISH))  # fmt: skip
_BEFORE = re.compile(
    r"\b(?:before|formerly|previously|originally|earlier|initially|at first|in the past|used? to"
    r"|prior to|until then|prima|in precedenza|un tempo|all'inizio|originariamente|usavo|usavamo"
    r"|utilizzavo|lavoravo|preferivo|vor|vorher|davor|zuvor|früher|ursprünglich|anfangs|avant"
    r"|auparavant|autrefois|précédemment|au début|utilisais|travaillais|antes|anteriormente"
    r"|previamente|antiguamente|originalmente|al principio|usaba|usábamos|utilizaba|trabajaba)\b",
    _I,
)
_SENTENCE = re.compile(r"[^.!?…]+(?:\.(?=\w)[^.!?…]*)*[.!?…]*")
_WORD = re.compile(r"[^\W_][\w+#]*(?:[-.'’][\w+#]+)*")
_ELIDED = re.compile(r"^(?:[ldjnmts]|qu|dell|nell|all|sull|un|c)['’]", _I)
# Small words, and those that ask: what is left names what is asked about.
_SMALL = frozenset(
    """a an the this that these those my our mine ours me us myself i we it its to of for in on at
    by with from as and or not no so then than now still yet ever already also always any some all
    before after since until formerly previously originally earlier initially first past during
    again anymore more longer instead about into up over there here do does did have had has be been
    is are was were am what which who when where why how long often whether if use used using uses
    work working worked rely run running get decide decided choose chose chosen drop dropped switch
    switched switching move moved change changed stop stopped start started allowed permitted
    supposed entitled authorized may still tell remind remember know project projects purpose
    years year week weeks month months day days time today yesterday last next
    il lo la i gli le un una uno l di del dello della dei degli delle da dal dalla in nel nella con
    per su sul sulla tra e o ed non che chi cosa quando dove perché ancora già mai prima dopo a al
    alla ai mio mia miei mie nostro nostra usare usato utilizzare lavorare lavorato smesso passato
    passata deciso scelto abbandonato lasciato cambiato accesso permesso più anche adesso ora
    der die das den dem des ein eine einen einem einer mein meine meinen meinem meiner unser unsere
    und oder nicht noch schon immer mehr auch jetzt vor nach seit für mit auf an am im bei zu zum
    zur von vom aus um über ich wir es benutzt verwendet genutzt benutzen verwenden nutzen
    gearbeitet aufgegeben aufgehört gewechselt umgestiegen ersetzt angefangen begonnen entschieden
    beschlossen gewählt verworfen verlassen zugang zugriff erlaubnis berechtigt vorher davor zuvor
    früher ursprünglich eigentlich
    les un une des du de d au aux dans sur sous pour par avec sans et ou ne pas plus encore toujours
    déjà jamais avant après depuis mon ma mes notre nos ce cette ces y en que qui je j nous on se
    utiliser utilisé travailler décidé choisi abandonné changé arrêté quitté commencé passé passée
    auparavant droit accès à
    el los las unos unas de del al con sin por para y o u no ya aún todavía nunca siempre antes
    después desde hasta mi mis nuestro nuestra lo se me nos usar usado utilizar utilizado trabajar
    dejado decidido elegido cambiado abandonado permiso acceso derecho más también ahora sobre
    """.split()
)


@dataclass(frozen=True, slots=True)
class OwnQuestion:
    """A question of the person's own state or decisions.

    `about`: the words that name what it asks about, in small letters, each once; none where it
    asks only whether, when or why anything changed. `before`: it asks for what was so before.
    """

    about: tuple[str, ...]
    before: bool


def own_question(message: str) -> OwnQuestion | None:
    """What `message` asks of the person's own, where all that it asks is that."""
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
    return OwnQuestion(tuple(about), any(own.before for own in found))


def words_about(text: str) -> tuple[str, ...]:
    """The words of a text that name something, in small letters, each once."""
    words = (_ELIDED.sub("", word) for word in _WORD.findall(text))
    named = (word for word in words if _is_name(word) or word.casefold() not in _SMALL)
    return tuple(dict.fromkeys(word.casefold() for word in named if word))


def _is_name(word: str) -> bool:
    """MIT is no German preposition."""
    return len(word) > 1 and word.isupper()


def _read(sentence: str) -> OwnQuestion | None:
    for asked, by_tone in _ASKED:
        found = asked.match(sentence)
        if found and (not by_tone or "?" in sentence):
            return OwnQuestion(words_about(sentence[found.end() :]), bool(_BEFORE.search(sentence)))
    return None
