#!/bin/sh
#
# gangd-certificate CERTIFICATE KEY - give the proxy another certificate (with its
# chain) and key, both PEM, without losing a request.  A renewal's hook can run it.
set -eu

TLS=/etc/gangd/tls

[ $# -eq 2 ] || {
	echo "usage: gangd-certificate CERTIFICATE KEY" >&2
	exit 2
}
of_certificate=$(openssl x509 -in "$1" -noout -pubkey)
of_key=$(openssl pkey -in "$2" -pubout)
[ "$of_certificate" = "$of_key" ] || {
	echo "gangd-certificate: $2 is not the key of $1" >&2
	exit 1
}

proxy=$(sed -n 's/^PROXY=//p' /etc/gangd/one-server)
# Caddy reads the files as its own user, the others as root.
group=root
[ "$proxy" != caddy ] || group=caddy
umask 027
install -d -m 0750 -g $group $TLS
# Each file appears whole.
install -m 0640 -g $group "$1" $TLS/certificate.new
install -m 0640 -g $group "$2" $TLS/key.new
cat "$1" "$2" >$TLS/both.new
mv $TLS/certificate.new $TLS/certificate.pem
mv $TLS/key.new $TLS/key.pem
mv $TLS/both.new $TLS/both.pem
! systemctl -q is-active "$proxy" || systemctl reload "$proxy"
