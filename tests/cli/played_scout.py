"""The command line over a scout that plays a fixed part: `python played_scout.py chat …`.

For what a real turn can't be made to do on purpose: hostile text, a slow answer, a broken model.
Words in the question say what happens. It keeps its thread in a file in the home folder.
"""

from __future__ import annotations

import datetime
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from arxivscout.agent.events import (
    Answer,
    Answered,
    Choice,
    Citation,
    Event,
    Notice,
    Token,
    ToolEnded,
    ToolStarted,
)
from arxivscout.cli import main
from arxivscout.errors import ModelError, NotFound, UsageError
from arxivscout.memory.exchanges import Exchange, ThreadUsage
from arxivscout.memory.remembering import Consent
from arxivscout.papers import Paper, PaperHit
from arxivscout.settings import ModelSettings, Settings

HOSTILE = "\x1b[31mred\x1b[0m \x1b]0;title\x07\x9b2J\u202edesrever \x08\x00end"
CHOICE = Choice(
    kind="which_reading", text="Which one is meant?", options=("the first", "the second")
)
PAPER = Paper(
    arxiv_id="0712.2288",
    title="CP Measurement in Quantum Teleportation of Neutral Mesons",
    abstract="Quantum teleportation using neutral pseudoscalar mesons shows novel features.",
    authors=("Yu Shi", "Yue-Liang Wu"),
    categories=("quant-ph", "hep-ph"),
    published="2007-12-14",
)
CITED = Citation(
    arxiv_id=PAPER.arxiv_id, title=PAPER.title, url=PAPER.url, authors=PAPER.authors, year="2007"
)


@dataclass(frozen=True)
class SaidThing:
    at: datetime.datetime
    kind: str
    name: str | None
    text: str
    status: str | None = None
    duration_ms: float | None = None


@dataclass(frozen=True)
class Sitting:
    thread_id: str
    title: str
    turns: int
    first_at: datetime.datetime
    last_at: datetime.datetime
    last_question: str


class PlayedHistory:
    def __init__(self, file: Path) -> None:
        self._file = file

    def rows(self) -> list[list[Any]]:
        return json.loads(self._file.read_text()) if self._file.exists() else []

    def threads(self, *, of_jobs: bool = False) -> list[Sitting]:
        found: dict[str, list[SaidThing]] = {}
        for row in self.rows():
            found.setdefault(row[0], []).append(_thing(row))
        return [
            Sitting(name, f"About {name}", len(said), said[0].at, said[-1].at, said[0].text)
            for name, said in found.items()
        ]

    def events(self, thread_id: str, limit: int | None = None) -> list[SaidThing]:
        return [_thing(row) for row in self.rows() if row[0] == thread_id]

    def last_exchange(self, thread_id: str) -> Exchange | None:
        said = self.events(thread_id)
        asked = [each for each in said if each.kind == "user"]
        if not asked:
            return None
        answer = said[-1].text if said[-1].kind == "assistant" else None
        return Exchange(
            asked[-1].text,
            asked[-1].at,
            answer=answer,
            citations=[CITED.to_json()] if answer and "arXiv:" in answer else [],
        )

    def last_citations(self, thread_id: str) -> list[dict[str, Any]]:
        cites = any("arXiv:" in each.text for each in self.events(thread_id))
        return [CITED.to_json()] if cites else []

    def name_for(self, question: str) -> str:
        return "-".join(question.split()[:3])

    def usage(self, thread_id: str) -> ThreadUsage:
        turns = len([each for each in self.events(thread_id) if each.kind == "user"])
        used = {"turns": turns, "input_tokens": turns, "output_tokens": 0}
        return ThreadUsage(turns, turns, 0, {"extractive": used}, turns)

    def context(self, thread_id: str) -> list[dict[str, Any]]:
        return [{"segment": "system", "budget": 200, "tokens": 50, "items": [], "cut": []}]

    def unplayed(self, thread_id: str, *given: Any) -> Any:
        raise AssertionError("nothing that was asked in a thread is played")

    undo = rename = fork = feedback = saved = unplayed

    def delete(self, thread_id: str) -> int:
        kept = [row for row in self.rows() if row[0] != thread_id]
        deleted = len(self.rows()) - len(kept)
        self._file.write_text(json.dumps(kept))
        return deleted


class PlayedLibrary:
    """Nothing is marked."""

    def marks(self, **conditions: Any) -> list[Any]:
        return []


class PlayedLessons:
    def reflect_soon(self) -> None:
        """There is nothing to learn."""


