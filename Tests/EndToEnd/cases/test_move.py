"""The embedded database moves to a server elsewhere, and back."""
import os
import signal
import stat
import subprocess
import unittest

import server as servers
from joined import Joined
from postgres import Postgres
from server import Server
from upgrades import NEW, Fixture

fixture = elsewhere = None


def setUpModule():
    global fixture, elsewhere
    fixture = Fixture("move")
    elsewhere = Postgres("move-elsewhere").make().start()


def tearDownModule():
    elsewhere.crash()
    fixture.server.stop()


class Move(unittest.TestCase):
    def refused(self, done, *words):
        self.assertNotEqual(done.returncode, 0, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def url(self, name, role="owner"):
        return f"host={elsewhere.home} user={role} dbname={name}"

    def elsewhere(self, *arguments, **environment):
        return subprocess.run([servers.binary(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=120, cwd="/", env=servers.clean_environment(**environment))

    def test_1_what_is_in_use_or_not_empty_is_refused(self):
        elsewhere.psql("create database taken")
        elsewhere.psql("create table own (id int)", "taken")
        self.refused(fixture.run("--to", self.url("taken"), verb="move"), "is not empty: it has public.own")
        self.refused(fixture.run("--to", self.url("none"), verb="move"), "no such database")
        self.refused(fixture.run(verb="move"), "Give --to or --from")
        elsewhere.psql("create database used")
        fixture.server.start()
        self.refused(fixture.run("--to", self.url("used"), verb="move"), "Somebody uses the database: causeboard",
                     "Stop every server first")
        fixture.server.terminate()
        self.assertEqual(elsewhere.psql("select count(*) from pg_class where relname = 'score'", "used").strip(), "0")

    def test_2_there_and_back(self):
        elsewhere.psql("create database moved")
        copy = os.path.join(fixture.server.home, "secret-copy")
        # Who is killed before the end has changed nothing here.
        process = subprocess.Popen([servers.binary(), "move", "--to", self.url("moved"), "--data", fixture.server.data],
                                   cwd="/", stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   env=servers.clean_environment())
        for line in process.stderr:
            if line.startswith("copying"):
                process.kill()
                break
        process.stderr.close()
        process.wait(10)
        fixture.server.start()
        fixture.server.terminate()
        elsewhere.psql("drop database moved with (force)")
        elsewhere.psql("create database moved")

        # Whoever would serve it before it is marked is refused: what it acknowledged then would stay behind.
        process = subprocess.Popen([servers.binary(), "move", "--to", self.url("moved"), "--data", fixture.server.data,
                                    "--secret-copy", copy], cwd="/", stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   text=True, env=servers.clean_environment())
        self.addCleanup(process.kill)
        said = ""
        for line in process.stderr:
            said += line
            if line.startswith("auditing"):
                process.send_signal(signal.SIGSTOP)
                with self.assertRaisesRegex(servers.Refused, "is at work on"):
                    fixture.server.start()
                self.refused(fixture.server.run_verb("game", "list"), "is at work on")
                process.send_signal(signal.SIGCONT)
        process.stderr.close()
        self.assertEqual(process.wait(120), 0, said)
        self.assertIn("they are the same", said)
        self.assertIn("the books balance", said)
        self.assertEqual([n for n in os.listdir(fixture.server.home) if n.endswith(".unfinished")], [])
        # Rights are not copied, but given anew: the same functions are for everybody as in a new database.
        elsewhere.psql("create database fresh")
        done = self.elsewhere("migrate", "--database-url", self.url("fresh"))
        self.assertEqual(done.returncode, 0, done.stderr)
        rights = """select p.oid::regprocedure, has_function_privilege('public', p.oid, 'execute'),
                           has_function_privilege('causeboard_server', p.oid, 'execute')
                      from pg_proc p where p.pronamespace = 'public'::regnamespace order by 1"""
        self.assertEqual(sorted(elsewhere.psql(rights, "moved").splitlines()),
                         sorted(elsewhere.psql(rights, "fresh").splitlines()))
        self.assertIn("past_scores_move", elsewhere.psql(rights, "fresh"))
        self.assertEqual(stat.S_IMODE(os.stat(copy).st_mode), 0o600)
        with self.assertRaisesRegex(servers.Refused, "was moved elsewhere"):
            fixture.server.start()
        self.refused(fixture.server.run_verb("audit"), "was moved elsewhere", "moved")
        self.refused(fixture.run("--to", self.url("moved"), verb="move"), "was moved elsewhere")

        # It is served there.
        there = Elsewhere("move-there", self.url("moved"), copy)
        self.addCleanup(there.end)
        held, fixture.server = fixture.server, there
        there.start()
        fixture.post()
        self.refused(self.elsewhere("move", "--from", self.url("moved"), "--data", os.path.join(held.home, "busy"),
                                    "--secret-file", copy), "Somebody uses the database")
        self.assertFalse(os.path.exists(os.path.join(held.home, "busy")))
        there.terminate()
        self.assertEqual(self.elsewhere("audit", "--database-url", self.url("moved"), "--secret-file", copy).returncode,
                         0)

        # And comes back, into a new directory.
        back = Server("move-back", start=False, environment={"CAUSEBOARD_PG_BIN": NEW})
        fixture.server = back
        self.addCleanup(held.stop)
        wrong = os.path.join(held.home, "wrong")
        with open(wrong, "w") as file:
            file.write("3" * 64)
        self.refused(self.elsewhere("move", "--from", self.url("moved"), "--data", back.data), "--secret-file")
        self.refused(self.elsewhere("move", "--from", self.url("moved"), "--data", back.data, "--secret-file", wrong),
                     "another secret")
        self.assertFalse(os.path.exists(back.data), "what was begun is removed")
        self.refused(self.elsewhere("move", "--from", self.url("moved"), "--data", held.data, "--secret-file", copy),
                     "is not empty")
        done = self.elsewhere("move", "--from", self.url("moved"), "--data", back.data, "--secret-file", copy)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(back.data, "secret")) as one, open(copy) as other:
            self.assertEqual(one.read().strip(), other.read().strip())
        fixture.verify(self)


class Elsewhere(Joined):
    """A server on a database elsewhere."""

    def __init__(self, name, url, secret):
        Server.__init__(self, name, start=False)
        self.url, self.secret = url, secret
        self.owner = self

    def launch(self, *arguments):
        os.makedirs(self.data, exist_ok=True)
        with open(self.secret) as source, open(os.path.join(self.data, "secret"), "w") as target:
            target.write(source.read())
        return super().launch(*arguments)


if __name__ == "__main__":
    unittest.main()
