#!/bin/sh
#
# operator.sh database stop|start   what a story's "operator" line asks for
# operator.sh daemon stop
#
# GANGD_CLUSTER is the folder of the cluster, GANGD_PID the daemon.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cluster=$here/../../deploy/local/cluster.sh

case "$*" in
"database stop") "$cluster" stop "$GANGD_CLUSTER" ;;
"database start") "$cluster" start "$GANGD_CLUSTER" -F >/dev/null ;;
"daemon stop") kill -TERM "$GANGD_PID" ;;
*)
	echo "operator.sh: what is \"$*\"?" >&2
	exit 2
	;;
esac
