# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by tests/vm/cluster/make: pgbench's simple updates, and beside them
# updates of many small relations, as of partitions or tenants, two rows of each
# in no order: for every few blocks redo comes to a file it has not yet seen.

RELATIONS=$TRANSACTIONS
ROWS=9

# Wide rows, two to a block, each of which can be updated once within it, so that
# no block gets full: then redo would note that in the free space map too.
load()
{
	pgbench -i -q -s "$SCALE"
	as_postgres "$PGBIN/psql" -h /tmp -XAtq -v ON_ERROR_STOP=1 postgres <<-END
		select format('create table part_%s (id int primary key, key text, filler text)
			with (fillfactor = 50)', i)
		from generate_series(1, $RELATIONS) i \gexec
		select format('alter table part_%s alter filler set storage plain', i)
		from generate_series(1, $RELATIONS) i \gexec
		select format('insert into part_%s select j, md5(j::text), repeat(%L, 1700)
			from generate_series(1, $ROWS) j', i, 'x')
		from generate_series(1, $RELATIONS) i \gexec
		vacuum
	END
}

# What is not flushed would be lost
work_on_parts()
{
	as_postgres "$PGBIN/psql" -h /tmp -XAtq -v ON_ERROR_STOP=1 postgres <<-END
		set synchronous_commit = on;
		select format('update part_%s set id = -id where id in (1, $ROWS)', i)
		from generate_series(1, $RELATIONS) i order by hashint4(i) \gexec
	END
}

work()
{
	work_on_parts &
	pgbench -n -N -M prepared -c 4 -j 2 -t $((TRANSACTIONS / 4))
	wait $!
}
