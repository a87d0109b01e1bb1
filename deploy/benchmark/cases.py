"""What is measured under load: a name, our side, and who is measured beside it in turns."""
import dataclasses
import os
import statistics
import typing

from . import load, machine, peers
from .causeboard import Embedded
from .costs import Costs, Meter
from .dataset import BOARD, GAME, Dataset

# In the order of measuring, reading before writing; the fresh database has "donation" and "score".
KEYS = ("top-scores", "top", "page", "rank", "around", "register", "donation", "score", "score-skewed", "score-guarded")
# The writing ones among them whose players are chosen; their names.
POSTS = {"score": "score PUT", "score-skewed": "score PUT, skewed"}
WARM_UP_SECONDS = 1
PAGE = BOARD.removeprefix("/v1")                # of 50 rows, which wrk asks for without compression, like the feeds
# The names of the sides.
OURS, BARE, NGINX = "ours", "Hummingbird, bare route", "nginx, a file"
ZREVRANK, ZADD = "Redis ZREVRANK", "Redis ZADD, fsync always"
ONE, ONE_DONATION = "one.sql", "one_donation.sql"       # files beside this one
UNGUARDED = "ours, the board open"
TOP = "ours, top.json"                  # beside a board among friends


@dataclasses.dataclass
class Side:
    name: str
    measure: typing.Callable[[int], load.Sample]        # takes seconds
    # What is counted before and after all runs: it must grow by as many as were answered, or by none at all.
    count: typing.Optional[typing.Callable[[], int]] = None
    grows: bool = True
    meter: typing.Optional[Meter] = None                # what counts its costs

    def measure_costs(self, seconds):
        """The sample and, where somebody counts them, its costs."""
        return self.meter(lambda: self.measure(seconds)) if self.meter else (self.measure(seconds), None)


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
    costs: typing.Optional[Costs] = None        # their sums

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
    dataset: str
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
                yield f"INVALID: {self.dataset}, {self.name}, {side.name}: {side.trouble}"


def measured(dataset, case, runs, seconds):
    """The sides in turns (A B C A B C ...), so that a slow minute is everybody's, after a warm-up that does not
    count."""
    before = [side.count() if side.count else 0 for side in case.sides]
    ours, *peers_sides = case.sides
    warm = [ours.measure(case.warm_up_seconds), *(side.measure(WARM_UP_SECONDS) for side in peers_sides)]
    usage = machine.Usage()
    samples, costs = [[] for _ in case.sides], [[] for _ in case.sides]
    for _ in range(runs):
        for side, kept, spent in zip(case.sides, samples, costs):
            with usage:
                sample, cost = side.measure_costs(seconds)
            kept.append(sample)
            spent.append(cost)
    sides = []
    for side, first, heat, kept, spent in zip(case.sides, before, warm, samples, costs):
        trouble = "; ".join(sorted({sample.trouble for sample in [heat, *kept] if sample.trouble}))
        if side.count and not trouble:
            grown, answered = side.count() - first, sum(sample.done for sample in [heat, *kept])
            if grown < answered if side.grows else grown:
                trouble = f"{answered} were answered, {grown} are new"
        sides.append(Runs(side.name, kept, trouble, sum(spent, Costs()) if side.meter else None))
    return Figure(dataset, case.key, case.name, sides, usage.others_percent, usage.stolen_percent)


