"""Walks through a person's graph reach what a naive walk reaches, and nothing of anybody else."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from graph_world import Triple, distances, draw, thing
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arxivscout.errors import NotFound, ToolInputError
from arxivscout.memory import entity, relation
from arxivscout.memory.graph.finding import find_nodes, need_nodes
from arxivscout.memory.graph.node import Edge, View
from arxivscout.memory.graph.paths import shortest_path
from arxivscout.memory.graph.telling import explained
from arxivscout.memory.graph.walks import closure, neighbours, related
from arxivscout.memory.postgres import Database

_people = itertools.count(1)
LETTERS = st.sampled_from("abcdefgh")
EDGES = st.lists(
    st.tuples(LETTERS, st.sampled_from(["extends", "uses"]), LETTERS).filter(
        lambda e: e[0] != e[2]
    ),
    min_size=1,
    max_size=14,
    unique=True,
)
MANY = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def named(found: Sequence[object]) -> list[str]:
    return [each.node.label for each in found]  # type: ignore[attr-defined]


def ends(edges: Sequence[Edge]) -> list[tuple[str, str, str]]:
    return [(edge.subject.label, edge.predicate, edge.object.label) for edge in edges]


@MANY
@given(triples=EDGES, depth=st.integers(1, 4))
def test_neighbours_are_those_within_the_depth(
    database: Database, triples: list[Triple], depth: int
) -> None:
    start = triples[0][0]
    with database.transaction(f"person {next(_people)}") as conn:
        draw(conn, triples)
        found = neighbours(conn, need_nodes(conn, start), depth=depth, limit=50)
    expected = {
        name: steps for name, steps in distances(triples, start).items() if 0 < steps <= depth
    }
    assert {each.node.label: each.distance for each in found} == expected
    assert all(each.score > 0 for each in found)


@MANY
@given(triples=EDGES, ends_=st.tuples(LETTERS, LETTERS))
def test_a_path_is_as_short_as_any_and_joined(
    database: Database, triples: list[Triple], ends_: tuple[str, str]
) -> None:
    start, end = ends_
    with database.transaction(f"person {next(_people)}") as conn:
        draw(conn, triples)
        for name in ends_:
            thing(conn, name)
        path = shortest_path(conn, need_nodes(conn, start), need_nodes(conn, end))
    steps = distances(triples, start).get(end)
    if steps is None or steps > 6:
        assert path is None
        return
    assert path is not None and len(path) == steps
    here = start
    for subject, predicate, object_ in ends(path):
        assert (subject, predicate, object_) in triples
        assert here in (subject, object_)
        here = object_ if here == subject else subject
    assert here == end


@MANY
@given(triples=EDGES, backward=st.booleans())
def test_a_closure_is_all_that_one_predicate_leads_to(
    database: Database, triples: list[Triple], backward: bool
) -> None:
    start = triples[0][0]
    expected, waiting = set[str](), [start]
    while waiting:
        here = waiting.pop()
        for subject, predicate, object_ in triples:
            one, other = (object_, subject) if backward else (subject, object_)
            if predicate == "extends" and one == here and other not in expected | {start}:
                expected.add(other)
                waiting.append(other)
    with database.transaction(f"person {next(_people)}") as conn:
        draw(conn, triples)
        found = closure(conn, need_nodes(conn, start), "extends", backward=backward)
    assert sorted(named(found)) == sorted(expected)


def test_what_shares_rare_neighbours_is_related_before_what_shares_a_hub(
    database: Database,
) -> None:
    hub = [(f"m{number}", "uses", "Python") for number in range(12)]
    with database.transaction("ann") as conn:
        draw(
            conn,
            [
                *hub,
                ("LoRA", "uses", "Python"),
                ("LoRA", "evaluated_on", "GLUE"),
                ("Adapters", "evaluated_on", "GLUE"),
            ],
        )
        found = related(conn, need_nodes(conn, "LoRA"))
    assert named(found)[0] == "Adapters"
    assert [node.label for node in found[0].shared] == ["GLUE"]
    assert all(found[0].score > each.score for each in found[1:])


def test_a_hub_costs_no_more_than_its_surest_edges(database: Database) -> None:
    with database.transaction("ann") as conn:
        ids = draw(conn, [(f"m{number}", "uses", "Python") for number in range(100)])
        relation.add(conn, ids["m7"], "is_like", ids["Python"], confidence=0.9)
        found = neighbours(conn, need_nodes(conn, "Python"), limit=5)
    assert len(found) == 5


def test_no_walk_goes_through_the_person(database: Database) -> None:
    with database.transaction("ann") as conn:
        draw(conn, [("person/ann", "uses", "LoRA"), ("person/ann", "uses", "JAX")])
        lora = need_nodes(conn, "lora")
        assert shortest_path(conn, lora, need_nodes(conn, "jax")) is None
        assert named(neighbours(conn, lora, depth=3)) == ["ann"]
        found = neighbours(conn, need_nodes(conn, "me"), depth=2)
    assert sorted(named(found)) == ["JAX", "LoRA"]


def test_walks_see_what_held_then(database: Database) -> None:
    with database.transaction("ann") as conn:
        ids = draw(conn, [("LoRA", "uses", "PyTorch")])
        (edge,) = relation.of(conn, ids["LoRA"])
        conn.execute(
            "UPDATE relation_memory SET valid_from = now() - interval '30 days'",
        )
        conn.execute("UPDATE entity_memory SET valid_from = now() - interval '40 days'")
        relation.end(conn, edge.id)
        relation.add(conn, ids["LoRA"], "uses", thing(conn, "JAX"))
    now = datetime.now(UTC)
    with database.transaction("ann") as conn:
        lora = need_nodes(conn, "LoRA")
        assert named(neighbours(conn, lora)) == ["JAX"]
        then = View(as_of=now - timedelta(days=10))
        assert named(neighbours(conn, lora, view=then)) == ["PyTorch"]
        before = View(as_of=now - timedelta(days=35))
        assert named(neighbours(conn, lora, view=before)) == []


def test_what_is_superseded_hands_its_edges_on_and_keeps_them_as_history(
    database: Database,
) -> None:
    with database.transaction("ann") as conn:
        ids = draw(conn, [("LoRA", "uses", "PyTorch"), ("QLoRA", "extends", "LoRA")])
        conn.execute("UPDATE relation_memory SET valid_from = now() - interval '30 days'")
        conn.execute("UPDATE entity_memory SET valid_from = now() - interval '40 days'")
        new = entity.update(conn, ids["LoRA"], "low-rank adaptation", None, reason="better said")
        then = View(as_of=datetime.now(UTC) - timedelta(days=10))
        (lora,) = need_nodes(conn, "LoRA")
        assert lora.id == new
        found = neighbours(conn, [lora])
        assert sorted(named(found)) == ["PyTorch", "QLoRA"]
        assert all(each.via.since and each.via.since < then.as_of for each in found)  # type: ignore[operator]
        (old,) = need_nodes(conn, "LoRA", view=then)
        assert old.id == ids["LoRA"]
        assert sorted(named(neighbours(conn, [old], view=then))) == ["PyTorch", "QLoRA"]


def test_what_is_forgotten_is_not_walked_through_and_comes_back_with_it(
    database: Database,
) -> None:
    with database.transaction("ann") as conn:
        ids = draw(conn, [("a", "uses", "b"), ("b", "uses", "c")])
        entity.forget(conn, ids["b"])
        a, c = need_nodes(conn, "a"), need_nodes(conn, "c")
        assert shortest_path(conn, a, c) is None
        assert neighbours(conn, a, depth=2) == []
        conn.execute("UPDATE entity_memory SET valid_to = NULL")
        assert len(shortest_path(conn, a, c) or ()) == 2


def test_nobody_sees_anothers_graph(database: Database) -> None:
    with database.transaction("ann") as conn:
        draw(conn, [("LoRA", "uses", "PyTorch")])
        lora = need_nodes(conn, "LoRA")
    with database.transaction("bob") as conn:
        assert find_nodes(conn, "LoRA") == []
        assert neighbours(conn, lora, depth=4) == []
        with pytest.raises(NotFound):
            need_nodes(conn, "LoRA")


def test_private_threads_are_not_seen_from_elsewhere(database: Database) -> None:
    with database.transaction("ann") as conn:
        ids = draw(conn, [("LoRA", "uses", "PyTorch")])
        secret = entity.write(
            conn, "LoRA leaks", None, {"category": "finding", "thread_id": "secret"}
        )
        relation.add(conn, secret, "about", ids["LoRA"])
        relation.add(conn, ids["LoRA"], "is_like", thing(conn, "Adapters"), {"thread_id": "secret"})
        view = View(hidden=frozenset({"secret"}))
        lora = need_nodes(conn, "LoRA")
        assert named(neighbours(conn, lora, view=view)) == ["PyTorch"]
        assert len(neighbours(conn, lora)) == 3
        assert find_nodes(conn, str(secret), view=view) == []
        assert find_nodes(conn, "LoRA", view=View(own=False)) == []


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("Schrödinger bridge", "schrodinger  BRIDGE"),
        ("U-Net", "u net"),
        ("C++", "c++"),
        ("注意力机制", "注意力机制"),
        ("Метод главных компонент", "метод главных компонент"),
        ("تعلم عميق", "تعلم عميق"),
        ("naïve Bayes’", "naive bayes’"),
    ],
)
def test_names_in_any_script_and_spelling_are_found(
    database: Database, stored: str, asked: str
) -> None:
    with database.transaction("ann") as conn:
        thing(conn, stored)
        thing(conn, "C#")
        assert [node.label for node in need_nodes(conn, asked)] == [stored]


def test_aliases_are_found_and_go_with_the_entity(database: Database) -> None:
    with database.transaction("ann") as conn:
        lora = thing(conn, "LoRA")
        conn.execute(
            "UPDATE entity_memory SET aliases = '{low-rank adaptation}' WHERE langchain_id = %s",
            [lora],
        )
        assert [node.id for node in need_nodes(conn, "Low-Rank Adaptation")] == [lora]
        entity.forget(conn, lora)
        assert find_nodes(conn, "low-rank adaptation") == []
    with database.transaction("bob") as conn:
        assert conn.execute("SELECT count(*) FROM entity_name").fetchone() == (0,)


def test_what_is_not_found_is_told_with_what_sounds_like_it(database: Database) -> None:
    with database.transaction("ann") as conn:
        thing(conn, "sparse attention")
        with pytest.raises(NotFound) as told:
            need_nodes(conn, "dense attention")
    assert "sparse attention" in told.value.mend


@pytest.mark.parametrize(
    "text", ["", " ", "\0", "memory:nonsense", ":", "a" * 10_000, "%_\\'\"", "paper:"]
)
def test_odd_names_name_nothing(database: Database, text: str) -> None:
    with database.transaction("ann") as conn:
        thing(conn, "LoRA")
        assert find_nodes(conn, text) == []


def test_an_edge_says_what_it_rests_on(database: Database) -> None:
    with database.transaction("ann") as conn:
        ids = draw(conn, [("a", "uses", "b")])
        edge = relation.add(
            conn,
            ids["a"],
            "Evaluated on",
            ids["b"],
            source="2106.09685",
            quote="we evaluate on b",
            reason="the table says so",
            confidence=0.8,
        )
        path = shortest_path(
            conn, need_nodes(conn, "a"), need_nodes(conn, "b"), predicates=["evaluated_on"]
        )
        assert path is not None and [each.id for each in path] == [edge]
    (line,) = explained(path)
    day = f"{datetime.now(UTC):%Y-%m-%d}"
    assert line == (
        f"a was evaluated on b (since {day}, arXiv:2106.09685 says so, “we evaluate on b”, "
        "because the table says so)"
    )


def test_an_edge_needs_a_predicate_and_two_things(database: Database) -> None:
    with database.transaction("ann") as conn:
        ids = draw(conn, [("a", "uses", "b")])
        with pytest.raises(ToolInputError):
            relation.add(conn, ids["a"], "–", ids["b"])
        with pytest.raises(ToolInputError):
            relation.add(conn, ids["a"], "uses", ids["a"])


def test_who_moved_on_from_a_tool_uses_it_no_more(database: Database) -> None:
    with database.transaction("ann") as conn:
        ids = draw(conn, [("person/ann", "uses", "JAX"), ("person/ann", "uses", "Julia")])
        relation.add(conn, ids["person/ann"], "used before", ids["JAX"])
        found = neighbours(conn, need_nodes(conn, "me"))
        assert {(each.via.predicate, each.node.label) for each in found} == {
            ("used_before", "JAX"), ("uses", "Julia")
        }  # fmt: skip
        ended = [
            edge.predicate for edge in relation.of(conn, ids["JAX"], ended=True) if edge.valid_to
        ]
        assert ended == ["uses"]


def test_papers_looked_at_hide_nothing_and_stand_behind_what_is_known(database: Database) -> None:
    with database.transaction("ann") as conn:
        looked = [("person/ann", "looked_at", f"paper/0704.{number:04}") for number in range(40)]
        ids = draw(conn, looked)
        for name in ("JAX", "jets", "MATLAB"):
            predicate = "avoids" if name == "MATLAB" else "uses"
            relation.add(conn, ids["person/ann"], predicate, thing(conn, name), confidence=0.7)
        conn.execute(
            "UPDATE relation_memory SET valid_from = now() - interval '1 day' "
            "WHERE predicate = 'looked_at' AND object_id <> %s",
            [ids["paper/0704.0023"]],
        )
        author = thing(conn, "author/Emmy Noether")
        relation.add(conn, ids["paper/0704.0007"], "written_by", author)
        me = need_nodes(conn, "me")
        found = neighbours(conn, me, limit=5)
        assert sorted(named(found)[:3]) == ["JAX", "MATLAB", "jets"]
        assert [each.via.predicate for each in found[3:]] == ["looked_at"] * 2
        assert named(found)[3] == "the paper 0704.0023"  # the newest
        (way,) = neighbours(conn, me, predicates=["looked_at"], limit=1)
        assert way.node.label == "the paper 0704.0023"
        path = shortest_path(conn, me, [*need_nodes(conn, "Emmy Noether")])
        assert path is not None and [edge.predicate for edge in path] == ["looked_at", "written_by"]
        assert not any(each.node.kind == "paper" for each in related(conn, me))


def test_a_paper_looked_at_in_many_turns_keeps_what_is_known_of_it(database: Database) -> None:
    with database.transaction("ann") as conn:
        ids = draw(conn, [("finding/it holds", "supported_by", "paper/0704.0001")])
        person = thing(conn, "person/ann")
        for _ in range(30):
            paper_id = ids["paper/0704.0001"]
            relation.add(conn, person, "looked_at", paper_id, turn_id=uuid4())
        here = need_nodes(conn, "0704.0001")
        assert named(neighbours(conn, here, limit=5)) == ["it holds"]
        assert named(neighbours(conn, here, predicates=["looked_at"])) == ["ann"]
        path = shortest_path(conn, here, need_nodes(conn, "me"))
        assert path is not None and [edge.predicate for edge in path] == ["looked_at"]
