-- The cache of segments knows its files, sizes and times of use by itself.
DROP TABLE segments;
