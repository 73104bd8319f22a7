#!/bin/bash
# readme.sh URL - paste the README's session into a shell and look at what it
# prints.  Ends with "N passed, N failed".
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

session=$(awk '/^<!-- session/ { on = 1 } on && /^```$/ { exit }
	on && !/^(<!--|```)/ { print }' README.md)
output=$(GANGD_URL=$1 timeout 60 bash -eu <<<"$session" 2>&1)

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
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
