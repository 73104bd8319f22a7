# GET /v1/rules/...: modes, cards, rankings, the guide, and sentences, in the
# reader's language.

story "the modes are listed from easy to hard"
nobody GET /v1/rules/modes -> 200
	.modes[*].code == ["basic","advanced","professional","master_thief"]
	.modes[*].vaults == [3,3,3,3]
	.modes[*].alarms == [3,3,3,2]
	.modes[*].challenges == [0,1,2,2]
	.modes[*].specialists == [0,1,1,0]

story "the challenges are listed by their numbers"
nobody GET /v1/rules/challenges -> 200
	.challenges[*].number == [1,2,3,4,5,6,7,8,9,10]
	.challenges[*].code == ["quick_access","noise_sensors","motion_detector","retina_scan","hasty_getaway","ventilation_shaft","laser_tripwires","blackout","fingerprint_scan","security_cameras"]

story "the specialists are listed by their numbers, with the members of a proposal"
nobody GET /v1/rules/specialists -> 200
	.specialists[*].number == [1,2,3,4,5,6,7,8,9,10]
	.specialists[*].code == ["informant","getaway_driver","investor","mastermind","hacker","coordinator","jack","math_whiz","con_artist","muscle"]
	.specialists[*].use == ["once","once","automatic","once","once","automatic","once","automatic","automatic","once"]
	.specialists[*].asks == [["seat","target_seat"],["seat"],[],["seat","value"],["seat"],[],["seat"],[],[],["seat"]]

story "the rankings are listed from weak to strong, as hands are ranked"
nobody GET /v1/rules/rankings -> 200 keep codes = .rankings[*].code
nobody POST /v1/rules/evaluations {"hands":[["Ah","Kd","9c","5s","3h"],["2h","2d","9c","5s","3h"],["2h","2d","3c","3s","Ah"],["2h","2d","2c","3s","Ah"],["Ah","2d","3c","4s","5h"],["2h","3h","4h","5h","7h"],["2h","2d","2c","3s","3h"],["2h","2d","2c","2s","3h"],["Ah","2h","3h","4h","5h"],["Th","Jh","Qh","Kh","Ah"]]} -> 200
	.results[*].ranking == $codes

story "the modes have names in four languages"
for $lang $names
	| en | ["Basic", "Advanced", "Professional", "Master Thief"]
	| de | ["Grundspiel", "Fortgeschrittenen-Modus", "Profi-Modus", "Meisterdieb-Modus"]
	| fr | ["Partie standard", "Mode avancé", "Mode Pro", "Mode Gangster"]
	| ru | ["Базовый", "Продвинутый", "Профессиональный", "Мастер-вор"]
	nobody GET /v1/rules/modes?lang=$lang -> 200 .modes[*].name == $names
		header content-language == "$lang"
end

story "the challenges have names in four languages"
for $lang $names
	| en | ["Quick Access", "Noise Sensors", "Motion Detector", "Retina Scan", "Hasty Getaway", "Ventilation Shaft", "Laser Tripwires", "Blackout", "Fingerprint Scan", "Security Cameras"]
	| de | ["Schnelleinstieg", "Geräuschsensoren", "Bewegungsmelder", "Netzhautscan", "Überhastete Flucht", "Lüftungsschacht", "Lichtschranken", "Blackout", "Fingerabdruckscan", "Überwachungskameras"]
	| fr | ["Ouverture facile", "Capteurs de bruit", "Détecteurs de mouvement", "Scan rétinien", "Fuite précipitée", "Grille d’aération", "Barrières photoélectriques", "Panne d’électricité", "Lecteur d’empreintes digitales", "Caméras de surveillance"]
	| ru | ["Быстрый доступ", "Датчики шума", "Датчик движения", "Сканирование сетчатки", "Поспешный побег", "Вентиляционная шахта", "Лазерные растяжки", "Отключение электричества", "Сканирование отпечатков пальцев", "Камеры видеонаблюдения"]
	nobody GET /v1/rules/challenges?lang=$lang -> 200 .challenges[*].name == $names
		header content-language == "$lang"
end

story "the specialists have names in four languages"
for $lang $names
	| en | ["Informant", "Getaway Driver", "Investor", "Mastermind", "Hacker", "Coordinator", "Jack", "Math Whiz", "Con Artist", "Muscle"]
	| de | ["Informant", "Fahrerin", "Geldgeber", "Mastermind", "Hackerin", "Koordinator", "Jack", "Zahlengenie", "Trickbetrügerin", "Muskelprotz"]
	| fr | ["Informateur", "Conductrice", "Actionnaire", "Cerveau de la bande", "Hackeuse", "Coordinateur", "Valet", "Génie des chiffres", "Arnaqueuse", "Gros bras"]
	| ru | ["Информатор", "Водитель", "Инвестор", "Вдохновитель", "Хакер", "Координатор", "Джек", "Математический гений", "Мошенница", "Мускулы"]
	nobody GET /v1/rules/specialists?lang=$lang -> 200 .specialists[*].name == $names
		header content-language == "$lang"
