-- What the write gate finds likenesses by, and what each change to memory is called.

-- Names and words of a memory in the one spelling that is compared; `entity_key` has those of the
-- memories that hold. A table, as row security keeps GIN from being used.
ALTER TABLE entity_memory
    ADD COLUMN keys TEXT[] NOT NULL DEFAULT '{}',
    ADD COLUMN ended_because TEXT;      -- why it no longer holds

CREATE TABLE entity_key (
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    key TEXT NOT NULL,
    memory_id UUID NOT NULL REFERENCES entity_memory ON DELETE CASCADE,
    PRIMARY KEY (user_id, key, memory_id)
);
CREATE INDEX idx_entity_key_memory ON entity_key (memory_id);
ALTER TABLE entity_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE entity_key FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON entity_key USING (user_id = (SELECT scout_user()));

-- What has a name is found by it, whoever stored it.
CREATE FUNCTION keys_of(keys TEXT[], name TEXT) RETURNS TEXT[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN name IS NULL THEN keys ELSE keys || ('=' || left(lower(name), 200)) END;

CREATE FUNCTION index_entity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        DELETE FROM arxivscout.entity_key WHERE memory_id = NEW.langchain_id;
    END IF;
    IF NEW.valid_to IS NULL THEN
        INSERT INTO arxivscout.entity_key (user_id, key, memory_id)
        SELECT NEW.user_id, key, NEW.langchain_id
        FROM unnest(arxivscout.keys_of(NEW.keys, NEW.name)) AS given (key)
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER index_inserted AFTER INSERT ON entity_memory
    FOR EACH ROW WHEN (NEW.valid_to IS NULL AND (NEW.keys <> '{}' OR NEW.name IS NOT NULL))
    EXECUTE FUNCTION index_entity();
CREATE TRIGGER index_changed AFTER UPDATE ON entity_memory
    FOR EACH ROW WHEN ((OLD.keys, OLD.name, OLD.valid_to)
                       IS DISTINCT FROM (NEW.keys, NEW.name, NEW.valid_to))
    EXECUTE FUNCTION index_entity();

INSERT INTO entity_key (user_id, key, memory_id)
SELECT user_id, '=' || left(lower(name), 200), langchain_id
FROM entity_memory WHERE name IS NOT NULL AND valid_to IS NULL;

-- the change log: what a change is called ------------------------------------------------------

ALTER TABLE change_log ADD COLUMN change TEXT;
CREATE INDEX idx_change_log_user ON change_log (user_id, id DESC);

-- By what it did; a transaction that does something else under the same cover ("decay") says so in
-- the setting `arxivscout.change`.
CREATE FUNCTION change_name(before JSONB, after JSONB) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN COALESCE(NULLIF(current_setting('arxivscout.change', true), ''), CASE
    WHEN before IS NULL THEN 'add'
    WHEN after IS NULL THEN 'forget'
    WHEN before ->> 'valid_to' IS NULL AND after ->> 'valid_to' IS NOT NULL
        THEN CASE WHEN after ->> 'superseded_by' IS NULL THEN 'forget' ELSE 'supersede' END
    WHEN before ->> 'superseded_by' IS NULL AND after ->> 'superseded_by' IS NOT NULL
        THEN 'supersede'
    WHEN before ->> 'valid_to' IS NOT NULL AND after ->> 'valid_to' IS NULL THEN 'restore'
    WHEN before ->> 'archived_at' IS NULL AND after ->> 'archived_at' IS NOT NULL THEN 'archive'
    WHEN before ->> 'archived_at' IS NOT NULL AND after ->> 'archived_at' IS NULL THEN 'restore'
    WHEN before ->> 'content' IS DISTINCT FROM after ->> 'content' THEN 'edit'
    ELSE 'merge' END);

UPDATE change_log SET change = change_name(before, CASE action WHEN 'insert' THEN NULL ELSE after END);

-- As before, without the keys, which follow from the text, and with the name of the change.
CREATE OR REPLACE FUNCTION what_counts(state JSONB) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (state #- '{langchain_metadata,thread_id}' #- '{properties,thread_id}')
       - 'embedding' - 'updated_at' - 'thread_id' - 'keys';

CREATE OR REPLACE FUNCTION record_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    before JSONB := to_jsonb(OLD);
    after JSONB := CASE WHEN TG_OP = 'UPDATE' THEN to_jsonb(NEW) END;
BEGIN
    IF TG_OP = 'UPDATE' AND arxivscout.what_counts(before) = arxivscout.what_counts(after) THEN
        RETURN NULL;
    END IF;
    INSERT INTO arxivscout.change_log
        (user_id, table_name, row_id, action, before, after, metadata, reason, turn_id, change)
    VALUES (
        OLD.user_id, TG_TABLE_NAME,
        (before ->> CASE WHEN before ? 'langchain_id' THEN 'langchain_id' ELSE 'id' END)::uuid,
        lower(TG_OP), before, after,
        NULLIF((row_to_json(OLD) -> 'langchain_metadata')::text, 'null')::json,
        NULLIF(current_setting('arxivscout.reason', true), ''), arxivscout.scout_turn(),
        arxivscout.change_name(before, after));
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION record_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO arxivscout.change_log
        (user_id, table_name, row_id, action, reason, turn_id, change)
    VALUES (
        NEW.user_id, TG_TABLE_NAME, (to_jsonb(NEW) ->> TG_ARGV[0])::uuid, 'insert',
        NULLIF(current_setting('arxivscout.reason', true), ''), arxivscout.scout_turn(),
        arxivscout.change_name(NULL, NULL));
    RETURN NULL;
END $$;

-- What is learned outside a turn is logged as well.
DROP TRIGGER record_insert ON entity_memory;
CREATE TRIGGER record_insert AFTER INSERT ON entity_memory
    FOR EACH ROW EXECUTE FUNCTION record_insert('langchain_id');
