# "absence_seconds": if the game waits for a player of whom nothing was heard
# for so long, any other player may free the seat.

story "absence_seconds of a game is shown to everybody"
lobby A B with {"absence_seconds":120,"spectators":true}
A GET ""                                -> 200 .absence_seconds == 120
B GET ""                                -> 200 .absence_seconds == 120
nobody GET /v1/games/$game              -> 200 .absence_seconds == 120
for $given $taken
	| 120    | 120
	| 604800 | 604800
	| null   | null
	D POST /v1/games {"name":"D","absence_seconds":$given} -> 201 .game.absence_seconds == $taken
end
for $given $code
	| 119    | out_of_range
	| 604801 | out_of_range
	| 0      | out_of_range
	| -120   | out_of_range
	| 1e9    | out_of_range
	| 120.5  | wrong_type
	| "\"120\"" | wrong_type
	| true   | wrong_type
	| []     | wrong_type
	nobody POST /v1/games {"name":"D","absence_seconds":$given} -> 422 invalid .errors count 1
		.errors[0].pointer == "/absence_seconds"
		.errors[0].code == "$code"
end

story "absence_seconds is ten minutes by default"
for $ruleset
	| the_gang
	| famiglia
	D POST /v1/games {"name":"D","ruleset":"$ruleset"} -> 201 .game.absence_seconds == 600
	D POST /v1/games {"name":"D","ruleset":"$ruleset","absence_seconds":null} -> 201 .game.absence_seconds == null
	D POST /v1/games {"name":"D","ruleset":"$ruleset","absence_seconds":601} -> 201 .game.absence_seconds == 601
end

story "players remove a host who is absent for ten minutes"
lobby A B C D
operator away $game 1 605
B DELETE /players/1                     -> 403 not_host .detail matches "not been heard of for 600 seconds"
operator away $game 1,4 611
D GET /players                          -> 200
B DELETE /players/1                     -> 204
C GET ""                                -> 200 .players[*].name == ["B","C","D"] .players[0].host == true
table A B C
operator away $game 1 605
B DELETE /players/1                     -> 403 not_host
operator away $game 1 611
B DELETE /players/1                     -> 204
C GET ""                                -> 200 .players[*].host == [false,true,false]

story "any waiting player removes an absent one"
table A B C with {"absence_seconds":120}
C DELETE /players/2                     -> 403 not_host
# last_seen_at is rounded to steps of 10 s, so a player may be absent longer
operator away $game 2 120
C DELETE /players/2                     -> 403 not_host
operator away $game 2 131
C GET ""                                -> 200 .heist.waiting_for == [1,2,3] keep version = .version
C DELETE /players/2                     -> 204 body == ""
C GET ""                                -> 200 .players[*].vacant == [false,true,false]
C GET /events?after=$version            -> 200 .events[*].type == ["player_left","heist_ended"]
	.events[0].seat == 2 .events[0].data == {"name":"B"}
	.events[1].data.outcome == "abandoned"
B GET ""                                -> 401 invalid_token
# the removed player knows only the old code
nobody GET /v1/invitations/$code        -> 404 no_such_invitation
C GET /invitation                       -> 200 keep fresh = .invite_code
B POST /v1/invitations/$fresh/players {"name":"B"} -> 201 .seat == 2 .game.absence_seconds == 120
C DELETE /players/2                     -> 403 not_host

story "an absent host is removed like others, and another becomes host"
table A B C with {"absence_seconds":120}
operator away $game 1 3600
C GET ""                                -> 200 keep version = .version
C DELETE /players/1                     -> 204
B GET ""                                -> 200 .players[*].host == [false,true,false]
	.players[0].vacant == true
B GET /events?after=$version            -> 200 .events[*].type == ["player_left","host_changed","heist_ended"]
	.events[*].seat == [1,2,null]

