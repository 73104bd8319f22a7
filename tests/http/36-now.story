# A 409 has the game's state ("now"), and says why the move does not fit it.

story "refusals before the start say that the game has not started"
lobby A B C
A POST /chips/white/1/take              -> 409 game_not_started .detail has "3 of 6"
	.now == {"status":"lobby","heist":null,"round":null,"color":null,"phase":null}
A POST /heists                          -> 409 game_not_started .now.status == "lobby"
A GET /showdown                         -> 409 game_not_started .now.status == "lobby"
A POST /rematch                         -> 409 game_not_started .now.status == "lobby"
lobby D E
D POST /start                           -> 409 not_allowed_now .detail == "The game needs 3 players to start, and 2 are there; invite more."
	.now == {"status":"lobby","heist":null,"round":null,"color":null,"phase":null}

story "refusals of early and late moves name the round"
table A B C
A POST /chips/red/1/take                -> 409 not_allowed_now
	.detail == "Red chips are not in play: this is round 1 (white)."
	.now == {"status":"playing","heist":1,"round":1,"color":"white","phase":"chips"}
A POST /start                           -> 409 already_started .now.round == 1 .detail has "\"playing\""
A POST /rematch                         -> 409 not_allowed_now .now.heist == 1 .detail has "after the end"
A POST /heists                          -> 409 showdown_not_reached .now.color == "white" .detail has "Heist 1 is in round 1 (white)"
A GET /showdown                         -> 409 showdown_not_reached .now.color == "white"
A POST /showdown/answers {"question":"retina_scan","value":"K"} -> 409 showdown_not_reached .now.phase == "chips"
A POST /specialist/votes {"agree":true} -> 409 no_proposal .now.heist == 1
A POST /choices {"looked":true}         -> 409 no_choice_due .now.round == 1 .detail has "round 1 (white)"
A POST /specialist/proposals {"seat":1} -> 409 not_allowed_now .now.round == 1 .detail has "specialist"
round white A1 B2 C3
A POST /chips/red/1/take                -> 409 not_allowed_now
	.detail == "Red chips are not in play: this is round 2 (yellow)."
	.now == {"status":"playing","heist":1,"round":2,"color":"yellow","phase":"chips"}
B POST /chips/white/2/return            -> 409 round_over
	.detail == "White chips cannot be moved any more: this is round 2 (yellow)."
	.now == {"status":"playing","heist":1,"round":2,"color":"yellow","phase":"chips"}
A POST /chips/yellow/1/take             -> 200
A POST /chips/yellow/1/take             -> 409 chip_already_held .now.round == 2 .now.color == "yellow"
B POST /chips/yellow/1/take {"from":"center"} -> 409 chip_moved .now.round == 2
B POST /chips/yellow/2/return           -> 409 chip_not_held .now.phase == "chips"

story "refusals after the showdown and after the end say so"
table A B C
heist right
A POST /chips/red/1/take                -> 409 heist_over .detail has "Heist 1 is over"
	.now == {"status":"playing","heist":1,"round":4,"color":"red","phase":"over"}
until A .status != "playing"
	heist right
end
A POST /chips/red/1/take                -> 409 game_over .now.status == "won" .now.phase == "over" .detail has "\"won\""
A POST /rematch                         -> 201 keep next = .id
B GET ""                                -> 200 keep old = .rematch_of.id
B POST /v1/games/$old/rematch           -> 409 already_used .rematch.id == "$next" .now.status == "won" .detail has "\"rematch\""

story "refusals name the due choice and the open question"
table A B C with {"mode":"advanced"}
next specialist hacker
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
A POST /heists                          -> 201
A POST /specialist/proposals {"seat":1} -> 200
A POST /specialist/votes {"agree":true} -> 409 not_allowed_now .now.phase == "chips" .detail has "agreed"
B POST /specialist/votes {"agree":true} -> 200
C POST /specialist/votes {"agree":true} -> 200 .heist.phase == "choosing"
A POST /specialist/proposals {"seat":2} -> 409 choice_due .now == {"status":"playing","heist":2,"round":1,"color":"white","phase":"choosing"}
B POST /choices {"looked":true}         -> 409 not_your_choice .now.phase == "choosing"
B POST /heists                          -> 409 showdown_not_reached .detail has "private choice"

story "errors without a right to the game do not say where it stands"
table A B C
nobody POST /v1/games/$game/chips/red/1/take -> 401 unauthenticated .now absent
stranger POST /v1/games/$game/chips/red/1/take -> 401 invalid_token .now absent
nobody GET /v1/games/$game/showdown     -> 401 unauthenticated .now absent
nobody POST /v1/games/$game/players {"name":"D"} -> 404 no_such_game .now absent
A POST /chips/red/7/take                -> 404 no_such_chip .now absent
A POST /chips/red/1/take {"x":1}        -> 422 invalid .now absent
A POST /chips/red/1/take with If-Match: "x" -> 412 version_mismatch .now absent

story "a spectator is told what spectators see"
table A B C with {"spectators":true}
nobody GET /v1/games/$game/showdown     -> 409 showdown_not_reached
	.now == {"status":"playing","heist":1,"round":1,"color":"white","phase":"chips"}

story "a valid code tells that the game is full, or over"
table A B C with {"seats":3}
nobody GET /v1/invitations/$code        -> 409 game_full .now == {"status":"playing"} .detail has "All 3 seats"
nobody POST /v1/invitations/$code/players {"name":"D"} -> 409 game_full .now == {"status":"playing"}
nobody POST /v1/games/$game/players {"name":"D","invite_code":"$code"} -> 409 game_full .now == {"status":"playing"}
A GET /invitation                       -> 200 .invite_code == null .free_seats == 0
C DELETE /players/3                     -> 204
nobody GET /v1/invitations/$code        -> 200 .free_seats == 1
D POST /v1/invitations/$code/players {"name":"D"} -> 201 .seat == 3
A DELETE /players/3                     -> 204
nobody GET /v1/invitations/$code        -> 404 no_such_invitation .now absent
nobody POST /v1/invitations/$code/players {"name":"E"} -> 404 no_such_invitation .now absent
table F G H
until F .status != "playing"
	heist wrong
end
nobody GET /v1/invitations/$code        -> 409 game_over .now == {"status":"lost"} .detail has "has ended"
nobody POST /v1/invitations/$code/players {"name":"I"} -> 409 game_over .now == {"status":"lost"}

story "refusals in Famiglia name the turn"
lobby A with {"ruleset":"famiglia"}
A POST /turn/pass                       -> 409 game_not_started .now == {"status":"lobby","turn":null,"round":null,"seat_to_move":null}
table A B with {"ruleset":"famiglia"}
B POST /turn/pass                       -> 409 not_your_turn .detail == "It is the turn of seat 1: turn 1, in round 1."
	.now == {"status":"playing","turn":1,"round":1,"seat_to_move":1}
A POST /turn/pass                       -> 200
A POST /turn/pass                       -> 409 not_your_turn .now == {"status":"playing","turn":2,"round":1,"seat_to_move":2}
B POST /turn/pass                       -> 200
A POST /turn/pass                       -> 409 game_over .now.status == "over" .now.seat_to_move == null
