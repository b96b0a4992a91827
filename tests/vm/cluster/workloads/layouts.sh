# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by tests/vm/cluster/make: updates of single rows here and there in two
# tables and their indexes, one of them in a tablespace of its own, /data/spc.
# The rows are wide, three to a block: many blocks with little to compute.

ROWS=6000

# fill TABLE SPACE: every row can be updated once within its block
fill()
{
	as_postgres "$PGBIN/psql" -h /tmp -XAtq -v ON_ERROR_STOP=1 postgres <<-END
		set default_tablespace = '$2';
		create table $1 (id int primary key, key text, filler text) with (fillfactor = 70);
		alter table $1 alter key set storage plain, alter filler set storage plain;
		insert into $1 select i, repeat(md5(i::text), 12), repeat('x', 1400)
			from generate_series(1, $ROWS) i;
		create index on $1 (key);
		vacuum $1;
	END
}

load()
{
	install -d -o postgres -m 700 /data/spc
	pg_sql "create tablespace spc location '/data/spc'"
	fill inside pg_default
	fill outside spc
}

# The same rows whenever it is made, in no order, one transaction each; half of
# the updates change the index too. What is not flushed would be lost.
work()
{
	as_postgres "$PGBIN/psql" -h /tmp -XAtq -v ON_ERROR_STOP=1 postgres <<-END
		set synchronous_commit = on;
		select format('update %I set key = %s where id = %s',
			case i % 2 when 0 then 'inside' else 'outside' end,
			case when i % 4 < 2 then 'key' else 'reverse(key)' end,
			abs(hashint4(i) % $ROWS) + 1)
		from generate_series(1, $TRANSACTIONS) i \gexec
	END
}
