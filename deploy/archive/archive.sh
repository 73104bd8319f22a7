#!/bin/bash
#
# gangd-archive COMMAND - the database in a repository of pgBackRest: base backups, and
# every change since, so that any moment of the last two weeks can be restored.  The
# settings are in /etc/gangd/archive.conf.
#
#   on [--same-disk] [--upgraded]  archive the database of this server from now on
#   off                            stop that; what is archived stays
#   info                           list the base backups and what is archived
#   backup                         make a base backup: a full one each week, else what
#                                  has changed since the full one
#   age                            print for how many seconds a complete segment of WAL waits
#                                  to be archived, and leave the metrics
#   recover --to MOMENT FOLDER     restore the database of a moment into a new folder
#   promote FOLDER                 make it a database that goes on from there
#   restore --to MOMENT            both, then put it into the place of the database of
#                                  this server (gangd-restore --to)
#   drill [--to MOMENT]            restore a moment for a test, replay games, play one
#
# MOMENT is a time with its zone, as '2026-11-28 10:00:00+00', or "latest", the end of
# the archive.  --timeline NUMBER follows another history than the latest one.  Root or
# the server's user runs it; on, off and restore take root.
#
# A restored server runs by itself until it has reached the moment: its only socket is in
# a folder that no other user may enter.  It pauses there as a standby, which neither
# writes to the archive nor needs a change after the moment to be sure that the moment is
# reached.  Only "promote" writes to the archive: the history of a new timeline, which
# later restores follow.
set -euo pipefail

: "${CONF:=/etc/gangd/archive.conf}"
: "${WEEK_DAYS:=6}"       # a full backup when the last one is older
: "${ARCHIVE_SECONDS:=90}" # for a segment to arrive
: "${GAMES:=200}"         # that a drill replays
DRILL_AGO=60              # seconds from a drill's moment to now
PATRONI=/etc/patroni/config.yml
PUSH_ROLE=/usr/lib/gangd/push-role.sql
SETTINGS=/usr/local/lib/gangd/archive-postgresql.conf

export LC_ALL=C # names of segments are compared
stopped=()      # units that must run again when this ends

die()
{
	echo "gangd-archive: $*" >&2
	exit 1
}

usage()
{
	sed -n '/^# *on /,/^# the server/s/^# \{0,1\}//p' "$0" >&2
	exit 2
}

# --- settings -------------------------------------------------------------------

setting()
{
	sed -n "s/^$1=//p" "$CONF" | head -n 1
}

