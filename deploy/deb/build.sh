#!/bin/bash
#
# build.sh OUT [VERSION] - build the Debian packages of the commit that is checked
# out, and put them into the folder OUT, each with an SBOM next to it.
#
# The packages depend only on the commit: the time in them is that of the commit,
# and no path of this machine is in them.  So two builds give the same bytes.
# VERSION is that of api/openapi.yaml unless it is named.  Each release of Debian has
# packages of its own, with its libraries: the version ends with +deb12 or +deb13, so
# that an upgrade of the machine brings the other ones.
set -eu

cd "$(dirname "$0")/../.."
[ $# -ge 1 ] || {
	echo "usage: build.sh OUT [VERSION]" >&2
	exit 2
}
mkdir -p "$1"
out=$(readlink -e "$1")
# shellcheck source=/dev/null
version=${2:-$(sed -n 's/^  version: //p' api/openapi.yaml)}+deb$(. /etc/os-release &&
	echo "$VERSION_ID")
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

deploy/local/install.sh build deb
deploy/local/viewer.sh --install
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source=$work/gangd-$version
mkdir "$source"
git archive HEAD | tar -x -C "$source"
[ ! -d api/docs/node_modules ] ||
	cp -a api/docs/node_modules "$source/api/docs/node_modules"
mv "$source/deploy/deb/debian" "$source/debian"
cat >"$source/debian/changelog" <<-EOT
	gangd ($version) unstable; urgency=medium

	  * Commit $(git rev-parse --short HEAD).

	 -- $(sed -n 's/^Maintainer: //p' "$source/debian/control")  $(date -R -u -d "@$SOURCE_DATE_EPOCH")
EOT

# The variables of the make that calls this stay out.
(cd "$source" && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL LC_ALL=C.UTF-8 TZ=UTC \
	dpkg-buildpackage --build=binary --no-sign --jobs=auto \
	--buildinfo-file="$work/gangd.buildinfo" >"$work/log" 2>&1) || {
	tail -n 40 "$work/log" >&2
	exit 1
}
for package in "$work"/*_"$version"_*.deb; do
	[[ $package != *-dbgsym_* ]] || continue
	cp "$package" "$out/"
	deploy/deb/sbom.py "$package" >"$out/$(basename "$package" .deb).spdx.json"
	echo "$1/$(basename "$package")"
done
