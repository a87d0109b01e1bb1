"""A proxy between a client and a server that loses, doubles and makes up answers, and remembers what it saw."""
import http.client
import http.server
import json
import threading
import time

PASS = "pass"
LOSE_REQUEST = "lose the request"       # it never comes to the server
LOSE_ANSWER = "lose the answer"         # the server has done it
TWICE = "twice"                         # the server gets it twice, and the client the second answer
CUT = "cut"                             # half of the answer comes
LATE = "late"                           # the answer comes after LATE_SECONDS
LATE_SECONDS = 0.4


def problem(status, name, **headers):
    """An answer that the proxy makes up: a problem of the server's."""
    body = {"type": f"/problems/{name}", "title": "Made up", "status": status, "detail": "The proxy made this up."}
    return status, {"Content-Type": "application/problem+json", **headers}, json.dumps(body).encode()


class Seen:
    """A request: when it came (monotonic), and the status that the client was answered with, or None."""

    def __init__(self, method, path, headers, body):
        self.at = time.monotonic()
        self.method, self.path, self.headers, self.body = method, path, headers, body
        self.status = None
        self.is_cut = False

    @property
    def id(self):
        """The id of a post or a donation, else None."""
        parts = self.path.split("/")
        return parts[-1] if parts[-2] in ("scores", "donations") else None


class Listener(http.server.ThreadingHTTPServer):
    """Counts the connections that it has taken and not ended."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.connections = 0
        self.lock = threading.Lock()

    def process_request(self, request, address):
        with self.lock:
            self.connections += 1
        super().process_request(request, address)

    def shutdown_request(self, request):
        super().shutdown_request(request)
        with self.lock:
            self.connections -= 1

    def handle_error(self, *_):
        """Clients that are killed leave broken connections; what else fails here, fails the client's request."""


class Chaos:
    """`decide(seen)` says what becomes of each request: one of the words above, or a whole answer (`problem`).
    `target` is the server's port, or None while there is no server."""

    def __init__(self, target, decide=lambda seen: PASS):
        self.target = target
        self.decide = decide
        self.seen = []
        self.keeps_connections = True
        self.most_at_once = 0
        self.at_once = 0
        self.lock = threading.Lock()
        self.listener = Listener(("127.0.0.1", 0), self.handler())
        self.listener.daemon_threads = True
        self.port = self.listener.server_address[1]
        threading.Thread(target=self.listener.serve_forever, args=(0.02,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.shutdown()
        self.listener.server_close()

    def writes(self):
        """The posts and donations that came, in their order."""
        return [seen for seen in self.seen if seen.method == "PUT" and seen.id]

    def is_idle(self):
        """Whether nobody is connected. After a kill of the only client: whether all that it has sent is done with."""
        return self.listener.connections == 0

    def forward(self, seen):
        if self.target is None:
            return None
        connection = http.client.HTTPConnection("127.0.0.1", self.target, timeout=30)
        try:
            connection.request(seen.method, seen.path, seen.body, seen.headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        except OSError:
            return None
        finally:
            connection.close()

    def answer(self, seen):
        verdict = self.decide(seen)
        if verdict == LOSE_REQUEST:
            return None
        if not isinstance(verdict, str):
            return verdict
        answer = self.forward(seen)
        if verdict == TWICE and answer is not None:
            answer = self.forward(seen)
        if verdict == LATE:
            time.sleep(LATE_SECONDS)
        if verdict == CUT and answer is not None:
            seen.is_cut = True
        return None if verdict == LOSE_ANSWER else answer

    def handler(chaos):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True      # else a body waits 40 ms for the head's acknowledgement

            def do(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)) or None
                kept = {k: v for k, v in self.headers.items()
                        if k.lower() not in ("accept-encoding", "connection", "content-length", "expect", "host",
                                             "transfer-encoding")}
                seen = Seen(self.command, self.path, kept, body)
                is_queued = seen.method == "PUT"
                with chaos.lock:
                    chaos.seen.append(seen)
                    chaos.at_once += is_queued
                    chaos.most_at_once = max(chaos.most_at_once, chaos.at_once)
                try:
                    answer = chaos.answer(seen)
                finally:
                    with chaos.lock:
                        chaos.at_once -= is_queued
                if answer is None:
                    self.close_connection = True
                    return
                seen.status, headers, content = answer
                self.send_response_only(seen.status)
                for name, value in headers.items():
                    if name.lower() not in ("connection", "content-length", "transfer-encoding"):
                        self.send_header(name, value)
                if "Date" not in headers and "date" not in headers:
                    self.send_header("Date", self.date_time_string())
                if seen.status != 204:
                    self.send_header("Content-Length", str(len(content)))
                if not chaos.keeps_connections:
                    self.send_header("Connection", "close")
                self.end_headers()
                if seen.is_cut:
                    content = content[:len(content) // 2]
                    self.close_connection = True
                self.wfile.write(content)

            do_GET = do_PUT = do_POST = do_PATCH = do_DELETE = do_OPTIONS = do

            def log_message(self, *_):
                pass

        return Handler
