#!/bin/bash
# readme.sh URL - paste the README's sessions into a shell and look at what they
# print.  Ends with "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 2
passed=0 failed=0

check()
{
	if grep -qE "$2" <<<"$output"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "README's session: $1: nothing matches $2"
	fi
}

# The block of code behind a comment that begins with this word.
session()
{
	awk -v begin="^<!-- $1" '$0 ~ begin { on = 1 } on && /^```$/ { exit }
		on && !/^(<!--|```)/ { print }' README.md
}

output=$(GANGD_URL=$1 timeout 60 bash -eu <<<"$(session session)" 2>&1)

check 'own pocket cards' '"seat":1,"pocket_cards":\["..","..'
check 'Bob sees his' '"seat":2,"pocket_cards":\["..","..'
check 'Cleo robs Ada' '"stars":1,"seat":3,'
check 'Bob takes another' '^1?[0-9]$'
check 'what Ada can do' '^POST /v1/games/.*/chips/white/3/take$'
check 'what she cannot' '"code":"not_allowed_now"'
check 'the flop' '^\["..","..",".."\]$'
check 'the river' '^\["..","..","..","..",".."\]$'
check 'the showdown' '"outcome": "(succeeded|failed)"'
check 'the score' '"vaults":\{"gold":[01],"needed":3\}'
check 'the next heist' '^\{"version":[0-9]+,"you":\["..",".."\]\}$'
check 'the news' '"color":"white","stars":2,"seat":2,'
check 'the stream' '^data: \{"version":[0-9]+,.*"type":"chip_taken","seat":2,'
output=$(grep '^{"version"' <<<"$output" | uniq -c)
check 'and that is done once' '^ *2 '

# The same three, in games of the advanced mode, until a heist has failed.
come_so_far=$(cat <<'END'
U=$GANGD_URL/v1
as() { curl -s -H "Authorization: Bearer $(jq -r .token <<<$1)" "${@:2}"; }
failed=0
until [ "$failed" -eq 1 ]; do
	ada=$(curl -s --json "{\"name\":\"Ada\",\"seats\":3,\"mode\":\"advanced\"}" $U/games)
	game=$U/games/$(jq -r .game.id <<<$ada) code=$(jq -r .invite_code <<<$ada)
	bob=$(curl -s --json "{\"name\":\"Bob\"}" $U/invitations/$code/players)
	cleo=$(curl -s --json "{\"name\":\"Cleo\"}" $U/invitations/$code/players)
	for color in white yellow orange red; do
		as "$ada" -X POST $game/chips/$color/1/take >/dev/null
		as "$bob" -X POST $game/chips/$color/2/take >/dev/null
		failed=$(as "$cleo" -X POST $game/chips/$color/3/take | jq .alarms.red)
	done
done
as "$ada" -X POST $game/heists >/dev/null
END
)
output=$(GANGD_URL=$1 timeout 60 bash -eu \
	<<<"$come_so_far"$'\n'"$(session specialist)" 2>&1)

check 'who is there' '"code":"informant","state":"available"'
check 'how to ask' '/specialist/proposals","body":\{"seat":2\},"choose":\{"target_seat":\[1,3\]\}'
check 'all know who shows' '"code":"informant","seat":2,"target_seat":3'
check 'whose turn it is' '^\[1,2,3\]$'
check 'Cleo sees it' '^\[\{"seat":2,"card":".."\}\]$'
check 'Ada does not' '^\[\]$'

# Two, whatever lies in the street.
first_lines=$(grep -E '^(U=|as\(\))' <<<"$(session session)")
output=$(GANGD_URL=$1 timeout 60 bash -eu \
	<<<"$first_lines"$'\n'"$(session famiglia)" 2>&1)

check 'the zeros of seat 2' '^\["f0b","m0b","b0b","a0b"\]$'
check 'six cards' '^\["[fmba][0-4][a-e]"(,"[fmba][0-4][a-e]"){5}\]$'
check 'the steps' '^\[("refill",)?"accountant","brute","take"\]$'
check 'what Ada has' '^\{"seat":1,"hand":\[.*"legal_actions":\[\]\}$'
check 'who is next' '^2$'
check 'she has moved' '"code":"not_your_turn"'
check 'what Bob can do' '^\{"action":"pass","body":null,"choose":null\}$'
check 'the first event' '^\[1,"(card_taken|passed)"\]$'
check 'the second' '^\[2,"passed"\]$'
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
