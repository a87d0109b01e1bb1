"""PgBouncer between server and database: in session mode all works but the stream, which goes past it; in transaction
mode the server refuses to start and says what to change."""
import os
import shutil
import subprocess
import unittest

import client
import server as servers
import v1
from elsewhere import Elsewhere, url, verb
from postgres import Postgres
from server import until

PROGRAM = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
SECRET = "5e" * 32
database = None


def setUpModule():
    global database
    if PROGRAM is None:
        raise unittest.SkipTest("there is no pgbouncer: deploy/setup test installs it")
    database = Postgres("pooled").make().start()
    database.psql("create database causeboard")
    done = verb("migrate", "--database-url", url("owner", database))
    assert done.returncode == 0, done.stderr


def tearDownModule():
    if database is not None:
        database.crash()


class Pooler:
    """A PgBouncer before `database`, behind a socket of its own."""

    def __init__(self, mode):
        self.home = servers.scratch(f"pgbouncer-{mode}")
        os.chmod(self.home, 0o777)      # it runs as the user postgres when root starts it
        logins = os.path.join(self.home, "logins")
        with open(logins, "w") as f:
            f.write("".join(f'"{login}" ""\n' for login in ("owner", "causeboard_server", "causeboard_stream")))
        settings = os.path.join(self.home, "pgbouncer.ini")
        with open(settings, "w") as f:
            f.write(f"[databases]\n* = host={database.home}\n[pgbouncer]\nlisten_addr =\n"
                    f"unix_socket_dir = {self.home}\nlisten_port = 5432\n"
                    f"auth_type = trust\nauth_file = {logins}\npool_mode = {mode}\n"
                    "default_pool_size = 40\nmax_client_conn = 200\n"
                    "ignore_startup_parameters = extra_float_digits,options\n")
        command = [PROGRAM, settings]
        if os.geteuid() == 0:
            command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", *command]
        self.log = open(os.path.join(self.home, "log"), "wb")
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, cwd="/")
        until(lambda: os.path.exists(os.path.join(self.home, ".s.PGSQL.5432")), 60, "PgBouncer listens")

    def end(self):
        self.process.kill()
        self.process.wait()
        self.log.close()


class Poolers(unittest.TestCase):
    def pooler(self, mode):
        pooler = Pooler(mode)
        self.addCleanup(pooler.end)
        return pooler

    def test_1_in_session_mode_all_works_and_the_stream_goes_past_it(self):
        pooler = self.pooler("session")
        server = Elsewhere("session", url("causeboard_server", pooler),
                           "--stream-url", url("causeboard_stream", database), secret=SECRET).start()
        self.addCleanup(server.stop)
        for arguments in (("game", "add", "quiz", "--name", "Quiz"), ("board", "add", "--game", "quiz", "best")):
            done = verb(*arguments, "--database-url", url("owner", pooler))
            self.assertEqual(done.returncode, 0, done.stderr)
        with client.Connection(server) as place:
            player = v1.Player(place, "quiz", "Ada")
            for points in (3, 9, 5):
                self.assertEqual(player.post("best", points).status, 201)
            said = place.get(f"/v1/games/quiz/boards/best/players/{player.id}").json()
            self.assertEqual((said["points"], said["rank"]), (9, 1))
        until(lambda: "standings are loaded" in server.log(), 60, "ranks come from memory")
        environment = servers.clean_environment(CAUSEBOARD_SECRET_FILE=server.secret)
        done = subprocess.run([servers.binary(), "check", "--database-url", url("causeboard_server", pooler)],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd="/", env=environment,
                              timeout=servers.VERB_SECONDS_MAX)
        self.assertRegex(done.stdout, r"(?m)^sessions +good$")

    def test_2_a_stream_through_it_is_said_in_the_log_and_ranks_come_from_sql(self):
        server = Elsewhere("stream", url("causeboard_server", self.pooler("session")), secret=SECRET).start()
        self.addCleanup(server.stop)
        until(lambda: "pooler" in server.log(), 60, f"the log says so:\n{server.log()}")
        self.assertRegex(server.log(), "ranks come from SQL.*pooler.*--stream-url")

    def test_3_transaction_mode_is_refused_with_what_to_change(self):
        for mode in ("transaction", "statement"):
            with self.subTest(mode=mode):
                self.refused(url("causeboard_server", self.pooler(mode)))

    def refused(self, where):
        with self.assertRaises(servers.Refused) as refused:
            Elsewhere("transaction", where, secret=SECRET).start()
        self.assertIn("transaction mode", str(refused.exception))
        self.assertIn("pool_mode = session", str(refused.exception))
        done = verb("check", "--database-url", where)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"(?m)^sessions +A pooler in transaction mode")


if __name__ == "__main__":
    unittest.main()
