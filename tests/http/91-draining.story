# SIGTERM: the daemon answers the requests under way, and ends.  This is the
# last story; the part checks that the exit status is 0.

story "a stopping daemon first answers the requests under way"
table A B C
C streams /events?after=7
hold
A POST /chips/white/1/take              -> parked
operator daemon stop
await nobody GET /readyz                -> 503 store_unavailable
# streams go on while the daemon still takes requests
B GET ""                                -> 200 .heist.chips[stars=1].seat == null
B streams /events?after=6
B hears 1
release
A                                       -> 200 .heist.chips[stars=1].seat == 1
B hears 1
C hears 1
# the streams end, so that clients reconnect to another daemon
C hears closed stopping
B hears closed stopping
