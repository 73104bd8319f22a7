# GET /v1/games: the public games that wait for players.  Games of earlier
# stories may be listed too; the newest stand first.

story "the lobby lists a public game while it waits for players"
A POST /v1/games {"name":"Ada","seats":4,"visibility":"public","spectators":true} -> 201 keep created = .game.created_at
nobody GET /v1/games                    -> 200 header cache-control == "no-cache" header etag absent
	.games[0] == {"id":"$game","ruleset":"the_gang","mode":"basic","round_end":"at_once","host":"Ada","seats":4,"free_seats":3,"spectators":true,"created_at":"$created"}
B POST /v1/games/$game/players {"name":"Bob"} -> 201
nobody GET /v1/games?limit=1            -> 200 .games count 1 .games[0].id == "$game" .games[0].free_seats == 2 .games[0].host == "Ada"
A DELETE /players/1                     -> 204
nobody GET /v1/games?limit=1            -> 200 .games[0].id == "$game" .games[0].free_seats == 3 .games[0].host == "Bob"
B DELETE /players/1                     -> 204
nobody GET /v1/games                    -> 200 .games lacks {"id":"$game"}

story "the lobby ignores tokens, and shows none"
lobby A with {"visibility":"public"}
A GET /v1/games?limit=1                 -> 200 .games[0].id == "$game"
A' GET /v1/games?limit=1                -> 200 .games[0].id == "$game" body lacks "gang_" body lacks "$code"

story "the lobby lists no private game"
lobby A with {"visibility":"private","spectators":true}
nobody GET /v1/games?limit=100          -> 200 .games lacks {"id":"$game"} body lacks "$code"
table B C D
nobody GET /v1/games?limit=100          -> 200 .games lacks {"id":"$game"}

story "the lobby lists no game that has started"
lobby A B with {"visibility":"public","seats":3}
nobody GET /v1/games                    -> 200 .games has {"id":"$game","free_seats":1}
C POST /v1/games/$game/players {"name":"C"} -> 201 .game.status == "playing"
nobody GET /v1/games                    -> 200 .games lacks {"id":"$game"}
C DELETE /players/3                     -> 204
nobody GET /v1/games                    -> 200 .games lacks {"id":"$game"}
table D E F with {"visibility":"public","seats":5}
nobody GET /v1/games                    -> 200 .games lacks {"id":"$game"}

story "the lobby lists no deleted game"
lobby A with {"visibility":"public"}
nobody GET /v1/games                    -> 200 .games has {"id":"$game"}
A DELETE ""                             -> 204
nobody GET /v1/games                    -> 200 .games lacks {"id":"$game"}

story "the lobby lists a rematch that waits for players"
table A B C with {"visibility":"public"}
until A .status != "playing"
	heist wrong
end
B DELETE /players/2                     -> 204
A POST /rematch                         -> 201 .status == "lobby" keep next = .id
	header content-location == "/v1/games/$next" header location == "/v1/games/$next"
nobody GET /v1/games                    -> 200 .games[0].id == "$next" .games[0].free_seats == 1 .games[0].host == "A"

story "the lobby filters games"
lobby A B C with {"visibility":"public","seats":5,"mode":"advanced"}
lobby D with {"visibility":"public","seats":6}
for $query
	| mode=advanced
	| free_seats=2
	| free_seats=1
	| ruleset=the_gang&mode=advanced&free_seats=2&limit=100
	| mode=%61dvanced
	nobody GET /v1/games?$query     -> 200 .games has {"id":"$A.game"}
end
for $query
	| mode=basic
	| free_seats=3
	| mode=advanced&free_seats=6
	nobody GET /v1/games?$query     -> 200 .games lacks {"id":"$A.game"}
end
nobody GET /v1/games?free_seats=5       -> 200 .games has {"id":"$D.game"}
nobody GET /v1/games?free_seats=6       -> 200 .games == []
	header link absent

story "the lobby is read page by page"
# Two games of the same millisecond stand in any order.
lobby A with {"visibility":"public","seats":5,"mode":"professional"}
table X Y Z
lobby B with {"visibility":"public","seats":5,"mode":"professional"}
table U V W
lobby C with {"visibility":"public","seats":5,"mode":"professional"}
nobody GET /v1/games?mode=professional&limit=1&free_seats=4 -> 200 .games count 1 .games[0].id == "$C.game"
	header link == "</v1/games?cursor=$C.game&limit=1&mode=professional&free_seats=4>; rel=\"next\""
nobody GET /v1/games?cursor=$C.game&limit=1&mode=professional&free_seats=4 -> 200 .games[0].id == "$B.game"
	header link == "</v1/games?cursor=$B.game&limit=1&mode=professional&free_seats=4>; rel=\"next\""

# the game at the page's end may be gone by now
B DELETE ""                             -> 204
nobody GET /v1/games?cursor=$B.game&limit=1&mode=professional&free_seats=4 -> 200 .games[0].id == "$A.game"

story "a refusal lists all faults of the query"
nobody GET /v1/games?ruleset=poker&mode=easy&free_seats=0&limit=101&cursor=x&page=2 -> 422 invalid
	.errors[*].parameter == ["page","ruleset","mode","cursor","free_seats","limit"]
	.errors[*].code == ["unknown","not_one_of","not_one_of","not_allowed","out_of_range","out_of_range"]
for $query $code
	| free_seats=7  | out_of_range
	| free_seats=   | wrong_type
	| free_seats=-1 | out_of_range
	| limit=0       | out_of_range
	| limit=1e1     | wrong_type
	| limit=99999999999999999999 | out_of_range
	| cursor=       | not_allowed
	| cursor=01890A5D-AC96-774B-BCCE-B302099A805 | not_allowed
	| mode=         | not_one_of
	| mode=Basic    | not_one_of
	| ruleset=the_gang%20 | not_one_of
	| limit=1&limit=2 | repeated
	nobody GET /v1/games?$query     -> 422 invalid .errors[0].code == "$code"
end
nobody GET /v1/games?mode=%ff           -> 400 malformed
nobody HEAD /v1/games                   -> 200 body == ""
nobody OPTIONS /v1/games                -> 204 header allow == "GET, HEAD, POST, OPTIONS"
