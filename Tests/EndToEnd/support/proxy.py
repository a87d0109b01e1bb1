"""A TCP proxy in front of PostgreSQL that can stop forwarding while every connection stays open."""
import re
import selectors
import socket
import threading


class Proxy:
    """Listens on a port of 127.0.0.1 and forwards to the server that a connection URL names."""

    def __init__(self, conninfo):
        found = re.match(r"postgresql://(?:[^@/]*@)?([^/?]*)/", conninfo)
        options = dict(pair.partition("=")[::2] for pair in conninfo.partition("?")[2].split("&") if pair)
        host, _, port = (found.group(1) if found else "").partition(":")
        self.host = options.get("host", host).replace("%2F", "/").replace("%2f", "/")
        self.upstream_port = int(options.get("port", port or 5432))
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.flowing = threading.Event()
        self.flowing.set()
        self.closed = False
        self.sockets = []
        threading.Thread(target=self.accept, daemon=True).start()

    def url(self, conninfo):
        """The same URL through this proxy."""
        head, _, query = conninfo.partition("?")
        kept = [p for p in query.split("&") if p and p.partition("=")[0] not in ("host", "port")]
        user, database = re.match(r"postgresql://(?:([^@/]*)@)?[^/]*/(.*)", head).groups()
        text = f"postgresql://{user + '@' if user else ''}127.0.0.1:{self.port}/{database}"
        return text + ("?" + "&".join(kept) if kept else "")

    def starve(self):
        self.flowing.clear()

    def feed(self):
        self.flowing.set()

    def close(self):
        self.closed = True
        self.flowing.set()
        for end in [self.listener, *self.sockets]:
            end.close()

    def accept(self):
        while not self.closed:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.forward, args=(client,), daemon=True).start()

    def connect(self):
        if not self.host.startswith("/"):
            return socket.create_connection((self.host, self.upstream_port))
        upstream = socket.socket(socket.AF_UNIX)
        upstream.connect(f"{self.host}/.s.PGSQL.{self.upstream_port}")
        return upstream

    def forward(self, client):
        self.flowing.wait()
        try:
            upstream = self.connect()
        except OSError:
            client.close()
            return
        self.sockets += [client, upstream]
        other = {client: upstream, upstream: client}
        with selectors.DefaultSelector() as ready:
            for end in other:
                ready.register(end, selectors.EVENT_READ)
            try:
                while not self.closed:
                    for key, _ in ready.select(1):
                        # What comes while nothing flows stays in the socket until it flows again.
                        self.flowing.wait()
                        data = key.fileobj.recv(65536)
                        if not data:
                            return
                        other[key.fileobj].sendall(data)
            except (OSError, ValueError):
                pass
            finally:
                client.close()
                upstream.close()
