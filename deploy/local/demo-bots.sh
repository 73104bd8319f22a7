#!/bin/bash
#
# demo-bots.sh - Ada sits down with two bots, gives her seat to a third one, and
# watches them play a game, by curl and jq: what "make demo BOTS=1" does.
#
#   LEVEL              novice, steady, sharp (default)
#
# demo-talk.sh has the variables for the service's address and for the pace.
# shellcheck disable=SC2016 # jq has variables of its own
set -eu

NAMES=(Ada)
LEVEL=${LEVEL:-sharp}

# shellcheck source=deploy/local/demo-talk.sh
. "$(dirname "$0")/demo-talk.sh"

# tell - print the events of the last reply, one per line.
tell()
{
	local line
	while IFS= read -r line; do
		say "$line"
	done < <(value --argjson names "$names" '
		def name($seat): $names[$seat - 1] // "nobody";
		.events[] | . as {$type, $seat, $data} |
		if $type == "heist_started" then "", "Heist \($data.number)"
		elif $type == "round_started" then "  \($data.color) chips   \(
			$data.community_cards // [] | join(" "))"
		elif $type == "chip_taken" then "    \(name($seat)) takes \(
			"★" * $data.stars)\(if $data.from == "center" then ""
			else " from \(name($data.from))" end)"
		elif $type == "hand_revealed" then "    \(name($seat)) has \(
			$data.pocket_cards | join(" "))"
		elif $type == "heist_ended" then "  The heist has \($data.outcome)."
		elif $type == "game_ended" then "", "The game is over."
		else empty end')
}

explain "The service plays seats of its own: each bot sees its own cards, and what \
all see. GANGD_BOT_PACE makes them faster or slower."
must POST /v1/games '' "{\"name\":\"Ada\",\"bots\":2,\"start\":true,
	\"bot_level\":\"$LEVEL\",\"spectators\":true}"
game=/v1/games/$(value .game.id)
tokens=("$(value .token)")
must POST "$game/bots" 0 "{\"instead_of_me\":true,\"level\":\"$LEVEL\"}"
names=$(value '[.game.players[].name]' | jq -c .)
title "$(jq -r 'join(", ")' <<<"$names") play."
after=0
until [ "$(value '.game.status // .status')" != playing ]; do
	sleep 0.5
	must GET "$game/events?after=$after&limit=500"
	after=$(value --argjson after "$after" '.events[-1].version // $after')
	tell
	must GET "$game"
done
must GET "$game/events?after=$after"
tell
must GET "$game"
title "Vaults $(value .vaults.gold), alarms $(value .alarms.red)"
tell_next 'make demo' 'make demo RULESET=famiglia'
