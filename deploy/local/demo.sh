#!/bin/bash
#
# demo.sh - three people play a whole game against the running service, by
# curl and jq, and describe it in sentences; "make demo" runs this.
#
#   BOTS               if set, demo-bots.sh's: bots play
#   RULESET            the_gang (default); famiglia is demo-famiglia.sh's
#   MODE               basic (default), advanced, professional, master_thief
#
# demo-talk.sh has the variables for the service's address and for the pace.
#
# Each player knows only the own view, and the public events.  Each player lets
# the service rank a few dozen possible deals that fit the own cards and the
# table's, and so learns how many of 100 friends the hand would beat.  A player
# who beats more than half takes the best chip, one who beats fewer the weakest,
# from a friend if need be.  Each time a chip is taken, the next player needs a
# better (or worse) hand to take it, and no player takes the same chip a third time
# in a round, so the right player has it in the end.  The players propose a
# specialist as soon as the flop is there, for a random player; they guess the
# answers to questions from the open cards.
#
# shellcheck disable=SC2016 # jq and awk have variables of their own
set -eu

[ -z "${BOTS-}" ] || exec "$(dirname "$0")/demo-bots.sh"
[ "${RULESET:-the_gang}" != famiglia ] ||
	exec "$(dirname "$0")/demo-famiglia.sh"

MODE=${MODE:-basic}
NAMES=(Ada Ben Cleo)
DEALS=33 # of three hands: the service ranks up to 100 at once

# How fast a chip gets harder to take: at first any good hand suffices.
declare -A PATIENCE=([white]=0.5 [yellow]=0.6 [orange]=0.7 [red]=0.8)

ahead=()       # of 100 friends, how many each thinks to beat this round
taken=()       # how often each chip was taken this round, by stars
declare -A own # the same of one player, by "player stars"
cards_known='' # of the challenges and specialists: code, name, text, a line each
shown=()       # the pocket cards of each player, as printed last
announced=0    # the number of announcements printed so far

# Filled in by look: the chips' holders are seats by stars, 0 for the middle.
phase='' color='' owes='' ranking=''
holders=() pocket=() board=()

# shellcheck source=deploy/local/demo-talk.sh
. "$(dirname "$0")/demo-talk.sh"
declare -A paint=([white]='' [yellow]='' [orange]='' [red]='')
if [ -n "$plain" ]; then
	paint=([white]=$'\e[97m' [yellow]=$'\e[93m'
		[orange]=$'\e[38;5;208m' [red]=$'\e[91m')
fi

# --- talking to the service --------------------------------------------------

