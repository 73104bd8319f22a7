#!/bin/sh
#
# gangd-database - make the cluster with its roles unless it exists, and serve it
# at the socket in /run/postgresql.
set -eu

VERSION=$(find /usr/lib/postgresql -mindepth 1 -maxdepth 1 -printf '%f\n')
BIN=/usr/lib/postgresql/$VERSION/bin
SHARE=/usr/local/share/gangd
data=/var/lib/gangd-database/data

make_cluster()
{
	rm -rf $data.new
	"$BIN/initdb" -D $data.new --data-checksums --encoding=UTF8 --locale=C \
		--auth=peer >/dev/null
	echo "include '$SHARE/postgresql.conf'" >>$data.new/postgresql.conf
	cat >$data.new/pg_hba.conf <<-'EOT'
	local gangd gangd_app,gangd_migrate peer map=gangd
	local all postgres peer
	EOT
	cat >$data.new/pg_ident.conf <<-'EOT'
	gangd gangd gangd_app
	gangd gangd-migrate gangd_migrate
	EOT
	# No client reaches it before its roles are there.
	"$BIN/pg_ctl" -s -w -D $data.new -l /tmp/log \
		-o '-c unix_socket_directories=/tmp' start
	psql -X -q -v ON_ERROR_STOP=1 -h /tmp -d postgres -f $SHARE/roles.sql
	"$BIN/pg_ctl" -s -w -D $data.new -m fast stop
	mv $data.new $data
}

[ -d $data ] || make_cluster
made_by=$(cat $data/PG_VERSION)
[ "$made_by" = "$VERSION" ] || {
	echo "gangd-database: the volume has data of PostgreSQL $made_by, and this image" \
		"has $VERSION: make a dump with the image of before, as the guide's backup" \
		"does, and restore it into a new volume" >&2
	exit 1
}
exec "$BIN/postgres" -D $data -c unix_socket_directories=/run/postgresql
