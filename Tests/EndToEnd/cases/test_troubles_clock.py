"""Clocks that step: an operator sets the clock of a server back by an hour and forward by a day while games play, and a
machine sleeps. And callers beyond their limits, which no clock lifts."""
import datetime
import itertools
import random
import unittest

import books
import client
import troubles
import v1
from psql import Psql
from seeds import load_pause
from server import Server, until
from stepping_clock import SteppingClock
from traffic import Traffic

HOUR, DAY = 3_600, 86_400
OPEN = ("address-registrations", "address-writes", "address-reads", "player-posts", "player-donations")


class Clock(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.clock = SteppingClock()
        cls.server = Server("clock-server", start=False)
        cls.addClassCleanup(cls.server.stop)
        cls.arguments = ("--limits", "on", "--limit=player-exports=1/h",
                         *(f"--limit={name}=1000000/min" for name in OPEN))
        cls.server.start(*cls.arguments)
        troubles.furnish(cls.server)
        cls.server.verb("board", "add", "--game", "quiz", "first", "--earns", "fixed:10")

    def begin(self, sleeps):
        if self.clock.library is None:
            self.skipTest("there is no C compiler")
        self.server.terminate()
        self.server.environment = dict(self.clock.environment)
        if sleeps:
            self.server.environment["CLOCK_SLEEPS"] = "yes"
        self.server.start(*self.arguments)
        self.addCleanup(self.clock.step, 0)
        self.psql = Psql(self.server.conninfo())
        self.addCleanup(self.psql.close)
        traffic = Traffic(self.server, "quiz", troubles.BOARDS, troubles.CHARITIES, threads=3, players=2, seed=1,
                          pause=load_pause(0.02), name=f"clock {sleeps}")
        return traffic, troubles.Watch(self.server)

    def check(self, traffic):
        traffic.check(self)
        self.assertEqual(traffic.silent, [])
        books.ledger_holds(self, self.psql, traffic.scores, traffic.donations)
        reader = books.Reader(self.server)
        books.until_same(troubles.RECOVERY_SECONDS_MAX, "ranks are the ledgers'",
                         lambda: books.compare(reader, self.psql, random.Random(1), window_count=3))
        reader.close()
        self.server.audit()

    def names(self, query=""):
        said = client.get(self.server, f"/v1/games/quiz/boards/first/top.json{query}").json()
        return [row["name"] for row in said["rows"]], said

    def test_1_the_clock_steps_back_by_an_hour_and_forward_by_a_day(self):
        traffic, watch = self.begin(sleeps=False)
        idle = client.Connection(self.server)
        self.addCleanup(idle.close)
        with traffic, watch:
            people = {name: v1.Player(self.server, "quiz", name) for name in ("Ada", "Bob", "Cleo", "Dora")}
            self.assertEqual(idle.get("/healthz").status, 200)
            socket = idle.socket
            self.assertEqual(people["Ada"].get("/v1/players/me/export").status, 200)
            day = datetime.datetime.now(datetime.UTC).date()
            for name, points, seconds in (("Ada", 50, 0), ("Bob", 50, -HOUR), ("Cleo", 40, DAY), ("Dora", 30, 0)):
                self.clock.step(seconds)
                self.assertEqual(people[name].post("first", points).status, 201)
                traffic.flows(20, f"posts are acknowledged at {seconds} s")
                # Limits and idle connections go by time that passes, not by the time of day.
                limited = people["Ada"].get("/v1/players/me/export")
                self.assertEqual(limited.status, 429)
                self.assertLessEqual(int(limited["retry-after"]), HOUR)
                self.assertEqual(idle.get("/healthz").status, 200)
                self.assertIs(idle.socket, socket)
                if name == "Cleo":
                    today, said = self.names("?window=today")
                    self.assertEqual(today, ["Cleo"])
                    self.assertEqual(said["from"][:10], str(day + datetime.timedelta(days=1)))
                    self.assertIn("Ada", self.names("?window=yesterday")[0])
                    # A server that starts now believes that the day is over.
                    idle.close()
                    self.server.terminate()
                    self.server.start(*self.arguments)
                    watch.admin.port = self.server.admin().port
                    socket = idle.open().socket
                    people["Ada"].get("/v1/players/me/export")
                    until(lambda: "the clock of this server and that of its database differ" in self.server.log(),
                          troubles.RECOVERY_SECONDS_MAX, "operators are told")
                    traffic.flows(20, "posts are acknowledged a day ahead")
            # Who reached it first by the server's clock is before who reached it later.
            self.assertEqual(self.names()[0], ["Bob", "Ada", "Cleo", "Dora"])
            ranked = ("select p.name from score s join player p on p.id = s.player_id join board b "
                      "on b.id = s.board_id where b.slug = 'first' order by s.points desc, s.reached_at")
            self.assertEqual(self.psql.run(ranked), [["Bob"], ["Ada"], ["Cleo"], ["Dora"]])
            self.assertNotIn("Cleo", self.names("?window=today")[0])
            self.assertNotIn("days of the books are closed", self.server.log(), "no day ends ahead of its time")
        self.check(traffic)
        self.assertEqual(watch.causes - {"starting", "stopping"}, set(), "no clock makes a server unready")

    def test_2_a_machine_that_slept_goes_on(self):
        traffic, watch = self.begin(sleeps=True)
        with traffic, watch:
            traffic.flows(20, "posts are acknowledged before")
            # The statistics are an hour old until the next look, which may come before anybody sees that.
            hours = itertools.count(1)

            def are_old():
                self.clock.step(next(hours) * HOUR)
                return watch.figure("causeboard_postgres_look_age_seconds") > HOUR - 60
            until(are_old, 60, "old statistics")
            watch.scrapes += watch.scrapes[-1:] * 8
            traffic.flows(20, "posts are acknowledged after")
            self.clock.step(next(hours) * HOUR)
            until(lambda: watch.figure("causeboard_postgres_look_age_seconds") < 60, 60, "the statistics are new")
            traffic.flows(20, "posts are acknowledged after the next sleep")
        watch.fires(self, "CauseboardStatisticsOld")
        # Its windows are those of another time than PostgreSQL's; now it wakes in the present.
        self.server.terminate()
        self.server.environment = {}
        self.clock.step(0)
        self.server.start(*self.arguments)
        self.check(traffic)

    def test_3_who_is_beyond_a_limit_is_refused_and_operators_are_told(self):
        watch = troubles.Watch(self.server)
        with client.Connection(self.server) as connection:
            player = v1.Player(connection, "quiz", "Eve")
            self.assertEqual(player.get("/v1/players/me/export").status, 200)
            for _ in range(16):
                for _ in range(80):
                    self.assertEqual(player.get("/v1/players/me/export").status, 429)
                watch.look()
        watch.fires(self, "CauseboardManyRefusedByLimits")


if __name__ == "__main__":
    unittest.main()
