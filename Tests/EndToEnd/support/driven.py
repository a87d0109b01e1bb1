"""The library for games in a process of its own, which does what it is told, a line at a time."""
import os
import queue
import signal
import subprocess
import threading

import server as servers

GAME = os.path.join(os.path.dirname(servers.binary() or ""), "ExampleGame")
ANSWER_SECONDS_MAX = 350    # after some failures in a row the library waits up to five minutes
QUIET = {"SWIFT_BACKTRACE": "enable=no"}    # a debugger that outlives the game would hold its pipes


class Failed(Exception):
    """A call of the library failed; the text is the case of its error."""


class Ended(Exception):
    """The game has ended, or was killed, before it answered."""


class Driven:
    def __init__(self, port, folder, **environment):
        command = [GAME, f"http://127.0.0.1:{port}", folder, "drive"]
        self.process = subprocess.Popen(command, text=True, env=os.environ | QUIET | environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def __getattr__(self, name):
        return lambda *values: self.call(name, *values)

    def call(self, name, *values):
        try:
            self.process.stdin.write(" ".join([name, *map(str, values)]) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Ended(name) from None
        try:
            line = self.lines.get(timeout=ANSWER_SECONDS_MAX)
        except queue.Empty:
            raise AssertionError(f"no answer to {name}") from None
        if line is None:
            if self.process.wait(10) != -signal.SIGKILL:
                raise AssertionError(f"the game ended at {name}: {self.process.stderr.read()[-3000:]}")
            raise Ended(name)
        what, _, value = line.rstrip("\n").partition(" ")
        if what == "error":
            raise Failed(value)
        return value

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except OSError:
                pass
