"""The embedded database moves to another version of PostgreSQL and back. Where two versions are installed it goes from
the oldest to the newest of them; else it is made anew with the only one."""
import os
import random
import shutil
import signal
import subprocess
import unittest

import server as servers
from seeds import SEED, nightly, steps
from upgrades import FOUND, NEW, OLD, SECONDS_MAX, TO, Fixture

SLOW = True

prepared = None
LAST = "the new database takes"
LINES = ("The database in", "copying", "auditing", "audited", "comparing", "compared", LAST)


def setUpModule():
    global prepared
    prepared = Fixture("upgrade-prepared")
    unittest.addModuleCleanup(prepared.server.stop)


class Upgrade(unittest.TestCase):
    def done(self, done):
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stderr

    def refused(self, done, *words):
        self.assertNotEqual(done.returncode, 0, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def fixture(self, name):
        fixture = Fixture(name, of=prepared)
        self.addCleanup(fixture.server.stop)
        return fixture

    def test_there_and_back_and_there_again(self):
        fixture = self.fixture("upgrade")
        fixture.server.start()
        self.refused(fixture.run(*TO), "Stop every server", "nothing was changed")
        fixture.server.terminate()
        self.refused(fixture.run("--back"), "nothing to finish or to return to")
        self.refused(fixture.run("--to", "14"), "PostgreSQL 14 is older than")
        self.refused(fixture.run("--to", "99"), "apt-get install postgresql-99")
        said = self.done(fixture.run(*TO, "--dry-run"))
        self.assertRegex(said, r"takes up to \d+ MiB of the \d+ MiB that are free")
        self.assertEqual(fixture.names(), ["postgres"])

        said = self.done(fixture.run(*TO))
        self.assertIn("they are the same", said)
        self.assertIn("the books balance", said)
        self.assertEqual(fixture.major(), max(FOUND))
        self.assertEqual(fixture.names(), ["postgres", "postgres.previous", "postgres.previous.json"])
        self.refused(fixture.run(*TO), "--finish", "--back")

        # Nothing was written: a server has only looked at it.
        fixture.use(NEW)
        fixture.server.start()
        fixture.server.terminate()
        self.assertIn("as it was", self.done(fixture.run("--back")))
        self.assertEqual((fixture.major(), fixture.names()), (min(FOUND), ["postgres"]))
        fixture.use(OLD)
        fixture.verify(self)

        self.done(fixture.run(*TO))
        fixture.use(NEW)
        fixture.verify(self)
        self.refused(fixture.run("--back"), "score: ", "rows more", "--lose-what-is-new")
        self.assertEqual(fixture.major(), max(FOUND))
        self.done(fixture.run("--finish"))
        self.assertEqual(fixture.names(), ["postgres"])
        fixture.verify(self)

    @nightly
    def test_there_and_back_with_a_loss(self):
        fixture = self.fixture("upgrade-loss")
        self.done(fixture.run(*TO))
        before = dict(fixture.scores), dict(fixture.donations)
        fixture.use(NEW)
        fixture.verify(self)
        self.done(fixture.run("--back", "--lose-what-is-new"))
        fixture.scores, fixture.donations = before
        fixture.use(OLD)
        fixture.verify(self)

    def test_killed_at_any_step_it_is_run_again(self):
        fixture = self.fixture("upgrade-killed")
        kills = 0
        lines = sorted(random.Random(SEED).sample(LINES, min(steps(1, nightly=2), len(LINES))), key=LINES.index)
        for line in lines:
            process = fixture.begin(*TO)
            for text in process.stderr:
                if text.startswith(line):
                    process.kill()
                    kills += 1
                    break
            process.stderr.close()
            process.wait(SECONDS_MAX)
            if os.path.exists(os.path.join(fixture.server.data, "upgrade.swap")):
                # Killed while they change places, there may be no database; the next run does it to its end.
                self.assertEqual(line, LAST)
                self.assertIn("ended at its last step", self.done(fixture.run()))
            if fixture.major() == max(FOUND) and "postgres.previous" in fixture.names():
                self.assertEqual(line, LAST)
                self.done(fixture.run("--back"))
        self.assertEqual(kills, len(lines))
        # A server goes on with the old one, or says who still works on it.
        said = self.done(fixture.run(*TO))
        self.assertIn("The old one is kept", said)
        fixture.use(NEW)
        fixture.verify(self)

    @nightly
    def test_killed_while_rows_are_copied_the_old_one_is_served_and_upgraded_later(self):
        fixture = self.fixture("upgrade-orphan")
        process = fixture.begin(*TO)
        for text in process.stderr:
            if text.startswith("copying"):
                process.kill()
                break
        process.stderr.close()
        process.wait(10)
        # The PostgreSQL of the copy runs on, until the next run ends it.
        self.assertTrue(os.path.exists(os.path.join(fixture.server.data, "upgrade", "postgres", "postmaster.pid")))
        fixture.verify(self)
        self.done(fixture.run(*TO))
        self.assertEqual(fixture.names(), ["postgres", "postgres.previous", "postgres.previous.json"])
        fixture.use(NEW)
        fixture.verify(self)

    def test_interrupted_nothing_is_left(self):
        fixture = self.fixture("upgrade-interrupted")
        process = fixture.begin(*TO)
        for text in process.stderr:
            if text.startswith("copying"):
                process.send_signal(signal.SIGTERM)
                break
        process.stderr.close()
        self.assertEqual(process.wait(SECONDS_MAX), 128 + signal.SIGTERM)
        self.assertEqual(fixture.names(), ["postgres"])
        fixture.verify(self)

    def test_a_swap_that_was_ended_is_finished_and_nobody_opens_it_before(self):
        fixture = self.fixture("upgrade-swap")
        self.done(fixture.run(*TO))
        # As a kill behind the first step leaves it.
        data = fixture.server.data
        os.makedirs(os.path.join(data, "upgrade"))
        os.rename(os.path.join(data, "postgres"), os.path.join(data, "upgrade", "postgres"))
        with open(os.path.join(data, "upgrade.swap"), "w") as file:
            file.write("forward\n")
        with self.assertRaisesRegex(servers.Refused, "run it again"):
            fixture.server.start()
        self.refused(fixture.server.run_verb("audit"), "causeboard")
        self.assertIn("ended at its last step", self.done(fixture.run()))
        self.assertEqual(fixture.names(), ["postgres", "postgres.previous", "postgres.previous.json"])
        fixture.use(NEW)
        fixture.verify(self)

    def test_a_database_that_is_a_mount_is_refused_or_opens_as_before(self):
        needed = ["unshare", "--mount", "true"]
        if not shutil.which("unshare") or subprocess.run(needed, capture_output=True).returncode != 0:
            self.skipTest("no namespace of mounts can be made here")
        fixture = self.fixture("upgrade-mount")
        database = os.path.join(fixture.server.data, "postgres")

        def upgraded(mount, *arguments):
            script = f'{mount} && exec "$0" "$@"'
            return subprocess.run(
                ["unshare", "--mount", "sh", "-c", script, servers.binary(), "upgrade", *arguments, "--data",
                 fixture.server.data], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                timeout=SECONDS_MAX, cwd="/", env=servers.clean_environment())
        # One of another file system can be told beforehand.
        done = upgraded(f"cp {database}/PG_VERSION {fixture.server.home} && mount -t tmpfs none {database} && "
                        f"cp {fixture.server.home}/PG_VERSION {database}", *TO, "--dry-run")
        self.refused(done, "is a file system of its own", "Nothing was changed")
        # One of the same file system shows when it is to be renamed; then nothing has changed.
        self.refused(upgraded(f"mount --bind {database} {database}", *TO), "rename", "busy")
        self.assertEqual(fixture.names(), ["postgres"])
        fixture.verify(self)


if __name__ == "__main__":
    unittest.main()
