# Moves at the same moment.  Each is decided against the newest state.

story "two players take a chip from the centre at once: one gets it"
table A B C
together
	A POST /chips/white/2/take {"from":"center"}
	B POST /chips/white/2/take {"from":"center"}
end -> 200, 409 chip_moved
A GET ""                                -> 200 .version == 8 .heist.waiting_for count 2
	.heist.chips[stars=2].seat != null

story "two players take a chip wherever it is: the later one has it"
table A B C
together
	A POST /chips/white/2/take
	B POST /chips/white/2/take
end -> 200, 200
A GET ""                                -> 200 .version == 9 .heist.waiting_for count 2
A GET /events?after=8                   -> 200 .events count 1 .events[0].type == "chip_taken" .events[0].data.from != "center"

story "moves that do not conflict both succeed"
table A B C
together
	A POST /chips/white/1/take
	B POST /chips/white/2/take
end -> 200, 200
A GET ""                                -> 200 .heist.chips[*].seat == [1,2,null] .version == 9

story "six players take chips at once"
table A B C D E F
together
	A POST /chips/white/1/take
	B POST /chips/white/2/take
	C POST /chips/white/3/take
	D POST /chips/white/4/take
	E POST /chips/white/5/take
	F POST /chips/white/6/take
end -> 200, 200, 200, 200, 200, 200
A GET ""                                -> 200 .heist.round == 2 .heist.chips[*].seat == [1,2,3,4,5,6,null,null,null,null,null,null]

story "a move that comes after the round is refused"
table A B C
A POST /chips/white/1/take              -> 200
B POST /chips/white/2/take              -> 200
together
	A POST /chips/white/3/take {"from":"center"}
	C POST /chips/white/3/take {"from":"center"}
end
A GET ""                                -> 200 .version <= 12

story "with If-Match only one of two moves succeeds"
table A B C
A GET ""                                -> 200 keep a = header etag
B GET ""                                -> 200 keep b = header etag
together
	A POST /chips/white/1/take with If-Match: $a
	B POST /chips/white/2/take with If-Match: $b
end -> 200, 412 version_mismatch

story "two callers join the last seat at once: one gets it"
lobby A B with {"seats":3}
together
	C POST /v1/games/$game/players {"name":"C","invite_code":"$code"}
	D POST /v1/games/$game/players {"name":"D","invite_code":"$code"}
end -> 201, 409 game_full
A GET ""                                -> 200 .players count 3 .status == "playing"

story "two callers join under one name at once: one gets it"
lobby A
together
	C POST /v1/games/$game/players {"name":"Cleo","invite_code":"$code"}
	D POST /v1/games/$game/players {"name":"CLEO","invite_code":"$code"}
end -> 201, 422 invalid
A GET ""                                -> 200 .players count 2

story "two players deal the next heist at once: it is dealt once"
table A B C
heist right
together
	A POST /heists
	B POST /heists
end -> 201, 409 showdown_not_reached
A GET ""                                -> 200 .heist.number == 2

story "two starts at once: the game starts once"
lobby A B C
together
	A POST /start
	A POST /start
end -> 200, 409 already_started

story "a move that waits for the database does not delay readers"
table A B C
hold
B POST /chips/white/1/take              -> parked
within 1000 A GET ""                    -> 200 .heist.chips[stars=1].seat == null
release
B                                       -> 200 .heist.chips[stars=1].seat == 2

story "of two proposals at once one stands, and two votes at once both count"
table A B C with {"mode":"advanced"}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
next specialist muscle
A POST /heists                          -> 201
together
	A POST /specialist/proposals {"seat":1}
	B POST /specialist/proposals {"seat":2}
end -> 200, 409 proposal_open
C POST /specialist/votes {"agree":false} -> 200
C POST /specialist/proposals {"seat":3} -> 200
together
	A POST /specialist/votes {"agree":true}
	B POST /specialist/votes {"agree":true}
end -> 200, 200
A GET ""                                -> 200 .heist.specialist.state == "used" .heist.announcements[*].seat == [3]

story "choices at once all count, and the cards are passed once"
table A B C with {"mode":"advanced"}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
next specialist coordinator
A POST /heists                          -> 201
deal A=2c3c B=4d5d C=6h7h
together
	A POST /choices {"card":"2c"}
	B POST /choices {"card":"4d"}
	C POST /choices {"card":"6h"}
end -> 200, 200, 200
A GET ""                                -> 200 .you.pocket_cards == ["6h","3c"]
C GET ""                                -> 200 .you.pocket_cards == ["4d","7h"]

story "the same choice twice at once is made once"
table A B C with {"mode":"advanced"}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
next specialist con_artist
A POST /heists                          -> 201
together
	A POST /choices {"looked":true}
	A POST /choices {"looked":true}
end -> 200, 409 not_your_choice

story "answers at once all count, and settle the question"
table A B C with {"mode":"advanced"}
heist right
next challenge retina_scan
A POST /heists                          -> 201
deal A=2c7d B=KhKd C=AcAs board=3h5h9sTdQc
for $color in white yellow orange red
	round $color A1 B2 C3
end
together
	A POST /showdown/answers {"question":"retina_scan","value":"A"}
	B POST /showdown/answers {"question":"retina_scan","value":"A"}
end -> 200, 200
C GET ""                                -> 200 .heist.showdown.outcome == "succeeded"
