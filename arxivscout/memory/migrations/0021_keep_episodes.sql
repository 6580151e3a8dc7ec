-- Episodes: what each turn was for, what was done, what came of it and what the person made of that.
-- Lessons: what several episodes teach, with the cases that speak for and against each.

CREATE TABLE episode_memory (
    langchain_id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    content TEXT NOT NULL,          -- the request as it stands alone: what is embedded
    embedding vector,
    langchain_metadata JSON,
    content_hash UUID GENERATED ALWAYS AS (md5(content)::uuid) STORED,
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    turn_id UUID,
    thread_id VARCHAR(100),
    request TEXT NOT NULL,          -- in the person's own words
    thought TEXT,                   -- the plan: the tools in the order in which they were meant
    actions JSONB NOT NULL DEFAULT '[]',    -- [{tool, arguments, status}], as they were done
    cited TEXT[] NOT NULL DEFAULT '{}',
    outcome TEXT NOT NULL DEFAULT 'unknown' CHECK (outcome IN ('success', 'failure', 'unknown')),
    feedback TEXT CHECK (feedback IN ('good', 'bad', 'corrected')),
    feedback_note TEXT,
    feedback_turn UUID,             -- in which turn it was said; NULL: by a command
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    updated_at TIMESTAMPTZ NOT NULL DEFAULT now()
) WITH (fillfactor = 80);           -- feedback comes later, beside the row and not into the index
CREATE UNIQUE INDEX idx_episode_memory_turn ON episode_memory (turn_id) WHERE turn_id IS NOT NULL;
CREATE INDEX idx_episode_memory_newest ON episode_memory (user_id, created_at DESC);
CREATE INDEX idx_episode_memory_said ON episode_memory (feedback_turn)
    WHERE feedback_turn IS NOT NULL;

CREATE TABLE lesson_memory (
    langchain_id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    content TEXT NOT NULL,          -- the statement
    embedding vector,
    langchain_metadata JSON,
    content_hash UUID GENERATED ALWAYS AS (md5(content)::uuid) STORED,
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    kind TEXT NOT NULL CHECK (kind IN ('fact', 'rule', 'preference', 'gap')),
    concept TEXT NOT NULL,          -- what it is about: one lesson of a kind holds for it at a time
    general BOOLEAN NOT NULL DEFAULT false,     -- counts whatever is asked
    reason TEXT,
    cases_for INTEGER NOT NULL DEFAULT 0,
    cases_against INTEGER NOT NULL DEFAULT 0,
    valid_from TIMESTAMPTZ NOT NULL DEFAULT now(),
    valid_to TIMESTAMPTZ,
    superseded_by UUID,
    archived_at TIMESTAMPTZ,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    updated_at TIMESTAMPTZ NOT NULL DEFAULT now()
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX idx_lesson_memory_concept ON lesson_memory (user_id, kind, concept)
    WHERE valid_to IS NULL;

-- A case is an episode, or the person's own word in a turn.
CREATE TABLE lesson_evidence (
    id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    lesson_id UUID NOT NULL REFERENCES lesson_memory ON DELETE CASCADE,
    episode_id UUID REFERENCES episode_memory ON DELETE CASCADE,
    turn_id UUID,
    supports BOOLEAN NOT NULL,
    note TEXT,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    CHECK ((episode_id IS NULL) <> (turn_id IS NULL))
);
CREATE UNIQUE INDEX idx_lesson_evidence_case
    ON lesson_evidence (lesson_id, COALESCE(episode_id, turn_id));
CREATE INDEX idx_lesson_evidence_episode ON lesson_evidence (episode_id)
    WHERE episode_id IS NOT NULL;
CREATE INDEX idx_lesson_evidence_turn ON lesson_evidence (turn_id) WHERE turn_id IS NOT NULL;

CREATE TABLE reflection_run (
    id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    why TEXT NOT NULL,              -- what started it
    status TEXT NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'done', 'failed')),
    episodes INTEGER NOT NULL DEFAULT 0,
    lessons INTEGER NOT NULL DEFAULT 0,
    model TEXT,
    model_calls INTEGER NOT NULL DEFAULT 0,
    usage JSONB,
    problems JSONB NOT NULL DEFAULT '[]',
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    ended_at TIMESTAMPTZ
);
CREATE INDEX idx_reflection_run_newest ON reflection_run (user_id, started_at DESC);

