# Famiglia, a game for two: how it is created, begins, and is seen.  Where the
# gangsters are to lie somewhere, "deal" lays them there.

story "a game of Famiglia waits for the other player"
A POST /v1/games {"name":"Ada","ruleset":"famiglia"} -> 201
	.game.ruleset == "famiglia"
	.game.mode == null
	.game.status == "lobby"
	.game.version == 1
	.game.seats == 2
	.game.visibility == "private"
	.game.spectators == false
	.game.players == [{"seat":1,"name":"Ada","avatar":null,"host":true,"vacant":false,"bot":null}]
	.game.table == null
	.game.you.hand == [] .game.you.points == 0 .game.you.legal_actions[*].action == ["seat_bot"]
	.game.rematch == null
	.game.heist absent
	.game.vaults absent
	.game.alarms absent
A GET /hand -> 200 . == {"seat":1,"hand":[],"points":0}
A GET /players/1/hand -> 200 . == {"seat":1,"hand":[],"points":0}
A GET /players/2/hand -> 404 no_such_seat
A POST /start -> 409 not_allowed_now

story "it begins when the second seat is taken"
lobby A with {"ruleset":"famiglia","seats":2,"spectators":true}
B POST /v1/invitations/$code/players {"name":"B"} -> 201
	.seat == 2
	.game.status == "playing"
	.game.version == 3
	.game.you.hand == ["f0b","m0b","b0b","a0b"]
	.game.you.points == 1
	.game.you.legal_actions == []
	.game.table.turn == 1
	.game.table.round == 1
	.game.table.starting_seat == 1
	.game.table.seat_to_move == 1
	.game.table.played == {"refills":0,"accountant":null,"brute":null}
	.game.table.street count 6
	.game.table.draw_pile == 46
	.game.table.discard_pile == 0
	.game.table.second_pass == false
	.game.table.last_turn == null
	.game.table.previous_turn_passed == false
	.game.table.sides == [{"seat":1,"hand":4,"display":[],"display_points":0},{"seat":2,"hand":4,"display":[],"display_points":0}]
	.game.table.result == null
	keep table = .game.table
A GET "" -> 200 .table == $table
	.you.seat == 1 .you.hand == ["f0a","m0a","b0a","a0a"] .you.points == 1
	.you.legal_actions[-1] == {"action":"pass","method":"POST","href":"/v1/games/$game/turn/pass","body":{},"command":{"action":"pass"},"choose":null}
nobody GET /v1/games/$game -> 200 .table == $table .you == null
C POST /v1/invitations/$code/players {"name":"C"} -> 409 game_full
A POST /start -> 409 already_started

story "options of The Gang are refused for Famiglia"
for $more $pointer $code
	| "mode":"basic"            | /mode            | unknown
	| "mode":null               | /mode            | unknown
	| "stacks":"numbered"       | /stacks          | unknown
	| "round_end":"confirmed"   | /round_end       | unknown
	| "seats":3                 | /seats           | out_of_range
	| "seats":1                 | /seats           | out_of_range
	| "seats":"2"               | /seats           | wrong_type
	| "visibility":"secret"     | /visibility      | not_one_of
	| "spectators":1            | /spectators      | wrong_type
	nobody POST /v1/games {"name":"Ada","ruleset":"famiglia",$more} -> 422 invalid
		.errors count 1 .errors[0].pointer == "$pointer" .errors[0].code == "$code"
end
nobody POST /v1/games {"mode":"basic","ruleset":"famiglia","seats":6,"stacks":"x"} -> 422 invalid .errors count 4
nobody POST /v1/games {"name":"Ada","ruleset":"la_famiglia"} -> 422 invalid .errors[0].pointer == "/ruleset"
nobody POST /v1/games {"name":"Ada","ruleset":"the_gang","seats":2} -> 422 invalid .errors[0].pointer == "/seats"

story "an invitation names the ruleset"
A POST /v1/games {"name":"Ada","ruleset":"famiglia","visibility":"public"} -> 201
nobody GET /v1/invitations/$code -> 200
	. == {"game_id":"$game","ruleset":"famiglia","mode":null,"round_end":null,"status":"lobby","host":"Ada","seats":2,"free_seats":1}

story "the lobby filters by ruleset, and shows Famiglia without a mode"
A POST /v1/games {"name":"Ada","ruleset":"famiglia","visibility":"public","spectators":true} -> 201 keep created = .game.created_at
B POST /v1/games {"name":"Bob","visibility":"public"} -> 201
nobody GET /v1/games?ruleset=famiglia -> 200 .games lacks {"ruleset":"the_gang"}
	.games[0] == {"id":"$A.game","ruleset":"famiglia","mode":null,"round_end":null,"host":"Ada","seats":2,"free_seats":1,"spectators":true,"created_at":"$created"}
