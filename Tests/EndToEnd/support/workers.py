"""Runs the modules of tests several at a time, each in a process of its own: most of them wait for most of their time.
A module with the line `ALONE = True`, whose tests measure or exhaust the machine, runs when no other one does."""
import concurrent.futures
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

CLOSING = re.compile(r"^(\d+) passed, (\d+) failed$", re.M)
ALONE = re.compile(r"^ALONE = True\b", re.M)
# How long those that take longest took on two cores: they begin first, so that none of them is left at the end.
SECONDS = {
    "test_upgrade": 232, "test_play": 159, "test_troubles": 154, "test_faults": 141, "test_new_package": 115,
    "test_archive": 89, "test_swift_client": 78, "test_harm": 73, "test_review": 70, "test_cluster": 60,
    "test_http2": 53, "test_tour": 52, "test_v1_export": 52, "test_stop": 45,
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
        self.children = {}
        self.lock = threading.Lock()

    def modules(self):
        """Those that run beside each other, the longest first, and those that run alone."""
        beside, alone = [], []
        for file in sorted(os.listdir(self.cases)):
            if file.startswith("test_") and file.endswith(".py"):
                with open(os.path.join(self.cases, file), encoding="utf-8") as f:
                    (alone if ALONE.search(f.read()) else beside).append(file[:-3])
        beside.sort(key=lambda name: -SECONDS.get(name, SECONDS_OF_OTHERS))
        return beside, alone

    def check(self, beside, alone):
        """Fails where this file speaks of modules that are not there."""
        for name in sorted(set(SECONDS) - {*beside, *alone}):
            self.fail(f"FAIL workers.py: there is no {name}, whose seconds it tells")
        if not alone:
            self.fail("FAIL workers.py: no module runs alone, though some measure what takes how long")

    def fail(self, what):
        self.failed += 1
        print(what, flush=True)

    def run(self, count):
        beside, alone = self.modules()
        self.check(beside, alone)
        free = list(range(count))
        shared = tempfile.mkdtemp(prefix="causeboard-e2e-shared-", dir="/tmp")
        os.chmod(shared, 0o755)         # PostgreSQL is another user's
        try:
            with concurrent.futures.ThreadPoolExecutor(count) as pool:
                list(pool.map(lambda module: self.run_module(module, free, shared), beside))
            for module in alone:
                self.run_module(module, free, shared)
        except BaseException:
            for child in list(self.children.values()):
                child.send_signal(signal.SIGTERM)
            raise
        finally:
            shutil.rmtree(shared, ignore_errors=True)
        if os.environ.get("TIMES"):
            for module, seconds in sorted(self.seconds.items(), key=lambda item: -item[1]):
                print(f"{seconds:6.1f} s {module}")
        return self.passed, self.failed

    def run_module(self, module, free, shared):
        with self.lock:
            worker = free.pop()
        began = time.monotonic()
        child = subprocess.Popen([sys.executable, self.program, self.binary, module + "."], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                 env=os.environ | {"WORKER": str(worker), "SHARED": shared})
        self.children[module] = child
        said = child.communicate()[0]
        del self.children[module]
        with self.lock:
            free.append(worker)
            self.seconds[module] = time.monotonic() - began
            self.read(module, said, child.returncode)

    def read(self, module, said, status):
        """Counts what the process of a module said at its end, and prints the rest. A module that is skipped as a whole
        ends with status 1, as it ran nothing."""
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
