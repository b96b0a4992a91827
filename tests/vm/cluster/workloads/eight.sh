# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by tests/vm/cluster/make: single rows of a table with eight indexes
# are inserted, each index in an order of its own.

ROWS=$((SCALE * 100000))

load()
{
	local salt

	pg_sql "create table wide (id int, filler text)"
	pg_sql "insert into wide select i, repeat('x', 60) from generate_series(1, $ROWS) i"
	for salt in 1 2 3 4 5 6 7 8; do
		pg_sql "create index on wide (hashint8(id * 8::bigint + $salt))"
	done
	pg_sql "vacuum wide"
}

# What is not flushed would be lost
work()
{
	as_postgres "$PGBIN/psql" -h /tmp -XAtq -v ON_ERROR_STOP=1 postgres <<-END
		set synchronous_commit = on;
		select format('insert into wide values (%s, repeat(''y'', 60))', $ROWS + i)
		from generate_series(1, $TRANSACTIONS) i \gexec
	END
}
