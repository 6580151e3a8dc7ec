"""Collections of documents and of questions with known answers, read where they lie."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arxivscout.errors import UsageError
from arxivscout.papers import Paper, cut_at_word, one_line
from arxivscout.papers.record import LIMITS

MOST_BEGINNING = 100  # characters of a text that stand for a title where there is none


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

    @property
    def key(self) -> str:
        """Its name and a digest of its documents: others of the same name have another key."""
        whole = hashlib.blake2b(digest_size=4)
        for paper in self.papers:
            whole.update(f"{paper.arxiv_id}\0{paper.content}\0".encode("utf-8", "replace"))
        return f"{re.sub(r'[^A-Za-z0-9_-]+', '-', self.name)[:40]}-{whole.hexdigest()}"


def load_collection(name: str, data: Path, split: str | None = None) -> Collection:
    """A collection in BEIR's form: `corpus.jsonl[.gz]`, `queries.jsonl[.gz]` and judgements.

    Judgements lie in `qrels.tsv`, or for each split in `qrels/test.tsv` or `qrels_test.tsv`.

    Args:
        data: its folder; or one that has it below, as a folder of its name or as the only one.
        split: of the judgements; None: dev, else test, else the only one.

    Raises:
        UsageError: it is not there, or not of this form.
    """
    folder = _folder(name, data)
    try:
        documents = {str(each["_id"]): each for each in _records(folder, "corpus")}
        # Ids of other sources are no arXiv ids: papers are numbered in their order.
        ids = {each: numbered_id(place) for place, each in enumerate(documents)}
        queries = {str(each["_id"]): each for each in _records(folder, "queries")}
        asked = [
            Asked(
                str(queries[query]["text"]),
                {ids[document]: gain for document, gain in gains.items() if document in ids},
                like=_liked(queries[query], ids),
                without=_itself(queries[query], documents, ids),
            )
            for query, gains in _judgements(folder, split).items()
        ]
        papers = [_paper(ids[each], document, name) for each, document in documents.items()]
    except KeyError as error:
        raise UsageError(f"{folder} is no collection in BEIR's form: {error} is missing.") from None
    except (ValueError, OSError, EOFError, TypeError, AttributeError) as error:
        raise UsageError(f"{folder} is no collection in BEIR's form: {error}.") from None
    if not asked:
        raise UsageError(f"{folder} has no judgements of questions.")
    return Collection(folder.absolute().name, papers, asked)


def name_among(preferred: str, data: Path) -> str:
    """The collection of this name, where one lies in `data`; else the first that does."""
    names = [place.absolute().name for place in _folders(data)]
    return preferred if preferred in names or not names else names[0]


def load_others(name: str, data: Path) -> list[Collection]:
    """The collections in `data` besides the one that `load_collection` takes for this name."""
    own = _folder(name, data)
    return [
        load_collection(place.absolute().name, place) for place in _folders(data) if place != own
    ]


def _paper(arxiv_id: str, document: Mapping[str, Any], source: str) -> Paper:
    """The document as a paper; what has no title is called by how it begins."""
    title, text = (one_line(str(document.get(name) or "")) for name in ("title", "text"))
    return Paper(
        arxiv_id=arxiv_id,
        title=cut_at_word(title, LIMITS["title"]) or cut_at_word(text, MOST_BEGINNING),
        abstract=cut_at_word(text, LIMITS["abstract"]) or title,
        source=source,
    )


def numbered_id(place: int) -> str:
    """The id of the document at this place: five digits a month are all that an id has."""
    month, number = divmod(place, 99_999)
    years, months = divmod(month, 12)
    return f"{15 + years:02d}{months + 1:02d}.{number + 1:05d}"


def _liked(query: Mapping[str, Any], ids: Mapping[str, str]) -> tuple[str, ...]:
    """The paper that others like it are asked for, as CSFCube's queries name it."""
    named = str(query.get("query_doc"))
    return (ids[named],) if named in ids else ()


def _itself(
    query: Mapping[str, Any], documents: Mapping[str, Mapping[str, Any]], ids: Mapping[str, str]
) -> tuple[str, ...]:
    """The document that the question is, which answers nothing: the one named, or its own text."""
    own = str(query["_id"])
    if own in documents and str(documents[own].get("text")) == query["text"]:
        return (ids[own],)
    return _liked(query, ids)


def _folder(name: str, data: Path) -> Path:
    found = _folders(data)
    if data in found:
        return data
    named = [place for place in found if place.name == name]
    if named or len(found) == 1:
        return (named or found)[0]
    others = f" Others are there: {', '.join(place.name for place in found)}." if found else ""
    raise UsageError(
        f"{data} holds no collection {name}.{others}",
        "Name the folder that has its corpus.jsonl, queries.jsonl and qrels: --data DIR.",
    )


def _folders(data: Path) -> list[Path]:
    return sorted({path.parent for path in data.glob("**/corpus.jsonl*")})


def _judgements(folder: Path, split: str | None) -> dict[str, dict[str, float]]:
    """Of each question, how well documents answer; what is judged to be worse than 0 is 0."""
    path = _judgement_file(folder, split)
    judged: dict[str, dict[str, float]] = {}
    # Ids may hold what Python takes for the end of a line.
    for place, line in enumerate(path.read_text("utf-8-sig").split("\n")):
        columns = line.rstrip("\r").split("\t") if "\t" in line else line.split()
        if len(columns) < 3 or (place == 0 and not _is_number(columns[-1])):
            if line.strip() and place:
                raise ValueError(f"line {place + 1} of {path.name} has {len(columns)} columns")
            continue
        judged.setdefault(columns[0], {})[columns[-2]] = max(0.0, float(columns[-1]))
    return judged


def _judgement_file(folder: Path, split: str | None) -> Path:
    files = {path.stem: path for path in sorted(folder.glob("qrels/*.tsv"))}
    files |= {path.stem.removeprefix("qrels_"): path for path in folder.glob("qrels_*.tsv")}
    whole = folder / "qrels.tsv"
    wanted = [split] if split else ["dev", "test", *(files if len(files) == 1 else ())]
    found = next((files[each] for each in wanted if each in files), whole)
    if found.exists():
        return found
    there = f" There are {', '.join(sorted(files))}: --split." if files else ""
    raise UsageError(f"{folder} has no judgements of the split {wanted[0]!r}.{there}")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _records(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    path = next(iter(sorted(folder.glob(f"{name}.jsonl*"))), folder / f"{name}.jsonl")
    with path.open("rb") as raw, gzip.open(raw) if path.suffix == ".gz" else raw as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)
