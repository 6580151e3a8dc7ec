"""What small words of five languages do to a statement: deny it, hedge it, end what was so."""

from __future__ import annotations

import re

REASON = re.compile(
    r",?\s+(?:because|perch[eé]|poich[eé]|weil|da ja|parce que|car|porque|as the last)\b.*$",
    re.I | re.S,
)
FRONTED = re.compile(
    r"^(?P<front>(?:on|in|with|for|at|under|with few|from)\s[^,]{2,40}),\s+(?P<rest>.+)$",
    re.I | re.S,
)
PAPER = re.compile(
    r"(?:arxiv\s*:\s*|https?://\S*arxiv\.org/\w+/)?(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?",
    re.I,
)
# What somebody says before they say it: no denial of what follows.
AT_FIRST = re.compile(
    r"^(?:(?:no|nope|nein|actually|wait|sorry|correction|yes|ok|okay|well|oh|ah|hm+|scusa)\s*[,:;!.–—]+\s*)+",
    re.I,
)
CONTRACTED = (
    (re.compile(r"\bnon (\w+) pi[uù]\b", re.I), r"non \1"),
    (re.compile(r"\bn(?:e\s|['’])\s*(\w+) (?:plus|pas|jamais)\b", re.I), r"pas \1"),
    (re.compile(r"\b(can)(?:no|['’])t\b", re.I), "can not"),
    (re.compile(r"\bwon['’]t\b", re.I), "will not"),
    (re.compile(r"n['’]t\b", re.I), " not"),
    (re.compile(r"\bcannot\b", re.I), "can not"),
    (re.compile(r"(?<=\w)['’](?:m|re|ve|ll|d|s)\b", re.I), " "),
    (re.compile(r"\b(?:l|d|j|n|qu|dell|nell|all|sull|un|c)['’](?=\w)", re.I), " "),
)  # fmt: skip
TOKEN = re.compile(r"[^\W_]+(?:[+#]+|(?:[-.'][^\W_]+)*)")
NOT = frozenset(
    """not no never none without nor neither non senza niente mai nessun nessuna nicht kein
    keine keinen keinem keiner ohne nie sans jamais pas sin nunca ningun ninguna unable""".split()
)
NOT_PHRASES = (
    ("no", "longer"), ("fails", "to"), ("fail", "to"), ("failed", "to"), ("stopped",), ("stop",),
    ("not", "true"), ("non", "piu"), ("nicht", "mehr"), ("ya", "no"), ("no", "more"),
)  # fmt: skip
STOP = frozenset(
    """a an the this that these those it its i me my mine we us our ours you your he she they
    them their his her who whose of in on at by for from to into with and or as is are am
    was were be been being do does did doing have has had having will would shall should can
    could there here then so but if than what how when where while that's any anymore more
    most much yet up out about over across under between both each other another own too
    only all every now instead anything again per self selbst et e ed o od und oder y ou il
    lo la i gli le un una uno di del dello della dei degli delle da dal dalla in nel nella
    nei nelle su sul sulla sui sulle con per tra fra che chi si ci vi ne al alla alle ai ho
    sono der die das den dem des ein eine einen einer eines zu zum zur im am an auf mit von
    vom fur bei aus uber les des du de au aux ce cet cette ces est dans sur pour avec par
    que qui se sont el los las unos unas lo en con para por es del al su sus mas mi mio mia
    miei mie mein meine meinen meiner meinem ich wir io noi je nous yo nosotros mon ma mes
    unser unsere notre nos nuestro nuestra nostro nostra plus mehr piu sich wird werden
    wurde worden""".split()
)
SOME = frozenset(
    "some few several many may might could perhaps maybe possibly sometimes often rarely".split()
)
NOT_ALL = re.compile(
    r"\b(?:not (?:all|every\w*)|non tutt[ei]|nicht all?e|pas tous|no tod[oa]s)\b", re.I
)
MORE = frozenset("more most piu plus mas mehr".split())
LESS = frozenset("less least meno moins menos weniger".split())
PASSIVE = re.compile(
    r"\b(?:is|are|was|were|been|be|being|gets?)\s+(?:\w+\s+)?(?P<verb>\w+(?:ed|en|own)|outperformed|beaten|led"
    r"|shown|found|done|driven)\s+by\b", re.I
)  # fmt: skip
THAN = re.compile(
    r"\b(?:than|outperform\w*|beats?|exceeds?|surpass\w*|che|als|que|prefer\w*[^.]*\b(?:to|over|instead|agli|ai|alla|alle|al|aux))\b",
    re.I,
)
TOGETHER = re.compile(r"\b(?:and|with|e|und|et|y|con|mit|avec|both)\b", re.I)
PAST = re.compile(
    r"\b(?:was|were|had|did|took|went|ran|came|gave|wrote|read|met|tried|trained|finetuned|fine-tuned"
    r"|tested|presented|reviewed|introduced|studied|started|finished|visited|attended)\b", re.I
)  # fmt: skip
NOW = re.compile(
    r"\b(?:now|from now on|anymore|any more|as of|nowadays|these days|instead|changed|ora|adesso"
    r"|d'ora in poi|jetzt|ab jetzt|maintenant|ahora|desormais)\b", re.I
)  # fmt: skip
GONE = re.compile(
    r"\b(?:instead of|rather than|no longer|not anymore|invece (?:che|di)|anziche|statt"
    r"|anstatt|au lieu de|en vez de"
    r"|(?:moved?|switch(?:ed)?|changed?|migrated?|went) (?:\w+ ){0,4}?from"
    r"|replaced?(?: the)?)\s+(?P<gone>[^,.;]+?)"
    r"(?=\s+(?:to|with|by|and|now|a|in)\b|[,.;]|$)", re.I
)  # fmt: skip
# "I use JAX, not NumPy": what is named last is no longer so, or never was.
BUT_NOT = re.compile(
    r",\s+(?:and )?not (?!(?:only|just|because|for|in|on|at|by|to|from|with|when|if|as|all|every"
    r"|even|yet|so|that|more|less|very)\b)(?P<gone>[^\s,.;]+(?:\s+[^\s,.;]+){0,2})\s*[.!]*$", re.I
)  # fmt: skip
PERSON = re.compile(r"\b(?:i|we)\b", re.I)
ARTICLE = re.compile(
    r"^(?:the|an?|my|our|il|lo|la|i|gli|le|der|die|das|den|dem|les?|une?|el|los|las)\s+(?=\S)", re.I
)
