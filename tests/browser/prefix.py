"""A proxy that serves a daemon under a path of its own, as many a frontend's
server does: /PATH/docs is the daemon's /docs.  As a balancer it has several
daemons, which serve request after request in turn.  It names its path to them.
"""

import http.client
import http.server
import itertools
import threading

import loopback

PATH = "/gang"
# Fields of a connection, not of a response.
HOP_BY_HOP = ("connection", "date", "server", "transfer-encoding")


class Handler(loopback.Handler):
    protocol_version = "HTTP/1.1"
    proxy = None

    def forward(self):
        if not self.path.startswith(self.proxy.path + "/"):
            self.send_error(404)
            return
        body = self.body()
        self.proxy.answering.wait()
        connection = http.client.HTTPConnection(*self.proxy.next_address())
        try:
            connection.connect()
        except OSError:
            self.send_error(502)
            return
        try:
            connection.request(
                self.command, self.path.removeprefix(self.proxy.path),
                body or None,
                {name: value for name, value in self.headers.items()
                 if name.lower() not in ("host", "connection")} |
                {"X-Forwarded-Prefix": self.proxy.path})
            self.pass_on(connection.getresponse())
        except OSError:
            self.close_connection = True
        finally:
            connection.close()

    def pass_on(self, answer):
        """The response as it comes; the end of a connection ends a stream."""
        is_stream = answer.length is None
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in HOP_BY_HOP:
                self.send_header(name, value)
        if is_stream:
            self.send_header("Connection", "close")
        self.end_headers()
        while piece := answer.read1(65536):
            self.wfile.write(piece)

    do_GET = do_POST = do_PUT = do_DELETE = forward


class Server(loopback.Server):
    request_queue_size = 100

    def handle_error(self, *_):
        pass  # a browser that went away


class Proxy:
    """Serves until it is closed; .base is its address.  While .answering is not
    set, it takes requests and answers no request."""

    def __init__(self, *daemons, path=PATH):
        self.daemons, self.path = daemons, path
        self.turns = itertools.count()
        self.answering = threading.Event()
        self.answering.set()
        handler = type("Handler", (Handler,), {"proxy": self})
        self.server = Server(handler)
        self.base = f"http://127.0.0.1:{self.server.server_port}{path}"

    def next_address(self):
        daemons = self.daemons
        return daemons[next(self.turns) % len(daemons)].address

    def close(self):
        self.answering.set()
        self.server.shutdown()
        self.server.server_close()
