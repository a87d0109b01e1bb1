"""Runs the modules of tests several at a time, each in a process of its own: most of them wait for most of their time.

A module may carry a mark, which is a line of its own:

    HEAVY = True    it keeps processors busy. It takes two places, and only half as many run at once as there are
                    processors.
    ALONE = True    it measures or exhausts the machine. It runs when no other module does.
    WAITS = True    it waits for nearly all its time, so `--waiting` can run it beside something else.
    SLOW = True     it costs too much for every push: only a nightly run has it, or a run that names it.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import processes
from seeds import NIGHTLY

CLOSING = re.compile(r"^(\d+) passed, (\d+) failed$", re.M)
MARK = re.compile(r"^(HEAVY|ALONE|WAITS|SLOW) = True\b", re.M)
# The modules of a run, which has all of them without one of these.
WAITING, BESIDE, ALONE = "--waiting", "--beside", "--alone"
HEAVY_MAX = max(1, os.cpu_count() // 2)
SLOWEST = 10
# How long those that take longest took on two cores: they begin first, so that none of them is left at the end.
SECONDS = {
    "test_proxies": 180, "test_client_vectors": 150, "test_engine_clients_answers": 150, "test_upgrade": 140,
    "test_troubles": 130, "test_openapi": 120, "test_cluster": 100, "test_cli": 100, "test_play": 90,
    "test_console": 90, "test_engine_clients": 90, "test_backup": 90, "test_archive": 89, "test_pages": 80,
    "test_swift_client": 78, "test_harm": 73, "test_terminal_game": 73, "test_troubles_machine": 70,
    "test_troubles_clock": 70, "test_review": 70, "test_engine_clients_players": 65, "test_live": 64,
    "test_erasure": 62, "test_observing": 60, "test_two_processes": 60, "test_http2": 53, "test_tour": 52,
    "test_v1_export": 52, "test_start_under_load": 50, "test_crash": 50, "test_faults": 45, "test_stop": 45,
    "test_swift_chaos": 40,
}
SECONDS_OF_OTHERS = 20


class Workers:
    """`run BINARY` for every module, and what all of them came to."""

    def __init__(self, program, binary, cases):
        self.program = program
        self.binary = binary
        self.cases = cases
        self.passed = self.failed = 0
        self.seconds = {}
        self.processor_seconds = {}
        self.children = {}
        self.marks = {}
        self.waiting = []               # modules that run beside each other, in order
        self.changed = threading.Condition()

    def read_marks(self):
        for file in sorted(os.listdir(self.cases)):
            if file.startswith("test_") and file.endswith(".py"):
                with open(os.path.join(self.cases, file), encoding="utf-8") as f:
                    self.marks[file[:-3]] = set(MARK.findall(f.read()))
        for name in sorted(set(SECONDS) - set(self.marks)):
            self.fail(f"FAIL workers.py: there is no {name}, whose seconds it tells")
        if not NIGHTLY:
            self.marks = {name: marks for name, marks in self.marks.items() if "SLOW" not in marks}

    def marked(self, mark):
        return [name for name, marks in self.marks.items() if mark in marks]

    def fail(self, what):
        self.failed += 1
        print(what, flush=True)

    def run(self, count, which=None):
        """Runs up to `count` modules at a time: all of them, or those that `which` names."""
        self.read_marks()
        alone = self.marked("ALONE")
        if not alone:
            self.fail("FAIL workers.py: no module runs alone, though some measure what takes how long")
        if which != ALONE:
            wanted = set(self.marks) - set(alone)
            if which:
                patient = set(self.marked("WAITS"))
                wanted = wanted & patient if which == WAITING else wanted - patient
            self.waiting = sorted(wanted, key=lambda name: (-SECONDS.get(name, SECONDS_OF_OTHERS), name))
        shared = tempfile.mkdtemp(prefix="causeboard-e2e-shared-", dir=os.environ.get("TESTS_DIRECTORY") or "/tmp")
        os.chmod(shared, 0o755)         # PostgreSQL is another user's
        try:
            threads = [threading.Thread(target=self.work, args=(worker, count, shared)) for worker in range(count)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            for module in alone if which in (None, ALONE) else []:
                self.run_module(module, 0, shared)
        except BaseException:
            with self.changed:
                self.waiting = []
            for child in filter(None, list(self.children.values())):
                child.send_signal(signal.SIGTERM)
            raise
        finally:
            shutil.rmtree(shared, ignore_errors=True)
        self.tell_seconds()
        return self.passed, self.failed

    def work(self, worker, count, shared):
        """What one of `count` workers does: runs one module after another until none is left."""
        while module := self.next(count):
            self.run_module(module, worker, shared)

    def next(self, count):
        """The first module that waits and fits beside those that run, which it begins; None when none waits."""
        def places(module):
            return 2 if "HEAVY" in self.marks[module] and count > 1 else 1

        with self.changed:
            while self.waiting:
                taken = sum(places(module) for module in self.children)
                heavy = sum("HEAVY" in self.marks[module] for module in self.children)
                for module in self.waiting:
                    if "HEAVY" in self.marks[module] and heavy >= HEAVY_MAX:
                        continue
                    if taken + places(module) > count:
                        break           # what is behind it would take the places that it waits for
                    self.waiting.remove(module)
                    self.children[module] = None
                    return module
                self.changed.wait()
        return None

    def run_module(self, module, worker, shared):
        began = time.monotonic()
        said, status = "", None
        try:
            child = subprocess.Popen([sys.executable, self.program, self.binary, module + "."],
                                     stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                     text=True, errors="replace",
                                     env=os.environ | {"WORKER": str(worker), "SHARED": shared})
            self.children[module] = child
            said = child.communicate()[0]
            status = child.returncode
        finally:
            with self.changed:
                self.children.pop(module, None)
                self.changed.notify_all()
                self.seconds[module] = time.monotonic() - began
                self.read(module, said, status)

    def read(self, module, said, status):
        """Counts what the process of a module said at its end, and prints the rest. A module that is skipped as a whole
        ends with status 1, as it ran nothing."""
        self.processor_seconds[module] = sum(map(float, processes.MEASURED.findall(said)))
        said = processes.MEASURED.sub("", said)
        closing = CLOSING.findall(said)
        passed, failed = (int(count) for count in closing[-1]) if closing else (0, 0)
        rest = CLOSING.sub("", said).rstrip()
        self.passed += passed
        self.failed += failed
        if rest:
            print(rest, flush=True)
        if not closing:
            self.fail(f"FAIL {module}: ended without its closing line (exit status {status})")
        elif status != 0 and failed == 0 and not (status == 1 and passed == 0 and re.search(r"^SKIP ", rest, re.M)):
            self.fail(f"FAIL {module}: no test failed, but the exit status is {status}")

    def tell_seconds(self):
        """Prints the modules that took longest; all of them with TIMES in the environment."""
        def tell(seconds, processor_seconds, what):
            print(f"slow: {seconds:6.1f} s, {processor_seconds:6.1f} s of processors: {what}", flush=True)
        told = len(self.seconds) if os.environ.get("TIMES") else SLOWEST
        for module, seconds in sorted(self.seconds.items(), key=lambda item: -item[1])[:told]:
            tell(seconds, self.processor_seconds[module], module)
        tell(sum(self.seconds.values()), sum(self.processor_seconds.values()), f"all {len(self.seconds)} modules")