end

story "the rankings have names in four languages"
for $lang $names
	| en | ["High card", "Pair", "Two pair", "Three of a kind", "Straight", "Flush", "Full house", "Four of a kind", "Straight flush", "Royal flush"]
	| de | ["Höchste Einzelkarte", "Ein Paar", "Zwei Paare", "Drilling", "Straße", "Flush", "Full House", "Vierling", "Straßen-Flush", "Royal Flush"]
	| fr | ["Carte haute", "Paire", "Double paire", "Brelan", "Quinte", "Couleur", "Full", "Carré", "Quinte flush", "Quinte flush royale"]
	| ru | ["Старшая карта", "Пара", "Две пары", "Тройка", "Стрит", "Флеш", "Фулл-хаус", "Каре", "Стрит-флеш", "Флеш-рояль"]
	nobody GET /v1/rules/rankings?lang=$lang -> 200 .rankings[*].name == $names
		header content-language == "$lang"
end

story "the guide has its sections in reading order, and its words"
nobody GET /v1/rules/guide -> 200
	.sections[*].code == ["goal","talk","heist","chips","showdown","kickers","ties","cards","fifth_jack","leaving","famiglia_goal","famiglia_turn","famiglia_payment","famiglia_end","famiglia_leaving"]
	.sections[code=talk].ruleset == "the_gang"
	.sections[code=talk].title == "What you may say"
	.sections[code=talk].text count 4
	.sections[code=heist].text count 6
	.sections[code=famiglia_turn].ruleset == "famiglia"
	.words[code=vault].name == "vault"
	.words[code=vault].kind == "word"
	.words[code=street].ruleset == "famiglia"

story "the guide names chips and rounds in four languages"
for $lang $vault $alarm $white $red $river
	| en | vault       | alarm   | white chip   | red chip      | river
	| de | Tresor      | Alarm   | weißer Chip  | roter Chip    | River
	| fr | coffre-fort | alarme  | jeton blanc  | jeton rouge   | rivière
	| ru | хранилище   | тревога | белая фишка  | красная фишка | ривер
	nobody GET /v1/rules/guide?lang=$lang -> 200
		.sections count 15
		.words[code=vault].name == "$vault"
		.words[code=alarm].name == "$alarm"
		.words[kind=color,code=white].name == "$white"
		.words[kind=color,code=red].name == "$red"
		.words[kind=round,code=river].name == "$river"
		header content-language == "$lang"
end

story "each code of legal_actions has a name and a text"
nobody GET /v1/rules/actions -> 200
	.actions[*].code == ["start","take_chip","return_chip","propose","vote","choose","answer","confirm_round","next_heist","refill","accountant","brute","take","pass","seat_bot","rematch"]
	.actions[code=start].ruleset == null
	.actions[code=take_chip].ruleset == "the_gang"
	.actions[code=pass].ruleset == "famiglia"
for $lang $name
	| en | Take a chip
	| de | Chip nehmen
	| fr | Prendre un jeton
	| ru | Взять фишку
	nobody GET /v1/rules/actions?lang=$lang -> 200 .actions[code=take_chip].name == "$name"
end

story "each event has a sentence with named places"
nobody GET /v1/rules/announcements -> 200
	.announcements[kind=event,code=chip_taken] == {"kind":"event","code":"chip_taken","ruleset":"the_gang","when":{"from":"center"},"text":"{seat} takes from the centre: {color}, {stars} ★.","places":["seat","color","stars"]}
	.announcements has {"kind":"event","code":"chip_taken","when":null}
	.announcements[kind=event,code=hand_revealed].when == {"in_order":false}
	.announcements[kind=event,code=card_taken].when == {"pay":null}
	.announcements[kind=announcement,code=mastermind].places == ["seat","value","count"]
	.announcements[kind=outcome,code=abandoned].when == null
	.announcements[kind=status,code=over].ruleset == "famiglia"
	.announcements[kind=reason,code=forfeited].places == ["winner"]
	.announcements has {"kind":"decision","code":"draw"}
	.announcements has {"kind":"event","code":"hidden","ruleset":null}
for $lang $failed
	| en | The heist has failed: the alarm goes off.
	| de | Der Überfall ist gescheitert: Der Alarm geht los.
	| fr | Le braquage a échoué : l’alarme se déclenche.
	| ru | Ограбление провалено: сработала тревога.
	nobody GET /v1/rules/announcements?lang=$lang -> 200 .announcements[kind=outcome,code=failed].text == "$failed"
end

