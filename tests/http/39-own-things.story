# The things of a player: name, avatar and token.

story "a player changes the own name, and everybody sees it"
table A B C with {"spectators":true}
B streams /events?after=7&views=true
B sees .players[0].name == "A"
A PATCH /players/1 {"name":" Alma "}    -> 200 .version == 8 .players[0].name == "Alma" .you.seat == 1
	header content-location == "/v1/games/$game" header etag exists header cache-control == "private, no-cache"
B hears {"version":8,"type":"player_changed","seat":1,"data":{"name":"Alma","avatar":null,"old_name":"A"}}
B sees .players[0] == {"seat":1,"name":"Alma","avatar":null,"host":true,"vacant":false,"bot":null}
nobody GET /v1/games/$game/players      -> 200 .players[0].name == "Alma"
nobody GET /v1/games/$game/events?after=7 -> 200 .events[0].data == {"name":"Alma","avatar":null,"old_name":"A"}
C GET ""                                -> 200 .players[*].name == ["Alma","B","C"]

story "a player shows an avatar, changes and removes it"
lobby A B with {"seats":4}
A GET ""                                -> 200 .players[*].avatar == [null,null]
A PATCH /players/1 {"avatar":"🦊"}      -> 200 .players[0].name == "A" .players[0].avatar == "🦊"
A PATCH /players/1 {"name":"Ann"}       -> 200 .players[0].name == "Ann" .players[0].avatar == "🦊"
A PATCH /players/1 {"name":"Ada","avatar":"pictures/fox \"7\".png"} -> 200 .players[0].avatar == "pictures/fox \"7\".png"
A PATCH /players/1 {"avatar":null}      -> 200 .players[0].avatar == null
B GET /events?after=2                   -> 200 .events[*].type == ["player_changed","player_changed","player_changed","player_changed"]
	.events[*].data.avatar == ["🦊","🦊","pictures/fox \"7\".png",null]
	.events[*].data.name == ["A","Ann","Ada","Ada"]
	.events[*].data.old_name == [null,"A","Ann",null]
B GET /players                          -> 200 .players[0].avatar == null

story "an avatar may come with creating and joining"
A POST /v1/games {"name":"A","seats":4,"avatar":"a"} -> 201 .game.players[0].avatar == "a"
B POST /v1/invitations/$code/players {"name":"B","avatar":"b"} -> 201 .game.players[*].avatar == ["a","b"]
C POST /v1/games/$game/players {"name":"C","invite_code":"$code","avatar":null} -> 201 .game.players[*].avatar == ["a","b",null]
A GET /events                           -> 200 .events[*].data == [{"name":"A","avatar":"a","bot":null},{"name":"B","avatar":"b","bot":null},{"name":"C","avatar":null,"bot":null}]
# the seats close up, and the avatars with them
B DELETE /players/2                     -> 204
A GET ""                                -> 200 .players[*].name == ["A","C"] .players[*].avatar == ["a",null]

story "events name who joined and left"
lobby A B with {"seats":4}
A GET /events                           -> 200 .events[*].data.name == ["A","B"]
B PATCH /players/2 {"name":"Bea"}       -> 200
B DELETE /players/2                     -> 204
A GET /events?after=3                   -> 200 .events[0].type == "player_left" .events[0].data == {"name":"Bea"}

story "a rematch keeps names and avatars, and its events name the players"
table A B C with {"mode":"basic"}
B PATCH /players/2 {"name":"Bea","avatar":"b"} -> 200
C DELETE /players/3                     -> 204
until A .status == "playing"
end
D POST /v1/games/$game/players {"name":"D","invite_code":"$code"} -> 201 .seat == 3
	.game.players[*].name == ["A","Bea","D"] .game.players[*].avatar == [null,"b",null]

