-- The knowledge base's indexes that a large load has dropped, to be built at its end. They are built
-- by whoever opens the database and finds one here with nobody at a load.

CREATE TABLE deferred_index (
    name TEXT PRIMARY KEY,
    definition TEXT NOT NULL,       -- the statement that the owner runs to build it
    deferred_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

-- The application may look. What it could write here, the owner would run.
ALTER TABLE deferred_index ENABLE ROW LEVEL SECURITY;
CREATE POLICY anybody_reads ON deferred_index FOR SELECT USING (true);
