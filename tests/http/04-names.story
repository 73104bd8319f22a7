# The names that a player may have: 1 to 40 characters after trimming, none of
# them a control character, and nobody else in the game is called so.

story "a name is shown as it was given"
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

story "a name is stored in the composed Unicode form"
nobody POST /v1/games body "{\"name\":\"Zoe\\u0308\"}" -> 201 .game.players[0].name == "Zoë"

story "an invalid name is refused"
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

story "a name with invisible or replacement characters is refused"
for $name $code
	| \u200b             | too_short
	| \u3164             | too_short
	| \u2800             | too_short
	| A\u200bda          | invisible_character
	| A\u200cda          | invisible_character
	| A\u200dda          | invisible_character
	| Ada\ufe0f          | invisible_character
	| A\u00adda          | invisible_character
	| Ada\u3164          | invisible_character
	| A\u115fda          | invisible_character
	| A\u2800da          | invisible_character
	| Ada\udb40\udc41    | invisible_character
	| A\ufffdda          | replacement_character
	| A\ufffcda          | replacement_character
	| Ada\ue000          | unassigned_character
	| Ada\u0378          | unassigned_character
	nobody POST /v1/games body "{\"name\":\"$name\"}" -> 422 invalid
		.errors count 1 .errors[0].pointer == "/name" .errors[0].code == "$code"
end

story "a name has the joiners and selectors that its script or emoji needs"
for $name
	| \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645
	| \u0dc1\u0dca\u200d\u0dbb\u0dd3
	| \u0915\u094d\u200d\u0937
	| \u0d05\u0d35\u0d28\u0d4d\u200d
	| \ud83c\udff4\udb40\udc67\udb40\udc62\udb40\udc65\udb40\udc6e\udb40\udc67\udb40\udc7f
	| \u845b\udb40\udd00
	nobody POST /v1/games body "{\"name\":\"$name\"}" -> 201
end
A POST /v1/games body "{\"name\":\"\\u200f\\u05d3\\u05d5\\u05d3\\u200e\"}" -> 201 .game.players[0].name == "דוד"
nobody POST /v1/invitations/$code/players {"name":"דוד"} -> 422 invalid .errors[0].code == "taken"

story "a name has one script, and at most two marks on a letter"
for $name
	| \u0410\u0434\u0430 42
	| \u5c71\u7530 \u305f\u308d\u3046 \u30bf\u30ed\u30fc
	| \u91d1 \ubbfc\uc900
	| \u738b \u3112\u3127\u3120
	| Nguye\u0302\u0303n
	| \u0e19\u0e49\u0e33
	| \ud83d\udc69\ud83c\udffd\u200d\ud83d\ude80 \u2764\ufe0f
	nobody POST /v1/games body "{\"name\":\"$name\"}" -> 201
end
for $name $code
	| \u0410da           | mixed_scripts
	| \u0391da           | mixed_scripts
	| \u0410\u0434\ud835\udc1a | mixed_scripts
	| DJ \u5c71\u7530    | mixed_scripts
	| \ubbfc\u305f       | mixed_scripts
	| X\u0301\u0323\u0302 | combining_marks
	| \u0301Ada          | combining_marks
	nobody POST /v1/games body "{\"name\":\"$name\"}" -> 422 invalid
		.errors count 1 .errors[0].pointer == "/name" .errors[0].code == "$code"
end
nobody POST /v1/games body "{\"name\":\"\\u0410da\"}" -> 422 invalid
	.errors == [{"pointer":"/name","code":"mixed_scripts","detail":"The letters of a name are of one script, such as Latin or Cyrillic; those of Japanese, Korean or Chinese count as one. Use one of them."}]

story "a name is shown as it was typed, and compared as it looks"
A POST /v1/games body "{\"name\":\"\\uff21da \\u2163\"}" -> 201 .game.players[0].name == "Ａda Ⅳ"
for $name
	| Ada IV
	| ada iv
	| \ud835\udc00\ud835\udc1d\ud835\udc1a \u2173
	nobody POST /v1/invitations/$code/players body "{\"name\":\"$name\"}" -> 422 invalid .errors[0].code == "taken"
end
B POST /v1/invitations/$code/players {"name":"Ada 4"} -> 201

story "a player with an older, now invalid name plays on"
A POST /v1/games {"name":"Ada"}         -> 201
operator rename $game 1 '\u0410d\u200ba\ufffd'
A GET ""                                -> 200 .players[0].name == "Аd\u200ba\ufffd"
B POST /v1/invitations/$code/players {"name":"Ada"} -> 201 .game.players[0].name == "Аd\u200ba\ufffd"
C POST /v1/invitations/$code/players {"name":"Cleo"} -> 201
A POST /start                           -> 200 .status == "playing"

story "no two names of a game look the same"
A POST /v1/games {"name":"Zoë Straße"}  -> 201
for $name
	| Zoë Straße
	| ZOË STRASSE
	| zoë strasse
	| Zoe\u0308 Straße
	| $( *1)Zoë Straße$( *1)
	| Zoë Strɑße
	nobody POST /v1/invitations/$code/players body "{\"name\":\"$name\"}" -> 422 invalid
		.errors == [{"pointer":"/name","code":"taken","detail":"Somebody in this game has that name, or one that looks like it."}]
	nobody POST /v1/games/$game/players body "{\"name\":\"$name\",\"invite_code\":\"$code\"}" -> 422 invalid
end
B POST /v1/invitations/$code/players {"name":"Zoe Strasse"} -> 201

story "only callers with the code learn that a name is taken"
A POST /v1/games {"name":"Ada"}         -> 201
nobody POST /v1/games/$game/players {"name":"Ada"} -> 404 no_such_game

story "a name without visible characters is too short"
nobody POST /v1/games {"name":"\u200b"}  -> 422 .errors[0].code == "too_short"
A POST /v1/games {"name":"Ada"}         -> 201
nobody POST /v1/invitations/$code/players {"name":"A\u200bda"} -> 422 .errors[0].code == "invisible_character"
