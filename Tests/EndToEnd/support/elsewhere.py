"""Servers and verbs on a database elsewhere, which one of `postgres.Postgres` is."""
import os
import subprocess

import server as servers
from server import Server


def url(login, *hosts):
    return f"host={','.join(host.home for host in hosts)} user={login} dbname=causeboard"


class Elsewhere(Server):
    """A `causeboard serve` on a database elsewhere."""

    def __init__(self, name, url, *arguments, secret=None):
        super().__init__(name, start=False)
        self.url, self.arguments = url, arguments
        self.secret = os.path.join(self.home, "secret")
        with open(self.secret, "w") as f:
            f.write(secret or os.urandom(32).hex())

    def start(self):
        self.port = servers.free_port()
        self.ended_by_us = False
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                [servers.binary(), "serve", "--host", "127.0.0.1", "--port", str(self.port), "--database-url", self.url,
                 "--secret-file", self.secret, *self.arguments],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.home, env=servers.clean_environment())
        self.wait_ready()
        return self


def verb(*arguments):
    return subprocess.run([servers.binary(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=servers.VERB_SECONDS_MAX, cwd="/", env=servers.clean_environment())
