"""Honest players: each has an address of its own, keeps within all limits, and repeats what was not acknowledged under
the same id, as the contract says."""
import threading
import time

import client
import v1

PATIENCE_SECONDS = 120      # what is not answered well within it is a failure
ANSWER_SECONDS_MAX = 30     # then a player gives the connection up and asks again
# A limit is 60 posts and 20 donations a minute.
TURN_SECONDS = 1.1
TURNS_OF_A_DONATION = 4
TURNS_OF_A_PLAYER = 100     # afterwards somebody else plays at the same address
CHARITY = "whales"
GAME, BOARD = "maze", "lap"


class Honest:
    """One address, at which one player after the other registers, posts, donates and reads until `stop`."""

    def __init__(self, server, number, stop):
        self.server, self.number, self.stop = server, number, stop
        self.connection = client.Connection(server, seconds=ANSWER_SECONDS_MAX, address=f"127.200.0.{1 + number}")
        self.scores, self.donations = {}, {}        # id -> points, acknowledged
        self.milliseconds = []                  # of each answer since somebody has taken them
        self.answers = self.broken = 0
        self.refused = {429: 0, 503: 0}
        self.wrong = []                         # what an honest player must not see
        self.players = 0
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self):
        turn = 0
        try:
            while not self.stop.is_set():
                if turn % TURNS_OF_A_PLAYER == 0:
                    self.register()
                self.play(turn)
                turn += 1
                self.stop.wait(TURN_SECONDS)
        except Exception as e:
            self.wrong.append(f"{type(e).__name__}: {e}")
        finally:
            self.connection.close()

    def asked(self, what, wanted, send):
        """Sends a request until it is answered well, and returns the answer. `wanted` are the good statuses; the last
        one is for what was sent before."""
        end, tried = time.monotonic() + PATIENCE_SECONDS, 0
        while True:
            began, pause = time.monotonic(), 0.1
            tried += 1
            try:
                answer = send()
            except (OSError, client.Broken) as e:
                answer = e
                self.broken += 1
            else:
                self.milliseconds.append((time.monotonic() - began) * 1_000)
                self.answers += 1
                if answer.status in (wanted if tried > 1 else wanted[:1]):
                    return answer
                if answer.status not in self.refused:
                    raise AssertionError(f"{what}, try {tried}: {answer!r}")
                self.refused[answer.status] += 1
                pause = int(answer["retry-after"])
            if time.monotonic() + pause > end:
                raise AssertionError(f"{what}, try {tried}: {answer!r} after {PATIENCE_SECONDS} s")
            time.sleep(pause)

    def read(self, what, path):
        return self.asked(what, (200,), lambda: self.connection.get(path))


class Modern(Honest):
    """Plays with the protocol of version 1."""

    def call(self, method, path, body=None):
        return v1.call(self.connection, method, path, body, who=self.token)

    def register(self):
        self.token, device, self.best = v1.token(), client.device(), None
        self.asked("a registration", (201, 200), lambda: self.call(
            "PUT", f"/v1/games/{GAME}/devices/{device}", {"name": f"Honest {self.number} {self.players}"}))
        self.players += 1

    def play(self, turn):
        id, points = v1.new_id(), turn * 7919 % 10_007
        self.asked(f"score {id}", (201, 200), lambda: self.call(
            "PUT", f"/v1/games/{GAME}/boards/{BOARD}/scores/{id}", {"points": points}))
        self.scores[id] = points
        self.best = points if self.best is None else max(self.best, points)
        place = self.asked("a rank", (200,), lambda: self.call(
            "GET", f"/v1/games/{GAME}/boards/{BOARD}/players/me")).json()
        assert place["points"] == self.best, f"{place}, and the best that was acknowledged is {self.best}"
        if turn % TURNS_OF_A_DONATION == 0:
            donation, donated = v1.new_id(), 1 + turn % 9
            self.asked(f"donation {donation}", (201, 200), lambda: self.call(
                "PUT", f"/v1/charities/{CHARITY}/donations/{donation}", {"points": donated}))
            self.donations[donation] = donated
        self.read("a feed", f"/v1/games/{GAME}/boards/{BOARD}/top.json?limit=10")


class Classic(Honest):
    """Plays with the protocol of 2009."""

    def register(self):
        self.phone = client.Phone(self.server, connection=self.connection)
        self.asked("a registration", (201, 200),
                   lambda: self.phone.register(f"Phone {self.number} {self.players}"))
        self.players += 1

    def play(self, turn):
        id, points = v1.new_id(), 1 + turn * 7919 % 10_007
        self.asked(f"score {id}", (201, 200), lambda: self.phone.post(points, id=id))
        self.scores[id] = points
        if turn % TURNS_OF_A_DONATION == 0:
            donation = v1.new_id()
            self.asked(f"donation {donation}", (201, 200), lambda: self.phone.donate(CHARITY, 1, id=donation))
            self.donations[donation] = 1
        self.read("a feed", "/TopScores.xml")
