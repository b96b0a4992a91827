-- Transactions: prepared ones, many subtransactions, multixacts by two
-- sessions, locks on updated rows, commit of dropped relations, aborts.
SET walpf.loops = :loops;
CREATE EXTENSION IF NOT EXISTS dblink;
CREATE TABLE xa (id int PRIMARY KEY, v int);
INSERT INTO xa SELECT i, 0 FROM generate_series(1, LEAST(3000, :n)) i;

BEGIN;
CREATE TABLE xa_made (i int);
INSERT INTO xa_made SELECT generate_series(1, 100);
PREPARE TRANSACTION 'made';
BEGIN;
CREATE TABLE xa_gone (i int);
INSERT INTO xa_gone SELECT generate_series(1, 100);
PREPARE TRANSACTION 'gone';
CHECKPOINT;
COMMIT PREPARED 'made';
ROLLBACK PREPARED 'gone';
BEGIN;
DROP TABLE xa_made;
PREPARE TRANSACTION 'drop';
COMMIT PREPARED 'drop';
BEGIN;
CREATE TABLE xa_aborted (i int);
INSERT INTO xa_aborted SELECT generate_series(1, 100);
ROLLBACK;

-- more than 64 subtransactions at once
DO $$
BEGIN
	FOR i IN 1..300 LOOP
		BEGIN
			UPDATE xa SET v = v + 1 WHERE id = i;
			IF i % 10 = 0 THEN
				RAISE division_by_zero;
			END IF;
		EXCEPTION WHEN division_by_zero THEN
			NULL;
		END;
	END LOOP;
END $$;

-- a multixact per row: a lock of the transaction, an update of a subtransaction
DO $$
BEGIN
	FOR i IN 1..current_setting('walpf.loops')::int * 3 / 2 LOOP
		PERFORM 1 FROM xa WHERE id = i FOR KEY SHARE;
		BEGIN
			UPDATE xa SET v = v + 1 WHERE id = i;
		EXCEPTION WHEN division_by_zero THEN
			NULL;
		END;
	END LOOP;
END $$;

-- two sessions share rows; one locks a row that the other has updated
SELECT dblink_connect('other', 'host=/tmp dbname=' || current_database() || ' user=postgres');
SELECT dblink_exec('other', 'BEGIN');
SELECT * FROM dblink('other', 'SELECT id FROM xa WHERE id <= 200 FOR SHARE') AS t(id int);
BEGIN;
SELECT count(*) FROM (SELECT 1 FROM xa WHERE id <= 300 FOR SHARE) s;
COMMIT;
SELECT dblink_exec('other', 'UPDATE xa SET v = -7 WHERE id BETWEEN 400 AND 450');
BEGIN;
SELECT count(*) FROM (SELECT 1 FROM xa WHERE id BETWEEN 400 AND 450 FOR KEY SHARE) s;
COMMIT;
SELECT dblink_exec('other', 'COMMIT');
SELECT dblink_disconnect('other');
VACUUM (FREEZE) xa;
