#!/usr/bin/python3
"""patroni-lease.py CONFIG - start Patroni, and let its lease be as short as set.

Since 3.2 (Debian 13) Patroni raises a ttl below 20 s and a retry_timeout below 3 s to
these, when it loads its dynamic configuration.  Those bounds are taken out here; its
rule loop_wait + 2 * retry_timeout <= ttl stays.  Patroni 3.0 (Debian 12) has no bounds.
If a later Patroni keeps its bounds elsewhere, they hold: the lease is longer, no less
safe.
"""
from patroni import __main__, config

BOUND = "_Config__get_and_maybe_adjust_int_value"


def main():
    adjust = getattr(config.Config, BOUND, None)
    if adjust:
        setattr(config.Config, BOUND, lambda self, values, name, _least:
                adjust(self, values, name, 1))
    __main__.main()


if __name__ == "__main__":
    main()
