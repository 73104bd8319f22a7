#!/bin/bash
#
# test.sh [VARIABLE=VALUE...] - what "make test-ha" does: install what is missing,
# build, and run tests/ha/test_ha.py in namespaces of its own (network, mounts,
# processes), so that it touches no other network and leaves nothing running.  The
# variables are make's (BUILD, CC, SAN).  It takes root, for the namespaces.
set -eu

cd "$(dirname "$0")/../.."
if [ "$(id -u)" -ne 0 ]; then
	echo "gangd: make test-ha needs root: it pulls the cables of hosts that" \
		"are network namespaces" >&2
	exit 1
fi
groups="run test" # also those of run.sh, which has no network to install them by
. deploy/ha/prepare.sh

# A run that was killed while a disk stalled leaves it frozen, which keeps its loop
# device.
thaw()
{
	local device place=$folder/frozen
	losetup -nl -O NAME,BACK-FILE | awk -v folder="$folder/" \
		'index($2, folder) == 1 { print $1 }' | while read -r device; do
		mkdir -p "$place"
		mount "$device" "$place" || continue
		fsfreeze -u "$place" 2>/dev/null || true
		umount "$place"
	done
}
trap 'thaw; [ -n "${KEEP-}" ] || rm -rf --one-file-system "$folder"' EXIT
# shellcheck disable=SC2016 # for the inner shell to expand
unshare --net --mount --propagation private --pid --fork --kill-child \
	--mount-proc bash -c '
	mkdir -p /run/netns
	mount -t tmpfs tmpfs /run/netns
	ip link set lo up
	# Not exec: as process 1 this shell reaps orphans, for which Patroni waits.
	"$@"
	exit $?' bash tests/ha/test_ha.py "$build" "$folder" "$@"
