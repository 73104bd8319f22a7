# load.gnuplot - throughput and latency against connections, of load.dat.
set terminal svg size 900,640 font "sans,12" background "white"
set output picture
set datafile separator whitespace
set multiplot layout 2,1
set logscale x 2
set xtics (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
set xlabel "connections"
set grid
set key left top
set ylabel "requests a second"
set yrange [0:*]
plot data index 0 using 1:2 with linespoints lw 2 title "GET of a view", \
     data index 1 using 1:2 with linespoints lw 2 title "a chip move"
set logscale y
set yrange [*:*]
set ylabel "milliseconds"
plot data index 0 using 1:3 with linespoints lw 2 title "GET, median", \
     data index 0 using 1:4 with linespoints lw 2 dt 2 title "GET, p99", \
     data index 1 using 1:3 with linespoints lw 2 title "move, median", \
     data index 1 using 1:4 with linespoints lw 2 dt 2 title "move, p99"
