#!/bin/bash
# readme.sh URL - paste the sessions of api/curl.md into shells (bash, and zsh as macOS
# has it) and look at what they print.  Ends with "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 2
export GANGD_URL=$1
LUCK=20 # heists of which one fails: five in six do
passed=0 failed=0
shell=

# judge WHAT PROBLEM - passed if there is no problem.
judge()
{
	if [ -z "$2" ]; then
		passed=$((passed + 1))
		echo "ok     ${shell:+$shell: }$1"
	else
		failed=$((failed + 1))
		echo "FAILED ${shell:+$shell: }$1"
		echo "$2"
	fi
}

check()
{
	local problem=
	grep -qE "$2" <<<"$output" || problem="nothing matches $2"
	judge "$1" "$problem"
}

# The blocks of code after comments that begin with this word.
session()
{
	awk -v begin="^<!-- $1" '$0 ~ begin { on = 1; next }
		on && /^```$/ { on = 0 } on && !/^```/ { print }' api/curl.md
}

# Print the output of a shell into which this is pasted.  An interactive zsh
# takes no comments, so an apostrophe in one would begin a string.
paste_in()
{
	case $shell in
	bash) timeout 60 bash -eu <<<"$1" 2>&1 ;;
	zsh) PS1='' PS2='' RPS1='' TERM=dumb timeout 60 zsh -fi \
		-o no_prompt_sp -o no_prompt_cr <<<"$1" 2>&1 ;;
	esac
}

# --- what a block may not have ------------------------------------------------

# Options and commands that only GNU has, or only Linux.
ONLY_GNU='/proc/|/dev/tcp|\b(timeout|seq|tac|realpath|numfmt|shuf|uuidgen)\b'
ONLY_GNU+='|sed -i |sed -r|grep -[a-zA-Z]*P|date -d|readlink -f|base64 -w'
ONLY_GNU+='|stat -c|mktemp -[pt]|mktemp --|xargs -r|cat -A|head -n -|sort -[VRh]'

# faults_of CODE - what no block may have, a line each.
faults_of()
{
	grep -nE '(^|[[:space:]])#' <<<"$1" | sed 's/^/a comment in line /'
	grep -nE "$ONLY_GNU" <<<"$1" | sed 's/^/not portable: /'
	grep -nE '"[^"]*![^"]*"' <<<"$1" | sed 's/^/a "!" in quotes: /'
	zsh -fn <<<"$1" 2>&1
}

check_blocks()
{
	local words word
	words=$(grep -oE '^<!-- [a-z]+' api/curl.md | cut -c 6- | sort -u)
	judge 'what sessions there are' "$(diff - <(printf '%s\n' famiglia \
		informant session specialist) <<<"$words")"
	for word in $words; do
		judge "the blocks of $word" "$(faults_of "$(session "$word")")"
	done
}

# faults_of finds each planted fault, and no fault in a good block.
check_faults()
{
	local fault
	for fault in "# Ada's chip" 'ls # all' 'cat /proc/self/stat' 'seq 3' \
		'echo "hey!"' "echo 'a" 'sed -i s/a/b/ x' 'grep -oP x'
	do
		word=
		[ -n "$(faults_of "$fault")" ] || word='is not found'
		judge "$fault" "$word"
	done
	judge 'a block as it should be' "$(faults_of "$(cat <<'END'
as "$ada" $game | jq -r '.you.legal_actions[] | "\(.method) \(.href)"'
END
	)")"
}

# --- the sessions ---------------------------------------------------------------

check_gang()
{
	output=$(paste_in "$(session session)")
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
	check_plain
	output=$(grep '^{"version"' <<<"$output" | uniq -c)
	check 'and that is done once' '^ *2 '
}

# No shell and no program had anything to complain about.
check_plain()
{
	judge 'nothing is wrong' "$(grep -iE \
		'not found|no match|parse error|bad |invalid|^curl:|^jq:' \
		<<<"$output")"
}

# Until a heist fails, as the page says.
check_specialist()
{
	local luck
	for ((luck = 0; luck < LUCK; luck++)); do
		output=$(paste_in "$first_lines$(session specialist)"$'\n'"$(
			session informant)")
		! grep -qx null <<<"$output" || continue
		break
	done
	check 'who is there' '^\{"number":1,"code":"informant","state":"available"'
	check 'how to ask' '^\{"command":\{"action":"propose","seat":2\},"choose":\{"target_seat":\{"form":"one_of","options":\[1,3\]\}\}\}$'
	check 'it is proposed' '"state":"proposed","proposal":\{"by":1,"seat":2,"target_seat":3'
	check 'Bob agrees' '^\[1,2\]$'
	check 'all know who shows' '"code":"informant","seat":2,"target_seat":3'
	check 'whose turn it is' '^\[([123],)*2(,3)?\]$'
	check 'it is done' '^"used"$'
	check 'Cleo sees it' '^\[\{"seat":2,"card":".."\}\]$'
	check 'Ada does not' '^\[\]$'
	check_plain
}

# Two, whatever lies in the street.
check_famiglia()
{
	output=$(paste_in "$first_lines$(session famiglia)")
	check 'the zeros of seat 2' '^\["f0b","m0b","b0b","a0b"\]$'
	check 'six cards' '^\["[fmba][0-4][a-e]"(,"[fmba][0-4][a-e]"){5}\]$'
	check 'the steps' '^\[("refill",)?"accountant","brute","take"\]$'
	check 'what Ada has' '^\{"seat":1,"hand":\[.*"legal_actions":\[\]\}$'
	check 'who is next' '^2$'
	check 'she has moved' '"code":"not_your_turn"'
	check 'what Bob can do' '^\{"command":\{"action":"pass"\},"choose":null\}$'
	check 'the first event' '^\[1,"(card_taken|passed)"\]$'
	check 'the second' '^\[2,"passed"\]$'
	check_plain
}

check_blocks
check_faults
first_lines=$(grep -E '^(U=|as\(\))' <<<"$(session session)")$'\n'
for shell in bash zsh; do
	check_gang
	check_specialist
	check_famiglia
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
