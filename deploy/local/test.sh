#!/bin/bash
#
# test.sh [KIND...] [VARIABLE=VALUE...] - install what is missing, build, and
# run every test of these kinds; of the kind "test", as without any, those of the
# service, which are "make test"; of the kind "frontends" those that need browsers,
# proxies, or other languages' tools, which are "make test-frontends".  The variables
# are make's (BUILD, CC, SAN).
#
# Each test program is a job, and can be named alone (unit/test_hand).  Of jobs
# that compute, three run on two cores, since each of them waits now and then;
# beside them, two for each core of those that mostly wait (WAITING), and those
# that do next to nothing but wait (QUIET).  Then come those that look at
# milliseconds, or at deadlines of less than a second (TIMED), three on two cores,
# beside nothing but what only computes and gives way to them (GIVING_WAY); and
# last what looks at what others left (LAST).  Jobs that
# mostly wait, or look at short deadlines, have a higher priority than the others
# (PROMPT).
# All run whatever the others do.  A job counts the tests that its program says
# it ran.  A program that crashes, hangs, or runs nothing is a failed test.
# The output of the jobs is in BUILD/logs; each line says how many seconds a job
# took, and how many of a processor.
#
# With AGAIN in the environment a job that failed runs once more, alone, when all
# others have ended.  If it passes then, its failure hangs on the machine's load or
# on chance: it counts as passed, and a line at the end names it, for somebody to
# mend.  That is for .ci/run.  A job that only computes, or looks for leaks of
# hidden cards, has no second run.
#
# The kind selftest is asked for by itself: the tests of contract/ and of these
# scripts, for those who change them, and that bench/ still measures the same on
# both sides.
#
# The kind singly is asked for by itself: what stores games, with a statement for
# each load and move (GANGD_BATCH=0) and in its short form.  Some programs of store/
# run both ways by themselves.
#
# The kind valgrind is asked for by itself: the unit tests, slowly.
#
# The kind fuzz is asked for by itself: clang builds it, in BUILD-fuzz.  Each
# target runs for FUZZ_SECONDS of the environment, or 30.  The kind corpus only
# runs the targets on their stored corpus.
set -eu

SERVICE=(torture games secrecy stories operations metrics store sim unit corpus contract)
FRONTENDS=(sdk browser proxies java push)
# The long ones early, so that no core is idle at the end.
FIRST=(torture/test_out_of_memory.py browser/test_docs.py sdk/test_sdk.py
	stories/01-28)
STORIES=(29-34 35-35 runner 01-28 36-49 50-59 90-99)
QUIET=(torture/test_longest_wait.py stories/35-35
	metrics/test_slow_scrapes.py)
WAITING=(torture/test_event_streams.py torture/test_db_disconnect.py
	stories/29-34 torture/test_db_restarts.py
	torture/test_log_unread.py torture/test_long_poll.py
	torture/test_upgrade.py torture/test_connection_cap.py
	torture/test_gathered_moves.py singly/torture/test_gathered_moves.py
	torture/test_db_tls.py torture/test_db_hosts.py
	torture/test_db_functions.py
	torture/test_daemon_paused.py operations/test_traces.py
	torture/test_bot_tables.py operations/test_top.py secrecy/test_bot_twins
	operations/test_webhooks.py operations/test_push_role.py
	metrics/test_values.py push/test_notifications.py push/test_flood.py
	browser/test_tabs.py proxies/test_ha_balancer.py proxies/test_pooler.py)
TIMED=(store/test_outage singly/store/test_outage torture/test_rate_limits.py
	torture/test_slow_clients.py torture/test_hostile.py torture/test_no_standby.py
	torture/test_wait_latency.py browser/test_table_speed.py push/test_kills.py)
PROMPT=("${QUIET[@]}" "${WAITING[@]}" "${TIMED[@]}" torture/test_drain.py)
GIVING_WAY='^(unit|sim|corpus|valgrind)/|^contract$|^selftest/contract$'
LAST=(stories/complete)
JOB_SECONDS=1200
SHOWN_LINES=60

cd "$(dirname "$0")/../.."
build=build
kinds=()
variables=()

