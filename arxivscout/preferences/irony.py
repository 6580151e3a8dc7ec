"""Irony: taken at its word it would be learned the wrong way round."""

from __future__ import annotations

import re

_PRAISE = (
    r"(?:great|wonderful|lovely|fantastic|brilliant|super|perfect|nice|awesome|terrific|excellent"
    r"|marvell?ous|amazing|delightful|joy|yay|hooray|hurray|congratulations|bravo|lucky me|good"
    r"|what (?:a|an) \w+|(?:che )?bello|fantastico|ottimo|meraviglioso|splendido|evviva|perfetto"
    r"|toll|na toll|prima|na super|wunderbar|herrlich|klasse|génial|formidable|chouette|parfait"
    r"|magnifique|genial|fantástico|estupendo|maravilloso|qué bien|perfecto)"
)
_ONCE_MORE = (
    r"(?:(?:yet |just )?another|one more|even more|more of|again|as if we needed|exactly what|just "
    r"what|un altro|un'altra|l'ennesim\w+|ancora|di nuovo|proprio quello|noch ein\w*|schon wieder"
    r"|wieder ein\w*|genau was|encore|toujours plus|juste ce|otr[oa]|más|justo lo que)"
)
IRONY = re.compile(
    r"\byeah,? right\b|\bas if\b|(?:^|\s)/s\b|[.,!…]\s*not!+\s*$|\bsure,? (?:because|i|we)\b"
    r"|^\W*oh,? (?:great|sure|yes|yeah|wonderful|fantastic|joy|how)\b|\bi(?:'d)? (?:just|so|totally"
    r"|really) (?:love|adore|enjoy) (?:it when|how|waiting|losing|when|debugging|being|rewriting)\b"
    r"|\bor so (?:my|our|the|his|her|they|he|she|i) (?:[\w-]+ ){0,3}?(?:says?|claims?|told)\b"
    r"|\bwhat a (?:joy|pleasure|surprise)\b|\bof course i (?:love|use|have)\b|\bbecause who "
    r"(?:doesn't|wouldn't|needs)\b|\b(?:like|as though) i (?:would|'d|care|have time)\b|\bjust "
    r"kidding\b|\b(?:kidding|joking)\b|\bthanks a lot for nothing\b|🙄|\(irony\)|\bcome no\b|\bma "
    r"certo\b|\bna klar\b|\bbien sûr\b|\bclaro que sí\b"
    rf"|^\W*(?:oh|ah|wow|well|so)?\W*{_PRAISE}\W+(?:{_ONCE_MORE})\b"
    r"|\b(?:just|exactly) what (?:i|we) (?:(?:always |really )?(?:needed|wanted|was (?:missing"
    r"|waiting"
    r" for)|have been (?:missing|waiting for)|was dreaming of))\W*$(?<!^.)"
    r"|\b(?:can't|cannot|could not|couldn't) (?:wait|get enough) (?:for|of|to (?:read|see))"
    r" (?:yet )?"
    r"another\b|\bthrilled to (?:see|read|get|find) (?:yet )?another\b|\bbecause (?:that|this|it)"
    r" (?:always |never )?(?:worked|went) so well\b|\bwho (?:doesn't|wouldn't) (?:love|want"
    r"|enjoy)\b"
    r"|\b(?:my|our) favou?rite (?:pastime|hobby|way to waste|part of the day)\b|\blucky (?:me|us)\b"
    r"|\bproprio quello che (?:mi|ci) (?:serviva|mancava)\b|\bdas hat (?:mir|uns) gerade noch"
    r" gefehlt\b|\bil ne (?:me |nous )?manquait plus que\b|\blo que me faltaba\b|\bcomme par"
    r" hasard\b",
    re.I,
)
