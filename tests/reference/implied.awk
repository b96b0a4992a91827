# SPDX-License-Identifier: GPL-2.0-only
#
# Runs before normalise.awk on the same input. From what pg_waldump says of a
# heap record's flags, the blocks that redo reads without a reference:
#	dir/want_implied	LSN, relation, fork, block
#	dir/maybe_implied	the same, when waldump does not say enough

function imply(i, fork,    leaf, block, list)
{
	if (fork == "vm") {
		block = int(block_of[i] / 32672)
	} else {
		leaf = int(block_of[i] / 4069)
		block = leaf + int(leaf / 4069) + int(leaf / 4069 / 4069) + 2
	}
	list = dir (unknown ? "/maybe_implied" : "/want_implied")
	if (!((rel_of[i], fork, block) in named))
		print record_lsn "\t" rel_of[i] "\t" fork "\t" block >list
}

# The new version of a row is in block 0, the old one in block 1 if it differs
function settle()
{
	if (old_visible)
		imply(has_old ? 1 : 0, "vm")
	if (new_visible)
		imply(0, "vm")
	if (free_space)
		imply(heap_ref, "fsm")
	old_visible = new_visible = free_space = unknown = has_old = heap_ref = 0
	split("", named)
}

function is_set(bits)
{
	return index(bits, last_digit) > 0
}

/^rmgr: / {
	settle()
	pending = 0
}

/^rmgr: Heap2? / && match($0, /, desc: [A-Z0-9_]+/) {
	kind = substr($0, RSTART + 8, RLENGTH - 8)
	last_digit = match($0, /flags:? 0x[0-9A-F]+/) ? substr($0, RSTART + RLENGTH - 1, 1) : "0"
	if (kind ~ /UPDATE$/) {
		old_visible = is_set("13579BDF")
		new_visible = is_set("2367ABEF")
	} else if (kind ~ /^(INSERT|MULTI_INSERT|DELETE|LOCK|LOCK_UPDATED)$/) {
		new_visible = is_set("13579BDF")
	} else if (kind == "VISIBLE") {
		free_space = !is_set("048C")
		heap_ref = 1
	} else if (kind ~ /^(CLEAN|PRUNE|VACUUM)$/) {
		free_space = 1
	} else if (kind ~ /^PRUNE_/) {
		# an image took the place of the data that says what was pruned
		unknown = !/nplans: /
		free_space = unknown || /(nredirected|ndead|nunused): [1-9]/
	}
	pending = old_visible || new_visible || free_space
	match($0, /, lsn: [0-9A-F\/]+/)
	record_lsn = pad(substr($0, RSTART + 7, RLENGTH - 7))
}

pending && $1 == "blkref" {
	i = substr($2, 2) + 0
	rel_of[i] = $4
	block_of[i] = $8 + 0
	named[$4, $6, $8 + 0]
	if (i == 1 && $6 == "main")
		has_old = 1
}

END {
	settle()
}
