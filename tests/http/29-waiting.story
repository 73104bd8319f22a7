# If-None-Match with "Prefer: wait=N" (RFC 7240): the answer comes when the
# game has changed, or after N seconds.

story "a waiter is answered when a player moves"
table A B C
A GET ""                                -> 200 keep etag = header etag
A GET "" with If-None-Match: $etag with Prefer: wait=20 -> parked
B POST /chips/white/1/take              -> 200
A                                       -> 200 .heist.chips[stars=1].seat == 2
	header preference-applied == "wait=20"
	header etag != "$etag"
	header cache-control == "private, no-cache"

story "a waiter is answered with 304 after its time"
table A B C
A GET ""                                -> 200 keep etag = header etag
A GET "" with If-None-Match: $etag with Prefer: wait=1 -> parked
A                                       -> 304 body == ""
	header preference-applied == "wait=1"
	header etag == "$etag"
	header cache-control == "private, no-cache"
	header vary has "Authorization"

story "a waiter waits for a minute at most"
table A B C
A GET ""                                -> 200 keep etag = header etag
A GET "" with If-None-Match: $etag with Prefer: wait=86400 -> parked
B POST /chips/white/1/take              -> 200
A                                       -> 200 header preference-applied == "wait=60"

story "all waiters are answered, each with its own view"
table A B C with {"spectators":true}
A GET ""                                -> 200 keep a = header etag
B GET ""                                -> 200 keep b = header etag
A GET "" with If-None-Match: $a with Prefer: wait=20 -> parked
B GET "" with If-None-Match: $b with Prefer: wait=20 -> parked
C POST /chips/white/1/take              -> 200
A                                       -> 200 .you.seat == 1 .heist.chips[stars=1].seat == 3
B                                       -> 200 .you.seat == 2 .heist.chips[stars=1].seat == 3

story "a waiter that was answered can wait for the next move"
table A B C
A GET ""                                -> 200 keep etag = header etag
A GET "" with If-None-Match: $etag with Prefer: wait=20 -> parked
B POST /chips/white/1/take              -> 200
A                                       -> 200 keep etag = header etag
A GET "" with If-None-Match: $etag with Prefer: wait=20 -> parked
C POST /chips/white/1/take              -> 200
A                                       -> 200 .heist.chips[stars=1].seat == 3 .version == 9

story "a client with an older version, or none, is answered at once"
table A B C
A GET ""                                -> 200 keep etag = header etag
B POST /chips/white/1/take              -> 200
within 500 A GET "" with If-None-Match: $etag with Prefer: wait=20 -> 200 header preference-applied == "wait=20"
within 500 A GET "" with If-None-Match: "x" with Prefer: wait=20 -> 200
within 500 A GET "" with Prefer: wait=20 -> 200 header preference-applied absent
within 500 B GET "" with If-None-Match: $etag with Prefer: wait=20 -> 200

story "a waiter needs one matching tag of several, or \"*\""
table A B C
A GET ""                                -> 200 keep etag = header etag
A GET "" with If-None-Match: "x", W/$etag with Prefer: wait=20 -> parked
B POST /chips/white/1/take              -> 200
A                                       -> 200
A GET "" with If-None-Match: * with Prefer: wait=1 -> parked
B POST /chips/white/2/take              -> 200
A                                       -> 304 header preference-applied == "wait=1"

story "other preferences and invalid times are ignored"
table A B C
A GET ""                                -> 200 keep etag = header etag
for $prefer
	| wait
	| wait=0
	| wait=-1
	| wait=soon
	| wait=1.5
	| respond-async
	| return=minimal; wait=20
	| handling="lenient, wait=20"
	within 500 A GET "" with If-None-Match: $etag with Prefer: $prefer -> 304 header preference-applied absent
end
A GET "" with If-None-Match: $etag with Prefer: respond-async, wait=20; x=1 -> parked
B POST /chips/white/1/take              -> 200
A                                       -> 200 header preference-applied == "wait=20"

story "HEAD waits as GET does"
table A B C
A GET ""                                -> 200 keep etag = header etag
A HEAD "" with If-None-Match: $etag with Prefer: wait=20 -> parked
B POST /chips/white/1/take              -> 200
A                                       -> 200 body == "" header preference-applied == "wait=20" header etag != "$etag"

story "only views can be waited for"
table A B C
for $path in /hand /events /invitation /heists
	A GET $path                     -> 200 keep etag = header etag
	within 500 A GET $path with If-None-Match: $etag with Prefer: wait=20 -> 304 header preference-applied absent
end
within 500 A POST /chips/white/1/take with Prefer: wait=20 -> 200 header preference-applied absent

story "a refusal does not wait"
table A B C
A GET ""                                -> 200 keep etag = header etag
within 500 A' GET "" with If-None-Match: * with Prefer: wait=20 -> 401 invalid_token header preference-applied absent
within 500 stranger GET /v1/games/$game with If-None-Match: * with Prefer: wait=20 -> 401 invalid_token
within 500 nobody GET /v1/games/$game with If-None-Match: * with Prefer: wait=20 -> 401 unauthenticated
within 500 stranger GET /v1/games/0193fd2c-7a40-7bc1-9d0e-5a6b7c8d9e0f with If-None-Match: * with Prefer: wait=20 -> 401 invalid_token
within 500 A GET "" with If-Match: "x" with If-None-Match: $etag with Prefer: wait=20 -> 412 version_mismatch

story "If-Match is checked again when the game has changed"
table A B C
A GET ""                                -> 200 keep etag = header etag
A GET "" with If-Match: $etag with If-None-Match: $etag with Prefer: wait=20 -> parked
B POST /chips/white/1/take              -> 200
A                                       -> 412 version_mismatch

story "a waiter sees a player join and the game start"
lobby A B
A GET ""                                -> 200 keep etag = header etag
A GET "" with If-None-Match: $etag with Prefer: wait=20 -> parked
nobody POST /v1/invitations/$code/players {"name":"C"} -> 201
A                                       -> 200 .players count 3 keep etag = header etag
B GET ""                                -> 200 keep b = header etag
B GET "" with If-None-Match: $b with Prefer: wait=20 -> parked
A POST /start                           -> 200
B                                       -> 200 .status == "playing"

story "a waiter is refused when the game is deleted"
table A B C
B GET ""                                -> 200 keep etag = header etag
B GET "" with If-None-Match: $etag with Prefer: wait=20 -> parked
A DELETE ""                             -> 204
B                                       -> 401 invalid_token header preference-applied absent

story "a waiter is refused when its player is removed"
lobby A B C
B GET ""                                -> 200 keep etag = header etag
B GET "" with If-None-Match: $etag with Prefer: wait=20 -> parked
A DELETE /players/2                     -> 204
B                                       -> 401 invalid_token header preference-applied absent

story "a player removed in play is refused, and the others see the vacant seat"
table A B C
C GET ""                                -> 200 keep etag = header etag
B GET ""                                -> 200 keep b = header etag
C GET "" with If-None-Match: $etag with Prefer: wait=20 -> parked
B GET "" with If-None-Match: $b with Prefer: wait=20 -> parked
A DELETE /players/3                     -> 204
C                                       -> 401 invalid_token
B                                       -> 200 .players[seat=3].vacant == true

story "a waiter at the old game hears of the rematch"
table A B C
heist right
heist right
heist right
B GET ""                                -> 200 keep etag = header etag
B GET "" with If-None-Match: $etag with Prefer: wait=20 -> parked
A POST /rematch                         -> 201
B                                       -> 200 .rematch.id != null
