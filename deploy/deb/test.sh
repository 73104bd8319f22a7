#!/bin/bash
#
# test.sh - build the Debian packages twice, in two folders, and take them through
# their life in a bare Debian (debootstrap): install, upgrade with changed
# settings, remove, purge.  Root runs it.
set -eu

LATER=9.9.9

cd "$(dirname "$0")/../.."
. deploy/local/debian.sh
begin deb
root=$scratch/root
trap 'rm -rf --one-file-system "$scratch"' EXIT

inside()
{
	env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
		DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"
}

lintian_finds_no_error()
{
	lintian --allow-root --fail-on error \
		"$scratch"/one/*.deb
}

# The same name, the same bytes.
builds_agree()
{
	local file
	for file in "$scratch"/one/*.{deb,json}; do
		cmp "$file" "$scratch/two/${file##*/}" || return 1
	done
}

no_path_of_the_build()
{
	! dpkg-deb --fsys-tarfile "$scratch"/one/gangd_*.deb |
		grep -aq -e "/gangd-$version/internal" -e "$PWD"
}

sbom_names_all_libraries()
{
	local library libraries
	libraries=$(dpkg-deb -f "$scratch"/one/gangd_*.deb Depends |
		grep -o 'lib[a-z0-9.-]*')
	for library in libmicrohttpd libpq libjson-c libsodium libunistring libicu; do
		grep "^$library" <<<"$libraries" || return 1
	done
	for library in $libraries swagger-ui-dist gangd; do
		jq -e --arg name "$library" '[.packages[].name] | index($name)' \
			"$scratch"/one/gangd_*.spdx.json || return 1
	done
	jq -e '.packages[0].checksums[0].checksumValue == $sum' --arg sum \
		"$(sha256sum "$scratch"/one/gangd_*.deb | cut -d ' ' -f 1)" \
		"$scratch"/one/gangd_*.spdx.json
}

build_packages_in_clone()
{
	(cd "$scratch/clone" && build_packages "$@")
}

install_packages()
{
	rm -rf "$root/packages"
	cp -r "$1" "$root/packages"
	inside sh -c 'apt-get -qq -y -o Dpkg::Options::=--force-confold \
		--no-install-recommends install /packages/*.deb'
}

says_version()
{
	[[ $(inside "$1" --version) == *"$version"* ]]
}

has_mode()
{
	[ "$(inside stat -c '%a %U' "$2")" = "$1 root" ]
}

is_installed_as()
{
	[ "$(inside dpkg-query -W -f "\${Version}" "$1")" = "$2" ]
}

is_gone()
{
	! inside test -e "$1"
}

# A daemon without a database says so, and does not crash.
daemon_starts()
{
	inside sh -c 'GANGD_DATABASE_URL=host=/nonexistent GANGD_LISTEN=127.0.0.1:0 \
		timeout -s TERM 2 gangd'
	[ $? -eq 124 ]
}

# As above, with a webhook.
push_starts()
{
	inside sh -c 'umask 077 && echo whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw >/root/secrets
		GANGD_DATABASE_URL=host=/nonexistent GANGD_WEBHOOK_URL=http://127.0.0.1:9/ \
		GANGD_WEBHOOK_SECRETS_FILE=/root/secrets timeout -s TERM 2 gangd-push'
	[ $? -eq 124 ]
}

unit_is_not_enabled()
{
	! find "$root/etc/systemd" -name 'gangd*' 2>/dev/null | grep .
}

make_root()
{
	make_debian "$root" || return 1
	cp /etc/resolv.conf "$root/etc/resolv.conf"
	printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
	chmod +x "$root/usr/sbin/policy-rc.d"
	inside apt-get -qq update
}

deploy/local/install.sh deb run
suffix=deb12
[ "$SUITE" != trixie ] || suffix=deb13
version=$(sed -n 's/^  version: //p' api/openapi.yaml)
check "the packages are built" build_packages "$scratch/one"
check "lintian finds no error" lintian_finds_no_error
git clone -q . "$scratch/clone"
check "and built once more, in a fresh clone" build_packages_in_clone "$scratch/two"
check "the two builds have the same bytes" builds_agree
check "the programs hold no path of the build" no_path_of_the_build
check "the SBOM names all libraries, and the package's own bytes" sbom_names_all_libraries
check "a later version is built" build_packages_in_clone "$scratch/later" $LATER
check "a bare Debian is made" make_root

check "the packages are installed" install_packages "$scratch/one"
check "gangd prints its version" says_version gangd
check "gangctl prints its version" says_version gangctl
check "gangd-push prints its version" says_version gangd-push
check "the daemon starts, and SIGTERM ends it" daemon_starts
check "so does gangd-push" push_starts
check "the script of its role is there" inside test -s /usr/lib/gangd/push-role.sql
for file in gangd gangctl push; do
	check "only root reads $file.env" has_mode 600 /etc/gangd/$file.env
done
check "no unit is enabled" unit_is_not_enabled
check "an upgrade restarts an enabled one, and a removal stops it" \
	inside grep -q 'deb-systemd-invoke.*gangd.service' \
	/var/lib/dpkg/info/gangd.postinst /var/lib/dpkg/info/gangd.prerm
for file in gangd.service gangd-push.service gangd-purge.service gangd-purge.timer; do
	check "the unit $file is there" inside test -s /lib/systemd/system/$file
done
check "the unit starts the installed program" \
	inside grep -qx 'ExecStart=/usr/bin/gangd' /lib/systemd/system/gangd.service
check "there is a manual page" inside test -s /usr/share/man/man1/gangd.1.gz

inside sh -c 'echo GANGD_LOOPS=3 >>/etc/gangd/gangd.env'
check "they are upgraded" install_packages "$scratch/later"
check "to the later version" is_installed_as gangd "$LATER+$suffix"
check "and changed settings stay" inside grep -qx GANGD_LOOPS=3 /etc/gangd/gangd.env
check "with their mode" has_mode 600 /etc/gangd/gangd.env
check "gangctl alone cannot be removed under gangd" \
	eval '! inside dpkg --remove gangctl'
check "they are removed" inside apt-get -qq -y remove gangd gangctl
check "the programs are gone" is_gone /usr/bin/gangd
check "the settings stay" inside test -e /etc/gangd/gangd.env
check "they are purged" inside apt-get -qq -y purge gangd gangctl
check "nothing is left" is_gone /etc/gangd
end
