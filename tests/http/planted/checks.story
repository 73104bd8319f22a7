# The runner checks every answer, and must find these faults.  The answers
# are spoiled on their way, see spoiler.py.

story "an answer without its request's id"
nobody GET /livez with X-Spoil: drop x-request-id  # fails: x-request-id is missing

story "another player's token"
table A B C
A GET ""
A GET "" with X-Spoil: put "$B.token"  # fails: B's token is in it

story "another player's token, shown to a caller without a token"
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

story "another player's card, shown to a caller without a seat"
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

story "a card that was drawn anew is known by then"
table A B C with {"mode":"master_thief"}
active motion_detector blackout
deal A=2c7d board=JhTs4cAhAd
round white A1 B2 C3
A GET "" with X-Spoil: put "Ah"
B GET "" with X-Spoil: put "2c"
B GET "" with X-Spoil: put "Ah"  # fails: A's card "Ah"

story "the last hand, while the others are asked about it"
table A B C with {"mode":"master_thief"}
active retina_scan fingerprint_scan
deal A=2c7d C=AhAd board=JhTs4c5d9c
for $color in white yellow orange red
	round $color A1 B2 C3
end
B GET "" with X-Spoil: put "2c"
B GET "" with X-Spoil: put "Ah"  # fails: C's card "Ah"

story "a card that nobody showed"
table A B C
B GET /hand -> 200 keep card = .pocket_cards[0]
A GET "" with X-Spoil: show [{"seat":2,"card":"$card"}]  # fails: expected .heist.announcements

story "another card than the Informant's, or shown to another player"
table A B C with {"mode":"advanced"}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
A POST /heists
deal A=Qd5h
A POST /specialist/proposals {"seat":1,"target_seat":2}
B POST /specialist/votes {"agree":true}
C POST /specialist/votes {"agree":true}
A POST /choices {"card":"Qd"}
B GET "" with X-Spoil: put "Qd"
B GET "" with X-Spoil: show [{"seat":1,"card":"Qd"}]
C GET "" with X-Spoil: put "Qd"  # fails: A's card "Qd"

story "a passed card, shown to a player who never had it"
table A B C with {"mode":"advanced"}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
next specialist coordinator
A POST /heists
deal A=2c3c B=4d5d C=6h7h
A POST /choices {"card":"2c"}
B POST /choices {"card":"4d"}
C POST /choices {"card":"6h"}
A GET "" with X-Spoil: put "2c"
B GET "" with X-Spoil: put "2c"
C GET "" with X-Spoil: put "2c"  # fails: B's card "2c"

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

story "a creation without a Location"
nobody POST /v1/games {"name":"A"} with X-Spoil: drop location -> 201  # fails: location is missing
