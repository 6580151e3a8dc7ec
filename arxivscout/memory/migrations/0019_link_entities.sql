-- The graph of what is remembered and of the papers: names that lead to entities, edges read in order
-- of their weight, who wrote what and what cites what, and edges that rules infer from others.
--
-- A node is one thing under one key: `paper:0704.0001`, `author:ada lovelace` and `category:cs.CL` are
-- the same whether a person's entity, the shared papers or both know them; any other entity of a
-- person is `kind:name`, and one without a name `memory:UUID`.

-- names ---------------------------------------------------------------------------------------

-- A name as names are compared: small letters without accents, punctuation as blanks, but + and #,
-- which tell C++ from C. By lists of characters, not by classes: a server's locale may know ASCII only.
CREATE FUNCTION name_key(name TEXT) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN btrim(regexp_replace(
    lower(translate(regexp_replace(normalize(left(name, 500), NFKD), '[\u0300-\u036f]', '', 'g'),
                    'øØłŁđĐı', 'oOlLdDi')),
    '[ \t\n\r\u00a0!-"$-*,-/:-@\[-`{-~\u2010-\u2015\u2018-\u201f]+', ' ', 'g'));

CREATE TABLE entity_name (
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    key TEXT NOT NULL,
    entity_id UUID NOT NULL REFERENCES entity_memory ON DELETE CASCADE,
    PRIMARY KEY (user_id, key, entity_id)
);
CREATE INDEX entity_name_of ON entity_name (entity_id);

-- All that an entity is called: its name, its aliases, and a paper's title.
CREATE FUNCTION entity_names(entity entity_memory) RETURNS SETOF text
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT DISTINCT left(name_key(called), 300)
    FROM unnest(entity.aliases || entity.name
                || CASE WHEN entity.category = 'paper'
                        THEN entity.langchain_metadata ->> 'title' END) AS called
    WHERE name_key(called) <> '';
END;

CREATE FUNCTION name_entity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        DELETE FROM arxivscout.entity_name WHERE entity_id = NEW.langchain_id;
    END IF;
    IF NEW.valid_to IS NULL THEN
        INSERT INTO arxivscout.entity_name (user_id, key, entity_id)
        SELECT NEW.user_id, called, NEW.langchain_id FROM arxivscout.entity_names(NEW) AS called;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER name_entity AFTER INSERT ON entity_memory
    FOR EACH ROW WHEN (NEW.name IS NOT NULL OR NEW.aliases <> '{}') EXECUTE FUNCTION name_entity();
CREATE TRIGGER name_entity_anew AFTER UPDATE ON entity_memory
    FOR EACH ROW WHEN ((OLD.name, OLD.aliases, OLD.valid_to, OLD.category)
                       IS DISTINCT FROM (NEW.name, NEW.aliases, NEW.valid_to, NEW.category)
                       OR NEW.category = 'paper')
    EXECUTE FUNCTION name_entity();

INSERT INTO entity_name (user_id, key, entity_id)
SELECT entity.user_id, called, entity.langchain_id
FROM entity_memory AS entity, entity_names(entity) AS called
WHERE entity.valid_to IS NULL AND (entity.name IS NOT NULL OR entity.aliases <> '{}');

-- What an entity is called where it is told of.
CREATE FUNCTION entity_label(id UUID) RETURNS text
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT CASE WHEN category = 'paper' THEN content ELSE COALESCE(name, left(content, 200)) END
    FROM entity_memory WHERE langchain_id = id;
END;

-- edges ---------------------------------------------------------------------------------------

-- The surest and newest edges of a node first, so that of a hub only as many are read as are wanted;
-- those that ended come last.
DROP INDEX idx_relation_memory_object;
CREATE INDEX relation_from ON relation_memory
    (subject_id, valid_to DESC NULLS FIRST, confidence DESC, valid_from DESC);
CREATE INDEX relation_to ON relation_memory
    (object_id, valid_to DESC NULLS FIRST, confidence DESC, valid_from DESC);

-- What a memory took the place of, for its history.
CREATE INDEX entity_successor ON entity_memory (superseded_by) WHERE superseded_by IS NOT NULL;

