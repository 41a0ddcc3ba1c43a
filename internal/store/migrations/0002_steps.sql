-- What the phase machine was told, in order: replayed from the start it gives
-- the state.
CREATE TABLE steps (
	n          INTEGER PRIMARY KEY AUTOINCREMENT,
	project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
	seq        INTEGER NOT NULL, -- number of the last event after the step
	cause_json TEXT NOT NULL,
	created_at TEXT
) STRICT;
CREATE INDEX steps_project ON steps (project_id, n);
