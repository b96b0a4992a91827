-- What logical decoding needs in WAL: messages of all sizes, origins,
-- command ids, catalog rewrites, truncation; only with wal_level = logical.
SELECT pg_logical_emit_message(true, 'walpf', 'small and transactional');
SELECT pg_logical_emit_message(false, 'walpf', repeat('0123456789', 1000));
SELECT pg_logical_emit_message(false, 'walpf', repeat('0123456789', 250000));
\if :logical
SELECT pg_create_logical_replication_slot('walpf', 'pgoutput');
CREATE TABLE lo (id int PRIMARY KEY, t text);
ALTER TABLE lo REPLICA IDENTITY FULL;
INSERT INTO lo SELECT i, md5(i::text) FROM generate_series(1, LEAST(500, :n)) i;
UPDATE lo SET t = t || 'x', id = id + 1000 WHERE id % 2 = 0;
DELETE FROM lo WHERE id % 3 = 0;
BEGIN;
INSERT INTO lo VALUES (-1, 'top');
SAVEPOINT a;
INSERT INTO lo VALUES (-2, 'sub');
SAVEPOINT b;
ALTER TABLE lo ADD c int DEFAULT 3;
INSERT INTO lo VALUES (-3, 'subsub', 4);
COMMIT;
CREATE TABLE lo_catalog (id int, t text) WITH (user_catalog_table = true);
INSERT INTO lo_catalog SELECT i, md5(i::text) FROM generate_series(1, LEAST(500, :n)) i;
BEGIN;
UPDATE lo_catalog SET t = 'new' WHERE id % 2 = 0;
UPDATE lo_catalog SET t = 'newer' WHERE id % 4 = 0;
COMMIT;
VACUUM FULL lo_catalog;
TRUNCATE lo;
SELECT pg_drop_replication_slot('walpf');
SELECT pg_replication_origin_create('walpf');
SELECT pg_replication_origin_session_setup('walpf');
BEGIN;
SELECT pg_replication_origin_xact_setup('0/ABCDEF', now());
INSERT INTO lo VALUES (1, 'from elsewhere');
COMMIT;
SELECT pg_replication_origin_session_reset();
SELECT pg_replication_origin_advance('walpf', '0/ABCDFF');
SELECT pg_replication_origin_drop('walpf');
\endif
