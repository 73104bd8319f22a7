# GET .../heists and .../heists/{number}: the heists that are over.

story "ended heists are listed in order"
table A B C
A GET /heists                           -> 200 .heists == []
A GET /heists/1                         -> 404 no_such_heist
heist right
A GET ""                                -> 200 keep board = .heist.community_cards keep showdown = .heist.showdown
A GET /heists/1                         -> 200
	. == {"number":1,"challenges":[],"specialist":null,"community_cards":$board,"showdown":$showdown}
	keep first = .
A GET /heists                           -> 200 .heists == [$first]
heist right
A GET /heists                           -> 200 .heists count 2 .heists[0] == $first .heists[*].number == [1,2]
B GET /heists/1                         -> 200 . == $first
A GET /heists/3                         -> 404 no_such_heist

story "an invalid heist number is refused"
table A B C
for $number in 0 x -1 01 6 99999999999999999999
	A GET /heists/$number           -> 404 no_such_heist
end
nobody GET /v1/games/$game/heists/x     -> 404 no_such_heist
