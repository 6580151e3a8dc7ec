-- What a search compares of each candidate stands in the row itself, not beside it, where it took a
-- lookup of its own. Rows that are there already follow when they are written anew.

ALTER TABLE semantic_memory ALTER COLUMN content_tsv SET STORAGE MAIN;
ALTER TABLE passage_memory ALTER COLUMN content_tsv SET STORAGE MAIN;

DO $$
DECLARE
    each TEXT;
BEGIN
    FOREACH each IN ARRAY ARRAY['semantic_memory', 'workflow_memory', 'toolbox_memory',
                                'entity_memory', 'summary_memory', 'message_index',
                                'episode_memory', 'lesson_memory', 'section_memory',
                                'passage_memory', 'memory_category'] LOOP
        EXECUTE format('ALTER TABLE %I ALTER COLUMN embedding SET STORAGE MAIN', each);
    END LOOP;
END $$;
