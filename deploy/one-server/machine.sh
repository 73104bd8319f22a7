# shellcheck shell=bash disable=SC2154 # "scratch", "root" and the like are test.sh's
# machine.sh - a bare Debian that a real systemd boots (systemd-nspawn), and what is
# run in it.  test.sh reads it, behind deploy/local/debian.sh.

SECURITY=${SECURITY:-http://deb.debian.org/debian-security}
PACKAGES=(postgresql-15 nginx caddy haproxy ca-certificates curl jq logrotate openssl procps
	libmicrohttpd12 libjson-c5 libpq5 libsodium23 libunistring2)
WEBHOOK=http://127.0.0.1:9000/
leader= # the first process of the machine; empty: none runs

stop_machine()
{
	[ -n "$leader" ] || return 0
	kill -TERM "$nspawn" 2>/dev/null || true
	wait "$nspawn" 2>/dev/null || true
	leader=
}

# The packages of this commit, and the same as if they were of a later release.
make_packages()
{
	local deb
	deploy/deb/build.sh "$scratch/packages" || return 1
	mkdir "$scratch/later"
	for deb in "$scratch"/packages/*.deb; do
		dpkg-deb -R "$deb" "$scratch/open"
		sed -i "s/$version/$LATER/" "$scratch/open/DEBIAN/control"
		dpkg-deb --root-owner-group -b "$scratch/open" \
			"$scratch/later/$(basename "${deb/$version/$LATER}")"
		rm -r "$scratch/open"
	done
}

make_root()
{
	make_debian "$root" --include=systemd-sysv,dbus || return 1
	cp /etc/resolv.conf "$root/etc/resolv.conf"
	printf 'deb %s\n' "$MIRROR $SUITE main" "$MIRROR $SUITE-updates main" \
		"$SECURITY $SUITE-security main" >"$root/etc/apt/sources.list"
	chroot "$root" apt-get -qq update || return 1
	mkdir -p "$root/packages/partial"
	chroot "$root" apt-get -qq -y --no-install-recommends --download-only \
		-o Dir::Cache::archives=/packages/ \
		-o APT::Keep-Downloaded-Packages=true install "${PACKAGES[@]}" ||
		return 1
	(cd "$root/packages" && dpkg-scanpackages . >Packages 2>"$scratch/scan") ||
		return 1
	echo 'deb [trusted=yes] file:/packages ./' >"$root/etc/apt/sources.list"
	rm -rf "$root"/var/lib/apt/lists/*
	echo "127.0.0.1 localhost $HOST" >"$root/etc/hosts"
	mkdir -p "$root/root/gangd/build/deb" "$root/root/gangd/build/later"
	git archive HEAD deploy | tar -x -C "$root/root/gangd"
	cp "$scratch"/packages/*.deb "$root/root/gangd/build/deb"
	cp "$scratch"/later/*.deb "$root/root/gangd/build/later"
	make_certificate fullchain.pem privkey.pem &&
		make_certificate bought.pem bought-key.pem
}

# make_certificate CERTIFICATE KEY - in the machine's clone of the project.
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

# A part of the runbook, by its name: the block of shell below its comment.
runbook()
{
	local text
	text=$(awk -v mark="<!-- one-server: $1 -->" '
		$0 == mark { found = 1 }
		/^```$/ && inside { exit }
		inside { print }
		found && /^```sh$/ { inside = 1 }' deploy/README.md)
	[ -n "$text" ] || {
		echo "the runbook has no part $1"
		return 1
	}
	text=${text//--proxy nginx/--proxy $proxy}
	inside bash -eux -o pipefail -c "${text//https:\/\/poker.example\/hooks\/gang/$WEBHOOK}"
}

boot()
{
	local machine=$scratch/machine tries
	rm -rf --one-file-system "$machine"
	cp -a "$root" "$machine"
	setsid systemd-nspawn --quiet --boot --directory="$machine" --register=no \
		--keep-unit --private-network --console=pipe </dev/null \
		>"$scratch/console" 2>&1 &
	nspawn=$!
	for ((tries = 0; tries < 300; tries++)); do
		leader=$(pgrep -P $nspawn -x systemd) && break
		kill -0 $nspawn 2>/dev/null || break
		sleep 0.1
	done
	[ -n "$leader" ] || {
		cat "$scratch/console"
		return 1
	}
	until inside systemctl is-system-running --wait; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || return 1
		sleep 0.1
	done
}
