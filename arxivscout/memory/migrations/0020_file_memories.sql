-- Where memories are filed, how they are found there by meaning and by words, and which summary
-- stands for a group of them.

-- What is said, not what has a name.
CREATE FUNCTION is_said(category TEXT) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN COALESCE(category IN ('fact', 'finding', 'decision', 'question', 'correction', 'preference'),
                false);

-- categories --------------------------------------------------------------------------------------

CREATE TABLE memory_category (
    langchain_id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    name TEXT NOT NULL CHECK (name <> ''),
    origin TEXT,                    -- which of those that everybody begins with; NULL: the person's own
    place INTEGER NOT NULL DEFAULT 0,
    kinds TEXT[] NOT NULL DEFAULT '{}',     -- of memories that belong there whatever they are about
    cues TEXT,                      -- words that say so, a pattern
    content TEXT NOT NULL,          -- what belongs there: what is embedded
    embedding vector,
    content_hash UUID GENERATED ALWAYS AS (md5(content)::uuid) STORED,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    UNIQUE (user_id, name)
);

-- What everybody begins with, as a researcher needs it.
CREATE FUNCTION begin_categories() RETURNS void LANGUAGE sql AS $$
    INSERT INTO arxivscout.memory_category (name, origin, place, kinds, cues, content)
    SELECT name, name, place, kinds::text[], cues, content
    FROM (VALUES
        (1, 'active projects', '{decision}',
         '\m(project|deadline|thesis|grant|milestone|to-?do|we (decided|agreed|plan)|progetto)\M',
         'Projects under way: decisions, plans, deadlines, goals, tasks, who works on what.'),
        (2, 'archived projects', '{}',
         '\m((finished|closed|former|past|old|abandoned) projects?|used to work on)\M',
         'Projects that are over: what they were about and how they ended.'),
        (3, 'reading notes', '{paper,author}',
         '\m(I (have )?read|reading list|my notes?|noted|ho letto)\M',
         'Papers and authors that were read, and notes on them.'),
        (4, 'findings', '{finding}',
         '\m(results?|shows?|showed|found that|significant|outperforms?|measured)\M',
         'Results that a paper or an experiment supports.'),
        (5, 'preferences', '{preference,correction}',
         '\m(I (prefer|like|dislike|avoid|want|hate|love|always|never)|preferisco)\M',
         'What the person likes, wants and avoids, and how answers should be.'),
        (6, 'methods', '{method,dataset,tool,concept}',
         '\m(methods?|algorithm|data ?sets?|benchmark|software|library|framework|GPUs?|Python)\M',
         'Methods, data sets, tools, software and concepts, and how they are used.'),
        (7, 'open questions', '{question}',
         '\m(unclear|open question|don''t know|whether|wonder)\M',
         'Questions that are still open: what is not known yet and to be found out.'),
        (8, 'small talk', '{}',
         '\m(weather|coffee|lunch|dinner|holidays?|weekend|birthday|thanks?|kids|dog|cat)\M',
         'Everyday things beside work: family, food, weather, holidays, greetings.')
    ) AS given (place, name, kinds, cues, content)
    ON CONFLICT (user_id, name) DO NOTHING
$$;

-- The category of a memory: the one that is meant, else one that the person made for what it says,
-- else that of its kind; of what is said also by its words, else the likest.
CREATE FUNCTION category_for(meant TEXT, kind TEXT, said TEXT, embedding vector) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT name FROM (
        SELECT name, place, meant IN (lower(name), origin) AS named,
               origin IS NULL AND (position(lower(name) IN lower(said)) > 0 OR likeness > .45)
                   AS own,
               kind = ANY (kinds) AS of_kind, said ~* cues AS cued, likeness
        FROM (SELECT *, 1 - (category.embedding <=> category_for.embedding) AS likeness
              FROM arxivscout.memory_category AS category
              WHERE user_id = arxivscout.scout_user()) AS category
    ) AS category
    WHERE named OR own OR of_kind OR arxivscout.is_said(kind) AND (cued OR likeness > 0)
    ORDER BY named DESC NULLS LAST, own DESC NULLS LAST, of_kind DESC NULLS LAST,
             cued DESC NULLS LAST, likeness DESC NULLS LAST, place LIMIT 1
$$;

CREATE FUNCTION file_memory() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM arxivscout.memory_category
                   WHERE user_id = arxivscout.scout_user()) THEN
        PERFORM arxivscout.begin_categories();
    END IF;
    NEW.filed_under := COALESCE(
        arxivscout.category_for(lower(NEW.filed_under), NEW.category, left(NEW.content, 2000),
                                NEW.embedding),
        NEW.filed_under);
    RETURN NEW;
