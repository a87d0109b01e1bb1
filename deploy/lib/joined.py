"""A second server on the database that another one embeds."""
import os
import subprocess

import server as servers
from server import Server


class Joined(Server):
    """A `causeboard serve` without a data directory: it uses the database and the secret of `owner`. It is the program
    OTHER_BINARY of the environment, if there is one: another version's, as in a rolling upgrade."""

    def __init__(self, name, owner, start=True):
        super().__init__(name, start=False)
        self.owner = owner
        self.url = owner.conninfo()
        if start:
            self.start()

    def launch(self, *arguments):
        """Starts `serve` and does not wait."""
        self.port = servers.free_port()
        self.ended_by_us = False
        program = os.path.abspath(os.environ.get("OTHER_BINARY") or servers.binary())
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                [program, "serve", "--host", "127.0.0.1", "--port", str(self.port), "--database-url", self.url,
                 "--secret-file", os.path.join(self.owner.data, "secret"), "--admin-listen", "127.0.0.1:0", *arguments],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.home,
                env=servers.clean_environment(**self.environment))
        return self

    def start(self, *arguments):
        self.launch(*arguments)
        self.wait_ready()
        return self
