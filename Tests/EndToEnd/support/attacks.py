"""Attacks by a stranger at one address, to keep everybody else waiting. Each attack runs until `stop` is set, uses
bounded resources, and counts the answers."""
import collections
import datetime
import http.client
import itertools
import json
import os
import socket
import ssl
import struct
import threading
import uuid

import http2
import v1

BODY = 256 * 1024
SAVE = 64 * 1024
SECONDS_MAX = 30


class Door:
    """The address that clients connect to: the server itself or a proxy in front of it."""

    def __init__(self, name, port, certificate=None):
        self.name, self.port = name, port
        self.context = ssl.create_default_context(cafile=certificate) if certificate else None

    def socket(self, address, seconds=SECONDS_MAX, says_hello=True):
        """Without a hello it is a connection of TCP alone."""
        s = socket.create_connection(("127.0.0.1", self.port), seconds, source_address=(address, 0))
        return self.context.wrap_socket(s, server_hostname="localhost") if self.context and says_hello else s

    def http2(self, address, settings=b"", seconds=SECONDS_MAX):
        """Over TLS if it has a certificate, else with prior knowledge."""
        def wrap(plain):
            if not self.context:
                return plain
            self.context.set_alpn_protocols(["h2"])
            return self.context.wrap_socket(plain, server_hostname="localhost")
        return http2.Connection(self.port, settings, wrap, seconds, address)

    def connection(self, address, seconds=SECONDS_MAX):
        if self.context:
            return http.client.HTTPSConnection("localhost", self.port, timeout=seconds, source_address=(address, 0),
                                               context=self.context)
        return http.client.HTTPConnection("localhost", self.port, timeout=seconds, source_address=(address, 0))


