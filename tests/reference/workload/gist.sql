-- GiST: inserts, splits, dead entries, deleted and reused pages.
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SET walpf.loops = :loops;
CREATE TABLE gs (p point);
CREATE INDEX gs_p ON gs USING gist (p);
INSERT INTO gs SELECT point(hashint4(i) % 1000, i % 1000) FROM generate_series(1, :n / 2) i;
CHECKPOINT;
INSERT INTO gs SELECT point(i, i) FROM generate_series(1, :n / 2) i;
DELETE FROM gs WHERE p[0] < 500;
VACUUM gs;
CALL burn_xids(5);
VACUUM gs;
CALL burn_xids(5);
INSERT INTO gs SELECT point(i % 300, -i) FROM generate_series(1, :n / 2) i;

CREATE TABLE gs_dead (p point, v int);
CREATE INDEX gs_dead_p ON gs_dead USING gist (p);
CREATE INDEX gs_dead_v ON gs_dead (v);
INSERT INTO gs_dead VALUES (point(1, 1), 0);
DO $$
BEGIN
	FOR i IN 1..current_setting('walpf.loops')::int LOOP
		UPDATE gs_dead SET v = v + 1 WHERE p <@ box(point(0, 0), point(2, 2));
		COMMIT;
	END LOOP;
END $$;

-- not logged where wal_level = minimal, but for the numbers of pages
BEGIN;
CREATE TABLE gs_same (p point);
CREATE INDEX gs_same_p ON gs_same USING gist (p);
INSERT INTO gs_same SELECT point(i, i % 100) FROM generate_series(1, LEAST(1000, :n)) i;
COMMIT;
