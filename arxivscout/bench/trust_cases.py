"""Cases of `arxivscout bench trust`: answers over stored papers, and questions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arxivscout.errors import UsageError
from arxivscout.papers import Paper


@dataclass(frozen=True, slots=True)
class Case:
    """One answer to be checked, or, without one, a question for the extractive model."""

    id: str
    kind: str  # what is wrong with it; faithful, answerable, unanswerable
    style: str
    question: str
    answer: str | None
    papers: tuple[Paper, ...]
    flagged: bool = False
    ids: frozenset[str] = frozenset()  # those whose citation must be flagged
    refused: bool = False
    any_of: frozenset[str] = frozenset()  # one of these must be cited
    half: str = ""  # "tuned" or "held out"


@dataclass(slots=True)
class Library:
    """The papers that cases name by their ids."""

    papers: dict[str, Paper] = field(default_factory=dict)

    def paper(self, named: str | Mapping[str, Any]) -> Paper:
        """The paper of an id, or of a whole record.

        Raises:
            KeyError: no paper of this id.
            ValueError: a record that is none.
        """
        if isinstance(named, str):
            return self.papers[named]
        return paper_of_record(named)


def paper_of_record(record: Mapping[str, Any]) -> Paper:
    """The paper that a record of the starter collection's form is.

    Raises:
        ValueError: it has no id, title or text.
    """
    values = dict(record)
    summary = values.pop("summary", None)
    paper = Paper.from_metadata(str(values.get("arxiv_id", "")), values)
    if summary:
        paper = Paper.from_metadata(
            paper.arxiv_id, {**paper.to_metadata(), "abstract": summary, "is_summary": True}
        )
    return paper.cleaned()


def load_library(lines: Iterable[str]) -> Library:
    """The papers of JSON lines."""
    papers = (paper_of_record(json.loads(line)) for line in lines if line.strip())
    return Library({paper.arxiv_id: paper for paper in papers})


def load_cases(path: Path, library: Library) -> list[Case]:
    """The cases of a file of JSON lines; those on even lines are the half to tune on.

    Raises:
        UsageError: the file can't be read, or a line is no case.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {error}.", "Name the file with --cases.") from None
    return list(_cases(path, lines, library))


def _cases(path: Path, lines: Iterable[str], library: Library) -> Iterator[Case]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            expect = row["expect"]
            yield Case(
                id=row["id"],
                kind=row["class"],
                style=row.get("style", ""),
                question=row["question"],
                answer=row.get("answer"),
                papers=tuple(library.paper(named) for named in row["papers"]),
                flagged=bool(expect.get("flagged")),
                ids=frozenset(expect.get("ids", ())),
                refused=bool(expect.get("refused")),
                any_of=frozenset(expect.get("any_of", ())),
                half="tuned" if number % 2 == 0 else "held out",
            )
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(
                f"{path}, line {number} is no case: {type(error).__name__} {error}."
            ) from None
