-- Batches of research jobs: a queue that the workers of several processes and machines share.
--
-- A job that runs is held by a claim until a time of this server's clock; only who has the claim may
-- end it. A claim that ran out may be taken over. No lock outlives a statement's transaction.

CREATE TABLE batch (
    batch_id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    name TEXT NOT NULL CHECK (name <> ''),
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    options JSONB NOT NULL DEFAULT '{}',
    UNIQUE (user_id, name),
    UNIQUE (batch_id, user_id)      -- for the key below: a job is of its batch's owner
);

CREATE TABLE batch_job (
    job_id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    batch_id UUID NOT NULL,
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    number INTEGER NOT NULL,        -- its place in the file
    key TEXT NOT NULL,              -- tells it from the batch's other jobs, however often it is read
    listed BOOLEAN NOT NULL DEFAULT true,       -- whether the file still has it
    job JSON NOT NULL,
    own_id TEXT GENERATED ALWAYS AS (job ->> 'id') STORED,      -- what the person calls it
    status TEXT NOT NULL DEFAULT 'waiting'
        CHECK (status IN ('waiting', 'running', 'done', 'failed', 'cancelled')),
    attempts INTEGER NOT NULL DEFAULT 0,
    worker TEXT,                    -- who has or had it last
    claim UUID,                     -- of its last claim: one worker may claim a job twice
    lease_until TIMESTAMPTZ,
    started_at TIMESTAMPTZ,
    ended_at TIMESTAMPTZ,
    error TEXT,
    report JSON,
    input_tokens BIGINT NOT NULL DEFAULT 0,     -- of all attempts that told of them
    output_tokens BIGINT NOT NULL DEFAULT 0,
    cost DOUBLE PRECISION,          -- NULL: the model's price is not known
    UNIQUE (batch_id, key),
    FOREIGN KEY (batch_id, user_id) REFERENCES batch (batch_id, user_id) ON DELETE CASCADE,
    CHECK (status <> 'running' OR (claim IS NOT NULL AND lease_until IS NOT NULL)),
    CHECK ((status = 'done') = (report IS NOT NULL))
);
-- What can be claimed, in order, and who is at work; listing a batch in the order of its file.
CREATE INDEX idx_batch_job_waiting ON batch_job (batch_id, number)
    WHERE listed AND status IN ('waiting', 'running');
CREATE INDEX idx_batch_job_running ON batch_job (batch_id, lease_until) WHERE status = 'running';
CREATE INDEX idx_batch_job_number ON batch_job (batch_id, number);

ALTER TABLE batch ENABLE ROW LEVEL SECURITY;
ALTER TABLE batch FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON batch USING (user_id = (SELECT scout_user()));
ALTER TABLE batch_job ENABLE ROW LEVEL SECURITY;
ALTER TABLE batch_job FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON batch_job USING (user_id = (SELECT scout_user()));
