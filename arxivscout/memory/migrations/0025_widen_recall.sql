-- Recall compares each memory of a person once, and finds lessons and summaries by words and names
-- too.

-- by meaning --------------------------------------------------------------------------------------

DROP FUNCTION nearest_filed(vector, TEXT, INTEGER, BOOLEAN);

-- The `k` memories of a category (NULL: of all) that are nearest to a question, where a person has
-- many. The category's own index is asked, and where it gives too few, or the category has few, they
-- are compared one by one: `nearest.py` says why. The category stands in the statement, so that the
-- planner sees which partial index serves it.
CREATE FUNCTION nearest_of_many(question vector, filed TEXT, k INTEGER, resting BOOLEAN)
RETURNS TABLE (langchain_id UUID, distance FLOAT8) LANGUAGE plpgsql STABLE ROWS 30 AS $$
DECLARE
    held TEXT := 'valid_to IS NULL AND arxivscout.is_said(category)'
                 || CASE WHEN filed IS NULL THEN '' ELSE format(' AND filed_under = %L', filed) END
                 || CASE WHEN resting THEN '' ELSE ' AND archived_at IS NULL' END;
    mine INTEGER := 5000;
    ids UUID[];
    distances FLOAT8[];
BEGIN
    IF filed IS NOT NULL THEN   -- in the index alone
        SELECT count(*) INTO mine FROM (
            SELECT FROM arxivscout.entity_memory
            WHERE user_id = arxivscout.scout_user() AND filed_under = filed AND valid_to IS NULL
              AND arxivscout.is_said(category) LIMIT 5000) AS counted;
    END IF;
    IF mine >= 5000 THEN
        EXECUTE format(
            'SELECT array_agg(langchain_id), array_agg(distance) FROM (
                 SELECT langchain_id, embedding <=> $1 AS distance FROM arxivscout.entity_memory
                 WHERE %s ORDER BY embedding <=> $1 LIMIT $2) AS near', held)
            INTO ids, distances USING question, k;
        IF cardinality(ids) = k THEN
            RETURN QUERY SELECT * FROM unnest(ids, distances);
            RETURN;
        END IF;
    END IF;
    IF mine > 0 THEN
        RETURN QUERY EXECUTE format(
            'SELECT langchain_id, embedding <=> $1 FROM arxivscout.entity_memory
             WHERE user_id = arxivscout.scout_user() AND embedding IS NOT NULL AND %s
             ORDER BY (embedding <=> $1) + 0 LIMIT $2', held)
            USING question, k;
    END IF;
END $$;

-- The memories nearest to a question: `of_each` of the categories that it belongs to, and `of_all`
-- besides where fewer than `enough` of those are nearer than `near`. Of a person who has few each
-- memory is compared once.
CREATE FUNCTION nearest_said(question vector, asked TEXT[], of_each INTEGER, of_all INTEGER,
                             near FLOAT8, enough INTEGER, resting BOOLEAN)
RETURNS TABLE (langchain_id UUID, distance FLOAT8) LANGUAGE plpgsql STABLE ROWS 60
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    IF 5000 > (SELECT count(*) FROM (
                   SELECT FROM arxivscout.entity_memory
                   WHERE user_id = arxivscout.scout_user() AND valid_to IS NULL
                     AND arxivscout.is_said(category) LIMIT 5000) AS counted) THEN
        RETURN QUERY
        WITH mine AS MATERIALIZED (
            SELECT memory.langchain_id, filed_under, embedding <=> question AS distance
            FROM arxivscout.entity_memory AS memory
            WHERE user_id = arxivscout.scout_user() AND valid_to IS NULL
              AND arxivscout.is_said(category) AND embedding IS NOT NULL
              AND (resting OR archived_at IS NULL)
        ), filed AS MATERIALIZED (
            SELECT nearest.* FROM unnest(asked) AS category (name) CROSS JOIN LATERAL (
                SELECT langchain_id, distance FROM mine WHERE filed_under = name
                ORDER BY distance LIMIT of_each) AS nearest
        )
        SELECT * FROM filed
        UNION ALL
        (SELECT langchain_id, distance FROM mine
         WHERE enough > (SELECT count(*) FROM filed WHERE distance < near)
         ORDER BY distance LIMIT of_all);
    ELSE
        RETURN QUERY
        WITH filed AS MATERIALIZED (
            SELECT nearest.* FROM unnest(asked) AS category (name)
            CROSS JOIN LATERAL arxivscout.nearest_of_many(question, name, of_each, resting) AS nearest
        )
        SELECT * FROM filed
        UNION ALL
        SELECT nearest.* FROM (
            SELECT WHERE enough > (SELECT count(*) FROM filed WHERE distance < near)) AS wanted
        CROSS JOIN LATERAL arxivscout.nearest_of_many(question, NULL, of_all, resting) AS nearest;
    END IF;
END $$;

-- by words and names: lessons and summaries -------------------------------------------------------

-- As for messages (0014) and memories (0020). `store`: the table that it is of. Summaries of groups
-- of memories come with those, and are not here.
CREATE TABLE distilled_word (
    user_id TEXT NOT NULL CHECK (user_id <> ''),
    store TEXT NOT NULL,
    lexeme TEXT NOT NULL,
    kept_at TIMESTAMPTZ NOT NULL,
    memory_id UUID NOT NULL,
    weight REAL NOT NULL,
    PRIMARY KEY (user_id, store, lexeme, kept_at, memory_id) INCLUDE (weight)
);

-- NULL: it is not found by its words. A summary is some eight times as long as a message.
CREATE FUNCTION distilled_words(lesson lesson_memory) RETURNS tsvector
LANGUAGE sql STABLE
RETURN CASE WHEN lesson.valid_to IS NULL
            THEN arxivscout.message_words(lesson.concept || E'\n' || lesson.content) END;
CREATE FUNCTION distilled_words(summary summary_memory) RETURNS tsvector
LANGUAGE sql STABLE
RETURN CASE WHEN summary.langchain_metadata ->> 'memory_ids' IS NULL
            THEN arxivscout.message_words(summary.content) END;
CREATE FUNCTION distilled_weight(store TEXT, uses INTEGER, words INTEGER) RETURNS real
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN arxivscout.word_weight(uses, words / CASE store WHEN 'summary_memory' THEN 8 ELSE 1 END);

CREATE FUNCTION index_distilled() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    words TSVECTOR;
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM arxivscout.distilled_word
        WHERE user_id = OLD.user_id AND store = TG_TABLE_NAME AND kept_at = OLD.created_at
          AND memory_id = OLD.langchain_id
          AND lexeme = ANY (tsvector_to_array(arxivscout.distilled_words(OLD)));
    END IF;
    IF TG_OP <> 'DELETE' THEN
        words := arxivscout.distilled_words(NEW);
        INSERT INTO arxivscout.distilled_word (user_id, store, lexeme, kept_at, memory_id, weight)
        SELECT NEW.user_id, TG_TABLE_NAME, word.lexeme, NEW.created_at, NEW.langchain_id,
               arxivscout.distilled_weight(TG_TABLE_NAME, cardinality(word.positions), length(words))
        FROM unnest(words) AS word
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER index_distilled AFTER INSERT OR DELETE ON lesson_memory
    FOR EACH ROW EXECUTE FUNCTION index_distilled();
CREATE TRIGGER index_distilled_anew AFTER UPDATE ON lesson_memory
    FOR EACH ROW WHEN ((OLD.content, OLD.concept, OLD.valid_to, OLD.created_at)
                       IS DISTINCT FROM (NEW.content, NEW.concept, NEW.valid_to, NEW.created_at))
    EXECUTE FUNCTION index_distilled();
CREATE TRIGGER index_distilled AFTER INSERT OR DELETE ON summary_memory
    FOR EACH ROW EXECUTE FUNCTION index_distilled();
CREATE TRIGGER index_distilled_anew AFTER UPDATE ON summary_memory
    FOR EACH ROW WHEN ((OLD.content, OLD.created_at) IS DISTINCT FROM (NEW.content, NEW.created_at))
    EXECUTE FUNCTION index_distilled();

INSERT INTO distilled_word (user_id, store, lexeme, kept_at, memory_id, weight)
SELECT user_id, store, word.lexeme, created_at, langchain_id,
       distilled_weight(store, cardinality(word.positions), length(words))
FROM (SELECT user_id, 'lesson_memory' AS store, created_at, langchain_id,
             distilled_words(lesson) AS words FROM lesson_memory AS lesson
      UNION ALL
      SELECT user_id, 'summary_memory', created_at, langchain_id,
             distilled_words(summary) FROM summary_memory AS summary) AS held,
     unnest(words) AS word;

ALTER TABLE distilled_word ENABLE ROW LEVEL SECURITY;
ALTER TABLE distilled_word FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON distilled_word USING (user_id = (SELECT scout_user()));

-- What may be a name in a question: runs of up to six words. Of one word that means nothing in
-- English ("it", "all") is none.
CREATE FUNCTION name_grams(question TEXT) RETURNS TABLE (gram TEXT, more INTEGER)
LANGUAGE sql STABLE AS $$
    SELECT DISTINCT array_to_string(words[first : first + more], ' '), more
    FROM (SELECT string_to_array(arxivscout.name_key(question), ' ') AS words OFFSET 0) AS asked,
         generate_series(1, least(cardinality(words), 100)) AS first,
         generate_series(0, 5) AS more
    WHERE first + more <= cardinality(words)
      AND (more > 0 OR to_tsvector('pg_catalog.english', words[first]) <> '')
$$;

-- Lessons or summaries that a question leads to: by the share of its words, by their rarity, and by
-- what it names, under whichever of its names, as if an edge led there (graph/enrich.py).
CREATE FUNCTION distilled_by_words(of TEXT, question TEXT)
RETURNS TABLE (langchain_id UUID, words FLOAT8, names FLOAT8) LANGUAGE plpgsql STABLE ROWS 40
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH asked AS MATERIALIZED (
        SELECT held.ids, held.weights,
               ln(1 + (greatest(size - used, 0) + .5) / (used + .5)) AS idf
        FROM unnest(tsvector_to_array(arxivscout.message_words(question))) AS asked (lexeme)
        CROSS JOIN LATERAL (
            SELECT array_agg(memory_id) AS ids, array_agg(weight) AS weights, count(*) AS used
            FROM (SELECT memory_id, weight FROM arxivscout.distilled_word
                  WHERE user_id = arxivscout.scout_user() AND store = of AND lexeme = asked.lexeme
                  ORDER BY kept_at DESC LIMIT 1000) AS each) AS held
        CROSS JOIN (
            SELECT CASE of
                WHEN 'lesson_memory' THEN (SELECT count(*) FROM (
                    SELECT FROM arxivscout.lesson_memory
                    WHERE user_id = arxivscout.scout_user() AND valid_to IS NULL LIMIT 2000) AS mine)
                ELSE (SELECT count(*) FROM (
                    SELECT FROM arxivscout.summary_memory
                    WHERE user_id = arxivscout.scout_user() LIMIT 2000) AS mine)
                END::float8 AS size) AS sized
    ), worded AS (
        SELECT held.langchain_id, sum(idf * weight) / (SELECT sum(idf) FROM asked) AS words
        FROM asked CROSS JOIN LATERAL unnest(ids, weights) AS held (langchain_id, weight)
        GROUP BY held.langchain_id
    ), named AS MATERIALIZED (
        SELECT meant.entity_id, called,
               tsvector_to_array(arxivscout.message_words(called)) AS lexemes
        FROM (SELECT DISTINCT entity_id FROM arxivscout.entity_name
              WHERE user_id = arxivscout.scout_user()
                AND key = ANY (ARRAY(SELECT gram FROM arxivscout.name_grams(question)))
              LIMIT 24) AS meant
        JOIN arxivscout.entity_memory AS entity ON entity.langchain_id = meant.entity_id
        CROSS JOIN LATERAL unnest(entity.aliases || entity.name) AS called
        WHERE entity.valid_to IS NULL AND entity.category IS DISTINCT FROM 'person'
          AND NOT EXISTS (SELECT FROM arxivscout.thread
                          WHERE thread.user_id = arxivscout.scout_user() AND private
                            AND thread.thread_id = entity.thread_id)
    ), naming AS (
        SELECT entity_id, memory_id FROM named CROSS JOIN LATERAL unnest(lexemes) AS part (lexeme)
        CROSS JOIN LATERAL (
            SELECT memory_id FROM arxivscout.distilled_word AS word
            WHERE word.user_id = arxivscout.scout_user() AND word.store = of
              AND word.lexeme = part.lexeme
            ORDER BY kept_at DESC LIMIT 1000) AS held
        GROUP BY entity_id, called, cardinality(lexemes), memory_id
        HAVING count(*) = cardinality(lexemes)
    ), joined AS (
        SELECT memory_id AS langchain_id, sum(0.5 / (1 + ln(degree))) AS names
        FROM (SELECT entity_id, memory_id, count(*) OVER (PARTITION BY entity_id) AS degree
              FROM (SELECT DISTINCT entity_id, memory_id FROM naming) AS edge) AS edge
        GROUP BY memory_id
    )
    SELECT langchain_id, COALESCE(worded.words, 0)::float8, COALESCE(joined.names, 0)::float8
    FROM worded FULL JOIN joined USING (langchain_id)
    ORDER BY COALESCE(worded.words, 0) + COALESCE(joined.names, 0) DESC, langchain_id LIMIT 40;
END $$;
