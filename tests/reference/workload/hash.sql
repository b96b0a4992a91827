-- Hash index: bucket splits, overflow pages, squeezing, dead entries.
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SET walpf.loops = :loops;
CREATE TABLE ha (k int);
CREATE INDEX ha_k ON ha USING hash (k);
INSERT INTO ha SELECT i FROM generate_series(1, :n) i;
CHECKPOINT;
INSERT INTO ha SELECT i % 3 FROM generate_series(1, :n / 2) i;
INSERT INTO ha SELECT i FROM generate_series(:n, :n * 2) i;
DELETE FROM ha WHERE k % 3 = 0;
VACUUM ha;
DELETE FROM ha WHERE k = 1 AND hashtid(ctid) % 4 <> 0;
VACUUM ha;
INSERT INTO ha SELECT i % 3 FROM generate_series(1, :n / 4) i;
INSERT INTO ha SELECT -i FROM generate_series(1, :n / 2) i;
DELETE FROM ha WHERE k < 3;
VACUUM ha;

CREATE TABLE ha_dead (id int, v int);
CREATE INDEX ha_dead_id ON ha_dead USING hash (id);
CREATE INDEX ha_dead_v ON ha_dead (v);
INSERT INTO ha_dead VALUES (1, 0);
DO $$
BEGIN
	FOR i IN 1..current_setting('walpf.loops')::int LOOP
		UPDATE ha_dead SET v = v + 1 WHERE id = 1;
		COMMIT;
	END LOOP;
END $$;
