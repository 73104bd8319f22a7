# POST /v1/games/{game_id}/players and the invitation codes.

story "friends join with the code and sit down in order"
A POST /v1/games {"name":"Ada","seats":4}   -> 201
B POST /v1/games/$game/players {"name":"Bob","invite_code":"$code"} -> 201
	.seat == 2
	.token matches "^gang_[0-9A-Za-z]{49}$"
	.invite_code absent
	header location == "/v1/games/$game"
	header content-location absent
	header cache-control == "no-store"
	.game.version == 2
	.game.players[*].name == ["Ada","Bob"]
	.game.players[*].host == [true,false]
	.game.you.seat == 2
C POST /v1/invitations/$code/players {"name":"Cleo"} -> 201 .seat == 3
	.game.id == "$game"
A GET ""                                -> 200 .players[*].name == ["Ada","Bob","Cleo"]
	.players[*].seat == [1,2,3]
	.version == 3

story "a private game is hidden from callers without its code"
lobby A
for $body in {"name":"X"} {"name":"X","invite_code":"00000000"} {"name":"X","invite_code":""} {"name":"X","invite_code":"no"}
	nobody POST /v1/games/$game/players $body -> 404 no_such_game keep problem = .
	nobody POST /v1/games/01890a5d-ac96-774b-bcce-b302099a8057/players $body -> 404 no_such_game
		.title exists
end
nobody POST /v1/games/$game/players {"name":"X","invite_code":7} -> 422 invalid .errors[0].pointer == "/invite_code"

story "a public game needs no code"
lobby A with {"visibility":"public"}
B POST /v1/games/$game/players {"name":"B"} -> 201 .seat == 2
C POST /v1/games/$game/players {"name":"C","invite_code":"00000000"} -> 201 .seat == 3

story "a code is read as people type it"
lobby A with {"seats":6}
nobody GET /v1/invitations/$code        -> 200 .game_id == "$game" .status == "lobby"
lobby Z
nobody GET /v1/invitations/$code        -> 200 .game_id == "$game"
nobody GET /v1/invitations/----         -> 404 no_such_invitation
nobody GET /v1/invitations/ABC          -> 404 no_such_invitation
nobody GET /v1/invitations/UUUUUUUU     -> 404 no_such_invitation
nobody GET /v1/invitations/00000000     -> 404 no_such_invitation

story "a code tells which game it invites to"
A POST /v1/games {"name":"Ada","seats":4}   -> 201
nobody GET /v1/invitations/$code        -> 200
	. == {"game_id":"$game","ruleset":"the_gang","mode":"basic","round_end":"at_once","status":"lobby","host":"Ada","seats":4,"free_seats":3}
B POST /v1/invitations/$code/players {"name":"Bob"} -> 201
nobody GET /v1/invitations/$code        -> 200 .free_seats == 2

story "players may read the code again"
lobby A B with {"seats":3}
A GET /invitation                       -> 200 . == {"invite_code":"$code","free_seats":1}
B GET /invitation                       -> 200 .invite_code == "$code"
C POST /v1/invitations/$code/players {"name":"C"} -> 201
A GET /invitation                       -> 200 . == {"invite_code":null,"free_seats":0}

story "a valid code tells that the game is full"
table A B C with {"seats":3}
nobody GET /v1/invitations/$code        -> 409 game_full
nobody POST /v1/invitations/$code/players {"name":"D"} -> 409 game_full
nobody POST /v1/games/$game/players {"name":"D","invite_code":"$code"} -> 409 game_full
nobody POST /v1/games/$game/players {"name":"D"} -> 404 no_such_game

story "a game that was started has no free seat"
table A B C with {"seats":5}
A GET ""                                -> 200 .seats == 3
nobody GET /v1/invitations/$code        -> 409 game_full
nobody POST /v1/games/$game/players {"name":"D","invite_code":"$code"} -> 409 game_full
A GET /invitation                       -> 200 .free_seats == 0

story "no cache stores an invitation"
lobby A
nobody GET /v1/invitations/$code        -> 200 header cache-control == "no-store"

story "the last seat starts the game"
lobby A B with {"seats":3}
C POST /v1/invitations/$code/players {"name":"C"} -> 201
	.game.status == "playing"
	.game.heist.number == 1
	.game.you.pocket_cards count 2
A GET ""                                -> 200 .status == "playing"
