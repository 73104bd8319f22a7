#!/bin/bash
#
# test-install.sh - run the guides of deploy/ha/README.md and the upgrade of several
# daemons (deploy/README.md) on bare Debians (debootstrap) that a real systemd has
# booted (systemd-nspawn): three hosts with the database, of which two have a daemon
# and one HAProxy.  A moment is restored from the archive.  Then hosts are lost.  Root
# runs it.  It takes Debian's mirror.
#
# The hosts have a network of their own, 10.0.0.0/24, which nothing else reaches.
set -eu

LATER=9.9.9
HOST=poker.example
HOSTS=(db1 db2 db3)
declare -A ADDRESS=([db1]=10.0.0.1 [db2]=10.0.0.2 [db3]=10.0.0.3)
DAEMONS=(db2 db3)
BALANCER=db3
NETWORK=gangd-install-$$

cd "$(dirname "$0")/../.."
. deploy/local/debian.sh
begin ha-install
. deploy/local/machine.sh
. deploy/local/player.sh
root=$scratch/root
network=(nsenter "--net=/run/netns/$NETWORK")
disk=$scratch/disk # of the archive, which all hosts reach
trap 'stop_machines; ip netns del $NETWORK 2>/dev/null; umount "$disk" 2>/dev/null
	rm -rf --one-file-system "$scratch"' EXIT

make_network()
{
	ip netns add "$NETWORK" &&
		"${network[@]}" ip link add hosts type bridge &&
		"${network[@]}" ip addr add 10.0.0.254/24 dev hosts &&
		"${network[@]}" ip link set hosts up
}

# boot_host NAME - a new machine with its address.
boot_host()
{
	boot "$1" --network-bridge=hosts --bind="$disk:/mnt/archive" &&
		nsenter -t "$leader" -n ip addr add "${ADDRESS[$1]}/24" dev host0 &&
		nsenter -t "$leader" -n ip link set host0 up
}

# on NAME COMMAND... - in the clone of that host.
on()
{
	use "$1" && inside "${@:2}"
}

