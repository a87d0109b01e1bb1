"""Random histories: thousands of registrations, posts, retries and donations, and every feed equal to the naive model.
STEPS may be set."""
import random
import time
import unittest
import uuid

import client
import feeds
from model import Books
from seeds import SEED, steps
from server import Server

STEPS = steps(1_500, nightly=3_000)
CHARITIES = {"red-cross": "Red Cross", "whales": "Save the Whales", "trees": "Trees"}
server = None


def setUpModule():
    global server
    server = Server("histories")
    server.verb("game", "set", "default", "--salt", client.SALT)
    for slug, name in CHARITIES.items():
        server.verb("charity", "add", slug, "--name", name)


def tearDownModule():
    server.stop()


class Histories(unittest.TestCase):
    """Scores sent with an id, without one and to /high_scores never have equal points (modulo 3), so that only what the
    contract calls a retry is one; a post without an id is repeated at once or never."""

    def test_feeds_are_what_the_model_says(self):
        self.dice = random.Random(SEED)
        self.books = Books(CHARITIES)
        self.connection = client.Connection(server)
        self.devices = ["%040x" % self.dice.getrandbits(160) for _ in range(80)]
        self.history = []
        self.spent_scores = set()       # (device, points) that were posted without an id
        self.spent_donations = set()
        steps = [(self.register, 12), (self.post_with_id, 24), (self.retry_score, 8), (self.conflict_score, 4),
                 (self.post_plain, 12), (self.high_score, 16), (self.donate, 20), (self.retry_donation, 8),
                 (self.overspend, 6), (self.refused_post, 3), (self.look, 4)]
        choices, weights = zip(*steps)
        try:
            for self.step in range(STEPS):
                self.dice.choices(choices, weights)[0]()
                if self.step % 300 == 299:
                    self.compare()
            self.compare()
        except (AssertionError, client.Broken) as e:
            tail = "\n".join(self.history[-25:])
            raise AssertionError(f"step {self.step}: {e}\nthe last of the history:\n{tail}") from e
        finally:
            self.connection.close()
        server.audit()
        ledger = server.psql("select (select count(*) from score), (select count(*) from donation)")
        players = self.books.players.values()
        self.assertEqual(ledger, [[str(sum(len(p.posts) for p in players)),
                                   str(sum(len(p.donations) for p in players))]])

    # -- steps

    def phone(self, known=None):
        if known:
            return client.Phone(server, self.dice.choice(list(self.books.players) or self.devices), self.connection,
                                self.encode())
        return client.Phone(server, self.dice.choice(self.devices), self.connection, self.encode())

    def encode(self):
        return self.dice.choice((client.escaped, client.unescaped))

    def name(self):
        return self.dice.choice([
            "Ann", "Bob", "Tom & Jerry", "C++ x", "<b>", "日本", "😀👍🏿", "e\u0301a", "100% x", "]]>", "x\u0323"
        ]) + f" {self.dice.randrange(40)}"

    def small_or_large(self):
        n = self.dice.choice((self.dice.randrange(1, 12), self.dice.randrange(1, 500), self.dice.randrange(1, 10**6),
                              self.dice.randrange(1, 10**12)))
        return 3 * n

    def day(self):
        return time.strftime("%Y-%m-%d", time.gmtime())

    def note(self, what, answer):
        self.history.append(f"{self.step}: {what} -> {answer.status}")

    def check(self, what, answer, wanted):
        self.note(what, answer)
        if answer.status not in (wanted if isinstance(wanted, tuple) else (wanted,)):
            raise AssertionError(f"{what}: wanted {wanted}, got {answer!r}")
        return answer

    def receipt(self, what, answer, udid, points):
        player = self.books.players[udid]
        got = [answer.number(n) for n in ("points", "best")]
        assert got == [points, player.best], f"{what}: points, best are {got}, wanted {[points, player.best]}"
        assert answer.number("rank") in self.books.rank(
            player), f"{what}: rank {answer.number('rank')}, wanted one of {self.books.rank(player)}"

    def register(self):
        phone, name = self.phone(), self.name()
        new = self.books.register(phone.udid, name)
        answer = self.check(f"register {phone.udid[:6]} {name!r}", phone.register(name), 201 if new else 200)
        player = self.books.players[phone.udid]
        number = answer.number("id")
        assert player.id in (None, number), f"the id of {phone.udid[:6]} was {player.id} and is {number}"
        player.id = number
        assert answer.field("name") == player.name, f"{answer.field('name')!r} is not {player.name!r}"

    def post_with_id(self, points=None, id=None, device=None):
        phone = client.Phone(server, device, self.connection, self.encode()) if device else self.phone(
            known=self.dice.random() < 0.9)
        points = points or self.small_or_large()
        id = id or str(uuid.UUID(int=self.dice.getrandbits(128)))
        outcome = self.books.post(phone.udid, points, self.day(), id)
        what = f"post {phone.udid[:6]} {points} id {id[:8]} ({outcome})"
        answer = self.check(what, phone.post(points, id=id if self.dice.random() < 0.5 else id.upper()),
                            {"recorded": 201, "retry": 200, "conflict": 409, "refused": 422}[outcome])
        if outcome in ("recorded", "retry"):
            self.receipt(what, answer, phone.udid, points)
            assert answer.field("id").lower() == id
            assert (answer["idempotent-replayed"] == "true") == (
                outcome == "retry"), f"{what}: Idempotent-Replayed is {answer['idempotent-replayed']}"

    def some_id(self, ids):
        players = [(d, p) for d, p in self.books.players.items() if getattr(p, ids)]
        if not players:
            return None
        device, player = self.dice.choice(players)
        return device, *self.dice.choice(list(getattr(player, ids).items()))

    def retry_score(self):
        found = self.some_id("score_ids")
        if found:
            device, id, points = found
            self.post_with_id(points, id, device)

    def conflict_score(self):
        found = self.some_id("score_ids")
        if found:
            device, id, points = found
            self.post_with_id(points + 3, id, device)

    def post_plain(self):
        phone, points = self.phone(known=True), self.small_or_large() + 1
        if (phone.udid, points) in self.spent_scores:
            return
        self.spent_scores.add((phone.udid, points))
        outcome = self.books.post(phone.udid, points, self.day())
        what = f"post {phone.udid[:6]} {points} ({outcome})"
        answer = self.check(what, phone.post(points), 201 if outcome == "recorded" else 422)
        if outcome == "recorded":
            self.receipt(what, answer, phone.udid, points)
            if self.dice.random() < 0.4:        # the same request once more: one post
                again = self.check(what + " replayed", phone.post(points), (200, 201))
                self.receipt(what + " replayed", again, phone.udid, points)

    def high_score(self):
        phone, name, points = self.phone(), self.name(), self.small_or_large() + 2
        if (phone.udid, points) in self.spent_scores:
            return
        self.spent_scores.add((phone.udid, points))
        if self.dice.random() < 0.1:
            answer = self.check(f"high score {phone.udid[:6]} bad token",
                                phone.high_score(name, points, auth=client.token(points + 1, phone.udid)), 422)
            assert answer.body == b""
            return
        self.books.high_score(phone.udid, name, points, self.day())
        for _ in range(self.dice.choice((1, 1, 2))):
            answer = self.check(f"high score {phone.udid[:6]} {name!r} {points}", phone.high_score(name, points), 200)
            assert answer.body == b"", answer

    def donate(self, charity=None, points=None, id=None, device=None, with_id=None):
        phone = client.Phone(server, device, self.connection, self.encode()) if device else self.phone(known=True)
        charity = charity or self.dice.choice(list(CHARITIES))
        player = self.books.players.get(phone.udid)
        left = player.left if player else 0
        points = points or self.dice.choice(
            (max(1, left), self.dice.randint(1, max(1, left)), self.dice.randint(1, max(1, left // 10)), 1))
        if id is None and self.dice.random() < 0.7:
            id = str(uuid.UUID(int=self.dice.getrandbits(128)))
        if id is None:
            if (phone.udid, charity, points) in self.spent_donations:
                return
            self.spent_donations.add((phone.udid, charity, points))
        outcome = self.books.donate(phone.udid, charity, points, id)
        sent = self.dice.choice((charity, CHARITIES[charity], CHARITIES[charity].upper()))
        what = f"donate {phone.udid[:6]} {points} of {left} to {sent} id {id and id[:8]} ({outcome})"
        answer = self.check(what, phone.donate(sent, points, **({"id": id} if id else {})),
                            {"recorded": 201, "retry": 200, "conflict": 409, "refused": 422}[outcome])
        if outcome in ("recorded", "retry"):
            got = [answer.number(n) for n in ("donated-points", "balance")]
            assert got == [points,
                           player.left], f"{what}: donated-points, balance are {got}, wanted {[points, player.left]}"

    def retry_donation(self):
        found = self.some_id("donation_ids")
        if found:
            device, id, (charity, points) = found
            if self.dice.random() < 0.3:
                points += 1
            elif self.dice.random() < 0.2:
                charity = self.dice.choice(list(CHARITIES))
            self.donate(charity, points, id, device)

    def overspend(self):
        device = self.dice.choice(list(self.books.players) or self.devices)
        player = self.books.players.get(device)
        self.donate(points=(player.left if player else 0) + self.dice.choice((1, 1, 2, 10**6)), device=device)

    def refused_post(self):
        phone = self.phone(known=True)
        for points in (self.dice.choice((0, -1, -10**6, 2**63, 2**64)),):
            self.check(f"post {phone.udid[:6]} {points}", phone.post(points), 422)

    def look(self):
        players = [p for p in self.books.players.values() if p.id is not None]
        if players:
            player = self.dice.choice(players)
            answer = self.check(f"look at {player.id}", self.connection.get(f"/customers/{player.id}"), 200)
            assert answer.field("name") == player.name

    # -- feeds

    def feed(self, path):
        answer = self.connection.get(path)
        assert answer.status == 200, f"{path}: {answer!r}"
        return answer.body

    def compare(self):
        board = [(p.name, points) for p, points in self.books.board()]
        charities = sorted(((CHARITIES[c], self.books.received(c)) for c in CHARITIES), key=lambda c: -c[1])
        limit = self.dice.choice((1, 7, 50))
        for suffix in feeds.FORMATS if self.step == STEPS - 1 else ("xml", self.dice.choice(feeds.FORMATS)):
            feeds.agree(suffix, self.feed(f"/TopScores.{suffix}"), self.books.donors())
            feeds.agree(suffix, self.feed(f"/TopScores.{suffix}?window=all&limit={limit}"), self.books.donors(limit))
            feeds.agree(suffix, self.feed(f"/high_scores.{suffix}"), self.books.top_posts())
            feeds.agree(suffix, self.feed(f"/v1/games/default/boards/high-scores/top.{suffix}?limit=100"), board[:100])
            for charity in CHARITIES:
                feeds.agree(suffix, self.feed(f"/TopScores.{suffix}?charity={charity}"), self.books.donors(50, charity))
        rows = feeds.rows_json(self.feed("/v1/charities.json"))
        assert sorted(rows) == sorted(charities) and [p for _, p in rows] == [
            p for _, p in charities
        ], f"charities are {rows}, wanted {charities}"
        body = feeds.json.loads(self.feed("/v1/games/default/boards/high-scores/top.json?limit=100"))
        assert body["of"] == len(board), f"of is {body['of']}, wanted {len(board)}"
