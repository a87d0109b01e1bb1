"""A cluster on this machine: for each node an etcd, a Patroni with its PostgreSQL and a `causeboard serve`, and one
HAProxy in front. What it is made of is kept in a directory, so that each command finds it again."""
import json
import os
import secrets
import shutil
import signal
import subprocess
import urllib.error
import urllib.request

from . import files
from .network import FRONT, Loopback, Namespaces
from .programs import (KitError, Program, as_postgres, environment, find, give_to_postgres, interpreter, own_folder,
                       patroni, postgres_programs, until)

START_SECONDS_MAX = 90


class Cluster:
    """`nodes` have a database each; the first one, or three where there are as many, have an etcd too."""

    def __init__(self, folder, plan):
        self.folder = folder
        self.plan = plan
        kind = Namespaces if plan["namespaces"] else Loopback
        self.network = kind(plan["prefix"], plan["nodes"])
        self.nodes = [f"node{n}" for n in range(1, plan["nodes"] + 1)]
        self.witnesses = self.nodes if plan["nodes"] >= 3 else self.nodes[:1]
        self.programs = {node: {} for node in [*self.nodes, FRONT]}
        for node in self.nodes:
            kinds = ["patroni", "causeboard"] + (["etcd"] if node in self.witnesses else [])
            self.programs[node] = {kind: Program(self.logs(node), kind) for kind in kinds}
        self.programs[FRONT] = {"haproxy": Program(self.logs(FRONT), "haproxy")}

    # -- what it is made of

    @classmethod
    def make(cls, folder, binary, nodes=3, namespaces=True, prefix=None):
        if os.path.exists(os.path.join(folder, "plan.json")):
            raise KitError(f"There is a cluster in {folder} already: end it with down.")
        plan = {
            "nodes": nodes, "namespaces": namespaces, "binary": os.path.abspath(binary),
            "prefix": prefix or f"127.{secrets.randbelow(200) + 20}.{secrets.randbelow(200) + 20}",
            "passwords": files.passwords()
        }
        own_folder(folder)
        # The user postgres may not be allowed to read where this repository is.
        shutil.copytree(patroni(), os.path.join(folder, "patroni"), dirs_exist_ok=True)
        with open(os.open(os.path.join(folder, "plan.json"), os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            json.dump(plan, file)
        return cls(folder, plan)

    @classmethod
    def find(cls, folder):
        try:
            os.lstat(folder)
            own_folder(folder)
            with open(os.path.join(folder, "plan.json")) as file:
                return cls(folder, json.load(file))
        except FileNotFoundError:
            raise KitError(f"There is no cluster in {folder}: start one with up.") from None

    def home(self, node):
        """Where its database and its settings are; it belongs to the user postgres."""
        return os.path.join(self.folder, node)

    def logs(self, node):
        """Where its logs and pids are; whoever started the cluster writes them, and nobody else."""
        return os.path.join(self.folder, "logs", node)

    def address(self, node):
        return self.network.addresses[node]

    def program(self, node, kind):
        return self.programs[node][kind]

    def url(self, login, *nodes):
        """How a login connects: to the one of these nodes, or of all, that takes writes."""
        several = "" if len(nodes) == 1 else "?target_session_attrs=read-write"
        return f"postgresql://{login}:{self.password(login)}@{self.place(login, *nodes)}{several}"

    def bare_url(self, login, *nodes):
        """The same without the password, for arguments, which every user can read; the password is in PGPASSWORD."""
        return self.url(login, *nodes).replace(f":{self.password(login)}@", "@")

    def password(self, login):
        word = {"postgres": "superuser_password", "causeboard_server": "server_password",
                "causeboard_stream": "stream_password"}[login]
        return self.plan["passwords"][word]

    def place(self, login, *nodes):
        hosts = ",".join(f"{self.address(node)}:5432" for node in nodes or self.nodes)
        database = "postgres" if login == "postgres" and not os.path.exists(self.migrated) else "causeboard"
        return f"{hosts}/{database}"

    @property
    def migrated(self):
        return os.path.join(self.folder, "migrated")

    # -- up and down

    def up(self):
        """Starts everything in a network that is up, from where clients are."""
        for node in [*self.nodes, FRONT]:
            self.write(node)
        for node in self.witnesses:
            self.start_etcd(node)
        for node in self.nodes:
            self.start_patroni(node)
        until(lambda: self.primary(), START_SECONDS_MAX, "there is a primary")
        until(self.is_whole, START_SECONDS_MAX, "every node is streaming, and one is synchronous")
        self.prepare_database()
        for node in self.nodes:
            self.start_server(node)
        self.start_haproxy()
        for node in self.nodes:
            until(lambda node=node: self.is_ready(node), START_SECONDS_MAX, f"the server of {node} is ready")

    def write(self, node):
        home = self.home(node)
        os.makedirs(home)
        os.makedirs(self.logs(node))
        base = files.TRIAL | {
            "home": home, "data": os.path.join(home, "postgres"), "socket": home, "bin": postgres_programs(),
            "etcd_data": os.path.join(home, "etcd"), "secret": os.path.join(self.folder, "secret"),
            "bind": self.address(FRONT)
        }
        machines = {name: self.address(name) for name in self.nodes}
        # The front is no machine with a database, but has its HAProxy.
        name = self.nodes[0] if node == FRONT else node
        filled = files.values(machines, name, base, self.plan["passwords"], self.witnesses)
        only = ["haproxy.cfg"] if node == FRONT else ["patroni.yml", "etcd.env", "causeboard.env"]
        for path in files.write(home, filled, only):
            give_to_postgres(path)
        # Last, as its new owner could put a link in the place of a file.
        give_to_postgres(home)
        secret = os.path.join(self.folder, "secret")
        if not os.path.exists(secret):
            with open(os.open(secret, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
                file.write(secrets.token_hex(32))

    def run(self, node, command, is_postgres=True):
        """The command as it runs on a node."""
        path = [find(command[0]) or command[0], *command[1:]]
        return self.network.inside(node) + (as_postgres(path) if is_postgres else path)

    def start_etcd(self, node):
        settings = files.settings(os.path.join(self.home(node), "etcd.env"))
        self.program(node, "etcd").start(self.run(node, ["etcd"]), environment(**settings))

    def start_patroni(self, node):
        path = os.path.join(self.home(node), "patroni.yml")
        self.program(node, "patroni").start(self.run(node, [interpreter(), "-m", "patroni", path]),
                                            environment(PYTHONPATH=os.path.join(self.folder, "patroni")))

    def start_server(self, node, **more):
        settings = files.settings(os.path.join(self.home(node), "causeboard.env"))
        # All clients of a trial come from one address.
        settings |= {"CAUSEBOARD_LIMITS": "off", "CAUSEBOARD_ADMIN_LISTEN": f"{self.address(node)}:8081"} | more
        self.program(node, "causeboard").start(
            self.run(node, [self.plan["binary"], "serve"], is_postgres=False), environment(**settings))

    def start_haproxy(self):
        path = os.path.join(self.home(FRONT), "haproxy.cfg")
        self.program(FRONT, "haproxy").start(self.run(FRONT, ["haproxy", "-db", "-f", path]))

    def prepare_database(self):
        self.psql("create database causeboard")
        # libpq tries no further host after one that does not have the database yet.
        for node in self.nodes:
            until(lambda node=node: self.psql("select 1 from pg_database where datname = 'causeboard'", node),
                  START_SECONDS_MAX, f"{node} has the database")
        open(self.migrated, "w").close()
        self.verb("migrate")
        for login in ("server", "stream"):
            word = self.plan["passwords"][f"{login}_password"]
            self.psql(f"alter role causeboard_{login} login password '{word}'")

    def down(self):
        for node in [FRONT, *self.nodes]:
            for kind in ("haproxy", "causeboard"):
                if kind in self.programs[node]:
                    self.programs[node][kind].stop()
        for node in self.nodes:
            self.program(node, "patroni").kill()
            self.end_postgres(node, signal.SIGQUIT)
        for node in self.witnesses:
            self.program(node, "etcd").kill()
        self.network.down()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run_in_front(self, command):
        """Runs a command where clients are, to its end. Returns its status."""
        inside = self.network.inside(FRONT) + command
        return subprocess.run(inside, env=os.environ | {"CAUSEBOARD_CLUSTER": self.plan["prefix"]}).returncode

    # -- asking

    def psql(self, sql, *nodes, login="postgres"):
        """Rows of a query at the primary, or at one node. It may name a password, so it is no argument."""
        command = self.run(FRONT, ["psql", "-X", "-q", "-At", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-d",
                                   self.bare_url(login, *nodes)], is_postgres=False)
        done = subprocess.run(command, input=sql, capture_output=True, text=True, timeout=60, cwd="/",
                              env=environment(PGCONNECT_TIMEOUT="3", PGPASSWORD=self.password(login)))
        if done.returncode != 0:
            raise KitError(f"psql: {done.stderr.strip()}")
        return [line.split("\t") for line in done.stdout.splitlines()]

    def verb(self, *arguments, check=True):
        """Runs a verb of the program with the owner's login; returns what it printed."""
        command = self.run(FRONT, [self.plan["binary"], *arguments], is_postgres=False)
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, cwd="/",
                              env=environment(DATABASE_URL=self.url("postgres"),
                                              CAUSEBOARD_SECRET_FILE=os.path.join(self.folder, "secret")))
        if check and done.returncode != 0:
            raise KitError(f"causeboard {' '.join(arguments)}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def fetch(self, node, port, path, seconds=2, method="GET"):
        """Status and body of a request; (None, "") when nobody answers. The namespaces of nodes are reached from that
        of the clients, in which the caller has to be: see `enter`."""
        request = urllib.request.Request(f"http://{self.address(node)}:{port}{path}", method=method)
        try:
            with urllib.request.urlopen(request, timeout=seconds) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as e:
            return e.code, e.read().decode(errors="replace")
        except (OSError, ValueError):
            return None, ""

    def is_ready(self, node):
        return self.fetch(node, 8080, "/readyz")[0] == 200

    def state(self, *asked):
        """The members as Patroni knows them, by name; empty when no Patroni answers."""
        for node in asked or self.nodes:
            status, body = self.fetch(node, 8008, "/cluster")
            if status == 200:
                return {m["name"]: m for m in json.loads(body).get("members", [])}
        return {}

    def primary(self, *asked):
        """The node that holds the lock and whose PostgreSQL takes writes; None while there is none."""
        for node in asked or self.nodes:
            if self.fetch(node, 8008, "/primary", seconds=1)[0] == 200:
                return node
        return None

    def is_whole(self, synchronous=True):
        """Whether each node has a database that follows the primary, one of them synchronously."""
        members = self.state()
        roles = sorted(m["role"] for m in members.values())
        states = {m["state"] for m in members.values()}
        return (len(members) == len(self.nodes) and roles.count("leader") == 1
                and ("sync_standby" in roles or not synchronous) and states <= {"running", "streaming"}
                and self.streams() == len(self.nodes) - 1)

    def streams(self):
        try:
            return int(self.psql("select count(*) from pg_stat_replication where state = 'streaming' and "
                                 "application_name like 'node%'")[0][0])
        except KitError:
            return 0

    def postmaster(self, node):
        """The pid of a node's PostgreSQL; None when it does not run."""
        try:
            with open(os.path.join(self.home(node), "postgres", "postmaster.pid")) as file:
                pid = int(file.readline())
            with open(f"/proc/{pid}/cmdline") as file:
                return pid if self.home(node) in file.read() else None
        except (OSError, ValueError):
            return None

    def end_postgres(self, node, number):
        pid = self.postmaster(node)
        if pid is not None:
            os.kill(pid, number)
            until(lambda: self.postmaster(node) is None, 30, f"the PostgreSQL of {node} is gone")
