"""How answers should be: their language and their style."""

from __future__ import annotations

import re

from arxivscout.preferences.values import OPPOSITE_STYLES

_LANGUAGES = {
    "english": "English", "inglese": "English", "italian": "Italian", "italiano": "Italian",
    "french": "French", "francese": "French", "german": "German", "tedesco": "German",
    "spanish": "Spanish", "spagnolo": "Spanish", "portuguese": "Portuguese",
    "portoghese": "Portuguese", "dutch": "Dutch", "olandese": "Dutch", "russian": "Russian",
    "russo": "Russian", "chinese": "Chinese", "cinese": "Chinese", "mandarin": "Chinese",
    "japanese": "Japanese", "giapponese": "Japanese", "korean": "Korean", "coreano": "Korean",
    "arabic": "Arabic", "arabo": "Arabic", "polish": "Polish", "polacco": "Polish",
    "turkish": "Turkish", "turco": "Turkish", "greek": "Greek", "greco": "Greek",
    "swedish": "Swedish", "svedese": "Swedish", "hindi": "Hindi", "catalan": "Catalan",
    "catalano": "Catalan", "romanian": "Romanian", "rumeno": "Romanian", "czech": "Czech",
    "ukrainian": "Ukrainian", "ucraino": "Ukrainian", "persian": "Persian", "hebrew": "Hebrew",
    "danish": "Danish", "norwegian": "Norwegian", "finnish": "Finnish", "hungarian": "Hungarian",
}  # fmt: skip
_NAME = rf"(?:(?:british|american|plain|simple|good)\s+)?(?P<language>{'|'.join(_LANGUAGES)})"
ANSWERS = (
    r"(?:answers?|repl(?:y|ies)|responses?|explanations?|summaries|output|risposte?|spiegazion[ei]"
    r"|riassunti)"
)
_SMALL = (
    r"(?:\s+(?:to|with|for|me|us|back|only|always|all|your|the|everything|things|in|into|using"
    rf"|sempre|pure|con|a|le|tutto|tue|solo|più|{ANSWERS}))*"
)
_TAIL = (
    r"(?:\s+(?:please|from now on|with me|to me|for me|always|only|again|instead|when(?:ever)? you"
    r"\b.{0,40}|in future|anymore|any more|now|per favore|grazie|thanks|thank you|d'ora in poi"
    r"|con me|sempre|as well|too"
    r"|for (?:all|every)\w*(?: answers?)?))*$"
)
_SPEAK = re.compile(
    r"(?:always\s+|sempre\s+|let's\s+|you (?:should|must|can)\s+(?:always\s+)?)?"
    r"(?:answer|reply|respond|write|speak|talk|explain|communicate|continue|switch|go back|return"
    r"|use|keep|rispond\w*|scriv\w*|parl\w*|usa|usiamo|torna\w*|passa\w*|continua\w*)"
    rf"{_SMALL}\s+(?:l'|all'|al\s+|in\s+)?{_NAME}{_TAIL}",
    re.I,
)
_ANSWERS_IN = re.compile(
    rf"(?:(?:i(?:'d| would)?\s+)?(?:prefer|like|want|need|love)|preferisco|vorrei|voglio"
    rf"|preferirei)"
    rf"\s+(?:to (?:have|get|read)\s+)?(?:all\s+)?(?:your|the|le|tue|le tue)?\s*{ANSWERS}\s+"
    rf"(?:to be\s+)?(?:written\s+)?in\s+{_NAME}{_TAIL}",
    re.I,
)
_BARE = re.compile(rf"(?:(?:always|only|sempre|everything|all|tutto)\s+)*in\s+{_NAME}{_TAIL}", re.I)
_PLEASE = re.compile(rf"{_NAME}\s+(?:please|per favore)$", re.I)
# Asked in the language itself.
_OWN_NAMES = {
    "français": "French",
    "deutsch": "German",
    "español": "Spanish",
    "português": "Portuguese",
}
_OWN = re.compile(
    r"(?:réponds?|répondez|parle[zs]?|écri[sv]\w*|je préfère|antworte\w*|sprich|schreib\w*"
    r"|responde\w*"
    rf"|habla\w*|escrib\w*|fala|escreva)\b.{{0,20}}\b(?P<own>{'|'.join(_OWN_NAMES)})\b.{{0,20}}$",
    re.I,
)
_ONLY = re.compile(
    rf"i (?:only|just) (?:understand|speak|read|know)\s+{_NAME}$"
    rf"|(?:capisco|parlo|leggo|conosco) (?:solo|soltanto) (?:l'"
    rf"|il )?(?P<language2>{'|'.join(_LANGUAGES)})$",
    re.I,
)
_NOT = re.compile(r"(?:do not|don't|never|stop|no longer|non|smetti di)\s+(?P<rest>.+)$", re.I)


