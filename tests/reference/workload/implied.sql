-- Statements whose redo reads a page that no reference need name. What the
-- server says of the visibility map before and after makes each a fact:
-- first LSN, last LSN, relation, fork, block, statement.
CREATE TABLE vm (id int, v int) WITH (fillfactor = 50);
INSERT INTO vm SELECT i, 0 FROM generate_series(1, 2000) i;
CREATE INDEX vm_v ON vm (v);
VACUUM (FREEZE) vm;

CREATE FUNCTION visible(block int) RETURNS bool LANGUAGE sql AS
	$$ SELECT all_visible FROM pg_visibility_map('vm', block) $$;
CREATE FUNCTION frozen(block int) RETURNS bool LANGUAGE sql AS
	$$ SELECT all_frozen FROM pg_visibility_map('vm', block) $$;
SELECT rel_key('vm') AS rel, pg_relation_size('vm') / 8192 - 1 AS last \gset

SELECT pg_current_wal_insert_lsn() AS a, block_of(ctid) AS block,
	sure(visible(block_of(ctid)), 'delete')
	FROM vm WHERE id = 200 \gset
DELETE FROM vm WHERE id = 200;
SELECT :'a', pg_current_wal_insert_lsn(), :'rel', 'vm', :block / 32672, 'delete'
	FROM sure(NOT visible(:block), 'deleted') \g | cat >>"$FACTS"

SELECT pg_current_wal_insert_lsn() AS a, block_of(ctid) AS block,
	sure(visible(block_of(ctid)), 'hot update')
	FROM vm WHERE id = 600 \gset
UPDATE vm SET id = 600 WHERE id = 600;
SELECT :'a', pg_current_wal_insert_lsn(), :'rel', 'vm', :block / 32672, 'HOT update'
	FROM sure(NOT visible(:block), 'hot updated') \g | cat >>"$FACTS"

SELECT pg_current_wal_insert_lsn() AS a, block_of(ctid) AS block,
	sure(visible(block_of(ctid)), 'update')
	FROM vm WHERE id = 1000 \gset
UPDATE vm SET v = 1 WHERE id = 1000;
SELECT :'a', pg_current_wal_insert_lsn(), :'rel', 'vm', :block / 32672, 'update'
	FROM sure(NOT visible(:block), 'updated') \g | cat >>"$FACTS"

SELECT pg_current_wal_insert_lsn() AS a, block_of(ctid) AS block,
	sure(frozen(block_of(ctid)), 'lock')
	FROM vm WHERE id = 1400 \gset
SELECT id FROM vm WHERE id = 1400 FOR UPDATE;
SELECT :'a', pg_current_wal_insert_lsn(), :'rel', 'vm', :block / 32672, 'lock'
	FROM sure(NOT frozen(:block), 'locked') \g | cat >>"$FACTS"

SELECT pg_current_wal_insert_lsn() AS a, sure(visible(:last), 'insert') \gset
INSERT INTO vm VALUES (1, 0) RETURNING sure(block_of(ctid) = :last, 'insert into the last block');
SELECT :'a', pg_current_wal_insert_lsn(), :'rel', 'vm', :last / 32672, 'insert'
	FROM sure(NOT visible(:last), 'inserted') \g | cat >>"$FACTS"

VACUUM vm;
SELECT pg_current_wal_insert_lsn() AS a, sure(visible(:last), 'multi-insert') \gset
COPY vm FROM PROGRAM 'seq -f "%g,1" 1 5' WITH (DELIMITER ',');
SELECT :'a', pg_current_wal_insert_lsn(), :'rel', 'vm', :last / 32672, 'multi-insert'
	FROM sure(NOT visible(:last), 'multi-inserted') \g | cat >>"$FACTS"

-- pruning by a vacuum records the free space
DELETE FROM vm WHERE id BETWEEN 300 AND 310;
SELECT pg_current_wal_insert_lsn() AS a \gset
VACUUM vm;
SELECT :'a', pg_current_wal_insert_lsn(), :'rel', 'fsm', fsm_leaf(0), 'vacuum' \g | cat >>"$FACTS"
