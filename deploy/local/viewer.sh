#!/bin/sh
#
# viewer.sh [--install] - fetch the viewer that /docs shows, in the version
# that api/docs/package-lock.json names, unless it is there.  It needs npm,
# which --install installs if it is missing.
#
# The service works without the viewer, and /docs then links to the document;
# so without npm or network this script says so and ends with status 0.
set -eu

cd "$(dirname "$0")/../.."
lock=api/docs/package-lock.json
fetched=api/docs/node_modules/.package-lock.json

[ -f $lock ] || exit 0
[ -z "$(find $fetched -newer $lock 2>/dev/null)" ] || exit 0

if [ "${1-}" = --install ]; then
	deploy/local/install.sh npm || true
fi
if ! command -v npm >/dev/null; then
	echo "gangd: no npm, so /docs is built without its viewer" >&2
	exit 0
fi
echo "gangd: fetching the viewer of /docs"
# npm's default tries for more than a minute without a network.
if npm ci --prefix api/docs --ignore-scripts --no-audit --no-fund --silent \
	--fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=20000
then
	touch $fetched
else
	echo "gangd: npm failed, so /docs is built without its viewer" >&2
fi
