"""Answers about memory: what is kept, what was stored or forgotten, and what is remembered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from arxivscout.llm.about_me import about_me, all_of_me, said_of_oneself
from arxivscout.llm.extractive_answer import MODE
from arxivscout.llm.extractive_forgetting import SHOWN, forget_candidates, meant_to_forget
from arxivscout.llm.extractive_plan import Situation
from arxivscout.llm.extractive_reading import Item, Reading, ToolResult, parse_items
from arxivscout.llm.extractive_requests import Focus, Request
from arxivscout.llm.recall_days import days_asked, shown_days, told_on
from arxivscout.papers import cut_at_word
from arxivscout.papers.rendering import KEPT_HERE_ONLY, KEPT_IF_ASKED
from arxivscout.preferences import find_preferences, not_understood, wishes_from_texts
from arxivscout.redaction import redacted
from arxivscout.statements.aspects import sign_of

CHOOSE = "Say which by its number"
_NUMBER = re.compile(r"\W*(?:number |no\.? ?|the )?(?P<number>[1-8])(?:st|nd|rd|th)?\W*", re.I)
_HELD = re.compile(r"[\d,]+ papers? (?:is|are) held\.")
REPLACES = "It replaces: "  # what `save_memory` says of a preference that holds no longer
STATED = (
    "Understood: “{}” There is no question in that. What you state is remembered after this "
    "answer, as far as you let it be; `arxivscout memory` shows it."
)
STATED_HERE = "Understood: “{}” There is no question in that. I know it in this thread. {}"
UNKEPT = (
    "Understood, and nothing of it is remembered, as you ask: it stays in this conversation until "
    "you delete that (`arxivscout threads delete`)."
)
SAID = "Understood: “{}” There is no question in that, so nothing was looked for."
NO_PAPER_LIKED = (
    "You have told me of no paper that you liked. /good on an answer, the tag “liked” or "
    "“I liked 0712.2288” lets me know."
)
NONE_SHOWN = "No answer has cited a paper yet."
_USER_SAID = re.compile(r"^- (?P<day>\d{4}-\d\d-\d\d)[\d :]* user: (?P<said>.+)$", re.MULTILINE)
_FIRST = re.compile(r"\b(?:first|prima|erste)\b", re.IGNORECASE)
_WHEN = re.compile(
    r"\b(?:today|yesterday|last|this|on|in|since|ago|week|month|year|\d{4})\b", re.IGNORECASE
)
LONGEST_SAID = 300  # characters of a message that are shown again
HELP = (
    "I am ArxivScout, without a chat model at the moment: I search arXiv papers held here (and "
    "arXiv itself), and answer with sentences quoted from them, each with its citation. I can't "
    "write text of my own or discuss.\n\n"
    "Ask a research question (“What is known about …?”), name an arXiv id, narrow by date, author "
    "or category (“since 2020”, “by Witten”, “in cs.CL”), tell me what you prefer (“I do not want "
    "papers older than 2015”), or ask what I know about you. A chat model can be set with "
    "ARXIVSCOUT_MODEL."
)


def saved_answer(reading: Reading, text: str, kind: str) -> str:
    """What `save_memory` did, as its status says."""
    results = [each for each in reading.results if each.name == "save_memory"]
    refused = all(each.status != "ok" for each in results)
    if kind == "preference" and refused and (beyond := unkept(reading)):
        return f"{_followed(redacted(text), 'in this thread')} {beyond}"
    if not results:
        return f"I could not store this {kind}: no tool to store memories is at hand."
    failed = [each for each in results if each.status != "ok"]
    if failed:
        kept = "Nothing was kept." if len(failed) == len(results) else "The others were kept."
        return f"I could not store this {kind}: {_why(failed[0])}. {kept}"
    text = redacted(text)  # as it was stored
    end = "" if text.endswith((".", "!", "?", "…")) else "."
    replaced = [
        line for each in results for line in each.text.partition(REPLACES)[2].splitlines()[:1]
    ]
    parts = [f"Stored as a {kind}: “{text}”{end}"]
    parts += [f"It replaces {line.strip()}." for line in replaced]
    if kind == "preference":
        parts.append(_followed(text))
    return " ".join(parts)


def unkept(reading: Reading) -> str:
    """That what is said here is not remembered beyond the thread, where the person wants it so."""
    told = {item.text for item in reading.sections.get("preferences", ())}
    if KEPT_HERE_ONLY in told:
        return "It is not remembered beyond it, as you want."
    if KEPT_IF_ASKED in told:
        return "Beyond it, as you want, only what you ask for is remembered (“Remember that …”)."
    return ""


def _followed(text: str, since: str = "from now on") -> str:
    """Which of the wishes in `text` are followed without a chat model; none is promised else."""
    wishes = wishes_from_texts([text])
    unable = [f"write {wishes.language}"] if wishes.language not in (None, "English") else []
    unable += [f"write in a {s} style" for s in ("plain", "technical") if s in wishes.style]
    if unable:
        return f"A chat model will follow it; without one I can't {' or '.join(unable)}."
    if not find_preferences(text):
        return "A chat model will read it; the answers without one do not change by it."
    if unread := not_understood(text):
        named = ", ".join(f"“{part}”" for part in unread)
        return f"I will follow it {since}, but for {named}, which needs a chat model to read."
    return f"I will follow it {since}."


def stated_answer(request: Request, reading: Reading) -> str:
    """That what was said is no question, and whether it is remembered."""
    said = cut_at_word(redacted(request.about), LONGEST_SAID)
    if not request.about:
        return UNKEPT
    if not request.kept:
        return SAID.format(said)
    if beyond := unkept(reading):
        return STATED_HERE.format(said, beyond)
    return STATED.format(said)


def forget_answer(now: Situation) -> str:
    """What was forgotten, or what there is and how to name it."""
    items = forget_candidates(now.reading, now.request.about)
    done = [each for each in now.reading.results if each.name == "forget_memory"]
    if done:
        return "\n".join(_forgotten(each, items) for each in done)
    if not now.request.about:
        return (
            "There is nothing of yours in the last answer to take back. “Forget that I …” forgets "
            "one thing; /undo in the chat takes the last turn back, and what was learned from it."
        )
    if now.request.everything:
        return (
            "I forget one memory at a time, and only when it is clear which. Name what to forget "
            "(“forget that I prefer short answers”), or delete a thread with "
            "`arxivscout threads delete`."
        )
    if "forget_memory" in now.tools and meant_to_forget(now):
        return "I found it, but could not forget it in this turn. Please ask again."
    if not items and unkept(now.reading):
        return (
            "Nothing that you say here is remembered, so there is nothing to forget. The "
            "conversation keeps it until you delete that: `arxivscout threads delete`."
        )
    if not items:
        return "I found no memory of that, so there is nothing to forget."
    listed = "\n".join(
        f"{number}. {item.text[:SHOWN]}" for number, item in enumerate(items[:8], start=1)
    )
    return (
        "It is not clear which memory you mean, so nothing was forgotten. I found:\n"
        f"{listed}\n{CHOOSE} (“forget 1”), or use more of its words."
    )


def _forgotten(result: ToolResult, items: Sequence[Item]) -> str:
    wanted = str(result.arguments.get("memory_id"))
    text = next((f": “{item.text}”" for item in items if item.id == wanted), "")
    if result.status == "ok":
        return f"Forgotten{text}. The conversation keeps your words until you delete it."
    if _why(result).startswith("Kept"):  # the person was asked, and wants it kept
        return f"Kept{text}."
    return f"I could not forget that ({_why(result)}){text}."


def chosen_memory(question: str, about: str, last_answer: str) -> str | None:
    """The text of the memory that the last answer listed under the number now said, or None."""
    if CHOOSE not in last_answer:
        return None
    if not (said := _NUMBER.fullmatch(about or question)):
        return None
    found = re.search(rf"^{said['number']}\. (.+)$", last_answer, re.MULTILINE)
    return found[1].strip() if found else None


def focused_answer(reading: Reading, focus: Focus) -> str:
    """What memory holds of the one kind that is asked for; nothing beside it."""
    recalled = reading.called("recall_memory")
    if recalled and recalled.status == "error":
        return f"Memory could not be searched: {_why(recalled)}."
    items = parse_items(recalled.text) if recalled and recalled.status == "ok" else []
    sections = reading.sections
    shown: set[str] = set()
    parts: list[str] = []
    nothing = ""
    match focus:
        case "held":
            held = next((item.text for item in items if _HELD.match(item.text)), "")
            return held or "I can't count the papers: no tool for it is at hand."
        case "findings":
            known = [item for item in items if "finding" in item.about]
            parts = _listed("Your findings", known or sections.get("findings", ()), shown)
            nothing = "You have no findings stored yet. Say “Remember the finding that …”."
        case "papers":
            marked = [item for item in items if item.date]
            if sign_of(reading.question) > 0:
                parts = _listed("Papers that you liked", marked, shown)
                return parts[0] if parts else NO_PAPER_LIKED
            if re.search(r"\bread\b", reading.question, re.IGNORECASE):
                marked = [
                    item
                    for item in marked
                    if item.about[:1] and item.about[0].split()[:1] == ["read"]
                ]
            parts = _listed("In your library", marked, shown)
            parts += _listed("What you noted", sections.get("notes on papers", ()), shown)
            parts += _listed("What you looked at", sections.get("looked at before", ()), shown)
            nothing = "No paper is marked as read, tagged or noted on yet."
        case "said":
            told = recalled.text if recalled and recalled.status == "ok" else ""
            return said_of_oneself(reading.question, told, _at_hand(reading))
        case "then" | "questions" | "relations":
            return about_me(reading.question, focus, items)
        case "me":
            return all_of_me(reading.question, items)
        case "first":
            return _asked_first(reading)
        case "shown":
            return _shown_papers(reading, items)
    return "\n\n".join([f"{MODE}: this is what I hold.", *parts]) if parts else nothing


def _asked_first(reading: Reading) -> str:
    """The person's first question in this thread, or their last one before this."""
    recalled = reading.called("recall_memory")
    told = recalled.text if recalled and recalled.status == "ok" else ""
    asked = [(found["day"], found["said"]) for found in _USER_SAID.finditer(told)]
    if not asked:
        return "This is the first thing that you ask in this thread."
    first = bool(_FIRST.search(reading.question))
    day, said = asked[0 if first else -1]
    which = "first" if first else "last"
    return f"Your {which} message in this thread: “{said.strip()}” ({day})."


