"""The server that is measured: a process of its own, its data, and the devices that post to it."""
import base64
import concurrent.futures
import http.client
import json
import os
import urllib.request

from . import processes

DEVICES = 2000
BOARD = "/v1/games/default/boards/high-scores"
EARNED_FIRST = 5000         # so that every device has points to give


def fill(binary, players, data):
    processes.run([binary, "demo", "--players", str(players), "--seed", "1", "--data", data])


def token_bytes(device):
    """The token of device 1, 2, ...: its number, so that pgbench, which has no tables of its own, can make it too."""
    return device.to_bytes(32, "big")


def bearer(device):
    return "cbd_" + base64.urlsafe_b64encode(token_bytes(device)).rstrip(b"=").decode()


class Causeboard:
    def __init__(self, binary, players, folder):
        self.binary, self.players, self.folder = binary, players, folder
        self.data = os.path.join(folder, "data")
        self.port = processes.free_port()
        self.url = f"http://127.0.0.1:{self.port}"

    def start(self):
        fill(self.binary, self.players, self.data)
        command = [self.binary, "serve", "--data", self.data, "--port", str(self.port), "--log-level", "warning"]
        self.process = processes.start(command, os.path.join(self.folder, "causeboard.log"))
        processes.until_it_answers(self.process, self.url + "/readyz")
        self.database = processes.run([self.binary, "check", "--print-database-url", "--data", self.data]).strip()
        self.charity = self.sql("select slug from charity where closes_at is null and opens_at is null order by id limit 1")
        if not self.charity:
            processes.run([self.binary, "charity", "add", "bench", "--name", "Bench", "--data", self.data])
            self.charity = "bench"
        self.board_id = int(self.sql("select b.id from board b join game g on g.id = b.game_id "
                                     "where g.slug = 'default' and b.slug = 'high-scores' and b.season_ended_at is null"))
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            list(pool.map(self._prepare, [range(first, DEVICES + 1, 16) for first in range(1, 17)]))
        # What autovacuum would do within minutes of such a fill, but in the middle of a measurement.
        for command in ("vacuum (analyze)", "checkpoint"):
            self.sql(command)
        self.tokens = self._write("tokens", [bearer(device) for device in range(1, DEVICES + 1)])
        self.ranked = self._write("players", self.sql(
            f"select s.player_id from standing s join player p on p.id = s.player_id where s.board_id = {self.board_id} and not p.hidden "
            "order by random() limit 100000").split())

    def stop(self):
        processes.stop(self.process)

    def sql(self, statement):
        return processes.run(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", self.database, "-c", statement]).strip()

    def get(self, path):
        with urllib.request.urlopen(self.url + path) as answer:
            return answer.read()

    def _prepare(self, devices):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        for device in devices:
            for path, body in ((f"/v1/games/default/devices/bench-{device}", {"name": f"Bench {device}"}),
                               (f"{BOARD}/scores/00000000-0000-4000-8000-{device:012d}", {"points": EARNED_FIRST})):
                connection.request("PUT", path, json.dumps(body), {"Authorization": "Bearer " + bearer(device)})
                answer = connection.getresponse()
                said = answer.read()
                if answer.status != 201:
                    raise SystemExit(f"PUT {path} answers {answer.status}: {said.decode(errors='replace')[:300]}")

    def _write(self, name, lines):
        if not lines:
            raise SystemExit(f"There are no {name}.")
        file = os.path.join(self.folder, name)
        with open(file, "w") as f:
            f.write("\n".join(lines) + "\n")
        return file
