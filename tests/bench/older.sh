#!/bin/sh
#
# older.sh COMMIT - build the programs of a commit in build-older/COMMIT, and print
# the folder of that build; "make bench-against" measures against it.
set -eu
cd "$(dirname "$0")/../.."

commit=$(git rev-parse --short "$1^{commit}")
folder=build-older/$commit
if [ ! -e "$folder/built" ]; then
	rm -rf "$folder"
	mkdir -p "$folder"
	git archive "$commit" | tar -x -C "$folder"
	# The make that calls this must not steer the make called here.
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u BUILD \
		make -C "$folder" -j"$(nproc)" all >&2
	touch "$folder/built"
fi
echo "$folder/build"
