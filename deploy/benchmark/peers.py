"""What stands beside Causeboard: the same SQL without it, Redis, and a web server that only sends files."""
import os
import random
import re
import socket

from . import processes
from .causeboard import DEVICES, PLACES
from .load import CONNECTIONS

MEMBERS_AT_ONCE = 1000

# As `Sessions.intake` in Sources/Storage/Sessions.swift.
SESSION = " ".join(f"-c {setting}" for setting in (
    "role=causeboard_server", "TimeZone=UTC", "random_page_cost=1.1", "jit=off", "enable_seqscan=off", "enable_hashjoin=off",
    "enable_mergejoin=off", "plan_cache_mode=force_generic_plan", "statement_timeout=10s"))

NOBODY = {"bytea": "array[null]::bytea[]", "bigint": "array[null]::bigint[]", "text": "array[null]::text[]"}
# The token's hash as a client of the database would bind it; pgbench has numbers only, so the database makes it of the device's number.
HASH = "sha256(decode(lpad(to_hex(cast(:device as bigint)), 64, '0'), 'hex'))"
TOKEN = f"array[{HASH}]"
# A client of the database would know it from the answer before; here all is sent at once.
PLAYER = f"array[(select player_id from device where token_hash = {HASH})]"
ID, NOW, NO = "array[gen_random_uuid()]", "array[clock_timestamp()]", "array[false]"

DEVICES_EACH = DEVICES // CONNECTIONS
STRIDE = 37             # has no divisor in common with DEVICES_EACH, so a round goes through all of them


def _statement(root, name, *arguments):
    """A checked-in statement with what stands for $1, $2 and so on."""
    with open(os.path.join(root, "SQL", name + ".sql")) as file:
        text = re.sub(r"--.*", "", file.read())
    return re.sub(r"\$(\d+)", lambda place: arguments[int(place[1]) - 1], text).strip().rstrip(";") + ";"


def post_script(root, server):
    """A score: lock, judge and write, rank. `:first` and `:turn` make each post one point better than the player's last one."""
    cases = " ".join(f"when :device % {PLACES} = {place} then {points}" for place, points in enumerate(server.score_points))
    return _transaction(server, "post.sql", f"\\set points case {cases} end + :first + :turn / {DEVICES_EACH}", [
        _statement(root, "intake/callers_lock", TOKEN, NOBODY["bytea"], NOBODY["bigint"]),
        _statement(root, "intake/score_batch", TOKEN, NOBODY["bytea"], NOBODY["bytea"], NOBODY["bigint"], "array['default']", "array['high-scores']",
                   ID, "array[:points]", "array[null::timestamptz]", NOBODY["text"], NOBODY["text"], NO, NO, NOW, "now()"),
        _statement(root, "ranking/board_places", str(server.board_id), PLAYER),
        _statement(root, "ranking/board_size", str(server.board_id))])


def gift_script(root, server):
    """A gift of one point: lock, judge and write, rank."""
    return _transaction(server, "gift.sql", "", [
        _statement(root, "intake/callers_lock", TOKEN, NOBODY["bytea"], NOBODY["bigint"]),
        _statement(root, "intake/gift_batch", TOKEN, NOBODY["bytea"], NOBODY["bytea"], NOBODY["bigint"], NOBODY["text"], ID, f"array['{server.charity}']",
                   NOBODY["text"], "array[1]", NO, NO, NOW, "now()"),
        _statement(root, "ranking/board_places", str(server.charity_board_id), PLAYER)])


def _transaction(server, name, setting, statements):
    """One transaction in one round trip. Each client has devices of its own, so none waits for another's lock."""
    return server.file(name, [
        "\\set turn :turn + 1", f"\\set device 1 + :client_id + {CONNECTIONS} * (:turn * {STRIDE} % {DEVICES_EACH})", setting,
        "\\startpipeline", "begin;", *statements, "commit;", "\\endpipeline"])


class Redis:
    """A sorted set with as many members as there are players, named as redis-benchmark names them: twelve digits."""

    def __init__(self, folder, members):
        self.port, self.members = processes.free_port(), members
        os.mkdir(folder)
        self.process = processes.start(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "yes", "--appendfsync", "always",
             "--auto-aof-rewrite-percentage", "0"], os.path.join(folder, "redis.log"))
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
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection, connection.makefile("rb") as answers:
            connection.sendall(f"*{len(words)}\r\n".encode() + "".join(f"${len(word)}\r\n{word}\r\n" for word in words).encode())
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
        temporary = "".join(f" {kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        with open(configuration, "w") as f:
            # As root its workers would be somebody who may not read here.
            f.write(f"""{'user root;' if os.geteuid() == 0 else ''}
daemon off; worker_processes auto; pid {folder}/nginx.pid; error_log {folder}/error.log warn;
events {{ worker_connections 1024; }}
http {{
  access_log off; sendfile on; tcp_nopush on; tcp_nodelay on; open_file_cache max=100; keepalive_requests 1000000000;{temporary}
  types {{ text/xml xml; application/json json; }}
  server {{
    listen 127.0.0.1:{self.port};
    location /file/ {{ root {folder}/www; }}
    location / {{ return 204; }}
  }}
}}
""")
        error_log = os.path.join(folder, "error.log")
        self.process = processes.start(["nginx", "-p", folder, "-c", configuration, "-e", error_log], os.path.join(folder, "nginx.log"))
        processes.until_it_answers(self.process, self.url)

    def file(self, name, content):
        """Its address."""
        with open(os.path.join(self.folder, "www/file", name), "wb") as f:
            f.write(content)
        return f"{self.url}/file/{name}"
