#!/bin/sh
#
# with-cluster.sh [--durable] COMMAND... - run a command with a PostgreSQL
# cluster of its own, which is empty at first and deleted afterwards.  The
# command finds it by GANGD_DATABASE_URL and GANGD_MIGRATE_URL.  The exit
# status is that of the command; processes that it leaves running are ended.
#
# Daemons have no quotas there unless the environment sets them: tests ask more
# than people do.
#
# GANGD_TEMPLATE names the folder of a stopped cluster to be copied, which takes
# a tenth of the time of making one.
#
# A killed cluster may lose commits, which makes it fast, and it is in memory
# (/dev/shm) where there is room, which takes a third less processor time than a
# disk.  A daemon opens six connections to it instead of sixteen: each takes the
# server 11 ms of processor time, and tests start hundreds of daemons.  With
# --durable the cluster is on the disk and set as for real use.
set -eu

ROOM_KB=2000000 # for several clusters at once

here=$(cd "$(dirname "$0")" && pwd)
child=

finish()
{
	trap '' HUP INT TERM
	if [ -n "$child" ]; then
		kill -TERM "-$child" 2>/dev/null || true
		wait "$child" || true
	fi
	"$here/cluster.sh" stop "$folder" ${fast:+"$fast"} || true
	rm -rf "$folder"
}

fast=-F
if [ "${1-}" = --durable ]; then
	fast=
	shift
fi
[ $# -gt 0 ] || {
	echo "usage: with-cluster.sh [--durable] COMMAND..." >&2
	exit 2
}
scratch=/tmp
free=$(df --output=avail /dev/shm 2>/dev/null | tail -n 1)
[ -z "$fast" ] || [ "${free:-0}" -lt $ROOM_KB ] || scratch=/dev/shm
folder=$(mktemp -d $scratch/gangd-test.XXXXXX)
trap finish EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

[ "$(id -u)" -ne 0 ] || chown "$("$here/cluster.sh" owner)" "$folder"
[ -z "${GANGD_TEMPLATE-}" ] || cp -a "$GANGD_TEMPLATE/data" "$folder/data"
urls=$("$here/cluster.sh" start "$folder" ${fast:+"$fast"} 2>/dev/null) || {
	echo "gangd: the cluster for the test does not start" >&2
	exit 1
}
eval "$urls"
# Debian's psql in /usr/bin is a script that takes six times as long.
PATH=$("$here/cluster.sh" programs):$PATH
export GANGD_DATABASE_URL GANGD_MIGRATE_URL
[ -z "$fast" ] ||
	export GANGD_DATABASE_CONNECTIONS="${GANGD_DATABASE_CONNECTIONS-6}"
export GANGD_QUOTAS="${GANGD_QUOTAS-off}"
export GANGD_CONNECTIONS_PER_ADDRESS="${GANGD_CONNECTIONS_PER_ADDRESS-0}"

# A session of its own, so that all of it can be ended at once.  A command in the
# background reads /dev/null unless another descriptor keeps the input.
exec 3<&0
setsid "$@" <&3 3<&- &
child=$!
wait "$child"
