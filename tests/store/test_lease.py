"""The lease of a primary (deploy/ha/patroni.yml) fits what daemons rely on.

deploy/ha/README.md, "Its times", has the reasons.  `make test-ha` measures them.
"""
import os
import re

import yaml

PROJECT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
MEMBER_SECONDS = 1    # for which Patroni asks each of three members of etcd, at least
FAILSAFE_SECONDS = 4  # a primary asks the other hosts twice, for 2 s each
STATUS_SECONDS = 2    # for which a standby asks a silent primary, after its lease
RESERVE_SECONDS = 2


def read(path):
    with open(os.path.join(PROJECT, path), encoding="utf-8") as file:
        return file.read()


def seconds(path, name):
    """The value of a constant of that file."""
    found = re.search(rf"{name} = (?:(\d+) \* )?CLOCK_NS_PER_S;", read(path))
    return int(found[1] or 1)


def settings():
    # install.sh replaces the words between @, which are not YAML.
    text = re.sub(r"@[A-Z_]+@", "x", read("deploy/ha/patroni.yml"))
    return yaml.safe_load(text)["bootstrap"]["dcs"]


def test_lease():
    dcs = settings()
    silent = seconds("internal/store/connection.c", "silent_ns")
    ping = seconds("internal/store/expiry.c", "ping_ns")
    # Patroni's own rule.
    assert dcs["loop_wait"] + 2 * dcs["retry_timeout"] <= dcs["ttl"]
    renewal = dcs["loop_wait"] + max(dcs["retry_timeout"], 3 * MEMBER_SECONDS)
    promotion = dcs["ttl"] + STATUS_SECONDS
    # A primary that reaches nobody stops before another one is promoted.
    assert renewal + FAILSAFE_SECONDS + RESERVE_SECONDS <= promotion
    # Nobody is promoted while a daemon trusts a connection to a frozen primary.
    assert 2 * silent <= promotion - renewal
    # An idle connection stays trusted, even if one question is late.
    assert 2 * ping < silent
