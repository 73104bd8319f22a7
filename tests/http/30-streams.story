# GET /v1/games/{game_id}/events with Accept: text/event-stream: the log, and
# new events as they happen.  torture/test_event_streams.py shows that a stream
# says something every 15 seconds.

story "a stream begins with past events, and goes on with new ones"
table A B C
A streams /events
A hears 7 .events[*].version == [1,2,3,4,5,6,7]
	.events[*].type == ["player_joined","player_joined","player_joined","game_started","heist_started","cards_dealt","round_started"]
A hears nothing
B POST /chips/white/1/take              -> 200
A hears {"version":8,"type":"chip_taken","seat":2}
A hears nothing
A POST /chips/white/1/take              -> 200
A POST /chips/white/1/return            -> 200
A hears 2 .events[*].type == ["chip_taken","chip_returned"]

story "a stream can begin after a version"
table A B C
A streams /events?after=5
A hears 2 .events[*].version == [6,7]
B streams /events?after=7
B hears nothing
C POST /chips/white/1/take              -> 200
A hears {"version":8}
B hears {"version":8}

story "Last-Event-ID overrides the query"
table A B C
for $after $last $count
	| after=0 | 5          | 2
	| after=7 | 5          | 2
	| after=5 | 0          | 7
	| limit=1 | 6          | 1
	| after=5 | seven      | 2
	| after=5 | -1         | 2
	| after=5 | 2147483648 | 2
	A streams /events?$after with Last-Event-ID: $last
	A hears $count .events[-1].version == 7
	A hears nothing
end

story "a script's EventSource sends it as a parameter, and the field is newer"
table A B C
for $query $count
	| after=0&lastEventId=5         | 2
	| lastEventId=5&after=7&_=173   | 2
	| after=5&lastEventId=          | 2
	| after=5&lastEventId=seven     | 2
	| after=5&lastEventId=-1        | 2
	A streams /events?$query
	A hears $count .events[-1].version == 7
	A hears nothing
end
for $query $last $count
	| lastEventId=3         | 6     | 1
	| lastEventId=6         | 3     | 4
	| after=5&lastEventId=3 | seven | 2
	A streams /events?$query with Last-Event-ID: $last
	A hears $count .events[-1].version == 7
	A hears nothing
end
A GET /events?lastEventId=5&lastEventId=6 -> 422 invalid .errors[0].code == "repeated"

story "a page of events ignores Last-Event-ID"
table A B C
A GET /events?after=5 with Last-Event-ID: 6 -> 200 .events[*].version == [6,7]
A GET /events?after=5&lastEventId=6     -> 200 .events[*].version == [6,7]

story "a reader that claims a future event hears no earlier one"
table A B C
A streams /events with Last-Event-ID: 2147483647
B streams /events?after=7
C GET ""                                -> 200 keep etag = header etag
C GET "" with If-None-Match: $etag with Prefer: wait=20 -> parked
A hears nothing
B hears nothing
B POST /chips/white/1/take              -> 200
B hears {"version":8}
C                                       -> 200 .version == 8
A hears nothing

story "a reader who reconnects hears every event once"
table A B C
A streams /events
A hears 7
A hangs up
B POST /chips/white/1/take              -> 200
C POST /chips/white/2/take              -> 200
A streams /events with Last-Event-ID: 7
A hears 2 .events[*].version == [8,9]
B POST /chips/white/1/return            -> 200
A hears {"version":10,"type":"chip_returned"}

story "pages and streams have the same events, byte for byte"
table A B C with {"spectators":true}
A streams /events
B streams /events
S streams /v1/games/$game/events
heist right
A GET /events?limit=500                 -> 200 keep page = body keep last = .events[-1].version
A hears $last body == "$page"
A streams /events
A hears $last body == "$page"
B GET /events?limit=500                 -> 200 keep page = body
B hears $last body == "$page"
nobody GET /v1/games/$game/events?limit=500 -> 200 keep page = body
S hears $last body == "$page"
S hears nothing

