#!/bin/bash
#
# demo-famiglia.sh - two people play a whole game of Famiglia against the
# running service, by curl and jq: what "make demo RULESET=famiglia" does.
#
# Each of the two does what the view offers, by this: whoever can take a card
# takes the one with the most points.  A brute is played if what it makes free
# is worth more, an accountant to bring good cards back for bad ones, and the
# street is refilled when there is nothing in it.
#
# shellcheck disable=SC2016 # jq has variables of its own
set -eu

NAMES=(Ada Ben)
# shellcheck source=deploy/local/demo-talk.sh
. "$(dirname "$0")/demo-talk.sh"

points=''  # of a family's letter, by rank
told=0     # the turn whose beginning was told last

# What a player does next, from the view: where, the body, and in words.
PLAN='
	def name: {f: "Famiglia", m: "Mercenary", b: "Brute",
		a: "Accountant"}[.[0:1]] + " " + .[1:2];
	def rank: .[1:2] | tonumber;
	def worth: . as $card | $points[$card[0:1]][$card | rank];
	def names: map(name) | join(", ");
	def one($action): .you.legal_actions[] | select(.action == $action);

	def best: [one("take")] | max_by(.body.card | worth);
	def pay: .choose.pay | (.cards + .stand_ins)[0:2];

	# What comes back must be worth more than what goes for it.
	def swap:
		[one("accountant") | . as $entry |
			(.choose.give | sort_by(worth)) as $give |
			(.choose.take | sort_by(-worth)) as $take |
			[range(.choose.count.max) | select(($take[.] | worth) >
				($give[.] | worth) + 1)] | select(length > 0) |
			{entry: $entry, give: $give[:length], take: $take[:length]}]
		| first;

	# What a brute makes free.
	def threat:
		[one("brute") | . as $entry | .choose.target[] |
			select(.max == (.card | rank)) |
			{entry: $entry, target: .card, by: .max}] |
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
			name) away for others"]
	elif $best and $best.choose then
		($best | pay) as $pay | [$best.href, $best.body + {pay: $pay,
			keep: $pay[1]}, "takes \($best.body.card | name), and shows \(
			$pay | names): \($pay[0] | name) is exhausted"]
	elif $best then
		[$best.href, $best.body, "takes \($best.body.card | name)"]
	else
		(one("pass") | [.href, {}, "passes"])
	end | .[1] |= tojson | .[]'

# The street and the pile, when a turn begins.
tell_turn()
{
	local turn
	turn=$(value .table.turn)
	[ "$turn" != "$told" ] || return 0
	told=$turn
	say "$dim$(value '"turn \(.table.turn)   street: \([.table.street[].card[0:2]]
		| join(" "))   pile: \(.table.draw_pile)" +
		if .table.last_turn then "   until turn \(.table.last_turn)"
		else "" end')$plain"
}

# What somebody is sure to try once.
peek()
{
	ask GET "$game/players/1/hand" 1
	say "${NAMES[1]} peeks at ${NAMES[0]}'s hand?  $status $(value .code)"
}

# One step of whoever is to move.
play_step()
{
	local player href body words
	player=$(($(value .table.seat_to_move) - 1))
	must GET "$game" "$player"
	tell_turn
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
	local winner seat count
	title "The game is over: $(value '.table.result.reason | gsub("_"; " ")')."
	while read -r seat count; do
		say "  ${NAMES[seat - 1]} has $count points."
	done < <(value '.table.result.scores[] | "\(.seat) \(.points)"')
	winner=$(value '.table.result.winner // empty')
	if [ -n "$winner" ]; then
		say "$green${NAMES[winner - 1]} has won.$plain"
	else
		say "${green}Nobody has won: all is equal.$plain"
	fi
	say "${dim}$requests requests; the game's log is at $URL$game/events$plain"
}

must GET /v1/rules/families
points=$(value -c '[.families[] | {(.letter): [.cards[].points]}] | add')
open_game '"ruleset":"famiglia"' "a game of Famiglia"
peek
must GET "$game" 0
while [ "$(value .status)" = playing ]; do
	play_step
done
tell_end
