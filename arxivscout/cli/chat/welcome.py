"""The top of a chat: who answers, from what, and what to try; at the first one, what to decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arxivscout.cli import render
from arxivscout.cli.chat.picker import on_terminal

if TYPE_CHECKING:
    from arxivscout.app import Scout
    from arxivscout.cli.chat.sitting import Chat

_HELLO = (
    "Welcome to ArxivScout. Ask about papers: it searches those it holds, and arXiv, answers with "
    "citations that exist, and remembers what was found. Two questions first, once."
)
_EXTRACTIVE = (
    "extractive quotes the most relevant sentences of what is found, cited, and invents nothing; "
    "`arxivscout setup` brings a model that writes."
)
_MODEL = "{} searches, answers in its own words and cites; each citation is checked."
_TO_TRY = (
    "What is known about quantum teleportation of neutral mesons?",
    "Which papers are about dark matter?",
    "I prefer short answers.",
)


def first_start(scout: Scout, *, model_given: bool) -> bool:
    """Ask a person who was never asked what may be remembered and which model answers.

    Nothing is asked where nobody sits at a terminal.

    Returns:
        Whether another model answers now than the scout was opened with.
    """
    if not on_terminal() or scout.remembering is not None:
        return False
    from arxivscout.cli.setup import ask_model, ask_remembering

    render.line(_HELLO)
    render.line()
    ask_remembering(scout)
    if model_given or scout.settings.model != "extractive":
        return False
    return ask_model(scout)


def greet(chat: Chat) -> None:
    """Say who answers, what with, and what to try."""
    held = chat.scout.paper_count()
    name = chat.model_name
    render.line(f"ArxivScout · {held:,} papers held · model {name} · /help", "bold")
    render.line(_EXTRACTIVE if name == "extractive" else _MODEL.format(name), "dim")
    if chat.scout.only_starter():
        render.line("This is the starter collection. Things to try:", "dim")
        for each in _TO_TRY:
            render.line(f"  {each}", "dim")
