"""What was searched and gave nothing, and why; said once."""

from __future__ import annotations

from arxivscout.llm.extractive_reading import Reading

NOT_ASKED = "ArxivScout is offline"  # how a source says that it asked nobody
LONGEST_WHY = 160  # characters


def searched_in_vain(reading: Reading, *, left_out: bool) -> list[str]:
    """Each place that was searched, and what came of it.

    Args:
        reading: the turn with its results.
        left_out: something was found that the person does not want.
    """
    tried: list[str] = []
    for result in {result.name: result for result in reading.results}.values():
        if result.name not in ("search_papers", "search_arxiv"):
            continue
        where = "the held papers" if result.name == "search_papers" else "arXiv"
        if result.status == "error":
            tried.append(f"{where} ({without_answer(where, result.text)})")
        else:
            count = len(result.papers)
            none = "none on this that you would want" if left_out else "none on this"
            found = f"the nearest {count} looked at, {none}" if count > 1 else none
            tried.append(f"{where} ({found if count else 'nothing found'})")
    return tried


def without_answer(where: str, error: str) -> str:
    """Why `where` gave no answer: whether it was asked at all, and what to do if it was not."""
    why = error.splitlines()[0].strip(" .")[:LONGEST_WHY] if error.strip() else "no result"
    cause, _, mend = why.partition(". ")
    if cause.startswith(NOT_ASKED):
        # "ArxivScout is offline: arXiv is not asked" beside "not asked" would say it twice.
        return f"not asked: {NOT_ASKED}" + (f"; {mend[:1].lower()}{mend[1:]}" if mend else "")
    if cause.startswith(f"{where} "):
        return f"no answer: it {cause.removeprefix(where).strip()}"
    return f"failed: {why}"
