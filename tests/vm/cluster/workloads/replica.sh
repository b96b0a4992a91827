# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by tests/vm/cluster/make: a copy of a cluster from before three rounds
# of pgbench's simple updates, each of which begins with a checkpoint, so with
# images. The copy has all the WAL, and recovers from it as from an archive that
# is empty; /data/primary is the cluster without its WAL.

ROUNDS=3

start_again()
{
	pg_stop fast
	"$@"
	pg_start /data/pg -c fsync=off -c synchronous_commit=off -c wal_keep_size=64GB \
		-c shared_buffers="$((SCALE * 20 + 128))MB" -c bgwriter_lru_maxpages=0
	pg_wait_ready 60
}

load()
{
	echo "restore_command = false" >>/data/pg/postgresql.conf
	pgbench -i -q -s "$SCALE"
	start_again cp -a /data/pg /data/copy
}

work()
{
	local round

	for ((round = 0; round < ROUNDS; round++)); do
		pg_sql checkpoint
		pgbench -n -N -M prepared -c 4 -j 2 -t $((TRANSACTIONS / ROUNDS / 4))
	done
	pg_stop fast
	mv /data/pg /data/primary
	mv /data/copy /data/pg
	mv /data/primary/pg_wal/0* /data/pg/pg_wal/
	touch /data/pg/recovery.signal
}
