#!/bin/sh
#
# run.sh [VARIABLE=VALUE...] - install what is missing, build, and serve until
# Ctrl-C: what "make run" does.  The variables are make's (BUILD, CC, SAN).
#
# The games are stored by a private PostgreSQL cluster in var/cluster, or, where
# root works in a clone that no other user may enter, in /var/lib/gangd with
# var/cluster pointing there.  GANGD_DATABASE_URL names a server to use
# instead; GANGD_MIGRATE_URL, if set, connects as its schema's owner.
# GANGD_VAR is another folder than var, for tests.  With GANGD_VAPID_FILE or
# GANGD_WEBHOOK_URL gangd-push runs too.
set -eu

READY_SECONDS=30
WAIT_SECONDS=5

listen=${GANGD_LISTEN:-127.0.0.1:8080}
var=${GANGD_VAR:-var}
build=build
folder=
daemon=
push=

say()
{
	echo "gangd: $*"
}

die()
{
	echo "gangd: $*" >&2
	exit 1
}

# Where a client on this machine finds the service.
service_url()
{
	host=${listen%:*}
	case $host in
	'' | '*' | 0.0.0.0) host=127.0.0.1 ;;
	'[::]') host='[::1]' ;;
	esac
	echo "http://$host:${listen##*:}"
}

finish()
{
	status=$?
	trap '' HUP INT TERM
	for process in $push $daemon; do
		kill -TERM "$process" 2>/dev/null || true
		wait "$process" || true
	done
	if [ -n "$folder" ]; then
		rm -f "$var/env"
		deploy/local/cluster.sh stop "$folder" 9<&- || true
		say "stopped; the games are kept in $folder"
	fi
	exit "$status"
}

# Make sure that var/cluster exists, owned by the user who will run the server.
place_cluster()
{
	mkdir -p "$var"
	here=$(readlink -e "$var")/cluster
	if [ ! -e "$here" ]; then
		rm -f "$here"
		mkdir "$here"
	fi
	[ "$(stat -L -c %u "$here")" -eq 0 ] || return 0

	owner=$(deploy/local/cluster.sh owner)
	if chown "$owner" "$here" 2>/dev/null &&
		runuser -u "$owner" -- test -w "$here" 2>/dev/null
	then
		return 0
	fi
	far=$(printf %s "$here" | cksum | cut -d ' ' -f 1)
	far=/var/lib/gangd/$(basename "$PWD")-$far
	mkdir -p "$far"
	chown "$owner" "$far"
	rmdir "$here"
	ln -s "$far" "$here"
}

# One run at a time for a cluster.  The lock is on its folder, and ends with
# this shell and the daemon, however they end.
start_cluster()
{
	place_cluster
	exec 9<"$var/cluster"
	flock -w $WAIT_SECONDS 9 ||
		die "another \"make run\" of this clone is at work"
	folder=$(readlink -e "$var/cluster")
	urls=$(deploy/local/cluster.sh start "$folder" 9<&-)
	eval "$urls"
	export GANGD_DATABASE_URL GANGD_MIGRATE_URL
	(
		umask 077
		echo "$urls" | sed 's/^/export /' >"$var/env"
	)
}

# The daemon shares its port (SO_REUSEPORT), so clients of two runs would get
# answers from both alternately.  A daemon killed just now may still be ending.
check_port()
{
	tries=$((WAIT_SECONDS * 5))
	while curl -s -o /dev/null --max-time 2 "$url/livez"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || die "something serves on $listen already;" \
			"GANGD_LISTEN=127.0.0.1:8081 make run takes another port"
		sleep 0.2
	done
}

await_daemon()
{
	tries=$((READY_SECONDS * 20))
	while ! curl -fs -o /dev/null --max-time 2 "$url/readyz"; do
		tries=$((tries - 1))
		if ! kill -0 "$daemon" 2>/dev/null; then
			wait "$daemon" || true
			daemon=
			die "the daemon ended; the reason is printed above"
		fi
		[ $tries -gt 0 ] || die "not ready within $READY_SECONDS s"
		sleep 0.05
	done
}

# gangd serves without gangd-push too, so report its failure last, where it is read.
run_push()
{
	env -u GANGD_MIGRATE_URL setpriv --pdeathsig TERM -- \
		"$build/bin/gangd-push" ||
		say "gangd-push ended with status $?, for the reason above:" \
			"players get no notifications; all else works"
}

tell_what_next()
{
	cat <<-EOT

	gangd serves on $url until Ctrl-C.  What to do next, in another terminal:

	  play in a browser     $url/
	  open a game           curl -s $url/v1/games --json '{"name":"Ada"}' | jq
	  watch one played      make demo$demo_hint
	  read, try the API     $url/docs
	EOT
	[ -z "$folder" ] || cat <<-EOT
	  look into a game      . $var/env; $build/bin/gangctl show GAME

	The games are kept in $folder
	EOT
	echo
}

cd "$(dirname "$0")/../.."
# The make that calls this must not steer the make called here.
unset MAKEFLAGS MFLAGS MAKELEVEL
for variable; do
	case $variable in
	BUILD=*) build=${variable#BUILD=} ;;
	esac
done
url=$(service_url)
demo_hint=
[ "$url" = http://127.0.0.1:8080 ] || demo_hint=" GANGD_URL=$url"

if [ -n "${GANGD_DATABASE_URL-}" ]; then
	deploy/local/install.sh build run
else
	deploy/local/install.sh build run cluster
fi
deploy/local/viewer.sh --install
make -s -j"$(nproc)" "$@" all

check_port
trap finish EXIT
trap 'exit 0' HUP
trap 'exit 0' INT
trap 'exit 0' TERM
[ -n "${GANGD_DATABASE_URL-}" ] || start_cluster
"$build/bin/gangctl" migrate
env -u GANGD_MIGRATE_URL GANGD_LISTEN="$listen" \
	setpriv --pdeathsig TERM -- "$build/bin/gangd" &
daemon=$!
await_daemon
tell_what_next
if [ -n "${GANGD_VAPID_FILE-}${GANGD_WEBHOOK_URL-}" ]; then
	run_push &
	push=$!
fi

wait "$daemon" || die "the daemon ended by itself, with status $?"