class Caller:
    """One client that keeps its connection, and reopens it when it was closed."""

    def __init__(self, door, address, headers=None):
        self.door, self.address = door, address
        self.headers = headers or {}
        self.connection = None

    def ask(self, method, path, body=None, token=None, **headers):
        """The status and the headers; None if the connection was closed."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()} | self.headers
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if isinstance(body, dict):
            body = json.dumps(body)
            headers.setdefault("Content-Type", "application/json")
        try:
            if self.connection is None:
                self.connection = self.door.connection(self.address)
            self.connection.request(method, path, body, headers)
            answer = self.connection.getresponse()
            answer.read()
            return answer.status, answer.headers
        except (OSError, http.client.HTTPException):
            self.close()
            return None, {}

    def register(self, name, game):
        token = v1.token()
        self.ask("PUT", f"/v1/games/{game}/devices/{uuid.uuid4().hex}", {"name": name}, token)
        return token

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None


class Attack:
    """The threads of one attack. `answers` counts statuses, and None for closed or refused connections."""

    def __init__(self, door, address, threads, work, headers=None):
        self.stop = threading.Event()
        self.answers = collections.Counter()
        self.held = []
        self.threads = [threading.Thread(target=self.run, args=(work, door, address, number, headers), daemon=True)
                        for number in range(threads)]

    def run(self, work, door, address, number, headers):
        try:
            work(self, door, address, number, headers)
        except OSError:
            self.answers[None] += 1

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        for thread in self.threads:
            thread.join(SECONDS_MAX)
        for s in self.held:
            s.close()

    def hold(self, door, address, bytes, says_hello=True):
        """Keeps one more connection open, after sending these bytes."""
        try:
            s = door.socket(address, 5, says_hello)
            self.held.append(s)
            s.sendall(bytes)
        except OSError:
            self.answers[None] += 1


def headers_text(headers):
    return "".join(f"{name}: {value}\r\n" for name, value in (headers or {}).items())


def unfinished_bodies(attack, door, address, number, headers):
    """Bodies that lack their last byte, enough to fill the memory for request bodies."""
    head = (f"PUT /v1/games/maze/devices/slow{number} HTTP/1.1\r\nHost: localhost\r\n{headers_text(headers)}"
            f"Content-Type: application/json\r\nContent-Length: {BODY}\r\n\r\n").encode()
    for _ in range(280):
        if attack.stop.is_set():
            return
        attack.hold(door, address, head + b"x" * (BODY - 1))
    attack.stop.wait()


def connections(attack, door, address, number, headers):
    """Connections that send one byte each, as many as a proxy allows."""
    for _ in range(1_000):
        if attack.stop.is_set():
            return
        attack.hold(door, address, b"G", says_hello=False)
    attack.stop.wait()


def saves(attack, door, address, number, headers):
    """Saves of random bytes, in the slots of ever new players."""
    caller = Caller(door, address, headers)
    for name in itertools.count():
        token = caller.register(f"Filler {number} {name}", "maze")
        for slot in range(16):
            if attack.stop.is_set():
                return caller.close()
            status, _ = caller.ask("PUT", f"/v1/players/me/saves/s{slot}", os.urandom(SAVE), token,
                                   Content_Type="application/octet-stream", If_None_Match="*")
            attack.answers[status] += 1


def gets(attack, door, address, headers, paths):
    caller = Caller(door, address, headers)
    for path in paths:
        if attack.stop.is_set():
            return caller.close()
        status, _ = caller.ask("GET", path)
        attack.answers[status] += 1
        if status != 200:
            attack.stop.wait(0.02)


def windows(attack, door, address, number, headers):
    """Windows of days that nobody else requests, so the database computes them."""
    today = datetime.date.today()

    def path(index):
        first = today - datetime.timedelta(days=20 + (index * 37 + number * 11) % 340)
        last = today - datetime.timedelta(days=(index * 13 + number) % 19)
        return f"/v1/games/default/boards/high-scores/top.json?limit=10&window={first}..{last}"
    gets(attack, door, address, headers, map(path, itertools.count()))


def pictures(attack, door, address, number, headers):
    """Pictures in colours that nobody else requests, so the server draws them."""
    gets(attack, door, address, headers, (f"/embed/charities/tree-fund.png?ink={number << 16 | index:06x}"
                                          for index in itertools.count()))


def high_scores(attack, door, address, number, headers):
    """The classic feed, with half a million posts of one player."""
    gets(attack, door, address, headers, itertools.repeat("/high_scores.xml"))


def uncached(attack, door, address, number, headers):
    """Pages that no cache holds: searches, and rows from positions that nobody else asks for."""
    gets(attack, door, address, headers, (f"/games/default/boards/high-scores?{query}" for index in itertools.count()
                                          for query in (f"find=Nobody+{number}-{index}",
                                                        f"from={1 + (index * 7919 + number * 631) % 20_000}")))


def refusals(attack, door, address, number, headers):
    """Streams of HTTP/2 beyond the rate of the address, without end."""
    head = http2.head("GET", "/v1/games", **{name.lower(): value for name, value in (headers or {}).items()})
    while not attack.stop.is_set():
        try:
            with door.http2(address) as connection:
                for first in itertools.count(1, 100):
                    streams = range(first, first + 100, 2)
                    connection.send(b"".join(http2.frame(http2.HEADERS, http2.END_HEADERS | http2.END_STREAM, stream,
                                                         head) for stream in streams))
                    for stream in streams:
                        kinds = connection.answer(stream)
                        attack.answers[200 if kinds[0][3][:1] == b"\x88" else 429] += 1
                    if attack.stop.is_set():
                        return
        except (OSError, AssertionError):
            attack.answers[None] += 1


def probes(attack, door, address, number, headers):
    """Requests for /healthz, many at once."""
    requests = f"GET /healthz HTTP/1.1\r\nHost: localhost\r\n{headers_text(headers)}\r\n".encode() * 50
    while not attack.stop.is_set():
        try:
            with door.socket(address, 5) as s:
                while not attack.stop.is_set():
                    s.sendall(requests)
                    count, received = 0, b""
                    while count < 50 and (more := s.recv(65_536)):
                        received += more
                        count = received.count(b"HTTP/1.1 200")
                    attack.answers[200] += count
                    if count < 50:
                        break
        except OSError:
            attack.answers[None] += 1


def closed_windows(attack, door, address, number, headers):
    """Streams of HTTP/2 whose windows stay closed, for pages that no cache holds."""
    settings = struct.pack(">HI", http2.INITIAL_WINDOW_SIZE, 0)
    more = {name.lower(): value for name, value in (headers or {}).items()}
    for index in range(50):
        if attack.stop.is_set():
            return
        try:
            connection = door.http2(address, settings, 5)
            attack.held.append(connection.socket)
            for stream in range(1, 201, 2):
                path = f"/games/default/boards/high-scores?from={1 + (index * 997 + number * 131 + stream) % 20_000}"
                connection.request(stream, "GET", path, **more)
        except OSError:
            attack.answers[None] += 1
    attack.stop.wait()


def tiny_frames(attack, door, address, number, headers):
    """Frames of HTTP/2 and chunks of HTTP/1.1 with one byte each."""
    frames = http2.frame(http2.HEADERS, http2.END_HEADERS, 1, http2.head("PUT", "/v1/games/maze/devices/x")) + (
        http2.frame(http2.DATA, 0, 1, b" ") * 1_000)
    chunks = (f"PUT /v1/games/maze/devices/x HTTP/1.1\r\nHost: localhost\r\n{headers_text(headers)}"
              "Transfer-Encoding: chunked\r\n\r\n" + "1\r\n \r\n" * 1_000).encode()
    while not attack.stop.is_set():
        try:
            if number % 2:
                with door.http2(address, seconds=5) as connection:
                    connection.send(frames)
                    while not attack.stop.is_set():
                        connection.send(frames[-10_000:])
            else:
                with door.socket(address, 5) as s:
                    s.sendall(chunks)
                    while not attack.stop.is_set():
                        s.sendall(chunks[-6_000:])
        except OSError:
            attack.answers[None] += 1


# Each with the number of its threads.
ALL = {"unfinished-bodies": (unfinished_bodies, 2), "connections": (connections, 4), "saves": (saves, 4),
       "windows": (windows, 80), "pictures": (pictures, 14), "high-scores": (high_scores, 8),
       "uncached": (uncached, 40), "refusals": (refusals, 8), "probes": (probes, 16),
       "closed-windows": (closed_windows, 4), "tiny-frames": (tiny_frames, 100)}
