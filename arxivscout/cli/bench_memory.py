"""`arxivscout bench memory`: what memory brings back, whether it grows, what it takes for true."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from arxivscout.cli.door import JsonOption, door
from arxivscout.errors import UsageError

UPDATES = Path("tests") / "benchmarks" / "updates" / "sequences.jsonl"
SCALE = (100_000, 1_000_000)  # memories, relations
GROWING = "bench growth"  # the person in whose name the turns are said; empty at the end


def memory(
    context: typer.Context,
    data: Annotated[
        Path | None,
        typer.Option(help="Folder where LoCoMo's conversations lie (none come along)."),
    ] = None,
    updates: Annotated[
        Path | None,
        typer.Option(help="Sequences of updates as JSON lines (default: those of the checkout)."),
    ] = None,
    times: Annotated[int, typer.Option(min=2, help="How often the same turns are said.")] = 10,
    scale: Annotated[
        bool,
        typer.Option(
            "--scale",
            help="Instead, time recalls among 100,000 memories and 1,000,000 relations of one "
            "person (made once, in some minutes).",
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """What memory brings back of what answers a question; whether it grows; what it holds true.

    Long conversations are stored in a database of their own below the home (some minutes, once).
    Questions about them are put to a window, a summary, vectors alone, the graph alone and to the
    recall of a turn, at equal tokens. Then the same 200 turns are said again and again, and what is
    said is put right in a hundred ways. No model is asked.
    """
    from arxivscout.bench import growth, memory_scale, supersession
    from arxivscout.bench.context import stored
    from arxivscout.bench.conversations import load_conversations
    from arxivscout.bench.kept_vectors import keeping
    from arxivscout.bench.memory import Remembered
    from arxivscout.cli import render
    from arxivscout.embedding import load_embedder
    from arxivscout.resources import folder

    settings = door(context).settings()
    embedder = load_embedder(settings)
    if scale:
        timed = memory_scale.measure(settings, embedder, *SCALE, notice=render.note)
        if as_json:
            render.json_out(timed)
        else:
            render.table(tuple(timed), [tuple(map(str, timed.values()))], folded=0)
        return
    if data is None:
        raise UsageError("No conversations are named.", "Name their folder: --data DIR.")
    path = updates or folder("data").parent / UPDATES
    if updates is None and not path.is_file():
        raise UsageError("No updates came along with this installation.", "Name them: --updates.")
    sequences = supersession.read_sequences(path)
    conversations = load_conversations(data)
    embedder = keeping(embedder, data, render.note)
    with stored(settings, embedder, conversations, notice=render.note) as database:
        rows = [each.to_json() for each in Remembered(database, embedder).rows(conversations)]
        grown = growth.growth(database, embedder, GROWING, growth.turns(), times=times)
        score = supersession.run(database, embedder, sequences)
    found: dict[str, Any] = {
        "recall": rows,
        "growth": grown.to_json(),
        "updates": score.to_json(),
    }
    if as_json:
        render.json_out(found)
        return
    shown = [tuple("" if v is None else str(v) for v in each.values()) for each in rows]
    render.table(tuple(rows[0]), shown, folded=0)
    said = found["growth"]
    render.line(
        f"\n{said['turns']} turns said {times} times: {said['rows'][0]:,} rows after the first, "
        f"{said['rows'][-1]:,} after the last ({said['growth']:+.1%})"
    )
    told = found["updates"]
    render.line(
        f"{told['sequences']} sequences of updates: right now {told['current']:.1%}, "
        f"right in history {told['history']:.1%}"
    )
    for wrong in told["wrong"]:
        render.line(f"  wrong: {wrong}", "dim")
