# soak.gnuplot - what soak.py has sampled, of samples.tsv, over minutes; "marks" has a
# line for each event of a day, and "daemons" is their number.
set terminal png small size 900,1200
set output picture
set datafile separator tab
set key autotitle columnhead
set datafile missing "nan"
load marks
set multiplot layout 5,2
set grid
set xlabel "minutes"
set key above noenhanced
set yrange [0:*]
set ylabel "MiB"
plot for [n=1:daemons] data using ($1/60):(column("rss_kib_".n)/1024) with lines lw 2 title "memory of daemon ".n
set ylabel "descriptors"
plot for [n=1:daemons] data using ($1/60):(column("files_".n)) with lines lw 2 title "of daemon ".n, \
     for [n=1:daemons] data using ($1/60):(column("own_files_".n)) with lines lw 2 title "without clients"
set ylabel "a second"
plot data using ($1/60):(column("requests_s")) with lines title "requests", \
     data using ($1/60):(column("moves_s")) with lines title "moves", \
     for [n=1:words(events)] keyentry with lines dt 2 lw 2 lc rgb word(colors." black", n) title word(events, n)
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
set ylabel "number"
plot data using ($1/60):(column("sessions")) with lines lw 2 title "sessions at the server", \
     for [n=1:daemons] data using ($1/60):(column("threads_".n)) with lines title "threads of daemon ".n, \
     data using ($1/60):(column("errors")) with lines lw 2 title "errors"
set ylabel "MiB"
plot data using ($1/60):(column("log_mib")) with lines lw 2 title "logs of the daemons"
