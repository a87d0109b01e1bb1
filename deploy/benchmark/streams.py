"""A client of many event streams, in a process of its own that does little more than read:
python3 streams.py PORT PATH STREAMS STREAMS-OF-AN-ADDRESS

Prints `open` when every stream has its first state. A line on standard input ends it; then it prints one line of JSON:
`bytes`, and `events` as [time, points of the first row], one for each stream and event, by the monotonic clock."""
import json
import resource
import select
import socket
import sys
import time

OPEN_SECONDS_MAX = 60
READ_BYTES = 1 << 18
POINTS = b'"points":'
END = b"\n\n\r\n"           # of an event, and of its chunk


class Streams:
    def __init__(self, port, path, count, of_address):
        self.bytes = 0
        self.events = []        # without those of the first states
        self.opened = set()
        self._poll = select.epoll()
        self._poll.register(sys.stdin.fileno(), select.EPOLLIN)
        self._sockets, self._rests = {}, {}
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
        for number in range(count):
            place = number // of_address
            stream = socket.socket()
            # The port is chosen when it connects, so that all ports of each address are there.
            stream.setsockopt(socket.IPPROTO_IP, 24, 1)     # IP_BIND_ADDRESS_NO_PORT
            stream.bind((f"127.1.{place // 250}.{place % 250 + 1}", 0))
            stream.connect(("127.0.0.1", port))
            stream.sendall(request)
            stream.setblocking(False)
            self._sockets[stream.fileno()], self._rests[stream.fileno()] = stream, b""
            self._poll.register(stream.fileno(), select.EPOLLIN)

    def read(self, seconds):
        """Reads what there is; false when standard input has something to say."""
        goes_on = True
        for file, _ in self._poll.poll(seconds):
            if file == sys.stdin.fileno():
                goes_on = False
                continue
            data = self._sockets[file].recv(READ_BYTES)
            if not data:
                raise SystemExit("a stream has ended")
            self.bytes += len(data)
            text = self._rests[file] + data
            if not text.endswith(END):
                self._rests[file] = text
                continue
            self._rests[file] = b""
            # What has piled up is told by its newest event.
            start = text.rfind(b"event: top")
            if start < 0:
                continue
            at = text.index(POINTS, start) + len(POINTS)
            points = int(text[at:text.index(b",", at)])
            if file in self.opened:
                self.events.append((time.monotonic(), points))
            self.opened.add(file)
        return goes_on


def main():
    port, path, count, of_address = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    streams = Streams(port, path, count, of_address)
    deadline = time.monotonic() + OPEN_SECONDS_MAX
    while len(streams.opened) < count:
        if time.monotonic() > deadline:
            raise SystemExit(f"{len(streams.opened)} of {count} streams have a state after {OPEN_SECONDS_MAX} s")
        streams.read(1)
    print("open", flush=True)
    streams.events.clear()
    streams.bytes = 0
    while streams.read(1):
        pass
    print(json.dumps({"bytes": streams.bytes, "events": streams.events}), flush=True)


if __name__ == "__main__":
    main()
