"""Threads of research as long as a project is, written by rule: what was decided, measured, planned
and corrected in them is known, and asked for. The same each time."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

from arxivscout.bench.conversations import Asked, Conversation, Said

THREADS = 4
TURNS = 300  # of a thread
_BEGAN = datetime(2026, 1, 5, 9, tzinfo=UTC)
_FACTS_EVERY = 3  # turns: between them is talk

_THINGS = (
    "the tokenizer", "the reward model", "the retriever", "the decoder", "the calibration run",
    "the ablation", "the vertex detector", "the trigger", "the dust map", "the lensing catalogue",
    "the random forest", "the Wilson loop", "the lattice", "the baseline", "the data loader",
    "the annotation", "the survey", "the spectrograph", "the surrogate", "the phase shifter",
)  # fmt: skip
_PARTS = (
    "of the pilot", "for Chamonix", "for Ingrid's chapter", "for the Kyoto talk", "on cluster B",
    "for the appendix", "with Tomasz", "for the second referee", "in the small grid", "for Lagos",
)  # fmt: skip
_TALK = (
    ("Could you say again in plain words why that matters?",
     "It matters since what comes later leans on it. Much has been written on this, and most of it "
     "agrees in spirit, though the words differ from group to group and from year to year."),
    ("Thanks, that helps a good deal.",
     "Good to hear. Say so whenever you would like to go deeper into one of the points above."),
    ("What do people in the field usually say about this kind of choice?",
     "Opinions differ, and they are often a matter of taste. Several reviews describe the "
     "trade-off at length without settling it, and practice varies with what is at hand."),
    ("Is there anything else that I should keep in mind here?",
     "Nothing that would change the picture. It is worth reading widely and comparing notes with "
     "colleagues who have tried the same thing under other conditions."),
    ("Let me think about it over lunch.", "Of course, take all the time that it needs."),
    ("How does that look from the side of theory?",
     "From the side of theory it looks much the same. The argument is known in several forms, "
     "which stress one side or the other, and the literature treats them as equivalent."),
)  # fmt: skip


def own_threads() -> list[Conversation]:
    """The threads, each with a question about every fact that still holds in it."""
    return [_thread(number) for number in range(THREADS)]


def _thread(number: int) -> Conversation:
    drawn = random.Random(number)
    thread = Conversation(f"own-{number + 1}")
    subjects = [f"{thing} {part}" for thing in _THINGS for part in _PARTS]
    drawn.shuffle(subjects)
    for turn in range(TURNS):
        at = _BEGAN + timedelta(days=turn // 4, hours=turn % 4)
        fact = turn % _FACTS_EVERY == 0
        said, answer = _fact(drawn, subjects.pop()) if fact else drawn.choice(_TALK)
        asked, *told = said.split("\n")
        places = [f"{turn}:user", f"{turn}:assistant"]
        for place, speaker, text in zip(
            places, ("user", "assistant"), (asked, answer), strict=True
        ):
            thread.said.append(Said(place, 1, at, speaker, text))
        if told:
            question, speaker = told
            thread.asked.append(Asked(question, (f"{turn}:{speaker}",)))
    return thread


def _fact(drawn: random.Random, subject: str) -> tuple[str, str]:
    """What is said and answered; behind it, a line each, what asks for it and who said it."""
    count, share = drawn.randint(11, 9_999), drawn.randint(11, 989) / 10
    paper = f"{drawn.randint(10, 25)}{drawn.randint(1, 12):02d}.{drawn.randint(10_000, 19_999)}"
    day = f"{drawn.randint(1, 28)} {drawn.choice(('March', 'June', 'October'))} 2026"
    kinds = (
        (f"We decided to run {subject} with {count} steps.\nWhat did we decide about {subject}?\n"
         "user", "Noted. That is a common choice."),
        (f"The deadline of {subject} is {day}, and it must not slip.\n"
         f"When is the deadline of {subject}?\nuser", "Then the rest should be planned around it."),
        (f"What was found on {subject}?\nWhat share was found on {subject}?\nassistant",
         f"A gain of {share} % was found on {subject} [arXiv:{paper}]. The other groups report "
         "something similar in other terms."),
        (f"Which paper treats {subject}?\nWhich paper treats {subject}?\nassistant",
         f"The one to read on {subject} is [arXiv:{paper}]. It goes through the case in detail."),
        (f"No, I was wrong: {subject} needs {count} samples, not {count // 2}.\n"
         f"How many samples does {subject} need?\nuser", "Then that is what holds from now on."),
    )  # fmt: skip
    return drawn.choice(kinds)
