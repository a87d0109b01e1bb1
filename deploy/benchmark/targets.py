"""The targets, and whether they were met: the rows of the last table."""
import dataclasses
import statistics
import typing

from .cases import BARE, NGINX, ONE, ONE_DONATION, OURS, TOP, UNGUARDED, ZREVRANK, Figure
from .probes import FRIENDS, FRIENDS_POSTS_PER_SECOND, POSTS_PER_SECOND
from .results import Results
from .dataset import FRESH, size_name

MAIN_PLAYERS = 1_000_000        # ratios are taken at this size, or else at the largest one below it

# The least ratio of our rate to a baseline's. The first two have it at each size up to the main one, and the fresh
# dataset has them as well.
RATIOS_MIN = {
    "score": ("score PUTs acknowledged after commit", {ONE: 1.5}),
    "donation": ("donation PUTs acknowledged after commit", {ONE_DONATION: 1.2}),
    "score-guarded": ("score PUTs, signed, weighed and settling", {UNGUARDED: 0.9}),
    "rank": ("rank of a random player", {BARE: 0.75, ZREVRANK: 0.4}),
    "around": ("around-me, 5 rows", {BARE: 0.6, ZREVRANK: 0.4}),
    "top": ("top.json", {BARE: 0.9, NGINX: 0.6}),
    "top-scores": ("TopScores.xml with avatars", {BARE: 0.9, NGINX: 0.6}),
    "page": ("page of a board", {NGINX: 0.5}),
}
WRITE_KEYS = ("score", "donation")
POST_P99_MS_MAX = 20
# What many players may cost, once so many minutes are over: the least ratio to the rate with few players where a few
# percent play now, and to one.sql where anybody may.
MANY_PLAYERS, FEW_PLAYERS, STEADY_MINUTES_MIN = 10_000_000, 10_000, 5
MANY_SKEWED_MIN, MANY_UNIFORM_MIN = 0.7, 1.5
# The largest ratio of what an answer costs at the largest size to what it costs at the smallest.
COSTS_MAX = {"rank": 1.5, "around": 1.5, "top": 1.1, "top-scores": 1.1}
START_SECONDS_MAX = {1_000_000: 1.5, 10_000_000: 15}
ENTRY_BYTES_MAX = 64
PEAK_MAX = 2                    # ratio of the peak to the resident memory, both without what an empty database takes
IDLE_BYTES_MAX = 60_000_000
SEEN_P99_MS_MAX = 50
FEED_P99_MS_MAX = 10
FRIENDS_P99_MS_MAX = 2
PACE_MIN = 0.95                 # share of the posts a second that were meant to be written

HEADER = ["figure", "measured", "baseline", "ratio", "target", "met"]
NOT_MEASURED = "not measured"


@dataclasses.dataclass
class Target:
    figure: str
    bound: str
    measured: str = NOT_MEASURED
    baseline: str = "-"
    ratio: str = "-"
    met: typing.Optional[bool] = None

    def cells(self):
        unknown = "-" if self.bound == "-" else NOT_MEASURED
        return [
            self.figure, self.measured, self.baseline, self.ratio, self.bound,
            {None: unknown, True: "met", False: "NOT MET"}[self.met]
        ]


