# SIGTERM: what is under way is answered, and then the daemon ends.  This is
# the last story; that the exit status is 0 is seen by stories.sh.

story "a stop with a request under way"
table A B C
C streams /events?after=7
hold
A POST /chips/white/1/take              -> parked
operator daemon stop
await nobody GET /readyz                -> 503 store_unavailable
# as long as somebody might be let in, who hears events goes on to hear them
B GET ""                                -> 200 .heist.chips[stars=1].seat == null
B streams /events?after=6
B hears 1
release
A                                       -> 200 .heist.chips[stars=1].seat == 1
B hears 1
C hears 1
# then they are to come back, to another daemon
C hears the end
B hears the end
