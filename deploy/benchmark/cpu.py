"""The processor time of processes, as the kernel counts it."""
import dataclasses
import os
import resource

TICK_SECONDS = 1 / os.sysconf("SC_CLK_TCK")


@dataclasses.dataclass
class Process:
    parent: int
    started: int                # ticks since the machine's start: tells it from an earlier one of the same number
    seconds: float              # of all its threads, those that ended too; whole ticks
    reaped_seconds: float       # of its children that ended and were waited for, and of theirs


def running():
    """All processes by their number; one that has ended and was not yet waited for is among them."""
    found = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as f:
                # The name before may have spaces and brackets of its own.
                fields = f.read().rpartition(")")[2].split()
        except OSError:
            continue
        user, system, reaped_user, reaped_system = map(int, fields[11:15])
        found[int(entry)] = Process(int(fields[1]), int(fields[19]), (user + system) * TICK_SECONDS,
                                    (reaped_user + reaped_system) * TICK_SECONDS)
    return found


def below(pid, among):
    """The process and all that descend from it."""
    family = {pid}
    while more := {child for child, process in among.items() if process.parent in family} - family:
        family |= more
    return family & set(among)


def thread_seconds(pid):
    """The time of the first thread, in nanoseconds where the kernel keeps them; 0 where it does not."""
    try:
        with open(f"/proc/{pid}/schedstat") as f:
            return int(f.read().split()[0]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def title(pid):
    """What the process says that it is: PostgreSQL's tell what they do."""
    try:
        with open(f"/proc/{pid}/cmdline", errors="replace") as f:
            return f.read().replace("\0", " ").strip()
    except OSError:
        return ""


def children_seconds():
    """The time of all that this program has started and that has ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
