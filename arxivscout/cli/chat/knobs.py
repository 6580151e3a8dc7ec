"""Commands about what an answer is made with: memory, context, model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arxivscout.cli import render

if TYPE_CHECKING:
    from arxivscout.cli.chat.sitting import Chat
    from arxivscout.settings import ModelSettings

_MEMORIES_SHOWN = 10  # of each kind


def memory(chat: Chat, rest: str) -> None:
    """What is remembered."""
    from arxivscout.cli.memory import remembered, show_memories

    kind = rest.lower() or None
    show_memories(remembered(chat.scout, kind, _MEMORIES_SHOWN), kind)


def context(chat: Chat, rest: str) -> None:
    """The segments of the last question's context."""
    report = chat.scout.history.context(chat.thread_id)
    if not report:
        render.line("No question has been asked in this thread yet.")
        return
    render.table(
        ("segment", "tokens", "of", "items", "cut"),
        [
            (
                each["segment"],
                f"{each.get('tokens') or 0:,}",
                f"{each.get('budget') or 0:,}",
                str(len(each.get("items") or ())),
                _cut(each.get("cut") or ()),
            )
            for each in report
        ],
        folded=4,
    )
    render.line(
        "tokens: what the model was given; of: the room there was; items: of how many pieces; "
        "cut: what was left out, and why.",
        "dim",
    )


def _cut(cuts: Any) -> str:
    reasons: dict[str, int] = {}
    for each in cuts:
        reasons[each.get("reason", "")] = reasons.get(each.get("reason", ""), 0) + 1
    return "; ".join(
        f"{count} × {reason}" if count > 1 else reason for reason, count in reasons.items()
    )


def model(chat: Chat, rest: str) -> None:
    """List the models, or let another one answer in this chat."""
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
                " at ".join(filter(None, [named.model, named.base_url])),
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
