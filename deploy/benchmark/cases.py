"""What is measured: a name, our side, and who is measured beside it in turns."""
import dataclasses
import os
import typing

from . import load, peers
from .causeboard import BOARD, DEVICES, GAME

# In the order of the table.
KEYS = ("score", "donation", "register", "top-scores", "top", "rank", "around")


@dataclasses.dataclass
class Side:
    name: str
    measure: typing.Callable[[int], load.Sample]        # seconds in
    # What is counted before and after a run; it must grow by as many as were answered, or by none at all.
    count: typing.Optional[typing.Callable[[], int]] = None
    grows: bool = True

    def sample(self, seconds, usage):
        before = self.count() if self.count else 0
        with usage:
            sample = self.measure(seconds)
        grown = self.count() - before if self.count else 0
        if self.count and not sample.trouble and (grown < sample.done if self.grows else grown):
            sample.trouble = f"{sample.done} were answered, {grown} are new"
        return sample


@dataclasses.dataclass
class Case:
    key: str
    name: str
    sides: typing.List[Side]            # ours first
    script: typing.Optional[load.Script] = None


class Bench:
    """The cases for one number of players; a peer is started when a case needs it."""

    def __init__(self, root, server, nginx):
        self.root, self.server, self.nginx = root, server, nginx
        self._redis = None
        self._round = 1

    def case(self, key):
        return getattr(self, "_" + key.replace("-", "_"))()

    def reach(self, script, seconds):
        """What wrk reaches with these requests when the answer costs nothing."""
        return load.wrk(self.nginx.url, seconds, script, round_first=1)

    def _score(self):
        script = load.Script("score", BOARD + "/scores/", lines=self.server.tokens)
        sides = [Side("ours", self._in_rounds(self._wrk(script)), self._rows("score")),
                 self._pgbench("score", peers.post_script(self.root, self.server)),
                 self._redis_benchmark("ZADD, fsync", "ZADD", "board", "__rand_int__", "__rand_int__")]
        return Case("score", "score PUT", sides, script)

    def _donation(self):
        script = load.Script("give", f"/v1/charities/{self.server.charity}/donations/", lines=self.server.tokens)
        sides = [Side("ours", self._in_rounds(self._wrk(script)), self._rows("donation")),
                 self._pgbench("donation", peers.gift_script(self.root, self.server))]
        return Case("donation", "donation PUT", sides, script)

    def _register(self):
        script = load.Script("register", GAME + "/devices/")
        return Case("register", "registration", [Side("ours", self._wrk(script), self._rows("device"))], script)

    def _top_scores(self):
        feed = self.server.get("/TopScores.xml")
        pictures = feed.count(b"<image>") - feed.count(b"<image></image>")
        return Case("top-scores", f"TopScores.xml, {pictures} pictures, {len(feed) / 1000:.0f} kB", self._feed("/TopScores.xml", "TopScores.xml", feed))

    def _top(self):
        feed = self.server.get(BOARD + "/top.json")
        return Case("top", f"top.json, {len(feed) / 1000:.1f} kB", self._feed(BOARD + "/top.json", "top.json", feed))

    def _rank(self):
        script = load.Script("get", BOARD + "/players/", lines=self.server.ranked)
        sides = [Side("ours", self._wrk(script)), self._redis_benchmark("ZREVRANK", "ZREVRANK", "board", "__rand_int__")]
        return Case("rank", "rank of a player", sides, script)

    def _around(self):
        script = load.Script("get", BOARD + "/players/", "/around.json?limit=5", self.server.ranked)
        return Case("around", "around a player, 5 rows", [Side("ours", self._wrk(script))], script)

    def _wrk(self, script):
        return lambda seconds, round_first=1: load.wrk(self.server.url, seconds, script, round_first)

    def _in_rounds(self, measure):
        """Each run goes on where the one before it, whoever's, has certainly ended."""
        def measured(seconds):
            sample = measure(seconds, self._round)
            self._round += 2 * sample.done // DEVICES + 2
            return sample
        return measured

    def _rows(self, table):
        """What was answered must be in the database: each request had an id of its own, so each is a row."""
        return lambda: int(self.server.sql(f"select count(*) from {table}"))

    def _pgbench(self, table, script):
        measure = self._in_rounds(lambda seconds, round_first: load.pgbench(self.server.database, script, seconds, peers.SESSION, round_first))
        return Side("PostgreSQL, same SQL", measure, self._rows(table))

    def _redis_benchmark(self, name, *words):
        if not self._redis:
            self._redis = peers.Redis(os.path.join(self.server.folder, "redis"), self.server.players)
        # A member that was not there would be there afterwards, or would cost nothing.
        return Side("Redis " + name, load.RedisBenchmark(self._redis.port, self.server.players, *words), self._redis.members_now, grows=False)

    def _feed(self, path, name, feed):
        url = self.nginx.file(name, feed)
        return [Side("ours", lambda seconds: load.wrk(self.server.url + path, seconds)), Side("nginx, as a file", lambda seconds: load.wrk(url, seconds)),
                self._redis_benchmark("ZREVRANGE 0 49", "ZREVRANGE", "board", "0", "49")]

    def stop(self):
        if self._redis:
            self._redis.stop()
