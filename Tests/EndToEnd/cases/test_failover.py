"""A server on a primary and its standby: when the primary dies and the standby takes its place, writes go on without a
restart."""
import unittest

import client
import server as servers
from elsewhere import Elsewhere, url, verb
from postgres import Postgres
from server import until

RECOVERY_SECONDS_MAX = 45
primary = standby = None


def setUpModule():
    global primary, standby
    primary = Postgres("primary").make().start()
    primary.psql("create database causeboard")
    standby = Postgres("standby").copy(primary).start()
    done = verb("migrate", "--database-url", url("owner", standby, primary))
    assert done.returncode == 0, done.stderr


def tearDownModule():
    for server in (primary, standby):
        if server is not None:
            server.crash()


class FailOver(unittest.TestCase):
    def test_1_a_standby_alone_is_refused_with_what_to_name(self):
        until(lambda: standby.psql("select count(*) from pg_stat_wal_receiver").strip() == "1", 30, "it is followed")
        newest = primary.psql("select max(number) from migration", "causeboard")
        until(lambda: "migration" in standby.psql("select coalesce(to_regclass('migration')::text, '')", "causeboard")
              and standby.psql("select max(number) from migration", "causeboard") == newest, 30, "it has caught up")
        alone = Elsewhere("alone", url("causeboard_server", standby))
        with self.assertRaises(servers.Refused) as refused:
            alone.start()
        self.assertIn("takes no writes", str(refused.exception))
        done = verb("check", "--database-url", url("causeboard_server", standby))
        self.assertEqual(done.returncode, 1)
        self.assertIn("use the primary", done.stdout)
        done = verb("audit", "--database-url", url("causeboard_server", standby))
        self.assertEqual(done.returncode, 0, f"an audit only reads\n{done.stdout}{done.stderr}")

    def test_2_writes_go_on_at_the_standby_that_takes_over(self):
        both = Elsewhere("both", url("causeboard_server", standby, primary))
        both.start()
        phone = client.Phone(both)
        self.assertEqual(phone.register("before").status, 201)
        self.assertEqual(phone.post(1).status, 201)
        primary_end = primary.psql("select pg_current_wal_flush_lsn()").strip()
        until(lambda: standby.psql(f"select pg_last_wal_replay_lsn() >= '{primary_end}'").strip() == "t", 30,
              "the standby has the post")
        primary.crash()
        # Meanwhile there is only a standby: it is not ready, and nothing is acknowledged.
        until(lambda: both.probe("/readyz") == 503, RECOVERY_SECONDS_MAX, "/readyz is 503")
        self.assertEqual(phone.post(2).status, 503)
        standby.promote()
        until(lambda: both.probe("/readyz") == 200, RECOVERY_SECONDS_MAX, "/readyz is 200 again")
        for points in (3, 4, 5):
            self.assertEqual(phone.post(points).status, 201)
        both.terminate()
        self.assertEqual(both.process.returncode, 0)
