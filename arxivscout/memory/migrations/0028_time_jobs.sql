-- What each node of a research job took, in milliseconds, as the measure of a turn has it. Nodes that
-- work side by side are added up.

ALTER TABLE batch_job ADD COLUMN parts_ms JSONB NOT NULL DEFAULT '{}';
