"""Runs the modules of tests several at a time, each in a process of its own: most of them wait for most of their time.
A module with the line `ALONE = True`, whose tests measure or exhaust the machine, runs when no other one does."""
import concurrent.futures
import os
import re
import signal
import subprocess
import sys
import threading
import time

CLOSING = re.compile(r"^(\d+) passed, (\d+) failed$", re.M)
ALONE = re.compile(r"^ALONE = True$", re.M)


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
        """Those that run beside each other, the largest first, and those that run alone."""
        beside, alone = [], []
        for name in sorted(os.listdir(self.cases)):
            path = os.path.join(self.cases, name)
            if name.startswith("test_") and name.endswith(".py"):
                with open(path, encoding="utf-8") as f:
                    (alone if ALONE.search(f.read()) else beside).append((os.path.getsize(path), name[:-3]))
        return [name for _, name in sorted(beside, reverse=True)], [name for _, name in alone]

    def run(self, count):
        beside, alone = self.modules()
        free = list(range(count))
        try:
            with concurrent.futures.ThreadPoolExecutor(count) as pool:
                list(pool.map(lambda module: self.run_module(module, free), beside))
            for module in alone:
                self.run_module(module, free)
        except BaseException:
            for child in list(self.children.values()):
                child.send_signal(signal.SIGTERM)
            raise
        if os.environ.get("TIMES"):
            for module, seconds in sorted(self.seconds.items(), key=lambda item: -item[1]):
                print(f"{seconds:6.1f} s {module}")
        return self.passed, self.failed

    def run_module(self, module, free):
        with self.lock:
            worker = free.pop()
        began = time.monotonic()
        child = subprocess.Popen([sys.executable, self.program, self.binary, module + "."], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                 env=os.environ | {"WORKER": str(worker)})
        self.children[module] = child
        said = child.communicate()[0]
        del self.children[module]
        with self.lock:
            free.append(worker)
            self.seconds[module] = time.monotonic() - began
            closing = CLOSING.findall(said)
            if closing:
                self.passed += int(closing[-1][0])
                self.failed += int(closing[-1][1])
                said = CLOSING.sub("", said).rstrip()
            else:
                self.failed += 1
                said += f"FAIL {module}: ended without its closing line (exit status {child.returncode})"
            if said:
                print(said, flush=True)
