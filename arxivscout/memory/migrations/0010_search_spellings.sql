-- What misspelled words are compared with, and how far stored words are in the spelling that is
-- searched by. `word_count.py` counts the first anew as papers come and go; its index by trigrams is
-- made by `spelling.py` where the server has pg_trgm.

CREATE TABLE known_spelling (
    word TEXT NOT NULL,             -- in small letters, with its accents
    of_author BOOLEAN NOT NULL,     -- of an author's name; else of a title
    papers INTEGER NOT NULL,
    PRIMARY KEY (word, of_author)
);

INSERT INTO known_spelling (word, of_author, papers)
SELECT word, false, ndoc
FROM ts_stat($$
    SELECT to_tsvector('simple', split_part(content, E'\n', 1))
    FROM arxivscout.semantic_memory WHERE arxiv_id IS NOT NULL$$)
WHERE length(word) BETWEEN 4 AND 40 AND word !~ '[0-9/.@:_-]'
UNION ALL
SELECT word, true, ndoc
FROM ts_stat('SELECT authors_tsv FROM arxivscout.semantic_memory WHERE arxiv_id IS NOT NULL')
WHERE length(word) BETWEEN 4 AND 40 AND word !~ '[0-9/.@:_-]';

CREATE TABLE word_form (
    singleton BOOLEAN PRIMARY KEY DEFAULT true CHECK (singleton),
    form INTEGER NOT NULL,          -- SEARCH_FORM of the program that wrote all the words
    done_to UUID                    -- rows up to this one are in the next form already
);

-- Words written before this are of form 0; the program writes them anew, a part at a time.
INSERT INTO word_form (form) SELECT CASE WHEN EXISTS (SELECT FROM semantic_memory) THEN 0 ELSE 1 END;
