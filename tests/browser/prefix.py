"""A proxy that serves a daemon under a path of its own, as many a frontend's
server does: /PATH/docs is the daemon's /docs."""

import http.server
import threading

PATH = "/gang"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    daemon_of = None

    def do_GET(self):
        if not self.path.startswith(PATH + "/"):
            self.send_error(404)
            return
        client = self.daemon_of.client()
        answer = client.get(self.path.removeprefix(PATH))
        client.close()
        self.send_response(answer.status)
        for name, value in answer.headers:
            if name.lower() not in ("connection", "date", "server"):
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, *_):
        pass


class Proxy:
    """Serves until it is closed; .base is its address."""

    def __init__(self, daemon):
        handler = type("Handler", (Handler,), {"daemon_of": daemon})
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.base = f"http://127.0.0.1:{self.server.server_port}{PATH}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
