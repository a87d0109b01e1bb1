"""The archive of the embedded database: a restore to any moment, and what operators see when archiving fails."""
import os
import re
import unittest

import backups
import client
import promtool
import troubles
import v1
from server import Refused, Server, until

SLOW = True

SECONDS_MAX = 60


class Archive(unittest.TestCase):
    def test_a_moment_between_two_posts_is_restored_with_those_before_it_alone(self):
        fixture = backups.Fixture("archive")
        self.addCleanup(fixture.close)
        with fixture.traffic(seed=3):
            fixture.has_base()
        with client.Connection(fixture.server) as connection:
            ada = v1.Player(connection, backups.GAME, "Ada")
            leaving = v1.Player(connection, backups.OTHER_GAME, "Leaving Lou")
            before, after = v1.new_id(), v1.new_id()
            self.assertEqual(ada.post("best", 71, before).status, 201)
            moment = fixture.moment()
            self.assertEqual(ada.post("best", 72, after).status, 201)
            gone = leaving.call("POST", "/v1/players/me/erasure", {"confirm": "Leaving Lou"})
            self.assertEqual(gone.status, 200, gone)
        kept = {id: int(points) for id, points in fixture.psql.run(
            f"select id, points from score where reached_at < '{moment}'")}
        self.assertIn(before, kept)
        listed = os.path.join(fixture.archive, "erasures")
        until(lambda: os.path.exists(listed) and str(leaving.id) in open(listed).read(), SECONDS_MAX,
              "the list of erasures is kept in the archive")
        fixture.archived()
        newest = {id: int(points) for id, points in fixture.psql.run("select id, points from score")}

        restored = backups.restore("archive-moment", "--archive", fixture.archive, "--to", moment)
        self.addCleanup(restored.stop)
        stored = {id for id, in restored.psql("select id from score")}
        self.assertEqual((stored, after in stored), (set(kept), False))
        self.assertEqual(restored.psql(f"select count(*) from erasure where player_id = {leaving.id}"), [["1"]])
        self.assertEqual(restored.psql(f"select count(*) from player where name = 'Leaving Lou'"), [["0"]])
        restored.terminate()
        # Two that come from one archive do not share it.
        with self.assertRaisesRegex(Refused, "the archive of another database, or of this one before it was restored"):
            restored.start("--archive", fixture.archive)
        restored.start()
        backups.verify(self, restored, kept, {})

        done = Server("archive-late", start=False).run_verb(
            "restore", "--archive", fixture.archive, "--to", "2090-01-01T00:00:00Z", "--quiet")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("recovery ended before configured recovery target was reached", done.stderr)
        done = Server("archive-early", start=False).run_verb(
            "restore", "--archive", fixture.archive, "--to", "2020-01-01T00:00:00Z", "--quiet")
        self.assertIn("has no base backup from before that moment", done.stderr)

        # All that there is; then a segment is missing, another is changed, and the base backup too.
        whole = backups.restore("archive-newest", "--archive", fixture.archive)
        self.addCleanup(whole.stop)
        self.assertEqual({id for id, in whole.psql("select id from score")}, set(newest))
        self.damage(fixture)

    def damage(self, fixture):
        target = Server("archive-damaged", start=False)

        def refused(words, *arguments):
            done = target.run_verb("restore", "--archive", fixture.archive, "--quiet", *arguments)
            self.assertNotEqual(done.returncode, 0, words)
            self.assertIn(words, done.stderr)
            self.assertFalse(os.path.exists(target.data), words)
        wal = os.path.join(fixture.archive, "wal")
        fixture.archived()
        fixture.psql.run("select pg_logical_emit_message(true, 'x', 'y')")
        fixture.archived()
        segments = sorted(name for name in os.listdir(wal) if re.fullmatch(r"[0-9A-F]{24}\.gz", name))
        base = os.path.join(fixture.archive, "base", os.listdir(os.path.join(fixture.archive, "base"))[0])
        place = os.path.join(wal, segments[-2])
        os.rename(place, fixture.path("aside"))
        refused("is missing in")
        os.rename(fixture.path("aside"), place)
        for path, words in ((place, segments[-2]), (os.path.join(base, "base.tar.gz"), "is cut or changed"),
                            (os.path.join(base, "backup_manifest"), "is cut or changed")):
            with open(path, "rb") as file:
                content = file.read()
            middle = len(content) // 2
            # A single bit of a compressed file may mean nothing.
            other = bytes(byte ^ 0x55 for byte in content[middle:middle + 16])
            for changed in (content[:middle], content[:middle] + other + content[middle + 16:]):
                with open(path, "wb") as file:
                    file.write(changed)
                refused(words)
            with open(path, "wb") as file:
                file.write(content)

    def test_operators_are_told_when_archiving_fails_and_when_it_goes_on(self):
        fixture = backups.Fixture("archiving")
        self.addCleanup(fixture.close)
        fixture.has_base()

        def causes():
            return client.get(fixture.server.admin(), "/readyz").json()["causes"]

        def metric(series):
            return promtool.metric(fixture.server, series)
        until(lambda: causes() == [], SECONDS_MAX, "the archive is well")
        wal = os.path.join(fixture.archive, "wal")
        os.rename(wal, wal + ".aside")
        fixture.psql.run("select pg_logical_emit_message(true, 'x', 'y')")
        fixture.psql.run("select pg_switch_wal()")
        until(lambda: causes() == ["archive-failing"], SECONDS_MAX, "it is told that archiving fails")
        self.assertEqual(client.get(fixture.server.admin(), "/readyz").status, 200, "posts are taken all the same")
        self.assertEqual(metric('archive_trouble{trouble="archive-failing"}'), 1)
        self.assertGreaterEqual(metric("archive_waiting_segments"), 1)
        self.assertGreaterEqual(metric("archive_failures_total"), 1)
        self.assertIn("the archive is not kept", fixture.server.log())
        watch = troubles.Watch(fixture.server)
        watch.status(self, archive="archive-failing")
        watch.look()
        watch.scrapes *= 4
        watch.fires(self, "CauseboardArchiveTrouble")
        os.rename(wal + ".aside", wal)
        fixture.psql.run("select pg_logical_emit_message(true, 'x', 'y')")
        fixture.archived()
        until(lambda: causes() == [], SECONDS_MAX, "the archive is well again")
        until(lambda: metric("archive_waiting_segments") == 0, SECONDS_MAX, "no segment waits")

        # A verb that starts the database while no server runs goes on archiving.
        fixture.psql.close()
        fixture.server.terminate()
        fixture.server.audit()
        self.assertIn("archive-file --to", self.settings(fixture))
        # PostgreSQL outlives a server that is killed; the next server starts it anew for what it wants itself.
        fixture.server.start("--archive", fixture.archive)
        self.assertEqual(fixture.server.psql("show archive_mode"), [["on"]])
        self.old_copies_go(fixture)
        fixture.server.kill9()
        fixture.server.start()
        self.assertEqual(fixture.server.psql("show archive_mode"), [["off"]])
        self.assertNotIn("archive_command", self.settings(fixture))

    def old_copies_go(self, fixture):
        """A base backup that is too old is followed by another one, and goes with the log before it."""
        fixture.server.terminate()
        bases, wal = os.path.join(fixture.archive, "base"), os.path.join(fixture.archive, "wal")
        (first,), old = os.listdir(bases), "20200101T000000.000000Z"
        os.rename(os.path.join(bases, first), os.path.join(bases, old))
        segment = min(name for name in os.listdir(wal) if re.fullmatch(r"[0-9A-F]{24}\.gz", name))
        fixture.server.start("--archive", fixture.archive, "--archive-keep", "1")
        until(lambda: old not in os.listdir(bases) and len(os.listdir(bases)) == 1, SECONDS_MAX, "another base backup")
        until(lambda: segment not in os.listdir(wal), SECONDS_MAX, "the previous log goes")
        # A base backup is whole before PostgreSQL has archived the last segment of it.
        fixture.archived()
        restored = backups.restore("archiving-newer", "--archive", fixture.archive)
        restored.stop()

    def settings(self, fixture):
        """What PostgreSQL was started with at last."""
        with open(os.path.join(fixture.server.data, "postgres", "causeboard.conf")) as file:
            return file.read()


if __name__ == "__main__":
    unittest.main()
