-- What a person does with their memory: projects that hold papers, and erasure that stays one.

-- projects ----------------------------------------------------------------------------------------

ALTER TABLE project
    ADD COLUMN summary_id UUID,         -- of its newest summary
    ADD CONSTRAINT project_own UNIQUE (id, user_id);    -- for the key below

CREATE TABLE project_paper (
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    project_id UUID NOT NULL,
    arxiv_id TEXT NOT NULL,             -- held or not, as in the library
    added_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, project_id, arxiv_id),
    FOREIGN KEY (project_id, user_id) REFERENCES project (id, user_id) ON DELETE CASCADE
);
ALTER TABLE project_paper ENABLE ROW LEVEL SECURITY;
ALTER TABLE project_paper FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON project_paper USING (user_id = (SELECT scout_user()));

CREATE INDEX idx_thread_project ON thread (user_id, project_id) WHERE project_id IS NOT NULL;
CREATE INDEX idx_entity_memory_project ON entity_memory (user_id, project_id)
    WHERE project_id IS NOT NULL;
CREATE INDEX idx_entity_memory_archived ON entity_memory (user_id, archived_at)
    WHERE archived_at IS NOT NULL;

-- erasure -----------------------------------------------------------------------------------------
-- A turn that was under way when its person was erased, here or in a file of another machine, must
-- not bring them back. What is kept of them is a hash of the name, which tells nobody the name.

CREATE TABLE erasure (
    person TEXT PRIMARY KEY,
    erased_at TIMESTAMPTZ NOT NULL
);

CREATE FUNCTION hashed_person(name TEXT) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN encode(sha256(convert_to('arxivscout ' || name, 'UTF8')), 'hex');

-- Called at the beginning of a transaction that stores what a turn leaves: it waits for an erasure
-- that is being done, and an erasure waits for it. `begun` is when the turn began; NULL: it begins.
CREATE FUNCTION stay_erased(begun TIMESTAMPTZ) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    hashed TEXT := arxivscout.hashed_person(arxivscout.scout_user());
BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('erase ' || hashed, 0));
    IF EXISTS (SELECT FROM arxivscout.erasure WHERE person = hashed AND erased_at >= begun) THEN
        RAISE EXCEPTION 'erased' USING ERRCODE = 'AS001';
    END IF;
END $$;
