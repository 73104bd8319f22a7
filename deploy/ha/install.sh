#!/bin/bash
#
# install.sh --name NAME --hosts LIST --network NETWORK [OPTION...] - make a bare
# Debian 12 or 13 one of the three hosts that keep the database: etcd, Patroni and
# PostgreSQL.  README.md says what comes before and after it.
#
#   --name NAME        this host's name in LIST
#   --hosts LIST       db1=10.0.0.1,db2=10.0.0.2,db3=10.0.0.3
#   --network NETWORK  from which the hosts and the daemons come: 10.0.0.0/24
#   --buffers SIZE     PostgreSQL's shared_buffers, a quarter of the memory: 1GB
#   --join             this host replaces one that is lost: etcd knows that
#
# Root runs it.  It can be run again: to finish what an error cut short, or to change
# the network or the buffers.  Data and passwords stay.
set -eu

PASSWORDS=/etc/patroni_env.conf
BOOTSTRAP=/etc/patroni/bootstrap.sh
LEASE=/etc/patroni/patroni-lease.py

here=$(cd "$(dirname "$0")" && pwd)
name='' hosts='' network='' buffers=1GB state=new
address=''

die()
{
	echo "install.sh: $*" >&2
	exit 1
}

read_options()
{
	while [ $# -gt 0 ]; do
		case $1 in
		--join)
			state=existing
			shift
			continue
			;;
		--name | --hosts | --network | --buffers) ;;
		*) die "unexpected argument \"$1\"; expected: --name, --hosts," \
			"--network, --buffers or --join" ;;
		esac
		[ $# -ge 2 ] || die "$1 lacks its value"
		printf -v "${1#--}" %s "$2"
		shift 2
	done
	[[ $hosts =~ ^[a-z0-9-]+=[0-9.]+(,[a-z0-9-]+=[0-9.]+){2}$ ]] ||
		die "--hosts is \"$hosts\"; expected: three names with their" \
			"addresses, as db1=10.0.0.1,db2=10.0.0.2,db3=10.0.0.3"
	address=$(tr , '\n' <<<"$hosts" | awk -F = -v name="$name" '$1 == name { print $2 }')
	[ -n "$address" ] || die "--name is \"$name\"; expected: one of $hosts"
	[[ $network =~ ^[0-9.]+/[0-9]+$ ]] ||
		die "--network is \"$network\"; expected: a network as 10.0.0.0/24"
	[[ $buffers =~ ^[0-9]+[MG]B$ ]] ||
		die "--buffers is \"$buffers\"; expected: a size as 1GB"
}

check_machine()
{
	[ "$(id -u)" -eq 0 ] || die "root must run this"
	[ -d /run/systemd/system ] || die "systemd does not run here"
	# shellcheck source=/dev/null
	case "$(. /etc/os-release && echo "$ID $VERSION_ID")" in
	"debian 12" | "debian 13") ;;
	*) die "this is not Debian 12 or 13" ;;
	esac
	[ -e $PASSWORDS ] || die "$PASSWORDS is missing: make it on the first" \
		"host, and copy it to the others (deploy/ha/README.md)"
	[ "$(grep -Ec '^(PATRONI_(SUPERUSER|REPLICATION|REWIND|RESTAPI)|GANGD_(APP|MIGRATE))_PASSWORD=.' \
		$PASSWORDS)" -eq 6 ] || die "$PASSWORDS lacks a password: make it anew"
	chmod 0600 $PASSWORDS
}

# Debian starts etcd, and a cluster of PostgreSQL, as soon as they are installed.
# Neither may hold data before the hosts have found each other.
install_packages()
{
	local folder=/etc/postgresql-common/createcluster.d policy=/usr/sbin/policy-rc.d
	mkdir -p $folder
	echo 'create_main_cluster = false' >$folder/gangd.conf
	if [ ! -e $policy ]; then
		# shellcheck disable=SC2064 # the path of now
		trap "rm -f $policy" EXIT
		printf '#!/bin/sh\nexit 101\n' >$policy
		chmod 0755 $policy
	fi
	export DEBIAN_FRONTEND=noninteractive
	apt-get -qq update
	apt-get -qq -y --no-install-recommends install postgresql etcd-server \
		etcd-client patroni python3-etcd curl >/dev/null
}

