#!/bin/sh
#
# publish NAME - publish the metrics of a run of the unit gangd-NAME for the textfile
# collector of node_exporter, if its folder is there.  systemd runs it as root when
# the unit has stopped (ExecStopPost=+), with the unit's result.
#
# A run that succeeds leaves its metrics in the file "metrics" of the unit's
# RuntimeDirectory.  The unit's user owns that file, so that only samples of the unit
# are taken from it: a link to a secret file must not publish the secret.  The
# earlier metrics stay if the run failed, or left no metrics.
set -eu
umask 022

: "${FOLDER:=/var/lib/prometheus/node-exporter}"
[ -d "$FOLDER" ] || exit 0

# The metrics of a file, without the number of failures.
samples()
{
	[ -f "$2" ] || return 0
	grep -Ex "(# TYPE )?gangd_$1_[a-z_]+([{][a-z]+=\"[a-z_]+\"[}])? ([0-9]{1,15}|gauge)" \
		"$2" | grep -v "^gangd_$1_failures_total " || true
}

file=$FOLDER/gangd_$1.prom
failures=$(sed -n "s/^gangd_$1_failures_total \([0-9]*\)$/\1/p" "$file" 2>/dev/null) ||
	failures=
failures=${failures:-0}
run=${RUNTIME_DIRECTORY:-/nonexistent}/metrics
if [ "$SERVICE_RESULT" != success ]; then
	failures=$((failures + 1))
	run=
fi
metrics=$(samples "$1" "$run")
[ -n "$metrics" ] || metrics=$(samples "$1" "$file")
{
	[ -z "$metrics" ] || printf '%s\n' "$metrics"
	printf '# TYPE gangd_%s_failures_total counter\n' "$1"
	printf 'gangd_%s_failures_total %s\n' "$1" "$failures"
} >"$file.new"
mv "$file.new" "$file"
