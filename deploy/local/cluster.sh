#!/bin/sh
#
# cluster.sh start FOLDER     make the cluster unless it exists, start it, and
#                             print its connection strings, for eval
# cluster.sh start FOLDER -F  the same for a cluster to be thrown away: fast,
#                             and not safe when the machine stops
# cluster.sh stop FOLDER      stop it; its data stay
# cluster.sh stop FOLDER -F   stop it without a last checkpoint
# cluster.sh move FOLDER      bring its data, of a stopped cluster, to the newest
#                             PostgreSQL that is installed
# cluster.sh owner            print the user that a new cluster would run as
# cluster.sh programs         print the folder of the newest PostgreSQL's programs
#
# A private PostgreSQL cluster: FOLDER/data, FOLDER/log and a socket, no port.  It is
# served by the PostgreSQL that made it; a new one is made by the newest installed.
# PostgreSQL refuses to run as root; if root starts the script, the owner of
# FOLDER runs the server, and must be an unprivileged user.
#
# Only that user (and root) may enter the folder of the socket, and this is
# the only access control.  Inside, the daemon is gangd_app, which owns
# nothing; gangd_migrate may act for gangd_owner, who owns the schema, and see
# what "gangctl check" looks at.
#
# The caller runs one cluster.sh at a time for a FOLDER.
set -eu

VERSIONS=/usr/lib/postgresql
PORT=5432 # of the socket's name only
START_SECONDS=60

here=$(cd "$(dirname "$0")" && pwd)

die()
{
	echo "gangd: $*" >&2
	exit 1
}

# The user that runs the cluster if root makes it.
unprivileged()
{
	if [ "$(id -u)" -ne 0 ]; then
		id -un
	elif id postgres >/dev/null 2>&1; then
		echo postgres
	else
		echo nobody
	fi
}

newest_version()
{
	find $VERSIONS -mindepth 3 -maxdepth 3 -path '*/bin/initdb' \
		-printf '%P\n' 2>/dev/null | cut -d / -f 1 | sort -n | tail -n 1
}

# find_programs [DATA] - of the version that has made the data, or else the newest.
find_programs()
{
	newest=$(newest_version)
	[ -n "$newest" ] || die "no PostgreSQL in $VERSIONS"
	version=$newest
	[ ! -s "${1-}/PG_VERSION" ] || version=$(cat "$1/PG_VERSION")
	BIN=$VERSIONS/$version/bin
	[ -x "$BIN/initdb" ] || die "$folder/$1 was made by PostgreSQL $version, and" \
		"only $newest is installed here: install postgresql-$version too," \
		"then run \"deploy/local/cluster.sh move $folder\", which dumps the" \
		"games and restores them in $newest"
}

# Run a command as the cluster's owner.
as_owner()
{
	if [ "$owner" = "$me" ]; then
		"$@"
	else
		runuser -u "$owner" -- "$@"
	fi
}

find_owner()
{
	owner=$(stat -c %U .)
	[ "$owner" != root ] || die "$folder belongs to root," \
		"and PostgreSQL does not run as root"
	[ "$owner" = "$me" ] || [ "$(id -u)" -eq 0 ] ||
		die "$folder belongs to $owner: be that user, or root"
}

