"""Patterns fit what a naive match fits; what rules infer holds as long as all it rests on does."""

from __future__ import annotations

import itertools
import threading
from uuid import UUID

import pytest
from graph_world import Triple, draw, thing
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arxivscout.embedding import Embedder
from arxivscout.errors import NotFound, UsageError
from arxivscout.memory import entity, relation
from arxivscout.memory.graph.finding import need_nodes
from arxivscout.memory.graph.inference import infer
from arxivscout.memory.graph.matching import match
from arxivscout.memory.graph.own import Graph
from arxivscout.memory.graph.pattern import Variable, parse_pattern, parse_rule
from arxivscout.memory.graph.telling import explained
from arxivscout.memory.graph.walks import neighbours
from arxivscout.memory.postgres import Connection, Database

_people = itertools.count(1)
LETTERS = st.sampled_from("abcde")
EDGES = st.lists(
    st.tuples(LETTERS, st.sampled_from(["extends", "uses"]), LETTERS).filter(
        lambda e: e[0] != e[2]
    ),
    min_size=1,
    max_size=12,
    unique=True,
)
PATTERNS = st.sampled_from(
    [
        "?x extends ?y",
        "?x extends ?y; ?y uses ?z",
        "?x extends ?y; ?y extends ?z; ?z extends ?x",
        "?x uses ?z; ?y uses ?z",
        '?x uses "a"; ?x extends ?y',
        '"a" extends ?x; ?y uses ?x; ?y extends "b"',
        '?x extends "a"; ?y extends "b"; ?x uses ?y',
        '"a" uses "b"; ?x uses ?y',
    ]
)
MANY = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def naive(triples: list[Triple], pattern: str) -> set[tuple[tuple[str, str], ...]]:
    """All bindings, by trying every edge for every edge of the pattern, none for two of them."""
    edges = parse_pattern(pattern)
    found = set()
    for choice in itertools.product(triples, repeat=len(edges)):
        if len(set(choice)) < len(choice):
            continue
        bound: dict[str, str] = {}
        fits = True
        for wanted, (subject, predicate, object_) in zip(edges, choice, strict=True):
            fits = fits and predicate == wanted.predicate
            for term, name in ((wanted.subject, subject), (wanted.object, object_)):
                if isinstance(term, Variable):
                    fits = fits and bound.setdefault(term.name, name) == name
                else:
                    fits = fits and term.text == name
        if fits and len(set(bound.values())) == len(bound):
            found.add(tuple(sorted(bound.items())))
    return found


@MANY
@given(triples=EDGES, pattern=PATTERNS)
def test_a_pattern_fits_what_a_naive_match_fits(
    database: Database, triples: list[Triple], pattern: str
) -> None:
    with database.transaction(f"person {next(_people)}") as conn:
        draw(conn, triples)
        for name in "abcde":
            thing(conn, name)
        try:
            found = match(conn, parse_pattern(pattern), limit=1_000)
        except UsageError as nothing:
            assert "nothing to begin from" in nothing.cause
            assert not naive(triples, pattern)
            return
    assert found.complete
    rows = {
        tuple(sorted((name, node.label) for name, node in row.bound.items())) for row in found.rows
    }
    assert rows == naive(triples, pattern)
    for row in found.rows:
        for edge in row.edges:
            assert (edge.subject.label, edge.predicate, edge.object.label) in triples


def test_a_variable_can_be_of_a_kind(database: Database) -> None:
    with database.transaction("ann") as conn:
        draw(conn, [("method/LoRA", "uses", "tool/JAX"), ("method/LoRA", "uses", "dataset/GLUE")])
        found = match(conn, parse_pattern('"LoRA" uses ?x:dataset'))
    assert [row.bound["x"].label for row in found.rows] == ["GLUE"]


def test_what_is_cut_is_said(database: Database) -> None:
    with database.transaction("ann") as conn:
        draw(conn, [(f"m{number}", "uses", "JAX") for number in range(30)])
        found = match(conn, parse_pattern('?x uses "JAX"'), limit=10)
    assert (len(found.rows), found.complete) == (10, False)


def test_nobody_matches_anothers_edges(database: Database) -> None:
    with database.transaction("ann") as conn:
        draw(conn, [("LoRA", "uses", "JAX")])
    with database.transaction("bob") as conn:
        assert match(conn, parse_pattern('?x uses "JAX"')).rows == []
        with pytest.raises(UsageError):
            match(conn, parse_pattern("?x uses ?y"))


# rules


