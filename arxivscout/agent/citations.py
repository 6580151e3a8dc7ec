"""Citations are checked while the answer streams: no id reaches the screen that is not real.

Text is held back only while a citation may be in the making: inside a bracket that opens one, and
inside a word that looks like an id.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from arxivscout.papers import CITATION, cited_paper, cited_texts, is_labelled

_LAST_WORD = re.compile(r"(?:\barXiv\s*:?\s+(?:preprint\s+)?|\bdoi:\s+)?\S{0,120}\Z", re.IGNORECASE)
_OPEN_BRACKET = re.compile(r"\[[^\[\]\n]{0,240}\Z")


class CitationGuard:
    """Takes the model's text piece by piece and gives back what may be shown.

    Args:
        is_known: says whether a paper with this id is stored or among the turn's evidence.
        mentioned: ids that the person named or a tool failed on; where they are not known they
            may be repeated all the same, but not in a citation's brackets.
    """

    def __init__(self, is_known: Callable[[str], bool], mentioned: frozenset[str]) -> None:
        self._is_known = is_known
        self._mentioned = mentioned
        self._held = ""
        self.cited: list[str] = []  # in order of appearance, each once
        self.removed: list[str] = []
        self.versions: dict[str, int] = {}  # of those cited, where the model named one
        self.text = ""  # all that was given back

    def feed(self, piece: str) -> str:
        """The part of the text so far that is complete and checked; '' while it is held back."""
        self._held += piece
        word = _LAST_WORD.search(self._held)
        end = word.start() if word else len(self._held)
        if bracket := _OPEN_BRACKET.search(self._held[:end]):
            end = bracket.start()
        complete, self._held = self._held[:end], self._held[end:]
        return self._give(complete)

    def finish(self) -> str:
        """What is left at the end of the answer."""
        rest, self._held = self._held, ""
        return self._give(rest)

    def restart(self) -> None:
        """Forget what was fed so far: the model begins its answer again."""
        self._held, self.text, self.cited, self.removed = "", "", [], []
        self.versions = {}

    def _give(self, text: str) -> str:
        if text:
            text = CITATION.sub(self._checked, text)
            self.text += text
        return text

    def _checked(self, match: re.Match[str]) -> str:
        texts = cited_texts(match)
        if not is_labelled(match) and not all(map(cited_paper, texts)):
            return match[0]  # a decimal number
        if match["bracket"]:
            kept = dict.fromkeys(filter(None, map(self._known, texts)))
            return " ".join(f"[arXiv:{paper}]" for paper in kept)
        paper = cited_paper(texts[0])
        if paper and paper.value in self._mentioned and not self._is_known(paper.value):
            return match[0]
        if self._known(texts[0]):
            return match[0]
        before = match.string[: match.start()] or self.text
        told = "an id that is not stored was taken out here"
        return told if before.endswith(("(", "[")) else f"({told})"

    def _known(self, text: str) -> str | None:
        paper = cited_paper(text)
        if paper and self._is_known(paper.value):
            if paper.value not in self.cited:
                self.cited.append(paper.value)
            if paper.version:
                self.versions.setdefault(paper.value, paper.version)
            return paper.value
        if text.strip() and text.strip() not in self.removed:
            self.removed.append(text.strip())
        return None
