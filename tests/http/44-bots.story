# POST /v1/games/{game_id}/bots, and bots of a new game: seats that the service
# plays itself.  The daemon of the stories leaves that to others (GANGD_BOTS=off), so
# that nothing changes a game between two requests;
# tests/torture/test_bot_tables.py has bots that play.

story "a game with bots is created and starts at once"
A POST /v1/games {"name":"Ada","bots":2,"bot_level":"steady","start":true} -> 201
	.game.status == "playing"
	.game.seats == 3
	.game.players[*].bot == [null,{"level":"steady"},{"level":"steady"}]
	.game.players[*].host == [true,false,false]
	.game.players[1].name matches "^[A-Z][a-z]+$"
	.game.players[1].avatar == null
	keep first = .game.players[1].name keep second = .game.players[2].name
A GET /events                           -> 200 .events[type=player_joined].seat == 1
	.events[0].data == {"name":"Ada","avatar":null,"bot":null}
	.events[1].data == {"name":"$first","avatar":null,"bot":{"level":"steady"}}
	.events[2].data == {"name":"$second","avatar":null,"bot":{"level":"steady"}}
A GET /players                          -> 200 .players[*].bot == [null,{"level":"steady"},{"level":"steady"}]
	.players[1].last_seen_at == null
A GET ""                                -> 200 .players[2].name != "$first"

story "bots are asked for in numbers that fit"
for $body $pointer
	| {"name":"A","bots":6}                            | /bots
	| {"name":"A","bots":-1}                           | /bots
	| {"name":"A","bots":"2"}                          | /bots
	| {"name":"A","bots":3,"seats":3}                  | /bots
	| {"name":"A","bots":2,"ruleset":"famiglia"}       | /bots
	| {"name":"A","bots":1,"start":true}               | /start
	| {"name":"A","start":true}                        | /start
	| {"name":"A","bots":2,"start":1}                  | /start
	| {"name":"A","bots":2,"bot_level":"weak"}         | /bot_level
	| {"name":"A","bots":2,"bot_level":3}              | /bot_level
	nobody POST /v1/games $body             -> 422 invalid .errors[0].pointer == "$pointer"
end

story "the host seats bots in the lobby, and starts the game"
lobby A B with {"seats":4}
B POST /bots {"level":"novice"}         -> 403 not_host
A POST /bots {"level":"novice"}         -> 201 .seat == 3
	.game.version == 3
	.game.you.seat == 1
	.game.players[2].bot == {"level":"novice"}
	.token absent
	header location == "/v1/games/$game"
	header content-location absent
A POST /bots {"name":"Robin"}           -> 201 .seat == 4
	.game.players[3].name == "Robin"
	.game.players[3].bot == {"level":"sharp"}
	.game.status == "lobby"
A POST /bots {}                         -> 409 game_full
B POST /start                           -> 403 not_host
A POST /start                           -> 200 .status == "playing" .seats == 4
A POST /bots {}                         -> 409 game_full

story "what a bot may not be"
lobby A B with {"seats":4}
for $body $pointer
	| {"level":"best"}                  | /level
	| {"level":null}                    | /level
	| {"name":""}                       | /name
	| {"name":"b"}                      | /name
	| {"avatar":"x"}                    | /avatar
	| {"instead_of_me":"yes"}           | /instead_of_me
	A POST /bots $body              -> 422 invalid .errors[0].pointer == "$pointer"
end
A POST /bots body "{"                   -> 400 malformed
A POST /bots {"instead_of_me":true}     -> 409 game_not_started
A GET /bots                             -> 405 method_not_allowed
A GET ""                                -> 200 .version == 2 keep etag = header etag
A POST /bots {} with If-Match: "x"      -> 412 version_mismatch
A POST /bots {} with If-Match: $etag    -> 201
nobody POST /v1/games/$game/bots {}     -> 401 unauthenticated
stranger POST /v1/games/$game/bots {}   -> 401 invalid_token

