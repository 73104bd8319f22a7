#!/bin/sh
#
# build.sh BASE [HOST] - build the images gangd, gangd-database and gangd-proxy.
# BASE is a Debian 12 or 13 image by its digest (see Containerfile), HOST the name that
# clients use.  ENGINE is podman or docker, with options.
set -eu

cd "$(dirname "$0")/../.."
base=${1-} host=${2:-localhost}
printf %s "$base" | grep -Eqx '[^@ ]+@sha256:[0-9a-f]{64}' || {
	echo "build.sh: BASE is \"$base\"; expected: an image by its digest," \
		"name@sha256:...; Containerfile says how to find it" >&2
	exit 2
}
deploy/local/viewer.sh
for target in gangd database proxy; do
	name=gangd-$target
	[ $target != gangd ] || name=gangd
	# shellcheck disable=SC2086 # options are words
	${ENGINE:-podman} build ${BUILD_OPTIONS-} --build-arg "BASE=$base" \
		--build-arg "HOST=$host" --target $target --tag "localhost/$name" \
		--file deploy/containers/Containerfile .
done