nobody GET /v1/games?ruleset=famiglia&free_seats=1&limit=1 -> 200 .games[0].id == "$A.game"
nobody GET /v1/games?ruleset=famiglia&free_seats=2 -> 200 .games == []
nobody GET /v1/games?ruleset=famiglia&mode=basic -> 200 .games == []
nobody GET /v1/games?ruleset=the_gang -> 200 .games lacks {"ruleset":"famiglia"} .games has {"id":"$B.game"}
nobody GET /v1/games?mode=famiglia -> 422 invalid
C POST /v1/games/$A.game/players {"name":"Cy"} -> 201 .game.status == "playing"
nobody GET /v1/games?ruleset=famiglia -> 200 .games lacks {"id":"$A.game"}
B DELETE "" -> 204

story "each ruleset has its own routes"
table A B with {"ruleset":"famiglia"}
for $path $body
	| /chips/white/1/take   | {}
	| /chips/white/1/return | {}
	| /specialist/proposals | {"seat":1}
	| /specialist/votes     | {"agree":true}
	| /choices              | {"looked":true}
	| /showdown/answers     | {"question":"retina_scan","value":"K"}
	| /heists               | {}
	A POST $path $body -> 404 no_such_route
	B POST $path $body -> 404 no_such_route
	stranger POST /v1/games/$game$path $body -> 401 invalid_token
	nobody POST /v1/games/$game$path $body -> 401 unauthenticated
end
for $path in /heists /heists/1 /showdown
	A GET $path -> 404 no_such_route
	nobody GET /v1/games/$game$path -> 401 unauthenticated
end
table C D E
lobby F
for $step $body
	| refill     | {"card":"f1a"}
	| accountant | {"card":"a1a","give":["f0a"],"take":["f0b"]}
	| brute      | {"card":"b1a","target":"f1a","by":1}
	| take       | {"card":"f0c"}
	| pass       | {}
	C POST /turn/$step $body -> 404 no_such_route
	F POST /turn/$step $body -> 404 no_such_route
	stranger POST /v1/games/$game/turn/$step $body -> 401 invalid_token
	nobody POST /v1/games/$game/turn/$step $body -> 401 unauthenticated
	A GET /turn/$step -> 405 method_not_allowed header allow == "POST, OPTIONS"
end
A POST /turn -> 404 no_such_route
A POST /turn/swap {} -> 404 no_such_route

story "the view is for one player, and a hand too, until the game is over"
table A B with {"ruleset":"famiglia","spectators":true}
deal A=f1a,m2a B=b2b,a3a street=f0c,m0c,b1a
A GET "" -> 200 .you.hand == ["f0a","f1a","m0a","m2a","b0a","a0a"] .you.points == 7
	.table.street == [{"card":"f0c","rank":0,"effective_rank":0},{"card":"m0c","rank":0,"effective_rank":0},{"card":"b1a","rank":1,"effective_rank":1}]
	.table.sides[*].hand == [6,6]
	body lacks "\"b2b\"" body lacks "\"a3a\""
B GET "" -> 200 .you.hand == ["f0b","m0b","b0b","b2b","a0b","a3a"] .you.points == 10
	body lacks "\"f1a\"" body lacks "\"m2a\""
nobody GET /v1/games/$game -> 200 body lacks "\"b2b\"" body lacks "\"m2a\"" body lacks "\"f0a\""
A GET /hand -> 200 . == {"seat":1,"hand":["f0a","f1a","m0a","m2a","b0a","a0a"],"points":7}
A GET /players/1/hand -> 200 .seat == 1 .points == 7
A GET /players/2/hand -> 403 not_your_hand body lacks "\"b2b\""
B GET /players/1/hand -> 403 not_your_hand
nobody GET /v1/games/$game/players/1/hand -> 403 not_your_hand
nobody GET /v1/games/$game/players/2/hand -> 403 not_your_hand
nobody GET /v1/games/$game/hand -> 401 unauthenticated
A GET /players/3/hand -> 404 no_such_seat
A POST /turn/pass
B POST /turn/pass -> 200 .status == "over"
for $who in A B
	$who GET /players/1/hand -> 200 . == {"seat":1,"hand":["f0a","f1a","m0a","m2a","b0a","a0a"],"points":7}
	$who GET /players/2/hand -> 200 .hand == ["f0b","m0b","b0b","b2b","a0b","a3a"] .points == 10
end
nobody GET /v1/games/$game/players/2/hand -> 200 .hand == ["f0b","m0b","b0b","b2b","a0b","a3a"]
B GET /hand -> 200 .seat == 2 .points == 10

story "the longest list of legal actions fits into the view"
table A B with {"ruleset":"famiglia"}
deal A=f0c,f0d,f0e,m0c,m0d,m0e,b1a,b1b,b1c,b1d,b2a,b2b,b2c,b3a,b3b,b4a,a0c,a0d,a0e,a2a,a2c A.display=b0d,b0e street=f1a,f1b,f1c,f1d,f2a,f2b,f2c,f3a,f3b,f4a,m1a,m1b,m1c,m1d,m2a,m2b,m2c,m3a,m3b,m4a,a1a,a1b,a1c,a1d,a2b,a3a,a3b,a4a B.display=f0b,m0b,b0b,a0b
A GET "" -> 200 header content-length matches "^30[0-9]{3}$"
A POST /turn/refill {"card":"f1a"} -> 200

