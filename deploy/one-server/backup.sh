#!/bin/sh
#
# gangd-backup - dump the database into a file of its own, and delete old ones:
# gangd-backup.timer runs it each night, as gangd-backup.  A file appears under its
# name when it is whole.  A backup that fails deletes none.
set -eu

FOLDER=/var/lib/gangd-backup
KEEP_DAYS=14

umask 077
new=$FOLDER/gangd-$(date -u +%Y%m%dT%H%M%SZ).dump
trap 'rm -f "$new.part"' EXIT
pg_dump --format=custom --file="$new.part" \
	"host=/run/postgresql dbname=gangd user=gangd_backup"
pg_restore --list "$new.part" >/dev/null
sync "$new.part"
mv "$new.part" "$new"
sync "$FOLDER"
find "$FOLDER" -name 'gangd-*.dump' -mtime +$KEEP_DAYS -delete
echo "$new: $(stat -c %s "$new") bytes"
