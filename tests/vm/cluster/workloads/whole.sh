# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by tests/vm/cluster/make: every row of pgbench's large table is
# updated right after a checkpoint, as often as TRANSACTIONS says: the first
# time all blocks are logged as images, afterwards none.

load()
{
	pgbench -i -q -s "$SCALE" -F 45
}

# What is not flushed would be lost
work()
{
	local round

	for ((round = 0; round < TRANSACTIONS; round++)); do
		pg_sql "set synchronous_commit = on; update pgbench_accounts set abalance = abalance + 1"
	done
}
