-- The stores of the memory layer. Runs inside the schema `arxivscout`, as its owner.
--
-- Columns, types, defaults, checks and indexes that the contract names stay as they are; ours are
-- added behind them. Vector columns are made without a dimension: binding an embedder fixes it and
-- builds the HNSW indexes (embedding_model.sql is part of the code, not of the schema's history).
--
-- Private tables carry `user_id`, filled from the setting `arxivscout.user_id`, and row security
-- shows each person their own rows only. After a transaction a SET LOCAL setting reads '' instead
-- of NULL, hence NULLIF and the check.

CREATE FUNCTION scout_user() RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN NULLIF(current_setting('arxivscout.user_id', true), '');

-- conversational (episodic) -------------------------------------------------------------------

CREATE TABLE conversational_memory (
    id UUID DEFAULT gen_random_uuid() PRIMARY KEY,
    thread_id VARCHAR(100) NOT NULL,
    role VARCHAR(50) NOT NULL,
    content TEXT NOT NULL,
    timestamp TIMESTAMPTZ DEFAULT NOW(),
    metadata JSONB,
    created_at TIMESTAMPTZ DEFAULT NOW(),
    summary_id UUID DEFAULT NULL,
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    turn_id UUID,
    seq BIGINT GENERATED ALWAYS AS IDENTITY
);
CREATE INDEX idx_conversational_memory_thread_id ON conversational_memory (thread_id);
CREATE INDEX idx_conversational_memory_timestamp ON conversational_memory (timestamp);
CREATE INDEX idx_conversational_memory_order ON conversational_memory (user_id, thread_id, seq DESC);
CREATE INDEX idx_conversational_memory_summary ON conversational_memory (summary_id)
    WHERE summary_id IS NOT NULL;
CREATE UNIQUE INDEX idx_conversational_memory_turn ON conversational_memory (turn_id, role)
    WHERE turn_id IS NOT NULL;

-- tool log (audit) ----------------------------------------------------------------------------

CREATE TABLE tool_log_memory (
    id UUID DEFAULT gen_random_uuid() PRIMARY KEY,
    thread_id VARCHAR(100) NOT NULL,
    tool_name VARCHAR(100) NOT NULL,
    tool_input JSONB,
    tool_output TEXT,
    status VARCHAR(20) NOT NULL DEFAULT 'success'
        CHECK (status IN ('success', 'error', 'timeout')),
    error_message TEXT,
    duration_ms INTEGER,
    timestamp TIMESTAMPTZ DEFAULT NOW(),
    metadata JSONB,
    created_at TIMESTAMPTZ DEFAULT NOW(),
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    turn_id UUID,
    seq BIGINT GENERATED ALWAYS AS IDENTITY
);
CREATE INDEX idx_tool_log_memory_thread_ts ON tool_log_memory (thread_id, timestamp DESC);
CREATE INDEX idx_tool_log_memory_tool_name ON tool_log_memory (tool_name);
CREATE INDEX idx_tool_log_memory_status ON tool_log_memory (status) WHERE status <> 'success';
CREATE INDEX idx_tool_log_memory_order ON tool_log_memory (user_id, thread_id, seq DESC);
CREATE INDEX idx_tool_log_memory_input ON tool_log_memory USING gin (tool_input jsonb_path_ops);

-- Row security keeps GIN from being used (`@>` is not leakproof), so that a search by argument runs
-- as the owner and names the person itself.
CREATE FUNCTION tool_logs_by_input(arguments JSONB, newest INTEGER) RETURNS SETOF tool_log_memory
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = arxivscout, pg_temp
BEGIN ATOMIC
    SELECT * FROM tool_log_memory
    WHERE tool_input @> arguments AND user_id = scout_user()
    ORDER BY seq DESC LIMIT newest;
END;

-- knowledge base (semantic), shared -----------------------------------------------------------

CREATE TABLE semantic_memory (
    langchain_id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    content TEXT NOT NULL,
    embedding vector,
    content_tsv TSVECTOR,
    arxiv_id TEXT,
    subjects TEXT,
    submission_date TEXT,           -- ISO 8601, so that text order is time order
    langchain_metadata JSON,        -- json, not jsonb: the printed blocks show its keys in order
    content_hash UUID GENERATED ALWAYS AS (md5(content)::uuid) STORED,
    record_hash UUID,               -- of the whole record: what ingestion compares
    version INTEGER,
    withdrawn BOOLEAN NOT NULL DEFAULT false,
    category_keys TEXT[],           -- categories and their archives: {cs.CL, cs, math.ST, math}
    authors_tsv TSVECTOR,           -- 'simple', accents folded
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    updated_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX kb_arxiv_id ON semantic_memory (arxiv_id) WHERE arxiv_id IS NOT NULL;
CREATE INDEX kb_tsv_index ON semantic_memory USING gin (content_tsv);
CREATE INDEX kb_content_hash ON semantic_memory (content_hash);
CREATE INDEX kb_submission_date ON semantic_memory (submission_date);
CREATE INDEX kb_category_keys ON semantic_memory USING gin (category_keys);
CREATE INDEX kb_authors ON semantic_memory USING gin (authors_tsv);

-- workflow (procedural) -----------------------------------------------------------------------

CREATE TABLE workflow_memory (
    langchain_id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    content TEXT NOT NULL,
    embedding vector,
    langchain_metadata JSON,
    content_hash UUID GENERATED ALWAYS AS (md5(content)::uuid) STORED,
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    workflow_type TEXT,
    outcome TEXT NOT NULL DEFAULT 'unknown' CHECK (outcome IN ('success', 'failure', 'unknown')),
    thread_id VARCHAR(100),
    turn_id UUID,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    updated_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE INDEX idx_workflow_memory_hash ON workflow_memory (user_id, content_hash);
CREATE UNIQUE INDEX idx_workflow_memory_turn ON workflow_memory (turn_id) WHERE turn_id IS NOT NULL;

-- toolbox (procedural): tools of the installation have no user --------------------------------

CREATE TABLE toolbox_memory (
    langchain_id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    content TEXT NOT NULL,
    embedding vector,
    langchain_metadata JSON,
    content_hash UUID GENERATED ALWAYS AS (md5(content)::uuid) STORED,
    user_id TEXT DEFAULT scout_user() CHECK (user_id <> ''),
    tool_name TEXT,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    updated_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE INDEX idx_toolbox_memory_hash ON toolbox_memory (user_id, content_hash);
CREATE UNIQUE INDEX idx_toolbox_memory_name ON toolbox_memory (tool_name) WHERE user_id IS NULL;

-- entity (semantic) and its edges -------------------------------------------------------------

CREATE TABLE entity_memory (
    langchain_id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    content TEXT NOT NULL,
    embedding vector,
    langchain_metadata JSON,
    content_hash UUID GENERATED ALWAYS AS (md5(content)::uuid) STORED,
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    category TEXT,                  -- person, preference, finding, paper, ...
    name TEXT,                      -- what it is called; an arXiv id for a paper
    valid_from TIMESTAMPTZ NOT NULL DEFAULT now(),
    valid_to TIMESTAMPTZ,           -- set when superseded or forgotten
    superseded_by UUID,
    reason TEXT,
    thread_id VARCHAR(100),
    turn_id UUID,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    updated_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE INDEX idx_entity_memory_hash ON entity_memory (user_id, content_hash);
CREATE INDEX idx_entity_memory_category ON entity_memory (user_id, category, updated_at DESC)
    WHERE valid_to IS NULL;
CREATE UNIQUE INDEX idx_entity_memory_name ON entity_memory (user_id, category, name)
    WHERE name IS NOT NULL AND valid_to IS NULL;

CREATE TABLE relation_memory (
    id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    subject_id UUID NOT NULL REFERENCES entity_memory ON DELETE CASCADE,
    predicate TEXT NOT NULL,
    object_id UUID NOT NULL REFERENCES entity_memory ON DELETE CASCADE,
    properties JSONB NOT NULL DEFAULT '{}',
    source TEXT,
    reason TEXT,
    turn_id UUID,
    valid_from TIMESTAMPTZ NOT NULL DEFAULT now(),
    valid_to TIMESTAMPTZ,
    recorded_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX idx_relation_memory_edge
    ON relation_memory (user_id, subject_id, predicate, object_id, turn_id) NULLS NOT DISTINCT
    WHERE valid_to IS NULL;
CREATE INDEX idx_relation_memory_object ON relation_memory (object_id);

-- summary (semantic) --------------------------------------------------------------------------

CREATE TABLE summary_memory (
    langchain_id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    content TEXT NOT NULL,
    embedding vector,
    langchain_metadata JSON,
    content_hash UUID GENERATED ALWAYS AS (md5(content)::uuid) STORED,
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    thread_id VARCHAR(100),
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    updated_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE INDEX idx_summary_memory_hash ON summary_memory (user_id, content_hash);
CREATE INDEX idx_summary_memory_thread ON summary_memory (user_id, thread_id);

-- turns: what was asked, what came of it, and who is at work on a thread ----------------------

CREATE TABLE turn (
    turn_id UUID PRIMARY KEY,
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    thread_id VARCHAR(100) NOT NULL,
    question TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'open'
        CHECK (status IN ('open', 'answered', 'interrupted', 'failed')),
    model TEXT,
    report JSONB,                   -- what went into the context, what was cut and why
    citations JSONB,
    degraded JSONB,
    usage JSONB,
    timings_ms JSONB,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    ended_at TIMESTAMPTZ
);
CREATE INDEX idx_turn_thread ON turn (user_id, thread_id, started_at DESC);

CREATE TABLE thread_lease (
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    thread_id VARCHAR(100) NOT NULL,
    holder UUID NOT NULL,           -- the turn at work
    host TEXT NOT NULL,             -- where its process runs, so that a dead one on this machine
    process TEXT NOT NULL,          -- (pid and start time) is seen at once, not when it expires
    expires_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (user_id, thread_id)
);

-- every change to long-term memory, before and after ------------------------------------------

CREATE TABLE change_log (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    changed_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    table_name TEXT NOT NULL,
    row_id UUID NOT NULL,
    action TEXT NOT NULL CHECK (action IN ('update', 'delete')),
    before JSONB NOT NULL,
    after JSONB,
    reason TEXT
);
CREATE INDEX idx_change_log_row ON change_log (user_id, row_id, id);

CREATE FUNCTION record_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    before JSONB := to_jsonb(OLD);
    after JSONB := CASE WHEN TG_OP = 'UPDATE' THEN to_jsonb(NEW) END;
BEGIN
    IF TG_OP = 'UPDATE' AND before - 'embedding' - 'updated_at' = after - 'embedding' - 'updated_at' THEN
        RETURN NULL;    -- a new vector for the same words, or nothing at all
    END IF;
    INSERT INTO arxivscout.change_log (user_id, table_name, row_id, action, before, after, reason)
    VALUES (
        OLD.user_id, TG_TABLE_NAME,
        (before ->> CASE WHEN before ? 'langchain_id' THEN 'langchain_id' ELSE 'id' END)::uuid,
        lower(TG_OP), before, after,
        NULLIF(current_setting('arxivscout.reason', true), ''));
    RETURN NULL;
END $$;

CREATE TRIGGER record_change AFTER UPDATE OR DELETE ON conversational_memory
    FOR EACH ROW EXECUTE FUNCTION record_change();
CREATE TRIGGER record_change AFTER UPDATE OR DELETE ON workflow_memory
    FOR EACH ROW EXECUTE FUNCTION record_change();
CREATE TRIGGER record_change AFTER UPDATE OR DELETE ON entity_memory
    FOR EACH ROW EXECUTE FUNCTION record_change();
CREATE TRIGGER record_change AFTER UPDATE OR DELETE ON relation_memory
    FOR EACH ROW EXECUTE FUNCTION record_change();
CREATE TRIGGER record_change AFTER UPDATE OR DELETE ON summary_memory
    FOR EACH ROW EXECUTE FUNCTION record_change();

-- which model made the vectors ----------------------------------------------------------------

CREATE TABLE embedding_model (
    singleton BOOLEAN PRIMARY KEY DEFAULT true CHECK (singleton),
    name TEXT NOT NULL,
    dimension INTEGER NOT NULL CHECK (dimension BETWEEN 1 AND 2000),
    fingerprint TEXT NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

-- row security --------------------------------------------------------------------------------
-- The owner's policy for maintenance is not part of the history (migrate.py): it names a role, and a
-- backup may be restored where the owner has another name.

DO $$
DECLARE
    private TEXT;
BEGIN
    FOREACH private IN ARRAY ARRAY[
        'conversational_memory', 'tool_log_memory', 'workflow_memory', 'entity_memory',
        'relation_memory', 'summary_memory', 'turn', 'thread_lease', 'change_log']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', private);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', private);
        EXECUTE format('CREATE POLICY own_rows ON %I USING (user_id = (SELECT scout_user()))', private);
    END LOOP;
END $$;

ALTER TABLE toolbox_memory ENABLE ROW LEVEL SECURITY;
ALTER TABLE toolbox_memory FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON toolbox_memory
    USING (user_id IS NULL OR user_id = (SELECT scout_user()));
