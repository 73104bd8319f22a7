#!/bin/bash
#
# test.sh [TEST...] - tests on Citus: those of this folder, and of other folders those
# that ask a daemon, or gangctl, and not the server itself.  "make test-citus" runs it.
#
# CITUS is the folder of the programs of a PostgreSQL that has Citus.  At the end no
# node's log may have an error that the tests do not make.
set -eu

cd "$(dirname "$0")/../.."
python3 -c 'import sys; sys.path.insert(0, "tests/citus"); import nodes; nodes.programs()'

# Errors that tests make: a row that is locked for too long, a server that stops, a node
# that dies, and what a role may not do.
EXPECTED='lock timeout|shutting down|administrator command|SSL SYSCALL|user request'
EXPECTED="$EXPECTED|permission denied|terminating connection|recovery mode"
EXPECTED="$EXPECTED|remote node|Connection refused|starting up|not yet accepting"
EXPECTED="$EXPECTED|closed the connection|connection pointer is NULL"
EXPECTED="$EXPECTED|could not establish|no server answers|issue cancel request|client lost"
EXPECTED="$EXPECTED|transaction recovery cannot connect"
# A trigger makes a code be in use, which Citus does not have; and gangd-push without
# GANGD_BATCH=0.
WITHOUT='not (code and use and another) and not (sending and 32)'

if [ $# -eq 0 ]; then
	set -- tests/citus tests/http tests/secrecy/test_authorization.py \
		tests/operations/test_{top,erase,prefix,webhooks,push_role}.py \
		tests/torture/test_{linearizability,handovers}.py \
		tests/torture/test_{recent_games,event_streams,long_poll,drain}.py \
		tests/torture/test_{lobby_pages,gone_while_busy,daemon_paused}.py
fi
GANGD_CITUS_ERRORS=$(mktemp)
export GANGD_CITUS_ERRORS GANGD_TEST_CITUS=1
# Three nodes for each test, on few processors: a creation may take too long.
export AGAIN=1
trap 'rm -f "$GANGD_CITUS_ERRORS"' EXIT
status=0
/usr/bin/python3 -m pytest -k "$WITHOUT" "$@" || status=$?
if grep -vE "$EXPECTED" "$GANGD_CITUS_ERRORS"; then
	echo "FAILED: the nodes' logs have the errors above"
	status=1
fi
exit "$status"
