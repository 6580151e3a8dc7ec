"""How authors say that a thing is contradicted, challenged, in tension or debated.

Tuned on the sentences of 25,000 abstracts. What they reduce (a discrepancy between training and
test), pull (a string under tension) or let agents do (debate) is no dispute among researchers.
"""

from __future__ import annotations

# ruff: noqa: E501 (a line is a pattern)
from arxivscout.research.cues import cues

_WORDS = {
    "claims": r"""findings? results? claims? beliefs? believed stud(?:y|ies) reports? reported
        wisdom views? notions? ideas? assumptions? assumed expectations? expected predictions?
        predicted conclusions? suggestions? suggested hypothes[ie]s thought interpretations?
        paradigms? understanding measurements? data observations? theor(?:y|ies) models? doubts?
        picture explanations? literature estimates? analys[ie]s intuitions? observed scenarios?
        experiments? narratives? arguments? conjectures? perceptions?""",
    # What is challenged, when it is no task: "challenge models of", not "challenging scenes".
    "held": r"""findings claims? beliefs? wisdom views? notions? ideas? assumptions?
        expectations? predictions? hypothes[ie]s interpretations? paradigms? understanding_of
        theor(?:y|ies) models_of models(?=[,.;]) models_that picture explanations? intuitions?
        narratives? consensus status_quo conjectures? dogma cosmolog(?:y|ies)(?=[,.;]) necessity
        existence""",
    "evidence": r"""results? evidence reports? claims? findings? conclusions? measurements? values?
        interpretations? views? predictions? observations? estimates? answers? theor\w+
        explanations? opinions? pictures? accounts? experiments?""",
    "measured": r"""measure\w* data observ\w* values? constrain\w* determin\w* CMB Planck DESI SH0ES
        BAO supernova\w* inferred predict\w* theor\w* estimates? surveys? sigma σ standard_model
        Lambda Λ\w* cosmic_microwave local_universe early-?_?universe ΛCDM LCDM LambdaCDM""",
    "sigma": r"""\$?\\?sigma\$? \$?σ\$? """,
    "the": "the a an our all what some several both its",
    "strongly": r"""much widely still been highly heavily long intensely actively hotly often are is
        was remains? remained currently also strongly fiercely""",
    "ongoing": r"""ongoing intense considerable longstanding long-standing heated recent active
        vigorous current open great continuing lively""",
    "gap": r"""discrepanc(?:y|ies) disagreements? inconsistenc(?:y|ies) contradictions?""",
    "seen": r"""there_(?:is|are|remains?|exists?) shows? finds? found reveal\w* uncover\w*
        significant large persistent apparent known substantial serious longstanding long-standing
        strong""",
    "resolves": r"""reduc minimi[sz] alleviat resol eas(?=e|ing) reliev mitigat remov eliminat
        reconcil relax solv bridg address avoid lessen diminish correct cur(?=e|ing) soften
        quantif measur(?=e|ing) detect account explain mediat""",
    "unlike": r"""conflicting contradictory contradicting inconclusive discordant irreconcilable""",
}

