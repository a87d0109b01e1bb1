"""A primary that was replaced and does not know: nothing that it says betrays it, so a server has to find out. It is
left for its successor, is not gone back to, and loses nothing that was acknowledged."""
import time
import unittest

import client
import v1
from elsewhere import Elsewhere, url, verb
from postgres import Postgres
from server import until

FOUND_SECONDS_MAX = 60
former = standby = None


def setUpModule():
    global former, standby
    former = Postgres("former").make().start()
    former.psql("create database causeboard")
    standby = Postgres("successor").copy(former).start()
    done = verb("migrate", "--database-url", url("owner", former))
    assert done.returncode == 0, done.stderr
    # What is acknowledged is on both, as where nothing may be lost.
    until(lambda: former.psql("select count(*) from pg_stat_wal_receiver").strip() == "0"
          and former.psql("select count(*) from pg_stat_replication").strip() == "1", 30, "it is followed")
    former.psql("alter system set synchronous_standby_names = '*'")
    former.psql("select pg_reload_conf()")
    until(lambda: former.psql("select count(*) from pg_stat_replication where sync_state = 'sync'").strip() == "1", 30,
          "it is followed synchronously")


def tearDownModule():
    for server in (former, standby):
        if server is not None:
            server.crash()


class FormerPrimary(unittest.TestCase):
    def test_it_is_left_and_not_gone_back_to(self):
        server = Elsewhere("left", url("causeboard_server", former, standby),
                           "--stream-url", url("causeboard_stream", former, standby), "--admin-listen",
                           "127.0.0.1:0").start()
        self.addCleanup(server.stop)
        for arguments in (("game", "add", "quiz", "--name", "Quiz"), ("board", "add", "--game", "quiz", "sum",
                                                                    "--policy", "sum")):
            done = verb(*arguments, "--database-url", url("owner", former))
            self.assertEqual(done.returncode, 0, done.stderr)
        with client.Connection(server, seconds=30) as place:
            player = v1.Player(place, "quiz", "Ada")
            self.assertEqual(player.post("sum", 1).status, 201)
            standby.promote()
            # Both take writes now; the former one waits in vain for a standby.
            total, deadline = 1, time.monotonic() + FOUND_SECONDS_MAX
            while total < 6:
                id = v1.new_id()
                while True:
                    answer = player.post("sum", 1, id)
                    if answer.status in (200, 201):
                        break
                    self.assertEqual(answer.status, 503, answer)
                    self.assertLess(time.monotonic(), deadline, "posts go on at the successor")
                    time.sleep(0.05)
                total += 1
                said = place.get(f"/v1/games/quiz/boards/sum/players/{player.id}")
                self.assertEqual(said.json()["points"], total, "who posted sees it at once")
        count = "select count(*) || ' ' || sum(points) from score"
        self.assertEqual(standby.psql(count, "causeboard").strip(), "6 6", "each post is there, once")
        # A backend that waits for its standby does not notice that its client has gone.
        sessions = """select count(*) from pg_stat_activity
                       where usename like 'causeboard%' and backend_start < now() - interval '3 s'
                         and wait_event is distinct from 'SyncRep'"""
        until(lambda: former.psql(sessions).strip() == "0", FOUND_SECONDS_MAX, "nobody is left at the former primary")
        streams = "select count(*) from pg_replication_slots where temporary and active"
        until(lambda: standby.psql(streams).strip() == "1", FOUND_SECONDS_MAX, "the successor is followed")
        self.assertIn("another server has become the primary", server.log())
        # A command, which has seen nothing yet, looks at both before it writes.
        done = verb("game", "add", "late", "--name", "Late", "--database-url", url("owner", former, standby))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(standby.psql("select count(*) from game where slug = 'late'", "causeboard").strip(), "1")
        standby.crash()
        causes = lambda: client.get(server.admin(), "/readyz").json()["causes"]
        until(lambda: causes() == ["former-primary"], FOUND_SECONDS_MAX, "operators read why nothing is served")
        self.assertIn("a former primary is refused", server.log())


if __name__ == "__main__":
    unittest.main()
