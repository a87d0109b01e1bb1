"""HTTP/1.1 over a bare socket: what is sent is exactly what a test says, byte for byte, and what comes back is looked
at as it came."""
import base64
import gzip
import hashlib
import json
import secrets
import socket
import struct
import threading
import time
import urllib.parse
import xml.etree.ElementTree as ET
import zlib

SECONDS_MAX = 60
SALT = "999888999"      # the seed's


class Broken(Exception):
    """The connection ended, or what came is not HTTP."""


class Answer:
    def __init__(self, status, headers, body, raw):
        self.status = status
        self.headers = headers          # [(name as sent, value)]
        self.body = body                # transfer coding removed, content coding not
        self.raw = raw

    def __getitem__(self, name):
        values = [v for k, v in self.headers if k.lower() == name.lower()]
        return ", ".join(values) if values else None

    def __repr__(self):
        return f"{self.status} {self['content-type']} {self.body[:300]!r}"

    @property
    def content(self):
        return gzip.decompress(self.body) if self["content-encoding"] == "gzip" else self.body

    @property
    def text(self):
        return self.content.decode("utf-8")

    @property
    def media(self):
        return (self["content-type"] or "").partition(";")[0].strip().lower()

    def xml(self):
        return ET.fromstring(self.content)

    def json(self):
        return json.loads(self.content)

    def field(self, name):
        """The text of a child of the document's root; None when there is no such child."""
        element = self.xml().find(name)
        return None if element is None else (element.text or "")

    def number(self, name):
        element = self.xml().find(name)
        assert element is not None, f"no <{name}> in {self!r}"
        assert element.get("type") == "integer", f"<{name}> is not typed integer in {self!r}"
        return int(element.text)


class Connection:
    """A keep-alive connection that opens itself again after the server closed it."""

    def __init__(self, server, seconds=SECONDS_MAX, address=None):
        """`address` is the one of this machine that the client has; None leaves it to the system."""
        self.server = server
        self.host = getattr(server, "host", "127.0.0.1")
        self.seconds = seconds
        self.source = None if address is None else (address, 0)
        self.socket = None
        self.buffer = b""

    def open(self):
        if self.socket is None:
            self.socket = socket.create_connection(
                (self.host, self.server.port), timeout=self.seconds, source_address=self.source)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.buffer = b""
        return self

    def close(self):
        if self.socket is not None:
            self.socket.close()
            self.socket = None

    __enter__ = open

    def __exit__(self, *_):
        self.close()

    def send(self, raw):
        self.open()
        self.socket.sendall(raw)

    def more(self):
        try:
            data = self.socket.recv(65536)
        except TimeoutError:
            raise Broken(f"no answer within {self.seconds} s; so far {self.buffer[:300]!r}") from None
        if not data:
            raise Broken(f"the server closed the connection; so far {self.buffer[:300]!r}")
        self.buffer += data

    def line(self):
        while b"\r\n" not in self.buffer:
            self.more()
        line, self.buffer = self.buffer.split(b"\r\n", 1)
        return line

    def exactly(self, count):
        while len(self.buffer) < count:
            self.more()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def receive(self, method):
        """Reads one final answer (interim 1xx ones are passed over)."""
        while True:
            first = self.line()
            if not first.startswith(b"HTTP/1.1 "):
                raise Broken(f"not an HTTP/1.1 status line: {first[:200]!r}")
            status = int(first[9:12])
            headers = []
            while True:
                line = self.line()
                if not line:
                    break
                name, colon, value = line.partition(b":")
                if not colon:
                    raise Broken(f"not a header: {line!r}")
                headers.append((name.decode("latin-1"), value.strip().decode("latin-1")))
            if status >= 200:
                break
        head = Answer(status, headers, b"", first)
        if method == "HEAD" or status in (204, 304):
            body = b""
        elif "chunked" in (head["transfer-encoding"] or "").lower():
            body = b""
            while True:
                size = int(self.line().split(b";")[0], 16)
                body += self.exactly(size)
                if size == 0:
                    while self.line():
                        pass
                    break
                if self.line():
                    raise Broken("a chunk does not end where it says")
        elif head["content-length"] is not None:
            body = self.exactly(int(head["content-length"]))
        else:
            body = b""
            try:
                while True:
                    self.more()
            except Broken:
                body, self.buffer = self.buffer, b""
        if "close" in (head["connection"] or "").lower():
            self.close()
        return Answer(status, headers, body, first)

    def request(self, method, path, headers=(), body=None):
        """Sends one request and reads its answer. A connection that the server had closed while idle is opened again,
        once."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}:{self.server.port}"]
        names = {k.lower() for k, _ in headers}
        if body is not None and "content-length" not in names and "transfer-encoding" not in names:
            lines.append(f"Content-Length: {len(body)}")
        if body is not None and "content-type" not in names:
            lines.append("Content-Type: application/x-www-form-urlencoded")
        if "accept" not in names:
            lines.append("Accept: */*")
        lines += [f"{k}: {v}" for k, v in headers]
        raw = ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8") + (body or b"")
        used = self.socket is not None
        try:
            try:
                self.send(raw)
                return self.receive(method)
            except (Broken, ConnectionError):
                if not used or self.buffer or method not in ("GET", "HEAD"):
                    raise
                self.close()
                self.send(raw)
                return self.receive(method)
        except (Broken, OSError):
            self.close()
            raise

    def get(self, path, **headers):
        return self.request("GET", path, [(k.replace("_", "-"), v) for k, v in headers.items()])


def raw(server, data):
    """Sends exactly these bytes on a connection of its own and reads one answer."""
    method = data.split(b" ", 1)[0].decode("ascii")
    with Connection(server) as c:
        c.send(data)
        return c.receive(method)


def request(server, method, path, headers=(), body=None):
    with Connection(server) as c:
        return c.request(method, path, headers, body)


def get(server, path, **headers):
    return request(server, "GET", path, [(k.replace("_", "-"), v) for k, v in headers.items()])


# -- forms

def escaped(fields):
    """A form body as a browser makes it."""
    return urllib.parse.urlencode(list(fields.items()) if isinstance(fields, dict) else fields).encode("ascii")


def unescaped(fields):
    """A form body as the iPhone's stringWithFormat made it: UTF-8, and not one character escaped."""
    pairs = fields.items() if isinstance(fields, dict) else fields
    return "&".join(f"{k}={v}" for k, v in pairs).encode("utf-8")


