# DELETE /v1/games/{game_id}/players/{seat}: a player leaves, or is removed, and
# another takes over the seat.

story "a seat that leaves the lobby closes up"
lobby A B C with {"seats":5}
B DELETE /players/2                     -> 204 body == "" header cache-control == "no-store"
A GET ""                                -> 200 .version == 4 .status == "lobby" .seats == 5
	.players[*].name == ["A","C"]
	.players[*].seat == [1,2]
	.players[*].host == [true,false]
	.players[*].vacant == [false,false]
C GET ""                                -> 200 .you.seat == 2
C GET /events?after=3                   -> 200 .events count 1
	.events[0].type == "player_left" .events[0].seat == 2 .events[0].data == {"name":"B"}
nobody GET /v1/invitations/$code        -> 200 .free_seats == 3

# the code is still valid, and the name is free
D POST /v1/invitations/$code/players {"name":"b"} -> 201 .seat == 3
	.game.players[*].name == ["A","C","b"]

story "the next seat becomes host when the host leaves"
lobby A B C with {"seats":5}
A DELETE /players/1                     -> 204
B GET ""                                -> 200 .version == 5 .you.seat == 1
	.players[*].name == ["B","C"]
	.players[*].host == [true,false]
B GET /events?after=3                   -> 200 .events[*].type == ["player_left","host_changed"]
	.events[*].seat == [1,1]
nobody GET /v1/invitations/$code        -> 200 .host == "B"
C DELETE /players/1                     -> 403 not_host
D POST /v1/invitations/$code/players {"name":"A"} -> 201 .seat == 3
C POST /start                           -> 403 not_host
B POST /start                           -> 200 .status == "playing" .seats == 3

story "a lobby is deleted when all have left"
lobby A B
A DELETE /players/1                     -> 204
B DELETE /players/1 {}                  -> 204
B GET ""                                -> 401 invalid_token
nobody GET /v1/invitations/$code        -> 404 no_such_invitation
nobody POST /v1/games/$game/players {"name":"A","invite_code":"$code"} -> 404 no_such_game

story "removing a player changes the invitation code"
lobby A B C with {"seats":5}
A DELETE /players/2                     -> 204
A GET /invitation                       -> 200 .invite_code != "$code" .free_seats == 3 keep fresh = .invite_code
C GET /invitation                       -> 200 .invite_code == "$fresh"
nobody GET /v1/invitations/$code        -> 404 no_such_invitation
B POST /v1/invitations/$code/players {"name":"B"} -> 404 no_such_invitation
B POST /v1/games/$game/players {"name":"B","invite_code":"$code"} -> 404 no_such_game
A GET /events?after=3                   -> 200 .events[*].type == ["player_left"] .events[0].seat == 2
D POST /v1/invitations/$fresh/players {"name":"B"} -> 201 .seat == 3
A DELETE /players/3                     -> 204
nobody GET /v1/invitations/$fresh       -> 404 no_such_invitation

story "only the player and the host free a seat"
lobby A B C with {"seats":5}
for $seat
	| 1
	| 3
	B DELETE /players/$seat         -> 403 not_host
end
for $seat
	| 0
	| 4
	| 5
	| 7
	| 02
	| x
	A DELETE /players/$seat         -> 404 no_such_seat
	B DELETE /players/$seat         -> 404 no_such_seat
end
nobody DELETE /v1/games/$game/players/2 -> 401 unauthenticated
nobody DELETE /v1/games/$game/players/7 -> 404 no_such_seat
stranger DELETE /v1/games/$game/players/2 -> 401 invalid_token
A' DELETE /players/2                    -> 401 invalid_token
A DELETE /players/2 {"seat":2}          -> 422 invalid .errors[0].pointer == "/seat"
A DELETE /players/2 body "{"            -> 400 malformed
A GET /players/2                        -> 405 method_not_allowed header allow == "PATCH, DELETE, OPTIONS"

story "If-Match lets a seat be freed only in the version that was seen"
lobby A B C with {"seats":5}
A GET ""                                -> 200 keep etag = header etag
C DELETE /players/3                     -> 204
A DELETE /players/2 with If-Match: $etag -> 412 version_mismatch
A GET ""                                -> 200 .players count 2 keep etag = header etag
A DELETE /players/2 with If-None-Match: $etag -> 412 version_mismatch
A DELETE /players/2 with If-Match: $etag -> 204

