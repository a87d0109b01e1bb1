"""Relays between clients and a server, which count the connections that they carry and can stop forwarding."""
import contextlib
import re
import socket
import threading


class Relay:
    """`with Relay(port) as relay:` listens on `relay.port` of 127.0.0.1 and passes all bytes on, in both directions."""

    def __init__(self, target):
        self.target = target
        self.connections = 0
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        self.flowing = threading.Event()
        self.flowing.set()
        self.sockets = []
        self.threads = []
        self.start(self.accept)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.flowing.set()
        for each in [self.listener, *self.sockets]:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        for thread in self.threads:
            thread.join(10)

    def starve(self):
        """Forwards nothing from now on, while every connection stays open."""
        self.flowing.clear()

    def feed(self):
        """Forwards again, first what came meanwhile."""
        self.flowing.set()

    def connect(self):
        """A new connection to the server."""
        return socket.create_connection(("127.0.0.1", self.target), timeout=30)

    def start(self, work, *arguments):
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self.threads.append(thread)
        thread.start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            self.flowing.wait()
            try:
                server = self.connect()
            except OSError:
                client.close()
                continue
            server.settimeout(None)
            self.sockets += [client, server]
            self.start(self.carry, client, server)
            self.start(self.carry, server, client)

    def carry(self, source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                self.flowing.wait()
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)


class DatabaseRelay(Relay):
    """A relay in front of the PostgreSQL that a `key='value'` connection string names by its socket's directory."""

    def __init__(self, conninfo):
        super().__init__(dict(re.findall(r"(\w+)\s*=\s*'?([^'\s]*)'?", conninfo)))

    def url(self):
        """The address of the same database through this relay."""
        return f"postgresql://{self.target['user']}@127.0.0.1:{self.port}/{self.target['dbname']}"

    def connect(self):
        server = socket.socket(socket.AF_UNIX)
        server.connect(f"{self.target['host']}/.s.PGSQL.{self.target['port']}")
        return server
