# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by tests/vm/cluster/make: pgbench's simple updates, which touch one
# random block of the large table each and append to the history.

load()
{
	pgbench -i -q -s "$SCALE"
}

work()
{
	pgbench -n -N -M prepared -c 4 -j 2 -t $((TRANSACTIONS / 4))
}
