# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by tests/vm/cluster/make: rows here and there are deleted from
# pgbench's large table, which is then vacuumed with its index: redo visits
# block after block of both.

load()
{
	pgbench -i -q -s "$SCALE"
	pg_sql "delete from pgbench_accounts where hashint4(aid) % 5 = 0"
}

# What is not flushed would be lost
work()
{
	as_postgres "$PGBIN/psql" -h /tmp -XAtq -v ON_ERROR_STOP=1 postgres <<-END
		set synchronous_commit = on;
		vacuum pgbench_accounts;
	END
}
