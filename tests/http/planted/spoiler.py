#!/usr/bin/python3
"""spoiler.py URL - a daemon that lies when it is asked to.

It passes requests on to the daemon at URL and spoils the answers of those
that bring a field X-Spoil, so that the runner's own checks can be seen to
find it:

    drop NAME           without that header field
    set NAME: VALUE     with another value in it
    put JSON            with that value put into the JSON object
    show JSON           with that value as the cards shown to its reader
    pile COUNT          with this many cards in the draw pile
    status STATUS CODE  as if it had been refused
    swap [TEXT, TEXT]   of a stream, with the second in place of the first

Prints its own URL and serves until it is ended.
"""

import http.client
import http.server
import json
import socketserver
import sys

HOP = {"connection", "content-length", "date", "transfer-encoding"}


def spoil(how, status, fields, body):
    verb, _, rest = how.partition(" ")
    if verb == "drop":
        fields = [field for field in fields if field[0].lower() != rest]
    elif verb == "set":
        name, _, value = rest.partition(": ")
        fields = [field for field in fields if field[0].lower() != name]
        fields.append((name, value))
    elif verb == "put":
        value = json.loads(body)
        value["spoiled"] = json.loads(rest)
        body = json.dumps(value).encode()
    elif verb == "show":
        value = json.loads(body)
        value["you"]["shown_cards"] = json.loads(rest)
        body = json.dumps(value).encode()
    elif verb == "pile":
        value = json.loads(body)
        value["table"]["draw_pile"] = int(rest)
        body = json.dumps(value).encode()
    elif verb == "status":
        number, code = rest.split()
        status = int(number)
        fields = [("X-Request-Id", "spoiled"), ("Cache-Control", "no-store"),
                  ("Content-Type", "application/problem+json")]
        body = json.dumps({
            "type": f"/problems/{code}", "title": "", "status": status,
            "detail": "", "instance": "", "code": code}).encode()
    return status, fields, body


def pass_on(answer, how, write):
    """A stream, until one of both ends has gone."""
    old, new = json.loads(how.removeprefix("swap ")) if how else ("", "")
    for line in iter(answer.readline, b""):
        if line.startswith(b"data: ") and old.encode() in line or \
                line == old.encode() + b"\n":
            line = line.replace(old.encode(), new.encode(), 1)
        write(line)


class Spoiler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True
    host = None

    def do_GET(self):
        size = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(size)
        how = self.headers.get("X-Spoil")
        daemon = http.client.HTTPConnection(self.host)
        daemon.request(self.command, self.path, body, {
            name: value for name, value in self.headers.items()
            if name.lower() not in HOP | {"x-spoil"}})
        answer = daemon.getresponse()
        if "event-stream" in answer.getheader("Content-Type", ""):
            self.stream(answer, how)
            daemon.close()
            return
        status, fields, body = answer.status, answer.getheaders(), answer.read()
        daemon.close()
        if how:
            status, fields, body = spoil(how, status, fields, body)
        self.send_response_only(status)
        for name, value in fields:
            if name.lower() not in HOP:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_DELETE = do_GET

    def stream(self, answer, how):
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in HOP:
                self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.flush()
        try:
            pass_on(answer, how, self.connection.sendall)
        except OSError:
            pass

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


def main():
    Spoiler.host = sys.argv[1].removeprefix("http://")
    server = Server(("127.0.0.1", 0), Spoiler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
