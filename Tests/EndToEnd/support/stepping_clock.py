"""A clock that is set while programs go by it; their timers go on by the time that passes."""
import os
import struct
import unittest

import server as servers


class SteppingClock:
    """Programs with `environment` have a time of day that is `step`'s seconds ahead. `library` is None without a C
    compiler."""

    def __init__(self):
        self.path = os.path.join(servers.scratch("clock"), "ahead")
        with open(self.path, "wb") as file:
            file.write(bytes(8))
        self.library = servers.library(os.path.splitext(os.path.abspath(__file__))[0] + ".c")
        self.environment = {"LD_PRELOAD": self.library, "CLOCK_AHEAD": self.path}

    def step(self, seconds):
        """Less than none is behind."""
        with open(self.path, "r+b") as file:
            file.write(struct.pack("=q", seconds * 1_000_000_000))


class SteppedCase(unittest.TestCase):
    """A test whose servers follow a clock that it sets."""

    def setUp(self):
        self.clock, self.ahead = SteppingClock(), 0
        if self.clock.library is None:
            self.skipTest("there is no C compiler")

    def begin(self, server, *arguments):
        """Starts a server that has not started yet, and stops it at the end of the test."""
        server.environment = dict(self.clock.environment)
        server.start(*arguments)
        self.addCleanup(server.stop)
        return server

    def pass_time(self, seconds):
        self.ahead += seconds
        self.clock.step(self.ahead)
