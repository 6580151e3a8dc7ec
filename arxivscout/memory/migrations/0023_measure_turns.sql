-- What a turn took and what came of it, in numbers: a narrow row a turn, so that a hundred thousand of
-- them are summed up in a moment. It is made from the turn when the answer has been shown, holds no
-- words of anybody, goes with its turn, and is dropped when it is older than the person wants.

CREATE TABLE turn_measure (
    turn_id UUID PRIMARY KEY REFERENCES turn ON DELETE CASCADE,
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    ended_at TIMESTAMPTZ NOT NULL,      -- the turn's: a turn that is run again is measured again
    status TEXT NOT NULL,
    outcome TEXT NOT NULL,              -- success, failure, unknown: of the way of working
    model TEXT NOT NULL,
    turn_ms REAL NOT NULL,              -- the sum of its nodes: waiting for a person is none
    abstained BOOLEAN NOT NULL,         -- papers were searched, and none is cited
    papers INTEGER NOT NULL,            -- recalled unasked, into the context
    papers_cited INTEGER NOT NULL,      -- of these
    memories INTEGER NOT NULL,          -- of all other kinds that were recalled
    cited INTEGER NOT NULL,
    problems INTEGER NOT NULL,          -- that the check found
    degraded INTEGER NOT NULL,          -- things that were not at hand
    calls INTEGER NOT NULL,             -- of tools
    failed_calls INTEGER NOT NULL,
    searches INTEGER NOT NULL,          -- among the calls
    reused INTEGER NOT NULL,            -- searches that were not made anew
    model_calls INTEGER NOT NULL,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cached_tokens BIGINT NOT NULL,
    cost DOUBLE PRECISION,              -- NULL: the model's price is not known
    parts_ms JSONB NOT NULL,            -- of nodes, the embedding, and each store's read
    segments JSONB NOT NULL             -- tokens of each part of the context
);
CREATE INDEX idx_turn_measure_ended ON turn_measure (user_id, ended_at);
CREATE INDEX idx_turn_ended ON turn (user_id, ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX idx_turn_judged ON turn (user_id, feedback_at) WHERE feedback IS NOT NULL;

-- All that is counted of tools, without their inputs and outputs.
CREATE INDEX idx_tool_log_memory_measured ON tool_log_memory (user_id, timestamp)
    INCLUDE (tool_name, status, duration_ms, turn_id, thread_id);

-- Sums that only grow, for who reads them again and again (Prometheus): old rows go, sums stay.
CREATE TABLE measure_total (
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    name TEXT NOT NULL,
    labels JSONB NOT NULL,
    value DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (user_id, name, labels)
);

DO $$
DECLARE
    private TEXT;
BEGIN
    FOREACH private IN ARRAY ARRAY['turn_measure', 'measure_total'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', private);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', private);
        EXECUTE format('CREATE POLICY own_rows ON %I USING (user_id = (SELECT scout_user()))', private);
    END LOOP;
END $$;