story "each problem has texts in four languages, in English those of the answer"
nobody GET /v1/nothing -> 404 no_such_route keep title = .title keep detail = .detail
nobody GET /v1/rules/problems -> 200
	.problems[code=no_such_route] == {"code":"no_such_route","status":404,"title":"$title","text":"$detail"}
	.problems[0].code == "malformed"
	.problems lacks {"code":"ok"}
for $lang $title
	| de | Diesen Pfad gibt es nicht
	| fr | Chemin inexistant
	| ru | Нет такого пути
	nobody GET /v1/rules/problems?lang=$lang -> 200 .problems[code=no_such_route].title == "$title"
end

story "Accept-Language chooses, and never refuses"
for $asked $lang
	| de                             | de
	| de-CH                          | de
	| fr-CH, de;q=0.5                | fr
	| de;q=0.5, ru;q=0.7             | ru
	| ja, ko;q=0.9                   | en
	| ja, *;q=0.1                    | en
	| en;q=0, *                      | de
	| *;q=0                          | en
	| de;q=2                         | en
	| de;q=0.12345, fr               | en
	nobody GET /v1/rules/modes with Accept-Language: $asked -> 200 header content-language == "$lang"
		header vary == "Accept-Language"
end
nobody GET /v1/rules/modes -> 200 header content-language == "en" header vary == "Accept-Language"
nobody GET /v1/rules/modes with Accept-Language: ja with Accept-Language: ru -> 200 header content-language == "ru"

story "lang wins over Accept-Language"
nobody GET /v1/rules/modes?lang=fr with Accept-Language: de -> 200 header content-language == "fr"
nobody GET /v1/rules/modes?lang=en with Accept-Language: de, en;q=0 -> 200 header content-language == "en"

story "lang may have a region, as browsers name languages"
for $lang $found
	| de-AT       | de
	| en-GB       | en
	| FR          | fr
	| ru-Cyrl-RU  | ru
	nobody GET /v1/rules/modes?lang=$lang with Accept-Language: de -> 200 header content-language == "$found"
end

story "lang is one of the four languages"
for $lang in xx deu d it-CH * en,de %20de de_AT de-AT;q=1 den-de -de
	nobody GET /v1/rules/modes?lang=$lang with Accept-Language: de -> 422 invalid
		.errors count 1
		.errors[0].parameter == "lang"
		.errors[0].code == "not_one_of"
		.errors[0].detail has "en, de, fr, ru"
		header content-language absent
end
nobody GET /v1/rules/modes?lang= -> 422 invalid .errors[0].code == "not_one_of"
nobody GET /v1/rules/modes?lang=de&lang=fr -> 422 invalid .errors[0].parameter == "lang" .errors[0].code == "repeated"
nobody GET /v1/rules/modes?lang=x&language=de -> 422 invalid .errors count 2
nobody GET /v1/rules/modes?language=de -> 422 invalid .errors[0].parameter == "language"

story "an unchanged list is not sent again"
for $list in modes challenges specialists rankings guide actions announcements problems
	nobody GET /v1/rules/$list -> 200 keep etag = header etag
		header cache-control == "public, max-age=3600"
	nobody GET /v1/rules/$list -> 200 header etag == "$etag"
	nobody GET /v1/rules/$list with If-None-Match: $etag -> 304 body == ""
		header etag == "$etag"
		header cache-control == "public, max-age=3600"
		header vary == "Accept-Language"
	nobody HEAD /v1/rules/$list with If-None-Match: W/$etag -> 304
	nobody GET /v1/rules/$list with If-None-Match: "x" -> 200 header etag == "$etag"
	nobody GET /v1/rules/$list?lang=en with If-None-Match: $etag -> 304
	nobody GET /v1/rules/$list?lang=de with If-None-Match: $etag -> 200 header etag != "$etag"
	nobody GET /v1/rules/$list with If-None-Match: $etag with Accept-Language: de -> 200 header content-language == "de"
	nobody GET /v1/rules/$list?lang=xx with If-None-Match: * -> 422 invalid
end
nobody GET /v1/rules/modes -> 200 keep etag = header etag
nobody GET /v1/rules/rankings with If-None-Match: $etag -> 200

story "HEAD of a list has the fields of GET"
nobody GET /v1/rules/rankings?lang=ru -> 200 keep etag = header etag keep length = header content-length
nobody HEAD /v1/rules/rankings?lang=ru -> 200 body == ""
	header etag == "$etag"
	header content-length == "$length"
	header content-language == "ru"

story "the lists are read only"
for $list in modes challenges specialists rankings guide actions announcements problems
	nobody OPTIONS /v1/rules/$list -> 204 header allow has "GET" header allow lacks "POST"
	nobody POST /v1/rules/$list {} -> 405 method_not_allowed
	nobody GET /v1/rules/$list with Accept: text/html -> 406 not_acceptable
	nobody GET /v1/rules/$list/1 -> 404 no_such_route
end
