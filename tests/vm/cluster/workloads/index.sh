# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by tests/vm/cluster/make: two indexes are built over pgbench's large
# table. Every page of them is logged as an image.

load()
{
	pgbench -i -q -s "$SCALE"
}

# What is not flushed would be lost
work()
{
	as_postgres "$PGBIN/psql" -h /tmp -XAtq -v ON_ERROR_STOP=1 postgres <<-END
		set synchronous_commit = on;
		create index on pgbench_accounts (abalance, aid);
		create index on pgbench_accounts (hashint4(aid));
	END
}
