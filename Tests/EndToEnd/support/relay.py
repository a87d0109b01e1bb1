"""A relay between clients and a server that counts the connections it carries."""
import contextlib
import socket
import threading


class Relay:
    """`with Relay(port) as relay:` listens on `relay.port` of 127.0.0.1 and passes all bytes on, in both directions."""

    def __init__(self, port):
        self.target = port
        self.connections = 0
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        self.sockets = []
        self.threads = []

    def __enter__(self):
        self.start(self.accept)
        return self

    def __exit__(self, *_):
        for each in [self.listener, *self.sockets]:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        for thread in self.threads:
            thread.join(10)

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
            server = socket.create_connection(("127.0.0.1", self.target), timeout=30)
            server.settimeout(None)
            self.sockets += [client, server]
            self.start(self.carry, client, server)
            self.start(self.carry, server, client)

    @staticmethod
    def carry(source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
