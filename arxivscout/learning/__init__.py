"""What a turn teaches, by rule: pure, and the same with every model.

    the person's words ──statements──► facts, decisions, questions, what they use and work on ┐
    the papers cited ──named_in_papers, findings──► methods, data sets, results, authors ──────┤
                                                                             Learned ◄─────────┘

Only the person's own words and the papers' text go in: nothing recalled, nothing of an answer.
"""

from __future__ import annotations

from arxivscout.learning.turns import learned, relations_of
from arxivscout.learning.values import Learned, Turn, Used

__all__ = ["Learned", "Turn", "Used", "learned", "relations_of"]
