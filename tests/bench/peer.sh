#!/bin/sh
#
# peer.sh BUILD - compare gangd with frameworks that one could use instead;
# "make bench-peer" runs this.  peer/compare.py says which requests it compares,
# and has the variables that set how long it takes.
#
# Installs the peers beside their sources when they are missing or out of date.
set -eu
cd "$(dirname "$0")/../.."

for folder in tests/bench/peer/fastify tests/bench/peer/boardgame; do
	lock=$folder/package-lock.json
	fetched=$folder/node_modules/.installed
	if ! cmp -s $lock $fetched; then
		(cd $folder && npm ci --no-audit --no-fund --silent)
		cp $lock $fetched
	fi
done
exec deploy/local/with-cluster.sh --durable tests/bench/peer/compare.py "$1"
