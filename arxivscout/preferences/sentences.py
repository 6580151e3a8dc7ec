"""From what a person wrote to the clauses that are their own words: quotes, pasted text,
questions, hypotheses and reports of what others want are left aside here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from arxivscout.preferences.irony import IRONY
from arxivscout.preferences.other_languages import in_english
from arxivscout.preferences.reasons import parted, told_by_what_went_badly

# Longer "sentences" are pasted text; the cap also keeps every rule's work bounded.
LONGEST_SENTENCE = 300
# In a text of more, the person's own words are taken to stand at its start and its end.
MOST_SENTENCES = 100

_QUOTED = re.compile(
    r"```.*?```|`[^`\n]{1,300}`|\"[^\"\n]{1,600}\"|“[^”\n]{1,600}”|«[^»\n]{1,600}»"
    r"|(?:(?<=^)|(?<=\s))'[^'\n]{3,600}'(?=[\s.,;:!?)]|$)|^[ \t]*>[^\n]*|<[^<>\n]{1,80}>",
    re.S | re.M,
)
# A full stop behind one of these ends no sentence: "Dr. Lee", "e.g. JAX".
_SHORT = "|".join(
    rf"(?<=\b{re.escape(word)})"
    for word in "dr prof mr mrs ms st vs cf e.g i.e fig figs eq eqs resp approx univ dept".split()
)
# Nor does one of "3. Mai".
_MONTHS = "januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember"
_SENTENCE = re.compile(
    rf"[^\n.!?;]+(?:(?:[.!?;](?=[^\s\"')])|(?:{_SHORT})\.(?= )|(?<=\d)\.(?= (?:{_MONTHS})\b))"
    r"[^\n.!?;]*)*[.!?;]*",
    re.I,
)

# After these the rest of the paragraph is somebody else's text.
_PASTED = re.compile(
    r"\b(?:abstract|summary|title|excerpt|sommario|riassunto|titolo)\s*:"
    r"|\b(?:says?|said|reads?|states?|writes?|wrote|goes|dice|recita|scrive|afferma)"
    r"(?: that| che)?\s*:",
    re.I,
)

LEAD = re.compile(
    r"(?:(?:please|pls|plz|kindly|ok(?:ay)?|hey|hi|hello|also|and|but|or|so|then|well|actually"
    r"|oh|no wait|wait|hold on|scratch that|no(?=\s*[,:.!–—])|nope"
    r"|thanks?(?: you)?|by the way|btw|from now on(?:wards)?|from here on|in (?:the )?future"
    r"|in general|generally|as a rule|normally|usually|for me|personally|honestly|sorry|let's"
    r"|for my (?:work|research|project|purposes|thesis|field)"
    r"|just so you know|(?:just )?so that you know|remember(?: that| to)?"
    r"|(?:don't|do not) forget to|note that|keep in mind that"
    r"|for your information|fyi|if (?:you can|you could|possible)|when(?:ever)? (?:possible"
    r"|you can)"
    r"|i(?:'ve| have)? changed my mind(?: about (?:it|that))?|after all|on second thoughts?"
    r"|i(?:'d| would) like you to|i want you to|i(?:'d| would) be glad if you(?:'d| would)?"
    r"|per favore|per piacere|perfavore|d'ora in (?:poi|avanti)|da (?:ora|adesso) in poi|per me"
    r"|in generale|in futuro|di solito|se possibile|se puoi|quando (?:puoi|possibile)|inoltre"
    r"|anche|comunque|allora|quindi|grazie|ciao|ricorda(?:ti)?(?: che)?|sappi che"
    r"|ho cambiato idea|ti (?:chiedo|prego) di|scusa|vorrei che tu|anzi|poi|ma|e"
    r"|però)(?![\w'])[\s,:.!–—-]*)*",
    re.I,
)
_POLITE_QUESTION = re.compile(
    r"(?:can|could|would|will) (?:you|we)(?! (?:prefer|like|say|think|know|tell))(?: please)?"
    r"|(?:puoi|potresti|possiamo|ti va di)(?: per favore)?",
    re.I,
)
_QUESTION_START = re.compile(
    r"(?:what|which|who|whom|whose|why|how|when|where|is|are|was|were|do|does|did|should|shall"
    r"|would|could|can|may|has|have|had|am|qual[ei]?|quali|perch[eé]|come|chi|quando|dove|cosa"
    r"|che cosa|quant[oiae])\b(?!ever)",
    re.I,
)
_HYPOTHESIS = re.compile(
    r"(?:even )?(?:if|suppose|supposing|imagine|assume|assuming|let's say|say that|unless"
    r"|what if|had i|were i|se|supponi\w*|immagina\w*|ammesso|qualora|metti(?:amo)? che)\b",
    re.I,
)
# A clause after one of these tells what somebody else said or wants.
_REPORT = re.compile(
    r"\b(?:he|she|they|lui|lei|loro|we|noi|authors?|colleagues?|people|referees?"
    r"|(?:advis[oe]r|supervisor|boss|professor)(?! is\b)|paper|article|abstract|autor[ie]"
    r"|collega|colleghi|relatore"
    r"|according to|secondo|used to|(?:i|i've) (?:read|heard|was told|said|never said"
    r"|am not saying)"
    r"|i'm not saying|whether|not sure|wonder|says|told|asked|in this (?:paper|work|article))\b",
    re.I,
)
_ONE_OFF = re.compile(
    r"\b(?:this time|just (?:this )?once|for (?:this|the next) (?:one|question|answer|time)"
    r"(?: only)?|this (?:one )?question|only (?:this|for) (?:time|once|now)|for now|right now"
    r"|for today|(?:per )?(?:questa|stavolta) ?(?:volta|domanda)?\b(?= solo)|per (?:questa volta"
    r"|ora|adesso|questa domanda)|solo (?:per )?(?:stavolta|questa (?:volta|domanda)))\b",
    re.I,
)
STANDING = re.compile(
    r"\b(?:from now on|from here on|always|never|in (?:the )?future|in general|generally|as a rule"
    r"|whenever|every time|ever again|any ?more|sempre|mai|d'ora in (?:poi|avanti)|in futuro"
    r"|in generale|da (?:ora|adesso) in poi)\b",
    re.I,
)
_CHANGED_MIND = re.compile(
    r"\bchanged my mind|\bon second thoughts?\b|\bafter all\b|\bho cambiato idea\b|^actually\b",
    re.I,
)
# "Forget what I said" is no report, though it has "I said" in it.
_TAKES_BACK = re.compile(r"(?:forget|ignore|disregard|drop|dimentica\w*|ignora\w*)\s", re.I)
_PLEASE = re.compile(r"\b(?:please|pls|plz|kindly|per favore|per piacere|perfavore)\b", re.I)
# A request for this once: what it asks for is a filter, not a wish that lasts.
_SEARCH = re.compile(
    r"(?:find|search|look (?:for|up)|list|show|give|tell|compare|summari[sz]e|translate|fetch|get"
    r"|cerca\w*|trova\w*|mostra\w*|elenca\w*|dammi|dimmi|confronta\w*|riassumi\w*|traduci\w*)\b"
    r"(?! me (?:only|always)| only| solo| soltanto| sempre)",
    re.I,
)
_BOUNDARY = re.compile(
    r"\s*[,:–—]\s*|\s+-\s+|\s+(?=(?:but|so|and|ma|quindi|e)\s+(?:i|i'm|please|don't|do|never|always"
    r"|keep|use|answer|reply|avoid|skip|no|put|make|write|prefer|non|evita|usa|rispondi\w*"
    r"|preferisco|niente|solo)\b)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence's place in the text, and its clauses with what is not the person's masked."""

    start: int
    end: int
    clauses: tuple[str, ...]
    reason: str | None
    standing: bool
    search: bool
    changed_mind: bool
    polite: bool


