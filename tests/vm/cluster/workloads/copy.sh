# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by tests/vm/cluster/make: rows are only added, half of them by COPY
# and half one transaction each, to empty tables without and with an index.

load()
{
	pg_sql "create table plain (id int, filler text)"
	pg_sql "create table keyed (id int primary key, filler text)"
}

# What is not flushed would be lost
work()
{
	as_postgres "$PGBIN/psql" -h /tmp -XAtq -v ON_ERROR_STOP=1 postgres <<-END
		set synchronous_commit = on;
		copy (select i, repeat('x', 100) from generate_series(1, $TRANSACTIONS) i) to '/tmp/rows';
		copy plain from '/tmp/rows';
		copy keyed from '/tmp/rows';
		select format('insert into keyed values (%s, repeat(''y'', 100))', $TRANSACTIONS + i)
		from generate_series(1, $TRANSACTIONS / 10) i \gexec
	END
}
