"""What an answer says, piece by piece, and which papers each piece cites.

A piece is a sentence, a bullet, a table's row, a heading or a block quote. A sentence without a
citation leans on those of its paragraph, and a bullet on the line that introduces the list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from arxivscout.papers import CITATION, cited_paper, cited_texts
from arxivscout.papers.sentences import split_sentences

Form = Literal["sentence", "bullet", "row", "heading", "quote"]

# A link's text is a part of the sentence; parentheses around a citation are not.
_LINK = re.compile(
    rf"\(?\[(?P<linked>[^\[\]\n]{{1,300}})\]\((?P<target>{CITATION.pattern})\)\)?", re.I
)
_AROUND = re.compile(rf"\(?(?P<citation>{CITATION.pattern})\)?(?:\(https?://[^()\s]*\))?", re.I)
# Stands for a citation while sentences are cut; private use, so that no text has it.
_MARK = re.compile("\\[\ue000(\\d+)\ue001\\]")
_NO_MARKS = str.maketrans(dict.fromkeys("\ue000\ue001"))
# Possessive, here and in `names`: an answer may be made to let a pattern try all ways to match.
_LEADING = re.compile("(?:\\s*+\\[\ue000\\d++\ue001\\][\\s,;]*+)++")
_BULLET = re.compile(r"\s*(?:[-*+•–]|\(?\d{1,2}[.)]|\(?[a-h]\))\s+(?=\S)")
_RULE = re.compile(r"[\s:|-]++")  # of a table, where it has two dashes
_HEADING = re.compile(r"\s*#{1,6}\s+|\s*\*\*[^*]+\*\*:?\s*(?:\[\ue000\d+\ue001\]\s*)*$")
_EMPHASIS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|`")
LONGEST_CLAIM = 2_000  # characters; what has no end is cut at a blank, and all of it is checked
_ENDED = re.compile("[.!?:…。]['\"”’»)\\]]*\\s*$|\ue001\\]\\s*$")


@dataclass(frozen=True, slots=True)
class Claim:
    """One piece of the answer, without citations and Markdown.

    `cited`: the papers it cites itself; `parts`: its text up to each citation, with that one's
    papers; `leans_on`: the papers it may rest on when it cites none.
    """

    text: str
    cited: tuple[str, ...] = ()
    parts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    form: Form = "sentence"
    leans_on: tuple[str, ...] = ()


@dataclass(slots=True)
class _Block:
    form: Form
    text: str
    level: int = 0
    header: list[str] = field(default_factory=list)


def find_claims(answer: str) -> list[Claim]:
    """The claims of an answer in Markdown, in order; nothing without words or a citation is one."""
    groups: list[tuple[str, ...]] = []
    answer = answer.translate(_NO_MARKS)
    marked = _LINK.sub(lambda found: f"{found['linked']} {_marked(found, groups)}", answer)
    marked = _AROUND.sub(lambda found: _marked(found, groups), marked)
    claims: list[Claim] = []
    introduced: tuple[str, ...] = ()  # the papers of the line above a list
    for block in _blocks(marked):
        if block.form == "row":
            claims += _row(block, groups)
            continue
        pieces = _sentences(block.text)
        own = [_claim(piece, block.form, groups) for piece in pieces]
        cited = tuple(dict.fromkeys(paper for claim in own for paper in claim.cited))
        if block.form in ("bullet", "quote"):
            leans = cited or introduced
        else:
            leans = cited
            ends_open = block.text.rstrip().endswith(":") or block.form == "heading"
            introduced = cited if cited and (ends_open or block.form == "heading") else ()
            if block.form == "sentence" and not cited and not ends_open:
                introduced = ()
        claims += [
            claim if claim.cited else replace(claim, leans_on=leans)
            for claim in own
            if claim.text or claim.cited
        ]
    return claims


def _marked(found: re.Match[str], groups: list[tuple[str, ...]]) -> str:
    named = [paper.value for text in cited_texts(found) if (paper := cited_paper(text))]
    if not named:
        return found[0]
    groups.append(tuple(dict.fromkeys(named)))
    return f" [\ue000{len(groups) - 1}\ue001]"


def _blocks(text: str) -> Iterator[_Block]:
    paragraph: list[str] = []
    header: list[str] = []
    fenced = False

    def flush() -> Iterator[_Block]:
        if paragraph:
            yield _Block("sentence", " ".join(paragraph))
            paragraph.clear()

    for line in [*text.split("\n"), ""]:
        if line.lstrip().startswith("```"):
            fenced = not fenced
            continue
        if fenced:
            continue
        stripped = line.strip()
        if stripped.startswith("|") or (stripped.count("|") >= 2 and header):
            yield from flush()
            if "--" in line and _RULE.fullmatch(line):
                continue
            cells = [cell.strip() for cell in stripped.strip("|").split("|")]
            if not header:
                header = cells
                if not any(_MARK.search(cell) for cell in cells):
                    continue
            yield _Block("row", "\n".join(cells), header=header)
            continue
        header = []
        if not stripped:
            yield from flush()
        elif _HEADING.match(line):
            yield from flush()
            yield _Block("heading", re.sub(r"^\s*#{1,6}\s+", "", line).strip())
        elif stripped.startswith(">"):
            yield from flush()
            yield _Block("quote", stripped.lstrip("> "))
        elif found := _BULLET.match(line):
            yield from flush()
            yield _Block("bullet", line[found.end() :])
        elif paragraph and (_ENDED.search(paragraph[-1]) or not stripped[0].islower()):
            if not _LEADING.fullmatch(stripped):
                yield from flush()
            paragraph.append(stripped)
        else:
            paragraph.append(stripped)


def _sentences(text: str) -> list[str]:
    """The sentences of a block; a citation behind a full stop belongs to what it follows."""
    sentences: list[str] = []
    for piece in split_sentences(text):
        leading = _LEADING.match(piece)
        if leading and sentences:
            rest = piece[leading.end() :]
            if not rest.strip() or not rest.lstrip()[0].islower():
                sentences[-1] += leading[0]
                piece = rest.lstrip(" .;,")
        if piece.strip():
            sentences.append(piece)
    return [part for sentence in sentences for part in _cut(sentence)]


def _cut(text: str) -> Iterator[str]:
    """`text`, in parts that are no longer than a claim may be."""
    while len(text) > LONGEST_CLAIM:
        end = text.rfind(" ", LONGEST_CLAIM // 2, LONGEST_CLAIM)
        end = end if end > 0 else LONGEST_CLAIM
        yield text[:end]
        text = text[end:]
    if text.strip():
        yield text


def _claim(text: str, form: Form, groups: Sequence[tuple[str, ...]]) -> Claim:
    parts: list[tuple[str, tuple[str, ...]]] = []
    at = 0
    for found in _MARK.finditer(text):
        said, papers = _plain(text[at : found.start()]), groups[int(found[1])]
        if parts and not re.search(r"\w", said):  # "[…] […]": one group
            parts[-1] = (parts[-1][0], tuple(dict.fromkeys((*parts[-1][1], *papers))))
        else:
            parts.append((said, papers))
        at = found.end()
    rest = _plain(text[at:])
    if parts and re.search(r"\w", rest):
        parts[-1] = (f"{parts[-1][0]} {rest}".strip(), parts[-1][1])
    cited = tuple(dict.fromkeys(paper for _, papers in parts for paper in papers))
    return Claim(_plain(_MARK.sub(" ", text)), cited, tuple(parts), form)


def _row(block: _Block, groups: Sequence[tuple[str, ...]]) -> list[Claim]:
    """A table's row: of one paper where the row cites it, else of the papers of its columns."""
    cells = block.text.split("\n")
    own = [papers for cell in cells for papers in _cited_in(cell, groups)]
    if own or cells is block.header:
        text = "; ".join(plain for cell in cells if (plain := _plain(_MARK.sub(" ", cell))))
        text = text[:LONGEST_CLAIM]
        cited = tuple(dict.fromkeys(paper for papers in own for paper in papers))
        if cells == block.header:
            return [
                _claim(cell, "row", groups) for cell in cells if _MARK.search(cell)
            ]  # a header names its columns' papers
        return [Claim(text, cited, ((text, cited),), "row")]
    claims = []
    for cell, head in zip(cells, block.header, strict=False):
        papers = tuple(paper for found in _cited_in(head, groups) for paper in found)
        if papers and (text := _plain(cell)[:LONGEST_CLAIM]):
            claims.append(Claim(text, papers, ((text, papers),), "row"))
    return claims or [Claim(_plain("; ".join(cells))[:LONGEST_CLAIM], form="row")]


def _cited_in(text: str, groups: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return [groups[int(found[1])] for found in _MARK.finditer(text)]


def _plain(text: str) -> str:
    text = _MARK.sub(" ", text)
    text = re.sub(r"!?\[([^\[\]]*)\]\([^()\s]*\)", r"\1", text)
    text = re.sub(r"\s+", " ", _EMPHASIS.sub("", text))
    text = re.sub(r"\(\s*[,;]?\s*\)|\[\s*\]", "", text)
    return re.sub(r"\s+([.,;:!?])", r"\1", text).strip(" ,;")
