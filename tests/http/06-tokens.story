# The rights of tokens; a request without the right learns nothing.

story "every route under a game wants a token of that game"
table A B C
lobby X
for $method $path
	| GET    | ""
	| DELETE | ""
	| GET    | /invitation
	| POST   | /start
	| GET    | /hand
	| GET    | /players/1/hand
	| GET    | /events
	| POST   | /chips/white/1/take
	| POST   | /chips/white/1/return
	| POST   | /heists
	| GET    | /heists
	| GET    | /heists/1
	| GET    | /showdown
	# no token, an unknown one, one of another game, and a damaged one
	nobody   $method /v1/games/$A.game$path -> 401 unauthenticated
		header www-authenticate == "Bearer realm=\"gangd\""
	stranger $method /v1/games/$A.game$path -> 401 invalid_token
		header www-authenticate == "Bearer realm=\"gangd\", error=\"invalid_token\""
	X        $method /v1/games/$A.game$path -> 401 invalid_token
	A'       $method /v1/games/$A.game$path -> 401 invalid_token

	# the same callers are refused in the same way for an unknown game
	nobody   $method /v1/games/01890a5d-ac96-774b-bcce-b302099a8057$path -> 401 unauthenticated
	stranger $method /v1/games/01890a5d-ac96-774b-bcce-b302099a8057$path -> 401 invalid_token
	X        $method /v1/games/01890a5d-ac96-774b-bcce-b302099a8057$path -> 401 invalid_token
	A'       $method /v1/games/01890a5d-ac96-774b-bcce-b302099a8057$path -> 401 invalid_token
end

story "a private game and one that does not exist look the same"
table A B C
stranger GET /v1/games/$game            -> 401 keep title = .title keep detail = .detail
stranger GET /v1/games/01890a5d-ac96-774b-bcce-b302099a8057 -> 401
	.title == "$title" .detail == "$detail"

story "outsiders do not learn a game's state from refusals"
table A B C
lobby X Y Z
for $path in /start /chips/white/1/take /chips/red/6/take /heists
	stranger POST /v1/games/$A.game$path -> 401 invalid_token
	stranger POST /v1/games/$X.game$path -> 401 invalid_token
	nobody   POST /v1/games/$A.game$path -> 401 unauthenticated
end
for $game in $A.game 01890a5d-ac96-774b-bcce-b302099a8057
	stranger POST /v1/games/$game/start {"x":1} -> 422 invalid
	nobody   POST /v1/games/$game/start {"x":1} -> 401 unauthenticated
end
nobody POST /v1/games/$A.game/chips/white/1/take with If-Match: "x" -> 401 unauthenticated
stranger GET /v1/games/$A.game/players/6/hand -> 401 invalid_token
stranger GET /v1/games/$A.game/heists/9 -> 401 invalid_token

story "the Authorization scheme is read without regard to case"
lobby A
nobody GET /v1/games/$game with Authorization: bearer $A.token -> 200
nobody GET /v1/games/$game with Authorization: BEARER   $A.token -> 200
for $header
	| Bearer
	| Basic QTpC
	| Digest x=y
	nobody GET /v1/games/$game with Authorization: $header -> 401 unauthenticated
end
nobody GET /v1/games/$game with Authorization: $A.token -> 401 unauthenticated
nobody GET /v1/games/$game with Authorization: Bearer $A.token x -> 401 invalid_token
nobody GET /v1/games/$game with Authorization: Bearer $A.token, Bearer $A.token -> 401 invalid_token
nobody GET /v1/games/$game with Authorization: Bearer gang_ -> 401 invalid_token
nobody GET /v1/games/$game with Authorization: Bearer x -> 401 invalid_token
nobody GET /v1/games/$game with Authorization: Bearer $(0*54) -> 401 invalid_token

story "a token in the query is refused"
lobby A
nobody GET /v1/games/$game?token=$A.token -> 422 invalid .errors[0].parameter == "token"

story "public routes ignore tokens"
lobby A
A GET /v1/invitations/$code             -> 200
A POST /v1/rules/evaluations {"hands":[["Ah","Kh","Qh","Jh","Th"]]} -> 200

story "each token shows the cards of its own seat"
table A B C
A GET ""                                -> 200 .you.seat == 1 keep cards = .you.pocket_cards
B GET ""                                -> 200 .you.seat == 2 .you.pocket_cards != $cards
C GET ""                                -> 200 .you.seat == 3
