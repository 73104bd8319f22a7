"""The metrics of a program that is tested, as its listener gives them."""
import http.client
import re
import time

import gangd

SOON = 10  # seconds; much less than anything times out
SAMPLE = re.compile(r"([a-z_]+)(?:{(.*)})? (-?[0-9.e+-]+)$")
LABEL = re.compile(r'([a-z]+)="([^"]*)"(?:,|$)')
ADDRESS = re.compile(r'"event":"metrics_listening".*"address":"([^":]+):(\d+)"')


def address_in(log):
    """The listener that a log names, as host and port."""
    host, port = ADDRESS.search(log).groups()
    return host, int(port)


class Metrics:
    """The metrics of gangd or gangd-push, which names its listener in its log."""

    def __init__(self, log):
        self.client = gangd.Client(address_in(log))

    def text(self):
        try:
            answer = self.client.get("/metrics")
        except http.client.RemoteDisconnected:  # it was idle for long
            answer = self.client.get("/metrics")
        if answer.status != 200:
            raise SystemExit(f"no metrics: {answer.status}")
        return answer.body if isinstance(answer.body, str) \
            else answer.body.decode()

    def values(self):
        """{(name, (label, value)...): number}"""
        values = {}
        for line in self.text().splitlines():
            if line.startswith("#"):
                continue
            match = SAMPLE.fullmatch(line)
            if not match:
                raise SystemExit("no sample: " + line)
            key = (match[1], *sorted(LABEL.findall(match[2] or "")))
            if key in values:
                raise SystemExit("a series twice: " + line)
            values[key] = float(match[3])
        return values

    def value(self, name, **labels):
        return self.values().get((name, *sorted(labels.items())), 0)

    def sum(self, name, **labels):
        """That of all series of a name that have these labels."""
        return sum(value for key, value in self.values().items()
                   if key[0] == name and set(labels.items()) <= set(key[1:]))

    def wait_for(self, wanted, name, **labels):
        """Wait until the series has this value; what it has."""
        deadline = time.monotonic() + SOON
        while (value := self.value(name, **labels)) != wanted and \
                time.monotonic() < deadline:
            time.sleep(0.01)
        return value


def of_daemon(daemon):
    return Metrics("".join(daemon.lines))
