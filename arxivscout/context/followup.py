"""A follow-up is understood from the thread before it is embedded.

"And its limitations?" says nothing to a search. When a question leans on what came before (a
pronoun with nothing to stand for, an opening "and …", or only a few words), the words of the
question it leans on are put in front of it. Pure rules, English and Italian.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from arxivscout.llm.among import asks_among
from arxivscout.llm.record_questions import asks_more, leans_on_papers
from arxivscout.papers import find_paper_ids
from arxivscout.papers.mentions import CITATION, cited_paper, cited_texts
from arxivscout.papers.places import names_place, papers_at, places_in
from arxivscout.preferences import stated_wishes

_OPENING = re.compile(
    r"^\s*(and|but|or|so|also|what about|how about|why( not)?\b|which( one| ones| of)|"
    r"e\b|ed\b|ma\b|anche\b|perch[eé]\b|e per\b|quali\b di|invece\b)",
    re.IGNORECASE,
)
_NOUN = (
    r"(papers?|articles?|works?|stud(y|ies)|methods?|approach(es)?|results?|models?|"
    r"theor(y|ies)|ideas?)"
)
_LEANING = re.compile(
    r"\b(it|its|they|them|theirs?|he|she|his|her|"
    rf"(this|that|these|those) {_NOUN}|"
    r"(this|that|these|those)(?=\s*[?.!,]|\s*$|\s+(is|are|was|were)\b)|"
    rf"the (same|other|first|second|third|last|latter|former|above|previous) ({_NOUN}|ones?)|"
    r"the (authors?|latter|former|others?)|"
    r"(quest|quell)[oaie]|suo[i]?|sua|sue|loro|gli autori)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]{2,}", re.UNICODE)
_GLUE = frozenset(
    """a about all an and any are as at be been but by can could do does did for from give had has
    have how i if in into is it its know known list me more of on or our please show some tell that
    the their them there these they this to us was we were what when where which who why will with
    would you your find search paper papers article articles
    che cosa come con cosa da dei del della delle di dimmi e gli i il in la le lo nel per quali sa
    si sono su un una""".split()
)
# What one paper has, says or is; "how is it measured?" is about the matter, not about a paper.
_OF_ONE_PAPER = re.compile(
    r"\b(?:this|that|the same) (?:papers?|articles?|work|study|preprint)\b"
    r"|\bits (?:\w+ )?(?:limit(?:ation)?s?|weakness(?:es)?|shortcomings?|assumptions?|authors?|"
    r"results?|findings?|conclusions?|methods?|methodology|data(?: ?sets?)?|abstract|"
    r"contributions?|approach|experiments?|references|title)\b"
    r"|\b(?:does|did|do) it (?:say|show|claim|conclude|find|propose|assume|report|argue|cite|use)\b"
    r"|\b(?:il suo|la sua|i suoi|le sue|suoi|sue) (?:limit[ei]|limitazioni|autor[ei]|risultat[oi]|"
    r"conclusion[ei]|metod[oi]|dati|ipotesi|contributi?o?)\b"
    r"|\bquest[oa] (?:articolo|lavoro|studio)\b",
    re.IGNORECASE,
)
MOST_READINGS = 4  # more papers than these in an answer: nobody means one of them by "it"
MOST_ASKED = 8  # papers of the last answer whose records a question may be about
MOST_GONE_ON = 3  # of them told more about
FEW_WORDS = 3  # fewer than these before a pronoun: nothing in the question for it to stand for


def last_cited(messages: Sequence[tuple[str, str]]) -> list[str]:
    """Ids of the papers in the last answer that cites any, among `messages` (role, text).

    Places and footnotes mean these, in this order: an answer without a citation (a refusal, a wish
    noted) takes nothing from the screen. `exchanges.last_citations` has the same for the doors.
    Where no answer cites, those that the last one names.
    """
    for role, text in reversed(messages):
        if role == "assistant" and (cited := _cited_in(text)):
            return cited
    return last_shown(messages)


def last_shown(messages: Sequence[tuple[str, str]]) -> list[str]:
    """Ids of the papers that the newest answer among `messages` is about: "it", "tell me more".

    Papers that it only names ("left out: …") count if it cites none. The answer to a stated wish
    is about no paper: the one before it still holds.
    """
    wish = False
    for role, text in reversed(messages):
        if role == "user":
            wish = bool(stated_wishes(text))
            if not wish:
                return []
        elif role == "assistant":
            named = [paper.value for paper in find_paper_ids(text)]
            if found := _cited_in(text) or list(dict.fromkeys(named)):
                return found
    return []


def _cited_in(text: str) -> list[str]:
    cited = [
        paper.value
        for match in CITATION.finditer(text)
        if match["bracket"]
        for each in cited_texts(match)
        if (paper := cited_paper(each))
    ]
    return list(dict.fromkeys(cited))


def by_position(question: str, cited: Sequence[str]) -> list[str]:
    """Those of `cited` that `question` names by their place: [1], "the second one"."""
    if not cited or find_paper_ids(question):
        return []
    return papers_at(question, cited)


def papers_meant(question: str, last_shown: Sequence[str]) -> list[str]:
    """The papers of the last answer of which `question` may mean one, if it can't be told which.

    Rarely more than none: the last answer names 2 to 4 papers, and the question speaks of what a
    single paper has or says ("its limitations", "this paper") without naming it or its place.
    """
    papers = list(dict.fromkeys(last_shown))
    if not 2 <= len(papers) <= MOST_READINGS or not is_followup(question):
        return []
    if find_paper_ids(question) or names_place(question) or by_position(question, papers):
        return []
    return papers if _OF_ONE_PAPER.search(question) else []


def about_papers(question: str, papers: Sequence[str]) -> str:
    """`question` with the papers it is about."""
    return f"{question} ({', '.join(f'arXiv:{paper}' for paper in papers)})"


def content_words(text: str) -> list[str]:
    """The words of `text` that say what it is about, in order."""
    return [word for word in _WORD.findall(text) if word.lower() not in _GLUE]


def is_followup(question: str) -> bool:
    """Does `question` need the thread to be understood?"""
    words = content_words(question)
    if _OPENING.search(question) and len(words) <= 6:
        return True
    leaning = _LEANING.search(question)
    if leaning and len(words) <= 10:
        return len(content_words(question[: leaning.start()])) < FEW_WORDS
    return False


def stands_alone(question: str) -> bool:
    """Whether `standalone` gives `question` itself, whatever the thread is."""
    return not (
        places_in(question)
        or names_place(question)
        or leans_on_papers(question)
        or asks_among(question)
        or asks_more(question)
        or is_followup(question)
    )


def standalone(
    question: str,
    earlier_questions: Sequence[str],
    last_shown: Sequence[str] = (),
    last_cited: Sequence[str] | None = None,
) -> str:
    """`question` with what it leans on in front, or itself if it stands alone.

    Args:
        question: what the person has just asked.
        earlier_questions: their questions in this thread, oldest first.
        last_shown: ids of the papers that the last answer is about, in its order.
        last_cited: those of the last answer that cites any, which places mean; None: the same.
    """
    places = last_shown if last_cited is None else last_cited
    if meant := by_position(question, places):
        return about_papers(question, meant)
    if places and names_place(question):
        return question  # "[2]" of one paper means neither that one nor an earlier topic
    papers = list(dict.fromkeys(last_shown))
    if papers and (leans_on_papers(question) or asks_among(question)):
        return about_papers(question, papers[:MOST_ASKED])
    goes_on = asks_more(question)
    if not earlier_questions or not (goes_on or is_followup(question)):
        return question
    topics = (  # the last one that says what it is about; a wish says how, not what
        earlier
        for earlier in reversed(earlier_questions)
        if content_words(earlier)
        and not is_followup(earlier)
        and not stated_wishes(earlier)
        and not asks_more(earlier)
        and not leans_on_papers(earlier)
        and not asks_among(earlier)
        and not names_place(earlier)
    )
    topic = next(topics, None)
    if goes_on and (topic or papers):
        about = (topic or question).strip()[:600]
        return about_papers(about, papers[:MOST_GONE_ON]) if papers else about
    if topic is None:
        one = len(papers) == 1 and _OF_ONE_PAPER.search(question)
        return about_papers(question, papers) if one else question
    new = [
        word
        for word in content_words(question)
        if word.lower() not in topic.lower() and not _LEANING.fullmatch(word)
    ]
    understood = " ".join([topic.strip()[:600], *new])
    if len(papers) == 1 and _OF_ONE_PAPER.search(question):
        return about_papers(understood, papers)
    return understood
