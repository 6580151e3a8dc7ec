"""What every format says of a paper beside title and authors."""

from __future__ import annotations

from dataclasses import dataclass

from arxivscout.papers.record import Paper


@dataclass(frozen=True, slots=True)
class Own:
    """What a person adds to a paper's record: tags, a note, how far they are, whether they want it
    still."""

    tags: tuple[str, ...] = ()
    note: str = ""  # may have several lines
    read: str = ""  # "reading" or "read"
    wanted: bool = False  # not held: the record has no more than an id, and perhaps a title


NOTHING = Own()


def doi_of(paper: Paper) -> str:
    """The publisher's DOI, else the one that arXiv gives each of its papers."""
    return paper.doi.split()[0] if paper.doi else f"10.48550/arXiv.{paper.arxiv_id}"


def date_parts(paper: Paper) -> list[int]:
    """Year, month and day of the first version, as far as they are known."""
    return [int(part) for part in (paper.published or "").split("-") if part]


def remark(paper: Paper) -> str:
    """What whoever cites it must know: that it is withdrawn; and the version that is meant."""
    withdrawn = "Withdrawn." if paper.withdrawn else ""
    version = f"Version {paper.version}." if paper.version else ""
    return f"{withdrawn} {version}".strip()
