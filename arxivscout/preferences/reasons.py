"""How a person says why, behind what they say: "because …", ", which …", "visto che …"."""

from __future__ import annotations

import re

_WHO = r"(?:i|it|they|we|he|she|this|that|these|those|there|my|our|its|their|you)(?:'\w+)?"
_NOW = (
    r"(?:is|are|has|have|isn't|aren't|hasn't|haven't|can|can't|cannot|does|doesn't|don't|do|won't"
    r"|will|never|always|gives?|makes?|lets?|takes?|works?|runs?|needs?|keeps?|supports?|offers?"
    r"|helps?|costs?|saves?|feels?|seems?|looks?|fails?|scales?|allows?|handles?|compiles?|crashes"
    r"|hates?|likes?|wants?|says|converges?|overfits?|avoids?|breaks?|lacks?|requires?|requires)\b"
)
# Behind "since" and "as" a time or a role may stand, and no reason.
_A_CLAUSE = rf"(?:{_WHO} |(?=(?:[\w'-]+ ){{1,5}}?{_NOW}))"
_A_TIME = (
    r"(?:i|we) (?:was|were|started|began|joined|moved|finished|graduated|left|met|came|arrived)\b"
)
_BECAUSE = (
    r"because(?: of)?|due to(?! be\b)|owing to|thanks to|on account of|in view of|in light of"
    r"|on the grounds that|given that|seeing (?:that|as)|considering that|now that|so that"
    rf"|since(?! {_A_TIME})(?= {_A_CLAUSE})|as(?= (?:i|it|they|we|he|she)(?:'\w+)? )"
    r"|perch[eé]|poich[eé]|visto che|dato che|siccome|giacch[eé]|in quanto|a causa d\w+'?"
    r"|per via d\w+'?|grazie a\w*'?|così che|cosicché|affinch[eé]|in modo che"
    r"|weil|zumal|sodass|so dass|wegen|aufgrund"
    r"|parce qu(?:e\b|')|puisqu(?:e\b|')|vu qu(?:e\b|')|étant donné qu(?:e\b|')|à cause d\w*'?"
    r"|grâce (?:à|aux?)|en raison d\w*'?|pour qu(?:e\b|')|afin qu(?:e\b|')"
    r"|porque|ya que|puesto que|dado que|debido al?|a causa del?|gracias al?"
)
# Only behind a comma: what goes before it would else go on.
_BEHIND_A_COMMA = (
    rf"as(?= {_A_CLAUSE})|for(?= (?:it|they|i|we|he|she)\b)"
    r"|da(?= (?:es|ich|sie|er|wir|das|die|der|mir|mein\w*|unser\w*)\b)|denn|damit"
    r"|car(?= (?:il|elle|je|j'|on|c'|ça|les?|la|mes|mon|ma|nous)\b)|come(?= (?:è|sono)\b)"
)
REASON = re.compile(
    rf"(?:\s*,?\s*\b(?:{_BECAUSE})|\s*,\s*(?:{_BEHIND_A_COMMA}))(?:\s+|(?<='))(.+)$", re.I | re.S
)
# "I use JAX now, which compiles faster."
RELATIVE = re.compile(
    r"\s*,\s*(?P<which>which|il quale|la quale|che|was|ce qui|qui|lo que|lo cual|que)"
    r" (?P<told>.+)$",
    re.I | re.S,
)
_ARE = re.compile(r"(?:are|were|have|don't|do|aren't|weren't|haven't)\b", re.I)
# "which my group pays for": of what is meant something else is told.
_OF_ANOTHER = re.compile(
    r"(?:i|you|he|she|it|we|they|my|our|his|her|its|their|the|an?|most|many|some|all|everyone|io"
    r"|noi|il|la"
    r"|ich|wir|mein\w*|je|nous|mon|ma|yo|mi)\b|(?-i:[A-Z])",
    re.I,
)


def as_a_clause(which: str, told: str) -> str:
    """What a relative clause tells, by itself ("it compiles faster"); "" if that is no clause."""
    if _OF_ANOTHER.match(told):
        return ""
    if which.casefold() != "which":
        return told
    return f"{'they' if _ARE.match(told) else 'it'} {told}"


