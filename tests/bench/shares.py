#!/usr/bin/python3
"""shares.py BUILD [time] [instructions] - the cost of a request, by parts.

It runs under deploy/local/with-cluster.sh --durable, as bench.py does.  For a
GET of a view and for a chip move, both by 64 connections, it measures:

  time          how long the service, the database and the client work for a
                request; and the shares of the service's time (by perf, as
                root): the kernel by system call, the rest by library
  instructions  how many a request takes outside the kernel (valgrind), and
                the functions that take most.  They hardly depend on the
                machine, so they measure a change.

  SECONDS       of each measurement, 5 by default
"""
import bisect
import collections
import os
import re
import signal
import subprocess
import sys
import time

import bench
import gangd  # bench has set the path

CONNECTIONS = 64
FUNCTIONS = 16  # that are printed
SAMPLES = 2000  # a second
ROUTES = (("GET of a view", "get.lua"), ("a chip move", "move.lua"))

# The owner of a path of a library or of a source file.
OWNERS = (
    (r"internal/(\w+)/", r"\1"),
    (r"cmd/gangd/", "gangd"),
    (r"/gen/", "store"),
    (r"/libmicrohttpd\.", "libmicrohttpd"),
    (r"/libpq\.", "libpq"),
    (r"/libsodium\.", "libsodium"),
    (r"/libjson-c\.", "json-c"),
    (r"/libc\.", "libc"),
    (r"vdso|vsyscall", "kernel: the clock"),
)
# The first of these that occurs among the called functions decides what the
# kernel is doing.  The entry of recvfrom() counts as clients: libpq calls it
# once for many requests.
IN_KERNEL = (
    (r"^unix_stream_|^__sys_sendto", "sockets of the database"),
    (r"^tcp_|^inet_|^__sys_sendmsg|^__sys_recvfrom", "sockets of clients"),
    (r"^ep_|epoll", "epoll"),
    (r"^ksys_write", "log"),
    (r"^schedule$", "changes of process"),
)
IN_LIBC = ((r"alloc|free|tcache", "libc: malloc"),
           (r"^_*(mem|str(?!ftime))", "libc: memory, strings"))


def owner_of(path):
    for pattern, owner in OWNERS:
        found = re.search(pattern, path)
        if found:
            return found.expand(owner)
    return "other"


def part_of_libc(symbol):
    for pattern, part in IN_LIBC:
        if re.search(pattern, symbol):
            return part
    return "libc: other"


# --- who works ----------------------------------------------------------------