-- Which episodes were reflected on: one whose feedback is newer is looked at again.
CREATE TABLE reflected_episode (
    episode_id UUID PRIMARY KEY REFERENCES episode_memory ON DELETE CASCADE,
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    run_id UUID NOT NULL REFERENCES reflection_run ON DELETE CASCADE,
    reflected_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX idx_reflected_episode_run ON reflected_episode (run_id);

-- The cases are counted where they stand; a lesson that none supports any more has ended.
CREATE FUNCTION count_cases() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE arxivscout.lesson_memory AS kept
    SET cases_for = counted.pro, cases_against = counted.contra, updated_at = now(),
        valid_to = CASE WHEN counted.pro = 0 THEN COALESCE(kept.valid_to, clock_timestamp())
                        ELSE kept.valid_to END
    FROM (SELECT lesson.id, count(*) FILTER (WHERE supports) AS pro,
                 count(*) FILTER (WHERE NOT supports) AS contra
          FROM (SELECT DISTINCT lesson_id AS id FROM changed) AS lesson
          LEFT JOIN arxivscout.lesson_evidence ON lesson_id = lesson.id
          GROUP BY lesson.id) AS counted
    WHERE kept.langchain_id = counted.id
      AND (kept.cases_for, kept.cases_against) IS DISTINCT FROM (counted.pro, counted.contra);
    RETURN NULL;
END $$;
CREATE TRIGGER count_more AFTER INSERT ON lesson_evidence
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_cases();
CREATE TRIGGER count_others AFTER UPDATE ON lesson_evidence
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_cases();
CREATE TRIGGER count_fewer AFTER DELETE ON lesson_evidence
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_cases();

CREATE TRIGGER record_change AFTER UPDATE OR DELETE ON episode_memory
    FOR EACH ROW EXECUTE FUNCTION record_change();
CREATE TRIGGER record_change AFTER UPDATE OR DELETE ON lesson_memory
    FOR EACH ROW EXECUTE FUNCTION record_change();
CREATE TRIGGER record_change AFTER UPDATE OR DELETE ON lesson_evidence
    FOR EACH ROW EXECUTE FUNCTION record_change();
CREATE TRIGGER record_insert AFTER INSERT ON episode_memory
    FOR EACH ROW WHEN (scout_turn() IS NOT NULL) EXECUTE FUNCTION record_insert('langchain_id');
-- Lessons come of many turns: their beginning is logged whichever way they came.
CREATE TRIGGER record_insert AFTER INSERT ON lesson_memory
    FOR EACH ROW EXECUTE FUNCTION record_insert('langchain_id');
CREATE TRIGGER record_insert AFTER INSERT ON lesson_evidence
    FOR EACH ROW WHEN (scout_turn() IS NOT NULL) EXECUTE FUNCTION record_insert('id');

DO $$
DECLARE
    size INTEGER := (SELECT dimension FROM embedding_model);
    private TEXT;
BEGIN
    IF size IS NOT NULL THEN
        EXECUTE format('ALTER TABLE episode_memory ALTER COLUMN embedding TYPE vector(%s)', size);
        EXECUTE format('ALTER TABLE lesson_memory ALTER COLUMN embedding TYPE vector(%s)', size);
        CREATE INDEX episode_hnsw ON episode_memory
            USING hnsw (embedding vector_cosine_ops) WITH (m = 16, ef_construction = 64);
        CREATE INDEX lesson_hnsw ON lesson_memory
            USING hnsw (embedding vector_cosine_ops) WITH (m = 16, ef_construction = 64);
    END IF;
    FOREACH private IN ARRAY ARRAY['episode_memory', 'lesson_memory', 'lesson_evidence',
                                   'reflection_run', 'reflected_episode']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', private);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', private);
        EXECUTE format('CREATE POLICY own_rows ON %I USING (user_id = (SELECT scout_user()))', private);
    END LOOP;
END $$;