-- What a superseded entity was joined to, its successor is: the old edges end as history, theirs hold
-- since the same day. An edge between the two ends, as none joins a thing to itself; an inferred one is
-- inferred anew. Whichever of the two is written last sees to it.
CREATE FUNCTION carry_edges(superseded UUID[]) RETURNS void LANGUAGE sql VOLATILE
BEGIN ATOMIC
    WITH moved AS MATERIALIZED (
        SELECT edge.id, edge.user_id, edge.predicate, edge.properties, edge.source, edge.reason,
               edge.turn_id, edge.valid_from, edge.confidence, edge.quote, edge.derived_by,
               COALESCE((SELECT superseded_by FROM entity_memory
                         WHERE langchain_id = edge.subject_id AND edge.subject_id = ANY (superseded)),
                        edge.subject_id) AS from_id,
               COALESCE((SELECT superseded_by FROM entity_memory
                         WHERE langchain_id = edge.object_id AND edge.object_id = ANY (superseded)),
                        edge.object_id) AS to_id
        FROM (SELECT * FROM relation_memory
              WHERE subject_id = ANY (superseded) AND valid_to IS NULL
              UNION
              SELECT * FROM relation_memory
              WHERE object_id = ANY (superseded) AND valid_to IS NULL) AS edge
    ), ended AS (
        UPDATE relation_memory AS edge SET valid_to = clock_timestamp()
        FROM moved WHERE edge.id = moved.id
    )
    INSERT INTO relation_memory
        (user_id, subject_id, predicate, object_id, properties, source, reason, turn_id, valid_from,
         confidence, quote)
    SELECT user_id, from_id, predicate, to_id, properties, source, reason, turn_id, valid_from,
           confidence, quote
    FROM moved WHERE from_id <> to_id AND derived_by IS NULL
    ON CONFLICT DO NOTHING;
END;

CREATE FUNCTION hand_edges_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM arxivscout.relation_memory
               WHERE subject_id = NEW.langchain_id AND valid_to IS NULL
               UNION ALL
               SELECT FROM arxivscout.relation_memory
               WHERE object_id = NEW.langchain_id AND valid_to IS NULL)
       AND EXISTS (SELECT FROM arxivscout.entity_memory WHERE langchain_id = NEW.superseded_by)
    THEN
        PERFORM arxivscout.carry_edges(ARRAY[NEW.langchain_id]);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER hand_edges_on AFTER UPDATE OF superseded_by ON entity_memory
    FOR EACH ROW WHEN (NEW.superseded_by IS NOT NULL AND NEW.valid_to IS NOT NULL
                       AND OLD.superseded_by IS DISTINCT FROM NEW.superseded_by)
    EXECUTE FUNCTION hand_edges_on();

CREATE FUNCTION take_edges() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    superseded UUID[] := ARRAY(
        SELECT past.langchain_id FROM arxivscout.entity_memory AS past
        WHERE past.superseded_by = ANY (ARRAY(SELECT langchain_id FROM inserted))
          AND past.valid_to IS NOT NULL);
BEGIN
    IF superseded <> '{}' THEN
        PERFORM arxivscout.carry_edges(superseded);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER take_edges AFTER INSERT ON entity_memory
    REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION take_edges();

-- inferred edges --------------------------------------------------------------------------------

-- The person's own rules, and which of the built-in ones they switched off.
CREATE TABLE graph_rule (
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    name TEXT NOT NULL,
    rule TEXT NOT NULL,
    active BOOLEAN NOT NULL DEFAULT true,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, name)
);

-- What a derived edge rests on: it ends with the first of these that does.
CREATE TABLE relation_ground (
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    derived_id UUID NOT NULL REFERENCES relation_memory ON DELETE CASCADE,
    ground_id UUID NOT NULL,
    PRIMARY KEY (derived_id, ground_id)
);
CREATE INDEX relation_ground_of ON relation_ground (ground_id);

-- Edges that rules have yet to look at: new ones, and derived ones that ended and may rest on
-- something else.
CREATE TABLE relation_news (
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    relation_id UUID NOT NULL,
    PRIMARY KEY (user_id, relation_id)
);

CREATE FUNCTION note_relations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO arxivscout.relation_news (user_id, relation_id)
    SELECT user_id, id FROM inserted WHERE valid_to IS NULL ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER note_relations AFTER INSERT ON relation_memory
    REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION note_relations();

CREATE FUNCTION note_relation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO arxivscout.relation_news (user_id, relation_id) VALUES (NEW.user_id, NEW.id)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER note_relation AFTER UPDATE OF valid_to ON relation_memory
    FOR EACH ROW WHEN (OLD.valid_to IS NOT NULL AND NEW.valid_to IS NULL
                       OR NEW.valid_to IS NOT NULL AND NEW.derived_by IS NOT NULL)
    EXECUTE FUNCTION note_relation();

