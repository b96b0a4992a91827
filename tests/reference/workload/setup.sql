-- What the other workloads use.
CREATE EXTENSION pg_visibility;

-- transactions that do nothing but use up a number each
CREATE PROCEDURE burn_xids(n int) LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1..n LOOP
		PERFORM txid_current();
		COMMIT;
	END LOOP;
END $$;

-- a relation as walpf-ctl names it
CREATE FUNCTION rel_key(rel regclass) RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws('/', 1663, oid, pg_relation_filenode(rel))
	FROM pg_database WHERE datname = current_database()
$$;

-- the leaf of the free space map that tells of a block
CREATE FUNCTION fsm_leaf(block int) RETURNS int LANGUAGE sql AS $$
	SELECT leaf + leaf / 4069 + leaf / 4069 / 4069 + 2 FROM (SELECT block / 4069 AS leaf) l
$$;

CREATE FUNCTION block_of(place tid) RETURNS int LANGUAGE sql AS $$
	SELECT (place::text::point)[0]::int
$$;

-- fails when what a fact rests on did not happen
CREATE FUNCTION sure(fact bool, what text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	IF fact IS NOT TRUE THEN
		RAISE 'not as planned: %', what;
	END IF;
END $$;
