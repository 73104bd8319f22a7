# POST /v1/games/{game_id}/stream_tickets: a ticket by which a browser's
# EventSource opens a stream, since it can send no header field.

story "a ticket opens a stream of its player's events"
table A B C
B POST /stream_tickets                  -> 201
	.ticket matches "^[0-9A-Za-z]{22}$"
	.expires_at matches "^2[0-9]{3}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]"
	header cache-control == "no-store"
	header etag absent
	header location absent
	keep ticket = .ticket
B streams /events?ticket=$ticket&after=4 with Authorization:
B hears 3 .events[*].version == [5,6,7] .events[1].data.pocket_cards count 2
A POST /chips/white/1/take              -> 200
B hears {"type":"chip_taken"}
A DELETE ""                             -> 204
B hears closed deleted

story "a ticket opens one stream only"
table A B C
A POST /stream_tickets                  -> 201 keep ticket = .ticket
A GET /events?ticket=$ticket with Accept: text/event-stream with Authorization: -> parked
nobody GET /v1/games/$game/events?ticket=$ticket with Accept: text/event-stream -> 401 invalid_token
	header www-authenticate has "invalid_token"
	header content-type == "application/problem+json"
A DELETE ""                             -> 204
A                                       -> 200 body has "event: closed\ndata: {\"reason\":\"deleted\"}"
nobody GET /v1/games/$game/events?ticket=$ticket with Accept: text/event-stream -> 401 invalid_token

story "a ticket expires after thirty seconds"
table A B C
A POST /stream_tickets                  -> 201 keep ticket = .ticket
operator age-tickets $game 31
nobody GET /v1/games/$game/events?ticket=$ticket with Accept: text/event-stream -> 401 invalid_token
A POST /stream_tickets                  -> 201 keep ticket = .ticket
operator age-tickets $game 20
A GET /events?ticket=$ticket with Accept: text/event-stream with Authorization: -> parked
A DELETE ""                             -> 204
A                                       -> 200

story "a ticket opens a stream of its game only"
table A B C
A POST /stream_tickets                  -> 201 keep ticket = .ticket
table D E F with {"spectators":true}
nobody GET /v1/games/$D.game/events?ticket=$ticket with Accept: text/event-stream -> 401 invalid_token
nobody GET /v1/games/0193fd2c-7a40-7bc1-9d0e-5a6b7c8d9e0f/events?ticket=$ticket with Accept: text/event-stream -> 401 invalid_token
# the refusals have not used up the ticket
A GET /events?ticket=$ticket with Accept: text/event-stream with Authorization: -> parked
A DELETE ""                             -> 204
A                                       -> 200

story "an invalid ticket is refused"
table A B C with {"spectators":true}
for $ticket
	| ""
	| x
	| 0123456789ABCDEFGHIJK
	| 0123456789ABCDEFGHIJKLM
	| 0123456789ABCDEFGHIJ-_
	| 0123456789ABCDEFGHIJ%20a
	| 0123456789ABCDEFGHIJ%c3%9f
	| 0000000000000000000000
	nobody GET /v1/games/$game/events?ticket=$ticket with Accept: text/event-stream -> 401 invalid_token
	nobody GET /v1/games/0193fd2c-7a40-7bc1-9d0e-5a6b7c8d9e0f/events?ticket=$ticket with Accept: text/event-stream -> 401 invalid_token
end
nobody GET /v1/games/$game/events?ticket=%ff with Accept: text/event-stream -> 400 malformed
nobody GET /v1/games/$game/events?ticket=x&ticket=y with Accept: text/event-stream -> 401 invalid_token

story "only a stream without a token takes a ticket"
table A B C
A POST /stream_tickets                  -> 201 keep ticket = .ticket
A GET /events?ticket=$ticket with Accept: text/event-stream -> 422 invalid .errors[0].parameter == "ticket" .errors[0].code == "not_allowed"
nobody GET /v1/games/$game/events?ticket=$ticket -> 422 invalid .errors[0].parameter == "ticket" .errors[0].code == "not_allowed"
nobody GET /v1/games/$game/events?ticket=$ticket with Accept: application/json -> 422 invalid .errors[0].parameter == "ticket"
nobody HEAD /v1/games/$game/events?ticket=$ticket -> 422
nobody GET /v1/games/$game?ticket=$ticket -> 422 invalid .errors[0].parameter == "ticket" .errors[0].code == "unknown"
nobody GET /v1/games/$game/events?ticket=$ticket with Accept: text/event-stream with Authorization: Basic eDp5 -> 401 unauthenticated
# the refusals have not used up the ticket
A GET /events?ticket=$ticket with Accept: text/event-stream with Authorization: -> parked
A DELETE ""                             -> 204
A                                       -> 200

story "only players may have a ticket"
table A B C with {"spectators":true,"visibility":"public"}
nobody POST /v1/games/$game/stream_tickets -> 401 unauthenticated
stranger POST /v1/games/$game/stream_tickets -> 401 invalid_token
A' POST /stream_tickets                 -> 401 invalid_token
stranger POST /v1/games/0193fd2c-7a40-7bc1-9d0e-5a6b7c8d9e0f/stream_tickets -> 401 invalid_token
A POST /stream_tickets {}               -> 201
A POST /stream_tickets {"seat":2}       -> 422 invalid .errors[0].pointer == "/seat"
A POST /stream_tickets body "{"         -> 400 malformed
A GET /stream_tickets                   -> 405 method_not_allowed header allow == "POST, OPTIONS"

story "every request for a ticket gives another one"
table A B C
A GET ""                                -> 200 keep etag = header etag keep version = .version
A POST /stream_tickets with Idempotency-Key: 0123456789abcdefghijkl -> 201 keep ticket = .ticket
A POST /stream_tickets with Idempotency-Key: 0123456789abcdefghijkl -> 201 .ticket != "$ticket"
A GET ""                                -> 200 header etag == "$etag" .version == $version
A POST /stream_tickets with If-Match: "x" -> 412 version_mismatch

story "a ticket stays valid when its player's seat number changes"
lobby A B C with {"seats":5}
C POST /stream_tickets                  -> 201 keep ticket = .ticket
B POST /stream_tickets                  -> 201 keep left = .ticket
B DELETE /players/2                     -> 204
nobody GET /v1/games/$game/events?ticket=$left with Accept: text/event-stream -> 401 invalid_token
C GET /events?ticket=$ticket with Accept: text/event-stream with Authorization: -> parked
A DELETE ""                             -> 204
C                                       -> 200 body has "event: closed\ndata: {\"reason\":\"deleted\"}"

story "a removed player's ticket opens no stream"
lobby A B C with {"seats":5}
C POST /stream_tickets                  -> 201 keep ticket = .ticket
C GET /events?ticket=$ticket with Accept: text/event-stream with Authorization: -> parked
A DELETE /players/3                     -> 204
C                                       -> 200 body has "event: closed\ndata: {\"reason\":\"removed\"}" body lacks "player_left"