END $$;
-- What is imported is filed already, or was not on purpose.
CREATE TRIGGER file_memory BEFORE INSERT ON entity_memory
    FOR EACH ROW WHEN (NEW.user_id = scout_user()
                       AND current_setting('arxivscout.change', true) IS DISTINCT FROM 'import')
    EXECUTE FUNCTION file_memory();

-- by words ----------------------------------------------------------------------------------------

-- As for messages (0014): row security keeps an index on tsvectors from being used. The newest uses
-- of a word come first.
CREATE TABLE memory_word (
    user_id TEXT NOT NULL CHECK (user_id <> ''),
    lexeme TEXT NOT NULL,
    kept_at TIMESTAMPTZ NOT NULL,
    memory_id UUID NOT NULL,
    weight REAL NOT NULL,
    PRIMARY KEY (user_id, lexeme, kept_at, memory_id) INCLUDE (weight)
);

CREATE FUNCTION index_memory_words() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    words TSVECTOR;
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM arxivscout.memory_word
        WHERE user_id = OLD.user_id AND memory_id = OLD.langchain_id AND kept_at = OLD.created_at
          AND lexeme = ANY (tsvector_to_array(arxivscout.message_words(OLD.content)));
    END IF;
    IF TG_OP = 'DELETE' THEN
        DELETE FROM arxivscout.memory_use
        WHERE user_id = OLD.user_id AND memory_id = OLD.langchain_id;
    ELSIF NEW.valid_to IS NULL AND arxivscout.is_said(NEW.category) THEN
        words := arxivscout.message_words(NEW.content);
        INSERT INTO arxivscout.memory_word (user_id, lexeme, kept_at, memory_id, weight)
        SELECT NEW.user_id, word.lexeme, NEW.created_at, NEW.langchain_id,
               arxivscout.word_weight(cardinality(word.positions), length(words))
        FROM unnest(words) AS word
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER index_memory_words AFTER INSERT ON entity_memory
    FOR EACH ROW WHEN (is_said(NEW.category)) EXECUTE FUNCTION index_memory_words();
CREATE TRIGGER index_memory_words_anew AFTER UPDATE ON entity_memory
    FOR EACH ROW WHEN ((OLD.content, OLD.category, OLD.valid_to, OLD.created_at)
                       IS DISTINCT FROM (NEW.content, NEW.category, NEW.valid_to, NEW.created_at))
    EXECUTE FUNCTION index_memory_words();
CREATE TRIGGER index_memory_words_gone AFTER DELETE ON entity_memory
    FOR EACH ROW EXECUTE FUNCTION index_memory_words();

INSERT INTO memory_word (user_id, lexeme, kept_at, memory_id, weight)
SELECT user_id, word.lexeme, created_at, langchain_id,
       word_weight(cardinality(word.positions), length(message_words(content)))
FROM entity_memory, unnest(message_words(content)) AS word
WHERE valid_to IS NULL AND is_said(category);

-- by meaning --------------------------------------------------------------------------------------

CREATE INDEX idx_entity_memory_filed ON entity_memory (user_id, filed_under)
    WHERE valid_to IS NULL AND is_said(category);
CREATE INDEX idx_entity_memory_unfiled ON entity_memory (user_id, langchain_id)
    WHERE valid_to IS NULL AND filed_under IS NULL AND is_said(category);
CREATE INDEX idx_entity_memory_summary ON entity_memory (summary_id) WHERE summary_id IS NOT NULL;

-- The `k` memories of a category (NULL: of all) that are nearest to a question. Few are compared one
-- by one; of many, the category's own index is asked, and when that gives too few they are compared
-- all the same: `nearest.py` says why. The category stands in the statement, so that the planner sees
-- which partial index serves it.
CREATE FUNCTION nearest_filed(question vector, filed TEXT, k INTEGER, archived BOOLEAN DEFAULT false)
RETURNS TABLE (langchain_id UUID, distance FLOAT8) LANGUAGE plpgsql STABLE AS $$
DECLARE
    lives TEXT := 'valid_to IS NULL AND arxivscout.is_said(category)'
                  || CASE WHEN filed IS NULL THEN '' ELSE format(' AND filed_under = %L', filed) END;
    held TEXT := lives || CASE WHEN archived THEN '' ELSE ' AND archived_at IS NULL' END;
    mine INTEGER;
    ids UUID[];
    distances FLOAT8[];
