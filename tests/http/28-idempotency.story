# Idempotency-Key: a repeated request is carried out once.

story "a repeated creation gives the same game and token"
A POST /v1/games {"name":"Ada","seats":4} with Idempotency-Key: created-once-0123456789abcdef -> 201
	keep game = .game.id keep token = .token keep code = .invite_code keep location = header location
A POST /v1/games {"name":"Ada","seats":4} with Idempotency-Key: created-once-0123456789abcdef -> 201
	.game.id == "$game" .token == "$token" .invite_code == "$code" .seat == 1
	header location == "$location" header cache-control == "no-store" header etag exists
A GET ""                                -> 200 .version == 1

story "a key with another body is refused, even if only blanks differ"
A POST /v1/games {"name":"Ada"} with Idempotency-Key: another-body-0123456789abcdef -> 201
nobody POST /v1/games {"name":"Bob"} with Idempotency-Key: another-body-0123456789abcdef -> 422 idempotency_key_reused
	.errors absent
nobody POST /v1/games body "{\"name\": \"Ada\"}" with Content-Type: application/json with Idempotency-Key: another-body-0123456789abcdef -> 422 idempotency_key_reused

story "requests without a key, or with two keys, are each carried out"
nobody POST /v1/games {"name":"Ada"}    -> 201 keep first = .game.id
nobody POST /v1/games {"name":"Ada"}    -> 201 .game.id != "$first"
nobody POST /v1/games {"name":"Ada"} with Idempotency-Key: one-of-two-keys-0123456 -> 201 keep first = .game.id
nobody POST /v1/games {"name":"Ada"} with Idempotency-Key: two-of-two-keys-0123456 -> 201 .game.id != "$first"

story "an invalid key is refused"
lobby A B C
for $key $fault
	| abcdefghijklmnopqrs                        | too_short
	| $(x*256)                                   | too_long
	| $(x*4096)                                  | too_long
	| "abcdefghijk lmnopqrstuv"                  | not_allowed
	| "abcdefghijklmnopqrstuv, abcdefghijklmnopqrstuv" | not_allowed
	A POST /start with Idempotency-Key: $key -> 422 invalid
		.errors count 1 .errors[0].header == "Idempotency-Key" .errors[0].code == "$fault"
		.errors[0].detail exists .errors[0].pointer absent
end
raw "POST /v1/games HTTP/1.1\r\nHost: x\r\nIdempotency-Key:\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{\"name\":\"A\"}" -> 422 invalid

story "a key has 20 to 255 characters, as a nanoid has 21"
lobby A B C
A POST /start with Idempotency-Key: abcdefghijklmnopqrst -> 200
A POST /start with Idempotency-Key: abcdefghijklmnopqrst -> 200
A POST /chips/white/2/take with Idempotency-Key: V1StGXR8_Z5jdHi6B-myT -> 200
A POST /chips/white/1/take with Idempotency-Key: $(x*255) -> 200

story "every action takes a key"
lobby A B C
for $path in /start /heists /rematch /choices /specialist/proposals /specialist/votes /showdown/answers /chips/white/1/take /chips/white/1/return
	A POST $path with Idempotency-Key: short -> 422 invalid .errors has {"header":"Idempotency-Key","code":"too_short"}
end

story "a refusal lists the faults of the key and of the body"
lobby A
nobody POST /v1/games {"name":""} with Idempotency-Key: short -> 422 invalid .errors count 2
	.errors[*].code == ["too_short","too_short"]
nobody POST /v1/games/$game/players {"x":1} with Idempotency-Key: short -> 422 invalid
	.errors[0].header == "Idempotency-Key"

story "a missing token is reported before the key"
lobby A B C
nobody POST /v1/games/$game/start with Idempotency-Key: short -> 401 unauthenticated
A' POST /start with Idempotency-Key: short -> 401 invalid_token

story "routes that change nothing ignore a key"
table A B C
A GET "" with Idempotency-Key: short    -> 200
A GET /hand with Idempotency-Key: short -> 200
nobody POST /v1/rules/evaluations {"hands":[["Ah","Kh","Qh","Jh","Th"]]} with Idempotency-Key: short -> 200
A DELETE "" with Idempotency-Key: short  -> 204