story "the view of a hand that can pay in many ways is longer, and fits too"
table A B with {"ruleset":"famiglia"}
deal A=f0c,f0d,f0e,a0c,a0d,a0e,b0c,b0d,b0e,m0c,m0d,m0e,m1a,m1b,m1c,m1d,m2a,m2b,m2c,m3a,m3b,m4a street=f1a,f1b,f1c,f1d,a1a,a1b,a1c,a1d,b1a,b1b,b1c,b1d,f2a,f2b,f2c,a2a,a2b,a2c,b2a,b2b,b2c B.display=f0b,m0b,b0b,a0b
A GET "" -> 200 header content-length matches "^61[0-9]{3}$"

story "caches keep views for one reader, and revalidate them"
table A B with {"ruleset":"famiglia"}
A GET "" -> 200 header cache-control == "private, no-cache" header vary has "Authorization" keep etag = header etag
B GET "" -> 200 header etag != "$etag"
A GET "" with If-None-Match: $etag -> 304 body == "" header etag == "$etag"
A HEAD "" -> 200 body == "" header etag == "$etag"
A POST /turn/pass with If-Match: "x" -> 412 version_mismatch
A POST /turn/pass with If-Match: $etag -> 200 header etag != "$etag" .version == 4 .table.seat_to_move == 2
A GET "" with If-None-Match: $etag -> 200 keep etag = header etag
B POST /turn/pass with If-Match: $etag -> 412 version_mismatch

story "a repeated step is carried out once"
table A B with {"ruleset":"famiglia"}
deal A=f1a street=f0c,f0d,m1a
A POST /turn/take {"card":"f0c"} with Idempotency-Key: aaaaaaaaaaaaaaaaaaaaaaaa -> 200 .version == 4 keep view = .
A POST /turn/take {"card":"f0c"} with Idempotency-Key: aaaaaaaaaaaaaaaaaaaaaaaa -> 200 . == $view
A POST /turn/take {"card":"f0d"} with Idempotency-Key: aaaaaaaaaaaaaaaaaaaaaaaa -> 422 idempotency_key_reused
A POST /turn/take {"card":"f0c"} -> 409 not_your_turn
B POST /turn/take {"card":"m1a"} with Idempotency-Key: bbbbbbbbbbbbbbbbbbbbbbbb -> 409 payment_needed
B POST /turn/take {"card":"f0d"} with Idempotency-Key: bbbbbbbbbbbbbbbbbbbbbbbb -> 200 .version == 5
A POST /turn/take {"card":"f0c"} with Idempotency-Key: aaaaaaaaaaaaaaaaaaaaaaaa -> 200 .version == 5

story "a waiter hears of the other player's move"
table A B with {"ruleset":"famiglia"}
B GET "" -> 200 keep etag = header etag
B GET "" with If-None-Match: $etag with Prefer: wait=20 -> parked
A POST /turn/pass
B -> 200 .table.seat_to_move == 2 .you.legal_actions[-1].action == "pass"
A GET "" -> 200 keep etag = header etag
A GET "" with If-None-Match: $etag with Prefer: wait=1 -> 304 header preference-applied == "wait=1"

story "the families, their abilities and their cards"
nobody GET /v1/rules/families -> 200
	header content-language == "en"
	.families[*].code == ["famiglia","mercenaries","brutes","accountants"]
	.families[*].letter == ["f","m","b","a"]
	.families[0].cards == [{"rank":0,"copies":5,"points":1},{"rank":1,"copies":4,"points":3},{"rank":2,"copies":3,"points":6},{"rank":3,"copies":2,"points":10},{"rank":4,"copies":1,"points":15}]
	.families[1].cards == [{"rank":0,"copies":5,"points":0},{"rank":1,"copies":4,"points":1},{"rank":2,"copies":3,"points":3},{"rank":3,"copies":2,"points":6},{"rank":4,"copies":1,"points":10}]
	keep cards = .families[1].cards
	.families[2].cards == $cards
	.families[3].cards == $cards
for $lang $names
	| en | ["La Famiglia", "Mercenaries", "Brutes", "Accountants"]
	| de | ["La Famiglia", "Söldner", "Brutale", "Buchhalter"]
	| fr | ["La Famiglia", "Mercenaires", "Brutes", "Comptables"]
	| ru | ["La Famiglia", "Наёмники", "Громилы", "Бухгалтеры"]
	nobody GET /v1/rules/families?lang=$lang -> 200 .families[*].name == $names
		.families[*].text count 4 .families[*].ability count 4
		header content-language == "$lang"
	nobody GET /v1/rules/families with Accept-Language: $lang -> 200 .families[*].name == $names
		header vary == "Accept-Language"
end
nobody GET /v1/rules/families -> 200 keep etag = header etag header cache-control == "public, max-age=3600"
nobody GET /v1/rules/families with If-None-Match: $etag -> 304 body == ""
nobody GET /v1/rules/families?lang=de with If-None-Match: $etag -> 200
nobody GET /v1/rules/families?lang=xx -> 422 invalid .errors[0].parameter == "lang"
nobody POST /v1/rules/families {} -> 405 method_not_allowed
