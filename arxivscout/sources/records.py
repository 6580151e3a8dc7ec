"""One record of any of the known shapes → `Paper`: the boundary where foreign text is cleaned.

Known are our own fields, those of the Kaggle arXiv snapshot (`id`, `authors_parsed`, `versions` …),
of the Hugging Face set nick007x/arxiv-papers (`arxiv_id`, `primary_subject`, `submission_date` …)
and of arXiv's API (`summary`, `comment`). Keys are compared in lower case with `_` for `-` and ` `.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Any

from arxivscout.papers import Paper, PaperId
from arxivscout.sources.authors import joined_name, split_authors, turned_names
from arxivscout.sources.withdrawn import says_withdrawn

ID_KEYS = ("arxiv_id", "arxivid", "arxiv", "id", "paper_id", "entry_id", "url")
ABSTRACT_KEYS = ("abstract", "summary")
KNOWN_KEYS = frozenset(
    """
    title authors author authors_parsed authors_raw categories category subjects primary_category
    primary_subject published submission_date publication_date created date announced month updated
    update_date version versions doi journal_ref comments comment withdrawn is_summary source
    """.split()
).union(ID_KEYS, ABSTRACT_KEYS)

_CATEGORY = re.compile(r"[a-z]+(?:-[a-z]+)?(?:\.[A-Za-z]+(?:-[A-Za-z]+)?)?")
_ISO_DAY = re.compile(r"\s*([0-9]{4})-?([0-9]{2})(?:-?([0-9]{2}))?(?![0-9])")
_ISO_MONTH = re.compile(r"\s*([0-9]{4})-([0-9]{2})\b")
_WRITTEN_DAY = re.compile(r"([0-9]{1,2})\s+([A-Z][a-z]{2})[a-z]*\.?\s+([0-9]{4})")
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
# No list of authors is longer; decoding one that pretends to be costs time for nothing.
_LONGEST_LIST = 2_000_000


@lru_cache(1024)
def key_name(key: str) -> str:
    """A field's name as it is compared: `journal-ref` and `Journal Ref` are `journal_ref`."""
    return re.sub(r"[\s-]+", "_", key.strip().lower())


def paper_from_record(record: Mapping[str, Any], source: str | None = None) -> Paper:
    """The paper that `record` describes, cleaned.

    Raises:
        ValueError: it describes none; the message is the reason, in one line.
    """
    fields = {
        key_name(key): value
        for key, value in record.items()
        if isinstance(key, str) and _is_given(value)
    }
    paper_id = _paper_id(fields)
    title, abstract = _text(fields, "title"), _text(fields, *ABSTRACT_KEYS)
    if not title or not abstract:
        raise ValueError(f"{'abstract' if title else 'title'} is missing or empty")
    versions = _versions(fields.get("versions"))
    comments = _text(fields, "comments", "comment")
    categories = _categories(fields.get("categories"), fields.get("category")) or _categories(
        fields.get("subjects"), fields.get("primary_subject")
    )
    primary = _categories(fields.get("primary_category"), fields.get("primary_subject"))
    dates = [created for _, created in versions]
    return Paper(
        arxiv_id=paper_id.value,
        title=title,
        abstract=abstract,
        authors=_authors(fields),
        categories=categories,
        primary_category=primary[0] if primary else None,
        published=_first_date(
            *(fields.get(k) for k in ("published", "submission_date")),
            *dates[:1],
            *(fields.get(k) for k in ("publication_date", "created", "date", "announced", "month")),
        ),
        updated=_first_date(fields.get("updated"), *dates[-1:], fields.get("update_date")),
        version=_version(fields.get("version")) or paper_id.version or _newest(versions),
        doi=_text(fields, "doi"),
        journal_ref=_text(fields, "journal_ref"),
        comments=comments,
        withdrawn=_flag(fields.get("withdrawn")) or says_withdrawn(title, abstract, comments),
        source=_text(fields, "source") or source,
        is_summary=_flag(fields.get("is_summary")),
    ).cleaned()


def _is_given(value: object) -> bool:
    return not (value is None or value == "" or (isinstance(value, float) and value != value))


def _paper_id(fields: Mapping[str, Any]) -> PaperId:
    reason = f"no id (none of {', '.join(ID_KEYS[:4])})"
    for key in ID_KEYS:
        if key not in fields:
            continue
        value = fields[key]
        if isinstance(value, str):
            try:
                return PaperId.parse(value)
            except ValueError as error:
                reason = str(error)
        else:
            reason = f"{key} {value!r:.40} is no text (as a number an id loses its zeros)"
    raise ValueError(reason)


