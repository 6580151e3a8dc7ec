"""`arxivscout context` and `arxivscout why`: what a model was given, and when a memory was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arxivscout.cli.door import JsonOption, UserOption, check_range, door, jsonable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arxivscout.memory.context_log import TurnContext

_BAR = 60  # characters of the drawn window
_FREE = ("results", "answer", "margin")  # kept free when the question is sent


def register(app: typer.Typer) -> None:
    """Hang these commands on `app`."""
    app.command("context")(context)
    app.command("why")(why)


def context(
    context: typer.Context,
    turn: Annotated[
        str | None, typer.Argument(help="The turn's id, or how it begins; the last one if empty.")
    ] = None,
    thread: Annotated[
        str | None, typer.Option("--thread", "-t", help="The last turn of this thread.")
    ] = None,
    items: Annotated[
        bool, typer.Option("--items", help="Also each item, and what was cut.")
    ] = False,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what the model was given for a question: segment by segment, what was cut, and why."""
    with door(context).scout(user, quiet=as_json) as scout:
        found = scout.history.turn_context(turn, thread)
    from arxivscout.cli import render

    if as_json:
        render.json_out({**jsonable(found), "window": found.window})
        return
    render.line(found.question)
    facts = [render.minute(found.at), f"thread {found.thread_id}", found.model, str(found.turn_id)]
    render.line(" · ".join(filter(None, facts)), "dim")
    render.line(_bar(found))
    show_segments(found.segments, _letters(found.segments))
    if items:
        _show_items(found.segments)


def why(
    context: typer.Context,
    memory_id: Annotated[
        str,
        typer.Argument(help="The id of a memory, a summary or a message, or a paper's arXiv id."),
    ],
    limit: Annotated[int, typer.Option(help="How many turns at most, 1 to 1000.")] = 20,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say in which turns a memory was given to the model, and why it was or was not."""
    check_range(limit, "--limit", 1, 1000)
    with door(context).scout(user, quiet=as_json) as scout:
        found = scout.history.uses(memory_id.strip(), limit)
    from arxivscout.cli import render

    if as_json:
        render.json_out([jsonable(each) for each in found])
        return
    if not found:
        render.note(
            f"{memory_id} was in no turn's context. `arxivscout context --items` shows ids."
        )
    for use in found:
        render.line(use.question)
        told = f"as {use.segment.replace('_', ' ')}" if use.used else f"left out of {use.segment}"
        fits = f"fits {use.score:.2f}" if use.score else ""
        size = f"{use.tokens:,} tokens" if use.used else ""
        source = (render.minute(use.at), f"thread {use.thread_id}", told, fits, size, use.reason)
        render.line("    " + " · ".join(filter(None, source)), "dim")


def show_segments(
    segments: Sequence[Mapping[str, Any]], letters: Mapping[str, str] | None = None
) -> None:
    """A row a segment: what it took of its room, of how many pieces, what was cut and why."""
    from arxivscout.cli import render

    render.table(
        ("segment", "tokens", "of", "items", "cut"),
        [
            (
                " ".join(filter(None, [(letters or {}).get(each["segment"], ""), each["segment"]])),
                f"{each.get('tokens') or 0:,}",
                f"{each.get('budget') or 0:,}",
                str(len(each.get("items") or ())),
                _cut(each.get("cut") or ()),
            )
            for each in segments
        ],
        folded=4,
    )
    render.line(
        "tokens: what the model was given; of: the room there was; items: of how many pieces; "
        "cut: what was left out, and why.",
        "dim",
    )


def _cut(cuts: Sequence[Mapping[str, Any]]) -> str:
    reasons: dict[str, int] = {}
    for each in cuts:
        reasons[each.get("reason", "")] = reasons.get(each.get("reason", ""), 0) + 1
    return "; ".join(
        f"{count} × {reason}" if count > 1 else reason for reason, count in reasons.items()
    )


def _letters(segments: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    return {each["segment"]: chr(ord("A") + place % 26) for place, each in enumerate(segments)}


def _bar(turn: TurnContext) -> str:
    """The window as a bar: a letter for what a segment took, `·` for what is free."""
    letters, window = _letters(turn.segments), max(turn.window, 1)
    drawn, filled = "", 0.0
    for each in turn.segments:
        if each["segment"] not in _FREE:
            filled += (each.get("tokens") or 0) * _BAR / window
            drawn += letters[each["segment"]] * (round(filled) - len(drawn))
    used = sum(e.get("tokens") or 0 for e in turn.segments if e["segment"] not in _FREE)
    return f"[{drawn[:_BAR]:·<{_BAR}}] {used:,} of {turn.window:,} tokens, {used / window:.0%}"


def _show_items(segments: Sequence[Mapping[str, Any]]) -> None:
    from arxivscout.cli import render

    rows = []
    for segment in segments:
        for item in segment.get("items") or ():
            score = f"{item['score']:.2f}" if item.get("score") else ""
            rows.append((segment["segment"], f"{item['tokens']:,}", score, "", item["source"]))
        for cut in segment.get("cut") or ():
            rows.append((segment["segment"], "", "", cut["reason"], cut["source"]))
    render.table(("segment", "tokens", "score", "cut", "id"), rows, folded=4)
