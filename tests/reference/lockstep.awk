# SPDX-License-Identifier: GPL-2.0-only
#
# Compare two files of lines that begin with ascending LSNs, "want" and "got",
# part by part of a workload ("marks": the LSN where a part begins, its name).
# For each part one line, tab-separated: name, lines wanted, lines got, how
# many differ, the first line that was wanted and not got, what came instead.

function pad(lsn,    half)
{
	split(lsn, half, "/")
	return substr("0000000" half[1], length(half[1])) "/" \
		substr("0000000" half[2], length(half[2]))
}

function next_want()
{
	want_lsn = (getline want_line <want) > 0 ? substr(want_line, 1, 17) : "~"
}

function next_got()
{
	got_lsn = (getline got_line <got) > 0 ? substr(got_line, 1, 17) : "~"
}

function note(want_text, got_text)
{
	if (bad++)
		return
	gsub(/\t/, " ", want_text)
	gsub(/\t/, " ", got_text)
	first = want_text "\t" got_text
}

# Lines of the same LSN stand in the same order on both sides
function compare(limit)
{
	while (want_lsn < limit || got_lsn < limit) {
		if (want_lsn == got_lsn) {
			if (want_line != got_line)
				note(want_line, got_line)
			wanted++
			gotten++
			next_want()
			next_got()
		} else if (want_lsn < got_lsn) {
			note(want_line, "nothing")
			wanted++
			next_want()
		} else {
			note("nothing", got_line)
			gotten++
			next_got()
		}
	}
}

BEGIN {
	OFS = "\t"
	name[parts = 1] = "initdb"
	while ((getline line <marks) > 0) {
		split(line, word, " ")
		start[++parts] = pad(word[1])
		name[parts] = word[2]
	}
	start[parts + 1] = "~"
	next_want()
	next_got()
	for (i = 1; i <= parts; i++) {
		wanted = gotten = bad = 0
		first = "-\t-"
		compare(start[i + 1])
		if (wanted || gotten)
			print name[i], wanted, gotten, bad, first
	}
}
