#!/bin/bash
#
# test.sh [KIND...] [VARIABLE=VALUE...] - install what is missing, build, and
# run every test of these kinds: what "make test" does.  The variables are
# make's (BUILD, CC, SAN).
#
# Each test program is a job, and can be named alone (unit/test_hand).  As many
# run at once as there are cores; those that look at the time (ALONE) follow,
# one after the other, beside nothing but those that wait for it (WAITING).
# All run whatever the others do.  A job counts the tests that its program says
# it ran.  A program that crashes, hangs, or runs nothing is a failed test.
# What the jobs said is in BUILD/logs.
#
# The kind valgrind is asked for by itself: the unit tests, slowly.
#
# The kind fuzz is asked for by itself: clang builds it, in BUILD-fuzz.  Each
# target runs for FUZZ_SECONDS of the environment, or 30.  The kind corpus only
# gives the targets what is kept for them.
set -eu

# The long ones early, so that no core is idle at the end.
KINDS=(unit torture stories secrecy sdk browser sim deploy store corpus contract)
ALONE=(torture/test_hostile.py torture/test_replicas.py torture/test_slow.py
	torture/test_stopped.py torture/test_upgrade.py)
WAITING=(torture/test_minute.py)
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
	unit | sim | store | sdk | browser | secrecy | torture | fuzz)
		for program in tests/"$1"/test_*.c tests/"$1"/test_*.py \
			tests/"$1"/fuzz_*.c
		do
			[ -e "$program" ] || continue
			program=${program#tests/}
			echo "${program%.c}"
		done
		;;
	corpus) jobs_of fuzz | sed 's/^fuzz.fuzz_/corpus\//' ;;
	valgrind) jobs_of unit | sed -n '/[.]py$/!s/^unit/valgrind/p' ;;
	*) echo "$1" ;;
	esac
}

# The command of a job, as words in the array "command".
find_command()
{
	case $1 in
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
	stories)
		command=(deploy/local/with-cluster.sh
			tests/http/stories.sh "$build")
		;;
	contract)
		command=(tests/contract/contract.py --repo .
			--program "$build/bin/gangd" --self-test)
		;;
	deploy) command=(deploy/local/selftest.sh "${variables[@]}") ;;
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
	local log=$build/logs/${1//\//-}.log start=$SECONDS status=0
	local command passed failed verdict=ok

	echo "0 1" >"${log%.log}.count" # unless we come to the end
	find_command "$1"
	timeout -k 10 $JOB_SECONDS "${command[@]}" </dev/null >"$log" 2>&1 &
	trap 'kill $! 2>/dev/null; wait; exit 1' TERM
	wait $! || status=$?

	read -r passed failed < <(count "$log")
	if ((failed == 0 && (status != 0 || passed == 0))); then
		echo "$1: exit status $status after $passed tests" >>"$log"
		failed=1
	fi
	((failed == 0)) || verdict=FAILED
	report "$verdict" "$1" "$passed" "$failed" $((SECONDS - start)) "$log"
	echo "$passed $failed" >"${log%.log}.count"
}

# What of a failed job's log is to be seen: the places that tell of failures,
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
	text=$(printf '%-7s %-28s %5d passed, %d failed %5d s' "${@:1:5}")
	if [ "$1" != ok ]; then
		text+=$'\n'$(excerpt "$6")
		text+=$'\n'"        all of it: $6"
	fi
	printf '%s\n' "$text"
}

# What a job needs beside the programs, which all need.
targets_of()
{
	local word
	case $1 in
	stories) echo "$build/tests/http/run" ;;
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

# is_among WORD WORDS...
is_among()
{
	local word
	for word in "${@:2}"; do
		[ "$word" != "$1" ] || return 0
	done
	return 1
}

# Run a job when a core is free for it.
run_beside()
{
	while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do
		wait -n || true
	done
	run_job "$1" &
}

run_all()
{
	local job alone=() waiting=()
	while read -r job; do
		if is_among "$job" "${ALONE[@]}"; then
			alone+=("$job")
		elif is_among "$job" "${WAITING[@]}"; then
			waiting+=("$job")
		else
			run_beside "$job"
		fi
	done < <(all_jobs)
	wait
	for job in "${waiting[@]}"; do
		run_job "$job" &
	done
	for job in "${alone[@]}"; do
		run_job "$job" &
		wait $! || true
	done
	wait
}

# What calls this from a make is not to steer the make called here.
unset MAKEFLAGS MFLAGS MAKELEVEL
for argument; do
	case $argument in
	BUILD=*) build=${argument#BUILD=} ;;&
	*=*) variables+=("$argument") ;;
	*) kinds+=("$argument") ;;
	esac
done
[ ${#kinds[@]} -gt 0 ] || kinds=("${KINDS[@]}")
[[ ${kinds[0]} != fuzz* ]] || build=$build-fuzz

groups=(build cluster test)
case " ${variables[*]-} ${CC-} " in
*clang*) groups+=(clang) ;;
esac
[[ " ${kinds[*]}" != *" valgrind"* ]] || groups+=(valgrind)
[[ " ${kinds[*]}" != *" sdk"* ]] || groups+=(npm)
# Without its viewer the page is another one.
[[ " ${kinds[*]}" != *" browser"* ]] || groups+=(browser npm)
deploy/local/install.sh "${groups[@]}"
deploy/local/viewer.sh
mkdir -p "$build/logs"
rm -f "$build"/logs/*
trap 'kill $(jobs -p) 2>/dev/null; wait; exit 130' HUP INT TERM
build_all
run_all
cat "$build"/logs/*.count | awk '
	{ passed += $1; failed += $2 }
	END {
		printf "%d passed, %d failed\n", passed, failed
		exit failed > 0 || passed == 0
	}'
