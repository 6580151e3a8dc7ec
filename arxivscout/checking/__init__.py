"""Checking of answers against the papers they cite, pure: text in, verdicts out.

claims: what the answer says, and which papers each part cites. numbers, quotes, names: facts that
must occur in the source. support: whether the source says it. verdicts: all of that for one answer.
"""