# The jobs of a kind, one a line, each named by its kind and program.
jobs_of()
{
	local program
	case $1 in
	unit | sim | store | games | sdk | java | browser | proxies | operations | metrics | secrecy | torture | push | fuzz)
		for program in tests/"$1"/test_*.c tests/"$1"/test_*.py \
			tests/"$1"/fuzz_*.c
		do
			[ -e "$program" ] || continue
			program=${program#tests/}
			echo "${program%.c}"
		done
		;;
	corpus) jobs_of fuzz | sed 's/^fuzz.fuzz_/corpus\//' ;;
	singly)
		grep -LE "run_(both_ways|on_drafts)" tests/store/test_*.c |
			sed 's|^tests/\(.*\)[.]c$|singly/\1|'
		printf 'singly/%s\n' secrecy/test_hidden_cards \
			torture/test_kill_and_retry.py torture/test_gathered_moves.py
		;;
	valgrind) jobs_of unit | sed -n '/[.]py$/!s/^unit/valgrind/p' ;;
	stories) printf 'stories/%s\n' "${STORIES[@]}" complete ;;
	selftest) printf 'selftest/%s\n' contract deploy bench soak capacity peer ;;
	*) echo "$1" ;;
	esac
}

# The command of a job, as words in the array "command".
find_command()
{
	case $1 in
	singly/*)
		find_command "${1#singly/}"
		command=(env -u ACTIONS -u GANG_TIMES -u KILLS -u ROUNDS
			GANGD_BATCH=0 "${command[@]}")
		;;
	unit/*.py) command=("tests/$1") ;;
	unit/* | sim/*) command=("$build/tests/$1") ;;
	fuzz/*)
		command=(tests/fuzz/run.sh "$build" "${FUZZ_SECONDS:-30}"
			"${1#fuzz/fuzz_}")
		;;
	corpus/*)
		command=("$build/tests/fuzz/fuzz_${1#corpus/}" tests/fuzz/"$1"/*)
		;;
	valgrind/*)
		command=(tests/unit/valgrind.sh
			"$build/tests/unit/${1#valgrind/}")
		;;
	*.py) command=(deploy/local/with-cluster.sh "tests/$1" "$build") ;;
	store/* | secrecy/* | torture/*)
		command=(deploy/local/with-cluster.sh "$build/tests/$1")
		;;
	stories/complete) command=(tests/http/stories.sh "$build" complete) ;;
	stories/*)
		command=(deploy/local/with-cluster.sh
			tests/http/stories.sh "$build" "${1#stories/}")
		;;
	contract)
		command=(tests/contract/contract.py
			--program "$build/bin/gangd")
		;;
	selftest/contract) command=(tests/contract/contract.py --self-test) ;;
	selftest/bench)
		command=(deploy/local/with-cluster.sh env ROUNDS=1 SECONDS=1
			tests/bench/bench.py "$build" check)
		;;
	selftest/soak)
		command=(deploy/local/with-cluster.sh env SOAK_SECONDS=6
			SOAK_PEOPLE=60 SOAK_THINK=0.3 tests/bench/soak.py "$build")
		;;
	selftest/capacity)
		command=(deploy/local/with-cluster.sh env SECONDS=1 HALVINGS=0
			GOAL_MS=5000 CAPACITY_MIN=400 CAPACITY_MAX=400
			tests/bench/capacity.py "$build")
		;;
	selftest/peer) command=(tests/bench/peer.sh "$build" check) ;;
	selftest/deploy)
		command=(deploy/local/selftest.sh "${variables[@]}")
		;;
	esac
}

# How many tests passed and failed, as the log tells: the totals of cmocka's
# groups, or the last line that says "N passed, N failed".
count()
{
	awk '
		/^\[  PASSED  \] [0-9]+ test/ { passed += $4 }
		/^\[  FAILED  \] [0-9]+ test/ { failed += $4 }
		/^[0-9]+ passed, [0-9]+ failed/ { passed = $1; failed = $3 }
		END { print passed + 0, failed + 0 }' "$1"
}

# Run a job, say how it went, and leave its counts for the sum.
run_job()
{
	local log=$build/logs/${1//\//-}.log status=0
	local command passed failed seconds busy verdict=ok

	echo "0 1" >"${log%.log}.count" # unless we come to the end
	find_command "$1"
	if [[ $1 =~ $GIVING_WAY ]]; then
		command=(nice -n 19 "${command[@]}")
	elif [[ " ${PROMPT[*]} " != *" $1 "* ]]; then
		command=(nice -n 15 "${command[@]}")
	fi
	timeout -k 10 $JOB_SECONDS deploy/local/timed.py "${log%.log}.seconds" \
		"${command[@]}" </dev/null >"$log" 2>&1 &
	trap 'kill $! 2>/dev/null; wait; exit 1' TERM
	wait $! || status=$?

	read -r passed failed < <(count "$log")
	if ((failed == 0 && (status != 0 || passed == 0))); then
		echo "$1: exit status $status after $passed tests" >>"$log"
		failed=1
	fi
	((failed == 0)) || verdict=FAILED
	read -r seconds busy <"${log%.log}.seconds" || seconds=$JOB_SECONDS
	report "$verdict" "$1" "$passed" "$failed" "$seconds" "${busy-0}" "$log"
	echo "$passed $failed" >"${log%.log}.count"
}

# The part of a failed job's log to show: the places that tell of failures,
# or else its end.
excerpt()
{
	grep -E -B 4 -A 12 'FAILED|ERROR|Sanitizer' "$1" >"$1.short" ||
		tail -n $SHOWN_LINES "$1" >"$1.short"
	head -n $SHOWN_LINES "$1.short" | cut -c 1-200 | sed 's/^/        | /'
	rm "$1.short"
}

# In one piece, so that jobs do not speak at once.
report()
{
	local text
	text=$(printf '%-7s %-36s %5d passed, %d failed %4d s %4d busy' \
		"${@:1:6}")
	if [ "$1" != ok ]; then
		text+=$'\n'$(excerpt "$7")
		text+=$'\n'"        all of it: $7"
	fi
	printf '%s\n' "$text"
}

# The make targets of a job, beside the programs, which all jobs need.
targets_of()
{
	local word
	case $1 in
	stories/*) echo "$build/tests/http/run" ;;
	singly/*) targets_of "${1#singly/}" ;;
	selftest/bench | selftest/capacity) echo "$build/tests/bench/open_loop" ;;
	sdk/test_generic_client.py) echo "$build/tests/sdk/generic_client" ;;
	games/test_third_game.py) echo "$build/tests/games/nim/built" ;;
	games/test_eleventh_cards.py) echo "$build/tests/games/eleventh/built" ;;
	torture/test_upgrade.py)
		printf '%s\n' "$build"/tests/torture/next/gang{d,ctl}
		;;
	torture/*) echo "$build/tests/torture/gangd_failing" ;;
	esac
	find_command "$1"
	for word in "${command[@]}"; do
		[[ $word != "$build"/tests/* ]] || echo "$word"
	done
}

build_all()
{
	local job command targets=(all)
	if [[ ${kinds[0]} = fuzz* ]]; then
		targets=(fuzz-programs FUZZ_BUILD="$build")
	else
		mapfile -t -O 1 targets < <(all_jobs |
			while read -r job; do targets_of "$job"; done)
	fi
	echo "gangd: building the programs and the tests"
	make -s -k -j"$(nproc)" "${variables[@]}" "${targets[@]}" || {
		echo "FAILED  build"
		echo "0 1" >"$build/logs/build.count"
	}
}

all_jobs()
{
	local kind
	for kind in "${kinds[@]}"; do
		jobs_of "$kind"
	done
}

# The jobs of a class, in the order of the class.
jobs_in()
{
	printf '%s\n' "$@" | grep -xF -f <(all_jobs) || true
}

# The jobs that only compute.
jobs_giving_way()
{
	all_jobs | grep -E "$GIVING_WAY" || true
}

# All others, the long ones first.
other_jobs()
{
	jobs_in "${FIRST[@]}"
	all_jobs | grep -vE "$GIVING_WAY" | grep -vxF -f <(printf '%s\n' \
		"${FIRST[@]}" "${QUIET[@]}" "${WAITING[@]}" "${TIMED[@]}" \
		"${LAST[@]}") || true
}

# run_lane COUNT JOB... - so many at once.
run_lane()
{
	local job count=$1
	trap 'kill $(jobs -p) 2>/dev/null; wait; exit 1' TERM
	for job in "${@:2}"; do
		while [ "$(jobs -rp | wc -l)" -ge "$count" ]; do
			wait -n || true
		done
		run_job "$job" &
	done
	wait
}

run_all()
{
	local lanes=() cores lanes_count
	cores=$(nproc)
	lanes_count=$(((3 * cores + 1) / 2))
	# shellcheck disable=SC2046 # names of jobs are words
	{
		run_lane "$cores" $(jobs_in "${QUIET[@]}") &
		run_lane $((2 * cores)) $(jobs_in "${WAITING[@]}") &
		lanes+=($!)
		run_lane "$lanes_count" $(other_jobs) &
		lanes+=($!)
		wait "${lanes[@]}"
		run_lane "$lanes_count" $(jobs_in "${TIMED[@]}") &
		run_lane "$cores" $(jobs_giving_way) &
		wait
		run_lane 1 $(jobs_in "${LAST[@]}") &
		wait
	}
}

# Give each job that failed, but for those that compute, a second run.
run_again()
{
	local job log
	for job in $(all_jobs | grep -vE "$GIVING_WAY|^(singly/)?secrecy/"); do
		log=$build/logs/${job//\//-}
		grep -q ' [1-9]' "$log.count" || continue
		mv "$log.log" "$log.first"
		run_job "$job"
		! grep -q ' 0$' "$log.count" || again+=("$job")
	done
}

# A cluster for the jobs to copy.
make_template()
{
	local owner
	owner=$(deploy/local/cluster.sh owner)
	[ "$(id -u)" -ne 0 ] || chown "$owner" "$template"
	deploy/local/cluster.sh start "$template" -F >/dev/null 2>&1
	deploy/local/cluster.sh stop "$template"
}

# The make that calls this must not steer the make called here.
unset MAKEFLAGS MFLAGS MAKELEVEL
for argument; do
	case $argument in
	BUILD=*) build=${argument#BUILD=} ;;&
	*=*) variables+=("$argument") ;;
	test) kinds+=("${SERVICE[@]}") ;;
	frontends) kinds+=("${FRONTENDS[@]}") ;;
	*) kinds+=("$argument") ;;
	esac
done
[ ${#kinds[@]} -gt 0 ] || kinds=("${SERVICE[@]}")
[[ ${kinds[0]} != fuzz* ]] || build=$build-fuzz

groups=(build cluster test)
case " ${variables[*]-} ${CC-} " in
*clang*) groups+=(clang) ;;
esac
[[ " ${kinds[*]}" != *" valgrind"* ]] || groups+=(valgrind)
[[ " ${kinds[*]}" != *" sdk"* ]] || groups+=(npm)
[[ " ${kinds[*]}" != *" push"* ]] || groups+=(npm proxies metrics)
[[ " ${kinds[*]}" != *" java"* ]] || groups+=(java npm)
[[ " ${kinds[*]}" != *" selftest"* ]] || groups+=(npm)
# Without its viewer the page is another one.
[[ " ${kinds[*]}" != *" browser"* ]] || groups+=(browser npm)
[[ " ${kinds[*]}" != *" proxies"* ]] || groups+=(proxies)
[[ " ${kinds[*]}" != *" metrics"* ]] || groups+=(metrics)
deploy/local/install.sh "${groups[@]}"
deploy/local/viewer.sh --install
mkdir -p "$build/logs"
rm -rf "$build"/logs/* "$build"/stories
template=
trap 'rm -rf "$template"' EXIT
trap 'kill $(jobs -p) 2>/dev/null; wait; exit 130' HUP INT TERM
template=$(mktemp -d /tmp/gangd-template.XXXXXX)
make_template &
making=$!
build_all
wait $making
export GANGD_TEMPLATE=$template
run_all
again=()
[ -z "${AGAIN-}" ] || run_again
[ ${#again[@]} -eq 0 ] || echo "passed only when run again: ${again[*]}"
cat "$build"/logs/*.count | awk '
	{ passed += $1; failed += $2 }
	END {
		printf "%d passed, %d failed\n", passed, failed
		exit failed > 0 || passed == 0
	}'