story "a person takes a bot's place when no other seat is free"
A POST /v1/games {"name":"A","seats":3,"bots":2} -> 201 .game.status == "lobby"
nobody GET /v1/invitations/$code        -> 200 .free_seats == 2
B POST /v1/invitations/$code/players {"name":"B"} -> 201 .seat == 3 .game.status == "lobby"
	.game.players[*].bot == [null,{"level":"sharp"},null]
A GET /events?after=3                   -> 200 .events[*].type == ["player_left","player_joined"] .events[*].seat == [3,3]
C POST /v1/invitations/$code/players {"name":"C"} -> 201 .seat == 3 .game.status == "playing"
	.game.players[*].name == ["A","B","C"]
nobody GET /v1/invitations/$code        -> 409 game_full

story "a person may have the name of the bot whose place it takes, and nobody else's"
A POST /v1/games {"name":"A","seats":3,"bots":2} -> 201
	keep first = .game.players[1].name keep last = .game.players[2].name
B POST /v1/invitations/$code/players {"name":"$first"} -> 422 invalid .errors[0].code == "taken"
B POST /v1/invitations/$code/players {"name":"$last"} with Idempotency-Key: 7f1d3c5e-0a61-4c55-a9d5 -> 201 .seat == 3
	.game.players[2].bot == null
B POST /v1/invitations/$code/players {"name":"$last"} with Idempotency-Key: 7f1d3c5e-0a61-4c55-a9d5 -> 201 .seat == 3
	.game.version == 5
A PATCH /players/1 {"name":"$first"}    -> 422 invalid .errors[0].code == "taken"
A POST /start                           -> 200 .status == "playing" .players[*].bot == [null,{"level":"sharp"},null]

story "the last person of a lobby of bots leaves, and the game goes"
A POST /v1/games {"name":"A","seats":4,"bots":2} -> 201
A DELETE /players/1                     -> 204
nobody GET /v1/invitations/$code        -> 404 no_such_invitation

story "a public game full of bots is listed with their seats as free"
lobby A with {"visibility":"public","seats":4,"bots":3}
nobody GET /v1/games?free_seats=3       -> 200 body has "$game"
nobody GET /v1/games?free_seats=4       -> 200 body lacks "$game"

story "the host removes a bot from the lobby, and the code stays"
A POST /v1/games {"name":"A","seats":5,"bots":2} -> 201
B POST /v1/invitations/$code/players {"name":"B"} -> 201 .seat == 4
B DELETE /players/2                     -> 403 not_host
A DELETE /players/2                     -> 204
A GET ""                                -> 200 .players[*].bot == [null,{"level":"sharp"},null]
B GET ""                                -> 200 .you.seat == 3
A GET /invitation                       -> 200 .invite_code == "$code" .free_seats == 3
A DELETE /players/1                     -> 204
B GET ""                                -> 200 .players[*].host == [false,true]
B DELETE /players/2                     -> 204
B GET ""                                -> 401 invalid_token

story "removing a bot in play abandons the heist, and any player gives the seat to another"
table A B C D
D DELETE /players/4                     -> 204
B POST /bots {"level":"sharp"}          -> 201 .seat == 4
B DELETE /players/4                     -> 403 not_host
A DELETE /players/4                     -> 204
A GET ""                                -> 200 .heist.outcome == "abandoned" .players[3].vacant == true .players[3].bot == null
C POST /bots {"level":"steady"}         -> 201 .seat == 4 .game.players[3].bot == {"level":"steady"}
C POST /bots {}                         -> 409 game_full
A POST /heists                          -> 201

story "a player gives the own seat to a bot"
table A B C with {"spectators":true}
A POST /chips/white/2/take              -> 200
A GET /hand                             -> 200 keep hand = .
A POST /bots {"instead_of_me":true,"level":"novice"} with Idempotency-Key: 7f1d3c5e-0a61-4c55-a9d1 -> 201
	.seat == 1
	.game.you == null
	.game.players[*].bot == [{"level":"novice"},null,null]
	.game.players[*].host == [false,true,false]
	.game.heist.chips[1].seat == 1
