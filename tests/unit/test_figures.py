"""The README's figures are those of the last run of the benchmarks, none typed by hand."""

import copy
from typing import Any

import pytest
from figures import BEGIN, BENCHMARKS, END, FILE, README, ROWS, Row, in_readme, load, rendered

MEASURED: dict[str, Any] = {
    "day": "2026-11-30",
    "minutes": 14.2,
    "machine": {"processor": "A", "cores": 2, "memory_gb": 8},
    "versions": {"python": "3.11", "postgresql": "18.6", "pgvector": "0.8.6"},
    "results": {"commands": {"result": {"--help": {"wall_s": 0.13}}}},
}
HELP = (Row("commands", "`--help`", lambda r: f"{r['--help']['wall_s']:.2f} s"),)


def test_the_readme_shows_the_figures_of_the_file() -> None:
    shown = in_readme(README.read_text(encoding="utf-8"))
    assert shown == (rendered(load()) if FILE.exists() else f"{BEGIN}\n{END}")


def test_every_benchmark_is_told_and_everything_told_is_measured() -> None:
    assert {row.benchmark for row in ROWS} == {each.name for each in BENCHMARKS}


def test_a_table_is_made_of_the_results() -> None:
    table = rendered(MEASURED, HELP)
    assert "| `--help` | 0.13 s | `tests/benchmarks/bench_commands.py --runs 5` |" in table
    assert "on 2 cores (A), 8 GB; Python 3.11" in table
    assert in_readme(f"before\n{table}\nbehind") == table


def test_another_result_makes_another_table() -> None:
    changed = copy.deepcopy(MEASURED)
    changed["results"]["commands"]["result"]["--help"]["wall_s"] += 1
    assert rendered(changed, HELP) != rendered(MEASURED, HELP)


def test_a_result_that_is_missing_is_no_empty_cell() -> None:
    with pytest.raises(KeyError):
        rendered({**MEASURED, "results": {}}, HELP)