def seconds_of(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / bench.TICKS


def processes_of_database():
    return gangd.psql("SELECT pid FROM pg_stat_activity "
                      "WHERE pid <> pg_backend_pid()").split()


class Work:
    """The processor seconds of service, database and client."""

    def __init__(self, pid):
        times = os.times()
        self.by = {
            "service": seconds_of(pid),
            "database": sum(map(seconds_of, processes_of_database())),
            "client": times.children_user + times.children_system,
        }


def tell_work(begun, ended, run):
    taken = {who: (ended.by[who] - begun.by[who]) / run["requests"] * 1e6
             for who in begun.by}
    print(f"{run['rate']:.0f} requests a second on {os.cpu_count()} "
          "processors; processor time a request:",
          ", ".join(f"{who} {us:.1f} us" for who, us in taken.items()))


def tell_log(before, run):
    """Print how many moves share a flush of the write-ahead log."""
    flushes, size = (after - then for after, then in zip(log_state(), before))
    if flushes > run["requests"] / 1000:
        print(f"{run['requests'] / flushes:.1f} requests for each flush of "
              f"the write-ahead log, {size / run['requests']:.0f} bytes each")


def log_state():
    """The server's counts of flushes.  A process of the server reports its
    last ones when it has been idle for ten seconds."""
    time.sleep(11)
    return [int(n) for n in gangd.psql(
        "SELECT wal_sync, wal_bytes FROM pg_stat_wal").split("|")]


# --- time ---------------------------------------------------------------------

class Symbols:
    """The daemon's own functions by their addresses: names of static ones are
    not unique, so their files distinguish them."""

    def __init__(self, build):
        text = subprocess.run(["nm", "-nl", build + "/bin/gangd"], check=True,
                              text=True, stdout=subprocess.PIPE).stdout
        lines = re.findall(r"^([0-9a-f]+) [tT] (\S+)(?:\t(\S+):\d+)?$", text,
                           re.MULTILINE)
        self.starts = [int(line[0], 16) for line in lines]
        self.owners = [owner_of(line[2]) for line in lines]
        self.named = {line[1]: owner_of(line[2]) for line in lines}

    def owner(self, address):
        at = bisect.bisect(self.starts, address) - 1
        return self.owners[at] if at >= 0 else "other"


def part_of_sample(frames, symbols):
    """The part at work in a sample of calls, the innermost first."""
    address, symbol, file = frames[0]
    if "kernel" in file or file == "[unknown]":
        names = [name for _, name, where in frames if "kernel" in where]
        for pattern, part in IN_KERNEL:
            if any(re.search(pattern, name) for name in names):
                return "kernel: " + part
        return "kernel: other"
    if file.endswith("/bin/gangd"):
        return symbols.owner(address)
    owner = owner_of(file)
    return part_of_libc(symbol) if owner == "libc" else owner


FRAME = re.compile(r"^\s+([0-9a-f]+) (.+?)(?:\+0x[0-9a-f]+)? \((.+)\)$")


def read_samples(data, symbols):
    """The number of samples of each part, and of each function."""
    text = subprocess.run(
        ["perf", "script", "-i", data, "-F", "ip,sym,symoff,dso"], check=True,
        text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    parts, functions = collections.Counter(), collections.Counter()
    for sample in text.split("\n\n"):
        frames = [(int(found.group(1), 16), found.group(2), found.group(3))
                  for found in map(FRAME.match, sample.splitlines()) if found]
        if not frames:
            continue
        part = part_of_sample(frames, symbols)
        parts[part] += 1
        functions[f"{frames[0][1]} ({part})"] += 1
    return parts, functions


def tell(counter, scale, form, count=None):
    for name, value in counter.most_common(count):
        print(f"  {form.format(value * scale)}  {name}")


def measure_time(build):
    at_work = bench.Bench(build)
    pid = at_work.daemon.pid
    symbols = Symbols(build)
    data = str(at_work.folder / "perf.data")
    for name, script in ROUTES:
        print("\n" + name)
        at_work.make_games(script, CONNECTIONS)
        log = log_state()
        begun = Work(pid)
        run = at_work.ask(script, CONNECTIONS)
        tell_work(begun, Work(pid), run)
        tell_log(log, run)

        # Once more, since looking takes time too.
        at_work.make_games(script, CONNECTIONS)
        with subprocess.Popen(
                ["perf", "record", "-q", "-e", "cpu-clock", "-F", str(SAMPLES),
                 "-g", "-p", str(pid), "-o", data],
                stderr=subprocess.DEVNULL) as perf:
            at_work.ask(script, CONNECTIONS)
            perf.send_signal(signal.SIGINT)
        parts, functions = read_samples(data, symbols)
        if not parts:
            raise SystemExit("perf has seen nothing; see perf record")
        scale = 100 / sum(parts.values())
        print(f"where the service works, {sum(parts.values())} samples")
        tell(parts, scale, "{:5.1f} %")
        print("the functions that take most")
        tell(functions, scale, "{:5.1f} %", FUNCTIONS)
        os.remove(data)
    return at_work.daemon.stop()


# --- instructions -------------------------------------------------------------

def control(pid, *command):
    subprocess.run(["callgrind_control", *command, str(pid)], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def part_of_function(file, symbol, library, symbols):
    """The part of the system that a function belongs to.  A system header's
    inline code has the header as its file, and mostly no library."""
    owner = owner_of(library or file)
    if library.endswith("/bin/gangd"):
        owner = owner_of(file)
    if owner == "other":
        owner = symbols.named.get(symbol, "libc")
    return part_of_libc(symbol) if owner == "libc" else owner


def read_counts(data, symbols):
    """Instructions by part, and by function."""
    text = subprocess.run(
        ["callgrind_annotate", "--threshold=100", "--auto=no",
         "--show-percs=no", data], check=True, text=True,
        stdout=subprocess.PIPE).stdout
    parts, functions = collections.Counter(), collections.Counter()
    for line in re.findall(r"^ *([\d,]+) +(\S+):(\S+)(?: \[(.+)\])?$", text,
                           re.MULTILINE):
        count = int(line[0].replace(",", ""))
        file, symbol, library = line[1:]
        part = part_of_function(file, symbol, library, symbols)
        parts[part] += count
        functions[f"{symbol} ({part})"] += count
    return parts, functions


def measure_instructions(build):
    for name, script in ROUTES:
        data = f"{build}/bench/callgrind.out"
        at_work = bench.Bench(build, (
            "valgrind", "-q", "--tool=callgrind", "--instr-atstart=no",
            "--dump-instr=no", "--callgrind-out-file=" + data))
        at_work.make_games(script, CONNECTIONS)
        pid = at_work.daemon.pid
        # Warm up: work that is done only once does not count.
        at_work.ask(script, CONNECTIONS, 2)
        at_work.make_games(script, CONNECTIONS)
        control(pid, "-i", "on")
        run = at_work.ask(script, CONNECTIONS)
        control(pid, "-i", "off")
        status = at_work.daemon.stop()
        if status != 0:
            return status
        parts, functions = read_counts(data, Symbols(build))
        print(f"\n{name}: {sum(parts.values()) / run['requests']:.0f} "
              f"instructions each, of {run['requests']:.0f} requests")
        tell(parts, 1 / run["requests"], "{:7.0f}")
        print("the functions that take most")
        tell(functions, 1 / run["requests"], "{:7.0f}", FUNCTIONS)
        os.remove(data)
    return 0


def main():
    build = sys.argv[1]
    wanted = sys.argv[2:] or ["time", "instructions"]
    gangd.fill_log()
    status = measure_time(build) if "time" in wanted else 0
    if status == 0 and "instructions" in wanted:
        status = measure_instructions(build)
    sys.exit(status)


main()
