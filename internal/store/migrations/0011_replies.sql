-- Answers of a server to requests that carried an idempotency key, so that the same request
-- sent again has the same answer and is not done twice.
CREATE TABLE replies (
	user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	bound      TEXT NOT NULL, -- the project to which the client's token is bound; '': none
	key        TEXT NOT NULL,
	request    BLOB NOT NULL, -- SHA-256
	project_id TEXT REFERENCES projects (id) ON DELETE CASCADE, -- whose work the request began
	status     INTEGER NOT NULL, -- 0: there is no answer yet
	type       TEXT NOT NULL,
	body       BLOB,
	at         TEXT NOT NULL,
	PRIMARY KEY (user_id, bound, key)
) STRICT;
CREATE INDEX replies_at ON replies (at);
CREATE INDEX replies_project ON replies (project_id);
