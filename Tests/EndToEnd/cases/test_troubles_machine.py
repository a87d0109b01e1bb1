"""Troubles of the machine that a server runs on with its own database."""
import contextlib
import os
import re
import resource
import socket
import unittest

import server as servers
import troubles
from psql import Psql
from server import Server, until

SLOW = True


class Disk(unittest.TestCase):
    def test_a_full_disk_refuses_posts_and_takes_them_again_when_there_is_room(self):
        folder = troubles.small_disk(self, "full-disk", 400)
        # This disk is one to wait for.
        server = Server("full-disk-server", start=False, template=False, environment={"LD_PRELOAD": ""})
        self.addCleanup(server.stop)
        server.data = os.path.join(folder, "data")
        server.start("--trace-sample", "1", "--trace-lines", os.path.join(folder, "spans"), "--trace-otlp",
                     f"http://127.0.0.1:{servers.free_port()}")
        still = troubles.furnish(server)
        pid = server.process.pid
        hand = Psql(server.conninfo()).open()
        with troubles.Trouble(server, still, "disk") as trouble:
            filler = troubles.fill(folder)
            trouble.refused(self, "overloaded", "database-away")
            trouble.says(self, "the disk of the database is full", "drops its lines")
            trouble.status(self, disk="^0 bytes of 400 MiB left", commits="the latest one failed")
            trouble.reads(self)
            # PostgreSQL ends when it can write no log either, and cannot start again.
            with contextlib.suppress(servers.Refused):
                for _ in range(3):
                    hand.run("select pg_logical_emit_message(false, 'test', 'a line of log'); select pg_switch_wal()")
            trouble.refused(self, "overloaded", "database-away")
            trouble.says(self, "the embedded database could not be started again", "Make room on that disk")
            trouble.status(self, ready="database-away", disk="of 400 MiB left", database="No space left on device")
            os.remove(filler)
            trouble.goes_on()
        hand.close()
        self.assertEqual(server.process.pid, pid)
        trouble.check(self, {"CauseboardDiskNearlyFull", "CauseboardNotReady", "CauseboardErrors",
                             "CauseboardWritesRefused", "CauseboardLinesLost", "CauseboardSpansLost"},
                      {"database-away"})


FILES_MAX = 700


def is_closed(s):
    """Whether the server has closed a connection on which it has said nothing."""
    s.setblocking(False)
    try:
        return s.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def may_open(pid, limits):
    """Sets how many files a process may open, if it lives."""
    with contextlib.suppress(ProcessLookupError):
        resource.prlimit(pid, resource.RLIMIT_NOFILE, limits)


class Process(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("process", start=False)
        cls.addClassCleanup(cls.server.stop)
        cls.server.start(files_max=FILES_MAX)
        cls.still = troubles.furnish(cls.server)

    def setUp(self):
        if self.server.process.poll() is not None:      # the test before failed
            self.server.start(files_max=FILES_MAX)
        self.server.wait_ready()

    def test_1_every_connection_waits_for_the_database(self):
        most = int(re.search(r"\bconnections\W+(\d+)", self.server.log())[1])
        hand = Psql(self.server.conninfo())
        self.addCleanup(hand.close)
        with troubles.Trouble(self.server, self.still, "full") as trouble:
            hand.run("begin")
            hand.run("lock table game in access exclusive mode")
            # A connection with a request under way is not closed to make room for others.
            waiting = [self.ask(f"127.0.0.{2 + number % 20}") for number in range(most)]
            trouble.has("causeboard_client_connections", lambda count: count >= most - 20, "the server is full")
            late = []

            def are_refused():
                late.append(self.ask("127.0.0.40"))
                trouble.lasts(1)
                # Some take the place of one that was idle.
                return len(late) >= 16 and sum(is_closed(s) for s in late) > 3
            until(are_refused, troubles.RECOVERY_SECONDS_MAX, "who finds no room is told so at once")
            hand.run("commit")
            trouble.says(self, "server_full")
            for s in waiting + late:
                s.close()
            trouble.goes_on()
        trouble.check(self, {"CauseboardConnectionsRefused"})

    def ask(self, address):
        """A connection with a question to the database under way, unless there was no room for it."""
        s = socket.create_connection(("127.0.0.1", self.server.port), troubles.ANSWER_SECONDS_MAX, (address, 0))
        self.addCleanup(s.close)
        with contextlib.suppress(ConnectionError):
            s.sendall(b"GET /v1/games HTTP/1.1\r\nHost: x\r\n\r\n")
        return s

    def test_2_no_further_file_can_be_opened(self):
        """Someone lowers the limit of the running server. Those who are connected play on, unless the runtime ends the
        process for want of a file; then it is started again."""
        server, pid = self.server, self.server.process.pid
        with troubles.Trouble(server, self.still, "files") as trouble:
            server.ended_by_us = True
            before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
            self.addCleanup(may_open, pid, before)
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (5, before[1]))
            trouble.says(self, "Too many open files")
            if server.process.poll() is None:
                # Its connection waits until there is a file for it.
                waits = socket.create_connection(("127.0.0.1", server.port), 20)
                self.addCleanup(waits.close)
                may_open(pid, before)
            if server.process.poll() is None:
                waits.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
                self.assertTrue(waits.recv(100).startswith(b"HTTP/1.1 200 ") or server.process.poll() is not None)
            if server.process.poll() is not None:
                trouble.start(files_max=FILES_MAX)
            trouble.goes_on()
        trouble.check(self)

    def test_3_the_kernel_kills_the_server_for_its_memory(self):
        with troubles.Trouble(self.server, self.still, "killed") as trouble:
            self.server.kill9()
            trouble.status(self, server="no answer at")
            trouble.lasts(8)
            trouble.start(files_max=FILES_MAX)
            trouble.goes_on()
        trouble.check(self, {"CauseboardDown"})


if __name__ == "__main__":
    unittest.main()
