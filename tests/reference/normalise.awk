# SPDX-License-Identifier: GPL-2.0-only
#
# pg_waldump --bkp-details of any version, as tab-separated lines that compare:
#	dir/records	LSN, length, resource manager, previous LSN
#	dir/refs	LSN, relation, fork, block, flags
#	dir/init	LSN of each heap record that is said to begin a new page
#	dir/opcodes	resource manager, kind of record, how many
# LSNs get both halves padded with zeros: then they sort as text.

function pad(lsn,    half)
{
	split(lsn, half, "/")
	return substr("0000000" half[1], length(half[1])) "/" \
		substr("0000000" half[2], length(half[2]))
}

# rmgr: Heap  len (rec/tot): 54/ 150, tx: 7, lsn: 0/1A, prev 0/17, desc: INSERT off 1
/^rmgr: / {
	total = $0
	sub(/^[^\/]*\/[^\/]*\/ */, "", total)
	match(total, /, lsn: [0-9A-F\/]+, prev [0-9A-F\/]+, desc: /)
	place = substr(total, RSTART, RLENGTH)
	kind = substr(total, RSTART + RLENGTH, 60)
	total = substr(total, 1, index(total, ",") - 1)
	split(place, word, /[ ,]+/)
	lsn = pad(word[3])
	sub(/[^A-Z_0-9+].*/, "", kind)
	print lsn "\t" total "\t" $2 "\t" pad(word[5]) >(dir "/records")
	if (kind ~ /\+INIT/ && $2 ~ /^Heap/)
		print lsn >(dir "/init")
	opcodes[$2 "\t" kind]++
	next
}

# blkref #0: rel 1663/5/16384 fork main blk 7 (FPW); hole: offset: 44, length: 8000
$1 == "blkref" {
	flags = "-"
	if (index($0, "(FPW"))
		flags = index($0, "(FPW for WAL verification") ? "image" : "image,apply"
	print lsn "\t" $4 "\t" $6 "\t" $8 + 0 "\t" flags >(dir "/refs")
	next
}

# Nothing may be overlooked: a line of another kind ends the comparison
NF {
	print "normalise.awk: line " NR " is not understood: " substr($0, 1, 200) >"/dev/stderr"
	exit 1
}

END {
	for (kind in opcodes)
		print kind "\t" opcodes[kind] >(dir "/opcodes")
}
