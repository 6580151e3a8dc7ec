"""Where a thread stands when it is opened: only its end is read, however long it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arxivscout.cli import render

if TYPE_CHECKING:
    from arxivscout.cli.chat.sitting import Chat


def show_last_exchange(chat: Chat) -> None:
    """The thread's last question and its answer, with footnotes; nothing for a new thread."""
    last = chat.scout.history.last_exchange(chat.thread_id)
    if last is None:
        return
    from arxivscout.agent.events import Citation
    from arxivscout.cli.footnotes import Footnotes, first_few
    from arxivscout.cli.turn import answer_stream

    at = render.moment(last.answered_at or last.asked_at)
    render.line(f"\nThread {chat.thread_id}, last on {at}:", "dim")
    render.line(f"> {last.question}")
    footnotes = Footnotes()
    if not last.citations:
        earlier = chat.scout.history.last_citations(chat.thread_id)
        chat.cite(Footnotes().numbered([Citation.from_json(each) for each in earlier]))
    citations = [Citation.from_json(each) for each in last.citations]
    if last.answer:
        writer = answer_stream(render.out(), footnotes)
        writer.write(last.answer)
        writer.finish()
        footnotes.show(citations, render.out())
        for problem in first_few(last.problems):
            render.line(f"! {problem}", "yellow")
    chat.cite(footnotes.numbered(citations))
    if chat.scout.unanswered(chat.thread_id):
        render.line("(no whole answer: /retry asks it again)", "yellow")
