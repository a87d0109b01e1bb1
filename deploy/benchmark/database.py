"""A PostgreSQL of our own on the cluster of a data directory: to make a dataset ready, and to be the copy that pgbench
writes to."""
import glob
import os
import shutil
import signal
import time

from . import processes

NAME, OWNER = "causeboard", "causeboard_owner"
READY_SECONDS_MAX = 300
STOP_SECONDS_MAX = 60


def sql(conninfo, statement):
    """The unaligned output of psql, columns apart by '|'."""
    return processes.run(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", conninfo, "-c", statement]).strip()


def copy(cluster, to):
    """Copies a cluster that is stopped; its files keep their owner."""
    processes.run(["cp", "-a", "--reflink=auto", cluster, to])


def stop_databases(folder):
    """Stops what a server that broke down has left running."""
    for file in glob.glob(os.path.join(glob.escape(folder), "**", "postmaster.pid"), recursive=True):
        try:
            with open(file) as f:
                pid = int(f.readline())
            with open(f"/proc/{pid}/cmdline") as f:
                if os.path.dirname(file) not in f.read():
                    continue
            os.kill(pid, signal.SIGINT)     # PostgreSQL's fast shutdown
            deadline = time.monotonic() + STOP_SECONDS_MAX
            while os.path.exists(f"/proc/{pid}") and time.monotonic() < deadline:
                time.sleep(0.1)
        except (OSError, ValueError):
            continue


class Database:
    """The cluster's own configuration counts, as the server wrote it; only the socket lies elsewhere."""

    def __init__(self, cluster, folder, *settings):
        """The folder is made; it must be short, for a socket's path has 107 bytes at most. `settings` are such as
        `max_wal_size=1GB`, for this run alone."""
        self.cluster, self.folder = cluster, folder
        self.conninfo = f"host='{folder}' port=5432 user={OWNER} dbname={NAME}"
        owner = os.stat(cluster)
        os.mkdir(folder)
        os.chown(folder, owner.st_uid, owner.st_gid)
        with open(os.path.join(cluster, "postmaster.opts")) as f:
            program = f.read().split(' "', 1)[0].strip()        # the one that ran on it before
        somebody_else = {}
        if owner.st_uid != os.geteuid():
            somebody_else = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}
        # SIGINT asks PostgreSQL for its fast shutdown.
        settings = [word for setting in (f"unix_socket_directories={folder}", *settings) for word in ("-c", setting)]
        self.process = processes.start([program, "-D", cluster, *settings],
                                       os.path.join(os.path.dirname(cluster), "own-postgres.log"),
                                       ends_on=signal.SIGINT, cwd="/", **somebody_else)
        processes.until(self.process, self._is_ready, READY_SECONDS_MAX)

    def _is_ready(self):
        with open(os.path.join(self.cluster, "postmaster.pid")) as f:
            lines = f.read().splitlines()
        if len(lines) < 8 or lines[7].strip() != "ready":
            raise OSError("not ready yet")

    def sql(self, statement):
        return sql(self.conninfo, statement)

    def run(self, name):
        """Runs a file beside this one, each statement in a transaction of its own."""
        processes.run(["psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-d", self.conninfo, "-f",
                       os.path.join(os.path.dirname(os.path.abspath(__file__)), name)])

    def stop(self):
        processes.stop(self.process)
        shutil.rmtree(self.folder, ignore_errors=True)