story "a stream begins with the reader's own cards only"
table A B C with {"spectators":true}
A GET /hand                             -> 200 keep cards = .pocket_cards
A streams /events
B streams /events
S streams /v1/games/$game/events
A hears 7 .events[type=cards_dealt].data == {"count":2,"pocket_cards":$cards}
B hears 7 .events[type=cards_dealt].data.pocket_cards != $cards
S hears 7 .events[type=cards_dealt].data == {"count":2}
heist wrong
A POST /heists                          -> 201 keep cards = .you.pocket_cards keep version = .version
A streams /events?after=7
B streams /events?after=7
S streams /v1/games/$game/events?after=7
for $who in A B S
	$who hears {"version":8}
end
A streams /events?after=$version
A hears nothing

story "a stream hears only the reader's own cards when they are dealt"
table A B C with {"spectators":true}
heist right
A GET ""                                -> 200 keep version = .version
for $who in A B
	$who streams /events?after=$version
end
S streams /v1/games/$game/events?after=$version
C POST /heists                          -> 201
A GET /hand                             -> 200 keep cards = .pocket_cards
A hears 3 .events[type=cards_dealt].data == {"count":2,"pocket_cards":$cards}
B hears 3 .events[type=cards_dealt].data.pocket_cards != $cards
S hears 3 .events[type=cards_dealt].data == {"count":2}

story "only the target of the Informant hears the shown card"
table A B C with {"mode":"advanced","spectators":true}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
next specialist informant
A POST /heists                          -> 201
A POST /specialist/proposals {"seat":1,"target_seat":2} -> 200
B POST /specialist/votes {"agree":true} -> 200
C POST /specialist/votes {"agree":true} -> 200 keep version = .version
for $who in A B C
	$who streams /events?after=$version
end
S streams /v1/games/$game/events?after=$version
A GET ""                                -> 200 keep card = .you.choice_due.options[0]
A POST /choices {"card":"$card"}        -> 200
A hears {"type":"choice_made","data":{"code":"informant","card":"$card"}}
B hears {"type":"choice_made","data":{"code":"informant","card":"$card"}}
C hears {"type":"choice_made","data":{"code":"informant"}}
S hears {"type":"choice_made","data":{"code":"informant"}}

story "Blackout: a stream hears of a chip at once, and later readers find it hidden"
table A B C with {"mode":"advanced","spectators":true}
heist right
next challenge blackout
A POST /heists                          -> 201 keep before = .version
A streams /events?after=$before
S streams /v1/games/$game/events?after=$before
B POST /chips/white/1/take              -> 200
A hears {"type":"chip_taken","seat":2}
S hears {"type":"chip_taken","seat":2}
A POST /chips/white/2/take              -> 200
A hears {"type":"chip_taken","seat":1}
S hears {"type":"chip_taken","seat":1}
C POST /chips/white/3/take              -> 200
# the last chip is gone as soon as it is taken
A hears 3 .events[*].type == ["hidden","round_ended","round_started"]
S hears 3 .events[*].type == ["hidden","round_ended","round_started"]
# later readers hear the events of a page
A GET /events?after=$before             -> 200 keep page = body
	.events[*].type == ["hidden","hidden","hidden","round_ended","round_started"]
A streams /events?after=$before
A hears 5 body == "$page"
S streams /v1/games/$game/events?after=$before
S hears 5 body == "$page"

story "outsiders hear nothing"
table A B C
for $accept in text/event-stream application/json
	nobody GET /v1/games/$game/events with Accept: $accept -> 401 unauthenticated
	stranger GET /v1/games/$game/events with Accept: $accept -> 401 invalid_token
	A' GET /events with Accept: $accept -> 401 invalid_token
	nobody GET /v1/games/0193fd2c-7a40-7bc1-9d0e-5a6b7c8d9e0f/events with Accept: $accept -> 401 unauthenticated
	stranger GET /v1/games/0193fd2c-7a40-7bc1-9d0e-5a6b7c8d9e0f/events with Accept: $accept -> 401 invalid_token
	nobody GET /v1/games/x/events with Accept: $accept -> 404 no_such_game
end

story "a wrong token hears nothing, even of a game with spectators"
table A B C with {"spectators":true}
stranger GET /v1/games/$game/events with Accept: text/event-stream -> 401 invalid_token
A' GET /events with Accept: text/event-stream -> 401 invalid_token
S streams /v1/games/$game/events
S hears 7

