-- BRIN: summaries made, widened in place, moved; a second revmap page.
CREATE TABLE br (k int, t text) WITH (fillfactor = 10);
ALTER TABLE br ALTER t SET STORAGE plain;
CREATE INDEX br_k ON br USING brin (k) WITH (pages_per_range = 1);
CREATE INDEX br_t ON br USING brin (t) WITH (pages_per_range = 2);
INSERT INTO br SELECT i, rpad(i::text, 420, '.') FROM generate_series(1, LEAST(1500, :n)) i;
SELECT brin_summarize_new_values('br_k'), brin_summarize_new_values('br_t');
CHECKPOINT;
UPDATE br SET k = k + 1000000 WHERE k % 10 = 0;
UPDATE br SET t = rpad(t, 500, '~') WHERE k % 7 = 0;
INSERT INTO br SELECT i, i::text FROM generate_series(1, :n / 10) i;
SELECT brin_desummarize_range('br_k', 5), brin_summarize_range('br_k', 5);
VACUUM br;
