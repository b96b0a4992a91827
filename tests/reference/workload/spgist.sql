-- SP-GiST: quad tree and radix tree; leaves moved, tuples split, redirects.
CREATE TABLE sp (p point, t text);
CREATE INDEX sp_p ON sp USING spgist (p);
CREATE INDEX sp_t ON sp USING spgist (t);
INSERT INTO sp SELECT point(hashint4(i) % 5000, i % 500), 'common/prefix/' || md5(i::text)
	FROM generate_series(1, :n / 4) i;
CHECKPOINT;
INSERT INTO sp SELECT point(i % 40, i), 'common/other/' || i FROM generate_series(1, :n / 4) i;
INSERT INTO sp SELECT point(-i, -i), repeat(chr(65 + i % 26), 20) || i
	FROM generate_series(1, :n / 8) i;
DELETE FROM sp WHERE p[0] > 20;
VACUUM sp;
INSERT INTO sp SELECT point(i % 77, i % 99), 'comm' || md5(i::text)
	FROM generate_series(1, :n / 4) i;
DELETE FROM sp WHERE t < 'common';
CALL burn_xids(3);
VACUUM sp;

CREATE TABLE sp_root (p point);
CREATE INDEX sp_root_p ON sp_root USING spgist (p);
INSERT INTO sp_root SELECT point(i, i) FROM generate_series(1, 40) i;
DELETE FROM sp_root WHERE p[0] < 20;
VACUUM sp_root;
