-- Names are found in what was said in any script. Scripts that put no blank between words (Chinese,
-- Japanese, Thai, Lao, Khmer, Burmese), and Korean, whose words have particles on them, gave whole
-- sentences for words: of their runs of letters each two neighbours are a word as well.

CREATE FUNCTION letter_pairs(content TEXT) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
    SELECT COALESCE(array_to_tsvector(array_agg(DISTINCT substr(found.run[1], place, 2))), '')
    FROM regexp_matches(
             content,
             '[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3041-\u9fff\uac00-\ud7af\uf900-\ufaff]{2,}',
             'g') AS found (run)
    CROSS JOIN LATERAL generate_series(1, length(found.run[1]) - 1) AS place
);

CREATE OR REPLACE FUNCTION message_words(content TEXT) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN to_tsvector('pg_catalog.english', left(content, 20000))
       || arxivscout.letter_pairs(left(content, 20000));

-- A pair has no positions: it counts once in its text.
CREATE OR REPLACE FUNCTION word_weight(uses INTEGER, words INTEGER) RETURNS real
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN COALESCE(uses, 1) / (COALESCE(uses, 1) + 1.2 * (0.6 + 0.4 * words / 20.0));

-- Threads are condensed in the order in which their messages were stored, whatever the clock did.
DROP INDEX idx_conversational_memory_open;
CREATE INDEX idx_conversational_memory_open ON conversational_memory (user_id, thread_id, seq)
    WHERE summary_id IS NULL;

-- What was said and learned before this, by anybody.
DO $$
DECLARE
    private TEXT[] := ARRAY['conversational_memory', 'message_index', 'message_word',
                            'entity_memory', 'memory_word', 'lesson_memory', 'summary_memory',
                            'distilled_word'];
    each TEXT;
BEGIN
    FOREACH each IN ARRAY private LOOP
        EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', each);
    END LOOP;

    UPDATE message_index SET words = message_words(said.content)
    FROM conversational_memory AS said
    WHERE said.id = langchain_id AND letter_pairs(left(said.content, 20000)) <> '';

    INSERT INTO message_word (user_id, lexeme, thread, place, weight)
    SELECT said.user_id, word.lexeme, said.thread, said.place, word_weight(1, length(said.words))
    FROM message_index AS said CROSS JOIN LATERAL unnest(said.words) AS word
    WHERE word.positions IS NULL
    ON CONFLICT DO NOTHING;

    INSERT INTO memory_word (user_id, lexeme, kept_at, memory_id, weight)
    SELECT user_id, word.lexeme, created_at, langchain_id,
           word_weight(1, length(message_words(content)))
    FROM entity_memory CROSS JOIN LATERAL unnest(message_words(content)) AS word
    WHERE valid_to IS NULL AND is_said(category) AND word.positions IS NULL
    ON CONFLICT DO NOTHING;

    INSERT INTO distilled_word (user_id, store, lexeme, kept_at, memory_id, weight)
    SELECT user_id, store, word.lexeme, created_at, langchain_id,
           distilled_weight(store, 1, length(words))
    FROM (SELECT user_id, 'lesson_memory' AS store, created_at, langchain_id,
                 distilled_words(lesson) AS words FROM lesson_memory AS lesson
          UNION ALL
          SELECT user_id, 'summary_memory', created_at, langchain_id,
                 distilled_words(summary) FROM summary_memory AS summary) AS held
    CROSS JOIN LATERAL unnest(words) AS word
    WHERE word.positions IS NULL
    ON CONFLICT DO NOTHING;

    FOREACH each IN ARRAY private LOOP
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', each);
    END LOOP;
END $$;
