"""What a hostile reader once found: each defect has its test, so that it stays mended."""
import os
import re
import signal
import socket
import subprocess
import time
import unittest

import client
import server as servers
from repository import article
from server import Server, until

server = stalled = None


def setUpModule():
    global server, stalled
    server = Server("review")
    # The server waits for the rest while the other tests run.
    stalled = socket.create_connection(("127.0.0.1", server.port), timeout=60)
    unittest.addModuleCleanup(stalled.close)
    stalled.sendall(b"PUT /scores HTTP/1.1\r\nHost: x\r\nContent-Length: 170\r\n\r\nphone=")
    server.verb("game", "set", "default", "--salt", client.SALT)
    server.verb("charity", "add", "red-cross", "--name", "Red Cross")


def tearDownModule():
    server.stop()


class Framing(unittest.TestCase):
    def test_a_body_that_is_framed_wrongly_is_a_400_and_no_error_in_the_log(self):
        before = server.log().count(" error ")
        for sent in (
            b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
            b"Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
            b"Transfer-Encoding: gzip\r\n\r\nabc",
            b"Content-Length: 170\r\n\r\nphone=abc",
        ):
            with self.subTest(sent=sent), socket.create_connection(("127.0.0.1", server.port), timeout=10) as s:
                s.sendall(b"PUT /scores HTTP/1.1\r\nHost: x\r\n" + sent)
                s.shutdown(socket.SHUT_WR)
                self.assertRegex(s.recv(4096), rb"^HTTP/1.1 400 ")
        self.assertEqual(server.log().count(" error "), before)

    def test_an_escape_that_makes_no_character_stands_for_itself_where_nothing_is_escaped(self):
        phone = client.Phone(server, encode=client.unescaped)
        self.assertEqual(phone.register("100%de x").field("name"), "100%de x")


class Names(unittest.TestCase):
    def test_no_post_wears_the_name_of_a_charity(self):
        known, unknown = client.Phone(server), client.Phone(server)
        self.assertEqual(known.register("Ann").status, 201)
        for phone in (known, unknown):
            self.assertEqual(phone.high_score("Red Cross", 50).status, 422)
        self.assertNotIn("Red Cross", client.get(server, "/high_scores.xml").text)

    def test_a_refused_first_post_registers_nobody(self):
        ghost = client.Phone(server)
        self.assertEqual(ghost.high_score("Ghost", 0).status, 422)
        self.assertEqual(ghost.post(5).status, 422)
        self.assertEqual(ghost.high_score("Ghost", 7).status, 200)
        self.assertEqual(ghost.post(5).status, 201)

    def test_who_had_the_name_before_the_charity_keeps_it(self):
        phone = client.Phone(server)
        self.assertEqual(phone.register("Sea Turtles").status, 201)
        server.verb("charity", "add", "turtles", "--name", "Sea Turtles")
        self.assertEqual(phone.register("Sea Turtles").status, 200)
        self.assertEqual(phone.high_score("Sea Turtles", 50).status, 200)
        self.assertEqual(client.Phone(server).register("Sea Turtles").status, 422)

    def test_an_id_is_short_in_bytes_too(self):
        self.assertEqual(client.Phone(server).register("Fb", fb_uid="e" + "\u0301" * 300).status, 422)

    def test_names_of_charities_are_one_line_and_never_alike(self):
        for slug, name in (("a1", "Red-Cross"), ("a2", "Red Cr0ss"), ("a3", "Evil\x01name"), ("a4", "two\nlines"),
                           ("a5", "x" * 101), ("a6", "")):
            with self.subTest(name=name):
                self.assertNotEqual(server.run_verb("charity", "add", slug, "--name", name).returncode, 0)