def _text(fields: Mapping[str, Any], *keys: str) -> str | None:
    value = next((fields[key] for key in keys if key in fields), None)
    if value is None:
        return None
    if isinstance(value, str):
        return value if value.strip() else None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return " ".join(value) or None
    raise ValueError(f"{keys[0]} is no text but {type(value).__name__}")


def _listed(value: Any) -> Any:
    """A list that a table's cell holds as text, JSON's or Python's, as a list; else `value`."""
    if isinstance(value, str) and value.lstrip().startswith("[") and len(value) < _LONGEST_LIST:
        for read in (json.loads, ast.literal_eval):
            try:
                found = read(value.strip())
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                continue
            if isinstance(found, list):
                return found
    return value


def _authors(fields: Mapping[str, Any]) -> tuple[str, ...]:
    parsed = _listed(fields.get("authors_parsed"))
    if isinstance(parsed, list) and parsed and all(isinstance(name, list) for name in parsed):
        return tuple(joined_name(*map(str, name)) for name in parsed if name)
    given = next((fields[k] for k in ("authors", "author", "authors_raw") if k in fields), None)
    given = _listed(given)
    if given is None:
        return ()
    if isinstance(given, str):
        if len(given) > _LONGEST_LIST:
            raise ValueError(f"authors of {len(given):,} characters")
        return split_authors(given)
    if isinstance(given, Iterable) and not isinstance(given, Mapping):
        return tuple(turned_names([name for name in map(_name, given) if name]))
    raise ValueError(f"authors are no list but {type(given).__name__}")


def _name(author: Any) -> str:
    if isinstance(author, Mapping):
        author = author.get("name") or f"{author.get('first', '')} {author.get('last', '')}"
    if isinstance(author, list):
        return joined_name(*map(str, author)) if author else ""
    return str(author) if author is not None else ""


def _categories(*values: Any) -> tuple[str, ...]:
    """Category codes out of a list, "cs.CL stat.ML" or "Optics (physics.optics); …"."""
    found: dict[str, None] = {}
    for value in map(_listed, values):
        parts = value if isinstance(value, list) else re.split(r";", str(value or ""))
        for part in map(str, parts):
            bracketed = re.findall(r"\(([^()]*)\)", part)
            for word in bracketed[-1:] or re.split(r"[\s,]+", part):
                if _CATEGORY.fullmatch(word):
                    found[word] = None
    return tuple(found)


def _versions(value: Any) -> list[tuple[int, str | None]]:
    value = _listed(value)
    if not isinstance(value, list):
        return []
    found = []
    for place, item in enumerate(value, start=1):
        given = item if isinstance(item, Mapping) else {"version": item}
        found.append((_version(given.get("version")) or place, _first_date(given.get("created"))))
    return sorted(found, key=lambda version: version[0])


def _newest(versions: list[tuple[int, str | None]]) -> int | None:
    return versions[-1][0] if versions else None


def _version(value: Any) -> int | None:
    match = re.fullmatch(r"v?([1-9][0-9]{0,2})(?:\.0)?", str(value).strip(), re.IGNORECASE)
    return int(match[1]) if match else None


def _flag(value: Any) -> bool:
    return str(value).strip().lower() in {"true", "1", "yes"}


def _first_date(*values: Any) -> str | None:
    """The first value that is a date, as `YYYY-MM-DD`, or `YYYY-MM` where no more is sure."""
    return next((found for value in values if (found := _date(value))), None)


def _date(value: Any) -> str | None:
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if not isinstance(value, str):
        return None
    if match := _ISO_DAY.match(value):
        return _day(match[1], match[2], match[3])
    if match := _ISO_MONTH.match(value):  # such as "2009-02-1", cut short: its day is not sure
        return _day(match[1], match[2], None)
    if (match := _WRITTEN_DAY.search(value)) and match[2] in _MONTHS:
        return _day(match[3], f"{_MONTHS.index(match[2]) + 1:02}", f"{int(match[1]):02}")
    try:
        return parsedate_to_datetime(value).date().isoformat()
    except (ValueError, TypeError, IndexError):
        return None


def _day(year: str, month: str, day: str | None) -> str | None:
    try:
        return date(int(year), int(month), int(day or 1)).isoformat()[: 10 if day else 7]
    except ValueError:
        return None
