"""Stores in tables of other names than ours: the same columns, indexes, row security and triggers.

Our own tables come from the migrations. Whoever asks for one under another name gets a copy of its
form, made by whoever may create tables in the schema.
"""

from __future__ import annotations

# What is to be made like what, for the block below: a DO block takes no parameters.
NAME_COPY = """
SELECT set_config('arxivscout.template', %(template)s, true),
       set_config('arxivscout.table', %(table)s, true)
"""

# Which schema a table is found in, and the dimension of its vectors (-1: not fixed).
FIND = """
SELECT c.relnamespace::regnamespace::text, a.atttypmod
FROM pg_class AS c
LEFT JOIN pg_attribute AS a
       ON a.attrelid = c.oid AND a.attname = 'embedding' AND NOT a.attisdropped
WHERE c.oid = COALESCE(to_regclass(quote_ident(%(table)s)),
                       to_regclass('arxivscout.' || quote_ident(%(table)s)))
"""

# HNSW indexes are left to `apply_vector_index`, and the GIN index to `apply_hybrid_search_index`.
COPY = """
DO $$
DECLARE
    template REGCLASS := to_regclass(quote_ident(current_setting('arxivscout.template')));
    name TEXT := current_setting('arxivscout.table');
    part RECORD;
BEGIN
    IF template IS NULL THEN
        RAISE undefined_table USING MESSAGE = 'the schema arxivscout is not set up';
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE %s INCLUDING ALL EXCLUDING INDEXES)', name, template);
    FOR part IN
        SELECT c.relname, i.indisunique, i.indisprimary,
               substring(pg_get_indexdef(i.indexrelid) FROM ' (USING .*)$') AS form
        FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
        JOIN pg_am AS m ON m.oid = c.relam
        WHERE i.indrelid = template AND m.amname <> 'hnsw' AND c.relname <> 'kb_tsv_index'
    LOOP
        IF part.indisprimary THEN
            EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY %s', name,
                           substring(part.form FROM '\\(.*\\)'));
        ELSE
            EXECUTE format('CREATE %s INDEX %I ON %I %s',
                           CASE WHEN part.indisunique THEN 'UNIQUE' END,
                           CASE WHEN strpos(part.relname, template::text) > 0
                                THEN replace(part.relname, template::text, name)
                                ELSE name || '_' || part.relname END,
                           name, part.form);
        END IF;
    END LOOP;
    IF (SELECT relrowsecurity FROM pg_class WHERE oid = template) THEN
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    END IF;
    FOR part IN
        SELECT polname, pg_get_expr(polqual, polrelid) AS rows,
               CASE WHEN polroles = '{0}' THEN 'PUBLIC' ELSE 'CURRENT_USER' END AS who
        FROM pg_policy WHERE polrelid = template
    LOOP
        EXECUTE format('CREATE POLICY %I ON %I TO %s USING (%s)',
                       part.polname, name, part.who, part.rows);
    END LOOP;
    IF EXISTS (SELECT FROM pg_trigger WHERE tgrelid = template AND tgname = 'record_change') THEN
        EXECUTE format('CREATE TRIGGER record_change AFTER UPDATE OR DELETE ON %I '
                       'FOR EACH ROW EXECUTE FUNCTION record_change()', name);
    END IF;
END $$
"""
