"""The server that is measured, as a process."""
import http.client
import json
import os
import re
import time

from . import database, processes
from .dataset import BOARD

POLL_SECONDS = 0.005
READY_SECONDS_MAX = 300
KEPT_SECONDS = 30
LOADED = re.compile(rb"^causeboard_standings_loaded(?:\{[^}]*\})? (\S+)", re.M)


class Causeboard:
    """One `causeboard serve`; back when /readyz is 200."""
    scrapes = None      # the directory for what its /metrics says at its begin and its end; none for nowhere

    def __init__(self, binary, log, *place):
        """`place` says which database, in the words of the command line."""
        self.port = processes.free_port()
        self.admin_port = processes.free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self._admin = http.client.HTTPConnection("127.0.0.1", self.admin_port, timeout=60)
        self._began = self._asked = time.monotonic()
        # The load comes from one address, whose rate is not what is measured.
        options = ["--host", "127.0.0.1", "--port", str(self.port), "--log-level", "warning", "--limits", "off",
                   "--trusted-proxies", "127.0.0.1/32"]
        options += ["--admin-listen", f"127.0.0.1:{self.admin_port}"]
        self.process = processes.start([binary, "serve", *place, *options], log)
        processes.until(self.process, self._check_ready, READY_SECONDS_MAX, POLL_SECONDS)
        self.ready_seconds = self.seconds()
        self._keep_scrape("begin")

    def seconds(self):
        """Seconds since it was started."""
        return time.monotonic() - self._began

    def ask(self, path, method="GET", body=None, **headers):
        """Status and body, over a connection that is kept for as long as the server surely keeps it too."""
        if time.monotonic() - self._asked > KEPT_SECONDS:
            self._connection.close()
        self._asked = time.monotonic()
        try:
            self._connection.request(method, path, body, headers)
            answer = self._connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            self._connection.close()
            raise

    def get(self, path):
        status, body = self.ask(path)
        if status != 200:
            raise SystemExit(f"GET {path} answers {status}: {body[:300].decode(errors='replace')}")
        return body

    def put(self, path, bearer, **fields):
        headers = {"Content-Type": "application/json", "Authorization": "Bearer " + bearer}
        status, body = self.ask(path, "PUT", json.dumps(fields), **headers)
        if status != 201:
            raise SystemExit(f"PUT {path} answers {status}: {body[:300].decode(errors='replace')}")
        return json.loads(body)

    def is_loaded(self):
        """Whether ranks come from memory; None of a server that does not say."""
        try:
            self._admin.request("GET", "/metrics")
            found = LOADED.search(self._admin.getresponse().read())
        finally:
            self._admin.close()
        return float(found[1]) == 1 if found else None

    def until_trusts(self, trust):
        """Waits until the board that is posted to has this setting."""
        processes.until(self.process, lambda: self._check_trust(trust), READY_SECONDS_MAX, POLL_SECONDS)

    def _check_trust(self, trust):
        if json.loads(self.get(BOARD))["trust"] != trust:
            raise OSError(f"the board's trust is not {trust} yet")

    def wait_loaded(self, seconds_max=300, meanwhile=lambda: time.sleep(POLL_SECONDS)):
        """The seconds from its start until ranks come from memory; None when it does not say, or not in time."""
        deadline = time.monotonic() + seconds_max
        while (loaded := self.is_loaded()) is False and time.monotonic() < deadline:
            meanwhile()
        return self.seconds() if loaded else None

    def _keep_scrape(self, when):
        if self.scrapes is None:
            return
        try:
            self._admin.request("GET", "/metrics")
            text = self._admin.getresponse().read()
        except (OSError, http.client.HTTPException):
            return
        finally:
            self._admin.close()
        with open(os.path.join(self.scrapes, f"{self.process.pid}-{when}.txt"), "wb") as file:
            file.write(text)

    def stop(self):
        self._keep_scrape("end")
        self._connection.close()
        processes.stop(self.process)

    def _check_ready(self):
        try:
            status, _ = self.ask("/readyz")
        except http.client.HTTPException as error:
            raise OSError(error) from None
        if status != 200:
            raise OSError(f"/readyz answers {status}")


class Embedded(Causeboard):
    """A server on a database of its own."""

    def __init__(self, binary, dataset):
        data = dataset.data
        super().__init__(binary, data + ".log", "--data", data, "--names-memory", str(dataset.names_mebibytes))
        self.binary, self.data, self.cluster = binary, data, dataset.cluster
        self.conninfo = processes.run([binary, "check", "--print-database-url", "--data", data]).strip()

    def sql(self, statement):
        return database.sql(self.conninfo, statement)

    def second(self, log):
        """Another process on the same database."""
        return Causeboard(self.binary, log, "--database-url", self.conninfo, "--secret-file", self.data + "/secret")
