#!/bin/bash
#
# demo-famiglia.sh - two people play a whole game of Famiglia against the
# running service, by curl and jq: what "make demo RULESET=famiglia" does.
#
# Each player does what the view offers: a player who can take a card takes the
# one with the most points, plays a brute if the card that it makes free is
# worth more, plays an accountant to exchange bad cards for good ones, and
# refills the street when it has nothing to take.
#
# shellcheck disable=SC2016 # jq has variables of its own
set -eu

NAMES=(Ada Ben)
# shellcheck source=deploy/local/demo-talk.sh
. "$(dirname "$0")/demo-talk.sh"

points=''  # of a family's letter, by rank
told=0     # the turn whose beginning was told last

# How a card is called, and several: alike ones are counted.
NAMING='
	def name: {f: "Famiglia", m: "Mercenary", b: "Brute",
		a: "Accountant"}[.[0:1]] + " " + .[1:2];
	def names: if length == 0 then "nothing" else
		[group_by(.[0:2])[] | (.[0] | name) +
			if length > 1 then " x\(length)" else "" end] |
		join(", ") end;'

# A player's next action, from the view: where to send it, its body, and in words.
PLAN="$NAMING"'
	def rank: .[1:2] | tonumber;
	def worth: . as $card | $points[$card[0:1]][$card | rank];
	def one($action): .you.legal_actions[] | select(.action == $action);

	def best: [one("take")] | max_by(.body.card | worth);

	# The cards that come back must be worth more than those given for them.
	def swap:
		[one("accountant") | . as $entry |
			.choose.give.most as $count |
			(.choose.give.options | sort_by(worth)[:$count]) as $give |
			(.choose.take.options | sort_by(-worth)[:$count]) as $take |
			select(all(range($count); ($take[.] | worth) >
				($give[.] | worth) + 1)) |
			{entry: $entry, give: $give, take: $take}] |
		max_by(.give | length);

	# The cards that a brute makes free.
	def threat:
		[one("brute") | . as $entry | .choose.by.most as $most |
			.choose.target.options[] | select(rank == $most) |
			{entry: $entry, target: ., by: $most}] |
		max_by((.target | worth) * 10 - (.entry.body.card | rank));

	best as $best | (if $best then $best.body.card | worth else -1 end)
		as $have |
	swap as $swap | threat as $threat |
	([one("refill")] | max_by(.body.card | rank)) as $refill |
	if $have < 3 and $swap then
		[$swap.entry.href, $swap.entry.body + {give: $swap.give,
			take: $swap.take}, "plays \($swap.entry.body.card |
			name): gives \($swap.give | names), gets \(
			$swap.take | names) back"]
	elif $threat and ($threat.target | worth) > $have then
		[$threat.entry.href, $threat.entry.body + {by: $threat.by,
			target: $threat.target}, "plays \($threat.entry.body.card
			| name): \($threat.target | name) is free this turn"]
	elif $have < 1 and $refill then
		[$refill.href, $refill.body, "puts \($refill.body.card |
			name) away for new cards"]
	elif $best and $best.choose then
		$best.choose.pay.options[0] as $pay | [$best.href,
			$best.body + {pay: $pay}, "takes \($best.body.card |
			name), and shows \($pay | names): \($pay[1] |
			name) is exhausted"]
	elif $best then
		[$best.href, $best.body, "takes \($best.body.card | name)"]
	else
		(one("pass") | [.href, {}, "passes"])
	end | .[1] |= tojson | .[]'

# The table when a turn begins, with the view of the player to move: the
# street for all, and the hand, which the other player does not see.
tell_turn()
{
	local turn line
	turn=$(value .table.turn)
	[ "$turn" != "$told" ] || return 0
	told=$turn
	title "Turn $turn: ${NAMES[$1]}   $plain$dim$(value '.table |
		"\(.draw_pile) cards in the pile" +
		if .last_turn then ", turn \(.last_turn) is the last"
		else "" end')"
	while read -r line; do
		say "  $dim$line$plain"
	done < <(value "$NAMING"'
		.you.seat as $seat | .table as $table |
		"street: \([$table.street[].card] | names)",
		"hand: \(.you.hand | names)",
		($table.sides[$seat - 1].display | select(length > 0) |
			"display: \(names)")')
}

# A mistake that players make once.
peek()
{
	ask GET "$game/players/1/hand" 1
	say "${NAMES[1]} peeks at ${NAMES[0]}'s hand?  $status $(value .code)"
}

# One step of the player to move.
play_step()
{
	local player href body words
	player=$(($(value .table.seat_to_move) - 1))
	must GET "$game" "$player"
	tell_turn "$player"
	{
		read -r href
		read -r body
		read -r words
	} < <(value --argjson points "$points" "$PLAN")
	must POST "$href" "$player" "$body"
	say "  ${NAMES[player]} $words$dim   points: $(value .you.points)$plain"
}

tell_end()
{
	local winner seat count line
	title "The game is over: $(value '.table.result.reason | gsub("_"; " ")')."
	while IFS=$'\t' read -r seat count line; do
		say "  ${NAMES[seat - 1]} has $count points: $dim$line$plain"
	done < <(value "$NAMING"'.table as $table | $table.result.scores[] |
		[.seat, .points, (.hand + $table.sides[.seat - 1].display |
			names)] | @tsv')
	winner=$(value '.table.result.winner // empty')
	if [ -n "$winner" ]; then
		say "$green${NAMES[winner - 1]} has won.$plain"
	else
		say "${green}Nobody has won: all is equal.$plain"
	fi
	say "${dim}$requests requests$plain"
	tell_next 'make demo RULESET=famiglia' 'make demo' \
		'make demo MODE=professional'
}

explain "Two players recruit gangsters from the same street. A zero is free; \
any other card takes two of its family, one rank below it. You see both hands; \
each of them sees but one."
say
must GET /v1/rules/families
points=$(value -c '[.families[] | {(.letter): [.cards[].points]}] | add')
open_game '"ruleset":"famiglia"' "a game of Famiglia"
peek
must GET "$game" 0
while [ "$(value .status)" = playing ]; do
	play_step
done
tell_end
