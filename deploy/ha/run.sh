#!/bin/bash
#
# run.sh [VARIABLE=VALUE...] - what "make run-ha" does: install what is missing,
# build, and serve from three hosts until Ctrl-C, each an address of the loopback
# network (cluster.py).  The variables are make's (BUILD, CC, SAN).
# GANGD_LISTEN is the address of the balancer.  The games go when it ends.
set -eu

cd "$(dirname "$0")/../.."
groups=run
. deploy/ha/prepare.sh
deploy/ha/serve.py "$build" "$folder" "${GANGD_LISTEN:-127.0.0.1:8080}"
