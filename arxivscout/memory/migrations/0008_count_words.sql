-- What BM25 weighs words by: in how many papers each stands, and how many words a paper has.
-- `word_count.py` counts them anew as papers come and go.

CREATE TABLE paper_word (
    lexeme TEXT PRIMARY KEY,        -- of semantic_memory.content_tsv
    papers INTEGER NOT NULL
);

CREATE TABLE paper_word_total (
    singleton BOOLEAN PRIMARY KEY DEFAULT true CHECK (singleton),
    papers INTEGER NOT NULL,
    mean_words REAL NOT NULL,       -- different ones of a paper, on average
    counted_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

INSERT INTO paper_word (lexeme, papers)
SELECT word, ndoc
FROM ts_stat('SELECT content_tsv FROM arxivscout.semantic_memory WHERE arxiv_id IS NOT NULL');

INSERT INTO paper_word_total (papers, mean_words)
SELECT count(*), COALESCE(avg(length(content_tsv)), 0)
FROM semantic_memory WHERE arxiv_id IS NOT NULL;

-- A paper asked for by its DOI is found at once.
CREATE INDEX kb_doi ON semantic_memory (lower(langchain_metadata ->> 'doi'))
    WHERE langchain_metadata ->> 'doi' IS NOT NULL;
