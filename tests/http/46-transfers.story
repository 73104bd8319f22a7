# POST /v1/games/{game_id}/transfers: a code by which another device gets the
# seat, once.  The device itself has no token yet.

story "a code takes the seat to another device"
table A B C
B POST /transfers                       -> 201
	.code matches "^[0-9A-Za-z]{22}$"
	.expires_at matches "^2[0-9]{3}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]"
	header cache-control == "no-store"
	header etag absent
	header location absent
	keep code = .code
# it asks first
nobody POST /v1/games/$game/transfers/claim {"code":"$code"} -> 200
	. == {"game_id":"$game","ruleset":"the_gang","mode":"basic","seat":2,"name":"B"}
	header cache-control == "no-store"
nobody POST /v1/games/$game/transfers/claim {"code":"$code","confirm":false} -> 200 .seat == 2
B POST /transfers/claim {"code":"$code","confirm":true} with Authorization: -> 201
	.seat == 2 .game.you.seat == 2 .token == "$B.token"
	header cache-control == "no-store"
	header location == "/v1/games/$game"
# both have the seat
B POST /chips/white/1/take              -> 200 .version == 8

story "a code is used once"
table A B C
A POST /transfers                       -> 201 keep code = .code
A POST /transfers/claim {"code":"$code","confirm":true} with Authorization: -> 201
nobody POST /v1/games/$game/transfers/claim {"code":"$code","confirm":true} -> 404 no_such_transfer
nobody POST /v1/games/$game/transfers/claim {"code":"$code"} -> 404 no_such_transfer

story "a claim whose answer was lost is repeated under its key"
table A B C
A POST /transfers                       -> 201 keep code = .code
A POST /transfers/claim {"code":"$code","confirm":true} with Authorization: with Idempotency-Key: the-lost-answer-0123456789ab -> 201 keep token = .token
A POST /transfers/claim {"code":"$code","confirm":true} with Authorization: with Idempotency-Key: the-lost-answer-0123456789ab -> 201 .token == "$token"
nobody POST /v1/games/$game/transfers/claim {"code":"$code","confirm":true} with Idempotency-Key: another-device-0123456789abc -> 404 no_such_transfer
nobody POST /v1/games/$game/transfers/claim {"code":"$code","confirm":true} -> 404 no_such_transfer
operator age-transfers $game 601
nobody POST /v1/games/$game/transfers/claim {"code":"$code","confirm":true} with Idempotency-Key: the-lost-answer-0123456789ab -> 404 no_such_transfer

story "a code expires after ten minutes"
table A B C
A POST /transfers                       -> 201 keep code = .code
operator age-transfers $game 590
nobody POST /v1/games/$game/transfers/claim {"code":"$code"} -> 200
operator age-transfers $game 601
nobody POST /v1/games/$game/transfers/claim {"code":"$code"} -> 404 no_such_transfer
nobody POST /v1/games/$game/transfers/claim {"code":"$code","confirm":true} -> 404 no_such_transfer

story "a new code ends the earlier one of its seat, and no other"
table A B C
A POST /transfers                       -> 201 keep first = .code
B POST /transfers                       -> 201 keep other = .code
A POST /transfers                       -> 201 keep second = .code .code != "$first"
nobody POST /v1/games/$game/transfers/claim {"code":"$first"} -> 404 no_such_transfer
nobody POST /v1/games/$game/transfers/claim {"code":"$second"} -> 200 .name == "A"
nobody POST /v1/games/$game/transfers/claim {"code":"$other"} -> 200 .name == "B"
# a seat has a code again after it was used
A POST /transfers/claim {"code":"$second","confirm":true} with Authorization: -> 201
A POST /transfers                       -> 201 keep third = .code
A POST /transfers/claim {"code":"$third","confirm":true} with Authorization: -> 201

story "a code is for its game"
table A B C
A POST /transfers                       -> 201 keep theirs = .code
lobby D
nobody POST /v1/games/$game/transfers/claim {"code":"$theirs"} -> 404 no_such_transfer
nobody POST /v1/games/0193fd2c-7a40-7bc1-9d0e-5a6b7c8d9e0f/transfers/claim {"code":"$theirs"} -> 404 no_such_transfer

story "leaving ends the code, and so does a new token"
lobby A B C with {"seats":5}
B POST /transfers                       -> 201 keep code = .code
C POST /transfers                       -> 201 keep moved = .code
B DELETE /players/2                     -> 204
nobody POST /v1/games/$game/transfers/claim {"code":"$code"} -> 404 no_such_transfer
# C is at seat 2 now
nobody POST /v1/games/$game/transfers/claim {"code":"$moved"} -> 200 .seat == 2 .name == "C"
C POST /players/2/token with Idempotency-Key: ends-the-code-too-0123456789 -> 201
nobody POST /v1/games/$game/transfers/claim {"code":"$moved","confirm":true} -> 404 no_such_transfer

story "the game of a deleted code"
lobby A B
B POST /transfers                       -> 201 keep code = .code
A DELETE ""                             -> 204
nobody POST /v1/games/$game/transfers/claim {"code":"$code"} -> 404 no_such_transfer

story "invalid codes and bodies are refused"
table A B C
for $code in "" x 00000000000000000000000 000000000000000000000- 0000000000000000000000
	nobody POST /v1/games/$game/transfers/claim {"code":"$code"} -> 404 no_such_transfer
end
nobody POST /v1/games/$game/transfers/claim {} -> 422 invalid .errors[0].pointer == "/code"
nobody POST /v1/games/$game/transfers/claim {"code":1} -> 422 invalid
nobody POST /v1/games/$game/transfers/claim {"code":"x","confirm":"yes"} -> 422 invalid
nobody POST /v1/games/$game/transfers/claim {"code":"x","keep":true} -> 422 invalid
nobody POST /v1/games/x/transfers/claim {"code":"x"} -> 404 no_such_game
A POST /transfers {"code":"x"}          -> 422 invalid
A POST /transfers with If-Match: "x"    -> 412 version_mismatch
A POST /transfers                       -> 201 keep good = .code
nobody POST /v1/games/$game/transfers/claim {"code":"$good"} with If-Match: "x" -> 200
A POST /transfers/claim {"code":"$good","confirm":true} with Authorization: with If-Match: "x" -> 201
nobody POST /v1/games/$game/transfers   -> 401 unauthenticated
nobody POST /v1/games/x/transfers       -> 404 no_such_game

story "a code of Famiglia"
lobby A with {"ruleset":"famiglia","seats":2}
A POST /transfers                       -> 201 keep code = .code
nobody POST /v1/games/$game/transfers/claim {"code":"$code"} -> 200 .ruleset == "famiglia" .mode == null