def _shown_papers(reading: Reading, items: Sequence[Item]) -> str:
    """The papers that answers cited, each with its day and the question."""
    papers = [item for item in items if item.date]
    if not papers:
        return "No answer has cited a paper then." if _WHEN.search(reading.question) else NONE_SHOWN
    lines = []
    for item in papers:
        title, _, asked = item.text.partition(" | asked: ")
        lines.append(f"- {item.date}: {title}" + (f" (asked: “{asked.strip()}”)" if asked else ""))
    count = f"{len(papers)} papers" if len(papers) > 1 else "One paper"
    return "\n".join([f"{count} that answers cited, the newest first:", *lines])


def _at_hand(reading: Reading) -> list[Item]:
    """What was recalled of the person's own words before any tool was called."""
    sections = ("preferences", "findings")
    return [each for name in sections for each in reading.sections.get(name, ())]


def recall_answer(reading: Reading, today: date) -> str:
    """What memory holds about the person and their work, of the days that are asked of."""
    days = days_asked(reading.question, today)

    def of_them(items: Sequence[Item]) -> list[Item]:
        return [item for item in items if days is None or told_on(item, days)]

    parts: list[str] = []
    shown: set[str] = set()
    for section, title in (
        ("preferences", "What you prefer"),
        ("lessons", "What earlier turns taught"),
        ("findings", "What you found"),
        ("notes on papers", "What you noted on papers"),
        ("looked at before", "What you looked at"),
        ("summaries", "Summaries"),
    ):
        parts += _listed(title, of_them(reading.sections.get(section, ())), shown)
    if days:
        said = of_them(reading.sections.get("earlier turns", ()))
        parts += _listed("What was said then", said, shown)
    recalled = reading.called("recall_memory")
    if recalled and recalled.status == "ok":
        parts += _listed("From memory", of_them(parse_items(recalled.text)), shown)
    elif recalled and recalled.status == "error":
        parts.append(f"Memory could not be searched: {_why(recalled)}.")
    listed = recalled and recalled.arguments.get("kind") == "conversation"
    if reading.earlier and not listed and not days:  # those bear no date
        asked = list(dict.fromkeys(question for question in reading.earlier if question))[-8:]
        parts.append(
            "\n".join(["What you asked in this thread:", *(f"- {q[:200]}" for q in asked)])
        )
    if not parts and days:
        return f"{MODE}: I hold nothing that you asked or told me {shown_days(days)}."
    if not parts:
        return f"{MODE}: I hold nothing about you or your earlier work yet."
    return "\n\n".join([f"{MODE}: this is what I hold.", *parts])


