# POST /v1/games/{game_id}/chips/{color}/{stars}/take and .../return

story "a chip is taken from the centre"
table A B C
A POST /chips/white/2/take              -> 200
	header content-location == "/v1/games/$game" keep etag = header etag
	.heist.chips[stars=2].seat == 1
	.heist.chips[stars=2].locked == false
	.heist.waiting_for == [2,3]
A GET "" with If-None-Match: $etag      -> 304 header content-location absent
A POST /chips/white/1/return            -> 409 header content-location absent
B GET ""                                -> 200 .heist.chips[stars=2].seat == 1
	header content-location absent

story "a chip is taken out of a friend's hands"
table A B C
A POST /chips/white/2/take              -> 200 .heist.chips[1].seat == 1
B POST /chips/white/2/take {"from":1}   -> 200 .heist.chips[1].seat == 2
A GET ""                                -> 200 .heist.waiting_for == [1,3]
A POST /chips/white/2/take {"from":"center"} -> 409 chip_moved
A POST /chips/white/2/take {"from":1}   -> 409 chip_moved
A POST /chips/white/2/take {"from":3}   -> 409 chip_moved
A POST /chips/white/2/take {"from":6}   -> 409 chip_moved
A POST /chips/white/2/take              -> 200 .heist.chips[1].seat == 1

story "taking another chip returns the first one"
table A B C
A POST /chips/white/2/take              -> 200
A POST /chips/white/3/take              -> 200
	.heist.chips[stars=2].seat == null
	.heist.chips[stars=3].seat == 1
B POST /chips/white/1/take              -> 200
B POST /chips/white/3/take {"from":1}   -> 200
	.heist.chips[*].seat == [null,null,2]
	.heist.waiting_for == [1,3]

story "a player returns a chip"
table A B C
A POST /chips/white/2/take              -> 200 keep version = .version
A POST /chips/white/2/return            -> 200
	.heist.chips[*].seat == [null,null,null]
	.heist.waiting_for == [1,2,3]
A POST /chips/white/2/return {}         -> 409 chip_not_held

story "a player neither takes a held chip again nor returns another's"
table A B C
A POST /chips/white/1/return            -> 409 chip_not_held
A POST /chips/white/1/take              -> 200
A POST /chips/white/1/take              -> 409 chip_already_held
A POST /chips/white/1/take {"from":2}   -> 409 chip_already_held
A POST /chips/white/2/return            -> 409 chip_not_held
B POST /chips/white/1/return            -> 409 chip_not_held

story "an impossible chip is refused before the token is checked"
table A B C
for $chip in blue/1 White/1 white/0 white/7 white/10 white/x white/-1 white/01 white/1.0 whit/1 %77hite/1
	A POST /chips/$chip/take        -> 404
	A POST /chips/$chip/return      -> 404
	nobody POST /v1/games/$game/chips/$chip/take -> 404
end
nobody POST /v1/games/$game/chips/blue/1/take -> 404 no_such_chip
nobody POST /v1/games/$game/chips/white/7/take -> 404 no_such_chip

story "chips beyond the number of players do not exist"
table A B C
A POST /chips/white/4/take              -> 404 no_such_chip
A POST /chips/yellow/6/take             -> 404 no_such_chip
A POST /chips/white/4/return            -> 404 no_such_chip
table D E F G
D POST /chips/white/4/take              -> 200

story "chips of other rounds do not move"
table A B C
A POST /chips/yellow/1/take             -> 409 not_allowed_now
A POST /chips/red/1/return              -> 409 not_allowed_now
round white A1 B2 C3
A POST /chips/white/2/take              -> 409 round_over
A POST /chips/white/1/return            -> 409 round_over
A POST /chips/orange/1/take             -> 409 not_allowed_now

story "a missing chip is reported before the round, the round before the holder"
table A B C
# a missing chip comes before the round, the round before the holder
A POST /chips/red/4/take                -> 404 no_such_chip
A POST /chips/red/1/take {"from":2}     -> 409 not_allowed_now
A POST /chips/red/1/take {"from":2} with If-Match: "x" -> 412 version_mismatch
round white A1 B2 C3
A POST /chips/white/4/take              -> 404 no_such_chip
A POST /chips/white/1/take {"from":3}   -> 409 round_over
A POST /chips/yellow/1/take             -> 200
A POST /chips/yellow/1/take {"from":"center"} -> 409 chip_already_held
heist right
A POST /chips/red/4/take                -> 409 heist_over
A POST /chips/white/1/take              -> 409 heist_over
A POST /chips/red/1/return              -> 409 heist_over

story "\"from\" must be where the chip lies, or be absent"
table A B C
A POST /chips/white/1/take {"from":"centre"} -> 422 invalid .errors[0].pointer == "/from" .errors[0].code == "not_one_of"
A POST /chips/white/1/take {"from":0}   -> 422 invalid .errors[0].code == "out_of_range"
A POST /chips/white/1/take {"from":7}   -> 422 invalid .errors[0].code == "out_of_range"
A POST /chips/white/1/take {"from":null} -> 422 invalid .errors[0].code == "wrong_type"
A POST /chips/white/1/take {"from":1.5} -> 422 invalid
A POST /chips/white/1/take {"form":1}   -> 422 invalid .errors[0].pointer == "/form" .errors[0].code == "unknown"
A POST /chips/white/1/return {"from":1} -> 422 invalid .errors[0].pointer == "/from"