# The kernel takes a socket's path of at most 107 bytes, and libpq takes a
# comma for the end of a path; a folder that does not fit has its socket
# under /tmp.
find_socket()
{
	socket=$folder/socket
	case $socket in
	*[!A-Za-z0-9/._-]*) ;;
	*) [ ${#socket} -gt 85 ] || return 0 ;;
	esac
	socket=/tmp/gangd-$(printf %s "$folder" | cksum | cut -d ' ' -f 1)
}

make_socket_folder()
{
	# shellcheck disable=SC2016 # for the other shell to expand
	as_owner sh -c 'mkdir -p -m 0700 "$1" && [ -O "$1" ] &&
		[ ! -L "$1" ] && chmod 0700 "$1"' sh "$socket" ||
		die "$socket belongs to another user"
}

# True while a process works in the data folder, as all of a server do; with
# a number, whether that process does.
at_work()
{
	# shellcheck disable=SC2086 # the pattern is to be expanded
	readlink /proc/${1:-[0-9]*}/cwd 2>/dev/null |
		grep -Fqx -- "$folder/data"
}

# End the server, also one that a killed run has left.  A server that has
# stopped well has removed postmaster.pid.  The number in it may be some other
# program's by now, and a server that lost its first process needs a moment until
# the others notice.
end_server()
{
	[ -e data/postmaster.pid ] || return 0
	pid=$(head -n 1 data/postmaster.pid 2>/dev/null || true)
	if [ -n "$pid" ] && at_work "$pid"; then
		as_owner "$BIN/pg_ctl" stop -s -D data -m $stop_mode >/dev/null
	fi
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		at_work || break
		sleep 0.5
	done
	! at_work || die "a server is at work in $folder and does not stop"
	rm -f data/postmaster.pid "$socket"/.s.PGSQL.*
}

# The data appear under their name when they are whole.
make_data()
{
	echo "gangd: making a private PostgreSQL cluster in $folder" >&2
	rm -rf data.new
	as_owner "$BIN/initdb" -D data.new $fast_initdb --data-checksums \
		--encoding=UTF8 --locale=C --username=postgres --auth=trust \
		>/dev/null
	echo "include 'gangd.conf'" |
		as_owner tee -a data.new/postgresql.conf >/dev/null
	as_owner mv data.new data
}

# Can be repeated, and so completes roles of which a part was made.  A file marks that
# it was done: a copy of a cluster has its roles.
make_roles()
{
	! [ -e data/gangd.roles ] || return 0
	as_owner psql -X -q -h "$socket" -p $PORT -U postgres -d postgres \
		-v ON_ERROR_STOP=1 -f - <<-'SQL'
	SELECT 'CREATE ROLE ' || role
	  FROM (VALUES ('gangd_owner', 'gangd_owner NOLOGIN'),
	               ('gangd_app', 'gangd_app LOGIN'),
	               ('gangd_migrate', 'gangd_migrate LOGIN IN ROLE gangd_owner'))
	       AS wanted (name, role)
	 WHERE name NOT IN (SELECT rolname FROM pg_roles)
	\gexec
	GRANT pg_monitor TO gangd_migrate;
	SELECT 'CREATE DATABASE gangd OWNER gangd_owner'
	 WHERE 'gangd' NOT IN (SELECT datname FROM pg_database)
	\gexec
	SQL
	as_owner touch data/gangd.roles
}

start_server()
{
	cmp -s data/gangd.conf "$here/postgresql.conf" ||
		as_owner tee data/gangd.conf <"$here/postgresql.conf" >/dev/null
	[ ! -s log ] || as_owner mv log log.old
	as_owner "$BIN/pg_ctl" start -s -w -t $START_SECONDS -D data \
		-l log -o "-p $PORT -c unix_socket_directories=$socket $fast_server" \
		</dev/null >/dev/null || {
		as_owner tail -n 20 log >&2 || true
		die "PostgreSQL does not start; its log is $folder/log"
	}
}

start()
{
	make_socket_folder
	if [ -d data ]; then
		end_server
	else
		make_data
	fi
	start_server
	make_roles
	cat <<-EOT
	GANGD_DATABASE_URL="host=$socket port=$PORT user=gangd_app dbname=gangd"
	GANGD_MIGRATE_URL="host=$socket port=$PORT user=gangd_migrate dbname=gangd"
	EOT
}

stop()
{
	if [ -d data ]; then
		end_server
		rm -rf "$socket"
	fi
}

# The newer programs make the dump, as PostgreSQL requires.  The old data stay
# until all is restored, and then under another name.
move()
{
	[ -d data ] || die "no data in $folder"
	[ "$version" != "$newest" ] ||
		die "the data in $folder are of PostgreSQL $version already"
	! at_work || die "a server is at work in $folder: stop it first"
	kept=data.$version
	[ ! -e "$kept" ] || die "$folder/$kept is in the way"
	rm -rf moved
	as_owner mkdir -m 0700 moved
	start >/dev/null
	as_owner "$VERSIONS/$newest/bin/pg_dump" -h "$socket" -p $PORT -U postgres \
		--format=custom --file=moved/gangd.dump gangd
	end_server
	as_owner mv data "$kept"
	restore_moved || {
		stop_mode=immediate
		end_server || true
		rm -rf data
		as_owner mv "$kept" data
		die "the games could not be restored; the data are as they were"
	}
	rm -rf moved
	echo "gangd: the games are in PostgreSQL $newest now; when all is well, delete" \
		"$folder/$kept" >&2
}

restore_moved()
{
	BIN=$VERSIONS/$newest/bin
	start >/dev/null &&
		as_owner "$BIN/pg_restore" --exit-on-error -h "$socket" -p $PORT \
			-U postgres --dbname=gangd moved/gangd.dump &&
		end_server
}

[ "$*" != owner ] || { unprivileged; exit 0; }
[ "$*" != programs ] || { find_programs; echo "$BIN"; exit 0; }
[ $# -ge 2 ] || die "usage: cluster.sh start|stop|move FOLDER"
folder=$(readlink -e "$2") || die "no such folder: $2"
me=$(id -un) fast_initdb='' fast_server='' stop_mode=fast
if [ "${3-}" = -F ]; then
	stop_mode=immediate
	fast_initdb=--no-sync
	fast_server='-c fsync=off -c synchronous_commit=off'
	fast_server="$fast_server -c full_page_writes=off"
	fast_server="$fast_server -c wal_init_zero=off"
	fast_server="$fast_server -c min_wal_size=80MB -c max_wal_size=400MB"
fi

# The owner may lack access to the caller's working directory.
cd "$folder"
find_programs data
find_owner
find_socket
case $1 in
start) start ;;
stop) stop ;;
move) move ;;
*) die "usage: cluster.sh start|stop|move FOLDER" ;;
esac
