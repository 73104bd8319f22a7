# DELETE /v1/games/{game_id}

story "the host deletes the game, and it is as if it had never been"
table A B C
heist right
A DELETE ""                             -> 204 body == ""
A GET ""                                -> 401 invalid_token
B GET /events                           -> 401 invalid_token
A DELETE ""                             -> 401 invalid_token
nobody GET /v1/games/$game              -> 401 unauthenticated
nobody GET /v1/invitations/$code        -> 404 no_such_invitation
nobody POST /v1/games/$game/players {"name":"D","invite_code":"$code"} -> 404 no_such_game

story "nobody else does"
table A B C
B DELETE ""                             -> 403 not_host
C DELETE ""                             -> 403 not_host
nobody DELETE /v1/games/$game           -> 401 unauthenticated
A GET ""                                -> 200

story "a lobby can be deleted too, and its code is dead"
lobby A B
nobody GET /v1/invitations/$code        -> 200
A GET ""                                -> 200 keep etag = header etag
B GET ""                                -> 200
A DELETE "" with If-Match: "x"          -> 412 version_mismatch
A DELETE "" {} with If-Match: $etag     -> 204
nobody POST /v1/invitations/$code/players {"name":"C"} -> 404 no_such_invitation