A POST /bots {"instead_of_me":true,"level":"novice"} with Idempotency-Key: 7f1d3c5e-0a61-4c55-a9d1 -> 201
	.seat == 1 .game.you == null
A POST /bots {"instead_of_me":true,"level":"sharp"} with Idempotency-Key: 7f1d3c5e-0a61-4c55-a9d1 -> 422 idempotency_key_reused
A POST /bots {"instead_of_me":true}     -> 401 invalid_token
A GET ""                                -> 401 invalid_token
B GET /events?after=8&limit=3           -> 200 .events[*].type == ["player_left","host_changed","player_joined"]
	.events[*].seat == [1,2,1]

story "a player who gave the own seat to a bot sees nothing of a private game by repeating that"
table A B C
A POST /bots {"instead_of_me":true} with Idempotency-Key: 7f1d3c5e-0a61-4c55-a9d5 -> 201 .game.you == null
B POST /chips/white/3/take              -> 200
A POST /bots {"instead_of_me":true} with Idempotency-Key: 7f1d3c5e-0a61-4c55-a9d5 -> 204
	body lacks "$game"
	header etag absent
	header location absent
B DELETE /players/1                     -> 204
A POST /bots {"instead_of_me":true} with Idempotency-Key: 7f1d3c5e-0a61-4c55-a9d5 -> 204
A POST /bots {"instead_of_me":true,"level":"novice"} with Idempotency-Key: 7f1d3c5e-0a61-4c55-a9d5 -> 422 idempotency_key_reused

story "who has left, or was removed, sees nothing by repeating a request"
table A B C D
A POST /chips/white/1/take with Idempotency-Key: 7f1d3c5e-0a61-4c55-a9d6 -> 200
C POST /chips/white/3/take with Idempotency-Key: 7f1d3c5e-0a61-4c55-a9d9 -> 200
A DELETE /players/3                     -> 204
C POST /chips/white/3/take with Idempotency-Key: 7f1d3c5e-0a61-4c55-a9d9 -> 401 invalid_token
A DELETE /players/1 with Idempotency-Key: 7f1d3c5e-0a61-4c55-a9da -> 204
A DELETE /players/1 with Idempotency-Key: 7f1d3c5e-0a61-4c55-a9da -> 204
A POST /chips/white/1/take with Idempotency-Key: 7f1d3c5e-0a61-4c55-a9d6 -> 401 invalid_token

story "seating a bot twice under a key seats one"
lobby A with {"seats":5}
A POST /bots {"level":"novice"} with Idempotency-Key: 7f1d3c5e-0a61-4c55-a9d2 -> 201 .seat == 2
A POST /bots {"level":"novice"} with Idempotency-Key: 7f1d3c5e-0a61-4c55-a9d2 -> 201 .seat == 2
	.game.players count 2 .game.you.seat == 1
A DELETE /players/2                     -> 204
A POST /bots {"level":"novice"} with Idempotency-Key: 7f1d3c5e-0a61-4c55-a9d2 -> 201 .seat == null
	.game.players count 1

story "no other rights come with a bot's seat"
A POST /v1/games {"name":"A","bots":2,"start":true} -> 201
A PATCH /players/2 {"name":"Z"}         -> 403 not_your_seat
A POST /players/2/token with Idempotency-Key: 7f1d3c5e-0a61-4c55-a9d3 -> 403 not_your_seat
A GET /players/2/hand                   -> 403 not_your_hand

story "legal_actions offer the host of a lobby a bot for a free seat"
lobby A B with {"seats":4}
A GET ""                                -> 200 .you.legal_actions count 1
	.you.legal_actions[0] == {"action":"seat_bot","method":"POST","href":"/v1/games/$game/bots","body":{},"command":{"action":"seat_bot"},"choose":{"level":{"form":"one_of","options":["novice","steady","sharp"]}}}
