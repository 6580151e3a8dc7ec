"""A person's memories, lessons and summaries found in several ways at once; memories in groups."""