# The version of this host's data, or else the newest.
find_postgresql()
{
	PG=$(find /var/lib/postgresql -mindepth 2 -maxdepth 2 -name gangd \
		-printf '%P\n' | cut -d / -f 1 | sort -V | tail -n 1)
	[ -n "$PG" ] || PG=$(find /usr/lib/postgresql -mindepth 1 -maxdepth 1 \
		-printf '%f\n' | sort -V | tail -n 1)
}

# members SUFFIX - the hosts' addresses, each followed by SUFFIX.
members()
{
	tr , '\n' <<<"$hosts" | sed "s/.*=//; s/\$/$1/" | paste -sd,
}

# list_members ENDPOINT - the members of etcd, each with its name and its address.  With
# a member that was added but has not joined, a cluster of one has no majority: etcd 3.5
# answers such a request only with the option not to ask the others.
list_members()
{
	ETCDCTL_API=3 etcdctl --endpoints "$1" member list 2>/dev/null ||
		curl -fsS -m 5 -d '{"linearizable": false}' \
			"http://$1/v3/cluster/member/list" | python3 -c '
import json, sys
for each in json.load(sys.stdin)["members"]:
    print("-", "-", each.get("name", ""), each["peerURLs"][0], sep=", ")'
}

# The members of etcd: those that the hosts become, or those that this host joins.
peers()
{
	local other list
	if [ $state = new ]; then
		sed 's|=|=http://|g; s|,|:2380,|g; s|$|:2380|' <<<"$hosts"
		return
	fi
	for other in $(members :2379 | tr , ' '); do
		[ "$other" != "$address:2379" ] || continue
		list=$(list_members "$other") && break
	done
	# A member that has not been started has no name yet.
	awk -F ', ' -v name="$name" '{ print ($3 == "" ? name : $3) "=" $4 }' \
		<<<"$list" | paste -sd, | grep "$name=http://$address:" ||
		die "etcd knows no member at $address: add it first" \
			"(deploy/ha/README.md, \"Replace a host\")"
}

# A template of this folder, with the names between @ replaced.
fill()
{
	sed -e "/^#/!s|@NAME@|$name|g; /^#/!s|@ADDRESS@|$address|g" \
		-e "/^#/!s|@MEMBERS@|$peers|" \
		-e "s|@ETCD_HOSTS@|$(members :2379)|; s|@NETWORK@|$network|" \
		-e 's|@ETCD_PORT@|2379|; s|@PEER_PORT@|2380|; s|@REST_PORT@|8008|' \
		-e "s|@PG_PORT@|5432|; s|@ETCD_DATA@|/var/lib/etcd/default|" \
		-e "s|@BOOTSTRAP@|$BOOTSTRAP|; s|@PG_BIN@|/usr/lib/postgresql/$PG/bin|" \
		-e "s|@PG_DATA@|/var/lib/postgresql/$PG/gangd|" \
		-e 's|@PGPASS@|/var/lib/postgresql/.pgpass.patroni|' \
		-e "s|@SOCKET@|/var/run/postgresql|; s|@SHARED_BUFFERS@|$buffers|" \
		-e "s|^\(ETCD_INITIAL_CLUSTER_STATE=\).*|\1$state|" "$here/$1"
}

# The service starts Patroni by patroni-lease.py.
use_lease()
{
	local folder=/etc/systemd/system/patroni.service.d
	install -D -m 0755 "$here/patroni-lease.py" $LEASE
	mkdir -p $folder
	printf '%s\n' '[Service]' ExecStart= \
		"ExecStart=$LEASE /etc/patroni/config.yml" >$folder/gangd.conf
	systemctl daemon-reload
}

# The two find the other hosts by themselves, in any order.
start()
{
	systemctl -q enable etcd patroni
	systemctl --no-block restart etcd patroni
}

read_options "$@"
check_machine
echo "gangd: installing the packages"
install_packages
find_postgresql
peers=$(peers)
install -D -m 0755 "$here/bootstrap.sh" $BOOTSTRAP
use_lease
fill etcd.env >/etc/default/etcd
fill patroni.yml >/etc/patroni/config.yml
start
echo "gangd: $name is starting; when all three hosts run,"
echo "    patronictl -c /etc/patroni/config.yml list"
echo "shows a Leader, a Sync Standby and a Replica"
