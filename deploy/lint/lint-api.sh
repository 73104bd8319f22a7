#!/bin/sh
# Lint the OpenAPI document as it is served, by the rules of redocly, of
# spectral, of OWASP and of IBM: 0 findings.  The linters are installed beside
# this file when they are missing or out of date.
set -eu
cd "$(dirname "$0")"

if ! cmp -s package-lock.json node_modules/.installed; then
	npm ci --no-audit --no-fund
	cp package-lock.json node_modules/.installed
fi

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
../../api/bundle.py ../../api/openapi.yaml "$dir/openapi.yaml" \
	"$dir/openapi.json"

export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
status=0
node_modules/.bin/redocly lint --config redocly.yaml "$dir/openapi.yaml" ||
	status=1
for rules in spectral owasp ibm; do
	node_modules/.bin/spectral lint --ruleset $rules.yaml \
		--fail-severity hint "$dir/openapi.yaml" || status=1
done

# A rule that is off says why, on its line.
if grep -nE ':[[:blank:]]*"?(off|false)\b' ./*.yaml | grep -v '#'; then
	echo 'is off, and nobody says why'
	status=1
fi
exit $status