read_settings()
{
	[ -r "$CONF" ] || die "$CONF is missing, or not readable for this user"
	data=$(setting pg1-path)
	[[ $data = /* ]] || die "$CONF: pg1-path is \"$data\"; expected: the data folder"
	socket=$(setting pg1-socket-path)
	port=$(setting pg1-port)
	database_host=$(setting pg1-host)    # this is the repository's host
	repository_host=$(setting repo1-host) # and this is not
	local theirs=${data%/*}
	[ -z "$database_host" ] || theirs=$(setting repo1-path)
	owner=postgres
	if [ -z "$database_host" ] || [ -e "$theirs" ]; then
		owner=$(stat -c %U "$theirs") || die "$theirs is missing"
	fi
}

as_owner()
{
	if [ "$(id -un)" = "$owner" ]; then
		"$@"
	else
		runuser -u "$owner" -- "$@"
	fi
}

repository()
{
	as_owner pgbackrest --config="$CONF" --stanza=gangd "$@"
}

# On the server that serves.
live()
{
	as_owner psql -XAtq -v ON_ERROR_STOP=1 -h "$socket" -p "$port" -U postgres \
		-d postgres -c "$1"
}

# find_archive - what the repository has, as pgBackRest lists it.
find_archive()
{
	local code
	archive=$(repository info --output=json) ||
		die "the repository cannot be read: see above"
	code=$(jq -r '.[0].status.code' <<<"$archive")
	[ "$code" = 0 ] || die "the repository has no backup:" \
		"$(jq -r '.[0].status.message' <<<"$archive")"
	# Of this version of PostgreSQL.
	archive=$(jq '.[0] | .db[-1].id as $id |
		.backup |= map(select(.database.id == $id))' <<<"$archive")
	[ "$(jq '.backup | length' <<<"$archive")" -gt 0 ] ||
		die "the repository has no backup of this version of PostgreSQL"
	oldest=$(jq '[.backup[].timestamp.stop] | min' <<<"$archive")
	newest=$(jq '[.backup[].timestamp.stop] | max' <<<"$archive")
	bytes=$(jq '.backup[-1].info.size' <<<"$archive")
	programs=/usr/lib/postgresql/$(jq -r '.db[-1].version' <<<"$archive")/bin
	[ -x "$programs/pg_ctl" ] || die "$programs is missing: install that PostgreSQL"
}

utc()
{
	date -u -d "@$1" '+%Y-%m-%d %H:%M:%S+00'
}

# --- a server by itself ---------------------------------------------------------

# The folder "work" has its socket, its settings and its log.
make_work()
{
	[ -z "${work-}" ] || return 0
	work=$(as_owner mktemp -d)
	trap clean EXIT
	# A file that is not in the archive ends recovery; a repository that does not
	# answer must not.
	as_owner tee "$work/get" >/dev/null <<-EOT
	pgbackrest --config="$CONF" --stanza=gangd --pg1-path="\$PWD" archive-get "\$1" "\$2"
	status=\$?
	[ \$status -le 1 ] || echo \$status >>"$work/unreadable"
	exit \$status
	EOT
}

clean()
{
	[ -z "${daemon-}" ] || kill "$daemon" 2>/dev/null || true
	[ -z "${alone-}" ] || stop_alone immediate || true
	[ ${#stopped[@]} -eq 0 ] || systemctl start "${stopped[@]}" || true
	[ -z "${temporary-}" ] || rm -rf --one-file-system "$temporary"
	[ -z "${work-}" ] || rm -rf "$work"
}

# A standby must not have lower limits than the server that it comes from.
limits()
{
	as_owner "$programs/pg_controldata" -D "$1" |
		sed -n 's/xact/transaction/; s/^\(max_[a-z_]*\) setting: */\1 = /p'
}

# start_alone FOLDER [SETTING...]
start_alone()
{
	local folder=$1
	shift
	make_work
	# Settings that were made by ALTER SYSTEM are for the server that serves.
	[ -e "$folder/auto.conf.kept" ] || {
		as_owner sed -i -e '/^# Recovery settings generated by/d' \
			-e '/^\(restore_command\|recovery_target.*\) *=/d' \
			"$folder/postgresql.auto.conf"
		as_owner mv "$folder/postgresql.auto.conf" "$folder/auto.conf.kept"
	}
	as_owner tee "$folder/postgresql.auto.conf" </dev/null >/dev/null
	echo 'local all all trust' | as_owner tee "$work/hba" >/dev/null
	{
		limits "$folder"
		printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$work'" \
			"port = 5432" "hba_file = '$work/hba'" "ident_file = ''" "jit = off" \
			"hot_standby = on" "restore_command = 'sh $work/get %f \"%p\"'" \
			"recovery_target_action = pause" "log_parameter_max_length = 0" \
			"log_parameter_max_length_on_error = 0" \
			"log_error_verbosity = terse" "$@"
	} | as_owner tee "$work/postgresql.conf" >/dev/null
	alone=$folder
	as_owner "$programs/pg_ctl" -s -w -t 86400 -D "$folder" -l "$work/log" \
		-o "-c config_file=$work/postgresql.conf" start >/dev/null || {
		as_owner tail -n 20 "$work/log" >&2
		alone=
		die "the restored server does not start: see above"
	}
}

stop_alone()
{
	local folder=$alone
	alone=
	as_owner "$programs/pg_ctl" -s -w -t 600 -D "$folder" -m "$1" stop
	as_owner mv "$folder/auto.conf.kept" "$folder/postgresql.auto.conf"
}

ask_alone()
{
	as_owner psql -XAtq -v ON_ERROR_STOP=1 -h "$work" -p 5432 -U postgres \
		-d "${2:-postgres}" -c "$1"
}

# await_moment - the server has replayed what it shall; "reached" says whether it is at
# the moment, or at the end of the archive.
await_moment()
{
	local state
	while :; do
		state=$(ask_alone "SELECT CASE
			WHEN pg_get_wal_replay_pause_state() = 'paused' THEN 'moment'
			WHEN EXISTS (SELECT FROM pg_stat_activity
				WHERE backend_type = 'startup'
				AND wait_event = 'RecoveryRetrieveRetryInterval')
			THEN 'end' ELSE '' END")
		[ ! -e "$work/unreadable" ] || {
			as_owner tail -n 20 "$work/log" >&2
			die "the repository did not give a file of the archive: see above"
		}
		[ -z "$state" ] || break
		sleep 0.1
	done
	reached=$state
	last=$(ask_alone "SET timezone = 'UTC';
		SELECT date_trunc('milliseconds', pg_last_xact_replay_timestamp())")
}

# --- restoring ------------------------------------------------------------------

# read_moment - sets "moment" to the time in the form of PostgreSQL, or to latest.
read_moment()
{
	local time seconds
	time='^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?'
	[ -n "$to" ] || die "no moment; expected: --to '2026-11-28 10:00:00+00', or latest"
	moment=latest
	[ "$to" != latest ] || return 0
	if ! [[ $to =~ $time\ ?(Z|UTC|[+-][0-9]{2}(:?[0-9]{2})?)$ ]] ||
		! seconds=$(date -u -d "$to" +%s 2>/dev/null); then
		die "\"$to\" is no time with its zone; expected a time as" \
			"'2026-11-28 10:00:00+00', or latest"
	fi
	[ "$seconds" -le "$(date +%s)" ] || die "$to is in the future"
	[ "$seconds" -gt "$oldest" ] || die "$to is before the end of the oldest" \
		"backup, $(utc "$oldest")"
	moment=$(date -u -d "$to" '+%Y-%m-%d %H:%M:%S.%6N+00')
}

check_room()
{
	local free
	free=$(df --output=avail -B1 "$1" | tail -n 1)
	[ "$free" -gt $((bytes + bytes / 8 + 268435456)) ] || die "$1 has" \
		"$((free / 1048576)) MB of room; the database is" \
		"$((bytes / 1048576)) MB, and its changes come on top"
}

# flush_live - if the server runs and archives, archive all that is committed by now.
# "is_flushed" is empty if that was not possible.
flush_live()
{
	local segment tries=$((ARCHIVE_SECONDS * 5))
	is_flushed=
	[ "$(live "SELECT current_setting('archive_mode') = 'on'
		AND NOT pg_is_in_recovery()" 2>/dev/null)" = t ] || return 0
	# A commit, so that there is one after the moment, and the end of its segment.
	live 'SELECT pg_current_xact_id()' >/dev/null
	segment=$(live 'SELECT pg_walfile_name(pg_switch_wal())')
	until [[ ! $(live 'SELECT last_archived_wal FROM pg_stat_archiver') < $segment ]]; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 0
		sleep 0.2
	done
	is_flushed=yes
}

# recover FOLDER - the database of "moment", of which nothing runs.
recover()
{
	local target=(--type=default) settings=()
	[ ! -e "$1" ] || die "$1 is there already"
	check_room "${1%/*}"
	flush_live
	[ "$moment" = latest ] || {
		target=(--type=time --target="$moment")
		settings=("recovery_target_time = '$moment'")
	}
	[ -z "$timeline" ] || settings+=("recovery_target_timeline = '$timeline'")
	as_owner mkdir -m 0700 "$1"
	repository --pg1-path="$1" "${target[@]}" restore ||
		die "the restore failed: see above.  Delete $1"
	as_owner mv "$1/recovery.signal" "$1/standby.signal"
	printf '%s\n' "${settings[@]}" | as_owner tee "$1/gangd-recovery.conf" >/dev/null
	start_alone "$1" "archive_mode = off" "${settings[@]}"
	await_moment
	case $moment,$reached in
	latest,*) echo "$1: the end of the archive" ;;
	*,moment) echo "$1: the moment $moment" ;;
	*) [ -z "$is_flushed" ] || die "the archive ends before $moment, although the" \
		"server has archived later changes: the last one is of ${last:-the backup}"
		echo "$1: the end of the archive, which has no commit after $moment" ;;
	esac
	echo "the last commit: ${last:-none since the backup}"
	stop_alone fast
}

# promote FOLDER on|off - end recovery there; "on" archives the history of the new
# timeline.
promote()
{
	local settings tries=$((ARCHIVE_SECONDS * 5))
	[ "$2" = off ] || ! live 'SELECT 1' >/dev/null 2>&1 ||
		die "the server in $data runs: stop it first.  Later restores would follow" \
			"$1, and not it"
	mapfile -t settings <"$1/gangd-recovery.conf"
	start_alone "$1" "${settings[@]}" "archive_mode = $2" \
		"archive_command = 'pgbackrest --config=$CONF --stanza=gangd --pg1-path=$1 archive-push %p'"
	await_moment
	as_owner "$programs/pg_ctl" -s -w -t 600 -D "$1" promote
	while [ "$2" = on ] && [ "$(ask_alone "SELECT count(*)
		FROM pg_ls_archive_statusdir() WHERE name LIKE '%.ready'")" != 0 ]; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || die "the new timeline was not archived"
		sleep 0.2
	done
	as_owner rm -f "$1/gangd-recovery.conf"
}

# The unit of the server, as Debian's package has it.
find_unit()
{
	local version=${data%/*}
	unit=postgresql@${version##*/}-${data##*/}
}

restore()
{
	local kept new units=(gangd)
	[ "$(id -u)" -eq 0 ] || die "root must run this"
	! is_patroni || die "Patroni runs this server: see \"Restore a moment\" of three hosts"
	find_unit
	new=$data.restored
	kept=$data.before-$(date -u +%Y%m%d%H%M%S)
	rm -rf --one-file-system "$new"
	recover "$new"
	# Until here the daemon has served the present database.
	! systemctl -q is-active gangd-push || units+=(gangd-push)
	stopped=("$unit" "${units[@]}") # all of it starts again, whatever fails
	systemctl stop "${units[@]}" "$unit"
	promote "$new" on
	stop_alone fast
	mv "$data" "$kept"
	mv "$new" "$data"
	systemctl start "$unit"
	(
		set -a
		# shellcheck source=/dev/null
		. /etc/gangd/gangctl.env
		gangctl migrate
	)
	runuser -u postgres -- psql -X -q -v ON_ERROR_STOP=1 -d gangd \
		<$PUSH_ROLE
	systemctl start "${units[@]}"
	stopped=()
	echo "The database of $to serves.  What was there before is in $kept:"
	echo "delete it when all is well.  Make a new base backup now:"
	echo "  systemctl start gangd-basebackup"
}

# --- the drill ------------------------------------------------------------------

# request PLAYER METHOD PATH [BODY] - "reply" has the answer; any refusal ends the drill.
request()
{
	local words=(-sS -f -m 30 -X "$2")
	[ -z "$1" ] || words+=(-H "Authorization: Bearer ${tokens[$1]}")
	[ -z "${4-}" ] || words+=(--json "$4")
	reply=$(curl "${words[@]}" "http://$address$3") || die "$2 $3 was refused"
}

value()
{
	jq -r "$1" <<<"$reply"
}

start_daemon()
{
	local log=$work/gangd.log tries=300
	GANGD_DATABASE_URL="host=$work port=5432 dbname=gangd user=gangd_app" \
		GANGD_LISTEN=127.0.0.1:0 GANGD_QUOTAS=off GANGD_METRICS_LISTEN='' \
		GANGD_WEBHOOK_URL='' gangd 2>"$log" &
	daemon=$!
	until address=$(jq -r 'select(.event == "listening") | .address' "$log" 2>/dev/null) &&
		[ -n "$address" ] && curl -fso /dev/null -m 2 "http://$address/readyz"; do
		tries=$((tries - 1))
		if [ $tries -eq 0 ] || ! kill -0 $daemon 2>/dev/null; then
			cat "$log" >&2
			die "the daemon does not get ready on the restored database"
		fi
		sleep 0.1
	done
}

# Three players take one chip each in every round, until the game is over.
play()
{
	local name code player color moves=0
	tokens=()
	request '' POST /v1/games '{"name":"Drill 1","seats":3}'
	game=$(value .game.id)
	code=$(value .invite_code)
	tokens+=("$(value .token)")
	for name in "Drill 2" "Drill 3"; do
		request '' POST "/v1/invitations/$code/players" "{\"name\":\"$name\"}"
		tokens+=("$(value .token)")
	done
	while request 0 GET "/v1/games/$game" && [ "$(value .status)" = playing ]; do
		[ $moves -lt 100 ] || die "the game does not end"
		if [ "$(value .heist.phase)" = over ]; then
			request 0 POST "/v1/games/$game/heists"
			continue
		fi
		color=$(value .heist.color)
		for player in 0 1 2; do
			request $player POST \
				"/v1/games/$game/chips/$color/$((player + 1))/take"
			moves=$((moves + 1))
		done
	done
	status=$(value .status)
	[ "$status" = won ] || [ "$status" = lost ] || die "the game is \"$status\""
	echo "a game was played: $moves chips, and it is $status"
}

drill()
{
	local list games folder
	temporary=$(as_owner mktemp -d -p "${TMPDIR:-/var/tmp}")
	folder=$temporary/data
	recover "$folder"
	promote "$folder" off
	list=$(ask_alone "SELECT game_id FROM gangd.game
		ORDER BY game_id DESC LIMIT $GAMES" gangd)
	mapfile -t games < <(printf '%s' "${list:+$list
}")
	export GANGD_MIGRATE_URL="host=$work port=5432 dbname=gangd user=gangd_migrate"
	export GANGD_DATABASE_URL="host=$work port=5432 dbname=gangd user=gangd_app"
	# A backup of before the first gangctl rekey has values in the clear.
	export GANGD_ACCEPT_PLAIN=on
	gangctl migrate
	[ ${#games[@]} -eq 0 ] || gangctl replay "${games[@]}" >"$work/replayed" ||
		die "a game's log does not lead to its stored state: see above"
	start_daemon
	play
	gangctl replay "$game" >/dev/null
	kill "$daemon"
	wait "$daemon" || die "the daemon failed"
	daemon=
	stop_alone fast
	echo "$to is restored, ${#games[@]} games are replayed"
}

# --- archiving ------------------------------------------------------------------

# A repository on the disk of the data is lost with it.
check_disk()
{
	local path
	[ -z "$repository_host$database_host" ] && [ "$(setting repo1-type)" != s3 ] ||
		return 0
	path=$(setting repo1-path)
	[[ $path = /* ]] || die "$CONF: repo1-path is \"$path\"; expected: a path"
	[ -e "$path" ] || install -d -m 0700 -o "$owner" "$path"
	[ -n "$same_disk" ] || [ "$(stat -c %d "$path")" != "$(stat -c %d "$data")" ] ||
		die "$path is on the disk of the database, which it would not outlive:" \
			"mount another disk there, or name another host or S3 in $CONF." \
			"--same-disk archives there nevertheless"
}

# Of Debian's cluster.
settings_file()
{
	echo "/etc/postgresql/${data#/var/lib/postgresql/}/conf.d/gangd-archive.conf"
}

is_patroni()
{
	grep -qs "^  data_dir: $data\$" $PATRONI
}

patroni()
{
	(
		set -a
		# shellcheck source=/dev/null
		. /etc/patroni_env.conf
		patronictl -c $PATRONI "$@"
	)
}

# set_patroni - the settings of all hosts; the standbys restart first, for archive_mode.
set_patroni()
{
	local settings=() name value tries=$((ARCHIVE_SECONDS * 5))
	while IFS='=' read -r name value; do
		value=${value# }
		value=${value#\'}
		settings+=(-p "${name% }=${value%\'}")
	done < <(grep '^[a-z]' $SETTINGS)
	patroni edit-config --force --quiet "${settings[@]}"
	[ "$(live 'SHOW archive_mode')" != on ] || return 0
	until [ "$(patroni list -f json | jq 'all(.[]; ."Pending restart")')" = true ]; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || die "not all hosts have the new settings: patronictl list"
		sleep 0.2
	done
	patroni restart --force --pending --role replica gangd
	patroni restart --force --pending --role leader gangd
	until [ "$(live 'SHOW archive_mode' 2>/dev/null)" = on ]; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || die "archive_mode does not get on"
		sleep 0.2
	done
}

set_debian()
{
	install -m 0644 $SETTINGS "$(settings_file)"
	if [ "$(live 'SHOW archive_mode')" = on ]; then
		live 'SELECT pg_reload_conf()' >/dev/null
	else
		# Players wait for some seconds.
		systemctl restart "$unit"
	fi
}

# The base backups are made where the repository is.
start_timers()
{
	[ -n "$repository_host" ] || systemctl -q enable --now gangd-basebackup.timer
	[ -n "$database_host" ] ||
		systemctl -q enable --now gangd-archive.timer gangd-archive-drill.timer
}

create_stanza()
{
	if [ -n "$upgraded" ]; then
		repository stanza-upgrade
	else
		repository stanza-create || die "the repository is of another database, or" \
			"cannot be written.  On a new machine, restore it first (gangd-restore" \
			"--to latest).  After an upgrade of PostgreSQL, add --upgraded"
	fi
}

turn_on()
{
	[ "$(id -u)" -eq 0 ] || die "root must run this"
	check_disk
	if [ -n "$database_host" ]; then
		create_stanza
		start_timers
		echo "This is the repository's host.  Turn the archive on at the database's," \
			"then start gangd-basebackup here."
		return
	fi
	if [ "$(live 'SELECT pg_is_in_recovery()')" = t ]; then
		start_timers
		echo "This server is a standby, and archives when it becomes the primary."
		return
	fi
	[ -n "$repository_host" ] || create_stanza
	if is_patroni; then
		set_patroni
	else
		find_unit
		set_debian
	fi
	repository check
	[ -n "$repository_host" ] || systemctl start gangd-basebackup
	start_timers
	echo "The database is archived.  Keep a copy of $CONF elsewhere."
}

turn_off()
{
	[ "$(id -u)" -eq 0 ] || die "root must run this"
	! is_patroni || die "Patroni has the settings: patronictl edit-config -p archive_mode=off"
	find_unit
	systemctl -q disable --now gangd-basebackup.timer gangd-archive.timer \
		gangd-archive-drill.timer
	rm -f "$(settings_file)"
	systemctl restart "$unit"
}

# With several hosts, the primary makes it.
backup()
{
	local full type='full'
	[ -z "$repository_host" ] || die "$repository_host, which has the repository," \
		"makes the base backups"
	[ -n "$database_host" ] || [ "$(live 'SELECT pg_is_in_recovery()')" = f ] || {
		echo "this server is a standby: the primary makes the backup"
		exit 0
	}
	full=$(repository info --output=json | jq '[.[0].backup[]? |
		select(.type == "full") | .timestamp.stop] | max // 0')
	[ $(($(date +%s) - full)) -gt $((WEEK_DAYS * 86400 + 43200)) ] || type='diff'
	repository --type=$type backup
	find_archive
	[ -z "${RUNTIME_DIRECTORY-}" ] || cat >"$RUNTIME_DIRECTORY/metrics" <<-EOT
	# TYPE gangd_basebackup_timestamp_seconds gauge
	gangd_basebackup_timestamp_seconds $newest
	# TYPE gangd_basebackup_bytes gauge
	gangd_basebackup_bytes $(jq '.backup[-1].info.repository.delta' <<<"$archive")
	EOT
	echo "$type: $(jq -r '.backup[-1] | "\(.label): \(.info.repository.delta) bytes"' \
		<<<"$archive")"
}

# A segment that is complete waits as a file .ready until it is archived.  None waits:
# all is archived but what is younger than archive_timeout.
age()
{
	local mode seconds
	mode=$(live "SELECT CASE WHEN pg_is_in_recovery() THEN 'standby'
		ELSE current_setting('archive_mode') END")
	[ "$mode" != standby ] || exit 0
	[ "$mode" != off ] || die "archive_mode is off"
	# From its start to its first checkpoint, after five minutes, PostgreSQL 15 does not
	# look at archive_timeout.
	[ "$(live "SELECT checkpoint_time <= pg_postmaster_start_time()
		FROM pg_control_checkpoint()")" = f ] || live CHECKPOINT
	seconds=$(live "SELECT coalesce(ceil(extract(epoch FROM
		clock_timestamp() - min(modification)))::bigint, 0)
		FROM pg_ls_archive_statusdir() WHERE name LIKE '%.ready'")
	[ -z "${RUNTIME_DIRECTORY-}" ] || cat >"$RUNTIME_DIRECTORY/metrics" <<-EOT
	# TYPE gangd_archive_timestamp_seconds gauge
	gangd_archive_timestamp_seconds $(($(date +%s) - seconds))
	EOT
	echo "$seconds"
}

command=${1-} to='' timeline='' same_disk='' upgraded='' folder=''
[ $# -eq 0 ] || shift
while [ $# -gt 0 ]; do
	case $1 in
	--to) [ $# -ge 2 ] || usage; to=$2; shift ;;
	--timeline) [ $# -ge 2 ] || usage; timeline=$2; shift ;;
	--same-disk) same_disk=yes ;;
	--upgraded) upgraded=yes ;;
	-*) usage ;;
	*) [ -z "$folder" ] || usage; folder=$1 ;;
	esac
	shift
done
[[ -z $timeline || $timeline =~ ^[0-9]+$ ]] ||
	die "--timeline is \"$timeline\"; expected: a number"
case $command in
on | off | info | backup | age | recover | promote | restore | drill) read_settings ;;
*) usage ;;
esac
cd / # where the server's user may be, too
case $command in
on) turn_on ;;
off) turn_off ;;
info) repository info ;;
backup) backup ;;
age) age ;;
recover)
	[[ $folder = /* ]] || die "recover lacks its folder, an absolute path"
	find_archive
	read_moment
	recover "$folder"
	;;
promote)
	[[ $folder = /* ]] || die "promote lacks its folder, an absolute path"
	find_archive
	promote "$folder" on
	stop_alone fast
	;;
restore)
	find_archive
	read_moment
	restore
	;;
drill)
	find_archive
	# As an operator would: shortly before something went wrong.
	[ -n "$to" ] || to=$(utc $(($(date +%s) - DRILL_AGO > oldest ?
		$(date +%s) - DRILL_AGO : oldest + 1)))
	read_moment
	drill
	;;
esac