B GET ""                                -> 200 .you.legal_actions == []
B POST /actions {"action":"seat_bot"}   -> 403 not_host
A POST /actions {"action":"seat_bot","level":"steady"} -> 201
	.id == "$game"
	.you.seat == 1
	.players[2].bot == {"level":"steady"}
	.you.legal_actions[*].action == ["start","seat_bot"]
	header location == "/v1/games/$game"
	header content-location == "/v1/games/$game"
	header etag exists
A POST /actions {"action":"seat_bot","name":"Robin"} -> 201 .players[3].name == "Robin"
	.players[3].bot == {"level":"sharp"}
	.you.legal_actions[*].action == ["start"]
A POST /actions {"action":"seat_bot"}   -> 409 game_full .instance == "/v1/games/$game/actions"
A GET /events?after=2                   -> 200 .events[*].type == ["player_joined","player_joined"]
	.events[1].data == {"name":"Robin","avatar":null,"bot":{"level":"sharp"}}

story "a command that seats a bot is read like the body of its own route"
lobby A B with {"seats":4}
for $more $pointer $code
	| "level":"best"           | /level         | not_one_of
	| "level":null             | /level         | wrong_type
	| "name":"b"               | /name          | taken
	| "avatar":"x"             | /avatar        | unknown
	| "instead_of_me":1        | /instead_of_me | wrong_type
	A POST /actions {"action":"seat_bot",$more} -> 422 invalid
		.errors[0].pointer == "$pointer" .errors[0].code == "$code"
end
A POST /actions {"action":"seat_bot","instead_of_me":true} -> 409 game_not_started
A POST /actions {"action":"seat_bot"} with If-Match: "x" -> 412 version_mismatch
nobody POST /v1/games/$game/actions {"action":"seat_bot"} -> 401 unauthenticated
stranger POST /v1/games/$game/actions {"action":"seat_bot"} -> 401 invalid_token
A GET ""                                -> 200 .version == 2

story "legal_actions offer every player a bot for a vacant seat in play"
table A B C D
A GET ""                                -> 200 .you.legal_actions[*].action lacks "seat_bot"
D DELETE /players/4                     -> 204
for $who in A B C
	$who GET ""                     -> 200 .you.legal_actions[*].action has "seat_bot"
end
C POST /actions {"action":"seat_bot","level":"novice"} -> 201 .players[3].bot == {"level":"novice"}
	.you.seat == 3
	.you.legal_actions[*].action lacks "seat_bot"
B POST /actions {"action":"seat_bot"}   -> 409 game_full

story "a player gives the own seat to a bot by a command, which the list does not have"
table A B C
B GET ""                                -> 200 .you.legal_actions[*].action lacks "seat_bot"
B POST /actions {"action":"seat_bot","instead_of_me":true,"level":"novice"} with Idempotency-Key: 7f1d3c5e-0a61-4c55-a9d4 -> 201
	.id == "$game"
	.you == null
	.players[*].bot == [null,{"level":"novice"},null]
	header location == "/v1/games/$game"
B POST /actions {"action":"seat_bot","instead_of_me":true,"level":"novice"} with Idempotency-Key: 7f1d3c5e-0a61-4c55-a9d4 -> 204
	body lacks "$game"
	header etag absent
B POST /actions {"action":"seat_bot","instead_of_me":true} -> 401 invalid_token
A GET /events?after=7                   -> 200 .events[-1].type == "player_joined" .events[-1].data.bot == {"level":"novice"}

story "no bot sits down when the game is over"
table A B with {"ruleset":"famiglia"}
B DELETE /players/2                     -> 204
A GET ""                                -> 200 .status == "over" .you.legal_actions[*].action lacks "seat_bot"
A POST /actions {"action":"seat_bot"}   -> 409 game_over
A POST /actions {"action":"seat_bot","instead_of_me":true} -> 409 game_over
