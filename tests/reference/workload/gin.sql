-- GIN: pending list, entry tree, posting trees that grow, shrink, lose pages.
CREATE TABLE gi (a int[]);
CREATE INDEX gi_a ON gi USING gin (a) WITH (fastupdate = on, gin_pending_list_limit = 64);
INSERT INTO gi SELECT ARRAY[i % 7, i % 100, i] FROM generate_series(1, :n / 4) i;
CHECKPOINT;
INSERT INTO gi SELECT ARRAY[i % 7, i % 100, i] FROM generate_series(1, :n / 4) i;
SELECT gin_clean_pending_list('gi_a');

CREATE TABLE gi_now (a int[]);
CREATE INDEX gi_now_a ON gi_now USING gin (a) WITH (fastupdate = off);
INSERT INTO gi_now SELECT ARRAY[1, i % 1000] FROM generate_series(1, :n) i;
DELETE FROM gi WHERE a[2] % 2 = 0;
VACUUM gi;
DELETE FROM gi_now WHERE a[2] % 3 = 0;
VACUUM gi_now;

-- one key in all rows: a posting tree whose middle leaves become empty
CREATE TABLE gi_tree (id int, a int[]);
INSERT INTO gi_tree SELECT i, ARRAY[1] FROM generate_series(1, :n * 7) i;
CREATE INDEX gi_tree_a ON gi_tree USING gin (a);
DELETE FROM gi_tree WHERE id BETWEEN :n / 4 AND :n * 27 / 4;
VACUUM gi_tree;
CALL burn_xids(3);
INSERT INTO gi_tree SELECT i, ARRAY[1, i % 10] FROM generate_series(1, :n / 4) i;
VACUUM gi_tree;
