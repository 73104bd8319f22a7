#!/usr/bin/python3
"""serve.py BUILD FOLDER LISTEN - serve from three hosts until Ctrl-C, for run.sh."""
import os
import signal
import sys

import cluster
from process import ask


def hint(site):
    """Print commands to try in another terminal."""
    control = f"patronictl -c {site.hosts[0].config}"
    if site.as_owner:
        control = f"runuser -u {site.owner.pw_name} -- {control}"
    print(f"""
gangd serves on http://{site.listen} until Ctrl-C.  In another terminal:

  open a game         curl -s http://{site.listen}/v1/games --json '{{"name":"Ada"}}'
  the three nodes     {control} list
  kill the primary    kill -9 {site.primary().postmaster}
""", flush=True)


def main():
    build, folder, listen = sys.argv[1:]
    os.environ.pop("GANGD_LISTEN", None)
    if ask(*listen.rsplit(":", 1), "/livez")[0]:
        raise SystemExit(f"gangd: something serves on {listen} already; "
                         "GANGD_LISTEN=127.0.0.1:8081 takes another port")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    site = cluster.Cluster(folder, build, listen)
    try:
        print(f"gangd: all serve after {site.start():.0f} s")
        print(site.patronictl("list"))
        hint(site)
        while True:
            signal.pause()
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        print("gangd: stopping", flush=True)
        site.stop()


if __name__ == "__main__":
    main()
