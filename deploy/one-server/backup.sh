#!/bin/sh
#
# gangd-backup - dump the database into a file of its own, and delete old ones:
# gangd-backup.timer runs it each night, as gangd-backup.  A file appears under its
# name when it is whole.  A backup that fails deletes no older one.  Its last step
# writes the time and the size for the metrics (publish.sh).
set -eu

: "${FOLDER:=/var/lib/gangd-backup}"
: "${DATABASE:=host=/run/postgresql dbname=gangd user=gangd_backup}"
KEEP_DAYS=14

umask 077
new=$FOLDER/gangd-$(date -u +%Y%m%dT%H%M%SZ).dump
trap 'rm -f "$new.part"' EXIT
pg_dump --format=custom --file="$new.part" "$DATABASE"
pg_restore --list "$new.part" >/dev/null
sync "$new.part"
mv "$new.part" "$new"
sync "$FOLDER"
find "$FOLDER" -name 'gangd-*.dump' -mtime +$KEEP_DAYS -delete
bytes=$(stat -c %s "$new")
[ -z "${RUNTIME_DIRECTORY-}" ] || cat >"$RUNTIME_DIRECTORY/metrics" <<EOT
# TYPE gangd_backup_timestamp_seconds gauge
gangd_backup_timestamp_seconds $(date +%s)
# TYPE gangd_backup_bytes gauge
gangd_backup_bytes $bytes
EOT
echo "$new: $bytes bytes"
