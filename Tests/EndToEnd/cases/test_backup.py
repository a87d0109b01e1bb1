"""Backups that are made while posts arrive, and restored elsewhere: nothing that was acknowledged is missing, and
nothing that was damaged is taken."""
import hashlib
import os
import signal
import stat
import subprocess
import unittest

import backups
import client
import repository
import server as servers
import v1
from postgres import Postgres, programs
from server import Server, until

fixture = None


def setUpModule():
    global fixture
    fixture = backups.Fixture("backup")


def tearDownModule():
    if fixture is not None:
        fixture.close()


class Backup(unittest.TestCase):
    def refused(self, done, *words):
        self.assertNotEqual(done.returncode, 0, done.stdout)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_a_backup_under_load_has_all_that_was_acknowledged_before(self):
        with fixture.traffic() as traffic:
            scores, donations = dict(traffic.scores), dict(traffic.donations)
            path = fixture.backup("loaded")
            traffic.flows(20, "posts go on beside the backup")
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        proved = fixture.server.run_verb("backup", "--verify", path)
        self.assertEqual(proved.returncode, 0, proved.stderr)
        self.assertIn("is whole, and restores to what it says", proved.stdout)
        restored = backups.restore("backup-restored", path)
        self.addCleanup(restored.stop)
        with open(os.path.join(restored.data, "secret")) as copy, \
                open(os.path.join(fixture.server.data, "secret")) as secret:
            self.assertEqual(copy.read(), secret.read())
        backups.verify(self, restored, scores, donations)
        restored.terminate()
        self.refused(restored.run_verb("restore", path), "is not empty", "postgres", "Nothing was changed")

    def test_damaged_backups_are_refused_by_what_is_wrong_and_leave_nothing(self):
        whole = fixture.backup("whole")
        path, count = fixture.path("damaged"), 0
        target = Server("backup-damaged", start=False)
        for what, words in backups.damaged(path, whole):
            with self.subTest(what):
                self.refused(target.run_verb("restore", path, "--quiet"), words)
                self.assertFalse(os.path.exists(target.data), os.listdir(target.home))
            count += 1
        self.assertGreaterEqual(count, 20)
        backups.written(path, backups.with_manifest(backups.parts(whole)))
        self.assertEqual(target.run_verb("restore", path, "--quiet").returncode, 0, "what was not damaged is taken")
        target.stop()

    def test_nothing_is_overwritten_and_what_fails_leaves_no_file(self):
        path = fixture.backup("once")
        with open(path, "rb") as file:
            before = file.read()
        self.refused(fixture.server.run_verb("backup", path), "is there already", "--force")
        with open(path, "rb") as file:
            self.assertEqual(file.read(), before)
        fixture.backup("once", "--force")
        stream = subprocess.run([servers.binary(), "backup", "-", "--quiet", "--data", fixture.server.data],
                                stdin=subprocess.DEVNULL, capture_output=True, timeout=60, cwd="/",
                                env=servers.clean_environment())
        with open(fixture.path("streamed"), "wb") as file:
            file.write(stream.stdout)
        self.assertEqual(backups.parts(fixture.path("streamed"))[1], backups.parts(path)[1])
        self.refused(fixture.server.run_verb("backup", "/dev/null", "--force"), "is no file")
        with open("/dev/full", "wb") as full:
            done = subprocess.run([servers.binary(), "backup", "-", "--quiet", "--data", fixture.server.data],
                                  stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, timeout=60, cwd="/",
                                  env=servers.clean_environment(), text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left on device", done.stderr)
        self.refused(fixture.server.run_verb("backup", os.path.join(fixture.server.home, "none", "x")), "Cannot write")
        # A backup that waits for a lock is interrupted.
        fixture.psql.run("begin; lock table score in access exclusive mode")
        try:
            process = subprocess.Popen([servers.binary(), "backup", fixture.path("ended"),
                                        "--data", fixture.server.data],
                                       stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/",
                                       env=servers.clean_environment())
            # The server's own passes wait for the lock too, so that the draft has to be there as well.
            until(lambda: any(name.startswith("ended.") for name in os.listdir(fixture.server.home)) and
                  fixture.psql.run("select count(*) from pg_locks where not granted") != [["0"]], 20, "it has begun")
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(20), 128 + signal.SIGTERM)
        finally:
            fixture.psql.run("rollback")
        self.assertEqual([name for name in os.listdir(fixture.server.home) if name.startswith(("ended", "none"))], [])

    def test_an_older_schema_is_migrated_forward(self):
        def text(path):
            return repository.document(os.path.join("SQL", path))

        def names(folder):
            path = os.path.join(repository.ROOT, "SQL", folder)
            return sorted(os.listdir(path)) if os.path.isdir(path) else []
        migrations = [("schema", "\n".join(text(f"schema/{name}") for name in names("schema")))]
        migrations += [(name[5:-4], text(f"migrations/{name}")) for name in names("migrations")]
        if len(migrations) == 1:
            self.skipTest("there is no older schema yet")
        elsewhere = Postgres("backup-older").make().start()
        self.addCleanup(elsewhere.crash)
        elsewhere.psql("create database older")
        # What the previous program has: all but the newest migration.
        sql = [text("setup/migrations_table.sql")]
        for number, (name, script) in enumerate(migrations[:-1], 1):
            digest = hashlib.sha256(script.removesuffix("\n").encode()).hexdigest()
            sql += [script, f"insert into migration (number, name, checksum, applied_at, compatible_since) values "
                    f"({number}, '{name}', decode('{digest}', 'hex'), now(), {number})"]
        elsewhere.psql(";\n".join(sql), "older")
        secret, path = os.path.join(elsewhere.home, "secret"), os.path.join(elsewhere.home, "older.backup")
        with open(secret, "w") as file:
            file.write("2" * 64)
        done = subprocess.run(
            [servers.binary(), "backup", path, "--secret-file", secret, "--database-url",
             f"host={elsewhere.home} user=owner dbname=older"], capture_output=True, text=True, timeout=60, cwd="/",
            env=servers.clean_environment())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(elsewhere.psql("select max(number) from migration", "older").strip(),
                         str(len(migrations) - 1))
        target = Server("backup-migrated", start=False)
        self.addCleanup(target.stop)
        done = target.run_verb("restore", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("migrations applied: 1", done.stderr)
        target.start()
        self.assertEqual(target.psql("select max(number) from migration"), [[str(len(migrations))]])
        target.audit()

    def test_who_was_erased_since_is_erased_again(self):
        with client.Connection(fixture.server) as connection:
            early, late = (v1.Player(connection, backups.OTHER_GAME, name) for name in ("Early Ada", "Late Lou"))
            gone = early.call("POST", "/v1/players/me/erasure", {"confirm": "Early Ada"})
            self.assertEqual(gone.status, 200, gone)
            path = fixture.backup("erasures")
            gone = late.call("POST", "/v1/players/me/erasure", {"confirm": "Late Lou"})
            self.assertEqual(gone.status, 200, gone)
        listed = fixture.path("list")
        with open(listed, "w") as file:
            file.write(fixture.server.verb("erasures", "list"))
        restored = backups.restore("backup-erased", path, "--erasures", listed)
        self.addCleanup(restored.stop)
        names = restored.psql(f"select name from player where id in ({early.id}, {late.id})")
        self.assertNotIn(["Late Lou"], names)
        self.assertNotIn(["Early Ada"], names)
        self.assertEqual(restored.psql(f"select count(*) from erasure where player_id in ({early.id}, {late.id})"),
                         [["2"]])

    def test_a_restore_that_was_killed_is_no_database(self):
        path = fixture.backup("killed")
        target = Server("backup-killed", start=False)
        process = subprocess.Popen([servers.binary(), "restore", path, "--data", target.data], cwd="/",
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=servers.clean_environment())
        until(lambda: os.path.exists(os.path.join(target.data, "postgres")), 30, "the restore has begun")
        process.kill()
        process.wait(10)
        with self.assertRaisesRegex(servers.Refused, "did not come to its end"):
            target.start()
        self.refused(target.run_verb("audit"), "did not come to its end")
        self.refused(target.run_verb("restore", path), "is not empty", "restore.unfinished")
        target.stop()

    def test_a_database_elsewhere_is_backed_up_and_restored_without_showing_its_password(self):
        elsewhere = Postgres("backup-elsewhere").make().start()
        self.addCleanup(elsewhere.crash)
        path = fixture.backup("moving")
        for name in ("filled", "other"):
            elsewhere.psql(f"create database {name}")
        url = f"postgresql://owner:pa%20ss-word@/{{}}?host={elsewhere.home}".format
        # Programs that note what all users could see of them.
        tools, seen = servers.scratch("backup-tools"), os.path.join(servers.scratch("backup-seen"), "seen")
        for name in ("pg_dump", "pg_restore"):
            with open(os.path.join(tools, name), "w") as file:
                file.write(f'#!/bin/sh\necho "{name} $*" >> {seen}\nexec {programs()}/{name} "$@"\n')
            os.chmod(os.path.join(tools, name), 0o755)
        secret = os.path.join(elsewhere.home, "secret")

        def run(*arguments, **environment):
            return subprocess.run([servers.binary(), *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, timeout=120, cwd="/",
                                  env=servers.clean_environment(CAUSEBOARD_PG_BIN=tools, **environment))
        self.refused(run("restore", path, "--database-url", url("filled")), "--secret-file")
        done = run("restore", path, "--database-url", url("filled"), "--secret-file", secret)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("The books balance.", done.stdout)
        self.assertEqual(stat.S_IMODE(os.stat(secret).st_mode), 0o600)
        count = "select count(*), sum(points) from score"
        self.assertEqual(elsewhere.psql(count, "filled").split("|")[0], fixture.psql.run(count)[0][0])
        self.refused(run("restore", path, "--database-url", url("filled"), "--secret-file", secret),
                     "not empty: it has public.", "Nothing was changed")
        again = os.path.join(elsewhere.home, "again")
        done = run("backup", again, "--database-url", url("filled"), "--secret-file", secret)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = run("restore", again, "--database-url", url("other"), "--secret-file", secret)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(seen) as file:
            shown = file.read()
        self.assertIn("--dbname=", shown)
        self.assertNotIn("ss-word", shown + done.stderr + done.stdout)
        with open(os.path.join(elsewhere.home, "wrong"), "w") as file:
            file.write("1" * 64)
        self.refused(run("backup", again + "2", "--database-url", url("filled"), "--secret-file",
                         os.path.join(elsewhere.home, "wrong")), "another secret")
        # A program of another version than the database is no use.
        with open(os.path.join(tools, "pg_dump"), "w") as file:
            file.write('#!/bin/sh\necho "pg_dump (PostgreSQL) 9.6.24"\n')
        self.refused(run("backup", again + "3", "--database-url", url("filled"), "--secret-file", secret),
                     "apt-get install postgresql-client-")


if __name__ == "__main__":
    unittest.main()
