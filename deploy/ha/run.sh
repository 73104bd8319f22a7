#!/bin/bash
#
# run.sh [VARIABLE=VALUE...] - what "make run-ha" does: install what is missing,
# build, and serve from three hosts until Ctrl-C, each an address of the loopback
# network (cluster.py).  The variables are make's (BUILD, CC, SAN).
# GANGD_LISTEN is the address of the balancer.  The games go when it ends.
set -eu

cd "$(dirname "$0")/../.."
build=build
for variable; do
	case $variable in
	BUILD=*) build=${variable#BUILD=} ;;
	esac
done
# The make that calls this must not steer the make called here.
unset MAKEFLAGS MFLAGS MAKELEVEL

deploy/local/install.sh build run cluster ha
make -s -j"$(nproc)" "$@" all

folder=$(mktemp -d /tmp/gangd-ha.XXXXXX)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' HUP INT TERM
if [ "$(id -u)" -eq 0 ]; then
	chown "$(deploy/local/cluster.sh owner):" "$folder"
	chmod 0755 "$folder"
fi
deploy/ha/serve.py "$build" "$folder" "${GANGD_LISTEN:-127.0.0.1:8080}"
