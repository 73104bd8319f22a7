"""HTTP servers of a test's own on 127.0.0.1, and free ports for other programs."""
import http.server
import socket
import threading


def free_ports(count):
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in held]
    for each in held:
        each.close()
    return ports


class Quiet:
    """Before a handler of http.server among the bases of a class: it logs nothing."""

    def log_message(self, *_):
        pass


class Handler(Quiet, http.server.BaseHTTPRequestHandler):
    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def answer(self, status, body=b""):
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Server(http.server.ThreadingHTTPServer):
    """Serves from the beginning, each connection in a thread."""

    daemon_threads = True

    def __init__(self, handler):
        super().__init__(("127.0.0.1", 0), handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"127.0.0.1:{self.server_port}"
