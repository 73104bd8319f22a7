#!/bin/bash
#
# test-debian13.sh [COMMAND...] - the README's two commands on a bare Debian 13, by an
# ordinary user who may use sudo: make run, then make test.  Then a cluster that an
# earlier PostgreSQL has made is kept, and moved.  COMMAND, which runs tests, takes the
# place of make test and of what follows.  Root runs it.
#
# Its last line has the tests of make test in it.  The viewer of /docs comes from this
# machine, since it takes npm's registry; all else from Debian's mirror.
set -eu

export SUITE=trixie
EARLIER=bookworm # the release that has the earlier PostgreSQL
READY_SECONDS=900

cd "$(dirname "$0")/../.."
. deploy/local/debian.sh
begin debian13
root=$scratch/root
trap 'rm -rf --one-file-system "$scratch"' EXIT

# For a shell with mounts of its own: go to the root $1 as the user $2, and run the
# script $3 there, in the clone, with the other arguments.
# shellcheck disable=SC2016 # that shell expands it
enter='
	mount -t proc proc "$1/proc"
	mount --rbind /dev "$1/dev"
	mount -t tmpfs tmpfs "$1/dev/shm"
	exec chroot --userspec="$2:$2" "$1" env -i HOME="/home/$2" USER="$2" \
		PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
		DEBIAN_FRONTEND=noninteractive bash -eu -o pipefail -c \
		"cd /home/player/gangd; $3" bash "${@:4}"'

# inside USER SCRIPT [ARGUMENT...] - its processes end with it.
inside()
{
	unshare --mount --pid --fork --kill-child --propagation private \
		bash -eu -c "$enter" bash "$root" "$@"
}

make_root()
{
	make_debian "$root" --include=ca-certificates,git,make,sudo || return 1
	cp /etc/resolv.conf "$root/etc/resolv.conf"
	echo "127.0.0.1 localhost $(uname -n)" >"$root/etc/hosts"
	chroot "$root" useradd -m -s /bin/bash player
	echo 'player ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/player"
	deploy/local/viewer.sh
	git clone -q . "$root/home/player/gangd"
	cp -a api/docs/node_modules "$root/home/player/gangd/api/docs/"
	touch "$root/home/player/gangd/api/docs/node_modules/.package-lock.json"
	chroot "$root" chown -R player: /home/player/gangd
}

# It installs, builds, makes a cluster and serves, until it is stopped.
make_run_serves()
{
	# shellcheck disable=SC2016 # for the shell inside
	inside player '
		set -m
		make run >run.log 2>&1 &
		for ((tries = 0; tries < $1; tries++)); do
			! curl -fsS http://127.0.0.1:8080/readyz || break
			kill -0 $! || break
			sleep 1
		done 2>/dev/null
		curl -fsS -o /dev/null -w "%{http_code}\n" http://127.0.0.1:8080/ \
			http://127.0.0.1:8080/docs http://127.0.0.1:8080/openapi.json
		kill -INT -- -$!
		wait $! || true
		tail -n 3 run.log' $READY_SECONDS
}

# Show what has failed, and count its tests.
run_tests()
{
	local p f
	# shellcheck disable=SC2016
	inside player 'export AGAIN=$1 SLOWNESS=$2; "${@:3}"' "${AGAIN-}" "${SLOWNESS-1}" \
		"$@" 2>&1 | tee "$scratch/tests" || true
	read -r p f < <(awk '/^[0-9]+ passed, [0-9]+ failed$/ { p = $1; f = $3 }
		END { print p + 0, f + 0 }' "$scratch/tests")
	passed=$((passed + p)) failed=$((failed + f))
	[ "$p" -gt 0 ] || failed=$((failed + 1))
}

# The newest PostgreSQL is out of sight when the cluster is made.
make_earlier_cluster()
{
	echo "deb $MIRROR $EARLIER main" >"$root/etc/apt/sources.list.d/earlier.list"
	# shellcheck disable=SC2016
	inside root '
		mkdir -p /etc/postgresql-common/createcluster.d
		echo "create_main_cluster = false" \
			>/etc/postgresql-common/createcluster.d/test.conf
		apt-get -qq update
		apt-get -qq -y --no-install-recommends install postgresql-15
		newest=$(ls /usr/lib/postgresql | sort -n | tail -n 1)
		mv /usr/lib/postgresql/$newest /root/
		runuser -u player -- bash -eu -c "
			mkdir moved
			eval \"\$(deploy/local/cluster.sh start moved)\"
			export GANGD_DATABASE_URL GANGD_MIGRATE_URL
			build/bin/gangctl migrate
			psql -X -q \"\$GANGD_MIGRATE_URL\" -c \"CREATE TABLE gangd.mark ()\"
			deploy/local/cluster.sh stop moved"
		mv /root/$newest /usr/lib/postgresql/
		test "$(cat moved/data/PG_VERSION)" = 15'
}

# Without the programs of its version it is neither served nor overwritten.
earlier_cluster_is_explained()
{
	# shellcheck disable=SC2016
	inside root '
		before=$(cd moved && find . -type f | sort | xargs sha256sum)
		mv /usr/lib/postgresql/15 /root/
		said=$(runuser -u player -- deploy/local/cluster.sh start moved 2>&1) &&
			exit 1
		mv /root/15 /usr/lib/postgresql/
		echo "$said"
		[[ $said == *"PostgreSQL 15"*"cluster.sh move"* ]]
		test "$before" = "$(cd moved && find . -type f | sort | xargs sha256sum)"'
}

earlier_cluster_is_moved()
{
	# shellcheck disable=SC2016
	inside player '
		deploy/local/cluster.sh move moved
		eval "$(deploy/local/cluster.sh start moved)"
		psql -XAt "$GANGD_MIGRATE_URL" -c "SELECT count(*) FROM gangd.mark" \
			-c "SHOW server_version"
		deploy/local/cluster.sh stop moved
		test "$(cat moved/data/PG_VERSION)" -gt 15
		test "$(cat moved/data.15/PG_VERSION)" = 15'
}

deploy/local/install.sh nspawn
check "a bare Debian 13 is made" make_root
check "make run installs, builds and serves" make_run_serves
if [ $# -gt 0 ]; then
	run_tests "$@"
	end
	exit
fi
run_tests make test
check "an earlier PostgreSQL makes a cluster" make_earlier_cluster
check "without its programs it is explained, and kept" earlier_cluster_is_explained
check "with them it is moved" earlier_cluster_is_moved
end
