"""What is measured otherwise than by rates: starts, memory, two processes, feeds while others write, and the ranked set
alone."""
import concurrent.futures
import dataclasses
import json
import math
import os
import random
import time
import typing

from . import load, machine, processes
from .cases import OURS, TOP, Bench, Figure, Runs
from .causeboard import Embedded
from .dataset import BOARD, Dataset, bearer

# So many ranks are asked for at once after a start, and again when they come from memory.
ANSWERS = 20
CHECK_SECONDS = 0.02            # between two ranks that are asked for while it loads
LOAD_SECONDS_MAX = 120
RELOAD_POLL_SECONDS = 0.05
SETTLE_SECONDS = 2              # memory that a start or a load has freed is given back by then
POSTS_PER_SECOND = 5000
WRITERS = 64                    # connections; each has 12.8 ms for a post, else the pace is lost
READS_PER_SECOND = 1000
FRIENDS = 500                   # of each player who asks: as many as there may be
FRIENDLY_PLAYERS = 100
FRIENDS_POSTS_PER_SECOND = 3000
FRIENDS_READS_PER_SECOND = 200
HEAD_START_SECONDS = 0.5        # the writers begin so much earlier
SETTLING_SECONDS = 5            # then memory keeps friends again
SEEN_SECONDS_MAX = 5
SEEN_POLL_SECONDS = 0.0005


@dataclasses.dataclass
class Starts:
    """Seconds from exec, each start of a server; None where it does not say when ranks come from memory."""
    dataset: str
    ready_seconds: typing.List[float]
    loaded_seconds: typing.List[typing.Optional[float]]
    answers: int                # ranks asked for from the first moment on
    wrong: int                  # answers that SQL contradicts


@dataclasses.dataclass
class Memory:
    """The memory of the server's process, without PostgreSQL, in bytes."""
    dataset: str
    entries: int                # on all boards, all time of their seasons
    loaded: bool                # whether it says that ranks come from memory
    resident: int
    start_peak: int
    reload_peak: typing.Optional[int]       # None when it did not reload


@dataclasses.dataclass
class Delays:
    """Milliseconds from the acknowledgement of a post by one process until another one shows it."""
    dataset: str
    milliseconds: typing.List[float]

    def percentile(self, percent):
        ordered = sorted(self.milliseconds)
        return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


def start(binary, dataset: Dataset, times):
    """Starts the server again and again on what lies in the page cache; hands over the last one, running."""
    starts = Starts(str(dataset), [], [], 0, 0)
    for turn in range(times):
        server = Embedded(binary, dataset)
        for _ in range(ANSWERS):
            _check(server, dataset, starts)

        def meanwhile():
            _check(server, dataset, starts)
            time.sleep(CHECK_SECONDS)
        loaded = server.wait_loaded(LOAD_SECONDS_MAX, meanwhile)
        for _ in range(ANSWERS):
            _check(server, dataset, starts)
        starts.ready_seconds.append(server.ready_seconds)
        starts.loaded_seconds.append(loaded)
        if turn < times - 1:
            server.stop()
    return starts, server


def _check(server, dataset, starts):
    known = random.choice(dataset.known)
    place = json.loads(server.get(f"{BOARD}/players/{known.player}"))
    starts.answers += 1
    starts.wrong += (place["rank"], place["points"]) != (known.rank, known.points)


def idle_bytes(server):
    """The memory of a server that nobody has asked for anything but whether it is ready."""
    time.sleep(SETTLE_SECONDS)
    return machine.resident_bytes(server.process.pid)


def memory(server: Embedded, dataset: Dataset):
    """Measures right after a start. Ending the stream's sender has the standings loaded again."""
    pid, loaded = server.process.pid, server.is_loaded() is True
    time.sleep(SETTLE_SECONDS)
    resident, peak = machine.resident_bytes(pid), machine.peak_bytes(pid)
    return Memory(str(dataset), dataset.entries, loaded, resident, peak, _reload_peak(server) if loaded else None)


def _reload_peak(server):
    def senders():
        return set(
            server.sql(
                "select active_pid from pg_replication_slots where active and database = current_database()").split())
    old = senders()
    if not old:
        return None
    machine.forget_peak(server.process.pid)
    server.sql(f"select pg_terminate_backend(pid) from unnest(array[{','.join(old)}]) pid")
    deadline = time.monotonic() + LOAD_SECONDS_MAX
    # In this order: who has a new sender and says that all is loaded has loaded it again.
    while not (now := senders()) or now & old or not server.is_loaded():
        if time.monotonic() > deadline:
            return None
        time.sleep(RELOAD_POLL_SECONDS)
    return machine.peak_bytes(server.process.pid)


