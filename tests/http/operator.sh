#!/bin/sh
#
# operator.sh database stop|start   what a story's "operator" line asks for
# operator.sh database settle       wait until no move is being committed
# operator.sh daemon stop
# operator.sh log-has TEXT          wait until the daemon's log has it
# operator.sh away GAME SEAT,... SECONDS   the seats were last seen so long ago
# operator.sh rename GAME SEAT NAME as an older version let players be called,
#                                   with JSON's escapes
# operator.sh next-step             wait until the next request updates last_seen
# operator.sh wait SECONDS
# operator.sh age-tickets GAME SECONDS   its tickets were made so long ago
# operator.sh age-transfers GAME SECONDS
# operator.sh damage-date GAME      give its row a date that no clock has
# operator.sh restore-date GAME     give the game's row a possible date again
# operator.sh damage-event GAME COLUMN VALUE   of its newest event: a number, a
#                                   time, or of a payload how many bytes
# operator.sh remove GAME           delete its rows, and report it as a daemon does
# operator.sh code-in-use           the next invitation code drawn is in use
# operator.sh codes-free            forget that again
#
# GANGD_CLUSTER is the folder of the cluster, GANGD_PID the daemon, GANGD_LOG
# what it wrote.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cluster=$here/../../deploy/local/cluster.sh

# server stop|start - the database's server, or all of several.
server()
{
	if [ -n "${GANGD_CITUS-}" ]; then
		"$here/../citus/nodes.py" "$1"
	else
		[ "$1" = stop ] || set -- start -F
		"$cluster" "$1" "$GANGD_CLUSTER" ${2+"$2"} >/dev/null
	fi
}

case "$*" in
"database stop" | "database start") server "$2" ;;
"database settle")
	tries=100
	until [ "$(psql -X "$GANGD_MIGRATE_URL" -At -c "
		SELECT count(*) FROM pg_locks
		WHERE relation = 'gangd.game'::regclass
		AND mode = 'RowExclusiveLock'")" = 0 ]
	do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || exit 1
		sleep 0.05
	done
	;;
"daemon stop") kill -TERM "$GANGD_PID" ;;
"log-has "*)
	tries=100
	shift
	until grep -qF "$*" "$GANGD_LOG"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || exit 1
		sleep 0.05
	done
	;;
"away "*)
	# By then the last requests are noted as last_seen.
	sleep 1.3
	psql -X "$GANGD_MIGRATE_URL" -q -v ON_ERROR_STOP=1 \
		-v game="$2" -v seats="$3" -v seconds="$4" <<-'SQL'
		UPDATE gangd.seat
		SET last_seen = now() - make_interval(secs => :seconds)
		WHERE game_id = :'game' AND seat IN (:seats)
	SQL
	;;
"rename "*)
	psql -X "$GANGD_MIGRATE_URL" -q -v ON_ERROR_STOP=1 \
		-v game="$2" -v seat="$3" -v name="\"$4\"" <<-'SQL'
		UPDATE gangd.seat
		SET name = :'name'::jsonb #>> '{}',
		    name_key = :'name'::jsonb #>> '{}'
		WHERE game_id = :'game' AND seat = :seat;
		SELECT gangd.copy_seats(:'game') \g /dev/null
	SQL
	;;
"wait "*) sleep "$2" ;;
"next-step") sleep $((10 - $(date +%s) % 10)) ;;
"age-tickets "*)
	psql -X "$GANGD_MIGRATE_URL" -q -v ON_ERROR_STOP=1 \
		-v game="$2" -v seconds="$3" <<-'SQL'
		UPDATE gangd.stream_ticket
		SET at = now() - make_interval(secs => :seconds)
		WHERE game_id = :'game'
	SQL
	;;
"age-transfers "*)
	psql -X "$GANGD_MIGRATE_URL" -q -v ON_ERROR_STOP=1 \
		-v game="$2" -v seconds="$3" <<-'SQL'
		UPDATE gangd.transfer
		SET at = now() - make_interval(secs => :seconds)
		WHERE game_id = :'game'
	SQL
	;;
"damage-date "* | "restore-date "*)
	psql -X "$GANGD_MIGRATE_URL" -q -v ON_ERROR_STOP=1 \
		-v game="$2" -v damaged="$1" <<-'SQL'
		UPDATE gangd.game SET created_at =
			CASE :'damaged' WHEN 'damage-date' THEN 'infinity'
			ELSE updated_at END, revision = revision + 1
		WHERE game_id = :'game'
	SQL
	;;
"code-in-use")
	psql -X "$GANGD_MIGRATE_URL" -q -v ON_ERROR_STOP=1 <<-'SQL'
		CREATE FUNCTION gangd.skip_once() RETURNS trigger
		LANGUAGE plpgsql SECURITY DEFINER AS $$
		BEGIN
			DELETE FROM gangd.skip;
			RETURN CASE WHEN FOUND THEN NULL ELSE NEW END;
		END $$;
		CREATE TABLE gangd.skip AS SELECT;
		CREATE TRIGGER skip_once BEFORE INSERT ON gangd.invitation
			FOR EACH ROW EXECUTE FUNCTION gangd.skip_once();
	SQL
	;;
"codes-free")
	psql -X "$GANGD_MIGRATE_URL" -q -v ON_ERROR_STOP=1 -c "
		DROP TRIGGER skip_once ON gangd.invitation;
		DROP FUNCTION gangd.skip_once; DROP TABLE gangd.skip"
	;;
"damage-event "*)
	case $3 in
	public_data | private_data | replay_data) value="repeat('x', $4)::bytea" ;;
	*) value="'$4'" ;;
	esac
	psql -X "$GANGD_MIGRATE_URL" -q -v ON_ERROR_STOP=1 \
		-v game="$2" -v column="$3" -v value="$value" <<-'SQL'
		UPDATE gangd.event SET :"column" = :value
		WHERE game_id = :'game' AND version = (
			SELECT version FROM gangd.game WHERE game_id = :'game')
	SQL
	;;
"remove "*)
	psql -X "$GANGD_MIGRATE_URL" -q -v ON_ERROR_STOP=1 \
		-v game="$2" <<-'SQL'
		SELECT version FROM gangd.game WHERE game_id = :'game' \gset
		SELECT gangd.delete_game(:'game', :version) \g /dev/null
		INSERT INTO gangd.commit_report (process, number, games, versions)
		VALUES (gen_random_uuid(), 1, ARRAY[:'game'::uuid], ARRAY[2147483647]);
	SQL
	;;
*)
	echo "operator.sh: what is \"$*\"?" >&2
	exit 2
	;;
esac