def device():
    """A device id like the iPhone's: 40 hex digits."""
    return secrets.token_hex(20)


def token(points, phone, salt=SALT):
    return hashlib.md5(f"{points}:{salt}:{phone}".encode()).hexdigest()


class Phone:
    """One device that speaks the classic protocol, over a keep-alive connection (its own, or one that is shared by a
    thread)."""

    def __init__(self, server, udid=None, connection=None, encode=escaped):
        self.server = server
        self.udid = udid or device()
        self.connection = connection or Connection(server)
        self.encode = encode

    def write(self, method, path, fields, encode=None):
        return self.connection.request(method, path, body=(encode or self.encode)(fields))

    def register(self, name, **fields):
        return self.write("PUT", "/customers", {"name": name, **fields, "phone": self.udid})

    def post(self, points, **fields):
        return self.write("PUT", "/scores", {"phone": self.udid, "points": points, **fields})

    def donate(self, charity, points, **fields):
        return self.write("PUT", "/donations",
                          {"phone": self.udid, "charity": charity, "donated_points": points, **fields})

    def high_score(self, name, points, auth=None, path="/high_scores", encode=None, extra=()):
        fields = [("high_score[auth_token]", auth or token(points, self.udid).upper()),
                  ("high_score[player_name]", name), ("high_score[total_score]", points),
                  ("high_score[iphone_udid]", self.udid), *extra]
        return self.write("POST", path, fields, encode)

    def close(self):
        self.connection.close()


def in_threads(count, work, seconds=120):
    """Runs work(0) … work(count - 1) at once; raises the first error after all have ended."""
    errors = []

    def one(number):
        try:
            work(number)
        except BaseException as e:      # a thread's failure is the test's failure
            errors.append(e)
    threads = [threading.Thread(target=one, args=(n,), daemon=True) for n in range(count)]
    end = time.monotonic() + seconds
    for t in threads:
        t.start()
    for t in threads:
        t.join(max(0.01, end - time.monotonic()))
    if errors:
        raise errors[0]
    assert not any(t.is_alive() for t in threads), f"clients still wait after {seconds} s"


def until_taken(send, seconds=60):
    """Calls `send`, which sends a write under one and the same id, until the server is not too busy for it. Returns its
    answer, and whether it was sent again: after a 503, 200 is as good as 201."""
    end = time.monotonic() + seconds
    is_again = False
    while True:
        answer = send()
        if answer.status != 503 or time.monotonic() > end:
            return answer, is_again
        is_again = True
        time.sleep(0.05)


# -- pictures

def png(width=40, height=40, colour=(200, 30, 60)):
    """A real PNG of one colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    row = b"\0" + bytes(colour) * width
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(row * height)) + chunk(b"IEND", b""))


def png_size(data):
    """Width and height of a PNG whose every checksum is right and whose picture inflates; raises otherwise."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n", f"no PNG: {data[:16]!r}"
    at, size, packed = 8, None, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        content = data[at + 8:at + 8 + length]
        checksum = struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0]
        assert checksum == zlib.crc32(kind + content), f"bad checksum in {kind}"
        if kind == b"IHDR":
            size = struct.unpack(">II", content[:8])
        if kind == b"IDAT":
            packed += content
        at += 12 + length
    assert kind == b"IEND" and at == len(data), "the PNG does not end with IEND"
    zlib.decompress(packed)
    return size


def base64_text(data):
    return base64.b64encode(data).decode("ascii")


# A real JPEG, 16 wide and 24 high.
JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQEAYABgAAD//gA7Q1JFQVRPUjogZ2QtanBlZyB2MS4wICh1c2luZyBJSkcgSlBFRyB2NjIpLCBxdWFsaXR5"
    "ID0gNDAK/9sAQwAUDg8SDw0UEhASFxUUGB4yIR4cHB49LC4kMklATEtHQEZFUFpzYlBVbVZFRmSIZW13e4GCgU5gjZeMfZZzfoF8"
    "/9sAQwEVFxceGh47ISE7fFNGU3x8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8/8AAEQgA"
    "GAAQAwEiAAIRAQMRAf/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUS"
    "ITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0"
    "dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX2"
    "9/j5+v/EAB8BAAMBAQEBAQEBAQEAAAAAAAABAgMEBQYHCAkKC//EALURAAIBAgQEAwQHBQQEAAECdwABAgMRBAUhMQYSQVEHYXET"
    "IjKBCBRCkaGxwQkjM1LwFWJy0QoWJDThJfEXGBkaJicoKSo1Njc4OTpDREVGR0hJSlNUVVZXWFlaY2RlZmdoaWpzdHV2d3h5eoKD"
    "hIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uLj5OXm5+jp6vLz9PX29/j5+v/aAAwD"
    "AQACEQMRAD8A56GD2q/DB7VJDB7Vfhg9qKlU3wdckhg9qvQwe1FFedUkzycHNn//2Q==")
