-- What is said, asked and written is stored once. In the columns named *_json,
-- @n outside of a string stands for the text of content n, which refers to earlier ones likewise.
CREATE TABLE contents (
	id         INTEGER PRIMARY KEY,
	project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
	digest     BLOB NOT NULL, -- the first 16 bytes of the SHA-256 of the whole text
	body       ANY NOT NULL,  -- text, or its bytes compressed (RFC 1951)
	UNIQUE (project_id, digest)
) STRICT;

-- A long text stands there; else it is in the column beside it.
ALTER TABLE messages ADD COLUMN content_json TEXT;
ALTER TABLE turns ADD COLUMN input_json TEXT;
ALTER TABLE versions ADD COLUMN prompt_json TEXT;

-- The number of the last event when the journal was last pruned.
ALTER TABLE projects ADD COLUMN pruned_seq INTEGER NOT NULL DEFAULT 0;
