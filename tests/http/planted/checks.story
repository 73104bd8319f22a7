# What the runner checks of every answer, and what it must find.  The answers
# are spoiled on their way, see spoiler.py.

story "an answer without its request's id"
nobody GET /livez with X-Spoil: drop x-request-id  # fails: x-request-id is missing

story "another player's token"
table A B C
A GET ""
A GET "" with X-Spoil: put "$B.token"  # fails: B's token is in it

story "another player's token, to nobody"
table A B C
nobody GET /v1/games/$game -> 401
nobody GET /v1/games/$game with X-Spoil: put "$C.token" -> 401  # fails: C's token is in it

story "another player's card in a view"
table A B C
B GET /hand -> 200 keep card = .pocket_cards[1]
B GET "" with X-Spoil: put "$card"
A GET "" with X-Spoil: put "$card"  # fails: B's card

story "another player's card in the answer to a move"
table A B C
C GET /hand -> 200 keep cards = .pocket_cards
A POST /chips/white/1/take with X-Spoil: put {"pocket_cards":$cards}  # fails: C's card

story "another player's card in the log"
table A B C
B GET /hand -> 200 keep cards = .pocket_cards
A GET /events with X-Spoil: put $cards  # fails: B's card

story "another player's card in a refusal"
table A B C
B GET /hand -> 200 keep cards = .pocket_cards
A GET /players/2/hand -> 403
A GET /players/2/hand with X-Spoil: put $cards -> 403  # fails: B's card

story "another player's card, to somebody without a seat"
table A B C with {"spectators":true}
B GET /hand -> 200 keep cards = .pocket_cards
nobody GET /v1/games/$game -> 200
nobody GET /v1/games/$game with X-Spoil: put $cards  # fails: B's card

story "another player's card in the second heist"
table A B C
heist right
B GET /hand -> 200 keep cards = .pocket_cards
A GET "" with X-Spoil: put $cards
A POST /heists -> 201
B GET /hand -> 200 keep cards = .pocket_cards
A GET "" with X-Spoil: put $cards  # fails: B's card

story "a refusal that changed the game"
table A B C
A POST /chips/white/1/return -> 409
A POST /chips/white/1/take with X-Spoil: status 409 chip_moved -> 409  # fails: it changed the game

story "a problem that is no problem document"
nobody GET /nowhere -> 404
nobody GET /nowhere with X-Spoil: set content-type: application/json -> 404  # fails: content-type

story "a problem of another status"
nobody GET /livez with X-Spoil: set x: y -> 200
nobody GET /nowhere with X-Spoil: status 409 no_such_route -> 409 no_such_route
table A B C
A GET "" with X-Spoil: status 401 invalid_token -> 401  # fails: www-authenticate is missing

story "a token that caches may keep"
nobody POST /v1/games {"name":"A"} -> 201
nobody POST /v1/games {"name":"A"} with X-Spoil: set cache-control: private, no-cache -> 201  # fails: cache-control

story "something created, but where?"
nobody POST /v1/games {"name":"A"} with X-Spoil: drop location -> 201  # fails: location is missing
