"""The small words by which a message is read, in English, Italian, German, French and Spanish."""

from __future__ import annotations

import re

# Who a clause is about, where a new one may begin.
SUBJECT = (
    r"i|i'm|i've|i'll|i'd|we|we're|we've|we'll|my|our|let's|he|she|they|you|please|tell|show|find"
    r"|io|noi|sono|lavoro|uso|il mio|la mia|ho|abbiamo|ich|wir|mein|meine|unser|unsere|je|j'\w+"
    r"|nous|mon|ma|notre|yo|nosotros|mi|nuestro|nuestra|trabajo|uso|utilizo|soy|hemos"
)
QUESTION = (
    r"what|which|who|whom|whose|why|how|when|where|is|are|was|were|do|does|did|should|shall|would"
    r"|could|can|will|has|have|had|am|qual[ei]?|quali|perch[eé]|come|chi|quando|dove|cosa|che cosa"
    r"|welche[rs]?|wie|wer|warum|wann|wo|weshalb|quel|quelle|quels|quelles|comment|qui|pourquoi"
    r"|quand|où|est-ce|qu'est-ce|qué|cuál|cuáles|cómo|quién|cuándo|dónde|por qué"
)
HYPOTHESIS = re.compile(
    r"(?:even )?(?:if|suppose|supposing|imagine|assume|assuming|let's (?:say|assume|suppose|pretend"
    r"|imagine)|say (?:that|i)\b|unless|pretend|what if|had (?:i|we)|were (?:i|we)|in case"
    r"|hypothetically|for the sake of argument|as if|as though|se|supponi\w*|immagina\w*|ammesso"
    r"|qualora|falls|wenn|angenommen|nehmen wir an|supposons|imaginons|admettons|supongamos|imagina"
    r"|si (?=j'|je|nous|yo|on|trabaj|us))(?![\w'])",
    re.I,
)
# What follows is what others say or want.
REPORT = re.compile(
    r"(?:he|she|they|one|people|everyone|everybody|someone|somebody|authors?|the authors?"
    r"|according to|(?:my|our|the|a|an|his|her|some|most|many) (?:[\w-]+ ){1,3}?(?:says?|said"
    r"|thinks?|thought|claims?|claimed|wants?|believes?|told|asked|suggests?|insists?|writes?|wrote"
    r"|argues?|recommends?)\b|(?:i|we) (?:said|told|asked|was told|never said|(?:wrote|read"
    r"|heard)(?= (?:that|somewhere|in\b|from\b|it\b)))\b"
    r"|[A-Z][\w.-]+ (?:says?|said|thinks?|claims?|wrote|writes|told|argues?)\b|lui|lei|loro|secondo"
    r"|er|sie|man|laut|il(?! (?:mio|nostro)\b)|elle|ils|elles|selon|él|ella|ellos|según)(?![\w'])",
    re.I,
)
# Thought of, wished or asked for: not stated. "May" may be a month.
MAYBE = re.compile(
    r"\b(?:might|could|would|should|maybe|perhaps|possibly|probably|presumably|supposedly|(?:i|we"
    r"|it|this|that|they|he|she|you) may|(?:i|we) (?:think|guess|suppose|believe|assume|hope|wish"
    r"|thought|imagine|bet|dream|want (?:you|to know|to see|to ask|to read)"
    r"|used to (?:think|believe|hope|dream|wish|prefer|like|love))|thinking (?:of"
    r"|about)|considering|i'd|we'd|wondering (?:about|if you)|not sure (?:what you)|forse|magari"
    r"|potrei|potremmo|vorrei|penso|credo|probabilmente|vielleicht|könnte\w*|würde\w*"
    r"|wahrscheinlich|möchte\w*|peut-être|pourrai\w*|voudrai\w*|je pense|je crois|quizás?|tal vez"
    r"|podría\w*|quisiera|creo|pienso|probablemente)\b",
    re.I,
)
# An opinion is the person's own, though what it says may not be so; "I think I use JAX" is none.
OPINION = re.compile(
    r"(?:i|we)(?: (?:still|now|personally|really|\w+ly))* (?:think|believe|suspect|doubt|assume)"
    r"(?: that)? (?!(?:i|we|you|it|that|this|so|they|he|she|there|those|these|my|our|your)\b)"
    r"(?=(?:[\w'’.-]+ ){1,12}?(?:is|are|was|were|isn't|aren't|has|have|had|can|cannot|can't|will"
    r"|won't|does|do|doesn't|don't|\w{3,}(?:s|ed)) )[^?]+",
    re.I,
)
# A condition makes of a statement a rule for one case.
CONDITION = re.compile(
    r"\b(?:if|unless|whenever|in case|as long as|only when|falls|wenn|se|si (?:je|j'|yo)|qualora"
    r"|for (?:this|the next) (?:question|answer|one)|just this once|this time)\b",
    re.I,
)
# Asked for behind what is told: "…, and want to know what is new", "…, so give me …".
WISHED = re.compile(
    r"\s*(?:,|\b(?:and|but|so))\s+(?:(?:i|we)(?:'m|'re|'d| am| are| would)? |now )*(?:need|want"
    r" (?:to (?:know|see"
    r"|read|find|learn|understand)|papers|a paper|some)|would like|like to (?:know|see|read|find"
    r"|learn)"
    r"|look(?:ing)? for|search(?:ing)? for|wonder(?:ing)?)\b.*$"
    r"|\s*,?\s+so (?:please|give|show|find|tell|search|recommend|suggest|keep|(?:[^,]{1,40})"
    r" please)\b.*$",
    re.I | re.S,
)
