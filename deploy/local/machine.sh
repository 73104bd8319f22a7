# shellcheck shell=bash disable=SC2154 # "scratch", "root" and the like are test.sh's
# machine.sh - bare Debians that a real systemd boots (systemd-nspawn), and what is run
# in them.  A test reads it, after deploy/local/debian.sh.  It sets LATER, the version
# of the newer packages, and HOST, the name that clients use.
#
# A machine has only the network that the test gives it: its packages come from a folder.

SECURITY=${SECURITY:-http://deb.debian.org/debian-security}
# Packages in addition to the dependencies of gangd's own, and those that tests use.
NEEDS=(postgresql ca-certificates curl jq logrotate openssl pgbackrest procps)
leader= # the first process of the machine that "inside" is about; empty if none runs
declare -A leaders=() nspawns=()
network=() # the command that enters the network of the machines, if they share one

# use NAME - "inside" is about this machine.
use()
{
	leader=${leaders[$1]-}
	[ -n "$leader" ]
}

# stop_machine NAME - shut it down.
stop_machine()
{
	[ -n "${nspawns[$1]-}" ] || return 0
	kill -TERM "${nspawns[$1]}" 2>/dev/null || true
	wait "${nspawns[$1]}" 2>/dev/null || true
	unset "leaders[$1]" "nspawns[$1]"
	leader=
}

# cut_machine NAME - its plug is pulled.
cut_machine()
{
	[ -z "${leaders[$1]-}" ] || kill -KILL "${leaders[$1]}"
	stop_machine "$1"
}

stop_machines()
{
	local name
	for name in "${!nspawns[@]}"; do
		stop_machine "$name"
	done
}

# The packages of this commit, and the same as if they were of a later release.
make_packages()
{
	local deb
	build_packages "$scratch/packages" || return 1
	mkdir "$scratch/later"
	for deb in "$scratch"/packages/*.deb; do
		dpkg-deb -R "$deb" "$scratch/open"
		sed -i "s/$version/$LATER/" "$scratch/open/DEBIAN/control"
		dpkg-deb --root-owner-group -b "$scratch/open" \
			"$scratch/later/$(basename "${deb/$version/$LATER}")"
		rm -r "$scratch/open"
	done
}

# make_root PACKAGE... - what the machines are copies of: a bare Debian, whose apt
# finds these packages and NEEDS, with the project's folder deploy and its packages.
make_root()
{
	make_debian "$root" --include=systemd-sysv,dbus || return 1
	cp /etc/resolv.conf "$root/etc/resolv.conf"
	printf 'deb %s\n' "$MIRROR $SUITE main" "$MIRROR $SUITE-updates main" \
		"$SECURITY $SUITE-security main" >"$root/etc/apt/sources.list"
	chroot "$root" apt-get -qq update || return 1
	mkdir -p "$root/packages/partial" "$root/ours"
	cp "$scratch"/packages/*.deb "$root/ours/"
	local ours=("$root"/ours/*.deb)
	chroot "$root" apt-get -qq -y --no-install-recommends --download-only \
		-o Dir::Cache::archives=/packages/ \
		-o APT::Keep-Downloaded-Packages=true install "${NEEDS[@]}" "$@" \
		"${ours[@]/#$root/.}" || return 1
	rm -r "$root/ours"
	(cd "$root/packages" && dpkg-scanpackages . >Packages 2>"$scratch/scan") ||
		return 1
	echo 'deb [trusted=yes] file:/packages ./' >"$root/etc/apt/sources.list"
	rm -rf "$root"/var/lib/apt/lists/*
	echo "127.0.0.1 localhost $HOST" >"$root/etc/hosts"
	mkdir -p "$root/root/gangd/build/deb" "$root/root/gangd/build/later"
	git archive HEAD deploy | tar -x -C "$root/root/gangd"
	cp "$scratch"/packages/*.deb "$root/root/gangd/build/deb"
	cp "$scratch"/later/*.deb "$root/root/gangd/build/later"
	make_certificate fullchain.pem privkey.pem
}

# make_certificate CERTIFICATE KEY - in the machines' clone of the project.
make_certificate()
{
	(cd "$root/root/gangd" && openssl req -x509 -newkey ec -pkeyopt \
		ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=$HOST" \
		-addext "subjectAltName=DNS:$HOST" -out "$1" -keyout "$2" 2>/dev/null)
}

# In the machine, in a clone of the project.
inside()
{
	nsenter -t "$leader" -a env -i PATH=/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin \
		LC_ALL=C.UTF-8 HOME=/root bash -c 'cd /root/gangd && "$@"' bash "$@"
}

# In the machine, a script as an operator pastes it.
paste_inside()
{
	inside bash -eux -o pipefail -c "$1"
}

# The newer packages replace the others.
bring_later_packages()
{
	inside sh -c 'rm build/deb/* && mv build/later/* build/deb'
}

# boot NAME [OPTION...] - a new machine; the options are those of systemd-nspawn.
boot()
{
	local machine=$scratch/$1 tries nspawn
	rm -rf --one-file-system "$machine"
	cp -a "$root" "$machine"
	setsid "${network[@]}" systemd-nspawn --quiet --boot \
		--directory="$machine" --register=no --keep-unit \
		--private-network --console=pipe "${@:2}" </dev/null \
		>"$scratch/console-$1" 2>&1 &
	nspawn=$!
	nspawns[$1]=$nspawn
	leader=
	for ((tries = 0; tries < 300; tries++)); do
		leader=$(pgrep -P $nspawn -x systemd) && break
		kill -0 $nspawn 2>/dev/null || break
		sleep 0.1
	done
	[ -n "$leader" ] || {
		cat "$scratch/console-$1"
		return 1
	}
	leaders[$1]=$leader
	until inside systemctl is-system-running --wait; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || return 1
		sleep 0.1
	done
}
