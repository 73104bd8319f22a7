# DELETE /v1/games/{game_id}

story "a game that its host deletes is gone for everybody"
table A B C
heist right
A DELETE ""                             -> 204 body == ""
A GET ""                                -> 401 invalid_token
B GET /events                           -> 401 invalid_token
A DELETE ""                             -> 401 invalid_token
nobody GET /v1/games/$game              -> 401 unauthenticated
nobody GET /v1/invitations/$code        -> 404 no_such_invitation
nobody POST /v1/games/$game/players {"name":"D","invite_code":"$code"} -> 404 no_such_game

story "only the host deletes a game"
table A B C
B DELETE ""                             -> 403 not_host
C DELETE ""                             -> 403 not_host
nobody DELETE /v1/games/$game           -> 401 unauthenticated
A GET ""                                -> 200

story "the host deletes a lobby, and its code is not valid any more"
lobby A B
nobody GET /v1/invitations/$code        -> 200
A GET ""                                -> 200 keep etag = header etag
B GET ""                                -> 200
A DELETE "" with If-Match: "x"          -> 412 version_mismatch
A DELETE "" {} with If-Match: $etag     -> 204
nobody POST /v1/invitations/$code/players {"name":"C"} -> 404 no_such_invitation
