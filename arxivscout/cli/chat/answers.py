"""Commands about the last answer: why it says so, whether it was good, kept, taken back."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from arxivscout.cli import render
from arxivscout.errors import UsageError

if TYPE_CHECKING:
    from arxivscout.agent.events import Citation
    from arxivscout.checking.cited import CitedSentence
    from arxivscout.cli.chat.sitting import Chat

_VERDICTS = {
    "supported": ("supported: what is held of the paper says so", "green"),
    "weak": ("weak: what is held of the paper says something like it", "yellow"),
    "unsupported": ("unsupported: what is held of the paper does not say so", "red"),
    "unchecked": ("not checked", "dim"),
}


def why(chat: Chat, rest: str) -> None:
    """What supports a footnote, or each of them."""
    cited = list(chat.cited.values())
    if not cited and chat.begun:
        raise UsageError("No answer has footnotes yet.")
    number = rest.strip("[] ")
    if not number:
        wanted = list(chat.cited)
    elif number.isdecimal() and int(number) in chat.cited:
        wanted = [int(number)]
    else:
        raise UsageError(
            f"The last answer that cites has no footnote {rest}.", f"It has 1 to {max(chat.cited)}."
        )
    for each in wanted:
        show_support(each, chat.cited[each])


def show_support(number: int, citation: Citation) -> None:
    """The verdict on a citation, sentence by sentence, and the passages that they stand on."""
    from arxivscout.cli.footnotes import show_footnote
    from arxivscout.papers import one_line

    out = render.out()
    show_footnote(number, citation, out)
    width = max(out.width - 7, 20) if out.is_terminal else 10**9
    supports: list[tuple[str, Citation | CitedSentence]] = [("", citation)]
    if len(citation.sentences) > 1:  # one needs no repeating
        supports = [(each.text, each) for each in citation.sentences]
    for sentence, each in supports:
        for line in textwrap.wrap(one_line(render.safe(sentence)), width):
            render.line(f"    {line}", "italic")
        says, style = _VERDICTS.get(each.verdict, _VERDICTS["unchecked"])
        render.line(f"    {says}", style)
        for line in textwrap.wrap(one_line(render.safe(each.passage)), width):
            render.line(f"    ▎ {line}")
        if each.section or each.page:
            pages = [f"p. {each.page}"] if each.page else []
            place = ", ".join([each.section, *pages] if each.section else pages)
            render.line(f"      in its full text: {one_line(render.safe(place))}", "dim")
        if not each.passage:
            render.line("    No passage of it is held that bears on the sentence.", "dim")


def good(chat: Chat, rest: str) -> None:
    """The last answer was good."""
    chat.scout.history.feedback(chat.begun, True, rest or None)
    render.line("Noted: ways like this one are recalled first.", "dim")


def bad(chat: Chat, rest: str) -> None:
    """The last answer was bad."""
    chat.scout.history.feedback(chat.begun, False, rest or None)
    chat.scout.lessons.reflect_soon()
    render.line("Noted. /correct TEXT says what is wrong, /undo takes the turn back.", "dim")


def correct(chat: Chat, rest: str) -> None:
    """What the person says of the last answer is remembered."""
    chat.scout.history.correct(chat.begun, rest)
    chat.scout.lessons.reflect_soon()
    render.line("Remembered; the next answers are told of it.", "dim")


def save(chat: Chat, rest: str) -> None:
    """Keep the last answer as a finding."""
    chat.scout.history.saved(chat.begun)
    render.line("Kept as a finding; /memory finding lists them.", "dim")


def retry(chat: Chat, rest: str) -> None:
    """The last question once more."""
    chat.retry()


def undo(chat: Chat, rest: str) -> None:
    """Take the last turn back."""
    undone = chat.scout.history.undo(chat.begun)
    memories = f", {undone.memories} memor{'y' if undone.memories == 1 else 'ies'}"
    render.line(
        f"Taken back: “{_short(undone.question)}”, {undone.messages} messages"
        f"{memories if undone.memories else ''}.",
        "dim",
    )
    chat.resume()


def _short(text: str) -> str:
    from arxivscout.papers import one_line

    text = one_line(text)
    return text if len(text) <= 60 else text[:59] + "…"
