"""How a question is asked, apart from what it asks: "could you please show me papers on …".

English, as the embedder is; what is said in another language is left as it is.
"""

from __future__ import annotations

import re

_PAPERS = r"(?:papers?|articles?|works?|literature|research|studies|publications|preprints)"
_AGE = r"(?:recent|new|newer|newest|latest|early|earlier|old|older|oldest|all|some|many)"
_ABOUT = (
    r"(?:(?:(?:that|which) )?(?:are |is )?(?:about|on|regarding|concerning)"
    r"|dealing with|(?:that|which) deals? with|(?:that|which) (?:study|studies|discuss(?:es)?))"
)
# "Search" and "list" name things too: a search for supersymmetry, list decoding.
_OPENINGS = (
    r"(?:hi|hello|hey|please|ok|okay)\b[\s,!.:]*",
    r"(?:can|could|would|will) you (?:please |kindly )?"
    r"(?=(?:tell|show|give|find|list|search|explain|summari[sz]e)\b)",
    r"i(?:'d| would) (?:like|love) to (?:know|see|read|find)(?: about)?[\s:,]+",
    r"i (?:want|need) to (?:know|see|read|find)(?: about)?[\s:,]+",
    r"i wonder[\s:,]+",
    r"i(?:'m| am) (?:looking for|interested in) ",
    rf"i need (?={_PAPERS}\b)",
    r"do you know ",
    r"let me (?:see|know)(?: about)? ",
    r"(?:tell|show|give|find|get) (?:me|us)(?: about)?[\s,:]+",
    rf"(?:find|list|show|give|search for)(?: the| any)? (?=(?:{_AGE} )?{_PAPERS}\b)",
    r"list (?=evidence\b)",
    r"explain (?=(?:how|why|what|the)\b)",
    r"is it known (?:whether|that|if) ",
    r"what (?:is|are) known (?:about|on|of) ",
    r"what do (?:we|you) know (?:about|of) ",
    r"what (?:has|have) been (?:written|published|said) (?:about|on) ",
    r"what can you tell me about ",
    rf"what (?:does|do) (?:the )?{_PAPERS} say about ",
    r"what (?:is|are|was|were) (?=(?:the|an?)\b)",
    r"(?:is|are) there (?:any |an? )?",
    rf"(?:which|what) {_PAPERS} (?:study|discuss|address|are about|deal with|are on) ",
    rf"(?:any |the )*{_PAPERS} {_ABOUT} ",
)
_BEFORE = re.compile(rf"(?:{'|'.join(_OPENINGS)})(?=\S)", re.IGNORECASE)
_OF_AN_AGE = re.compile(
    rf"(?:the )?(?P<age>{_AGE}(?: {_AGE})?) {_PAPERS} {_ABOUT} (?=\S)", re.IGNORECASE
)
_BEHIND = re.compile(
    r"(?:[\s,.;:!?]+(?:please|thanks|thank you(?: very much)?|for me)|\s(?:papers|articles))"
    r"[\s.!?]*$",
    re.IGNORECASE,
)
MOST = 8  # frames around one question; who writes more gets one more search


def unframed(question: str) -> str:
    """What is asked, without how; the question itself if nothing else is in it."""
    left = question.strip()
    for _ in range(MOST):
        shorter = left
        if opening := _BEFORE.match(left):
            shorter = left[opening.end() :]
        elif opening := _OF_AN_AGE.match(left):
            # early papers on galaxies are not papers on early galaxies
            shorter = f"{opening['age']} papers on {left[opening.end() :]}"
        elif ending := _BEHIND.search(left):
            shorter = left[: ending.start()]
        if shorter == left or not re.search(r"\w", shorter):
            break
        left = shorter
    return left
