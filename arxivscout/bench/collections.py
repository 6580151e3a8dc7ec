"""Collections of documents and of questions with known answers, read where they lie."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arxivscout.errors import UsageError
from arxivscout.papers import Paper


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, what answers it (graded, by paper id), the papers that it is to be like, and what
    it may not find: those."""

    text: str
    gains: Mapping[str, float]
    like: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents as papers, and questions about them."""

    name: str
    papers: list[Paper]
    asked: list[Asked] = field(default_factory=list)


def load_collection(name: str, data: Path, split: str) -> Collection:
    """A collection in BEIR's form: `corpus.jsonl[.gz]`, `queries.jsonl[.gz]`, `qrels*.tsv`.

    Args:
        data: its folder, or one that has it somewhere below as a folder of its name.
        split: of the judgements, where there are several (`qrels_dev.tsv`).

    Raises:
        UsageError: it is not there, or not of this form.
    """
    folder = _folder(name, data)
    try:
        documents = list(_records(folder, "corpus"))
        # Ids of other sources are no arXiv ids: papers are numbered in their order.
        ids = {str(each["_id"]): numbered_id(place) for place, each in enumerate(documents)}
        judged = _judgements(folder, split)
        queries = {str(each["_id"]): each for each in _records(folder, "queries")}
        asked = [
            Asked(
                str(queries[query]["text"]),
                {ids[document]: gain for document, gain in gains.items() if document in ids},
                like=(own := _liked(queries[query], ids)),
                without=own,
            )
            for query, gains in judged.items()
        ]
        papers = [
            Paper(
                arxiv_id=ids[str(each["_id"])],
                title=str(each.get("title") or each["text"][:100]),
                abstract=str(each["text"] or each["title"]),
                source=name,
            )
            for each in documents
        ]
    except (KeyError, ValueError, OSError) as error:
        raise UsageError(f"{folder} holds no collection in BEIR's form: {error!r}.") from None
    return Collection(name, papers, asked)


def numbered_id(place: int) -> str:
    """The id of the document at this place: five digits a month are all that an id has."""
    month, number = divmod(place, 99_999)
    years, months = divmod(month, 12)
    return f"{15 + years:02d}{months + 1:02d}.{number + 1:05d}"


def _liked(query: Mapping[str, Any], ids: Mapping[str, str]) -> tuple[str, ...]:
    """The paper that others like it are asked for, as CSFCube's queries name it."""
    named = str(query.get("query_doc"))
    return (ids[named],) if named in ids else ()


def _folder(name: str, data: Path) -> Path:
    for place in [data, *sorted(data.glob(f"**/{name}"))]:
        if any(place.glob("corpus.jsonl*")) and (place != data or place.name == name):
            return place
    raise UsageError(
        f"{data} holds no collection {name}.",
        f"Name a folder that has {name}/corpus.jsonl.gz: --data DIR.",
    )


def _judgements(folder: Path, split: str) -> dict[str, dict[str, float]]:
    files = [
        path for path in (folder / f"qrels_{split}.tsv", folder / "qrels.tsv") if path.exists()
    ]
    if not files:
        raise UsageError(f"{folder} has no judgements of the split {split!r}.")
    judged: dict[str, dict[str, float]] = {}
    for line in files[0].read_text("utf-8").splitlines()[1:]:
        query, document, gain = line.split("\t")
        judged.setdefault(query, {})[document] = float(gain)
    return judged


def _records(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    path = next(iter(sorted(folder.glob(f"{name}.jsonl*"))), folder / f"{name}.jsonl")
    with path.open("rb") as raw, gzip.open(raw) if path.suffix == ".gz" else raw as lines:
        for line in lines:
            yield json.loads(line)