story "the names of a table stay different"
lobby A B with {"seats":4}
A GET ""                                -> 200 keep version = .version
for $name $fault
	| B                 | taken
	| b                 | taken
	| \u200b            | too_short
	| ""                | too_short
	| $(x*41)           | too_long
	| A\nB              | control_character
	| Ada\u202e         | control_character
	A PATCH /players/1 body "{\"name\":\"$name\"}" -> 422 invalid .errors count 1 .errors[0].pointer == "/name" .errors[0].code == "$fault"
end
A GET ""                                -> 200 .version == $version .players[0].name == "A"
# the own name in another spelling is not taken
A PATCH /players/1 {"name":"a"}         -> 200 .players[0].name == "a"
# the name that is free again is not taken either
B PATCH /players/2 {"name":"Bea"}       -> 200
A PATCH /players/1 {"name":"B"}         -> 200 .players[*].name == ["B","Bea"]
nobody POST /v1/games/$game/players {"name":"bea","invite_code":"$code"} -> 422 .errors[0].code == "taken"

story "the longest avatars fit into each answer"
lobby A B C D E F with {"seats":6}
A streams /events
A PATCH /players/1 {"name":"1$(\*39)","avatar":"$(\*512)"} -> 200
B PATCH /players/2 {"name":"2$(\*39)","avatar":"$(\*512)"} -> 200
C PATCH /players/3 {"name":"3$(\*39)","avatar":"$(\*512)"} -> 200
D PATCH /players/4 {"name":"4$(\*39)","avatar":"$(\*512)"} -> 200
E PATCH /players/5 {"name":"5$(\*39)","avatar":"$(\*512)"} -> 200
F PATCH /players/6 {"name":"6$(\*39)","avatar":"$(\*512)"} -> 200
F PATCH /players/6 {"name":"7$(\*39)"} -> 200
A GET ""                                -> 200
A GET /players                          -> 200
A GET /events                           -> 200 .events[-1].data.old_name == "6$(\*39)"
A hears 7
nobody GET /v1/games                    -> 200
F GET "" -> 200 .players[5].avatar == "$(\*512)"

story "an avatar that cannot be shown is refused"
lobby A
A GET ""                                -> 200 keep version = .version
for $avatar $fault
	| ""                | too_short
	| "  "              | too_short
	| \u200b            | too_short
	| $(x*513)          | too_long
	| $(🦊*129)         | too_long
	| a\n               | control_character
	| a\u202e           | control_character
	| a\u200b           | invisible_character
	| a\ufffd           | replacement_character
	| a\ue000           | unassigned_character
	A PATCH /players/1 body "{\"avatar\":\"$avatar\"}" -> 422 invalid .errors count 1 .errors[0].pointer == "/avatar" .errors[0].code == "$fault"
	nobody POST /v1/games body "{\"name\":\"N\",\"avatar\":\"$avatar\"}" -> 422 invalid .errors[0].pointer == "/avatar" .errors[0].code == "$fault"
end
A PATCH /players/1 {"avatar":"$(🦊*128)"} -> 200 .players[0].avatar == "$(🦊*128)"
A PATCH /players/1 {"avatar":"жд Ada"}  -> 200 .players[0].avatar == "жд Ada"

story "a change that says nothing, or something wrong, is refused"
lobby A
A PATCH /players/1 {}                   -> 422 invalid .errors has {"pointer":"","code":"required"}
A PATCH /players/1 {"nick":"A"}         -> 422 invalid .errors[*].code == ["required","unknown"]
A PATCH /players/1 {"name":null}        -> 422 invalid .errors[*].pointer == ["/name"] .errors[0].code == "wrong_type"
A PATCH /players/1 {"name":7}           -> 422 invalid .errors[*].pointer == ["/name"] .errors[0].code == "wrong_type"
A PATCH /players/1 {"avatar":{}}        -> 422 invalid .errors[*].pointer == ["/avatar"] .errors[0].code == "wrong_type"
A PATCH /players/1 {"name":"Z","seat":2} -> 422 invalid .errors[*].pointer == ["/seat"] .errors[0].code == "unknown"
A PATCH /players/1 []                   -> 422 invalid .errors[*].code == ["wrong_type"]
A PATCH /players/1 body "{"             -> 400 malformed
A PATCH /players/1 body "{\"name\":\"Z\"}" with Content-Type: application/merge-patch+json -> 415
A PATCH /players/1                      -> 422 .errors[0].code == "required"
A GET ""                                -> 200 .version == 1