BEGIN
    EXECUTE format(
        'SELECT count(*) FROM (SELECT FROM arxivscout.entity_memory
                               WHERE user_id = arxivscout.scout_user() AND %s LIMIT 5000) AS counted',
        lives) INTO mine;   -- in the index alone
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
    RETURN QUERY EXECUTE format(
        'SELECT langchain_id, embedding <=> $1 FROM arxivscout.entity_memory
         WHERE user_id = arxivscout.scout_user() AND embedding IS NOT NULL AND %s
         ORDER BY (embedding <=> $1) + 0 LIMIT $2', held)
        USING question, k;
END $$;

-- An index for each category that everybody begins with, and one for those that people made. Called
-- when vectors have a dimension.
CREATE FUNCTION build_filed_indexes() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    begun TEXT[] := ARRAY['active projects', 'archived projects', 'reading notes', 'findings',
                          'preferences', 'methods', 'open questions', 'small talk'];
    filed TEXT;
BEGIN
    FOR place IN 0..cardinality(begun) LOOP
        filed := CASE place WHEN 0 THEN format('filed_under <> ALL (%L::text[])', begun)
                 ELSE format('filed_under = %L', begun[place]) END;
        EXECUTE format(
            'CREATE INDEX IF NOT EXISTS entity_filed_%s ON arxivscout.entity_memory
             USING hnsw (embedding vector_cosine_ops) WITH (m = 16, ef_construction = 64)
             WHERE %s AND valid_to IS NULL AND arxivscout.is_said(category)', place, filed);
    END LOOP;
END $$;

CREATE FUNCTION drop_filed_indexes() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    FOR place IN 0..8 LOOP
        EXECUTE format('DROP INDEX IF EXISTS arxivscout.entity_filed_%s', place);
    END LOOP;
END $$;

-- groups ------------------------------------------------------------------------------------------

-- A summary that holds what is no longer so is none: it goes, and what it stood for stands alone.
CREATE FUNCTION dissolve_group() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE arxivscout.entity_memory SET summary_id = NULL WHERE summary_id = OLD.summary_id;
    DELETE FROM arxivscout.summary_memory
    WHERE langchain_id = OLD.summary_id AND filed_under IS NOT NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER dissolve_group AFTER UPDATE ON entity_memory
    FOR EACH ROW WHEN (OLD.summary_id IS NOT NULL AND NEW.summary_id IS NOT NULL
                       AND (OLD.content <> NEW.content
                            OR OLD.valid_to IS NULL AND NEW.valid_to IS NOT NULL))
    EXECUTE FUNCTION dissolve_group();
CREATE TRIGGER dissolve_group_of_deleted AFTER DELETE ON entity_memory
    FOR EACH ROW WHEN (OLD.summary_id IS NOT NULL) EXECUTE FUNCTION dissolve_group();

-- And when a summary goes by itself, nothing points to it any more.
CREATE FUNCTION free_group() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE arxivscout.entity_memory SET summary_id = NULL WHERE summary_id = OLD.langchain_id;
    RETURN NULL;
END $$;
CREATE TRIGGER free_group AFTER DELETE ON summary_memory
    FOR EACH ROW WHEN (OLD.filed_under IS NOT NULL) EXECUTE FUNCTION free_group();

-- What is said in a private thread stands in no summary that others can show.
CREATE FUNCTION part_private() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM arxivscout.summary_memory
    WHERE filed_under IS NOT NULL AND langchain_id IN (
        SELECT summary_id FROM arxivscout.entity_memory
        WHERE user_id = NEW.user_id AND thread_id = NEW.thread_id AND summary_id IS NOT NULL);
    RETURN NULL;
END $$;
CREATE TRIGGER part_private AFTER INSERT OR UPDATE OF private ON thread
    FOR EACH ROW WHEN (NEW.private) EXECUTE FUNCTION part_private();

DO $$
DECLARE
    size INTEGER := (SELECT dimension FROM embedding_model);
    private TEXT;
BEGIN
    IF size IS NOT NULL THEN
        EXECUTE format('ALTER TABLE memory_category ALTER COLUMN embedding TYPE vector(%s)', size);
        PERFORM build_filed_indexes();
    END IF;
    FOREACH private IN ARRAY ARRAY['memory_category', 'memory_word'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', private);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', private);
        EXECUTE format('CREATE POLICY own_rows ON %I USING (user_id = (SELECT scout_user()))', private);
    END LOOP;
END $$;
