#!/bin/sh
#
# install.sh DATA - install what archives the database whose folder is DATA: pgBackRest,
# gangd-archive, its units, and /etc/gangd/archive.conf unless it exists.  Root runs it,
# also as a part of the install.sh of one server.  It archives nothing yet.
set -eu

CONF=/etc/gangd/archive.conf

here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 1 ] || {
	echo "usage: install.sh DATA" >&2
	exit 2
}
DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install \
	pgbackrest jq curl >/dev/null
install -m 0755 "$here/archive.sh" /usr/local/sbin/gangd-archive
install -D -m 0644 "$here/postgresql.conf" \
	/usr/local/lib/gangd/archive-postgresql.conf
# The package of gangd has it; a host of the database alone has no such package.
[ -e /usr/lib/gangd/publish ] ||
	install -D -m 0755 "$here/../systemd/publish.sh" /usr/lib/gangd/publish
install -m 0644 -t /etc/systemd/system "$here"/gangd-*.service "$here"/gangd-*.timer
systemctl daemon-reload
mkdir -p /etc/gangd
[ -e $CONF ] || (
	umask 077
	sed "s|@PASSPHRASE@|$(head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n')|" \
		"$here/archive.conf" >$CONF.new
	mv $CONF.new $CONF
)
# A newer PostgreSQL has another folder.
sed -i "s|^pg1-path=.*|pg1-path=$1|" $CONF
chown root:postgres $CONF
chmod 0640 $CONF
