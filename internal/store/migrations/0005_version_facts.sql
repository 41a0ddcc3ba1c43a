-- What a version was made with and of, and what it cost; null in versions
-- written before this was kept.
ALTER TABLE versions ADD COLUMN made_json TEXT;
