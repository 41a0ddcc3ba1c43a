-- The brief says what the person brought; nobody read these rows.
DROP TABLE assets;
