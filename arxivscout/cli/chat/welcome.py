"""What stands at the top of a chat: who answers, from what, and what to try."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arxivscout.cli import render

if TYPE_CHECKING:
    from arxivscout.cli.chat.sitting import Chat

_EXTRACTIVE = (
    "No language model is set, so answers are extractive: the most relevant sentences of what is "
    "found, cited. ARXIVSCOUT_MODEL=provider:model brings one that writes."
)
_TO_TRY = (
    "What is known about quantum teleportation of neutral mesons?",
    "Which papers are about dark matter?",
    "I prefer short answers.",
)


def greet(chat: Chat) -> None:
    """Say who answers, what with, and what to try."""
    held = chat.scout.paper_count()
    render.line(f"ArxivScout · {held:,} papers held · model {chat.model_name} · /help", "bold")
    if chat.model_name == "extractive":
        render.line(_EXTRACTIVE, "dim")
    if chat.scout.only_starter():
        render.line("This is the starter collection. Things to try:", "dim")
        for each in _TO_TRY:
            render.line(f"  {each}", "dim")
