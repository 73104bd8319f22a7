#!/bin/sh
# pure.sh BUILD LAYER... - check that the rules are pure.  The libraries of the
# rules, and the modules of base that they use, may call each other, memory and
# string functions, the compiler's bit count, and the deterministic part of
# libsodium.  Any other undefined symbol is a failure.
set -eu
build=$1
shift
allowed='^(__assert_fail|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|_?_?(memcpy|memset|memmove|memcmp|bcmp|strlen|strcmp)(_chk)?|__popcountdi2|crypto_stream_chacha20_ietf_xor_ic)$'

for layer in "$@"; do
	set -- "$@" "$build/$layer.a"
	shift
done
for module in json_out bytes rng err hex; do
	set -- "$@" "$build/internal/base/$module.o"
done

defined=$(mktemp)
trap 'rm -f "$defined"' EXIT
nm --defined-only "$@" | awk 'NF == 3 { print $3 }' | sort -u >"$defined"
impure=$(nm -u "$@" | awk '$1 == "U" { print $2 }' | sort -u |
	comm -23 - "$defined" | grep -vE "$allowed" || true)
[ -z "$impure" ] && exit 0
echo "the rules call functions that are not pure:" >&2
echo "$impure" >&2
exit 1
