-- Where in a passage its second page begins, and those behind it: a citation names the page of its
-- sentence, not the passage's first. Texts stored before keep the first page until read again.
ALTER TABLE passage_memory ADD COLUMN page_starts INTEGER[] NOT NULL DEFAULT '{}';
