# GET /v1/games/{game_id}/players: the players by seat, and their last_seen_at.

story "the list has the players, and last_seen_at in steps of ten seconds"
lobby A B with {"seats":5}
A GET /players                          -> 200 .players count 2
	.players[*].seat == [1,2]
	.players[*].name == ["A","B"]
	.players[*].host == [true,false]
	.players[*].vacant == [false,false]
	.players[0].last_seen_at matches "^2[0-9]{3}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5]0(\\.0+)?Z$"
	.players[1].last_seen_at matches ":[0-5]0(\\.0+)?Z$"
B GET /players                          -> 200 .players count 2
B HEAD /players                         -> 200 body == ""

story "last_seen_at is neither in the view nor in the log"
table A B C
A GET ""                                -> 200 body lacks "last_seen" body lacks "last_seen"
A GET /events                           -> 200 body lacks "seen"

story "the list of players has no tag, since last_seen_at changes without a version"
table A B C
A GET ""                                -> 200 keep etag = header etag
A GET /players                          -> 200 header etag absent header cache-control == "no-store"
A GET /players with If-None-Match: $etag -> 200 header etag absent
A GET /players with If-None-Match: *    -> 200 header etag absent
within 500 A GET /players with If-None-Match: $etag with Prefer: wait=20 -> 200 header preference-applied absent
A GET ""                                -> 200 header etag == "$etag"

story "a vacant seat has no last_seen_at"
table A B C D
B DELETE /players/2                     -> 204
A GET /players                          -> 200 .players count 4
	.players[*].vacant == [false,true,false,false]
	.players[1] == {"seat":2,"name":null,"avatar":null,"host":false,"vacant":true,"bot":null,"last_seen_at":null}
	.players[0].last_seen_at != null
A GET /invitation                       -> 200 keep code = .invite_code
E POST /v1/invitations/$code/players {"name":"E"} -> 201 .seat == 2
A GET /players                          -> 200 .players[1].name == "E" .players[1].last_seen_at != null

story "a refused request updates last_seen too"
table A B C D with {"absence_seconds":null}
operator away $game 2,3,4 3600
A GET /players                          -> 200 keep before = .players[1].last_seen_at
	.players[2].last_seen_at matches "[.][0-9]*[1-9][0-9]*Z$"
operator next-step
B GET ""                                -> 200
C GET "" with If-Match: "x"             -> 412
operator away $game 4 3600
A GET /players                          -> 200 .players[1].last_seen_at != "$before"
	.players[1].last_seen_at matches "[0-5]0(\\.0+)?Z$"
	.players[2].last_seen_at matches "[0-5]0(\\.0+)?Z$"
	.players[3].last_seen_at != "$before"

story "spectators may read the list of players"
table A B C with {"spectators":true}
nobody GET /v1/games/$game/players      -> 200 .players count 3 .players[2].last_seen_at != null
stranger GET /v1/games/$game/players    -> 401 invalid_token
A' GET /players                         -> 401 invalid_token

story "outsiders do not learn whether the game exists"
table A B C with {"visibility":"public"}
nobody GET /v1/games/$game/players      -> 401 unauthenticated
stranger GET /v1/games/$game/players    -> 401 invalid_token
nobody GET /v1/games/0193fd2c-7a40-7bc1-9d0e-5a6b7c8d9e0f/players -> 401 unauthenticated
stranger GET /v1/games/0193fd2c-7a40-7bc1-9d0e-5a6b7c8d9e0f/players -> 401 invalid_token
nobody GET /v1/games/x/players          -> 404 no_such_game

story "the list of players takes no query"
table A B C
A GET /players?seat=1                   -> 422 invalid .errors[0].parameter == "seat"
nobody OPTIONS /v1/games/$game/players  -> 204 header allow == "GET, HEAD, POST, OPTIONS"
A DELETE /players                       -> 405 method_not_allowed