story "a seat left in play keeps its cards and chips"
table A B C with {"spectators":true}
A POST /chips/white/2/take              -> 200
B POST /chips/white/2/take              -> 200
B POST /chips/white/2/return            -> 200
B GET ""                                -> 200 keep cards = .you.pocket_cards
B GET /hand                             -> 200 keep hand = .
nobody GET /v1/games/$game              -> 200 keep heist = .heist
B DELETE /players/2                     -> 204
nobody GET /v1/games/$game              -> 200 .heist == $heist .status == "playing" .seats == 3
	.players[*].name == ["A",null,"C"]
	.players[*].vacant == [false,true,false]
	.players[*].host == [true,false,false]
A GET ""                                -> 200 .heist == $heist keep version = .version
nobody GET /v1/games/$game/players/2/hand -> 403 not_your_hand
A DELETE /players/2                     -> 404 no_such_seat

# the round does not end while the vacant seat has no chip
A POST /chips/white/1/take              -> 200
C POST /chips/white/3/take              -> 200 .heist.round == 1 .heist.waiting_for == [2]

# the next player there sees the cards of the seat
A GET /invitation                       -> 200 . == {"invite_code":"$code","free_seats":1}
nobody GET /v1/invitations/$code        -> 200 .host == "A" .status == "playing" .seats == 3 .free_seats == 1
nobody POST /v1/games/$game/players {"name":"D"} -> 404 no_such_game
D POST /v1/invitations/$code/players {"name":"a"} -> 422 invalid .errors[0].code == "taken"
D POST /v1/invitations/$code/players {"name":"B"} -> 201 .seat == 2
	.game.status == "playing"
	.game.you.pocket_cards == $cards
	.game.players[*].name == ["A","B","C"]
	.game.players[*].vacant == [false,false,false]
D GET /hand                             -> 200 . == $hand
D GET /events                           -> 200 .events[type=cards_dealt].data.pocket_cards == $cards
D GET /events?after=$version            -> 200 .events[-1].type == "player_joined" .events[-1].seat == 2
nobody GET /v1/games/$game/events       -> 200 .events[type=cards_dealt].data == {"count":2}
nobody GET /v1/invitations/$code        -> 409 game_full
nobody POST /v1/games/$game/players {"name":"E","invite_code":"$code"} -> 409 game_full
D POST /chips/white/2/take              -> 200 .heist.round == 2
heist right

story "a player who takes a seat over sees only what that seat saw"
table A B C with {"spectators":true}
A POST /chips/white/2/take              -> 200
B GET ""                                -> 200 keep you = .you keep heist = .heist
B GET /events                           -> 200 keep log = .events keep last = .events[-1].version
nobody GET /v1/games/$game/events       -> 200 keep public = .events
B DELETE /players/2                     -> 204
D POST /v1/invitations/$code/players {"name":"D"} -> 201 .game.you == $you .game.heist == $heist
D GET /events?after=$last               -> 200 .events[*].type == ["player_left","player_joined"] .events[*].seat == [2,2]
D GET /events?limit=$last               -> 200 .events == $log
B GET ""                                -> 401 invalid_token
B GET /events                           -> 401 invalid_token
nobody GET /v1/games/$game/events?limit=$last -> 200 .events == $public
nobody GET /v1/games/$game              -> 200 .heist == $heist .you == null

story "a host who takes a removed player's seat sees no card of it"
table A B C with {"spectators":true,"mode":"advanced"}
deal A=2c3c B=4d5d C=6h7h board=8s9sTcJcQd
round white A1 B2 C3
A GET ""                                -> 200 keep vaults = .vaults keep alarms = .alarms keep stacks = .stacks
	keep version = .version
A DELETE /players/2                     -> 204
A GET /events?after=$version            -> 200 .events[*].type == ["player_left","heist_ended"]
	.events[*].seat == [2,null]
	.events[1].data == {"outcome":"abandoned","vaults":0,"alarms":0}
# The log keeps what all could see, and the own cards.
A GET /events                           -> 200 body has "\"8s\"" body has "\"2c\"" body lacks "\"4d\"" .events[*].type has "chip_taken"
A GET /invitation                       -> 200 keep fresh = .invite_code
P POST /v1/invitations/$fresh/players {"name":"P"} -> 201 .seat == 2
	body lacks "\"4d\"" body lacks "\"5d\""
	.game.vaults == $vaults
	.game.alarms == $alarms
	.game.stacks == $stacks
	.game.heist.number == 1
	.game.heist.phase == "over"
	.game.heist.outcome == "abandoned"
	.game.heist.round == 2
	.game.heist.chips == []
	.game.heist.community_cards == []
	.game.heist.showdown == null
	.game.heist.waiting_for == []
	.game.you.pocket_cards == []
	.game.you.ranking == null
	.game.you.best_five == []
