-- Files that come and go: truncate, drop, rewrite, unlogged and logged,
-- sequences, tablespaces, databases, the relation map, generic records.
CREATE TABLE st (id serial PRIMARY KEY, t text);
INSERT INTO st (t) SELECT md5(i::text) FROM generate_series(1, :n / 4) i;
CREATE SEQUENCE st_seq CACHE 10;
SELECT count(nextval('st_seq')) FROM generate_series(1, 500);
SELECT setval('st_seq', 10);
ALTER SEQUENCE st_seq INCREMENT 5;
TRUNCATE st;
INSERT INTO st (t) SELECT md5(i::text) FROM generate_series(1, :n / 4) i;
DELETE FROM st WHERE id > :n / 4 + 100;
VACUUM st;
VACUUM FULL st;
CLUSTER st USING st_pkey;

CREATE UNLOGGED TABLE st_un (id int PRIMARY KEY, t text);
INSERT INTO st_un SELECT i, md5(i::text) FROM generate_series(1, :n / 8) i;
CHECKPOINT;
ALTER TABLE st_un SET LOGGED;
INSERT INTO st_un SELECT -i, 'logged' FROM generate_series(1, 100) i;
ALTER TABLE st_un SET UNLOGGED;

\! mkdir -p /tmp/spc
CREATE TABLESPACE st_spc LOCATION '/tmp/spc';
CREATE TABLE st_there (i int) TABLESPACE st_spc;
INSERT INTO st_there SELECT generate_series(1, 1000);
ALTER TABLE st SET TABLESPACE st_spc;
INSERT INTO st (t) SELECT 'there' FROM generate_series(1, 200);
SELECT count(*) > 0 AS inplace FROM pg_settings WHERE name = 'allow_in_place_tablespaces' \gset
\if :inplace
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE st_inside LOCATION '';
CREATE TABLE st_in (i int PRIMARY KEY) TABLESPACE st_inside;
INSERT INTO st_in SELECT generate_series(1, 1000);
DROP TABLE st_in;
DROP TABLESPACE st_inside;
\endif

\if :v15
CREATE DATABASE st_db_log STRATEGY wal_log;
CREATE DATABASE st_db_copy STRATEGY file_copy;
DROP DATABASE st_db_log;
\else
CREATE DATABASE st_db_copy;
\endif
ALTER DATABASE st_db_copy SET TABLESPACE st_spc;
DROP DATABASE st_db_copy;
DROP TABLE st_there;
ALTER TABLE st SET TABLESPACE pg_default;
DROP TABLESPACE st_spc;

VACUUM FULL pg_class;
REINDEX TABLE pg_type;
\if :replica
SELECT pg_create_restore_point('half way');
\if :v15
SELECT pg_backup_start('walpf', true);
SELECT pg_backup_stop(false);
\else
SELECT pg_start_backup('walpf', true, false);
SELECT pg_stop_backup(false, false);
\endif
\endif

-- an access method of an extension, whose records are generic ones
CREATE EXTENSION IF NOT EXISTS bloom;
CREATE TABLE st_bloom (i int, j int);
CREATE INDEX st_bloom_i ON st_bloom USING bloom (i, j);
INSERT INTO st_bloom SELECT i, i % 10 FROM generate_series(1, :n / 4) i;
DELETE FROM st_bloom WHERE i % 2 = 0;
VACUUM st_bloom;
DROP TABLE st_bloom, st_un;
SELECT pg_switch_wal();
