"""What has to hold after each fail-over. The comparisons are those of the end-to-end tests."""
import contextlib
import random
import time

import books
from psql import Psql
from traffic import Traffic

from .network import FRONT
from .probes import AWAY, PAUSE_SECONDS, Place, Probe, places
from .programs import KitError, until

GAME = "drill"
BOARDS = {"best": ("--policy", "best", "--ties", "shared"),
          "latest": ("--policy", "latest", "--order", "lowest", "--points-min=-1000"),
          "sum": ("--policy", "sum")}
CHARITIES = ("whales", "trees")
STALE_SECONDS_MAX = 20
ELSEWHERE_SECONDS_MAX = 2       # the contract: a post is seen through the other servers within 2 s


def prepare(cluster):
    """A game with boards, and charities."""
    cluster.verb("game", "add", GAME, "--name", "Drill")
    for slug, arguments in BOARDS.items():
        cluster.verb("board", "add", "--game", GAME, slug, *arguments, "--earns", "fixed:10")
    cluster.verb("board", "add", "--game", GAME, "probe", "--policy", "sum")
    for slug in CHARITIES:
        cluster.verb("charity", "add", slug, "--name", slug.title())


class Unheard(list):
    """Complaints of clients about what was lost, where that is counted instead."""

    def append(self, _):
        pass


class Load:
    """Writers and a probe at each server and at HAProxy, all at once. Those at a server look at what they have posted
    at once; behind HAProxy another server may answer, which has two seconds."""

    def __init__(self, cluster, seed, threads=2, pause=PAUSE_SECONDS, loses=False):
        self.cluster = cluster
        self.places = places(cluster)
        self.writers = {
            name: Traffic(place, GAME, BOARDS, CHARITIES, threads=threads, players=3, seed=f"{seed} {name}", name=name,
                          pause=pause, seconds=5, away=AWAY, looks=0 if name == FRONT else 0.15)
            for name, place in self.places.items()
        }
        if loses:
            for traffic in self.writers.values():
                traffic.wrong = Unheard()
        self.probes = {name: Probe(place, GAME, "probe", pause) for name, place in self.places.items()}

    def __enter__(self):
        self.stack = contextlib.ExitStack()
        for traffic in self.writers.values():
            self.stack.enter_context(traffic)
        return self

    def __exit__(self, *_):
        for probe in self.probes.values():
            probe.stop()
        self.stack.close()

    @contextlib.contextmanager
    def quiet(self, names, seconds=60):
        """Nobody writes through these places, and everything sent there is acknowledged."""
        with contextlib.ExitStack() as stack:
            for name in names:
                self.probes[name].hold()
                stack.callback(self.probes[name].release)
                stack.enter_context(self.writers[name].quiet(seconds))
            for name in names:
                until(lambda name=name: self.probes[name].rests.is_set(), 15, f"the probe of {name} rests")
            self.settle(names)
            yield

    def settle(self, names):
        """A post whose answer was lost may still be under way: each probe's last one is sent until it is answered."""
        for name in names:
            probe = self.probes[name]

            def answered(probe=probe):
                if probe.pending is not None:
                    probe.step()
                return probe.pending is None
            until(answered, 30, f"the last post of the probe of {name} is answered")

    def acknowledged(self):
        """Scores and donations by id."""
        scores, donations = {}, {}
        for traffic in self.writers.values():
            scores |= dict(traffic.scores)
            donations |= dict(traffic.donations)
        for probe in self.probes.values():
            scores |= dict(probe.acknowledged)
        return scores, donations

    def failures(self):
        """What no client should have seen."""
        return [f"{n}: {w}" for n, traffic in self.writers.items() for w in traffic.wrong] + [
            f"probe {p.name}: {p.failure!r}" for p in self.probes.values() if p.failure]


def kept(cluster, node, scores, donations):
    """How many acknowledged posts and donations the ledgers of a node lack, and how many they have twice."""
    lost = doubled = 0
    for table, acknowledged in (("score", scores), ("donation", donations)):
        stored = {}
        for id, points in cluster.psql(f"select id, points from {table} where id is not null", node):
            doubled += id in stored
            stored[id] = int(points)
        lost += sum(stored.get(id) != points for id, points in acknowledged.items())
    return lost, doubled


def ranks_are_right(cluster, primary, names, seed, seconds=ELSEWHERE_SECONDS_MAX):
    """Compares what servers say with SQL at the primary. Nobody may write meanwhile. Returns for how long they were not
    equal, at most."""
    psql = Psql(cluster.url("postgres", primary))
    slowest = 0.0
    try:
        for name in names:
            place = Place(name, cluster.address(name), 8080 if name != FRONT else 8000)
            began = time.monotonic()
            while True:
                reader = books.Reader(place)
                tried = time.monotonic() - began
                try:
                    books.compare(reader, psql, random.Random(seed), window_count=2, people=1)
                    break
                except AssertionError as e:
                    if tried > seconds:
                        raise AssertionError(f"{name} is not right {seconds} s after the last post: {e}") from e
                    time.sleep(0.05)
                finally:
                    reader.close()
            # A comparison itself takes a while; it was right when it began.
            slowest = max(slowest, tried)
    finally:
        psql.close()
    return slowest


def nobody_is_left(cluster, former):
    """Waits until no server has a session at a former primary that still runs. Returns whether it ran."""
    if cluster.postmaster(former) is None or cluster.network.is_cut(former):
        return False
    # Looks for a newer timeline come and go; sessions stay. A backend that waits for its standby does not notice that
    # its client has gone.
    sql = """select count(*) from pg_stat_activity
              where usename in ('causeboard_server', 'causeboard_stream') and backend_start < now() - interval '3 s'
                and wait_event is distinct from 'SyncRep'"""

    def none():
        try:
            return cluster.psql(sql, former)[0][0] == "0"
        except KitError:
            return True         # it takes no connections any more
    until(none, STALE_SECONDS_MAX, f"no server is left at {former}, the former primary")
    return True


def all_follow(cluster, primary, nodes):
    """Waits until each of these servers follows the stream of the primary, with a slot of its own there."""
    addresses = {cluster.address(node) for node in nodes}
    sql = """select distinct host(a.client_addr)
               from pg_replication_slots s join pg_stat_activity a on a.pid = s.active_pid
              where s.slot_type = 'logical' and s.temporary"""
    # On the loopback all come from one address.
    count = "select count(*) from pg_replication_slots where slot_type = 'logical' and temporary and active"

    def follow():
        if not cluster.network.can_cut:
            return int(cluster.psql(count, primary)[0][0]) >= len(nodes)
        return {row[0] for row in cluster.psql(sql, primary)} >= addresses
    until(follow, 30, f"the servers of {', '.join(nodes)} follow {primary}")
