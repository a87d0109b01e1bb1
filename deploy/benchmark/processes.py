"""Children that end with the measurement, however it ends: by their pid, never by name."""
import os
import signal
import socket
import subprocess
import time
import urllib.request

_running = []           # in the order they were started


def environment(**more):
    """Ours without the settings of another Causeboard or another database."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CAUSEBOARD_", "PG")) and name != "DATABASE_URL"}
    return {**kept, **more}


def start(command, log):
    # In a session of its own, so that a Ctrl-C reaches this program alone, which then ends it in order.
    with open(log, "ab") as output:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment(), start_new_session=True)
    child.log = log
    _running.append(child)
    return child


def stop(child):
    if child in _running:
        _running.remove(child)
    if child.poll() is not None:
        return
    child.terminate()
    try:
        child.wait(60)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def stop_all():
    # A second Ctrl-C must not leave anything behind.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while _running:
        stop(_running[-1])


def run(command, timeout=None, **more):
    """Its output, or the end of this program with its last words."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(**more),
                             start_new_session=True)
    _running.append(child)
    try:
        output, errors = child.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        raise SystemExit(f"{command[0]} took longer than {timeout} s")
    finally:
        stop(child)
    if child.returncode != 0:
        raise SystemExit(f"{' '.join(command)[:200]} failed: {(errors or output).strip()[-2000:]}")
    return output


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def until(child, attempt, seconds_max=120):
    """Tries until the child listens."""
    deadline = time.monotonic() + seconds_max
    while child.poll() is None and time.monotonic() < deadline:
        try:
            return attempt()
        except OSError:             # an HTTP error is one too
            time.sleep(0.1)
    with open(child.log, errors="replace") as log:
        raise SystemExit(f"{child.args[0]} does not answer: {log.read()[-2000:]}")


def until_it_answers(child, url):
    until(child, lambda: urllib.request.urlopen(url, timeout=5).close())
