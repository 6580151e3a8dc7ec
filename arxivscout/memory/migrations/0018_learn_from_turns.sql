-- What a turn teaches is learned when it is over, once; the next start finds what was missed.

-- NULL: not learned from yet. The turns of before count as learned.
ALTER TABLE turn ADD COLUMN learned_at TIMESTAMPTZ DEFAULT now();
ALTER TABLE turn ALTER COLUMN learned_at DROP DEFAULT;
-- Ids of what was learned: "added" as new memories, "touched" in all. A turn that is learned from
-- anew gives back what it added.
ALTER TABLE turn ADD COLUMN learned JSONB;
CREATE INDEX idx_turn_unlearned ON turn (user_id, started_at) WHERE learned_at IS NULL;

-- A turn that is run again, or ends with other words, is learned from anew.
CREATE FUNCTION learn_anew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.learned_at := NULL;
    RETURN NEW;
END $$;
CREATE TRIGGER learn_anew BEFORE UPDATE OF question, citations, status ON turn
    FOR EACH ROW WHEN (OLD.learned_at IS NOT NULL AND (
        NEW.question IS DISTINCT FROM OLD.question OR NEW.citations IS DISTINCT FROM OLD.citations
        OR NEW.status = 'open'))
    EXECUTE FUNCTION learn_anew();

-- It gives whole rows of `turn`, which has more columns now: read anew at each call, so that it
-- bears more of them.
DROP FUNCTION turns_that_read;
CREATE FUNCTION turns_that_read(memory TEXT, newest INTEGER) RETURNS SETOF turn
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = arxivscout, pg_temp AS $$
    SELECT turn.* FROM turn
    WHERE jsonb_path_query_array(report, 'lax $[*].*[*].source') ? memory
      AND user_id = scout_user()
    ORDER BY started_at DESC LIMIT newest
$$;
