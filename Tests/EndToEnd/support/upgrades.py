"""A database that an operator upgrades or moves, and what has to be true of it afterwards."""
import os
import subprocess

import backups
import books
import server as servers
from postgres import programs
from psql import Psql
from server import Server
from traffic import Traffic

SECONDS_MAX = 120


def installed():
    """The directories of programs by major version."""
    root = "/usr/lib/postgresql"
    found = {int(n): f"{root}/{n}/bin" for n in os.listdir(root) if n.isdigit()} if os.path.isdir(root) else {}
    return {n: path for n, path in found.items() if 15 <= n <= 18 and os.access(f"{path}/initdb", os.X_OK)}


FOUND = installed() or {0: programs()}
OLD, NEW = FOUND[min(FOUND)], FOUND[max(FOUND)]
TO = ("--to", str(max(FOUND)))


class Fixture:
    """A server of the old version with players, scores and donations, which is stopped."""

    def __init__(self, name, of=None):
        """The copy of another world that nothing was done to since, or a new one."""
        self.server = Server(name, start=False, environment={})
        self.use(OLD)
        if of is not None:
            self.server.copy(of.server.data)
            self.scores, self.donations = dict(of.scores), dict(of.donations)
            return
        self.server.start()
        self.server.verb("game", "add", backups.GAME, "--name", "Quiz")
        for board in backups.BOARDS:
            self.server.verb("board", "add", "--game", backups.GAME, board, "--policy", board, "--earns", "fixed:10")
        for charity in backups.CHARITIES:
            self.server.verb("charity", "add", charity, "--name", charity.title())
        self.scores, self.donations = {}, {}
        self.post()
        self.server.terminate()

    def post(self):
        """Posts for a while; remembers what was acknowledged."""
        with Traffic(self.server, backups.GAME, backups.BOARDS, backups.CHARITIES, threads=4, players=2,
                     seed=len(self.scores), points=10**4, name=f"w{len(self.scores)}") as traffic:
            traffic.flows(60, "posts arrive")
        self.scores.update(traffic.scores)
        self.donations.update(traffic.donations)

    def major(self):
        with open(os.path.join(self.server.data, "postgres", "PG_VERSION")) as file:
            return int(file.read())

    def use(self, programs):
        if len(FOUND) > 1:          # else every program finds the only one by itself
            self.server.environment["CAUSEBOARD_PG_BIN"] = programs

    def run(self, *arguments, verb="upgrade"):
        env = servers.clean_environment()
        env.pop("CAUSEBOARD_PG_BIN", None)
        return self.server.run_verb(verb, *arguments, seconds=SECONDS_MAX, env=env)

    def begin(self, *arguments):
        env = servers.clean_environment()
        env.pop("CAUSEBOARD_PG_BIN", None)
        return subprocess.Popen([servers.binary(), "upgrade", *arguments, "--data", self.server.data], cwd="/",
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                env=env)

    def verify(self, case):
        """The server runs, has all that was acknowledged, and posts go on."""
        self.server.start()
        psql = Psql(self.server.conninfo())
        books.ledger_holds(case, psql, self.scores, self.donations)
        psql.close()
        self.post()
        self.server.audit()
        self.server.terminate()

    def names(self):
        return sorted(n for n in os.listdir(self.server.data) if n.startswith(("postgres", "upgrade")) and
                      not n.endswith((".lock", ".log")))
