# legal_actions is complete: each listed action succeeds, any other is refused.
# A player who knows no rule and only follows it plays a whole game.

story "legal_actions follow the game from its start to its end"
table A B C
A GET ""                                -> 200
	.you.legal_actions[*].action == ["take_chip","take_chip","take_chip"]
	.you.legal_actions[1] == {"action":"take_chip","method":"POST","href":"/v1/games/$game/chips/white/2/take","body":{"from":"center"},"command":{"action":"take_chip","from":"center","color":"white","stars":2},"chip":{"color":"white","stars":2,"holder":null,"dark":false},"choose":null}
A POST /chips/white/2/take              -> 200
	.you.legal_actions[*].href has "/v1/games/$game/chips/white/2/return"
	.you.legal_actions[*].href lacks "/v1/games/$game/chips/white/2/take"
	.you.legal_actions count 3
B GET ""                                -> 200 .you.legal_actions[*].href has "/v1/games/$game/chips/white/2/take"
	.you.legal_actions count 3
heist right
B GET ""                                -> 200 .you.legal_actions[*].action == ["next_heist"]

story "three players play a whole game by legal_actions"
table A B C
follow

story "four players play a whole game by legal_actions"
table A B C D
follow

story "players play games of the other modes by legal_actions"
for $mode in advanced professional master_thief
	table A B C with {"mode":"$mode","stacks":"shuffled"}
	follow
end
