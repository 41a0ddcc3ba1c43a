-- Times are RFC 3339 text in UTC with nine digits of a second, so that text
-- order is time order. Columns named *_json hold JSON text.

PRAGMA application_id = 1802462305; -- "koda"

CREATE TABLE users (
	id   TEXT PRIMARY KEY,
	name TEXT NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO users (id, name) VALUES ('local', 'local');

-- state_json stands last: listing projects does not read the pages it spills to.
CREATE TABLE projects (
	id           TEXT PRIMARY KEY,
	user_id      TEXT NOT NULL REFERENCES users (id),
	name         TEXT NOT NULL,
	dir          TEXT NOT NULL,
	phase        TEXT NOT NULL,
	prompt       TEXT NOT NULL,
	author       TEXT NOT NULL,
	sandbox_type TEXT NOT NULL,
	seq          INTEGER NOT NULL, -- number of the last event
	created_at   TEXT NOT NULL,
	updated_at   TEXT NOT NULL,
	state_json   TEXT NOT NULL     -- the phase machine
) STRICT;

CREATE TABLE sessions (
	id              TEXT PRIMARY KEY,
	node_id         TEXT NOT NULL, -- equals project_id
	user_id         TEXT NOT NULL REFERENCES users (id),
	project_id      TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
	status          TEXT NOT NULL CHECK (status IN ('active', 'suspended', 'closed')),
	sandbox_id      TEXT,
	sandbox_type    TEXT NOT NULL,
	stream_url      TEXT,
	dev_server_url  TEXT,
	last_checkpoint TEXT,
	last_activity   TEXT,
	created_at      TEXT,
	updated_at      TEXT
) STRICT;
CREATE INDEX sessions_project ON sessions (project_id);

CREATE TABLE events (
	project_id   TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
	seq          INTEGER NOT NULL,
	schema       INTEGER NOT NULL,
	type         TEXT NOT NULL,
	payload_json TEXT NOT NULL,
	created_at   TEXT,
	PRIMARY KEY (project_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE effects (
	n            INTEGER PRIMARY KEY AUTOINCREMENT, -- order of beginning
	project_id   TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
	id           TEXT NOT NULL,
	kind         TEXT NOT NULL,
	payload_json TEXT,
	attempt      INTEGER NOT NULL,
	turn_id      TEXT NOT NULL,
	begun_at     TEXT,
	done_at      TEXT, -- null: begun, outcome unknown
	done         INTEGER NOT NULL DEFAULT 0 CHECK (done IN (0, 1)),
	UNIQUE (project_id, id)
) STRICT;
CREATE INDEX effects_begun ON effects (project_id, n) WHERE done = 0;

CREATE TABLE turns (
	id         TEXT PRIMARY KEY,
	project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
	number     INTEGER NOT NULL,
	kind       TEXT NOT NULL,
	input      TEXT NOT NULL,
	status     TEXT NOT NULL,
	started_at TEXT,
	ended_at   TEXT,
	UNIQUE (project_id, number)
) STRICT;

-- turn_id refers to nothing: a project adopted from its directory goes on with
-- a turn this database never saw.
CREATE TABLE blocks (
	id           TEXT PRIMARY KEY,
	project_id   TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
	turn_id      TEXT NOT NULL,
	number       INTEGER NOT NULL,
	type         TEXT NOT NULL,
	content_json TEXT NOT NULL,
	created_at   TEXT,
	UNIQUE (turn_id, number)
) STRICT;
CREATE INDEX blocks_project ON blocks (project_id);

CREATE TABLE messages (
	n          INTEGER PRIMARY KEY,
	project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
	id         TEXT NOT NULL,
	turn_id    TEXT,
	role       TEXT NOT NULL,
	content    TEXT NOT NULL,
	created_at TEXT,
	UNIQUE (project_id, id)
) STRICT;

CREATE TABLE assets (
	project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
	id         TEXT NOT NULL,
	user_id    TEXT NOT NULL REFERENCES users (id),
	name       TEXT NOT NULL,
	kind       TEXT NOT NULL,
	path       TEXT NOT NULL,
	size_bytes INTEGER NOT NULL,
	sha256     TEXT NOT NULL,
	PRIMARY KEY (project_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE versions (
	project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
	number     INTEGER NOT NULL,
	parent     INTEGER NOT NULL,
	turn_id    TEXT NOT NULL,
	prompt     TEXT NOT NULL,
	author     TEXT NOT NULL,
	phase      TEXT NOT NULL,
	files_json TEXT NOT NULL,
	created_at TEXT,
	PRIMARY KEY (project_id, number)
) STRICT;

CREATE TABLE renders (
	id          TEXT PRIMARY KEY,
	project_id  TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
	version     INTEGER NOT NULL,
	kind        TEXT NOT NULL,
	status      TEXT NOT NULL,
	spec_json   TEXT NOT NULL,
	result_json TEXT,
	error       TEXT NOT NULL,
	created_at  TEXT,
	updated_at  TEXT
) STRICT;
CREATE INDEX renders_project ON renders (project_id);

-- Segments are shared by projects: equal keys are equal frames.
CREATE TABLE segments (
	key        TEXT PRIMARY KEY,
	frames     INTEGER NOT NULL,
	size_bytes INTEGER NOT NULL,
	used_at    TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX segments_used ON segments (used_at);

CREATE TABLE calls (
	project_id  TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
	turn_id     TEXT NOT NULL,
	todo_id     TEXT NOT NULL,
	ordinal     INTEGER NOT NULL,
	digest      TEXT NOT NULL,
	name        TEXT NOT NULL,
	input_json  TEXT,
	output_json TEXT, -- null when it failed
	err_code    TEXT NOT NULL,
	err_text    TEXT NOT NULL,
	answered_at TEXT,
	PRIMARY KEY (project_id, turn_id, todo_id, ordinal)
) STRICT;
