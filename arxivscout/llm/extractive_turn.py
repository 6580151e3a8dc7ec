"""One round of the extractive model: what is asked, what is at hand, and the answer to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property

from langchain_core.embeddings import Embeddings

from arxivscout.llm.among import among_answer, asks_among
from arxivscout.llm.by_command import command_for
from arxivscout.llm.extractive_answer import (
    Evidence,
    Written,
    research_answer,
    weigh,
)
from arxivscout.llm.extractive_arguments import Tools
from arxivscout.llm.extractive_detail import asked_detail
from arxivscout.llm.extractive_filters import find_filters, for_this_question, query_of
from arxivscout.llm.extractive_lessons import (
    HELD_TO,
    NOTED,
    learned_wishes,
    left_undone,
    obeying,
    remark_on,
    rules_for,
)
from arxivscout.llm.extractive_memory import (
    HELP,
    focused_answer,
    forget_answer,
    recall_answer,
    results_answer,
    saved_answer,
    stated_answer,
    summary_answer,
    unkept,
)
from arxivscout.llm.extractive_notes import remembered_notes
from arxivscout.llm.extractive_plan import OWN_TOOLS, Planned, Situation, plan
from arxivscout.llm.extractive_reading import Reading
from arxivscout.llm.extractive_records import (
    comparison_answer,
    lost_answer,
    paper_answer,
    record_answer,
)
from arxivscout.llm.extractive_requests import Request
from arxivscout.llm.graph_questions import graph_answer
from arxivscout.llm.holdings import without_holdings
from arxivscout.llm.lesson_questions import (
    OfLessons,
    asks_of_lessons,
    lesson_answer,
    lesson_calls,
)
from arxivscout.llm.meant import request_in
from arxivscout.llm.record_questions import (
    Asked,
    asks_record,
    asks_record_of,
)
from arxivscout.llm.relevance import Judged, closeness, judge
from arxivscout.llm.said_again import said_again, sentences_asked, sentences_wished
from arxivscout.papers import Paper
from arxivscout.preferences import applies, stated_wishes, wishes_from_texts
from arxivscout.reflection.statements import Rule
from arxivscout.statements.completing import completed

THANKS = "You are welcome. Ask on whenever you like."


class Turn:
    """Reads once, judges at most once, and only when something depends on it."""

    def __init__(self, reading: Reading, tools: Tools, embedder: Embeddings, today: date) -> None:
        reading, self._remark = remark_on(reading)
        self._reading = reading
        self._embedder = embedder
        self._today = today
        self._request = request_in(reading, tools, self._remark)
        # What was learned comes first: of the same day, what was said holds.
        held = [*learned_wishes(reading), *reading.sections.get("preferences", ())]
        stated = [item.text for item in sorted(held, key=lambda item: item.date)]
        if unkept(reading):  # then it is followed in this thread alone
            said = (wish.quote for each in reading.earlier for wish in stated_wishes(each))
            stated += list(dict.fromkeys(said))
        if self._remark and self._remark.manner:
            stated.append(self._remark.manner)
        if self._request.wish == "preference":
            stated.append(self._request.about)
        self._sentences = sentences_wished(stated)
        wishes = wishes_from_texts(stated, today=today)
        asked = self._asked = without_holdings(self._request.question or reading.topic)
        self._topic, self._filters = find_filters(asked, wishes, today)
        self._wishes, self._aside = for_this_question(wishes, asked, self._filters)
        self.situation = Situation(
            reading=reading,
            request=self._request,
            topic=self._topic,
            filters=self._filters,
            tools=tools,
            enough=lambda: bool(self._named or self._evidence.kept),
            left_out=lambda: frozenset(
                paper.arxiv_id for papers in self._evidence.left_out.values() for paper in papers
            ),
            close=self._close,
        )

    def plan(self) -> list[Planned]:
        """The calls to make next; none when it is time to answer."""
        if self._noted:
            return []
        if self._of_lessons:
            return lesson_calls(self.situation, self._of_lessons)
        planned = plan(self.situation)
        return obeying(self.situation, planned, self._rules) if planned else []

    def answer(self) -> Written:
        """The answer from what is at hand, in the manner that is asked for."""
        written, remark = self._answered(), self._remark
        if remark is None or not remark.manner or remark.noticed.besides:
            return written
        return said_again(written, self._reading, remark.noticed.asks)

    def _answered(self) -> Written:
        reading, request = self._reading, self._request
        if self._noted:
            return Written(self._noted)
        if any(r.name not in OWN_TOOLS for r in reading.results) and not reading.papers:
            return Written(results_answer(reading))
        if self._of_lessons and (told := lesson_answer(reading, self._of_lessons)):
            return Written(told)
        if told := graph_answer(reading):
            return Written(told)
        match request.wish:
            case "remember" | "preference":
                saved = saved_answer(reading, request.about, request.kind)
                if not request.question:
                    return Written(saved)
                found = self._research()
                return replace(found, text=f"{saved}\n\n{found.text}")
            case "compare" if side_by_side := comparison_answer(reading):
                return side_by_side
            case "paper" | "compare":
                return self._papers()
            case "lost":
                return Written(lost_answer(reading))
            case "nothing" | "help" | "thanks" | "summarise" | "forget" | "recall" | "stated":
                return Written(self._of_itself())
            case _:
                return self._record_of_named() if self._named else self._research()

    def _record_of_named(self) -> Written:
        papers = list(self._named)
        asked = [paper.arxiv_id for paper in papers]
        return record_answer(self._reading, self._named[papers[0]], papers, asked)

    def _of_itself(self) -> str:
        """What is said of the program and of memory, not of papers."""
        reading = self._reading
        match self._request.wish:
            case "nothing":
                return "There is no question in that. Ask about a topic, a paper or an author."
            case "help":
                return HELP
            case "thanks":
                return THANKS
            case "stated":
                return stated_answer(self._request, reading)
            case "summarise":
                return summary_answer(reading)
            case "forget":
                return forget_answer(self.situation)
            case _:
                if focus := self._request.focus:
                    return focused_answer(reading, focus)
                return recall_answer(reading, self._today)

    def _research(self) -> Written:
        return research_answer(
            self._reading,
            self._topic,
            self._evidence,
            self._wishes,
            self._filters,
            self._aside,
            [
                *remembered_notes(self.situation),
                *left_undone(plan(self.situation), self._rules),
            ],
            sentences_asked(self._remark, self._reading.last_answer) or self._sentences,
        )

    def _papers(self) -> Written:
        if told := command_for(self._reading.question, self._request.papers):
            return Written(told)
        asked = [paper.value for paper in self._request.papers]
        if self._reading.called("search_papers"):
            others = [one for one in self._judged if one.paper.arxiv_id not in asked]
            similar = weigh(others, self._wishes, self._filters, any_topic=False)
            return research_answer(
                self._reading, self._topic, similar, self._wishes, self._filters, self._aside, []
            )
        named = [paper for paper in self._reading.papers if paper.arxiv_id in asked]
        if fact := asks_record(self._reading.question):
            return record_answer(self._reading, fact, named, asked)
        if named and (what := asks_among(self._reading.question)):
            return among_answer(what, named, self._today)
        about = self._topic
        for paper_id in asked:
            about = about.replace(paper_id, " ")
        about = query_of(about.replace("arXiv", " ").replace("arxiv", " "))
        judged = judge(about, named, self._embedder) if about else []
        return paper_answer(self._reading, judged or [Judged(p, 1.0, ()) for p in named], asked)

    @cached_property
    def _noted(self) -> str:
        """The answer to a remark on the answer before, where that is all there is to say."""
        if self._remark is None or self._remark.manner or self._request.wish == "forget":
            return ""
        if self._remark.noticed.feedback == "good":
            return THANKS
        if right := self._remark.noticed.right:
            before = self._reading.earlier[-1:]
            own = completed(right, before[0]) if before else ""
            return stated_answer(Request("stated", about=own), self._reading) if own else HELD_TO
        return NOTED

    @cached_property
    def _of_lessons(self) -> OfLessons | None:
        """What is asked of lessons, where there is a tool that knows them."""
        asked = asks_of_lessons(self._reading.question)
        tool = "reflect_now" if asked and asked.wish == "look back" else "lessons"
        return asked if tool in self.situation.tools else None

    @cached_property
    def _rules(self) -> list[Rule]:
        """The rules on ways of working that hold for this request."""
        if self._request.wish not in ("research", "paper", "compare"):
            return []
        return rules_for(self._reading, self._topic, self._close)

    @cached_property
    def _named(self) -> dict[Paper, Asked]:
        """The papers at hand that the question names by their title, and what it asks of them."""
        if self._request.wish != "research":
            return {}
        question = self._reading.question
        return {
            paper: fact
            for paper in self._reading.papers
            if (fact := asks_record_of(question, paper.title))
        }

    @cached_property
    def _judged(self) -> list[Judged]:
        """Every paper at hand by relevance; those the person wants are judged first."""
        papers = self._reading.papers
        unwanted = {p.arxiv_id for p in papers if p.withdrawn or applies(self._wishes, p)}
        papers.sort(key=lambda paper: paper.arxiv_id in unwanted)
        topic = self._topic
        if self._request.wish == "paper" and (read := self._reading.called("read_paper")):
            topic = next((paper.title for paper in read.papers), topic)
        if not topic.strip():
            return [Judged(paper, 1.0, ()) for paper in papers]
        return judge(topic, papers, self._embedder)

    @cached_property
    def _evidence(self) -> Evidence:
        return weigh(
            self._judged, self._wishes, self._filters, any_topic=not query_of(self._topic)
            and self._filters.asked, detail=asked_detail(self._asked),
        )  # fmt: skip

    def _close(self, text: str, others: Sequence[str]) -> list[float]:
        return closeness(text, others, self._embedder)