story "the deletion of a game ends its streams"
table A B C with {"spectators":true}
A streams /events
B streams /events
S streams /v1/games/$game/events
A hears 7
B hears 7
S hears 7
A DELETE ""                             -> 204
A hears closed deleted
B hears closed deleted
S hears closed deleted

story "leaving ends the player's stream, and the others hear of it"
lobby A B C
A streams /events
B streams /events
C streams /events
for $who in A B C
	$who hears 3
end
B DELETE /players/2                     -> 204
B hears closed left
A hears {"version":4,"type":"player_left","seat":2}
C hears {"version":4,"type":"player_left","seat":2}
# seat 2 is C's now
C hears nothing

story "a removal ends the player's stream"
table A B C
B streams /events?after=7
C streams /events?after=7
A DELETE /players/3                     -> 204
C hears closed removed
B hears {"version":8,"type":"player_left","seat":3}

story "the host's leaving ends the host's stream"
table A B C
A streams /events?after=7
B streams /events?after=7
A DELETE /players/1                     -> 204
A hears closed left
B hears 2 .events[*].type == ["player_left","host_changed"]

story "a stream says what became of its seat, which had moved up"
lobby A B C with {"seats":6}
D POST /v1/invitations/$code/players {"name":"D"} -> 201
for $who in A C D
	$who streams /events?after=4
end
B DELETE /players/2                     -> 204
A hears 1
C hears 1
D hears 1
# C is at seat 2 now, D at seat 3
C POST /players/2/token with Idempotency-Key: the-seat-moved-up-0123456789 -> 201
C hears closed renewed
A hears 1
D hears 1
A DELETE /players/3                     -> 204
D hears closed removed
A hears 1
A hears nothing

story "a player who gives the seat to a bot has left"
table A B C
B streams /events?after=7
B POST /bots {"instead_of_me":true}     -> 201
B hears closed left

story "an absent player whom another one removes was removed"
table A B C with {"absence_seconds":120}
A streams /events?after=7
operator away $game 1 131
B DELETE /players/1                     -> 204
A hears closed removed

story "the last player's leaving ends the stream with the lobby"
lobby A
A streams /events
A hears 1
A DELETE /players/1                     -> 204
A hears closed deleted

story "a stream of the old game hears of the rematch"
table A B C
heist right
heist right
heist right
B GET ""                                -> 200 keep version = .version keep old = .id
B streams /events?after=$version
A POST /rematch                         -> 201 keep new = .id
B hears {"type":"rematch_created","data":{"id":"$new"}}
B hears nothing

story "the Accept field chooses between a stream and a page"
table A B C
for $accept
	| text/event-stream
	| Text/Event-Stream
	| text/event-stream; charset=utf-8
	| text/event-stream, application/json
	| application/json;q=0.9, text/event-stream
	| text/event-stream, */*
	| */*;q=0.1, text/event-stream;q=0.5
	| text/html, text/event-stream;q=0.1
	A streams /events with Accept: $accept
	A hears 7
