# GET /v1/games/{game_id}: what each player sees.

story "a view shows the heist that was just dealt"
table A B C
A GET ""                                -> 200
	.id == "$game"
	.status == "playing"
	.heist.number == 1
	.heist.phase == "chips"
	.heist.outcome == null
	.heist.round == 1
	.heist.color == "white"
	.heist.community_cards == []
	.heist.chips == [{"color":"white","stars":1,"seat":null,"locked":false,"dark":false},{"color":"white","stars":2,"seat":null,"locked":false,"dark":false},{"color":"white","stars":3,"seat":null,"locked":false,"dark":false}]
	.heist.challenges == []
	.heist.specialist == null
	.heist.announcements == []
	.heist.waiting_for == [1,2,3]
	.heist.showdown == null
	.you.seat == 1
	.you.pocket_cards count 2
	.you.former_pocket_cards == []
	.you.shown_cards == []
	.you.ranking matches "^(high_card|pair)$"
	.you.best_five count 2
	.you.choice_due == null

story "views differ only in the reader's own part"
table A B C
A GET ""                                -> 200 keep heist = .heist keep players = .players keep cards = .you.pocket_cards
B GET ""                                -> 200 .heist == $heist .players == $players .you.pocket_cards != $cards
C GET ""                                -> 200 .heist == $heist .players == $players .you.pocket_cards != $cards

story "community cards come up round by round, the same for all"
table A B C D
round white A1 B2 C3 D4
A GET ""                                -> 200 .heist.community_cards count 3 keep flop = .heist.community_cards
	.you.best_five count 5
	.heist.color == "yellow" .heist.round == 2
B GET ""                                -> 200 .heist.community_cards == $flop
round yellow A1 B2 C3 D4
A GET ""                                -> 200 .heist.community_cards count 4 .heist.round == 3
	.heist.color == "orange"
round orange A1 B2 C3 D4
A GET ""                                -> 200 .heist.community_cards count 5 .heist.round == 4
	.heist.color == "red"
	.heist.chips count 16
	.heist.chips[*].color has "white"
	.heist.chips[color=red,stars=4].seat == null

story "pocket cards stay the same through the heist"
table A B C
A GET ""                                -> 200 keep cards = .you.pocket_cards
round white A1 B2 C3
round yellow A3 B2 C1
A GET ""                                -> 200 .you.pocket_cards == $cards

story "the version is the number of events"
table A B C
A GET ""                                -> 200 keep version = .version
A GET /events                           -> 200 .events[-1].version == $version .events count $version

story "caches keep views for one reader, and revalidate them"
table A B C
A GET ""                                -> 200
	header cache-control == "private, no-cache"
	header vary has "Authorization"
	header etag matches "^\"[^\"]+\"$"
	header content-type == "application/json"

story "HEAD of a view has its tag and no body"
table A B C
A GET ""                                -> 200 keep etag = header etag
A HEAD ""                               -> 200 body == "" header etag == "$etag"

story "a view takes no query parameter"
table A B C
A GET "?x=1"                            -> 422 invalid .errors[0].parameter == "x"
A GET "?lang=en&x"                      -> 422 invalid .errors count 2
A GET "?"                               -> 200
A GET "?_=1732600000000"                -> 200
A GET "?_=1&x=1"                        -> 422 invalid .errors[*].parameter == ["x"]
