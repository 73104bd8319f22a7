#!/bin/sh
# lint-api.sh - lint the OpenAPI document, as the daemon serves it, by the rules
# of redocly, spectral, OWASP and IBM, and the Containerfile by dockerfile-utils.  Any
# finding is a failure.  The script installs the linters next to itself when they are
# missing or out of date.
set -eu
cd "$(dirname "$0")"

if ! cmp -s package-lock.json node_modules/.installed; then
	npm ci --no-audit --no-fund
	cp package-lock.json node_modules/.installed
fi

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
../../deploy/build/bundle.py ../../api/openapi.yaml "$dir/openapi.yaml" \
	"$dir/openapi.json"

export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
status=0
node_modules/.bin/redocly lint --config redocly.yaml "$dir/openapi.yaml" ||
	status=1
for rules in spectral owasp ibm; do
	node_modules/.bin/spectral lint --ruleset $rules.yaml \
		--fail-severity hint "$dir/openapi.yaml" || status=1
done

node_modules/.bin/dockerfile-utils lint ../containers/Containerfile || status=1

# The line of a rule that is off must say why.
if grep -nE ':[[:blank:]]*"?(off|false)\b' ./*.yaml | grep -v '#'; then
	echo 'these rules are off; add the reason in a comment on the same line'
	status=1
fi
exit $status
