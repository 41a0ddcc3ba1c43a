-- How long nothing was done in the session's sandbox while it lived.
ALTER TABLE sessions ADD COLUMN idle_ms INTEGER NOT NULL DEFAULT 0;