def find_language(clause: str, *, standing: bool) -> tuple[str, bool] | None:
    """The language a clause asks for and whether it is wanted, or None.

    A clause that is nothing but "in German" counts only in a sentence that says "from now on".
    """
    refused = _NOT.match(clause)
    if refused:
        found = _SPEAK.match(re.sub(r"ing\b", "", refused["rest"], count=1))
        return (_LANGUAGES[found["language"].lower()], False) if found else None
    if found := _OWN.match(clause):
        return _OWN_NAMES[found["own"].lower()], True
    if found := _PLEASE.match(clause):
        return _LANGUAGES[found["language"].lower()], True
    for rule in (_SPEAK, _ANSWERS_IN, _ONLY):
        if found := rule.match(clause):
            name = found["language"] or found["language2"]
            return _LANGUAGES[name.lower()], True
    if standing and (found := _BARE.match(clause)):
        return _LANGUAGES[found["language"].lower()], True
    return None


def is_language(word: str) -> bool:
    """Whether a word names a language, so that it is no author."""
    return word.lower() in _LANGUAGES


# token → (style when wanted, style when not); "wall of text" is what long looks like to its enemy.
_TOKENS = {
    "short": r"(?:one|two|three|1|2|3|a few|a couple of) (?:short )?(?:sentences?|lines?)"
    r"|(?:una|due|tre) (?:frasi?|righ[ea])|short(?:er)?|brief(?:er|ly)?"
    r"|concise(?:ly)?|succinct(?:ly)?|terse|to the point"
    r"|brev[ei]|brevemente|concis[oaei]|sintetic(?:o|a|i|he)|cort[eoai]|stringat\w+|coincis[oaie]",
    "long": r"long(?:er)?|detailed|in[- ](?:depth|detail)|thorough(?:ly)?|extensive|exhaustive"
    r"|comprehensive|walls? of text|(?:all (?:the )?|more )details|verbose|lung(?:o|a|hi|he)"
    r"|dettagliat[oaei]|approfondit[oaei]|(?:tutti i |più )dettagli|prolix",
    "bullets": r"bullet(?:ed)?(?:[- ]?(?:points?|lists?))?|bullets|lists?"
    r"|elench[io](?: puntat[io])?"
    r"|elenco puntato|punti elenco|liste|lista",
    "prose": r"paragraphs?|prose|paragrafi|prosa",
    "formulas": r"formulas?|formulae|equations?|maths?|mathematics|latex|derivations?|formule"
    r"|equazioni|matematica",
    "plain": r"(?:plain|simple|simpler|easy|layman'?s?) (?:words|terms|language|english|style)"
    r"|simpl[ye]r?|plainly|layman|laymen|(?:parole|termini) semplici|semplicemente|semplice"
    r"|(?:like|as if|as though) i(?:'m| am| were| was) .{1,40}|come (?:se fossi|a) .{1,40}",
    "technical": r"jargon|technical(?: terms| language)?|gergo|tecnicism[io]|termini tecnici",
}
_TOKEN = {style: re.compile(rf"\b(?:{words})(?!\w)", re.I) for style, words in _TOKENS.items()}
_RATHER_THAN = re.compile(
    r"\s+(?:over|than|rather than|instead of|to (?=\w+$)|che|ai|agli|alle|invece d\w+)\s*.+$", re.I
)
# These can only be said of answers.
_INHERENT = re.compile(
    rf"\b(?:bullet\w*|elench[io]|walls? of text|jargon|gergo|tecnicismi|{_TOKENS['formulas']}"
    rf"|liste|prose|paragraphs)\b",
    re.I,
)
_ABOUT_ANSWERS = re.compile(
    rf"\b{ANSWERS}\b|\bwhen(?:ever)? you (?:answer|explain|write|reply)|\bquando (?:rispond|spieg)",
    re.I,
)
_ABOUT_PAPERS = re.compile(
    r"\b(?:papers?|articles?|work|works|studies|research|abstracts?|articol[io]|lavor[io]|studi"
    r"|methods?|approach(?:es)?|theor(?:y|ies))\b",
    re.I,
)
_SPECIFIC = re.compile(
    r"\b(?:the|this|that|these|those|a|an|its|il|la|lo|questa|questo|un|una)\s+"
    r"(?:\w+\s+)?$",
    re.I,
)
_NEGATED = re.compile(
    r"\b(?:no|without|not|never|skip|senza|niente|non|zero|less|fewer|meno)\s+(?:\w+\s+)?$", re.I
)
_ORDER = re.compile(
    rf"(?:(?:always|sempre|you (?:can|could|may|should|must))\s+)?(?:"
    rf"(?:keep|make|tieni\w*|fai|mantieni\w*)\s+(?:all\s+)?(?:(?:your|the|le|tue|le tue)\s+)?"
    rf"(?:{ANSWERS}|it|them|things|everything)\b"
    rf"|(?:be|stay|sii|sia)\s+(?:as\s+|more\s+|very\s+|a bit\s+|più\s+|molto\s+|to\s+)?(?=\w)"
    rf"|(?:use|write|format|usa|utilizza|scrivi)\b(?=.{{0,20}}\b(?:bullet|paragraph|prose|list"
    rf"|elenc"
    rf"|paragraf|formul|equation|maths?\b|latex|plain|simple|jargon|short|brief|frasi|parole))"
    rf"|(?:answer|reply|respond|explain|write|rispond\w*|spieg\w*|scriv\w*)"
    rf"(?:\s+(?:to|me|it|things|everything|them|stuff|concepts|always|all|le cose|tutto"
    rf"|sempre))*\s+"
    rf"(?=\w+ly\b|in\s|with|like|as if|using|brevemente|con\s|senza\s|come\s|semplicemente)"
    rf"|give me(?=\s+(?:(?:all (?:the )?|more )details|(?:\w+\s+){{1,2}}{ANSWERS}))"
    rf"|(?:dammi|fornisci\w*)\s+(?=risposte|tutti i dettagli|spiegazioni))",
    re.I,
)
_BARE_STYLE = re.compile(
    rf"(?:(?:always|only|just|sempre|solo|più)\s+)?(?:(?:\w+\s+){{1,2}}{ANSWERS}"
    rf"|{ANSWERS}\s+(?:più\s+|molto\s+)?\w+"
    r"|bullet points?|bullets)(?:\s+(?:please|only|from now on|per favore))*$",
    re.I,
)
_ENOUGH = re.compile(
    r".{0,40}\b(?:sentences?|lines?|words|fras[ei]|righe|parole)\s+(?:are|is|will be|bastano"
    r"|sono|è)"
    r"\s*(?:enough|plenty|sufficient|sufficienti|abbastanza)?",
    re.I,
)
_AT_MOST = re.compile(
    r"(?:max\.?|maximum|at most|(?:no|not) more than|up to|(?:al )?massimo)\s+\S+\s+(?:words?"
    r"|sentences?|lines?"
    r"|paragraphs?|parole|fras[ei]|righe)\b.{0,30}$",
    re.I,
)
# A degree of something: "less maths", "don't be so verbose", "vorrei spiegazioni più dettagliate".
_LESS = re.compile(
    r"(?:less|fewer|meno|(?:do not|don't|stop|non)\s+(?:be|being|essere)\s+(?:so\s+|too\s+"
    r"|così\s+|troppo\s+)?"
    r"(?=\w+(?:\s+please)?$))\s*",
    re.I,
)
_WOULD_LIKE = re.compile(
    r"(?:i(?:'d| would) like|i want|i need|vorrei|voglio)\s+(?=.{0,30}\b(?:answers|replies"
    r"|responses|explanations|risposte|spiegazioni)\b)",
    re.I,
)
_TOO = re.compile(
    rf"(?:your|the|le tue|le)\s+{ANSWERS}\s+(?:are|were|sono)\s+(?:much |way |far "
    rf"|a bit )?(?:too|troppo)\s+",
    re.I,
)