end
for $accept
	| application/json
	| */*
	| application/json, text/event-stream
	| text/event-stream;q=0.5, application/json;q=0.6
	| text/event-stream;q=0, */*
	| text/event-stream;q=0.5, */*
	A GET /events with Accept: $accept -> 200 header content-type == "application/json"
		header vary == "Accept, Authorization" header x-accel-buffering absent
end
for $accept
	| text/html
	| text/*
	| text/event-stream;q=0
	| text/event-streams
	A GET /events with Accept: $accept -> 406 not_acceptable
end

story "only events can be streamed"
table A B C
A GET "" with Accept: text/event-stream -> 406 not_acceptable
for $path in /hand /invitation /heists
	A GET $path with Accept: text/event-stream -> 406 not_acceptable
end
nobody GET /v1/rules/modes with Accept: text/event-stream -> 406 not_acceptable
A POST /chips/white/1/take with Accept: text/event-stream -> 406 not_acceptable

story "HEAD of a stream has its fields and ends at once"
table A B C
within 500 A HEAD /events with Accept: text/event-stream -> 200
	body == "" header content-type == "text/event-stream" header etag absent
	header x-accel-buffering == "no"
	header cache-control == "no-store"
within 500 A HEAD /events with Accept: text/event-stream with Last-Event-ID: 7 -> 200 body == ""
within 500 A' HEAD /events with Accept: text/event-stream -> 401
A HEAD /events                          -> 200 header content-type == "application/json" header etag exists

story "limit does not change the events of a stream"
table A B C
for $limit in 1 2 500
	A streams /events?limit=$limit
	A hears 7 .events[*].version == [1,2,3,4,5,6,7]
	B POST /chips/white/1/take      -> 200
	C POST /chips/white/1/take      -> 200
	C POST /chips/white/1/return    -> 200
	A streams /events?limit=$limit&after=7
	A hears 3
	A DELETE ""                     -> 204
	A hears closed deleted
	table A B C
end

story "a wrong query of a stream is refused"
table A B C
for $query $parameter
	| after=-1   | after
	| after=x    | after
	| limit=0    | limit
	| limit=501  | limit
	| before=1   | before
	| ticker=x   | ticker
	A GET /events?$query with Accept: text/event-stream -> 422 invalid .errors count 1 .errors[0].parameter == "$parameter"
end

story "a stream ignores If-None-Match and Prefer"
table A B C
A GET /events                           -> 200 keep etag = header etag
A streams /events with If-None-Match: $etag
A hears 7
A streams /events with If-None-Match: $etag with Prefer: wait=20 -> header preference-applied absent
A hears 7
A GET /events with Accept: text/event-stream with If-Match: "x" -> 412 version_mismatch

# --- views in the stream

story "a stream with views begins with the view, and has one after each change"
table A B C
A GET ""                                -> 200 keep view = body keep version = .version
A streams /events?views=true
A sees body == "$view"
A hears nothing
B POST /chips/white/1/take              -> 200
A hears {"type":"chip_taken","seat":2}
A GET ""                                -> 200 keep view = body
A sees body == "$view"
A hears nothing
B POST /chips/white/2/take              -> 200
A hears 2 .events[*].type == ["chip_returned","chip_taken"]
A sees .heist.chips[*].seat == [null,2,null]

story "the last chip of a round: several events, then one view"
table A B C
B POST /chips/white/1/take              -> 200
C POST /chips/white/2/take              -> 200
A streams /events?views=true
A sees .heist.round == 1
A POST /chips/white/3/take              -> 200
A hears 3 .events[*].type == ["chip_taken","round_ended","round_started"]
A sees .heist.round == 2 .you.legal_actions[0].action == "take_chip"
A hears nothing

story "a client that was away hears its events, then the newest view alone"
table A B C
A streams /events?views=true
A sees .version == 7
A hangs up
B POST /chips/white/1/take              -> 200
C POST /chips/white/2/take              -> 200
A streams /events?views=true with Last-Event-ID: 7
A hears 2 .events[*].version == [8,9]
A sees .version == 9
A hears nothing
A streams /events?views=true&after=8
A hears {"version":9}
A sees .version == 9
A streams /events?views=true&after=2147483647
A sees .version == 9
B POST /chips/white/1/return            -> 200
A hears {"version":10}
A sees .version == 10

story "each viewer's stream has that viewer's view; a spectator's has no cards"
table A B C with {"spectators":true}
for $who in A B C
	$who GET ""                     -> 200 keep view = body
	$who streams /events?views=true
	$who sees body == "$view"
end
nobody GET /v1/games/$game              -> 200 keep view = body
S streams /v1/games/$game/events?views=true
S sees body == "$view" .you == null

story "a ticket opens a stream with views"
table A B C
A POST /stream_tickets                  -> 201 keep ticket = .ticket
A streams /events?views=true&ticket=$ticket with Authorization
A sees .you.seat == 1

story "views come in a stream only, and when they are asked for"
table A B C
A GET /events?views=true                -> 422 invalid .errors[0].pointer absent .errors[0].code == "not_allowed"
A GET /events?views=false               -> 200
A GET /events?views=1                   -> 422 invalid .errors[0].code == "not_one_of"
A streams /events?views=false&after=7
A hears nothing
B POST /chips/white/1/take              -> 200
A hears {"version":8}
A hears nothing
