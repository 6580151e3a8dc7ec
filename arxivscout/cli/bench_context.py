"""`arxivscout bench context`: what of a conversation stands in context and in summaries."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from arxivscout.cli.door import JsonOption, door


def context_(
    context: typer.Context,
    data: Annotated[
        Path, typer.Option(help="Folder where LoCoMo's conversations lie (none come along).")
    ],
    threads: Annotated[
        bool,
        typer.Option(
            "--threads",
            help="Instead, the strategies for the running thread as it goes on, and what the "
            "summaries of it keep (some minutes).",
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """How much of what answers a question stands in the context, at how many tokens.

    Long conversations are stored message by message in a database of their own below the home (some
    minutes, once), each as one person's, each session a thread. Questions are put to the full
    history, to the strategies for one thread, to vectors alone, and to what is recalled by default.

    With --threads each conversation is one thread, and so are four that are written by rule: it is
    embedded and condensed as it grows, and asked about on the way.
    """
    from arxivscout.bench.context import Replayed, stored
    from arxivscout.bench.conversations import load_conversations
    from arxivscout.bench.kept_vectors import keeping
    from arxivscout.cli import render
    from arxivscout.embedding import load_embedder

    conversations = load_conversations(data)
    settings = door(context).settings()
    embedder = keeping(load_embedder(settings), data, render.note)
    if threads:
        from arxivscout.bench.long_threads import measured

        found = measured(settings, embedder, conversations, notice=render.note)
        if as_json:
            render.json_out(found)
            return
        for rows in found.values():
            _table(rows)
        return
    with stored(settings, embedder, conversations, notice=render.note) as database:
        replayed = Replayed(database, embedder)
        scores = [each.to_json() for each in replayed.scores(conversations)]
    if as_json:
        render.json_out(scores)
    else:
        _table(scores)


def _table(rows: Sequence[dict[str, Any]]) -> None:
    from arxivscout.cli import render

    cells = [tuple("" if v is None else str(v) for v in each.values()) for each in rows]
    render.table(tuple(rows[0]), cells, folded=0)
