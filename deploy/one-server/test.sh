#!/bin/bash
#
# test.sh [PART...] - install gangd by install.sh on bare Debians (debootstrap)
# that a real systemd has booted (systemd-nspawn), one for each proxy, and run the
# commands of the runbook in deploy/README.md there.  In the end a machine is lost,
# and another one takes its place; and one is upgraded from Debian 12 to 13.  Root runs
# it.  It takes Debian's mirror.  PART is nginx, caddy, haproxy or debian-13: all of
# them, but the last on Debian 12 (SUITE) alone.
#
# A machine has no network but its own loopback: its packages come from a folder.
set -eu

LATER=9.9.9
HOST=poker.example
WEBHOOK=http://127.0.0.1:9000/
# A point of P-256.
BROWSER_KEY=BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8

cd "$(dirname "$0")/../.."
. deploy/local/debian.sh
begin one-server
. deploy/local/machine.sh
. deploy/local/player.sh
root=$scratch/root
disk=$scratch/disk # of the archive, which outlives the machines
trap 'stop_machines; umount "$disk" 2>/dev/null
	rm -rf --one-file-system "$scratch"' EXIT

# A part of the runbook, by its name.
runbook()
{
	local text
	text=$(block one-server "$1") || return 1
	text=${text//--proxy nginx/--proxy $proxy}
	text=${text//2026-11-28 10:00:00+00/${moment-}}
	paste_inside "${text//https:\/\/poker.example\/hooks\/gang/$WEBHOOK}"
}

make_debian_for_servers()
{
	make_root nginx caddy haproxy && make_certificate bought.pem bought-key.pem
}

# --- what an installed server is ------------------------------------------------

# ask PATH [OPTION...] - a request over TLS, by HTTP/2.
ask()
{
	inside curl -fs -m 20 --cacert /etc/gangd/tls/certificate.pem "${@:2}" \
		"https://$HOST$1"
}

listens_nowhere_else()
{
	local ports
	ports=$(inside cat /proc/net/tcp /proc/net/tcp6 |
		awk '$4 == "0A" { split($2, at, ":"); print at[2] }' | sort -u)
	[ "$ports" = $'0050\n01BB\n1F90' ] || {
		echo "$ports"
		return 1
	}
}

is_confined()
{
	local pid
	pid=$(inside systemctl show -P MainPID gangd)
	[ "$(inside stat -c %U "/proc/$pid")" = gangd ] &&
		inside grep -qx 'NoNewPrivs:.1' "/proc/$pid/status" &&
		inside grep -qx 'Seccomp:.2' "/proc/$pid/status" &&
		inside grep -qx 'CapEff:.0*' "/proc/$pid/status"
}

# Also as the systemd that runs them sees the units, with what the server adds.
are_hardened()
{
	local unit
	for unit in gangd gangd-push gangd-purge gangd-backup gangd-drill gangd-archive \
		gangd-archive-drill gangd-basebackup; do
		inside systemd-analyze security --no-pager --threshold=15 \
			$unit.service || return 1
		! inside systemctl show -P MemoryMax -P TasksMax $unit.service |
			grep -x infinity || return 1
	done
}

# --- encryption -------------------------------------------------------------------

# The player of "token" has a browser, whose push service no machine here reaches.
subscribe()
{
	ask "$game/push" -X PUT -H "Authorization: Bearer $token" --json '{
		"endpoint": "https://updates.push.services.mozilla.com/wpush/v2/none",
		"keys": {"auth": "AAAAAAAAAAAAAAAAAAAAAA",
			"p256dh": "'$BROWSER_KEY'"}}'
}

# sealed_with NUMBER... - the numbers of the keys that the values are encrypted with;
# "plain" for one that is not.  There must be values of each kind.
sealed_with()
{
	local found
	found=$(inside psql -X -At "host=/run/postgresql dbname=gangd user=gangd_migrate" \
		-c "SELECT count(DISTINCT kind) || ' kinds: ' ||
			string_agg(DISTINCT CASE get_byte(value, 0) WHEN 255
			THEN get_byte(value, 1)::text ELSE 'plain' END, ' ')
		FROM (SELECT 'state', state FROM gangd.game UNION ALL
			SELECT 'private', private_data FROM gangd.event UNION ALL
			SELECT 'replay', replay_data FROM gangd.event UNION ALL
			SELECT 'reference', client_reference FROM gangd.seat UNION ALL
			SELECT 'subscription', sealed FROM gangd.push_subscription)
			AS stored (kind, value)
		WHERE value IS NOT NULL")
	[ "$found" = "5 kinds: $*" ] || {
		echo "encrypted with: $found"
		return 1
	}
}

# The daemon has a copy of the file that no other user can read.
key_is_a_credential()
{
	local pid
	pid=$(inside systemctl show -P MainPID gangd)
	inside grep -qzx "GANGD_KEY_FILE=/run/credentials/gangd.service/keys" \
		"/proc/$pid/environ" &&
		! inside runuser -u nobody -- cat /etc/gangd/keys &&
		! inside runuser -u nobody -- cat /run/credentials/gangd.service/keys &&
		! inside runuser -u gangd -- cat /etc/gangd/keys
}

# Without the key the drill's games cannot be replayed.
drill_needs_the_key()
{
	local conf=/etc/systemd/system/gangd-drill.service.d/keys.conf
	inside sh -c "mv $conf /root/keys.conf && systemctl daemon-reload"
	! inside systemctl start gangd-drill || return 1
	inside journalctl --no-pager -u gangd-drill | grep key_unknown || return 1
	inside sh -c "mv /root/keys.conf $conf && systemctl daemon-reload &&
		systemctl reset-failed gangd-drill"
}

# The file is for root alone, as the runbook says.
player_is_erased()
{
	[ "$(names)" = "Ada Bob Cy" ] || return 1
	inside sh -c 'umask 077; cat >token' <"$scratch/token-of-cy"
	runbook erase && ! inside test -e token && [ "$(names)" = "Ada Bob Player 3" ]
}

# --- users of the database --------------------------------------------------------

# The daemon reaches the database by its own user and no other way.
peers_only()
{
	[ "$(inside runuser -u postgres -- psql -X -At -d postgres -c "
		SELECT DISTINCT usename FROM pg_stat_activity
		WHERE datname = 'gangd'")" = gangd_app ] &&
		! inside runuser -u nobody -- psql -X -U gangd_app -d gangd -c 'SELECT 1' &&
		! inside runuser -u gangd -- psql -X -U gangd_migrate -d gangd -c 'SELECT 1' &&
		! inside runuser -u gangd-backup -- psql -X -U gangd_backup -d gangd \
			-c 'DELETE FROM gangd.game'
}

nothing_failed()
{
	[ -z "$(inside systemctl list-units --failed --no-legend --plain)" ] || {
		inside systemctl list-units --failed
		return 1
	}
}

timers_run()
{
	local timer
	for timer in gangd-backup gangd-drill gangd-purge logrotate; do
		inside systemctl is-active $timer.timer || return 1
	done
}

log_is_bounded()
{
	inside systemd-analyze cat-config systemd/journald.conf |
		grep -qx SystemMaxUse=1G && inside test -e /etc/logrotate.d/postgresql-common
}

# The server goes on with the file that the rotation has emptied.
postgresql_logs_after_a_rotation()
{
	local log
	log=$(inside sh -c 'echo /var/log/postgresql/postgresql-*-main.log')
	inside test -s "$log" || return 1
	inside logrotate -f -s /run/rotated /etc/logrotate.d/postgresql-common ||
		return 1
	inside test -s "$log.1" || return 1
	inside runuser -u postgres -- psql -X -q -d postgres \
		-c "DO 'BEGIN RAISE LOG ''this is after the rotation''; END'" || return 1
	inside grep -F 'this is after the rotation' "$log" &&
		! inside grep -F 'this is after the rotation' "$log.1"
}

# nginx opens the new file when it has handled the signal.
nginx_logs_after_a_rotation()
{
	local log=/var/log/nginx/error.log tries
	inside sh -c "echo this is before the rotation >>$log"
	inside logrotate -f -s /run/rotated /etc/logrotate.d/nginx || return 1
	inside grep -F 'this is before the rotation' $log.1 || return 1
	for ((tries = 0; tries < 100; tries++)); do
		[ "$(nginx_log)" != $log ] || break
		sleep 0.1
	done
	nginx_log
	[ "$(nginx_log)" = $log ] && inside systemctl is-active nginx && await_served
}

# The file that the first process of nginx logs into.
nginx_log()
{
	# shellcheck disable=SC2016 # the machine's shell expands
	inside sh -c 'readlink /proc/$(cat /run/nginx.pid)/fd/* |
		grep -F /var/log/nginx/error.log | sort -u'
}

top_shows_the_daemon()
{
	runbook top >"$scratch/top" || return 1
	cat "$scratch/top"
	grep -x 'daemons: *1 of 1 answer' "$scratch/top"
}

# --- notifications ----------------------------------------------------------------

# The operator's webhook: a line of /run/told for each message.
start_webhook()
{
	# shellcheck disable=SC2016 # perl's variables
	inside systemd-run -q --unit=webhook perl -MIO::Socket::INET -e '
		my $server = IO::Socket::INET->new(LocalAddr => "127.0.0.1:9000",
			Listen => 16, ReuseAddr => 1) or die;
		while (my $client = $server->accept) {
			my ($length, $body) = (0, "");
			while (<$client>) {
				$length = $1 if /^content-length: (\d+)/i;
				last if /^\r\n/;
			}
			read($client, $body, $length);
			open(my $told, ">>", "/run/told") or die;
			print $told "$body\n";
			close($told);
			print $client "HTTP/1.1 204 No Content\r\n" .
				"Connection: close\r\n\r\n";
			close($client);
		}'
}

configure_push()
{
	start_webhook && runbook push && inside systemctl is-active gangd-push &&
		await_served
}

# await_told TEXT - wait until the webhook was sent it.  A player who was seen in the
# ten seconds of a change is reported after a minute.
await_told()
{
	local tries
	for ((tries = 0; tries < 100; tries++)); do
		! inside grep -F "$1" /run/told || return 0
		sleep 1
	done
	inside journalctl --no-pager -o cat -u gangd-push -n 20
	return 1
}

# begin_told NAME - a game of players that the webhook is notified of.
begin_told()
{
	local code
	code=$(ask /v1/games --json "{\"name\":\"Ada\",\"seats\":3,
		\"client_reference\":\"$1\"}" | jq -r .invite_code) &&
		ask "/v1/invitations/$code/players" --json '{"name":"Bob"}' >/dev/null &&
		ask "/v1/invitations/$code/players" --json '{"name":"Cy"}' >/dev/null
}

vapid_is_replaced()
{
	local before after
	before=$(ask /v1/push | jq -re .application_server_key) || return 1
	runbook rotate-vapid && await_served || return 1
	after=$(ask /v1/push | jq -re .application_server_key) || return 1
	[ "$after" != "$before" ]
}

webhook_secret_is_replaced()
{
	local before
	before=$(inside cat /etc/gangd/push/webhook-secrets)
	runbook add-webhook-secret && runbook drop-webhook-secret || return 1
	[ "$(inside grep -c ^whsec_ /etc/gangd/push/webhook-secrets)" = 1 ] &&
		! inside grep -xF "$before" /etc/gangd/push/webhook-secrets
}

player_is_told()
{
	begin_told "account $1" && await_told "\"client_reference\":\"account $1\""
}

# Its role, its user and its unit keep every card away from it.
push_sees_no_card()
{
	[ "$(inside runuser -u postgres -- psql -X -At -d postgres -c "
		SELECT string_agg(DISTINCT usename, ' ') FROM pg_stat_activity
		WHERE datname = 'gangd'")" = "gangd_app gangd_push" ] &&
		inside runuser -u gangd-push -- psql -X -U gangd_push -d gangd \
			-c 'SELECT count(*) FROM gangd.notification' &&
		! inside runuser -u gangd-push -- psql -X -U gangd_push -d gangd \
			-c 'SELECT state FROM gangd.game' &&
		! inside runuser -u gangd-push -- psql -X -U gangd_app -d gangd \
			-c 'SELECT 1'
}

# The role gets the grants on new tables by the upgrade.
push_lacks_a_grant()
{
	owner_sql 'REVOKE DELETE ON gangd.push_subscription FROM gangd_push'
	! runbook check
}

# As in a backup of a release that did not know what the grant is for.
backup_lacks_a_grant()
{
	owner_sql 'REVOKE DELETE ON gangd.push_subscription FROM gangd_push'
	inside systemctl start gangd-backup
}

# --- backups ----------------------------------------------------------------------

drill()
{
	inside systemctl start gangd-backup || return 2
	inside systemctl start gangd-drill
}

owner_sql()
{
	inside psql -X -q -v ON_ERROR_STOP=1 \
		"host=/run/postgresql dbname=gangd user=gangd_migrate" -c "$1"
}

# published NAME PATTERN - wait for a line of the metrics of the unit gangd-NAME:
# systemd says that the unit has run before it publishes them.
published()
{
	local tries file=/var/lib/prometheus/node-exporter/gangd_$1.prom
	for ((tries = 0; tries < 100; tries++)); do
		! inside grep -Ex "$2" "$file" || return 0
		sleep 0.1
	done
	inside cat "$file"
	return 1
}

# The time of the newest dump is that of the metric, which any user may read.
backup_is_published()
{
	local before file=/var/lib/prometheus/node-exporter/gangd_backup.prom
	inside mkdir -p "${file%/*}"
	before=$(date +%s)
	inside systemctl start gangd-backup || return 1
	published backup 'gangd_backup_timestamp_seconds [0-9]+' || return 1
	[ "$(inside sed -n 's/^gangd_backup_timestamp_seconds //p' $file)" -ge "$before" ] &&
		published backup 'gangd_backup_failures_total 0' &&
		[ "$(inside stat -c '%a %U' $file)" = '644 root' ]
}

purge_is_published()
{
	inside systemctl start gangd-purge || return 1
	published purge 'gangd_purge_timestamp_seconds [0-9]+' &&
		published purge 'gangd_purge_rows[{]kind="game"[}] 0' &&
		published purge 'gangd_purge_failures_total 0'
}

failed_backup_is_published()
{
	inside mv /usr/local/sbin/gangd-backup /root/gangd-backup
	! inside systemctl start gangd-backup || return 1
	inside mv /root/gangd-backup /usr/local/sbin/gangd-backup
	published backup 'gangd_backup_failures_total 1' &&
		published backup 'gangd_backup_timestamp_seconds [0-9]+' &&
		inside systemctl reset-failed gangd-backup
}

drill_finds_a_changed_game()
{
	local id=${game##*/}
	owner_sql "UPDATE gangd.event SET seat = 3 WHERE game_id = '$id' AND seat = 1
		AND version > 3"
	drill
	[ $? -eq 1 ] || return 1
	inside journalctl --no-pager -u gangd-drill | grep "$id" || return 1
	owner_sql "UPDATE gangd.event SET seat = 1 WHERE game_id = '$id' AND seat = 3
		AND version > 3"
	inside systemctl reset-failed gangd-drill
}

# A damaged file is the newest, until the next backup.
drill_finds_a_damaged_file()
{
	# shellcheck disable=SC2016 # the machine's shell expands
	inside sh -c 'cd /var/lib/gangd-backup && head -c 9000 "$(ls | tail -n 1)" \
		>gangd-99991231T000000Z.dump'
	! inside systemctl start gangd-drill || return 1
	inside rm /var/lib/gangd-backup/gangd-99991231T000000Z.dump
	inside systemctl reset-failed gangd-drill
}

# --- the archive ------------------------------------------------------------------

boot_server()
{
	mountpoint -q "$disk" || {
		mkdir -p "$disk" && mount -t tmpfs -o size=4g tmpfs "$disk"
	} || return 1
	boot server --bind="$disk:/mnt/archive"
}

same_disk_is_refused()
{
	local conf=/etc/gangd/archive.conf
	inside sed -i.kept 's|^repo1-path=.*|repo1-path=/var/archive|' $conf
	! inside gangd-archive on >"$scratch/refused" 2>&1 &&
		grep 'on the disk of the database' "$scratch/refused" &&
		inside sh -c '! ls /etc/postgresql/*/main/conf.d/gangd-archive.conf' &&
		inside mv $conf.kept $conf
}

archive_is_published()
{
	inside systemctl start gangd-archive &&
		published archive 'gangd_archive_timestamp_seconds [0-9]+' &&
		published basebackup 'gangd_basebackup_timestamp_seconds [0-9]+' || return 1
	local at
	at=$(inside sed -n 's/^gangd_archive_timestamp_seconds //p' \
		/var/lib/prometheus/node-exporter/gangd_archive.prom)
	[ $(($(date +%s) - at)) -le 60 ]
}

drill_plays()
{
	local since
	since=$(date +%s)
	runbook archive-drill
	inside journalctl --no-pager -o cat -u gangd-archive-drill --since "@$since" \
		>"$scratch/drill"
	cat "$scratch/drill"
	grep 'a game was played' "$scratch/drill"
}

# A moment between two moves.
restored_to_a_moment()
{
	local kept
	take_chip 1 && sleep 1.1 || return 1
	moment=$(date -u '+%Y-%m-%d %H:%M:%S+00')
	sleep 1.1
	take_chip 2 && has_stars 2 || return 1
	runbook restore-moment || return 1
	await_served && has_stars 1 || return 1
	kept=$(inside sh -c 'echo /var/lib/postgresql/*/main.before-*')
	inside test -s "$kept/PG_VERSION" && take_chip 2
}

bad_moment_is_refused()
{
	! inside gangd-restore --to '2001-01-01 00:00:00+00' || return 1
	! inside gangd-restore --to tomorrow || return 1
	inside systemctl is-active gangd && has_stars 2
}

# The proxy asks a daemon that has started for its health from time to time.
await_served()
{
	local tries
	for ((tries = 0; tries < 100; tries++)); do
		! ask /readyz -o /dev/null || return 0
		sleep 0.1
	done
	return 1
}

restored_to_the_backup()
{
	await_served && has_stars 2 && inside runuser -u postgres -- psql -X -At -d postgres -c \
		'SELECT datname FROM pg_database' | grep gangd_before_
}

# --- changes while clients play -----------------------------------------------------

# One client asks more in a minute than quotas allow, and each refusal would count.
lift_quotas()
{
	inside sh -c 'echo GANGD_QUOTAS=off >>/etc/gangd/gangd.env' &&
		inside gangd-upgrade --restart
}

fingerprint()
{
	inside sh -c "openssl s_client -connect $HOST:443 -servername $HOST </dev/null \
		2>/dev/null | openssl x509 -noout -fingerprint"
}

# With a certificate that the operator has, at the first proxy; with a new one that
# the script makes, at the others.
install_again()
{
	[ "$proxy" = "${proxies[0]}" ] || {
		runbook install
		return
	}
	inside deploy/one-server/install.sh --proxy "$proxy" --host $HOST \
		--packages build/deb --certificate bought.pem --key bought-key.pem &&
		[ "$(fingerprint)" = "$(inside openssl x509 -noout -fingerprint \
			-in bought.pem)" ]
}

certificate_is_replaced()
{
	local before after tries
	before=$(fingerprint)
	runbook certificate || return 1
	[ -n "$before" ] || return 1
	# A proxy that reloads may answer once more as before.
	for ((tries = 0; tries < 100; tries++)); do
		after=$(fingerprint)
		[ -z "$after" ] || [ "$after" = "$before" ] || return 0
		sleep 0.1
	done
	return 1
}

foreign_key_is_refused()
{
	inside sh -c 'openssl genpkey -algorithm ed25519 >/root/other-key &&
		! gangd-certificate /etc/gangd/tls/certificate.pem /root/other-key'
}

is_of_release()
{
	[[ $(inside dpkg-query -W -f "\${Version}" gangd) == "$1+deb"* ]] &&
		! inside systemctl -q is-active gangd-spare
}

# --- another machine takes the place of the server --------------------------------

# The operator keeps these files of the server; the test keeps the chip of the player.
keep()
{
	kept=$scratch/kept
	rm -rf "$kept"
	mkdir "$kept"
	stars_before=$(stars)
	inside systemctl start gangd-backup || return 1
	cp -a "$scratch/server/etc/gangd/"{gangd.env,push.env,push,keys,archive.conf} \
		"$scratch"/server/var/lib/gangd-backup/*.dump "$kept" || return 1
	cp "$scratch/server/etc/gangd/tls/certificate.pem" "$kept/fullchain.pem" &&
		cp "$scratch/server/etc/gangd/tls/key.pem" "$kept/privkey.pem"
}

bring_what_is_kept()
{
	cp "$kept"/{fullchain,privkey}.pem "$scratch/server/root/gangd" &&
		cp -a "$kept" "$scratch/server/root/gangd/kept"
}

players_go_on()
{
	await_served && has_stars "$stars_before" &&
		take_chip $((3 - stars_before)) && has_stars $((3 - stars_before))
}

# The machine has no network: what the upgrade needs is fetched from outside.
bring_debian_13()
{
	local sources=$scratch/server/etc/apt/sources.list
	SUITE=trixie build_packages "$scratch/deb13" || return 1
	rm -r "$scratch/server/root/gangd/build/deb"
	cp -r "$scratch/deb13" "$scratch/server/root/gangd/build/deb"
	rm -f "$scratch"/server/etc/apt/sources.list.d/*
	printf 'deb %s\n' "$MIRROR trixie main" "$MIRROR trixie-updates main" \
		"$SECURITY trixie-security main" >"$sources"
	# shellcheck disable=SC2016 # the shell inside expands it
	chroot "$scratch/server" sh -eu -c 'apt-get -qq update
		apt-get -qq -y --download-only full-upgrade
		apt-get -qq -y --no-install-recommends --download-only install \
			postgresql "$1" ./root/gangd/build/deb/*.deb' sh "$proxy"
}

is_debian_13()
{
	# shellcheck disable=SC2016
	inside sh -c '. /etc/os-release && [ "$VERSION_ID" = 13 ]' &&
		[[ $(inside dpkg-query -W -f "\${Version}" gangd) == *+deb13 ]] &&
		[ "$(inside runuser -u postgres -- psql -XAt -d gangd \
			-c "SELECT current_setting('server_version_num')::integer / 10000")" = 17 ]
}

version=$(sed -n 's/^  version: //p' api/openapi.yaml)
proxies=() upgrades='' whole=''
[ $# -gt 0 ] || {
	set -- nginx caddy haproxy debian-13
	[ "$SUITE" != bookworm ] || whole=yes
}
for part; do
	if [ "$part" != debian-13 ]; then
		proxies+=("$part")
	elif [ "$SUITE" = bookworm ]; then
		upgrades=yes
	fi
done
proxy=all
deploy/local/install.sh nspawn deb run
check "the packages are built" make_packages
check "a bare Debian is made" make_debian_for_servers
for proxy in "${proxies[@]}"; do
	rm -rf "${disk:?}"/*
	check "systemd boots it" boot_server
	[ -n "$leader" ] || continue
	check "install.sh makes a server of it" runbook install
	check "three players begin a game" make_game
	check "a view over TLS" take_chip 2
	check "by HTTP/2" speaks_http2
	check "no port is open but those of the proxy and the daemon" \
		listens_nowhere_else
	check "the daemon is confined" is_confined
	check "each unit is exposed to 1.5 at most, and limited" are_hardened
	check "the socket of the database knows its users" peers_only
	check "the timers run" timers_run
	check "the logs are bounded" log_is_bounded
	check "PostgreSQL logs after a rotation" postgresql_logs_after_a_rotation
	[ "$proxy" != nginx ] ||
		check "and so does nginx" nginx_logs_after_a_rotation
	check "no unit has failed" nothing_failed
	check "the runbook's look at the server" runbook watch
	check "gangctl check finds no fault" runbook check
	check "gangd-push is configured" configure_push
	check "only root reads its keys" eval \
		'! inside runuser -u gangd-push -- ls /etc/gangd/push'
	check "gangctl check finds no fault with it" runbook check
	check "the webhook is notified of a player" player_is_told 1
	check "gangd-push sees no card" push_sees_no_card
	check "a purge ends well" inside systemctl start gangd-purge
	check "a backup is made and restored for a test" runbook backup
	check "the time of the backup is published" backup_is_published
	check "and so is a backup that fails" failed_backup_is_published
	check "the rows of a purge are published" purge_is_published
	check "the drill finds a changed game" drill_finds_a_changed_game
	check "the drill finds a damaged file" drill_finds_a_damaged_file
	check "a backup is made, which lacks a grant" backup_lacks_a_grant
	check "a move comes after the backup" take_chip 1
	check "the backup is restored" runbook restore
	check "the game is what it was then" restored_to_the_backup
	check "gangd-push has its grants all the same" runbook check
	check "gangd-push goes on" player_is_told 2
	check "install.sh can be run again" install_again
	check "and the game is still there" has_stars 2
	check "the quotas are lifted" lift_quotas
	check "an archive on the same disk is refused" same_disk_is_refused
	check "the database is archived" runbook archive
	check "gangctl check finds no fault" runbook check
	check "the age of the archive is published" archive_is_published
	check "the drill restores a moment, and plays" drill_plays
	check "bad moments are refused" bad_moment_is_refused
	check "a moment between two moves is restored" restored_to_a_moment
	check "a new base backup is made" inside systemctl start gangd-basebackup
	check "the drill restores a moment of the new timeline" drill_plays
	check "gangctl check finds no fault" runbook check
	start_asking inside curl
	check "the certificate is replaced" certificate_is_replaced
	# Caddy may close a connection that begins when it reloads.
	if [ "$proxy" = caddy ]; then
		check "at most one request fails meanwhile" all_were_answered 1
	else
		check "no request fails meanwhile" all_were_answered
	fi
	check "a key that does not fit is refused" foreign_key_is_refused
	check "a browser subscribes" subscribe
	check "the key of Web Push is replaced" vapid_is_replaced
	check "a secret of the webhook is replaced" webhook_secret_is_replaced
	check "what is stored is not encrypted" sealed_with plain
	start_asking inside curl
	check "a key encrypts from now on" runbook encrypt
	check "no request fails meanwhile" all_were_answered
	check "the daemon's key is a credential" key_is_a_credential
	check "gangd-push goes on with the key" player_is_told 3
	check "old games are encrypted" runbook rekey
	check "with the key" sealed_with 1
	check "what is not encrypted is refused from now on" runbook refuse-plain
	check "gangctl check finds no fault with it" runbook check
	check "the old rows are removed" runbook vacuum
	check "a backup is made and restored with the key" runbook backup
	check "without the key it is not" drill_needs_the_key
	start_asking inside curl
	check "so is a moment of the archive" drill_plays
	check "the key is replaced" runbook rotate-key
	check "the other key encrypts all" sealed_with 2
	check "the old key is dropped" runbook drop-key
	check "no request fails meanwhile" all_were_answered
	check "a backup is made and restored with the new key" runbook backup
	check "a player is erased" player_is_erased
	check "the daemon gets metrics" runbook metrics
	check "gangctl top shows the daemon" top_shows_the_daemon
	bring_later_packages
	check "gangctl check finds that gangd-push lacks a grant" push_lacks_a_grant
	start_asking inside curl
	check "the server is upgraded" runbook upgrade
	check "no request fails meanwhile" all_were_answered
	check "the later release runs, and no spare" is_of_release $LATER
	check "the upgrade has renewed the grants" runbook check
	check "gangd-push goes on" player_is_told 4
	check "no unit has failed" nothing_failed
	[ "$proxy" != "${proxies[-1]}" ] ||
		check "what is needed elsewhere is kept" keep
	stop_machine server
done
if [ -n "${kept-}" ]; then
	check "the machine is lost, and another one boots" boot_server
	check "what was kept is brought there" bring_what_is_kept
	check "install.sh makes a server of it" runbook another-machine
	check "it gets the settings and keys" runbook put-back
	check "and the units for the keys" runbook encrypt
	check "the backup is restored" runbook restore-elsewhere
	check "the players go on with their tokens" players_go_on
	check "all is encrypted with the key that was kept" sealed_with 2
	check "what is not encrypted is refused" runbook refuse-plain
	check "a backup of it is made and restored for a test" runbook backup
	check "gangctl check finds no fault" runbook check
	check "the webhook is there" start_webhook
	check "gangd-push goes on" player_is_told 5
	check "the archive of the lost machine is restored" runbook restore-archive
	check "the players go on where that one ended" players_go_on
	check "a base backup is made and restored for a test" drill_plays
	check "gangctl check finds no fault" runbook check
	check "no unit has failed" nothing_failed
	stop_machine server
fi
if [ -n "$upgrades" ]; then
	proxy=nginx
	check "a machine with Debian 12 boots" boot server
	check "install.sh makes a server of it" runbook install
	check "three players begin a game" make_game
	check "a move" take_chip 2
	check "Debian 13 is brought" bring_debian_13
	check "the machine is upgraded" runbook debian-13
	check "install.sh is run again" runbook install
	check "it has Debian 13, and PostgreSQL 17" is_debian_13
	check "gangctl check finds no fault" runbook check
	check "the players go on with their tokens" eval 'has_stars 2 && take_chip 1'
	check "a backup is made and restored for a test" runbook backup
	check "no unit has failed" nothing_failed
	stop_machine server
fi
[ -z "$whole" ] || check_blocks deploy/one-server/test.sh
end
