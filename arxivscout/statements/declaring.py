"""What is said and asks for nothing: "I secretly love Fortran.", "It is raining.", "He uses JAX."

A statement of the person that no rule knows is kept as it is. What others say or want, what is
only thought of, and irony teach nothing; but they are no question either, and nothing is looked
for. Whatever may be a topic, a title or a claim to look for is none of it.
"""

from __future__ import annotations

import re

from arxivscout.preferences.irony import IRONY
from arxivscout.preferences.sentences import own_spans
from arxivscout.statements.languages import HYPOTHESIS, MAYBE, OPINION, QUESTION, WISHED
from arxivscout.statements.own_words import is_a_title, opened
from arxivscout.statements.relating import denied, joined, same
from arxivscout.statements.roles import roles
from arxivscout.statements.roles.dates import EVENT
from arxivscout.statements.saying import kind_said
from arxivscout.statements.stating import states

SHORTEST = 3  # words of a statement; "I'm" is two
_WORD = re.compile(r"\w+")
_ADVERBS = (
    r"(?: (?:\w+ly|also|just|still|now|always|never|often|sometimes|even|do|did|have|both|then"
    r"|all|too|once|already|finally|not|only|quite|rather|secretly|don't|didn't|do not))*"
)
_SUBJECT = re.compile(
    r"(?:(?:yesterday|tomorrow|tonight|recently|lately|meanwhile|these days|nowadays|(?:last"
    r"|next|this|every)"
    r" \w+|(?:in|on|since|from|until|after|before) (?:the )?[\w-]+(?: \d{4})?|(?:\w+) (?:years?"
    r"|months?|weeks?"
    r"|days?) ago|ieri|domani|gestern|morgen|hier|demain|ayer|mañana),? )?(?:(?:i|we)(?:'m|'ve"
    r"|'re|'d|'ll)?(?= \w)|i(?= \w)|(?:my|our)(?= \w+ \w)|mine is\b"
    r"|io(?= \w)|noi(?= \w)|(?:il mio|la mia|i miei|le mie)(?= \w)|(?:sono|ho|abbiamo|siamo|amo"
    r"|odio"
    r"|adoro|vivo|abito|parlo|suono|mi (?:piac\w+|chiamo|occupo|sento|trovo))(?= \w)"
    r"|(?:ich|wir)(?= \w)|(?:mein|unser)\w*(?= \w+ \w)"
    r"|(?:je|nous)(?= \w)|j'\w|(?:mon|ma|mes|notre|nos)(?= \w+ \w)"
    r"|(?-i:[A-Z][\w.'-]+(?: [A-Z][\w.'-]+){0,3}) (?:(?:is|was)(?: now)? (?:my|our) \w|(?:now "
    r"|has )?"
    r"(?:supervis|advis|mentor|manag|employ|teach|help|pay|fund|hir)\w+ (?:me|us)\b)"
    r"|(?:yo|nosotros)(?= \w)|(?:soy|tengo|tenemos|somos|vivo|odio|amo|me (?:gust\w+|llamo"
    r"|encant\w+))"
    r"(?= \w)|(?:mis?|nuestr\w+)(?= \w+ \w))",
    re.I,
)
# Wanted of the assistant, or of a search.
_WANTS = re.compile(
    rf"(?:i|we)(?:'m|'re|'d|'ve| am| are| would)?{_ADVERBS} (?:want|need|like to"
    rf" (?:know|see|read"
    r"|hear|find|learn|get|ask|understand)|love to (?:know|see|read|hear|learn)|looking|searching"
    r"|hunting|after|wonder(?:ing)?|curious|keen to|eager to|trying to (?:find|understand|learn"
    r"|figure"
    r"|see|get|recall|remember|look)|interested in (?:know|learn|find|read|see|hear)|request"
    r"|ask(?:ing)?"
    r"|require|seek(?:ing)?|demand|in (?:need|search) of)\b"
    r"|(?:cerco|cerchiamo|vorrei|voglio|ho bisogno|mi serv\w+|mi interess\w+ sapere)\b"
    r"|(?:ich|wir) (?:suche\w?|brauche\w?|möchte\w?|will|wollen|wüsste)\b"
    r"|(?:je|nous) (?:cherch\w+|voudrai\w+|veux|voulons|aimerais)\b|j'(?:aimerais|ai besoin)\b"
    r"|(?:busco|quiero|quisiera|necesito|necesitamos|me gustaría)\b",
    re.I,
)
# What papers say of themselves, in an abstract that is to be looked for.
_OF_A_PAPER = re.compile(
    rf"we{_ADVERBS} (?:propose|introduce|present|show|demonstrate|prove|derive|report|describe"
    rf"|review"
    r"|discuss|consider|find|found|observe|conclude|thank|investigate|examine|explore|develop"
    r"|provide"
    r"|argue|suggest|note|recall|define|denote|assume|let|address|obtain|compute|calculate|measure"
    r"|evaluate|extend|generali[sz]e|establish|construct|apply|perform|explain|identify|compare"
    r"|analy[sz]e|characteri[sz]e|survey|outline|aim|offer|formulate|reveal|must|know that|live"
    r" in a)\b"
    r"|our (?:results?|method|approach|model|framework|findings?|experiments?|analysis|algorithm"
    r"|theory|algorithm|proof|solution|technique|system|architecture|contributions?)\b",
    re.I,
)
# Of the moment, of the answer, or of nothing that is named.
_FLEETING = re.compile(
    rf"(?:i|we)(?:'m|'re| am| are| was| were|'ve| have|'ll| will|'d)?{_ADVERBS} (?:an? (?:bit"
    rf"|little|big fan of"
    r" (?:you|yours))|so |very )?(?:lost|confused|stuck|sorry|sure|afraid|glad|fine|ok(?:ay)?"
    r"|happy|sad|tired|busy|hungry|thirsty|excited|angry|bored|late|early|sick|annoyed|worried"
    r"|pleased"
    r"|back|here"
    r"|ready|done|unsure|aware|joking|kidding|good|well|serious|right|wrong|impressed|surprised"
    r"|disappointed|thanks?|thank|see|understand|get it|got it|get (?:an?|the|no) |got (?:an?"
    r"|the|no)"
    r" (?:error|answer|message|result)|mean|meant|said|say|told|tell|asked|agree|disagree|doubt"
    r"|read"
    r" that|heard|know|knew|forgot|forget|remember|think|thought|guess|guessed|suppose|believe|feel"
    r" (?:that|like)|bet|promise|apologi[sz]e|appreciate|come back|go on|try again|continue|no idea"
    r"|(?:have|haven't|had|hadn't) (?:not )?(?:yet )?decided|(?:did not|didn't) decide|decide"
    r"|have (?:an?|one|no|another|some|two|a few) (?:\w+ )?(?:questions?|doubts?|problems?"
    r"|ideas?|look"
    r"|feeling|hunch|request|suggestion|favou?r|issue|clue|choice|point)|(?:question|problem"
    r"|idea|clue"
    r"|doubt)s?)(?![\w'])"
    r"|(?:my|our) (?:\w+ )?(?:questions?|problem|point|guess|bad|mistake|apologies|thanks|answer"
    r"|message"
    r"|last|previous|first|second|next|other|own|understanding|impression|feeling|idea|concern"
    r"|worry"
    r"|request|query|head|mind|turn|fault|pleasure|god|goodness)\b"
    r"|non (?:so|capisco)\b|(?:ho|avrei) (?:una domanda|un dubbio)|mi (?:dispiace|scusi)",
    re.I,
)
_OF_THE_TALK = re.compile(
    r"\b(?:you|your|yours|yourself|arxivscout|the (?:answer|search|first|second|third|last)"
    r" (?:paper"
    r"|one|result|answer)?|this (?:answer|paper|thread|conversation|tool|app|result|question))\b"
    r"|(?<!\w)(?:it|that|this|them|these|those|here|there|so|too much|a lot|instead)$"
    r"|^(?:i|we)(?:'\w+)?(?: \w+ly)? \w+ (?:it|that|this|them|these|those|too much|a lot)\b",
    re.I,
)
_NOUN_HAS_A_VERB = re.compile(
    r"(?:my|our|il mio|la mia|i miei|le mie|mein\w*|unser\w*|mon|ma|mes|notre|nos|mis?|nuestr\w+)"
    r"(?: [\w'’-]+){1,6}? (?:is|are|was|were|has|have|had|does|did|will|can|can't|isn't|aren't"
    r"|wasn't"
    r"|doesn't|don't|didn't|hasn't|lives?|works?|likes?|loves?|hates?|runs?|crash\w*|broke|died"
    r"|needs?"
    r"|wants?|started|starts?|ends?|ended|got|went|came|became|left|moved|failed|passed|plays?"
    r"|speaks?"
    r"|stud(?:y|ies)|uses?|helps?|gave|takes?|took|costs?|keeps?|kept|won|lost|married|turned"
    r"|teaches"
    r"|thinks?|knows?|bought|sold|found|made|eats?|sleeps?|reads?|writes?|wrote|è|sono|ha|hanno"
    r"|vive"
    r"|lavora|si chiama|ist|sind|hat|haben|heißt|wohnt|lebt|est|sont|a|ont|s'appelle|vit|es|son"
    r"|tiene"
    r"|tienen|se llama)(?![\w'])",
    re.I,
)
_REQUEST = re.compile(
    r"\b(?:please|find|show|tell|search|list|give|compare|explain|recommend|suggest|summari[sz]e"
    r"|look (?:for|up|at)|help me|let me know|cerca\w*|trova\w*|mostra\w*|dimmi|elenca|such|zeig\w*"
    r"|finde|cherche[sz]?|trouve[sz]?|montre[sz]?|busca|muestra|any (?:papers?|ideas?|advice|news)"
    r"|papers? (?:on|about|by|that)|what|how|why|which (?:papers?|ones?|\w+ (?:is|are|do|does)))\b",
    re.I,
)
# "I'm writing a paper on voids": that one is not looked for.
_OWN_PAPER = re.compile(
    r"\b(?:writ\w+|wrote|prepar\w+|finish\w+|submit\w+|draft\w*|referee\w*|review\w*"
    r"|co-?author\w*|publish\w+|revis\w+|my|our|next|first|second)"
    r"(?: (?:an?|my|our|the|another|two|new|short|long|joint|first|second|next))* papers? (?:on"
    r"|about)\b",
    re.I,
)
_OF_OTHERS = re.compile(
    r"(?:he|she|they|everyone|everybody|someone|somebody|nobody|people|lui|lei|loro|er|sie|il"
    r"|elle|ils"
    r"|elles|él|ella|ellos)(?:'s|'re|'ve|'ll|'d)? (?!of\b|for\b|and\b|vs\b)\w+"
    r"|(?:my|our) (?:[\w-]+ ){1,3}?(?:says?|said|thinks?|claims?|claimed|wants?|believes?|told"
    r"|asked"
    r"|suggests?|insists?|recommends?|uses?|works?|likes?|hates?)\b"
    r"|(?-i:[A-Z][a-z]+) (?:says|said|told (?:me|us)|asked (?:me|us)|thinks|claims|wants (?:me"
    r"|us))\b",
    re.I,
)
# "My supervisor says: …": what stands behind is theirs, and no text to look for.
_SPEAKS = re.compile(
    r"\W*(?:my|our|the|a|his|her) (?!(?:\w+ )?(?:paper|abstract|article|authors?|title|text"
    r"|review|study)"
    r"\b)(?:[\w-]+ ){1,3}?(?:says?|said|thinks?|claims?|wrote|writes|told (?:me|us)|asks?|asked"
    r"|insists?)"
    r"(?: that)?\s*[:,]?\s*[\"“«:]?",
    re.I,
)
_HAS_A_QUESTION = re.compile(
    rf"(?:i|we)(?:'ve| have| got| had){_ADVERBS} (?:got )?(?:an?|one|another|some|two|a few|the)"
    rf" (?:[\w-]+ )?"
    r"(?:questions?|doubts?|requests?|quer(?:y|ies))\b|(?:my|our) (?:[\w-]+ )?(?:questions?"
    r"|query|request"
    r"|doubt|problem) (?:is|are|was|concerns?)\b|(?:ho|avrei) (?:una domanda|un dubbio)",
    re.I,
)
_OF_THE_DAY = re.compile(
    r"(?:it|it's|it is|it was|there is|there was|outside)(?: (?:is|was|has been|'s))?(?:"
    r" (?:still|so|very"
    r"|really|quite|too|getting|pretty))* (?:raining|snowing|sunny|cold|hot|warm|late|early|windy"
    r"|cloudy|foggy|freezing|dark|friday|monday|tuesday|wednesday|thursday|saturday|sunday|weekend"
    r"|lunchtime|my birthday|christmas)\b.*|(?:oggi |domani )?(?:piove|nevica|fa (?:caldo|freddo)"
    r"|es regnet|es schneit|il pleut|il neige|llueve|nieva)\b.*",
    re.I,
)
_OF_THE_WORK = re.compile(
    rf"(?:the|that|this) (?:[\w-]+ ){{0,2}}?(?:{EVENT}|grant|budget|proposal|referee|reviewers?"
    rf"|editor"
    r"|cluster|server|code|script|pipeline|build|contract|visa|project|postdoc|experiment|run|batch"
    r"|page limit|paper|manuscript|thesis|boss|supervisor|office|lab|printer|coffee machine)"
    r" (?:is|was|are|were|has|have|had|will be|got|ends|starts|crashed|crashes|broke|runs|failed"
    r"|moved|changed)\b(?! (?:a|an|the)\b).*",
    re.I,
)
_EXCLAIMED = re.compile(
    r"(?:wow|haha+|lol|oh|ah|hm+|ugh|phew|hooray|yay|cool|nice|great|ok(?:ay)?|thanks?(?: you)?"
    r"|sure"
    r"|yes|no|not|good (?:morning|evening|night)|hello|hi|hey|ciao|bye|anyway|never ?mind|well)"
    r"(?: (?:there|then|a lot|so much|all))?\W*",
    re.I,
)
_MAY_BE = re.compile(
    r"^(?:maybe|perhaps|possibly|probably|forse|magari|vielleicht|wahrscheinlich|peut-être(?:"
    r" que?)?"
    r"|quizás?|tal vez|probablemente)[\s,']+",
    re.I,
)
_ASKS_AT_THE_END = re.compile(r"\?[\s\"')]*$")
_ASKS = re.compile(rf"(?:{QUESTION})(?![\w'])", re.I)