story "a player who owes no move is not removed as absent"
table A B C with {"absence_seconds":120}
B POST /chips/white/2/take              -> 200
operator away $game 2 3600
C DELETE /players/2                     -> 403 not_host
# the player owes a move again when the chip is taken
C POST /chips/white/2/take {"from":2}   -> 200 .heist.waiting_for == [1,2]
C DELETE /players/2                     -> 204

story "in the lobby only the host is removed as absent, once the game could start"
lobby A B with {"absence_seconds":120}
operator away $game 1,2 604900
B DELETE /players/1                     -> 403 not_host
C POST /v1/games/$game/players {"name":"C","invite_code":"$code"} -> 201 .seat == 3
C GET /v1/games/$game                   -> 200 .you.legal_actions == []
C DELETE /v1/games/$game/players/2      -> 403 not_host
	.detail matches "not been heard of for 120 seconds"
C DELETE /v1/games/$game/players/1      -> 204
C GET /v1/games/$game                   -> 200 .players[*].name == ["B","C"] .players[*].host == [true,false]
A GET ""                                -> 401 invalid_token

story "without absence_seconds only the host removes"
table A B C with {"absence_seconds":null}
operator away $game 1,2 604900
C DELETE /players/2                     -> 403 not_host
C DELETE /players/1                     -> 403 not_host
A DELETE /players/2                     -> 204

story "a player who comes back in time stays"
table A B C with {"absence_seconds":120}
# a player who was noted in this step of ten seconds, or the last, is not checked
operator next-step
operator next-step
operator away $game 2,3 3600
B GET /hand                             -> 200
A GET /players                          -> 200
	.players[1].last_seen_at matches "[0-5]0(\\.0+)?Z$"
C DELETE /players/2                     -> 403 not_host
# a refusal counts as well
operator away $game 2,3 3600
C DELETE /players/1                     -> 403 not_host
B DELETE /players/3                     -> 403 not_host
C DELETE /players/2                     -> 403 not_host
operator next-step
operator next-step
operator away $game 2,3 3600
C POST /chips/white/1/take              -> 200
C POST /chips/white/1/return            -> 200 .heist.waiting_for == [1,2,3]
B DELETE /players/3                     -> 403 not_host
operator away $game 2 3600
C DELETE /players/2                     -> 204

story "a player with a long poll or a stream is present"
table A B C D with {"absence_seconds":120}
C GET ""                                -> 200 keep etag = header etag
C GET "" with If-None-Match: $etag with Prefer: wait=14 -> parked
B GET /events with Accept: text/event-stream -> parked
operator away $game 2,3 3600
operator wait 15
C                                       -> 304
# a stream counts with what it sends, and once a minute while it is silent
A POST /chips/white/1/take              -> 200
operator wait 2
D DELETE /players/2                     -> 403 not_host
D DELETE /players/3                     -> 403 not_host
A DELETE ""                             -> 204
B                                       -> 200 body has ": still here"

story "outsiders cannot remove absent players"
table A B C with {"absence_seconds":120,"spectators":true}
operator away $game 2 3600
nobody DELETE /v1/games/$game/players/2 -> 401 unauthenticated
stranger DELETE /v1/games/$game/players/2 -> 401 invalid_token
C' DELETE /players/2                    -> 401 invalid_token
C DELETE /players/2 with If-Match: "x"  -> 412 version_mismatch
C DELETE /players/4                     -> 404 no_such_seat
C DELETE /players/2                     -> 204
C DELETE /players/2                     -> 404 no_such_seat

story "a rematch keeps absence_seconds"
table A B C with {"absence_seconds":3600}
until A .status != "playing"
	heist right
end
operator away $game 2 7200
C DELETE /players/2                     -> 403 not_host
A POST /rematch                         -> 201 .absence_seconds == 3600 .status == "playing"
operator away $game 2 7200
C DELETE /players/2                     -> 204

story "a player who becomes host meanwhile removes as the host"
table A C B with {"absence_seconds":120}
operator away $game 3 3600
together
	A DELETE /players/1
	C DELETE /players/3
end -> 204, 204
C GET ""                                -> 200 .players[*].vacant == [true,false,true] .players[1].host == true
