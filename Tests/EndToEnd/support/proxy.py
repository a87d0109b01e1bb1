"""A TCP proxy in front of PostgreSQL that can stop forwarding while every connection stays open."""
import re
import selectors
import socket
import threading


class Proxy:
    """Listens on a port of 127.0.0.1 and forwards to the database that a `key='value'` connection string names."""

    def __init__(self, conninfo):
        self.options = dict(re.findall(r"(\w+)\s*=\s*'?([^'\s]*)'?", conninfo))
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.flowing = threading.Event()
        self.flowing.set()
        self.closed = False
        self.sockets = []
        threading.Thread(target=self.accept, daemon=True).start()

    def url(self):
        """The address of the same database through this proxy."""
        port = self.listener.getsockname()[1]
        return f"postgresql://{self.options['user']}@127.0.0.1:{port}/{self.options['dbname']}"

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
        upstream = socket.socket(socket.AF_UNIX)
        upstream.connect(f"{self.options['host']}/.s.PGSQL.{self.options['port']}")
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