def derived(conn: Connection) -> set[tuple[str, str, str, str]]:
    return set(
        conn.execute(
            "SELECT s.name, predicate, o.name, derived_by FROM relation_memory AS r "
            "JOIN entity_memory AS s ON s.langchain_id = subject_id "
            "JOIN entity_memory AS o ON o.langchain_id = object_id "
            "WHERE derived_by IS NOT NULL AND r.valid_to IS NULL"
        ).fetchall()
    )


def inferred(database: Database, user: str = "ann") -> set[tuple[str, str, str, str]]:
    infer(database, user)
    with database.transaction(user) as conn:
        return derived(conn)


def edge_between(conn: Connection, ids: dict[str, UUID], subject: str, object_: str) -> UUID:
    return next(
        edge.id
        for edge in relation.of(conn, ids[subject])
        if edge.object_id == ids[object_] and edge.derived_by is None
    )


def test_what_follows_is_inferred_marked_and_explained(database: Database) -> None:
    with database.transaction("ann") as conn:
        draw(conn, [("QLoRA", "extends", "LoRA"), ("LoRA", "extends", "tuning")], confidence=0.9)
    assert inferred(database) == {("QLoRA", "builds_on", "tuning", "builds on")}
    assert infer(database, "ann") == 0
    with database.transaction("ann") as conn:
        (found,) = neighbours(conn, need_nodes(conn, "QLoRA"), predicates=["builds_on"])
    assert found.via.confidence == pytest.approx(0.9**2 * 0.9)
    (told,) = explained([found.via])
    assert "inferred by the rule builds on" in told
    assert "because QLoRA extends LoRA; LoRA extends tuning" in told


def test_an_inferred_edge_ends_with_its_ground_and_finds_another(database: Database) -> None:
    with database.transaction("ann") as conn:
        ids = draw(conn, [("a", "extends", "b"), ("b", "extends", "d"),
                          ("a", "extends", "c"), ("c", "extends", "d")])  # fmt: skip
    follows = {("a", "builds_on", "d", "builds on")}
    assert inferred(database) == follows
    for middle in ("b", "c"):
        with database.transaction("ann") as conn:
            relation.end(conn, edge_between(conn, ids, "a", middle))
        assert inferred(database) == (follows if middle == "b" else set())


def test_what_rests_on_something_deleted_ends(database: Database) -> None:
    with database.transaction("ann") as conn:
        ids = draw(conn, [("a", "extends", "b"), ("b", "extends", "c")])
    assert inferred(database)
    with database.transaction("ann") as conn:
        relation.delete(conn, edge_between(conn, ids, "a", "b"))
        assert derived(conn) == set()


def test_an_entity_is_deleted_with_its_edges_and_what_rests_on_them_ends(
    database: Database,
) -> None:
    with database.transaction("ann") as conn:
        ids = draw(conn, [("a", "extends", "b"), ("b", "extends", "c"), ("c", "extends", "d")])
    assert len(inferred(database)) == 2
    with database.transaction("ann") as conn:
        conn.execute("DELETE FROM entity_memory WHERE langchain_id = %s", [ids["b"]])
    assert inferred(database) == set()
    with database.transaction("ann") as conn:
        conn.execute("DELETE FROM entity_memory")
        for table in ("relation_memory", "relation_ground", "entity_name"):
            assert conn.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


def test_what_rests_on_something_forgotten_ends_and_comes_back(database: Database) -> None:
    with database.transaction("ann") as conn:
        ids = draw(conn, [("a", "extends", "b"), ("b", "extends", "c")])
    follows = inferred(database)
    with database.transaction("ann") as conn:
        entity.forget(conn, ids["b"])
        assert derived(conn) == set()
    assert inferred(database) == set()
    with database.transaction("ann") as conn:
        conn.execute("UPDATE entity_memory SET valid_to = NULL")
    assert inferred(database) == follows


def test_inference_goes_on_when_a_ground_is_superseded(database: Database) -> None:
    with database.transaction("ann") as conn:
        ids = draw(conn, [("a", "extends", "b"), ("b", "extends", "c")])
    follows = inferred(database)
    with database.transaction("ann") as conn:
        entity.update(conn, ids["b"], "another text of b", None, reason="better")
    assert inferred(database) == follows


def test_cycles_end(database: Database) -> None:
    ring = [(f"n{number}", "depends_on", f"n{(number + 1) % 6}") for number in range(6)]
    with database.transaction("ann") as conn:
        draw(conn, ring)
    found = inferred(database)
    assert len({edge[:3] for edge in found}) == len(found) == 6 * 4
    assert all(subject != object_ for subject, _, object_, _ in found)