DISPUTED = cues(
    _WORDS,
    said=r"""
\bcontrovers(?:y|ies)\b|\b(?:is|are|been|remains?|was|were|still|highly|very) (?:\w+ )?controversial\b
\b<strongly> (?:\w+ )?(?:debated|disputed|contested)\b
\b(?:matter|subject|topic|object|point|area) of (?:\w+ ){0,2}(?:debate|controversy|dispute|contention)\b
\b(?:under|<ongoing>|open to|still up for) (?:\w+ )?debates?\b
\b(?:no|lacks?|lack of|lacking|without|little|far from) (?:an? |any )?(?:\w+ )?consensus\b
\b<unlike> (?:\w+ )?<evidence>\b
\bcontrary to (?:<the> )*(?:[\w-]+ ){0,3}?<claims>\b
\b(?:contradict|challeng|overturn|refut|disprov|invalidat|falsif)\w* (?:<the> )*(?:\w+ )?conjecture
\b(?:contradict|refut|disprov|invalidat|overturn|falsif)(?:s|es|ed|ing|e|y|ies|ied)? (?:[\w-]+ ){0,5}?<claims>\b
\b(?:contradiction|disagreement|conflict) (?:with|to) (?:[\w-]+ ){0,5}?<claims>\b
\bdisagree(?:s|ing)? (?:\w+ )?with (?:[\w-]+ ){0,5}?<claims>\b
\b(?:is|are|stands?|seems?|appears?|which is|,) (?:\w+ )?at odds with\b
\b(?:incompatible|inconsistent|irreconcilable) with (?:[\w-]+ ){0,5}?<claims>\b
(?<!pose )(?<!poses )\bchalleng(?:es?|ed|ing) (?:the|our|this|that|a|an|some|several|both|existing|current|previous|prior|earlier|conventional|traditional|standard|prevailing|common|commonly|widely|long-\w+|established|early|theoretical|many|simple|classical) (?:(?!(?:in|of|for|to|is|are|and|because|than|with|when|by|on|at)\b)[\w-]+ ){0,4}?<held>(?!\w)
\bcall(?:s|ed|ing)? (?:[\w-]+ ){0,7}?into question\b|\binto question (?:the|whether|our|some|this)\b
\bcast(?:s|ing)? (?:\w+ )?doubts?\b|\braise[sd]? (?:\w+ )?doubts?\b
\bquestion(?:s|ing)? the (?:validity|existence|reliability|claim|view|notion|assumption|idea|common|widely|conventional)
(?<![\d.])[2-9](?:\.\d)?\s*-?\s*<sigma>\s*(?:\w+ )?(?:tension|discrepanc|disagreement)
\btensions? (?:between|with|among|in)\b(?=.*\b<measured>)(?=.*\b(?:<sigma>|CMB|Planck|observ\w*|measure\w*|data|prediction\w*|survey\w*|LambdaCDM|H_?0|Hubble))
\b<gap> (?:[\w,]+ ){0,6}(?:persists?|remains?|known as)\b
\b(?:known as|dubbed|so-called|called|termed|persistent|long-?standing|unresolved|current) (?:the )?[\W]*(?:(?:Hubble|cosmological|H0|S8|\W+) )?tensions?\b
\b<seen> (?:\w+ ){0,3}<gap> (?:between|with|among) (?:[\w-]+ ){0,6}?(?:<measured>|<claims>)\b
\b(?:significant|severe|strong|serious|growing|statistical) (?:\w+ )?tensions?\b(?=.*\b<measured>|$)|\b(?:result\w*|leading|led|leads) (?:in|to) (?:an? )?(?:\w+ )?tension\b
\bas an? (?:\w+ )?<gap> between\b
\bcounter-?examples? to (?:\w+ ){0,3}(?:conjectures?|claims?|question|problem|hypothesis)\b
\bmixed (?:results|evidence|findings)\b
\b(?:authors|researchers|astronomers|physicists|scholars|theories) (?:\w+ )?(?:disagree|are divided)\b
""",
    turned=r"""
\b(?:no|not|without|nor|never|neither|avoid\w*|whether|any|potential|possible)(?: (?:a|any|in|significant|strong|be|been|directly|clear|apparent|relevant|to|the|longer|real|internal)){0,3} (?:contradict|inconsisten|tension|conflict|disagree|discrepanc|controvers|at odds|refute|debate|incompatible)
\b<resolves>\w* (?:[\w-]+ ){0,4}(?:discrepanc|tension|disagreement|inconsisten|contradict|conflict|controvers)
\b(?:tension|discrepanc|controvers|contradiction)\w* (?:.{0,80} )?(?:is|are|was|were|can be) (?:\w+ )?(?:<resolves>\w*)\b
\b(?:maximum|mean|kernel|domain|distribution(?:al)?|modality|temporal|semantic|luminance)[- ](?:mean )?discrepanc
\bdiscrepanc\w+ between (?:\w+ )?(?:training|train|teacher|student|predictions and labels|modalities|source)
\b(?:multi-?agent|agents?|LLMs?|models?|structured|adversarial|simulated|parliamentary|political|presidential|online|formal|human|public) debates?\b|\bdebat\w+ (?:agents?|framework|dataset|protocol|rounds?|corpus|mechanism|format|speech\w*|transcripts?|platform)
\b(?:surface|line|interfacial|membrane|string|mechanical|cell|tensile|wall|edge|cable|cortical) tension
\bby contradiction\b|\bcontroversial (?:topics?|issues?|content|posts?|statements?|questions?|text|subjects?|claims|news|arguments|discussions?)\b
\b(?:support or refute|refute or|supports? and refutes?|contradict\w+ (?:statements?|claims?|information|sentences|passages|documents|context|instructions))\b
\b(?:support|supported|entailed|entails?)(?:, | or |, or )(?:contradict|refut|conflict)
\bknowledge conflicts?\b|\b(?:detect|identif|generat|classif|check|verif)\w* (?:[\w-]+ ){0,4}(?:contradict|conflicting|refut)
\bcontrary to (?:[\w-]+ ){0,3}(?:methods|approaches|techniques)\b
\b(?:would|could|might|may|must|if) (?:\w+ )?(?:contradict|disagree|challenge)\w*\b
""",
)
