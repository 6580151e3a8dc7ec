"""What a message wants, read in its thread: of papers shown, of what was said, of the person."""

from __future__ import annotations

import re
from dataclasses import replace

from arxivscout.llm.among import asks_among
from arxivscout.llm.extractive_arguments import Tools
from arxivscout.llm.extractive_lessons import Remark
from arxivscout.llm.extractive_memory import chosen_memory
from arxivscout.llm.extractive_reading import Reading
from arxivscout.llm.extractive_requests import Request, about_papers, find_request
from arxivscout.llm.record_questions import asks_more, leans_on_papers
from arxivscout.llm.taking_back import taken_back
from arxivscout.papers import PaperId, find_paper_ids
from arxivscout.papers.places import names_place
from arxivscout.papers.rendering import LEFT_OUT_LINE
from arxivscout.statements.completing import moved

_ANYWAY = re.compile(
    r"\W*(?:please |ok(?:ay)?,? |and )?(?:show|tell|give|list|let me see|i want to see)(?: me)?"
    r" (?:it|them|that|those|this|the papers?|that paper|those papers|this one) (?:anyway|anyhow"
    r"|nevertheless|all the same|regardless|nonetheless)(?:\W+please)?\W*"
    r"|\W*mostra(?:melo|meli|mi|lo|li)? (?:comunque|lo stesso)\W*",
    re.IGNORECASE,
)


def request_in(reading: Reading, tools: Tools, remark: Remark | None) -> Request:
    """What is wanted."""
    wrong = remark is not None and remark.noticed.wrong and not remark.noticed.right
    if (back := taken_back(reading.question, reading.last_answer, wrong=wrong)) is not None:
        return Request("forget", about=back)
    return _of_the_thread(_request(reading, tools), reading)


def _left_out(last_answer: str) -> tuple[PaperId, ...]:
    """The papers that the last answer left out, as the person prefers."""
    lines = LEFT_OUT_LINE.finditer(last_answer)
    return tuple(paper for line in lines for paper in find_paper_ids(line["ids"]))


def _request(reading: Reading, tools: Tools) -> Request:
    """What is wanted; what may be asked of the person or of papers is the latter where memory
    does not know it."""
    request = find_request(reading.question)
    recalled = reading.called("recall_memory")
    may_answer = recalled.status == "ok" if recalled else "recall_memory" in tools
    if request.sure or may_answer:
        return request
    return find_request(reading.question, of_oneself=False)


def _of_the_thread(request: Request, reading: Reading) -> Request:
    """The request, with the papers of the last answer that it is about; "lost" if there are none.

    "Tell me more", "paper 1" and "who wrote it?" say nothing to a search: where the thread shows
    no paper that they could mean, nothing is looked for.
    """
    if memory := chosen_memory(reading.question, request.about, reading.last_answer):
        return Request("forget", about=memory)
    if _ANYWAY.fullmatch(reading.question) and (left := _left_out(reading.last_answer)):
        return Request("paper", papers=left)
    if request.wish == "stated" and reading.earlier:  # "they extended it to 20 December"
        whole = moved(reading.question, reading.earlier[-1])
        return replace(request, about=whole, kept=True) if whole else request
    if request.wish != "research":
        return request
    if meant := find_paper_ids(reading.topic):
        return about_papers(reading.question, tuple(meant))
    question = reading.question
    lost = names_place(question) or leans_on_papers(question) or asks_among(question)
    if lost or (asks_more(question) and reading.topic == question):
        return replace(request, wish="lost")
    return request
