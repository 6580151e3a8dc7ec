-- What a person has decided for themselves, such as what may be remembered of them.

CREATE TABLE person_setting (
    user_id TEXT NOT NULL DEFAULT scout_user() CHECK (user_id <> ''),
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, name)
);

ALTER TABLE person_setting ENABLE ROW LEVEL SECURITY;
ALTER TABLE person_setting FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON person_setting USING (user_id = (SELECT scout_user()));
