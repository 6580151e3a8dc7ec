"""The commonest wishes in German, French and Spanish, put into the English that the rules read.

Only a clause that begins like a wish is touched. Its topic stays as it was said.
"""

from __future__ import annotations

import re

_LEAD = (
    r"(?:(?:bitte|ab (?:jetzt|sofort)|von nun an|in zukunft|grundsätzlich|immer"
    r"|s'il (?:te|vous) pla[iî]t|désormais|à partir de maintenant|à l'avenir|en général|toujours"
    r"|por favor|a partir de ahora|de ahora en adelante|en general|siempre|y|et|und)[\s,]+)*"
)
_HEADS = tuple(
    (re.compile(rf"{_LEAD}(?:{words})(?![\w'])[\s,]*", re.I), english)
    for words, english in (
        # unwanted
        (
            r"ich (?:will|möchte|mag|brauche|lese) keine[nr]?(?: mehr)?|vermeiden? sie"
            r"|(?:ver)?meide"
            r"|zeig(?:e|en sie)? mir (?:nie|keine)(?: mehr)?(?: keine)?"
            r"|keine(?= (?:papers?|arbeiten|artikel|studien|simulationen)\b)"
            r"|ich interessiere mich nicht für",
            "avoid ",
        ),
        (
            r"je ne (?:veux|souhaite|lis) (?:pas|plus|jamais)(?: (?:voir|lire|recevoir))?"
            r"(?: (?:de|des))?|évite[zr]?(?: (?:les?|la|des?))?|je n'aime pas(?: (?:les?|la))?"
            r"|ne (?:me )?(?:montre|propose|cite|donne)[zs]? (?:pas|plus|jamais)(?: (?:de|des))?"
            r"|pas de(?= (?:articles?|papiers|études|simulations)\b)"
            r"|je ne m'intéresse (?:pas|plus) (?:à|aux?)",
            "avoid ",
        ),
        (
            r"no (?:quiero|deseo|leo)(?: (?:ver|leer|recibir))?(?: más)?(?: (?:los|las))?"
            r"|evita (?:los|las)|evite[ns]?(?: (?:los|las))?|no me (?:muestres?|propongas?|cites?"
            r"|des)(?: (?:más"
            r"|nunca))?"
            r"|no me (?:gustan?|interesan?)(?: (?:los|las|el|la))?",
            "avoid ",
        ),
        # wanted
        (
            r"ich bevorzuge|bevorzuge|ich (?:lese|mag|will|möchte) (?:lieber|am liebsten)"
            r"|mir sind (?=.+ lieber)|ich interessiere mich (?:vor allem |besonders |nur )?für",
            "I prefer ",
        ),
        (
            r"je préfère(?: (?:les?|la|des))?|préfère[zs]?(?: (?:les?|la|des))?"
            r"|je m'intéresse (?:surtout |uniquement )?(?:à|aux?)",
            "I prefer ",
        ),
        (
            r"prefiero(?: (?:los|las|el|la))?|prefiere(?: (?:los|las))?"
            r"|me interesan?(?: (?:sobre todo|especialmente))?(?: (?:los|las|el|la))?",
            "I prefer ",
        ),
        # how to answer
        (r"antworten? (?:sie )?(?:mir )?(?:bitte )?(?:immer )?", "answer "),
        (r"répond(?:s|ez)(?:-moi)?(?: toujours)?", "answer "),
        (r"(?:responde|contesta)(?:me)?(?: siempre)?", "answer "),
        (
            r"(?:halte?|fasse?) dich (?:bitte )?kurz|sois bref|soyez brefs?|sé "
            r"breve",
            "answer briefly",
        ),
    )
)
_LANGUAGES = (
    (r"deutsch|allemand|alemán", "German"),
    (r"englisch|anglais|inglés", "English"),
    (r"französisch|français|francés", "French"),
    (r"spanisch|espagnol|español", "Spanish"),
    (r"italienisch|italien|italiano", "Italian"),
)
_WORDS = tuple(
    (re.compile(rf"(?<![\w'])(?:{words})(?![\w'])", re.I), english)
    for words, english in (
        *((rf"(?:auf|in|en) (?:{name})", f"in {english}") for name, english in _LANGUAGES),
        *((rf"^(?:le |el |das "
        rf")?(?:{name})$", f"answers in {english}") for name, english in _LANGUAGES),
        (r"kurzen? antworten|réponses (?:courtes|brèves)|respuestas (?:cortas|breves)",
         "short answers"),
        (r"(?:langen?|ausführlichen?) antworten|réponses (?:longues|détaillées)"
         r"|respuestas (?:largas|detalladas)", "long answers"),
        (r"knapp|kurz|brièvement|brevemente", "briefly"),
        (r"ausführlich|en détail|en detalle", "in detail"),
        (r"stichpunkten?|aufzählungen|(?:listes à )?puces|viñetas", "bullet points"),
        (r"formeln|formules|fórmulas", "formulas"),
        (r"simulationen|simulaciones", "simulations"),
        (r"die (?:älter|vor \d{4} erschienen) (?:als|sind)", "older than"),
        (r"(?:die )?älter(?:e|en)? (?:\w+ )?als|plus (?:vieux|anciens?) que|(?:más )?(?:antiguos"
        r"|viejos)"
         r" que|anteriores a", "older than"),
        (r"neuer(?:e|en)? (?:\w+ )?als|plus récents? que|más (?:nuevos|recientes) "
        r"que", "newer than"),
        (r"(?:aus der zeit )?vor(?= \d{4})|d'avant(?= \d{4})|avant(?= \d{4})|antes de(?= \d{4})"
         r"|de antes de(?= \d{4})", "before"),
        (r"(?:seit|ab)(?= \d{4})|depuis(?= \d{4})|desde(?= \d{4})", "since"),
        (r"nach(?= \d{4})|après(?= \d{4})|después de(?= \d{4})", "after"),
        (r"(?:papers?|arbeiten|artikeln?|studien|veröffentlichungen|articles|papiers|travaux|études"
         r"|publications|artículos|trabajos|estudios|publicaciones)", "papers"),
        (r"über|zum?r?|zur|sur(?: (?:les?|la))?|sobre(?: (?:los|las|el|la))?", "on"),
        (r"(?:von|par|por|de)(?= [A-ZÀ-Þ])", "by"),
    )
)  # fmt: skip
_OF_WHOM = re.compile(r"\bd'(?=[A-ZÀ-Þ])")
_LONELY = re.compile(r"(?:sind )?(?:mir )?lieber$|nicht$", re.I)


def in_english(clause: str) -> str:
    """The clause with its frame in English, where it begins like a wish; else as it is."""
    for head, english in _HEADS:
        if found := head.match(clause):
            body = _OF_WHOM.sub("by ", clause[found.end() :])
            for words, meaning in _WORDS:
                body = words.sub(meaning, body)
            return f"{english}{_LONELY.sub('', body)}".strip()
    return clause
