"""A small HTTP server on 127.0.0.1 that records the bodies that clients post."""

import dataclasses
import re
import socket
import threading

TIMEOUT = 120
# The browsers' page loads this in a frame, and so learns of the response.
ANSWER = b"<script>if (parent !== window) parent.submitted()</script>"


@dataclasses.dataclass(frozen=True)
class Request:
    """A recorded request: its Content-Type and its decoded body."""

    content_type: str
    body: bytes


class Listener:
    """Records the body of every POST under the last component of its path.

    GET serves the given pages; `/wait/<key>` serves the body posted under a key, once it is there.
    """

    def __init__(self, pages=None):
        self.pages = pages or {}
        self.requests = {}
        self.posted = threading.Condition()
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.socket.getsockname()[1]}"

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.socket.close()

    def wait(self, key, timeout):
        """Waits for a post under a key; returns whether it came in time."""
        with self.posted:
            return self.posted.wait_for(lambda: key in self.requests, timeout)

    def _page(self, path):
        key = path.removeprefix("/wait/")
        if key == path:
            return self.pages.get(path)
        return self.requests[key].body if self.wait(key, TIMEOUT) else None

    def _accept(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        connection.settimeout(TIMEOUT)
        try:
            with connection, connection.makefile("rb") as stream:
                self._answer(connection, stream)
        except OSError:
            # The client went away; the missing request fails later.
            pass

    def _answer(self, connection, stream):
        line = stream.readline().decode("latin-1").split(" ")
        if len(line) != 3:
            return
        method, path, _ = line
        fields = {}
        while (field := stream.readline()) not in (b"\r\n", b""):
            name, _, value = field.decode("utf-8", "replace").partition(":")
            fields[name.lower()] = value.strip()
        if fields.get("expect", "").lower() == "100-continue":
            connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        status, answer = "200 OK", ANSWER
        if method == "GET":
            answer = self._page(path)
            if answer is None:
                status, answer = "404 Not Found", b""
        else:
            body = read_body(stream, fields)
            with self.posted:
                self.requests[path.rpartition("/")[2]] = Request(fields.get("content-type", ""), body)
                self.posted.notify_all()
        head = f"HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(answer)}\r\n"
        connection.sendall(head.encode() + b"Connection: close\r\n\r\n" + answer)


def read_body(stream, fields):
    """The body of a request, with a length or in chunks."""
    if fields.get("transfer-encoding", "").lower() != "chunked":
        length = int(fields.get("content-length", 0))
        body = stream.read(length)
        if len(body) < length:
            raise OSError("the body is cut off")
        return body
    body = b""
    while size := int(re.match(rb"[0-9A-Fa-f]+", stream.readline())[0], 16):
        body += stream.read(size)
        stream.readline()
    stream.readline()
    return body