for $who in A P C
	$who GET ""                     -> 200 .you.pocket_cards == []
		.you.legal_actions[*].action == ["next_heist"]
	$who GET /hand                  -> 200 .pocket_cards == [] .ranking == null
	$who GET /showdown              -> 409 showdown_not_reached
	$who GET /heists                -> 200 .heists == []
	$who GET /heists/1              -> 404 no_such_heist
	$who POST /chips/yellow/1/take  -> 409 heist_over
end
for $who in A C nobody
	$who GET /v1/games/$game/players/2/hand -> 403 not_your_hand
	$who GET /v1/games/$game/events -> 200 body lacks "\"4d\"" body lacks "\"5d\""
end
# the seat's log has its cards, so the next player may not see them there either
P GET /events                           -> 200 body lacks "\"4d\"" body lacks "\"5d\""

# the same heist is dealt again, to the present players
C POST /heists                          -> 201
	.heist.number == 1
	.heist.phase == "chips"
	.heist.outcome == null
	.heist.round == 1
	.heist.chips[*].seat == [null,null,null]
	.heist.waiting_for == [1,2,3]
	.vaults == $vaults
	.stacks == $stacks
P GET ""                                -> 200 .you.pocket_cards count 2
heist right
A GET /heists                           -> 200 .heists count 1 .heists[0].number == 1

story "the heist after an abandoned one is played with the same cards in play"
table A B C D with {"mode":"advanced"}
deal A=AsAh B=KsKh C=2c7d D=8h8d board=3d9cTc4sJd
heist wrong
next specialist mastermind
A POST /heists                          -> 201 .heist.number == 2 keep stacks = .stacks
A POST /specialist/proposals {"seat":2,"value":"K"} -> 200
A DELETE /players/3                     -> 204
D GET ""                                -> 200 .heist.outcome == "abandoned" .alarms.red == 1
	.heist.specialist == {"number":4,"code":"mastermind","state":"available","proposal":null}
D POST /specialist/votes {"agree":true} -> 409 heist_over
# another player may leave meanwhile, or be removed
D DELETE /players/4                     -> 204
B POST /heists                          -> 201 .heist.number == 2 .heist.specialist.code == "mastermind"
	.heist.specialist.state == "available"
	.stacks == $stacks
	.alarms.red == 1
# it can be abandoned again
A DELETE /players/2                     -> 204
A GET ""                                -> 200 .heist.outcome == "abandoned" .heist.number == 2
A POST /heists                          -> 201 .heist.number == 2

story "a showdown that is under way is abandoned too, and one that is over is not"
table A B C with {"mode":"professional","spectators":true}
active retina_scan
deal A=2c3c B=4d5d C=6h7h board=8s9sTcJcQd
for $color in white yellow orange red
	round $color A1 B2 C3
end
A GET ""                                -> 200 .heist.phase == "answering" keep version = .version
A DELETE /players/3                     -> 204
A GET ""                                -> 200 .heist.outcome == "abandoned" .heist.showdown == null body lacks "\"6h\""
nobody GET /v1/games/$game/players/3/hand -> 403 not_your_hand
nobody GET /v1/games/$game/events?after=$version -> 200 body lacks "\"6h\""
A GET /invitation                       -> 200 keep fresh = .invite_code
D POST /v1/invitations/$fresh/players {"name":"D"} -> 201 body lacks "\"6h\""
heist right
A GET ""                                -> 200 .vaults.gold == 1 keep heist = .heist
B DELETE /players/2                     -> 204
A GET ""                                -> 200 .heist == $heist
A DELETE /players/3                     -> 204
A GET ""                                -> 200 .heist == $heist .vaults.gold == 1

story "a vacant seat still holds its chip"
table A B C
B POST /chips/white/2/take              -> 200
B DELETE /players/2                     -> 204
A GET ""                                -> 200 .heist.chips[*].seat == [null,2,null] .heist.waiting_for == [1,3]
A POST /chips/white/2/take {"from":2}   -> 200 .heist.chips[*].seat == [null,1,null] .heist.waiting_for == [2,3]

story "the token of a freed seat is refused on every route"
table A B C with {"spectators":true}
lobby X Y Z
B DELETE /v1/games/$A.game/players/2    -> 204
Z DELETE /players/3                     -> 204
for $method $path
	| GET    | ""
	| DELETE | ""
	| GET    | /invitation
	| POST   | /start
	| GET    | /hand
	| GET    | /players/2/hand
	| DELETE | /players/2
	| GET    | /events
	| POST   | /chips/white/1/take
	| POST   | /chips/white/1/return
	| POST   | /heists
	| GET    | /heists
	| GET    | /heists/1
	| GET    | /showdown
	| POST   | /rematch
	B $method /v1/games/$A.game$path -> 401 invalid_token
	Z $method /v1/games/$X.game$path -> 401 invalid_token
