-- The same beyond the first page of each map: a heap of more than 32672
-- blocks, which costs no WAL where wal_level = minimal.
BEGIN;
CREATE TABLE far (id int, t text) WITH (fillfactor = 10);
ALTER TABLE far ALTER t SET STORAGE plain;
COPY far (id, t) FROM PROGRAM 'seq -f "%g,$(printf %0500d 0)" 1 33000' WITH (DELIMITER ',');
COMMIT;
VACUUM far;
SELECT rel_key('far') AS rel, block_of(ctid) AS block,
	sure(block_of(ctid) > 32672, 'a block of the second page'),
	sure(all_visible, 'far away and visible'),
	pg_current_wal_insert_lsn() AS a
	FROM far, pg_visibility_map('far', block_of(ctid)) WHERE id = 32999 \gset
DELETE FROM far WHERE id = 32999;
SELECT :'a', pg_current_wal_insert_lsn(), :'rel', 'vm', :block / 32672, 'far delete'
	\g | cat >>"$FACTS"
SELECT pg_current_wal_insert_lsn() AS a \gset
VACUUM far;
SELECT :'a', pg_current_wal_insert_lsn(), :'rel', 'fsm', fsm_leaf(:block), 'far vacuum'
	\g | cat >>"$FACTS"
