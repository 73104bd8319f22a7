# GET /v1/push, and PUT and DELETE /v1/games/{game_id}/push: a player who is not looking
# is told by Web Push.  tests/push shows what is sent.

story "the key by which browsers subscribe"
nobody GET /v1/push                     -> 200
	.application_server_key matches "^[A-Za-z0-9_-]{87}$"
	.subscriptions_max == 5

story "a player subscribes, and is told no more"
table A B C
A PUT /push {"endpoint":"https://fcm.googleapis.com/fcm/send/a","expirationTime":null,"keys":{"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","auth":"BTBZMqHH6r4Tts7J_aSIgg"}} -> 200
	.subscription matches "^[A-Za-z0-9_-]{43}$"
	header etag absent
	keep subscription = .subscription
A DELETE /push?subscription=$subscription -> 204
A DELETE /push                          -> 204
A DELETE /push?subscription=x           -> 422 invalid .errors[0].parameter == "subscription"

story "a subscription changes neither the game nor its views"
table A B C
A GET ""                                -> 200 keep version = .version
A PUT /push {"endpoint":"https://ntfy.sh/up","keys":{"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","auth":"BTBZMqHH6r4Tts7J_aSIgg"}} -> 200
A GET ""                                -> 200 .version == $version
A POST /chips/white/1/take              -> 200
B POST /chips/white/1/take              -> 200
A POST /chips/white/2/take              -> 200

story "five subscriptions of a player in a game"
table A B C
for $number in 1 2 3 4 5
A PUT /push {"endpoint":"https://ntfy.sh/$number","keys":{"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","auth":"BTBZMqHH6r4Tts7J_aSIgg"}} -> 200
end
A PUT /push {"endpoint":"https://ntfy.sh/6","keys":{"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","auth":"BTBZMqHH6r4Tts7J_aSIgg"}} -> 409 too_many_subscriptions
B PUT /push {"endpoint":"https://ntfy.sh/6","keys":{"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","auth":"BTBZMqHH6r4Tts7J_aSIgg"}} -> 200

story "hosts that this service does not send to"
table A B C
A PUT /push {"endpoint":"https://127.0.0.1/a","keys":{}} -> 422 invalid
	.errors[0].pointer == "/endpoint" .errors[0].code == "not_allowed"
	.errors[1].pointer == "/keys/p256dh" .errors[2].pointer == "/keys/auth"
A PUT /push {"endpoint":"http://ntfy.sh/a","keys":{}} -> 422 invalid .errors[0].detail has "https"
A PUT /push {}                          -> 422 invalid .errors[*].pointer == ["/endpoint","/keys"]

story "a reference for the operator's webhook is shown to nobody"
A POST /v1/games {"name":"A","seats":3,"client_reference":"account 7"} -> 201 body lacks "account"
A GET ""                                -> 200 body lacks "account"
nobody POST /v1/games {"name":"A","client_reference":""} -> 422 invalid .errors[0].code == "too_short"
nobody POST /v1/games {"name":"A","client_reference":null} -> 201

story "without a key there is no Web Push"
elsewhere
table A B C
nobody GET /v1/push                     -> 200 .application_server_key == null
A PUT /push {"endpoint":"https://ntfy.sh/a","keys":{}} -> 404 push_off
stranger PUT /v1/games/$game/push {"endpoint":"https://ntfy.sh/a","keys":{}} -> 401 invalid_token
A DELETE /push                          -> 204
