-- A little of everything within one segment of 1 MB, for tests/data.
CREATE EXTENSION IF NOT EXISTS bloom;
CALL burn_xids(1);
CHECKPOINT;
SELECT pg_switch_wal();

CREATE TABLE sa (id int PRIMARY KEY, d int, a int[], p point, t text);
CREATE INDEX sa_d ON sa (d);
CREATE INDEX sa_hash ON sa USING hash (id);
CREATE INDEX sa_gin ON sa USING gin (a);
CREATE INDEX sa_gist ON sa USING gist (p);
CREATE INDEX sa_quad ON sa USING spgist (p);
CREATE INDEX sa_text ON sa USING spgist (t);
CREATE INDEX sa_brin ON sa USING brin (id) WITH (pages_per_range = 1);
CREATE INDEX sa_bloom ON sa USING bloom (id);
INSERT INTO sa SELECT i, i % 10, ARRAY[1, i % 7], point(i % 50, i), 'text ' || i
	FROM generate_series(1, 400) i;
SELECT gin_clean_pending_list('sa_gin'), brin_summarize_new_values('sa_brin');
UPDATE sa SET t = t || '+' WHERE id % 10 = 0;
DELETE FROM sa WHERE id BETWEEN 100 AND 180;
VACUUM (FREEZE) sa;
CHECKPOINT;
UPDATE sa SET d = 5 WHERE id = 7;
DELETE FROM sa WHERE id = 9;

CREATE TABLE sa_copy (i int, t text);
COPY sa_copy FROM PROGRAM 'seq -f "%g,copied" 1 300' WITH (DELIMITER ',');
VACUUM (FREEZE) sa_copy;
COPY sa_copy FROM PROGRAM 'seq -f "%g,again" 1 10' WITH (DELIMITER ',');
BEGIN;
SELECT count(*) FROM (SELECT 1 FROM sa WHERE id < 5 FOR KEY SHARE) s;
SAVEPOINT a;
UPDATE sa SET t = 'locked' WHERE id < 5;
COMMIT;
BEGIN;
INSERT INTO sa_copy VALUES (0, 'prepared');
PREPARE TRANSACTION 'sample';
COMMIT PREPARED 'sample';
CREATE SEQUENCE sa_seq;
SELECT nextval('sa_seq');
CREATE UNLOGGED TABLE sa_un (i int PRIMARY KEY);
INSERT INTO sa_un VALUES (1);
ALTER TABLE sa_un SET LOGGED;
TRUNCATE sa_un;
DROP TABLE sa_un;
DELETE FROM sa_copy WHERE i > 100;
VACUUM sa_copy;
SELECT pg_logical_emit_message(false, 'walpf', repeat('message ', 5000));
SELECT pg_switch_wal();
