"""What stands beside Causeboard: the same SQL without it, Redis, and a web server that only sends files."""
import os
import random
import re
import socket

from . import processes
from .causeboard import DEVICES

MEMBERS_AT_ONCE = 1000

# As `Sessions.intake` in Sources/Storage/Sessions.swift.
SESSION = " ".join(f"-c {setting}" for setting in (
    "role=causeboard_server", "TimeZone=UTC", "random_page_cost=1.1", "jit=off", "enable_seqscan=off", "enable_hashjoin=off", "enable_mergejoin=off",
    "plan_cache_mode=force_generic_plan", "statement_timeout=10s"))

NOBODY = {"bytea": "array[null]::bytea[]", "bigint": "array[null]::bigint[]", "text": "array[null]::text[]"}
# The token's hash as a client of the database would bind it; pgbench has numbers only, so the database makes it of the device's number.
TOKEN = "array[sha256(decode(lpad(to_hex(cast(:device as bigint)), 64, '0'), 'hex'))]"
ID, NOW, NO = "array[gen_random_uuid()]", "array[clock_timestamp()]", "array[false]"


def statement(root, name, *arguments):
    """A checked-in statement with what stands for $1, $2 and so on."""
    with open(os.path.join(root, "SQL", name + ".sql")) as file:
        text = re.sub(r"--.*", "", file.read())
    return re.sub(r"\$(\d+)", lambda place: arguments[int(place[1]) - 1], text).strip()


def post_script(root, folder, board_id):
    """A score in one transaction: lock, judge and write, rank, count."""
    return _script(os.path.join(folder, "post.sql"), "\\set points random(1, 10000)", [
        statement(root, "intake/callers_lock", TOKEN, NOBODY["bytea"], NOBODY["bigint"]) + ";",
        statement(root, "intake/score_batch", TOKEN, NOBODY["bytea"], NOBODY["bytea"], NOBODY["bigint"], "array['default']", "array['high-scores']",
                  ID, "array[:points]", "array[null::timestamptz]", NOBODY["text"], NOBODY["text"], NO, NO, NOW, "now()") + " \\gset row_",
        statement(root, "ranking/board_places", str(board_id), "array[:row_player_id]") + ";",
        statement(root, "ranking/board_size", str(board_id)) + ";"])


def gift_script(root, folder, charity):
    return _script(os.path.join(folder, "gift.sql"), "", [
        statement(root, "intake/callers_lock", TOKEN, NOBODY["bytea"], NOBODY["bigint"]) + ";",
        statement(root, "intake/gift_batch", TOKEN, NOBODY["bytea"], NOBODY["bytea"], NOBODY["bigint"], NOBODY["text"], ID, f"array['{charity}']",
                  NOBODY["text"], "array[1]", NO, NO, NOW, "now()") + " \\gset row_",
        statement(root, "ranking/board_places", ":row_board_id", "array[:row_row_id]") + ";"])


def _script(file, setting, statements):
    with open(file, "w") as f:
        f.write("\n".join([f"\\set device random(1, {DEVICES})", setting, "begin;", *statements, "commit;"]) + "\n")
    return file


class Redis:
    def __init__(self, folder, members):
        self.port, self.members = processes.free_port(), members
        os.mkdir(folder)
        self.process = processes.start(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "yes", "--appendfsync", "always",
             "--auto-aof-rewrite-percentage", "0"], os.path.join(folder, "redis.log"))
        processes.until(self.process, self._fill)

    def _fill(self):
        """Members as redis-benchmark names them: twelve digits."""
        dice = random.Random(1)
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection, connection.makefile("rb") as answers:
            for first in range(0, self.members, MEMBERS_AT_ONCE):
                words = ["ZADD", "board"]
                for member in range(first, min(first + MEMBERS_AT_ONCE, self.members)):
                    words += [str(dice.randrange(1, 1000000)), f"{member:012d}"]
                connection.sendall(f"*{len(words)}\r\n".encode() + "".join(f"${len(word)}\r\n{word}\r\n" for word in words).encode())
                said = answers.readline()
                if not said.startswith(b":"):
                    raise SystemExit(f"Redis says {said.decode(errors='replace').strip()}")

    def stop(self):
        processes.stop(self.process)


class Nginx:
    def __init__(self, folder, files):
        self.port = processes.free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        os.makedirs(os.path.join(folder, "www"))
        for name, content in files.items():
            with open(os.path.join(folder, "www", name), "wb") as f:
                f.write(content)
        configuration = os.path.join(folder, "nginx.conf")
        temporary = "".join(f" {kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        with open(configuration, "w") as f:
            # As root its workers would be somebody who may not read here.
            f.write(f"""{'user root;' if os.geteuid() == 0 else ''}
daemon off; worker_processes auto; pid {folder}/nginx.pid; error_log {folder}/error.log warn;
events {{ worker_connections 1024; }}
http {{ access_log off; sendfile on; tcp_nopush on; tcp_nodelay on; open_file_cache max=100; keepalive_requests 1000000000;
 types {{ text/xml xml; application/json json; }}{temporary}
 server {{ listen 127.0.0.1:{self.port}; root {folder}/www; }} }}
""")
        self.process = processes.start(["nginx", "-p", folder, "-c", configuration, "-e", os.path.join(folder, "error.log")], os.path.join(folder, "nginx.log"))
        processes.until_it_answers(self.process, f"{self.url}/{next(iter(files))}")

    def stop(self):
        processes.stop(self.process)
