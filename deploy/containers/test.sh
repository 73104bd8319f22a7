#!/bin/bash
#
# test.sh - build the images on a bare Debian (debootstrap) in place of the image of
# a registry, run compose.yaml with them by podman and runc, and play.  Root runs
# it.  It takes Debian's mirror.  Images, networks and ports are in a folder and a
# network namespace of their own.
set -eu

HOST=poker.example
FILES=10000

cd "$(dirname "$0")/../.."
. deploy/local/debian.sh
begin containers
holder=

stop_all()
{
	[ -z "$holder" ] || {
		compose down -t 20 >/dev/null 2>&1 || true
		kill "$holder" 2>/dev/null || true
	}
	[ ! -x "$scratch/podman" ] || "$scratch/podman" system reset -f \
		>/dev/null 2>&1 || true
	rm -rf --one-file-system "$scratch"
}
trap stop_all EXIT

# A podman that keeps everything in our folder, and raises no limit.
make_engine()
{
	mkdir "$scratch/networks"
	cat >"$scratch/containers.conf" <<-EOT
	[containers]
	default_ulimits = ["nofile=$FILES:$FILES", "nproc=10000:10000"]
	[network]
	network_backend = "netavark"
	network_config_dir = "$scratch/networks"
	[engine]
	cgroup_manager = "cgroupfs"
	runtime = "runc"
	EOT
	cat >"$scratch/podman" <<-EOT
	#!/bin/sh
	export CONTAINERS_CONF=$scratch/containers.conf
	exec podman --root $scratch/root --runroot $scratch/run "\$@"
	EOT
	chmod +x "$scratch/podman"
	unshare -n sleep infinity &
	holder=$!
	until [ "$(readlink /proc/$holder/ns/net)" != "$(readlink /proc/$$/ns/net)" ]; do
		sleep 0.01
	done
	in_network ip link set lo up
}

in_network()
{
	nsenter -t "$holder" -n "$@"
}

compose()
{
	(cd "$scratch/compose" && in_network podman-compose \
		--podman-path "$scratch/podman" --project-name gangd \
		-f compose.yaml "$@")
}

