"""What of a thread stands in the context as the thread goes on: strategies for working memory.

Conversations are said in one thread each, message by message, embedded and condensed as a turn does
it. On the way questions are put about what was said until then, some just before and some long ago,
and each strategy fills a small, a usual and a large window. What is recalled is the same for all.
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import product
from typing import TYPE_CHECKING, Any, get_args
from uuid import UUID, uuid4

from arxivscout.agent.assembling import MOST_TOOLS, surely_read, system_prompt
from arxivscout.agent.condensing import condense_thread
from arxivscout.agent.measuring import EXTRACTIVE
from arxivscout.bench.context import plain_text
from arxivscout.bench.own_threads import own_threads
from arxivscout.context.assemble import assemble
from arxivscout.context.budget import count_tokens
from arxivscout.context.memories import memory_items
from arxivscout.context.segments import Said
from arxivscout.memory.conversation import append
from arxivscout.memory.message_vectors import embed_messages
from arxivscout.memory.recall import recall
from arxivscout.memory.speakers import known_speakers, without_names
from arxivscout.memory.turn import open_turn
from arxivscout.memory.vector_memory import vector_text
from arxivscout.papers.sentences import split_sentences
from arxivscout.window_shares import DEFAULT_SHARES, Strategy

if TYPE_CHECKING:
    from arxivscout.agent.services import Services
    from arxivscout.bench.conversations import Asked, Conversation
    from arxivscout.embedding import Embedder
    from arxivscout.settings import Settings

WINDOWS = (4_000, 16_000, 200_000)  # tokens
STEP = 48  # messages between one round of questions and the next
NEAR, FAR = 20, 100  # messages since what answers was said, or the last of it
A_ROUND = 4  # questions of each distance at most
THREAD = "a long thread"
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)

_FORGET = (
    "DELETE FROM conversational_memory WHERE user_id = scout_user()",
    "DELETE FROM summary_memory WHERE user_id = scout_user()",
    "DELETE FROM turn WHERE user_id = scout_user()",
)


@dataclass(frozen=True, slots=True)
class Filled:
    """One question's context: share of what answers it, tokens, and milliseconds to assemble."""

    near: str
    evidence: float
    tokens: int
    ms: float


