-- Why a turn failed, or was refused; null in those that went well.
ALTER TABLE turns ADD COLUMN error_json TEXT;
