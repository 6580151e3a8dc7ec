"""The graph of what is remembered and of the papers: nodes, edges, ways between them.

A node is one thing under one key, whoever knows it: `paper:0704.0001`, `author:ada lovelace` and
`category:cs.CL` join a person's own entities with the shared papers; any other entity of theirs is
`kind:name`, and a memory without a name `memory:UUID`. Edges are those of `relation_memory`, which
are the person's alone, and four that the papers give: written_by, cites, in_category and about.
"""
