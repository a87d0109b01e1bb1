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
HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = os.path.join(HERE, "requests.lua")
PREPARED_SECONDS_MAX = 30   # 600 bytes each, and signatures are good for two minutes


@dataclasses.dataclass
class Sample:
    """One run of one side. Latencies are in milliseconds; nan where the program does not say."""
    done: int                   # requests, transactions or commands
    per_second: float
    p50_ms: float = float("nan")
    p99_ms: float = float("nan")
    p999_ms: float = float("nan")
    trouble: str = ""           # why it does not count


@dataclasses.dataclass(frozen=True)
class Choice:
    """Who posts: so many percent of the posts fall to the first `few` of those who post, the others to anybody."""
    often_percent: int = 0
    few: int = 0


UNIFORM = Choice()


@dataclasses.dataclass
class Script:
    """What wrk's threads make up: see requests.lua. A plain one asks for the address alone."""
    kind: str = "plain"
    prefix: str = ""
    suffix: str = ""
    file: str = "/dev/null"
    choice: Choice = UNIFORM
    keys: str = "/dev/null"     # the file of those who sign
    # How many requests a second are made before the clock starts, where making one is not the server's machine's work;
    # what is sent beyond that is made as it is sent.
    prepared_per_second: int = 0


class Rising:
    """A number for each run that is more than what any run before has added to a player's points."""

    def __init__(self):
        self.first = 0

    def __call__(self, sharers, measure):
        """`measure` gets the number; the requests of the run fall to so many players."""
        sample = measure(self.first)
        self.first += 4 * sample.done // sharers + 64       # chance gives nobody four times the mean and 64
        return sample


def _unread(program, said):
    return Sample(0, 0, trouble=f"{program} said: {' '.join(said.split())}")


def wrk(url, seconds, script=Script(), first=0, rate=0, connections=CONNECTIONS, threads=THREADS):
    """Runs wrk: a closed loop over so many connections, or at most `rate` requests a second.

    wrk 4 measures from the moment a request is written to its answer's last byte, and adds what those would have waited
    who should have asked while a connection was stuck ("coordinated omission"), so a stall is not counted once only.
    Its percentiles come from `done` of the script."""
    # Behind `--` stands what requests.lua reads.
    words = [script.kind, random.randrange(1, 2**31), threads, script.prefix, script.suffix, script.file, first, rate,
             script.choice.often_percent, script.choice.few, script.keys,
             script.prepared_per_second * min(seconds, PREPARED_SECONDS_MAX) // threads]
    command = ["wrk", "-t", threads, "-c", connections, "-d", f"{seconds}s", "--timeout", "30s", "-s", SCRIPT, url]
    said = processes.run([str(word) for word in [*command, "--", *words]], timeout=seconds + 90)
    line = re.search(r"^measured (.*)$", said, re.M)
    if not line:
        return _unread("wrk", said)
    number = {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", line[1])}
    troubles = [
        f"{number[kind]} {meaning}"
        for kind, meaning in (("status", "answers of 400 or more"), ("connect", "connections refused"),
                              ("read", "broken answers"), ("write", "broken requests"), ("timeout", "timeouts"))
        if number[kind]
    ]
    if number["requests"] == 0:
        troubles.append("no answer at all")
    return Sample(number["requests"], number["requests"] / (number["duration"] / 1e6), number["p50"] / 1000,
                  number["p99"] / 1000, number["p999"] / 1000, ", ".join(troubles))


def pgbench(database, script, seconds, session, **variables):
    """Runs pgbench. Its first second does not count: each client prepares the statement then. Latencies are not asked
    for: they would cost it a log."""
    defined = [word for name, value in variables.items() for word in ("-D", f"{name}={value}")]
    command = ["pgbench", "-n", "-M", "prepared", "-c", CONNECTIONS, "-j", THREADS, "-T", seconds + 1, "-P", 1]
    said = processes.run([str(word) for word in [*command, *defined, "-f", script, database]],
                         timeout=seconds + 90, errors_too=True, PGOPTIONS=session)
    done = re.search(r"transactions actually processed: (\d+)", said)
    rates = [float(rate) for rate in re.findall(r"^progress: .*?([\d.]+) tps", said, re.M)[1:]]
    failed = re.search(r"number of failed transactions: ([1-9]\d*)", said)
    if not (done and rates):
        return _unread("pgbench", said)
    return Sample(int(done[1]), statistics.mean(rates), trouble=failed[0] if failed else "")


class RedisBenchmark:
    """redis-benchmark counts commands, not seconds, so the rate of the last run says how many make a run. It sends one
    command at a time on each connection (-P 1), and takes __rand_int__ for twelve digits of a number below
    `members`."""

    def __init__(self, port, members, *words):
        self.rate = 2000.0
        options = ["-p", port, "-c", CONNECTIONS, "--threads", THREADS, "-r", members, "--csv"]
        self.command = ["redis-benchmark", *(str(option) for option in options)]
        self.words = list(words)

    def __call__(self, seconds):
        done = max(1000, int(self.rate * seconds))
        said = processes.run([*self.command, "-n", str(done), *self.words], timeout=seconds * 20 + 60)
        # Other lines are warnings.
        rows = list(csv.DictReader(line for line in said.splitlines() if line.startswith('"')))
        if len(rows) != 1 or float(rows[0]["rps"]) <= 0:
            return _unread("redis-benchmark", said)
        self.rate = float(rows[0]["rps"])
        return Sample(done, self.rate, float(rows[0]["p50_latency_ms"]), float(rows[0]["p99_latency_ms"]))
