"""What the system says of processes, and lets this one have."""
import contextlib
import ctypes
import os
import re
import resource
import signal
import sys
import time

MEASURED = re.compile(r"^processor seconds: ([\d.]+)\n?", re.M)
PR_SET_CHILD_SUBREAPER = 36
LEFT_BEHIND_SECONDS_MAX = 5


def open_many_files():
    """Lets this process, and those that it starts, have as many connections as the system allows."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return True


def measure():
    """Goes on in a child of this process, which stays behind and prints at the end how many processor seconds the child
    and all its descendants took, also those that outlived who started them."""
    with contextlib.suppress(AttributeError, OSError):      # Linux alone has it
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    child = os.fork()
    if child == 0:
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)            # the child gets it too
    signal.signal(signal.SIGTERM, lambda number, _frame: os.kill(child, number))
    ended = None
    while ended != child:
        ended, status = os.wait()
    end = time.monotonic() + LEFT_BEHIND_SECONDS_MAX
    with contextlib.suppress(ChildProcessError):
        while time.monotonic() < end:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.02)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"processor seconds: {usage.ru_utime + usage.ru_stime:.1f}", flush=True)
    code = os.waitstatus_to_exitcode(status)
    sys.exit(code if code >= 0 else 128 - code)
