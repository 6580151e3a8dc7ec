-- An import goes into the memory of a person who has none, and takes the place of what is there
-- beside (categories, settings). Whatever else writes something of that person waits until it is
-- done, and is waited for: a turn that stored beside it was deleted, and told that it was kept.

-- The import has this lock for itself (`rights/importing.py`).
CREATE FUNCTION wait_for_import() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(
        hashtextextended('import ' || arxivscout.scout_user(), 0));
    RETURN NULL;
END $$;

-- For each table with rows of persons; a migration that makes another one calls it again.
CREATE FUNCTION shut_out_writers() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    own REGCLASS;
BEGIN
    FOR own IN
        SELECT attrelid FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE attname = 'user_id' AND relkind IN ('r', 'p') AND NOT relispartition
          AND relnamespace = 'arxivscout'::regnamespace
          AND NOT EXISTS (SELECT FROM pg_trigger
                          WHERE tgrelid = attrelid AND tgname = 'a_wait_for_import')
    LOOP
        -- Triggers go by their names: this one is the first.
        EXECUTE format('CREATE TRIGGER a_wait_for_import BEFORE INSERT OR UPDATE OR DELETE ON %s
                        FOR EACH STATEMENT EXECUTE FUNCTION arxivscout.wait_for_import()', own);
    END LOOP;
END $$;

SELECT shut_out_writers();
