-- Calls of models are answered like those of tools, and an author asks and plans
-- by calls, too: a step is a question, a plan or a todo. Calls made at once are
-- answered in any order, which answer numbers. Errors are kept whole.
ALTER TABLE calls RENAME COLUMN todo_id TO step;
ALTER TABLE calls ADD COLUMN answer INTEGER NOT NULL DEFAULT 0;
UPDATE calls SET answer = ordinal + 1; -- they were made one after another
ALTER TABLE calls ADD COLUMN err_hint TEXT NOT NULL DEFAULT '';
ALTER TABLE calls ADD COLUMN err_details TEXT NOT NULL DEFAULT '';

-- What the models cost that were asked in a turn; null: nothing.
ALTER TABLE turns ADD COLUMN cost_json TEXT;
