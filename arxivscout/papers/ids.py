"""arXiv ids: what one is, and where free text names one.

Source of the rules: arXiv's "Understanding the arXiv identifier"
(https://info.arxiv.org/help/arxiv_identifier.html).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# Archives that gave out ids until March 2007; math.GT/0309136 is another name of math/0309136.
OLD_ARCHIVES = frozenset(
    """
    acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas
    cond-mat cs dg-ga funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin nucl-ex
    nucl-th patt-sol physics plasm-ph q-alg q-bio quant-ph solv-int supr-con
    """.split()
)

_PAGE = r"arxiv\.org/(?:abs|pdf|html|format|ps|src|e-print)/+"
_URL = re.compile(rf"(?:https?://)?(?:[a-z0-9-]+\.)*{_PAGE}", re.IGNORECASE)
_DOI = re.compile(r"(?:(?:https?://)?(?:dx\.)?doi\.org/|doi:\s*)?10\.48550/arxiv\.", re.IGNORECASE)
_LABEL = re.compile(r"arxiv\s*:\s*", re.IGNORECASE)
_CLASS_STAMP = re.compile(r"\s+\[[A-Za-z-]+(?:\.[A-Za-z-]+)?(?:\](?:\s.*)?)?$", re.DOTALL)
_NEW = re.compile(r"([0-9]{2})([0-9]{2})\.([0-9]{4,5})(?:v([0-9]+))?", re.IGNORECASE)
_OLD = re.compile(
    r"([a-z]+(?:-[a-z]+)?)(?:\.[a-z]{2,}(?:-[a-z]+)?)?/"
    r"([0-9]{2})([0-9]{2})([0-9]{3})(?:v([0-9]+))?",
    re.IGNORECASE,
)
# In free text a bare number must stand alone: no part of a DOI, an address or a longer number.
_MENTION = re.compile(
    rf"(?:{_PAGE}|10\.48550/arxiv\.|{_LABEL.pattern}|(?<![\w./$€£~-]))"
    rf"(?P<id>{_NEW.pattern}|{_OLD.pattern})(?![\w-]|\.[0-9])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PaperId:
    """One paper on arXiv: `value` such as 0712.2288 or hep-th/9901001.

    `version` None means the newest.
    """

    value: str
    version: int | None = None

    @classmethod
    def parse(cls, text: str) -> PaperId:
        """The id that `text` is: an id, `arXiv:` and an id, an arxiv.org address, arXiv's DOI.

        Raises:
            ValueError: it is none; the message says why, in one line.
        """
        shown = ascii(text[:60])
        bare = _unwrap(text)
        if not bare:
            raise ValueError(f"{shown} is no arXiv id: it is empty")
        if match := _NEW.fullmatch(bare):
            return cls._new(shown, *match.groups())
        if match := _OLD.fullmatch(bare):
            return cls._old(shown, *match.groups())
        if re.fullmatch(r"[0-9]{7}(?:v[0-9]+)?", bare):
            reason = "an id of before April 2007 needs its archive, as in hep-th/9901001"
        elif re.fullmatch(r"[0-9]{3}\.[0-9]{1,5}|[0-9]{4}\.[0-9]{1,3}", bare):
            reason = "digits are missing (was it read as a decimal number?)"
        else:
            reason = "ids look like 0712.2288, 1501.00001v2 or hep-th/9901001"
        raise ValueError(f"{shown} is no arXiv id: {reason}")

    @classmethod
    def _new(cls, shown: str, year: str, month: str, number: str, version: str | None) -> PaperId:
        _check_month(shown, month)
        if not "0704" <= year + month <= "9012":
            raise ValueError(f"{shown} is no arXiv id: ids of this form begin in April 2007")
        digits = 4 if year + month < "1501" else 5
        if len(number) != digits:
            raise ValueError(
                f"{shown} is no arXiv id: in {month}/20{year} the number has {digits} digits"
            )
        if not int(number):
            raise ValueError(f"{shown} is no arXiv id: numbers begin at 1")
        return cls(f"{year}{month}.{number}", _version(shown, version))

    @classmethod
    def _old(
        cls, shown: str, archive: str, year: str, month: str, number: str, version: str | None
    ) -> PaperId:
        archive = archive.lower()
        if archive not in OLD_ARCHIVES:
            raise ValueError(f"{shown} is no arXiv id: arXiv has no archive {archive!r}")
        _check_month(shown, month)
        century = "19" if year >= "91" else "20"
        if not "199107" <= century + year + month <= "200703":
            raise ValueError(
                f"{shown} is no arXiv id: ids of this form are of July 1991 to March 2007"
            )
        if not int(number):
            raise ValueError(f"{shown} is no arXiv id: numbers begin at 1")
        return cls(f"{archive}/{year}{month}{number}", _version(shown, version))

    @property
    def url(self) -> str:
        """The address of the paper's page, newest version."""
        return f"https://arxiv.org/abs/{self.value}"

    @property
    def month(self) -> str:
        """The month it was announced in, `YYYY-MM`; every id carries it."""
        digits = self.value.rpartition("/")[2]
        century = "19" if "/" in self.value and digits[:2] >= "91" else "20"
        return f"{century}{digits[:2]}-{digits[2:4]}"

    def __str__(self) -> str:
        return self.value if self.version is None else f"{self.value}v{self.version}"


def find_paper_ids(text: str) -> list[PaperId]:
    """The papers that free text mentions, each once, in order of first mention."""
    found: dict[str, PaperId] = {}
    for match in _MENTION.finditer(text):
        try:
            paper_id = PaperId.parse(match["id"])
        except ValueError:
            continue  # a number that only looks like one, such as 3141.5926
        found.setdefault(paper_id.value, paper_id)
    return list(found.values())


def _unwrap(text: str) -> str:
    text = text[:500].strip().strip("<>()[]{}\"'`“”‘’«»,;:.!?").strip()
    if match := _URL.match(text):
        text = re.split(r"[?#]", text[match.end() :], maxsplit=1)[0].rstrip("/.,;:)]>")
        return re.sub(r"\.(?:pdf|ps|ps\.gz|html?)$", "", text, flags=re.IGNORECASE)
    for wrapping in (_DOI, _LABEL):
        if match := wrapping.match(text):
            text = text[match.end() :]
            break
    return _CLASS_STAMP.sub("", text).strip()


def _check_month(shown: str, month: str) -> None:
    if not "01" <= month <= "12":
        raise ValueError(f"{shown} is no arXiv id: there is no month {month}")


def _version(shown: str, version: str | None) -> int | None:
    if version is None:
        return None
    if not re.fullmatch(r"[1-9][0-9]{0,2}", version):
        raise ValueError(f"{shown} is no arXiv id: there is no version v{version[:10]}")
    return int(version)
