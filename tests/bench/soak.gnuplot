# soak.gnuplot - what soak.py has sampled, of samples.tsv, over minutes.
set terminal png small size 900,960
set output picture
set datafile separator tab
set key autotitle columnhead
set multiplot layout 4,2
set grid
set xlabel "minutes"
set key above
set yrange [0:*]
set ylabel "MiB"
plot data using ($1/60):(column("rss_kib")/1024) with lines lw 2 title "memory of the daemon"
set ylabel "descriptors"
plot data using ($1/60):(column("files")) with lines lw 2 title "of the daemon", \
     data using ($1/60):(column("own_files")) with lines lw 2 title "without clients"
set ylabel "a second"
plot data using ($1/60):(column("requests_s")) with lines title "requests", \
     data using ($1/60):(column("moves_s")) with lines title "moves"
set ylabel "processors"
plot data using ($1/60):(column("database_cpu")) with lines title "database", \
     data using ($1/60):(column("service_cpu")) with lines title "service", \
     data using ($1/60):(column("client_cpu")) with lines title "clients"
set logscale y
set yrange [*:*]
set ylabel "milliseconds"
plot data using ($1/60):(column("move_p99_ms")) with lines title "move, p99", \
     data using ($1/60):(column("late_p99_ms")) with lines title "sent late, p99", \
     data using ($1/60):(column("move_p50_ms")) with lines lw 2 title "move, median"
plot data using ($1/60):(column("echo_p99_ms")) with lines title "heard in a stream, p99", \
     data using ($1/60):(column("echo_p50_ms")) with lines lw 2 title "heard, median"
unset logscale y
set yrange [0:*]
set ylabel "MiB"
plot data using ($1/60):(column("event_mib")) with lines lw 2 title "events", \
     data using ($1/60):(column("game_mib")) with lines lw 2 title "games", \
     data using ($1/60):(column("seat_mib")) with lines lw 2 title "seats", \
     data using ($1/60):(column("wal_mib")/10) with lines lw 2 title "WAL / 10"
set ylabel "rows"
plot data using ($1/60):(column("game_rows")) with lines lw 2 title "games", \
     data using ($1/60):(column("game_dead")) with lines title "dead rows of them", \
     data using ($1/60):(column("seat_dead")) with lines title "dead rows of seats"
