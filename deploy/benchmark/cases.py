"""What is measured: a name, our side, and who is measured beside it in turns."""
import dataclasses
import os
import typing

from . import load, peers
from .causeboard import BOARD
from .load import Sample

Measurement = typing.Callable[[int], Sample]        # seconds in

# In the order of the table: what --only calls it, what the table does.
NAMES = {
    "score": "score PUT", "donation": "donation PUT", "register": "registration", "top-scores": "TopScores.xml, pictures embedded",
    "top": "top.json", "rank": "rank of a player", "around": "around a player",
}


@dataclasses.dataclass
class Case:
    key: str
    ours: Measurement
    peers: typing.List[typing.Tuple[str, Measurement]]
    writes: bool = False


def counted(server, table, measure):
    """What was answered must be in the database: each request had an id of its own, so each is a row."""
    def checked(seconds):
        before = int(server.sql(f"select count(*) from {table}"))
        sample = measure(seconds)
        recorded = int(server.sql(f"select count(*) from {table}")) - before
        if recorded < sample.done and not sample.trouble:
            sample.trouble = f"{sample.done} posts were answered but {recorded} recorded in {table}"
        return sample
    return checked


class Bench:
    """All that one number of players needs; what a case does not need is not started."""

    def __init__(self, root, server, folder):
        self.root, self.server, self.folder = root, server, folder
        self._redis = self._nginx = None

    def case(self, key):
        return {"score": self._score, "donation": self._donation, "register": self._register, "top-scores": self._top_scores, "top": self._top,
                "rank": self._rank, "around": self._around}[key]()

    def _wrk(self, kind, prefix, suffix, lines):
        return lambda seconds: load.wrk(self.server.url, seconds, kind, prefix, suffix, lines)

    def _pgbench(self, table, script):
        return ("PostgreSQL, same SQL", counted(self.server, table, lambda seconds: load.pgbench(self.server.database, script, seconds, peers.SESSION)))

    def _redis_benchmark(self, name, *command):
        if not self._redis:
            self._redis = peers.Redis(os.path.join(self.folder, "redis"), self.server.players)
        return ("Redis " + name, load.RedisBenchmark(self._redis.port, self.server.players, *command))

    def _file(self, name):
        if not self._nginx:
            self._nginx = peers.Nginx(os.path.join(self.folder, "nginx"), {
                "TopScores.xml": self.server.get("/TopScores.xml"), "top.json": self.server.get(BOARD + "/top.json")})
        return ("nginx, as a file", lambda seconds: load.wrk(f"{self._nginx.url}/{name}", seconds))

    def _score(self):
        ours = counted(self.server, "score", self._wrk("score", BOARD + "/scores/", "", self.server.tokens))
        return Case("score", ours, [
            self._pgbench("score", peers.post_script(self.root, self.folder, self.server.board_id)),
            self._redis_benchmark("ZADD, fsync", "ZADD", "board", "__rand_int__", "__rand_int__")], writes=True)

    def _donation(self):
        ours = counted(self.server, "donation", self._wrk("donation", f"/v1/charities/{self.server.charity}/donations/", "", self.server.tokens))
        return Case("donation", ours, [self._pgbench("donation", peers.gift_script(self.root, self.folder, self.server.charity))], writes=True)

    def _register(self):
        return Case("register", counted(self.server, "device", self._wrk("register", "/v1/games/default/devices/", "", self.server.tokens)), [], writes=True)

    def _top_scores(self):
        return Case("top-scores", lambda seconds: load.wrk(self.server.url + "/TopScores.xml", seconds),
                    [self._file("TopScores.xml"), self._redis_benchmark("ZREVRANGE 0 49", "ZREVRANGE", "board", "0", "49")])

    def _top(self):
        return Case("top", lambda seconds: load.wrk(f"{self.server.url}{BOARD}/top.json", seconds),
                    [self._file("top.json"), self._redis_benchmark("ZREVRANGE 0 49", "ZREVRANGE", "board", "0", "49")])

    def _rank(self):
        return Case("rank", self._wrk("get", BOARD + "/players/", "", self.server.ranked),
                    [self._redis_benchmark("ZREVRANK", "ZREVRANK", "board", "__rand_int__")])

    def _around(self):
        return Case("around", self._wrk("get", BOARD + "/players/", "/around.json?limit=5", self.server.ranked), [])

    def stop(self):
        for peer in (self._redis, self._nginx):
            if peer:
                peer.stop()
