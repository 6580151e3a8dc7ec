"""How remarks are spelled: short forms written out, and several words that are one as one word."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"[^\W_]+")
_SPELLED = (
    (r"[’`´]", "'"),
    (r"\bcan't\b", "can not"),
    (r"\bwon't\b", "will not"),
    (r"n't\b", " not"),
    (r"\b(?:do|did|is|was|does|are)nt\b", "not"),
    (r"'re\b", " are"),
    (r"'m\b", " am"),
    (r"'ve\b", " have"),
    (r"'ll\b", " will"),
    (r"'d\b", " would"),
    (r"\b(\w+)'s\b", r"\1 is"),
    (r"\bpiu\b'?", "più"),
    (r"\bgia\b'?", "già"),
    (r"(?<!\w)e'(?!\w)", "è"),
    (r"'", " "),
)
# Several words that are one, written as one before a clause is cut into words.
_PHRASES = {
    "failed": r"wrong end of the stick|other way (?:a?round)|il contrario|(?:only|just) half"
    r"|contradict(?:s|ed)? (?:itself|what|the)|off topic|off the mark|wide of the mark"
    r"|beside the point|way off|far off"
    r"|not even close|fuori (?:tema|strada|luogo)|could (?:be|have been) better|(?:can|could) do"
    r" better|puoi fare di meglio|potrebbe essere meglio|not (?:good|helpful|useful|relevant)"
    r" enough|made (?:that|it|this) up|mixed (?:that|it|them) up|(?:have|has|had|having) nothing to"
    r" do|non (?:c )?entra(?:no|va|vano)?(?: (?:niente|nulla))?|non (?:ha|hanno|aveva) (?:niente"
    r"|nulla) a che (?:fare|vedere)|(?:not|non) (?:make|makes|made|ha|avere) (?:any "
    r"|alcun )?sens[eo]"
    r"|(?:makes|made) no sense|miss(?:ed|ing|es)? (?:the|my) (?:point|question)|hai capito male",
    "wanted": r"(?:was|am|were|are) (?:looking|searching|asking|hoping|talking)(?: for| about)?"
    r"|(?:was|am) after|had in mind|stavo cercando|ho in mente|avevo in mente",
    "totheend": r"(?:straight )?to the point|al sodo|(?:vai|arriva) al punto|taglia corto"
    r"|in a nutshell|in (?:poche|due) parole|in breve|in sintesi|in short|in brief|tl dr"
    r"|cut (?:it|that|this|them) (?:down|short)",
    "wallsoftext": r"(?:a )?lot of text|(?:stop )?(?:writing|write) novels|walls? of text"
    r"|beat(?:ing)? around the bush|(?:no need for|need not"
    r"|why) such a long"
    r" \w+",
    "indepth": r"in depth|more depth|(?:go|dig) deeper|in (?:more |greater |full )?detail"
    r"|più a fondo"
    r"|nel dettaglio|spiega(?:ti|mi|lo)? meglio|explain better",
    "inplainwords": r"in (?:layman s|layman|laymans|layman is|lay) terms|like i am (?:five|5)"
    r"|eli ?5|dumb (?:it|that) down|(?:is )?(?:way )?over my head|in parole povere"
    r"|come a un bambino",
    "inbullets": r"bullet(?:ed)? ?(?:points?|lists?|form)|(?:in |come )?(?:un )?elenc(?:o"
    r"|hi) puntat[oi]|per punti"
    r"|(?:as|into|like) an? list|come (?:un )?elenco|in (?:un )?elenco",
    "inprose": r"(?:full|complete|whole|proper) sentences|running text|in paragraphs"
    r"|testo continuo|frasi intere",
    "spoton": r"spot on|well done|(?:good|nice|great) (?:job|work)|bang on|nailed it|ben fatto"
    r"|(?:buon|ottimo) lavoro|proprio così|hai ragione|you (?:are|were) right"
    r"|(?:makes|made) (?:perfect |good )?sense|ha senso",
    "oldnews": r"old news|nothing new|niente di nuovo|nulla di nuovo|qualcosa di nuovo"
    r"|something (?:new|i do not know(?: yet| already)?)|qualcosa che non so",
    "unclear": r"not (?:very |really |quite |at all )?clear|non (?:è |era )?(?:molto )?chiar[oa]",
    "wheretofind": r"where (?:is|are)|dove sono|dov è",
}

SPELLED = tuple((re.compile(pattern), plain) for pattern, plain in _SPELLED)
PHRASES = tuple(
    (name, re.compile(rf"(?<!\w)(?:{words})(?!\w)")) for name, words in _PHRASES.items()
)


def spelled_out(clause: str) -> list[str]:
    """The words of a clause in small letters, phrases as one word."""
    text = " ".join(clause.lower().replace("-", " ").split())
    for pattern, plain in SPELLED:
        text = pattern.sub(plain, text)
    text = " ".join(_TOKEN.findall(text))
    for name, phrase in PHRASES:
        text = phrase.sub(name, text)
    return text.split()
