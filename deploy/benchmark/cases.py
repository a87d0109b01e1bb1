"""What is measured under load: a name, our side, and who is measured beside it in turns."""
import dataclasses
import os
import statistics
import typing

from . import load, machine, peers
from .causeboard import Embedded
from .world import BOARD, GAME, World

# In the order of measuring, reading before writing; the fresh world has the last two.
KEYS = ("top-scores", "top", "rank", "around", "register", "gift", "score")
WARM_UP_SECONDS = 1
# The names of the sides.
OURS, BARE, NGINX = "ours", "Hummingbird, bare route", "nginx, a file"
ZREVRANK, ZADD = "Redis ZREVRANK", "Redis ZADD, fsync always"
ONE, ONE_GIFT = "one.sql", "one_gift.sql"       # files beside this one


@dataclasses.dataclass
class Side:
    name: str
    measure: typing.Callable[[int], load.Sample]        # takes seconds
    # What is counted before and after all runs: it must grow by as many as were answered, or by none at all.
    count: typing.Optional[typing.Callable[[], int]] = None
    grows: bool = True


@dataclasses.dataclass
class Case:
    key: str
    name: str
    sides: typing.List[Side]            # ours first
    script: typing.Optional[load.Script] = None
    warm_up_seconds: int = WARM_UP_SECONDS      # for our side alone


@dataclasses.dataclass
class Runs:
    """All runs of one side."""
    name: str
    samples: typing.List[load.Sample]
    trouble: str = ""                   # why none of them counts

    def median(self, field):
        """None when one of them does not count."""
        return None if self.trouble else statistics.median(getattr(sample, field) for sample in self.samples)

    @property
    def spread_percent(self):
        """The difference between the fastest and the slowest run, in percent of the median."""
        rates = [sample.per_second for sample in self.samples]
        return 100 * (max(rates) - min(rates)) / max(1e-9, statistics.median(rates))


@dataclasses.dataclass
class Figure:
    """The result of a case."""
    world: str
    key: str
    name: str
    sides: typing.List[Runs]            # ours first
    others_percent: float               # share of all cores' time that others used meanwhile
    stolen_percent: float               # share of all cores' time that the host gave to other guests
    # What else was noticed in each run.
    posts_per_second: typing.List[float] = dataclasses.field(default_factory=list)

    def side(self, name):
        return next((side for side in self.sides if side.name == name), None)

    def ratio(self, name):
        """Our rate divided by that of a side."""
        ours, theirs = self.sides[0].median("per_second"), self.side(name) and self.side(name).median("per_second")
        return ours / theirs if ours and theirs else None

    def troubles(self):
        for side in self.sides:
            if side.trouble:
                yield f"INVALID: {self.world}, {self.name}, {side.name}: {side.trouble}"


def measured(world, case, runs, seconds):
    """The sides in turns (A B C A B C ...), so that a slow minute is everybody's, after a warm-up that does not
    count."""
    before = [side.count() if side.count else 0 for side in case.sides]
    ours, *peers_sides = case.sides
    warm = [ours.measure(case.warm_up_seconds), *(side.measure(WARM_UP_SECONDS) for side in peers_sides)]
    usage = machine.Usage()
    samples = [[] for _ in case.sides]
    for _ in range(runs):
        for side, kept in zip(case.sides, samples):
            with usage:
                kept.append(side.measure(seconds))
    sides = []
    for side, first, heat, kept in zip(case.sides, before, warm, samples):
        trouble = "; ".join(sorted({sample.trouble for sample in [heat, *kept] if sample.trouble}))
        if side.count and not trouble:
            grown, answered = side.count() - first, sum(sample.done for sample in [heat, *kept])
            if grown < answered if side.grows else grown:
                trouble = f"{answered} were answered, {grown} are new"
        sides.append(Runs(side.name, kept, trouble))
    return Figure(world, case.key, case.name, sides, usage.others_percent, usage.stolen_percent)


class Rising:
    """A number for each run that is more than what any run before has added to a player's points."""

    def __init__(self, sharers):
        """`sharers` is how many players the requests of a run fall to."""
        self.first, self.sharers = 0, sharers

    def __call__(self, measure):
        """`measure` gets the number."""
        sample = measure(self.first)
        self.first += 4 * sample.done // self.sharers + 64      # chance gives nobody four times the mean and 64
        return sample


