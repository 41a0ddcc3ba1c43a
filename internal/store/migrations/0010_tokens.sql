-- Tokens of programs that reach koda over HTTP. Only a digest of the secret is kept: whoever
-- reads this table can reach nothing.
CREATE TABLE tokens (
	id         TEXT PRIMARY KEY,
	digest     BLOB NOT NULL UNIQUE, -- SHA-256 of the secret, which is random
	user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	project_id TEXT REFERENCES projects (id) ON DELETE CASCADE, -- NULL: all projects of the user
	session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE, -- NULL: no session ends it
	note       TEXT NOT NULL,
	may_write  INTEGER NOT NULL CHECK (may_write IN (0, 1)),
	created_at TEXT NOT NULL,
	expires_at TEXT NOT NULL
) STRICT;

-- Projects that a server works on. A server that begins goes on with those that the server
-- before it left in the middle.
CREATE TABLE served (
	project_id  TEXT PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
	render_json TEXT -- the render it makes; NULL: other work
) STRICT, WITHOUT ROWID;
