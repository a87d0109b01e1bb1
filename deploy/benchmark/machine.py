"""The machine, and how much of it others used while we measured."""
import datetime
import os
import platform
import re
import subprocess

from . import processes


def _lines(file):
    with open(file) as f:
        return f.read().splitlines()


def _own_ticks():
    """Of this process and all below it, those that ended and were waited for included."""
    parents, ticks = {}, {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat") as f:
                    fields = f.read().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry)] = int(fields[1])
            ticks[int(entry)] = sum(map(int, fields[11:15]))
    own = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in own} - own:
        own |= more
    return sum(ticks[pid] for pid in own if pid in ticks)


class Shares:
    """Sums up measured stretches: `with shares:` around each."""

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
    def disturbed(self):
        return self.others + self.stolen > 0.05 * self.total

    def __str__(self):
        total = max(1, self.total)
        return f"others took {100 * self.others / total:.1f} % of the processors while measuring, the host {100 * self.stolen / total:.1f} % (steal)"


def commit(root):
    try:
        git = ["git", "-C", root]
        short = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
        changed = subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return short + ("+changes" if changed else "")


def description():
    model = next((line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith(("model name", "Model"))), platform.machine())
    kilobytes = int(re.search(r"\d+", _lines("/proc/meminfo")[0])[0])
    return f"{model}, {os.cpu_count()} processors, {kilobytes / 2**20:.0f} GiB, Linux {platform.release()}"


def versions(database_version):
    def said(pattern, *command):
        try:
            done = subprocess.run(command, capture_output=True, text=True, env=processes.environment())
        except OSError:
            return "?"
        found = re.search(pattern, done.stdout + done.stderr)
        return found[1] if found else "?"
    return ", ".join([
        f"PostgreSQL {database_version}", "wrk " + said(r"wrk (?:debian/)?(\S+)", "wrk", "-v"), "pgbench " + said(r"([\d.]+)", "pgbench", "--version"),
        "Redis " + said(r"v=(\S+)", "redis-server", "--version"), "nginx " + said(r"nginx/(\S+)", "nginx", "-v")])


def date():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
