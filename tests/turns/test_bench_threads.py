"""The bench of long threads: each strategy in each window, and what summaries keep."""

from __future__ import annotations

from dataclasses import replace

from arxivscout.agent.services import Services
from arxivscout.bench.condensed import kept
from arxivscout.bench.long_threads import STRATEGIES, WINDOWS, LongThreads, said_in
from arxivscout.bench.own_threads import TURNS, own_threads


def test_our_own_threads_are_the_same_each_time_and_ask_for_what_was_said() -> None:
    threads = own_threads()
    assert threads == own_threads()
    for thread in threads:
        assert len(thread.said) == 2 * TURNS
        held = {said.id: said.text for said in thread.said}
        assert len(thread.asked) == len({asked.text for asked in thread.asked}) == TURNS / 3
        assert all(asked.evidence[0] in held for asked in thread.asked)


def test_each_window_has_each_strategy_and_summaries_keep_what_was_said(services: Services) -> None:
    whole = own_threads()[0]
    held = {said.id for said in whole.said[:240]}
    asked = [each for each in whole.asked if held.issuperset(each.evidence)][::8]
    thread = replace(whole, said=whole.said[:240], asked=asked)
    rows = LongThreads(services).rows([thread])
    assert [(row["window"], row["strategy"]) for row in rows] == [
        (window, strategy) for window in WINDOWS for strategy in STRATEGIES
    ]
    for row in rows:
        assert 0 < row["all"] <= 1 and row["tokens"] < row["window"]
    (first,) = kept(services.database, [thread])
    assert first["decisions"] == first["ids"] == 1.0
    assert min(first["numbers"], first["dates"]) >= 0.95
    assert first["of the tokens"] < 0.6


def test_what_is_said_in_part_counts_in_part() -> None:
    said = "We keep the run. It has 40 events."
    assert said_in(said, "user: We keep the run. Well.") == 0.5
    assert said_in(said, said) == 1.0
    assert said_in(said, "We keep") == 0.0
