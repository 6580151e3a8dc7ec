-- What the check found amiss with an answer, a line each; NULL for turns from before.

ALTER TABLE turn ADD COLUMN problems JSONB;
