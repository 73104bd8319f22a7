#!/bin/sh
#
# peer.sh BUILD [check] - compare gangd with frameworks that one could use
# instead; "make bench-peer" runs this.  peer/compare.py says which requests it
# compares, and has the variables that set how long it takes.  With "check" it
# only checks that the services do the same, as "make selftest" does.
#
# Installs the peers next to their sources when they are missing or out of date.
set -eu
cd "$(dirname "$0")/../.."

peers="fastify boardgame"
durable=--durable
if [ "${2-}" = check ]; then
	peers=fastify
	durable=
fi
for peer in $peers; do
	folder=tests/bench/peer/$peer
	lock=$folder/package-lock.json
	fetched=$folder/node_modules/.installed
	if ! cmp -s "$lock" "$fetched"; then
		(cd "$folder" && npm ci --no-audit --no-fund --silent)
		cp "$lock" "$fetched"
	fi
done
exec deploy/local/with-cluster.sh ${durable:+"$durable"} \
	tests/bench/peer/compare.py "$@"