class Bench:
    """The cases of one world; what stands beside the server is started when a case needs it."""

    def __init__(self, world: World, server: Embedded, nginx: peers.Nginx, baseline: typing.Optional[str]):
        """`baseline` is the program BaselineServer, if there is one."""
        self.world, self.server, self.nginx = world, server, nginx
        self._baseline_binary = baseline
        self._redis = self._baseline = self._plain = None
        self._score_rising, self._turn_rising = Rising(world.posters), Rising(load.CONNECTIONS)

    def case(self, key):
        return getattr(self, "_" + key.replace("-", "_"))()

    def reach(self, script, seconds):
        """What wrk reaches with these requests when the answer costs nothing."""
        return load.wrk(self.nginx.url, seconds, script)

    def stop(self):
        for peer in (self._redis, self._baseline, self._plain):
            if peer:
                peer.stop()

    # Writing

    @property
    def score_script(self):
        return load.Script("score", BOARD + "/scores/", lines=self.world.tokens)

    def put_scores(self, seconds, **options):
        return self._score_rising(
            lambda first: load.wrk(self.server.url, seconds, self.score_script, first=first, **options))

    def rows(self, table):
        """What was answered must be in the database: each request had an id of its own, so each is a row."""
        return lambda: int(self.server.sql(f"select count(*) from {table}"))

    def _score(self):
        sides = [
            Side(OURS, self.put_scores, self.rows("score")),
            self._pgbench(ONE, "score", board=self.world.board_id)
        ]
        if self.world.players:
            sides.append(self._redis_benchmark(ZADD, "ZADD", "board", "__rand_int__", "__rand_int__"))
        return Case("score", "score PUT", sides, self.score_script)

    def _gift(self):
        script = load.Script("give", f"/v1/charities/{self.world.charity}/donations/", lines=self.world.tokens)
        sides = [
            Side(OURS, self._wrk(script), self.rows("donation")),
            self._pgbench(ONE_GIFT,
                          "donation",
                          charity=self.world.charity_id,
                          charity_board=self.world.charity_board_id,
                          overall_board=self.world.overall_id)
        ]
        return Case("gift", "gift PUT", sides, script)

    def _register(self):
        script = load.Script("register", GAME + "/devices/")
        return Case("register", "registration", [Side(OURS, self._wrk(script), self.rows("device"))], script)

    def _pgbench(self, name, table, **variables):
        plain = self._plain = self._plain or self.world.plain()

        def measure(seconds):
            return self._turn_rising(lambda first: load.pgbench(
                plain.conninfo, os.path.join(load.HERE, name), seconds, peers.SESSION, clients=load.CONNECTIONS,
                each=self.world.posters // load.CONNECTIONS, turn=first, **variables))
        return Side(name, measure, lambda: int(plain.sql(f"select count(*) from {table}")))

    # Reading

    def _rank(self):
        return self._of_players("rank", "rank of a player", "")

    def _around(self):
        # Names come into memory when so many are asked for: about a second for 200,000.
        return self._of_players("around", "around a player, 5 rows", "/around.json?limit=5",
                                WARM_UP_SECONDS + self.world.players // 100_000)

    def _of_players(self, key, name, suffix, warm_up_seconds=WARM_UP_SECONDS):
        script = load.Script("get", BOARD + "/players/", suffix, self.world.asked)
        sides = [Side(OURS, self._wrk(script))]
        # With as much work for wrk: the same ids, in a query that a bare route ignores.
        sides += self._bare(f"{key}.json", load.Script("get", f"/{key}.json?player=", lines=self.world.asked))
        return Case(key, name, [*sides, self._redis_benchmark(ZREVRANK, "ZREVRANK", "board", "__rand_int__")], script,
                    warm_up_seconds)

    def _top_scores(self):
        feed = self.server.get("/TopScores.xml")
        pictures = feed.count(b"<image>") - feed.count(b"<image></image>")
        return self._feed("top-scores", f"TopScores.xml, {pictures} pictures, {len(feed) / 1000:.0f} kB",
                          "/TopScores.xml", "TopScores.xml")

    def _top(self):
        feed = self.server.get(BOARD + "/top.json")
        return self._feed("top", f"top.json, {len(feed) / 1000:.1f} kB", BOARD + "/top.json", "top.json")

    def _feed(self, key, title, path, name):
        address = self.nginx.file(name, self._contents()[name])
        return Case(key, title, [
            Side(OURS, lambda seconds: load.wrk(self.server.url + path, seconds)), *self._bare(name, load.Script()),
            Side(NGINX, lambda seconds: load.wrk(address, seconds))])

    def _contents(self):
        """What the server answers, by the names that its peers have for it."""
        player = f"{BOARD}/players/{self.world.known[0].player}"
        return {"rank.json": self.server.get(player), "around.json": self.server.get(player + "/around.json?limit=5"),
                "top.json": self.server.get(BOARD + "/top.json"), "TopScores.xml": self.server.get("/TopScores.xml")}

    def _bare(self, name, script):
        if not self._baseline_binary:
            return []
        if not self._baseline:
            self._baseline = peers.BaselineServer(self._baseline_binary, os.path.join(self.world.folder, "baseline"),
                                                  self._contents())
        url = self._baseline.url if script.kind == "get" else f"{self._baseline.url}/{name}"
        return [Side(BARE, lambda seconds: load.wrk(url, seconds, script))]

    def _wrk(self, script):
        return lambda seconds: load.wrk(self.server.url, seconds, script)

    def _redis_benchmark(self, name, *words):
        if not self._redis:
            self._redis = peers.Redis(os.path.join(self.world.folder, "redis"), self.world.players)
        # A member that was not there would be there afterwards, or would cost nothing.
        return Side(name,
                    load.RedisBenchmark(self._redis.port, self.world.players, *words),
                    self._redis.members_now,
                    grows=False)
