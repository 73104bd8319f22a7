# Faults of streams, each of which the runner must find.

story "no stream"
table A B C
A streams /events
A streams /events with Accept: application/json  # fails: it is no stream

story "an event"
table A B C
A streams /events
A hears 6
A hears {"type":"round_started"}
B POST /chips/white/1/take
A hears {"type":"chip_returned"}  # fails: expected .events

story "how many events"
table A B C
A streams /events?after=5
A hears 2
A streams /events?after=5
A DELETE ""
A hears 3  # fails: no event: event: closed

story "nothing"
table A B C
A streams /events?after=6
A hears nothing  # fails: expected nothing

story "nothing, when it has ended"
table A B C
A streams /events?after=7
A DELETE ""
A hears closed deleted
A hears nothing  # fails: expected nothing

story "closed"
table A B C
A streams /events?after=6
A hears closed  # fails: expected "event: closed

story "closed, for another reason"
table A B C
A streams /events?after=7
A DELETE ""
A hears closed left  # fails: expected "event: closed

story "an event instead of the end"
table A B C
A streams /events?after=6
A DELETE ""
A hears the end  # fails: expected the end

story "an actor without a stream"
table A B C
A hears nothing  # fails: A has no stream

story "a stream of no actor"
table A B C with {"spectators":true}
S streams /v1/games/$game/events
nobody streams /v1/games/$game/events  # fails: only actors have streams

story "another retry time"
table A B C
A streams /events with X-Spoil: swap ["nothing","at all"]
A streams /events with X-Spoil: swap ["retry: 2000","retry: 1"]  # fails: expected "retry: 2000"

story "an id that is not the version"
table A B C
A streams /events with X-Spoil: swap ["id: 3","id: 4"]
A hears 7  # fails: the id is not the version

story "an invalid id"
table A B C
A streams /events with X-Spoil: swap ["id: 3","id: three"]
A hears 7  # fails: no event

story "a gap"
table A B C
A streams /events?after=3 with X-Spoil: swap ["id: 3","id: 3"]
A hears 4
A streams /events with X-Spoil: swap ["\"type\":\"game_started\"","\"version\":5"]
A hears 7  # fails: the id is not the version

story "no event"
table A B C
A streams /events with X-Spoil: swap ["id: 3","event: other"]
A hears 7  # fails: no event

story "another player's card in a stream"
table A B C
B GET /hand -> 200 keep card = .pocket_cards[0]
C GET /hand -> 200 keep other = .pocket_cards[0]
B streams /events with X-Spoil: swap ["\"avatar\":null","\"avatar\":\"$card\""]
B hears 7
A streams /events with X-Spoil: swap ["\"avatar\":null","\"avatar\":\"$other\""]
A hears 7  # fails: C's card

story "a token in a stream"
table A B C
A streams /events with X-Spoil: swap ["\"avatar\":null","\"avatar\":\"$A.token\""]
A hears 7
A streams /events with X-Spoil: swap ["\"avatar\":null","\"avatar\":\"$B.token\""]
A hears 7  # fails: B's token
