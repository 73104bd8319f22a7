# The database goes away, and comes back.

story "a request is refused in time when the database is slow"
table A B C
hold
within 2000 B POST /chips/white/1/take  -> 503 store_refused header retry-after == "1"
release

# the statement was not cancelled: the server may still carry it out
operator database settle
A GET ""                                -> 200

story "a game whose invitation code is in use is created with another code"
operator code-in-use
A POST /v1/games {"name":"A","seats":3} -> 201 .game.players[0].name == "A"
operator codes-free

story "requests that need the database are refused while it is away"
table A B C
operator database stop
within 2000 A GET ""                    -> 503 store_unavailable header retry-after exists
within 2000 A POST /chips/white/1/take  -> 503 store_unavailable header retry-after exists
within 2000 nobody GET /readyz          -> 503 store_unavailable header retry-after exists
within 2000 nobody POST /v1/games {"name":"A"} -> 503 store_unavailable
within 2000 nobody GET /v1/invitations/$code -> 503 store_unavailable
within 2000 nobody POST /v1/invitations/$code/players {"name":"D"} -> 503 store_unavailable

# requests that need no database are answered
within 500 nobody GET /livez            -> 200
within 500 nobody POST /v1/rules/evaluations {"hands":[["Ah","Kh","Qh","Jh","Th"]]} -> 200
within 500 A POST /chips/blue/1/take    -> 404 no_such_chip
within 500 A POST /chips/white/1/take {"x":1} -> 422 invalid
within 500 nobody GET /v1/games/$game/hand -> 401 unauthenticated

# a damaged token is refused without the database
within 500 A' GET ""                    -> 401 invalid_token
within 2000 stranger GET /v1/games/$game -> 503 store_unavailable

for $path in /invitation /hand /players/1/hand /events /heists /heists/1 /showdown
	within 2000 A GET $path         -> 503 store_unavailable
end
for $path in /start /chips/white/1/return /heists
	within 2000 A POST $path        -> 503 store_unavailable
end
within 2000 A DELETE ""                 -> 503 store_unavailable

operator database start
await nobody GET /readyz                -> 200
await A GET ""                          -> 200 .version == 7
A POST /chips/white/1/take              -> 200 .heist.chips[stars=1].seat == 1

story "a damaged row is an internal error"
table A B C
operator damage-date $game
A GET ""                                -> 500 internal
B POST /chips/white/1/take              -> 500 internal
operator restore-date $game
A GET ""                                -> 200 .version == 7

story "damaged events are refused, each with a line in the log"
for $column $value
	| type   | 255
	| type   | -1
	| seat   | 256
	| heist  | 32767
	| color  | -32768
	| public_data  | 97
	| public_data  | 1000000
	| private_data | 33
	| at     | 294276-12-31
	| at     | infinity
	| at     | 4713-01-01BC
	table A B C
	operator damage-event $game $column $value
	A GET /events                           -> 500 internal
	A GET /events with Accept: text/event-stream -> 500 internal
	A GET /events?limit=5                   -> 200 .events count 5
	A GET ""                                -> 200 .version == 7
	operator remove $game
end
operator log-has "row_damaged"
operator log-has "event_damaged"

story "a page that holds a damaged event is refused, and those beside it are not"
table A B C
operator damage-event $game heist 32767
B POST /chips/white/1/take              -> 200 .version == 8
C POST /chips/white/2/take              -> 200 .version == 9
# each page reads one event more, to know whether there is another page
A GET /events?limit=5                   -> 200 .events[*].version == [1,2,3,4,5]
A GET /events?after=2&limit=3           -> 200 .events[*].version == [3,4,5]
A GET /events?limit=6                   -> 500 internal
A GET /events?after=5&limit=2           -> 500 internal
A GET /events?after=6&limit=1           -> 500 internal
A GET /events?after=6                   -> 500 internal
A GET /events?after=7                   -> 200 .events[*].version == [8,9]
A streams /events?after=7
A hears 2 .events[*].version == [8,9]
operator remove $game
A hears closed deleted

story "harmless damage is shown as far as possible"
for $column $value
	| private_data | 32
	| replay_data  | 1
	| heist  | 0
	| at     | 9999-12-31T23:59:59Z
	table A B C
	operator damage-event $game $column $value
	A GET /events                           -> 200 .events count 7
	A streams /events
	A hears 7 .events[*].version == [1,2,3,4,5,6,7]
	operator remove $game
	A hears closed deleted
end
