# SPDX-License-Identifier: GPL-2.0-only
#
# For tests/vm/demo/report: WAL replayed over time, on the left until the slowest
# variant was done, on the right the beginning.
# Variables: type (png or svg), dir (with VARIANT/timeline), out, fs.

if (type eq 'png') {
	set terminal pngcairo size 960,420 font 'Sans,10'
} else {
	set terminal svg size 960,420 font 'Sans,12' background 'white'
}
set output out

array names[5] = ['off', 'pg\_default', 'pg\_tuned', 'walpf', 'cached']
array folders[5] = ['off', 'pg_default', 'pg_tuned', 'walpf', 'cached']
array colours[5] = ['#999999', '#e69f00', '#56b4e9', '#d55e00', '#000000']
array dashes[5] = [1, 1, 1, 1, 2]
array widths[5] = [2, 2, 2, 3.5, 1.5]
timeline(i) = dir . folders[i] . '/timeline'

stats timeline(1) using 1:2 name 'off' nooutput
stats timeline(2) using 1 name 'prefetch' nooutput

set border 3
set tics nomirror out
set grid lc rgb '#dddddd'
set xlabel 'seconds of redo'
set ylabel 'MB of WAL replayed'
set yrange [0:off_max_y * 1.03]
set multiplot layout 1,2 title 'Recovery of PostgreSQL 15 from a slow disk, ' . fs
set key bottom right
set xrange [0:off_max_x * 1.02]
plot for [i=1:5] timeline(i) using 1:2 with lines \
	lc rgb colours[i] lw widths[i] dt dashes[i] title names[i]
unset key
unset ylabel
set xlabel 'seconds of redo: the beginning'
set xrange [0:prefetch_max * 1.02]
plot for [i=1:5] timeline(i) using 1:2 with lines \
	lc rgb colours[i] lw widths[i] dt dashes[i] notitle
unset multiplot
