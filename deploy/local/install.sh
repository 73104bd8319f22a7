#!/bin/sh
#
# install.sh GROUP... - install the Debian packages of these groups (see the
# file "packages") that are not there yet.  The group "npm" is special: any
# npm on the PATH will do, and Debian's is installed only if there is no npm.
#
# When nothing is missing, the script asks dpkg once, and needs no apt or root.
set -eu

here=$(dirname "$0")

die()
{
	echo "gangd: $*" >&2
	exit 1
}

# The packages of the groups named, each once.
wanted()
{
	awk -v groups="$*" '
		BEGIN {
			n = split(groups, name, " ")
			for (i = 1; i <= n; i++) lacks[name[i]] = 1
			delete lacks["npm"]
		}
		$1 in lacks || $1 in met {
			delete lacks[$1]; met[$1] = 1
			for (i = 2; i <= NF; i++) if (!seen[$i]++) print $i
		}
		END {
			for (group in lacks) {
				print "gangd: no group of packages is named " \
					group >"/dev/stderr"
				exit 1
			}
		}' "$here/packages"
	case " $* " in
	*" npm "*) command -v npm >/dev/null || echo npm ;;
	esac
}

# Print the named packages that are not installed; "a|b" is one of either name.
missing()
{
	# shellcheck disable=SC2046 # names of packages are words
	dpkg-query -W -f '${db:Status-Status} ${Package}\n' \
		$(echo "$*" | tr '|' ' ') 2>/dev/null |
		awk -v wanted="$*" '
			$1 == "installed" { have[$2] = 1 }
			END {
				n = split(wanted, name, " ")
				for (i = 1; i <= n; i++) {
					m = split(name[i], either, "|")
					for (j = 1; j <= m && !(either[j] in have); j++)
						;
					if (j > m) print name[i]
				}
			}'
}

# How to become root here: not at all, or by sudo.
as_root()
{
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif [ -t 0 ]; then
		sudo -- "$@"
	else
		sudo -n -- "$@"
	fi
}

# Debian's server package creates a cluster of its own and starts it, unless a
# setting forbids it, and so do servers of HTTP.  Both are forbidden for this
# installation only, so existing clusters, and the machine's own settings, stay as
# they are; only the proxies, Patroni and etcd, which tests start by
# themselves, are not started with the machine either.
#
# This text is run by root's shell, with the packages as its arguments.
# shellcheck disable=SC2016
apt_install='
	set -eu
	folder=/etc/postgresql-common/createcluster.d
	hint=$folder/zz-gangd.conf
	log=$(mktemp)
	policy=/usr/sbin/policy-rc.d
	[ ! -e $policy ] || policy=$log
	trap "rm -f $hint $log $policy; rmdir --ignore-fail-on-non-empty $folder" EXIT
	trap "exit 1" HUP INT TERM
	mkdir -p "$folder"
	echo "create_main_cluster = false" >"$hint"
	[ $policy = "$log" ] || {
		printf "#!/bin/sh\nexit 101\n" >$policy
		chmod 0755 $policy
	}

	export DEBIAN_FRONTEND=noninteractive
	apt="apt-get -qq -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0"
	$apt update
	for either; do
		shift
		for package in $(echo "$either" | tr "|" " "); do
			! apt-cache show "$package" >/dev/null 2>&1 || break
		done
		set -- "$@" "$package"
	done
	$apt -y --no-install-recommends install "$@" >"$log" 2>&1 || {
		tail -n 20 "$log" >&2
		exit 1
	}
	for package; do
		case $package in
		nginx | caddy | haproxy | prometheus | patroni)
			systemctl -q disable "$package.service" ;;
		etcd-server) systemctl -q disable etcd.service ;;
		esac 2>/dev/null || true
	done
'

if ! command -v dpkg-query >/dev/null; then
	echo "gangd: this is not Debian; going on with what is installed." >&2
	exit 0
fi

packages=$(wanted "$@")
[ -n "$packages" ] || exit 0
# shellcheck disable=SC2086 # names of packages are words
lacking=$(missing $packages | tr '\n' ' ')
[ -n "$lacking" ] || exit 0

echo "gangd: installing these Debian packages: $lacking"
if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
	die "that requires root or sudo; ask an administrator to run:
  apt-get install --no-install-recommends $lacking"
fi
# shellcheck disable=SC2086
as_root sh -c "$apt_install" install.sh $lacking ||
	die "the packages could not be installed: $lacking"
