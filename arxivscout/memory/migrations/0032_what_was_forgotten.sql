-- What was forgotten is looked up as each turn begins: its words are read nowhere again.

CREATE INDEX entity_memory_forgotten ON entity_memory (user_id, valid_to DESC)
    WHERE valid_to IS NOT NULL AND superseded_by IS NULL AND name IS NULL AND source IS NULL;
