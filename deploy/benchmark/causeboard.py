"""The server that is measured: a process of its own, its data, and the devices that post to it."""
import base64
import concurrent.futures
import glob
import http.client
import json
import os
import random
import signal
import time
import urllib.request

from . import processes

DEVICES = 2000
RANKED_MAX = 100000         # so many players are asked for
GAME = "/v1/games/default"
BOARD = GAME + "/boards/high-scores"
PURSE = "bench-purse"       # a board of our own, on which each device earns once what it gives later
PURSE_POINTS = 10**12
# Where on a board the devices stand: 100 of them at each of 20 places from its end to its first tenth, so that ranks are counted near and far,
# and the rows of the feeds stay those of the demo.
PLACES = 20
PLACE_BEST = 0.9


def token_bytes(device):
    """The token of device 1, 2, ...: its number, so that pgbench, which has no tables of its own, can make it too."""
    return device.to_bytes(32, "big")


def bearer(device):
    return "cbd_" + base64.urlsafe_b64encode(token_bytes(device)).rstrip(b"=").decode()


def stop_databases(folder):
    """What a server that broke down left running."""
    for file in glob.glob(os.path.join(glob.escape(folder), "**", "postmaster.pid"), recursive=True):
        try:
            with open(file) as f:
                pid = int(f.readline())
            with open(f"/proc/{pid}/cmdline") as f:
                if os.path.dirname(file) not in f.read():
                    continue
            os.kill(pid, signal.SIGINT)     # PostgreSQL's fast shutdown
            while os.path.exists(f"/proc/{pid}"):
                time.sleep(0.1)
        except (OSError, ValueError):
            continue


class Causeboard:
    def __init__(self, binary, players, folder):
        self.binary, self.players, self.folder = binary, players, folder
        self.data = os.path.join(folder, "data")
        self._verb("demo", "--players", str(players), "--seed", "1")
        self.port = processes.free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        command = [binary, "serve", "--data", self.data, "--host", "127.0.0.1", "--port", str(self.port), "--log-level", "warning"]
        self.process = processes.start(command, os.path.join(folder, "causeboard.log"))
        processes.until_it_answers(self.process, self.url + "/readyz")
        self.database = self._verb("check", "--print-database-url").strip()
        self._find_boards()
        self._register_devices()
        # What autovacuum would do within minutes of such a fill, but in the middle of a measurement.
        for statement in ("vacuum (analyze)", "checkpoint"):
            self.sql(statement)

    def _verb(self, *words):
        return processes.run([self.binary, *words, "--data", self.data])

    def sql(self, statement):
        return processes.run(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", self.database, "-c", statement]).strip()

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=60) as answer:
            return answer.read()

    def file(self, name, lines):
        path = os.path.join(self.folder, name)
        with open(path, "w") as f:
            f.writelines(line + "\n" for line in lines)
        return path

    def stop(self):
        processes.stop(self.process)

    def _find_boards(self):
        self.board_id = int(self.sql("select b.id from board b join game g on g.id = b.game_id "
                                     "where g.slug = 'default' and b.slug = 'high-scores' and b.season_ended_at is null"))
        charity = self.sql("select c.slug, c.board_id from charity c join standing s on s.board_id = c.board_id where coalesce(c.opens_at, '-infinity') < now() "
                           "and coalesce(c.closes_at, 'infinity') > now() + interval '1 day' group by c.id order by count(*) desc limit 1")
        if not charity:
            raise SystemExit("No open charity of this world has been given anything.")
        self.charity, board_id = charity.split("|")
        self.charity_board_id = int(board_id)
        self.score_points = self._points_at_places(self.board_id)
        self.gift_points = self._points_at_places(self.charity_board_id)
        ranked = self.sql(f"select s.player_id from standing s join player p on p.id = s.player_id where s.board_id = {self.board_id} and not p.hidden "
                          f"order by random() limit {RANKED_MAX}").split()
        self.ranked = self.file("ranked", ranked)

    def _points_at_places(self, board_id):
        shares = ",".join(f"{PLACE_BEST * place / (PLACES - 1):.4f}" for place in range(PLACES))
        points = self.sql(f"select unnest(percentile_disc(array[{shares}]) within group (order by points)) from standing where board_id = {board_id}")
        return [int(number) for number in points.split()]

    def _register_devices(self):
        self._verb("board", "add", "--game", "default", PURSE, "--earns", f"fixed:{PURSE_POINTS}")
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            list(pool.map(self._register, [range(first, DEVICES + 1, 16) for first in range(1, 17)]))
        devices = list(range(1, DEVICES + 1))
        random.Random(1).shuffle(devices)
        self.tokens = self.file("tokens", (f"{bearer(device)} {self.score_points[device % PLACES]}" for device in devices))

    def _register(self, devices):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        for device in devices:
            for path, body in (
                (f"{GAME}/devices/bench-{device}", {"name": f"Bench {device}"}),
                (f"{GAME}/boards/{PURSE}/scores/00000000-0000-4000-8000-{device:012d}", {"points": 1}),
                (f"{BOARD}/scores/00000000-0000-4000-9000-{device:012d}", {"points": self.score_points[device % PLACES]}),
                (f"/v1/charities/{self.charity}/donations/00000000-0000-4000-8000-{device:012d}", {"points": self.gift_points[device % PLACES]}),
            ):
                connection.request("PUT", path, json.dumps(body), {"Authorization": "Bearer " + bearer(device), "Content-Type": "application/json"})
                answer = connection.getresponse()
                said = answer.read()
                if answer.status != 201:
                    raise SystemExit(f"PUT {path} answers {answer.status}: {said.decode(errors='replace')[:300]}")
