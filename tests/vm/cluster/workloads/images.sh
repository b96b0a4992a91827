# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by tests/vm/cluster/make: WAL from which redo reads no block. Right
# after the checkpoint every block of a table is changed, so that its image is
# logged (with full_page_writes on), and rows are only added to an empty table,
# by COPY and one by one.

ROWS=3000

define()
{
	pg_sql "create table $1 (id int primary key, filler text) with (fillfactor = 70)"
	pg_sql "alter table $1 alter filler set storage plain"
}

load()
{
	define old
	define new
	pg_sql "insert into old select i, repeat('x', 1800) from generate_series(1, $ROWS) i"
	pg_sql "vacuum old"
}

# What is not flushed would be lost
work()
{
	as_postgres "$PGBIN/psql" -h /tmp -XAtq -v ON_ERROR_STOP=1 postgres <<-END
		set synchronous_commit = on;
		update old set filler = filler where id % 3 = 0;
		copy old to '/tmp/rows';
		copy new from '/tmp/rows';
		insert into new select id + $ROWS, filler from old limit $TRANSACTIONS;
	END
}
