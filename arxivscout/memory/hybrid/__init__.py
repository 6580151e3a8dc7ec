"""A person's memories found by meaning, words and graph at once, and condensed in groups."""