class Bench:
    """The cases of one dataset; what stands beside the server is started when a case needs it."""

    def __init__(self,
                 dataset: Dataset,
                 server: typing.Optional[Embedded] = None,
                 nginx: typing.Optional[peers.Nginx] = None,
                 baseline: typing.Optional[str] = None):
        """`baseline` is the program BaselineServer, if there is one. Our posts need the server alone, and those of
        pgbench nobody."""
        self.dataset, self.server, self.nginx = dataset, server, nginx
        self._baseline_binary = baseline
        self._redis = self._baseline = self._plain = self._meter = self._plain_meter = None

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

    def put_scores(self, seconds, choice=load.UNIFORM, **options):
        return self.dataset.posts_rising(
            choice.few or self.dataset.posters, lambda first: load.wrk(
                self.server.url, seconds, self._score_script(choice), first=first, **options))

    def _score_script(self, choice):
        return load.Script("score", BOARD + "/scores/", file=self.dataset.points, choice=choice)

    def our_posts(self, key):
        """Our side of one of POSTS."""
        choice = self._choice(key)
        return self._writing(lambda seconds: self.put_scores(seconds, choice), "score")

    def plain_posts(self, key):
        """The same of pgbench."""
        choice = self._choice(key)
        return self._pgbench(ONE, "score", board=self.dataset.board_id, often_percent=choice.often_percent,
                             few=choice.few // load.CONNECTIONS)

    def _choice(self, key):
        return self.dataset.skewed if key == "score-skewed" else load.UNIFORM

    def _writing(self, measure, table):
        self._meter = self._meter or Meter(self.server.sql, self.server.cluster, self.server.process.pid)
        return Side(OURS, measure, self.rows(table), meter=self._meter)

    def rows(self, table):
        """What was answered must be in the database: each request had an id of its own, so each is a row."""
        return lambda: int(self.server.sql(f"select count(*) from {table}"))

    def _score(self):
        case = self._posts("score")
        if self.dataset.players:
            case.sides.append(self._redis_benchmark(ZADD, "ZADD", "board", "__rand_int__", "__rand_int__"))
        return case

    def _score_skewed(self):
        return self._posts("score-skewed")

    def _score_guarded(self):
        """Signed posts, which each rule weighs and whose points settle, beside those that nothing is asked of. A
        signature is made on a player's device, so the requests of both are made before they are sent."""
        plain = dataclasses.replace(self._score_script(load.UNIFORM), prepared_per_second=12_000)
        script = dataclasses.replace(plain, kind="sign", keys=self.dataset.keys())

        def posting(is_guarded, script):
            def measure(seconds):
                self.dataset.guard(is_guarded)
                self.server.until_trusts("signed" if is_guarded else "open")
                return self.dataset.posts_rising(self.dataset.posters, lambda first: load.wrk(
                    self.server.url, seconds, script, first=first))
            return measure
        guarded = self._writing(posting(True, script), "score")
        unguarded = self._writing(posting(False, plain), "score")
        return Case("score-guarded", "score PUT, signed, weighed and settling",
                    [guarded, dataclasses.replace(unguarded, name=UNGUARDED)], script)

    def _posts(self, key):
        return Case(key, POSTS[key], [self.our_posts(key), self.plain_posts(key)],
                    self._score_script(self._choice(key)))

    def donations(self):
        """Our side of donations."""
        return self._writing(self._wrk(self._donation_script()), "donation")

    def registrations(self):
        """Our side of registrations."""
        return self._writing(self._wrk(self._register_script()), "device")

    def _donation_script(self):
        return load.Script("donate", f"/v1/charities/{self.dataset.charity}/donations/", file=self.dataset.points)

    def _register_script(self):
        return load.Script("register", GAME + "/devices/")

    def _donation(self):
        sides = [
            self.donations(),
            self._pgbench(ONE_DONATION,
                          "donation",
                          charity=self.dataset.charity_id,
                          charity_board=self.dataset.charity_board_id,
                          overall_board=self.dataset.overall_id)
        ]
        return Case("donation", "donation PUT", sides, self._donation_script())

    def _register(self):
        return Case("register", "registration", [self.registrations()], self._register_script())

    def _pgbench(self, name, table, **variables):
        plain = self._plain = self._plain or self.dataset.plain()

        def measure(seconds):
            return self.dataset.plain_rising(load.CONNECTIONS, lambda first: load.pgbench(
                plain.conninfo, os.path.join(load.HERE, name), seconds, peers.SESSION, clients=load.CONNECTIONS,
                each=self.dataset.posters // load.CONNECTIONS, turn=first, **variables))
        self._plain_meter = self._plain_meter or Meter(plain.sql, plain.cluster)
        return Side(name, measure, lambda: int(plain.sql(f"select count(*) from plain_{table}")),
                    meter=self._plain_meter)

    # Reading

    def _rank(self):
        return self._of_players("rank", "rank of a player", "")

    def _around(self):
        # Names come into memory when so many are asked for: about a second for 200,000.
        return self._of_players("around", "around a player, 5 rows", "/around.json?limit=5",
                                WARM_UP_SECONDS + self.dataset.players // 100_000)

    def _of_players(self, key, name, suffix, warm_up_seconds=WARM_UP_SECONDS):
        script = load.Script("get", BOARD + "/players/", suffix, self.dataset.asked)
        sides = [Side(OURS, self._wrk(script))]
        # With as much work for wrk: the same ids, in a query that a bare route ignores.
        sides += self._bare(f"{key}.json", load.Script("get", f"/{key}.json?player=", file=self.dataset.asked))
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

    def _page(self):
        page = self.server.get(PAGE)
        return self._feed("page", f"page of a board, {len(page) / 1000:.0f} kB", PAGE, "page.html")

    def _feed(self, key, title, path, name):
        address = self.nginx.file(name, self._contents()[name])
        return Case(key, title, [
            Side(OURS, lambda seconds: load.wrk(self.server.url + path, seconds)), *self._bare(name, load.Script()),
            Side(NGINX, lambda seconds: load.wrk(address, seconds))])

    def _contents(self):
        """What the server answers, by the names that its peers have for it."""
        player = f"{BOARD}/players/{self.dataset.known[0].player}"
        return {"rank.json": self.server.get(player), "around.json": self.server.get(player + "/around.json?limit=5"),
                "top.json": self.server.get(BOARD + "/top.json"), "TopScores.xml": self.server.get("/TopScores.xml"),
                "page.html": self.server.get(PAGE)}

    def _bare(self, name, script):
        if not self._baseline_binary:
            return []
        if not self._baseline:
            self._baseline = peers.BaselineServer(self._baseline_binary, os.path.join(self.dataset.folder, "baseline"),
                                                  self._contents())
        url = self._baseline.url if script.kind == "get" else f"{self._baseline.url}/{name}"
        return [Side(BARE, lambda seconds: load.wrk(url, seconds, script))]

    def _wrk(self, script):
        return lambda seconds: load.wrk(self.server.url, seconds, script)

    def _redis_benchmark(self, name, *words):
        if not self._redis:
            self._redis = peers.Redis(os.path.join(self.dataset.folder, "redis"), self.dataset.players)
        # A member that was not there would be there afterwards, or would cost nothing.
        return Side(name,
                    load.RedisBenchmark(self._redis.port, self.dataset.players, *words),
                    self._redis.members_now,
                    grows=False)
