# Wrong expectations, each of which the runner must find.

story "a status"
nobody GET /livez -> 200
nobody GET /livez -> 201  # fails: expected 201

story "success without an expected status"
nobody GET /livez
nobody GET /nowhere  # fails: expected success

story "a problem's code"
nobody GET /nowhere -> 404 no_such_route
nobody GET /nowhere -> 404 no_such_game  # fails: expected 404 no_such_game

story "a value"
nobody GET /livez -> 200 .status == "ok"
nobody GET /livez -> 200 .status == "ko"  # fails: expected .status

story "a value on a further line"
nobody GET /livez -> 200
	.status == "ok"
	.status != "ok"  # fails: expected .status

story "a value that is not there"
nobody GET /livez -> 200 .state absent
nobody GET /livez -> 200 .state == null  # fails: expected .state

story "a value that should not be there"
nobody GET /livez -> 200 .status exists
nobody GET /livez -> 200 .status absent  # fails: expected .status

story "a type"
A POST /v1/games {"name":"A"} -> 201 .seat == 1
	.seat == "1"  # fails: expected .seat

story "numbers"
A POST /v1/games {"name":"A"} -> 201 .seat >= 1 .seat <= 1 .seat < 2 .seat > 0
	.seat > 1  # fails: expected .seat

story "a count"
A POST /v1/games {"name":"A"} -> 201 .game.players count 1
	.game.players count 2  # fails: expected .game.players

story "an element"
lobby A B
A GET "" -> 200 .players has {"name":"B","host":false} .players lacks {"name":"B","host":true}
	.players has {"name":"B","host":true}  # fails: expected .players

story "all elements"
lobby A B
A GET "" -> 200 .players[*].name == ["A","B"] .players[name=B].seat == 2 .players[-1].seat == 2
	.players[*].name == ["A"]  # fails: expected .players

story "a pattern"
A POST /v1/games {"name":"A"} -> 201 .token matches "^gang_"
	.token matches "^gong_"  # fails: expected .token

story "a header field"
nobody GET /livez -> 200 header content-type == "application/json" header x-none absent
	header content-type == "text/html"  # fails: expected header content-type

story "the body"
nobody GET /livez -> 200 body has "ok" body lacks "ko"
	body has "ko"  # fails: expected body

story "a comparison that there is not"
nobody GET /livez -> 200 .status == "ok"
	.status is "ok"  # fails: "is" is no comparison

story "a value that is no JSON"
nobody GET /livez -> 200 .status == "ok"
	.status == ok  # fails: this is no JSON: ok

story "a number compared with a text"
A POST /v1/games {"name":"A"} -> 201 .seat < 2
	.game.id < 2  # fails: expected .game.id < 2; it is "

story "an expectation without an arrow"
nobody GET /livez
nobody GET /livez 200  # fails: expected -> here: 200

story "an actor who sits nowhere"
nobody GET /livez
A GET ""  # fails: A sits at no table

story "a block without an end"
nobody GET /livez
for $path in /livez  # fails: the block has no end
	nobody GET $path

story "a kept value"
nobody GET /livez -> 200 keep text = .status
nobody GET /livez -> 200 .status == "$text"
	.status == "not $text"  # fails: expected .status

story "an unknown variable"
nobody GET /livez -> 200
nobody GET /$nothing -> 404  # fails: nothing is known as $nothing

story "each row is carried out"
for $path $status
	| /livez   | 200
	| /nowhere | 200
	nobody GET $path -> $status  # fails: expected 200
end

story "an answer that takes too long"
within 5000 nobody GET /livez -> 200
within 0 nobody GET /livez -> 200  # fails: it took

story "an incomplete round"
table A B C
A POST /chips/white/1/take
round white B2  # fails: the white round has not ended

story "a request that should wait, but does not"
table A B C
A POST /chips/white/1/take -> parked  # fails: expected no answer yet

story "two at once"
table A B C
together
	A POST /chips/white/1/take
	B POST /chips/white/2/take
end -> 200, 409 chip_moved  # fails: no answer is 409 chip_moved

story "something that never comes"
lobby A
until A .status == "won"  # fails: it never comes to that
	nobody GET /livez
end

story "an unknown challenge"
table A B C with {"mode":"advanced"}
next challenge sleeping_guard  # fails: sleeping_guard is no card

story "a card that is not in its stack"
table A B C with {"mode":"professional"}
active blackout
next challenge blackout  # fails: the card is not in its stack

story "more challenges than are active"
table A B C with {"mode":"professional"}
active noise_sensors blackout  # fails: a first heist has others, but as many

story "invalid cards"
table A B C
deal A=AhKx  # fails: Kx are no cards

story "more cards than fit"
table A B C
deal A=AhKhQh  # fails: Qh have no place

story "cards when a chip has been moved"
table A B C
A POST /chips/white/1/take
deal A=AhKh  # fails: has gone on already

story "cards before the game"
lobby A B C
deal A=AhKh  # fails: has not begun

story "hands that tie, so the story begins again, but not for ever"
table A B C
deal A=2c3d B=2d3c C=2h3h board=AsKsQsJsTs
heist wrong  # fails: the hands tie
