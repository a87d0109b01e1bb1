"""Event streams, read as they come."""
import socket
import time

import client

SECONDS_MAX = 30


class Stream:
    """An open event stream over HTTP/1.1 or, as `version` says, HTTP/1.0. `status` and `headers` are those of its
    head."""

    def __init__(self, server, path, headers=(), address=None, version="1.1", receive_bytes=None):
        """`receive_bytes` is what the system takes of what is not read, about; None leaves it to the system."""
        self.connection = client.Connection(server, SECONDS_MAX, address)
        self.connection.socket = socket.socket()
        if receive_bytes is not None:
            self.connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self.connection.socket.settimeout(SECONDS_MAX)
        self.connection.socket.bind((address or "127.0.0.1", 0))
        self.connection.socket.connect(("127.0.0.1", server.port))
        lines = [f"GET {path} HTTP/{version}", f"Host: 127.0.0.1:{server.port}", *(f"{k}: {v}" for k, v in headers)]
        self.connection.send(("\r\n".join(lines) + "\r\n\r\n").encode())
        first = self.connection.line()
        self.status = int(first.split()[1])
        self.headers = {}
        while line := self.connection.line():
            name, _, value = line.decode().partition(": ")
            self.headers[name.lower()] = value
        self.is_chunked = self.headers.get("transfer-encoding") == "chunked"
        self.text = b""
        self.has_ended = False
        self.comments = 0

    def close(self):
        self.connection.close()

    __enter__ = lambda self: self       # noqa: E731

    def __exit__(self, *_):
        self.close()

    def block(self):
        """The next fields up to an empty line, as (name, value); None at the end of the stream."""
        while b"\n\n" not in self.text:
            if not self.more():
                assert self.text == b"", f"the stream ends in the midst of {self.text[-200:]!r}"
                return None
        block, _, self.text = self.text.partition(b"\n\n")
        return [tuple(line.decode().partition(":")[::2]) for line in block.split(b"\n")]

    def more(self):
        """Reads on; false when the body has ended as it should."""
        if self.has_ended:
            return False
        if not self.is_chunked:
            try:
                if not self.connection.buffer:      # the head may have brought some of it
                    self.connection.more()
            except client.Broken as error:
                if "closed" not in str(error):
                    raise
                self.has_ended = True
            before = len(self.text)
            self.text += self.connection.exactly(len(self.connection.buffer))
            return len(self.text) > before
        size = int(self.connection.line(), 16)
        self.text += self.connection.exactly(size)
        assert self.connection.line() == b"", "a chunk does not end where it says"
        self.has_ended = size == 0
        return not self.has_ended

    def event(self):
        """The next event as {event, data, id}, past comments and `retry`; None at the end."""
        while (fields := self.block()) is not None:
            if all(name == "" for name, _ in fields):
                self.comments += 1
                continue
            found = {}
            for name, value in fields:
                value = value.removeprefix(" ")
                found[name] = found[name] + "\n" + value if name in found else value
            if "data" in found:
                return found
            self.retry = found.get("retry")
        return None

    def until(self, condition, seconds=SECONDS_MAX):
        """The first event that meets the condition."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            event = self.event()
            assert event is not None, "the stream has ended"
            if condition(event):
                return event
        raise AssertionError(f"no such event within {seconds} s")
