"""Strangers who mean no good, in a process of their own, so that their work is not that of whoever measures:

    flood.py KIND PORT SECONDS [NETWORK]

NETWORK is the second byte of the addresses that they have, 1 unless it is given. Every kind is bounded: at most so many
connections at once and so many bytes in all. All traffic stays on 127.0.0.0/8. It prints how many connections were made
and how many bytes were sent."""
import asyncio
import base64
import contextlib
import os
import random
import secrets
import struct
import sys
import time
import uuid
import zlib

import http2
from http2 import (ALTSVC, CONTINUATION, DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, INITIAL_WINDOW_SIZE, PING,
                   RST_STREAM, SETTINGS, WINDOW_UPDATE, frame)

BYTES_MAX = 400 << 20
FEED = "/TopScores.xml?image=embed"


class Flood:
    def __init__(self, kind, port, seconds, network=1):
        self.work = getattr(self, kind)
        self.network = network
        self.port, self.end = port, time.monotonic() + seconds
        self.connections = self.bytes = 0

    async def run(self):
        count, addresses = KINDS[self.work.__name__]
        await asyncio.gather(*(self.again(number, addresses) for number in range(count)))
        print(self.connections, self.bytes)

    async def again(self, number, addresses):
        """One client that comes back whenever it was cut off."""
        while time.monotonic() < self.end:
            with contextlib.suppress(OSError, EOFError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                await asyncio.wait_for(self.once(number % addresses), max(0.1, self.end - time.monotonic()))
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.sleep(0.05)

    async def once(self, number):
        local = (f"127.{self.network + number // 62500}.{1 + number // 250 % 250}.{1 + number % 250}", 0)
        with contextlib.suppress(asyncio.TimeoutError):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=local)
            self.connections += 1
            try:
                await self.work(reader, writer)
            finally:
                writer.transport.abort()

    async def send(self, writer, data):
        if self.bytes > BYTES_MAX:
            raise EOFError
        self.bytes += len(data)
        writer.write(data)
        await writer.drain()

    async def request(self, reader, writer, head, body=b""):
        await self.send(writer, f"{head}\r\nHost: a\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        length = next((int(line.split(b":")[1]) for line in answer.split(b"\r\n")
                       if line.lower().startswith(b"content-length:")), 0)
        await reader.readexactly(length)

    # -- what they send

    async def upgrades(self, reader, writer):
        await self.send(writer, b"GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
        while True:
            await self.send(writer, b"x" * 65536)

    async def connects(self, reader, writer):
        await self.send(writer, b"CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n")
        while True:
            await self.send(writer, b"x" * 65536)

    async def pipelines(self, reader, writer):
        """Requests one behind the other, and no answer is read."""
        while True:
            await self.send(writer, f"GET {FEED} HTTP/1.1\r\nHost: a\r\n\r\n".encode() * 500)

    async def slow_heads(self, reader, writer):
        for byte in b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: y\r\n" * 1000:
            await self.send(writer, bytes([byte]))
            await asyncio.sleep(0.5)

    async def slow_bodies(self, reader, writer):
        await self.send(writer, b"PUT /scores HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n")
        while True:
            await self.send(writer, b"p")
            await asyncio.sleep(0.5)

    async def slow_readers(self, reader, writer):
        writer.get_extra_info("socket").setsockopt(1, 8, 4096)      # SOL_SOCKET, SO_RCVBUF
        await self.send(writer, f"GET {FEED} HTTP/1.1\r\nHost: a\r\n\r\n".encode() * 50)
        while await reader.read(1):
            await asyncio.sleep(0.5)

    async def idlers(self, reader, writer):
        await reader.read()

    async def reconnects(self, reader, writer):
        await self.send(writer, b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        await reader.read()

    async def garbage(self, reader, writer):
        while True:
            await self.send(writer, random.randbytes(16_384))

    async def credentials(self, reader, writer):
        while True:
            token = "cbd_" + base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()
            await self.request(reader, writer, f"GET /v1/players/me HTTP/1.1\r\nAuthorization: Bearer {token}")

    async def registrations(self, reader, writer):
        while True:
            await self.request(reader, writer, f"PUT /v1/games/maze/devices/{secrets.token_hex(16)} HTTP/1.1\r\n"
                               "Content-Type: application/json", b'{"name": "Nobody"}')

    async def combining_marks(self, reader, writer):
        body = b"phone=" + b"a" * 40 + b"&donated_points=1&charity=" + "a\u0301\u0323".encode() * 40_000
        while True:
            await self.request(reader, writer, "PUT /donations HTTP/1.1", body)

    async def pictures(self, reader, writer):
        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        picture = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1024, 1024, 8, 2, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(b"\0" * (3073 * 1024))) + chunk(b"IEND", b""))
        body = b'{"name": "P", "image": "' + base64.b64encode(picture) + b'"}'
        while True:
            await self.request(reader, writer, f"PUT /v1/games/maze/devices/{secrets.token_hex(16)} HTTP/1.1\r\n"
                               "Content-Type: application/json", body)

    async def queries(self, reader, writer):
        """Feeds that nobody has asked for before."""
        while True:
            first = random.randrange(20_000)
            window = f"{1990 + first % 30}-01-01..{1990 + first % 30}-{1 + first % 12:02}-{1 + first % 28:02}"
            await self.request(reader, writer, f"GET /v1/games/maze/boards/lap/top.json?window={window}&limit="
                               f"{1 + first % 100}&x={uuid.uuid4()} HTTP/1.1")

    async def long_targets(self, reader, writer):
        while True:
            await self.request(reader, writer, f"GET {FEED}&x={os.urandom(3_000).hex()} HTTP/1.1\r\n"
                               f"Accept: {os.urandom(20_000).hex()}")

    async def finds(self, reader, writer):
        """Searches, which no cache keeps."""
        while True:
            await self.request(reader, writer, f"GET /games/maze/boards/lap?find={uuid.uuid4().hex[:20]} HTTP/1.1")

    async def probes(self, reader, writer):
        while True:
            await self.send(writer, b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n" * 50)
            await reader.read(1 << 20)

    async def refusals(self, reader, writer):
        """Streams that count in no limit or are over one, as many as the connection may have open."""
        await self.begin_http2(writer)
        head = http2.head("GET", "/healthz")
        for first in range(1, 2**31, 100):
            await self.send(writer, b"".join(frame(HEADERS, END_HEADERS | END_STREAM, stream, head)
                                             for stream in range(first, first + 100, 2)))
            if not await reader.read(1 << 20):
                raise EOFError

    async def begin_http2(self, writer, settings=b""):
        await self.send(writer, http2.PREFACE + frame(SETTINGS, payload=settings))

    async def resets(self, reader, writer):
        """Streams that are reset as soon as they are opened."""
        await self.begin_http2(writer)
        head = http2.head("GET", FEED)
        for first in range(1, 2**31, 200):
            await self.send(writer, b"".join(
                frame(HEADERS, END_HEADERS | END_STREAM, stream, head)
                + frame(RST_STREAM, 0, stream, struct.pack(">I", 8)) for stream in range(first, first + 200, 2)))

    async def pings(self, reader, writer):
        await self.begin_http2(writer)
        while True:
            await self.send(writer, frame(PING, payload=b"12345678") * 100)

    async def tiny_frames(self, reader, writer):
        """Frames that have hardly any bytes and that no limit on control frames counts."""
        await self.begin_http2(writer)
        await self.send(writer, frame(HEADERS, END_HEADERS, 1, http2.head("PUT", "/v1/games/maze/devices/x")))
        frames = frame(WINDOW_UPDATE, payload=struct.pack(">I", 1)) * 300 + frame(GOAWAY, payload=bytes(8)) * 300
        while True:
            await self.send(writer, frame(DATA, 0, 1, b" ") * 300 + frames)

    async def tiny_chunks(self, reader, writer):
        await self.send(writer, b"PUT /v1/games/maze/devices/x HTTP/1.1\r\nHost: a\r\n"
                        b"Transfer-Encoding: chunked\r\n\r\n")
        while True:
            await self.send(writer, b"1\r\n \r\n" * 2_000)

    async def unread_frames(self, reader, writer):
        """Large frames that nobody reads, and no read ends where a frame ends."""
        await self.begin_http2(writer)
        while True:
            await self.send(writer, frame(ALTSVC, payload=bytes(16_000)) * 16)

    async def continuations(self, reader, writer):
        """A head that never ends, in empty frames."""
        await self.begin_http2(writer)
        await self.send(writer, frame(HEADERS, END_STREAM, 1, http2.head("GET", FEED)))
        while True:
            await self.send(writer, frame(CONTINUATION, 0, 1) * 100)

    async def closed_windows(self, reader, writer):
        """Answers that nobody lets the server send."""
        await self.begin_http2(writer, struct.pack(">HI", INITIAL_WINDOW_SIZE, 0))
        for stream in range(1, 201, 2):
            await self.send(writer, frame(HEADERS, END_HEADERS | END_STREAM, stream, http2.head("GET", FEED)))
        await reader.read()


# For each kind, how many clients and from how many addresses.
KINDS = {
    "upgrades": (20, 20), "connects": (20, 20), "pipelines": (30, 10), "slow_heads": (300, 3), "slow_bodies": (300, 3),
    "slow_readers": (150, 3), "idlers": (2_000, 1), "reconnects": (60, 1_000), "garbage": (30, 30),
    "credentials": (30, 3), "registrations": (30, 3), "combining_marks": (10, 10), "pictures": (20, 20),
    "queries": (30, 3), "long_targets": (30, 3), "resets": (30, 30), "pings": (20, 20), "continuations": (20, 20),
    "closed_windows": (60, 10), "finds": (60, 3), "probes": (30, 3), "refusals": (30, 3), "tiny_frames": (200, 1),
    "tiny_chunks": (200, 1), "unread_frames": (20, 1),
}


if __name__ == "__main__":
    asyncio.run(Flood(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), *map(int, sys.argv[4:])).run())
