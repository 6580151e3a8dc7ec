-- What was said, to be found again from any thread: a row for each message of a conversation, kept by
-- triggers whichever way the message came in, and gone with it. Vectors are filled in later by the
-- program (message_vectors.py); words are there at once.
--
-- `thread` is the seq of the thread's first message and `place` its order there, so that neighbours
-- are found without the thread's name, which may change.

CREATE TABLE message_index (
    langchain_id UUID PRIMARY KEY REFERENCES conversational_memory ON DELETE CASCADE,
    user_id TEXT NOT NULL CHECK (user_id <> ''),
    thread BIGINT NOT NULL,
    place INTEGER NOT NULL,
    speaker TEXT NOT NULL,          -- the name in the message's metadata in small letters, or its role
    said_at TIMESTAMPTZ NOT NULL,
    content TEXT NOT NULL,          -- as far as it is embedded
    words TSVECTOR NOT NULL,
    embedding vector,
    content_hash UUID GENERATED ALWAYS AS (md5(content)::uuid) STORED
);
CREATE INDEX idx_message_index_place ON message_index (user_id, thread, place);
CREATE INDEX idx_message_index_said ON message_index (user_id, said_at);
CREATE INDEX idx_message_index_speaker ON message_index (user_id, speaker);
CREATE INDEX idx_message_index_bare ON message_index (user_id) WHERE embedding IS NULL;

-- Row security keeps an index on tsvectors from being used: each word has its rows here.
CREATE TABLE message_word (
    user_id TEXT NOT NULL CHECK (user_id <> ''),
    lexeme TEXT NOT NULL,
    thread BIGINT NOT NULL,
    place INTEGER NOT NULL,
    weight REAL NOT NULL,           -- of its uses in the message, by BM25: from 0 to 1
    PRIMARY KEY (user_id, lexeme, thread, place) INCLUDE (weight)
);

CREATE FUNCTION message_words(content TEXT) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN to_tsvector('pg_catalog.english', left(content, 20000));

-- BM25 with k1 1.2 and b .4 for messages of 20 words that mean something.
CREATE FUNCTION word_weight(uses INTEGER, words INTEGER) RETURNS real
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN uses / (uses + 1.2 * (0.6 + 0.4 * words / 20.0));

CREATE FUNCTION message_speaker(metadata JSONB, role TEXT) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN lower(COALESCE(NULLIF(btrim(metadata ->> 'name'), ''), role));

CREATE FUNCTION index_message() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    number BIGINT := NEW.seq;
    at_place INTEGER := 1;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        SELECT thread, place INTO number, at_place
        FROM arxivscout.message_index WHERE langchain_id = NEW.id;
        IF NOT FOUND THEN
            RETURN NULL;
        END IF;
        DELETE FROM arxivscout.message_index WHERE langchain_id = NEW.id;
    ELSE
        SELECT before.thread, before.place + 1 INTO number, at_place
        FROM arxivscout.conversational_memory AS said
        JOIN arxivscout.message_index AS before ON before.langchain_id = said.id
        WHERE said.user_id = NEW.user_id AND said.thread_id = NEW.thread_id AND said.seq < NEW.seq
        ORDER BY said.seq DESC LIMIT 1;
        IF NOT FOUND THEN
            number := NEW.seq;
            at_place := 1;
        END IF;
    END IF;
    INSERT INTO arxivscout.message_index
        (langchain_id, user_id, thread, place, speaker, said_at, content, words)
    VALUES (NEW.id, NEW.user_id, number, at_place,
            arxivscout.message_speaker(NEW.metadata, NEW.role),
            COALESCE(NEW.timestamp, NEW.created_at, now()), left(NEW.content, 2000),
            arxivscout.message_words(NEW.content));
    RETURN NULL;
END $$;

CREATE TRIGGER index_message AFTER INSERT ON conversational_memory
    FOR EACH ROW WHEN (NEW.role IN ('user', 'assistant')) EXECUTE FUNCTION index_message();
CREATE TRIGGER index_message_anew AFTER UPDATE ON conversational_memory
    FOR EACH ROW WHEN (OLD.content <> NEW.content OR OLD.metadata IS DISTINCT FROM NEW.metadata)
    EXECUTE FUNCTION index_message();

CREATE FUNCTION index_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        DELETE FROM arxivscout.message_word
        WHERE user_id = OLD.user_id AND lexeme = ANY (tsvector_to_array(OLD.words))
          AND thread = OLD.thread AND place = OLD.place;
    ELSE
        INSERT INTO arxivscout.message_word (user_id, lexeme, thread, place, weight)
        SELECT NEW.user_id, word.lexeme, NEW.thread, NEW.place,
               arxivscout.word_weight(cardinality(word.positions), length(NEW.words))
        FROM unnest(NEW.words) AS word
        ON CONFLICT (user_id, lexeme, thread, place) DO UPDATE SET weight = excluded.weight;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER index_words AFTER INSERT OR DELETE ON message_index
    FOR EACH ROW EXECUTE FUNCTION index_words();

-- What was said before this.
INSERT INTO message_index (langchain_id, user_id, thread, place, speaker, said_at, content, words)
SELECT id, user_id, min(seq) OVER (PARTITION BY user_id, thread_id),
       row_number() OVER (PARTITION BY user_id, thread_id ORDER BY seq),
       message_speaker(metadata, role), COALESCE(timestamp, created_at, now()), left(content, 2000),
       message_words(content)
FROM conversational_memory WHERE role IN ('user', 'assistant');

DO $$
DECLARE
    size INTEGER := (SELECT dimension FROM embedding_model);
    private TEXT;
BEGIN
    IF size IS NOT NULL THEN
        EXECUTE format('ALTER TABLE message_index ALTER COLUMN embedding TYPE vector(%s)', size);
        CREATE INDEX message_hnsw ON message_index
            USING hnsw (embedding vector_cosine_ops) WITH (m = 16, ef_construction = 64);
    END IF;
    FOREACH private IN ARRAY ARRAY['message_index', 'message_word'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', private);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', private);
        EXECUTE format('CREATE POLICY own_rows ON %I USING (user_id = (SELECT scout_user()))', private);
    END LOOP;
END $$;
