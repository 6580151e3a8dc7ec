-- An edge that was learned from a statement goes with it: it ends when the statement ends, is deleted
-- or rests in the archive, and holds again when the statement does. The words that say so join them.

ALTER TABLE relation_memory ADD COLUMN ended_with UUID;     -- the statement with which it ended
CREATE INDEX relation_ended_with ON relation_memory (ended_with) WHERE ended_with IS NOT NULL;
CREATE INDEX relation_said ON relation_memory (user_id, md5(quote))
    WHERE quote IS NOT NULL AND source IS NULL AND valid_to IS NULL;
CREATE INDEX entity_said ON entity_memory (user_id, md5(quote))
    WHERE quote IS NOT NULL AND source IS NULL AND name IS NULL AND valid_to IS NULL;

-- Whether a thing's name stands in what was said.
CREATE FUNCTION tells_of(said TEXT, thing UUID) RETURNS boolean LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT EXISTS (
        SELECT FROM entity_memory CROSS JOIN unnest(aliases || name || content) AS called
        WHERE langchain_id = thing AND name_key(called) <> ''
          AND position(' ' || name_key(called) || ' ' IN ' ' || name_key(said) || ' ') > 0);
END;

-- Of one sentence there may be several statements: an edge goes with the one that names its thing,
-- and with the last where none does.
CREATE FUNCTION end_said(person TEXT, statement UUID, said TEXT, quoted TEXT, at TIMESTAMPTZ)
RETURNS void LANGUAGE sql VOLATILE
BEGIN ATOMIC
    UPDATE relation_memory AS edge
    SET valid_to = GREATEST(at, edge.valid_from), ended_with = statement
    WHERE edge.user_id = person AND md5(edge.quote) = md5(quoted) AND edge.quote = quoted
      AND edge.source IS NULL AND edge.derived_by IS NULL AND edge.valid_to IS NULL
      AND statement NOT IN (edge.subject_id, edge.object_id)
      AND NOT EXISTS (
          SELECT FROM entity_memory AS other
          WHERE other.user_id = person AND md5(other.quote) = md5(quoted) AND other.quote = quoted
            AND other.source IS NULL AND other.name IS NULL AND other.valid_to IS NULL
            AND other.archived_at IS NULL AND other.langchain_id <> statement
            AND (tells_of(other.content, edge.object_id) OR NOT tells_of(said, edge.object_id)));
END;

-- What says the same by now stays as it is.
CREATE FUNCTION hold_said(statements UUID[]) RETURNS void LANGUAGE sql VOLATILE
BEGIN ATOMIC
    UPDATE relation_memory AS edge SET valid_to = NULL, ended_with = NULL
    WHERE edge.ended_with = ANY (statements)
      AND NOT EXISTS (
          SELECT FROM relation_memory AS same
          WHERE same.subject_id = edge.subject_id AND same.predicate = edge.predicate
            AND same.object_id = edge.object_id AND same.valid_to IS NULL);
END;

CREATE FUNCTION follow_statement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.valid_to IS NULL AND NEW.archived_at IS NULL THEN
        PERFORM arxivscout.hold_said(ARRAY[NEW.langchain_id]);
    ELSE
        PERFORM arxivscout.end_said(NEW.user_id, NEW.langchain_id, OLD.content, OLD.quote,
                                    COALESCE(NEW.valid_to, clock_timestamp()));
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER follow_statement AFTER UPDATE ON entity_memory
    FOR EACH ROW WHEN (OLD.name IS NULL AND OLD.quote IS NOT NULL AND OLD.source IS NULL
                       AND (OLD.valid_to IS NULL AND OLD.archived_at IS NULL)
                           <> (NEW.valid_to IS NULL AND NEW.archived_at IS NULL))
    EXECUTE FUNCTION follow_statement();

CREATE FUNCTION follow_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM arxivscout.end_said(OLD.user_id, OLD.langchain_id, OLD.content, OLD.quote,
                                clock_timestamp());
    RETURN NULL;
END $$;
CREATE TRIGGER follow_deleted AFTER DELETE ON entity_memory
    FOR EACH ROW WHEN (OLD.name IS NULL AND OLD.quote IS NOT NULL AND OLD.source IS NULL
                       AND OLD.valid_to IS NULL AND OLD.archived_at IS NULL)
    EXECUTE FUNCTION follow_deleted();

-- A statement that was deleted is put back under its id.
CREATE FUNCTION follow_put_back() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM arxivscout.hold_said(ARRAY(
        SELECT langchain_id FROM inserted
        WHERE name IS NULL AND quote IS NOT NULL AND valid_to IS NULL AND archived_at IS NULL));
    RETURN NULL;
END $$;
CREATE TRIGGER follow_put_back AFTER INSERT ON entity_memory
    REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION follow_put_back();
