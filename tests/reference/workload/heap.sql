-- Heap: COPY, HOT and cold updates, locks, speculative insertion, TOAST,
-- pruning, freezing, visibility, truncation at the end.
CREATE TABLE he (id int PRIMARY KEY, v int, t text) WITH (fillfactor = 80);
INSERT INTO he SELECT i, 0, md5(i::text) FROM generate_series(1, :n) i;
CREATE TABLE he_copy (i int, t text);
SELECT format('seq -f "%%g,a row that was copied" 1 %s', :n * 2) AS many \gset
COPY he_copy FROM PROGRAM :'many' WITH (DELIMITER ',');
CHECKPOINT;
UPDATE he SET v = v + 1 WHERE id % 3 = 0;
UPDATE he SET v = v + 1 WHERE id % 3 = 0;
UPDATE he SET id = id + 10000000 WHERE id % 5 = 0;
SELECT count(*) FROM he;
DELETE FROM he WHERE id % 7 = 0;
SELECT count(*) FROM he WHERE v = 1;
BEGIN;
SELECT count(*) FROM (SELECT 1 FROM he WHERE id < 500 FOR UPDATE) s;
SELECT count(*) FROM (SELECT 1 FROM he WHERE id BETWEEN 500 AND 900 FOR KEY SHARE) s;
COMMIT;
INSERT INTO he VALUES (1, 1, 'x'), (-1, 1, 'y') ON CONFLICT (id) DO UPDATE SET v = 5;
INSERT INTO he VALUES (2, 2, 'x'), (-2, 1, 'y') ON CONFLICT DO NOTHING;
BEGIN;
UPDATE he SET v = -1 WHERE id < 1000;
ROLLBACK;
VACUUM he;
UPDATE he SET v = 9 WHERE id < :n / 4;
VACUUM (FREEZE) he;
DELETE FROM he WHERE id % 11 = 0;
UPDATE he SET t = t || t WHERE id % 13 = 0;
INSERT INTO he SELECT -i, 0, 'z' FROM generate_series(10, :n / 10) i;
SELECT count(*) FROM (SELECT 1 FROM he WHERE id > :n - 500 FOR SHARE) s;
ANALYZE he;
VACUUM (FREEZE, ANALYZE) he_copy;
DELETE FROM he_copy WHERE i > :n;
VACUUM he_copy;
COPY he_copy FROM PROGRAM 'seq -f "%g,again" 1 500' WITH (DELIMITER ',');
BEGIN;
CREATE TABLE he_frozen (i int);
COPY he_frozen FROM PROGRAM 'seq 1 1500' WITH (FREEZE);
COMMIT;

CREATE TABLE he_toast (id int, t text);
ALTER TABLE he_toast ALTER t SET STORAGE external;
INSERT INTO he_toast SELECT i, repeat(md5(i::text), 300) FROM generate_series(1, :n / 100) i;
UPDATE he_toast SET t = t || 'more' WHERE id % 2 = 0;
DELETE FROM he_toast WHERE id % 3 = 0;
VACUUM (FREEZE) he_toast;

-- pruned by a reader, with no vacuum
CREATE TABLE he_prune (id int, t text) WITH (fillfactor = 50);
INSERT INTO he_prune SELECT i, repeat('p', 200) FROM generate_series(1, LEAST(400, :n)) i;
UPDATE he_prune SET t = 'a' || t;
UPDATE he_prune SET t = 'b' || t;
SELECT count(*) FROM he_prune;
SELECT count(*) FROM he_prune;
