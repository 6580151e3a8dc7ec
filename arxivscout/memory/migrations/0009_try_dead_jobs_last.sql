-- A job whose worker died waits behind those that were not tried: it may be what ended the worker.

DROP INDEX idx_batch_job_waiting;
CREATE INDEX idx_batch_job_waiting ON batch_job (batch_id, attempts, number)
    WHERE listed AND status IN ('waiting', 'running');
