"""The sentences in which what was said is told back, in English and Italian."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from arxivscout.statements.bearing import Said

# A date that was put behind what names a day ("yesterday (2026-11-30)"): it is not quoted.
_DATED = re.compile(r" \(((?:week of )?\d{4}(?:-\d\d){0,2})\)")
# "Its speed" is why, but no clause.
_NO_CLAUSE = re.compile(
    r"(?:its|my|our|the|their|his|her)(?: (?!(?:is|are|was|were|has|have|had|does|did|can|could"
    r"|will|would|should|must|may|might|keeps?|needs?|wants?|gives?|takes?|makes?|runs?|works?"
    r"|\w+(?<!e)ed|went|broke|failed|got|left|ran|crashe?s?|costs?|lacks?|supports?|uses?)\b)[\w'’-]+){1,3}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of one language around what is quoted."""

    yes_word: str
    no_word: str
    said: str
    until: str
    thread: str
    after: str
    because_word: str
    since_word: str
    on_word: str
    unreasoned: str
    untold: str
    of_it: str
    nothing: str

    def yes(self, said: Sequence[Said]) -> str:
        return f"{self.yes_word}: {self.quoted(said)}"

    def no(self, said: Sequence[Said]) -> str:
        return f"{self.no_word}: {self.quoted(said)}"

    def plain(self, said: Sequence[Said]) -> str:
        text = self.quoted(said)
        return text[:1].upper() + text[1:]

    def value(self, values: Sequence[str], said: Sequence[Said]) -> str:
        """The thing itself, then the words for it."""
        if not values:
            return self.plain(said)
        first = "; ".join(values)
        return f"{first[:1].upper()}{first[1:]}: {self.quoted(said)}"

    def because(self, reason: str, said: Said) -> str:
        reason = reason.strip(" .")
        of = " of" if self is ENGLISH and _NO_CLAUSE.fullmatch(reason) else ""
        return f"{self.because_word}{of} {reason}. {self.plain([said])}"

    def since(self, day: str, said: Said) -> str:
        return f"{self.since_word} {day}: {self.quoted([said])}"

    def on(self, day: str, said: Said) -> str:
        return f"{self.on_word.format(day)} {self.quoted([said])}"

    def no_reason(self, said: Sequence[Said]) -> str:
        return f"{self.unreasoned} {self.plain(said)}"

    def nearby(self, said: Sequence[Said]) -> str:
        """What names the thing, but says something else of it; "" of nothing."""
        return f"{self.untold} {self.of_it} {self.quoted(said)}" if said else ""

    def quoted(self, said: Sequence[Said]) -> str:
        """“…” (day, thread), each on its line where they are several."""
        each = [self._one(one) for one in said]
        if len(each) == 1:
            return f"{self.said} {each[0]}."
        return "\n".join([f"{self.said}:", *(f"- {one}" for one in each)])

    def _one(self, said: Said) -> str:
        where = [str(said.since)]
        if said.until:
            where.append(f"{self.until} {said.until}")
        if said.thread:
            where.append(f"{self.thread} “{said.thread}”")
        words = _DATED.sub(r" [\1]", said.text.strip(" ."))
        quoted = f"“{words}” ({', '.join(where)})"
        if said.until and said.next:
            quoted += f", {self.after} “{said.next.strip(' .')}”"
        return quoted


ENGLISH = Wording(
    yes_word="Yes",
    no_word="No",
    said="you said",
    until="until",
    thread="thread",
    after="then",
    because_word="Because",
    since_word="Since",
    on_word="On {}:",
    unreasoned="You did not say why.",
    untold="You have not told me that.",
    of_it="Of it",
    nothing="You have told me nothing on that. If you look for papers, “What is known about …?” "
    "finds them.",
)
ITALIAN = Wording(
    yes_word="Sì",
    no_word="No",
    said="hai detto",
    until="fino al",
    thread="conversazione",
    after="poi",
    because_word="Perché",
    since_word="Dal",
    on_word="Il {}:",
    unreasoned="Non hai detto perché.",
    untold="Questo non me l'hai detto.",
    of_it="In proposito",
    nothing="Non mi hai detto niente in proposito. Se cerchi articoli: “Cosa si sa di …?”.",
)
