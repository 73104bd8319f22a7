# GET .../hand and .../players/{seat}/hand

story "a player reads the own hand"
table A B C
A GET ""                                -> 200 keep cards = .you.pocket_cards keep ranking = .you.ranking keep best = .you.best_five
A GET /hand                             -> 200
	. == {"seat":1,"pocket_cards":$cards,"ranking":"$ranking","best_five":$best}
A GET /players/1/hand                   -> 200
	. == {"seat":1,"pocket_cards":$cards,"ranking":"$ranking","best_five":$best}

story "others' hands are hidden until the showdown"
table A B C
for $seat in 2 3
	A GET /players/$seat/hand       -> 403 not_your_hand
end
round white A1 B2 C3
round yellow A1 B2 C3
round orange A1 B2 C3
A GET /players/2/hand                   -> 403 not_your_hand
heist right
B GET /hand                             -> 200 keep hand = .
A GET /players/2/hand                   -> 200 . == $hand
	.best_five count 5
A POST /heists                          -> 201
A GET /players/2/hand                   -> 403 not_your_hand

story "the hand of an invalid seat is refused"
table A B C
A GET /players/4/hand                   -> 404 no_such_seat
A GET /players/6/hand                   -> 404 no_such_seat
for $seat in 0 7 x 01 -1 1x 99999999999999999999
	A GET /players/$seat/hand       -> 404 no_such_seat
	nobody GET /v1/games/$game/players/$seat/hand -> 404 no_such_seat
end