# runbook HOST NAME [OPTION...] - a part of the guides on that host; sed, with the
# options, puts in what is different there.
runbook()
{
	local text
	text=$(block ha "$2") || return 1
	[ $# -eq 2 ] || text=$(sed "${@:3}" <<<"$text")
	use "$1" && paste_inside "$text"
}

# retry COMMAND... - within two minutes it succeeds.
retry()
{
	local end=$((SECONDS + 120))
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 1
	done
}

# --- the hosts ----------------------------------------------------------------------

# name_is NAME - for sed: the host db1 of the guide is this one.
name_is()
{
	printf '%s\n' "s|--name db1|--name $1|" "s|add db1 |add $1 |" "s|, db1,|, $1,|" \
		"s|=http://10.0.0.1:2380|=http://${ADDRESS[$1]}:2380|"
}

bring_passwords()
{
	install -m 0600 "$scratch/passwords" "$scratch/$1/etc/patroni_env.conf"
}

make_passwords()
{
	runbook "$1" passwords &&
		install -m 0600 "$scratch/$1/etc/patroni_env.conf" "$scratch/passwords"
}

# members ROLE - the hosts that run with it.
members()
{
	local host list
	for host in "${HOSTS[@]}"; do
		list=$("${network[@]}" curl -fs -m 3 \
			"http://${ADDRESS[$host]}:8008/cluster") || continue
		jq -r ".members[] | select(.role == \"$1\" and
			(.state == \"running\" or .state == \"streaming\")) | .name" \
			<<<"$list"
		return
	done
}

# is_whole HOST - it shows what the guide calls healthy.
is_whole()
{
	local role
	runbook "$1" look >"$scratch/look" 2>&1 || return 1
	cat "$scratch/look"
	[ "$(grep -c ' is healthy' "$scratch/look")" = 3 ] || return 1
	for role in Leader "Sync Standby" Replica; do
		[ "$(grep -Ec "\\| $role +\\| (running|streaming) " \
			"$scratch/look")" = 1 ] || return 1
	done
}

shows_three()
{
	[ "$(members leader | wc -l) $(members replica | wc -l)" = "1 2" ]
}

switch_over_from()
{
	runbook "$1" switchover && retry is_whole "$1" && [ "$(members leader)" != "$1" ]
}

# HAProxy's host has every acknowledged move: it is the leader or its standby.
has_all()
{
	local standby
	[ "$(members leader)" != "$1" ] || return 0
	standby=$(members sync_standby)
	[ "$standby" != "$1" ] || return 0
	on "$standby" systemctl stop patroni &&
		retry eval "[ \"\$(members sync_standby)\" = $1 ]" &&
		on "$standby" systemctl start patroni && retry is_whole "$1"
}

# cut HOST... - their plugs are pulled.
cut()
{
	local host
	for host; do
		cut_machine "$host"
	done
}

replace()
{
	local helper=$2
	boot_host "$1" && bring_passwords "$1" &&
		retry runbook "$helper" replace-member "$(name_is "$1")" &&
		runbook "$1" join "$(name_is "$1")"
}

# --- the archive --------------------------------------------------------------------

make_disk()
{
	mkdir "$disk" && mount -t tmpfs -o size=4g tmpfs "$disk"
}

# The first host's settings, with the passphrase, are those of all.
install_archive()
{
	local conf=/etc/gangd/archive.conf
	[ ! -e "$scratch/archive.conf" ] ||
		install -D -m 0640 "$scratch/archive.conf" "$scratch/$1$conf"
	runbook "$1" archive-host && cp "$scratch/$1$conf" "$scratch/archive.conf"
}

archives()
{
	local primary host
	primary=$(members leader)
	runbook "$primary" archive && retry is_whole "$primary" || return 1
	for host in "${HOSTS[@]}"; do
		[ "$host" = "$primary" ] || runbook "$host" archive || return 1
		on "$host" systemctl is-active gangd-archive.timer || return 1
	done
	on "$primary" systemctl start gangd-archive gangd-archive-drill
}

# Between two moves is the moment; all three hosts then have its database.
restore_moment()
{
	local primary host at
	primary=$(members leader)
	move && at=$kept && sleep 1.1 || return 1
	moment=$(date -u '+%Y-%m-%d %H:%M:%S+00')
	sleep 1.1
	move || return 1
	runbook "$primary" recover "s/2026-11-28 10:00:00+00/$moment/" || return 1
	for host in "${DAEMONS[@]}"; do
		on "$host" systemctl stop gangd || return 1
	done
	for host in "${HOSTS[@]}"; do
		[ "$host" = "$primary" ] || on "$host" systemctl stop patroni || return 1
	done
	runbook "$primary" put-moment && retry leads "$primary" || return 1
	for host in "${HOSTS[@]}"; do
		[ "$host" = "$primary" ] || runbook "$host" join-moment || return 1
	done
	for host in "${DAEMONS[@]}"; do
		on "$host" systemctl start gangd || return 1
	done
	retry is_whole "$primary" && retry has_stars "$at" && on "$primary" bash -c \
		'set -a; . /etc/patroni_env.conf
		patronictl -c /etc/patroni/config.yml show-config' >"$scratch/config" &&
		grep 'synchronous_mode_strict: true' "$scratch/config" &&
		grep 'archive_mode: .*on' "$scratch/config" &&
		on "$primary" systemctl start gangd-basebackup gangd-archive-drill
}

leads()
{
	[ "$(members leader)" = "$1" ]
}

# --- the daemons --------------------------------------------------------------------

install_daemon()
{
	grep ^GANGD_ "$scratch/passwords" >"$scratch/$1/root/gangd/passwords"
	runbook "$1" daemon "s/^GANGD_LISTEN=.*/GANGD_LISTEN=${ADDRESS[$1]}:8080/" &&
		! on "$1" test -e passwords &&
		on "$1" sh -c 'echo GANGD_QUOTAS=off >>/etc/gangd/gangd.env &&
			systemctl restart gangd' &&
		on "$1" systemctl is-active gangd gangd-purge.timer
}

install_balancer()
{
	runbook $BALANCER balancer "s/gangd1 10.0.0.1/gangd1 ${ADDRESS[${DAEMONS[0]}]}/
		s/gangd2 10.0.0.2/gangd2 ${ADDRESS[${DAEMONS[1]}]}/" &&
		retry ask /readyz -o /dev/null
}

# Root starts HAProxy, whose process that serves has another user.
balancer_is_unprivileged()
{
	# shellcheck disable=SC2016 # the machine's shell expands
	on $BALANCER sh -c 'for process in /proc/[0-9]*; do
			! grep -qx haproxy "$process/comm" || stat -c %U "$process"
		done' | grep -x haproxy
}

# The templates encrypt nothing, which gangctl check reports; it must report nothing else.
is_well()
{
	runbook "$1" check >"$scratch/well" && return 1
	cat "$scratch/well"
	[ "$(sed -n 's/^  fail *\([^:]*\):.*/\1/p' "$scratch/well" | sort -u |
		xargs)" = "sslmode tls" ]
}

is_dumped()
{
	runbook "$1" dump && on "$1" pg_restore --list gangd.dump | grep 'TABLE DATA gangd game' &&
		[ "$(on "$1" stat -c %a gangd.dump)" = 600 ]
}

# replace_daemon HOST - by one of the later release.
replace_daemon()
{
	runbook "$1" replace-daemon "s/127.0.0.1:8080/${ADDRESS[$1]}:8080/" &&
		[[ $(on "$1" dpkg-query -W -f "\${Version}" gangd) == "$LATER+deb"* ]] &&
		sleep 2 # HAProxy uses it again
}

ask()
{
	"${network[@]}" curl -fs -m 20 --cacert "$root/root/gangd/fullchain.pem" \
		--resolve "$HOST:443:${ADDRESS[$BALANCER]}" "${@:2}" "https://$HOST$1"
}

# The player takes the two chips alternately.  "kept" is what was acknowledged.
move()
{
	local next=1
	[ "$(stars)" != 1 ] || next=2
	take_chip $next >/dev/null && kept=$next && has_stars $next
}

# A move without an answer may still be made.
nobody_moves()
{
	! take_chip $((3 - kept))
}

game_is_there()
{
	[[ $(stars) = [12] ]]
}

version=$(sed -n 's/^  version: //p' api/openapi.yaml)
deploy/local/install.sh nspawn deb run ha
check "the packages are built" make_packages
check "a bare Debian is made" make_root etcd-server etcd-client patroni python3-etcd haproxy
check "there is a network" make_network
check "there is a disk for the archive" make_disk
for host in "${HOSTS[@]}"; do
	check "systemd boots $host" boot_host "$host"
done
check "the passwords are made" make_passwords db1
for host in "${HOSTS[@]}"; do
	check "they are brought to $host" bring_passwords "$host"
	check "$host is installed" runbook "$host" host "$(name_is "$host")"
done
check "the hosts find each other" retry is_whole db1
for host in "${DAEMONS[@]}"; do
	check "$host gets a daemon" install_daemon "$host"
done
check "$BALANCER gets HAProxy" install_balancer
check "which does not serve as root" balancer_is_unprivileged
check "three players begin a game" make_game
check "a move over TLS" move
check "by HTTP/2" speaks_http2
check "gangctl check reports nothing else to fix" is_well "${DAEMONS[0]}"
check "a dump is made" is_dumped "${DAEMONS[0]}"
check "the player moves back" move
for host in "${HOSTS[@]}"; do
	check "$host gets what archives" install_archive "$host"
done
check "the database is archived, and a drill restores it" archives
check "gangctl check reports nothing else to fix" is_well "${DAEMONS[0]}"
check "a moment is restored on three hosts" restore_moment
check "gangctl check reports nothing else to fix" is_well "${DAEMONS[0]}"
check "players go on" retry move
start_asking "${network[@]}" curl --resolve "$HOST:443:${ADDRESS[$BALANCER]}"
for host in "${DAEMONS[@]}"; do
	use "$host" && bring_later_packages
done
check "the later release migrates" runbook "${DAEMONS[0]}" migrate
for host in "${DAEMONS[@]}"; do
	check "the daemon of $host is replaced" replace_daemon "$host"
done
check "no request fails meanwhile" all_were_answered
[ "$(members leader)" != $BALANCER ] ||
	check "another host leads" switch_over_from $BALANCER
lost=$(members leader)
check "a move before the leader is lost" move
cut "$lost"
check "the move is there" retry has_stars "$kept"
check "players go on without $lost" retry move
check "another machine takes its place" replace "$lost" $BALANCER
check "the three are whole again" retry is_whole $BALANCER
check "$BALANCER has every move" has_all $BALANCER
check "a move before two hosts are lost" move
cut db1 db2
check "no player can move" nobody_moves
check "etcd is a cluster of one" runbook $BALANCER alone
check "the host goes on alone" runbook $BALANCER unsafe
check "the game is there" retry game_is_there
check "players go on" retry move
check "a second host is added" replace db1 $BALANCER
check "players go on" retry move
check "a third host is added" replace db2 $BALANCER
check "the list shows three" retry shows_three
check "commits wait for a standby" runbook $BALANCER safe
check "the three are whole again" retry is_whole $BALANCER
check "players go on" retry move
check_blocks deploy/ha/test-install.sh
end