# look PLAYER - read the player's view, and set the variables for the moves.
look()
{
	must GET "$game" "$1"
	{
		read -r phase
		read -r color
		read -r owes
		read -r ranking
		read -r -a holders
		read -r -a pocket
		read -r -a board
	} < <(value '.you as $you | .heist // empty | .color as $color |
		.phase, .color, (.waiting_for | index($you.seat) != null),
		($you.ranking // "" | gsub("_"; " ")),
		([0] + (.chips | map(select(.color == $color)) |
			sort_by(.stars) | map(.seat // 0)) | join(" ")),
		($you.pocket_cards | join(" ")),
		(.community_cards | join(" "))') || phase=none
}

# --- telling -----------------------------------------------------------------

# Cards as people write them: "10♦ A♥" for Td Ah.
cards()
{
	local card text=
	for card; do
		case $card in
		*c) card=${card%c}♣ ;;
		*s) card=${card%s}♠ ;;
		*d) card=$red${card%d}♦$plain ;;
		*h) card=$red${card%h}♥$plain ;;
		esac
		text+=" ${card/T/10}"
	done
	printf '%s' "${text# }"
}

# "Retina Scan" for retina_scan.
words()
{
	local word text=
	for word in ${1//_/ }; do
		text+=" ${word^}"
	done
	printf '%s' "${text# }"
}

# chip COLOR STARS - print its stars, padded to the largest number.
chip()
{
	local stars='★★★★★★' blanks='      '
	printf '%s' "${paint[$1]}${stars:0:$2}$plain"
	printf '%s' "${blanks:0:${#NAMES[@]}-$2}"
}

# tally COUNT LIMIT SIGN - print the count of the limit as signs: "●●○".
tally()
{
	local i text=
	for ((i = 0; i < $2; i++)); do
		if ((i < $1)); then text+=$3; else text+=○; fi
	done
	printf '%s' "$text"
}

tell_score()
{
	local gold needed alarms limit
	read -r gold needed alarms limit < <(value '"\(.vaults.gold) \(
		.vaults.needed) \(.alarms.red) \(.alarms.limit)"')
	printf '%s' "vaults $green$(tally "$gold" "$needed" ●)$plain   "
	printf '%s' "alarms $red$(tally "$alarms" "$limit" ●)$plain"
}

# --- how the three play ------------------------------------------------------

# deals POCKET BOARD - print the body of an evaluation: possible hands of this
# player and two friends with five community cards, all with as many pocket
# cards.
deals()
{
	awk -v pocket="$1" -v board="$2" -v deals=$DEALS -v seed="$RANDOM$RANDOM" '
	function draw(	at, card) {
		at = 1 + int(rand() * left)
		card = deck[at]; deck[at] = deck[left]; deck[left--] = card
		return "\"" card "\""
	}
	function quoted(words,	list, n, i, text) {
		n = split(words, list, " ")
		for (i = 1; i <= n; i++) text = text ",\"" list[i] "\""
		return text
	}
	BEGIN {
		srand(seed)
		for (r = 1; r <= 13; r++) for (s = 1; s <= 4; s++) {
			card = substr("23456789TJQKA", r, 1) substr("cdhs", s, 1)
			if (!index(pocket " " board, card)) deck[++size] = card
		}
		known = quoted(board)
		pockets = split(pocket, unused, " ")
		missing = 5 - split(board, unused, " ")
		for (deal = 1; deal <= deals; deal++) {
			left = size; table = known
			for (i = 0; i < missing; i++) table = table "," draw()
			printf "%s[%s%s]", (deal == 1 ? "{\"hands\":[" : ","),
				substr(quoted(pocket), 2), table
			for (i = 0; i < 2; i++) {
				hand = draw()
				for (k = 1; k < pockets; k++) hand = hand "," draw()
				printf ",[%s%s]", hand, table
			}
		}
		print "]}"
	}'
}

# Estimate, from the view of PLAYER, how many of 100 friends the hand beats.
judge()
{
	must POST /v1/rules/evaluations '' "$(deals "${pocket[*]}" "${board[*]}")"
	ahead[$1]=$(value '[.results | map(.place) |
		.[range(0; length; 3):] | .[0] as $mine | .[1, 2] |
		if $mine > . then 1 elif $mine == . then 0.5 else 0 end] |
		99 * add / length | round')
}

# dares STARS UP AHEAD - is a hand good enough (or bad enough, if not UP) for
# a chip that was taken so often already?
dares()
{
	awk -v stars="$1" -v up="$2" -v ahead="$3" -v taken="${taken[$1]}" \
		-v patience="${PATIENCE[$color]}" '
	BEGIN {
		distance = up ? 100 - ahead : ahead
		# A player with any hand may take the middle chip.
		widest = stars == 2 ? 100 : 50
		exit !(distance < widest * patience ^ taken)
	}'
}

# insists PLAYER STARS - may the player take it again?  Twice is enough.
insists()
{
	[ "${own[$1 $2]-0}" -lt 2 ]
}

# may_take STARS - does the view allow it?  A challenge may lock a chip.
may_take()
{
	value --arg chip "/chips/$color/$1/take" -e '
		any(.you.legal_actions[].href; endswith($chip))' >/dev/null
}

# take PLAYER STARS WHY - take the chip, as legal_actions allows.
take()
{
	local href whence='from the middle'
	href=$(value --arg chip "/chips/$color/$2/take" '
		.you.legal_actions[].href | select(endswith($chip))')
	[ -n "$href" ] || die "the view allows no taking of $color $2"
	[ "${holders[$2]}" = 0 ] ||
		whence="from ${NAMES[holders[$2] - 1]}"
	taken[$2]=$((taken[$2] + 1))
	own["$1 $2"]=$((${own[$1 $2]-0} + 1))
	must POST "$href" "$1"
	say "$(printf '  %-5s takes %s %-16s' "${NAMES[$1]}" \
		"$(chip "$color" "$2")" "$whence") $dim$3$(
		[ "${own[$1 $2]}" -eq 1 ] || echo ", and insists")$plain"
}

# One turn of PLAYER, who owes a chip.
choose_chip()
{
	local good=0 best=1 free=1 hope
	hope="${ranking:+$ranking, }would beat ${ahead[$1]} of 100"
	if [ "${ahead[$1]}" -ge 50 ]; then
		good=1
		best=3
	fi
	[ "${holders[1]}" = 0 ] || free=3
	if may_take $best && insists "$1" $best &&
		dares $best $good "${ahead[$1]}"; then
		take "$1" $best "$hope"
	elif [ "${holders[2]}" = 0 ]; then
		take "$1" 2 "$hope"
	elif insists "$1" 2 && dares 2 $((free == 1)) "${ahead[$1]}"; then
		take "$1" 2 "$hope"
	else
		take "$1" $free "$hope, and gives way"
	fi
}

# --- the game ----------------------------------------------------------------

# A mistake that gangs make once.
peek()
{
	ask GET "$game/players/1/hand" 1
	say "  ${NAMES[1]} peeks at ${NAMES[0]}'s cards?  $status $(value .code)"
}

# The chips that the players hold, if they have changed.
show_pockets()
{
	local player verb
	for player in "${!NAMES[@]}"; do
		look "$player"
		[ "${shown[player]-}" != "${pocket[*]}" ] || continue
		verb='now holds'
		[ -n "${shown[player]-}" ] || verb=holds
		shown[player]=${pocket[*]}
		say "  ${NAMES[player]} $verb $(cards "${pocket[@]}")"
	done
}

# learn LIST - store the names and texts of a list of cards.
learn()
{
	must GET "/v1/rules/$1"
	cards_known+=$(value --arg list "$1" '.[$list][] |
		"\(.code)\t\(.name)\t\(.text)"')$'\n'
}

# tell_card KIND CODE - print the name and the text of a card.
tell_card()
{
	local code name text
	while IFS=$'\t' read -r code name text; do
		[ "$code" = "$2" ] || continue
		say "  $1 $name"
		explain "$text"
	done <<<"$cards_known"
}

# The cards that make the heist special, from its view.
tell_plan()
{
	local kind code
	while read -r kind code; do
		tell_card "$red${kind/_/ }:$plain" "$code"
	done < <(value '.heist.challenges[] | if .permanent
		then "Permanent_challenge" else "Challenge" end + " " + .code')
	code=$(value '.heist.specialist.code // empty')
	[ -z "$code" ] || tell_card "${green}Specialist:$plain" "$code"
}

# The announcements of specialists since the last call, from a view.
tell_announced()
{
	local line
	while read -r line; do
		announced=$((announced + 1))
		say "  $green$line$plain"
	done < <(value --argjson after "$announced" '
		def name($seat): $names[$seat - 1];
		.heist.announcements[$after:][] | name(.seat // 1) as $who |
		{
			informant: "\($who) shows \(name(.target_seat // 1)) a card.",
			getaway_driver: "\($who) has: \(.value).",
			investor: "\($who) has face cards: \(.count).",
			mastermind: "\($who) has cards of the value \(.value): \(.count).",
			hacker: "\($who) draws a card, and discards one.",
			coordinator: "All choose a card for their left neighbour.",
			jack: "\($who) gets a jack for another card.",
			math_whiz: "\($who) has cards that add up to \(.count).",
			con_artist: "All look at their cards; they are dealt anew.",
			muscle: "\($who) gets the Muscle."
		}[.code] | gsub("_"; " ")' --argjson names "$(
			printf '%s\n' "${NAMES[@]}" | jq -nR '[inputs]')")
}

# --- specialists and questions -----------------------------------------------

# choice ACTION - print the body of a legal move: choices are made at random,
# except that the lowest card goes.
choice()
{
	value --arg action "$1" --argjson chance "$RANDOM" '
		def rank: .[0:1] as $rank | "23456789TJQKA" | index($rank);
		first(.you.legal_actions[] | select(.action == $action)) |
		.body + ((.choose // {}) | with_entries(.value |= (.options |
			if (.[0] | type) == "string" and (.[0] | length) == 2
			then min_by(rank) else .[$chance % length] end))) | tojson'
}

allows()
{
	value --arg action "$1" -e \
		'any(.you.legal_actions[]; .action == $action)' >/dev/null
}

# Each player who owes a private choice makes it.
make_choices()
{
	local player
	for player in "${!NAMES[@]}"; do
		look "$player"
		allows choose || continue
		must POST "$game/choices" "$player" "$(choice choose)"
		say "  ${NAMES[player]} has chosen."
	done
	show_pockets
}

# A player proposes to use the specialist, and the others agree.
use_specialist()
{
	local player by=$((RANDOM % ${#NAMES[@]}))
	look "$by"
	allows propose || return 0
	must POST "$game/specialist/proposals" "$by" "$(choice propose)"
	say "  ${NAMES[by]} wants the $(words "$(value \
		.heist.specialist.code)"); the others agree."
	for player in "${!NAMES[@]}"; do
		[ "$player" != "$by" ] || continue
		must POST "$game/specialist/votes" "$player" '{"agree":true}'
	done
	tell_announced
	make_choices
}

# guess QUESTION - print an ace for a pocket card; for a ranking, that of the
# best open hand, since the last hand should not be worse.
guess()
{
	case $1 in
	retina_scan) echo A ;;
	*) value '.heist.showdown.reveals[-1].ranking' ;;
	esac
}

# All players but the one who is asked about give the same answer.
answer_questions()
{
	local player question say about body
	look 0
	while IFS=$'\t' read -r question about; do
		say=$(guess "$question")
		say "  $(words "$question"): what has ${NAMES[about - 1]}?" \
			"The others say: ${say//_/ }."
		body="{\"question\":\"$question\",\"value\":\"$say\"}"
		for player in "${!NAMES[@]}"; do
			[ $((player + 1)) != "$about" ] || continue
			must POST "$game/showdown/answers" "$player" "$body"
		done
	done < <(value '.heist.showdown.questions[] |
		[.code, .about_seat] | @tsv')
}

# --- a heist -----------------------------------------------------------------

play_round()
{
	local round player
	look 0
	round=$color
	title "  ${paint[$color]}$color chips$plain   $(
		[ ${#board[@]} -gt 0 ] || echo "no cards on the table yet"
		cards "${board[@]}")"
	show_pockets
	[ ${#board[@]} -eq 0 ] || use_specialist
	taken=(0 0 0 0) own=()
	for player in "${!NAMES[@]}"; do
		look "$player"
		judge "$player"
	done
	while [ "$phase $color" = "chips $round" ]; do
		for player in "${!NAMES[@]}"; do
			look "$player"
			[ "$phase $color $owes" != "chips $round true" ] ||
				choose_chip "$player"
		done
	done
}

tell_showdown()
{
	local seat stars kind order hand best tens
	title "  The showdown, weakest chip first"
	while IFS=$'\t' read -r seat stars kind order hand best; do
		# shellcheck disable=SC2086 # cards are words
		say "  $(chip red "$stars") $(
			printf '%-5s' "${NAMES[seat - 1]}") $(cards $hand)$(
			tens=${hand//[!T]/}
			printf "%$((4 - ${#tens}))s%-16s" '' "${kind//_/ }"
			) $(cards $best)$(
			[ "$order" = true ] || echo "   $red← too weak$plain")"
	done < <(value '.heist.showdown.reveals[] | [.seat, .stars, .ranking,
		.in_order, (.pocket_cards | join(" ")),
		(.best_five | join(" "))] | @tsv')
	while read -r seat; do
		say "  $red$(words "$seat") was answered wrong.$plain"
	done < <(value '.heist.showdown.questions[] |
		select(.right == false) | .code')
	if [ "$(value .heist.showdown.outcome)" = succeeded ]; then
		say "  ${green}All is right: a vault is open.$plain   $(tell_score)"
	else
		say "  ${red}That is not it: the alarm goes.$plain   $(tell_score)"
	fi
}

play_heist()
{
	look 0
	title "Heist $(value .heist.number)   $(tell_score)"
	tell_plan
	shown=() announced=0
	show_pockets
	[ "$1" -gt 1 ] || peek
	look 0
	tell_announced
	while [ "$phase" != over ]; do
		case $phase in
		choosing) make_choices ;;
		answering) answer_questions ;;
		*) play_round ;;
		esac
		look 0
	done
	tell_showdown
}

play_game()
{
	local heist=1
	while :; do
		play_heist $heist
		[ "$(value .status)" = playing ] || break
		must POST "$game/heists" $((heist % ${#NAMES[@]}))
		heist=$((heist + 1))
	done
	if [ "$(value .status)" = won ]; then
		title "${green}The gang has won, in $heist heists.$plain"
	else
		title "${red}The gang is caught, in $heist heists.$plain"
	fi
	say "${dim}$requests requests$plain"
	tell_next 'make demo MODE=professional' 'make demo MODE=master_thief' \
		'make demo RULESET=famiglia'
}

explain "Three friends put their hands in order, from the weakest to the \
strongest, without a word about their cards: they speak by chips alone. You \
see all hands; each of them sees but one."
say
open_game "\"mode\":\"$MODE\"" "a game (${MODE/_/ })"
learn challenges
learn specialists
play_game
