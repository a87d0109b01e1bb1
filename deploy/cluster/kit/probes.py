"""What clients see of a fail-over, to some milliseconds: probes that post all the time, and looks at who is the primary
and where ranks come from. The client is that of the end-to-end tests."""
import re
import threading
import time

import client
import v1
from psql import Psql
from server import Refused

from .network import FRONT
from .programs import KitError

PAUSE_SECONDS = 0.02
ANSWER_SECONDS_MAX = 1.0
AWAY = (502, 503, 504)        # what HAProxy says when it has lost a server, and what a server says without a database


class Place:
    """Where a client connects to."""

    def __init__(self, name, host, port):
        self.name, self.host, self.port = name, host, port


def places(cluster):
    """The server of each node, and HAProxy in front of them."""
    found = {node: Place(node, cluster.address(node), 8080) for node in cluster.nodes}
    return found | {FRONT: Place(FRONT, cluster.address(FRONT), 8000)}


class Thread:
    """Something that is done again and again until it is stopped, and that can be held."""

    def __init__(self, pause=PAUSE_SECONDS):
        self.pause = pause
        self.ended, self.held, self.rests = threading.Event(), threading.Event(), threading.Event()
        self.failure = None
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        try:
            while not self.ended.wait(self.pause):
                if self.held.is_set():
                    self.rests.set()
                    continue
                self.rests.clear()
                self.step()
        except Exception as e:
            self.failure = e
        self.rests.set()

    def hold(self):
        self.held.set()
        self.rests.clear()

    def release(self):
        self.held.clear()

    def stop(self):
        self.ended.set()
        self.thread.join(15)


class Probe(Thread):
    """A player who posts one score after the other at one place, each again under its id until it is acknowledged."""

    def __init__(self, place, game, board, pause=PAUSE_SECONDS, player=None):
        self.connection = client.Connection(place, seconds=ANSWER_SECONDS_MAX)
        self.player = player or v1.Player(self.connection, game, f"probe {place.name}")
        self.board, self.name = board, place.name
        self.acknowledged = {}
        self.times = [time.time()]      # when each was acknowledged
        self.pending = None
        super().__init__(pause)

    def step(self):
        if self.pending is None:
            self.pending = v1.new_id(), len(self.times) % 1000 + 1
        id, points = self.pending
        try:
            answer = self.player.post(self.board, points, id)
        except (OSError, client.Broken):
            return
        if answer.status in AWAY:
            return
        assert answer.status in (200, 201), f"probe {self.name}: {answer!r}"
        self.acknowledged[id] = points
        self.times.append(time.time())
        self.pending = None

    def gap(self, since):
        """The longest time without an acknowledgement since then, and when it ended."""
        times = [t for t in list(self.times) if t > since - 2] or [since]
        before = [t for t in times if t <= since][-1:] or [since]
        later = before + [t for t in times if t > since]
        pairs = [(b - a, b) for a, b in zip(later, later[1:])]
        return max(pairs) if pairs else (None, None)

    def has_passed(self, since):
        """Whether posts are acknowledged since a moment."""
        if self.failure is not None:
            raise KitError(f"the probe of {self.name} has ended: {self.failure!r}")
        return sum(t > since for t in list(self.times)) > 2


class Primaries(Thread):
    """Looks which node is the primary, and notes when another one has become it."""

    def __init__(self, cluster):
        self.cluster = cluster
        self.former, self.since = None, 0
        self.found = None, None     # node, and when
        self.sessions = {node: Psql(cluster.url("postgres", node)) for node in cluster.nodes}
        super().__init__(pause=0.03)

    def watch(self, former, since):
        self.former, self.found, self.since = former, (None, None), since

    def step(self):
        if self.former is None or self.found[0]:
            return
        for node in self.cluster.nodes:
            if node != self.former and self.takes_writes(node):
                self.found = node, time.time()

    def takes_writes(self, node):
        try:
            return self.sessions[node].run("select not pg_is_in_recovery()") == [["t"]]
        except Refused:
            return False

    def stop(self):
        super().stop()
        for session in self.sessions.values():
            session.close()


class Standings(Thread):
    """Looks where the ranks of one server come from, and notes when that was last SQL."""

    def __init__(self, cluster, node):
        self.cluster, self.node = cluster, node
        self.last_by_sql = 0.0
        self.are_current = False
        super().__init__(pause=0.05)

    def step(self):
        status, body = self.cluster.fetch(self.node, 8081, "/readyz", seconds=0.5)
        self.are_current = status is not None and '"standings":"current"' in body
        if not self.are_current:
            self.last_by_sql = time.time()


def lock_taken(cluster, node, since):
    """When Patroni of a node took the lock, by its log; None when it did not."""
    found = None
    with open(cluster.program(node, "patroni").log, errors="replace") as file:
        for line in file:
            if "acquiring session lock" in line:
                match = re.match(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),(\d{3})", line)
                if match:
                    at = time.mktime(time.strptime(match[1], "%Y-%m-%d %H:%M:%S")) + int(match[2]) / 1000
                    found = at if at > since else found
    return found
