# A round ends at once when everybody holds a chip of its colour.

story "the showdown follows the fourth round"
table A B C
round white A1 B2 C3
A GET ""                                -> 200 .heist.round == 2 .heist.color == "yellow" .heist.waiting_for == [1,2,3]
round yellow C1 B2 A3
A GET ""                                -> 200 .heist.round == 3 .heist.color == "orange"
round orange B1 A2 C3
A GET ""                                -> 200 .heist.round == 4 .heist.color == "red"
round red A3 B2 C1
A GET ""                                -> 200 .heist.round == 4 .heist.color == "red"
	.heist.phase == "over"
	.heist.waiting_for == []
	.heist.showdown.reveals count 3

story "chips of ended rounds stay where they are"
table A B C
round white C1 A2 B3
A GET ""                                -> 200
	.heist.chips[color=white,stars=1] == {"color":"white","stars":1,"seat":3,"locked":true,"dark":false}
	.heist.chips[color=white,stars=2].seat == 1
	.heist.chips[color=white,stars=3].seat == 2
	.heist.chips[color=yellow,stars=1] == {"color":"yellow","stars":1,"seat":null,"locked":false,"dark":false}

story "chips may change hands until the round ends"
table A B C
A POST /chips/white/3/take              -> 200
B POST /chips/white/3/take              -> 200
C POST /chips/white/3/take              -> 200
A POST /chips/white/1/take              -> 200
B POST /chips/white/1/take              -> 200
A POST /chips/white/2/take              -> 200 .heist.round == 2

story "one action can cause many events"
table A B C
A POST /chips/white/1/take              -> 200
B POST /chips/white/2/take              -> 200 keep version = .version
C POST /chips/white/3/take              -> 200
A GET /events?after=$version            -> 200 .events[*].type == ["chip_taken","round_ended","round_started"]

story "six players settle six chips of each colour"
table A B C D E F
round white A1 B2 C3 D4 E5 F6
round yellow F1 E2 D3 C4 B5 A6
A GET ""                                -> 200 .heist.round == 3 .heist.chips count 18
