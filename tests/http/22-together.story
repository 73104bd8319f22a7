# Moves at the same moment.  Each is decided against the newest state.

story "two reach for the same chip in the centre: one has it"
table A B C
together
	A POST /chips/white/2/take {"from":"center"}
	B POST /chips/white/2/take {"from":"center"}
end -> 200, 409 chip_moved
A GET ""                                -> 200 .version == 8 .heist.waiting_for count 2
	.heist.chips[stars=2].seat != null

story "two take the same chip wherever it is: both do, and one then has it"
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

story "all of six at once"
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

story "who is too late for the round is told so"
table A B C
A POST /chips/white/1/take              -> 200
B POST /chips/white/2/take              -> 200
together
	A POST /chips/white/3/take {"from":"center"}
	C POST /chips/white/3/take {"from":"center"}
end
A GET ""                                -> 200 .version <= 12

story "with If-Match only one of two is decided"
table A B C
A GET ""                                -> 200 keep a = header etag
B GET ""                                -> 200 keep b = header etag
together
	A POST /chips/white/1/take with If-Match: $a
	B POST /chips/white/2/take with If-Match: $b
end -> 200, 412 version_mismatch

story "the last seat is taken once"
lobby A B with {"seats":3}
together
	C POST /v1/games/$game/players {"name":"C","invite_code":"$code"}
	D POST /v1/games/$game/players {"name":"D","invite_code":"$code"}
end -> 201, 409 game_full
A GET ""                                -> 200 .players count 3 .status == "playing"

story "a name is given once"
lobby A
together
	C POST /v1/games/$game/players {"name":"Cleo","invite_code":"$code"}
	D POST /v1/games/$game/players {"name":"CLEO","invite_code":"$code"}
end -> 201, 422 invalid
A GET ""                                -> 200 .players count 2

story "two deal the next heist: it is dealt once"
table A B C
heist right
together
	A POST /heists
	B POST /heists
end -> 201, 409 showdown_not_reached
A GET ""                                -> 200 .heist.number == 2

story "a game is started once"
lobby A B C
together
	A POST /start
	A POST /start
end -> 200, 409 already_started

story "readers are not held up by a move that waits"
table A B C
hold
B POST /chips/white/1/take              -> parked
within 1000 A GET ""                    -> 200 .heist.chips[stars=1].seat == null
release
B                                       -> 200 .heist.chips[stars=1].seat == 2
