-- Threads with titles, feedback on turns, and a change log that can take a turn back.
--
-- A transaction of a turn names it in the setting `arxivscout.turn_id`. Every change to long-term
-- memory made in it is logged under that turn, insertions too, so that one mechanism undoes what
-- persisting stored and what the model's tools did.

-- threads: what a person set of them (a thread that is only spoken in has no row) ---------------

CREATE TABLE thread (
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    thread_id VARCHAR(100) NOT NULL,
    title TEXT,                     -- set by the person; without one it is made from the first question
    forked_from VARCHAR(100),
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, thread_id)
);
ALTER TABLE thread ENABLE ROW LEVEL SECURITY;
ALTER TABLE thread FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON thread USING (user_id = (SELECT scout_user()));

-- Reading a long thread from its end, its first question, and how many there are.
CREATE INDEX idx_conversational_memory_said
    ON conversational_memory (user_id, thread_id, timestamp DESC, seq DESC);
CREATE INDEX idx_conversational_memory_asked
    ON conversational_memory (user_id, thread_id, timestamp, seq) WHERE role = 'user';

-- what the person said of an answer -------------------------------------------------------------

ALTER TABLE turn
    ADD COLUMN feedback TEXT CHECK (feedback IN ('good', 'bad')),
    ADD COLUMN feedback_note TEXT,
    ADD COLUMN feedback_at TIMESTAMPTZ;

-- the change log: whose turn, insertions, and what was taken back -------------------------------

ALTER TABLE change_log
    ADD COLUMN turn_id UUID,
    ADD COLUMN undone_at TIMESTAMPTZ,       -- of changes taken back, and of the changes that did it
    ADD COLUMN metadata JSON,               -- before the change, with its keys in their order
    ALTER COLUMN before DROP NOT NULL,
    DROP CONSTRAINT change_log_action_check,
    ADD CONSTRAINT change_log_action_check CHECK (action IN ('insert', 'update', 'delete')),
    ADD CONSTRAINT change_log_before_check CHECK ((action = 'insert') = (before IS NULL));
CREATE INDEX idx_change_log_turn ON change_log (turn_id) WHERE turn_id IS NOT NULL;

CREATE FUNCTION scout_turn() RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE
RETURN NULLIF(current_setting('arxivscout.turn_id', true), '')::uuid;

-- A new vector for the same words is no change, and neither is another name for the thread.
CREATE FUNCTION what_counts(state JSONB) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (state #- '{langchain_metadata,thread_id}' #- '{properties,thread_id}')
       - 'embedding' - 'updated_at' - 'thread_id';

CREATE OR REPLACE FUNCTION record_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    before JSONB := to_jsonb(OLD);
    after JSONB := CASE WHEN TG_OP = 'UPDATE' THEN to_jsonb(NEW) END;
BEGIN
    IF TG_OP = 'UPDATE' AND arxivscout.what_counts(before) = arxivscout.what_counts(after) THEN
        RETURN NULL;
    END IF;
    INSERT INTO arxivscout.change_log
        (user_id, table_name, row_id, action, before, after, metadata, reason, turn_id)
    VALUES (
        OLD.user_id, TG_TABLE_NAME,
        (before ->> CASE WHEN before ? 'langchain_id' THEN 'langchain_id' ELSE 'id' END)::uuid,
        lower(TG_OP), before, after,
        NULLIF((row_to_json(OLD) -> 'langchain_metadata')::text, 'null')::json,
        NULLIF(current_setting('arxivscout.reason', true), ''), arxivscout.scout_turn());
    RETURN NULL;
END $$;

-- The row itself holds what was inserted. TG_ARGV names the column of its id.
CREATE FUNCTION record_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO arxivscout.change_log (user_id, table_name, row_id, action, reason, turn_id)
    VALUES (
        NEW.user_id, TG_TABLE_NAME, (to_jsonb(NEW) ->> TG_ARGV[0])::uuid, 'insert',
        NULLIF(current_setting('arxivscout.reason', true), ''), arxivscout.scout_turn());
    RETURN NULL;
END $$;

CREATE TRIGGER record_insert AFTER INSERT ON conversational_memory
    FOR EACH ROW WHEN (scout_turn() IS NOT NULL) EXECUTE FUNCTION record_insert('id');
CREATE TRIGGER record_insert AFTER INSERT ON workflow_memory
    FOR EACH ROW WHEN (scout_turn() IS NOT NULL) EXECUTE FUNCTION record_insert('langchain_id');
CREATE TRIGGER record_insert AFTER INSERT ON entity_memory
    FOR EACH ROW WHEN (scout_turn() IS NOT NULL) EXECUTE FUNCTION record_insert('langchain_id');
CREATE TRIGGER record_insert AFTER INSERT ON relation_memory
    FOR EACH ROW WHEN (scout_turn() IS NOT NULL) EXECUTE FUNCTION record_insert('id');
CREATE TRIGGER record_insert AFTER INSERT ON summary_memory
    FOR EACH ROW WHEN (scout_turn() IS NOT NULL) EXECUTE FUNCTION record_insert('langchain_id');
