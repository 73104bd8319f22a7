#!/bin/bash
#
# run.sh BUILD SECONDS [TARGET...] - run fuzz targets (all of them), one after
# the other, so long each.  BUILD is where "make fuzz-programs" put them.  A
# run begins with the stored corpus and the findings of earlier runs; its own
# findings stay in BUILD/fuzz/TARGET.  RUNS=N ends it after N executions
# too.
#
# run.sh --keep BUILD [TARGET...] - add to the stored corpus the inputs that
# reach code which no input in it reaches.
set -eu

# A second in a target, or a GB, is a finding.
LIMITS=(-timeout=5 -rss_limit_mb=1024 -malloc_limit_mb=64)

cd "$(dirname "$0")/../.."
export ASAN_OPTIONS=quarantine_size_mb=8:malloc_context_size=1
passed=0
failed=0

# The longest input that a target is given: what matters fits well.
length_of()
{
	case $1 in
	body | state) echo 600 ;;
	bot) echo 4000 ;;
	*) echo 512 ;;
	esac
}

# fuzz TARGET - true if nothing was found.
fuzz()
{
	local target=$1 found=$build/fuzz/$1 status=0
	local -a arguments=(-dict="tests/fuzz/$target.dict"
		-max_len="$(length_of "$target")"
		-max_total_time="$seconds"
		-artifact_prefix="$found/finding-"
		-print_final_stats=1 "${LIMITS[@]}")

	[ -z "${RUNS-}" ] || arguments+=(-runs="$RUNS")
	mkdir -p "$found/corpus"
	"$build/tests/fuzz/fuzz_$target" "${arguments[@]}" "$found/corpus" \
		"tests/fuzz/corpus/$target" >"$found/log" 2>&1 || status=$?
	awk -v target="$target" '
		/ cov: / {
			for (i = 1; i < NF; i++)
				if ($i == "cov:") edges = $(i + 1)
		}
		/^stat::number_of_executed_units/ { executions = $2 }
		/^Done/ { seconds = $(NF - 1) }
		END {
			printf "%s: %d executions, %d s, %d edges reached\n",
				target, executions, seconds, edges
			exit executions == 0
		}' "$found/log" || status=1
	[ $status -eq 0 ] || tail -n 60 "$found/log"
	return $status
}

keep()
{
	"$build/tests/fuzz/fuzz_$1" -set_cover_merge=1 -use_counters=0 \
		-max_len="$(length_of "$1")" "tests/fuzz/corpus/$1" \
		"$build/fuzz/$1/corpus" 2>&1 | grep '^MERGE-OUTER' | tail -n 1
}

all_targets()
{
	local source
	for source in tests/fuzz/fuzz_*.c; do
		source=${source##*/fuzz_}
		echo "${source%.c}"
	done
}

what=fuzz
if [ "$1" = --keep ]; then
	what=keep
	shift
fi
build=$1
shift
if [ $what = fuzz ]; then
	seconds=$1
	shift
fi
if [ $# -eq 0 ]; then
	mapfile -t targets < <(all_targets)
	set -- "${targets[@]}"
fi
for target; do
	if "$what" "$target"; then
		passed=$((passed + 1))
	else
		echo "FAILED: $target; see $build/fuzz/$target"
		failed=$((failed + 1))
	fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