def find_style(clause: str, *, polarity: int, body: str) -> tuple[str, ...]:
    """The styles a clause asks for, sorted; empty when it is not about how answers are.

    `polarity` and `body` come from the clause's head: +1 wanted, -1 unwanted, 0 no head.
    """
    if _ENOUGH.fullmatch(clause.strip()) or (
        _ENOUGH.match(clause) and re.search(r"\b(?:for me|per me|enough|bastano)\b", clause, re.I)
    ):
        return ("short",)
    if _AT_MOST.fullmatch(clause):
        return ("short",)
    if less := _LESS.match(clause):
        return _styles(clause[less.end() :], -1)
    if (wish := _WOULD_LIKE.match(clause)) and not _ABOUT_PAPERS.search(clause):
        return _styles(clause[wish.end() :], 1)
    if too := _TOO.match(clause):
        return _styles(clause[too.end() :], -1)
    if order := _ORDER.match(clause):
        return () if _ABOUT_PAPERS.search(clause) else _styles(clause[order.start() :], 1)
    if _BARE_STYLE.match(clause):
        return _styles(clause, 1)
    if not polarity or (_ABOUT_PAPERS.search(body) and not _ABOUT_ANSWERS.search(body)):
        return ()
    if _ABOUT_ANSWERS.search(body) or _INHERENT.search(body):
        return _styles(body, polarity)
    return ()


def _styles(text: str, polarity: int) -> tuple[str, ...]:
    text = _RATHER_THAN.sub("", text)
    wanted: set[str] = set()
    for style, token in _TOKEN.items():
        found = token.search(text)
        if not found or (
            # "the formula" is one of a paper, "the maths when you explain" is not
            _SPECIFIC.search(text[: found.start()])
            and style != "long"
            and not _ABOUT_ANSWERS.search(text)
        ):
            continue
        sign = -polarity if _NEGATED.search(text[: found.start()]) else polarity
        wanted.add(style if sign > 0 else OPPOSITE_STYLES[style])
    return tuple(sorted(wanted))
