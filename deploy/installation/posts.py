"""Players who post to a server while it is installed anew: posts.py PLAYERS SECONDS, as a process of its own.

It registers them, says `posting`, and goes on until its input ends. What is not answered well is sent again under the
same id, as the contract says. Then each id that was acknowledged is sent once more: the server has to know it. The last
line is JSON."""
import base64
import http.client
import json
import secrets
import sys
import threading
import time
import uuid

PORT = 8080
PATIENCE_SECONDS = 120
PAUSE_SECONDS = 0.02
BOARD = "/v1/games/maze/boards/lap/scores/"


class Player(threading.Thread):
    def __init__(self, number, stop):
        super().__init__(daemon=True)
        self.number, self.stop = number, stop
        self.token = "cbd_" + base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()
        self.connection = None
        self.acknowledged, self.moments, self.again, self.trouble = {}, [], 0, None

    def ask(self, method, path, body):
        """The status of an answer; None when there is none."""
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=10)
            self.connection.request(method, path, json.dumps(body), {"Authorization": f"Bearer {self.token}"})
            answer = self.connection.getresponse()
            answer.read()
            return answer.status
        except (OSError, http.client.HTTPException):
            if self.connection is not None:
                self.connection.close()
            self.connection = None
            return None

    def insist(self, method, path, body):
        """Sends until the answer is a good one, and returns its status."""
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            status = self.ask(method, path, body)
            if status in (200, 201):
                return status
            if status not in (None, 503, 429) or time.monotonic() > end:
                raise AssertionError(f"{method} {path}: {status}")
            self.again += 1
            time.sleep(0.05)

    def register(self):
        self.insist("PUT", f"/v1/games/maze/devices/upgrade-{self.number}", {"name": f"Player {self.number}"})

    def run(self):
        try:
            while not self.stop.is_set():
                id, points = str(uuid.uuid4()), 1 + len(self.acknowledged)
                self.insist("PUT", BOARD + id, {"points": points})
                self.acknowledged[id] = points
                self.moments.append(time.monotonic())
                time.sleep(PAUSE_SECONDS)
        except AssertionError as e:
            self.trouble = str(e)

    def lost(self):
        """How many acknowledged posts the server does not know: they would be answered 201, as new ones."""
        return sum(self.insist("PUT", BOARD + id, {"points": points}) != 200
                   for id, points in self.acknowledged.items())


def main():
    stop = threading.Event()
    players = [Player(number, stop) for number in range(int(sys.argv[1]))]
    for player in players:
        player.register()
    for player in players:
        player.start()
    print("posting", flush=True)
    sys.stdin.read()
    stop.set()
    for player in players:
        player.join(PATIENCE_SECONDS + 20)
    moments = sorted(moment for player in players for moment in player.moments)
    print(json.dumps({
        "acknowledged": sum(len(player.acknowledged) for player in players),
        "sent_again": sum(player.again for player in players),
        "longest_gap_seconds": round(max((b - a for a, b in zip(moments, moments[1:])), default=0), 2),
        "trouble": [player.trouble for player in players if player.trouble],
        "lost": sum(player.lost() for player in players),
    }))


if __name__ == "__main__":
    main()
