"""Programs that are started here, and that end with the measurement however it ends: by their pid, never by name."""
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request

STOP_SECONDS_MAX = 60

_running = []           # in the order they were started
_held = 0
_pending = None         # a signal that came while signals were held


def end_on_signals():
    """Ctrl-C and its like end this program in order, through every `finally`."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _on_signal)


def _on_signal(number, _):
    global _pending
    if _held:
        _pending = number
    else:
        raise SystemExit(128 + number)


@contextlib.contextmanager
def _signals_held():
    """Holds signals back, so that no child is started without being written down."""
    global _held, _pending
    _held += 1
    try:
        yield
    finally:
        _held -= 1
        if _pending and not _held:
            number, _pending = _pending, None
            _on_signal(number, None)


def environment(**more):
    """Our environment without the settings of another Causeboard or another database."""
    kept = {
        name: value for name, value in os.environ.items()
        if not name.startswith(("CAUSEBOARD_", "PG")) and name != "DATABASE_URL"
    }
    return {**kept, **more}


def _spawn(command, **options):
    # It has a session of its own, so that a Ctrl-C reaches this program alone, which then ends it in order.
    with _signals_held():
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, **options)
        _running.append(child)
    return child


def start(command, log, ends_on=signal.SIGTERM, **options):
    """Starts what runs until it is stopped, with a signal. `options` are subprocess's."""
    with open(log, "ab") as output:
        child = _spawn(command, stdout=output, stderr=output, env=environment(), **options)
    child.log, child.ends_on = log, ends_on
    return child


def run(command, timeout=None, errors_too=False, **more):
    """Returns the output of a command, or ends this program with its last words. `more` goes into its environment."""
    child = _spawn(command,
                   stdout=subprocess.PIPE,
                   stderr=subprocess.STDOUT if errors_too else subprocess.PIPE,
                   text=True,
                   env=environment(**more))
    try:
        output, errors = child.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        raise SystemExit(f"{command[0]} took longer than {timeout} s") from None
    finally:
        stop(child)
    if child.returncode != 0:
        raise SystemExit(f"'{' '.join(command)[:300]}' failed: {(errors or output).strip()[-2000:]}")
    return output


def stop(child):
    if child.poll() is None:
        child.send_signal(getattr(child, "ends_on", signal.SIGTERM))
        try:
            child.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
    elif child in _running and hasattr(child, "log"):
        print(f"{child.args[0]} ended by itself, status {child.returncode}: {_tail(child)}", file=sys.stderr)
    if child in _running:
        _running.remove(child)


def stop_all():
    # A second Ctrl-C must not leave anything behind.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while _running:
        stop(_running[-1])


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def until(child, attempt, seconds_max=120, pause_seconds=0.1):
    """Tries until the child listens: `attempt` throws an OSError until then."""
    deadline = time.monotonic() + seconds_max
    while child.poll() is None and time.monotonic() < deadline:
        try:
            return attempt()
        except OSError:             # an HTTP error is one too
            time.sleep(pause_seconds)
    raise SystemExit(f"{child.args[0]} does not answer: {_tail(child)}")


def _tail(child):
    with open(child.log, errors="replace") as log:
        return log.read()[-2000:].strip()


def until_it_answers(child, url):
    until(child, lambda: urllib.request.urlopen(url, timeout=5).close())
