"""A stored paper as answers are compared with it: its text and its bibliographic facts.

Its text is the abstract, and beside it such passages of its full text as may bear on the answer. A
claim is laid beside the abstract or one passage, never beside all of them together: some page of a
paper has nearly every word and many numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from arxivscout.checking.numbers import Number, find_numbers
from arxivscout.checking.plain import plain
from arxivscout.checking.quotes import QuoteIndex
from arxivscout.llm.terms import content_terms, overlap
from arxivscout.papers import Paper, fold_accents, one_line
from arxivscout.papers.passages import Passage
from arxivscout.papers.sentences import split_sentences

LONGEST_TEXT = 20_000  # characters of a stored text that are looked at
FOLLOWED = 0.5  # share of a claim's terms from which an excerpt's numbers may be meant
MOST_FOLLOWED = 2  # excerpts
_MONTHS = tuple(
    "january february march april may june july august september october november december gennaio "
    "febbraio marzo aprile maggio giugno luglio agosto settembre ottobre dicembre januar februar "
    "märz juni juli oktober dezember".split()
)
_JOURNAL_WORD = re.compile(r"[^\W\d_]{3,}")
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(eq=False)
class Source:
    """One stored paper; `excerpts` are the passages of its full text that are looked at."""

    paper: Paper
    excerpts: tuple[Passage, ...] = ()

    @cached_property
    def passages(self) -> tuple[str, ...]:
        """The sentences of abstract and excerpts as they stand, the title last."""
        cut = [each.strip() for each in split_sentences(self.paper.abstract[:LONGEST_TEXT])]
        return (*filter(None, cut), *self._excerpt_of, self.paper.title)

    @cached_property
    def _excerpt_of(self) -> dict[str, tuple[Passage, int]]:
        """The sentences of the excerpts in one line each: the first excerpt that has it, and where.

        A place is in characters of its text.
        """
        found: dict[str, tuple[Passage, int]] = {}
        for excerpt in self.excerpts:
            place = 0
            for sentence in split_sentences(excerpt.text[:LONGEST_TEXT]):
                found.setdefault(one_line(sentence), (excerpt, place))
                place += len(sentence)
        found.pop("", None)
        return found

    def excerpt_with(self, passage: str) -> tuple[Passage, int] | None:
        """The excerpt that one of `passages` stands in, and where; None for the abstract's."""
        return None if passage in self.paper.abstract else self._excerpt_of.get(passage)

    def text_around(self, passage: str) -> str:
        """What one of `passages` stands in, plain: the abstract with the title, or an excerpt."""
        found = self.excerpt_with(passage)
        return self.text if found is None else plain(found[0].text)

    @cached_property
    def passage_terms(self) -> tuple[frozenset[str], ...]:
        """The content terms of each passage."""
        return tuple(frozenset(content_terms(plain(passage))) for passage in self.passages)

    @cached_property
    def terms(self) -> frozenset[str]:
        """The content terms of text and facts."""
        return frozenset(content_terms(f"{self.text} {self._facts}"))

    @cached_property
    def excerpt_terms(self) -> tuple[frozenset[str], ...]:
        """The content terms of each excerpt, with those of title and headings."""
        return tuple(
            frozenset(content_terms(plain(". ".join((self.paper.title, *e.path, e.text)))))
            for e in self.excerpts
        )

    @cached_property
    def phrases(self) -> tuple[str, ...]:
        """What the record calls the paper and where it appeared, plain: title, journal."""
        return tuple(plain(each) for each in (self.paper.title, self.paper.journal_ref) if each)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of title, abstract and excerpts, accents folded, small."""
        return frozenset(_WORD.findall(fold_accents(self.whole_text).casefold()))

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """The numbers of title and abstract."""
        return tuple(find_numbers(self.text))

    def numbers_beside(self, claim: str) -> tuple[Number, ...]:
        """The numbers of the text, and those of excerpts and record that `claim` may speak of.

        Of the excerpts those that it follows. Years and the count of authors always; days, pages
        and volumes only where the claim has the words for them, or else any small number would
        occur somewhere.
        """
        paper, said = self.paper, claim.casefold()
        facts = [f"{len(paper.authors)} authors" if paper.authors else ""]
        named = takewhile(lambda name: name.casefold() in said, paper.authors)
        if "more" in said and (count := len(list(named))):  # "A, B and 19 more"
            facts.append(f"{len(paper.authors) - count} more")
        for day in filter(None, (paper.published, paper.updated)):
            facts.append(f"in {day[:4]}")
            if any(month in said for month in _MONTHS) or day in claim:
                facts += day.split("-")[1:]
        journal = paper.journal_ref or ""
        if any(word.casefold() in said for word in _JOURNAL_WORD.findall(journal)):
            facts.append(journal)
        if any(word in said for word in ("page", "figure", "table", "version")):
            facts += [paper.comments or "", f"version {paper.version or ''}"]
        of_record = find_numbers(plain(". ".join(filter(None, facts))))
        return (*self.numbers, *of_record, *self._numbers_of_excerpts(claim))

    def _numbers_of_excerpts(self, claim: str) -> list[Number]:
        terms = content_terms(plain(claim))
        followed = sorted(
            (
                (share, excerpt.text)
                for excerpt, having in zip(self.excerpts, self.excerpt_terms, strict=True)
                if (share := overlap(terms, having)) >= FOLLOWED
            ),
            reverse=True,
        )
        return [n for _, text in followed[:MOST_FOLLOWED] for n in find_numbers(plain(text))]

    @cached_property
    def quotable(self) -> QuoteIndex:
        """Where quotations are looked for."""
        excerpts = " ".join(excerpt.text for excerpt in self.excerpts)
        return QuoteIndex(
            f"{self.paper.title}. {self.paper.abstract} {self.paper.comments or ''} {excerpts}"
        )

    @cached_property
    def text(self) -> str:
        """Title and abstract, plain."""
        return plain(f"{self.paper.title}. {self.paper.abstract}"[:LONGEST_TEXT])

    @cached_property
    def whole_text(self) -> str:
        """Title, abstract and excerpts, plain."""
        return " ".join([self.text, *(plain(excerpt.text) for excerpt in self.excerpts)])

    @cached_property
    def _facts(self) -> str:
        """Dates, authors, categories and where it appeared, in words."""
        paper = self.paper
        dates = " ".join(
            part for day in (paper.published, paper.updated) if day for part in day.split("-")
        )
        count = f"{len(paper.authors)} authors" if paper.authors else ""
        facts = (
            dates, count, ", ".join(paper.authors[:200]), paper.subjects, paper.journal_ref or "",
            paper.comments or "", f"version {paper.version}" if paper.version else "",
        )  # fmt: skip
        return plain(". ".join(fact for fact in facts if fact))
