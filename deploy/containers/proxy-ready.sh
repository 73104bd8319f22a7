#!/bin/bash
#
# gangd-proxy-ready - the health check of the image: does Caddy answer?  Port 80 leads
# to port 443.  It does not ask a daemon: a proxy without a daemon is healthy, too.
exec 3<>/dev/tcp/127.0.0.1/80 || exit 1
printf 'GET / HTTP/1.1\r\nHost: gangd\r\nConnection: close\r\n\r\n' >&3
read -r -t 3 _ status _ <&3 && [ "$status" = 308 ]
