"""The three programs that make load, each for so many seconds, and what they measured."""
import csv
import dataclasses
import os
import random
import re

from . import processes

CONNECTIONS = 32
THREADS = 2
HERE = os.path.dirname(os.path.abspath(__file__))
UNITS_MS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60000.0}


@dataclasses.dataclass
class Sample:
    done: int                   # requests, posts or commands
    per_second: float
    p50_ms: float = 0.0
    p99_ms: float = 0.0
    trouble: str = ""           # why it does not count


def wrk(url, seconds, kind=None, prefix="", suffix="", lines=None):
    command = ["wrk", "-t", str(THREADS), "-c", str(CONNECTIONS), "-d", f"{seconds}s", "--timeout", "10s", "--latency"]
    if kind:
        command += ["-s", os.path.join(HERE, "requests.lua"), url, "--", kind, str(random.randrange(1, 2**31)), prefix, suffix, lines]
    else:
        command.append(url)
    said = processes.run(command, timeout=seconds + 60)
    done = re.search(r"(\d+) requests in", said)
    rate = re.search(r"Requests/sec:\s+([\d.]+)", said)
    parts = {part: float(value) * UNITS_MS[unit] for part, value, unit in re.findall(r"^\s+(50|99)%\s+([\d.]+)(us|ms|s|m)$", said, re.M)}
    if not (done and rate and len(parts) == 2):
        return Sample(0, 0, trouble=f"wrk said: {said}")
    troubles = re.findall(r"(Non-2xx or 3xx responses: \d+|Socket errors: .*)", said)
    if int(done[1]) == 0:
        troubles.append("no answer at all")
    return Sample(int(done[1]), float(rate[1]), parts["50"], parts["99"], "; ".join(troubles))


def pgbench(database, script, seconds, options):
    said = processes.run(["pgbench", "-n", "-M", "prepared", "-c", str(CONNECTIONS), "-j", str(THREADS), "-T", str(seconds), "-f", script, database],
                         timeout=seconds + 60, PGOPTIONS=options)
    done = re.search(r"transactions actually processed: (\d+)", said)
    rate = re.search(r"^tps = ([\d.]+)", said, re.M)
    failed = re.search(r"number of failed transactions: ([1-9]\d*)", said)
    if not (done and rate):
        return Sample(0, 0, trouble=f"pgbench said: {said}")
    return Sample(int(done[1]), float(rate[1]), trouble=failed[0] if failed else "")


class RedisBenchmark:
    """redis-benchmark counts commands, not seconds, so the rate of the last run says how many make a run."""

    def __init__(self, port, keys, *command):
        self.rate = 2000.0
        self.command = ["redis-benchmark", "-p", str(port), "-P", "1", "-c", str(CONNECTIONS), "-r", str(keys), "--csv"]
        self.words = list(command)

    def __call__(self, seconds):
        done = max(1000, int(self.rate * seconds))
        said = processes.run([*self.command, "-n", str(done), *self.words], timeout=seconds * 20 + 60)
        rows = list(csv.DictReader(said.splitlines()))
        if len(rows) != 1 or float(rows[0]["rps"]) <= 0:
            return Sample(0, 0, trouble=f"redis-benchmark said: {said}")
        self.rate = float(rows[0]["rps"])
        return Sample(done, self.rate, float(rows[0]["p50_latency_ms"]), float(rows[0]["p99_latency_ms"]))
