"""The faults of the hosts, and the repair of each.

A fault is a function of a Cluster (deploy/ha/cluster.py).  It does harm, and gives
back its repair.  IMMEDIATE faults are repaired after a time, whether any player could
move or not; the others only when moves are acknowledged again, so that what is
broken cannot help.
"""
import random
import shutil
import signal

import handover

FREEZE_SECONDS = 4  # much less than the lease: no failover
DAEMON_SECONDS = 6
STALL_SECONDS = 3
# The seconds from the last answer of each primary that reached only the daemons to
# the promotion of another.
RESERVES = []


def primary_of(cluster):
    return cluster.primary() or random.choice(cluster.hosts)


def standby_of(cluster):
    return cluster.host_of("sync_standby") or random.choice(cluster.hosts)


def nothing():
    pass


def database(cluster):
    """PostgreSQL's first process is killed at the primary."""
    postmaster = primary_of(cluster).postmaster
    if postmaster:
        cluster.signal([postmaster], signal.SIGKILL)
    return nothing  # Patroni starts it again


def kill_node(host):
    host.kill_node()
    return host.start_node


def node(cluster):
    """Patroni, PostgreSQL and etcd are killed at the primary."""
    return kill_node(primary_of(cluster))


def standby(cluster):
    """Patroni, PostgreSQL and etcd are killed at the synchronous standby."""
    return kill_node(standby_of(cluster))


def disk(cluster):
    """The same as node, and the primary's data is deleted."""
    host = primary_of(cluster)
    host.kill_node()
    shutil.rmtree(host.data)
    return host.start_node


def etcd(cluster):
    """A member of etcd is killed."""
    member = random.choice(cluster.hosts).etcd
    member.kill()
    return member.start


def daemon(cluster):
    """A daemon is killed."""
    process = random.choice(cluster.daemons)
    process.kill()
    return process.start


def freeze(cluster, pids):
    cluster.signal(pids, signal.SIGSTOP)
    return lambda: cluster.signal(pids, signal.SIGCONT)


def freeze_primary(cluster):
    """The primary's host freezes, until another is the primary."""
    return freeze(cluster, primary_of(cluster).all_pids)


def freeze_shortly(cluster):
    """The primary's host freezes for 4 s."""
    return freeze(cluster, primary_of(cluster).all_pids)


def freeze_standby(cluster):
    """The synchronous standby's host freezes."""
    return freeze(cluster, standby_of(cluster).all_pids)


def stall(cluster):
    """The disk of the primary's host, with its etcd, stalls for 3 s."""
    return primary_of(cluster).stall_disk(STALL_SECONDS).wait


def freeze_daemon(cluster):
    """A daemon freezes for 6 s."""
    return freeze(cluster, random.choice(cluster.daemons).pids)


def partition(cluster):
    """The cable of the primary's host is pulled."""
    host = primary_of(cluster)
    host.set_link("down")
    return lambda: host.set_link("up")


def split(cluster):
    """The primary reaches the daemons, but neither of the other hosts."""
    host = primary_of(cluster)
    watch = handover.Handover(cluster, host)
    host.set_blackhole("add")

    def repair():
        RESERVES.append(watch.end())
        host.set_blackhole("del")
    return repair


def switchover(cluster):
    """patronictl moves the primary to the synchronous standby, on purpose."""
    old, new = cluster.primary(), cluster.host_of("sync_standby")
    if old and new:
        cluster.patronictl("switchover", "gangd", "--master", old.name,
                           "--candidate", new.name, "--force")
    return nothing


IMMEDIATE = {freeze_shortly: FREEZE_SECONDS, freeze_daemon: DAEMON_SECONDS,
             stall: STALL_SECONDS, daemon: 1, etcd: 3}
# Nobody needs a failover.
HARMLESS = {standby, etcd, daemon, freeze_shortly, freeze_standby, stall,
            freeze_daemon}
# So often each in thirty-six faults.
KINDS = {database: 4, node: 3, standby: 2, disk: 2, etcd: 3, daemon: 3,
         freeze_primary: 3, freeze_shortly: 2, freeze_standby: 2, stall: 2,
         freeze_daemon: 1, partition: 3, split: 3, switchover: 3}
