#!/bin/bash
#
# gangd-drill - restore the newest backup into a temporary cluster, and let gangctl
# replay its newest games: gangd-drill.timer runs it each week, as gangd-backup.
# It fails if the last day has no backup, if a statement of the restore fails, or if
# a game's log does not lead to its stored state.
set -eu

# The newest version restores dumps of all earlier ones.
BIN=$(dirname "$(find /usr/lib/postgresql -path '*/bin/initdb' | sort -V | tail -n 1)")
FOLDER=/var/lib/gangd-backup
MOST_HOURS=26
GAMES=200

newest=$(find $FOLDER -name 'gangd-*.dump' -mmin -$((MOST_HOURS * 60)) | sort |
	tail -n 1)
[ -n "$newest" ] || {
	echo "gangd-drill: $FOLDER has no backup of the last $MOST_HOURS hours" >&2
	exit 1
}
work=$(mktemp -d)
trap '"$BIN/pg_ctl" -s -D "$work/data" -m immediate stop || true
	rm -rf "$work"' EXIT
"$BIN/initdb" -D "$work/data" --no-sync --encoding=UTF8 --locale=C \
	--username=postgres --auth=trust >/dev/null
"$BIN/pg_ctl" -s -w -D "$work/data" -l "$work/log" -o "-c listen_addresses='' \
	-c unix_socket_directories=$work -c fsync=off -c jit=off" start || {
	cat "$work/log" >&2
	exit 1
}

to="host=$work dbname=gangd"
psql -X -q -v ON_ERROR_STOP=1 "host=$work dbname=postgres user=postgres" \
	-c 'CREATE ROLE gangd_owner' -c 'CREATE ROLE gangd_app LOGIN' \
	-c 'CREATE ROLE gangd_migrate LOGIN IN ROLE gangd_owner' \
	-c 'CREATE ROLE gangd_push' -c 'CREATE ROLE gangd_backup' \
	-c 'CREATE DATABASE gangd OWNER gangd_owner'
pg_restore --exit-on-error --dbname="$to user=postgres" "$newest"
# A variable of its own, so that a query that fails ends the script.
list=$(psql -X -At -v ON_ERROR_STOP=1 "$to user=postgres" -c \
	"SELECT game_id FROM gangd.game ORDER BY game_id DESC LIMIT $GAMES")
mapfile -t games < <(printf '%s' "${list:+$list
}")
export GANGD_DATABASE_URL="$to user=gangd_app"
export GANGD_MIGRATE_URL="$to user=gangd_migrate"
# A backup of before the first gangctl rekey has values in the clear.
export GANGD_ACCEPT_PLAIN=on
gangctl migrate
[ ${#games[@]} -eq 0 ] || gangctl replay "${games[@]}" >"$work/replayed"
echo "$newest is restored, ${#games[@]} games are replayed"
