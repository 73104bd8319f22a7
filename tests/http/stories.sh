#!/bin/bash
#
# stories.sh BUILD FROM-TO     play the stories with these numbers
# stories.sh BUILD FILE[:LINE]...   play these files, or the story at a line
# stories.sh BUILD runner      the test of the runner, the README's sessions, and
#                              what programs say that get no story
# stories.sh BUILD complete    whether the parts before have met everything
#
# They are played against the daemon of a build folder, and every answer is held
# against the OpenAPI document.  All but "complete" is to be run under
# deploy/local/with-cluster.sh.
#
# The last line is "N passed, N failed".  The daemon writes its log to
# BUILD/stories/PART/daemon.log; every exchange is in exchanges.jsonl in that
# folder.  Of named files PART is the name of the first one.
set -eu

START_SECONDS=20
STOP_SECONDS=20

[ $# -ge 2 ] || {
	echo "usage: stories.sh BUILD FROM-TO|FILE[:LINE]...|runner|complete" >&2
	exit 2
}
build=$(readlink -f "$1")
shift
case $1 in
*.story | *.story:*) part=${1##*/} part=${part%%.story*} ;;
*) part=$1 ;;
esac
stories=("$@")
cd "$(dirname "$0")/../.."
folder=$build/stories/$part
rm -rf "$folder"
mkdir -p "$folder"
passed=0 failed=0
GANGD_PID=
elsewhere=
spoiler=

trap 'kill -KILL $GANGD_PID $elsewhere $spoiler 2>/dev/null || true' EXIT

# is_part - true if stories are played by their numbers, not by their names.
is_part()
{
	[[ $part =~ ^[0-9]+-[0-9]+$ ]]
}

# judge NAME STATUS - one more test, which passed if the status is 0.
judge()
{
	if [ "$2" -eq 0 ]; then
		echo "ok     $1"
		passed=$((passed + 1))
	else
		echo "FAILED $1"
		failed=$((failed + 1))
	fi
}

# show - all but the sums, of which this script makes one.
show()
{
	grep -Ev '^[0-9]+ passed, [0-9]+ failed' || true
}