CREATE FUNCTION end_derived(ended UUID[]) RETURNS void LANGUAGE sql VOLATILE
BEGIN ATOMIC
    UPDATE relation_memory AS derived SET valid_to = clock_timestamp()
    FROM relation_ground AS ground
    WHERE ground.ground_id = ANY (ended) AND derived.id = ground.derived_id
      AND derived.valid_to IS NULL;
END;

CREATE FUNCTION end_derived_of_one() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM arxivscout.end_derived(ARRAY[OLD.id]);
    RETURN NULL;
END $$;
CREATE TRIGGER end_derived AFTER UPDATE OF valid_to ON relation_memory
    FOR EACH ROW WHEN (OLD.valid_to IS NULL AND NEW.valid_to IS NOT NULL)
    EXECUTE FUNCTION end_derived_of_one();

CREATE FUNCTION end_derived_of_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM arxivscout.end_derived(ARRAY(SELECT id FROM deleted));
    RETURN NULL;
END $$;
CREATE TRIGGER end_derived_of_deleted AFTER DELETE ON relation_memory
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION end_derived_of_deleted();

-- The edges of what is forgotten are not shown, and come back with it; what rests on them ends.
CREATE FUNCTION forget_derived() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.valid_to IS NULL THEN
        INSERT INTO arxivscout.relation_news (user_id, relation_id)
        SELECT user_id, id FROM arxivscout.relation_memory
        WHERE NEW.langchain_id IN (subject_id, object_id) AND valid_to IS NULL
        ON CONFLICT DO NOTHING;
    ELSE
        UPDATE arxivscout.relation_memory AS derived SET valid_to = clock_timestamp()
        FROM arxivscout.relation_memory AS edge
        JOIN arxivscout.relation_ground AS ground ON ground.ground_id = edge.id
        WHERE NEW.langchain_id IN (edge.subject_id, edge.object_id) AND edge.valid_to IS NULL
          AND derived.id = ground.derived_id AND derived.valid_to IS NULL;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER forget_derived AFTER UPDATE OF valid_to ON entity_memory
    FOR EACH ROW WHEN ((OLD.valid_to IS NULL) <> (NEW.valid_to IS NULL))
    EXECUTE FUNCTION forget_derived();

DO $$
DECLARE
    private TEXT;
BEGIN
    FOREACH private IN ARRAY
        ARRAY['entity_name', 'graph_rule', 'relation_ground', 'relation_news']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', private);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', private);
        EXECUTE format('CREATE POLICY own_rows ON %I USING (user_id = (SELECT scout_user()))', private);
    END LOOP;
END $$;

-- papers, shared by an installation ---------------------------------------------------------------

-- A row a paper with the keys of its first hundred authors in order: of three thousand nobody is told
-- anything, and their words are searched all the same.
CREATE TABLE paper_author (
    arxiv_id TEXT PRIMARY KEY,
    keys TEXT[] NOT NULL
);
CREATE INDEX paper_author_keys ON paper_author USING gin (keys);

CREATE FUNCTION author_keys(metadata JSON) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT COALESCE(array_agg(name_key(name) ORDER BY place), '{}')
    FROM json_array_elements_text(
        CASE json_typeof(metadata -> 'authors') WHEN 'array' THEN metadata -> 'authors'
             ELSE '[]' END) WITH ORDINALITY AS author (name, place)
    WHERE place <= 100;
END;

-- Ingestion writes them from here on (paper_authors.py).
INSERT INTO paper_author (arxiv_id, keys)
SELECT arxiv_id, author_keys(langchain_metadata) FROM semantic_memory WHERE arxiv_id IS NOT NULL;

CREATE OR REPLACE FUNCTION drop_full_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM arxivscout.full_text WHERE arxiv_id = OLD.arxiv_id;
    DELETE FROM arxivscout.paper_author WHERE arxiv_id = OLD.arxiv_id;
    RETURN NULL;
END $$;

-- The papers that a full text's list of references names by their arXiv id.
CREATE FUNCTION cited_papers(arxiv_id TEXT, cited JSONB) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT COALESCE(array_agg(DISTINCT entry ->> 'arxiv_id'), '{}')
    FROM jsonb_array_elements(cited) AS entry
    WHERE entry ->> 'arxiv_id' IS NOT NULL AND entry ->> 'arxiv_id' <> arxiv_id;
END;
ALTER TABLE full_text
    ADD COLUMN cites TEXT[] GENERATED ALWAYS AS (cited_papers(arxiv_id, cited)) STORED;
CREATE INDEX full_text_cites ON full_text USING gin (cites);