story "a repeated take is carried out once, even after another move"
table A B C
A POST /chips/white/1/take with Idempotency-Key: taken-once-0123456789abcdef -> 200 .version == 8
B POST /chips/white/1/take              -> 200 .version == 9
A POST /chips/white/1/take with Idempotency-Key: taken-once-0123456789abcdef -> 200 .version == 9
	.heist.chips[stars=1].seat == 2 header etag exists keep etag = header etag
A GET ""                                -> 200 header etag == "$etag"
A POST /chips/white/1/take with Idempotency-Key: taken-again-0123456789abcdef -> 200 .heist.chips[stars=1].seat == 1

story "a repeated request is answered with the present view"
table A B C
A POST /chips/white/1/take with Idempotency-Key: seen-anew-0123456789abcdef -> 200 .heist.round == 1
heist wrong
A GET ""                                -> 200 .heist.phase == "over" keep view = . keep etag = header etag
A POST /chips/white/1/take with Idempotency-Key: seen-anew-0123456789abcdef -> 200 . == $view header etag == "$etag"
	header cache-control == "private, no-cache" header vary has "Authorization"

story "a key with another route or body is refused"
table A B C
A POST /chips/white/1/take with Idempotency-Key: another-route-0123456789abcdef -> 200
A POST /chips/white/2/take with Idempotency-Key: another-route-0123456789abcdef -> 422 idempotency_key_reused
A POST /chips/white/1/return with Idempotency-Key: another-route-0123456789abcdef -> 422 idempotency_key_reused
A POST /chips/white/1/take {} with Idempotency-Key: another-route-0123456789abcdef -> 422 idempotency_key_reused
A POST /chips/white/1/take {"from":"center"} with Idempotency-Key: another-route-0123456789abcdef -> 422 idempotency_key_reused
A POST /heists with Idempotency-Key: another-route-0123456789abcdef -> 422 idempotency_key_reused
A POST /chips/white/1/take with Idempotency-Key: another-route-0123456789abcdef -> 200 .version == 8

story "a refusal is not remembered: the same key may succeed later"
lobby A B C
A POST /chips/white/1/take with Idempotency-Key: refused-first-0123456789abcdef -> 409 game_not_started
A POST /start                           -> 200
A POST /chips/white/1/take with Idempotency-Key: refused-first-0123456789abcdef -> 200 .version == 8
A POST /chips/white/1/take with Idempotency-Key: refused-first-0123456789abcdef -> 200 .version == 8
B POST /chips/white/1/return with Idempotency-Key: refused-first-0123456789abcdef -> 409 chip_not_held
B POST /chips/white/2/take with Idempotency-Key: refused-first-0123456789abcdef -> 200

story "the key is checked before If-Match"
table A B C
A GET ""                                -> 200 keep etag = header etag
A POST /chips/white/1/take with If-Match: $etag with Idempotency-Key: before-if-match-0123456789abcdef -> 200
A POST /chips/white/1/take with If-Match: $etag with Idempotency-Key: before-if-match-0123456789abcdef -> 200
A POST /chips/white/1/take with If-None-Match: * with Idempotency-Key: before-if-match-0123456789abcdef -> 200
A POST /chips/white/2/take with If-Match: $etag with Idempotency-Key: before-if-match-0123456789abcdef -> 422 idempotency_key_reused
A POST /chips/white/2/take with If-Match: $etag -> 412 version_mismatch

story "a key belongs to one seat"
table A B C
A POST /chips/white/1/take with Idempotency-Key: of-one-seat-0123456789abcdef -> 200 .you.seat == 1
B POST /chips/white/1/take with Idempotency-Key: of-one-seat-0123456789abcdef -> 200 .you.seat == 2 .version == 9
C POST /chips/white/2/take with Idempotency-Key: of-one-seat-0123456789abcdef -> 200 .you.seat == 3 .version == 10
nobody POST /v1/games/$game/chips/white/1/take with Idempotency-Key: of-one-seat-0123456789abcdef -> 401 unauthenticated
stranger POST /v1/games/$game/chips/white/1/take with Idempotency-Key: of-one-seat-0123456789abcdef -> 401 invalid_token

