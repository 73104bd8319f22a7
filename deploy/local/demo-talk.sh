# shellcheck shell=bash disable=SC2034,SC2154
#
# demo-talk.sh - the common part of the demos: how they ask the service, and how
# they print the game.  The demos source this file, and set NAMES.
#
#   GANGD_URL          where the service is (http://127.0.0.1:8080)
#   GANGD_DEMO_PAUSE   seconds to rest after each move (0)

URL=${GANGD_URL:-http://127.0.0.1:8080}
PAUSE=${GANGD_DEMO_PAUSE:-0}

tokens=()       # of each player, by place in NAMES
game=''         # the path of the game
reply=''        # of the last request, and its status
status=''
requests=0

plain='' bold='' dim='' red='' green=''
if [ -t 1 ] && [ -z "${NO_COLOR-}" ]; then
	plain=$'\e[0m' bold=$'\e[1m' dim=$'\e[2m'
	red=$'\e[31m' green=$'\e[32m'
fi

die()
{
	echo "demo: $*" >&2
	exit 1
}

# ask METHOD PATH [PLAYER [BODY]] - one request; fills reply and status.
# A player is a place in NAMES, or empty for a spectator.
ask()
{
	local arguments=(-sS -X "$1" -w '\n%{http_code}')
	[ -z "${3-}" ] ||
		arguments+=(-H "Authorization: Bearer ${tokens[$3]}")
	[ -z "${4-}" ] || arguments+=(--json "$4")
	reply=$(curl "${arguments[@]}" "$URL$2") ||
		die "nothing serves on $URL; \"make run\" starts it"
	status=${reply##*$'\n'}
	reply=${reply%$'\n'*}
	requests=$((requests + 1))
}

# The same for a request that has to succeed.
must()
{
	ask "$@"
	[[ $status == 2?? ]] || die "$1 $2 was refused with $status:" \
		"$(jq -r '"\(.code): \(.detail)"' <<<"$reply")"
}

# A value of the last reply.
value()
{
	jq -r "$@" <<<"$reply"
}

say()
{
	printf '%s\n' "$*"
	[ "$PAUSE" = 0 ] || sleep "$PAUSE"
}

# explain TEXT - in lines of a terminal's width, less bright.
explain()
{
	local line
	while IFS= read -r line; do
		say "    $dim$line$plain"
	done < <(fold -s -w 74 <<<"$1")
}

title()
{
	say
	say "$bold$1$plain"
}

# open_game MEMBERS WHAT - create a game with these members of a body, and let
# all of NAMES join it.
open_game()
{
	local body code player

	body="{\"name\":\"${NAMES[0]}\",\"seats\":${#NAMES[@]},$1"
	body+=',"spectators":true}'
	must POST /v1/games '' "$body"
	tokens[0]=$(value .token)
	game=/v1/games/$(value .game.id)
	code=$(value .invite_code)
	say "${NAMES[0]} opens $2 at $URL; the code is $bold$code$plain"
	say "${dim}Anybody may watch: $URL$game$plain"

	for ((player = 1; player < ${#NAMES[@]}; player++)); do
		body="{\"name\":\"${NAMES[player]}\"}"
		must POST "/v1/invitations/$code/players" '' "$body"
		tokens[player]=$(value .token)
		say "${NAMES[player]} types the code and sits down at seat $(value .seat)."
	done
	must GET "$game" 0
	if [ "$(value .status)" = lobby ]; then
		must POST "$game/start" 0
		say "${NAMES[0]} starts the game."
	fi
}

# tell_next COMMAND... - print the game's address, and commands to try next.
tell_next()
{
	local command where=

	[ "$URL" = http://127.0.0.1:8080 ] || where=" GANGD_URL=$URL"
	title "What to do next"
	say "  Read this game, in a browser or by curl; no token is needed:"
	say "    $URL$game"
	say "    $URL$game/events"
	say "  Try every route, in a browser:"
	say "    $URL/docs"
	say "  Watch another game:"
	for command; do
		say "    $command$where"
	done
	say "  Play yourself, by curl: api/curl.md."
}

for tool in curl jq; do
	command -v $tool >/dev/null || die "this takes $tool"
done
