-- Memories say where they come from, how sure they are, where they are filed and whether they rest.

ALTER TABLE entity_memory
    ADD COLUMN confidence REAL NOT NULL DEFAULT 1 CHECK (confidence BETWEEN 0 AND 1),
    ADD COLUMN quote TEXT,              -- the words of the person or of the paper that say so
    ADD COLUMN source TEXT,             -- arXiv id of the paper that says so; NULL: the person does
    ADD COLUMN aliases TEXT[] NOT NULL DEFAULT '{}',    -- other names of the same thing
    ADD COLUMN filed_under TEXT,        -- one of the person's categories: findings, methods, ...
    ADD COLUMN project_id UUID,
    ADD COLUMN archived_at TIMESTAMPTZ, -- kept and searchable, no longer recalled unasked
    ADD COLUMN summary_id UUID;         -- of the summary that condenses it

ALTER TABLE summary_memory
    ADD COLUMN filed_under TEXT,
    ADD COLUMN project_id UUID,
    ADD COLUMN archived_at TIMESTAMPTZ;

ALTER TABLE relation_memory
    ADD COLUMN confidence REAL NOT NULL DEFAULT 1 CHECK (confidence BETWEEN 0 AND 1),
    ADD COLUMN quote TEXT,
    ADD COLUMN derived_by TEXT;         -- the rule that inferred it; NULL: somebody said so

-- How often and when a memory was last used: beside the memory, because touching a row that has a
-- vector writes a new version of it into the vector index.
CREATE TABLE memory_use (
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    memory_id UUID NOT NULL,
    uses INTEGER NOT NULL DEFAULT 0,
    last_used_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, memory_id)
);

CREATE TABLE project (
    id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    name TEXT NOT NULL,
    goal TEXT,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    closed_at TIMESTAMPTZ,
    UNIQUE (user_id, name)
);

ALTER TABLE thread
    ADD COLUMN project_id UUID,
    ADD COLUMN private BOOLEAN NOT NULL DEFAULT false;  -- nothing is learned from it

DO $$
DECLARE
    private TEXT;
BEGIN
    FOREACH private IN ARRAY ARRAY['memory_use', 'project']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', private);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', private);
        EXECUTE format('CREATE POLICY own_rows ON %I USING (user_id = (SELECT scout_user()))', private);
    END LOOP;
END $$;