story "a key belongs to one game"
lobby A B C
A POST /start with Idempotency-Key: of-one-game-0123456789abcdef -> 200
lobby D E F
D POST /start with Idempotency-Key: of-one-game-0123456789abcdef -> 200
D POST /start with Idempotency-Key: of-one-game-0123456789abcdef -> 200 .version == 7
D POST /start with Idempotency-Key: not-of-this-game-0123456789abcdef -> 409 already_started

story "a repeated join gives the same seat and token, even in a full game"
lobby A B with {"seats":3}
C POST /v1/games/$game/players {"name":"C","invite_code":"$code"} with Idempotency-Key: joined-by-id-0123456789abcdef -> 201
	.seat == 3 .game.status == "playing" keep token = .token keep location = header location
A POST /chips/white/1/take              -> 200
C POST /v1/games/$game/players {"name":"C","invite_code":"$code"} with Idempotency-Key: joined-by-id-0123456789abcdef -> 201
	.seat == 3 .token == "$token" header location == "$location" header cache-control == "no-store"
	.game.version == 8 .game.you.seat == 3
nobody POST /v1/games/$game/players {"name":"D","invite_code":"$code"} with Idempotency-Key: joined-by-id-0123456789abcdef -> 422 idempotency_key_reused
nobody POST /v1/games/$game/players {"name":"C","invite_code":"$code"} with Idempotency-Key: joined-by-id-0123456789abcde0 -> 409 game_full

story "a repeated join by the code alone gives the same seat and token"
lobby A B with {"seats":3}
C POST /v1/invitations/$code/players {"name":"C"} with Idempotency-Key: joined-by-code-0123456789abcdef -> 201
	keep token = .token
C POST /v1/invitations/$code/players {"name":"C"} with Idempotency-Key: joined-by-code-0123456789abcdef -> 201
	.seat == 3 .token == "$token" .game.players count 3
nobody POST /v1/invitations/$code/players {"name":"C"} with Idempotency-Key: joined-by-code-0123456789abcde0 -> 409 game_full
nobody POST /v1/invitations/$code/players {"name":"D"} with Idempotency-Key: joined-by-code-0123456789abcdef -> 422 idempotency_key_reused

story "joining by id and joining by code have separate keys"
lobby A
B POST /v1/invitations/$code/players {"name":"B"} with Idempotency-Key: of-another-route-0123456789abcdef -> 201 .seat == 2
C POST /v1/games/$game/players {"name":"C","invite_code":"$code"} with Idempotency-Key: of-another-route-0123456789abcdef -> 201 .seat == 3

story "a repeated join needs no valid code"
lobby A B
C POST /v1/invitations/$code/players {"name":"C"} with Idempotency-Key: with-an-old-code-0123456789abcdef -> 201 keep token = .token
D POST /v1/games/$game/players {"name":"D","invite_code":"$code"} with Idempotency-Key: with-an-old-code-0123456789abcdef -> 201 keep other = .token
A DELETE /players/2                     -> 204
nobody GET /v1/invitations/$code        -> 404 no_such_invitation
nobody POST /v1/invitations/$code/players {"name":"E"} -> 404 no_such_invitation
nobody POST /v1/games/$game/players {"name":"E","invite_code":"$code"} -> 404 no_such_game
C POST /v1/invitations/$code/players {"name":"C"} with Idempotency-Key: with-an-old-code-0123456789abcdef -> 201
	.token == "$token" .seat == 2
D POST /v1/games/$game/players {"name":"D","invite_code":"$code"} with Idempotency-Key: with-an-old-code-0123456789abcdef -> 201
	.token == "$other" .seat == 3

story "a repeated join of a removed player is refused"
lobby A B
C POST /v1/invitations/$code/players {"name":"C"} with Idempotency-Key: removed-since-0123456789abcdef -> 201
C GET ""                                -> 200
A DELETE /players/3                     -> 204
C POST /v1/invitations/$code/players {"name":"C"} with Idempotency-Key: removed-since-0123456789abcdef -> 401 invalid_token
D POST /v1/games {"name":"D"} with Idempotency-Key: left-since-0123456789abcdef -> 201
E POST /v1/games/$game/players {"name":"E","invite_code":"$code"} with Idempotency-Key: left-since-0123456789abcdef -> 201
F POST /v1/games/$game/players {"name":"F","invite_code":"$code"} -> 201
E DELETE /players/2                     -> 204
E POST /v1/games/$game/players {"name":"E","invite_code":"$code"} with Idempotency-Key: left-since-0123456789abcdef -> 401 invalid_token
D DELETE /players/1                     -> 204
D POST /v1/games {"name":"D"} with Idempotency-Key: left-since-0123456789abcdef -> 401 invalid_token

