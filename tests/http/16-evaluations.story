# POST /v1/rules/evaluations: how strong hands are, for anybody.

story "each ranking is recognized, weakest first"
nobody POST /v1/rules/evaluations {"hands":[["Ah","Kd","9c","5s","3h"],["2h","2d","9c","5s","3h"],["2h","2d","3c","3s","Ah"],["2h","2d","2c","3s","Ah"],["Ah","2d","3c","4s","5h"],["2h","3h","4h","5h","7h"],["2h","2d","2c","3s","3h"],["2h","2d","2c","2s","3h"],["Ah","2h","3h","4h","5h"],["Th","Jh","Qh","Kh","Ah"]]} -> 200
	.results[*].ranking == ["high_card","pair","two_pair","three_of_a_kind","straight","flush","full_house","four_of_a_kind","straight_flush","royal_flush"]
	.results[*].place == [1,2,3,4,5,6,7,8,9,10]

story "the rulebook's showdown: twos and ten, twos and ten, twos and jack, a full house"
nobody POST /v1/rules/evaluations {"hands":[["2h","2d","Ah","Td","7c"],["2h","2d","Ah","Tc","7s"],["2h","2d","Ah","Jd","7c"],["2h","2d","Ah","As","Ac"]]} -> 200
	.results[*].ranking == ["pair","pair","pair","full_house"]
	.results[*].place == [1,1,2,3]
	.results[3].best_five[2] matches "^A"
	.results[3].best_five[3] matches "^2"

story "places are dense, and equal hands share one"
nobody POST /v1/rules/evaluations {"hands":[["Ah","Kh","Qh","Jh","Th"],["As","Ks","Qs","Js","Ts"],["2h","2d","3h","4h","5h"]]} -> 200
	.results[*].place == [2,2,1]

story "the best five of seven, by groups and then by rank"
nobody POST /v1/rules/evaluations {"hands":[["9h","2c","9d","Ks","9c","9s","Ah"]]} -> 200
	.results[0].ranking == "four_of_a_kind"
	.results[0].best_five count 5
	.results[0].best_five[-1] == "Ah"
	.results[0].best_five lacks "Ks"

story "with eight cards a flush does not exclude four of a kind"
nobody POST /v1/rules/evaluations {"hands":[["9h","9c","9d","9s","2h","4h","6h","Kh"],["9h","9c","9d","Ks","2h","4h","6h","Kh"]]} -> 200
	.results[*].ranking == ["four_of_a_kind","full_house"]

story "the Jack of no suit makes pairs and straights, but never a flush"
nobody POST /v1/rules/evaluations {"hands":[["Jx","Jh","2c","3d","4s"],["Jx","Th","9c","8d","7s"],["Jx","2h","4h","6h","8h"],["Jx","Th","9h","8h","7h"],["Jx","Jh","Jd","Jc","Js","Kh"],["Jx","Jh","Jd","Jc","Js","2h"]]} -> 200
	.results[*].ranking == ["pair","straight","high_card","straight","four_of_a_kind","four_of_a_kind"]
	.results[4].best_five has "Kh"
	.results[5].best_five lacks "2h"

story "one request may ask for a hundred hands"
nobody POST /v1/rules/evaluations {"hands":[["Ah","Kh","Qh","Jh","Th","2c","3c","4c"]$(,["Ah","Kh","Qh","Jh","9h","2c","3c","4c"]*99)]} -> 200
	.results count 100
	.results[0].place == 2
	.results[99].place == 1
nobody POST /v1/rules/evaluations {"hands":[["Ah","Kh","Qh","Jh","Th"]$(,["Ah","Kh","Qh","Jh","9h"]*100)]} -> 422 invalid
	.errors[0].pointer == "/hands"

story "invalid hands are refused"
for $body $pointer
	| {}                                          | /hands
	| {"hands":null}                              | /hands
	| {"hands":{}}                                | /hands
	| {"hands":[]}                                | /hands
	| {"hands":"AhKhQhJhTh"}                      | /hands
	| {"hands":[[]]}                              | /hands/0
	| {"hands":["AhKhQhJhTh"]}                    | /hands/0
	| {"hands":[["Ah","Kh","Qh","Jh"]]}           | /hands/0
	| {"hands":[["Ah","Kh","Qh","Jh","Th","9h","8h","7h","6h"]]} | /hands/0
	| {"hands":[["Ah","Kh","Qh","Jh",10]]}        | /hands/0/4
	| {"hands":[["Ah","Kh","Qh","Jh","10h"]]}     | /hands/0/4
	| {"hands":[["Ah","Kh","Qh","Jh","th"]]}      | /hands/0/4
	| {"hands":[["Ah","Kh","Qh","Jh","TH"]]}      | /hands/0/4
	| {"hands":[["Ah","Kh","Qh","Jh","1h"]]}      | /hands/0/4
	| {"hands":[["Ah","Kh","Qh","Jh",""]]}        | /hands/0/4
	| {"hands":[["Ah","Kh","Qh","Jh","Tx"]]}      | /hands/0/4
	| {"hands":[["Ah","Kh","Qh","Jh","Ah"]]}      | /hands/0/4
	| {"hands":[["Jx","Kh","Qh","Jh","Jx"]]}      | /hands/0/4
	nobody POST /v1/rules/evaluations $body -> 422 invalid .errors count 1 .errors[0].pointer == "$pointer"
end
nobody POST /v1/rules/evaluations {"hands":[["Ah","Kh","Qh","Jh","Zz"],["Ah"]],"deck":1} -> 422 invalid
	.errors count 2

story "one card may be in several hands"
nobody POST /v1/rules/evaluations {"hands":[["Ah","Kh","Qh","Jh","Th"],["Ah","Kh","Qh","Jh","Th"]]} -> 200
	.results[*].place == [1,1]