_FRONTED = re.compile(
    r"\W*(?:(?:and|but|so|well|e|ma|und|aber|et|mais|y|pero)\s+)?(?:because(?! of)|since"
    rf"(?! {_A_TIME})(?= {_A_CLAUSE})|as(?= (?:i|it|they|we|he|she|my|our)\b)|given that|seeing"
    r" (?:that|as)|considering that|now that|due to|because of|owing to|thanks to"
    r"|perch[eé]|poich[eé]|visto che|dato che|siccome|giacch[eé]|a causa d\w+'?"
    r"|weil|da(?= (?:es|ich|sie|er|wir|das|mein\w*|unser\w*)\b)|wegen|comme(?= (?:je|il|elle|mon|ma"
    r"|les?)\b)|puisqu(?:e\b|')|vu qu(?:e\b|')|étant donné qu(?:e\b|')|como(?= \w+ \w+)|ya que"
    r"|puesto que|dado que)\s+(?P<why>[^,]{2,160}?)\s*,\s*(?P<rest>\S.*)$",
    re.I | re.S,
)
# Behind a reason, what no longer belongs to it: "…, and I prefer short answers".
_GOES_ON = re.compile(
    r"(?P<comma>\s*,)?\s+(?:and|but|e|ed|ma|und|aber|et|mais|y|pero) (?:also |now )?(?=(?:i|i'm"
    r"|i've"
    r"|we|we're|we've|my|our|please|io|il mio|la mia|uso|lavoro|preferisco|ich|wir|meine?|je|j'|mon"
    r"|ma|nous|mi|uso|trabajo|prefiero)(?![\w]))",
    re.I,
)
# Behind a wish, what went badly is why, though nothing says "because": "…; I burned two years on
# it", "…: the last project went nowhere".
_BADLY = re.compile(
    r"\s*[,;:–—]\s*(?P<why>(?:(?:i|we)(?:'ve| have)?|it|they|that|this"
    r"|(?:my|our|the) (?:[\w-]+ ){1,6}?) ?(?:once )?(?:burn(?:ed|t)|wast(?:ed|es)|lost|led nowhere"
    r"|went (?:badly|wrong|nowhere|bad)"
    r"|(?:has |have |had )?failed|fell through|flopped|never (?:worked|helped|paid off)"
    r"|(?:did not|didn't|doesn't|don't) (?:work|help|pay off|hold up|replicate|reproduce)"
    r"|(?:was|were|is|are|turned out(?: to be)?) (?:an? |such an? |too |so |always |mostly |all )*"
    r"(?:disaster|waste|failure|nightmare|dead end|mess|letdown|disappointment|useless|unreliable"
    r"|shallow|speculative|misleading|wrong|slow|expensive|hype)"
    r"|bores? me|cost (?:me|us)|spent \w+ (?:\w+ )?on (?:it|them|that) (?:for nothing|in vain))\b.*"
    r"|(?:(?:il|la|l'|i|le|gli)(?: ?[\w-]+ ){1,5}?)(?:è|sono|era)"
    r" (?:andat\w|fallit\w|stat\w un)\b.*"
    r"|(?:ci |vi )?(?:ho|abbiamo) (?:perso|sprecato|buttato)\b.*)$",
    re.I | re.S,
)


def told_by_what_went_badly(body: str) -> tuple[str, str]:
    """What a sentence of a wish says, and behind it what went badly, which is why; or ""."""
    found = _BADLY.search(body)
    if found is None or not body[: found.start()].strip():
        return body, ""
    return body[: found.start()], found["why"].strip()


_OF_THEMSELVES = re.compile(r"(?:i|we|my|our|io|ho|ich|wir|je|j'|nous|yo)(?![^\W'])", re.I)


def parted(body: str) -> tuple[str, str, str]:
    """What a sentence says, why, and what it goes on to say; the last two may be ""."""
    if fronted := _FRONTED.match(body):
        return fronted["rest"], fronted["why"].strip(), ""
    found = REASON.search(body)
    if found is None or not body[: found.start()].strip():
        return body, "", ""
    return body[: found.start()], *gone_on(found[1].strip())


def gone_on(behind: str) -> tuple[str, str]:
    """What stands behind "because" or "which", and what a sentence goes on to say after that."""
    more = _GOES_ON.search(behind)
    if more and (more["comma"] or not _OF_THEMSELVES.match(behind)):
        return behind[: more.start()].strip(), behind[more.end() :]
    return behind, ""