class PlayedScout:
    lessons = PlayedLessons()
    library = PlayedLibrary()
    embedder = None

    def __init__(self, settings: Settings) -> None:
        self.settings, self.user = settings, settings.user
        settings.home.mkdir(parents=True, exist_ok=True)
        self._file = settings.home / "played.json"
        self.history = PlayedHistory(self._file)

    def _keep(self, thread_id: str, kind: str, text: str, status: str | None = None) -> None:
        at = datetime.datetime.now(datetime.UTC).isoformat()
        self._file.write_text(
            json.dumps([*self.history.rows(), [thread_id, at, kind, text, status]])
        )

    def stream(
        self,
        question: str,
        *,
        thread_id: str = "default",
        model: str | None = None,
        decide: Callable[[Choice], str] | None = None,
    ) -> Iterator[Event]:
        self._keep(thread_id, "user", question)
        if "broken" in question:
            raise ModelError("The model openai:x answered 401.", "Set ARXIVSCOUT_MODEL_API_KEY.")
        yield ToolStarted("search_papers", {"query": question, "k": 8})
        if "toolslow" in question:
            time.sleep(20)
        yield ToolEnded("search_papers", "success", "8 found", 0.1)
        words = [HOSTILE] if "hostile" in question else [f"word{n}" for n in range(12)]
        if "tall" in question:
            words = [f"- line **number {n}** of a tall answer\n" for n in range(200)]
        if "choose" in question and decide:
            words = [f"You took {decide(CHOICE)}.\n"]
        text = ""
        try:
            for word in [*words, *([] if "refuse" in question else ["[arXiv:0712.2288]."])]:
                time.sleep(0.25 if "slow" in question else 0)
                text += word + " "
                yield Token(word + " ")
        except BaseException:
            self._keep(thread_id, "assistant", text, "interrupted")
            raise
        if "degraded" in question:
            yield Notice("The database is lost.")
        self._keep(thread_id, "assistant", text, "answered")
        title = HOSTILE if "hostile" in question else PAPER.title
        yield Answered(
            Answer(
                answer=text,
                citations=[] if "refuse" in question else [replace(CITED, title=title)],
                thread_id=thread_id,
                turn_id="00000000-0000-0000-0000-000000000001",
                degraded=["database: not stored yet"] if "degraded" in question else [],
                usage={"input_tokens": 1},
                timings_ms={"total": 1.0},
            )
        )

    @property
    def remembering(self) -> str | None:
        asked = self.settings.home / "remembering"
        return asked.read_text() if asked.exists() else None if "new" in self.user else "everything"

    def decide_remembering(self, choice: str) -> None:
        (self.settings.home / "remembering").write_text(choice)

    def check_model(self, name: str) -> None:
        self.settings.model_named(name)

    def try_model(self, model: ModelSettings) -> str | None:
        return f"{model.model} can't be reached." if "dead" in model.model else None

    def warm_up(self) -> None:
        """There is nothing to load."""

    def retry(
        self, thread_id: str, *, model: str | None = None, decide: Any = None
    ) -> Iterator[Event]:
        last = self.history.events(thread_id)[-1:]
        if not last or last[0].kind != "user":
            raise UsageError("No question of this thread is without an answer.")
        yield from self.stream(
            last[0].text.replace("broken", "mended"), thread_id=thread_id, decide=decide
        )

    def unanswered(self, thread_id: str) -> str | None:
        last = self.history.events(thread_id)[-1:]
        whole = last and last[0].kind == "assistant" and last[0].status == "answered"
        return None if whole or not last else last[0].text

    def search(self, query: str, **filters: Any) -> list[PaperHit]:
        return [PaperHit(paper=PAPER, score=0.5, legs={})] if "nothing" not in query else []

    def paper(self, arxiv_id: str) -> Paper:
        if arxiv_id != PAPER.arxiv_id:
            raise NotFound(f"arXiv:{arxiv_id} is not held.", f"arxivscout ingest --ids {arxiv_id}")
        return PAPER

    def paper_count(self) -> int:
        return 150

    def only_starter(self) -> bool:
        return True

    def consent(self, thread_id: str | None = None) -> Consent:
        return Consent()

    def memories(self, kind: str | None = None, limit: int = 50, seen: Any = None) -> list[Any]:
        return []


def _thing(row: list[Any]) -> SaidThing:
    return SaidThing(datetime.datetime.fromisoformat(row[1]), row[2], None, row[3], row[4])


@contextmanager
def open_played(settings: Settings, *, notice: Callable[[str], None]) -> Iterator[Any]:
    notice("Setting up.")
    yield PlayedScout(settings)


if __name__ == "__main__":
    main(sys.argv[1:], open_scout=open_played)
