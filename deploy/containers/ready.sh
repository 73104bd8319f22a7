#!/bin/bash
#
# gangd-ready - the health check of the image: does the daemon serve?
exec 3<>/dev/tcp/127.0.0.1/8080 || exit 1
printf 'GET /readyz HTTP/1.1\r\nHost: gangd\r\nConnection: close\r\n\r\n' >&3
read -r -t 3 _ status _ <&3 && [ "$status" = 200 ]
