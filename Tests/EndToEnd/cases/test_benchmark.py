"""The processor time that deploy/bench says a write costs: no process's is lost, also when it ends meanwhile."""
import os
import resource
import subprocess
import sys
import tempfile
import unittest

import repository

sys.path.append(os.path.join(repository.ROOT, "deploy"))

from benchmark import costs, load  # noqa: E402

BACKEND = "postgres: causeboard_server causeboard [local] idle"
SENDER = "postgres: walsender causeboard_server causeboard [local] START_REPLICATION"
# It works as long as it is told to, and ends with its input.
WORK = "while read -r turns; do for ((i = 0; i < turns; i++)); do :; done; echo done; done"
TURNS = 300_000
TICKS_SECONDS = 0.05        # what rounding to ticks may lose


class Worker:
    """A process that PostgreSQL's could be, by its title. This test is its postmaster."""

    def __init__(self, title):
        self._child = subprocess.Popen([title, "-c", WORK], executable="/bin/bash", text=True,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def work(self):
        self._child.stdin.write(f"{TURNS}\n")
        self._child.stdin.flush()
        self._child.stdout.readline()

    def end_unwaited(self):
        """Ends it; it stays in the list of processes."""
        self._child.stdin.close()
        os.waitid(os.P_PID, self._child.pid, os.WEXITED | os.WNOWAIT)

    def wait(self):
        self._child.stdout.close()
        self._child.wait()

    def end(self):
        """Returns the seconds of its whole life, when it was waited for."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self._child.communicate()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Costs(unittest.TestCase):
    def setUp(self):
        self.cluster = tempfile.mkdtemp(prefix="causeboard-e2e-")
        with open(os.path.join(self.cluster, "postmaster.pid"), "w") as f:
            f.write(f"{os.getpid()}\n")
        self.addCleanup(os.rmdir, self.cluster)
        self.addCleanup(os.remove, f.name)

    def costs(self, work, server=None):
        """What the work costs, in seconds by kind."""
        def sql(statement):
            return "150018" if statement.startswith("show") else "0|0|0|0|0"

        def measure():
            work()
            return load.Sample(done=1, per_second=1)
        return costs.Meter(sql, self.cluster, server)(measure)[1].seconds

    def test_those_that_stay_count_by_what_they_do(self):
        backend, sender = Worker(BACKEND), Worker(SENDER)
        try:
            backend.work()
            sender.work()
            seconds = self.costs(sender.work)
            self.assertGreater(seconds[costs.SENDER], TICKS_SECONDS)
            self.assertLess(seconds[costs.BACKENDS], TICKS_SECONDS)
        finally:
            backend.end()
            sender.end()

    def test_one_that_begins_and_ends_meanwhile_counts(self):
        for server, kind in ((None, costs.BACKENDS), (os.getpid(), costs.REST)):
            lives = []

            def live():
                worker = Worker(BACKEND)
                worker.work()
                lives.append(worker.end())
            seconds = self.costs(live, server)
            self.assertGreater(lives[0], TICKS_SECONDS)
            self.assertAlmostEqual(seconds[kind], lives[0], delta=TICKS_SECONDS, msg=kind)

    def test_of_one_that_ends_meanwhile_what_it_did_before_does_not_count(self):
        worker, lives = Worker(BACKEND), []
        for _ in range(4):
            worker.work()
        before = self.costs(lambda: None)
        self.assertLess(before[costs.BACKENDS], TICKS_SECONDS)

        def end():
            worker.work()
            lives.append(worker.end())
        seconds = self.costs(end)[costs.BACKENDS]
        self.assertGreater(seconds, 0)
        self.assertLess(seconds, lives[0] / 2)

    def test_one_that_was_not_waited_for_yet_counts(self):
        workers = []

        def live():
            worker = Worker(BACKEND)
            worker.work()
            workers.append(worker)
            worker.end_unwaited()
        try:
            seconds = self.costs(live)
            self.assertGreater(seconds[costs.BACKENDS], TICKS_SECONDS)
            self.assertLess(seconds[costs.REST], TICKS_SECONDS)
        finally:
            workers[0].wait()
