"""Papers as frozen values: ids, records, and the one text form that a model reads. No I/O."""

from __future__ import annotations

from arxivscout.papers.ids import PaperId, find_paper_ids
from arxivscout.papers.mentions import CITATION, cited_paper, cited_texts, is_labelled
from arxivscout.papers.query import PaperQuery, parse_query, query_text
from arxivscout.papers.record import Paper, PaperHit, Skipped
from arxivscout.papers.rendering import neutralise, parse_papers, render_papers
from arxivscout.papers.text import clean_text, cut_at_word, fold_accents, one_line

__all__ = [
    "CITATION",
    "Paper",
    "PaperHit",
    "PaperId",
    "PaperQuery",
    "Skipped",
    "cited_paper",
    "cited_texts",
    "clean_text",
    "cut_at_word",
    "find_paper_ids",
    "fold_accents",
    "is_labelled",
    "neutralise",
    "one_line",
    "parse_papers",
    "parse_query",
    "query_text",
    "render_papers",
]
