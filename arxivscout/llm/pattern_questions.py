"""Questions of papers and people over several steps, in plain words, as patterns of the graph.

"Papers by authors who worked on jets and cite 0704.0001", "who has worked with Emmy Noether?".
The graph is asked only where one search can't tell: by what authors did besides, and by what cites
what.

Words are told by their class, and read from left to right: a head (papers, people), then clauses,
each begun by a word of its class and ended by the next one that can begin a clause.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from arxivscout.papers import PaperId

MOST_WORDS = 80
MOST_EDGES = 8  # of a pattern

# The classes of words, English and Italian; a word may be of several.
_CLASSES = {
    "lead": "please can could you which what show find list give get name search for are is there "
    "i we want need would like me us all any the some a an only other quali trova mostra mostrami "
    "elenca dammi ci sono tutti gli i le",
    "papers": "paper papers article articles preprint preprints publication publications works "
    "articolo articoli lavori",
    "people": "author authors people researcher researchers scientist scientists those who autore "
    "autori ricercatori chi",
    "who": "who that which whose whom che cui quali",
    "and": "and also , ; e ed anche",
    "have": "have has had been previously ever once both themselves hanno ha",
    "be": "is are was were sono è",
    "by": "by from of da di dei degli dal dagli",
    "on": "on about concerning regarding su sul sulla sui sulle",
    "cite": "cite cites cited citing reference references referenced referencing cita citano "
    "citato citati",
    "ends": "cite cites citing cita citano",
    "do": "work works worked working wrote write writes written publish published publishes "
    "collaborate collaborated study studied studies research researched lavora lavorano lavorato "
    "scritto scrivono pubblicato studiato",
    "with": "with con",
    "article": "the a an my our its his her il la lo le i gli un una del della",
}
_CLASS = {word: set[str]() for words in _CLASSES.values() for word in words.split()}
for _name, _words in _CLASSES.items():
    for _word in _words.split():
        _CLASS[_word].add(_name)
_TOKEN = re.compile(r"\"[^\"]{1,200}\"|“[^”]{1,200}”|[,;]|[^\s,;?!\"“”]+")
_CATEGORY = re.compile(r"[a-z][a-z-]*(?:\.[A-Za-z][A-Za-z-]*)?$")


class _Unread(Exception):
    """The words are no such question."""


@dataclass(slots=True)
class _Reader:
    """Reads the clauses of a question into the edges of a pattern."""

    words: list[str]
    at: int = 0
    edges: list[str] = field(default_factory=list)
    several: bool = False  # whether it asks for more than one search of papers can tell
    named: int = 0

    def is_(self, *classes: str, ahead: int = 0) -> bool:
        place = self.at + ahead
        known = _CLASS.get(self.words[place].lower(), set()) if place < len(self.words) else set()
        return bool(known.intersection(classes))

    def skip(self, *classes: str) -> set[str]:
        """Pass over words of these classes; which ones there were."""
        passed: set[str] = set()
        while self.is_(*classes):
            passed |= _CLASS[self.words[self.at].lower()].intersection(classes)
            self.at += 1
        return passed

    def variable(self, letter: str) -> str:
        self.named += 1
        return f"?{letter}{self.named}"

    def name(self) -> str:
        """The words up to the next clause, as a name in a pattern."""
        self.skip("article")
        start = self.at
        while self.at < len(self.words) and not (self.at > start and self._ends()):
            self.at += 1
        words = " ".join(self.words[start : self.at]).strip(" \"“”,;'")
        if not words:
            raise _Unread
        return quoted(words)

    def _ends(self) -> bool:
        """Whether a clause begins here."""
        if self.is_("ends") or (self.is_("be") and self.is_("cite", "by", "on", ahead=1)):
            return True
        if self.is_("by"):
            after = self.words[self.at + 1 : self.at + 2]
            by_name = self.words[self.at].lower() == "by" and "".join(after)[:1].isupper()
            return by_name or self.is_("people", ahead=1)
        if not self.is_("and", "who"):
            return False
        ahead = 0
        while self.is_("and", "who", "have", "be", ahead=ahead):
            ahead += 1
        return self.is_("cite", "by", "on", "do", ahead=ahead) or self.is_("people", ahead=ahead)

    def papers(self, paper: str) -> None:
        """Clauses on papers, and on their authors."""
        while self.at < len(self.words):
            passed = self.skip("and", "who", "have", "be")
            whose = self.words[self.at - 1].lower() == "whose"
            if self.is_("people") and whose:
                self.at += 1
                self._authors(paper)
            elif self.is_("cite"):
                self._cites(paper, turned="be" in passed or self.is_("by", ahead=1))
            elif self.is_("do") and self.is_("by", ahead=1):
                self.at += 1
            elif self.is_("by"):
                self._by(paper)
            elif self.is_("on"):
                self.at += 1
                self.edges.append(f"{paper} about {self.name()}")
            elif self.words[self.at : self.at + 1] == ["in"]:
                self._category(paper)
            else:
                raise _Unread

    def _by(self, paper: str) -> None:
        self.at += 1
        self.skip("article")
        if self.is_("people"):
            self.at += 1
            self._authors(paper)
        else:
            self.edges.append(f"{paper} written_by {self.name()}")

    def _authors(self, paper: str) -> None:
        """A paper's authors, and what they did besides; what it cites is the paper's again."""
        author = self.variable("a")
        self.edges.append(f"{paper} written_by {author}")
        self.people(author, paper)

    def people(self, author: str, paper: str = "") -> None:
        """Clauses on people; `paper` is one of theirs that is asked for."""
        begun = self.at
        while self.at < len(self.words):
            start = self.at
            self.skip("and", "who", "have", "be")
            if self.is_("do"):
                self._did(author)
            elif self.is_("cite") and not paper:
                other = self.variable("p")
                self.edges.append(f"{other} written_by {author}")
                self._cites(other, turned=False)
            elif paper and self.at > begun:
                self.at = start
                return
            elif self.is_("on") and self.several:
                self._on(author)
            else:
                raise _Unread
        if self.at == begun:
            raise _Unread

    def _did(self, author: str) -> None:
        self.several = True
        studied = self.words[self.at].lower().startswith(("stud", "research"))
        self.at += 1
        self.skip("papers", "article")
        if self.is_("with"):
            self.at += 1
            other = self.variable("p")
            self.edges += [f"{other} written_by {author}", f"{other} written_by {self.name()}"]
        elif studied or self.is_("on") or self.words[self.at : self.at + 1] == ["in"]:
            self._on(author, begun=studied)
        else:
            raise _Unread

    def _on(self, author: str, *, begun: bool = False) -> None:
        """A topic that somebody has a paper about."""
        self.at += not begun
        other = self.variable("p")
        self.edges += [f"{other} written_by {author}", f"{other} about {self.name()}"]

    def _cites(self, paper: str, *, turned: bool) -> None:
        self.several = True
        self.at += 1
        if turned and not self.is_("by") and self.words[self.at : self.at + 1] != ["in"]:
            raise _Unread
        self.at += turned
        other = self._cited()
        self.edges.append(f"{other} cites {paper}" if turned else f"{paper} cites {other}")

    def _cited(self) -> str:
        """A paper by its id, one by its author or its words, or by what it is about."""
        self.skip("article")
        if not self.is_("papers"):
            named = self.name()
            if _is_paper(named):
                return named
            other = self.variable("p")
            self.edges.append(f"{other} about {named}")
            return other
        other = self.variable("p")
        self.at += 1
        if not self.is_("by", "on"):
            raise _Unread
        predicate = "written_by" if self.is_("by") else "about"
        self.at += 1
        self.edges.append(f"{other} {predicate} {self.name()}")
        return other

    def _category(self, paper: str) -> None:
        self.at += 1
        if not _CATEGORY.match(self.words[self.at] if self.at < len(self.words) else ""):
            raise _Unread
        self.edges.append(f'{paper} in_category "{self.words[self.at]}"')
        self.at += 1


def quoted(name: str) -> str:
    """A name as it stands in a pattern."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def papers_pattern(question: str) -> tuple[str, str] | None:
    """The pattern that the question asks for, and which variable is asked for; None if no such."""
    words = _TOKEN.findall(question.rstrip(" .?!"))
    if len(words) > MOST_WORDS:
        return None
    reader = _Reader(words)
    while reader.is_("lead") and not reader.is_("papers", "people"):
        reader.at += 1
    wanted = "paper" if reader.is_("papers") else "author"
    try:
        if reader.is_("papers"):
            reader.at += 1
            reader.papers("?paper")
        elif reader.is_("people"):
            reader.at += 1
            reader.people("?author")
    except _Unread:
        return None
    if not reader.several or len(reader.edges) > MOST_EDGES:
        return None
    return "; ".join(reader.edges), wanted


def _is_paper(named: str) -> bool:
    try:
        PaperId.parse(named.strip('"'))
    except ValueError:
        return False
    return True
