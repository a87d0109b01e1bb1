"""The three programs that make load, each for so many seconds, and what they measured."""
import csv
import dataclasses
import os
import random
import re
import statistics

from . import processes

CONNECTIONS = 32
THREADS = 2
SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "requests.lua")
UNITS_MS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60000.0}


@dataclasses.dataclass
class Sample:
    done: int                   # requests, posts or commands
    per_second: float
    p50_ms: float = 0.0
    p99_ms: float = 0.0
    trouble: str = ""           # why it does not count


@dataclasses.dataclass
class Script:
    """What wrk's threads make up: see requests.lua. Without it they ask for the address alone."""
    kind: str
    prefix: str
    suffix: str = ""
    lines: str = "/dev/null"


def _unread(program, said):
    return f"{program} said: {' '.join(said.split())}"


def wrk(url, seconds, script=None, round_first=0):
    command = ["wrk", "-t", str(THREADS), "-c", str(CONNECTIONS), "-d", f"{seconds}s", "--timeout", "30s", "--latency"]
    if script:
        seed = random.randrange(1, 2**31)
        command += ["-s", SCRIPT, url, "--", script.kind, str(seed), str(THREADS), script.prefix, script.suffix, script.lines, str(round_first)]
    else:
        command.append(url)
    said = processes.run(command, timeout=seconds + 60)
    done = re.search(r"(\d+) requests in", said)
    rate = re.search(r"Requests/sec:\s+([\d.]+)", said)
    parts = {part: float(value) * UNITS_MS[unit] for part, value, unit in re.findall(r"^\s+(50|99)%\s+([\d.]+)(us|ms|s|m)\s*$", said, re.M)}
    if not (done and rate and len(parts) == 2):
        return Sample(0, 0, trouble=_unread("wrk", said))
    troubles = re.findall(r"(Non-2xx or 3xx responses: \d+|Socket errors: .*)", said)
    if int(done[1]) == 0:
        troubles.append("no answer at all")
    return Sample(int(done[1]), float(rate[1]), parts["50"], parts["99"], "; ".join(troubles))


def pgbench(database, script, seconds, session, round_first):
    """The first of its seconds does not count: each client prepares the statements then."""
    said = processes.run(
        ["pgbench", "-n", "-M", "prepared", "-c", str(CONNECTIONS), "-j", str(THREADS), "-T", str(seconds + 1), "-P", "1", "-D", f"first={round_first}",
         "-D", "turn=0", "-f", script, database], timeout=seconds + 60, errors_too=True, PGOPTIONS=session)
    done = re.search(r"transactions actually processed: (\d+)", said)
    rates = [float(rate) for rate in re.findall(r"^progress: .*?([\d.]+) tps", said, re.M)[1:]]
    failed = re.search(r"number of failed transactions: ([1-9]\d*)", said)
    if not (done and rates):
        return Sample(0, 0, trouble=_unread("pgbench", said))
    return Sample(int(done[1]), statistics.mean(rates), trouble=failed[0] if failed else "")


class RedisBenchmark:
    """redis-benchmark counts commands, not seconds, so the rate of the last run says how many make a run."""

    def __init__(self, port, members, *words):
        self.rate = 2000.0
        self.command = ["redis-benchmark", "-p", str(port), "-c", str(CONNECTIONS), "--threads", str(THREADS), "-r", str(members), "--csv"]
        self.words = list(words)

    def __call__(self, seconds):
        done = max(1000, int(self.rate * seconds))
        said = processes.run([*self.command, "-n", str(done), *self.words], timeout=seconds * 20 + 60)
        # Other lines are warnings.
        rows = list(csv.DictReader(line for line in said.splitlines() if line.startswith('"')))
        if len(rows) != 1 or float(rows[0]["rps"]) <= 0:
            return Sample(0, 0, trouble=_unread("redis-benchmark", said))
        self.rate = float(rows[0]["rps"])
        return Sample(done, self.rate, float(rows[0]["p50_latency_ms"]), float(rows[0]["p99_latency_ms"]))
