-- Images of pages that only a hint changed, and settings that change how
-- images are made, in the middle of the WAL.
CREATE TABLE im (id int, v int);
INSERT INTO im SELECT i, 0 FROM generate_series(1, :n) i;
CHECKPOINT;
SELECT count(*) FROM im;
ALTER SYSTEM SET full_page_writes = off;
SELECT pg_reload_conf();
CHECKPOINT;
UPDATE im SET v = 1 WHERE id % 50 = 0;
ALTER SYSTEM RESET full_page_writes;
SELECT pg_reload_conf();
CHECKPOINT;
UPDATE im SET v = 2 WHERE id % 50 = 0;
CREATE INDEX im_id ON im (id);
