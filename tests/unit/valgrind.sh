#!/bin/bash
#
# valgrind.sh PROGRAM - run a unit test under valgrind.  It fails when memory
# is used wrongly or lost, or a file is left open.
set -eu

log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
HAND_SHARE=40 GAMES_SHARE=8 VALUE_STEP=17 valgrind --quiet --error-exitcode=1 --leak-check=full \
	--track-fds=yes --child-silent-after-fork=yes --log-file="$log" \
	"$1" || status=$?

# valgrind lists the open files, also those that it inherited.
awk '
	/Open .*descriptor|Open AF_/ { open = $0; next }
	/<inherited from parent>/ { open = "" }
	open { print open; print; found = 1; open = "" }
	END { exit found }' "$log" || {
	echo "FAILED: files are left open"
	status=1
}
((status == 0)) || cat "$log"
exit $status
