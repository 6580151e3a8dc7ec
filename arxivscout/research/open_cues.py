"""How authors say that a thing is open, unknown, not understood, or left for later.

Tuned on the sentences of 25,000 abstracts. What a paper solves is no longer open, and an unknown
that a method estimates is none of science.
"""

from __future__ import annotations

# ruff: noqa: E501 (a line is a pattern)
from arxivscout.research.cues import cues

_WORDS = {
    "still": r"""still largely mostly however currently nevertheless nonetheless also so_far as_yet
        yet an? the somewhat very highly quite to_date essentially entirely completely relatively
        one_of_the major important key central longstanding long-standing fundamental outstanding
        therefore thus presently now often generally""",
    "open": r"""open unclear unknown elusive unresolved unsolved unanswered mysterious enigmatic
        mystery puzzl\w+ enigma uncertain unexplained ill-understood obscure inconclusive
        undetermined unproven unproved""",
    "shown": r"""seen determined understood clarified answered established settled explained
        elucidated resolved proven confirmed verified explored investigated studied identified""",
    "work": r"""work research stud(?:y|ies) investigations? observations? data efforts? experiments?
        measurements? analys[ie]s simulations? samples? surveys? explorations? confirmation scrutiny
        attentions? clarification""",
    "more": r"""future further more additional deeper larger better longer follow-?up dedicated
        improved continued""",
    "needed": r"""needed required necessary warranted called_for desirable essential crucial
        critical""",
    "well": r"""well fully completely entirely properly thoroughly sufficiently clearly adequately
        firmly yet really""",
    "solves": r"""solv resolv answer settl clos(?=e|ing) address tackl prov(?=e|ing) confirm clarif
        attack fill overcom elucidat bridg shed illuminat investigat explor unravel""",
    "whose": r"""we this_\w+ here which thereby thus that and partially affirmatively negatively
        completely to by results? paper work""",
}

OPEN = cues(
    _WORDS,
    said=r"""
\bremain(?:s|ed|ing)?(?: <still>)* <open>\b(?! (?:with|out|at|by|in the) )
\b(?:remains?|(?:is|are) (?:still )?(?:yet )?)\s*to be (?:\w+ )?<shown>\b|\byet to be (?:\w+ )?<shown>\b
\b(?:is|are|remains?)(?: <still>)* not(?: (?:<well>|yet|at all|so|very))* (?:understood|known|clear|established|settled|explained|clarified)\b
\b(?:is|are|remains?)(?: <still>)* (?:poorly|incompletely|insufficiently|only partially|only partly|little) (?:understood|known|constrained)\b
\b(?:is|are)(?: <still>)* (?:unclear|not clear|not known|unknown (?:whether|if|how|why|what))\b
\blittle is (?:\w+ )?(?:known|understood)\b
\b(?:origin|nature|mechanism|cause|identity|reason)s?\b(?:\W+\w+){0,8}? (?:is|are)(?: <still>)* unknown\b
\b(?:open|unresolved|unsolved|unanswered|outstanding) (?:\w+ )?(?:questions?|problems?|puzzles?|mystery|mysteries)\b
\bopen (?:\w+ )?(?:issues|challenges?)\b
\b<more> (?:[\w-]+ ){0,4}?<work> (?:\w+ ){0,3}?(?:is|are|will be|would be|remains?)(?: (?:still|clearly|therefore|thus|urgently|also))* <needed>\b
\b(?:left|leave|leaves|leaving|deferred) (?:[\w-]+ ){0,6}(?:for|to|as) (?:a |an |the )?(?:future|further|subsequent|later|open)\b
\b(?:needs?|requires?|warrants?|deserves?|merits?|calls? for|demands?)(?: (?:a|much|still))* (?:further|additional|deeper|more)(?: (?:detailed|careful|thorough))? (?:\w+ )?<work>\b
\b(?:we|i) (?:\w+ )?conjecture\b
\bfuture (?:\w+ ){0,3}(?:work|research|studies|observations?|experiments?|measurements?|surveys?|missions?) (?:\w+ ){0,3}?(?:should|must|will (?:be able|help|clarify|reveal|tell|determine|need|test|shed)|needs? to)\b
\b(?:lack of|we lack|still lacks?) (?:an? )?(?:\w+ ){0,2}(?:understanding of|theoretical explanation)\b
""",
    turned=r"""
\b<whose>\s+(?:[\w-]+ ){0,3}?<solves>\w* (?:[\w-]+ ){0,7}?(?:open|unresolved|unsolved|unanswered|outstanding|longstanding|long-standing|conjecture|question|gap|issue)\b
\b<solves>(?:s|es|ed|ing|ies|e|y) (?:an?|the|two|three|several|some|this|these|those|all|both|one) (?:[\w-]+ ){0,4}(?:open|unsolved|conjecture|longstanding|long-standing)
\bopen[- ](?:source|sourced|ended|domain|world|vocabulary|set|weights?) (?:\w+ )?(?:questions?|problems?|issues|challenges?)\b
\bno longer\b|\bpreviously (?:unknown|open|unsolved)\b
\b(?:was|were|had been|has been|have been) (?:an? |the )?(?:\w+ )?(?:open|unsolved|unknown) (?:\w+ )?(?:since|for|until|problem|question)
\b(?:discuss|present|describe|prove|verify|establish)\w* (?:the |our |this )?conjectur
\bavailable (?:at|on|from)\b
\b(?:facilitat|support|foster|promot|encourag|enabl|accelerat|inspir|inform|guid|benefit|stimulat|pav)\w* (?:[\w-]+ ){0,3}(?:future|further)
\b(?:remains?|is|are) (?:\w+ )?(?:unclear|uncertain) (?:in|to) (?:the )?(?:image|text)
""",
)
