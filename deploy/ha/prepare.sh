# shellcheck shell=bash disable=SC2034 # build is for the caller
# prepare.sh - read by run.sh and test.sh with their words, which are make's
# variables: installs what is missing, of the packages of $groups too, builds, and
# makes the folder "folder".  build is the folder of the programs.
build=build
for variable; do
	case $variable in
	BUILD=*) build=${variable#BUILD=} ;;
	esac
done
# The make that calls this must not steer the make called here.
unset MAKEFLAGS MFLAGS MAKELEVEL

# shellcheck disable=SC2086,SC2154 # groups are words, which the caller sets
deploy/local/install.sh build cluster ha $groups
make -s -j"$(nproc)" "$@" all

folder=$(mktemp -d /tmp/gangd-ha.XXXXXX)
trap '[ -n "${KEEP-}" ] || rm -rf "$folder"' EXIT
trap 'exit 130' HUP INT TERM
if [ "$(id -u)" -eq 0 ]; then
	chown "$(deploy/local/cluster.sh owner):" "$folder"
	chmod 0755 "$folder"
fi
