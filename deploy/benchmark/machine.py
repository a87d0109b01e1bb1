"""The machine, what is installed on it, and how much of it others used while we measured."""
import datetime
import hashlib
import json
import os
import platform
import re
import statistics
import subprocess
import time

from . import cpu, processes


def _lines(file):
    with open(file) as f:
        return f.read().splitlines()


def _own_ticks():
    """Counts the ticks of this process and all below it, including those that ended and were waited for. The embedded
    PostgreSQL is a child of the server."""
    found = cpu.running()
    own = [found[pid] for pid in cpu.below(os.getpid(), found)]
    return round(sum(process.seconds + process.reaped_seconds for process in own) / cpu.TICK_SECONDS)


class Usage:
    """Adds up measured stretches: `with usage:` around each."""

    def __init__(self):
        self.total = self.others = self.stolen = 0

    def __enter__(self):
        self._before = self._now()

    def __exit__(self, *error):
        total, busy, stolen, own = (now - before for now, before in zip(self._now(), self._before))
        self.total += total
        self.others += max(0, busy - own)
        self.stolen += stolen

    @staticmethod
    def _now():
        user, nice, system, idle, waiting, hard, soft, stolen = map(int, _lines("/proc/stat")[0].split()[1:9])
        busy = user + nice + system + hard + soft
        return busy + idle + waiting + stolen, busy, stolen, _own_ticks()

    @property
    def others_percent(self):
        """The share of the time of all processors."""
        return 100 * self.others / max(1, self.total)

    @property
    def stolen_percent(self):
        return 100 * self.stolen / max(1, self.total)


def commit(root):
    def git(*words):
        return subprocess.run(["git", "-C", root, *words], capture_output=True, text=True, check=True).stdout.strip()
    try:
        return git("describe", "--always", "--tags") + ("+changes" if git("status", "--porcelain") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def fingerprint(file):
    with open(file, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()[:12]


def description():
    model = next((line.partition(":")[2].strip()
                  for line in _lines("/proc/cpuinfo") if line.startswith(("model name", "Model"))), platform.machine())
    kilobytes = int(re.search(r"\d+", _lines("/proc/meminfo")[0])[0])
    return f"{os.cpu_count()} cores of {model}, {kilobytes / 2**20:.0f} GiB, Linux {platform.release()}"


def _file_system(folder):
    mounts = [line.split()[1:3] for line in _lines("/proc/mounts")]
    # The last one mounted over a place is what is seen there.
    return max((len(place), number, kind) for number, (place, kind) in enumerate(mounts)
               if os.path.commonpath([place, os.path.realpath(folder)]) == place)[2]


def disk(folder):
    """Describes the disk that a commit waits for."""
    times = []
    file = os.open(os.path.join(folder, "sync"), os.O_WRONLY | os.O_CREAT)
    try:
        for _ in range(100):
            os.pwrite(file, os.urandom(8192), 0)
            began = time.perf_counter()
            os.fdatasync(file)
            times.append(time.perf_counter() - began)
    finally:
        os.close(file)
    return f"{_file_system(folder)}, fdatasync of 8 KiB takes {1000 * statistics.median(times):.2f} ms"


def _pinned(folder, package):
    """The version of a package that SwiftPM has resolved for the one in a folder."""
    path = os.path.join(folder, "Package.resolved")
    if not os.path.exists(path):
        return "not built"
    with open(path) as f:
        return next((pin["state"].get("version", "?") for pin in json.load(f)["pins"] if pin["identity"] == package),
                    "?")


def versions(root, database_version):
    def said(pattern, *command):
        try:
            done = subprocess.run(command, capture_output=True, text=True, env=processes.environment())
        except OSError:
            return "not installed"
        found = re.search(pattern, done.stdout + done.stderr)
        return found[1] if found else "?"
    return ", ".join([
        f"PostgreSQL {database_version}", "pgbench " + said(r"([\d.]+)", "pgbench", "--version"),
        "wrk " + said(r"wrk (?:debian/)?(\S+)", "wrk", "-v"), "Redis " + said(r"v=(\S+)", "redis-server", "--version"),
        "nginx " + said(r"nginx/(\S+)", "nginx", "-v"),
        "Hummingbird " + _pinned(os.path.join(root, "deploy", "benchmark", "baseline"), "hummingbird"),
        "Swift " + said(r"Swift version (\S+)", "swift", "--version"), "Python " + platform.python_version()
    ])


def date():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")


def resident_bytes(pid):
    """What the process has in memory now."""
    return _status_bytes(pid, "VmRSS")


def peak_bytes(pid):
    """The most it had since its start, or since `forget_peak`."""
    return _status_bytes(pid, "VmHWM")


def forget_peak(pid):
    with open(f"/proc/{pid}/clear_refs", "w") as f:
        f.write("5")


def _status_bytes(pid, name):
    return next(int(line.split()[1]) * 1024 for line in _lines(f"/proc/{pid}/status") if line.startswith(name + ":"))
