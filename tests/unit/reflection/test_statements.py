"""Rules are read back from their sentences as they were written, whatever they are about."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arxivscout.reflection.statements import Rule, Step, read_rule, short, shown

NAMES = st.from_regex(r"[a-z][a-z_]{0,15}", fullmatch=True)
VALUES = st.text(min_size=1, max_size=100).map(shown).filter(bool)
STEPS = st.builds(Step, NAMES, st.dictionaries(NAMES, VALUES, max_size=3))
RULES = st.builds(
    Rule,
    st.text(max_size=300).map(short),
    st.lists(STEPS, min_size=1, max_size=3).map(tuple),
    st.lists(STEPS, max_size=3).map(tuple),
    st.booleans(),
)


@given(RULES)
def test_a_rule_is_read_back(rule: Rule) -> None:
    read = read_rule(str(rule))
    assert read is not None
    assert (read.like, read.avoid, read.instead) == (rule.like, rule.avoid, rule.instead)
    assert read.tried == rule.tried or not rule.instead


@given(st.text(max_size=500))
def test_any_other_sentence_is_no_rule(text: str) -> None:
    read_rule(text)
    assert read_rule(f"“{text}") is None


def test_a_step_is_known_by_its_arguments() -> None:
    step = Step("search_papers", {"category": "cs.CL"})
    assert step.matches("search_papers", {"query": "x", "category": "cs.CL"})
    assert not step.matches("search_papers", {"query": "x"})
    assert not step.matches("search_arxiv", {"category": "cs.CL"})
    assert Step("read_paper").matches("read_paper", {"arxiv_id": "0712.2288"})