# count FILE - add what its last "N passed, N failed" says.
count()
{
	local counts
	counts=$(awk '/^[0-9]+ passed, [0-9]+ failed/ { p = $1; f = $3 }
		END { print p + 0, (p + f > 0) ? f : 1 }' "$1")
	passed=$((passed + ${counts% *}))
	failed=$((failed + ${counts#* }))
}

# A point of P-256, as an operator's key for Web Push.
VAPID_KEY=BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8

# start_daemon LOG - sets pid and url.
start_daemon()
{
	local tries address=''
	local listening='s/.*"event":"listening".*"address":"\([^"]*\)".*/\1/p;T;q'
	: >"$1"
	env -u GANGD_MIGRATE_URL GANGD_LISTEN=127.0.0.1:0 GANGD_BOTS=off \
		"$build/bin/gangd" 2>"$1" &
	pid=$!
	for ((tries = START_SECONDS * 20; tries > 0; tries--)); do
		kill -0 "$pid" 2>/dev/null || break
		address=$(sed -n "$listening" "$1")
		[ -z "$address" ] || break
		sleep 0.05
	done
	url=http://$address
	for (( ; tries > 0; tries--)); do
		! curl -sf -o "$folder/ready" "$url/readyz" || return 0
		sleep 0.05
	done
	return 1
}

start_daemons()
{
	GANGD_LOG=$folder/daemon.log
	GANGD_VAPID_PUBLIC_KEY=$VAPID_KEY start_daemon "$GANGD_LOG" || return 1
	GANGD_PID=$pid GANGD_URL=$url
	GANGD_CORS_ORIGINS='https://app.example, http://localhost:5173' \
		start_daemon "$folder/elsewhere.log" || return 1
	elsewhere=$pid GANGD_ELSEWHERE_URL=$url
}

# stop_daemon NAME PID LOG - stop the daemon, unless the last story has done so,
# and check its status and its log.
stop_daemon()
{
	local tries status=0
	kill -TERM "$2" 2>/dev/null || true
	for ((tries = STOP_SECONDS * 20; tries > 0; tries--)); do
		kill -0 "$2" 2>/dev/null || break
		sleep 0.05
	done
	kill -KILL "$2" 2>/dev/null || true
	wait "$2" || status=$?
	judge "$1 ends with status 0 ($status)" "$status"
	status=0
	! grep -Eq 'Sanitizer|runtime error|assertion' "$3" || status=1
	judge "its log has no fault of its own" $status
	status=0
	! grep -Eq '"gang_|gang_[0-9A-Za-z]{49}|"[2-9TJQKA][cdhs]"' "$3" ||
		status=1
	judge "its log holds no token and no card" $status
}

stop_daemons()
{
	stop_daemon "the daemon" "$GANGD_PID" "$GANGD_LOG"
	GANGD_PID=
	stop_daemon "the other one" "$elsewhere" "$folder/elsewhere.log"
	elsewhere=
}

# Stories that must fail, at a daemon that lies: the test of the runner.
run_planted()
{
	local url tries
	: >"$folder/spoiler.url"
	tests/http/planted/spoiler.py "$GANGD_URL" >"$folder/spoiler.url" &
	spoiler=$!
	for ((tries = START_SECONDS * 20; tries > 0; tries--)); do
		url=$(cat "$folder/spoiler.url")
		[ -z "$url" ] || break
		sleep 0.05
	done
	GANGD_URL=$url tests/http/run.py --planted \
		--arranged "$folder/planted.arranged" tests/http/planted/*.story >"$folder/planted.log" 2>&1 ||
		show <"$folder/planted.log"
	count "$folder/planted.log"
	kill "$spoiler"
}

# The README's session is a story too.
run_readme()
{
	tests/http/readme.sh "$GANGD_URL" >"$folder/readme.log" 2>&1 ||
		show <"$folder/readme.log"
	count "$folder/readme.log"
}

# The reference lists, which never vary, are the document's examples.
check_examples()
{
	local list status
	for list in modes challenges specialists rankings families guide \
		actions announcements
	do
		status=0
		curl -s "$GANGD_URL/v1/rules/$list" | jq -S . |
			diff - <(jq -S . "api/examples/$list.json") || status=1
		judge "/v1/rules/$list serves the document's example" $status
	done
}

# number_of STORY - without a zero before it.
number_of()
{
	local name=${1##*/}
	name=${name%%-*}
	echo "${name#0}"
}

# The files with the numbers of a part.
find_stories()
{
	local story number
	stories=()
	for story in tests/http/*.story; do
		number=$(number_of "$story")
		[ "$number" -lt "$(number_of "$part")" ] ||
			[ "$number" -gt "${part#*-}" ] || stories+=("$story")
	done
}

run_stories()
{
	tests/http/run.py --log "$folder/exchanges.jsonl" \
		--arranged "$folder/arranged" "${stories[@]}" 2>&1 |
		tee "$folder/stories.log" | show
	count "$folder/stories.log"
	! is_part || printf '%s\n' "${stories[@]}" >"$folder/played"
}

# Every answer is as documented.
check_answers()
{
	tests/contract/contract.py --exchanges "$folder/exchanges.jsonl" \
		--seen "$folder/seen.json" >"$folder/contract.log" 2>&1 ||
		tail -n 60 "$folder/contract.log" | show
	count "$folder/contract.log"
}

# Every game that is left is what its log says, but for those whose cards a
# story has arranged.  Each part has others; a story that is played alone need not.
check_replay()
{
	local games status=0
	mapfile -t games < <(psql -X "$GANGD_MIGRATE_URL" -At \
		-c 'SELECT game_id FROM gangd.game' |
		grep -vxF -f "$folder/arranged")
	if [ "${#games[@]}" -gt 0 ]; then
		"$build/bin/gangctl" replay "${games[@]}" \
			>"$folder/replay.log" 2>&1 || status=1
	else
		! is_part || status=1
	fi
	judge "${#games[@]} games replay to their stored state" $status
}

# count_is_0 NAME QUERY - a test of this name, that the query counts nothing.
count_is_0()
{
	local status=0
	[ "$(psql -X "$GANGD_MIGRATE_URL" -At -c "SELECT count(*) $2")" = 0 ] ||
		status=1
	judge "$1" $status
}

# The rules that the schema leaves to the functions.
check_rows()
{
	count_is_0 "the copies of the seats agree" \
		"FROM gangd.game WHERE seats <> gangd.pack_seats(game_id)"
	local table
	for table in event idempotency_key notification; do
		count_is_0 "each $table has its game" "FROM gangd.$table
			WHERE game_id NOT IN (SELECT game_id FROM gangd.game)"
	done
}

# An operator is shown a game of each ruleset that has one that ended, as a
# spectator and a seat see it.
check_show()
{
	local ruleset status=0 game
	: >"$folder/shown"
	for ruleset in 1 2; do
		game=$(psql -X "$GANGD_MIGRATE_URL" -At -c "SELECT game_id
			FROM gangd.game WHERE ruleset = $ruleset
			AND status NOT IN ('lobby', 'playing') LIMIT 1")
		[ -n "$game" ] || continue
		"$build/bin/gangctl" show "$game" 2 |
			jq -e ".id == \"$game\" and .you.seat == 2" \
			>>"$folder/show.log" || status=1
		"$build/bin/gangctl" show "$game" |
			jq -e '.you == null' >>"$folder/show.log" || status=1
		echo $ruleset >>"$folder/shown"
	done
	judge "gangctl shows games that ended" $status
}

# The checks that only all parts together can pass.
check_complete()
{
	local status=0
	cat "$build"/stories/*/played | sort |
		diff - <(printf '%s\n' tests/http/*.story) || status=1
	judge "every story is in one part" $status
	status=0
	[ "$(sort -u "$build"/stories/*/shown)" = $'1\n2' ] || status=1
	judge "gangctl has shown a game of each ruleset" $status
	tests/contract/contract.py --seen "$build"/stories/*/seen.json \
		>"$folder/contract.log" 2>&1 || status=1
	show <"$folder/contract.log"
	count "$folder/contract.log"
}

# refuses_password PROGRAM FLAG URL [COMMAND] - without repeating the password.
refuses_password()
{
	local said
	! said=$("$build/bin/$1" "$2=$3" "${@:4}" 2>&1) &&
		[[ $said = "$2 holds a password"*PGPASSFILE* ]] &&
		[[ $said != *secret* ]]
}

# Everybody on the machine sees the command lines of all processes.
check_passwords()
{
	local url status
	for url in 'host=/nonexistent password=secret' \
		'postgresql://gangd_app:secret@localhost/gangd'
	do
		status=0
		refuses_password gangd --database-url "$url" &&
			refuses_password gangctl --database-url "$url" migrate &&
			refuses_password gangctl --migrate-url "$url" migrate ||
			status=1
		judge "a password in a flag is refused (${url%%:*})" $status
	done
}

# The daemon must not get the owner's connection string.
check_environment()
{
	local status=0
	! tr '\0' '\n' <"/proc/$GANGD_PID/environ" |
		grep -q '^GANGD_MIGRATE_URL=' || status=1
	! grep -q migrate_url_given "$GANGD_LOG" || status=1
	judge "the daemon has no GANGD_MIGRATE_URL in its environment" $status
	status=0
	GANGD_DATABASE_URL=$GANGD_DATABASE_URL GANGD_LISTEN=127.0.0.1:0 \
		timeout 1 "$build/bin/gangd" 2>"$folder/given.log" || true
	grep -q migrate_url_given "$folder/given.log" || status=1
	judge "a daemon that is given GANGD_MIGRATE_URL logs a warning" $status
}

# The database's own log must hold no secret either.
check_database_log()
{
	local status=0
	! cat "$GANGD_CLUSTER"/log* 2>/dev/null |
		grep -Eq 'gang_[0-9A-Za-z]{49}' || status=1
	judge "the database's log holds no token" $status
}

# The checks beside the stories.
run_runner()
{
	check_passwords
	check_environment
	run_planted
	run_readme
	check_examples
	stop_daemons
}

run_part()
{
	! is_part || find_stories
	run_stories
	stop_daemons
	check_replay
	check_rows
	check_show
	check_answers
}

finish()
{
	# Once more where they are seen, at the end of a long log.
	grep -hs -A 2 '^FAILED' "$folder"/{stories,planted}.log || true
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ]
	exit
}

if [ "$part" = complete ]; then
	check_complete
	finish
fi
: "${GANGD_DATABASE_URL:?run this under deploy/local/with-cluster.sh}"
GANGD_CLUSTER=${GANGD_DATABASE_URL#host=}
GANGD_CLUSTER=$(dirname "${GANGD_CLUSTER%% *}")
GANGD_OPERATOR=$PWD/tests/http/operator.sh
GANGD_ARRANGE=$build/tests/http/arrange

"$build/bin/gangctl" migrate >"$folder/migrate.log"
start_daemons || {
	cat "$folder"/{daemon,elsewhere}.log
	echo "a daemon does not get ready"
	echo "0 passed, 1 failed"
	exit 1
}
export GANGD_PID GANGD_URL GANGD_ELSEWHERE_URL GANGD_CLUSTER GANGD_OPERATOR
export GANGD_LOG GANGD_ARRANGE
if [ "$part" = runner ]; then run_runner; else run_part; fi
check_database_log
finish
