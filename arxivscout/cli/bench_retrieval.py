"""`arxivscout bench retrieval`: how well search finds what is known to answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arxivscout.cli.door import JsonOption, door
from arxivscout.errors import UsageError

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder
    from arxivscout.settings import Settings

DATASETS = ("scifact", "csfcube", "known-item", "abstain", "scale", "cache", "fulltext")


def retrieval(
    context: typer.Context,
    dataset: Annotated[
        str, typer.Option(help="scifact, csfcube, known-item, abstain, scale, cache or fulltext.")
    ],
    data: Annotated[
        Path | None, typer.Option(help="Folder where the collection lies (none comes along).")
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(help="Of the judgements, where there are several: dev, else test."),
    ] = None,
    count: Annotated[
        int | None,
        typer.Option(
            help="Papers that known-item asks for (300), or scale stores (200,000); questions of "
            "each kind that fulltext asks (200)."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """How well search finds what is known to answer.

    scifact and csfcube, or any collection in BEIR's layout that --data is, are stored once in a
    database of their own below the home (some minutes, the first time; their vectors are kept
    beside --data); known-item asks for papers that are held; abstain tells SciFact's questions on
    their own collection from the same on the others in --data and on the papers held; scale stores
    copies of the papers held in a database of their own, and measures storing and searching; cache
    puts pairs of questions to the memory of dear searches, those of the checkout or of the file
    --data; fulltext asks for passages of the full texts in --data, from papers down and among all.
    """
    from arxivscout.bench.collections import load_collection, load_others, name_among
    from arxivscout.bench.kept_vectors import keeping
    from arxivscout.bench.retrieval import Searches, abstention, held_collection
    from arxivscout.cli import render
    from arxivscout.cli.storing import shown
    from arxivscout.embedding import load_embedder

    if dataset not in DATASETS:
        raise UsageError(f"There is no dataset {dataset!r}.", f"Take one of {', '.join(DATASETS)}.")
    if dataset == "known-item":
        with door(context).scout(quiet=as_json) as scout:
            found = Searches(scout.database, scout.embedder).known_items(count or 300)
        _show_shares(found, as_json)
        return
    if dataset == "cache":
        _cache(context, data, as_json)
        return
    if dataset == "scale":
        _scale(context, count or 200_000, as_json)
        return
    if data is None:
        raise UsageError(f"{dataset} does not come along.", "Name its folder: --data DIR.")
    settings = door(context).settings()
    embedder = keeping(load_embedder(settings), data, render.note)
    if dataset == "fulltext":
        _full_texts(settings, embedder, data, count or 200, as_json)
        return
    own = name_among("scifact", data) if dataset == "abstain" else dataset
    collections = [load_collection(own, data, split)]
    if dataset == "abstain":
        collections += load_others(own, data)
    best, scores = [], []
    for collection in collections:
        with (
            shown(len(collection.papers)) as progress,
            held_collection(
                settings, embedder, collection, notice=render.note, progress=progress
            ) as searches,
        ):
            if dataset == "abstain":
                best.append(searches.best(collections[0].asked))
            else:
                scores = [each.to_json() for each in searches.scores(collection)]
    if dataset == "abstain":
        with door(context).scout(quiet=as_json) as scout:
            held = Searches(scout.database, scout.embedder).best(collections[0].asked)
        names = [each.name for each in collections[1:]]
        foreign = dict(zip(names, best[1:], strict=True)) | {"papers held": held}
        _show_shares(abstention(best[0], foreign), as_json)
    elif as_json:
        render.json_out(scores)
    else:
        rows = [tuple(str(value) for value in each.values()) for each in scores]
        render.table(tuple(scores[0]), rows, folded=0)


def _cache(context: typer.Context, data: Path | None, as_json: bool) -> None:
    import os

    from arxivscout.bench.cache import PAIRS, forget, load_pairs, measure
    from arxivscout.cli import render
    from arxivscout.resources import folder

    path = data or folder("data").parent / PAIRS
    if data is None and not path.is_file():
        raise UsageError("No pairs came along with this installation.", "Name them with --data.")
    pairs = load_pairs(path)
    with door(context).scout(f"bench cache {os.getpid()}", quiet=as_json) as scout:
        try:
            scores = measure(scout, pairs)
        finally:
            forget(scout)
    classes = [each.to_json() for each in scores.classes]
    if as_json:
        render.json_out({**scores.to_json(), "classes": classes})
        return
    rows = [tuple(str(value) for value in each.values()) for each in classes]
    render.table(tuple(classes[0]), rows, folded=0)
    facts = [(name, str(value)) for name, value in scores.to_json().items()]
    render.table(("", "measured"), facts, folded=0)


def _scale(context: typer.Context, count: int, as_json: bool) -> None:
    from arxivscout.bench.copied_papers import held_papers
    from arxivscout.bench.scale import measure
    from arxivscout.cli import render
    from arxivscout.cli.storing import shown

    with door(context).scout(quiet=as_json) as scout:
        held = held_papers(scout.database, count)
        settings, embedder = scout.settings, scout.embedder
    with shown(count) as progress:
        found = measure(settings, embedder, held, count, notice=render.note, progress=progress)
    if as_json:
        render.json_out(found)
    else:
        rows = [(name, f"{value:,}") for name, value in found.items()]
        render.table(("", "measured"), rows, folded=0)


def _full_texts(
    settings: Settings, embedder: Embedder, data: Path, count: int, as_json: bool
) -> None:
    from arxivscout.bench.fulltext import held_full_texts
    from arxivscout.cli import render
    from arxivscout.cli.storing import shown

    with (
        shown(None, "full texts") as progress,
        held_full_texts(settings, embedder, data, notice=render.note, progress=progress) as held,
    ):
        scores = [each.to_json() for each in held.scores(count)]
    if as_json:
        render.json_out(scores)
    else:
        rows = [tuple(str(value) for value in each.values()) for each in scores]
        render.table(tuple(scores[0]), rows, folded=0)


def _show_shares(shares: dict[str, float], as_json: bool) -> None:
    from arxivscout.cli import render

    if as_json:
        render.json_out({name: round(share, 4) for name, share in shares.items()})
        return
    render.table(
        ("", "share"), [(name, f"{share:.3f}") for name, share in shares.items()], folded=0
    )