def feeds_while_writing(bench: Bench, runs, seconds, reads_per_second):
    """Both feeds, half of the requests each, over the usual connections; `reads_per_second` 0: as fast as they are
    answered."""
    dataset = bench.dataset
    feeds = os.path.join(dataset.folder, "feeds")
    with open(feeds, "w") as f:
        # Each thread takes every second line.
        f.writelines((path + "\n") * load.THREADS for path in (BOARD + "/top.json", "/TopScores.xml"))
    usage, reads, writes = machine.Usage(), [], []
    count = bench.rows("score")
    before = count()
    for _ in range(runs):
        with usage:
            read, write = _read_while_writing(bench, seconds, load.Script("get", file=feeds), reads_per_second,
                                              POSTS_PER_SECOND)
        reads.append(read)
        writes.append(write)
    troubles = {sample.trouble for sample in [*reads, *writes] if sample.trouble}
    if count() - before < sum(sample.done for sample in writes):
        troubles.add("posts that were answered are not there")
    how = f"{reads_per_second:,} reads/s" if reads_per_second else f"{load.CONNECTIONS} connections"
    return Figure(str(dataset), "paced-feeds" if reads_per_second else "feeds",
                  f"feeds by {how} while {POSTS_PER_SECOND:,} posts/s are written",
                  [Runs(OURS, reads, "; ".join(sorted(troubles)))], usage.others_percent, usage.stolen_percent,
                  [sample.per_second for sample in writes])


def _read_while_writing(bench: Bench, seconds, script, reads_per_second, posts_per_second):
    """The samples of the readers and of the writers."""
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        # The writers go on after the readers for as long as they ran before them.
        writing = pool.submit(bench.put_scores, seconds + 1, rate=posts_per_second, connections=WRITERS, threads=1)
        time.sleep(HEAD_START_SECONDS)
        read = load.wrk(bench.server.url, seconds, script, rate=reads_per_second)
        return read, writing.result()


def friends_while_writing(bench: Bench, runs, seconds):
    """The board among a player's friends, read at a pace while scores are written; in turns with the board's first
    rows, which come from memory whoever asks. What both wait for is the machine."""
    dataset = bench.dataset
    dataset.befriend(bench.server.sql, FRIENDLY_PLAYERS, FRIENDS)
    script = load.Script("own", f"{BOARD}/players/me/friends.json?limit=50", choice=load.Choice(0, FRIENDLY_PLAYERS))
    # Friends come into memory when they are first requested, but not in the seconds after they changed.
    time.sleep(SETTLING_SECONDS)
    warm = load.wrk(bench.server.url, max(2, seconds // 2), script, rate=FRIENDS_READS_PER_SECOND)
    top = os.path.join(dataset.folder, "top")
    with open(top, "w") as f:
        f.writelines([BOARD + "/top.json?limit=50\n"] * load.THREADS)
    scripts = {OURS: script, TOP: load.Script("get", file=top)}
    usage, reads, writes = machine.Usage(), {name: [] for name in scripts}, []
    for _ in range(runs):
        for name, script in scripts.items():
            with usage:
                read, write = _read_while_writing(bench, seconds, script, FRIENDS_READS_PER_SECOND,
                                                  FRIENDS_POSTS_PER_SECOND)
            reads[name].append(read)
            writes.append(write)

    def runs_of(name):
        troubles = {sample.trouble for sample in [warm, *reads[name], *writes] if sample.trouble}
        return Runs(name, reads[name], "; ".join(sorted(troubles)))
    return Figure(str(dataset), "friends",
                  f"board among {FRIENDS} friends, {FRIENDS_READS_PER_SECOND} reads/s while "
                  f"{FRIENDS_POSTS_PER_SECOND:,} posts/s are written",
                  [runs_of(name) for name in scripts], usage.others_percent, usage.stolen_percent,
                  [sample.per_second for sample in writes])


def delays_between_processes(server: Embedded, dataset: Dataset, posts):
    """Puts scores through one server and looks at the player's place through another one on the same database until it
    shows them."""
    other = server.second(os.path.join(dataset.folder, "second.log"))
    try:
        other.wait_loaded(LOAD_SECONDS_MAX)
        place = f"{BOARD}/players/{dataset.first_poster}"
        points = json.loads(server.get(place))["points"]
        token, delays = bearer(1), []
        for turn in range(1, posts + 1):
            server.put(f"{BOARD}/scores/{random.getrandbits(32):08x}-0000-4000-a000-{turn:012x}",
                       token,
                       points=points + turn)
            began = time.monotonic()
            while json.loads(other.get(place))["points"] < points + turn:
                if time.monotonic() - began > SEEN_SECONDS_MAX:
                    raise SystemExit(f"another process does not show a post after {SEEN_SECONDS_MAX} s")
                time.sleep(SEEN_POLL_SECONDS)
            delays.append((time.monotonic() - began) * 1000)
        dataset.posts_rising.first += posts
        return Delays(str(dataset), delays)
    finally:
        other.stop()


def ranked_set(binary, sizes):
    """Runs OrderStatisticsBenchmark and returns what it prints, as (what, figure, unit)."""
    said = processes.run([binary, *map(str, sizes)], timeout=600)
    return [tuple(line.split("\t")) for line in said.splitlines() if line.count("\t") == 2]
