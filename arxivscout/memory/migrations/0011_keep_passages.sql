-- Full texts of papers: their sections and passages. Shared by an installation, like the papers.
--
-- A document and all that was made of it come and go together. Vectors have no index: a search goes
-- from papers to their sections and from those to their passages, and computes few distances.

CREATE TABLE full_text (
    arxiv_id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('pdf', 'html', 'records')),
    version INTEGER,                -- of the paper; NULL where the document doesn't say
    licence TEXT,
    pages INTEGER,
    cited JSONB NOT NULL DEFAULT '[]',      -- its list of references: text, arxiv_id, doi
    notes TEXT[] NOT NULL DEFAULT '{}',     -- what is missing or doubtful, a line each
    source TEXT,                    -- the file or address that it was read from
    document_hash UUID NOT NULL,    -- of the text and of how it was cut: what ingestion compares
    stored_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

CREATE TABLE section_memory (
    arxiv_id TEXT NOT NULL REFERENCES full_text ON DELETE CASCADE,
    position INTEGER NOT NULL,      -- in reading order, from 0
    path TEXT[] NOT NULL,           -- headings from the outermost
    embedding vector,               -- the mean of its passages', unit length
    PRIMARY KEY (arxiv_id, position)
);

CREATE TABLE passage_memory (
    langchain_id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    content TEXT NOT NULL,          -- the headings in a line, then the passage
    embedding vector,
    content_tsv TSVECTOR,
    arxiv_id TEXT NOT NULL,
    section INTEGER NOT NULL,       -- section_memory.position
    position INTEGER NOT NULL,      -- in the paper, from 0
    path TEXT[] NOT NULL,
    page INTEGER,
    last_page INTEGER,
    kind TEXT NOT NULL,             -- of the document, as are version, licence and date
    version INTEGER,
    licence TEXT,
    submission_date TEXT,
    content_hash UUID GENERATED ALWAYS AS (md5(content)::uuid) STORED,
    UNIQUE (arxiv_id, position),
    FOREIGN KEY (arxiv_id, section) REFERENCES section_memory ON DELETE CASCADE
);
CREATE INDEX passage_tsv_index ON passage_memory USING gin (content_tsv);
CREATE INDEX passage_section ON passage_memory (arxiv_id, section);

CREATE FUNCTION drop_full_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM arxivscout.full_text WHERE arxiv_id = OLD.arxiv_id;
    RETURN NULL;
END $$;
CREATE TRIGGER drop_full_text AFTER DELETE ON semantic_memory
    FOR EACH ROW WHEN (OLD.arxiv_id IS NOT NULL) EXECUTE FUNCTION drop_full_text();

-- Where an embedder is bound, its dimension holds here too.
DO $$
DECLARE
    size INTEGER := (SELECT dimension FROM embedding_model);
BEGIN
    IF size IS NOT NULL THEN
        EXECUTE format('ALTER TABLE section_memory ALTER COLUMN embedding TYPE vector(%s)', size);
        EXECUTE format('ALTER TABLE passage_memory ALTER COLUMN embedding TYPE vector(%s)', size);
    END IF;
END $$;
