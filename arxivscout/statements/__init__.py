"""What a person states in a message, told by rule: facts of themselves, decisions, open questions.

    message ──own_words──► clauses ──saying, stating──► decision, question, correction, fact

Pure and standard library only. English first; the commonest turns of phrase in Italian, German,
French and Spanish. A rule that misses leaves a clause unsaid; none turns one round.
"""
