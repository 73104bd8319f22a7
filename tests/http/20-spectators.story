# A game with spectators may be read by anybody; what it shows is public.

story "a spectator sees the table, but no cards and no moves"
table A B C with {"spectators":true}
A POST /chips/white/2/take              -> 200 keep heist = .heist
nobody GET /v1/games/$game              -> 200
	.you == null
	.spectators == true
	.heist == $heist
	body lacks "pocket_cards"
	.players[*].name == ["A","B","C"]
	header etag exists keep etag = header etag
nobody GET /v1/games/$game with If-None-Match: $etag -> 304
A GET ""                                -> 200 header etag != "$etag"

story "a spectator sees the log and the showdowns, and no hand before"
table A B C with {"spectators":true}
nobody GET /v1/games/$game/events       -> 200 .events[type=cards_dealt].data == {"count":2}
nobody GET /v1/games/$game/hand         -> 401 unauthenticated
nobody GET /v1/games/$game/players/1/hand -> 403 not_your_hand
nobody GET /v1/games/$game/invitation   -> 401 unauthenticated
nobody GET /v1/games/$game/heists       -> 200 .heists == []
heist right
A GET /players/1/hand                   -> 200 keep hand = .
nobody GET /v1/games/$game/players/1/hand -> 200 . == $hand
nobody GET /v1/games/$game/showdown     -> 200 .reveals count 3
nobody GET /v1/games/$game/heists/1     -> 200

story "a spectator cannot move"
table A B C with {"spectators":true}
for $path in /start /chips/white/1/take /chips/white/1/return /heists
	nobody POST /v1/games/$game$path -> 401 unauthenticated
end
nobody DELETE /v1/games/$game           -> 401 unauthenticated

story "a spectator's token must be valid"
table A B C with {"spectators":true}
stranger GET /v1/games/$game            -> 401 invalid_token
A' GET ""                               -> 401 invalid_token

story "a public game has no spectators unless it was created with them"
table A B C with {"visibility":"public"}
nobody GET /v1/games/$game              -> 401 unauthenticated
