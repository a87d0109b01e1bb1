"""SQL by one psql process that stays."""
import json
import subprocess
import threading
import time

import server as servers
from server import Refused

MARK = "--8<-- answered --8<--"
SECONDS_MAX = 60


class Psql:
    """One psql that stays: a query takes a millisecond instead of a process. Opens itself again when the database was
    away."""

    def __init__(self, url):
        self.url = url
        self.process = None
        self.lock = threading.Lock()

    def open(self):
        self.process = subprocess.Popen(["psql", "-X", "-q", "-At", "-F", "\t", "-d", self.url],
                                        stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT,
                                        text=True,
                                        cwd="/",
                                        env=servers.clean_environment())
        return self

    def close(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
            self.process = None

    def run(self, sql):
        """Rows as lists of strings. An error is Refused; a lost database is Refused too, and the next call connects
        again."""
        with self.lock:
            if self.process is None:
                self.open()
            lines = []
            try:
                self.process.stdin.write(f"{sql}\n;\n\\echo {MARK}\n")
                self.process.stdin.flush()
                while True:
                    line = self.process.stdout.readline()
                    if not line:
                        raise Refused("psql: the database is away: " + " ".join(lines)[-300:])
                    if line.rstrip("\n") == MARK:
                        break
                    lines.append(line.rstrip("\n"))
            except (OSError, Refused) as e:
                self.close()
                raise Refused(str(e)) from None
        bad = [n for n in lines if n.startswith(("ERROR:", "FATAL:", "PANIC:", "psql:"))]
        if bad:
            if any(word in bad[0] for word in ("onnection", "terminating")):
                self.close()
            raise Refused(f"{bad[0]}\n{sql[:500]}")
        return [n.split("\t") for n in lines]

    def patient(self, sql, seconds=SECONDS_MAX):
        """The same for a query that may be asked again: waits for a database that is away."""
        end = time.monotonic() + seconds
        while True:
            try:
                return self.run(sql)
            except Refused as e:
                if time.monotonic() > end or "ERROR:" in str(e) and "terminat" not in str(e):
                    raise
                self.close()
                time.sleep(0.05)

    def value(self, sql):
        """The JSON that a query of one row and one column returns."""
        rows = self.patient(sql)
        return json.loads(rows[0][0])
