"""What stands beside Causeboard: a web server that only sends files, Hummingbird with a bare route, Redis, and the
database's session."""
import os
import random
import socket

from . import processes

MEMBERS_AT_ONCE = 1000

# pgbench's sessions are set up like those in which the server writes: `Sessions.intake` of the module Storage.
SESSION = " ".join(f"-c {setting}"
                   for setting in ("role=causeboard_server", "TimeZone=UTC", "random_page_cost=1.1", "jit=off",
                                   "enable_seqscan=off", "enable_hashjoin=off", "enable_mergejoin=off",
                                   "plan_cache_mode=force_generic_plan", "statement_timeout=10s"))


class Redis:
    """A sorted set with as many members as there are players, named as redis-benchmark names them: twelve digits."""

    def __init__(self, folder, members):
        self.port, self.members = processes.free_port(), members
        os.mkdir(folder)
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", folder, "--save", "",
                   "--appendonly", "yes", "--appendfsync", "always", "--auto-aof-rewrite-percentage", "0"]
        self.process = processes.start(["redis-server", *options], os.path.join(folder, "redis.log"))
        processes.until(self.process, lambda: self._ask("PING"))
        self._fill()

    def members_now(self):
        return int(self._ask("ZCARD", "board")[1:])

    def _fill(self):
        dice = random.Random(1)
        for first in range(0, self.members, MEMBERS_AT_ONCE):
            words = ["ZADD", "board"]
            for member in range(first, min(first + MEMBERS_AT_ONCE, self.members)):
                words += [str(dice.randrange(self.members)), f"{member:012d}"]
            self._ask(*words)

    def _ask(self, *words):
        with socket.create_connection(("127.0.0.1", self.port),
                                      timeout=60) as connection, connection.makefile("rb") as answers:
            connection.sendall(f"*{len(words)}\r\n".encode() + "".join(f"${len(word)}\r\n{word}\r\n"
                                                                       for word in words).encode())
            said = answers.readline().decode().strip()
        if said[:1] not in ("+", ":"):
            raise SystemExit(f"Redis says {said}")
        return said

    def stop(self):
        processes.stop(self.process)


class Nginx:
    """Sends files, and answers everything else with an empty 204 at once: that shows what the load itself can reach."""

    def __init__(self, folder):
        self.port, self.folder = processes.free_port(), folder
        self.url = f"http://127.0.0.1:{self.port}"
        os.makedirs(os.path.join(folder, "www/file"))
        configuration = os.path.join(folder, "nginx.conf")
        temporary = "".join(f" {kind}_temp_path {folder}/{kind};"
                            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        with open(configuration, "w") as f:
            # As root its workers would be somebody who may not read here.
            f.write(f"""{'user root;' if os.geteuid() == 0 else ''}
daemon off; worker_processes auto; pid {folder}/nginx.pid; error_log {folder}/error.log warn;
events {{ worker_connections 1024; }}
http {{
  access_log off; sendfile on; tcp_nopush on; tcp_nodelay on; open_file_cache max=100;
  keepalive_requests 1000000000;{temporary}
  types {{ text/xml xml; application/json json; }}
  server {{
    listen 127.0.0.1:{self.port};
    location /file/ {{ root {folder}/www; }}
    location / {{ return 204; }}
  }}
}}
""")
        error_log = os.path.join(folder, "error.log")
        self.process = processes.start(["nginx", "-p", folder, "-c", configuration, "-e", error_log],
                                       os.path.join(folder, "nginx.log"))
        processes.until_it_answers(self.process, self.url)

    def file(self, name, content):
        """The address of a file."""
        with open(os.path.join(self.folder, "www/file", name), "wb") as f:
            f.write(content)
        return f"{self.url}/file/{name}"


class BaselineServer:
    """Hummingbird's default router and nothing else: it sends the same bytes, from memory."""

    def __init__(self, binary, folder, files):
        """`files` are contents by name."""
        os.mkdir(folder)
        for name, content in files.items():
            with open(os.path.join(folder, name), "wb") as f:
                f.write(content)
        port = processes.free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.process = processes.start([binary, folder, str(port)], folder + ".log")
        processes.until_it_answers(self.process, f"{self.url}/{next(iter(files))}")

    def stop(self):
        processes.stop(self.process)
