# POST /v1/games/{game_id}/rematch: the same gang goes on in another game.

story "a rematch keeps seats and tokens, and begins at once"
table A B C with {"mode":"professional","spectators":true,"visibility":"public"}
heist right
heist right
heist right
A GET ""                                -> 200 .status == "won" .rematch == null .rematch_of == null
	.you.legal_actions == [{"action":"rematch","method":"POST","href":"/v1/games/$game/rematch","body":{},"command":{"action":"rematch"},"choose":null}]
	keep old = .id keep version = .version
B POST /rematch                         -> 201
	header location exists keep location = header location
	header etag exists
	.status == "playing"
	.mode == "professional"
	.visibility == "public"
	.spectators == true
	.seats == 3
	.players[*].name == ["A","B","C"]
	.players[*].host == [true,false,false]
	.vaults.gold == 0
	.alarms.red == 0
	.heist.number == 1
	.heist.challenges count 1
	.you.seat == 2
	.token absent
	.rematch == null
	.rematch_of == {"id":"$old","href":"/v1/games/$old"}
	keep new = .id
# from here on the actors sit at the new game
A GET /v1/games/$new                    -> 200 .you.seat == 1
C GET $location                         -> 200 .you.seat == 3
# the old game can still be read, and names the new one
for $who in A B C
	$who GET /v1/games/$old         -> 200
		.status == "won"
		.rematch == {"id":"$new","href":"/v1/games/$new"}
		.rematch_of == null
		.you.legal_actions == []
end
A GET /v1/games/$old/events?after=$version -> 200
	.events count 1
	.events[0].type == "rematch_created"
	.events[0].seat == 2
	.events[0].data == {"id":"$new"}
nobody GET /v1/games/$old               -> 200 .rematch.id == "$new"
A GET /v1/games/$old/heists             -> 200 .heists count 3
A GET /events                           -> 200
	.events[0].type == "player_joined"
	.events[*].seat has 3
	.events[*].type has "game_started"
	.events[type=heist_started].data.number == 1
# a second rematch is refused
for $who in A B C
	$who POST /v1/games/$old/rematch -> 409 already_used
		.rematch == {"id":"$new","href":"/v1/games/$new"}
end
heist right
A GET ""                                -> 200 .vaults.gold == 1

story "a rematch goes on with the stacks"
table A B C with {"mode":"advanced"}
heist right
heist right
heist right
A GET ""                                -> 200 .heist.challenges[0].number == 2 .stacks.challenges.unseen == 8
A POST /rematch                         -> 201 .heist.challenges == [] .stacks == {"challenges":{"unseen":8},"specialists":{"unseen":10}}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
A POST /heists                          -> 201 .heist.specialist.number == 1
heist right
A POST /heists                          -> 201 .heist.challenges[0].number == 3
heist right
heist right
A GET ""                                -> 200 .status == "won" .heist.challenges[0].number == 4
A POST /rematch                         -> 201 .stacks == {"challenges":{"unseen":6},"specialists":{"unseen":9}}
heist right
A POST /heists                          -> 201 .heist.challenges[0].number == 5

story "two requests for a rematch at once create one game"
table A B C
heist right
heist right
heist right
A GET ""                                -> 200 keep old = .id
together
	A POST /rematch
	B POST /rematch
end -> 201, 409 already_used
A GET /v1/games/$old                    -> 200 keep new = .rematch.id
C GET /v1/games/$new                    -> 200 .rematch_of.id == "$old" .heist.number == 1

story "a rematch is refused before the end"
lobby A B C
A POST /rematch                         -> 409 game_not_started
A POST /start                           -> 200
A POST /rematch                         -> 409 not_allowed_now
heist right
A POST /rematch                         -> 409 not_allowed_now

story "a rematch needs a player's token and a valid body"
table A B C with {"spectators":true}
heist right
heist right
heist right
nobody POST /v1/games/$game/rematch     -> 401 unauthenticated
stranger POST /v1/games/$game/rematch   -> 401 invalid_token
A' POST /rematch                        -> 401 invalid_token
for $body $pointer $fault
	| {"mode":"sly"}           | /mode  | not_one_of
	| {"mode":1}               | /mode  | wrong_type
	| {"seats":1}              | /seats | out_of_range
	| {"seats":2}              | /seats | out_of_range
	| {"seats":7}              | /seats | out_of_range
	| {"seats":"4"}            | /seats | wrong_type
	| {"stacks":"shuffled"}    | /stacks | unknown
	| {"round_end":"at_once"}  | /round_end | unknown
	A POST /rematch $body           -> 422 invalid .errors count 1
		.errors[0].pointer == "$pointer" .errors[0].code == "$fault"
end
A POST /rematch with If-Match: "x"      -> 412 version_mismatch
A GET ""                                -> 200 .rematch == null
A POST /rematch {}                      -> 201

story "the rematch stays when the old game is deleted"
table A B C
heist right
heist right
heist right
A GET ""                                -> 200 keep old = .id
A POST /rematch                         -> 201
A DELETE /v1/games/$old                 -> 204
A GET ""                                -> 200 .heist.number == 1
heist right

story "a rematch in another mode goes on with the stacks as they lie"
table A B C with {"mode":"advanced"}
until A .status != "playing"
	heist right
end
A GET ""                                -> 200 .stacks.challenges.unseen == 8 .stacks.specialists.unseen == 10
A POST /rematch {"mode":"basic"}        -> 201 .mode == "basic" .status == "playing" .stacks == {"challenges":null,"specialists":null}
until A .status != "playing"
	heist wrong
end
B POST /rematch {"mode":"advanced"}     -> 201 .mode == "advanced" .stacks.challenges.unseen == 8
heist right
B POST /heists                          -> 201 .heist.challenges[*].code == ["motion_detector"]

story "a rematch for more people waits for them in the lobby"
table A B C with {"visibility":"public"}
until A .status != "playing"
	heist right
end
B POST /rematch {"mode":"master_thief","seats":5} -> 201 .status == "lobby" .seats == 5 .mode == "master_thief"
	.players[*].name == ["A","B","C"] .players[*].host == [true,false,false] .heist == null
nobody GET /v1/games?mode=master_thief  -> 200 .games has {"id":"$game","free_seats":2,"seats":5}
D POST /v1/games/$game/players {"name":"D"} -> 201 .seat == 4 .game.status == "lobby"
B POST /start                           -> 403 not_host
A POST /start                           -> 200 .status == "playing" .seats == 4 .heist.challenges count 2

story "a larger rematch starts when its last seat is taken"
table A B C
until A .status != "playing"
	heist right
end
A POST /rematch {"seats":4}             -> 201 .status == "lobby"
A GET /invitation                       -> 200 .free_seats == 1 keep fresh = .invite_code
D POST /v1/invitations/$fresh/players {"name":"D"} -> 201 .game.status == "playing" .game.seats == 4

story "a rematch with a seat for each player starts at once"
table A B C D
until A .status != "playing"
	heist right
end
A POST /rematch {"seats":3}             -> 409 not_allowed_now .now.status == "won" .detail matches "^4 players are at the table, so the rematch needs at least 4 seats"
D DELETE /players/4                     -> 204
A POST /rematch {"seats":3}             -> 201 .status == "playing" .seats == 3
