"""A server that reads histories from a standby: never anything older than the primary has, and from the primary when
the standby is behind, away, or of another history."""
import re
import unittest

import client
import v1
from elsewhere import Elsewhere, url, verb
from postgres import Postgres
from server import until

primary = standby = server = None


def setUpModule():
    global primary, standby, server
    primary = Postgres("replica-primary").make().start()
    primary.psql("create database causeboard")
    standby = Postgres("replica-standby").copy(primary).start()
    done = verb("migrate", "--database-url", url("owner", primary))
    assert done.returncode == 0, done.stderr
    until(lambda: standby.psql("select count(*) from pg_stat_wal_receiver").strip() == "1", 30, "it is followed")
    for words in (("game", "add", "quiz", "--name", "Quiz"),
                  ("board", "add", "--game", "quiz", "sum", "--policy", "sum")):
        done = verb(*words, "--database-url", url("owner", primary))
        assert done.returncode == 0, done.stderr
    server = Elsewhere("replica", url("causeboard_server", primary), "--replica-url", url("causeboard_server", standby),
                       "--admin-listen", "127.0.0.1:0")
    server.start()


def tearDownModule():
    if server is not None:
        server.stop()
    for place in (primary, standby):
        if place is not None:
            place.crash()


def reads():
    """How many were answered by the standby, and how many by the primary for want of it."""
    said = client.get(server.admin(), "/metrics").text
    found = re.findall(r'causeboard_replica_reads_total\{result="(\w+)"\} (\d+)', said)
    return {result: int(count) for result, count in found}


class Replica(unittest.TestCase):
    def history(self, player):
        answer = player.get("/v1/players/me/scores?limit=100")
        self.assertEqual(answer.status, 200, answer)
        return [row["points"] for row in answer.json()["rows"]]

    def post(self, player, points):
        self.assertEqual(player.post("sum", points, v1.new_id()).status, 201)

    def test_1_each_post_is_in_the_history_that_is_read_next(self):
        player = v1.Player(server, "quiz", "Ada")
        before = reads()
        for points in range(1, 41):
            self.post(player, points)
            self.assertEqual(self.history(player)[:2], [points, points - 1][:min(points, 2)])
        self.assertEqual(sum(reads().values()) - sum(before.values()), 40)
        # On a busy machine it may have been behind all the time.
        until(lambda: self.answered(player), 60, "the standby answers")

    def test_2_a_standby_that_is_behind_is_not_asked(self):
        player = v1.Player(server, "quiz", "Bea")
        self.post(player, 1)
        until(lambda: self.answered(player), 60, "the standby answers")
        standby.psql("select pg_wal_replay_pause()")
        until(lambda: standby.psql("select pg_get_wal_replay_pause_state()").strip() == "paused", 30, "it is paused")
        before = reads()
        for points in (2, 3, 4):
            self.post(player, points)
            self.assertEqual(self.history(player)[0], points)
        after = reads()
        self.assertEqual(after["answered"], before["answered"])
        self.assertEqual(after["behind"] - before["behind"], 3)
        standby.psql("select pg_wal_replay_resume()")
        until(lambda: self.answered(player), 60, "the standby answers again")

    def test_3_one_that_was_promoted_by_mistake_is_not_believed_nor_missed_when_it_is_gone(self):
        player = v1.Player(server, "quiz", "Cem")
        self.post(player, 1)
        standby.promote()
        standby.psql("insert into score select player_id, gen_random_uuid(), board_id, 99, 0, no_client_id, played_at, "
                     "now(), now(), improved, day from score order by reached_at desc limit 1", "causeboard")
        before = reads()
        self.post(player, 2)
        self.assertEqual(self.history(player), [2, 1])
        standby.crash()
        self.post(player, 3)
        self.assertEqual(self.history(player), [3, 2, 1])
        self.assertEqual(reads()["answered"], before["answered"])

    def answered(self, player):
        before = reads()["answered"]
        self.history(player)
        return reads()["answered"] > before


if __name__ == "__main__":
    unittest.main()
