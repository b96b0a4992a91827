# SPDX-License-Identifier: GPL-2.0-only
#
# The output of walpf-ctl decode, in the form that normalise.awk makes. With
# "refs" set, that of decode --refs; then what pg_waldump does not print goes
# to files of its own:
#	dir/implied	implied references, as they are
#	dir/init	LSN of each record with a reference to a new page

function pad(lsn,    half)
{
	split(lsn, half, "/")
	return substr("0000000" half[1], length(half[1])) "/" \
		substr("0000000" half[2], length(half[2]))
}

BEGIN {
	FS = OFS = "\t"
}

!refs {
	print pad($1), $2, $3, pad($5)
	next
}

$5 ~ /implied/ {
	print pad($1), $2, $3, $4 >(dir "/implied")
	next
}

{
	if (sub(/,?init/, "", $5))
		print pad($1) >(dir "/init")
	sub(/^,/, "", $5)
	print pad($1), $2, $3, $4, ($5 == "" ? "-" : $5)
}