def summary_answer(reading: Reading) -> str:
    """What `summarise_thread` gave."""
    result = reading.called("summarise_thread")
    if result is None:
        if not reading.earlier:
            return "There is nothing in this thread to summarise yet."
        asked = "\n".join(f"- {question[:200]}" for question in reading.earlier[-8:] if question)
        return f"{MODE}. What you asked in this thread:\n{asked}"
    if result.status != "ok":
        return f"The thread could not be summarised: {_why(result)}."
    return result.text


def results_answer(reading: Reading) -> str:
    """What tools of other kinds gave back, quoted."""
    lines = []
    for result in reading.results:
        said = result.text[:2000] or "nothing"
        lines.append(f"{result.name} {'failed' if result.status == 'error' else 'gave'}: {said}")
    return "\n\n".join([f"{MODE}: what the tools gave back.", *lines])


def _listed(title: str, items: Sequence[Item], shown: set[str]) -> list[str]:
    lines = []
    for item in items:
        key = item.id or item.text
        if item.text and key not in shown:
            shown.add(key)
            lines.append(f"- {_shown(item)}")
    return ["\n".join([f"{title}:", *lines[:12]])] if lines else []


def _shown(item: Item) -> str:
    return f"{item.date}: {item.text}" if item.date else item.text


def _why(result: ToolResult) -> str:
    text = result.text.strip() or result.note or "no reason given"
    return text.splitlines()[0].strip(" .")[:300]
