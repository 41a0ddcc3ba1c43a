-- Addresses that a server tells of videos that are done, and of work that failed.
CREATE TABLE hooks (
	project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
	url        TEXT NOT NULL,
	secret     TEXT NOT NULL, -- signs what is told
	once       INTEGER NOT NULL CHECK (once IN (0, 1)), -- it is told of one end of work only
	seq        INTEGER NOT NULL, -- the project's newest event when it was told last
	PRIMARY KEY (project_id, url)
) STRICT, WITHOUT ROWID;

-- What is still to be told.
CREATE TABLE deliveries (
	id         TEXT PRIMARY KEY,
	project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
	url        TEXT NOT NULL,
	secret     TEXT NOT NULL,
	body       BLOB NOT NULL,
	tries      INTEGER NOT NULL,
	due        TEXT NOT NULL
) STRICT;
CREATE INDEX deliveries_due ON deliveries (due);
CREATE INDEX deliveries_project ON deliveries (project_id);
