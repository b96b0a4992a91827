-- B-tree: splits on all levels, posting lists, dead entries, deleted and
-- reused pages, a fast root below the true root.
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SET walpf.loops = :loops;
CREATE TABLE bt (k int, d int);
CREATE INDEX bt_k ON bt (k);
CREATE INDEX bt_d ON bt (d);
INSERT INTO bt SELECT hashint4(i), i % 50 FROM generate_series(1, :n) i;
CHECKPOINT;
INSERT INTO bt SELECT i, i % 50 FROM generate_series(1, :n) i;
INSERT INTO bt SELECT -i, 7 FROM generate_series(1, :n / 5) i;

-- new entries for heap places inside the ranges of posting lists
DELETE FROM bt WHERE hashint4(k) % 2 = 0;
VACUUM bt;
INSERT INTO bt SELECT hashint4(i), i % 50 FROM generate_series(1, :n / 2) i;

-- whole pages empty, unlinked, and taken again for other keys
DELETE FROM bt WHERE k BETWEEN 1 AND :n * 3 / 4;
VACUUM bt;
CALL burn_xids(5);
VACUUM bt;
CALL burn_xids(5);
INSERT INTO bt SELECT hashint4(-i), i FROM generate_series(1, :n / 2) i;

-- entries that scans found dead go when their page is full
CREATE TABLE bt_dead (id int, v int);
CREATE INDEX bt_dead_id ON bt_dead (id);
CREATE UNIQUE INDEX bt_dead_v ON bt_dead (v);
INSERT INTO bt_dead VALUES (1, 0), (2, 1000000);
DO $$
BEGIN
	FOR i IN 1..current_setting('walpf.loops')::int LOOP
		UPDATE bt_dead SET v = v + 1 WHERE id = 1;
		COMMIT;
	END LOOP;
END $$;

-- a tall, narrow tree that shrinks to one leaf and grows again
CREATE TABLE bt_tall (t text);
CREATE INDEX bt_tall_t ON bt_tall (t);
INSERT INTO bt_tall SELECT lpad(i::text, 480, '0') FROM generate_series(1, 400) i;
DELETE FROM bt_tall WHERE t < lpad('398', 480, '0');
VACUUM bt_tall;
CALL burn_xids(3);
VACUUM bt_tall;
INSERT INTO bt_tall SELECT lpad(i::text, 480, '0') FROM generate_series(401, 550) i;