class LongThreads:
    """Measures the strategies over conversations, one thread each."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._filled: dict[tuple[int, str], list[Filled]] = defaultdict(list)

    def rows(self, conversations: Sequence[Conversation]) -> list[dict[str, Any]]:
        """Of each window and strategy, the share of the evidence by its distance; and what it
        takes."""
        self._filled.clear()
        for conversation in conversations:
            self._replay(conversation)
        return [
            {
                "window": window,
                "strategy": strategy,
                "questions": len(filled),
                **{near: _mean(filled, near) for near in ("near", "between", "far")},
                "all": _mean(filled),
                "tokens": round(statistics.fmean(each.tokens for each in filled)),
                "median_ms": round(statistics.median(each.ms for each in filled), 2),
            }
            for (window, strategy), filled in self._filled.items()
        ]

    def _replay(self, conversation: Conversation) -> None:
        services, user = self._services, thread_user(conversation)
        services.database.batch(user, [(statement, {}) for statement in _FORGET])
        first = conversation.said[0].speaker
        places = {each.id: place for place, each in enumerate(conversation.said)}
        for end in range(STEP, len(conversation.said) + STEP, STEP):
            with services.database.transaction(user) as conn:
                for said in conversation.said[end - STEP : end]:
                    named = {} if said.speaker in ("user", "assistant") else {"name": said.speaker}
                    role = "user" if said.speaker == first else "assistant"
                    metadata = {**named, "said": said.id}
                    append(conn, THREAD, role, said.text, metadata, at=said.at)
            embed_messages(services.database, services.embedder, user)
            condense_thread(services, user, THREAD)
            for near, asked in _round(conversation.asked, places, end):
                self._ask(conversation, user, near, asked, min(end, len(conversation.said)))

    def _ask(
        self, conversation: Conversation, user: str, near: str, asked: Asked, end: int
    ) -> None:
        services = self._services
        turn = uuid4()
        opened = open_turn(
            services.database, services.leases, user=user, thread_id=THREAD, turn_id=turn,
            question=asked.text, model="bench",
        )  # fmt: skip
        speakers = known_speakers(services.database, user)
        vectors = services.embedder.embed_array([asked.text, without_names(asked.text, speakers)])
        whole, bare = (vector_text(each.tolist()) or "" for each in vectors)
        sought = [said.text for said in conversation.said if said.id in asked.evidence]
        known: dict[int, Any] = {}
        for window, strategy in product(WINDOWS, STRATEGIES):
            uses = strategy in ("summaries", "hybrid")
            recent = [Said(*each[:2], each[3], uses and each[4]) for each in opened.recent]
            newest = surely_read(recent, window, DEFAULT_SHARES, strategy)
            if newest not in known:
                found = recall(
                    services.database,
                    user=user,
                    thread_id=THREAD,
                    turn_id=turn,
                    question=asked.text,
                    vector=whole,
                    said_vector=bare,
                    speakers=speakers,
                    now=conversation.said[end - 1].at + timedelta(minutes=1),
                    newest=newest,
                ).memory
                known[newest] = {kind: found.get(kind, []) for kind in ("earlier", "summaries")}
            memory = memory_items(known[newest])
            begun = time.perf_counter()
            assembled = assemble(
                system=system_prompt(user, window),
                memory=memory if uses else {**memory, "summaries": []},
                recent=recent,
                question=asked.text,
                window=window,
                answer_tokens=max(window // 16, 500),
                tools_tokens=min(int(window * MOST_TOOLS), 5_000),
                strategy=strategy,
            )
            ms = (time.perf_counter() - begun) * 1000
            texts = [text for _, text in assembled.recent]
            _, _, remembered = assembled.turn.partition("\n")
            context = "\n".join([*texts, remembered.partition("\n</memory>")[0]])
            held = statistics.fmean(said_in(text, context) for text in sought)
            self._filled[window, strategy].append(Filled(near, held, count_tokens(context), ms))
        self._taken_back(user, turn)

    def _taken_back(self, user: str, turn: UUID) -> None:
        self._services.leases.release(turn)
        statements = (
            "DELETE FROM conversational_memory WHERE turn_id = %(turn)s",
            "DELETE FROM turn WHERE turn_id = %(turn)s",
        )
        self._services.database.batch(user, [(each, {"turn": turn}) for each in statements])


def measured(
    settings: Settings,
    embedder: Embedder,
    conversations: Sequence[Conversation],
    *,
    notice: Callable[[str], None],
) -> dict[str, list[dict[str, Any]]]:
    """The tables of the conversations and of threads of our own, in a home of their own below.

    `threads`: the strategies, by window. `condensed`: what the summaries keep.
    """
    from arxivscout.app import open_services
    from arxivscout.bench.condensed import kept

    alone = settings.model_copy(
        update={
            "home": settings.home / "bench" / "threads",
            "database_url": None,
            "admin_database_url": None,
            "model": EXTRACTIVE,
            "summaries": "rules",
        }
    )
    alone.home.mkdir(parents=True, exist_ok=True)
    found: dict[str, list[dict[str, Any]]] = {"threads": [], "condensed": []}
    with open_services(alone, notice=notice) as services:
        services.embedder = embedder
        half = len(conversations) // 2
        for name, some in (
            ("first half", conversations[:half]),
            ("second half", conversations[half:]),
            ("own threads", own_threads()),
        ):
            found["threads"] += [
                {"threads": name, **row} for row in LongThreads(services).rows(some)
            ]
            condensed = kept(services.database, some)
            notice(f"{name}: {len(some)} threads asked")
            found["condensed"] += [{"threads": name, **row} for row in condensed]
    return found


def thread_user(conversation: Conversation) -> str:
    """In whose name the thread is."""
    return f"bench thread {conversation.name}"


def said_in(text: str, context: str) -> float:
    """Share of the words of `text` whose sentences stand whole in `context`."""
    plain = f" {plain_text(context)} "
    sentences = [each for each in map(plain_text, split_sentences(text)) if each]
    words = sum(each.count(" ") + 1 for each in sentences)
    held = sum(each.count(" ") + 1 for each in sentences if f" {each} " in plain)
    return held / words if words else 1.0


def _round(asked: Sequence[Asked], places: dict[str, int], end: int) -> Iterator[tuple[str, Asked]]:
    """Questions about what was said before `end`, a few of each distance, spread over them."""
    told: dict[str, list[Asked]] = defaultdict(list)
    for each in asked:
        last = max(places[said] for said in each.evidence)
        if last < end:
            since = end - last
            near = "near" if since <= NEAR else "between" if since <= FAR else "far"
            told[near].append(each)
    for near, among in told.items():
        yield from ((near, each) for each in among[:: max(len(among) // A_ROUND, 1)][:A_ROUND])


def _mean(filled: Sequence[Filled], near: str | None = None) -> float | None:
    shares = [each.evidence for each in filled if near in (None, each.near)]
    return round(statistics.fmean(shares), 4) if shares else None
