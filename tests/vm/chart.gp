# SPDX-License-Identifier: GPL-2.0-only
#
# WAL replayed over time, on the left until the slowest variant was done, on the
# right the beginning, until all but the slowest were.
# Variables: type (png or svg), dir (with VARIANT/timeline), names (the variants),
# out, heading.

if (type eq 'png') {
	set terminal pngcairo size 960,420 font 'Sans,10'
} else {
	set terminal svg size 960,420 font 'Sans,12' background 'white'
}
set output out

timeline(i) = dir . word(names, i) . '/timeline'
is(i, name) = word(names, i) eq name
colour(i) = is(i, 'off') ? 0x999999 : is(i, 'pg_default') ? 0xe69f00 : \
	is(i, 'pg_tuned') ? 0x56b4e9 : is(i, 'walpf') ? 0xd55e00 : 0x000000
width(i) = is(i, 'walpf') ? 3.5 : is(i, 'cached') ? 1.5 : 2
dash(i) = is(i, 'cached') ? 2 : 1
label(i) = is(i, 'pg_default') ? 'pg\_default' : is(i, 'pg_tuned') ? 'pg\_tuned' : word(names, i)

longest = 0
second = 0
most = 0
do for [i=1:words(names)] {
	stats timeline(i) using 1:2 name 'line' nooutput
	second = line_max_x > longest ? longest : line_max_x > second ? line_max_x : second
	longest = line_max_x > longest ? line_max_x : longest
	most = line_max_y > most ? line_max_y : most
}

set border 3
set tics nomirror out
set grid lc rgb '#dddddd'
set xlabel 'seconds of redo'
set ylabel 'MB of WAL replayed'
set yrange [0:most * 1.03]
set multiplot layout 1,2 title heading
set key bottom right
set xrange [0:longest * 1.02]
plot for [i=1:words(names)] timeline(i) using 1:2 with lines \
	lc rgb colour(i) lw width(i) dt dash(i) title label(i)
unset key
unset ylabel
set xlabel 'seconds of redo: the beginning'
set xrange [0:second * 1.02]
plot for [i=1:words(names)] timeline(i) using 1:2 with lines \
	lc rgb colour(i) lw width(i) dt dash(i) notitle
unset multiplot
