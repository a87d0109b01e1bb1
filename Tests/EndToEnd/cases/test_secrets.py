"""Secrets that others on the machine could read: passwords in arguments, and files. Also who learns that the classic
protocol is open."""
import os
import subprocess
import unittest

import certificates
import server as servers
from elsewhere import Elsewhere, url, verb
from postgres import Postgres
from server import Server

WARNING = "an argument has a password"
PASSWORD = "hush-hush"
CLASSIC = "the game default takes posts of the classic protocol without authentication"
database = None


def setUpModule():
    global database
    database = Postgres("secrets").make().start()
    unittest.addModuleCleanup(database.crash)
    database.psql("create database causeboard")
    done = verb("migrate", "--database-url", url("owner", database))
    assert done.returncode == 0, done.stderr


def with_password(login):
    return url(login, database) + f" password={PASSWORD}"


class Arguments(unittest.TestCase):
    def start(self, url, *arguments):
        server = Elsewhere("secrets-arguments", url, *arguments, secret="5e" * 32)
        self.addCleanup(server.end)
        return server.start()

    def test_a_server_warns_of_each_password_and_does_not_repeat_it(self):
        server = self.start(with_password("causeboard_server"),
                            f"--stream-url={with_password('causeboard_stream')}", "--log-format", "json")
        lines = [line for line in server.log().splitlines() if WARNING in line]
        self.assertEqual(len(lines), 2, server.log())
        self.assertIn("--database-url", lines[0])
        self.assertIn("--stream-url", lines[1])
        for line in lines:
            self.assertIn("~/.pgpass", line)
            self.assertIn("warning", line)
        self.assertNotIn(PASSWORD, server.log())

    def test_without_one_nothing_is_said(self):
        self.assertNotIn(WARNING, self.start(url("causeboard_server", database)).log())

    def test_a_command_warns_and_its_environment_is_no_argument(self):
        for command in (("game", "list"), ("check",), ("healthy",), ("audit",), ("erasures", "list"), ("log",),
                        ("status", "--admin-listen", "127.0.0.1:1"),
                        ("player", "find", "--game", "default", "--name", "Ada")):
            done = verb(*command, "--database-url", with_password("causeboard_server"))
            self.assertEqual(done.stderr.count(WARNING), 1, f"{command} {done.stderr}")
            self.assertNotIn(PASSWORD, done.stdout + done.stderr)
        done = subprocess.run([servers.binary(), "game", "list"], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=servers.VERB_SECONDS_MAX, cwd="/",
                              env=servers.clean_environment(DATABASE_URL=with_password("causeboard_server")))
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("secrets-files", template=False)
        cls.addClassCleanup(cls.server.stop)
        cls.secret = os.path.join(cls.server.data, "secret")
        cls.certificate, cls.key = certificates.make(cls.server.home, "secrets")
        os.chmod(cls.key, 0o600)
        cls.settings = os.path.join(cls.server.home, "settings")

    def setUp(self):
        self.write(f"CAUSEBOARD_TLS_CERTIFICATE={self.certificate}\nCAUSEBOARD_TLS_KEY={self.key}\n")

    def write(self, text, mode=0o600):
        with open(self.settings, "w") as file:
            file.write(text)
        os.chmod(self.settings, mode)

    def check(self):
        done = self.server.run_verb("check", "--settings", self.settings)
        return done.returncode, done.stdout + done.stderr

    def test_what_the_server_makes_is_for_its_owner_alone(self):
        self.assertEqual(os.stat(self.secret).st_mode & 0o777, 0o600)
        self.assertEqual(self.check()[0], 0, self.check()[1])

    def test_a_file_that_others_can_read_is_named_with_what_to_run(self):
        for name, path in (("secret file", self.secret), ("TLS key", self.key)):
            os.chmod(path, 0o644)
            code, said = self.check()
            os.chmod(path, 0o600)
            self.assertEqual(code, 1, said)
            self.assertRegex(said, rf"(?m)^{name} +every user of this machine can read it. Run: chmod 6\d0 {path}$")

    def test_a_settings_file_may_be_read_until_it_has_a_secret(self):
        self.write("CAUSEBOARD_PORT=8080\n", 0o644)
        self.assertEqual(self.check()[0], 0, self.check()[1])
        self.write("CAUSEBOARD_STREAM_URL=postgresql://ada:hush@127.0.0.1/x\n", 0o644)
        code, said = self.check()
        self.assertEqual(code, 1, said)
        self.assertRegex(said, r"(?m)^settings file +every user of this machine can read it. Run: chmod 6\d0 ")

    @unittest.skipUnless(os.geteuid() == 0, "only root can give a file to a group that is not its own")
    def test_a_group_may_read_a_file_of_root(self):
        os.chown(self.key, 0, 1)
        os.chmod(self.key, 0o640)
        self.addCleanup(os.chmod, self.key, 0o600)
        self.assertEqual(self.check()[0], 0, self.check()[1])
        os.chown(self.key, 1, 1)
        self.addCleanup(os.chown, self.key, 0, 0)
        code, said = self.check()
        self.assertEqual(code, 1)
        self.assertIn(f"its group can read it. Run: chmod 600 {self.key}", said)

    def test_a_server_warns_of_them_when_it_starts(self):
        server = Server("secrets-warned")
        self.addCleanup(server.stop)
        self.assertNotIn("a file with a secret is not secret", server.log())
        server.terminate()
        os.chmod(os.path.join(server.data, "secret"), 0o644)
        server.start()
        self.assertEqual(server.log().count("a file with a secret is not secret"), 1)
        self.assertIn(f"chmod 600 {os.path.join(server.data, 'secret')}", server.log())


class Classic(unittest.TestCase):
    def test_each_start_says_that_the_classic_protocol_is_open_and_louder_where_strangers_are(self):
        server = Server("secrets-classic", template=False)
        self.addCleanup(server.stop)

        def said():
            return [line for line in server.log().splitlines() if CLASSIC in line]
        self.assertEqual(len(said()), 1, "the first start")
        self.assertIn("causeboard game set default --classic off", said()[0])
        self.assertIn(" notice ", said()[0])
        server.terminate()
        server.start("--trusted-proxies", "127.0.0.1/32")
        self.assertEqual(len(said()), 2)
        self.assertIn(" warning ", said()[1])
        server.verb("game", "set", "default", "--classic", "off")
        server.terminate()
        server.start()
        self.assertEqual(len(said()), 2, "it is closed")


if __name__ == "__main__":
    unittest.main()