def own_sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences that may state a wish, in order; linear in the text's length."""
    for start, end, masked in own_spans(text):
        sentence = _read(masked, start, end)
        if sentence:
            yield sentence


def own_spans(text: str, is_masked: Callable[[str], bool] = bool) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and words of each sentence; pasted text is left out, quotations are blank.

    Args:
        is_masked: whether a quotation, with its marks, is masked; all are unless it says otherwise.
    """
    masked = _QUOTED.sub(
        lambda found: " " * len(found[0]) if is_masked(found[0]) else found[0],
        text.replace("’", "'"),
    )
    pasted_until = 0
    spans = list(_SENTENCE.finditer(masked))
    if len(spans) > MOST_SENTENCES:
        spans = spans[: MOST_SENTENCES // 2] + spans[-MOST_SENTENCES // 2 :]
    for found in spans:
        if found.start() < pasted_until:
            continue
        pasted = _PASTED.search(found[0])
        if pasted:
            blank = masked.find("\n\n", found.end())
            pasted_until = len(masked) if blank < 0 else blank
            continue
        start = found.start() + len(found[0]) - len(found[0].lstrip())
        end = found.start() + len(found[0].rstrip())
        if 0 < end - start <= LONGEST_SENTENCE:
            yield start, end, masked[start:end]


def _read(text: str, start: int, end: int) -> Sentence | None:
    body = strip_lead(text)
    if _HYPOTHESIS.match(body) or _ONE_OFF.search(text) or IRONY.search(text):
        return None
    polite = _POLITE_QUESTION.match(body)
    asks = body.rstrip().endswith("?")
    if polite and asks:
        body = strip_lead(body[polite.end() :])
    elif _QUESTION_START.match(body):
        return None
    body = body.rstrip(" .!?;\t")
    said, reason, more = parted(body)
    if not reason:
        said, reason = told_by_what_went_badly(body)
    body = f"{said}, {more}" if more else said
    clauses: list[str] = []
    parts = _BOUNDARY.split(body)
    for place, part in enumerate(parts):
        clause = strip_lead(part).strip()
        asked = _POLITE_QUESTION.match(clause) if asks else None
        if asked:
            polite, clause = asked, strip_lead(clause[asked.end() :]).strip()
        report = _REPORT.search(clause) and not _TAKES_BACK.match(clause)
        if report or _HYPOTHESIS.match(clause):
            break
        if _QUESTION_START.match(clause):
            continue
        # The last clause of a question is the question, unless it was a polite request.
        if asks and not polite and place == len(parts) - 1:
            continue
        if clause:
            clauses.append(in_english(clause))
    if not clauses:
        return None
    return Sentence(
        start,
        end,
        tuple(clauses),
        reason or None,
        bool(STANDING.search(text)),
        bool(_SEARCH.match(clauses[0])),
        bool(_CHANGED_MIND.search(text)),
        bool((polite and asks) or _PLEASE.search(text)),
    )


def strip_lead(text: str) -> str:
    """Drop what opens a sentence without changing it ("please", "from now on", "per me")."""
    text = text.lstrip()
    found = LEAD.match(text)
    return text[found.end() :] if found else text