story "a seat that was taken over is not given back"
lobby A B
C POST /v1/invitations/$code/players {"name":"C"} with Idempotency-Key: taken-over-0123456789abcdef -> 201
A POST /start                           -> 200
C POST /chips/white/1/take with Idempotency-Key: taken-over-0123456789abcdef -> 200
C DELETE /players/3                     -> 204
D POST /v1/invitations/$code/players {"name":"D"} with Idempotency-Key: takes-over-0123456789abcdef -> 201 .seat == 3
C POST /v1/invitations/$code/players {"name":"C"} with Idempotency-Key: taken-over-0123456789abcdef -> 401 invalid_token
C POST /chips/white/1/take with Idempotency-Key: taken-over-0123456789abcdef -> 401 invalid_token
D POST /chips/white/1/take with Idempotency-Key: taken-over-0123456789abcdef -> 409 chip_already_held
D POST /v1/invitations/$code/players {"name":"D"} with Idempotency-Key: takes-over-0123456789abcdef -> 201 .seat == 3

story "a repeated request for a deleted game is refused"
D POST /v1/games {"name":"D"} with Idempotency-Key: deleted-since-0123456789abcdef -> 201
E POST /v1/games/$game/players {"name":"E","invite_code":"$code"} with Idempotency-Key: deleted-since-0123456789abcdef -> 201
F POST /v1/invitations/$code/players {"name":"F"} with Idempotency-Key: deleted-since-0123456789abcdef -> 201
D POST /start with Idempotency-Key: deleted-since-0123456789abcdef -> 200
D DELETE ""                             -> 204
D POST /start with Idempotency-Key: deleted-since-0123456789abcdef -> 401 invalid_token
D POST /v1/games {"name":"D"} with Idempotency-Key: deleted-since-0123456789abcdef -> 401 invalid_token
nobody POST /v1/games/$game/players {"name":"E","invite_code":"$code"} with Idempotency-Key: deleted-since-0123456789abcdef -> 404 no_such_game
nobody POST /v1/invitations/$code/players {"name":"F"} with Idempotency-Key: deleted-since-0123456789abcdef -> 404 no_such_invitation

story "a repeated deal gives the same heist"
table A B C
heist right
A POST /heists with Idempotency-Key: dealt-once-0123456789abcdef -> 201 .heist.number == 2 keep location = header location
A POST /heists with Idempotency-Key: dealt-once-0123456789abcdef -> 201 .heist.number == 2 header location == "$location"
B POST /heists with Idempotency-Key: dealt-once-0123456789abcdef -> 409 showdown_not_reached

story "a repeated rematch gives the same game, even after a move there"
table A B C
A POST /chips/white/1/take with Idempotency-Key: before-the-rematch-0123456789abcdef -> 200
until A .status != "playing"
	heist wrong
end
A GET ""                                -> 200 keep old = .id
A POST /v1/games/$old/rematch with Idempotency-Key: rematch-once-0123456789abcdef -> 201 keep next = .id keep location = header location
	.rematch_of.id == "$old"
A POST /v1/games/$old/rematch with Idempotency-Key: rematch-once-0123456789abcdef -> 201 .id == "$next" header location == "$location"
	.you.seat == 1
A POST /v1/games/$old/rematch {} with Idempotency-Key: rematch-once-0123456789abcdef -> 422 idempotency_key_reused
B POST /v1/games/$old/rematch with Idempotency-Key: rematch-once-0123456789abcdef -> 409 already_used
A POST /v1/games/$next/chips/white/1/take with Idempotency-Key: rematch-once-0123456789abcdef -> 200 .you.seat == 1
A POST /v1/games/$old/rematch with Idempotency-Key: rematch-once-0123456789abcdef -> 201 .id == "$next" .heist.chips[stars=1].seat == 1
# a repeated move of the ended game is answered too
A POST /v1/games/$old/chips/white/1/take with Idempotency-Key: before-the-rematch-0123456789abcdef -> 200 .id == "$old" .rematch.id == "$next"
A DELETE /v1/games/$next                -> 204
A POST /v1/games/$old/rematch with Idempotency-Key: rematch-once-0123456789abcdef -> 401 invalid_token