def wants(sentence: str) -> bool:
    """Whether a sentence asks for something, beside what it may tell."""
    sentence = _OWN_PAPER.sub("", sentence)
    return bool(_WANTS.match(sentence) or WISHED.search(sentence) or _REQUEST.search(sentence))


def declares(clause: str) -> bool:
    """Whether a clause tells something of the person, though no rule knows what."""
    if roles(clause) or OPINION.fullmatch(clause):
        return True
    if len(_WORD.findall(clause)) < SHORTEST or not _is_of_the_person(clause):
        return False
    if MAYBE.search(clause) or IRONY.search(clause) or HYPOTHESIS.match(clause):
        return False
    if _OF_OTHERS.match(clause) or _HAS_A_QUESTION.match(clause):
        return False
    return not (_FLEETING.match(clause) or _OF_THE_TALK.search(clause))


def unsaid(message: str) -> str:
    """What is left of a message without the sentences that are only said."""
    if _SPEAKS.match(message) and not _ASKS_AT_THE_END.search(message) and "\n\n" not in message:
        return ""
    left, start = [], 0
    for begins, ends, _ in own_spans(message, lambda quotation: False):
        left.append(message[start:begins])
        sentence = message[begins:ends]
        left.append(" " if _only_said(" ".join(sentence.split())) else sentence)
        start = ends
    left.append(message[start:])
    return " ".join("".join(left).split())


def _only_said(sentence: str) -> bool:
    if _ASKS_AT_THE_END.search(sentence) or is_a_title(sentence):
        return False
    text = _MAY_BE.sub("", opened(sentence)).strip(" .!,;:–—-")
    if IRONY.search(sentence) or _EXCLAIMED.fullmatch(sentence):
        return True
    if roles(text):
        return True
    if not text or _ASKS.match(text) or HYPOTHESIS.match(text) or kind_said(text) == "question":
        return False
    if wants(text) or _HAS_A_QUESTION.match(text):
        return False
    if _OF_OTHERS.match(text) or _OF_THE_DAY.fullmatch(text) or _OF_THE_WORK.fullmatch(text):
        return True
    if states(text) or kind_said(text) == "decision":
        return True
    if sentence.endswith((".", "!")) and (same(text) or denied(text) or next(joined(text), None)):
        return True
    return len(_WORD.findall(text)) >= SHORTEST and _is_of_the_person(text)


def _is_of_the_person(text: str) -> bool:
    if not _SUBJECT.match(text) or _WANTS.match(text) or _OF_A_PAPER.match(text):
        return False
    return not re.match(r"(?:my|our)\b", text, re.I) or bool(_NOUN_HAS_A_VERB.match(text))
