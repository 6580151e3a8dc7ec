"""What counts how much in the recall of a person's own memories: all weights in one place.

    score = (meaning + WORDS * words + GRAPH * graph) * confidence factor * value factor

`meaning` is the cosine with the question, `words` the share of its words by rarity (both as for
what was said, `message_recall.py`, where 1.25 was chosen on LoCoMo's first five conversations),
`graph` the weight that reaches a memory from what the question names and from the first hits,
halved at each step (`graph/enrich.py`). With LoCoMo's messages kept as memories (`bench memory`),
words bring the evidence among the first ten from .26 to .57; the graph, of names and topics alone,
adds most at .25 (among the first five, .577 to .582) and costs from 1 on. A factor takes away at
most its share: what is old, unused or doubtful comes behind its like, and is never lost for that.
"""

from __future__ import annotations

WORDS = 1.25
GRAPH = 0.25
DOUBT = 0.3  # taken away at confidence 0
FADED = 0.2  # taken away at value 0

# What is recalled unasked must bear on the question: by meaning, by enough of its words, or by what
# it is joined to.
LEAST_MEANING = 0.25
LEAST_WORDS = 0.35
LEAST_GRAPH = 0.1
# A category has given enough when so many of its memories are as near as this.
ENOUGH, NEAR = 8, 0.5

CATEGORIES = 3  # searched first
FROM_CATEGORY = 12
FROM_ALL = 30
BY_WORDS = 40
USES_OF_A_WORD = 1_000  # the newest
LEADING = 20  # hits whose neighbours are looked at
FINDINGS, PREFERENCES, RELATED = 10, 12, 10
STANDING_ALONE = 2  # the best memories are shown though a summary holds them