def test_what_somebody_said_is_not_inferred_as_well(database: Database) -> None:
    with database.transaction("ann") as conn:
        draw(conn, [("a", "extends", "b"), ("b", "extends", "c"), ("a", "builds_on", "c")])
    assert inferred(database) == set()


def test_rules_are_added_replaced_switched_off_and_on(
    database: Database, embedder: Embedder
) -> None:
    with database.transaction("ann") as conn:
        draw(conn, [("finding/f", "about", "LoRA"), ("LoRA", "extends", "tuning"),
                    ("tuning", "extends", "learning")])  # fmt: skip
    graph = Graph(database, embedder, "ann")
    rule, count = graph.add_rule("?f about ?m, ?m extends ?n => ?f concerns ?n")
    assert (rule.name, count) == ("concerns", 2)  # and what was known before the rule
    assert ("f", "concerns", "tuning", "concerns") in inferred(database)
    graph.add_rule("?f:finding about ?m => ?f touches ?m", "concerns")
    assert ("f", "touches", "LoRA", "concerns") in inferred(database)
    assert not any(edge[1] == "concerns" for edge in inferred(database))
    assert {each.name: each.edges for each in graph.rules()}["concerns"] == 1
    graph.remove_rule("concerns")
    assert {edge[3] for edge in inferred(database)} == {"builds on"}
    with pytest.raises(NotFound):
        graph.remove_rule("concerns")
    graph.remove_rule("builds on")
    assert inferred(database) == set()
    assert graph.restore_rule("builds on")[1] == 1
    with pytest.raises(UsageError):
        graph.add_rule("?a x ?b => ?a y ?b", "builds on")
    assert [
        rule.name for rule in Graph(database, embedder, "bob").rules() if not rule.built_in
    ] == []


def test_a_rule_that_is_there_already_is_that_one(database: Database, embedder: Embedder) -> None:
    graph = Graph(database, embedder, "ann")
    there, _ = graph.add_rule("?a extends ?b, ?b extends ?c => ?a builds_on ?c")
    assert there.built_in and there.name == "builds on"
    with pytest.raises(UsageError, match="comes along"):
        graph.add_rule("?a cites ?b, ?b cites ?c => ?a builds_on ?c")


def test_two_that_infer_at_once_draw_each_edge_once(database: Database) -> None:
    with database.transaction("ann") as conn:
        draw(conn, [(f"n{number}", "part_of", f"n{number + 1}") for number in range(8)])
    threads = [threading.Thread(target=infer, args=(database, "ann")) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.transaction("ann") as conn:
        found = conn.execute(
            "SELECT count(*), count(DISTINCT (subject_id, object_id)) FROM relation_memory "
            "WHERE derived_by IS NOT NULL AND valid_to IS NULL"
        ).fetchone()
    assert found is not None and found[0] == found[1] > 6
    assert inferred(database, "bob") == set()


@MANY
@given(triples=EDGES, gone=st.sets(st.integers(0, 11)), rule=st.sampled_from([
    "?a extends ?b, ?b extends ?c => ?a builds_on ?c",
    "?a uses ?b, ?b extends ?c => ?a touches ?c",
    "?a uses ?b => ?b used_by ?a",
]))  # fmt: skip
def test_after_any_changes_what_holds_is_what_follows(
    database: Database, embedder: Embedder, triples: list[Triple], gone: set[int], rule: str
) -> None:
    user = f"person {next(_people)}"
    graph = Graph(database, embedder, user)
    graph.remove_rule("builds on")
    graph.add_rule(rule, "the rule")
    with database.transaction(user) as conn:
        ids = draw(conn, triples)
    infer(database, user)
    with database.transaction(user) as conn:
        for at in gone & set(range(len(triples))):
            subject, predicate, object_ = triples[at]
            for edge in relation.of(conn, ids[subject]):
                if (edge.subject_id, edge.predicate, edge.object_id) == (
                    ids[subject], predicate, ids[object_]
                ):  # fmt: skip
                    relation.end(conn, edge.id)
    left = [triple for at, triple in enumerate(triples) if at not in gone]
    parsed = parse_rule(rule)
    expected = set()
    for row in naive(left, "; ".join(map(str, parsed.body))):
        bound = dict(row)
        ends = [bound[end.name] for end in (parsed.head.subject, parsed.head.object)
                if isinstance(end, Variable)]  # fmt: skip
        expected.add((ends[0], parsed.head.predicate, ends[1], "the rule"))
    assert inferred(database, user) == expected
