#!/bin/bash
#
# gangd-upgrade FOLDER - install the gangctl_*.deb and gangd_*.deb of a folder
# without losing a request: a spare daemon of the present release serves while the
# schema is migrated and the daemon is replaced.  The release notes say when a
# release needs a stop instead.
#
# gangd-upgrade --restart - restart the daemon in the same way, after a change of its
# settings or keys.  The spare has the new settings already.
set -eu

SPARE=/run/systemd/system/gangd-spare.service
READY_SECONDS=60

die()
{
	echo "gangd-upgrade: $*" >&2
	exit 1
}

await_ready()
{
	local tries=$((READY_SECONDS * 10))
	until curl -fso /dev/null -m 2 "http://127.0.0.1:$1/readyz"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || die "the daemon at port $1 does not get ready"
		sleep 0.1
	done
	# The proxy looks at /readyz too, and needs a moment for it.
	sleep 2
}

# The unit as it is installed, at another port.
start_spare()
{
	local source
	source=$(systemctl show -P FragmentPath gangd)
	mkdir -p $SPARE.d
	sed '/^EnvironmentFile=/a EnvironmentFile=/run/gangd-spare.env' "$source" \
		>$SPARE
	# No metrics: their address is the daemon's, and a second program at
	# that address does not start.
	printf '%s\n' GANGD_LISTEN=127.0.0.1:8081 GANGD_METRICS_LISTEN= \
		>/run/gangd-spare.env
	cp /etc/systemd/system/gangd.service.d/*.conf $SPARE.d/
	systemctl daemon-reload
	systemctl start gangd-spare
	await_ready 8081
}

stop_spare()
{
	systemctl stop gangd-spare
	rm -rf $SPARE $SPARE.d /run/gangd-spare.env
	systemctl daemon-reload
}

install_packages()
{
	local folder debs new
	folder=$(readlink -e "$1") || die "no such folder: $1"
	debs=("$folder"/gangctl_*.deb "$folder"/gangd_*.deb)
	[[ ${#debs[@]} -eq 2 && -e ${debs[0]} && -e ${debs[1]} ]] ||
		die "$folder must hold one gangctl_*.deb and one gangd_*.deb"
	new=$(mktemp -d)
	# shellcheck disable=SC2064 # the folder of now
	trap "rm -rf '$new'" EXIT
	dpkg-deb -x "${debs[0]}" "$new"
	dpkg-deb -x "${debs[1]}" "$new"
	start_spare
	(
		set -a
		# shellcheck source=/dev/null
		. /etc/gangd/gangctl.env
		"$new/usr/bin/gangctl" migrate
	)
	# The role may need grants on new tables.
	runuser -u postgres -- psql -X -q -v ON_ERROR_STOP=1 -d gangd \
		<"$new/usr/lib/gangd/push-role.sql"
	# The package restarts the daemon.
	DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
		-o Dpkg::Options::=--force-confold install "${debs[@]}" >/dev/null
}

[[ $# -eq 1 && $(id -u) -eq 0 ]] || {
	echo "usage, as root: gangd-upgrade FOLDER | --restart" >&2
	exit 2
}
if [ "$1" = --restart ]; then
	start_spare
	systemctl restart gangd
	systemctl try-restart gangd-push
else
	install_packages "$1"
fi
await_ready 8080
stop_spare
gangd --version
