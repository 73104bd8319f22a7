#!/bin/bash
#
# install.sh --proxy nginx|caddy|haproxy --host NAME [OPTION...] - make a bare
# Debian 12 or 13 serve gangd at https://NAME: PostgreSQL behind its own socket, the
# daemon, a proxy with TLS, and timers for backups, drills and purging.
#
#   --certificate FILE --key FILE  a certificate with its chain, and its key (PEM)
#   --self-signed                  make a certificate that no client trusts by
#                                  default: for trying it out
#   --packages FOLDER              gangd_*.deb and gangctl_*.deb of "make deb";
#                                  without it they are built here
#
# Caddy needs neither certificate nor --self-signed: it gets a certificate by ACME
# and renews it, if NAME leads to this server from the internet.
#
# Root runs it.  It can be run again: to finish what an error cut short, to change
# the name or the proxy.  Games, backups and edited files in /etc/gangd stay.
set -eu

LIBRARY=/usr/lib/gangd
READY_SECONDS=60

here=$(cd "$(dirname "$0")" && pwd)
proxy='' host='' certificate='' key='' packages='' self_signed=''

die()
{
	echo "install.sh: $*" >&2
	exit 1
}

say()
{
	echo "gangd: $*"
}

read_options()
{
	while [ $# -gt 0 ]; do
		case $1 in
		--self-signed)
			self_signed=yes
			shift
			continue
			;;
		--proxy | --host | --certificate | --key | --packages) ;;
		*) die "unexpected argument \"$1\"; expected: --proxy, --host," \
			"--certificate, --key, --self-signed or --packages" ;;
		esac
		[ $# -ge 2 ] || die "$1 lacks its value"
		printf -v "${1#--}" %s "$2"
		shift 2
	done
	case $proxy in
	nginx | caddy | haproxy) ;;
	*) die "--proxy is \"$proxy\"; expected: nginx, caddy or haproxy" ;;
	esac
	[[ $host =~ ^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$ ]] ||
		die "--host is \"$host\"; expected: the name that clients use"
	[ "${certificate:+given}" = "${key:+given}" ] ||
		die "--certificate and --key go together"
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
}

