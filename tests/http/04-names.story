# What a player may be called: 1 to 40 characters after trimming, none of
# them a control character, and nobody else in the game is called so.

story "names come back as they were given"
for $name
	| A
	| Ada Lovelace
	| $(x*40)
	| $(é*40)
	| $(😀*40)
	| Александр
	| 阿達
	| O'Hara "the Hand" \ Jr. / <b>&amp;</b>
	| null
	nobody POST /v1/games {"name":"$name"} -> 201 .game.players[0].name == "$name"
end

story "a name is trimmed"
nobody POST /v1/games {"name":"  Ada  "} -> 201 .game.players[0].name == "Ada"
nobody POST /v1/games body "{\"name\":\"\\u00a0Ada\\u3000\"}" -> 201 .game.players[0].name == "Ada"

story "a name is brought into one form"
nobody POST /v1/games body "{\"name\":\"Zoe\\u0308\"}" -> 201 .game.players[0].name == "Zoë"

story "names that are none"
for $name $code
	| ""                  | too_short
	| $( *1)$( *4)        | too_short
	| \u00a0\u2003        | too_short
	| $(x*41)             | too_long
	| $(é*41)             | too_long
	| $(😀*41)            | too_long
	| $(x*400)            | too_long
	| a\nb                | control_character
	| a\u001bb            | control_character
	| a\u007fb            | control_character
	| a\u0085b            | control_character
	| a\u2028b            | control_character
	| a\u202eb            | control_character
	nobody POST /v1/games body "{\"name\":\"$name\"}" -> 422 invalid
		.errors count 1 .errors[0].pointer == "/name" .errors[0].code == "$code"
end

story "nobody else in the game is called so"
A POST /v1/games {"name":"Zoë Straße"}  -> 201
for $name
	| Zoë Straße
	| ZOË STRASSE
	| zoë strasse
	| Zoe\u0308 Straße
	| $( *1)Zoë Straße$( *1)
	nobody POST /v1/invitations/$code/players body "{\"name\":\"$name\"}" -> 422 invalid
		.errors == [{"pointer":"/name","code":"taken","detail":"Somebody in this game has that name already."}]
	nobody POST /v1/games/$game/players body "{\"name\":\"$name\",\"invite_code\":\"$code\"}" -> 422 invalid
end
B POST /v1/invitations/$code/players {"name":"Zoe Strasse"} -> 201

story "whether a name is taken is told to guests only"
A POST /v1/games {"name":"Ada"}         -> 201
nobody POST /v1/games/$game/players {"name":"Ada"} -> 404 no_such_game

story "a name is to be seen"
nobody POST /v1/games {"name":"\u200b"}  -> 422 .errors[0].code == "too_short"
A POST /v1/games {"name":"Ada"}         -> 201
nobody POST /v1/invitations/$code/players {"name":"A\u200bda"} -> 422 .errors[0].code == "taken"
