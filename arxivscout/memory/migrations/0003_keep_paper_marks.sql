-- A person's library: the papers that they marked, with reading status, tags and a note.
--
-- Keyed by arXiv id, not by a row of the knowledge base: a paper may be wanted before it is held.

CREATE TABLE paper_mark (
    id UUID NOT NULL UNIQUE DEFAULT gen_random_uuid(),      -- what the change log names
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    arxiv_id TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'unread' CHECK (status IN ('unread', 'reading', 'read')),
    tags TEXT[] NOT NULL DEFAULT '{}',
    note TEXT CHECK (note <> ''),
    noted_at TIMESTAMPTZ,
    title TEXT,                     -- as a file gave it, for a paper that is not held
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    updated_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, arxiv_id)
);
CREATE INDEX idx_paper_mark_note ON paper_mark (user_id, noted_at DESC) WHERE note IS NOT NULL;
CREATE TRIGGER record_change AFTER UPDATE OR DELETE ON paper_mark
    FOR EACH ROW EXECUTE FUNCTION record_change();

ALTER TABLE paper_mark ENABLE ROW LEVEL SECURITY;
ALTER TABLE paper_mark FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON paper_mark USING (user_id = (SELECT scout_user()));
