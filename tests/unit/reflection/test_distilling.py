"""What episodes teach by rule: the same ones the same, and nothing from too few."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from arxivscout.preferences import find_preferences
from arxivscout.reflection.distilling import MANNERS, distil, manners
from arxivscout.reflection.drafts import Draft, Known, known_as
from arxivscout.reflection.episode import Action, Episode
from arxivscout.reflection.likeness import groups
from arxivscout.reflection.noticing import KNOWN
from arxivscout.reflection.statements import read_rule

BEGIN = datetime(2026, 3, 1, tzinfo=UTC)


def episode(number: int, content: str = "What of mesons?", **given: Any) -> Episode:
    given.setdefault("request", content)
    at = BEGIN + timedelta(hours=number)
    return Episode(id=UUID(int=number), content=content, at=at, **given)


def complaint(number: int, note: str) -> Episode:
    return episode(number, f"question {number}", feedback="bad", note=note)


def failure(number: int, *tools: str, status: str = "ok", **given: Any) -> Episode:
    actions = [Action(tool, {"query": "x"}, status) for tool in tools]
    return episode(number, actions=actions, outcome="failure", **given)


def success(number: int, *tools: str, **given: Any) -> Episode:
    actions = [Action(tool, {"query": "x"}) for tool in tools]
    return episode(number, actions=actions, outcome="success", cited=["0712.2288"], **given)


def only(drafts: list[Draft], kind: str) -> Draft:
    (found,) = [each for each in drafts if each.kind == kind]
    return found


def test_three_complaints_make_a_preference_with_its_reason() -> None:
    said = [complaint(1, "shorter, please"), complaint(2, "too long")]
    assert distil(said) == []
    draft = only(distil([*said, complaint(3, "can you make it shorter?")]), "preference")
    assert (draft.statement, draft.holds) == ("Keep answers short.", True)
    assert (
        draft.reason == "said of answers: “shorter, please”, “too long”, “can you make it shorter?”"
    )
    assert draft.supports == (UUID(int=1), UUID(int=2), UUID(int=3))


def test_who_changes_their_mind_is_followed() -> None:
    short = [complaint(n, "too long") for n in range(1, 6)]
    longer = [complaint(n, "more detail, please") for n in range(6, 9)]
    assert only(distil([*short, *longer[:2]]), "preference").statement == "Keep answers short."
    draft = only(distil([*short, *longer]), "preference")
    assert (draft.statement, len(draft.supports), len(draft.against)) == (
        "Give long answers.",
        3,
        5,
    )
    undecided = [*short[:1], *longer[:2], complaint(9, "too long")]
    assert not only(distil(undecided), "preference").holds


def test_what_the_person_states_later_holds_against_their_complaints() -> None:
    said = [complaint(n, "too long") for n in (1, 2, 3)]
    later, before = BEGIN + timedelta(days=1), BEGIN
    for text, at, holds in (
        ("I prefer detailed answers.", later, False),
        ("I prefer detailed answers.", before, True),
        ("I prefer short answers.", later, True),
        ("I avoid simulations.", later, True),
    ):
        assert only(distil(said, [(text, at)]), "preference").holds is holds


def test_every_manner_is_a_preference_that_answers_without_a_model_follow() -> None:
    for style, (_, statement) in MANNERS.items():
        read = [one.style for one in find_preferences(statement)]
        assert read == ([(style,)] if style != KNOWN else []), statement


def test_a_way_that_failed_twice_is_not_repeated_and_the_one_that_succeeded_is() -> None:
    way = [failure(1, "search_arxiv"), failure(2, "search_arxiv")]
    once = distil([*way[:1], success(3, "search_passages")])
    assert [each for each in once if each.kind == "rule"] == []
    draft = only(distil([*way, success(3, "search_passages")]), "rule")
    assert draft.statement == (
        "On questions like “What of mesons?”: do not repeat search_arxiv; do search_passages, "
        "which succeeded."
    )
    assert draft.supports == (UUID(int=1), UUID(int=2), UUID(int=3)) and not draft.against
    untried = only(distil(way), "rule")
    assert untried.statement.endswith("; try search_papers, which was not tried.")


def test_only_the_step_that_erred_each_time_is_left_out() -> None:
    def tried(number: int) -> Episode:
        steps = [Action("search_papers"), Action("search_arxiv", {"category": "cs"}, "error")]
        return episode(number, actions=steps, feedback="bad", note="that's wrong")

    rule = read_rule(only(distil([tried(1), tried(2)]), "rule").statement)
    assert rule is not None
    assert [str(step) for step in rule.avoid] == ["search_arxiv(category=cs)"]


def test_a_rule_ends_when_its_way_succeeds_as_often() -> None:
    way = [failure(1, "search_arxiv"), failure(2, "search_arxiv")]
    # What succeeded once in the same way leaves nothing to blame.
    assert [d for d in distil([*way, success(3, "search_arxiv")]) if d.kind == "rule"] == []
    erred = [failure(n, "search_arxiv", status="error") for n in (1, 2)]
    draft = only(distil([*erred, success(3, "search_arxiv"), success(4, "search_arxiv")]), "rule")
    assert (len(draft.against), draft.holds) == (2, False)


def test_what_no_paper_could_tell_is_no_gap() -> None:
    for own in (
        "Do I use PyTorch?",
        "Warum habe ich Julia aufgegeben?",
        "Who is my supervisor?",
        "I secretly love Fortran.",
        "My cat is called Gluon.",
    ):
        assert not distil([episode(1, own, actions=[Action("search_papers")])]), own


def test_a_gap_tells_which_search_could_not_be_made() -> None:
    away = [Action("search_papers", status="empty"), Action("search_arxiv", status="error")]
    assert only(distil([episode(1, actions=away)]), "gap").reason.endswith("; search_arxiv failed")
    there = [Action("search_papers", status="empty"), Action("search_arxiv", status="empty")]
    assert only(distil([episode(1, actions=there)]), "gap").reason.endswith("in vain")


def test_a_search_in_vain_is_a_gap_until_something_is_found() -> None:
    vain = [episode(n, actions=[Action("search_papers")]) for n in (1, 2)]
    gap = only(distil(vain), "gap")
    assert (gap.statement, gap.holds) == ("Nothing was found on “What of mesons?”.", True)
    closed = only(distil([*vain, success(3, "search_papers")]), "gap")
    assert (closed.against, closed.holds) == ((UUID(int=3),), False)
    assert distil([episode(1)]) == []  # nothing was looked for


def test_what_is_asked_again_and_again_is_a_fact() -> None:
    asked = [success(n, "search_papers", thread_id=f"t{n % 2}") for n in (1, 2, 3)]
    assert (
        only(distil(asked), "fact").statement == "The researcher comes back to “What of mesons?”."
    )
    assert distil(asked[:2]) == []
    assert distil([success(n, "search_papers", thread_id="t") for n in (1, 2, 3)]) == []


def test_new_topics_are_surveyed_first_where_that_went_well() -> None:
    def new(number: int, tool: str, outcome: Any) -> Episode:
        cited = ["0712.2288"] if outcome == "success" else []
        return episode(
            number, f"topic {number}", actions=[Action(tool)], outcome=outcome, cited=cited
        )

    well = [new(n, "search_papers", "success") for n in (1, 2, 3)]
    failed = [new(n, "read_paper", "failure") for n in (4, 5)]
    draft = only(distil([*well, *failed]), "rule")
    assert draft.statement == "When a topic is new, survey papers first: search_papers."
    assert distil([*well, *failed[:1]]) == []


def test_a_remark_is_no_topic() -> None:
    said = [episode(n, "shorter, please", actions=[Action("search_papers")]) for n in (1, 2)]
    assert distil(said) == []


def test_like_requests_are_grouped_by_meaning_and_by_words() -> None:
    made = [
        episode(1, "a", vector=[1.0, 0.0]),
        episode(2, "b", vector=[0.9, 0.1]),
        episode(3, "c", vector=[0.0, 1.0]),
        episode(4, "A"),
        episode(5, "d"),
    ]
    assert [[e.content for e in group] for group in groups(made)] == [["a", "b", "A"], ["c"], ["d"]]


ACTIONS = st.builds(
    Action,
    st.sampled_from(["search_papers", "search_arxiv", "read_paper"]),
    st.dictionaries(st.sampled_from(["category", "query", "arxiv_id"]), st.text(max_size=20)),
    st.sampled_from(["ok", "empty", "error", "timeout"]),
)
EPISODES = st.lists(
    st.builds(
        lambda content, notes, **given: {"content": content, "note": notes, **given},
        st.sampled_from(["What of mesons?", "And kaons?", "shorter, please", "“odd”; it\n<x>"]),
        st.sampled_from(["", "too long", "more detail, please", "that's wrong", "perfect"]),
        actions=st.lists(ACTIONS, max_size=3),
        outcome=st.sampled_from(["success", "failure", "unknown"]),
        feedback=st.sampled_from([None, "good", "bad", "corrected"]),
        cited=st.sampled_from([[], ["0712.2288"]]),
        thread_id=st.sampled_from(["one", "two"]),
        vector=st.sampled_from([[], [1.0, 0.0], [0.0, 1.0], [float("nan"), 0.0]]),
    ),
    max_size=25,
)


@given(EPISODES, st.randoms(use_true_random=False))
def test_the_same_episodes_teach_the_same_and_rest_on_their_cases(
    given_: list[dict[str, Any]], chance: random.Random
) -> None:
    made = [episode(n, **each) for n, each in enumerate(given_)]
    drafts = distil(made)
    shuffled = made[:]
    chance.shuffle(shuffled)
    assert distil(shuffled) == drafts
    ids = {each.id for each in made}
    for draft in drafts:
        assert draft.supports and {*draft.supports, *draft.against} <= ids
        assert not {*draft.supports} & {*draft.against}
        assert "\n" not in draft.statement and len(draft.statement) < 500
        if draft.kind == "rule" and "new" not in draft.concept:
            assert read_rule(draft.statement) is not None
    assert len({(each.kind, each.concept) for each in drafts}) == len(drafts)
    assert manners(made) == [each for each in drafts if each.kind == "preference"]


def test_a_group_that_another_request_leads_now_is_the_same_lesson() -> None:
    cases = tuple(UUID(int=n) for n in range(3))
    known = [
        Known(UUID(int=9), "gap", "mesons", "…", supports=frozenset(cases)),
        Known(UUID(int=8), "rule", "mesons", "…", supports=frozenset(cases)),
    ]
    assert known_as(Draft("gap", "kaons", "…", supports=cases[1:]), known) == known[0]
    assert known_as(Draft("gap", "kaons", "…", supports=(UUID(int=7),)), known) is None
    assert known_as(Draft("preference", "kaons", "…", supports=cases), known) is None
