"""Cases made by rule from real abstracts: a sentence quoted, and what can go wrong in quoting it.

Of each abstract: a true quotation, a sentence with a number changed, a quotation with a word
changed, and a sentence under the id of another paper. The seed is fixed: two runs are of the same.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arxivscout.bench.trust_cases import Case
from arxivscout.errors import UsageError
from arxivscout.papers import Paper, clean_text
from arxivscout.papers.sentences import split_sentences

FILE = Path("arxiv_meta") / "core_25k.jsonl.gz"
SEED = 20_240_229
# A number that stands by itself; what hangs on letters or carets may be a part of a name.
_NUMBER = re.compile(r"(?<![\w.,^_{\\/(-])(\d{1,4})(\.\d+)?(?![\w.,^}/-]*[\d^}])(?=[\s,.;%)\\]|$)")
_WORD = re.compile(r"(?<=\s)[a-z]{6,}(?=\s)")
_CHANGED = "banana orchestra umbrella marmalade corridor penguin".split()


def mechanical_cases(data: Path, papers: int = 200) -> Iterator[Case]:
    """Cases of `papers` abstracts of the records in the folder `data`.

    Raises:
        UsageError: the records are not there.
    """
    chance = random.Random(SEED)
    held = list(_papers(data))
    chosen = chance.sample(held, min(papers, len(held)))
    for number, paper in enumerate(chosen):
        sentences = [
            sentence
            for each in split_sentences(paper.abstract)
            if 60 <= len(sentence := each.strip()) <= 400 and '"' not in sentence
        ]
        if not sentences:
            continue
        said = chance.choice(sentences)
        other = chosen[number - 1]
        cite = f"[arXiv:{paper.arxiv_id}]"
        yield _case("quoted", paper, f"As the paper says, “{said}” {cite}")
        yield _case("told", paper, f"{said} {cite}")
        if changed := _other_number(paper, sentences, chance):
            yield _case("number changed", paper, f"{changed} {cite}", flagged=True)
        if changed := _other_word(said, chance):
            text = f"As the paper says, “{changed}” {cite}"
            yield _case("word of a quotation changed", paper, text, flagged=True)
        text = f"{said} [arXiv:{other.arxiv_id}]"
        yield _case("under another id", other, text, flagged=True)


def _case(kind: str, paper: Paper, answer: str, *, flagged: bool = False) -> Case:
    ids = frozenset([paper.arxiv_id]) if flagged else frozenset()
    return Case(
        f"{kind} {paper.arxiv_id}", kind, "", "What is known?", answer, (paper,), flagged, ids
    )


def _other_number(paper: Paper, sentences: list[str], chance: random.Random) -> str | None:
    """A sentence with one number made another that the abstract does not have."""
    for sentence in chance.sample(sentences, len(sentences)):
        if found := _NUMBER.search(sentence):
            for _ in range(20):
                new = str(
                    int(found[1]) + chance.choice((-1, 1)) * chance.randint(1, 9) * _tens(found[1])
                )
                if int(new) > 0 and new not in paper.abstract:
                    return sentence[: found.start(1)] + new + sentence[found.end(1) :]
    return None


def _tens(digits: str) -> int:
    return int(10 ** max(0, len(digits) - 2)) + (len(digits) > 1)


def _other_word(sentence: str, chance: random.Random) -> str | None:
    """The sentence with one long word replaced."""
    words = list(_WORD.finditer(sentence))
    if not words:
        return None
    found = chance.choice(words)
    return sentence[: found.start()] + chance.choice(_CHANGED) + sentence[found.end() :]


def _papers(data: Path) -> Iterator[Paper]:
    path = data / FILE
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                paper = _paper(json.loads(line))
                if paper:
                    yield paper
    except (OSError, EOFError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise UsageError(
            f"{path} can't be read: {error}.", "Name its folder with --data."
        ) from None


def _paper(record: dict[str, Any]) -> Paper | None:
    if record.get("withdrawn") or not record.get("abstract"):
        return None
    paper = Paper.from_metadata(
        record["arxiv_id"], {**record, "abstract": clean_text(record["abstract"])}
    )
    try:
        return paper.cleaned()
    except ValueError:
        return None
