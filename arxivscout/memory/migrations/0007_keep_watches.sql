-- Watches: topics of which a person wants to know what is new, and what they were told already.

CREATE TABLE watch (
    watch_id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    number INTEGER NOT NULL,
    name TEXT NOT NULL CHECK (name <> ''),
    topic TEXT NOT NULL CHECK (topic <> ''),
    categories TEXT[] NOT NULL DEFAULT '{}',        -- any of them; none: all of arXiv, by words
    first_day DATE NOT NULL,        -- what was submitted before is not new
    read_until TIMESTAMPTZ,         -- the watermark: when the last whole reading of arXiv began
    digests INTEGER NOT NULL DEFAULT 0,
    undelivered JSONB NOT NULL DEFAULT '[]',    -- digests whose papers are noted below, until written
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    UNIQUE (user_id, name),
    UNIQUE (user_id, number),
    UNIQUE (watch_id, user_id)      -- for the key below: what was reported is of the watch's owner
);

CREATE TABLE watch_seen (
    watch_id UUID NOT NULL,
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    arxiv_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    reported_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (watch_id, arxiv_id, version),
    FOREIGN KEY (watch_id, user_id) REFERENCES watch (watch_id, user_id) ON DELETE CASCADE
);
CREATE INDEX idx_watch_seen_paper ON watch_seen (user_id, arxiv_id);

ALTER TABLE watch ENABLE ROW LEVEL SECURITY;
ALTER TABLE watch FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON watch USING (user_id = (SELECT scout_user()));
ALTER TABLE watch_seen ENABLE ROW LEVEL SECURITY;
ALTER TABLE watch_seen FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON watch_seen USING (user_id = (SELECT scout_user()));
