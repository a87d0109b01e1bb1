"""HTTP/2 over a bare socket: every frame is sent just as a test says, also those that no honest client sends."""
import socket
import struct
import time

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
END_STREAM, END_HEADERS, ACK = 1, 4, 1
INITIAL_WINDOW_SIZE = 4


def frame(kind, flags=0, stream=0, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def literal(name, value):
    """A header field that enters no table (RFC 7541, section 6.2.2), without Huffman coding."""
    def text(word):
        length = len(word)
        if length < 127:
            return bytes([length]) + word
        rest, more = length - 127, b""
        while rest >= 128:
            more += bytes([rest % 128 + 128])
            rest //= 128
        return b"\x7f" + more + bytes([rest]) + word
    return b"\0" + text(name.encode()) + text(value.encode())


def head(method, path, **more):
    fields = {":method": method, ":scheme": "http", ":authority": "x", ":path": path, **more}
    return b"".join(literal(name, value) for name, value in fields.items())


class Connection:
    """One connection with prior knowledge; `wrap` may put TLS over its socket."""

    def __init__(self, port, settings=b"", wrap=lambda plain: plain, seconds=20):
        plain = socket.create_connection(("127.0.0.1", port), timeout=seconds)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = wrap(plain)
        self.buffer = b""
        self.frames = []
        self.send(PREFACE + frame(SETTINGS, payload=settings))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def request(self, stream, method, path, body=None, **more):
        self.send(frame(HEADERS, END_HEADERS | (END_STREAM if body is None else 0), stream, head(method, path, **more)))
        if body is not None:
            self.send(frame(DATA, END_STREAM, stream, body))

    def next(self):
        """The next frame as (kind, flags, stream, payload); None when the server has closed."""
        while len(self.buffer) < 9 or len(self.buffer) < 9 + int.from_bytes(self.buffer[:3], "big"):
            try:
                more = self.socket.recv(65536)
            except ConnectionError:
                return None
            if not more:
                return None
            self.buffer += more
        length = int.from_bytes(self.buffer[:3], "big")
        kind, flags = self.buffer[3], self.buffer[4]
        stream = int.from_bytes(self.buffer[5:9], "big")
        payload, self.buffer = self.buffer[9:9 + length], self.buffer[9 + length:]
        if kind == SETTINGS and not flags & ACK:
            self.send(frame(SETTINGS, ACK))
        self.frames.append((kind, flags, stream, payload))
        return self.frames[-1]

    def answer(self, stream, seconds=20):
        """The frames of a stream up to its end, or to its reset."""
        found = [f for f in self.frames if f[2] == stream]
        end = time.monotonic() + seconds
        while not any(f[0] == RST_STREAM or f[0] in (DATA, HEADERS) and f[1] & END_STREAM for f in found):
            assert time.monotonic() < end, f"stream {stream} does not end: {found}"
            got = self.next()
            assert got is not None, f"the server closed the connection; so far {self.frames[-5:]}"
            if got[2] == stream:
                found.append(got)
        return found

    def end(self):
        """Reads until the server closes; returns the error codes of its GOAWAY frames."""
        while self.next() is not None:
            pass
        return [int.from_bytes(payload[4:8], "big") for kind, _, _, payload in self.frames if kind == GOAWAY]


def body(frames):
    return b"".join(payload for kind, _, _, payload in frames if kind == DATA)
