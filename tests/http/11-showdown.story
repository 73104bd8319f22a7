# The showdown: red chips decide the order in which hands are revealed.

story "a showdown is refused before the red chips are settled"
table A B C
A GET /showdown                         -> 409 showdown_not_reached
round white A1 B2 C3
round yellow A1 B2 C3
round orange A1 B2 C3
A POST /chips/red/1/take                -> 200
B POST /chips/red/2/take                -> 200
A GET /showdown                         -> 409 showdown_not_reached

story "the right order opens a vault"
table A B C
heist right
A GET /showdown                         -> 200 .outcome == "succeeded" .heist == 1
	.reveals[*].stars == [1,2,3]
	.reveals[*].in_order == [true,true,true]
	.questions == []
A GET ""                                -> 200 .vaults.gold == 1 .alarms.red == 0
	.status == "playing"

story "any wrong order sets off just one alarm"
table A B C D
heist wrong
A GET /showdown                         -> 200 .outcome == "failed"
	.reveals[0].in_order == true

story "all players are shown the same showdown"
table A B C
heist wrong
A GET /showdown                         -> 200 keep showdown = .
B GET /showdown                         -> 200 . == $showdown
C GET /showdown                         -> 200 . == $showdown
A GET ""                                -> 200 keep reveals = .heist.showdown.reveals
B GET ""                                -> 200 .heist.showdown.reveals == $reveals

story "the revealed hands are the held ones"
table A B C
A GET /hand                             -> 200 keep a = .pocket_cards
B GET /hand                             -> 200 keep b = .pocket_cards
C GET /hand                             -> 200 keep c = .pocket_cards
heist right
A GET ""                                -> 200
	.heist.showdown.reveals[seat=1].pocket_cards == $a
	.heist.showdown.reveals[seat=2].pocket_cards == $b
	.heist.showdown.reveals[seat=3].pocket_cards == $c
	.you.pocket_cards == $a

story "the showdown lists seats and stars by the red chips"
table A B C
round white A1 B2 C3
round yellow A1 B2 C3
round orange A1 B2 C3
round red B1 C2 A3
A GET /showdown                         -> 200 .reveals[*].seat == [2,3,1] .reveals[*].stars == [1,2,3]

story "the last showdown stands until the next"
table A B C
heist right
A GET /showdown                         -> 200 keep first = .
A POST /heists                          -> 201
A GET /showdown                         -> 200 . == $first
heist right
A GET /showdown                         -> 200 .heist == 2
