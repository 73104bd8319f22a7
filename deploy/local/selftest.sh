#!/bin/bash
#
# selftest.sh [VARIABLE=VALUE...] - test the promises of the scripts in this
# folder: a cluster that starts again after any end, a service that starts,
# plays a game, stops and leaves nothing running, and has the games of the
# last time.  The variables are make's, as for run.sh.
set -eu

START_SECONDS=60

cd "$(dirname "$0")/../.."
scratch=$(mktemp -d /tmp/gangd-selftest.XXXXXX)
cluster="$scratch/an odd, [name] of \$a 'clone'"
export GANGD_VAR=$scratch/var
unset GANGD_DATABASE_URL GANGD_MIGRATE_URL
build=build
passed=0
failed=0
run=

finish()
{
	[ -z "$run" ] || kill -TERM "$run" 2>/dev/null || true
	wait
	[ ! -e "$cluster" ] || deploy/local/cluster.sh stop "$cluster" || true
	[ ! -e "$GANGD_VAR/cluster" ] ||
		deploy/local/cluster.sh stop "$GANGD_VAR/cluster" || true
	rm -rf "$scratch"
}

# check WHAT COMMAND... - a test: the command must succeed.
check()
{
	local what=$1
	shift
	if "$@"; then
		echo "ok: $what"
		passed=$((passed + 1))
	else
		echo "FAILED: $what"
		failed=$((failed + 1))
	fi
}

# --- the cluster --------------------------------------------------------------

start_cluster()
{
	local urls
	urls=$(deploy/local/cluster.sh start "$cluster" -F) && eval "$urls"
}

# sql URL STATEMENT - what it answers.
sql()
{
	psql -X -q -A -t -v ON_ERROR_STOP=1 "$1" -c "$2"
}

# True if nothing is at work in a folder or below.
is_quiet()
{
	! find /proc -maxdepth 2 -path '/proc/[0-9]*/cwd' -printf '%l/\n' \
		2>/dev/null | grep -Fq -- "$1/"
}

server_refuses_ddl()
{
	! sql "$GANGD_DATABASE_URL" "CREATE TABLE public.t ()" 2>/dev/null
}

keeps_secrets_from_log()
{
	[ "$(sql "$GANGD_DATABASE_URL" "SELECT string_agg(setting, ' '
		ORDER BY name) FROM pg_settings WHERE name IN (
		'log_error_verbosity', 'log_parameter_max_length',
		'log_parameter_max_length_on_error')")" = 'terse 0 0' ]
}

has_row()
{
	[ "$(sql "$GANGD_MIGRATE_URL" "SELECT n FROM kept")" = 7 ]
}

test_cluster()
{
	local sleeper
	mkdir "$cluster"
	[ "$(id -u)" -ne 0 ] ||
		chown "$(deploy/local/cluster.sh owner)" "$cluster"
	chmod 0755 "$scratch"

	check "a cluster starts in a folder with an odd name" start_cluster
	check "its application role may not create tables" server_refuses_ddl
	check "its log keeps secrets out" keeps_secrets_from_log
	check "its owner's role may create a schema" sql "$GANGD_MIGRATE_URL" \
		"SET synchronous_commit = on;
		 SET ROLE gangd_owner; CREATE SCHEMA s; RESET ROLE;
		 ALTER ROLE gangd_migrate SET search_path TO s;
		 CREATE TABLE s.kept AS SELECT 7 AS n"
	check "a running cluster can be started again" start_cluster

	kill -9 "$(head -n 1 "$cluster/data/postmaster.pid")"
	check "it starts after a crash" start_cluster
	check "and has what it had" has_row

	check "it stops" deploy/local/cluster.sh stop "$cluster"
	check "and nothing of it is at work" is_quiet "$cluster"
	check "it stops twice" deploy/local/cluster.sh stop "$cluster"

	sleep 600 &
	sleeper=$!
	echo $sleeper >"$cluster/data/postmaster.pid"
	check "it starts over the number of another process" start_cluster
	check "which lives on" kill $sleeper
	deploy/local/cluster.sh stop "$cluster"

	mv "$cluster/data" "$cluster/data.new"
	rm "$cluster/data.new/PG_VERSION"
	check "it starts over what was made by halves" start_cluster
	deploy/local/cluster.sh stop "$cluster"
}

