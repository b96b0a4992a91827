# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by tests/vm/cluster/make: updates in no order of a table of more than 1 GB,
# three of four in its second file, with WAL in segments of 1 GB.

# A row in each block
ROWS=150000

# Blocks of a file
FILE_BLOCKS=131072

# Two segments are the least
SETTINGS+="min_wal_size = 2GB"

# initdb, as tests/vm/cluster/make calls it, made the usual segments
use_large_segments()
{
	pg_stop fast
	as_postgres "$PGBIN/pg_resetwal" --wal-segsize=1024 /data/pg >/dev/null
	pg_start /data/pg -c fsync=off -c shared_buffers=2GB
	pg_wait_ready 60
}

load()
{
	use_large_segments
	as_postgres "$PGBIN/psql" -h /tmp -XAtq -v ON_ERROR_STOP=1 postgres <<-END
		create table large (id int primary key, filler text) with (fillfactor = 10);
		insert into large select i, repeat('x', 500) from generate_series(1, $ROWS) i;
	END
}

# What is not flushed would be lost
work()
{
	as_postgres "$PGBIN/psql" -h /tmp -XAtq -v ON_ERROR_STOP=1 postgres <<-END
		set synchronous_commit = on;
		do \$\$ declare n int; begin
			for n in select i from generate_series(1, $ROWS) i
					where i > $FILE_BLOCKS or i % 20 = 0
					order by hashint4(i) limit $TRANSACTIONS loop
				update large set filler = filler where id = n;
			end loop;
		end \$\$;
	END
}
