"""The README's table of figures: what is measured, by which command, and how its result is told.

`run_all.py` measures and writes `benchmarks.json`; the table is made from that file alone, and a
test holds it against the README.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
FILE = Path(__file__).with_name("benchmarks.json")
BEGIN = "<!-- figures: made by `make bench` from tests/benchmarks/benchmarks.json -->"
END = "<!-- end of the figures -->"

Result = Any  # what a benchmark printed as JSON


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One command, run whole.

    Attributes:
        name: its key in the file.
        command: after the interpreter for a script, after `arxivscout --home HOME` for the rest;
            `{data}`, `{papers}` and `{home}` are filled in.
    """

    name: str
    command: tuple[str, ...]

    @property
    def shown(self) -> str:
        """As the README has it."""
        names = {"data": "DIR", "papers": "FILE", "home": "HOME"}
        words = [word.format_map(names) for word in self.command if word != "--json"]
        start = [] if words[0].endswith(".py") else ["arxivscout"]
        return " ".join([*start, *words])


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: what was measured, and how the result is told."""

    benchmark: str
    what: str
    told: Callable[[Result], str]


def _retrieval(dataset: str, *options: str) -> tuple[str, ...]:
    return ("bench", "retrieval", "--dataset", dataset, *options, "--json")


BENCHMARKS = (
    Benchmark("commands", ("tests/benchmarks/bench_commands.py", "--runs", "5")),
    Benchmark("ingest", ("tests/benchmarks/bench_ingest.py", "{papers}", "--papers", "200")),
    Benchmark("turn", ("tests/benchmarks/bench_turn.py", "--home", "{home}")),
    Benchmark("chat", ("tests/benchmarks/bench_chat.py", "--runs", "3")),
    Benchmark("contexts", ("tests/benchmarks/bench_context.py", "--turns", "50,5000")),
    Benchmark("scifact", _retrieval("scifact", "--data", "{data}")),
    Benchmark("csfcube", _retrieval("csfcube", "--data", "{data}")),
    Benchmark("known-item", _retrieval("known-item")),
    Benchmark("abstain", _retrieval("abstain", "--data", "{data}")),
    Benchmark("cache", _retrieval("cache")),
    Benchmark("fulltext", _retrieval("fulltext", "--count", "60", "--data", "{data}/fulltext")),
    Benchmark("scale", _retrieval("scale", "--count", "50000")),
    Benchmark("trust", ("bench", "trust", "--json")),
    Benchmark("context", ("bench", "context", "--data", "{data}", "--json")),
    Benchmark("memory", ("bench", "memory", "--data", "{data}", "--json")),
    Benchmark("dedup", ("bench", "dedup", "--json")),
    Benchmark("learning", ("tests/benchmarks/bench_learning.py",)),
    Benchmark("graph", ("bench", "graph", "--json")),
    Benchmark(
        "batch",
        (
            *("bench", "batch", "--jobs", "10", "--concurrency", "1", "--concurrency", "4"),
            *("--slow", "8", "--kills", "3", "--database-kills", "1", "--json"),
        ),
    ),
)


def _turn(result: Result) -> str:
    loading, reference = result["loading"], result["reference"]
    return (
        f"{loading['median_ms']:.0f} ms median, {loading['embeddings']} embedding, two round trips,"
        f" the second on three connections; {reference['median_ms']:.0f} ms with"
        f" {reference['embeddings']} embeddings: {result['reference: ratio']:.1f} times as long"
    )


def _leg(result: Result, leg: str) -> str:
    (found,) = [each for each in result if each["leg"] == leg]
    return f"{found['nDCG@10']:.3f}, {found['recall@10']:.3f}"


def _legs(result: Result) -> str:
    ms = next(each for each in result if each["leg"] == "fused")
    return (
        f"{_leg(result, 'fused')}; by words alone {_leg(result, 'lexical')}; by meaning alone"
        f" {_leg(result, 'vector')}; {ms['median_ms']:.0f} ms median, {ms['p95_ms']:.0f} ms the"
        " 95th of 100"
    )


def _faceted(result: Result) -> str:
    return (
        f"{_legs(result)}; by the sentences without the paper"
        f" {_leg(result, 'fused, no paper named')}, by their meaning alone"
        f" {_leg(result, 'vector, no paper named')}"
    )


def _chat(result: Result) -> str:
    (resumed,) = [ms for name, ms in result.items() if name.startswith("resuming")]
    return (
        f"{result['first sign, first question of a sitting']:.0f} ms in the first question of a"
        f" sitting, {result['first sign, later questions']:.0f} ms later;"
        f" {result['a token, added up to the screen']:.2f} ms; {resumed:.0f} ms"
    )


def _known(result: Result) -> str:
    names = ("title", "half the title", "three rare words")
    first = ", ".join(f"{result[name]:.3f}" for name in names)
    return f"{first} in the first place; {result['author and year']:.3f}"


def _abstain(result: Result) -> str:
    return (
        f"AUROC {result['csfcube, AUROC']:.3f} and {result['papers held, AUROC']:.3f};"
        f" {100 * result['own, kept']:.1f} % of its own are answered"
    )


def _passages(result: Result) -> str:
    def recalls(each: Result) -> str:
        found = [f"{share:.3f}" for name, share in each.items() if name.startswith("recall")]
        return ", ".join(found) + f" with {each['vectors compared']:.0f} vectors compared"

    return "; ".join(f"{each['search']} {recalls(each)}" for each in result)


def _trust(result: Result) -> str:
    found = result["cases"]["all"]
    return "; ".join(
        f"{name} {each['right']}/{each['cases']}" for name, each in found.items() if each["cases"]
    )


def _contexts(result: Result) -> str:
    def told(each: Result) -> str:
        return (
            f"{each['turns']:,} turns: loaded in {each['load_ms']['median']:.1f} ms, assembled in"
            f" {each['assemble_ms']['median']:.1f} ms"
        )

    return "; ".join(told(each) for each in result)


def _locomo(result: Result) -> str:
    held_out = [each for each in result if each["conversations"] == "second half"]
    return "; ".join(
        f"{each['context']} {each['evidence']:.3f} at {100 * each['of history']:.1f} %"
        for each in held_out
    )


def _batch(result: Result) -> str:
    runs = result["runs"]
    rates = [f"{each['name']}: {each['jobs_per_minute']:g}" for each in runs]
    amiss = "; ".join(result["amiss"]) or "none lost, doubled or half written"
    return "; ".join(rates) + f" jobs a minute; with {runs[-1]['kills']} kills {amiss}"


def _remembered(result: Result) -> str:
    held_out = [each for each in result["recall"] if each["conversations"] == "second half"]

    def told(each: Result) -> str:
        at_10 = "" if each["recall@10"] is None else f"; @10 {each['recall@10']:.3f}"
        hops = each["multi-hop recall@10"]
        at_10 += "" if hops is None else f", {hops:.3f}"
        return f"{each['way']} {each['recall']:.3f}, {each['multi-hop recall']:.3f}{at_10}"

    return " · ".join(told(each) for each in held_out)


def _growth(result: Result) -> str:
    grown, updates = result["growth"], result["updates"]
    return (
        f"{grown['rows'][0]:,} rows after the first time, {grown['rows'][-1]:,} after the last;"
        f" {100 * updates['current']:.0f} % and {100 * updates['history']:.0f} % of"
        f" {updates['sequences']}"
    )


def _dedup(result: Result) -> str:
    whole = result["all"]["all"]
    classes = [
        f"{name} {100 * each['missed_duplicate']:.0f} %"
        for name, each in sorted(result["all"].items())
        if name != "all" and each["missed_duplicate"] is not None
    ]
    halves = [
        f"{half} {100 * result[half]['all']['false_merge']:.1f} and"
        f" {100 * result[half]['all']['missed_duplicate']:.1f} %"
        for half in ("dev", "test")
    ]
    return (
        f"{100 * whole['false_merge']:.1f} % and {100 * whole['missed_duplicate']:.1f} % of"
        f" {whole['pairs']} pairs ({', '.join(halves)}); missed by class: {', '.join(classes)}"
    )


def _graph(result: Result) -> str:
    return "; ".join(f"{name} {each['median ms']:.1f} ms" for name, each in result.items())


ROWS = (
    Row("commands", "`arxivscout --help`", lambda r: f"{r['--help']['wall_s']:.2f} s"),
    Row(
        "commands",
        "`arxivscout ask`, extractive, database up, from the start of the process to its end",
        lambda r: f"{r['ask']['wall_s']:.1f} s",
    ),
    Row(
        "ingest",
        "ingestion beside the bare embedder on the same 200 abstracts",
        lambda r: (
            f"{r['ingest_per_s']:.1f} against {r['bare_per_s']:.1f} papers a second"
            f" ({r['ratio']:.2f}); the database takes {100 * r['database_share']:.0f} % of the"
            f" time; {r['peak_memory_mb']} MB at most"
        ),
    ),
    Row(
        "turn",
        "loading a turn's memory with 25,314 papers, 10,000 turns, 10,000 tool logs, 2,000 rows in"
        " each other store; each store asked through `PGVectorStore`",
        _turn,
    ),
    Row(
        "turn",
        "a whole turn at that size without the model's own time",
        lambda r: f"{r['turn without model']['median_ms']:.0f} ms median",
    ),
    Row(
        "contexts",
        "a thread's context, by its length",
        _contexts,
    ),
    Row(
        "chat",
        "chat: first sign of work after Enter; a streamed token on the screen; `/resume` of 5,000"
        " turns",
        _chat,
    ),
    Row(
        "scifact",
        "search, SciFact's 300 test claims over 5,183 abstracts: nDCG@10, recall@10; constants"
        " chosen on its training claims",
        _legs,
    ),
    Row(
        "csfcube",
        "the same, CSFCube's 50 queries for papers like one in what some of its sentences say, over"
        " 4,205 abstracts",
        _faceted,
    ),
    Row(
        "known-item",
        "known items of 25,314 papers, 300 asked for: by title, by half of it, by three rare words"
        " of the abstract; by author and year among the first five",
        _known,
    ),
    Row(
        "abstain",
        "SciFact's questions on their own collection told from the same on CSFCube's and on the"
        " papers held",
        _abstain,
    ),
    Row(
        "cache",
        "the memory of dear searches: wrong hits among near misses, hits among paraphrases",
        lambda r: (
            f"{r['wrong hits']} of {r['near misses asked']} wrong ({r['wrong by cosine alone']} by"
            f" cosine alone); {100 * r['hit rate']:.0f} % of {r['paraphrases asked']}"
        ),
    ),
    Row(
        "fulltext",
        "passages of 49 full texts, 60 questions of each kind (half a sentence, a heading with"
        " three rare words, a sentence of the abstract): recall among the first five",
        _passages,
    ),
    Row(
        "scale",
        "50,000 papers, real ones and perturbed copies, with their vectors given",
        lambda r: (
            f"{r['rows/s, indexes ready']:,} stored a second, indexes ready; our memory"
            f" {r['our memory, MB']} MB; recall@10 of the index {r['recall@10 against exact']:.3f};"
            f" a search by a title {r['search by a title, median ms']:.0f} ms median, by a sentence"
            f" {r['search by a sentence, median ms']:.0f}"
        ),
    ),
    Row("trust", "answers checked: caught, or rightly let pass, by class", _trust),
    Row(
        "context",
        "evidence that stands in the context on LoCoMo's conversations 6 to 10, at which share of"
        " the history",
        _locomo,
    ),
    Row(
        "memory",
        "ways of recalling at some 700 tokens, LoCoMo's conversations 6 to 10: evidence in the"
        " context of all questions, of those of several hops; among the first ten hits",
        _remembered,
    ),
    Row(
        "memory",
        "200 turns said ten times; sequences of updates: what holds now, and what held when",
        _growth,
    ),
    Row("dedup", "the write gate: false merges and missed doubles", _dedup),
    Row(
        "learning",
        "learning from a turn by rules, behind its answer: what is new, the same said again",
        lambda r: (
            f"{r['new']['whole_ms']['median']:.0f} ms, {r['again']['whole_ms']['median']:.0f} ms"
            " median"
        ),
    ),
    Row("graph", "a graph of 100,000 entities and 1,000,000 relations of one person", _graph),
    Row("batch", "batches over 25,314 papers", _batch),
)


def load(path: Path = FILE) -> dict[str, Any]:
    """What `run_all.py` wrote."""
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def rendered(measured: Mapping[str, Any], rows: Sequence[Row] = ROWS) -> str:
    """The part of the README between its marks, marks included.

    Raises:
        KeyError: a benchmark is missing in the file, or has no such figure.
    """
    machine, versions = measured["machine"], measured["versions"]
    shown = {each.name: each.shown for each in BENCHMARKS}
    lines = [
        BEGIN,
        f"Measured on {measured['day']} in {measured['minutes']:g} minutes by `make bench DATA=DIR`"
        f" on {machine['cores']} cores ({machine['processor']}), {machine['memory_gb']} GB;"
        f" Python {versions['python']}, PostgreSQL {versions['postgresql']}, pgvector"
        f" {versions['pgvector']}. How fast a shared machine is moves by a factor of two and more"
        " with its neighbours, so that only figures of one run compare.",
        "",
        "| what | figure | command |",
        "|---|---|---|",
    ]
    for row in rows:
        told = row.told(measured["results"][row.benchmark]["result"])
        lines.append(f"| {row.what} | {told} | `{shown[row.benchmark]}` |")
    return "\n".join([*lines, END])


def in_readme(text: str) -> str:
    """That part as the README has it.

    Raises:
        ValueError: its marks are missing.
    """
    return text[text.index(BEGIN) : text.index(END) + len(END)]
