-- What dear searches found for a person: searches of arXiv, and re-ranked ones. A question that asks
-- the same as an earlier one (context/same_question.py) reuses it. All of a person's go whenever
-- something of theirs is forgotten or corrected, or what they prefer changes: a question that is
-- kept here is a memory too.

CREATE TABLE search_cache (
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    scope TEXT NOT NULL,            -- hash of what else decides: where, bounds, models
    question_key TEXT NOT NULL,     -- what the questions share that ask the same
    question TEXT NOT NULL,
    phrases TEXT[] NOT NULL DEFAULT '{}',
    embedding vector NOT NULL,      -- of the question, by the embedder that the scope names
    papers TEXT[] NOT NULL,         -- arXiv ids, best first
    candidates TEXT,                -- hash of the papers that were re-ranked, as they were then
    made_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    used_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    hits INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, scope, question_key)
);
ALTER TABLE search_cache ENABLE ROW LEVEL SECURITY;
ALTER TABLE search_cache FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON search_cache USING (user_id = (SELECT scout_user()));

CREATE FUNCTION drop_kept_searches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        DELETE FROM arxivscout.search_cache WHERE user_id = OLD.user_id;
    ELSE
        DELETE FROM arxivscout.search_cache WHERE user_id = NEW.user_id;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER drop_kept_searches_at_forgetting AFTER DELETE ON conversational_memory
    FOR EACH ROW EXECUTE FUNCTION drop_kept_searches();
CREATE TRIGGER drop_kept_searches_at_forgetting AFTER DELETE ON entity_memory
    FOR EACH ROW EXECUTE FUNCTION drop_kept_searches();
CREATE TRIGGER drop_kept_searches_at_forgetting AFTER DELETE ON summary_memory
    FOR EACH ROW EXECUTE FUNCTION drop_kept_searches();
CREATE TRIGGER drop_kept_searches_at_forgetting AFTER DELETE ON workflow_memory
    FOR EACH ROW EXECUTE FUNCTION drop_kept_searches();
CREATE TRIGGER drop_kept_searches_at_correcting AFTER UPDATE ON entity_memory
    FOR EACH ROW WHEN (OLD.content IS DISTINCT FROM NEW.content
                       OR OLD.valid_to IS DISTINCT FROM NEW.valid_to)
    EXECUTE FUNCTION drop_kept_searches();
CREATE TRIGGER drop_kept_searches_at_learning AFTER INSERT ON entity_memory
    FOR EACH ROW WHEN (NEW.category IN ('preference', 'correction'))
    EXECUTE FUNCTION drop_kept_searches();
CREATE TRIGGER drop_kept_searches_at_deciding AFTER INSERT OR UPDATE OR DELETE ON person_setting
    FOR EACH ROW EXECUTE FUNCTION drop_kept_searches();