class Targets:
    def __init__(self, results: Results, sizes):
        """`sizes` are numbers of players, smallest first."""
        self.results, self.sizes = results, sizes
        self.datasets = [size_name(size) for size in sizes if size <= MAIN_PLAYERS] or [size_name(sizes[0])]
        self.main = self.datasets[-1]

    def rows(self):
        yield from self._ratios()
        yield from self._post_latencies()
        yield from self._many_players()
        yield from self._costs()
        yield from self._starts()
        yield from self._memory()
        yield self._seen()
        yield self._paced("feeds", "feeds", POSTS_PER_SECOND, FEED_P99_MS_MAX)
        yield self._paced("friends", f"board among {FRIENDS} friends", FRIENDS_POSTS_PER_SECOND, FRIENDS_P99_MS_MAX)

    def _ratios(self):
        for key, (name, baselines) in RATIOS_MIN.items():
            for dataset in (*self.datasets, FRESH) if key in WRITE_KEYS else (self.main,):
                figure = self.results.figure(dataset, key)
                for baseline, least in baselines.items():
                    target = Target(f"{name}, {'a fresh database' if dataset == FRESH else dataset}",
                                    f">= {least}x",
                                    baseline=baseline)
                    if figure:
                        target.measured = _rate(figure)
                        if peer := figure.side(baseline):
                            target.baseline = f"{baseline}: {_number(peer.median('per_second'), '/s')}"
                        if ratio := figure.ratio(baseline):
                            target.ratio, target.met = f"{ratio:.2f}x", ratio >= least
                    yield target

    def _post_latencies(self):
        for dataset in self.datasets:
            target = Target(f"a score PUT at full load, {dataset}", f"p99 <= {POST_P99_MS_MAX} ms")
            figure = self.results.figure(dataset, "score")
            if figure and _counts(figure):
                p99 = figure.sides[0].median("p99_ms")
                target.measured, target.met = f"p99 {p99:.1f} ms", p99 <= POST_P99_MS_MAX
            yield target

    def _many_players(self):
        """Compares the last minutes of `--steady`."""
        many, few = size_name(MANY_PLAYERS), size_name(FEW_PLAYERS)
        for key, name, baseline, dataset, side, least in (
            ("score-skewed", "skewed score PUTs", few, few, OURS, MANY_SKEWED_MIN),
            ("score", "score PUTs", ONE, many, ONE, MANY_UNIFORM_MIN)):
            target = Target(f"{name} after {STEADY_MINUTES_MIN} minutes, {many}", f">= {least}x")
            ours, theirs = self.results.steady(many, key, OURS), self.results.steady(dataset, key, side)
            if ours:
                target.measured = f"{_number(ours.last_per_second, '/s')} in minute {len(ours.minutes)}"
            if theirs:
                target.baseline = f"{baseline}: {_number(theirs.last_per_second, '/s')}"
            if ours and theirs and ours.last_per_second and theirs.last_per_second:
                ratio = ours.last_per_second / theirs.last_per_second
                target.ratio = f"{ratio:.2f}x"
                # Less says nothing about what comes later.
                if len(ours.minutes) >= STEADY_MINUTES_MIN:
                    target.met = ratio >= least
            yield target

    def _costs(self):
        small, large = size_name(self.sizes[0]), size_name(self.sizes[-1])
        if small == large:
            return
        for key, most in COSTS_MAX.items():
            target = Target(f"cost of {RATIOS_MIN[key][0]}, {small} to {large}", f"<= {most}x")
            before, after = (self.results.figure(dataset, key) for dataset in (small, large))
            if before and after and _counts(before) and _counts(after):
                target.measured = f"{_rate(before)} to {_rate(after)}"
                ratio = before.sides[0].median("per_second") / after.sides[0].median("per_second")
                if before.ratio(BARE) and after.ratio(BARE):
                    # The bare route costs the same whatever the number of players. Dividing by it takes the
                    # machine's slow minutes and the larger pages out of the ratio.
                    target.baseline = "the same of the bare route, taken out"
                    ratio = before.ratio(BARE) / after.ratio(BARE)
                target.ratio, target.met = f"{ratio:.2f}x", ratio <= most
            yield target

    def _starts(self):
        for size in self.sizes:
            dataset = size_name(size)
            starts, most = self.results.of(self.results.starts, dataset), START_SECONDS_MAX.get(size)
            target = Target(f"standings in memory after a start, {dataset}", f"<= {most} s" if most else "-")
            right = Target(f"right from the first answer, {dataset}", "all")
            if starts:
                ready = statistics.median(starts.ready_seconds)
                if None in starts.loaded_seconds:
                    target.measured = f"ready after {ready:.2f} s; does not say when"
                else:
                    loaded = statistics.median(starts.loaded_seconds)
                    target.measured = f"{loaded:.2f} s (ready after {ready:.2f} s)"
                    target.met = loaded <= most if most else None
                right.measured = f"{starts.answers - starts.wrong} of {starts.answers} ranks as SQL has them"
                right.met = starts.wrong == 0
            yield target
            yield right

    def _memory(self):
        idle, dataset = self.results.idle_bytes, size_name(self.sizes[-1])
        memory = self.results.of(self.results.memories, dataset)
        entry = Target(f"memory an entry, {dataset}", f"<= {ENTRY_BYTES_MAX} bytes")
        start = Target(f"memory at the height of the first load, {dataset}", f"<= {PEAK_MAX}x")
        again = Target(f"memory at the height of a reload, {dataset}", f"<= {PEAK_MAX}x")
        if idle and memory and memory.loaded:
            grown = memory.resident - idle
            each = grown / memory.entries
            entry.measured = f"{each:.0f} bytes ({memory.entries:,} entries, {_megabytes(memory.resident)})"
            entry.met = each <= ENTRY_BYTES_MAX
            for target, peak in ((start, memory.start_peak), (again, memory.reload_peak)):
                if peak:
                    ratio = (peak - idle) / max(1, grown)
                    target.measured = _megabytes(peak)
                    target.baseline = f"loaded: {_megabytes(memory.resident)}, idle: {_megabytes(idle)}"
                    target.ratio, target.met = f"{ratio:.2f}x", ratio <= PEAK_MAX
        yield from (entry, start, again)
        rest = Target("memory on an empty database", f"< {_megabytes(IDLE_BYTES_MAX)}")
        if idle:
            rest.measured, rest.met = _megabytes(idle), idle < IDLE_BYTES_MAX
        yield rest

    def _seen(self):
        target = Target(f"a post seen through another process, {self.main}", f"p99 <= {SEEN_P99_MS_MAX} ms")
        if delays := self.results.of(self.results.delays, self.main):
            p50, p99 = delays.percentile(50), delays.percentile(99)
            target.measured = f"p50 {p50:.1f}, p99 {p99:.1f} ms of {len(delays.milliseconds)} posts"
            target.met = p99 <= SEEN_P99_MS_MAX
        return target

    def _paced(self, key, name, posts_per_second, p99_ms_max):
        """What is read while posts are written at a pace."""
        target = Target(f"{name} while {posts_per_second:,} posts/s are written, {self.main}",
                        f"p99 <= {p99_ms_max} ms")
        figure = self.results.figure(self.main, key)
        if figure and _counts(figure):
            pace, p99 = statistics.median(figure.posts_per_second), figure.sides[0].median("p99_ms")
            target.measured = f"p99 {p99:.1f} ms, {_rate(figure)}, with {pace:,.0f} posts/s"
            target.met = p99 <= p99_ms_max and pace >= PACE_MIN * posts_per_second
            if (top := figure.side(TOP)) and (plain := top.median("p99_ms")):
                target.baseline, target.ratio = f"{TOP}: p99 {plain:.1f} ms", f"{p99 / plain:.2f}x"
        return target


def _counts(figure: Figure):
    return not figure.sides[0].trouble


def _rate(figure: Figure):
    return _number(figure.sides[0].median("per_second"), "/s")


def _number(value, unit):
    return "invalid" if value is None else f"{value:,.0f}{unit}"


def _megabytes(number):
    return f"{number / 1e6:.0f} MB"