class Verbs(unittest.TestCase):
    def refused(self, *arguments):
        done = server.run_verb(*arguments)
        self.assertNotEqual(done.returncode, 0)
        self.assertNotIn("SQLSTATE", done.stderr)
        return done.stderr

    def test_ordinary_mistakes_get_sentences(self):
        server.verb("charity", "add", "future", "--name", "Future", "--opens", "2030-01-01T00:00:00Z")
        self.assertIn("closes", self.refused("charity", "set", "future", "--closes", "2029-01-01T00:00:00Z"))
        server.verb("charity", "close", "future")
        self.assertIn(
            "points",
            self.refused("board", "set", "--game", "default", "high-scores", "--points-min", "9223372036854775807",
                         "--points-max", "5"))
        server.verb("board", "add", "--game", "default", "low", "--points-min", "-100")
        self.refused("game", "add", "g1", "--name", "")
        self.assertIn(
            "empty",
            subprocess.run([servers.binary(), "check", "--data", ""],
                           capture_output=True,
                           text=True,
                           env=servers.clean_environment()).stderr)

    def test_a_list_that_cannot_be_written_is_an_error(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([servers.binary(), "export", "subscribers", "--data", server.data],
                                  stdout=full,
                                  stderr=subprocess.PIPE,
                                  env=servers.clean_environment(),
                                  timeout=60)
        self.assertNotEqual(done.returncode, 0)

    def test_check_and_audit_make_nothing(self):
        place = os.path.join(servers.scratch("nothing"), "data")
        for verb in ("check", "audit"):
            done = subprocess.run([servers.binary(), verb, "--data", place],
                                  capture_output=True,
                                  text=True,
                                  env=servers.clean_environment(),
                                  timeout=60)
            self.assertNotEqual(done.returncode, 0)
            self.assertFalse(os.path.exists(place))

    def test_a_settings_file_with_a_mistake_is_refused_with_its_line(self):
        file = os.path.join(servers.scratch("settings"), "file")
        for text in ("CAUSEBOARD_PROT=3", "# good\n\nport=3", "export CAUSEBOARD_PORT=3", "CAUSEBOARD_PORT",
                     'CAUSEBOARD_PORT="3"'):
            with open(file, "w") as f:
                f.write(text + "\n")
            done = server.run_verb("check", "--settings", file)
            self.assertNotEqual(done.returncode, 0, text)
            self.assertRegex(done.stderr, r"Line \d")
        with open(file, "w") as f:
            f.write("# where it listens\nCAUSEBOARD_PORT=8765\n")
        self.assertIn(":8765", server.verb("check", "--settings", file))

    def test_a_settings_file_of_any_editor_counts(self):
        file = os.path.join(servers.scratch("editors"), "file")
        for mark in (b"", b"\xef\xbb\xbf"):
            for end in (b"\n", b"\r\n", b"\r"):
                for first in (b"", b"# of the arcade" + end):
                    with self.subTest(mark=mark, end=end, first=first), open(file, "wb") as f:
                        f.write(mark + first + b"CAUSEBOARD_PORT=8765" + end + b"CAUSEBOARD_HOST=127.0.0.9" + end)
                        f.flush()
                        self.assertIn("127.0.0.9:8765", server.verb("check", "--settings", file))
        with open(file, "wb") as f:
            f.write("CAUSEBOARD_PORT=8765\r\n".encode("utf-16"))
        done = server.run_verb("check", "--settings", file)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("Line 1 of", done.stderr)

    def test_variables_of_libpq_do_not_reach_the_embedded_database(self):
        """What a DBA may have exported; each alone kept the database from starting."""
        strays = {"PGSERVICE": "nosuch", "PGTARGETSESSIONATTRS": "standby", "PGCHANNELBINDING": "require",
                  "PGREQUIREPEER": "nobody", "PGOPTIONS": "-c search_path=pg_catalog", "PGHOST": "nowhere.invalid"}
        stray = servers.Server("libpq", environment=strays)
        self.addCleanup(stray.stop)
        self.assertEqual(client.get(stray, "/v1/games").status, 200)
        stray.verb("game", "add", "maze")
        self.assertIn("maze", stray.verb("game", "list"))
        url = f"host=127.0.0.1 port={servers.free_port()} user=x dbname=x"
        environment = servers.clean_environment(DATABASE_URL=url, PGSERVICE="nosuch", CAUSEBOARD_SECRET="5eed" * 16)
        done = subprocess.run([servers.binary(), "check"], capture_output=True, text=True, timeout=60,
                              env=environment)
        self.assertEqual(done.returncode, 1)
        self.assertIn("environment count too: PGSERVICE.", done.stderr)

    def test_a_settings_file_may_set_every_setting_of_the_table(self):
        table = [line.split("|")[2] for line in article("Settings.md").splitlines() if line.startswith("| ")]
        names = {name for cell in table for name in re.findall(r"`([A-Z_]+)`", cell)} - {"CAUSEBOARD_SETTINGS"}
        self.assertGreater(len(names), 10)
        file = os.path.join(servers.scratch("every-setting"), "file")
        with open(file, "w") as f:
            f.writelines(f"{name}=\n" for name in sorted(names))
        server.verb("check", "--settings", file)

    def test_a_backup_is_restored_as_readme_says(self):
        phone = client.Phone(server)
        self.assertEqual(phone.register("Keeper").status, 201)
        self.assertEqual(phone.post(77).status, 201)
        dump = os.path.join(servers.scratch("backup"), "backup.sql")
        with open(dump, "wb") as f:
            subprocess.run(["pg_dump", "--clean", "--if-exists", "--no-owner",
                            server.conninfo()],
                           stdout=f,
                           check=True,
                           env=servers.clean_environment())
        new = Server("restored", start=False)
        new.verb("game", "list")
        with open(os.path.join(server.data, "secret")) as old, open(os.path.join(new.data, "secret"), "w") as copy:
            copy.write(old.read())
        new.start()
        subprocess.run(["psql", "-X", "-q", "-1", "-v", "ON_ERROR_STOP=1", "-d",
                        new.conninfo(), "-f", dump],
                       check=True,
                       stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL,
                       env=servers.clean_environment())
        new.terminate()
        new.start()
        new.audit()
        self.assertEqual(
            client.request(new, "PUT", "/scores", body=client.escaped({"phone": phone.udid, "points": "78"})).status,
            201)
        new.stop()

    def test_a_verb_that_is_interrupted_leaves_no_database_running(self):
        other = Server("interrupted", start=False)
        other.verb("game", "list")                       # makes the cluster, and stops it
        for name in (signal.SIGTERM, signal.SIGINT):
            for milliseconds in (50, 150, 400):
                verb = subprocess.Popen([servers.binary(), "audit", "--data", other.data],
                                        stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL,
                                        env=servers.clean_environment())
                time.sleep(milliseconds / 1000)
                verb.send_signal(name)
                verb.wait(30)
                until(lambda: not os.path.exists(os.path.join(other.data, "postgres", "postmaster.pid")), 60,
                      f"PostgreSQL to stop after {name!r} at {milliseconds} ms")


class Reading(unittest.TestCase):
    def test_a_refused_type_is_not_sent_and_numbers_are_written_one_way(self):
        self.assertNotEqual(
            client.get(server, "/TopScores", Accept="application/xml;q=0, */*").media, "application/xml")
        for limit in ("%2B5", "05", "5.0"):
            self.assertEqual(client.get(server, "/TopScores.xml?limit=" + limit).status, 400)

    def test_an_unchanged_picture_is_not_sent_again(self):
        phone = client.Phone(server)
        self.assertEqual(phone.register("Pic", image=client.base64_text(client.png())).status, 201)
        self.assertEqual(phone.post(5).status, 201)
        self.assertEqual(phone.donate("red-cross", 5).status, 201)
        path = [r["avatar"] for r in client.get(server, "/TopScores.json").json()["rows"] if r.get("avatar")][0]
        for known in ("*", 'W/"x", ' + client.get(server, path)["etag"]):
            self.assertEqual(client.get(server, path, **{"If-None-Match": known}).status, 304)

    def test_a_database_that_takes_no_writes_is_away(self):
        phone = client.Phone(server)
        self.assertEqual(phone.register("Ro").status, 201)
        server.psql("alter system set default_transaction_read_only = on")
        server.psql("select pg_reload_conf()")
        try:
            until(lambda: client.get(server, "/readyz").status == 503, 30, "a 503 of /readyz")
            answer = phone.post(5)
            self.assertEqual(answer.status, 503, answer)
            self.assertTrue(answer["retry-after"])
        finally:
            writing = server.conninfo() + " options='-c default_transaction_read_only=off'"
            for sql in ("alter system reset default_transaction_read_only", "select pg_reload_conf()"):
                subprocess.run(["psql", "-X", "-q", "-d", writing, "-c", sql],
                               check=True,
                               stdout=subprocess.DEVNULL,
                               env=servers.clean_environment())
        until(lambda: client.get(server, "/readyz").status == 200, 30, "/readyz")
        self.assertEqual(phone.post(5).status, 201)


class Waiting(unittest.TestCase):
    """The last class by its name."""

    def test_a_body_that_stalls_is_told_so(self):
        self.assertRegex(stalled.recv(4096), rb"^HTTP/1.1 408 ")
