"""A front as many services have one: a proxy whose clients share a connection.

The front finds the end of a request by itself, forwards the bytes as they came,
and takes the next answer on the shared connection as that of the request.  If
the daemon finds another end, a client gets the answer to a request that another
client has hidden.

Fronts differ in where the line with a chunk's size ends: in some an extension
may hold a bare LF (as RFC 9112 has it), in others that LF ends the line.
"""
import re
import socket
import threading

LINE_ENDS = {"CR LF": b"\r\n", "LF": b"\n"}

LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d+)", re.I)
CHUNKED = re.compile(rb"\r\ntransfer-encoding:[ \t]*chunked", re.I)
CLOSE = re.compile(rb"\r\nconnection:[ \t]*close", re.I)
ID = re.compile(rb"\r\nx-request-id:[ \t]*([^\r\n]*)", re.I)


class Stream:
    """The bytes of a connection, as they come."""

    def __init__(self, connection):
        self.socket, self.bytes = connection, b""

    def has(self, count):
        while len(self.bytes) < count:
            piece = self.socket.recv(65536)
            if not piece:
                raise EOFError
            self.bytes += piece

    def find(self, end, start):
        """The place after the first such end from start on."""
        while (at := self.bytes.find(end, start)) < 0:
            self.has(len(self.bytes) + 1)
        return at + len(end)

    def message_size(self, line_end):
        """The size of the next message, whose head must have arrived."""
        size = self.find(b"\r\n\r\n", 0)
        head = self.bytes[:size]
        if CHUNKED.search(head):
            return self.chunks_end(size, line_end)
        length = LENGTH.search(head)
        return size + int(length[1]) if length else size

    def chunks_end(self, at, line_end):
        while True:
            begun, at = at, self.find(line_end, at)
            size = int(self.bytes[begun:at].split(b";")[0], 16)
            if size == 0:
                return self.trailer_end(at, line_end)
            # Skip two bytes after the data without checking for CR LF.
            at += size + 2
            self.has(at)

    def trailer_end(self, at, line_end):
        while True:
            begun, at = at, self.find(line_end, at)
            if not self.bytes[begun:at].strip():
                return at

    def take(self, line_end=b"\r\n"):
        size = self.message_size(line_end)
        self.has(size)
        message, self.bytes = self.bytes[:size], self.bytes[size:]
        return message


class Front:
    """.address is where it listens; .connections is the number of connections
    to the daemon so far; .mistaken has the X-Request-Ids of requests together
    with those of the wrong answers that they got."""

    def __init__(self, daemon_address, line_end):
        self.daemon_address, self.line_end = daemon_address, line_end
        self.daemon, self.connections, self.mistaken = None, 0, []
        self.lock = threading.Lock()
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.address = self.listening.getsockname()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listening.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,),
                             daemon=True).start()

    def serve(self, client):
        stream = Stream(client)
        try:
            while True:
                request = stream.take(self.line_end)
                with self.lock:
                    answer = self.forward(request)
                client.sendall(answer)
        except (EOFError, OSError):
            client.close()

    def forward(self, request):
        if not self.daemon:
            connection = socket.create_connection(self.daemon_address, 5)
            self.daemon = Stream(connection)
            self.connections += 1
        try:
            self.daemon.socket.sendall(request)
            answer = self.daemon.take()
        except (EOFError, OSError):
            self.drop()
            raise
        head = answer.split(b"\r\n\r\n")[0]
        ids = [found and found[1].decode()
               for found in (ID.search(request), ID.search(head))]
        if ids[0] != ids[1]:
            self.mistaken.append(ids)
        if CLOSE.search(head):
            self.drop()
        return answer

    def drop(self):
        self.daemon.socket.close()
        self.daemon = None

    def close(self):
        # Closing alone would not wake the thread that accepts.
        self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()
