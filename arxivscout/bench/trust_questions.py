"""Questions put to the extractive model in real turns: does it answer what is held, and no more?"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from arxivscout.bench.trust import Result
from arxivscout.bench.trust_cases import Case
from arxivscout.scout import quiet

if TYPE_CHECKING:
    from arxivscout.scout import Notice, Scout
    from arxivscout.settings import Settings


@contextmanager
def starter_scout(settings: Settings, *, notice: Notice = quiet) -> Iterator[Scout]:
    """A scout over the starter collection and nothing else, offline, gone at the end.

    Args:
        settings: the embedder's are kept.
        notice: is told what takes long.
    """
    from arxivscout.app import open_scout

    with tempfile.TemporaryDirectory(prefix="arxivscout-bench-") as home:
        alone = settings.model_copy(
            update={
                "home": Path(home),
                "user": "bench",
                "database_url": None,
                "admin_database_url": None,
                "model": "extractive",
                "offline": True,
            }
        )
        with open_scout(alone, notice=notice) as scout:
            yield scout


def ask_cases(scout: Scout, cases: Sequence[Case]) -> Iterator[Result]:
    """Ask each question in a thread of its own; papers that only a case has are stored first."""
    scout.ingest([paper for case in cases for paper in case.papers])
    for case in cases:
        started = time.perf_counter()
        answer = scout.ask(case.question, thread_id=case.id)
        spent = (time.perf_counter() - started) * 1000
        cited = frozenset(
            each.arxiv_id for each in answer.citations if each.verdict != "unsupported"
        )
        refused = says_not_found(answer.answer)
        right = refused if case.refused else not refused and bool(case.any_of & cited)
        yield Result(case, right, cited, told=(answer.answer,), ms=spent)


def says_not_found(answer: str) -> bool:
    """Whether an answer says that what is held does not answer."""
    return "not found in what i hold" in answer.lower()