end
for $path $body
	| /specialist/proposals | {"seat":1}
	| /specialist/votes     | {"agree":true}
	| /choices              | {"looked":true}
	| /showdown/answers     | {"question":"retina_scan","value":"K"}
	B POST /v1/games/$A.game$path $body -> 401 invalid_token
end

story "the lowest vacant seat is taken first"
table A B C D E
D DELETE /players/4                     -> 204
A DELETE /players/2                     -> 204
nobody GET /v1/invitations/$code        -> 404 no_such_invitation
A GET /invitation                       -> 200 .free_seats == 2 keep fresh = .invite_code
A GET ""                                -> 200 .players[*].vacant == [false,true,false,true,false]
F POST /v1/invitations/$fresh/players {"name":"F"} -> 201 .seat == 2
G POST /v1/invitations/$fresh/players {"name":"G"} -> 201 .seat == 4
H POST /v1/invitations/$fresh/players {"name":"H"} -> 409 game_full
heist right

story "a public game's seat is taken over without a code"
table A B C with {"visibility":"public"}
C DELETE /players/3                     -> 204
D POST /v1/games/$game/players {"name":"D"} -> 201 .seat == 3 .game.you.seat == 3

story "the next present player becomes host when the host leaves in play"
table A B C D
C DELETE /players/3                     -> 204
B DELETE /players/1                     -> 403 not_host
A DELETE /players/1                     -> 204
B GET ""                                -> 200 .players[*].host == [false,true,false,false] keep version = .version
B DELETE /players/2                     -> 204
D GET ""                                -> 200 .players[*].host == [false,false,false,true]
D GET /events?after=$version            -> 200 .events[*].type == ["player_left","host_changed"] .events[*].seat == [2,4]
E POST /v1/invitations/$code/players {"name":"E"} -> 201 .seat == 1
	.game.players[*].host == [false,false,false,true]
D DELETE /players/4                     -> 204
E GET ""                                -> 200 .players[*].host == [true,false,false,false]
E DELETE ""                             -> 204

story "a game that all have left waits, and the next player is host"
table A B C
A DELETE /players/1                     -> 204
B DELETE /players/2                     -> 204
C DELETE /players/3                     -> 204
nobody GET /v1/invitations/$code        -> 200 .host == null .seats == 3 .free_seats == 3
D POST /v1/invitations/$code/players {"name":"D"} -> 201 .seat == 1
	.game.players[*].host == [true,false,false]
	.game.players[*].name == ["D",null,null]
D GET /events                           -> 200 .events[-2].type == "player_joined" .events[-1].type == "host_changed" .events[-1].seat == 1
E POST /v1/invitations/$code/players {"name":"E"} -> 201 .seat == 2
	.game.players[*].host == [true,false,false]
F POST /v1/invitations/$code/players {"name":"F"} -> 201 .seat == 3
heist wrong

story "an ended game can be left, and the others start the rematch"
table A B C D
until A .status != "playing"
	heist right
end
B DELETE /players/2                     -> 204
A GET ""                                -> 200 .players[*].vacant == [false,true,false,false] .status == "won"
A GET /invitation                       -> 200 .free_seats == 0 .invite_code == null
nobody GET /v1/invitations/$code        -> 409 game_over
nobody POST /v1/invitations/$code/players {"name":"E"} -> 409 game_over
nobody POST /v1/games/$game/players {"name":"E","invite_code":"$code"} -> 409 game_over
A DELETE /players/1                     -> 204
C GET ""                                -> 200 .players[*].host == [false,false,true,false]
C POST /rematch                         -> 201 .status == "lobby" .version == 2 .seats == 4 keep next = .id
	.you.seat == 1
	.players[*].name == ["C","D"]
	.players[*].host == [true,false]
	.players[*].vacant == [false,false]
D GET /v1/games/$next                   -> 200 .you.seat == 2
A GET /v1/games/$next                   -> 401 invalid_token
C GET /v1/games/$next/invitation        -> 200 .free_seats == 2 keep c = .invite_code
nobody POST /v1/invitations/$c/players {"name":"A"} -> 201 .seat == 3
C POST /v1/games/$next/start            -> 200 .status == "playing" .seats == 3

story "three players who stay start the rematch at once, closed up"
table A B C D
until A .status != "playing"
	heist wrong
end
B DELETE /players/2                     -> 204
D POST /rematch                         -> 201 .status == "playing" .seats == 3 .you.seat == 3
	.players[*].name == ["A","C","D"]
	.players[*].host == [true,false,false]