make_base()
{
	make_debian "$scratch/debian" || return 1
	rm -f "$scratch"/debian/var/cache/apt/archives/*.deb
	tar -C "$scratch/debian" --exclude='./dev/*' -c . |
		"$scratch/podman" import - localhost/debian:12 || return 1
	rm -rf --one-file-system "$scratch/debian"
	base=localhost/debian@$("$scratch/podman" images --digests \
		--format '{{.Digest}}' localhost/debian)
}

build()
{
	ENGINE="$scratch/podman" BUILD_OPTIONS="--isolation chroot --format docker \
		--pull=never -q" deploy/containers/build.sh "$@"
}

schema_holds()
{
	docker-compose -f deploy/containers/compose.yaml config -q
}

# The file itself, without the script next to it.
file_needs_base()
{
	! "$scratch/podman" build --isolation chroot --pull=never \
		-f deploy/containers/Containerfile .
}

no_digest_is_refused()
{
	build localhost/debian:12 $HOST
	[ $? -eq 2 ]
}

of_image()
{
	"$scratch/podman" image inspect --format "$2" "localhost/$1"
}

images_are_as_said()
{
	[ "$(of_image gangd '{{.User}}')" = 65532:65532 ] &&
		[ "$(of_image gangd-database '{{.User}}')" = postgres ] &&
		[ "$(of_image gangd-proxy '{{.User}}')" = 65534:65534 ] &&
		[[ $(of_image gangd '{{.HealthCheck.Test}}') == *gangd-ready* ]] &&
		[[ $(of_image gangd-database '{{.HealthCheck.Test}}') == *pg_isready* ]] &&
		[[ $(of_image gangd-proxy '{{.HealthCheck.Test}}') == *gangd-proxy-ready* ]]
}

start()
{
	mkdir -p "$scratch/compose/tls"
	cp deploy/containers/compose.yaml "$scratch/compose"
	[ -e "$scratch/compose/tls/key.pem" ] || openssl req -x509 -newkey ec \
		-pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=$HOST" \
		-addext "subjectAltName=DNS:$HOST" \
		-out "$scratch/compose/tls/certificate.pem" \
		-keyout "$scratch/compose/tls/key.pem" 2>/dev/null
	chown -R 65534 "$scratch/compose/tls"
	compose up -d && await healthy
}

await()
{
	local tries
	for ((tries = 0; tries < 300; tries++)); do
		! "$@" >/dev/null 2>&1 || return 0
		sleep 0.2
	done
	"$scratch/podman" ps -a
	for name in database migrate gangd proxy; do
		in_network "$scratch/podman" logs "gangd_${name}_1" 2>&1 | tail -n 5
	done
	return 1
}

healthy()
{
	local name
	for name in database gangd spare proxy; do
		in_network "$scratch/podman" healthcheck run gangd_${name}_1 || return 1
	done
	ask /readyz
}

ask()
{
	in_network curl -fs -m 20 --cacert "$scratch/compose/tls/certificate.pem" \
		--resolve "$HOST:443:127.0.0.1" "${@:2}" "https://$HOST$1"
}

# Each container's own process, as the kernel sees it, in a root it cannot write.
are_confined()
{
	local name pid
	for name in database gangd spare proxy; do
		pid=$("$scratch/podman" inspect --format '{{.State.Pid}}' gangd_${name}_1)
		echo "$name: $(cat "/proc/$pid/status" "/proc/$pid/mounts")"
		grep -qx 'CapEff:.0*' "/proc/$pid/status" || return 1
		grep -qx 'NoNewPrivs:.1' "/proc/$pid/status" || return 1
		! grep -q '^Uid:.0' "/proc/$pid/status" || return 1
		grep -q '^[^ ]* / [^ ]* ro[, ]' "/proc/$pid/mounts" || return 1
	done
}

make_game()
{
	ask /v1/games --json '{"name":"Ada","seats":3}' >"$scratch/game" &&
		game=/v1/games/$(jq -r .game.id "$scratch/game") &&
		token=$(jq -r .token "$scratch/game")
}

is_there()
{
	[ "$(ask "$game" -H "Authorization: Bearer $token" | jq .you.seat)" = 1 ]
}

# The guide's "docker compose exec -T SERVICE COMMAND...".  The exec of podman-compose
# 1.0 prints into the command's output, and drops its status.
docker()
{
	[ "$1 $2 $3" = "compose exec -T" ] || return 2
	in_network "$scratch/podman" exec -i "gangd_$4_1" "${@:5}"
}

# A part of the guide, by its name: the block of shell below its comment.
runbook()
{
	local text
	text=$(block containers "$1") || return 1
	(cd "$scratch/compose" && eval "${text//\/var\/backups\/gangd/$scratch/backups}")
}

# One complete file that no other user may read, and the game is in it.
backup_has_the_game()
{
	runbook backup || return 1
	set -- "$scratch"/backups/*
	echo "$@"
	[[ $# -eq 1 && $1 == *.dump && $(stat -c %a "$1") == 600 ]] || return 1
	docker compose exec -T database pg_restore --file=- --data-only --table=game \
		<"$1" >"$scratch/games" && grep "${game##*/}" "$scratch/games"
}

# Ask all the time while the container is replaced.
replaced_unnoticed()
{
	local answers
	while [ ! -e "$scratch/stop" ]; do
		ask "$game" -H "Authorization: Bearer $token" -o /dev/null \
			-w '%{http_code}\n' || echo failed
	done >"$scratch/answers" &
	in_network "$scratch/podman" stop -t 20 gangd_gangd_1
	in_network "$scratch/podman" start gangd_gangd_1
	await in_network "$scratch/podman" healthcheck run gangd_gangd_1
	touch "$scratch/stop"
	wait $!
	answers=$(sort "$scratch/answers" | uniq -c)
	echo "$answers"
	[[ $answers =~ ^\ *[0-9]+\ 200$ ]]
}

restart_all()
{
	compose down -t 20 && start
}

deploy/local/install.sh containers run
check "compose.yaml is valid" schema_holds
make_engine
check "a bare Debian is made an image" make_base
check "no image is built on a name without a digest" no_digest_is_refused
check "nor without a name" file_needs_base
check "the images are built" build "$base" $HOST
check "with users and health checks" images_are_as_said
check "compose starts them, and they get healthy" start
check "they are confined" are_confined
check "a game is made over TLS" make_game
check "its view" is_there
check "the guide's purge ends well" runbook purge
check "the guide's backup has the game" backup_has_the_game
check "a daemon is replaced, and no request fails" replaced_unnoticed
check "all are stopped and started" restart_all
check "the game is still there" is_there
check_blocks deploy/containers/test.sh
end
