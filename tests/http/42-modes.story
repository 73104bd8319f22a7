# The modes: how many alarms lose, and with which cards the heists are played.

story "a game is created in a mode"
for $mode $limit $challenges $specialists $first
	| basic        | 3 | null            | null            | 0
	| advanced     | 3 | {"unseen":10}   | {"unseen":10}   | 0
	| professional | 3 | {"unseen":8}    | {"unseen":10}   | 1
	| master_thief | 2 | {"unseen":7}    | null            | 2
	table A B C with {"mode":"$mode"}
	A GET ""                        -> 200
		.mode == "$mode"
		.vaults == {"gold":0,"needed":3}
		.alarms == {"red":0,"limit":$limit}
		.stacks == {"challenges":$challenges,"specialists":$specialists}
		.heist.challenges count $first
		.heist.specialist == null
	nobody GET /v1/invitations/$code -> 409 game_full
end
A POST /v1/games {"name":"Ada","mode":"expert"} -> 422 invalid .errors[0].pointer == "/mode" .errors[0].code == "not_one_of"
A POST /v1/games {"name":"Ada","stacks":"sorted"} -> 422 invalid .errors[0].pointer == "/stacks"

story "basic: neither challenges nor specialists"
table A B C
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
A POST /heists                          -> 201 .heist.challenges == [] .heist.specialist == null
heist right
A POST /heists                          -> 201 .heist.challenges == [] .heist.specialist == null

story "advanced: a challenge after a success, a specialist after a failure, sorted"
table A B C with {"mode":"advanced"}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
A POST /heists                          -> 201 .heist.specialist.code == "informant" .heist.challenges == []
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
A POST /heists                          -> 201 .heist.specialist.code == "getaway_driver" .heist.challenges == []
heist right
A POST /heists                          -> 201 .heist.specialist == null .heist.challenges[*].code == ["quick_access"]
heist right
A POST /heists                          -> 201 .heist.specialist == null .heist.challenges[*].code == ["noise_sensors"]
A GET /heists                           -> 200
	.heists[*].challenges == [[],[],[],[{"number":1,"code":"quick_access","permanent":false}]]
	.heists[1].specialist == {"number":1,"code":"informant"}
heist right
A GET ""                                -> 200 .status == "won"

story "professional: one challenge at random for the whole game, and others beside it"
table A B C with {"mode":"professional"}
A GET ""                                -> 200
	.heist.challenges[0].permanent == true
	.heist.challenges[0].code != "quick_access"
	keep permanent = .heist.challenges[0]
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
A POST /heists                          -> 201
	.heist.challenges == [$permanent]
	.heist.specialist.code == "informant"
heist right
A POST /heists                          -> 201
	.heist.challenges count 2
	.heist.challenges has $permanent
	.heist.challenges[permanent=false].code matches "^(noise_sensors|motion_detector)$"
	.heist.specialist == null
heist right
A POST /heists                          -> 201 .heist.challenges count 2 .heist.challenges has $permanent
heist right
A GET ""                                -> 200 .status == "won" .vaults.gold == 3 .alarms.red == 1

story "master thief: always two challenges, of which the lower one leaves"
table A B C with {"mode":"master_thief"}
A GET ""                                -> 200
	.heist.challenges count 2
	.heist.challenges[*].permanent == [false,false]
	keep lower = .heist.challenges[0].code
	keep higher = .heist.challenges[1].code
heist right
A POST /heists                          -> 201
	.heist.challenges count 2
	.heist.challenges[*].code lacks "$lower"
	.heist.challenges[*].code has "$higher"
	.heist.specialist == null
	keep lower = .heist.challenges[0].code
	keep higher = .heist.challenges[1].code
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
A POST /heists                          -> 201
	.heist.challenges count 2
	.heist.challenges[*].code lacks "$lower"
	.heist.challenges[*].code has "$higher"
	.heist.specialist == null
heist right
A GET ""                                -> 200 .status == "playing" .vaults.gold == 2 .alarms.red == 1
A POST /heists                          -> 201 .heist.number == 4
heist right
A GET ""                                -> 200 .status == "won"

story "master thief: two alarms lose"
table A B C with {"mode":"master_thief"}
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
A POST /heists                          -> 201
deal A=AsAh B=KsKh C=2c7d board=3d8hTc4sJd
heist wrong
A GET ""                                -> 200 .status == "lost" .alarms == {"red":2,"limit":2}
	.you.legal_actions[*].action == ["rematch"]
A GET /events                           -> 200 .events[-1].type == "game_ended" .events[-1].data == {"status":"lost"}
A POST /heists                          -> 409 game_over
A POST /specialist/proposals {"seat":1} -> 409 game_over
A POST /specialist/votes {"agree":true} -> 409 game_over
A POST /choices {"looked":true}         -> 409 game_over
A POST /showdown/answers {"question":"retina_scan","value":"K"} -> 409 game_over

story "shuffled stacks draw cards at random"
table A B C with {"mode":"advanced","stacks":"shuffled"}
A GET ""                                -> 200 .stacks.challenges.unseen == 10
heist right
A POST /heists                          -> 201 .heist.challenges count 1 .stacks.challenges.unseen == 9
