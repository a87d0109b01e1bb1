"""A process that sends many posts at once over many connections, far more than threads can: requests are made before,
answers only looked at.

    load.py < plan.json > result.json

The plan: `port`; `connections`; `seconds`; `rate` of posts a second over all (0: as fast as answers come); `requests`,
a list of [who, path without its id, body] of which each connection takes the next; `tokens`, one for each `who`;
`wait_seconds` for the last answers. The result: counts by status, latencies in ms of the 2xx and of the 503s, ids
acknowledged with their points, how many 503s lacked Retry-After or the problem `overloaded`, and the longest that it
was busy with something else, in ms: so much of a latency may be its own."""
import collections
import json
import selectors
import socket
import subprocess
import sys
import time
import uuid

HERE = __file__


class Client:
    __slots__ = ("socket", "buffer", "sent_at", "id", "points", "number")


def run(plan):
    port, end_after, rate = plan["port"], plan["seconds"], plan["rate"]
    requests, tokens = plan["requests"], plan["tokens"]
    selector = selectors.DefaultSelector()
    statuses, latencies = collections.Counter(), {"2": [], "5": []}
    acknowledged, wrong, lost, unfit = {}, [], 0, 0
    turn = 0
    free = collections.deque()
    heads = {}
    last_retry = ""

    def connect(client):
        client.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        client.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.socket.setblocking(False)
        client.buffer, client.sent_at = b"", None
        selector.register(client.socket, selectors.EVENT_READ, client)

    def drop(client):
        nonlocal lost
        selector.unregister(client.socket)
        client.socket.close()
        if client.sent_at is not None:
            lost += 1
        try:
            connect(client)
        except OSError:
            return
        free.append(client)

    def send(client):
        nonlocal turn
        who, path, body = requests[turn % len(requests)]
        turn += 1
        head = heads.get(who)
        if head is None:
            head = heads[
                who] = (f"Host: x\r\nContent-Type: application/json\r\nAuthorization: Bearer "
                        f"{tokens[who]}\r\nContent-Length: ")
        client.id = str(uuid.UUID(int=uuid.uuid4().int))
        client.points = body["points"] + turn % 1000
        text = json.dumps({**body, "points": client.points})
        client.sent_at = time.perf_counter()
        try:
            client.socket.send(f"PUT {path}{client.id} HTTP/1.1\r\n{head}{len(text)}\r\n\r\n{text}".encode())
        except OSError:
            drop(client)

    def receive(client):
        nonlocal unfit, last_retry
        try:
            data = client.socket.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            return drop(client)
        client.buffer += data
        split = client.buffer.find(b"\r\n\r\n")
        if split < 0:
            return
        head = client.buffer[:split].lower()
        at = head.find(b"content-length:")
        length = int(head[at + 15:].split(b"\r\n", 1)[0]) if at >= 0 else 0
        if len(client.buffer) < split + 4 + length:
            return
        status = int(client.buffer[9:12])
        body = client.buffer[split + 4:split + 4 + length]
        client.buffer = client.buffer[split + 4 + length:]
        took = 1000 * (time.perf_counter() - client.sent_at)
        client.sent_at = None
        statuses[status] += 1
        if status in (200, 201):
            acknowledged[client.id] = client.points
            latencies["2"].append(took)
        elif status == 503:
            latencies["5"].append(took)
            if b"retry-after:" not in head or b"/problems/overloaded" not in body:
                unfit += 1
                last_retry = (head + b" " + body).decode("latin-1")[:500]
        elif len(wrong) < 5:
            wrong.append((status, body.decode("utf-8", "replace")[:300]))
        if b"connection: close" in head:
            return drop(client)
        free.append(client)

    for n in range(plan["connections"]):
        client = Client()
        client.number = n
        connect(client)
        free.append(client)
    began = time.perf_counter()
    offered = 0
    lag = 0.0
    while True:
        now = time.perf_counter() - began
        if now > end_after + plan.get("wait_seconds", 12):
            break
        if now < end_after:
            due = len(free) if not rate else min(len(free), int(now * rate) - offered)
            # What finds no free connection is not sent later: it is offered, and lost to this client.
            for _ in range(max(0, due)):
                send(free.popleft())
            offered = max(offered + max(0, due), int(now * rate))
        elif len(free) >= plan["connections"]:
            break
        lag = max(lag, time.perf_counter() - began - now)
        for key, _ in selector.select(0.002):
            receive(key.data)
        lag = max(lag, time.perf_counter() - began - now)
    waiting = plan["connections"] - len(free)
    for client in list(free):
        client.socket.close()
    return {
        "statuses": dict(statuses), "took": time.perf_counter() - began, "sent": turn, "acknowledged": acknowledged,
        "wrong": wrong, "lost": lost, "unfit": unfit, "unfit_example": last_retry, "waiting": waiting,
        "lag_ms": 1000 * lag, "good_ms": sorted(latencies["2"]), "refused_ms": sorted(latencies["5"])
    }


class Load:
    """Starts such a process; `result()` waits for its end."""

    def __init__(self, port, players, boards, connections, seconds, rate=0, wait_seconds=12, game="quiz"):
        requests = [[n, f"/v1/games/{game}/boards/{boards[n % len(boards)]}/scores/", {"points": 1}]
                    for n in range(len(players))]
        plan = {
            "port": port, "connections": connections, "seconds": seconds, "rate": rate, "requests": requests,
            "tokens": [p.token for p in players], "wait_seconds": wait_seconds
        }
        self.seconds = seconds + wait_seconds + 30
        self.process = subprocess.Popen([sys.executable, HERE],
                                        stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE,
                                        text=True)
        self.process.stdin.write(json.dumps(plan))
        self.process.stdin.close()

    def result(self):
        try:
            text = self.process.stdout.read()
            self.process.wait(self.seconds)
        finally:
            self.close()
        assert text, "the load generator said nothing"
        return json.loads(text)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def percentile(sorted_values, share):
    return sorted_values[min(len(sorted_values) - 1, int(share * len(sorted_values)))] if sorted_values else 0.0


if __name__ == "__main__":
    print(json.dumps(run(json.load(sys.stdin))))