story "only the player of a seat changes it"
lobby A B with {"seats":4}
A PATCH /players/2 {"name":"Zoe"}       -> 403 not_your_seat
A POST /players/2/token with Idempotency-Key: not-my-own-seat-0123456789 -> 403 not_your_seat
A PATCH /players/3 {"name":"Zoe"}       -> 404 no_such_seat
A PATCH /players/7 {"name":"Zoe"}       -> 404 no_such_seat
A POST /players/3/token with Idempotency-Key: nobodys-seat-0123456789abc -> 404 no_such_seat
stranger PATCH /v1/games/$game/players/2 {"name":"Zoe"} -> 401 invalid_token
nobody PATCH /v1/games/$game/players/2 {"name":"Zoe"} -> 401 unauthenticated
nobody POST /v1/games/$game/players/2/token -> 401 unauthenticated
A GET ""                                -> 200 .version == 2

story "a change is repeated under its key, and keeps to conditions"
lobby A B with {"seats":4}
A GET ""                                -> 200 keep etag = header etag
A PATCH /players/1 {"name":"Ann"} with Idempotency-Key: rename-once-0123456789abcdef -> 200 .version == 3
A PATCH /players/1 {"name":"Ann"} with Idempotency-Key: rename-once-0123456789abcdef -> 200 .version == 3
A PATCH /players/1 {"name":"Eve"} with Idempotency-Key: rename-once-0123456789abcdef -> 422 idempotency_key_reused
A PATCH /players/1 {"name":"Eve"} with If-Match: $etag -> 412 version_mismatch
A GET ""                                -> 200 .version == 3 .players[0].name == "Ann"

story "a change after the end of the game is one too"
table A B with {"ruleset":"famiglia"}
A DELETE /players/1                     -> 204
B GET ""                                -> 200 .status == "over"
B PATCH /players/2 {"name":"Bea"}       -> 200 .players[1].name == "Bea"
B POST /players/2/token with Idempotency-Key: after-the-end-0123456789abcd -> 201

story "a new token ends the old one"
table A B C
A GET ""                                -> 200 keep version = .version
B GET /events?after=$version            -> 200 keep old = header x-request-id
B POST /players/2/token with Idempotency-Key: renewed-once-0123456789abcdef with X-Request-Id: keep -> 201 keep first = .token
	.seat == 2 .game.you.seat == 2 .game.version > $version header cache-control == "no-store" header location == "/v1/games/$game"
	header content-location absent
A GET /events?after=$version            -> 200 .events count 1 .events[0].type == "token_renewed" .events[0].seat == 2 .events[0].data == {}
B GET /hand                             -> 200
B POST /players/2/token with Idempotency-Key: renewed-twice-0123456789abcdef -> 201 .token != "$first"
nobody GET /v1/games/$game with Authorization: Bearer $first -> 401 invalid_token
nobody POST /v1/games/$game/chips/white/1/take with Authorization: Bearer $first -> 401 invalid_token
nobody POST /v1/games/$game/players/2/token with Authorization: Bearer $first with Idempotency-Key: some-other-key-0123456789abcdef -> 401 invalid_token
B POST /chips/white/1/take              -> 200