find_packages()
{
	if [ -z "$packages" ]; then
		packages=$here/../../build/deb
		"$here/../deb/build.sh" "$packages"
	fi
	packages=$(readlink -e "$packages") || die "no such folder"
	debs=("$packages"/gangctl_*.deb "$packages"/gangd_*.deb)
	[[ ${#debs[@]} -eq 2 && -e ${debs[0]} && -e ${debs[1]} ]] ||
		die "$packages must hold one gangctl_*.deb and one gangd_*.deb"
}

install_packages()
{
	export DEBIAN_FRONTEND=noninteractive
	apt-get -qq update
	apt-get -qq -y --no-install-recommends install postgresql "$proxy" \
		ca-certificates curl logrotate openssl procps >/dev/null
	apt-get -qq -y --no-install-recommends -o Dpkg::Options::=--force-confold \
		install "${debs[@]}" >/dev/null
}

# The system users that PostgreSQL authenticates by the socket.
make_users()
{
	install -D -m 0644 "$here/sysusers.conf" /etc/sysusers.d/gangd.conf
	systemd-sysusers gangd.conf
	install -d -m 0700 -o gangd-backup -g gangd-backup /var/lib/gangd-backup
}

# mark FILE first|last - replace our part of a file by stdin.
mark()
{
	local ours rest
	ours=$'# begin gangd\n'$(cat)$'\n# end gangd'
	rest=$(sed '/^# begin gangd$/,/^# end gangd$/d' "$1")
	if [ "$2" = first ]; then
		printf '%s\n%s\n' "$ours" "$rest" >"$1"
	else
		printf '%s\n%s\n' "$rest" "$ours" >"$1"
	fi
}

# The version of the cluster "main"; if there are several, the newest.
find_cluster()
{
	pg_lsclusters -h | awk '$2 == "main" { print $1 }' | sort -V | tail -n 1
}

set_up_database()
{
	[ -n "$(find_cluster)" ] || pg_createcluster \
		"$(find /usr/lib/postgresql -mindepth 1 -maxdepth 1 -printf '%f\n' |
			sort -V | tail -n 1)" main -- --data-checksums >/dev/null
	PG=$(find_cluster)
	CLUSTER=/etc/postgresql/$PG/main
	install -m 0644 "$here/../local/postgresql.conf" \
		"$CLUSTER/conf.d/gangd.conf"
	# The first matching line wins.
	mark "$CLUSTER/pg_hba.conf" first <<-'EOT'
	local gangd gangd_app,gangd_push,gangd_migrate,gangd_backup peer map=gangd
	local gangd_restored gangd_migrate peer map=gangd
	EOT
	mark "$CLUSTER/pg_ident.conf" last <<-'EOT'
	gangd gangd gangd_app
	gangd gangd-push gangd_push
	gangd gangd-backup gangd_backup
	gangd root gangd_app
	gangd root gangd_push
	gangd root gangd_migrate
	gangd postgres gangd_migrate
	EOT
	systemctl -q enable "postgresql@$PG-main"
	systemctl restart "postgresql@$PG-main"
	runuser -u postgres -- psql -X -q -v ON_ERROR_STOP=1 -d postgres \
		<"$here/roles.sql"
}

migrate()
{
	(
		set -a
		# shellcheck source=/dev/null
		. /etc/gangd/gangctl.env
		gangctl migrate
	)
	runuser -u postgres -- psql -X -q -v ON_ERROR_STOP=1 -d gangd \
		<"$LIBRARY/push-role.sql"
}

# Its user cannot log in as another role.
give_push_its_role()
{
	grep -q '^GANGD_DATABASE_URL=' /etc/gangd/push.env ||
		sed -i 's/^#GANGD_DATABASE_URL=/GANGD_DATABASE_URL=/' /etc/gangd/push.env
}

set_up_units()
{
	local unit name
	for unit in gangd gangd-push gangd-purge; do
		install -D -m 0644 "$here/$unit.conf" \
			"/etc/systemd/system/$unit.service.d/one-server.conf"
	done
	install -m 0644 -t /etc/systemd/system "$here"/gangd-{backup,drill}.{service,timer}
	install -D -m 0644 "$here/journald.conf" \
		/etc/systemd/journald.conf.d/gangd.conf
	for name in backup certificate drill restore upgrade; do
		install -m 0755 "$here/$name.sh" "/usr/local/sbin/gangd-$name"
	done
	give_push_its_role
	"$here/../archive/install.sh" "/var/lib/postgresql/$PG/main"
	systemctl daemon-reload
	systemctl restart systemd-journald
	systemctl -q enable gangd gangd-push
	systemctl restart gangd gangd-push
	systemctl -q enable --now gangd-purge.timer gangd-backup.timer \
		gangd-drill.timer logrotate.timer
}

make_certificate()
{
	local folder
	folder=$(mktemp -d)
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
		-days 365 -subj "/CN=$host" -addext "subjectAltName=DNS:$host" \
		-out "$folder/certificate" -keyout "$folder/key" 2>/dev/null
	/usr/local/sbin/gangd-certificate "$folder/certificate" "$folder/key"
	rm -r "$folder"
}

# A proxy that this script has set up before is replaced.
stop_other_proxy()
{
	local other
	other=$(sed -n 's/^PROXY=//p' /etc/gangd/one-server 2>/dev/null) || true
	[ -z "$other" ] || [ "$other" = "$proxy" ] ||
		systemctl -q disable --now "$other"
	printf 'PROXY=%s\nHOST=%s\n' "$proxy" "$host" >/etc/gangd/one-server
}

set_up_proxy()
{
	local tls=/etc/gangd/tls certificates file user=''
	stop_other_proxy
	if [ -n "$certificate" ]; then
		/usr/local/sbin/gangd-certificate "$certificate" "$key"
	elif [ -n "$self_signed" ]; then
		make_certificate
	elif [ "$proxy" != caddy ] && [ ! -e $tls/both.pem ]; then
		die "$proxy needs --certificate and --key, or --self-signed"
	fi
	certificates="tls $tls/certificate.pem $tls/key.pem"
	[ -e $tls/both.pem ] || certificates='# Caddy gets a certificate itself.'
	case $proxy in
	nginx) file=nginx.conf run=/run ;;
	caddy) file=Caddyfile run=/var/lib/caddy ;;
	haproxy) file=haproxy.cfg run=/run user='user haproxy\n\tgroup haproxy' ;;
	esac
	sed -e "s|@HOST@|$host|g" -e 's|@HTTP_PORT@|80|g; s|@HTTPS_PORT@|443|g' \
		-e 's|@DAEMON@|127.0.0.1:8080|g; s|@SPARE@|127.0.0.1:8081|g' \
		-e "s|@CERTIFICATE@|$tls/certificate.pem|g; s|@KEY@|$tls/key.pem|g" \
		-e "s|@BOTH@|$tls/both.pem|g; s|@TLS@|$certificates|g" \
		-e "s|@RUN@|$run|g; s|@LOG@|/var/log/nginx/error.log|g; s|@USER@|$user|g" \
		-e 's|@CONNECTIONS@|20000|g; s|@FILES@|65536|g' \
		"$here/$file" >"/etc/$proxy/$file"
	systemctl -q enable "$proxy"
	systemctl restart "$proxy"
}

await_ready()
{
	local tries=$((READY_SECONDS * 5))
	until curl -fsko /dev/null -m 2 --resolve "$host:443:127.0.0.1" \
		"https://$host/readyz"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || die "https://$host/readyz does not answer:" \
			"see journalctl -u gangd -u $proxy"
		sleep 0.2
	done
}

read_options "$@"
check_machine
find_packages
certificate=${certificate:+$(readlink -e "$certificate")}
key=${key:+$(readlink -e "$key")}
cd / # where the users of the database may be, too
say "installing the packages"
install_packages
make_users
say "setting up the database"
set_up_database
migrate
say "setting up the daemon and $proxy"
set_up_units
set_up_proxy
await_ready
systemctl start gangd-backup
systemctl start gangd-drill
say "https://$host is served; the first backup is made and was restored for a test"