story "two equal requests at once get the same answer"
lobby A B
together
	nobody POST /v1/games {"name":"Z"} with Idempotency-Key: created-at-once-0123456789
	nobody POST /v1/games {"name":"Z"} with Idempotency-Key: created-at-once-0123456789
end -> 201, 201
together
	nobody POST /v1/invitations/$code/players {"name":"C"} with Idempotency-Key: joined-at-once-0123456789
	nobody POST /v1/invitations/$code/players {"name":"C"} with Idempotency-Key: joined-at-once-0123456789
end -> 201, 201
A GET ""                                -> 200 .players count 3 .version == 3
together
	A POST /start with Idempotency-Key: started-at-once-0123456789
	A POST /start with Idempotency-Key: started-at-once-0123456789
end -> 200, 200
together
	A POST /chips/white/1/take {"from":"center"} with Idempotency-Key: taken-at-once-0123456789
	A POST /chips/white/1/take {"from":"center"} with Idempotency-Key: taken-at-once-0123456789
	B POST /chips/white/2/take {"from":"center"} with Idempotency-Key: taken-at-once-0123456789
end -> 200, 200, 200
A GET ""                                -> 200 .version == 9
together
	A POST /chips/white/3/take with Idempotency-Key: one-of-two-at-once-0123456789
	A POST /chips/white/1/return with Idempotency-Key: one-of-two-at-once-0123456789
end
A GET ""                                -> 200 .version <= 11

story "a repeated removal in the lobby frees the seat once"
lobby A B C with {"seats":5}
A DELETE /players/2 with Idempotency-Key: removed-once-0123456789abcdef -> 204
A DELETE /players/2 with Idempotency-Key: removed-once-0123456789abcdef -> 204
A GET ""                                -> 200 .players[*].name == ["A","C"] .version == 4
A DELETE /players/1 with Idempotency-Key: removed-once-0123456789abcdef -> 422 idempotency_key_reused
A DELETE /players/2 with Idempotency-Key: short -> 422 invalid .errors[0].header == "Idempotency-Key"
A DELETE /players/2                     -> 204
A GET ""                                -> 200 .players[*].name == ["A"]

story "a repeated removal removes no later player"
table A B C
A DELETE /players/3 with Idempotency-Key: removed-in-play-0123456789abcdef -> 204
A GET /invitation                       -> 200 keep fresh = .invite_code
D POST /v1/invitations/$fresh/players {"name":"D"} -> 201 .seat == 3
A DELETE /players/3 with Idempotency-Key: removed-in-play-0123456789abcdef -> 204 header etag absent
D GET /v1/games/$game                   -> 200 .you.seat == 3

story "a player who has left may repeat that request, and no other"
table A B C
C DELETE /players/3 with Idempotency-Key: left-once-0123456789abcdef -> 204
C DELETE /players/3 with Idempotency-Key: left-once-0123456789abcdef -> 204 body == ""
C DELETE /players/3                     -> 401 invalid_token
C DELETE /players/3 with Idempotency-Key: left-twice-0123456789abcdef -> 401 invalid_token
C GET "" with Idempotency-Key: left-once-0123456789abcdef -> 401 invalid_token
C POST /chips/white/1/take with Idempotency-Key: left-once-0123456789abcdef -> 401 invalid_token
B DELETE /players/3 with Idempotency-Key: left-once-0123456789abcdef -> 404 no_such_seat
nobody DELETE /v1/games/$game/players/3 with Idempotency-Key: left-once-0123456789abcdef -> 401 unauthenticated
A GET ""                                -> 200 .players[*].vacant == [false,false,true]
together
	A DELETE /players/2 with Idempotency-Key: removed-at-once-0123456789
	A DELETE /players/2 with Idempotency-Key: removed-at-once-0123456789
end -> 204, 204

story "the keys of a lobby are gone when its last player leaves"
lobby A
A DELETE /players/1 with Idempotency-Key: last-one-out-0123456789abcdef -> 204
A DELETE /players/1 with Idempotency-Key: last-one-out-0123456789abcdef -> 401 invalid_token