story "a proposal is carried out when the last dissenter leaves"
table A B C D with {"mode":"advanced"}
until A .heist.specialist != null
	heist wrong
	A POST /heists
end
A GET ""                                -> 200 .heist.specialist.code == "informant"
A POST /specialist/proposals {"seat":2,"target_seat":3} -> 200
B POST /specialist/votes {"agree":true} -> 200
D POST /specialist/votes {"agree":true} -> 200 .heist.specialist.state == "proposed" .heist.waiting_for has 3

# the vote of a leaving player is not needed, so D is not asked any more
D DELETE /players/4                     -> 204
A GET ""                                -> 200 .heist.specialist.proposal.agreed == [1,2] keep version = .version
C DELETE /players/3                     -> 204
A GET /events?after=$version            -> 200 .events[*].type == ["player_left","specialist_used"]
B GET ""                                -> 200 .heist.specialist.state == "choosing" .you.choice_due.code == "informant" keep due = .you.choice_due

# the choice waits for the next player on the seat
B DELETE /players/2                     -> 204
A GET ""                                -> 200 .heist.phase == "choosing" .heist.waiting_for has 2
E POST /v1/invitations/$code/players {"name":"E"} -> 201 .seat == 2 .game.you.choice_due == $due
	keep card = .game.you.pocket_cards[0]
E POST /choices {"card":"$card"}        -> 200 .heist.specialist.state == "used"
F POST /v1/invitations/$code/players {"name":"F"} -> 201 .seat == 3
	.game.you.shown_cards == [{"seat":2,"card":"$card"}]
A GET ""                                -> 200 .you.shown_cards == []

story "a proposal that all have left waits for the next player"
table A B C with {"mode":"advanced"}
until A .heist.specialist != null
	heist wrong
	A POST /heists
end
A POST /specialist/proposals {"seat":2,"target_seat":3} -> 200
A DELETE /players/1                     -> 204
B GET ""                                -> 200 .heist.specialist.proposal.agreed == [] .heist.specialist.proposal.by == 1
B DELETE /players/2                     -> 204
C DELETE /players/3                     -> 204
D POST /v1/invitations/$code/players {"name":"D"} -> 201 .seat == 1
	.game.heist.specialist.state == "proposed"
	.game.heist.specialist.proposal.agreed == []
D POST /specialist/votes {"agree":true} -> 200 .heist.specialist.state == "choosing"

story "a lone player's proposal is carried out at once"
table A B C with {"mode":"advanced"}
until A .heist.specialist != null
	heist wrong
	A POST /heists
end
B DELETE /players/2                     -> 204
C DELETE /players/3                     -> 204
A POST /specialist/proposals {"seat":3,"target_seat":1} -> 200 .heist.specialist.state == "choosing"
	.heist.announcements count 1

# Several requests at once: one order explains all answers.

story "two players can leave a lobby at the same time"
lobby A B C D
together
	B DELETE /players/2
	C DELETE /players/3
end -> 204, 204
A GET ""                                -> 200 .players[*].name == ["A","D"]

story "players who leave at the same time remove no other player"
lobby A B C
together
	A DELETE /players/1
	B DELETE /players/2
end -> 204, 204
C GET ""                                -> 200 .players[*].name == ["C"] .players[*].host == [true]

story "the last two of a lobby leave it together"
lobby A B
together
	A DELETE /players/1
	B DELETE /players/2
end -> 204, 204
nobody GET /v1/invitations/$code        -> 404 no_such_invitation

story "a player who leaves while being removed is gone once"
lobby A B C
together
	A DELETE /players/2
	B DELETE /players/2
end
A GET ""                                -> 200 .players[*].name == ["A","C"] .version == 4

story "one player leaves while another joins"
lobby A B with {"seats":3}
together
	B DELETE /players/2
	C POST /v1/games/$game/players {"name":"C","invite_code":"$code"}
end
A GET ""                                -> 200 .players[-1].name == "C"

story "one player leaves in play while another joins"
table A B C with {"visibility":"public"}
A DELETE /players/1                     -> 204
together
	B DELETE /players/2
	D POST /v1/games/$game/players {"name":"D"}
end -> 204, 201
C GET ""                                -> 200 .players[*].name == ["D",null,"C"]

story "one player leaves while another moves"
table A B C
A POST /chips/white/1/take              -> 200
B POST /chips/white/2/take              -> 200
together
	C POST /chips/white/2/take
	B DELETE /players/2
end -> 200, 204
A GET ""                                -> 200 .heist.chips[*].seat == [1,3,null] .players[*].vacant == [false,true,false] .version == 11