test_with_cluster()
{
	local left
	# shellcheck disable=SC2016 # for the other shell to expand
	left=$(deploy/local/with-cluster.sh sh -c 'sleep 600 &
		psql -X -A -t "$GANGD_DATABASE_URL" -c "SELECT 40 + 2"
		echo $!') || true
	check "a command finds its throw-away cluster" [ "${left%%$'\n'*}" = 42 ]
	check "what it leaves running is ended" \
		is_gone "${left##*$'\n'}"
	check "its exit status is passed on" exits_with 3 \
		deploy/local/with-cluster.sh sh -c 'exit 3'
	check "a shell reads what is typed" exits_with 5 \
		deploy/local/with-cluster.sh sh <<<'exit 5'
}

# A process that has ended stays a zombie until its parent asks for its status.
is_gone()
{
	! grep -q '^State:[[:space:]]*[^Z[:space:]]' "/proc/$1/status" 2>/dev/null
}

exits_with()
{
	local status=0
	"${@:2}" || status=$?
	[ $status -eq "$1" ]
}

# --- the service --------------------------------------------------------------

free_port()
{
	local port
	while :; do
		port=$((20000 + RANDOM % 10000))
		(: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
	done
	echo $port
}

# Start run.sh as a terminal would, where Ctrl-C counts, and wait until it says
# that it serves.  /readyz alone may still be answered by the daemon of a run that
# was killed; and the log is emptied before the new run begins, or the line of the
# last one could be read.
start_service()
{
	local try
	: >"$scratch/run.log"
	env --default-signal=INT deploy/local/run.sh "$@" \
		>>"$scratch/run.log" 2>&1 </dev/null &
	run=$!
	for ((try = 0; try < START_SECONDS * 10; try++)); do
		! serves || return 0
		kill -0 $run 2>/dev/null || break
		sleep 0.1
	done
	cat "$scratch/run.log"
	return 1
}

serves()
{
	grep -q '^gangd serves on ' "$scratch/run.log"
}

# stop_service SIGNAL - the exit status of run.sh.
stop_service()
{
	local status=0
	kill "-$1" "$run"
	wait "$run" || status=$?
	run=
	return $status
}

# demo_ends RULESET PATTERN - the demo's output ends the game like this.
demo_ends()
{
	if GANGD_URL=$url RULESET=$1 deploy/local/demo.sh \
		>"$scratch/demo.log" 2>&1 && grep -Eq "$2" "$scratch/demo.log"
	then
		return 0
	fi
	tail -n 20 "$scratch/demo.log"
	return 1
}

# demo_link_works - the last link that the demo printed answers without a token.
demo_link_works()
{
	local link
	link=$(grep -o 'http://[^ ]*/events$' "$scratch/demo.log" | tail -n 1)
	curl -fs "$link" | jq -e '.events | length > 10' >/dev/null
}

# demo_goes_on - no player took a chip from a friend a third time in a round.
demo_goes_on()
{
	! awk '/ chips / { split("", times) }
		$2 == "takes" && $4 == "from" && $5 != "the" &&
			!/gives way/ && ++times[$1 $3] > 2 { print; found = 1 }
		END { exit !found }' "$scratch/demo.log"
}

demo_has()
{
	grep -Eq "$1" "$scratch/demo.log"
}

game_is_there()
{
	curl -fs -o /dev/null "$url/v1/games/$1" -H "Authorization: Bearer $2"
}

is_refused()
{
	! deploy/local/run.sh "$@" >/dev/null 2>&1
}

# A line of run.sh below its banner, where only the daemon's log goes on.
says_below()
{
	local try
	for ((try = 0; try < START_SECONDS * 10; try++)); do
		! sed '1,/^The games are kept in /d' "$scratch/run.log" |
			grep -q "^gangd: $1" || return 0
		sleep 0.1
	done
	tail -n 5 "$scratch/run.log"
	return 1
}

test_service()
{
	local game token port made
	port=$(free_port)
	url=http://127.0.0.1:$port
	export GANGD_LISTEN=127.0.0.1:$port

	check "the service starts" start_service "$@"
	check "a second one on its port is refused" is_refused "$@"
	check "a whole game is played" demo_ends the_gang 'has won|is caught'
	check "and its link works without a token" demo_link_works
	check "and no player takes the same chip for ever" demo_goes_on
	check "a whole game of Famiglia is played" \
		demo_ends famiglia '(Ada|Ben|Nobody) has won'
	check "and its link works without a token" demo_link_works
	check "and shows hands by the names of cards" \
		demo_has '^  hand: .*(Famiglia|Mercenary|Brute|Accountant) [0-4]'
	made=$(curl -fs "$url/v1/games" --json '{"name":"Ada"}') || true
	game=$(jq -r .game.id <<<"$made")
	token=$(jq -r .token <<<"$made")

	check "Ctrl-C ends it well" stop_service INT
	check "and nothing of it is at work" is_quiet "$scratch"
	check "it starts again" start_service "$@"
	check "with the games of the last time" game_is_there "$game" "$token"

	kill -9 "$run"
	wait "$run" 2>/dev/null || true
	check "it starts after it was killed" start_service "$@"
	check "with the games of the last time" game_is_there "$game" "$token"
	check "SIGTERM ends it well" stop_service TERM
	check "and nothing of it is at work" is_quiet "$scratch"

	export GANGD_WEBHOOK_URL=no-url
	check "it starts where gangd-push does not" start_service "$@"
	check "and says so below the banner" \
		says_below "gangd-push ended with status 1"
	check "and Ctrl-C ends it well" stop_service INT
	check "and nothing of it is at work" is_quiet "$scratch"
	unset GANGD_WEBHOOK_URL
}

# --- the files that go with them ------------------------------------------------

lists_settings()
{
	local setting
	for setting in $("$build/bin/gangd" --help | grep -o 'GANGD_[A-Z_]*'); do
		grep -q "$setting=" deploy/systemd/{gangd,gangctl,push}.env || {
			echo "not there: $setting"
			return 1
		}
	done
}

# As far as systemd can check on a machine without an installed gangd.
units_are_valid()
{
	local units=$scratch/units unit
	mkdir -p "$units"
	for unit in deploy/systemd/*.service deploy/systemd/*.timer; do
		sed "s|/usr/local/bin/|$(readlink -f "$build")/bin/|
			s|/usr/local/lib/gangd/publish|$PWD/deploy/systemd/publish.sh|" \
			"$unit" >"$units/${unit##*/}"
	done
	! systemd-analyze verify --man=no "$units"/gangd* 2>&1 | grep .
}

owner_is_kept_from_daemon()
{
	! grep -q GANGD_MIGRATE_URL deploy/systemd/gangd.env &&
		! grep -q gangctl.env <(grep -v '^#' deploy/systemd/*.service)
}

trap finish EXIT
trap 'exit 1' HUP INT TERM
for variable; do
	case $variable in
	BUILD=*) build=${variable#BUILD=} ;;
	esac
done
test_cluster
test_with_cluster
test_service "$@"
check "the env files have every setting" lists_settings
check "and the daemon's not the owner's" owner_is_kept_from_daemon
! command -v systemd-analyze >/dev/null ||
	check "systemd takes the units" units_are_valid
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
