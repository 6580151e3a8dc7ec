"""`arxivscout bench dedup`: how often two memories are taken for one, and one for two."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arxivscout.cli.door import JsonOption, door
from arxivscout.errors import UsageError

PAIRS = Path("tests") / "benchmarks" / "dedup" / "pairs.jsonl"
HALVES = ("dev", "test", "all")


def dedup(
    context: typer.Context,
    data: Annotated[
        Path | None, typer.Option(help="Pairs as JSON lines (default: those of the checkout).")
    ] = None,
    half: Annotated[str, typer.Option(help="dev, test or all of them.")] = "all",
    misses: Annotated[
        bool, typer.Option("--misses", help="Show each pair that went wrong.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """How often the write gate takes two memories for one, and one for two, by class.

    Of the pairs, one half was there while the gate was tuned (dev), the other (test) was not looked
    into. Merging what is not the same loses a memory; missing what is leaves a double.
    """
    from arxivscout.bench.dedup import read_pairs, run
    from arxivscout.cli import render
    from arxivscout.embedding import load_embedder
    from arxivscout.resources import folder

    if half not in HALVES:
        raise UsageError(f"There is no half {half!r}.", f"Take one of {', '.join(HALVES)}.")
    path = data or folder("data").parent / PAIRS
    if data is None and not path.is_file():
        raise UsageError("No pairs came along with this installation.", "Name them with --data.")
    tallies = run(read_pairs(path), load_embedder(door(context).settings()))
    if as_json:
        render.json_out(
            {
                name: {group: tally.to_json() for group, tally in groups.items()}
                for name, groups in tallies.items()
            }
        )
        return
    if half not in tallies:
        raise UsageError(f"{path} has no pairs of the half {half!r}.")
    groups = tallies[half]
    rows = [
        (group, *(_shown(value) for value in groups[group].to_json().values()))
        for group in sorted(groups, key=lambda each: (each == "all", each))
    ]
    headers = ("class", "pairs", "false merges", "missed", "false ends", "missed ends")
    render.table(headers, rows, folded=0)
    if misses:
        for pair, judged in groups["all"].wrong:
            render.line(f"{pair.id}: {pair.label}, judged {judged}")
            render.line(f"    {pair.older}", "dim")
            render.line(f"    {pair.newer}", "dim")


def _shown(value: float | int | None) -> str:
    if value is None:
        return "–"
    return f"{value:.1%}" if isinstance(value, float) else str(value)
