#!/bin/bash
#
# gangd-restore FILE - put a backup into the place of the database.  The daemon, and
# gangd-push if it runs, stop meanwhile.  The present database stays, under another
# name, until the operator drops it.
#
# gangd-restore --to MOMENT - the same with a moment of the archive, as gangd-archive
# describes it: the whole server, whose data folder stays.
set -eu

[ "${1-}" != --to ] || exec gangd-archive restore "$@"

[[ $# -eq 1 && $(id -u) -eq 0 ]] || {
	echo "usage, as root: gangd-restore /var/lib/gangd-backup/gangd-....dump" \
		"| --to '2026-11-28 10:00:00+00'|latest" >&2
	exit 2
}

sql()
{
	runuser -u postgres -- psql -X -q -v ON_ERROR_STOP=1 -d postgres "$@"
}

before=gangd_before_$(date -u +%Y%m%d%H%M%S)
sql -c 'DROP DATABASE IF EXISTS gangd_restored' \
	-c 'CREATE DATABASE gangd_restored OWNER gangd_owner'
# The file belongs to gangd-backup, and root hands it on.  Its SQL runs with the
# rights of gangd_migrate, which cannot become superuser.  A superuser would lend its
# rights to every user who may write the file.
runuser -u postgres -- pg_restore --exit-on-error --username=gangd_migrate \
	--role=gangd_owner --dbname=gangd_restored <"$1"
# Until here the daemon has served the present database.
units=(gangd)
! systemctl -q is-active gangd-push || units+=(gangd-push)
trap 'systemctl start "${units[@]}"' EXIT
systemctl stop "${units[@]}"
sql -c "ALTER DATABASE gangd RENAME TO $before" \
	-c 'ALTER DATABASE gangd_restored RENAME TO gangd' \
	-c 'REVOKE CONNECT ON DATABASE gangd FROM PUBLIC' \
	-c 'GRANT CONNECT ON DATABASE gangd
		TO gangd_owner, gangd_migrate, gangd_app, gangd_push, gangd_backup'
(
	set -a
	# shellcheck source=/dev/null
	. /etc/gangd/gangctl.env
	gangctl migrate
)
# A backup of an earlier release lacks the role's grants on what is new.
runuser -u postgres -- psql -X -q -v ON_ERROR_STOP=1 -d gangd \
	</usr/lib/gangd/push-role.sql
echo "$1 is restored.  When all is well, drop what was there before:"
echo "  runuser -u postgres -- dropdb $before"
