# shellcheck shell=bash
# debian.sh - what tests on a bare Debian share (test.sh of deb/, one-server/ and
# containers/, test-install.sh of ha/), which read it in the project's root.  Root
# runs them.  They take Debian's mirror.

MIRROR=${MIRROR:-http://deb.debian.org/debian}
SUITE=${SUITE:-bookworm}
passed=0 failed=0

# begin NAME - make the folder "scratch", which the caller deletes.
begin()
{
	[ "$(id -u)" -eq 0 ] || {
		echo "gangd: root makes a bare Debian: run this as root" >&2
		exit 1
	}
	scratch=$(mktemp -d "/var/tmp/gangd-$1.XXXXXX")
	trap 'exit 1' HUP INT TERM
}

# block KIND NAME - a part of the guides: the shell below its comment.
block()
{
	python3 tests/harness/guide.py "$1" "$2" && echo "$1: $2" >>"$scratch/given"
}

# check_blocks SCRIPT - each part of the guides that the script asks for was given out.
check_blocks()
{
	check "each block of the guides that $1 names was run" \
		python3 tests/harness/guide.py --forgotten "$1" "$scratch/given"
}

# check WHAT COMMAND... - a test: the command must succeed.  "proxy" names the
# machine that it is about, if there are several.
check()
{
	local what=${proxy:+$proxy: }$1
	if "${@:2}" >"$scratch/said" 2>&1; then
		echo "ok: $what"
		passed=$((passed + 1))
	else
		echo "FAILED: $what"
		tail -n 25 "$scratch/said" | sed 's/^/        | /'
		failed=$((failed + 1))
	fi
}

# make_debian FOLDER [OPTION...] - the least that debootstrap makes.
make_debian()
{
	debootstrap --variant=minbase "${@:2}" "$SUITE" "$1" "$MIRROR" \
		>"$scratch/debootstrap" 2>&1 || {
		tail -n 20 "$scratch/debootstrap" >&2
		return 1
	}
}

# build_packages OUT [VERSION] - what deploy/deb/build.sh makes on a Debian of this
# suite: here, or in a bare one if this machine has another.
build_packages()
{
	local out=$1 builder=$scratch/builder
	# shellcheck source=/dev/null
	[ "$(. /etc/os-release && echo "$VERSION_CODENAME")" != "$SUITE" ] || {
		deploy/deb/build.sh "$@"
		return
	}
	if [ ! -d "$builder" ]; then
		make_debian "$builder" --include=ca-certificates,git || return 1
		cp /etc/resolv.conf "$builder/etc/resolv.conf"
	fi
	rm -rf "$builder/root/gangd"
	git clone -q . "$builder/root/gangd"
	deploy/local/viewer.sh
	cp -a api/docs/node_modules "$builder/root/gangd/api/docs/"
	touch "$builder/root/gangd/api/docs/node_modules/.package-lock.json"
	env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root \
		DEBIAN_FRONTEND=noninteractive chroot "$builder" \
		/root/gangd/deploy/deb/build.sh /root/out "${@:2}" || return 1
	mkdir -p "$out"
	mv "$builder"/root/out/* "$out/"
}

# The counts; false if a test failed.
end()
{
	echo "$passed passed, $failed failed"
	[ $failed -eq 0 ]
}
