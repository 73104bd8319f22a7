# shellcheck shell=bash disable=SC2154,SC2034 # "scratch", "HOST" are test.sh's
# player.sh - a player of a table, by curl, for tests of what is installed.  A test reads
# it, and has a function ask PATH [OPTION...], which makes a request over TLS.  "game"
# and "token" are those of the table's first seat.

make_game()
{
	local code name
	ask /v1/games --json '{"name":"Ada","seats":3}' >"$scratch/game" || return 1
	game=/v1/games/$(jq -r .game.id "$scratch/game")
	token=$(jq -r .token "$scratch/game")
	code=$(jq -r .invite_code "$scratch/game")
	for name in Bob Cy; do
		ask "/v1/invitations/$code/players" --json "{\"name\":\"$name\"}" |
			jq -re .token >"$scratch/token-of-${name,}" || return 1
	done
}

take_chip()
{
	ask "$game/chips/white/$1/take" -X POST -H "Authorization: Bearer $token"
}

stars()
{
	ask "$game" -H "Authorization: Bearer $token" |
		jq '[.heist.chips[] | select(.seat == 1) | .stars] | first'
}

has_stars()
{
	[ "$(stars)" = "$1" ]
}

names()
{
	ask "$game" -H "Authorization: Bearer $token" | jq -r '.players[].name' | xargs
}

speaks_http2()
{
	[ "$(ask /livez -o /dev/null -w '%{http_version}')" = 2 ]
}

# start_asking COMMAND... - requests one after the other until all_were_answered; the
# command runs curl where it reaches the service.  The player must not have the white
# chip of one star.
start_asking()
{
	rm -f "$scratch/stop-asking"
	while [ ! -e "$scratch/stop-asking" ]; do
		ask_status "$game" "$@"
		ask_status "$game/chips/white/1/take" "$@" -X POST
		ask_status "$game/chips/white/2/take" "$@" -X POST
	done >"$scratch/asked" &
	asking=$!
}

# ask_status PATH COMMAND... - print the status alone.
ask_status()
{
	"${@:2}" -sk -m 20 -o /dev/null -w '%{http_code}\n' \
		-H "Authorization: Bearer $token" "https://$HOST$1" || true
}

# all_were_answered [COUNT] - each request got 200, except at most COUNT that got no answer
# and were not made.
all_were_answered()
{
	touch "$scratch/stop-asking"
	wait "$asking"
	echo "statuses:"
	sort "$scratch/asked" | uniq -c | tee "$scratch/statuses"
	# After a move that was not made the next one is of the chip that is held: 409.
	awk -v allowed="${1:-0}" '
		{ times[$2] = $1; others += $2 !~ /^(200|000|409)$/ }
		END { exit !(times[200] > 0 && others == 0 &&
			times["000"] <= allowed && times[409] <= times["000"]) }
		' "$scratch/statuses"
}
