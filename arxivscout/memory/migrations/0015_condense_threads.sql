-- Threads are condensed as they grow, summaries too; and which turns a memory went into is looked up.

ALTER TABLE summary_memory ADD COLUMN summary_id UUID;  -- of the summary that condenses this one
CREATE INDEX idx_summary_memory_condensed ON summary_memory (summary_id)
    WHERE summary_id IS NOT NULL;
CREATE INDEX idx_summary_memory_open ON summary_memory (user_id, thread_id, created_at)
    WHERE summary_id IS NULL;

-- What no summary holds yet, from the oldest on.
CREATE INDEX idx_conversational_memory_open
    ON conversational_memory (user_id, thread_id, timestamp, seq) WHERE summary_id IS NULL;

-- What went into a turn's context, or was cut from it, by its id. Row security keeps GIN from being
-- used, so that a look-up runs as the owner and names the person itself.
CREATE INDEX idx_turn_report ON turn
    USING gin (jsonb_path_query_array(report, 'lax $[*].*[*].source'));

CREATE FUNCTION turns_that_read(memory TEXT, newest INTEGER) RETURNS SETOF turn
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = arxivscout, pg_temp
BEGIN ATOMIC
    SELECT * FROM turn
    WHERE jsonb_path_query_array(report, 'lax $[*].*[*].source') ? memory
      AND user_id = scout_user()
    ORDER BY started_at DESC LIMIT newest;
END;
