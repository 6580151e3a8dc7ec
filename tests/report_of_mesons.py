"""A report as the batch machine makes them, of real papers; what a test has against it, it adds."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from arxivscout.reports.report import (
    Comparison,
    Cost,
    Report,
    ReportPaper,
    Search,
    Section,
    Sentence,
    Theme,
)

MESONS = "Which discrete symmetries can the teleportation of neutral mesons measure?"
VARIABLES = "How is the teleportation of continuous variables judged?"
CHANNELS = "How much entanglement does a channel keep?"


def _paper(
    arxiv_id: str, title: str, published: str, theme: int | None, x: float, y: float, **more: Any
) -> ReportPaper:
    return ReportPaper(
        arxiv_id=arxiv_id,
        title=title,
        published=published,
        theme=theme,
        x=x,
        y=y,
        url=f"https://arxiv.org/abs/{arxiv_id}",
        **{"categories": ("quant-ph",), **more},
    )


SHI = _paper(
    "0712.2288",
    "CP Measurement in Quantum Teleportation of Neutral Mesons",
    "2007-12-14",
    0,
    -0.82,
    0.41,
    authors=("Yu Shi",),
    why=MESONS,
    score=0.91,
    cited=True,
    known_since=datetime(2026, 3, 2, 9, 30, tzinfo=UTC),
)
PAPERS = (
    SHI,
    _paper(
        "hep-ph/9411270",
        r"Past-Future Interference in $\Phi$-Decays into Entangled Kaon Pairs",
        "1994-11-11",
        0,
        -0.9,
        0.2,
        why=MESONS,
        score=0.74,
        cited=True,
    ),
    _paper(
        "quant-ph/0011108",
        "Local Realistic Theories and Quantum Mechanics for the two-neutral-kaon system",
        "2000-11-27",
        0,
        -0.68,
        0.12,
        why=MESONS,
        score=0.7,
        cited=True,
    ),
    _paper(
        "quant-ph/9910030",
        "Criteria for Continuous-Variable Quantum Teleportation",
        "1999-10-07",
        1,
        0.34,
        0.52,
        authors=("Samuel L. Braunstein", "Christopher A. Fuchs", "H. J. Kimble"),
        why=VARIABLES,
        score=0.69,
        cited=True,
    ),
    _paper(
        "2512.10225",
        "Integrated Generation and Purification of Entangled Coherent States for Non-Gaussian "
        "Teleportation",
        "2025-12-11",
        1,
        0.61,
        0.66,
        authors=("Ananga Mohan Datta", "William J. Munro", "Nicolo Lo Piparo", "Kae Nemoto"),
        why=VARIABLES,
        score=0.66,
        cited=True,
    ),
    _paper(
        "0808.2504",
        "Non-Gaussian continuous-variable teleportation",
        "2008-08-19",
        1,
        0.55,
        0.44,
        why=VARIABLES,
        score=0.61,
    ),
    _paper(
        "quant-ph/0311056",
        "Experimental demonstration of quantum teleportation of a squeezed state",
        "2003-11-10",
        1,
        0.28,
        0.71,
        why=VARIABLES,
        score=0.6,
        cited=True,
    ),
    _paper(
        "quant-ph/9807091",
        "General teleportation channel, singlet fraction and quasi-distillation",
        "1998-07-31",
        2,
        0.3,
        -0.42,
        authors=("Michal Horodecki", "Pawel Horodecki", "Ryszard Horodecki"),
        why=CHANNELS,
        score=0.58,
        cited=True,
    ),
    _paper(
        "0906.0506",
        "Teleportation-Induced Correlated Quantum Channels",
        "2009-06-02",
        2,
        0.12,
        -0.55,
        why=CHANNELS,
        score=0.57,
    ),
    _paper(
        "quant-ph/9806082",
        "Quantum telecloning and multiparticle entanglement",
        "1998-06-24",
        2,
        0.02,
        -0.28,
        authors=("M. Murao", "D. Jonathan", "M. B. Plenio", "V. Vedral"),
        why=CHANNELS,
        score=0.55,
    ),
    _paper(
        "1603.05292",
        "Teleportation stretching for lossy Gaussian channels",
        "2016-03-16",
        2,
        0.44,
        -0.2,
        why=CHANNELS,
        score=0.54,
    ),
    _paper(
        "0704.0051",
        "Visualizing Teleportation",
        "2007-04-02",
        None,
        -0.1,
        0.05,
        authors=("Scott M. Cohen",),
        categories=("physics.ed-ph", "quant-ph"),
        why="teleportation, drawn",
        score=0.41,
        known_since=datetime(2026, 3, 2, 9, 30, tzinfo=UTC),
    ),
)


def meson_report(**changes: Any) -> Report:
    """The report; `changes` are fields of it."""
    values: dict[str, Any] = {
        "job_id": "mesons",
        "question": "What can the quantum teleportation of neutral mesons measure, "
        "and how is teleportation judged?",
        "brief": (
            Sentence(
                text="The state of a neutral meson may be teleported through entangled pairs, "
                "and CP measured in doing so.",
                papers=("0712.2288",),
                verdict="supported",
            ),
            Sentence(
                text="For continuous variables there are criteria by which a teleportation counts "
                "as quantum, and experiments that are held against them.",
                papers=("quant-ph/9910030", "quant-ph/0311056"),
                verdict="supported",
            ),
        ),
        "sections": (
            Section(
                title="Neutral mesons",
                paragraphs=(
                    (
                        Sentence(
                            text="Yu Shi treats the measurement of CP in the teleportation of "
                            "neutral mesons.",
                            papers=("0712.2288",),
                            verdict="supported",
                        ),
                        Sentence(
                            text="Entangled pairs of kaons from Φ decays show interference between "
                            "past and future.",
                            papers=("hep-ph/9411270",),
                            verdict="supported",
                        ),
                        Sentence(
                            text="Local realistic theories have been held against quantum "
                            "mechanics for two neutral kaons.",
                            papers=("quant-ph/0011108", "0712.2288"),
                            verdict="weak",
                            problems=("only the first of the two papers is about this",),
                        ),
                    ),
                    (
                        Sentence(
                            text="A teleported kaon keeps its lifetime.",
                            papers=("0712.2288",),
                            verdict="unsupported",
                            problems=("the paper does not say so",),
                        ),
                    ),
                ),
            ),
            Section(
                title="Continuous variables and channels",
                paragraphs=(
                    (
                        Sentence(
                            text="Fidelity is what criteria for continuous variables are written "
                            "in.",
                            papers=("quant-ph/9910030",),
                            verdict="supported",
                        ),
                        Sentence(
                            text="Non-Gaussian resources are made and purified on one chip.",
                            papers=("2512.10225",),
                            verdict="supported",
                        ),
                        Sentence(
                            text="The singlet fraction of a shared state bounds what its channel "
                            "can do.",
                            papers=("quant-ph/9807091",),
                            verdict="supported",
                        ),
                    ),
                ),
            ),
        ),
        "papers": PAPERS,
        "themes": (
            Theme(name="Kaons and CP", terms=("kaon", "meson", "CP", "decay")),
            Theme(name="Continuous variables", terms=("squeezed", "Gaussian", "coherent")),
            Theme(name="Channels and entanglement", terms=("channel", "cloning", "singlet")),
        ),
        "comparison": Comparison(
            papers=("0712.2288", "quant-ph/9910030", "2512.10225"),
            rows={
                "System": ("neutral mesons", "modes of light", "coherent states of light"),
                "What is measured": ("CP", "fidelity", ""),
                "Kind": ("theory", "theory", "proposal of a device"),
            },
        ),
        "open_questions": (
            Sentence(
                text="Whether mesons can be held long enough for a teleportation is not shown.",
                papers=("0712.2288",),
                verdict="supported",
            ),
        ),
        "trail": (
            Search(
                question=MESONS, query="teleportation mesons CP", where="papers held", found=3,
                seconds=0.21,
            ),
            Search(
                question=VARIABLES, query="continuous-variable teleportation criteria",
                where="papers held", found=12, seconds=0.19, note="quant-ph only",
            ),
            Search(
                question=CHANNELS, query="teleportation channel entanglement", where="arXiv",
                found=0, seconds=20.0, note="arXiv did not answer",
            ),
        ),
        "known_before": datetime(2026, 3, 2, 9, 30, tzinfo=UTC),
        "cost": Cost(
            model="openai:gpt-5-mini", input_tokens=48_210, output_tokens=3_405, cost=0.0189
        ),
        "started_at": datetime(2026, 11, 30, 2, 14, tzinfo=UTC),
        "seconds": 187.4,
        "degraded": ("arXiv did not answer: papers held were searched only",),
        "problems": ("One sentence says what its paper does not.",),
    }  # fmt: skip
    return Report(**{**values, **changes})


# Each is markup, a link, a line or an order to some reader of the files.
HOSTILE = (
    "<script>alert(1)</script>", "</title>", "</style>", "<!--", "]]>", '" onload="x', "' x='",
    "&lt;", "&#60;", "|", "\\", "\\|", "*", "**", "_", "__", "`", "```", "~~",
    "[x](javascript:alert(1))", "![x](https://evil.example/x.png)", "[1]",
    "[1]: https://evil.example", "\n", "\n\n", "\r", "\u2028", "\n# ", "# ", "- ", "+ ", "1. ",
    "1) ", "> ", "=", "---", "    ", "\t", ": ", "$", "$a*b$ $c*d$", "$x}_y$ ${z}_w$", "$M_W$",
    "$$", "https://evil.example", "www.evil.example", "me@evil.example", "@somebody",
    "<a@b.example>", "\x00", "\x1b[31m", "\u202e", "{", "}", "%", "~", "^", "#",
)  # fmt: skip
_KEPT = frozenset({"arxiv_id", "url", "published", "verdict", "started_at", "known_before"})


def saying(text: str, report: Report | None = None) -> Report:
    """The report with `text` in every place that holds words, withdrawn papers among them."""
    return Report.model_validate(_said((report or meson_report()).model_dump(), text, ""))


def _said(value: Any, text: str, name: str) -> Any:
    if name in _KEPT or (name == "papers" and value and isinstance(value[0], str)):
        return value
    if name == "withdrawn":
        return True
    if isinstance(value, dict):
        keys = [f"{text} {n}" for n in range(len(value))] if name == "rows" else list(value)
        return {
            key: _said(each, text, old)
            for key, (old, each) in zip(keys, value.items(), strict=True)
        }
    if isinstance(value, list | tuple):
        return tuple(_said(each, text, "") for each in value)
    return text if isinstance(value, str) else value
