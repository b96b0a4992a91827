# SPDX-License-Identifier: GPL-2.0-only
#
# gnuplot -e "steady='LOG'; phases='LOG'; out='FILE.png'" plot.gp: what the
# controller did, from two logs of the simulator.
set terminal pngcairo size 900,640 font "sans,10"
set output out
set multiplot layout 2,1
set key outside right top
set xlabel "seconds"
set grid ytics

set title "a distant volume (8 ms), memory for a third of the database"
set ylabel "blocks"
set logscale y
plot steady using ($1 / 1000):4 skip 1 with steps lw 2 title "budget", \
     steady using ($1 / 1000):5 skip 1 with steps lw 2 title "inflight", \
     steady using ($1 / 1000):9 skip 1 with points pt 7 ps 0.3 title "fetched in 0.1 s", \
     steady using ($1 / 1000):($12 + $13 > 0 ? $12 + $13 : NaN) skip 1 with points pt 7 ps 0.3 \
	title "evicted, missed"

set title "inserts and updates in turn"
unset logscale y
set ylabel "blocks in 0.1 s"
set style fill solid 0.2 noborder
plot phases using ($1 / 1000):(strcol(7) eq "none" ? 0 : 400) skip 1 with boxes lc "gray" \
	title "off", \
     phases using ($1 / 1000):9 skip 1 with steps lw 2 title "fetched", \
     phases using ($1 / 1000):13 skip 1 with steps lw 2 title "missed"
