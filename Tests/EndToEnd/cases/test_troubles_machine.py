"""Troubles of the machine that a server runs on with its own database."""
import contextlib
import os
import re
import resource
import socket
import time
import unittest

import server as servers
import troubles
from psql import Psql
from server import Server, until


class Disk(unittest.TestCase):
    def test_a_full_disk_refuses_posts_and_takes_them_again_when_there_is_room(self):
        folder = troubles.small_disk(self, "full-disk", 400)
        server = Server("full-disk-server", start=False)
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
            trouble.says(self, "the disk of the database is full", "cannot be written")
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


class Process(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("process", start=False)
        cls.addClassCleanup(cls.server.stop)
        cls.server.start(files_max=FILES_MAX)
        cls.still = troubles.furnish(cls.server)

    def test_1_every_connection_waits_for_the_database(self):
        most = int(re.search(r"\bconnections\W+(\d+)", self.server.log())[1])
        hand = Psql(self.server.conninfo())
        self.addCleanup(hand.close)
        refused = 0
        with troubles.Trouble(self.server, self.still, "full") as trouble:
            hand.run("begin")
            hand.run("lock table game in access exclusive mode")
            # A connection with a request under way is not closed to make room for others.
            waiting = [self.ask(f"127.0.0.{2 + number % 20}") for number in range(most)]
            trouble.has("causeboard_client_connections", lambda count: count >= most - 20, "the server is full")
            for _ in range(16):
                late = self.ask("127.0.0.40")
                waiting.append(late)
                late.settimeout(0.2)
                try:
                    refused += late.recv(1) == b""
                except ConnectionError:
                    refused += 1
                except TimeoutError:
                    pass        # it took the place of one that was idle
                time.sleep(troubles.SCRAPE_SECONDS)
            hand.run("commit")
            trouble.says(self, "server_full")
            for s in waiting:
                s.close()
            trouble.goes_on()
        self.assertGreater(refused, 3, "who finds no room is told so at once")
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
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (5, before[1]))
            trouble.says(self, "Too many open files")
            if server.process.poll() is None:
                # Its connection waits until there is a file for it.
                waits = socket.create_connection(("127.0.0.1", server.port), 20)
                self.addCleanup(waits.close)
                with contextlib.suppress(ProcessLookupError):
                    resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
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
            time.sleep(8 * troubles.SCRAPE_SECONDS)
            trouble.start(files_max=FILES_MAX)
            trouble.goes_on()
        trouble.check(self, {"CauseboardDown"})


if __name__ == "__main__":
    unittest.main()