story "a renewal whose answer was lost is repeated with the old token and its key"
lobby A B with {"seats":4}
B GET ""                                -> 200
B POST /players/2/token with Idempotency-Key: the-answer-before-0123456789 -> 201 keep old = .token
B POST /players/2/token with Idempotency-Key: the-lost-answer-0123456789ab -> 201 keep new = .token
B POST /players/2/token with Authorization: Bearer $old with Idempotency-Key: the-lost-answer-0123456789ab -> 201
	.token == "$new" .seat == 2 .game.you.seat == 2 header cache-control == "no-store"
B GET ""                                -> 200 .version == 4
# only that request: the key opens nothing else, and no other key opens it
nobody GET /v1/games/$game with Authorization: Bearer $old -> 401 invalid_token
nobody POST /v1/games/$game/players/2/token {"x":1} with Authorization: Bearer $old with Idempotency-Key: the-lost-answer-0123456789ab -> 422
nobody POST /v1/games/$game/players/1/token with Authorization: Bearer $old with Idempotency-Key: the-lost-answer-0123456789ab -> 422 idempotency_key_reused
nobody POST /v1/games/$game/players/2/token with Authorization: Bearer $A.token with Idempotency-Key: the-lost-answer-0123456789ab -> 403 not_your_seat
nobody POST /v1/games/$game/players/2/token with Idempotency-Key: the-lost-answer-0123456789ab -> 401 unauthenticated
# the seat's number is another by now, and the token is the player's still
A DELETE /players/1                     -> 204
B POST /players/2/token with Authorization: Bearer $old with Idempotency-Key: the-lost-answer-0123456789ab -> 201
	.token == "$new" .seat == 1
# the token that the answer held was itself renewed
B POST /players/1/token with Idempotency-Key: the-next-renewal-0123456789 -> 201 keep last = .token
nobody POST /v1/games/$game/players/2/token with Authorization: Bearer $old with Idempotency-Key: the-lost-answer-0123456789ab -> 401 invalid_token
B POST /players/1/token with Authorization: Bearer $new with Idempotency-Key: the-next-renewal-0123456789 -> 201 .token == "$last"
B DELETE /players/1                     -> 204
B POST /players/1/token with Authorization: Bearer $new with Idempotency-Key: the-next-renewal-0123456789 -> 401 invalid_token

story "a renewal needs a key"
lobby A
A POST /players/1/token                 -> 422 invalid .errors == [{"header":"Idempotency-Key","code":"required","detail":"A renewal needs a key: if the answer is lost, repeat the request with the same key and the old token."}]
A POST /players/1/token with Idempotency-Key: short -> 422 .errors[0].code == "too_short"
A POST /players/1/token {"token":"x"} with Idempotency-Key: with-a-body-0123456789abcdef -> 422 .errors[0].code == "unknown"
A GET ""                                -> 200 .version == 1

story "what was open with the old token ends"
table A B C
B streams /events?after=7
C streams /events?after=7
B POST /stream_tickets                  -> 201 keep ticket = .ticket
B GET "" with Prefer: wait=20 with If-None-Match: "0" -> 200 keep etag = header etag
B GET "" with Prefer: wait=20 with If-None-Match: $etag -> parked
B POST /players/2/token with Idempotency-Key: all-is-closed-0123456789abcd -> 201
B hears closed renewed
B                                       -> 401 invalid_token
C hears {"version":8,"type":"token_renewed","seat":2,"data":{}}
nobody GET /v1/games/$game/events?ticket=$ticket with Accept: text/event-stream -> 401 invalid_token
B streams /events?after=8
A POST /chips/white/1/take              -> 200
B hears {"version":9,"type":"chip_taken"}

story "a repeated join does not give a token that was renewed"
lobby A
B POST /v1/invitations/$code/players {"name":"B"} with Idempotency-Key: joined-once-0123456789abcdef -> 201
B POST /players/2/token with Idempotency-Key: and-then-renewed-0123456789a -> 201
nobody POST /v1/invitations/$code/players {"name":"B"} with Idempotency-Key: joined-once-0123456789abcdef -> 401 invalid_token
