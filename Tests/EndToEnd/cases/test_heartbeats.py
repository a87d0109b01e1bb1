"""Heartbeats have connections of their own: while every connection that writes waits for a lock, they go on, and ranks
come from memory."""
import unittest

import client
import v1
from promtool import metric
from psql import Psql
from server import Server, until

SECONDS_MAX = 60
BEATS = 6


class Heartbeats(unittest.TestCase):
    def test_writers_who_wait_for_a_lock_do_not_make_memory_stale(self):
        server = Server("busy", start=False)
        self.addCleanup(server.stop)
        server.start("--connections", "2")      # one of them writes
        server.verb("game", "add", "quiz", "--name", "Quiz")
        until(lambda: metric(server, "standings_loaded") == 1
              and metric(server, "stream_seconds_since_heartbeat") is not None,
              SECONDS_MAX, "ranks come from memory")
        hand, watch = Psql(server.conninfo()), Psql(server.conninfo())
        self.addCleanup(watch.close)
        self.addCleanup(hand.close)
        hand.run("begin")
        hand.run("lock table player in exclusive mode")     # readers pass

        def work(thread):
            if thread == 0:
                with client.Connection(server, seconds=3 * SECONDS_MAX) as connection:
                    v1.Player(connection, "quiz", "Ada")
                return
            try:
                until(lambda: watch.run("select pid from pg_locks where not granted"), SECONDS_MAX, "the writer waits")
                ages = []

                def beats():
                    ages.append(metric(server, "stream_seconds_since_heartbeat") or 0)
                    has_beats = sum(later < age for age, later in zip(ages, ages[1:])) >= BEATS
                    # A pause of the whole machine makes memory stale for a moment.
                    return has_beats and metric(server, "standings_loaded") == 1
                until(beats, SECONDS_MAX, "heartbeats come back, and ranks come from memory")
            finally:
                hand.run("rollback")
        client.in_threads(2, work)
