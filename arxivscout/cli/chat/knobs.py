"""Commands about what an answer is made with: context, model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arxivscout.cli import render

if TYPE_CHECKING:
    from arxivscout.cli.chat.sitting import Chat
    from arxivscout.settings import ModelSettings


def context(chat: Chat, rest: str) -> None:
    """The segments of the last question's context."""
    from arxivscout.cli.context import show_segments

    report = chat.scout.history.context(chat.thread_id)
    if not report:
        render.line("No question has been asked in this thread yet.")
        return
    show_segments(report)


def model(chat: Chat, rest: str) -> None:
    """List the models, or let another one answer in this chat."""
    from arxivscout.llm.failures import scrub

    if rest:
        chat.scout.check_model(rest)
        chat.model = rest
        render.line(f"{rest} answers from here on.", "dim")
        return
    settings = chat.scout.settings
    names = dict.fromkeys(["extractive", settings.model, chat.model_name, *sorted(settings.models)])
    render.table(
        ("", "name", "window", "price in / out", "model"),
        [
            (
                "•" if name == chat.model_name else "",
                name,
                f"{named.context_window or settings.context_window:,}",
                _price(named),
                " at ".join(filter(None, [named.model, scrub(named.base_url or "")])),
            )
            for name in names
            for named in [settings.model_named(name)]
        ],
        folded=4,
    )
    render.line("/model NAME takes one of these, or any provider:model.", "dim")


def _price(model: ModelSettings) -> str:
    if model.model == "extractive":
        return "free"
    if model.price_input is None or model.price_output is None:
        return "unknown"
    return f"${model.price_input:g} / ${model.price_output:g}"
